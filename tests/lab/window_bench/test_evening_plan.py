"""A planned evening: what four people see of it comes to the same sheet as what happened."""

from __future__ import annotations

import pytest

from companion.rules import RULE_SETS
from companion.sheets.hands import make_sheet
from companion.table.events import Drawn, FlowerSetOut, GameStarted, HandDrawn, HandStarted
from lab.window_bench.evenings import NamedLog, compare_sheets, plan_evening

SEED = 20261130


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_visible_events_give_the_simulated_sheet(rules: str) -> None:
    evening = plan_evening(rules, 16, SEED)
    assert compare_sheets(make_sheet((evening.start, *evening.events)), evening.sheet) == []
    hands = evening.sheet.hands
    assert sum(not hand.abandoned for hand in hands) == 16
    assert sum(hand.abandoned for hand in hands) == 1
    assert sum(len(hand.penalties) for hand in hands) >= 2, "a false win, and points that changed hands"


def test_another_evening_is_told_apart() -> None:
    one, other = plan_evening("hefei", 2, SEED), plan_evening("hefei", 2, SEED + 1)
    assert compare_sheets(one.sheet, other.sheet)
    shorter = plan_evening("hefei", 1, SEED)
    assert "3 hands instead of 1" in " ".join(compare_sheets(one.sheet, shorter.sheet)), "one does not count"


def test_the_order_of_draws_that_nobody_names_does_not_matter() -> None:
    start = GameStarted(rules="hong_kong")
    begun = HandStarted(dealer=0, dice=(1, 2)), plan_evening("hong_kong", 1, SEED).events[1]
    one, two = FlowerSetOut(seat=0, tile="1f"), FlowerSetOut(seat=0, tile="2f")
    drawn = Drawn(seat=0)
    in_turn, together = NamedLog(), NamedLog()
    in_turn.read((start, *begun, one, drawn, two, drawn))
    together.read((start, *begun, one, two, drawn, drawn))
    assert in_turn.named == together.named
    assert [event for event, _ in in_turn.named] == [begun[0], one, two]


def test_draws_are_named_where_nobody_discards_any_more() -> None:
    seeds = (plan_evening("hefei", 1, seed, odd=False) for seed in range(SEED, SEED + 40))
    evening = next(each for each in seeds if isinstance(each.events[-1], HandDrawn))
    assert [type(event) for event, _ in evening.named[-5:]] == [Drawn] * 4 + [HandDrawn]
