"""The luck of a hand: how much better a player's tiles were than the mean.

The simulation knows every hand, and so what the next tile may be: any of those left in the wall, each as
likely. The value of a draw, less the mean value of draws from that wall, is zero in the long run, whoever
plays and however well. As much of it is subtracted from payments as makes these vary least (control
variates): the mean stays, and its interval gets narrower.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.seen import SeatView
from companion.coach.value.judge import HandStatus, HandView, Judge
from companion.coach.value.payoff import Memory, Payoff
from companion.rules import Source
from companion.table.events import Drawn, Event
from companion.table.state import HandState, State
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Meld, Tile, counts

Floats = NDArray[np.float64]
FARTHEST = 3
"""Hands that are this many tiles from ready, or more, are treated alike."""
OWN, PAYS = FARTHEST + 1, 2 * (FARTHEST + 1)
WEIGHED = PAYS + 2
"""The properties of a draw for a player: whether it helps, by the hand's distance to ready, another player's
draw and then the player's own; and what it wins, on a discard and self-drawn."""
FEWEST = 10
"""Walls required for each property before anything is subtracted."""


class Luck:
    """Weighs the draws of hands by one table's rules."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._memories = [Memory() for _ in range(4)]

    def weigh(self, before: State, event: Event) -> Floats:
        """The value of that draw for each seat relative to the mean draw, (4, WEIGHED); zeros for other
        events. `before`: the state in which it was drawn, all of it known."""
        found = np.zeros((4, WEIGHED))
        hand = before.hand
        if hand is None or not isinstance(event, Drawn) or event.tile is None:
            return found
        wall = np.array(list(before.house.copies), float) - list(hand.known)
        beside = -wall / wall.sum()
        beside[Tile.parse(event.tile).index] += 1
        for seat in before.house.seats:
            own = seat == event.seat
            helped = self._find_help(before, hand, seat, own)
            found[seat, helped.at] = helped.useful @ beside
            if helped.pays is not None:
                found[seat, PAYS + own] = helped.pays @ beside
        return found

    def _find_help(self, state: State, hand: HandState, seat: int, own: bool) -> _Help:
        player = hand.players[seat]
        melds = list_known_melds(player)
        status = self._judge.assess(HandView(player.concealed, melds, None, hand.fortune))
        useful = np.zeros(len(KINDS))
        useful[[kind.tile.index for kind in status.useful]] = 1.0
        at = OWN * own + min(FARTHEST, max(0, status.shanten))
        if status.shanten > 0:
            return _Help(at, useful, None)
        return _Help(at, useful, self._list_pays(state, seat, melds, status, own))

    def _list_pays(
        self, state: State, seat: int, melds: tuple[Meld, ...], status: HandStatus, own: bool
    ) -> Floats:
        """What each kind wins a ready hand, (42,)."""
        payoff = Payoff(SeatView(state, seat), self._memories[seat])
        assert state.hand is not None
        held = counts(state.hand.players[seat].concealed)
        pays = np.zeros(len(KINDS))
        for kind in status.useful:
            full = held.copy()
            full[kind.tile.index] += 1
            source = Source.SELF_DRAW if own else Source.DISCARD
            pays[kind.tile.index] = payoff.pay(bytes(full), melds, kind.tile, source)
        return pays


class _Help(NamedTuple):
    """Which property a draw is, the kinds that help (42,), and what they win for a ready hand."""

    at: int
    useful: Floats
    pays: Floats | None


def compare(weighed: Floats, seat: int, seats: tuple[int, ...]) -> Floats:
    """The values for one seat relative to the mean of the others, (WEIGHED,), from those of each seat (4,
    WEIGHED)."""
    others = [other for other in seats if other != seat]
    found: Floats = weighed[seat] - weighed[others].mean(axis=0)
    return found


def start_sums() -> dict[str, Any]:
    """The sums of no walls."""
    return {"luck": [0.0] * WEIGHED, "luck_paid": [0.0] * WEIGHED, "luck_luck": [[0.0] * WEIGHED] * WEIGHED}


def add_wall(sums: dict[str, Any], luck: Floats, paid: float) -> None:
    """Add what a wall brought and paid to the sums."""
    sums["luck"] = (np.array(sums["luck"]) + luck).tolist()
    sums["luck_paid"] = (np.array(sums["luck_paid"]) + luck * paid).tolist()
    sums["luck_luck"] = (np.array(sums["luck_luck"]) + np.outer(luck, luck)).tolist()


def take_off(sums: dict[str, Any]) -> tuple[float, float]:
    """The mean payment of walls without their luck, and its variance from wall to wall; with all of it, if
    there are few walls. sums: `walls`, `paid`, `paid_squared` and those of `add_wall`."""
    walls = int(sums["walls"])
    mean = sums["paid"] / walls
    spread = sums["paid_squared"] - walls * mean * mean
    if walls < FEWEST * WEIGHED:
        return mean, spread / max(1, walls - 1)
    luck = np.array(sums["luck"]) / walls
    together = np.array(sums["luck_luck"]) - walls * np.outer(luck, luck)
    with_paid = np.array(sums["luck_paid"]) - walls * luck * mean
    share = np.linalg.lstsq(together, with_paid, rcond=None)[0]
    rest = spread - float(share @ with_paid)
    return mean - float(share @ luck), max(0.0, rest) / (walls - 1 - WEIGHED)
