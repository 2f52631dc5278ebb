"""What a hand is played for: the row that makes it worth more, its distance, and what it pays.

It asks the rules' own scoring of the nearest finished hands, and knows no row by name. `PlainHands` finds the
rows that any win of the player has, which are no goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from companion.coach.value.aims import Aim, Distances
from companion.coach.value.distances import HONORS, KINDS_OF_HANDS, Sets
from companion.coach.value.judge import HandStatus, Useful, put_in
from companion.coach.value.outlook import SOURCES, Outlook, make_examples
from companion.coach.value.payoff import Pricer, find_real, place_hand
from companion.rules import Score, Source
from companion.rules.rule_set import TIMES
from companion.rules.waiting import meets_quota
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, MeldKind, Tile, counts, parse_meld, parse_tiles

Made = tuple[str, str, str]
PLAIN_HANDS: tuple[Made, ...] = (
    ("222p", "345678p567s88s", "345s"),
    ("222m", "345p345678s88s", "345p"),
    ("222m", "345p44z345678s", "345p"),
)
"""Hands without anything expensive: a set that may be claimed, the others, and those of a fifth set."""
EXPENSIVE_HANDS: tuple[Made, ...] = (("222m", "345678m567m88m", "345m"), ("222p", "444p666s888m55p", "333p"))
"""Two hands that share only the rows of any win, where the rules refuse plain ones."""
FOUR_SETS = 4
HONOURS = "4z"
OF_SUIT, OF_SUIT_AND_HONOURS = ("222x345678x567x88x", "345x"), ("345678x567x88x444z", "345x")
TRIPLETS, CLAIMED = ("444p666s888m55p", "333p"), parse_meld("p222m")
"""Hands of one suit, x, of it and honours, of triplets besides an open one, and nothing else; the second
part is a fifth set."""
WITH_MELDS = (
    (("345p", "678p", "567s", "345s"), "88s"),
    (("345s", "678s", "567m", "345m"), "88m"),
    (("345m", "678m", "567p", "345p"), "88p"),
)
"""Plain sets and a pair that finish a hand with melds."""
COPIES = 4
NO_TILES = bytes(42)
"""No concealed tiles are known."""


class PlainHands:
    """Of one position. melds: the player's; claims: whether there are any, or a choice adds one."""

    def __init__(self, outlook: Outlook, melds: tuple[Meld, ...], *, claims: bool) -> None:
        self._outlook, self._melds, self._concealed = outlook, melds, not claims
        self._sets = outlook.judge.rules.sets

    @cached_property
    def rows(self) -> frozenset[str]:
        """The ids of the rows that a win of this player has without anything expensive, and those that the
        melds bring."""
        if self._outlook.distances.may_refuse(NO_TILES, self._melds):
            answers = self._outlook.payoff.answers.usual
            if self._melds not in answers:
                answers[self._melds] = frozenset().union(*map(self._find_usual, SOURCES))
            return answers[self._melds]
        found = set[str]()
        for source in SOURCES:
            found |= set().union(*self._list_rows(PLAIN_HANDS, source))
            expensive = [rows for rows in self._list_rows(EXPENSIVE_HANDS, source) if rows]
            if len(expensive) == len(EXPENSIVE_HANDS):
                found |= set.intersection(*expensive)
            certain = [rows for rows in self._list_rows_with_melds(source) if rows]
            if certain:
                found |= set.intersection(*certain)
        return frozenset(found)

    def list_marks(self, aim: Aim) -> frozenset[str] | None:
        """The names of the rows of a hand that is of the aim and nothing else: only they have its distance.

        None for an aim that is neither of a suit nor of triplets: any row may be named for it.
        """
        suit, texts = "mps"[aim.suits[0]], OF_SUIT_AND_HONOURS if HONORS in aim.suits else OF_SUIT
        if aim.sets is Sets.TRIPLETS:
            texts = TRIPLETS
        elif len({*aim.suits} - {HONORS}) > 1:
            return None
        tiles = parse_tiles("".join(texts[: 1 + self._has_five]).replace("x", suit))
        melds = (CLAIMED,) if aim.sets is Sets.TRIPLETS else ()
        payoff = self._outlook.payoff
        found = set()
        for source in SOURCES:
            result = payoff.score(bytes(counts(tiles)), melds, tiles[0], source)
            found |= {line.name for line in result.lines}
        return frozenset(found)

    @property
    def _has_five(self) -> bool:
        return self._sets > FOUR_SETS

    def _list_rows(self, hands: Sequence[Made], source: Source) -> Iterator[set[str]]:
        for first, others, fifth in hands:
            tiles = others + (fifth if self._has_five else "")
            melds = () if self._concealed else (parse_meld(f"p{first}"),)
            yield self._score((first if self._concealed else "") + tiles, melds, source)

    def _find_usual(self, source: Source) -> set[str]:
        """Where plain hands are refused: the rows that winning hands of most aims have, so that they
        belong to none of these."""
        outlook, judge = self._outlook, self._outlook.judge
        every = []
        for aim in outlook.distances.list_winning(self._melds):
            examples = make_examples(judge.rules, judge.options, aim, self._melds, 0, outlook.wild)
            results = [outlook.payoff.score(hand, self._melds, last, source) for hand, last in examples]
            every.append(set.intersection(*[{line.id for line in result.lines} for result in results]))
        rows = [row for rows in every for row in rows]
        return {row for row in rows if 2 * rows.count(row) > len([each for each in every if each])}

    def _list_rows_with_melds(self, source: Source) -> Iterator[set[str]]:
        if not self._melds:
            return
        for sets, pair in WITH_MELDS:
            text = "".join(sets[: self._sets - len(self._melds)]) + pair
            yield self._score(text, self._melds, source)

    def _score(self, text: str, melds: tuple[Meld, ...], source: Source) -> set[str]:
        """The ids of the rows of that hand; none if it does not win, or cannot exist."""
        tiles = parse_tiles(text)
        total = counts((*tiles, *(tile for meld in melds for tile in meld.tiles)))
        if HONOURS in text and not self._outlook.judge.rules.tile_set.copies[Tile.parse(HONOURS).index]:
            return set()
        if max(total) > COPIES:
            return set()
        result = self._outlook.payoff.score(bytes(counts(tiles)), melds, tiles[-1], source)
        return {line.id for line in result.lines}


