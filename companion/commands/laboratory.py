"""The commands that the laboratory offers: `companion bench` and films of simulated hands.

The laboratory (`lab/`) is next to this package in a source copy and is not installed with it. It is loaded by
name here, so that nothing in the product depends on it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import companion
from companion.errors import InputError, MissingError

if TYPE_CHECKING:
    from companion.coach.play.simulation import PlayedHand

NO_LAB = "{command} is only in the source copy of the program, not in the installed package."


def load_lab(command: str) -> Any:
    """The module `lab.commands`. Raises MissingError, which names the command, without a source copy."""
    source = Path(companion.__file__).resolve().parents[1]
    if not (source / "lab" / "commands" / "__init__.py").is_file():
        raise MissingError(NO_LAB, command=command)
    return importlib.import_module("lab.commands")


def bench(context: typer.Context) -> None:
    """Measure the program: figures with units and runs (source copy only)."""
    load_lab("companion bench").run_bench(context.args)


PACES = (0.25, 20.0)
BENDS = (-0.4, 0.1)
"""Minimum and maximum distortion of a film's lens (OpenCV's k1)."""
NEEDS_VIDEO = "{options} {are} for films: name a folder for them with --video."
SAME_FOLDER = "--events and --video both name '{folder}', where their files would have the same names."

FilmHand = Callable[["PlayedHand", int, Path, str], Path]
"""Films a hand: number from 1, folder, file name without suffix. Returns the path of the video."""


class CameraPose(StrEnum):
    """Where the camera of a film is."""

    ABOVE = "above"
    CORNER = "corner"
    SIDE = "side"


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """The flags of a film; None and False where a flag is not given."""

    pose: CameraPose | None
    size: str | None
    pace: float | None
    calm: bool
    mean: bool
    k1: float | None


def plan_films(video: Path | None, events: Path | None, options: FilmOptions, seed: int) -> FilmHand | None:
    """What films each hand; None without --video. Raises InputError; MissingError outside a source copy."""
    if video is None:
        flags = {
            "--pose": options.pose is not None,
            "--size": options.size is not None,
            "--pace": options.pace is not None,
            "--calm": options.calm,
            "--mean": options.mean,
            "--k1": options.k1 is not None,
        }
        if names := [name for name, is_given in flags.items() if is_given]:
            raise InputError(NEEDS_VIDEO, options=", ".join(names), are="is" if len(names) == 1 else "are")
        return None
    if events is not None and events.resolve() == video.resolve():
        raise InputError(SAME_FOLDER, folder=video)
    film: FilmHand = load_lab("companion simulate --video").plan_films(options, seed)
    return film
