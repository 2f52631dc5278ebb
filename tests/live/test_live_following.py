"""A game followed live: frames are dropped, never queued; a camera that is let go leaves nothing running."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import TypeGuard

import numpy as np
import pytest
from followed import WAIT_S, wait_for
from held_camera import HeldCamera

from companion.cameras import Frame
from companion.cameras.recorded import AT_END
from companion.errors import CameraError, InputError
from companion.following.decoder import FOUND_SOON_S
from companion.game.proposals import Reporter, SourceKind
from companion.images import Image
from companion.live.follower import FOLLOWING, Follower
from companion.live.live_following import FollowListener, LiveFollowing
from companion.live.noticed import EventNoticed, Noticed
from companion.live.running import RunningGame
from companion.live.table_watch import TableWatch
from companion.seeing.finding_table import FoundBy, FoundTable
from companion.seeing.outlines import TileSize
from companion.seeing.sights import USUAL_WALL_MM, SeenTile, Sight
from companion.seeing.table_camera import PoseAdvice, TableCamera
from companion.sentences import Sentence
from companion.table.events import Discarded, GameStarted

CORNERS = np.array([[14.0, 34.0], [50.0, 34.0], [50.0, 2.0], [14.0, 2.0]])
"""In the pictures of a HeldCamera, 64 x 36 px."""


class SlowObserver:
    """Looks at a frame for as long as `gate` is closed; sees one discard, and a tile in a hand."""

    def __init__(self, camera: TableCamera, table: Table) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.knows_place = True
        self._table = table

    def teach(self, number: int, code: str) -> None:
        self._table.taught.append((number, code))

    def look(self, image: Image, t: float) -> Sight | None:
        self._table.looked.append(t)
        assert self._table.gate.wait(WAIT_S)
        time.sleep(self._table.delay_s)
        if self._table.fault:
            raise self._table.fault
        river = SeenTile(1, 0, -90, 0, (("5m", 0.998),), still_since_s=0.0)
        hand = SeenTile(2, 0, -360, 0, (("7p", 0.99),), standing=True)
        came = t - self._table.looked[0] > FOUND_SOON_S
        return Sight(t, (river, hand) if came else (hand,), wall_mm=USUAL_WALL_MM)


class Table:
    """A following whose listener is the test."""

    def __init__(self, found_from: int = 0) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.delay_s = 0.0
        self.fault: Exception | None = None
        self.looked: list[float] = []
        self.taught: list[tuple[int, str]] = []
        self.sought = 0
        self.noticed: list[Noticed] = []
        self.poses: list[PoseAdvice | None] = []
        self.stopped: list[Sentence] = []
        self.ended = 0
        self.troubles: list[str] = []
        self.users = 0
        self._found_from = found_from
        self.game = RunningGame(policy=FOLLOWING)
        self.game.play(GameStarted(rules="hefei")).result(WAIT_S)
        self.following = LiveFollowing(
            self._make_watch,
            Follower(self.game, Reporter(SourceKind.CAMERA, "held")),
            lambda: self.game.now_ns,
            FollowListener(
                self.noticed.extend, self.poses.append, self.stopped.append, self._end,
                lambda why: self.troubles.append(str(why)),
            ),
        )  # fmt: skip

    def start(self, frames: int | None = None) -> None:
        camera = HeldCamera(frames, self.count)
        self.following.start(partial(self.game.read_camera, "held", lambda _: camera, None))

    def _end(self) -> None:
        self.ended += 1

    def count(self, change: int) -> None:
        self.users += change

    def _make_watch(self) -> TableWatch:
        def find(image: Image) -> FoundTable | None:
            self.sought += 1
            if self.sought <= self._found_from:
                return None
            camera = TableCamera.from_corners(CORNERS, 64, 36)
            return FoundTable(camera, 1.0, FoundBy.MARKERS, 4, 0, False)

        return TableWatch(lambda: find, lambda camera, size: SlowObserver(camera, self))


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.gate.set()
    table.following.stop()
    table.following.wait(WAIT_S)
    table.game.close()


def list_threads() -> set[str]:
    return {each.name for each in threading.enumerate() if each.name == "following" or "held" in each.name}


def test_frames_that_come_while_one_is_looked_at_are_dropped_and_shown(table: Table) -> None:
    table.gate.clear()
    table.start()
    wait_for(lambda: table.looked and table.following.picture and table.following.picture.number > 20)
    assert len(table.looked) == 1
    table.gate.set()
    wait_for(lambda: len(table.looked) > 3)
    assert table.looked == sorted(table.looked)
    assert table.looked[1] - table.looked[0] > 0.05, "the frames between were never looked at"


def test_the_known_tiles_are_outlined_but_for_those_of_a_hand(table: Table) -> None:
    table.start()
    wait_for(lambda: table.following.picture and table.following.picture.tiles)
    picture = table.following.picture
    assert picture is not None
    assert [tile.code for tile in picture.tiles] == ["5m"]
    assert picture.table is not None
    assert np.allclose(picture.table, CORNERS, atol=0.01)
    middle = np.mean(picture.tiles[0].quad, axis=0)
    assert 14 < middle[0] < 50
    assert 18 < middle[1] < 34, "before seat 0, who sits at the lower edge"


def test_letting_the_camera_go_ends_its_threads_and_going_on_is_later(table: Table) -> None:
    table.start()
    wait_for(lambda: len(table.looked) > 2)
    table.following.stop()
    wait_for(lambda: not list_threads())
    assert table.users == 0
    before = len(table.looked)
    table.start()
    wait_for(lambda: len(table.looked) > before + 2)
    assert table.looked == sorted(table.looked)
    assert table.looked[before] > table.looked[before - 1]
    assert table.sought == 1, "what watches the table is the same"


def test_nothing_can_be_read_in_the_picture_before_the_table_is_found() -> None:
    table = Table(found_from=10**6)
    try:
        table.start()
        wait_for(lambda: table.poses == [None] and table.following.picture)
        assert table.following.picture is not None
        assert table.following.picture.table is None
        table.following.place(CORNERS)
        wait_for(lambda: table.following.picture and table.following.picture.table)
        assert len(table.poses) == 2
        assert table.poses[-1] is not None
    finally:
        table.following.stop()
        table.following.wait(WAIT_S)
        table.game.close()


def test_a_camera_that_is_pulled_out_is_reported_once(table: Table) -> None:
    table.start(frames=5)
    wait_for(lambda: table.stopped)
    wait_for(lambda: not list_threads())
    assert len(table.stopped) == 1
    assert isinstance(table.stopped[0], Sentence)


class Ending(HeldCamera):
    """A recording of a few frames."""

    def read(self) -> Frame:
        try:
            return super().read()
        except CameraError:
            raise CameraError(AT_END, path="hand.mp4") from None


def test_a_recording_is_followed_to_its_end_once(table: Table) -> None:
    table.following.start(partial(table.game.read_camera, "held", lambda _: Ending(8, table.count), None))
    wait_for(lambda: table.ended)
    wait_for(lambda: not list_threads())
    assert table.ended == 1
    assert table.stopped == []
    assert table.following.picture is not None, "the last one stays"


def test_every_frame_of_a_recording_is_followed_however_long_each_takes(table: Table) -> None:
    """The last ones too, in which a hand is won."""
    table.delay_s = 0.05
    read_camera = partial(table.game.read_camera, "held", lambda _: Ending(8, table.count), None)
    table.following.start(read_camera, waits=True)
    wait_for(lambda: table.ended)
    assert len(table.looked) == 8
    assert table.following.picture is not None
    assert table.following.picture.number == 8


def test_a_recording_that_waits_is_not_silent_and_can_be_let_go(table: Table) -> None:
    table.gate.clear()
    read_camera = partial(table.game.read_camera, "held", lambda _: Ending(8, table.count), None)
    table.following.start(read_camera, waits=True)
    wait_for(lambda: table.looked)
    assert not table.following.is_silent
    table.following.stop()
    wait_for(lambda: table.users == 0)
    assert len(table.looked) == 1
    assert table.ended == 0


def test_all_of_the_picture_is_shown_coarse_while_corners_are_touched(table: Table) -> None:
    table.start()
    wait_for(lambda: table.following.picture and table.following.picture.table)
    table.following.shows_edges = True
    wait_for(lambda: table.following.picture and table.following.picture.table is None)
    table.following.shows_edges = False
    wait_for(lambda: table.following.picture and table.following.picture.table)


def test_frames_that_cannot_be_followed_are_reported_once(table: Table) -> None:
    table.fault = InputError("a fault")
    table.start()
    wait_for(lambda: len(table.looked) > 5)
    assert table.troubles == ["a fault"]
    table.fault = None
    wait_for(lambda: table.following.picture and table.following.picture.tiles)


def test_entered_discard_reaches_the_table_watch(table: Table) -> None:
    table.start()
    wait_for(lambda: [each for each in table.noticed if _is_discard(each)])
    number = next(each.number for each in table.noticed if _is_discard(each))
    table.game.correct(number, Discarded(seat=0, tile="8m"), Reporter(SourceKind.TOUCH)).result(WAIT_S)
    wait_for(lambda: table.taught)
    assert table.taught == [(1, "8m")]


def _is_discard(noticed: Noticed) -> TypeGuard[EventNoticed]:
    return isinstance(noticed, EventNoticed) and isinstance(noticed.event, Discarded)
