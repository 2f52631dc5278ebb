"""How a hand continues by chance: the rates of a game, and the chance to finish in time.

Until the player's next draw each opponent discards a tile: with the chance `shown` it is any of the unseen
ones, else one that helps nobody. Then an opponent wins with the chance `hazard`, which costs `loss`. Then the
player draws one of the unseen tiles, and has `draws` such draws. `Chain` is a Markov chain over the tiles
missing and the draws left: the next step has the rates of the very hand, later steps those of usual hands.

`python -m lab.bench.rates` counts the rates in simulated hands and writes their table.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.coach.seen import SeatView, count_left
from companion.coach.value.distances import PLACES, RANKS, Floats
from companion.coach.value.judge import HandStatus
from companion.tiles import KINDS, MeldKind, Suit, Tile, counts

SORTS = 4
"""Kinds by how often they are discarded: honours, ones and nines, twos and eights, the middle."""
Held = NDArray[np.int64]
"""Concealed tiles by place, (n, 36)."""


def sort_kind(tile: Tile) -> int:
    """The sort of a kind, 0 to 3; flowers count as honours."""
    if tile.index >= 3 * RANKS or tile.suit is Suit.HONORS:
        return 0
    return {1: 1, 9: 1, 2: 2, 8: 2}.get(tile.rank, 3)


def list_kind_weights(rates: tuple[float, ...]) -> NDArray[np.float64]:
    """The relative frequency with which the kind of each place is discarded, (36,), by the rates of sorts."""
    weights = np.ones(PLACES)
    weights[:34] = [rates[sort_kind(tile)] for tile in KINDS[:34]]
    return weights


def mark_claimable(held: Held, chows: bool) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The kinds whose discard makes a pung with these tiles, and those that make a chow but no pung: (n,
    36) each."""
    pungs = held >= 2
    if not chows:
        return pungs, np.zeros_like(pungs)
    suits = held.reshape(-1, 4, RANKS)[:, :3] > 0
    there = np.zeros((len(held), 3, RANKS + 4), np.bool_)
    there[:, :, 2:-2] = suits
    chow = np.zeros((len(held), 4, RANKS), np.bool_)
    below, above = there[:, :, 1:-3], there[:, :, 3:-1]
    chow[:, :3] = (there[:, :, :-4] & below) | (below & above) | (above & there[:, :, 4:])
    return pungs, chow.reshape(-1, PLACES) & ~pungs


def count_claimable(seen: SeatView, status: HandStatus, rates: tuple[float, ...]) -> float:
    """The unseen tiles that bring a hand nearer when discarded.

    Each counts once for every opponent from whom it may be claimed, weighted by how often its sort is
    discarded; a ready hand may take its winning tile from everybody.
    """
    house, left = seen.state.house, count_left(seen)
    others = len(house.seats) - 1
    weights = list_kind_weights(rates)
    if status.shanten <= 0:
        useful = [kind.tile.index for kind in status.useful]
        return float(others * sum(left[at] * weights[at] for at in useful))
    held = np.zeros((1, PLACES), np.int64)
    held[0, :34] = counts(seen.player.concealed)[:34]
    pungs, chows = mark_claimable(held, MeldKind.CHOW in house.melds)
    total = 0.0
    for kind in status.useful:
        at = kind.tile.index
        total += left[at] * weights[at] * (others * int(pungs[0, at]) + int(chows[0, at]))
    return total


TABLE = Path(__file__).with_name("rates_table.json")
STAGES = 5
FARTHEST = 8
"""The table covers hands that miss up to this number of tiles."""
THREATS = 4
"""Number of threat levels of an opponent: at most one claimed meld; two; three or more; a declared ready
hand."""
THREAT_LEFT_PER_DRAW = 0.85
"""The share of what a threat adds to the usual chance of an opponent's win that is left one draw later."""
MOST_HAZARD = 0.45


