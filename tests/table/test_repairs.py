"""An event that did not happen, and the draw that goes with it."""

from __future__ import annotations

import pytest

from companion.errors import EventError
from companion.rules import RULE_SETS
from companion.table.apply import fold
from companion.table.events import (
    Claimed,
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    apply_corrections,
)
from companion.table.possible import find_way
from companion.table.unrecorded import remove_event

games = pytest.mark.parametrize("rules", RULE_SETS)


def play(rules: str, *events: Event) -> list[Event]:
    """A game with these events, and the draws that they imply."""
    log: list[Event] = [GameStarted(rules=rules), HandStarted(dealer=0), Dealt()]
    if RULE_SETS[rules].name == "hangzhou":
        log.append(IndicatorTurned(tile="9s"))
    for event in events:
        state = fold(log)
        assert state is not None
        way = find_way(state, event)
        assert way is not None, event
        log += way
    return log


def find(log: list[Event], event: Event) -> int:
    return log.index(event) + 1


@games
def test_a_turn_that_never_was_goes_and_the_claim_takes_the_tile_before(rules: str) -> None:
    after = Claimed(seat=2, meld="p666p"), Discarded(seat=2, tile="4s")
    log = play(rules, Discarded(seat=0, tile="6p"), Discarded(seat=1, tile="6p"), *after)
    number = find(log, Discarded(seat=1, tile="6p"))
    correction = remove_event(log, number)
    assert correction == Corrected(number=number - 1, right=None, upto=number)
    right = apply_corrections([*log, correction])
    assert right == play(rules, Discarded(seat=0, tile="6p"), *after)
    state = fold([*log, correction])
    assert state is not None
    assert state.hand is not None
    assert state.hand.players[2].melds[0].source == 0


@games
def test_last_event_is_removed_alone(rules: str) -> None:
    log = play(rules, Discarded(seat=0, tile="6p"), Discarded(seat=1, tile="3s"))
    assert remove_event(log, len(log), "why") == Corrected(number=len(log), right=None, why="why")


@games
def test_draws_that_nobody_saw_go_with_the_discard_before_them(rules: str) -> None:
    log = play(rules, Discarded(seat=0, tile="6p"), Discarded(seat=1, tile="3s"), Drawn(seat=2))
    number = find(log, Discarded(seat=1, tile="3s"))
    assert remove_event(log, number) == Corrected(number=number, right=None, upto=number + 1)
    right = apply_corrections([*log, remove_event(log, number)])
    assert right == play(rules, Discarded(seat=0, tile="6p"), Drawn(seat=1))


@games
def test_the_replacement_of_a_kong_that_never_was_goes_with_it(rules: str) -> None:
    kong = ConcealedKong(seat=1)
    played = Discarded(seat=1, tile="3s"), Discarded(seat=2, tile="5s")
    log = play(rules, Discarded(seat=0, tile="6p"), kong, *played)
    right = apply_corrections([*log, remove_event(log, find(log, kong))])
    assert right == play(rules, Discarded(seat=0, tile="6p"), *played)


def test_the_replacement_of_a_flower_that_never_was_goes_with_it() -> None:
    flower = FlowerSetOut(seat=1, tile="1f")
    played = Discarded(seat=1, tile="3s"), Discarded(seat=2, tile="5s")
    log = play("taiwanese", Discarded(seat=0, tile="6p"), Drawn(seat=1), flower, *played)
    right = apply_corrections([*log, remove_event(log, find(log, flower))])
    assert right == play("taiwanese", Discarded(seat=0, tile="6p"), *played)


@games
def test_event_with_dependents_is_not_removed(rules: str) -> None:
    """The discard of another tile was claimed: there is nothing small that would do."""
    log = play(
        rules, Discarded(seat=0, tile="3s"), Discarded(seat=1, tile="6p"), Claimed(seat=2, meld="p666p")
    )
    number = find(log, Discarded(seat=1, tile="6p"))
    correction = remove_event(log, number)
    assert correction == Corrected(number=number, right=None)
    with pytest.raises(EventError):
        fold([*log, correction])


def test_a_tile_that_was_put_right_before_is_taken_out_with_its_draw() -> None:
    log = play("hong_kong", Discarded(seat=0, tile="6p"), Discarded(seat=1, tile="7p"))
    number = len(log)
    log.append(Corrected(number=number, right=Discarded(seat=1, tile="6p")))
    claim = Claimed(seat=2, meld="p666p")
    log.append(claim)
    right = apply_corrections([*log, remove_event(log, number)])
    assert right == play("hong_kong", Discarded(seat=0, tile="6p"), claim)