PRICED = 4
"""The number of finished hands of an aim that are scored."""
MAX_TILES_FARTHER = 2
"""An aim may miss this many tiles more than the nearest to be named."""
REACH_FACTOR_PER_TILE = 0.2
"""Each missing tile multiplies the chance of reaching the shape by this."""
NARROW = 0.7
"""Aims of one kind of hand are reached less often than any hand that lacks as much."""
MAX_LACKING = 5
"""An aim that lacks more is not named where another one is nearer."""
ESTIMATED_FROM = 2
"""The payment of a hand that is played for any win is estimated from this distance to ready."""
ROW_MIN_RATIO = 1.5
"""A row is named where a hand with it pays this many times as much as without."""
TRIPLET = 3
LAST = 3
"""The number of a finished hand's missing tiles that are tried as the last one."""


class Finished(NamedTuple):
    """A finished hand, as 42 counts of concealed tiles and melds, and the tiles that may come last."""

    whole: bytes
    melds: tuple[Meld, ...]
    lasts: list[Tile]


class Goal(NamedTuple):
    """What a hand between turns is played for.

    row: the name of the row, "" if none makes it expensive. drawn, taken: its payment with that row
    self-drawn, and on a discard, 0 if it does not win so. status: its distance, and the tiles that bring
    it nearer. mean: the payment of its finished hands, with the row or without, both ways together. refused:
    why it does not win on a discard, None if it does. apart: whether the payment on a discard is without
    the row, which only a self-drawn tile brings.
    """

    row: str
    drawn: float
    taken: float
    status: HandStatus
    mean: float
    refused: Sentence | None = None
    row_only_drawn: bool = False


