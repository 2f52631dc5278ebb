"""Danger deferred by keeping a tile: how much of it comes later, and its effect on a choice."""

import json
import random

import pytest

from companion.coach.advice import _weigh_risks
from companion.coach.play.simulation import play
from companion.coach.value.danger import DEFERRED_DANGER_TABLE
from companion.coach.value.judge import Judge
from companion.coach.value.valuation import Value
from companion.rules import RULE_SETS
from companion.table.events import Discarded, GameStarted
from companion.table.house import make_house
from lab.bench import deferred_danger

DANGEROUS, SAFE = (0.1, 40.0), (0.0, 40.0)


def make_value(mean: float, continues: bool) -> Value:
    return Value(mean, 1.0, 0.2, None, "", 0.0, False, continues)


@pytest.mark.parametrize(("later", "worth"), [(0.0, 9.0), (0.5, 6.5), (1.0, 4.0)])
def test_a_continued_hand_saves_only_danger_that_does_not_come_later(later: float, worth: float) -> None:
    """The dangerous tile is worth 10 - 0.1 x (10 + 40) = 5, the safe one 9 and what is not put off."""
    values = [make_value(10.0, True), make_value(9.0, True)]
    assert _weigh_risks(values, [DANGEROUS, SAFE], later) == pytest.approx([5.0, worth])


def test_a_ready_hand_or_one_given_up_saves_all_danger() -> None:
    values = [make_value(10.0, True), make_value(9.0, False)]
    assert _weigh_risks(values, [DANGEROUS, SAFE], 1.0) == pytest.approx([5.0, 9.0])


def test_a_tile_more_dangerous_than_the_plain_choice_defers_nothing() -> None:
    values = [make_value(10.0, True), make_value(9.0, True)]
    assert _weigh_risks(values, [SAFE, DANGEROUS], 1.0) == pytest.approx([10.0, 9.0 - 0.1 * 49.0])


def test_in_every_game_early_danger_comes_later_and_late_danger_mostly_does_not() -> None:
    tables = json.loads(DEFERRED_DANGER_TABLE.read_text())
    assert tables.keys() == set(RULE_SETS)
    for row in tables.values():
        first, second, third, fourth, last = row["share"]
        assert 0 <= last <= 1
        assert first > 0.9
        assert first >= second > third > 0
        assert max(third, fourth) < 0.75


def test_kept_tiles_are_followed_to_their_discard() -> None:
    start = GameStarted(rules="hefei")
    house = make_house(start)
    [played] = play(start, 1, random.Random(3))
    kept = deferred_danger.follow(Judge(house.rules, house.scoring), played)
    gone = {(e.seat, e.tile) for e, _ in played.steps if isinstance(e, Discarded)}
    assert any(each.later is not None for each in kept)
    assert any(each.later is None for each in kept)
    for each in kept:
        assert 0 <= each.now < 1
        assert each.later is None or (each.seat, each.tile.code) in gone
