"""What a hand is played for, to be said: the row that makes it worth more, how far that is, and what it pays.

It asks the rules' own scoring of the nearest finished hands, and knows no row by name.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from companion.coach.aims import Aim, Distances, list_aims, measure
from companion.coach.outlook import Outlook
from companion.coach.pricing import Pricer, find_real, place_hand, place_left
from companion.coach.views import Standing, Useful
from companion.rules import Score, Source, waits
from companion.rules.hand import Hand
from companion.rules.rule_set import TIMES
from companion.rules.shapes import Game
from companion.rules.waiting import make_hand, meets_quota
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, Tile, counts, parse_meld, parse_tiles

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
PLAIN = ("222p", "345678p567s88s", "345s"), ("222m", "345p345678s88s", "345p")
"""Hands that hold nothing dear: a set that may lie open, the others, and those of a fifth set."""
SOURCES = (Source.SELF_DRAW, Source.DISCARD)
FOUR_SETS = 4
_KINDS = 34


class Goal(NamedTuple):
    """What a hand between turns is played for. row: the row by its name, "" where none makes it dear. drawn,
    taken: what it pays self-drawn, and on a discard, 0 where it does not win so. standing: how far that is,
    and what brings it nearer. refused: why it does not win on a discard, None where it does."""

    row: str
    drawn: float
    taken: float
    standing: Standing
    refused: Sentence | None = None

    @property
    def pays(self) -> float:
        """By one number, to compare goals."""
        return self.drawn + self.taken


class Goals:
    """Finds the goals of hands of one position. claims: whether melds lie there, or a choice lays one."""

    def __init__(self, outlook: Outlook, *, claims: bool) -> None:
        self._outlook, self._judge = outlook, outlook.judge
        self._placed, _ = place_left(outlook.left, outlook.wild)
        self._concealed = not claims

    def find(self, held: bytes, melds: tuple[Meld, ...], standing: Standing, *, dear: bool) -> Goal | None:
        """Of the hand with these 42 counts; None where nothing can be said. dear: whether it may be one that
        is farther away than the nearest."""
        if standing.shanten <= 0:
            return self._look_at_waits(held, melds, standing)
        if standing.shanten > FORESEEN and not dear:
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
        if tile not in waits(judge.rules, _list_tiles(held), melds, judge.options, self._outlook.fortune):
            return None
        reason = self._outlook.payoff.score(_add(held, tile), melds, tile, source).reason
        return None if reason is None else reason.sentence

    def _look_at_waits(self, held: bytes, melds: tuple[Meld, ...], standing: Standing) -> Goal | None:
        judge, left = self._judge, self._outlook.left
        tiles = _list_tiles(held)
        found = [
            (left[tile.index], _add(held, tile), tile)
            for tile in waits(judge.rules, tiles, melds, judge.options, self._outlook.fortune)
            if left[tile.index]
        ]
        return self._score(found, melds, standing)

    def _look_at_aims(
        self, held: bytes, melds: tuple[Meld, ...], standing: Standing, dear: bool
    ) -> Goal | None:
        judge = self._judge
        hand, game = self._make_hand(held, melds), judge.rules.game(melds, judge.options)
        aims = list_aims(list(judge.rules.shapes_in_force(judge.options)), game, melds)
        distances = [(aim, measure(aim, hand, game, None)) for aim in aims]
        nearest = min(int(each.lacking[0]) for _, each in distances)
        most, best = 0.0, None
        for aim, each in distances:
            more = int(each.lacking[0]) - nearest
            if more > (FARTHER if dear else 0) or (more and each.lacking[0] > FARTHEST):
                continue
            there = self._stand(each)
            goal = self._score(self._finish(aim, each, hand, game, held, melds), melds, there)
            often = SELDOMER**more * (1.0 if aim == Aim() else NARROW)
            if goal is not None and goal.pays * often > most:
                named = dear or set(there.useful) == set(standing.useful)
                most, best = goal.pays * often, goal if named else goal._replace(row="")
        return best

    def _finish(
        self, aim: Aim, distances: Distances, hand: Hand, game: Game, held: bytes, melds: tuple[Meld, ...]
    ) -> list[tuple[int, bytes, Tile]]:
        """The nearest finished hands of the aim, each with the tile that comes last."""
        outlook, judge = self._outlook, self._judge
        place = place_hand(hand)
        pricer = Pricer(
            judge.rules, judge.options, outlook.fortune, outlook.payoff, melds, place, hand.wild,
            self._placed, outlook.chows,
        )  # fmt: skip
        found = []
        prices = pricer.price(aim, PRICED)
        lacks = np.maximum(prices.tiles.astype(np.int64) - place, 0).sum(axis=1)
        for whole, lacking in zip(prices.concealed, lacks.tolist(), strict=True):
            if lacking - hand.wild > int(distances.lacking[0]):
                continue
            missing = [at for at in range(_KINDS) if whole[at] > held[at]]
            if missing:
                last = max(missing, key=lambda at: outlook.left[at])
                found.append((1, whole, KINDS[last]))
        return found

    def _score(
        self, finished: list[tuple[int, bytes, Tile]], melds: tuple[Meld, ...], standing: Standing
    ) -> Goal | None:
        """The goal that these finished hands are, each so often, with the tile that comes last."""
        payoff = self._outlook.payoff
        paid, times = dict.fromkeys(SOURCES, 0.0), dict.fromkeys(SOURCES, 0)
        names: dict[str, int] = {}
        refused, of_all = None, 0
        for often, whole, tile in finished:
            rows: set[str] = set()
            for source in SOURCES:
                pay = payoff.pay(whole, melds, tile, source)
                if pay <= 0:
                    continue
                paid[source] += often * pay
                times[source] += often
                rows |= self._find_dear(payoff.score(whole, melds, tile, source))
            if refused is None:
                reason = payoff.score(whole, melds, tile, Source.DISCARD).reason
                refused = None if reason is None else reason.sentence
            for name in rows:
                names[name] = names.get(name, 0) + often
            of_all += often
        if not times[Source.SELF_DRAW] and not times[Source.DISCARD]:
            return None
        drawn, taken = (paid[source] / max(1, times[source]) for source in SOURCES)
        row = max(names, key=names.__getitem__, default="")
        if names and 2 * names[row] < of_all:
            row = ""
        return Goal(row, drawn, taken, standing, None if taken else refused)

    def _find_dear(self, found: Score) -> set[str]:
        """The row that makes the hand worth most, if one makes it dearer by enough."""
        lines = [line for line in found.lines if line.id not in self._usual]
        if not lines:
            return set()
        dear = max(lines, key=lambda line: line.value)
        total = sum(line.value for line in found.lines)
        without = total / max(1, dear.value) if found.sign == TIMES else max(1, total - dear.value)
        more = dear.value if found.sign == TIMES else total / without
        return {dear.name} if more >= DEARER else set()

    @cached_property
    def _usual(self) -> frozenset[str]:
        """The rows of hands that hold nothing dear, as this player wins them, by their ids."""
        found = set()
        five = self._judge.rules.sets > FOUR_SETS
        for first, others, fifth in PLAIN:
            melds = () if self._concealed else (parse_meld(f"p{first}"),)
            tiles = parse_tiles((first if self._concealed else "") + others + (fifth if five else ""))
            for source in SOURCES:
                result = self._outlook.payoff.score(bytes(counts(tiles)), melds, tiles[-1], source)
                found |= {line.id for line in result.lines}
        return frozenset(found)

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


def _add(held: bytes, tile: Tile) -> bytes:
    at = tile.index
    return held[:at] + bytes((held[at] + 1,)) + held[at + 1 :]


def _list_tiles(held: bytes) -> tuple[Tile, ...]:
    return tuple([kind for kind, count in zip(KINDS, held, strict=False) for _ in range(count)])