class Rates(NamedTuple):
    """What `lab.bench.rates.learn` counts of a game, by fifths of the wall and by tiles missing.

    loss, paid: what another player's win costs at the default stakes, and the number of payments. threatened:
    as others_win, by what opponents show: STAGES rows of THREATS, one after the other. kinds: how often kinds
    are discarded, relative to any unseen tile: STAGES rows of SORTS. unsure: the mean relative error of the
    chances that these rates predict: one number.
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


class Chances(Struct, frozen=True):
    """The chances of one position; loss: in what the game is paid in, at least 0.

    hazards: of each draw that is left, where they grow; else `hazard` is the same for all. kinds: how often
    kinds of each sort are discarded, relative to any unseen tile.
    """

    draws: int
    others: int
    shown: float = 0.6
    hazard: float = 0.05
    loss: float = 0.0
    hazards: tuple[float, ...] = ()
    kinds: tuple[float, ...] = (1.0,) * SORTS


def estimate_chances(seen: SeatView, rates: Rates | None = None) -> Chances:
    """The chances from the visible facts: how far the wall is used up, and the opponents' melds."""
    house, hand = seen.state.house, seen.hand
    wall, seats, rates = hand.wall, len(house.seats), rates or load_rates(house.rules.name)
    whole = _count_whole(seen)
    draws = wall.live_left // seats
    used = [1 - seats * (draws - ahead) / whole for ahead in range(draws)]
    stage = find_stage(seen)
    threatened = rates.threatened[stage * THREATS + find_threat(seen)]
    more = threatened - rates.others_win[stage] if seen.calls_known else 0.0
    hazards = [
        min(MOST_HAZARD, max(0.0, _between(rates.others_win, each) + more * THREAT_LEFT_PER_DRAW**ahead))
        for ahead, each in enumerate(used)
    ]
    return Chances(
        draws=draws,
        others=seats - 1,
        shown=rates.shown[0],
        hazard=hazards[0] if hazards else 0.0,
        hazards=tuple(hazards),
        loss=house.count_at_stakes(rates.loss[stage], rates.paid[stage]),
        kinds=rates.kinds[stage * SORTS : (stage + 1) * SORTS],
    )


def find_threat(seen: SeatView) -> int:
    """What the most threatening opponent shows, 0 to 3."""
    players = [seen.hand.players[seat] for seat in seen.state.house.seats if seat != seen.seat]
    if seen.calls_known and any(player.ready for player in players):
        return THREATS - 1
    claimed = [sum(laid.source is not None for laid in player.melds) for player in players]
    return min(THREATS - 2, max(0, max(claimed) - 1))


def find_stage(seen: SeatView) -> int:
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


def _count_whole(seen: SeatView) -> int:
    """How many tiles the live wall has after the deal."""
    house, wall = seen.state.house, seen.hand.wall
    return max(1, len(wall.order) - wall.rule.dead - len(house.seats) * house.rules.hand_size)


def _between(values: tuple[float, ...], used: float) -> float:
    """Linear between the middles of the fifths that were counted."""
    at = min(STAGES - 1.0, max(0.0, used * STAGES - 0.5))
    low = min(STAGES - 2, int(at))
    return values[low] + (values[low + 1] - values[low]) * (at - low)


DRAWN, TAKEN, LOST = np.eye(3)
"""The three outcomes."""
WIDTH_KEPT = 0.2
"""Share of the present step's width that later steps keep: 0.2 predicted wins best among 0, 0.2, 0.4 and 0.6.
"""
WIDTHS = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0, 1.2)
"""Relative widths that later steps may have."""
MOST_LACKING = FARTHEST + 3
_REMEMBERED = 512
"""Tables of courses that are kept: some 50 MB."""


class WinPath(NamedTuple):
    """How a hand may come nearer: also by claims, and whether the last tile may be another player's
    discard."""

    claims: bool
    taken: bool


WAYS = (WinPath(False, False), WinPath(False, True), WinPath(True, False), WinPath(True, True))


class ChainHands(NamedTuple):
    """Hands between turns, n of them.

    lacking: the missing tiles (n,). draw, claim: the chances that its next draw, and a claim before it, bring
    it nearer (n,). way: an index of WAYS. width: an index of WIDTHS.
    """

    lacking: NDArray[np.int64]
    draw: Floats
    claim: Floats
    way: NDArray[np.int64]
    width: NDArray[np.int64]


