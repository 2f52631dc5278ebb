"""The value of every choice of a position: a first estimate, then a better one, exact for the last draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import NamedTuple

from companion.coach.seen import SeatView
from companion.coach.value.chances import Chances, find_threat
from companion.coach.value.choices import Branch
from companion.coach.value.corrections import load_corrections
from companion.coach.value.danger import Dangers, risk
from companion.coach.value.endgame import Endgame, Interrupted
from companion.coach.value.estimates import QUICK, THOROUGH, Effort, Estimate, Estimator
from companion.coach.value.judge import remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import CALLS
from companion.coach.value.ready import CallDifference, Calling
from companion.table.claims import pay_kong
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, Event, ReadyDeclared
from companion.tiles import Meld, MeldKind, Tile, parse_meld


class Kong(NamedTuple):
    """A kong to be declared, and the seat whose discard it claims."""

    kind: MeldKind
    discarder: int | None = None


def find_kong(seen: SeatView, do: Event | None) -> Kong | None:
    """The kong that the event declares; None for another event."""
    match do:
        case ConcealedKong():
            return Kong(MeldKind.KONG_CONCEALED)
        case AddedKong():
            return Kong(MeldKind.KONG_ADDED)
        case Claimed() if parse_meld(do.meld).kind.is_kong and seen.hand.offer is not None:
            return Kong(MeldKind.KONG_DISCARD, seen.hand.offer.seat)
    return None


def expect_kong_pay(seen: SeatView, do: Event | None) -> float:
    """The mean immediate payment for the kong that the event declares, whoever wins later; 0 for another
    event.

    An added kong that is robbed is paid nothing: its payment counts by the chance that it is not.
    """
    paid = float(count_kong_points(seen, do))
    if paid and isinstance(do, AddedKong):
        paid *= 1 - risk(seen, Tile.parse(do.tile))[0]
    return paid


def count_kong_points(seen: SeatView, do: Event | None) -> int:
    """The points that the table books for the kong that the event declares; 0 for another event."""
    kong = find_kong(seen, do)
    if kong is None:
        return 0
    before = seen.state
    after = pay_kong(before, kong.kind, seen.seat, kong.discarder)
    person = before.seated[seen.seat]
    return sum(entry.points[person] for entry in after.ledger[len(before.ledger) :])


def is_kong_pay_refunded(seen: SeatView) -> bool:
    """Whether payments for kongs are returned where the hand is drawn."""
    return bool(seen.state.house.policy.kongs.refund)


PASS_OVERRATED = 0.16
"""Passing on a tile that brings the hand nearer is overrated by this share of a usual win: in 170 such
decisions, each played out a dozen times or more with the same tiles after either choice."""
MAX_CALL_RATIO = 2.0
"""The effect of a call of ready is corrected as the hand's chance to win is, by up to this factor."""
EXACT_DRAWS = 2
"""Maximum number of the player's remaining draws for which values are exact."""


class Value(NamedTuple):
    """The value of a choice.

    mean: the mean payment; error: its standard error. win_rate: the chance to win. then: the best discard
    after a claim. row, pays: the row that is aimed at, and what it pays. expensive: whether cheaper hands are
    passed up for it. continues: the hand is neither ready nor given up, so that tiles it does not need are
    still discarded.
    """

    mean: float
    error: float
    win_rate: float
    then: Tile | None
    row: str
    pays: float
    expensive: bool
    continues: bool = False


class _After(NamedTuple):
    """A hand between turns that a branch leads to: the branch, and the discard (None: none)."""

    branch: int
    out: Tile | None


