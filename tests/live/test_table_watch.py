"""Pictures become sights: the table is found first, and every observer's tiles have numbers of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from watched import CORNERS, FIRST, PLACES, Observer, draw_table, find_nothing, found_at, picture

from companion.cameras.frames import Frame
from companion.errors import InputError
from companion.images import Image
from companion.live.table_watch import (
    AHEAD_S,
    LOOK_EVERY_S,
    LOOK_MOST_S,
    NOTHING_LOOKS,
    TableWatch,
)
from companion.seeing.finding_table import (
    FoundTable,
    Guess,
)
from companion.seeing.outlines import TileSize
from companion.seeing.private_pictures import hide_hands
from companion.seeing.sights import HELD, MOVED_AWAY, NO_TABLE, OTHER_SIZE, TWO_TABLES, SeenTile, Sight
from companion.seeing.table_camera import TableCamera


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


def test_a_table_that_is_not_found_is_looked_for_ever_more_seldom_until_something_else_is_shown() -> None:
    looked: list[float] = []
    now = 0.0

    def find(image: Image) -> None:
        looked.append(now)

    watch = TableWatch(lambda: find, Observer)
    for tenth in range(600):
        now = tenth / 10
        watch.look(picture() if now < 50 else 255 - picture(), now)
    early, late, after = ([t for t in looked if a <= t < b] for a, b in ((0, 5), (30, 50), (50, 55)))
    assert len(early) == 5 / LOOK_EVERY_S
    assert len(late) == 20 / LOOK_MOST_S
    assert len(after) == 5 / LOOK_EVERY_S


def show(image: Image, seconds: int) -> list[Frame]:
    return [Frame(image, t * 10**9) for t in range(seconds)]


def test_a_table_that_shows_late_in_a_recording_is_followed_from_its_first_picture() -> None:
    looked: list[int] = []

    def find(image: Image) -> FoundTable | None:
        looked.append(1)
        return found_at(CORNERS) if len(looked) == 3 else None

    watch = TableWatch(lambda: find, Observer)
    (asked,) = watch.look_ahead(show(draw_table(), 20))
    assert asked == Sight(0.0, trouble=NO_TABLE)
    sight = watch.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles
    assert len(looked) == 3


def test_a_table_that_the_first_picture_shows_elsewhere_is_looked_for_as_usual() -> None:
    found = iter([None, found_at(CORNERS), None])
    watch = TableWatch(lambda: lambda _: next(found), Observer)
    away = draw_table(CORNERS / 2)
    later = [Frame(draw_table(), 10**9 + frame.t_ns) for frame in show(away, 5)]
    assert not list(watch.look_ahead([*show(away, 1), *later]))
    assert watch.look(away, 0.0) == Sight(0.0, trouble=NO_TABLE)


def test_a_recording_is_looked_ahead_for_some_minutes() -> None:
    looked: list[int] = []
    guess = Guess(found_at(CORNERS).camera)
    watch = TableWatch(lambda: lambda _: looked.append(1), Observer, guess=lambda: guess)
    frames = iter(show(picture(), 1000))
    assert [sight.trouble for sight in watch.look_ahead(frames)] == [NO_TABLE]
    assert next(frames).t_ns / 1e9 == AHEAD_S + 2
    assert looked


def test_a_recording_of_nothing_like_a_table_is_not_looked_ahead_for_long() -> None:
    looked: list[int] = []
    watch = TableWatch(lambda: lambda _: looked.append(1), Observer)
    frames = [Frame(picture() + np.uint8(20 * (t % 9)), t * 10**9) for t in range(100)]
    assert [sight.trouble for sight in watch.look_ahead(frames, frames[50:52])] == [NO_TABLE]
    assert len(looked) == NOTHING_LOOKS + 2
    assert watch.shows_nothing


def test_a_recording_that_shows_a_table_later_is_followed() -> None:
    watch = TableWatch(lambda: lambda image: found_at(CORNERS) if image.any() else None, Observer)
    list(watch.look_ahead(show(picture(), 20), [Frame(picture(), 0), Frame(draw_table(), 0)]))
    assert not watch.shows_nothing
    sight = watch.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles


def test_a_camera_in_a_hand_is_said_as_soon_as_it_is_known() -> None:
    looked: list[int] = []
    watch = TableWatch(
        lambda: lambda _: looked.append(1),
        Observer,
        guess=lambda: Guess(found_at(CORNERS).camera, HELD if len(looked) > 3 else None),
    )
    frames = show(picture(), 20)
    assert [sight.trouble for sight in watch.look_ahead(frames)] == [NO_TABLE, HELD]
    assert len(looked) == 4


def test_two_tables_all_through_a_recording_are_said_once() -> None:
    watch = TableWatch(
        lambda: find_nothing, Observer, guess=lambda: Guess(found_at(CORNERS).camera, TWO_TABLES)
    )
    frames = show(picture(), 20)
    assert [sight.trouble for sight in watch.look_ahead(frames, frames[:2])] == [TWO_TABLES]
    assert watch.shows_nothing


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

    since_s = np.inf
    made = 0

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        super().__init__(camera, tile_size)
        OfDiscard.made += 1

    def look(self, image: Image, t: float) -> Sight | None:
        found = TableCamera.from_corners(DIAGONAL, 100, 100)
        (x, y), top = self.camera.lift(found.project(np.array([[-100.0, 0, 0], [-80, 0, 0]])))
        angle = float(np.arctan2(top[1] - y, top[0] - x) - np.pi / 2)
        if t >= 1:
            self.since_s = min(t, self.since_s)
        tile = SeenTile(1, round(x), round(y), angle, (("1m", 0.99),), still_since_s=self.since_s)
        return Sight(t, (tile,) if t >= 1 else ())


@pytest.mark.parametrize(("dealer", "seen_at"), [(0, [0, -100]), (None, [-100, 0]), (3, [-100, 0])])
def test_the_dealers_first_discard_says_who_sits_where(dealer: int | None, seen_at: list[int]) -> None:
    OfDiscard.made = 0
    watch = TableWatch(lambda: lambda image: found_at(DIAGONAL), OfDiscard, dealer=dealer)
    for t in (0.0, 1.0, 2.0):
        sight = watch.look(picture(), t)
    assert sight is not None
    assert [[tile.x_mm, tile.y_mm] for tile in sight.tiles] == [seen_at]
    assert sight.tiles[0].still_since_s == 1.0, "also where it was seen before anybody knew who sits where"
    assert watch.camera is not None
    x, y = watch.camera.project(np.array([[*seen_at, 0.0]]))[0]
    assert x < 50 < y, "before the player at the left of the picture's lower corner"
    assert OfDiscard.made == 1, "what it has learned of walls, cloth and dice is not lost"


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


def test_entered_tile_reaches_the_observer() -> None:
    watch = TableWatch(lambda: lambda image: found_at(CORNERS), Observer)
    watch.teach(1, "5z")
    sight = watch.look(draw_table(), 0.0)
    assert sight is not None
    watch.teach(sight.tiles[0].track, "5z")
    sight = watch.look(draw_table(), 1.0)
    assert sight is not None
    assert sight.tiles[0].readings == (("5z", 1.0),)
