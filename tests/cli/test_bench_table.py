"""`companion bench table`: every figure is reported, and what it says holds can fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.coach.play.simulation import PlayedHand, SimulatedMove, play
from companion.rules import RULE_SETS
from companion.table.events import Discarded, GameStarted
from companion.table.state import HandState, Player, State, changed
from companion.tiles import KINDS
from lab.bench.table import NotSo, check

pytestmark = pytest.mark.long

Call = Callable[..., Any]


def test_the_benchmark_reports_every_figure_and_what_holds(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, few in (("HANDS", 1), ("HANDS_EACH_RUN", 1), ("EVENTS_EACH_RUN", 2)):
        monkeypatch.setattr(f"lab.bench.table.{name}", few)
    monkeypatch.setattr("lab.bench.rules.RUN_S", 0)
    document = call("bench", "table", "--runs", 1, "--hands", 1, "--json").document
    assert {figure["unit"] for figure in document["figures"]} == {"per second", "ms"}
    assert all(figure["median"] > 0 and figure["runs"] == 1 for figure in document["figures"])
    of = {
        what: {f["of"] for f in document["figures"] if f["what"] == what}
        for what in ("hands simulated", "keep an event")
    }
    assert of == {"hands simulated": set(RULE_SETS), "keep an event": {"hebei"}}
    assert all(each["holds"] and each["hands"] == 1 for each in document["holds"])


def test_broken_invariant_is_reported(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def bench(runs: int, hands: int) -> dict[str, Any]:
        from lab.bench.table import _holds

        return {"python": "3", "figures": [], "holds": [_holds("hebei", hands)]}

    def fails(played: PlayedHand) -> None:
        raise NotSo("5m", 5)

    monkeypatch.setattr("lab.bench.table.check", fails)
    monkeypatch.setattr("lab.bench.table.bench", bench)
    out = call("bench", "table", "--hands", 1).out
    assert "FAILS: every event of hebei" in out
    assert "5m" in out


@pytest.fixture(scope="module")
def played() -> PlayedHand:
    """A hand that was won."""
    [hand] = play(GameStarted(rules="hebei"), 1, random.Random(3))
    check(hand)
    assert hand.after.ledger
    return hand


def with_player(state: State, **fields: object) -> State:
    """The state with other tiles before the player of the last discard."""
    assert state.hand is not None
    players: list[Player] = list(state.hand.players)
    seat = next(seat for seat, player in enumerate(players) if player.discards)
    players[seat] = changed(players[seat], **fields)
    return changed(state, hand=changed(state.hand, players=tuple(players)))


def hand_of(state: State) -> HandState:
    assert state.hand is not None
    return state.hand


def first_discards(state: State) -> tuple[Any, ...]:
    return next(player.discards for player in hand_of(state).players if player.discards)


def one_more(counts: bytes) -> bytes:
    return bytes([counts[0] + 1, *counts[1:]])


SPOILT: dict[str, Callable[[State], State]] = {
    "a discard is gone": lambda s: with_player(s, discards=first_discards(s)[1:]),
    "a discard is another tile": lambda s: with_player(
        s, discards=(KINDS[(first_discards(s)[0].index + 1) % 9], *first_discards(s)[1:])
    ),
    "a tile is hidden": lambda s: with_player(s, hidden=1),
    "a tile is counted twice": lambda s: changed(
        s, hand=changed(hand_of(s), known=one_more(hand_of(s).known))
    ),
    "a player has a tile too many": lambda s: changed(
        s, hand=changed(hand_of(s), turn=(hand_of(s).turn + 1) % 4)
    ),
    "points come from nowhere": lambda s: changed(s, points=(s.points[0] + 1, *s.points[1:])),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_state_that_is_spoilt_does_not_hold(played: PlayedHand, how: str) -> None:
    at = next(n for n, step in enumerate(played.steps) if isinstance(step.event, Discarded)) + 1
    event, state = played.steps[at]
    steps = (*played.steps[:at], SimulatedMove(event, SPOILT[how](state)), *played.steps[at + 1 :])
    with pytest.raises(NotSo):
        check(played._replace(steps=steps))


def test_a_payment_that_is_no_exchange_does_not_hold(played: PlayedHand) -> None:
    *before, last = played.steps
    a, b, c, d = last.state.ledger[-1].points
    ledger = (*last.state.ledger[:-1], changed(last.state.ledger[-1], points=(a + 1, b, c, d)))
    points = (last.state.points[0] + 1, *last.state.points[1:])
    spoilt = SimulatedMove(last.event, changed(last.state, ledger=ledger, points=points))
    with pytest.raises(NotSo):
        check(played._replace(steps=(*before, spoilt)))


def test_a_log_that_leads_elsewhere_does_not_hold(played: PlayedHand) -> None:
    state = played.steps[-1].state
    elsewhere = changed(state, deal=changed(state.deal, streak=state.deal.streak + 1))
    with pytest.raises(NotSo):
        check(played._replace(steps=(*played.steps[:-1], SimulatedMove(played.steps[-1].event, elsewhere))))
