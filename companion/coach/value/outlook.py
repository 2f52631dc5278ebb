"""One player's position: how its hands stand, and everything that estimates of it start from (`Outlook`).

Where the table refuses no hand of a winning shape, the judge answers. Where it does, `WinnableAims` asks the
scoring for plain examples of every aim: an aim counts as winning if all its examples win, and a hand is as
far as the nearest winning aim. Every wait of a ready hand is scored. No minimum is known by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace as changed

from companion.coach.seen import SeatView, count_left
from companion.coach.value.aims import SUITS_OF_TILES, Aim, Distances, TargetBuilder, list_aims, measure
from companion.coach.value.chances import Chances, Rates, estimate_chances, load_rates
from companion.coach.value.distances import HONOR_KINDS, HONORS, KINDS_OF_HANDS, PLACES, RANKS, Sets
from companion.coach.value.judge import (
    HandStatus,
    HandView,
    Judge,
    JudgedChoice,
    Useful,
    list_kinds,
    list_tiles,
    map_places,
    put_in,
    remove_tile,
    sort_choices,
)
from companion.coach.value.payoff import Memory, Payoff, Pricer, place_hand, place_left
from companion.rules import RuleSet, Source, waits
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Hand, Wild
from companion.rules.shapes import standard_lacks
from companion.rules.waiting import make_hand
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, MeldKind, Tile, counts, parse_tiles

AimExample = tuple[bytes, Tile]
"""A finished hand, 42 counts of concealed tiles, and the one that came last."""
_Made = tuple[int, ...]
"""The kinds of a finished hand without wild tiles, one set after the other and the pair."""
COPIES, TRIPLET = 4, 3
CHOWS = ((2, 3, 4), (5, 6, 7), (4, 5, 6), (1, 2, 3), (3, 4, 5), (6, 7, 8), (0, 1, 2))
"""Ranks of the chows with each rank, by rank from 0."""
TRIPLETS = ((1, 1, 1), (7, 7, 7), (4, 4, 4), (3, 3, 3), (5, 5, 5), (6, 6, 6))
PAIRS = (7, 4, 2, 5, 1, 3, 6, 0, 8)
GUESTS = (1, 3, 5)
"""Honours, by rank, that are the pair of some examples."""
ROTATIONS = ((0, 1, 2), (1, 2, 0), (2, 2, 1))
"""The suits of one set after the other."""
MIXED = "159m268p347s24z"
"""Tiles that have nothing in common, for hands of another shape near them."""


def make_examples(
    rules: RuleSet, options: Options, aim: Aim, melds: tuple[Meld, ...], wild: int, kind: Wild | None
) -> Iterator[AimExample]:
    """Plain finished hands of the aim with these melds and this number of wild tiles; none if no plain
    hand exists."""
    melded = counts(tile for meld in melds for tile in meld.tiles)
    copies = [min(COPIES, n) - own for n, own in zip(rules.tile_set.copies, melded, strict=True)]
    if kind is not None:
        copies[kind.tile.index] = 0
        if kind.substitute is not None:
            copies[kind.substitute.index] = 0
    if aim.shape is not None:
        made = _make_other_shapes(rules, options, aim, copies)
    else:
        made = _make_sets(rules.sets - len(melds), aim, copies)
    for hand in made:
        yield from _put_wild(hand, wild, kind, loose=aim.loose)


def _make_sets(sets: int, aim: Aim, copies: list[int]) -> Iterator[_Made]:
    numbers = [suit for suit in aim.suits if suit < HONORS]
    for turn in ROTATIONS if len(numbers) > 1 else ROTATIONS[:1]:
        suits = [numbers[suit % len(numbers)] for suit in turn]
        honors = GUESTS if HONORS in aim.suits and turn is ROTATIONS[0] else ()
        for pair in (None, *honors):
            hand = _make_hand(sets, aim, copies, suits, pair)
            if hand is not None:
                yield hand


def _make_hand(sets: int, aim: Aim, copies: list[int], suits: list[int], pair: int | None) -> _Made | None:
    """One hand, its sets of these suits in turn; pair: the honour that is the pair, None for a number."""
    left, hand = copies.copy(), list[int]()

    def take(kinds: list[int]) -> bool:
        if any(left[at] < kinds.count(at) for at in kinds):
            return False
        for at in kinds:
            left[at] -= 1
        hand.extend(kinds)
        return True

    if not all(take([HONORS * RANKS + rank] * TRIPLET) for rank in aim.honors):
        return None
    for number in range(sets - len(aim.honors)):
        triplet = aim.sets is Sets.TRIPLETS or (aim.sets is Sets.ANY and number == 0 and not aim.honors)
        start, every = RANKS * suits[number % len(suits)], TRIPLETS if triplet else CHOWS
        turned = every[number:] + every[:number]
        if not any(take([start + rank for rank in ranks]) for ranks in turned):
            return None
    start = RANKS * suits[-1]
    kinds = [start + rank for rank in PAIRS] if pair is None else [HONORS * RANKS + pair]
    return tuple(hand) if any(take([at] * 2) for at in kinds) else None


def _make_other_shapes(rules: RuleSet, options: Options, aim: Aim, copies: list[int]) -> Iterator[_Made]:
    held = np.array(counts(parse_tiles(MIXED))[:KINDS_OF_HANDS], np.uint8)
    left = np.maximum(np.array(copies[:KINDS_OF_HANDS]) - held, 0).astype(np.uint8)
    for target in TargetBuilder(rules.game((), options), 0, held, left).build(aim, 2)[:2]:
        yield tuple([at for at, count in enumerate(target.tolist()) for _ in range(count)])


def _put_wild(made: _Made, wild: int, kind: Wild | None, *, loose: bool) -> Iterator[AimExample]:
    """The hand with wild tiles in place of tiles of different sets.

    Where it is loose one of them makes the pair with the last tile; else the last tile belongs to another set
    or the pair.
    """
    if kind is None or not wild:
        yield _count(made), KINDS[made[0]]
        return
    for first in range(TRIPLET):
        of_sets = [*range(first, len(made) - 2, TRIPLET)]
        others = [at for at in range(len(made) - 1) if at not in of_sets]
        filled = ([len(made) - 2] if loose else []) + of_sets + others
        tiles = list(made)
        for at in filled[:wild]:
            tiles[at] = kind.tile.index
        yield _count(tuple(tiles)), KINDS[made[-1]]


def _count(tiles: _Made) -> bytes:
    return bytes(counts([KINDS[at] for at in tiles]))


NUMBERS = (0, 1, 2)
"""The suits but honours."""
SOURCES = (Source.SELF_DRAW, Source.DISCARD)


class WinnableAims:
    """Of the player of one position, by what `payoff` knows of it. fortune: the kind that is wild."""

    def __init__(self, rules: RuleSet, options: Options, fortune: Tile | None, payoff: Payoff) -> None:
        self._rules, self._options, self._payoff = rules, options, payoff
        self._wild = rules.wild(options, fortune)
        self._known = payoff.answers.aims

    def may_refuse(self, melds: tuple[Meld, ...], wild: int) -> bool:
        """Whether hands with these melds and this number of wild tiles, or one more, may have a winning
        shape and yet not win self-drawn."""
        if not self._rules.restricts:
            return False
        most = 0 if self._wild is None else min(wild + 1, self._wild.copies)
        return any(self.list_aims(melds, each) != (Aim(),) for each in range(wild, most + 1))

    def list_aims(self, melds: tuple[Meld, ...], wild: int) -> tuple[Aim, ...]:
        """The widest aims whose hands all win, at least self-drawn; only any hand where all hands do."""
        found = self._known.get((melds, wild))
        if found is None:
            found = self._known[melds, wild] = self._find_aims(melds, wild)
        return found

    def wins(self, hand: bytes, melds: tuple[Meld, ...], tile: Tile) -> bool:
        """Whether these 42 counts of concealed tiles win with the tile that came last, from anywhere."""
        return any(self._payoff.wins(hand, melds, tile, source) for source in SOURCES)

    def _find_aims(self, melds: tuple[Meld, ...], wild: int) -> tuple[Aim, ...]:
        if self._is_won(Aim(), melds, wild):
            return (Aim(),)
        shapes = self._rules.shapes_in_force(self._options)
        found = [
            aim
            for aim in (Aim(shape) for shape in shapes if shape.lacks is not standard_lacks)
            if not melds and self._is_won(aim, melds, wild)
        ]
        refused = list[Aim]()
        for aim in _list_narrow():
            if self._is_open(aim, melds) and (wild or not aim.loose):
                (found if self._is_won(aim, melds, wild) else refused).append(aim)
        for one, other in () if wild else combinations(refused, 2):  # wild tiles fill few kinds by chance
            both = _combine(one, other)
            if both is not None and self._is_open(both, melds) and self._is_won(both, melds, wild):
                found.append(both)
        return tuple(found)

    def _is_won(self, aim: Aim, melds: tuple[Meld, ...], wild: int) -> bool:
        """Whether all examples of the aim win self-drawn; False without examples."""
        number = 0
        for hand, last in make_examples(self._rules, self._options, aim, melds, wild, self._wild):
            if not self._payoff.wins(hand, melds, last, Source.SELF_DRAW):
                return False
            number += 1
        return number > 0

    def _is_open(self, aim: Aim, melds: tuple[Meld, ...]) -> bool:
        """Whether a hand with these melds can be of the aim."""
        melded = {SUITS_OF_TILES.index(meld.tiles[0].suit) for meld in melds}
        chows = sum(meld.kind is MeldKind.CHOW for meld in melds)
        if not melded <= set(aim.suits) or len(aim.honors) > self._rules.sets - len(melds):
            return False
        return not (chows and aim.sets is Sets.TRIPLETS) and not (
            chows < len(melds) and aim.sets is Sets.CHOWS
        )


def _list_narrow() -> Iterator[Aim]:
    """What the tiles of a hand of sets and a pair may have in common."""
    yield Aim(sets=Sets.CHOWS)
    yield Aim(sets=Sets.TRIPLETS)
    yield Aim(suits=NUMBERS)
    for suit in range(HONORS):
        yield Aim(suits=(suit,))
        yield Aim(suits=(suit, HONORS))
    for rank in range(HONOR_KINDS):
        yield Aim(honors=(rank,))
    yield Aim(loose=True)


def _combine(one: Aim, other: Aim) -> Aim | None:
    """What is both; None if nothing is."""
    suits = tuple(suit for suit in one.suits if suit in other.suits)
    kinds = {one.sets, other.sets} - {Sets.ANY}
    honors = tuple(sorted({*one.honors, *other.honors}))
    if not suits or suits == (HONORS,) or len(kinds) > 1:
        return None
    sets = next(iter(kinds), Sets.ANY)
    if honors and (sets is Sets.CHOWS or HONORS not in suits):
        return None
    both = Aim(suits=suits, sets=sets, honors=honors, loose=one.loose or other.loose)
    return None if both in (one, other) else both


_Held = tuple[bytes, tuple[Meld, ...]]
"""42 counts of concealed tiles, and the melds."""


class Measured(NamedTuple):
    """The distances of hands between turns to every aim, any hand first.

    winning: at a table that refuses hands, the winning aims that are nearest to any of these; none if no
    hand is refused, or none wins.
    """

    aims: list[tuple[Aim, Distances]]
    winning: list[Aim]


class _Stands(NamedTuple):
    shanten: int
    useful: tuple[Tile, ...]


class DistanceFinder:
    """The distances of one player's hands. left: the unseen tiles of each of the 42 kinds."""

    def __init__(self, judge: Judge, payoff: Payoff, fortune: Tile | None, left: Sequence[int]) -> None:
        self._judge, self._payoff, self._fortune, self._left = judge, payoff, fortune, left
        self._winning = WinnableAims(judge.rules, judge.options, fortune, payoff)
        self._shapes = [
            Aim(None if shape.lacks is standard_lacks else shape)
            for shape in judge.rules.shapes_in_force(judge.options)
        ]
        self._known: dict[_Held, _Stands] = {}
        self._measured: dict[tuple[bytes, tuple[Meld, ...], tuple[Tile, ...] | None], Measured] = {}

    def may_refuse(self, held: bytes, melds: tuple[Meld, ...]) -> bool:
        """Whether the table may refuse such a hand, from whatever source its last tile comes."""
        return self._judge.rules.restricts and self._winning.may_refuse(melds, self._count_wild(held))

    def list_winning(self, melds: tuple[Meld, ...]) -> tuple[Aim, ...]:
        """The aims whose hands with these melds all win, without wild tiles."""
        return self._winning.list_aims(melds, 0)

    def assess(self, view: HandView) -> HandStatus:
        """The status of a hand between turns, as `Judge.assess`."""
        held = bytes(counts(view.concealed))
        if not self.may_refuse(held, view.melds):
            return self._add_sources(held, view.melds, self._judge.assess(view))
        known = self._known.get((held, view.melds))
        if known is None:
            self._measure(held, view.melds, None)
            known = self._known[held, view.melds]
        kinds = [Useful(tile, n) for tile in known.useful if (n := self._left[tile.index]) > 0]
        return self._add_sources(held, view.melds, HandStatus(known.shanten, tuple(kinds)))

    def discards(self, view: HandView, among: Sequence[Tile]) -> tuple[JudgedChoice, ...]:
        """The discards that leave a hand of one tile too many nearest to a winning hand, the best first,
        as `Judge.discards`."""
        held = counts(view.concealed)
        if not self.may_refuse(bytes(held), view.melds):
            found = self._judge.discards(view, among)
            return tuple([changed(each, after=self._assess_without(view, each.discard)) for each in found])
        self.prepare_discards(bytes(held), view.melds, among)
        choices = [JudgedChoice(tile, self._assess_without(view, tile)) for tile in among if held[tile.index]]
        least = min(choice.after.shanten for choice in choices)
        return sort_choices([each for each in choices if each.after.shanten == least], held)

    def prepare_discards(self, whole: bytes, melds: tuple[Meld, ...], outs: Sequence[Tile]) -> None:
        """Measure the hand after all of these discards at once, before each is asked for."""
        wild = self._judge.rules.wild(self._judge.options, self._fortune)
        natural = [tile for tile in outs if whole[tile.index] and (wild is None or tile is not wild.tile)]
        if natural and self.may_refuse(whole, melds):
            self._measure(whole, melds, natural)

    def measure_aims(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        """The distances of the hand of 42 counts after each of these discards, none of them wild; of the
        hand as it is where None."""
        may_refuse = self.may_refuse(whole, melds)
        found = self._measure(whole, melds, outs) if may_refuse else Measured([], [])
        if may_refuse and Aim() not in found.winning:
            return found
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        game, at = judge.rules.game(melds, judge.options), map_places(hand)
        places = None if outs is None else np.array([at[out.index] for out in outs])
        aims = list_aims(list(judge.rules.shapes_in_force(judge.options)), game, melds)
        more = [(aim, measure(aim, hand, game, places)) for aim in aims if aim not in found.winning]
        return Measured(found.aims + more, found.winning)

    def _measure(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        """As `measure_aims`, of the winning aims alone, those of honours within any hand; it remembers the
        status of the hands."""
        key = whole, melds, None if outs is None else tuple(outs)
        found = self._measured.get(key)
        if found is None:
            found = self._measured[key] = self._measure_anew(whole, melds, outs)
        return found

    def _measure_anew(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        game, at = judge.rules.game(melds, judge.options), map_places(hand)
        places = None if outs is None else np.array([at[out.index] for out in outs])
        shape = _join([measure(aim, hand, game, places) for aim in self._list_shapes(melds)])
        aims = [(aim, measure(aim, hand, game, places)) for aim in self._list_open(whole, melds, hand)]
        aims = [(aim, each) for aim, each in aims if each.lacking.min() < UNREACHABLE - hand.wild]
        hands = [whole] if outs is None else [remove_tile(whole, out) for out in outs]
        ready = shape.lacking == 1
        won = {number: self._list_won(hands[number], melds) for number in np.flatnonzero(ready).tolist()}
        never = np.array([not won.get(number) for number in range(len(hands))])
        for _, each in aims:
            each.lacking[never & (each.lacking <= 1)] = 2
        far = Distances(np.maximum(shape.lacking, 2), np.zeros_like(shape.useful))
        nearest = _join([each for _, each in aims]) if aims else far
        wild = None if hand.wildcard is None else hand.wildcard.tile
        for number, held in enumerate(hands):
            waited = won.get(number)
            if waited:
                nearest.lacking[number] = 1
                nearest.useful[number] = False
                nearest.useful[number, [at[tile.index] for tile in waited if tile is not wild]] = True
            useful = list_kinds(nearest.useful[number], at, wild if aims else None)
            tiles = tuple(waited) if waited else useful
            self._known[held, melds] = _Stands(int(nearest.lacking[number]) - 1, tiles)
        wide = [(aim, each) for aim, each in aims if aim.shape or aim != Aim(honors=aim.honors)]
        winning = [aim for aim, each in aims if (each.lacking == nearest.lacking).any()]
        return Measured([(Aim(), nearest), *wide], winning)

    def _list_shapes(self, melds: tuple[Meld, ...]) -> list[Aim]:
        return [aim for aim in self._shapes if aim.shape is None or not melds]

    def _list_open(self, whole: bytes, melds: tuple[Meld, ...], hand: Hand) -> list[Aim]:
        """The winning aims, without those that require honours of which too few are left."""
        held, left = whole[HONORS * RANKS :], self._left[HONORS * RANKS :]
        return [
            aim
            for aim in self._winning.list_aims(melds, hand.wild)
            if all(held[rank] + left[rank] + hand.wild >= TRIPLET for rank in aim.honors)
        ]

    def _list_won(self, held: bytes, melds: tuple[Meld, ...]) -> list[Tile]:
        """The tiles that complete a ready hand so that it wins."""
        judge = self._judge
        waited = waits(judge.rules, list_tiles(held), melds, judge.options, self._fortune)
        return [tile for tile in waited if self._winning.wins(put_in(held, tile), melds, tile)]

    def _assess_without(self, view: HandView, tile: Tile) -> HandStatus:
        rest = list(view.concealed)
        rest.remove(tile)
        return self.assess(changed(view, concealed=tuple(rest)))

    def _add_sources(self, held: bytes, melds: tuple[Meld, ...], status: HandStatus) -> HandStatus:
        """The status with the tiles of a ready hand that win only self-drawn."""
        if status.shanten != 0 or not self._judge.rules.restricts:
            return status
        wins = self._payoff.wins
        tiles = [kind.tile for kind in status.useful]
        drawn = [
            tile
            for tile in tiles
            if not wins(put_in(held, tile), melds, tile, Source.DISCARD)
            and wins(put_in(held, tile), melds, tile, Source.SELF_DRAW)
        ]
        return changed(status, self_drawn=tuple(drawn)) if drawn else status

    def _count_wild(self, held: bytes) -> int:
        wild = self._judge.rules.wild(self._judge.options, self._fortune)
        return 0 if wild is None else held[wild.tile.index]


def _join(every: list[Distances]) -> Distances:
    """The distance to the nearest of these aims, and the places that bring the hand nearer to it, or to
    another aim as near."""
    lacking = np.min([each.lacking for each in every], axis=0)
    useful = np.zeros((len(lacking), PLACES), np.bool_)
    for each in every:
        useful |= each.useful & (each.lacking == lacking)[:, None]
    return Distances(lacking, useful)


class Outlook(NamedTuple):
    """One player's position, as estimates need it.

    left: the unseen tiles of each of the 42 kinds. chows: whether they may be claimed in this game.
    distances: how its hands stand.
    """

    judge: Judge
    payoff: Payoff
    chances: Chances
    rates: Rates
    fortune: Tile | None
    left: tuple[int, ...]
    chows: bool
    distances: DistanceFinder

    @classmethod
    def of(cls, judge: Judge, seen: SeatView, memory: Memory | None = None) -> Outlook:
        """Of the position that is seen; `memory` of what hands were found to pay."""
        payoff, fortune, left = Payoff(seen, memory), seen.hand.fortune, count_left(seen)
        return cls(
            judge, payoff, estimate_chances(seen), load_rates(judge.rules.name), fortune, left,
            MeldKind.CHOW in seen.state.house.melds, DistanceFinder(judge, payoff, fortune, left),
        )  # fmt: skip

    @property
    def wild(self) -> Wild | None:
        """The kind that is wild, if the game has one."""
        return self.judge.rules.wild(self.judge.options, self.fortune)

    def make_hand(self, held: bytes, melds: tuple[Meld, ...]) -> Hand:
        """The hand with these concealed tiles (42 counts) and melds, as the rules read it."""
        return make_hand(self.judge.rules, list(held), melds, self.judge.options, self.fortune)

    def list_waits(self, held: bytes, melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
        """The tiles that complete a ready hand by its shape, whatever it is worth."""
        return waits(self.judge.rules, list_tiles(held), melds, self.judge.options, self.fortune)

    def make_pricer(self, hand: Hand, melds: tuple[Meld, ...], winning: Sequence[Aim] = ()) -> Pricer:
        """Prices aims of that hand. winning: as for `Pricer`."""
        placed, _ = place_left(self.left, self.wild)
        return Pricer(
            self.judge.rules, self.judge.options, self.fortune, self.payoff, melds, place_hand(hand),
            hand.wild, placed, self.chows, winning,
        )  # fmt: skip
