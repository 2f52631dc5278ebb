"""How hands of one position stand: how far from a hand that wins, and which tiles bring them nearer.

Where the table refuses no hand of a winning shape that is the judge's answer. Where it does, a hand is as far
as the nearest aim of which every hand wins (companion.coach.winning); of a ready one every wait is scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace as changed

from companion.coach.aims import Aim, Distances, list_aims, measure
from companion.coach.held_tiles import list_tiles, put_in, take_out
from companion.coach.judge import Judge, list_kinds, map_places, sort_choices
from companion.coach.payoff import Payoff
from companion.coach.reach import HONORS, PLACES, RANKS
from companion.coach.views import Choice, Standing, Useful, View
from companion.coach.winning import Winning
from companion.rules import Source, waits
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Hand
from companion.rules.shapes import standard_lacks
from companion.rules.waiting import make_hand
from companion.tiles import Meld, Tile, counts

KINDS_OF_HANDS, TRIPLET = 34, 3
_Held = tuple[bytes, tuple[Meld, ...]]
"""42 counts of concealed tiles, and the melds."""


class Measured(NamedTuple):
    """How far hands between turns are from every aim, any hand first. winning: at a table that refuses hands
    the aims that win which are nearest to any of these; none where none is refused, or none wins."""

    aims: list[tuple[Aim, Distances]]
    winning: list[Aim]


class _Stands(NamedTuple):
    shanten: int
    useful: tuple[Tile, ...]


class Standings:
    """Of one player's position. left: of each of the 42 kinds, how many are unseen."""

    def __init__(self, judge: Judge, payoff: Payoff, fortune: Tile | None, left: Sequence[int]) -> None:
        self._judge, self._payoff, self._fortune, self._left = judge, payoff, fortune, left
        self._winning = Winning(judge.rules, judge.options, fortune, payoff)
        self._shapes = [
            Aim(None if shape.lacks is standard_lacks else shape)
            for shape in judge.rules.shapes_in_force(judge.options)
        ]
        self._known: dict[_Held, _Stands] = {}
        self._measured: dict[tuple[bytes, tuple[Meld, ...], tuple[Tile, ...] | None], Measured] = {}

    def binds(self, held: bytes, melds: tuple[Meld, ...]) -> bool:
        """Whether the table may refuse such a hand, whoever its last tile comes from."""
        return self._judge.rules.restricts and self._winning.binds(melds, self._count_wild(held))

    def list_winning(self, melds: tuple[Meld, ...]) -> tuple[Aim, ...]:
        """The aims of which every hand with these melds wins, without wild tiles."""
        return self._winning.list_aims(melds, 0)

    def assess(self, view: View) -> Standing:
        """How a hand between turns stands, as `Judge.assess`."""
        held = bytes(counts(view.concealed))
        if not self.binds(held, view.melds):
            return self._add_sources(held, view.melds, self._judge.assess(view))
        known = self._known.get((held, view.melds))
        if known is None:
            self._measure(held, view.melds, None)
            known = self._known[held, view.melds]
        kinds = [Useful(tile, n) for tile in known.useful if (n := self._left[tile.index]) > 0]
        return self._add_sources(held, view.melds, Standing(known.shanten, tuple(kinds)))

    def discards(self, view: View, among: Sequence[Tile]) -> tuple[Choice, ...]:
        """The discards that leave a hand of one tile too many nearest to one that wins, the best first, as
        `Judge.discards`."""
        held = counts(view.concealed)
        if not self.binds(bytes(held), view.melds):
            found = self._judge.discards(view, among)
            return tuple([changed(each, after=self._assess_without(view, each.discard)) for each in found])
        self.look_at_discards(bytes(held), view.melds, among)
        choices = [Choice(tile, self._assess_without(view, tile)) for tile in among if held[tile.index]]
        least = min(choice.after.shanten for choice in choices)
        return sort_choices([each for each in choices if each.after.shanten == least], held)

    def look_at_discards(self, whole: bytes, melds: tuple[Meld, ...], outs: Sequence[Tile]) -> None:
        """Look at the hand after all of these discards at once, as they will be asked for."""
        wild = self._judge.rules.wild(self._judge.options, self._fortune)
        natural = [tile for tile in outs if whole[tile.index] and (wild is None or tile is not wild.tile)]
        if natural and self.binds(whole, melds):
            self._measure(whole, melds, natural)

    def measure_aims(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        """How far the hand of 42 counts is after each of these discards, none of them wild; as it is, where
        None."""
        binds = self.binds(whole, melds)
        found = self._measure(whole, melds, outs) if binds else Measured([], [])
        if binds and Aim() not in found.winning:
            return found
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        game, at = judge.rules.game(melds, judge.options), map_places(hand)
        places = None if outs is None else np.array([at[out.index] for out in outs])
        aims = list_aims(list(judge.rules.shapes_in_force(judge.options)), game, melds)
        more = [(aim, measure(aim, hand, game, places)) for aim in aims if aim not in found.winning]
        return Measured(found.aims + more, found.winning)

    def _measure(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        """As `measure_aims`, of the aims that win alone, those of honours within any hand; it remembers how
        the hands stand."""
        key = whole, melds, None if outs is None else tuple(outs)
        found = self._measured.get(key)
        if found is None:
            found = self._measured[key] = self._look(whole, melds, outs)
        return found

    def _look(self, whole: bytes, melds: tuple[Meld, ...], outs: list[Tile] | None) -> Measured:
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        game, at = judge.rules.game(melds, judge.options), map_places(hand)
        places = None if outs is None else np.array([at[out.index] for out in outs])
        shape = _join([measure(aim, hand, game, places) for aim in self._list_shapes(melds)])
        aims = [(aim, measure(aim, hand, game, places)) for aim in self._list_open(whole, melds, hand)]
        aims = [(aim, each) for aim, each in aims if each.lacking.min() < UNREACHABLE - hand.wild]
        hands = [whole] if outs is None else [take_out(whole, out) for out in outs]
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
        """The aims that win, but those of honours of which too few are left."""
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

    def _assess_without(self, view: View, tile: Tile) -> Standing:
        rest = list(view.concealed)
        rest.remove(tile)
        return self.assess(changed(view, concealed=tuple(rest)))

    def _add_sources(self, held: bytes, melds: tuple[Meld, ...], standing: Standing) -> Standing:
        """With the tiles that win self-drawn alone, of a ready hand."""
        if standing.shanten != 0 or not self._judge.rules.restricts:
            return standing
        wins = self._payoff.wins
        tiles = [kind.tile for kind in standing.useful]
        drawn = [
            tile
            for tile in tiles
            if not wins(put_in(held, tile), melds, tile, Source.DISCARD)
            and wins(put_in(held, tile), melds, tile, Source.SELF_DRAW)
        ]
        return changed(standing, self_drawn=tuple(drawn)) if drawn else standing

    def _count_wild(self, held: bytes) -> int:
        wild = self._judge.rules.wild(self._judge.options, self._fortune)
        return 0 if wild is None else held[wild.tile.index]


def _join(every: list[Distances]) -> Distances:
    """How far the nearest of these is, and which places bring it nearer, or another one that is as near."""
    lacking = np.min([each.lacking for each in every], axis=0)
    useful = np.zeros((len(lacking), PLACES), np.bool_)
    for each in every:
        useful |= each.useful & (each.lacking == lacking)[:, None]
    return Distances(lacking, useful)