class _Sums:
    """Payments of finished hands, and the number of their last tiles that are left."""

    def __init__(self) -> None:
        self.often = 0
        self.times, self.paid = dict.fromkeys(SOURCES, 0), dict.fromkeys(SOURCES, 0.0)

    def add(self, source: Source, often: int, pay: float) -> None:
        """Add a hand with that payment."""
        self.times[source] += often
        self.paid[source] += often * pay

    def join(self, other: _Sums) -> None:
        """Add those of other hands."""
        self.often += other.often
        for source in SOURCES:
            self.add(source, other.times[source], 0.0)
            self.paid[source] += other.paid[source]

    def average(self, source: Source) -> float:
        """The mean payment of those that win by that source; 0 if none does."""
        return self.paid[source] / max(1, self.times[source])


class Goals:
    """Finds the goals of hands of one position.

    melds: the player's; had: the ids of rows of a win that can be declared now, which are not goals; claims:
    whether a choice may add a meld.
    """

    def __init__(
        self, outlook: Outlook, melds: tuple[Meld, ...], had: frozenset[str], *, claims: bool
    ) -> None:
        self._had = had
        self._outlook, self._judge = outlook, outlook.judge
        self._plain = PlainHands(outlook, melds, claims=claims or bool(melds))

    def find(
        self, held: bytes, melds: tuple[Meld, ...], status: HandStatus, *, expensive: bool, far: bool = False
    ) -> Goal | None:
        """The goal of the hand with these 42 counts; None if none is worth naming.

        expensive: whether it may be farther away than the nearest; far: whether far hands are estimated too.
        """
        if status.shanten <= 0:
            return self._score_waits(held, melds, status)
        if status.shanten > ESTIMATED_FROM and not expensive and not far:
            return None
        return self._score_aims(held, melds, status, expensive)

    def explain_short_suit(self, held: bytes, melds: tuple[Meld, ...]) -> Sentence | None:
        """What the hand still needs of one suit, where the game asks for that."""
        judge = self._judge
        quota = judge.rules.quota
        hand = self._outlook.make_hand(held, melds)
        if quota is None or meets_quota(quota.needs(melds, judge.options), hand):
            return None
        return quota.reason(hand, judge.options).sentence

    def explain_refusal(
        self, held: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source
    ) -> Sentence | None:
        """Why the tile completes the hand, and yet does not win; None if it does not, or does."""
        if tile not in self._outlook.list_waits(held, melds):
            return None
        reason = self._outlook.payoff.score(put_in(held, tile), melds, tile, source).reason
        return None if reason is None else reason.sentence

    def _score_waits(self, held: bytes, melds: tuple[Meld, ...], status: HandStatus) -> Goal | None:
        left = self._outlook.left
        found = [
            Finished(put_in(held, tile), melds, [tile])
            for tile in self._outlook.list_waits(held, melds)
            if left[tile.index]
        ]
        return self._score(found, status)

    def _score_aims(
        self, held: bytes, melds: tuple[Meld, ...], status: HandStatus, expensive: bool
    ) -> Goal | None:
        outlook = self._outlook
        distances, winning = outlook.distances.measure_aims(held, melds, None)
        hand = self._outlook.make_hand(held, melds)
        pricer = outlook.make_pricer(hand, melds, winning)
        nearest = min(int(each.lacking[0]) for _, each in distances)
        most, best = 0.0, None
        for aim, each in distances:
            more = int(each.lacking[0]) - nearest
            if more > (MAX_TILES_FARTHER if expensive else 0) or (more and each.lacking[0] > MAX_LACKING):
                continue
            there = self._find_status(each)
            finished = self._finish(aim, int(each.lacking[0]), pricer, held, melds)
            goal = self._score(finished, there, self._plain.list_marks(aim))
            often = REACH_FACTOR_PER_TILE**more * (1.0 if aim == Aim() else NARROW)
            if goal is not None and goal.mean * often > most:
                named = expensive or set(there.useful) == set(status.useful)
                most, best = goal.mean * often, goal if named else goal._replace(row="")
        return best

    def _finish(
        self, aim: Aim, most: int, pricer: Pricer, held: bytes, melds: tuple[Meld, ...]
    ) -> list[Finished]:
        """The nearest finished hands of the aim, each with tiles that may come last."""
        outlook, hand = self._outlook, self._outlook.make_hand(held, melds)
        place = place_hand(hand)
        found = []
        prices = pricer.price(aim, PRICED)
        lacks = np.maximum(prices.tiles.astype(np.int64) - place, 0).sum(axis=1)
        for whole, lacking in zip(prices.concealed, lacks.tolist(), strict=True):
            if lacking - hand.wild > most:
                continue
            missing = [at for at in range(KINDS_OF_HANDS) if whole[at] > held[at]]
            lasts = sorted(missing, key=lambda at: -outlook.left[at])[:LAST]
            one = Finished(whole, melds, [KINDS[last] for last in lasts])
            found.append(
                _claim_pung(one, held) if aim.sets is Sets.TRIPLETS and lacking > ESTIMATED_FROM else one
            )
        return found

    def _score(
        self, finished: list[Finished], status: HandStatus, marks: frozenset[str] | None = None
    ) -> Goal | None:
        """The goal of these finished hands, weighted by how many of their last tiles are left.

        marks: the rows that may be named, None for any.
        """
        payoff, left = self._outlook.payoff, self._outlook.left
        sums, of_rows = _Sums(), dict[str, _Sums]()
        values: dict[str, int] = {}
        refusals, refused_of = dict[str, int](), dict[str, Sentence]()
        for whole, melds, lasts in finished:
            own, common = _Sums(), set[str]()
            wins: list[tuple[Source, int, float, set[str]]] = []
            for number, tile in enumerate(lasts):
                often, expensive = left[tile.index], set[str]()
                own.often += often
                for source in SOURCES:
                    pay = payoff.pay(whole, melds, tile, source)
                    found = payoff.score(whole, melds, tile, source)
                    if pay > 0:
                        own.add(source, often, pay)
                        wins.append((source, often, pay, {line.name for line in found.lines}))
                        worth = self._find_expensive(found)
                        values |= worth
                        expensive |= worth.keys()
                    elif found.reason is not None and source is Source.DISCARD:
                        refusal = found.reason.sentence
                        refused_of[refusal.template] = refusal
                        refusals[refusal.template] = refusals.get(refusal.template, 0) + often
                common = common & expensive if number else expensive
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
        row_only_drawn = bool(named.times[Source.SELF_DRAW] and sums.times[Source.DISCARD])
        row_only_drawn = row_only_drawn and not named.times[Source.DISCARD]
        drawn, taken = (
            named.average(Source.SELF_DRAW),
            (sums if row_only_drawn else named).average(Source.DISCARD),
        )
        mean = sum(map(sums.average, SOURCES))
        mostly_refused = max(refusals, key=refusals.__getitem__, default=None)
        refused = None if taken or mostly_refused is None else refused_of[mostly_refused]
        return Goal(row, drawn, taken, status, mean, refused, row_only_drawn)

    def _find_expensive(self, found: Score) -> dict[str, int]:
        """The rows that make the hand expensive enough, with their values."""
        total = sum(line.value for line in found.lines)
        times = found.sign == TIMES
        return {
            line.name: line.value
            for line in found.lines
            if line.id not in self._plain.rows | self._had
            and (line.value if times else total / max(1, total - line.value)) >= ROW_MIN_RATIO
        }

    def _find_status(self, distances: Distances) -> HandStatus:
        outlook = self._outlook
        kinds = [
            KINDS[find_real(outlook.wild, int(at))]
            for at in np.flatnonzero(distances.useful[0][:KINDS_OF_HANDS])
        ]
        useful = [Useful(kind, left) for kind in kinds if (left := outlook.left[kind.index])]
        return HandStatus(int(distances.lacking[0]) - 1, tuple(useful))


def _claim_pung(hand: Finished, held: bytes) -> Finished:
    """The hand with one of its triplets claimed, of which it holds a pair: triplets of far hands are
    hardly ever drawn whole."""
    for at in range(KINDS_OF_HANDS):
        if hand.whole[at] >= TRIPLET and held[at] == TRIPLET - 1 and hand.lasts != [KINDS[at]]:
            rest = bytearray(hand.whole)
            rest[at] -= TRIPLET
            pung = Meld((KINDS[at],) * TRIPLET, MeldKind.PUNG)
            lasts = [tile for tile in hand.lasts if tile.index != at]
            return Finished(bytes(rest), (*hand.melds, pung), lasts)
    return hand