class Valuer:
    """Values the branches of one position, again and again, each time more precisely."""

    def __init__(self, outlook: Outlook, seen: SeatView, branches: list[Branch]) -> None:
        self._seen, self._branches, self._outlook = seen, branches, outlook
        self._chances, self._unsure, self._wild = outlook.chances, outlook.rates.unsure[0], outlook.wild
        learned = load_corrections(outlook.judge.rules.name)
        self._estimator = Estimator(outlook, learned, find_threat(seen))
        self._replaced = [find_kong(seen, branch.do) is not None for branch in branches]
        self._kong_pays = [expect_kong_pay(seen, branch.do) for branch in branches]
        may_call = seen.state.house.policy.ready.declared
        self.calling = Calling(outlook, seen, Dangers(seen)) if may_call else None
        self._nobody_wins = (
            prod(1 - hazard for hazard in self._chances.hazards) if is_kong_pay_refunded(seen) else 0.0
        )

    def values(self, stop: Callable[[], bool]) -> Iterator[list[Value]]:
        """The branches' values, in their order, until `stop` returns True or no better answer is possible."""
        yield self._estimate(QUICK)
        if stop():
            return
        if self._chances.draws <= EXACT_DRAWS:
            try:
                yield self._calculate_exactly(self._chances, stop)
                return
            except Interrupted:
                return
        yield self._estimate(THOROUGH)

    def _estimate(self, effort: Effort) -> list[Value]:
        best: dict[int, tuple[Estimate, Tile | None]] = {}
        for melds, afters, outs in self._group_branches():
            whole = self._make_whole(afters[0])
            ahead = self._count_ahead(afters[0])
            at_once = self._replaced[afters[0].branch]
            kinds = None if outs is None else list(dict.fromkeys(outs))
            weighed = self._estimator.evaluate(whole, melds, kinds, effort, ahead, at_once)
            of_out = dict(zip(dict.fromkeys(after.out for after in afters), weighed, strict=True))
            for after in afters:
                found = self._settle_call(of_out[after.out], after)
                if after.branch not in best or found.value > best[after.branch][0].value:
                    best[after.branch] = found, after.out
        values = []
        for number, branch in enumerate(self._branches):
            found, out = best[number]
            error = self._unsure * found.brings
            mean = found.value + self._expect_kong_pay(number, found.wins)
            if branch.do is None and any(each.lacking < found.lacking for each, _ in best.values()):
                mean -= PASS_OVERRATED * found.usual
            then = out if branch.discards else None
            continues = found.lacking > 1 and not found.folds
            values.append(
                Value(mean, error, found.wins, then, found.row, found.pays, found.expensive, continues)
            )
        return values

    def _settle_call(self, found: Estimate, after: _After) -> Estimate:
        """The estimate of a ready hand, with a call of ready or without."""
        calling, branch = self.calling, self._branches[after.branch]
        if calling is None or self._replaced[after.branch]:
            return found
        held = (
            branch.held if after.out is None or not branch.discards else remove_tile(branch.held, after.out)
        )
        if not calling.is_ready(held, branch.melds):
            return found
        difference = self._evaluate_call(calling, branch, after.out, held)
        share = min(MAX_CALL_RATIO, found.wins / difference.wins) if difference.wins else 1.0
        value = found.continuing + share * difference.value + difference.more
        may_fold = found.folds and not self._seen.player.ready and not isinstance(branch.do, ReadyDeclared)
        folds = may_fold and found.value > value
        wins = min(1.0, max(0.0, found.wins + share * difference.often + difference.more_often))
        return found._replace(value=found.value if folds else value, wins=wins, folds=folds)

    def _evaluate_call(
        self, calling: Calling, branch: Branch, out: Tile | None, held: bytes
    ) -> CallDifference:
        """Of a hand that the branch leaves ready; after a claim it may call before the discard."""
        if self._seen.player.ready:
            return calling.evaluate_call(held, branch.melds, CALLS)
        if isinstance(branch.do, ReadyDeclared) and out is not None:
            return calling.evaluate_call(held, branch.melds, calling.find_situation(out))
        silent = calling.evaluate_silence(held, branch.melds)
        if branch.discards and silent.value + silent.more < 0:
            return calling.evaluate_call(held, branch.melds, CALLS)
        return silent

    def _expect_kong_pay(self, branch: int, wins: float) -> float:
        """The mean immediate payment of that branch's kong; wins: the chance that the hand wins."""
        return self._kong_pays[branch] * (1 - (1 - wins) * self._nobody_wins)

    def _count_ahead(self, after: _After) -> int:
        """The number of opponents who discard before the player's next draw."""
        seen, seats = self._seen, len(self._seen.state.house.seats)
        offer = seen.hand.offer
        if after.out is not None or offer is None or self._branches[after.branch].do is not None:
            return seats - 1  # after a kong, too: the tile that replaces it is drawn at once
        return (seen.seat - offer.seat - 1) % seats

    def _group_branches(self) -> Iterator[tuple[tuple[Meld, ...], list[_After], list[Tile] | None]]:
        """The hands that branches lead to: those that differ in one discard together, others alone."""
        together: dict[tuple[Meld, ...], list[_After]] = {}
        for number, branch in enumerate(self._branches):
            for out in branch.discards or (_find_discard(branch),):
                if out is None or (self._wild is not None and out is self._wild.tile):
                    yield branch.melds, [_After(number, out)], None
                else:
                    together.setdefault(branch.melds, []).append(_After(number, out))
        for melds, afters in together.items():
            yield melds, afters, [after.out for after in afters if after.out is not None]

    def _make_whole(self, after: _After) -> bytes:
        """The tiles before a discard that is compared with others, after one that is not."""
        branch, out = self._branches[after.branch], after.out
        if out is None:
            return branch.held
        wild = self._wild is not None and out is self._wild.tile
        more = int(not branch.discards) - int(wild)
        return (
            branch.held[: out.index] + bytes((branch.held[out.index] + more,)) + branch.held[out.index + 1 :]
        )

    def _calculate_exactly(self, chances: Chances, stop: Callable[[], bool]) -> list[Value]:
        found = []
        searches: dict[tuple[Meld, ...], tuple[Endgame, Endgame | None]] = {}
        for number, branch in enumerate(self._branches):
            if branch.melds not in searches:
                searches[branch.melds] = self._make_endgames(branch.melds, chances, stop)
            free, bound = searches[branch.melds]
            best: Value | None = None
            for then, held in _list_afters(branch):
                for look in self._choose_endgames(branch, held, free, bound):
                    evaluate = look.evaluate_after_draw if self._replaced[number] else look.evaluate
                    mean, wins = evaluate(held, self._outlook.left, chances.draws)
                    mean += self._expect_kong_pay(number, wins)
                    if best is None or mean > best.mean:
                        best = Value(mean, 0.0, wins, then, "", 0.0, False)
            assert best is not None
            found.append(best)
        return found

    def _make_endgames(
        self, melds: tuple[Meld, ...], chances: Chances, stop: Callable[[], bool]
    ) -> tuple[Endgame, Endgame | None]:
        """The searches with these melds: without a call of ready, and with one; None if the game has no
        calls."""
        outlook, calling = self._outlook, self.calling
        judge, fortune = outlook.judge, outlook.fortune
        if calling is None:
            return (
                Endgame(judge.rules, judge.options, melds, fortune, outlook.payoff, chances, stop),
                None,
            )
        bound = Endgame(
            judge.rules, judge.options, melds, fortune, outlook.payoff, chances, stop, risks=calling.risks
        )
        silent = calling.find_payoff("")
        return (
            Endgame(judge.rules, judge.options, melds, fortune, silent, chances, stop, called=bound),
            bound,
        )

    def _choose_endgames(
        self, branch: Branch, held: bytes, free: Endgame, bound: Endgame | None
    ) -> tuple[Endgame, ...]:
        """The searches that apply to the hand; after a claim that leaves it ready, both."""
        if bound is None:
            return (free,)
        if self._seen.player.ready or isinstance(branch.do, ReadyDeclared):
            return (bound,)
        assert self.calling is not None
        may_call = branch.discards and self.calling.is_ready(held, branch.melds)
        return (free, bound) if may_call else (free,)


def _find_discard(branch: Branch) -> Tile | None:
    """What the branch discards; None if it does not."""
    do = branch.do
    return Tile.parse(do.tile) if isinstance(do, Discarded) and do.tile is not None else None


def _list_afters(branch: Branch) -> Iterator[tuple[Tile | None, bytes]]:
    """The hands between turns that a branch leads to, with the discard that follows a claim."""
    if not branch.discards:
        yield None, branch.held
    for tile in branch.discards:
        yield tile, remove_tile(branch.held, tile)
