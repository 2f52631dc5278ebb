"""What a hand is played for, to be said: the row that makes it worth more, how far that is, and what it pays.

It asks the rules' own scoring of the nearest finished hands, and knows no row by name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from companion.coach.aims import Aim, Distances
from companion.coach.held_tiles import list_tiles, put_in
from companion.coach.outlook import Outlook
from companion.coach.plain_hands import SOURCES, PlainHands
from companion.coach.pricing import Pricer, find_real, place_hand, place_left
from companion.coach.reach import Sets
from companion.coach.views import Standing, Useful
from companion.rules import Score, Source, waits
from companion.rules.hand import Hand
from companion.rules.rule_set import TIMES
from companion.rules.waiting import make_hand, meets_quota
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, MeldKind, Tile

PRICED = 4
"""Finished hands of an aim that are asked for what they pay."""
FARTHER = 2
"""So many tiles more than the nearest an aim may lack to be named; each makes it seldomer by"""
SELDOMER = 0.2
NARROW = 0.7
"""Aims of one kind of hand are reached less often than any hand that lacks as much."""
FARTHEST = 5
"""An aim that lacks more is not named where another one is nearer."""
FORESEEN = 2
"""From so near to ready on it is foreseen what a hand pays that is played for whatever comes."""
DEARER = 1.5
"""A row is named where a hand with it pays so much more than without."""
TRIPLET = 3
LAST = 3
"""So many of the tiles that a finished hand lacks are tried as the one that comes last."""
_KINDS = 34


class Finished(NamedTuple):
    """A finished hand, as 42 counts of concealed tiles and melds, and the tiles that may come last."""

    whole: bytes
    melds: tuple[Meld, ...]
    lasts: list[Tile]


class Goal(NamedTuple):
    """What a hand between turns is played for. row: the row by its name, "" where none makes it dear. drawn,
    taken: what it pays with that row self-drawn, and on a discard, 0 where it does not win so. standing: how
    far that is, and what brings it nearer. mean: what its finished hands pay, with the row or without, both
    ways together. refused: why it does not win on a discard, None where it does. apart: whether what is paid
    on a discard is without the row, which only a self-drawn tile brings."""

    row: str
    drawn: float
    taken: float
    standing: Standing
    mean: float
    refused: Sentence | None = None
    apart: bool = False


class _Sums:
    """What finished hands pay, and how many last tiles of theirs are left."""

    def __init__(self) -> None:
        self.often = 0
        self.times, self.paid = dict.fromkeys(SOURCES, 0), dict.fromkeys(SOURCES, 0.0)

    def add(self, source: Source, often: int, pay: float) -> None:
        """One more hand, that is paid so."""
        self.times[source] += often
        self.paid[source] += often * pay

    def join(self, other: _Sums) -> None:
        """Those of other hands, too."""
        self.often += other.often
        for source in SOURCES:
            self.add(source, other.times[source], 0.0)
            self.paid[source] += other.paid[source]

    def average(self, source: Source) -> float:
        """What those pay that win so; 0 where none does."""
        return self.paid[source] / max(1, self.times[source])


class Goals:
    """Finds the goals of hands of one position. melds: those that lie there; had: rows of a win that can be
    declared now, by their ids, which are no goal; claims: whether a choice may lay a meld."""

    def __init__(
        self, outlook: Outlook, melds: tuple[Meld, ...], had: frozenset[str], *, claims: bool
    ) -> None:
        self._had = had
        self._outlook, self._judge = outlook, outlook.judge
        self._placed, _ = place_left(outlook.left, outlook.wild)
        self._plain = PlainHands(outlook, melds, claims=claims or bool(melds))

    def find(
        self, held: bytes, melds: tuple[Meld, ...], standing: Standing, *, dear: bool, far: bool = False
    ) -> Goal | None:
        """Of the hand with these 42 counts; None where nothing can be said. dear: whether it may be one that
        is farther away than the nearest; far: whether it is foreseen of a far hand, too."""
        if standing.shanten <= 0:
            return self._look_at_waits(held, melds, standing)
        if standing.shanten > FORESEEN and not dear and not far:
            return None
        return self._look_at_aims(held, melds, standing, dear)

    def explain_short_suit(self, held: bytes, melds: tuple[Meld, ...]) -> Sentence | None:
        """What the hand still needs of one suit, where the game asks for that."""
        judge = self._judge
        quota = judge.rules.quota
        hand = self._make_hand(held, melds)
        if quota is None or meets_quota(quota.needs(melds, judge.options), hand):
            return None
        return quota.reason(hand, judge.options).sentence

    def explain_refusal(
        self, held: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source
    ) -> Sentence | None:
        """Why the tile completes the hand, and yet does not win; None where it does not, or does."""
        judge = self._judge
        if tile not in waits(judge.rules, list_tiles(held), melds, judge.options, self._outlook.fortune):
            return None
        reason = self._outlook.payoff.score(put_in(held, tile), melds, tile, source).reason
        return None if reason is None else reason.sentence

    def _look_at_waits(self, held: bytes, melds: tuple[Meld, ...], standing: Standing) -> Goal | None:
        judge, left = self._judge, self._outlook.left
        tiles = list_tiles(held)
        found = [
            Finished(put_in(held, tile), melds, [tile])
            for tile in waits(judge.rules, tiles, melds, judge.options, self._outlook.fortune)
            if left[tile.index]
        ]
        return self._score(found, standing)

    def _look_at_aims(
        self, held: bytes, melds: tuple[Meld, ...], standing: Standing, dear: bool
    ) -> Goal | None:
        judge, outlook = self._judge, self._outlook
        distances, winning = outlook.standings.measure_aims(held, melds, None)
        hand = self._make_hand(held, melds)
        pricer = Pricer(
            judge.rules, judge.options, outlook.fortune, outlook.payoff, melds, place_hand(hand), hand.wild,
            self._placed, outlook.chows, winning,
        )  # fmt: skip
        nearest = min(int(each.lacking[0]) for _, each in distances)
        most, best = 0.0, None
        for aim, each in distances:
            more = int(each.lacking[0]) - nearest
            if more > (FARTHER if dear else 0) or (more and each.lacking[0] > FARTHEST):
                continue
            there = self._stand(each)
            finished = self._finish(aim, int(each.lacking[0]), pricer, held, melds)
            goal = self._score(finished, there, self._plain.list_marks(aim))
            often = SELDOMER**more * (1.0 if aim == Aim() else NARROW)
            if goal is not None and goal.mean * often > most:
                named = dear or set(there.useful) == set(standing.useful)
                most, best = goal.mean * often, goal if named else goal._replace(row="")
        return best

    def _finish(
        self, aim: Aim, most: int, pricer: Pricer, held: bytes, melds: tuple[Meld, ...]
    ) -> list[Finished]:
        """The nearest finished hands of the aim, each with tiles that may come last."""
        outlook, hand = self._outlook, self._make_hand(held, melds)
        place = place_hand(hand)
        found = []
        prices = pricer.price(aim, PRICED)
        lacks = np.maximum(prices.tiles.astype(np.int64) - place, 0).sum(axis=1)
        for whole, lacking in zip(prices.concealed, lacks.tolist(), strict=True):
            if lacking - hand.wild > most:
                continue
            missing = [at for at in range(_KINDS) if whole[at] > held[at]]
            lasts = sorted(missing, key=lambda at: -outlook.left[at])[:LAST]
            one = Finished(whole, melds, [KINDS[last] for last in lasts])
            found.append(_claim_pung(one, held) if aim.sets is Sets.TRIPLETS and lacking > FORESEEN else one)
        return found

    def _score(
        self, finished: list[Finished], standing: Standing, marks: frozenset[str] | None = None
    ) -> Goal | None:
        """The goal that these finished hands are, each for how many of its last tiles are left. marks: the
        rows that may be named, None for any."""
        payoff, left = self._outlook.payoff, self._outlook.left
        sums, of_rows = _Sums(), dict[str, _Sums]()
        values: dict[str, int] = {}
        refusals, refused_of = dict[str, int](), dict[str, Sentence]()
        for whole, melds, lasts in finished:
            own, common = _Sums(), set[str]()
            wins: list[tuple[Source, int, float, set[str]]] = []
            for number, tile in enumerate(lasts):
                often, dear = left[tile.index], set[str]()
                own.often += often
                for source in SOURCES:
                    pay = payoff.pay(whole, melds, tile, source)
                    found = payoff.score(whole, melds, tile, source)
                    if pay > 0:
                        own.add(source, often, pay)
                        wins.append((source, often, pay, {line.name for line in found.lines}))
                        worth = self._find_dear(found)
                        values |= worth
                        dear |= worth.keys()
                    elif found.reason is not None and source is Source.DISCARD:
                        said = found.reason.sentence
                        refused_of[said.template] = said
                        refusals[said.template] = refusals.get(said.template, 0) + often
                common = common & dear if number else dear
            sums.join(own)
            for name in common:
                of_row = of_rows.setdefault(name, _Sums())
                of_row.often += own.often
                for source, often, pay, names in wins:
                    if name in names:
                        of_row.add(source, often, pay)
        if not any(sums.times.values()):
            return None
        rows = [row.name for row in self._judge.rules.rows]  # of as much worth the later, which is rarer
        mostly = [
            name
            for name in reversed(rows)
            if name in of_rows and (marks is None or name in marks) and 2 * of_rows[name].often >= sums.often
        ]
        row = max(mostly, key=lambda name: (values[name], of_rows[name].often), default="")
        named = of_rows.get(row, sums)
        apart = bool(named.times[Source.SELF_DRAW] and sums.times[Source.DISCARD])
        apart = apart and not named.times[Source.DISCARD]
        drawn, taken = named.average(Source.SELF_DRAW), (sums if apart else named).average(Source.DISCARD)
        mean = sum(map(sums.average, SOURCES))
        mostly_refused = max(refusals, key=refusals.__getitem__, default=None)
        refused = None if taken or mostly_refused is None else refused_of[mostly_refused]
        return Goal(row, drawn, taken, standing, mean, refused, apart)

    def _find_dear(self, found: Score) -> dict[str, int]:
        """The rows that make the hand dearer by enough, with their values."""
        total = sum(line.value for line in found.lines)
        times = found.sign == TIMES
        return {
            line.name: line.value
            for line in found.lines
            if line.id not in self._plain.rows | self._had
            and (line.value if times else total / max(1, total - line.value)) >= DEARER
        }

    def _stand(self, distances: Distances) -> Standing:
        outlook = self._outlook
        kinds = [
            KINDS[find_real(outlook.wild, int(at))] for at in np.flatnonzero(distances.useful[0][:_KINDS])
        ]
        useful = [Useful(kind, left) for kind in kinds if (left := outlook.left[kind.index])]
        return Standing(int(distances.lacking[0]) - 1, tuple(useful))

    def _make_hand(self, held: bytes, melds: tuple[Meld, ...]) -> Hand:
        judge = self._judge
        return make_hand(judge.rules, list(held), melds, judge.options, self._outlook.fortune)


def _claim_pung(hand: Finished, held: bytes) -> Finished:
    """The hand with one of its triplets claimed, of which only a pair is held: far ones of triplets are
    hardly ever drawn whole."""
    for at in range(_KINDS):
        if hand.whole[at] >= TRIPLET and held[at] == TRIPLET - 1 and hand.lasts != [KINDS[at]]:
            rest = bytearray(hand.whole)
            rest[at] -= TRIPLET
            pung = Meld((KINDS[at],) * TRIPLET, MeldKind.PUNG)
            lasts = [tile for tile in hand.lasts if tile.index != at]
            return Finished(bytes(rest), (*hand.melds, pung), lasts)
    return hand
