"""A film in which the camera is pushed in the middle of a hand: nothing has to be corrected after it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.coach.play.simulation import play
from companion.config import models_dir
from companion.table.events import GameStarted
from companion.vision.recogniser import Recogniser
from lab.bench.followed_films import read_truth
from lab.bench.table_video import follow_film, shoot_film
from lab.film.customs import Pose

SEED = 52


@pytest.mark.long
def test_a_bump_in_the_middle_of_a_hand_corrects_nothing(tmp_path: Path) -> None:
    (played,) = play(GameStarted(rules="hefei"), 1, random.Random(f"hefei {SEED}"))
    film = shoot_film(played, Pose.ABOVE, SEED, tmp_path, pace=3.0, bump_px=12.0)
    (_, before), (bumped_s, after) = read_truth(film[1]).cameras
    assert bumped_s > 5
    assert max(abs(a - b) for a, b in zip(before["corners"][0], after["corners"][0], strict=True)) > 5
    figures, certainty = follow_film(*film, Recogniser(models_dir()), True)
    assert figures.counts["bumps"] == 1
    assert figures.counts["corrections after bumps"] == 0
    assert figures.counts["discards right"] >= figures.counts["discards"] - 1
    assert certainty.counts["all"]["wrong"] == 0
