"""What the bench takes off from payments is luck alone: on the average it is nothing."""

import random

import numpy as np
import pytest

from companion.coach.play.simulation import Simulation
from companion.coach.value.judge import Judge
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import Drawn, GameStarted
from companion.table.house import make_house
from companion.table.state import State
from companion.tiles import KINDS
from lab.bench import coach
from lab.bench.luck import WEIGHED, Luck, add_wall, compare, start_sums, take_off


def play_draws(rules: str, seed: int) -> list[tuple[State, Drawn]]:
    """Every draw of a hand, with the state before it."""
    state, found = apply(None, GameStarted(rules=rules)), []
    for step in Simulation(state.house, random.Random(seed)).hand(state):
        if isinstance(step.event, Drawn):
            found.append((state, step.event))
        state = step.state
    return found


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_over_all_tiles_that_a_draw_might_be_its_luck_is_nothing(rules: str) -> None:
    """Each kind as often as it is left in the wall: some are lucky, the others are not."""
    house = make_house(GameStarted(rules=rules))
    luck = Luck(Judge(house.rules, house.scoring))
    draws, lucky = play_draws(rules, 3), []
    for before, event in draws[:: max(1, len(draws) // 6)]:
        assert before.hand is not None
        total = np.zeros((4, WEIGHED))
        for kind, copies, known in zip(KINDS, house.copies, before.hand.known, strict=True):
            if copies > known:
                weighed = luck.weigh(before, Drawn(seat=event.seat, tile=kind.code))
                total += (copies - known) * weighed
                lucky.append(float(weighed[event.seat].max()))
        assert total == pytest.approx(np.zeros((4, WEIGHED)), abs=1e-6)
    assert max(lucky) > 0 >= min(lucky)


def test_the_payment_without_luck_is_found_where_most_of_it_is_luck() -> None:
    """A merit of 2 under thrice one luck, half of another, and a little that is neither."""
    rng = np.random.default_rng(5)
    sums = dict.fromkeys(("walls", "paid", "paid_squared"), 0.0) | start_sums()
    for _ in range(300):
        luck = rng.normal(size=WEIGHED) * 4
        paid = 2 + 3 * luck[0] + luck[-1] / 2 + rng.normal()
        sums["walls"] += 1
        sums["paid"] += paid
        sums["paid_squared"] += paid * paid
        add_wall(sums, luck, paid)
    mean, variance = take_off(sums)
    assert mean == pytest.approx(2, abs=0.2)
    assert variance == pytest.approx(1, abs=0.2)
    assert sums["paid_squared"] / 300 - (sums["paid"] / 300) ** 2 > 100


def test_equal_player_gains_nothing_and_is_equally_lucky() -> None:
    run = coach.bench("hebei", 2, 0.0, 1, "built-in")
    assert (run["payment"]["mean"], run["payment_with_luck"]["mean"]) == (0, 0)
    assert run["sums"]["luck"] == pytest.approx([0.0] * WEIGHED, abs=1e-6)
    assert run["deal_in_rate"] == pytest.approx(run["others_deal_in_rate"], abs=1e-4)


def test_runs_of_two_ranges_of_walls_are_merged_as_if_they_were_one() -> None:
    whole = coach.bench("hefei", 3, 0.0, 1, "constant")
    parts = [coach.bench("hefei", 1, 0.0, 1, "constant"), coach.bench("hefei", 2, 0.0, 2, "constant")]
    merged = coach.merge(list(zip("ab", parts, strict=True)))
    assert merged["payment"] == pytest.approx(whole["payment"])
    assert np.allclose(merged["sums"]["luck_luck"], whole["sums"]["luck_luck"])
    assert compare(np.eye(4, WEIGHED), 0, (0, 1, 2, 3))[:4] == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
