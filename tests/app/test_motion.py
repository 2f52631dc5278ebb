"""A tile on its way to the river and points on their way to the winner: seen where a person wants that, never
in the way, and over soon."""

from __future__ import annotations

import game_states
import pytest
from app_driver import Driver

from companion.app.game.followed import Followed
from companion.game.deciding import begin_progress
from companion.rules import Source
from companion.rules.stated import Stated
from companion.table.apply import apply
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    Won,
)
from companion.table.unrecorded import ReportedWin, enter_win

pytestmark = pytest.mark.slow
PLAYED: list[Event] = [
    GameStarted(rules="hong_kong", names=("Mei", "Ping", "Wong", "Ann")), HandStarted(dealer=0), Dealt(),
    Discarded(seat=0, tile="1z"), Drawn(seat=1),
]  # fmt: skip
DISCARD = Discarded(seat=1, tile="5p")
WIN = Won(seat=2, hand="123456789m55p234s", tile="5p")


def know(companion: Driver, *more: Event) -> None:
    followed = Followed.of(begin_progress([*PLAYED, *more]))
    companion.controller.do("game", lambda state: state.know(followed, "friday"))
    companion.frames(1)


@pytest.fixture
def moving(companion: Driver, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """A table at which motions last until a test ends them."""
    monkeypatch.setattr("companion.app.widgets.motion.LASTS_S", 1000.0)
    companion.controller.do("settings", lambda state: state.change(motion=True))
    companion.frames(4)
    companion.touch(companion.root.bar.buttons["game"])
    know(companion)
    companion.frames(6)
    return companion


def test_a_discard_moves_and_takes_touches_meanwhile(moving: Driver) -> None:
    board = moving.pages.game.table.board
    assert not board.motion.runs, "nobody saw how the first state came"
    know(moving, DISCARD)
    assert board.motion.runs
    ((shift, x, y),) = board._flights
    assert abs(shift.x) + abs(shift.y) > board._measure.tile / 2
    assert (shift.x, shift.y) == pytest.approx((x, y), abs=board._measure.tile / 10)
    moving.shot("motion-discard")
    moving.touch(board.find_side(3))
    assert moving.says("What does Ann claim?"), "a touch waits for nothing"
    know(moving, DISCARD, Drawn(seat=2), Discarded(seat=2, tile="1s"))
    assert (shift.x, shift.y) == (0, 0), "the next motion ends the one before"
    board.motion.end()
    assert not board._flights


def test_points_move_to_the_winner(moving: Driver) -> None:
    board = moving.pages.game.table.board
    know(moving, DISCARD)
    board.motion.end()
    know(moving, DISCARD, WIN)
    game = game_states.get_state(moving).game
    assert game is not None
    payers = [seat for seat in range(4) if game.balances[seat] < 0]
    assert payers
    assert len(board._flights) == len(payers)
    moving.shot("motion-points")
    board.motion.end()
    assert not board.canvas.after.children, "nothing is left of them"


def test_points_move_to_the_winner_where_only_wins_are_recorded(moving: Driver) -> None:
    """From the payers' cards, of which nothing moves."""
    moving.controller.do("game", lambda state: state.record_wins_only(True))
    start = PLAYED[0]
    assert isinstance(start, GameStarted)
    state = apply(None, start)
    entered = enter_win(state, ReportedWin(2, Source.DISCARD, 1, stated=Stated(value=3)))

    def follow(*events: Event) -> None:
        followed = Followed.of(begin_progress([start, *events]))
        moving.controller.do("game", lambda state: state.know(followed, "friday"))
        moving.frames(1)

    follow()
    moving.frames(4)
    pane = moving.pages.game.table.wins
    places = [tuple(card.center) for card in pane.cards.values()]
    follow(*entered.events)
    assert pane.motion.runs
    assert len(pane.flights) == sum(points < 0 for points in entered.after.balances)
    moving.frames(1)
    _, x, y = pane.flights[0]
    assert abs(x) + abs(y) > pane.cards[2].height / 2
    moving.shot("motion-wins")
    assert [tuple(card.center) for card in pane.cards.values()] == places, "what is touched stays"
    pane.motion.end()
    assert not pane.canvas.after.children


def test_a_motion_ends_by_itself_and_then_nothing_is_scheduled(
    moving: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.widgets.motion.LASTS_S", 0.01)
    know(moving, DISCARD)
    board = moving.pages.game.table.board
    moving.wait(lambda: not board.motion.runs, "the end of the motion")
    assert not board._flights
    assert not board.motion._tick.is_triggered, "an idle window sleeps"


def test_nothing_moves_where_that_is_off(moving: Driver) -> None:
    moving.controller.do("settings", lambda state: state.change(motion=False))
    moving.frames(3)
    board = moving.pages.game.table.board
    know(moving, DISCARD)
    know(moving, DISCARD, WIN)
    assert not board.motion.runs
    assert not board._flights
