"""Pictures become sights: the table is found first, and every observer's tiles have numbers of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import InputError
from companion.images import Image
from companion.running.kept_places import KeptPlace, Place
from companion.running.table_watch import LOOK_EVERY_S, NO_TABLE, TableWatch
from companion.scenes.film.wide_lens import WideLens
from companion.tracking.finding_table import FoundBy, FoundTable, start_at_lower_edge
from companion.tracking.hand_masks import hide_hands
from companion.tracking.lens_watch import LensWatch
from companion.tracking.outlines import TileSize
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.steadiness import MOVED_AWAY, OTHER_SIZE
from companion.tracking.table_camera import TableCamera

CORNERS = np.array([[10.0, 90.0], [90.0, 90.0], [90.0, 10.0], [10.0, 10.0]])


def picture(width: int = 100, height: int = 100) -> Image:
    return np.zeros((height, width, 3), np.uint8)


def found_at(corners: np.ndarray, width: int = 100, height: int = 100) -> FoundTable:
    camera = TableCamera.from_corners(corners, width, height)
    return FoundTable(camera, 1.0, FoundBy.TILES_AND_EDGES, 4, 20, start_at_lower_edge(corners)[1])


def find_nothing(image: Image) -> None:
    return None


class Observer:
    """Sees one tile, always its first."""

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.knows_place = True

    def look(self, image: Image, t: float) -> Sight | None:
        assert image.shape[:2] == (self.camera.height, self.camera.width)
        return Sight(t, (SeenTile(1, 50, 20, 0, (("1m", 0.99),)),))


def test_a_table_is_looked_for_twice_a_second_until_it_is_found() -> None:
    looked: list[int] = []

    def find(image: Image) -> FoundTable | None:
        looked.append(1)
        return found_at(CORNERS) if len(looked) == 3 else None

    watch = TableWatch(lambda: find, Observer)
    sights = [watch.look(picture(), t / 10) for t in range(11)]
    assert len(looked) == 1 + round(1.0 / LOOK_EVERY_S)
    assert [bool(sight and sight.tiles) for sight in sights] == [False] * 10 + [True]
    assert sights[0] == Sight(0.0, trouble=NO_TABLE)


@pytest.mark.parametrize("bottom", range(4))
def test_the_lower_edge_is_the_seat_that_sits_there(bottom: int) -> None:
    watch = TableWatch(lambda: find_nothing, Observer, corners=CORNERS, bottom=bottom)
    watch.look(picture(), 0.0)
    assert watch.camera is not None
    near = watch.camera.lift(np.array([[50.0, 90.0]]))[0]
    assert np.round(near / 400).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]][bottom]


def test_a_table_whose_pictures_change_in_size_is_watched_on() -> None:
    watch = TableWatch(lambda: find_nothing, Observer, corners=CORNERS)
    numbers = []
    for t, width in enumerate((100, 100, 200, 200)):
        sight = watch.look(picture(width, width), float(t))
        assert sight is not None
        numbers.append(sight.tiles[0].track)
    assert numbers == [1, 1, 1, 1], "what lies there is what lay there"
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, CORNERS * 2)


def test_corners_of_no_table_are_refused() -> None:
    with pytest.raises(InputError, match="not those of a table"):
        TableWatch(lambda: find_nothing, Observer, corners=CORNERS[::-1]).look(picture(), 0.0)


def test_hands_are_painted_over_by_where_the_camera_stands() -> None:
    watch = TableWatch(lambda: find_nothing, Observer, corners=CORNERS)
    assert watch.paint(picture()) is None
    watch.look(picture(), 0.0)
    painted = watch.paint(picture())
    assert painted is not None
    assert watch.camera is not None
    assert np.array_equal(painted, hide_hands(picture(), watch.camera, TileSize(measured=True)))
    assert not np.array_equal(painted, picture())


class Unsure(Observer):
    """Knows where the table is at even seconds, and from the fourth on how large its tiles are."""

    def look(self, image: Image, t: float) -> Sight | None:
        self.knows_place = t % 2 == 0
        self.tile_size = TileSize(measured=t >= 4)
        return None


def test_no_picture_is_given_where_it_is_not_sure_that_the_table_is_there() -> None:
    watch = TableWatch(lambda: find_nothing, Unsure, corners=CORNERS)
    given = []
    for t in range(8):
        watch.look(picture(), float(t))
        given.append(watch.paint(picture()) is not None)
    assert given == [False] * 4 + [True, False, True, False]


DIAGONAL = np.array([[50.0, 95.0], [95.0, 50.0], [50.0, 5.0], [5.0, 50.0]])


class OfDiscard(Observer):
    """Sees nothing, and then a discard before the player at the left of the table as it is found."""

    def look(self, image: Image, t: float) -> Sight | None:
        found = TableCamera.from_corners(DIAGONAL, 100, 100)
        (x, y), top = self.camera.lift(found.project(np.array([[-100.0, 0, 0], [-80, 0, 0]])))
        angle = float(np.arctan2(top[1] - y, top[0] - x) - np.pi / 2)
        tile = SeenTile(1, round(x), round(y), angle, (("1m", 0.99),), still_since_s=1.0)
        return Sight(t, (tile,) if t >= 1 else ())


@pytest.mark.parametrize(("dealer", "seen_at"), [(0, [0, -100]), (None, [-100, 0]), (3, [-100, 0])])
def test_the_dealers_first_discard_says_who_sits_where(dealer: int | None, seen_at: list[int]) -> None:
    watch = TableWatch(lambda: lambda image: found_at(DIAGONAL), OfDiscard, dealer=dealer)
    for t in (0.0, 1.0, 2.0):
        sight = watch.look(picture(), t)
    assert sight is not None
    assert [[tile.x_mm, tile.y_mm] for tile in sight.tiles] == [seen_at]
    assert watch.camera is not None
    x, y = watch.camera.project(np.array([[*seen_at, 0.0]]))[0]
    assert x < 50 < y, "before the player at the left of the picture's lower corner"


PLACES = ((-60.0, -80.0, "3p"), (-30.0, -80.0, "7s"), (70.0, 40.0, "5z"), (200.0, -330.0, "1m"))


class Moved:
    """Sees tiles by the camera's place on the table; says that it was moved from second 2 on, until it is
    made anew."""

    knows_place = True
    made: list[Moved]

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.is_first = not self.made
        self.made.append(self)

    def look(self, image: Image, t: float) -> Sight | None:
        if self.is_first and t >= 2:
            return Sight(t, trouble=MOVED_AWAY)
        px = FIRST.project(np.array([(x, y, 0.0) for x, y, _ in PLACES]))
        if not self.is_first:
            px = 100 - px  # the camera was carried round to the other side
        places = self.camera.lift(px)
        order = range(len(PLACES)) if self.is_first else reversed(range(len(PLACES)))
        tiles = [
            SeenTile(number, *places[at], 0.0, ((PLACES[at][2], 0.99),), still_since_s=t)
            for number, at in enumerate(order, 1)
        ]
        return Sight(t, tuple(tiles))


FIRST = TableCamera.from_corners(CORNERS, 100, 100)


def watch_moved(found_from: float) -> tuple[TableWatch, list[int]]:
    """A watch whose camera was moved, and in which second a search was begun."""
    Moved.made = []
    begun: list[int] = []

    def begin() -> Callable[[Image], FoundTable | None]:
        begun.append(len(begun))
        looked: list[int] = []

        def find(image: Image) -> FoundTable | None:
            looked.append(1)
            return found_at(CORNERS + len(begun) - 1) if len(begun) == 1 or len(looked) > found_from else None

        return find

    return TableWatch(begin, Moved), begun


def test_a_camera_that_was_moved_finds_the_table_again_and_every_tile_keeps_its_number() -> None:
    watch, begun = watch_moved(found_from=2)
    sights = [watch.look(picture(), float(t)) for t in range(8)]
    assert [sight and sight.trouble for sight in sights] == ["", "", *[MOVED_AWAY] * 3, "", "", ""]
    assert len(begun) == 2, "the search is begun anew"
    before, after = (
        {tile.track: (tile.readings[0][0], tile.x_mm, tile.y_mm) for tile in sight.tiles}
        for sight in (sights[1], sights[-1])
        if sight
    )
    assert before.keys() == after.keys()
    for track, (code, x, y) in before.items():
        assert after[track][0] == code
        assert np.hypot(after[track][1] - x, after[track][2] - y) < 20, "the same player's side"
    assert sights[-1] is not None
    assert {tile.still_since_s for tile in sights[-1].tiles} == {1.0}
    assert watch.camera is not None
    assert watch.camera.corners[0][1] < 50, "seat 0 sits at the upper edge now"


def test_while_the_camera_is_moved_no_picture_is_kept() -> None:
    watch, _ = watch_moved(found_from=2)
    painted = []
    for t in range(8):
        watch.look(picture(), float(t))
        painted.append(watch.paint(picture()) is not None)
    assert painted == [True, True, False, False, False, True, True, True]


def test_corners_that_are_touched_after_the_camera_was_moved_keep_the_tiles() -> None:
    watch, _ = watch_moved(found_from=100)
    before = watch.look(picture(), 0.0)
    watch.look(picture(), 2.0)
    watch.place(CORNERS)
    after = watch.look(picture(), 5.0)
    assert before is not None
    assert after is not None
    assert {tile.track for tile in after.tiles} == {tile.track for tile in before.tiles}


def test_pictures_of_another_shape_are_searched_for_the_table() -> None:
    searched: list[int] = []

    def find(image: Image) -> FoundTable | None:
        searched.append(image.shape[1])
        return found_at(CORNERS * [0.7, 1.0], 70) if len(searched) == 2 else None

    watch = TableWatch(lambda: find, Observer, corners=CORNERS)
    sights = [watch.look(picture(width), float(t)) for t, width in enumerate((100, 70, 70, 70))]
    assert [sight and sight.trouble for sight in sights] == ["", OTHER_SIZE, "", ""]
    assert searched == [70, 70]
    assert {tile.track for sight in sights if sight for tile in sight.tiles} == {1}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptPlace:
    """The place of a camera, in a data folder of its own."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return KeptPlace("/dev/video0")


