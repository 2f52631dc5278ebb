"""Who wins on one tile beside others: the order in which they are told decides nothing (S-04, S-05)."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from companion.errors import EventError
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    EntryCancelled,
    Event,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    PointsMoved,
    Won,
)
from companion.table.state import HandState as HandInPlay
from companion.table.state import PaymentReason, Phase, Points, State
from companion.tiles import KINDS, Tile, format_tiles
from lab.bench.hands import random_win

pytestmark = pytest.mark.slow

HOUSES: list[tuple[str, dict[str, Any]]] = [
    ("hefei", {}), ("hefei", {"discard": "all_pay"}), ("hebei", {}), ("hebei", {"discard": "all_pay"}),
    ("hebei", {"discard": "pays_for_all"}), ("taiwanese", {}), ("taiwanese", {"discard": "all_pay"}),
    ("hong_kong", {}), ("hong_kong", {"dealer": "rotate"}), ("hong_kong", {"discarder_pays_all": True}),
    ("hangzhou", {}), ("hangzhou", {"debt": True}), ("hangzhou", {"discard_pays_all_shares": True}),
]  # fmt: skip
SEED = 20261122
TABLES = 40
"""Of each house, where a discard wins, and as many where a kong is robbed."""
WINS = 120
PLENTY = 10**6
Hand = tuple[Tile, ...]


@cache
def closed_wins(rules: str) -> tuple[Hand, ...]:
    """Hands of concealed tiles that win, without wildcards."""
    chance, found = random.Random(SEED), []
    while len(found) < WINS:
        win = random_win(RULE_SETS[rules], chance, 0)
        if not win.melds and win.hand:
            found.append(win.hand)
    return tuple(found)


def hands_on_one_tile(rules: str, chance: random.Random) -> tuple[list[Hand], Tile, list[Tile]]:
    """Two or three winning hands, a tile that each of them may win on, and kinds that nobody holds.

    Of the tile there are enough for a kong.
    """
    copies = RULE_SETS[rules].tile_set.copies
    while True:
        hands = chance.sample(closed_wins(rules), chance.choice((2, 2, 3)))
        held = Counter(tile for hand in hands for tile in hand)
        once = [tile for tile in hands[0] if all(hand.count(tile) == 1 for hand in hands)]
        free = [kind for kind in KINDS[:34] if copies[kind.index] and not held[kind]]
        if once and free and all(count <= copies[tile.index] for tile, count in held.items()):
            return hands, chance.choice(once), free


class Table:
    """A hand in which nobody's tiles are seen, up to the tile on which several players win: `wins`."""

    def __init__(self, rules: str, options: dict[str, Any], chance: random.Random, *, robbed: bool) -> None:
        hands, self.tile, self.free = hands_on_one_tile(rules, chance)
        self.giver = chance.randrange(4)
        hangzhou = rules == "hangzhou"
        dealer = self.giver if hangzhou and not robbed else chance.randrange(4)
        a, b, c, d = (chance.randrange(12) if seat == self.giver else 100 for seat in range(4))
        self.state = apply(
            None,
            GameStarted(
                rules=rules,
                options={"multi_win": True, **options},
                dealer=dealer,
                streak=3 if hangzhou else None,
                points=(a, b, c, d),
            ),
        )
        self.do(HandStarted(dealer=dealer))
        self.do(Dealt())
        if hangzhou:
            self.do(IndicatorTurned(tile=self.free.pop().code))
        if robbed:
            other = (self.giver + chance.randint(1, 3)) % 4
            self.pass_turns_to(other)
            self.discard(self.tile)
            self.do(Claimed(seat=self.giver, meld=f"p{format_tiles([self.tile] * 3)}"))
            self.do(Discarded(seat=self.giver, tile=self.unheld().code))
        self.pass_turns_to(self.giver)
        if robbed:
            self.do(Drawn(seat=self.giver))
            self.do(AddedKong(seat=self.giver, tile=self.tile.code))
        else:
            self.discard(self.tile)
        seats = chance.sample([seat for seat in range(4) if seat != self.giver], len(hands))
        self.wins = [Won(seat=s, hand=format_tiles(hand)) for s, hand in zip(seats, hands, strict=True)]

    @property
    def hand(self) -> HandInPlay:
        assert self.state.hand is not None
        return self.state.hand

    def do(self, event: Event) -> None:
        self.state = apply(self.state, event)

    def unheld(self) -> Tile:
        known, copies = self.hand.known, self.state.house.copies
        return next(kind for kind in self.free if known[kind.index] < copies[kind.index])

    def discard(self, tile: Tile) -> None:
        """Whose turn it is draws, if not the dealer at first, and discards the tile."""
        seat = self.hand.turn
        if self.hand.phase is Phase.CLAIM:
            self.do(Drawn(seat=seat))
        self.do(Discarded(seat=seat, tile=tile.code))

    def pass_turns_to(self, seat: int) -> None:
        while self.hand.turn != seat:
            self.discard(self.unheld())


