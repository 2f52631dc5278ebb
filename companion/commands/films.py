"""`companion simulate --video`: hands that were played, filmed as one camera sees them."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.progress import ProgressLine, format_time
from companion.errors import InputError

if TYPE_CHECKING:
    from companion.coach.simulation import PlayedHand
    from companion.scenes.film.writing import Shooting

SIDES_PX = (240, 3840)
"""The least and the greatest width or height of a film."""
PACES = (0.25, 20.0)
NO_SIZE = (
    "--size '{size}' is no size of a film: write WIDTHxHEIGHT in pixels, even numbers from {least} to {most},"
    " as 1920x1080."
)
NEEDS_VIDEO = "{options} {are} for films: name a folder for them with --video."
SAME_FOLDER = "--events and --video both name '{folder}', where their files would have the same names."

BENDS = (-0.4, 0.1)
"""Of the lenses of films, OpenCV's k1."""


class CameraPose(StrEnum):
    """Where the camera of a film stands: `Pose` of the films, for which NumPy need not be loaded."""

    ABOVE = "above"
    CORNER = "corner"
    SIDE = "side"


def plan_shooting(
    video: Path | None,
    events: Path | None,
    pose: CameraPose | None,
    size: str | None,
    pace: float | None,
    calm: bool,
    k1: float | None,
    seed: int,
) -> Shooting | None:
    """How hands are filmed by these options; None where they are not. Raises InputError."""
    given = {
        "--pose": pose is not None,
        "--size": size is not None,
        "--pace": pace is not None,
        "--calm": calm,
        "--k1": k1 is not None,
    }
    if video is None:
        if names := [name for name, is_given in given.items() if is_given]:
            raise InputError(NEEDS_VIDEO, options=", ".join(names), are="is" if len(names) == 1 else "are")
        return None
    if events is not None and events.resolve() == video.resolve():
        raise InputError(SAME_FOLDER, folder=video)
    from companion.scenes.film.pose import Pose
    from companion.scenes.film.writing import Shooting

    return Shooting(
        Pose((pose or CameraPose.ABOVE).value),
        _read_size(size or "1920x1080"),
        pace or 1.0,
        calm,
        seed,
        k1 or 0.0,
    )


def film_played(played: PlayedHand, number: int, shooting: Shooting, folder: Path, name: str) -> Path:
    """Film a hand into the folder, its tiles and table by its number; the video's path. Raises InputError."""
    from dataclasses import replace

    from companion.scenes.film.writing import check_free, prepare_film, write_film

    check_free(folder, name)
    film = prepare_film(played.start, played.steps, replace(shooting, seed=shooting.seed + number - 1))
    progress, length = ProgressLine(), format_time(film.timeline.end_s)
    try:
        video, _ = write_film(
            film, folder, name, lambda t: progress.show(f"hand {number}: filmed {format_time(t)} of {length}")
        )
    finally:
        progress.clear()
    return video


def _read_size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,5})[xX×]([0-9]{1,5})", text.strip())
    sides = [int(side) for side in match.groups()] if match else []
    if not sides or any(side % 2 or not SIDES_PX[0] <= side <= SIDES_PX[1] for side in sides):
        raise InputError(NO_SIZE, size=text, least=SIDES_PX[0], most=SIDES_PX[1])
    return sides[0], sides[1]
