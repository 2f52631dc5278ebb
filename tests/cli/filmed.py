"""Films of hands and what a perfect eye would see in them, as files for `companion track`."""

from __future__ import annotations

import random
from pathlib import Path

import cv2

from companion.coach.play.simulation import PlayedHand, play
from companion.live.session.lines import Header, make_id
from companion.live.session.recorder import SessionRecorder
from companion.table.events import GameStarted
from lab.bench.followed_films import FilmTruth, decode_truth
from lab.film.writing import FRAMES_A_SECOND, Film, Shooting, prepare_film
from tests.film_sights import list_sights

SIZE = (1280, 720)
"""Of the pictures: a tile straight below is 27 px high, enough to be read."""


def first_hand(rules: str, seed: int) -> PlayedHand:
    return next(play(GameStarted(rules=rules), 1, random.Random(seed)))


def film(played: PlayedHand, seed: int, pace: float = 1.0, size: tuple[int, int] = SIZE) -> Film:
    shooting = Shooting(calm=True, seed=seed, pace=pace, size=size)
    return prepare_film(played.start, [(step.event, step.state) for step in played.steps], shooting)


def write_session(truth: FilmTruth, folder: Path, seconds: float = 1e9, since_s: float = 0.0) -> Path:
    """A recorded session of all that the film shows, or of what it shows since and until these seconds."""
    recorder = SessionRecorder(folder, Header(id=make_id(), log=(truth.start,), source="a film"))
    for sight in list_sights(truth):
        if since_s <= sight.t <= seconds:
            recorder.record_sight(sight)
    recorder.close()
    return folder


def make_session(folder: Path, rules: str = "hefei", seed: int = 1, seconds: float = 1e9) -> Path:
    """As `write_session`, of a hand that built-in players play."""
    return write_session(
        decode_truth(film(first_hand(rules, seed), seed, size=(480, 270)).truth), folder, seconds
    )


def write_part(of: Film, path: Path, start_s: float, end_s: float) -> Path:
    """What the film shows between these seconds as a video."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FRAMES_A_SECOND, SIZE)
    for frame in range(round(start_s * FRAMES_A_SECOND), round(end_s * FRAMES_A_SECOND)):
        writer.write(of.filming.draw(frame / FRAMES_A_SECOND))
    writer.release()
    return path