def tables(rules: str, options: dict[str, Any], *, robbed: bool) -> Iterator[Table]:
    """Tables at which each of the wins may be told."""
    print(f"seed {SEED}")
    chance, found = random.Random(f"{SEED} {rules} {options} {robbed}"), 0
    while found < TABLES:
        table = Table(rules, options, chance, robbed=robbed)
        try:
            for win in table.wins:
                apply(table.state, win)
        except EventError:
            continue  # a Ping Hu, another game's dealer
        found += 1
        yield table


def told(state: State, wins: tuple[Won, ...] | list[Won]) -> State:
    for win in wins:
        state = apply(state, win)
    return state


def paid(before: State, after: State) -> Points:
    a, b, c, d = (now - then for now, then in zip(after.balances, before.balances, strict=True))
    return a, b, c, d


@pytest.mark.parametrize("robbed", [False, True], ids=["a discard", "a kong"])
@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_order_in_which_winners_are_reported_decides_nothing(
    house: tuple[str, dict], robbed: bool
) -> None:
    for table in tables(*house, robbed=robbed):
        ends = [told(table.state, wins) for wins in permutations(table.wins)]
        for state in ends:
            assert state.points == ends[0].points
            assert (state.deal, state.hands, state.over) == (ends[0].deal, ends[0].hands, ends[0].over)
            assert of_each(state) == of_each(ends[0])
            assert sum(state.points) == sum(table.state.points)
            assert min(state.points) >= 0 or state.house.may_owe
            assert all(sum(entry.points) == 0 for entry in state.ledger)


def of_each(state: State) -> dict[int, tuple[Points, Points]]:
    """What each winner is paid: by the ledger, what was taken back left out; by the result."""
    assert state.hand is not None
    back = {entry.cancels for entry in state.ledger}
    booked = {
        entry.seat: entry.points
        for number, entry in enumerate(state.ledger)
        if entry.reason is PaymentReason.WIN and number not in back
    }
    return {each.winner: (booked[each.winner], each.score.payments) for each in state.hand.results}


@pytest.mark.parametrize("robbed", [False, True], ids=["a discard", "a kong"])
@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_each_is_paid_as_if_alone_but_not_by_winners(house: tuple[str, dict], robbed: bool) -> None:
    """And by a purse that is too small the first of them first, who deals next where the winner does and the
    dealer is none of them."""
    for table in tables(*house, robbed=robbed):
        state, expected = table.state, [0, 0, 0, 0]
        purses = [sys.maxsize if state.house.may_owe else balance for balance in state.balances]
        first = state.deal.dealer if house[0] == "hangzhou" else table.giver
        wins = {win.seat: win for win in table.wins}
        in_order = sorted(wins, key=lambda seat: (seat - first) % 4)
        for seat in in_order:
            for payer, gets in enumerate(alone(table, wins[seat])):
                pays = 0 if payer in wins else min(-gets, purses[payer])
                purses[payer] -= pays
                expected[payer] -= pays
                expected[seat] += pays
        after = told(state, table.wins)
        assert paid(state, after) == tuple(expected)
        if state.house.rotation.to_winner:
            dealer = state.deal.dealer
            assert after.deal.dealer == (dealer if dealer in wins else in_order[0])


def alone(table: Table, win: Won) -> Points:
    """What that win is paid where nobody else wins and the giver of the tile has points in plenty."""
    moved = [0, 0, 0, 0]
    moved[table.giver], moved[win.seat] = PLENTY, -PLENTY
    a, b, c, d = moved
    rich = apply(table.state, PointsMoved(points=(a, b, c, d), why=""))
    return paid(rich, apply(rich, win))


def test_manual_reversal_stays() -> None:
    for table in tables("hong_kong", {}, robbed=False):
        first, *others = table.wins
        state = apply(apply(table.state, first), EntryCancelled(entry=0, why="a slip"))
        state = told(state, others)
        winners = {win.seat for win in others}
        assert state.ledger[0].seat == first.seat
        assert {e.seat for e in state.ledger[2:]} <= winners
        assert paid(table.state, state)[first.seat] == 0
