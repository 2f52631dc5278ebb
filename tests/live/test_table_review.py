"""A table that was found with doubt, or wrongly, is looked for again while it is followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watched import CORNERS, FIRST, PLACES, draw_table, find_nothing, found_at, refuse

from companion.images import Image
from companion.live.table_watch import CameraPlace, KeptPlace, TableWatch
from companion.seeing.finding_table import FoundTable
from companion.seeing.outlines import TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera

OFF = CORNERS + np.array([5.0, 0.0])
"""Where a table is found wrongly, by 50 mm."""


class Lying:
    """Sees tiles that lie on the table at CORNERS, wherever its own camera has it."""

    knows_place = True

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)

    def look(self, image: Image, t: float) -> Sight | None:
        places = self.camera.lift(FIRST.project(np.array([(x, y, 0.0) for x, y, _ in PLACES])))
        return Sight(t, tuple(
            SeenTile(number, *place, 0.0, ((code, 0.99),), still_since_s=1.0)
            for number, (place, (_, _, code)) in enumerate(zip(places.tolist(), PLACES, strict=True), 1)
        ))  # fmt: skip


class Review:
    """Finds a table with some certainty; says, or not, that what lies there contradicts another one."""

    def __init__(self, found: FoundTable | None, says: bool = False) -> None:
        self.found, self.says, self.looks = found, says, 0

    def find(self, image: Image) -> FoundTable | None:
        self.looks += 1
        return self.found

    def contradicts(self, image: Image, camera: TableCamera) -> bool:
        return self.says and not np.allclose(camera.corners, CORNERS)


def doubt(found: FoundTable, p: float) -> FoundTable:
    return replace(found, p=p)


def watch_reviewed(
    first: FoundTable, review: Review, kept: KeptPlace | None = None, seconds: int = 12
) -> tuple[TableWatch, list[Sight]]:
    watch = TableWatch(lambda: lambda image: first, Lying, kept=kept, review=review)
    sights = [watch.look(draw_table(), float(t)) for t in range(seconds)]
    return watch, [sight for sight in sights if sight is not None]


def test_a_table_found_with_doubt_is_put_right_and_its_tiles_keep_their_numbers() -> None:
    review = Review(doubt(found_at(np.roll(CORNERS, 1, axis=0)), 0.95))
    watch, sights = watch_reviewed(doubt(found_at(OFF), 0.6), review)
    assert review.looks == 1, "then it is sure"
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, CORNERS), "everybody sits where they sat"
    before, after = sights[0].tiles, sights[-1].tiles
    assert [tile.track for tile in before] == [tile.track for tile in after] == [1, 2, 3, 4]
    assert [tile.still_since_s for tile in after] == [1.0] * 4
    for tile, (x, y, _) in zip(after, PLACES, strict=True):
        assert np.hypot(tile.x_mm - x, tile.y_mm - y) < 1
    assert np.hypot(before[0].x_mm - PLACES[0][0], before[0].y_mm - PLACES[0][1]) > 40


def test_later_of_two_doubtful_tables_is_used() -> None:
    watch, _ = watch_reviewed(doubt(found_at(OFF), 0.8), Review(doubt(found_at(CORNERS), 0.75)))
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, CORNERS)


@pytest.mark.parametrize(("p", "looks"), [(0.6, 2), (0.8, 2), (0.95, 0)])
def test_a_table_stays_where_nothing_surer_is_found(p: float, looks: int) -> None:
    review = Review(doubt(found_at(CORNERS), p - 0.2))
    watch, _ = watch_reviewed(doubt(found_at(OFF), p), review)
    assert review.looks == looks, "after 3 and after 9 seconds, unless it is sure"
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, OFF)


def test_no_picture_is_given_while_the_table_is_doubtful() -> None:
    watch, _ = watch_reviewed(doubt(found_at(OFF), 0.6), Review(doubt(found_at(CORNERS), 0.95)), seconds=3)
    assert watch.paint(draw_table()) is None
    watch, _ = watch_reviewed(doubt(found_at(OFF), 0.6), Review(doubt(found_at(CORNERS), 0.95)))
    assert watch.paint(draw_table()) is not None


def test_a_kept_place_that_what_lies_there_contradicts_is_dropped(kept: KeptPlace) -> None:
    camera = TableCamera.from_corners(OFF, 100, 100)
    kept.keep(CameraPlace.of(camera, 0, np.ones(4), False))
    nothing = Review(None, says=True)
    # its edges seem to be there
    TableWatch(lambda: refuse, Lying, kept=kept, review=nothing).look(draw_table(OFF), 0.0)
    assert kept.load() is not None
    watch = TableWatch(lambda: refuse, Lying, kept=kept, review=nothing)
    for t in range(5):
        watch.look(draw_table(OFF), float(t))
    assert kept.load() is None
    kept.keep(CameraPlace.of(camera, 0, np.ones(4), False))
    watch = TableWatch(
        lambda: refuse, Lying, kept=kept, review=Review(doubt(found_at(CORNERS), 0.95), says=True)
    )
    for t in range(5):
        watch.look(draw_table(OFF), float(t))
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, CORNERS)
    place = kept.load()
    assert place is not None
    assert np.allclose(place.corners, CORNERS, atol=0.01)


def test_a_doubtful_place_is_not_kept_and_touched_corners_are_believed(kept: KeptPlace) -> None:
    watch_reviewed(doubt(found_at(OFF), 0.6), Review(None), kept)
    assert kept.load() is None
    review = Review(doubt(found_at(CORNERS), 0.99), says=True)
    watch = TableWatch(lambda: find_nothing, Lying, corners=OFF, kept=kept, review=review)
    for t in range(12):
        watch.look(draw_table(), float(t))
    assert review.looks == 0
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, OFF)
