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
from companion.coach.value.judge import take_out
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import CALLS
from companion.coach.value.ready import CallDifference, Calling
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, Event, ReadyDeclared
from companion.table.kongs import pay_kong
from companion.tiles import Meld, MeldKind, Tile, parse_meld


class Kong(NamedTuple):
    """A kong to be laid, and whose discard it is claimed with."""

    kind: MeldKind
    discarder: int | None = None


def find_kong(seen: SeatView, do: Event | None) -> Kong | None:
    """The kong that is laid by that; None where it is none."""
    match do:
        case ConcealedKong():
            return Kong(MeldKind.KONG_CONCEALED)
        case AddedKong():
            return Kong(MeldKind.KONG_ADDED)
        case Claimed() if parse_meld(do.meld).kind.is_kong and seen.hand.offer is not None:
            return Kong(MeldKind.KONG_DISCARD, seen.hand.offer.seat)
    return None


def expect_kong_pay(seen: SeatView, do: Event | None) -> float:
    """What the player is paid for the kong that is laid by that, whoever wins later; 0 for anything else.

    An added kong that is robbed is paid nothing: it counts for how often it is not.
    """
    paid = float(count_kong_points(seen, do))
    if paid and isinstance(do, AddedKong):
        paid *= 1 - risk(seen, Tile.parse(do.tile))[0]
    return paid


def count_kong_points(seen: SeatView, do: Event | None) -> int:
    """The points that the table books for the kong that is laid by that; 0 for anything else."""
    kong = find_kong(seen, do)
    if kong is None:
        return 0
    before = seen.state
    after = pay_kong(before, kong.kind, seen.seat, kong.discarder)
    person = before.seated[seen.seat]
    return sum(entry.points[person] for entry in after.ledger[len(before.ledger) :])


def is_kong_pay_refunded(seen: SeatView) -> bool:
    """Whether what kongs were paid goes back where nobody wins."""
    return bool(seen.state.house.policy.kongs.refund)


PASS_OVERRATED = 0.16
"""By so much of a usual win leaving a tile that brings the hand nearer is said to be worth more than it is:
in 170 such decisions, each played out a dozen times or more, with the same tiles after either choice."""
MAX_CALL_RATIO = 2.0
"""What a call of ready changes is set right as the hand's chance to win is, up to so many times."""
EXACT_DRAWS = 2
"""From so few own draws on every course is reckoned."""


class Value(NamedTuple):
    """The mean payment of a choice, how far it may be off, how often it wins, the best discard after a claim,
    and what is aimed at: the row, what it pays, whether cheaper hands are passed by for it. goes_on: the hand
    is not ready, and not given up either, so that tiles which it does not need are discarded yet."""

    mean: float
    error: float
    win_rate: float
    then: Tile | None
    row: str
    pays: float
    expensive: bool
    continues: bool = False


class _After(NamedTuple):
    """A hand between turns that a branch leads to: by which branch, and discard (None: none)."""

    branch: int
    out: Tile | None


