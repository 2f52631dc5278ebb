"""What the window does with camera and game when a game is gone on with. No window, no camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.cameras import Cameras
from companion.app.effects import Effect, ShowMessage
from companion.app.feature import take_step
from companion.app.game.effects import (
    BeginGame,
    ContinueFollowing,
    Correct,
    EnterEvents,
    FollowWith,
    KeptFollowing,
    OpenGame,
    Plan,
)
from companion.app.game.feature import GameFeature
from companion.app.game.state import GameTable
from companion.app.mirror import GameMirror
from companion.cameras import CameraInfo
from companion.cameras.phone import NO_PHONE, PHONE, PhonePictures
from companion.game import shelf
from companion.game.updates import Post
from companion.live.followed_game import WAIT_S
from companion.live.running import RunningGame
from companion.sentences import Sentence
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    GameStarted,
    HandDrawn,
    HandStarted,
    Won,
)

FILM = "file:hand.mkv"


class Table:
    """The feature and its state; what it works on is done at once, and its own effects are only noted."""

    def __init__(self, game: RunningGame) -> None:
        cameras = Cameras(lambda: (CameraInfo("desk", "Desk"),), lambda _: pytest.fail("a camera is opened"))
        reader: Any = SimpleNamespace(watch_table=lambda *_: pytest.fail("a picture is read"))
        post: Post = lambda step: step()  # noqa: E731
        self.phone = PhonePictures()
        cameras = cameras.with_phone(self.phone)
        self.feature = GameFeature(cameras, reader, game, GameMirror(game, post), post)
        self.game = game
        self.state = GameTable(Plan("hefei"))
        self.effects: list[Effect] = []
        self.feature.begin(None, self)

    def do(self, step: Callable[[GameTable], GameTable]) -> None:
        self.state, effects = take_step(self.state, step)
        self.effects += effects

    def work(self, job: Callable[[], Callable[[GameTable], GameTable]]) -> None:
        self.do(job())

    def perform(self, effect: Effect) -> list[Effect]:
        """The effects that come of it."""
        self.effects = []
        self.feature.perform(effect, self)
        return self.effects


@pytest.fixture
def table() -> Iterator[Table]:
    game = RunningGame()
    yield Table(game)
    game.close()


def find_name(table: Table) -> str | None:
    table.game.transact(lambda transaction: None).result(WAIT_S)
    return table.state.plan.name


def test_a_game_is_begun_and_played_on_without_a_camera(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    name = find_name(table)
    assert name is not None
    assert table.state.shows_table
    table.game.leave().result(WAIT_S)
    assert not table.state.shows_table
    table.perform(OpenGame(name))
    assert table.state.shows_table
    assert KeptFollowing(name, 0) == table.feature.keep(table.state)


def test_the_open_game_is_followed_with_another_camera(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    table.perform(FollowWith(table.state.plan))
    first = table.state.following
    table.do(lambda state: state.with_camera("door"))
    effects = table.perform(FollowWith(table.state.plan))
    assert effects[-1] == ContinueFollowing(table.state.plan)
    assert table.state.following not in (None, first)


def test_a_phone_that_is_back_is_followed_on_unless_another_camera_is(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    table.do(lambda state: state.with_camera(PHONE.id))
    table.perform(FollowWith(table.state.plan))
    table.do(GameTable.run)
    table.effects = []
    table.phone.note_phone(9.0)
    assert table.effects == [], "it is followed already"
    table.do(lambda state: state.lose_camera(Sentence(NO_PHONE)))
    assert ShowMessage(Sentence(NO_PHONE)) in table.effects
    assert not table.state.runs
    table.effects = []
    table.phone.note_phone(9.0)
    assert ContinueFollowing(replace(table.state.plan, camera=PHONE.id)) in table.effects
    table.effects = []
    table.phone.note_phone(9.0)
    assert table.effects == [], "once"
    table.do(lambda state: replace(state.run(), camera="desk").lose_camera(Sentence(NO_PHONE)))
    table.effects = []
    table.phone.note_phone(9.0)
    assert table.effects == []


def test_the_phone_is_offered_and_opened_while_it_is_there(table: Table) -> None:
    cameras = table.feature.cameras
    assert [each.id for each in cameras.offer()] == ["desk"]
    table.phone.note_phone(9.0)
    assert [each.id for each in cameras.offer()] == ["desk", PHONE.id]
    with cameras.open(PHONE.id):
        assert table.phone.is_wanted
    with cameras.open_from(PHONE.id, 0.0):
        assert table.phone.is_wanted
    assert not table.phone.is_wanted


def test_failed_following_leaves_the_game_open(table: Table, tmp_path: Path) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    table.do(lambda state: state.with_camera(f"file:{tmp_path / 'missing.mkv'}"))
    said = table.perform(FollowWith(table.state.plan))[-1]
    assert isinstance(said, ShowMessage)
    assert (table.state.following, table.state.busy) == (None, None)
    assert table.state.shows_table


@pytest.mark.parametrize("name", ["nothing", "damaged"])
def test_failed_opening_is_reported_and_keeps_the_open_game(table: Table, name: str) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    shelf.path_of("damaged").write_bytes(b"no game")
    said = table.perform(OpenGame(name))[-1]
    assert isinstance(said, ShowMessage)
    assert said.sentence is not None
    assert table.state.shows_table
    assert table.state.busy is None


def test_a_win_is_corrected_after_later_hands(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hong_kong", names=("Mei", "Ping", "Wong", "Ann"))))
    won = Won(seat=1, hand="123456789m55p234s", tile="5p")
    begun = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5p"))
    table.perform(EnterEvents((*begun, won)))
    find_name(table)
    number = 1 + len(begun) + 1
    table.perform(EnterEvents((HandStarted(dealer=1), Dealt(), HandDrawn())))
    find_name(table)
    right = Won(seat=1, hand="111456789m55p234s", tile="5p")
    table.perform(EnterEvents((Corrected(number=number, right=right),)))
    find_name(table)
    followed = table.state.followed
    assert followed is not None
    entry = followed.find(number)
    assert entry is not None
    assert entry.event == right
    assert str(entry.said).startswith("Ping wins with 5p on the discard of Mei")


def test_a_turn_that_was_touched_twice_is_taken_out_with_its_draw(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hong_kong")))
    table.perform(EnterEvents((HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="6p"))))
    table.perform(EnterEvents((Discarded(seat=1, tile="6p"),)))
    table.perform(EnterEvents((Claimed(seat=2, meld="p666p"), Discarded(seat=2, tile="1s"))))
    find_name(table)
    table.perform(Correct(6, None))
    find_name(table)
    followed = table.state.followed
    assert followed is not None
    assert not any(isinstance(each, ShowMessage) and each.sentence for each in table.effects)
    events = [each.event for each in followed.entries]
    assert events[1:] == [
        Discarded(seat=0, tile="6p"), Claimed(seat=2, meld="p666p"), Discarded(seat=2, tile="1s"),
    ]  # fmt: skip
    table.perform(Correct(4, None))
    find_name(table)
    said = next(each for each in table.effects if isinstance(each, ShowMessage))
    assert str(said.sentence).endswith("Nothing was changed: first take out what came after it.")


def test_impossible_event_gets_one_sentence(table: Table) -> None:
    table.perform(BeginGame(GameStarted(rules="hefei")))
    table.perform(EnterEvents((Discarded(seat=0, tile="5m"),)))
    find_name(table)
    (said,) = table.effects
    assert isinstance(said, ShowMessage)


def test_a_film_that_was_stopped_goes_on_at_its_place(table: Table) -> None:
    opened: list[tuple[str, float]] = []

    def play(camera: str, begins_s: float) -> Any:
        opened.append((camera, begins_s))

    class Stopped:
        place_s = 65.0

        def start(self, read_camera: Any, *, waits: bool) -> None:
            assert waits, "of a film every picture is followed"
            camera, opens, _ = read_camera.args
            opens(camera)

    following: Any = Stopped()
    table.feature._following = following
    table.feature.cameras = replace(table.feature.cameras, play=play)
    table.perform(ContinueFollowing(Plan("hefei", camera=FILM, name="friday")))
    assert opened == [(FILM, 65.0)]
    assert table.state.runs
