"""A win let go without a word counts exactly like one passed up aloud (S-02), until the same draw (S-03)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, MutableSequence
from typing import Any

import pytest

from companion.errors import EventError
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Call,
    Called,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    WinPassed,
)
from companion.table.moves import find_waits
from companion.table.state import HandState, OfferKind, State, changed
from companion.table.wins import would_win
from companion.tiles import MeldKind
from tests.table.random_table import Table

pytestmark = pytest.mark.slow

WAYS = ("until_next_draw", "same_tile_until_next_draw")
HOUSES: list[tuple[str, dict[str, Any]]] = [
    (rules, {"missed_win": way, **options})
    for way in WAYS
    for rules, options in (
        ("hefei", {"allow_chow": True}),
        ("hebei", {"ping_hu_free": True}),
        ("hebei", {"rob_concealed_for_13_orphans": True, "kong_after_claim": True, "multi_win": True}),
        ("taiwanese", {}),
        ("hong_kong", {}),
        ("hong_kong", {"min_fan": 3}),
        ("hong_kong", {"moving_dead_wall": True, "flowers": False}),
        ("hangzhou", {"white_stands_for_fortune": True, "rob": "always"}),
    )
]
SEED = 20261122
HANDS = 5
RARELY = 0.1
IN_THREES = 0.7


class InThrees(random.Random):
    """Shuffles tiles so that of each kind three lie together: players are dealt what makes kongs."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        super().shuffle(x)
        if self.random() < IN_THREES:
            kinds = dict.fromkeys(x)
            threes = [[kind] * 3 for kind in kinds if x.count(kind) > 3]
            ones = list(kinds)
            super().shuffle(ones)
            x[:] = [tile for three in threes for tile in (*three, ones.pop())] + ones


class Forgoing(Table):
    """A table of players who let wins go, feed one another, and claim what they can, kongs first."""

    def __init__(self, rules: str, options: dict[str, Any], seed: int) -> None:
        super().__init__(rules, options, seed)
        self.random = InThrees(seed)

    def wins(self, seat: int) -> bool:
        return self.random.random() < RARELY and super().wins(seat)

    def turn(self) -> None:
        house, hand = self.state.house, self.hand
        others = [player for seat, player in enumerate(hand.players) if seat != hand.turn and player.count]
        waited = {tile for player in others for tile in find_waits(house, hand, player)}
        held = sorted(waited.intersection(hand.players[hand.turn].concealed))
        fed = held and self.random.random() > RARELY
        if not (fed and self.attempt(Discarded(seat=hand.turn, tile=self.random.choice(held).code))):
            super().turn()

    def after_a_discard(self, hand: HandState) -> None:
        melds = [
            (seat, meld) for seat in self.others(hand) for meld in list_claims(self.state.house, hand, seat)
        ]
        equal = [(seat, meld) for seat, meld in melds if meld.kind is not MeldKind.CHOW]
        if equal and self.random.random() > RARELY:
            seat, meld = equal[0]
            self.do(Claimed(seat=seat, meld=str(meld)))
        else:
            super().after_a_discard(hand)


def offered(state: State) -> HandState | None:
    """The hand, where a tile is on offer that others may win on."""
    hand = state.hand
    if not state.playing or hand is None or hand.offer is None or hand.offer.kind is OfferKind.FLOWER:
        return None
    return hand


def winners(state: State) -> list[int]:
    hand = offered(state)
    if hand is None or hand.offer is None:
        return []
    others = [seat for seat in state.house.seats if seat != hand.offer.seat]
    return [seat for seat in others if would_win(state, seat) is not None]


def may_call(state: State) -> list[bool]:
    """Who may call a win on the tile on offer."""
    return [allowed(state, Called(seat=seat, call=Call.WIN)) for seat in state.house.seats]


def allowed(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except EventError:
        return False
    return True


def said(log: Iterable[Event]) -> Iterator[Event]:
    """The log, in which whoever lets a win go says so."""
    state: State | None = None
    for event in log:
        if state is not None and isinstance(event, Drawn | Claimed):
            for seat in winners(state):
                yield (passed := WinPassed(seat=seat))
                state = apply(state, passed)
        state = apply(state, event)
        yield event


def compare(spoken: Iterable[Event]) -> tuple[int, int]:
    """How many wins were let go in the log, and how many barred: the same where nobody says that one is."""
    silent: State | None = None
    state: State | None = None
    gone = barred = 0
    for event in spoken:
        state = apply(state, event)
        if isinstance(event, WinPassed):
            gone += 1
            continue
        silent = apply(silent, event)
        if isinstance(event, Discarded | AddedKong | ConcealedKong) and offered(silent):
            assert winners(silent) == winners(state)
            assert may_call(silent) == may_call(state)
            barred += len(unbarred(silent)) - len(winners(silent))
    return gone, barred


def unbarred(state: State) -> list[int]:
    """Who would win if nothing had been let go."""
    hand = state.hand
    assert hand is not None
    a, b, c, d = (changed(player, let_go=()) for player in hand.players)
    return winners(changed(state, hand=changed(hand, players=(a, b, c, d))))


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_said_or_not_a_win_let_go_bars_the_same(house: tuple[str, dict]) -> None:
    print(f"seed {SEED}")
    table = Forgoing(*house, SEED)
    while table.state.hands < HANDS and not table.state.over:
        table.play_hand()
    gone, barred = compare(said(table.log))
    print(f"{gone} wins let go, {barred} barred")
    assert gone
