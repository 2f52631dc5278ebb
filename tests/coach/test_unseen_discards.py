"""Built-in players at a table where discards were not seen: they go by what is known, and no further."""

from __future__ import annotations

import random

import pytest

from companion.coach.play.player import BuiltIn
from companion.coach.play.simulation import play
from companion.coach.value.judge import Judge
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted
from companion.table.knowledge import count_unseen, event_as_seen, state_as_seen
from companion.table.state import Phase, State

SEED, VIEWER = 5, 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_player_whose_own_discards_are_seen_acts_on(rules: str) -> None:
    """Others' discards are not; what the player does then can be done."""
    (hand,) = play(GameStarted(rules=rules), 1, random.Random(SEED))
    state: State | None = apply(None, hand.start)
    truth, acted, unseen = state, 0, 0
    assert state is not None
    player = BuiltIn(Judge(state.house.rules, state.house.scoring))
    for step in hand.steps:
        if not step.state.playing:
            break
        event = event_as_seen(truth, step.event, VIEWER)
        if isinstance(event, Discarded) and event.seat != VIEWER:
            event, unseen = Discarded(seat=event.seat), unseen + 1
        state, truth = apply(state, event), step.state
        assert state.hand is not None
        if state.hand.phase is Phase.CLAIM and state.hand.offer and state.hand.offer.tile is None:
            assert player.answer(state_as_seen(state, VIEWER), VIEWER) is None
        if state.hand.phase is Phase.TURN and state.hand.turn == VIEWER:
            choice = player.act(state_as_seen(state, VIEWER), VIEWER)
            assert choice is not None
            apply(state, choice)
            acted += 1
    assert min(acted, unseen) > 3
    assert state.hand is not None
    assert truth is not None
    rivers = [tile for seat in state.hand.players for tile in seat.discards]
    open_chows = state.hand.players[VIEWER].hidden  # which tile of a chow was the discard, and which stayed
    extra = sum(count_unseen(state, VIEWER)) - sum(count_unseen(truth, VIEWER))
    assert extra == rivers.count(None) + open_chows
