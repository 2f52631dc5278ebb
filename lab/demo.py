"""Draws the picture and films the game that `companion demo` shows: python -m lab.demo."""

from __future__ import annotations

import random
from pathlib import Path

import cv2

from companion.coach.play.simulation import play
from companion.commands.demo import DEMO_WIN, FILM, PICTURE, RECORDED
from companion.table.events import GameStarted
from lab.commands.films import film_played
from lab.film.customs import Pose
from lab.film.writing import Shooting
from lab.scenes.hand import render_hand

ROWS = (("3m", "3m", "3m", "4m", "4m", "4m", "5m", "5m", "5m", "2p", "2p", "6s", "7s", "8s"),)
SEED = 58
"""A hand with nine discards, a pung and a win."""
SHOOTING = Shooting(Pose.ABOVE, (1920, 1080), pace=3.0, calm=True, seed=SEED)
JPEG_QUALITY = 92


def main() -> None:
    """Write both, over those of before."""
    RECORDED.mkdir(exist_ok=True)
    cv2.imwrite(str(RECORDED / PICTURE), render_hand(ROWS).image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    film = RECORDED / FILM
    for each in (film, film.with_suffix(".jsonl")):
        each.unlink(missing_ok=True)
    played = next(iter(play(GameStarted(rules=DEMO_WIN["rules"]), 1, random.Random(SEED))))
    film_played(played, 1, SHOOTING, Path(RECORDED), film.stem)
    film.with_suffix(".jsonl").unlink()


if __name__ == "__main__":
    main()
