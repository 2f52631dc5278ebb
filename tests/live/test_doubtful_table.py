"""A table that was found with doubt is put right while it is followed, by what lies on it: real pictures."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.coach.play.simulation import play
from companion.config import models_dir
from companion.live.table_watch import REVIEW_S, TableWatch
from companion.seeing.finding_table import FoundBy, FoundTable, TableReview
from companion.seeing.observer import Observer
from companion.seeing.table_camera import TableCamera
from companion.table.events import GameStarted
from companion.tiles import BACK
from companion.vision.recogniser import Recogniser
from lab.bench import plain_films
from lab.bench.found_tables import measure_walls_mm
from lab.bench.plain_films import PlainFilming, prepare_plain
from lab.film.customs import Pose, list_corners

pytestmark = pytest.mark.slow

OFF_MM = np.array([60.0, -50.0, 0.0])


def test_a_table_without_edges_is_put_right_with_its_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_films, "EDGES", ("none",))
    played = next(play(GameStarted(rules="hong_kong"), 1, random.Random("hong_kong 109")))
    film = prepare_plain(played, Pose.CORNER, 109)
    filming, true = PlainFilming(film, 109), film.looks.camera
    height, width = film.looks.ground.shape[:2]
    wrong = TableCamera.from_corners(true.project(list_corners(400.0) + OFF_MM), width, height)
    recogniser = Recogniser(models_dir(), threads=1)
    watch = TableWatch(
        lambda: lambda image: FoundTable(wrong, 0.6, FoundBy.TILES_AND_EDGES, 2, 40, False),
        lambda camera, size: Observer(recogniser, camera, rules="hong_kong", tile_size=size),
        review=TableReview(recogniser),
    )
    still = next(start for start, end in film.timeline.find_still() if start > 15 and end - start > 0.3)
    image = filming.draw(still + 0.1)
    tracks = []
    for step in range(10):
        sight = watch.look(image, step * (REVIEW_S + 0.5) / 5)
        if sight is not None and sight.tiles:
            tracks.append({tile.track: tile for tile in sight.tiles})
    before, after = tracks[0], tracks[-1]
    assert watch.camera is not None
    assert measure_walls_mm(wrong, true) > 70
    assert measure_walls_mm(watch.camera, true) < 30
    likeliest = {track: tile.readings[0] for track, tile in before.items()}
    clear = {track for track, (code, p) in likeliest.items() if p > 0.8 and code != BACK}
    assert len(clear) >= 2
    assert clear <= after.keys()
    moved = [
        (after[track].x_mm - before[track].x_mm, after[track].y_mm - before[track].y_mm)
        for track in before.keys() & after.keys()
    ]
    assert np.hypot(*(np.median(moved, axis=0) - OFF_MM[:2])) < 30
