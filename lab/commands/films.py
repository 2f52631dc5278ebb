"""`companion simulate --video`: films of simulated hands as one camera sees them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from companion.coach.play.simulation import PlayedHand
from companion.commands.laboratory import CameraPose, FilmHand, FilmOptions
from companion.commands.output import ProgressLine, format_time
from companion.errors import InputError
from lab.film.customs import Pose
from lab.film.writing import Shooting, check_free, prepare_film, write_film

CALM_AND_MEAN = "--calm and --mean contradict each other: leave one of them out."
SIDES_PX = (240, 3840)
"""The smallest and the largest width or height of a film."""
NO_SIZE = (
    "--size '{size}' is not the size of a film: write WIDTHxHEIGHT in pixels, even numbers from {least} to"
    " {most}, for example 1920x1080."
)


def plan_films(options: FilmOptions, seed: int) -> FilmHand:
    """What films each hand, by the flags' options. Raises InputError."""
    if options.calm and options.mean:
        raise InputError(CALM_AND_MEAN)
    shooting = Shooting(
        Pose((options.pose or CameraPose.ABOVE).value),
        _read_size(options.size or "1920x1080"),
        options.pace or 1.0,
        options.calm,
        seed,
        options.k1 or 0.0,
        options.mean,
    )
    return lambda played, number, folder, name: film_played(played, number, shooting, folder, name)


def film_played(played: PlayedHand, number: int, shooting: Shooting, folder: Path, name: str) -> Path:
    """Film a hand into the folder, with its truth; returns the path of the video. Raises InputError."""
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
        raise InputError(NO_SIZE, size=text, least=str(SIDES_PX[0]), most=str(SIDES_PX[1]))
    return sides[0], sides[1]