class Chain:
    """The chances of one position's course."""

    def __init__(self, chances: Chances, rates: Rates) -> None:
        self.hazards = chances.hazards
        self.draws = chances.draws
        self._usual = _list_usual(rates)
        self.trust = np.array([1.0, *rates.trust, *[1.0] * (MOST_LACKING + 1)][: MOST_LACKING + 1])
        """The share of predicted wins that come true, by tiles missing; the others end without the win."""
        self._table = _make_table(chances.hazards, self._usual)

    def find_width(self, lacking: int, draw: float, lasting: float = WIDTH_KEPT) -> int:
        """The width of later steps, an index of WIDTHS, from the width of the present one relative to the
        usual.

        lasting: 1 if later steps are as narrow as this one, 0 where they are as usual.
        """
        usual = self._usual[0][min(lacking, MOST_LACKING)]
        wide = (draw / usual) ** lasting if usual > 0 else 1.0
        return int(np.abs(np.array(WIDTHS) - wide).argmin())

    def find_outcomes(self, items: ChainHands, draws: int | None = None, *, at_once: bool = False) -> Floats:
        """The outcomes of each hand, (n, 3), within this number of own draws, all that are left where None.

        at_once: one more tile is drawn first, before any opponent plays.
        """
        last = self.draws if draws is None else min(draws, self.draws)
        lacking = np.clip(items.lacking, 1, MOST_LACKING)
        after = self._table[items.width, items.way, lacking - 1]  # (n, draws + 1, 3)
        ready = (lacking == 1)[:, None]
        now = np.zeros((len(lacking), 3))
        draw, claim = items.draw[:, None], items.claim[:, None]
        for left in range(1, last + 1):
            hazard = self.hazards[self.draws - left]
            drawn = np.where(ready, DRAWN, after[:, left - 1])
            claimed = np.where(ready, TAKEN, (after[:, left] + after[:, left - 1]) / 2)
            later = (1 - hazard) * (draw * drawn + (1 - draw) * now) + hazard * LOST
            now = claim * claimed + (1 - claim) * later
        if at_once:
            now = draw * np.where(ready, DRAWN, after[:, last]) + (1 - draw) * now
        now[:, :2] = np.minimum(now[:, :2] * self.trust[lacking, None], 0.98)
        return now


def _list_usual(rates: Rates) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The chances of usual hands that miss 0, 1, 2, … tiles to draw a useful tile, and to claim one.

    Where too few hands were counted, the chance is a little higher than that of hands one tile nearer.
    """
    draw, claim = [0.0], [0.0]
    for lacking in range(1, MOST_LACKING + 1):
        at = min(lacking, FARTHEST) - 1
        useful = rates.useful[at] if rates.useful[at] > draw[-1] else min(0.9, draw[-1] * 1.15)
        expected = rates.shown[at] * rates.claimable[at]
        draw.append(useful)
        claim.append(1 - float(np.exp(-expected)) if expected > 0 else claim[-1])
    return tuple(draw), tuple(claim)


@lru_cache(_REMEMBERED)
def _make_table(hazards: tuple[float, ...], usual: tuple[tuple[float, ...], tuple[float, ...]]) -> Floats:
    """Outcomes of usual hands by width, way, tiles missing and draws left: (7, 4, 12, draws + 1, 3)."""
    draws = len(hazards)
    table = np.zeros((len(WIDTHS), len(WAYS), MOST_LACKING + 1, draws + 1, 3))
    width = np.array(WIDTHS)[:, None, None]
    claims = np.array([way.claims for way in WAYS])[:, None]
    taken = np.array([way.taken for way in WAYS])[:, None]
    for lacking in range(1, MOST_LACKING + 1):
        draw = np.minimum(0.95, width * usual[0][lacking])
        may = taken if lacking == 1 else claims
        claim = np.where(may, 1 - (1 - usual[1][lacking]) ** width, 0.0)
        after = table[:, :, lacking - 1]
        now = table[:, :, lacking]
        for left in range(1, draws + 1):
            hazard = hazards[draws - left]
            drawn = DRAWN if lacking == 1 else after[:, :, left - 1]
            claimed = TAKEN if lacking == 1 else (after[:, :, left] + after[:, :, left - 1]) / 2
            later = (1 - hazard) * (draw * drawn + (1 - draw) * now[:, :, left - 1]) + hazard * LOST
            now[:, :, left] = claim * claimed + (1 - claim) * later
    return table