def draw_table(corners: np.ndarray = CORNERS, size: tuple[int, int] = (100, 100)) -> Image:
    """A green table on a bright floor."""
    image = np.full((size[1], size[0], 3), 200, np.uint8)
    cv2.fillConvexPoly(image, corners.round().astype(np.int32), (40, 90, 40))
    return image


def refuse(image: Image) -> None:
    raise AssertionError("the table is known")


@pytest.mark.parametrize("bottom", [0, 3])
def test_a_camera_that_stands_where_it_stood_knows_the_table_at_once(kept: KeptPlace, bottom: int) -> None:
    first = TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept)
    first.look(draw_table(), 0.0)
    again = TableWatch(lambda: refuse, Observer, kept=kept, bottom=bottom)
    sight = again.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles
    assert again.camera is not None
    assert np.allclose(again.camera.corners, np.roll(CORNERS, bottom, axis=0), atol=0.01)
    larger = TableWatch(lambda: refuse, Observer, kept=kept)
    assert larger.look(draw_table(CORNERS * 2, (200, 200)), 0.0) is not None
    assert larger.camera is not None
    assert np.allclose(larger.camera.corners, CORNERS * 2, atol=0.01)


def test_a_camera_that_stands_elsewhere_searches_and_its_new_place_is_kept(kept: KeptPlace) -> None:
    TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept).look(draw_table(), 0.0)
    moved = CORNERS * 0.8 + 15
    watch = TableWatch(lambda: lambda image: found_at(moved), Observer, kept=kept)
    watch.look(draw_table(moved), 0.0)
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, moved, atol=0.01)
    place = kept.load()
    assert place is not None
    assert np.allclose(place.corners, moved, atol=0.01)


