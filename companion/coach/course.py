"""How a hand goes on by chance: one model, for the exact reckoning and the estimated one.

Until the player's next draw each opponent lays out a tile: with the chance `shown` it is any of the unseen
ones, else one that helps nobody. After that somebody else wins with the chance `hazard`, which costs
`loss`. Then the player draws one of the unseen tiles, and has `draws` such draws.

The rates are counted in simulated hands of each game: `python -m lab.bench.course` writes their table.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from companion.coach.seen import Seen
from companion.coach.steps import SORTS

TABLE = Path(__file__).with_name("course_table.json")
STAGES = 5
FARTHEST = 8
"""Of hands that lack so many tiles and fewer the table speaks."""
THREATS = 4
"""What opponents show: at most one claimed meld each, two, three and more, a declared ready hand."""
LASTING = 0.85
"""How much of what the threat adds to the usual chance of another's win is left a draw later."""
MOST_HAZARD = 0.45


class Rates(NamedTuple):
    """What `lab.bench.course.learn` counts of a game, by fifths of the wall and by tiles lacking.

    loss, paid: what another's win costs at the default stakes, and the number of payments.
    threatened: as others_win, by what opponents show beside: STAGES rows of THREATS, one after the other.
    kinds: how often kinds are discarded, for how often any unseen tile is: STAGES rows of SORTS.
    unsure: how far what the rates foresee is off, as a share of it: one number.
    """

    others_win: tuple[float, ...]
    threatened: tuple[float, ...]
    loss: tuple[float, ...]
    paid: tuple[float, ...]
    useful: tuple[float, ...]
    claimable: tuple[float, ...]
    shown: tuple[float, ...]
    trust: tuple[float, ...]
    kinds: tuple[float, ...]
    unsure: tuple[float, ...]


class Course(Struct, frozen=True):
    """The chances of one position; loss: in what the game is paid in, at least 0.

    hazards: of each draw that is left, where they grow; else `hazard` holds for all. kinds: how often kinds
    of each sort are discarded, for how often any unseen tile is.
    """

    draws: int
    others: int
    shown: float = 0.6
    hazard: float = 0.05
    loss: float = 0.0
    hazards: tuple[float, ...] = ()
    kinds: tuple[float, ...] = (1.0,) * SORTS


def foresee(seen: Seen, rates: Rates | None = None) -> Course:
    """The chances from what lies open: how far the wall is used up, and what opponents have melded."""
    house, hand = seen.state.house, seen.hand
    wall, seats, rates = hand.wall, len(house.seats), rates or load_rates(house.rules.name)
    whole = _count_whole(seen)
    draws = wall.live_left // seats
    used = [1 - seats * (draws - ahead) / whole for ahead in range(draws)]
    stage = find_stage(seen)
    threatened = rates.threatened[stage * THREATS + find_threat(seen)]
    more = threatened - rates.others_win[stage] if seen.calls_told else 0.0
    hazards = [
        min(MOST_HAZARD, max(0.0, _between(rates.others_win, each) + more * LASTING**ahead))
        for ahead, each in enumerate(used)
    ]
    return Course(
        draws=draws,
        others=seats - 1,
        shown=rates.shown[0],
        hazard=hazards[0] if hazards else 0.0,
        hazards=tuple(hazards),
        loss=house.count_at_stakes(rates.loss[stage], rates.paid[stage]),
        kinds=rates.kinds[stage * SORTS : (stage + 1) * SORTS],
    )


def find_threat(seen: Seen) -> int:
    """What the most threatening opponent shows, 0 to 3."""
    players = [seen.hand.players[seat] for seat in seen.state.house.seats if seat != seen.seat]
    if seen.calls_told and any(player.ready for player in players):
        return THREATS - 1
    claimed = [sum(laid.source is not None for laid in player.melds) for player in players]
    return min(THREATS - 2, max(0, max(claimed) - 1))


def find_stage(seen: Seen) -> int:
    """How far the wall is used up, in fifths: 0 to 4."""
    used = 1 - seen.hand.wall.live_left / _count_whole(seen)
    return min(STAGES - 1, max(0, int(used * STAGES)))


@cache
def load_rates(rules: str) -> Rates:
    """The rates of a game; of a game that is not in the table, the mean of those that are."""
    tables: dict[str, dict[str, Any]] = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    rows = [tables[rules]] if rules in tables else list(tables.values())
    return Rates(
        *[
            tuple([sum(column) / len(rows) for column in zip(*[row[name] for row in rows], strict=True)])
            if rows
            else (0.1,) * (STAGES * THREATS)
            for name in Rates._fields
        ]
    )


def _count_whole(seen: Seen) -> int:
    """How many tiles the live wall has after the deal."""
    house, wall = seen.state.house, seen.hand.wall
    return max(1, len(wall.order) - wall.rule.dead - len(house.seats) * house.rules.hand_size)


def _between(values: tuple[float, ...], used: float) -> float:
    """Between the middles of the fifths that were counted, on the straight line."""
    at = min(STAGES - 1.0, max(0.0, used * STAGES - 0.5))
    low = min(STAGES - 2, int(at))
    return values[low] + (values[low + 1] - values[low]) * (at - low)
