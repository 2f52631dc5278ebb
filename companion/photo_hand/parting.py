"""How a line of tiles falls into melds, a winning tile and what is no part of the hand, beside the concealed
tiles in it: the likeliest way for every number of melds."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

from companion.photo_hand.lines import Line
from companion.photo_hand.sets import Meld, find_meld
from companion.photo_hand.weights import WEIGHTS
from companion.tiles import BACK, MeldKind
from companion.vision.reading import TileReading

TYPICAL_GAP_MAX = 0.6
"""Widths: tiles of one row are set down no further apart than this."""
GROUPS_MIN = 2
"""Gaps in a hand that is laid out in groups, at least, where one of them has more than `SET_MAX` tiles."""
SET_MAX = 4
"""Tiles of one set."""
HOPELESS = -6.0
"""Of a meld or a winning tile with so little for it nothing is expected."""
Tiles = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld among the tiles of a picture: their indices in the order in which they lie, and what it is."""

    tiles: Tiles
    meld: Meld


@dataclass(frozen=True, slots=True)
class Parts:
    """Melds and perhaps a winning tile, and the logarithm of how likely that is."""

    weight: float = 0.0
    melds: tuple[Laid, ...] = ()
    winning: int | None = None

    def join(self, other: Parts) -> Parts:
        winning = self.winning if self.winning is not None else other.winning
        return Parts(self.weight + other.weight, self.melds + other.melds, winning)


Best = dict[tuple[int, bool], Parts]
"""The likeliest parts for each number of melds, with and without a winning tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A line of tiles and what was read of all tiles of the picture. `cuts[k]`: how likely one part of the
    hand ends before the tile k of the line and another begins, against both being of one, as a logarithm."""

    line: Line
    readings: Sequence[TileReading]
    cuts: tuple[float, ...]
    melds: dict[tuple[int, int], Laid]

    @classmethod
    def of(
        cls,
        line: Line,
        readings: Sequence[TileReading],
        kinds: Container[MeldKind],
        added: Mapping[int, int],
    ) -> Row:
        """added: for a sideways tile of a pung, the one that was added to it."""
        typical = min(max(median_low(line.gaps), 0.0), TYPICAL_GAP_MAX) if line.gaps else 0.0
        cuts = (0.0, *(weigh_gap(gap - typical) for gap in line.gaps), 0.0)
        row = cls(line, readings, cuts, {})
        for size in (3, 4):
            for start in range(len(line.tiles) - size + 1):
                tiles = line.tiles[start : start + size]
                turned = sum(tile in line.sideways for tile in tiles)
                meld = find_meld([readings[tile] for tile in tiles], turned)
                fourth = [added[tile] for tile in tiles if tile in added]
                if meld and meld.kind is MeldKind.PUNG and fourth:
                    tiles += tuple(fourth)
                    meld = replace(meld, kind=MeldKind.KONG_ADDED, codes=meld.codes[:1] * len(tiles))
                if meld is not None and meld.kind in kinds:
                    row.melds[start, start + size] = Laid(tiles, meld)
        for start, end in list(row.melds):
            if row.weigh_meld(start, end) + cuts[start] + cuts[end] < HOPELESS:
                del row.melds[start, end]
        return row

    def is_loose(self, place: int) -> bool:
        """Whether a tile stands apart enough to be a winning tile."""
        loose = self.cuts[place] + self.cuts[place + 1] > HOPELESS
        return loose and self.readings[self.line.tiles[place]].code != BACK

    def weigh_meld(self, start: int, end: int) -> float:
        """Of the tiles from `start` to before `end` being a meld, but for where it lies."""
        laid = self.melds[start, end]
        weight = WEIGHTS.meld + max(laid.meld.log_p, WEIGHTS.misread)
        if any(tile in self.line.sideways for tile in laid.tiles):
            weight += WEIGHTS.meld_sideways
        down = sum(self.readings[tile].code == BACK for tile in laid.tiles)
        if down == len(laid.tiles):
            weight += WEIGHTS.kong_of_backs
        elif down:
            weight += WEIGHTS.kong_hidden + self._count_wall_tiles(start, end) * WEIGHTS.kong_in_wall
        return weight - sum(max(0.0, self.cuts[place]) for place in range(start + 1, end))

    def _count_wall_tiles(self, start: int, end: int) -> int:
        """How many backs that are of no other concealed kong touch the ends of this one: where there are some
        it may be two tiles of a wall that were turned up."""
        before, after = ((start - SET_MAX, start), start - 1, start), ((end, end + SET_MAX), end, end)
        return sum(
            0 <= place < len(self.line.tiles)
            and self.cuts[cut] < 0
            and self._is_back(place)
            and not (beside in self.melds and not all(map(self._is_back, range(*beside))))
            for beside, place, cut in (before, after)
        )

    def _is_back(self, place: int) -> bool:
        return self.readings[self.line.tiles[place]].code == BACK

    def weigh_concealed(self, start: int, end: int) -> float:
        """Of these tiles being the concealed ones."""
        turned = sum(tile in self.line.sideways for tile in self.line.tiles[start:end])
        weight = turned * WEIGHTS.concealed_sideways
        places = [place for place in range(start + 1, end) if self.cuts[place] > 0]
        if not places:
            return weight
        gaps = [self.cuts[place] for place in places]
        in_sets = all(after - first <= SET_MAX for first, after in pairwise((start, *places, end)))
        shaped = [span for span, laid in self.melds.items() if self.has_shape(laid)]
        edges = [start] if start > 0 and all(after != start for _, after in shaped) else []
        if end < len(self.line.tiles) and all(first != end for first, _ in shaped):
            edges.append(end)
        narrow = sum(self.cuts[place] < max(gaps) + WEIGHTS.edge_wider for place in edges)
        weight += narrow * WEIGHTS.concealed_edge
        if len(gaps) < GROUPS_MIN and not in_sets:
            return weight + WEIGHTS.concealed_gap + WEIGHTS.concealed_wide * max(gaps)
        spread = max(gaps) - min(gaps)
        beyond = max(0.0, max(self.line.gaps[start : end - 1]) - WEIGHTS.groups_near)
        weight += WEIGHTS.groups_wide * beyond + in_sets * WEIGHTS.groups_sets
        return weight + WEIGHTS.groups + sum(gaps) + WEIGHTS.groups_spread * spread

    def has_shape(self, laid: Laid) -> bool:
        """Whether a meld shows itself: by four tiles, or one that lies sideways or face down."""
        return len(laid.tiles) == 4 or any(
            tile in self.line.sideways or self.readings[tile].code == BACK for tile in laid.tiles
        )