def test_touched_corners_of_a_table_whose_edges_show_nothing_are_known_after_a_search(
    kept: KeptPlace,
) -> None:
    first = TableWatch(lambda: find_nothing, Observer, kept=kept)
    first.look(picture(), 0.0)
    first.place(CORNERS)
    first.look(picture(), 1.0)
    again = TableWatch(lambda: find_nothing, Observer, kept=kept)
    sights = [again.look(picture(), t / 2) for t in range(8)]
    assert [bool(sight and sight.tiles) for sight in sights] == [False] * 5 + [True] * 3
    anew = TableWatch(lambda: find_nothing, Observer, kept=kept)
    anew.place(None)
    assert all(sight and sight.trouble for sight in (anew.look(picture(), t / 2) for t in range(8)))


def test_a_lens_that_a_kept_place_does_not_know_is_measured_while_it_is_watched_and_kept(
    kept: KeptPlace,
) -> None:
    size = (960, 540)
    corners = np.array([[250.0, 510], [710, 510], [710, 40], [250, 40]])
    straight = draw_table(corners, size)
    for at in range(60, 501, 40):  # the edges of rows of tiles
        cv2.line(straight, (270, at), (690, at), (230, 230, 230), 3)
    bent = WideLens(-0.3, 730, *size)
    image, seen = bent.bend_picture(straight), bent.bend(corners)
    watch = TableWatch(lambda: lambda image: found_at(seen, *size), Observer, kept=kept)
    watch.look(image, 0.0)
    assert watch.camera is not None
    lens = watch.camera.lens
    assert -0.25 < lens.bend < -0.1
    x, y = np.meshgrid(np.linspace(-390, 390, 5), np.linspace(-390, 390, 5))
    true = TableCamera.from_corners(corners, *size).project(np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3))
    assert np.abs(watch.camera.lift(bent.bend(true)).reshape(5, 5, 2) - np.stack([x, y], axis=-1)).max() < 4
    place = kept.load()
    assert place is not None
    assert place.lens == lens
    again = TableWatch(lambda: refuse, Observer, kept=kept, lens=LensWatch(place.lens))
    again.look(image, 0.0)
    assert again.camera is not None
    assert again.camera.lens == lens


