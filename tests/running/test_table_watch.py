"""Pictures become sights: the table is found first, and every observer's tiles have numbers of their own."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import InputError
from companion.images import Image
from companion.running.table_watch import LOOK_EVERY_S, NO_TABLE, TableWatch
from companion.tracking.hand_masks import OpenTiles, hide_hands
from companion.tracking.outlines import TileSize
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.table_camera import TableCamera

CORNERS = np.array([[10.0, 90.0], [90.0, 90.0], [90.0, 10.0], [10.0, 10.0]])


def picture(width: int = 100, height: int = 100) -> Image:
    return np.zeros((height, width, 3), np.uint8)


class Observer:
    """Sees one tile, always its first."""

    def __init__(self, camera: TableCamera) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.knows_place = True

    def look(self, image: Image, t: float) -> Sight | None:
        assert image.shape[:2] == (self.camera.height, self.camera.width)
        return Sight(t, (SeenTile(1, 0, 0, 0, (("1m", 0.99),)),))


def test_a_table_is_looked_for_twice_a_second_until_it_is_found() -> None:
    looked: list[int] = []

    def find(image: Image) -> TableCamera | None:
        looked.append(1)
        return TableCamera.from_corners(CORNERS, 100, 100) if len(looked) == 3 else None

    watch = TableWatch(find, Observer)
    sights = [watch.look(picture(), t / 10) for t in range(11)]
    assert len(looked) == 1 + round(1.0 / LOOK_EVERY_S)
    assert [bool(sight and sight.tiles) for sight in sights] == [False] * 10 + [True]
    assert sights[0] == Sight(0.0, trouble=NO_TABLE)


@pytest.mark.parametrize("bottom", range(4))
def test_the_lower_edge_is_the_seat_that_sits_there(bottom: int) -> None:
    watch = TableWatch(lambda image: None, Observer, corners=CORNERS, bottom=bottom)
    watch.look(picture(), 0.0)
    assert watch.camera is not None
    near = watch.camera.lift(np.array([[50.0, 90.0]]))[0]
    assert np.round(near / 400).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]][bottom]


def test_a_table_whose_pictures_change_in_size_is_watched_on() -> None:
    watch = TableWatch(lambda image: None, Observer, corners=CORNERS)
    numbers = []
    for t, width in enumerate((100, 100, 200, 200)):
        sight = watch.look(picture(width, width), float(t))
        assert sight is not None
        numbers.append(sight.tiles[0].track)
    assert numbers == [1, 1, 2, 2]
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, CORNERS * 2)


def test_corners_of_no_table_are_refused() -> None:
    with pytest.raises(InputError, match="not those of a table"):
        TableWatch(lambda image: None, Observer, corners=CORNERS[::-1]).look(picture(), 0.0)


def test_hands_are_painted_over_by_where_the_camera_stands() -> None:
    watch = TableWatch(lambda image: None, Observer, corners=CORNERS)
    asked: list[tuple[TableCamera, TileSize]] = []

    def hide(image: Image, camera: TableCamera, size: TileSize, open_tiles: OpenTiles) -> Image:
        asked.append((camera, size))
        return image

    assert watch.paint(picture(), hide) is None
    watch.look(picture(), 0.0)
    assert watch.paint(picture(), hide) is not None
    assert asked == [(watch.camera, TileSize(measured=True))]


class Unsure(Observer):
    """Knows where the table is at even seconds, and from the fourth on how large its tiles are."""

    def look(self, image: Image, t: float) -> Sight | None:
        self.knows_place = t % 2 == 0
        self.tile_size = TileSize(measured=t >= 4)
        return None


def test_no_picture_is_given_where_it_is_not_sure_that_the_table_is_there() -> None:
    watch = TableWatch(lambda image: None, Unsure, corners=CORNERS)
    given = []
    for t in range(8):
        watch.look(picture(), float(t))
        given.append(watch.paint(picture(), hide_hands) is not None)
    assert given == [False] * 4 + [True, False, True, False]


class OfDiscard(Observer):
    """Sees nothing, and then a discard before the player at the left."""

    def look(self, image: Image, t: float) -> Sight | None:
        tile = SeenTile(1, -100, 0, -1.57, (("1m", 0.99),), still_since_s=1.0)
        return Sight(t, (tile,) if t >= 1 else ())


@pytest.mark.parametrize(("dealer", "seen_at"), [(0, [0, -100]), (None, [-100, 0]), (3, [-100, 0])])
def test_the_dealers_first_discard_says_who_sits_where(dealer: int | None, seen_at: list[int]) -> None:
    diagonal = np.array([[50.0, 95.0], [95.0, 50.0], [50.0, 5.0], [5.0, 50.0]])
    camera = TableCamera.from_corners(diagonal, 100, 100)
    watch = TableWatch(lambda image: camera, OfDiscard, dealer=dealer)
    for t in (0.0, 1.0, 2.0):
        sight = watch.look(picture(), t)
    assert sight is not None
    assert [[tile.x_mm, tile.y_mm] for tile in sight.tiles] == [seen_at]
