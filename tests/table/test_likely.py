"""The tiles that are lit on the keyboard are those that players discard more often than others."""

from __future__ import annotations

import random

import pytest

from companion.coach.play.simulation import play
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted
from companion.table.knowledge import count_unseen, list_likely
from companion.tiles import KINDS, Tile

MOST = 9


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_likely_tiles_are_discarded_more_often_than_chance(rules: str) -> None:
    found = by_chance = discards = 0.0
    for hand in play(GameStarted(rules=rules), 12, random.Random(9)):
        state = apply(None, hand.start)
        for step in hand.steps:
            event = step.event
            if isinstance(event, Discarded) and event.tile:
                unseen = count_unseen(state, None)
                kinds = [kind for kind in KINDS[:34] if unseen[kind.index]]
                likely = list_likely(state, event.seat, kinds)
                assert len(likely) <= 1.5 * MOST
                found += Tile.parse(event.tile) in likely
                by_chance += MOST / len(kinds)
                discards += 1
            state = step.state
    assert found / discards > by_chance / discards + 0.05, (found / discards, by_chance / discards)


def test_nothing_is_likely_between_hands() -> None:
    assert list_likely(apply(None, GameStarted(rules="hefei")), 0, KINDS) == ()