def test_the_places_of_cameras_are_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    camera = TableCamera.from_corners(CORNERS, 100, 100)
    place = Place.of(camera, 1, np.array([0.9, 1.0, 0.8, 0.7]), False)
    assert KeptPlace("/dev/video0").load() is None
    KeptPlace("/dev/video0").keep(place)
    KeptPlace("rtsp://10.0.0.7/").keep(Place.of(camera.resize(50, 50), 0, np.zeros(4), True))
    assert KeptPlace("/dev/video0").load() == place
    again = place.make_camera(1)
    assert again is not None
    assert np.allclose(again.corners, CORNERS)
    assert (tmp_path / "cameras.json").stat().st_mode & 0o077 == 0
    for damage in (b"{", b'{"cameras": {"/dev/video0": {}}}'):
        (tmp_path / "cameras.json").write_bytes(damage)
        assert KeptPlace("/dev/video0").load() is None
    KeptPlace("/dev/video0").keep(place)
    assert KeptPlace("/dev/video0").load() == place


def test_a_kept_place_that_is_no_tables_is_passed_over(kept: KeptPlace) -> None:
    corners = ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0))
    kept.keep(Place(corners, 100, 100, 80.0, (1.0, 1.0, 1.0, 1.0)))
    watch = TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept)
    sight = watch.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles


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


def test_of_two_doubtful_tables_the_later_one_is_taken() -> None:
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
    kept.keep(Place.of(camera, 0, np.ones(4), False))
    nothing = Review(None, says=True)
    # its edges seem to be there
    TableWatch(lambda: refuse, Lying, kept=kept, review=nothing).look(draw_table(OFF), 0.0)
    assert kept.load() is not None
    watch = TableWatch(lambda: refuse, Lying, kept=kept, review=nothing)
    for t in range(5):
        watch.look(draw_table(OFF), float(t))
    assert kept.load() is None
    kept.keep(Place.of(camera, 0, np.ones(4), False))
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