class Valuer:
    """Values the branches of one position, again and again, each time more surely."""

    def __init__(self, outlook: Outlook, seen: SeatView, branches: list[Branch]) -> None:
        self._seen, self._branches, self._outlook = seen, branches, outlook
        self._course, self._unsure, self._wild = outlook.course, outlook.rates.unsure[0], outlook.wild
        learned = load_corrections(outlook.judge.rules.name)
        self._estimator = Estimator(outlook, learned, find_threat(seen))
        self._replaced = [find_kong(seen, branch.do) is not None for branch in branches]
        self._kong_pays = [expect_kong_pay(seen, branch.do) for branch in branches]
        may_call = seen.state.house.policy.ready.declared
        self.calling = Calling(outlook, seen, Dangers(seen)) if may_call else None
        self._nobody_wins = (
            prod(1 - hazard for hazard in self._course.hazards) if is_kong_pay_refunded(seen) else 0.0
        )

    def values(self, stop: Callable[[], bool]) -> Iterator[list[Value]]:
        """The branches' values, in their order; it ends when `stop` says so, or nothing is to be gained."""
        yield self._estimate(QUICK)
        if stop():
            return
        if self._course.draws <= EXACT_DRAWS:
            try:
                yield self._calculate_exactly(self._course, stop)
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
        """The estimate of a hand that is ready, as one that has called, or stays silent."""
        calling, branch = self.calling, self._branches[after.branch]
        if calling is None or self._replaced[after.branch]:
            return found
        held = branch.held if after.out is None or not branch.discards else take_out(branch.held, after.out)
        if not calling.is_ready(held, branch.melds):
            return found
        apart = self._evaluate_call(calling, branch, after.out, held)
        share = min(MAX_CALL_RATIO, found.wins / apart.wins) if apart.wins else 1.0
        value = found.continuing + share * apart.value + apart.more
        may_fold = found.folds and not self._seen.player.ready and not isinstance(branch.do, ReadyDeclared)
        folds = may_fold and found.value > value
        wins = min(1.0, max(0.0, found.wins + share * apart.often + apart.more_often))
        return found._replace(value=found.value if folds else value, wins=wins, folds=folds)

    def _evaluate_call(
        self, calling: Calling, branch: Branch, out: Tile | None, held: bytes
    ) -> CallDifference:
        """Of a hand that the branch leaves ready; after a claim it may be called before the discard."""
        if self._seen.player.ready:
            return calling.evaluate_call(held, branch.melds, CALLS)
        if isinstance(branch.do, ReadyDeclared) and out is not None:
            return calling.evaluate_call(held, branch.melds, calling.find_situation(out))
        silent = calling.evaluate_silence(held, branch.melds)
        if branch.discards and silent.value + silent.more < 0:
            return calling.evaluate_call(held, branch.melds, CALLS)
        return silent

    def _expect_kong_pay(self, branch: int, wins: float) -> float:
        """What a kong of that branch is paid at once on the average; wins: how often the hand wins then."""
        return self._kong_pays[branch] * (1 - (1 - wins) * self._nobody_wins)

    def _count_ahead(self, after: _After) -> int:
        """How many opponents discard before the own next draw."""
        seen, seats = self._seen, len(self._seen.state.house.seats)
        offer = seen.hand.offer
        if after.out is not None or offer is None or self._branches[after.branch].do is not None:
            return seats - 1  # after a kong, too: the tile that replaces it is drawn at once
        return (seen.seat - offer.seat - 1) % seats

    def _group_branches(self) -> Iterator[tuple[tuple[Meld, ...], list[_After], list[Tile] | None]]:
        """The hands that branches lead to: those that differ in a discard together, others alone."""
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
        """The tiles before a discard that is weighed beside others, after one that is not."""
        branch, out = self._branches[after.branch], after.out
        if out is None:
            return branch.held
        wild = self._wild is not None and out is self._wild.tile
        more = int(not branch.discards) - int(wild)
        return (
            branch.held[: out.index] + bytes((branch.held[out.index] + more,)) + branch.held[out.index + 1 :]
        )

    def _calculate_exactly(self, course: Chances, stop: Callable[[], bool]) -> list[Value]:
        found = []
        looks: dict[tuple[Meld, ...], tuple[Endgame, Endgame | None]] = {}
        for number, branch in enumerate(self._branches):
            if branch.melds not in looks:
                looks[branch.melds] = self._make_endgames(branch.melds, course, stop)
            free, bound = looks[branch.melds]
            best: Value | None = None
            for then, held in _list_afters(branch):
                for look in self._choose_endgames(branch, held, free, bound):
                    evaluate = look.evaluate_after_draw if self._replaced[number] else look.evaluate
                    mean, wins = evaluate(held, self._outlook.left, course.draws)
                    mean += self._expect_kong_pay(number, wins)
                    if best is None or mean > best.mean:
                        best = Value(mean, 0.0, wins, then, "", 0.0, False)
            assert best is not None
            found.append(best)
        return found

    def _make_endgames(
        self, melds: tuple[Meld, ...], course: Chances, stop: Callable[[], bool]
    ) -> tuple[Endgame, Endgame | None]:
        """What looks ahead with these melds: as who has not called ready, and as who has; None where nobody
        calls."""
        outlook, calling = self._outlook, self.calling
        judge, fortune = outlook.judge, outlook.fortune
        if calling is None:
            return (
                Endgame(judge.rules, judge.options, melds, fortune, outlook.payoff, course, stop),
                None,
            )
        bound = Endgame(
            judge.rules, judge.options, melds, fortune, outlook.payoff, course, stop, risks=calling.risks
        )
        silent = calling.find_payoff("")
        return (
            Endgame(judge.rules, judge.options, melds, fortune, silent, course, stop, called=bound),
            bound,
        )

    def _choose_endgames(
        self, branch: Branch, held: bytes, free: Endgame, bound: Endgame | None
    ) -> tuple[Endgame, ...]:
        """As who the hand may go on; after a claim, as both where it is ready."""
        if bound is None:
            return (free,)
        if self._seen.player.ready or isinstance(branch.do, ReadyDeclared):
            return (bound,)
        assert self.calling is not None
        may_call = branch.discards and self.calling.is_ready(held, branch.melds)
        return (free, bound) if may_call else (free,)


def _find_discard(branch: Branch) -> Tile | None:
    """What the branch discards; None where it does not."""
    do = branch.do
    return Tile.parse(do.tile) if isinstance(do, Discarded) and do.tile is not None else None


def _list_afters(branch: Branch) -> Iterator[tuple[Tile | None, bytes]]:
    """The hands between turns that a branch leads to, with the discard that follows a claim."""
    if not branch.discards:
        yield None, branch.held
    for tile in branch.discards:
        yield tile, take_out(branch.held, tile)
