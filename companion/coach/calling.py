"""What a call of ready is worth, beside a hand that is ready and stays silent.

Who has called is paid for it, and bound: the wait stays as it is, whatever is drawn and does not win is
discarded, and at some tables no win may be passed up. Who stays silent may change the wait, keep a dangerous
tile, and call on a later turn. Others are taken to play on as they did, whoever calls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach import messages
from companion.coach.danger import Dangers
from companion.coach.held_tiles import list_tiles, put_in, take_out
from companion.coach.outlook import Outlook
from companion.coach.payoff import CALLS, Payoff
from companion.coach.ready import Waits, Worths, sum_waits
from companion.coach.seen import Seen
from companion.coach.views import View
from companion.table.apply import apply
from companion.table.events import Discarded, ReadyDeclared
from companion.tiles import KINDS, Meld, Tile

KINDS_OF_HANDS = 34
OWN_SHARE = 0.27
"""Of others' wins among built-in players, those on the own discards: of a hundred hands each deals in in 20,
and others win 74 (docs/reckoning.md, Taiwanese)."""
TRUE_OF_CHANGES = 0.5
"""So much of what a silent hand gains by changing its wait is taken to come true: counted in full, 19 hands
that stayed silent for it were said to gain 0.33 by that, and lost 0.78 (± 1.61)."""
WIDER = 2
"""By so many unseen tiles at least a wait must be wider that is changed to."""
_Key = tuple[bytes, tuple[Meld, ...]]


class Apart(NamedTuple):
    """By how much a ready hand is worth more, and wins oftener, than one that has called for the usual row:
    which all hands are taken to do that are not ready yet. wins: how often that one wins. more, more_often:
    what a wait that may be changed adds to both."""

    value: float
    often: float
    wins: float
    more: float = 0.0
    more_often: float = 0.0


class Silence(NamedTuple):
    """Why a hand stays silent, as one of the coach's sentences; widens: the unseen tiles that improve its
    wait."""

    template: str
    widens: int = 0


class Calling:
    """Weighs ready hands of one position, as those of somebody who calls, and who does not."""

    def __init__(self, outlook: Outlook, seen: Seen, dangers: Dangers) -> None:
        self._outlook, self._seen = outlook, seen
        course, left = outlook.course, np.array(outlook.left[:KINDS_OF_HANDS], float)
        self._share = left / max(1.0, float(left.sum()))
        self._hazards = (1 - OWN_SHARE) * np.array(course.hazards)
        self.risks = [dangers.risk(kind) for kind in KINDS[:KINDS_OF_HANDS]]
        """Of each of the 34 kinds the chance to deal in now, and what that costs."""
        risks = np.array(self.risks)
        now = float(self._share @ risks[:, 0])
        self._cost = float(self._share @ risks.prod(axis=1)) / max(now, 1e-9)
        more = np.maximum(0.0, OWN_SHARE * np.array(course.hazards) - now)
        self._dangers = np.minimum(1.0, risks[:, 0] + more[:, None])  # (draws, 34): of each draw to come
        self._folded = self._fold()
        usual = seen.player.ready or seen.state.house.policy.ready.situation
        self._passes = not seen.state.house.policy.ready.must_win
        self._payoffs = {CALLS: outlook.payoff, usual: outlook.payoff}
        self._silent: dict[_Key, Apart] = {}

    def is_ready(self, held: bytes, melds: tuple[Meld, ...]) -> bool:
        """Whether a hand between turns (42 counts) is ready."""
        view = View(list_tiles(held), melds, self._outlook.left, self._outlook.fortune)
        return self._outlook.judge.shanten(view) <= 0

    def find_payoff(self, situation: str) -> Payoff:
        """What hands pay in that situation: "" for one that stays silent, or CALLS."""
        if situation not in self._payoffs:
            self._payoffs[situation] = Payoff(self._seen, ready=situation)
        return self._payoffs[situation]

    def find_situation(self, out: Tile) -> str:
        """The situation that a call now, with that discard, brings."""
        seat = self._seen.seat
        called = apply(self._seen.state, ReadyDeclared(seat=seat))
        after = apply(called, Discarded(seat=seat, tile=out.code)).hand
        return (after.players[seat].ready if after else None) or ""

    def weigh_called(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> Apart:
        """Of a hand (42 counts) that has called: what its call is paid for, the wait as it is now."""
        return self._set_apart(self._weigh_bound(held, melds, situation), held, melds)

    def weigh_silent(self, held: bytes, melds: tuple[Meld, ...]) -> Apart:
        """Of a hand that has not, and does on a later turn, or changes its wait, or gives up."""
        found = self._silent.get((held, melds))
        if found is None:
            found = self._silent[held, melds] = self._weigh_silent(held, melds)
        return found

    def _weigh_silent(self, held: bytes, melds: tuple[Meld, ...]) -> Apart:
        bound, waits = self._weigh_bound(held, melds, CALLS), self._sum_waits(held, melds, "")
        kept = self._go_on(waits, passes=True, bound=bound)
        changes = self._list_changes(held, melds)
        freely = self._go_on(waits, passes=True, bound=bound, changes=changes)
        more, more_often = (TRUE_OF_CHANGES * (freely[-1] - kept[-1])).tolist()
        return self._set_apart(kept, held, melds)._replace(more=more, more_often=more_often)

    def find_bonus(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> float:
        """What everybody who pays for a win of this hand pays more for the call; 0 where it wins nothing."""
        called, silent = (self._sum_waits(held, melds, each).tiles for each in (situation, ""))
        more = [0.0]
        for at, (drawn, taken) in called.items():
            plain_drawn, plain_taken = silent.get(at, (0.0, 0.0))
            more.append(taken - plain_taken if taken else (drawn - plain_drawn) / self._outlook.course.others)
        return max(more)

    def explain_silence(self, held: bytes, melds: tuple[Meld, ...]) -> Silence:
        """What the hand stays silent for, in the first way without which a call now was worth more."""
        bound, waits = self._weigh_bound(held, melds, CALLS), self._sum_waits(held, melds, "")
        kept, changes = self._go_on(waits, passes=True, bound=bound), self._list_changes(held, melds)
        if changes and kept[-1, 0] <= bound[-1, 0]:
            return Silence(messages.SILENT_WIDENS, sum(self._outlook.left[at] for at in changes))
        forced = self._go_on(waits, passes=False, bound=bound)
        passes = forced[-1, 0] <= bound[-1, 0] < kept[-1, 0]
        return Silence(messages.SILENT_PASSES if passes else messages.SILENT_SAFER)

    def _set_apart(self, worths: Worths, held: bytes, melds: tuple[Meld, ...]) -> Apart:
        usual = self._go_on(self._sum_waits(held, melds, CALLS), passes=True)
        value, often = (worths[-1] - usual[-1]).tolist()
        return Apart(value, often, float(usual[-1, 1]))

    def _weigh_bound(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> Worths:
        return self._go_on(self._sum_waits(held, melds, situation), passes=self._passes)

    def _go_on(
        self,
        waits: Waits,
        *,
        passes: bool,
        bound: Worths | None = None,
        changes: dict[int, list[tuple[int, Worths]]] | None = None,
    ) -> Worths:
        """A hand draw by draw, from the last one on. passes: whether it may pass up a win on a discard.
        bound: of the same hand as one that has called, None where it has. changes: what a kind that is drawn
        leads to, each a kind that is discarded, and the worth after it."""
        missed = self._share.copy()
        missed[[at for at, (drawn, _) in waits.tiles.items() if drawn > 0]] = 0.0
        loss, worths = self._outlook.course.loss, [np.zeros(2)]
        for left in range(1, len(self._hazards) + 1):
            hazard, danger = self._hazards[-left], self._dangers[-left]
            kept = worths[-1]
            if bound is not None and bound[left - 1, 0] > kept[0]:
                kept = bound[left - 1]
            after = self._discard(kept, danger)
            if bound is not None:
                for at, ways in (changes or {}).items():
                    for out, worth in ways:
                        turned = self._discard(worth[left - 1], danger)[out]
                        if turned[0] > after[at, 0]:
                            after[at] = turned
                gives_up = self._folded[left - 1] > after[:, 0]
                after[gives_up] = self._folded[left - 1], 0.0
            later = np.array((waits.pays_drawn, waits.draw)) + missed @ after
            later = (1 - hazard) * later - hazard * np.array((loss, 0.0))
            if not passes or waits.on_discard > later[0]:
                later = waits.claim * np.array((waits.on_discard, 1.0)) + (1 - waits.claim) * later
            worths.append(later)
        return np.array(worths)

    def _discard(self, worth: NDArray[np.float64], danger: NDArray[np.float64]) -> Worths:
        """What a hand is worth after each kind is discarded, (34, 2), that deals in so often."""
        after: Worths = (1 - danger)[:, None] * worth
        after[:, 0] -= danger * self._cost
        return after

    def _fold(self) -> NDArray[np.float64]:
        """What who discards safe tiles only is paid, by draws left, (draws + 1,)."""
        worths = [0.0]
        for hazard in reversed(self._hazards):
            worths.append((1 - hazard) * worths[-1] - hazard * self._outlook.course.loss)
        return np.array(worths)

    def _list_changes(self, held: bytes, melds: tuple[Meld, ...]) -> dict[int, list[tuple[int, Worths]]]:
        """Wider waits that a ready hand can turn to, by the kind that is drawn and does not win: the kind
        discarded, and the worth of having called then."""
        judge, left, fortune = self._outlook.judge, self._outlook.left, self._outlook.fortune
        now = judge.assess(View(list_tiles(held), melds, left, fortune)).live
        waits = self._sum_waits(held, melds, "").tiles
        found: dict[int, list[tuple[int, Worths]]] = {}
        for at in range(KINDS_OF_HANDS):
            if not left[at] or (at in waits and waits[at][0] > 0):
                continue
            more = put_in(held, KINDS[at])
            for choice in judge.discards(View(list_tiles(more), melds, left, fortune)):
                out = choice.discard.index
                if choice.after.shanten == 0 and out != at and choice.after.live >= now + WIDER:
                    rest = take_out(more, choice.discard)
                    found.setdefault(at, []).append((out, self._weigh_bound(rest, melds, CALLS)))
        return found

    def _sum_waits(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> Waits:
        return sum_waits(self._outlook, self.find_payoff(situation), held, melds)