def weigh_gap(beyond: float) -> float:
    """Of a gap that is that many widths wider than is usual in its line."""
    steep = (beyond - WEIGHTS.gap_middle) * WEIGHTS.gap_slope
    wide = WEIGHTS.gap_some + WEIGHTS.gap_more * beyond
    return min(max(steep, WEIGHTS.gap_least), wide)


def part_line(
    row: Row,
    start: int,
    end: int,
    *,
    after_part: bool,
    before_part: bool,
    away: NDArray[np.float64] | None,
    turned: bool,
    sets: int,
) -> Best:
    """The likeliest parts among the tiles from `start` to before `end` of a row, for up to `sets` melds.

    after_part, before_part: whether a part of the hand ends there, and one begins; away: how many
    widths each tile of the picture is from the concealed ones, None in their own row; turned: whether the row
    runs another way than they do.
    """
    tiles = row.line.tiles
    states: list[dict[tuple[int, bool, bool], Parts]] = [{} for _ in range(end - start + 1)]
    states[0][0, False, after_part] = Parts()

    def keep(place: int, key: tuple[int, bool, bool], parts: Parts) -> None:
        kept = states[place - start].get(key)
        if kept is None or kept.weight < parts.weight:
            states[place - start][key] = parts

    own = away is None
    left_over = WEIGHTS.left_over if own else 0.0
    nearest = float(away[list(tiles)].min()) if away is not None else None
    for place in range(start, end):
        cut = row.cuts[place] if own else min(row.cuts[place], 0.0)
        for (melds, won, closed), parts in states[place - start].items():
            rest = Parts(left_over + (cut if closed else 0.0))
            keep(place + 1, (melds, won, False), parts.join(rest))
            tile = tiles[place]
            if not won and row.is_loose(place):
                weight = (
                    cut
                    + weigh_winning(0.0 if away is None else float(away[tile]))
                    + (WEIGHTS.winning_sideways if tile in row.line.sideways else 0.0)
                )
                keep(place + 1, (melds, True, True), parts.join(Parts(weight, winning=tile)))
            for size in (3, 4):
                if melds < sets and place + size <= end and (place, place + size) in row.melds:
                    laid = row.melds[place, place + size]
                    weight = cut + row.weigh_meld(place, place + size) + weigh_distance(nearest)
                    weight += turned * WEIGHTS.meld_turned
                    if own and not row.has_shape(laid):
                        weight += WEIGHTS.meld_plain
                    keep(place + size, (melds + 1, won, True), parts.join(Parts(weight, (laid,))))
    best: Best = {}
    for (melds, won, closed), parts in states[-1].items():
        edge = row.cuts[end] if closed or before_part else 0.0
        edge = edge if own else min(edge, 0.0)
        done = parts.join(Parts(edge))
        if (melds, won) not in best or best[melds, won].weight < done.weight:
            best[melds, won] = done
    return best


def weigh_distance(widths: float | None) -> float:
    """Of a meld in a row that far from the concealed tiles, None in their own row."""
    if widths is None:
        return 0.0
    return WEIGHTS.meld_elsewhere + WEIGHTS.meld_away * max(0.0, widths - WEIGHTS.meld_near)


def weigh_winning(widths: float) -> float:
    """Of a winning tile that far from the other concealed ones."""
    return WEIGHTS.winning + WEIGHTS.winning_away * max(0.0, widths - WEIGHTS.winning_near)


def join_best(one: Best, other: Best, sets: int) -> Best:
    """The likeliest parts in both of two places."""
    joined: Best = {}
    for (melds, won), parts in one.items():
        for (more, also), others in other.items():
            key = melds + more, won or also
            if key[0] > sets or (won and also):
                continue
            both = parts.join(others)
            if key not in joined or joined[key].weight < both.weight:
                joined[key] = both
    return joined
