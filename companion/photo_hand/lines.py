"""Lines of tiles in a picture: which tiles stand next to each other, which melds they make, and how a line
divides into melds, a winning tile and tiles outside the hand.

Every tile is measured by its own outline, so lines may run in any direction and be seen at a slant. `WEIGHTS`
holds the logarithms of likelihoods that all of this is weighed by.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, permutations, product
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

from companion.images import Quad
from companion.tiles import BACK, UNKNOWN, MeldKind, Suit, Tile
from companion.vision.reading import TileReading

REACH = 4.0
"""Maximum gap between two tiles of one line, in tile widths."""
OVERLAP_IN_LINE = 0.5
"""Minimum share of a tile's height that overlaps its neighbour in a line."""
OVERLAP_MAX = 0.45
"""Maximum overlap of neighbouring outlines, in tile widths: leaning tiles overlap."""
SIDEWAYS = 1.35
"""Minimum ratio of width to height of a sideways tile, measured in its upright neighbour's frame."""
RIGHT, LEFT, DOWN, UP = range(4)
OPPOSITE = (LEFT, RIGHT, UP, DOWN)
Floats = NDArray[np.float64]
FAR_WIDTHS = 1e9
"""A distance in tile widths that no tile reaches."""
ALTERNATIVES_MAX = 3
"""The number of a tile's alternatives that are considered."""
OTHER_P_MIN = 0.05
"""Minimum probability of another kind for a named tile to count as that kind in a meld."""
MISREAD = 1e-3
"""Probability that an unread tile is a kind that is not among its alternatives."""
HIDDEN_OF_KONG = (frozenset({0, 3}), frozenset({1, 2}), frozenset(range(4)))
"""The face-down tiles of a concealed kong: by custom the outer two, the inner two, or all."""
STACKED_WIDTHS = (0.6, 1.3)
"""Range of the distance, in tile widths, between the centres of two tiles touching along their long sides."""
PUNG, KONG = 3, 4
COPIES_MAX = 8
"""Maximum number of tiles read as one kind; with more, most were misread."""
TYPICAL_GAP_MAX = 0.6
"""Maximum typical gap between tiles of one row, in tile widths."""
GROUPS_MIN = 2
"""Minimum number of gaps in a hand shown in groups, where a group has more than `SET_MAX` tiles."""
SET_MAX = 4
"""Maximum number of tiles of one set."""
PART_WEIGHT_MIN = -6.0
"""Minimum weight of a meld or a winning tile; candidates below it are dropped."""


@dataclass(frozen=True, slots=True)
class Line:
    """Tiles next to each other: their indices along the line, the gaps between them in tile widths, and the
    tiles that are sideways."""

    tiles: tuple[int, ...]
    gaps: tuple[float, ...] = ()
    sideways: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class TileQuads:
    """n tiles, each with its own frame: its centre, and its width and height as axes.

    middles (n, 2) px, axes (n, 2, 2) px: columns are along the width and down the height; corners (n, 4, 2).
    """

    middles: Floats
    axes: Floats
    corners: Floats

    @classmethod
    def of(cls, quads: Sequence[Quad], backs: Sequence[bool], any_way_up: Sequence[bool]) -> TileQuads:
        """The frames of these outlines. A back does not show which way up it is: its width is assumed to run
        towards its nearest neighbour. For a face that looks the same either way, its shape in the frame of
        its nearest neighbour decides."""
        corners = np.array(quads, np.float64).reshape(-1, 4, 2)
        middles = corners.mean(axis=1)
        along = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
        down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
        outlines = cls(middles, np.stack([along, down], axis=2), corners)
        plain = ~(np.array(backs, bool) | np.array(any_way_up, bool))
        for index in np.flatnonzero(backs):
            neighbour = outlines._nearest(int(index), np.ones(len(corners), bool))
            if neighbour is not None:
                way = outlines.middles[neighbour] - outlines.middles[index]
                outlines._turn(int(index), along=way)
        for index in np.flatnonzero(any_way_up):
            neighbour = outlines._nearest(int(index), plain)
            if neighbour is not None:
                x, y = np.ptp(outlines.in_frame_of(neighbour)[index], axis=0)
                outlines._turn(int(index), along=outlines.axes[neighbour][:, int(x > SIDEWAYS * y)])
        return outlines

    def _nearest(self, index: int, among: NDArray[np.bool_]) -> int | None:
        apart = self.middles - self.middles[index]
        distance = np.where(among, np.hypot(apart[:, 0], apart[:, 1]), np.inf)
        distance[index] = np.inf
        nearest = int(distance.argmin())
        return nearest if np.isfinite(distance[nearest]) else None

    def _turn(self, index: int, along: Floats) -> None:
        """Make the axis that runs more along that direction the tile's width."""
        x, y = _solve(self.axes[index], along[None])[0]
        if abs(y) > abs(x):
            self.axes[index] = self.axes[index][:, ::-1].copy()

    def __len__(self) -> int:
        return len(self.middles)

    def in_frame_of(self, index: int) -> Floats:
        """The corners (n, 4, 2) in the frame of one tile, whose own corners range from -0.5 to 0.5."""
        return _solve(self.axes[index], self.corners - self.middles[index])

    def is_sideways(self, index: int, other: int) -> bool:
        """Whether the width of `other` runs along the height of tile `index`."""
        x, y = _solve(self.axes[index], self.axes[other][:, 0][None])[0]
        return bool(abs(y) > abs(x))


def _solve(axes: Floats, points: Floats) -> Floats:
    """Points (…, 2) px in the frame of these axes. An outline without an area has no frame, so nothing is
    near it."""
    if abs(np.linalg.det(axes)) < 1e-6:
        return np.full_like(points, FAR_WIDTHS)
    turned: Floats = points @ np.linalg.inv(axes).T
    return turned


def find_lines(outlines: TileQuads) -> tuple[Line, ...]:
    """All lines; every tile is in one, alone where it has no neighbour."""
    nearest = [_find_neighbours(outlines, index) for index in range(len(outlines))]
    links: list[dict[int, tuple[int, float]]] = [{} for _ in nearest]
    for index, seen in enumerate(nearest):
        for side in (RIGHT, LEFT):
            if side not in seen or outlines.is_sideways(index, seen[side][0]):
                continue
            other, gap = seen[side]
            back = _side_towards(nearest[other], index, (RIGHT, LEFT))
            if back is not None:
                links[index][side], links[other][back] = (other, gap), (index, gap)
    _attach_sideways(outlines, nearest, links)
    return tuple(_make_line(outlines, links, chain) for chain in _follow(links))


def _find_neighbours(outlines: TileQuads, index: int) -> dict[int, tuple[int, float]]:
    """The nearest tile in line on each side of a tile, and the gap to it in tile widths."""
    seen = outlines.in_frame_of(index)
    low, high = seen.min(axis=1), seen.max(axis=1)
    middle = (low + high) / 2
    found = {}
    for axis, sides in ((0, (RIGHT, LEFT)), (1, (DOWN, UP))):
        across = 1 - axis
        common = np.minimum(high[:, across], 0.5) - np.maximum(low[:, across], -0.5)
        in_line = common >= OVERLAP_IN_LINE * np.minimum(high[:, across] - low[:, across], 1.0)
        for side, gaps, beyond in (
            (sides[0], low[:, axis] - 0.5, middle[:, axis] > 0),
            (sides[1], -0.5 - high[:, axis], middle[:, axis] < 0),
        ):
            gaps = np.where(in_line & beyond & (gaps > -OVERLAP_MAX) & (gaps < REACH), gaps, np.inf)
            gaps[index] = np.inf
            nearest = int(gaps.argmin())
            if np.isfinite(gaps[nearest]):
                found[side] = nearest, float(gaps[nearest])
    return found


def _side_towards(
    nearest: dict[int, tuple[int, float]], index: int, sides: Sequence[int] = (RIGHT, LEFT, DOWN, UP)
) -> int | None:
    """The side of a tile on which the tile `index` is its nearest."""
    return next((side for side in sides if side in nearest and nearest[side][0] == index), None)


def _attach_sideways(
    outlines: TileQuads,
    nearest: list[dict[int, tuple[int, float]]],
    links: list[dict[int, tuple[int, float]]],
) -> None:
    """Link single sideways tiles to the lines that they end, or whose parts they join."""
    single = [not link for link in links]
    ends = [index for index, link in enumerate(links) if len(link) < 2]
    for index in sorted(ends, key=lambda each: single[each]):
        for side in (RIGHT, LEFT):
            if (
                side in links[index]
                or side not in nearest[index]
                or DOWN in links[index]
                or UP in links[index]
            ):
                continue
            other, gap = nearest[index][side]
            back = _side_towards(nearest[other], index)
            if not single[other] or not outlines.is_sideways(index, other) or back is None:
                continue
            if any(taken not in (back, OPPOSITE[back]) or taken == back for taken in links[other]):
                continue
            links[index][side], links[other][back] = (other, gap), (index, gap)


def _follow(links: Sequence[dict[int, tuple[int, float]]]) -> Iterator[list[int]]:
    """The tiles of each line from one end to the other."""
    left = set(range(len(links)))
    for start in sorted(left, key=lambda index: len(links[index])):
        if start not in left:
            continue
        chain = []
        here: int | None = start
        while here is not None:
            chain.append(here)
            left.remove(here)
            here = next((other for other, _ in links[here].values() if other in left), None)
        yield chain


def _make_line(outlines: TileQuads, links: Sequence[dict[int, tuple[int, float]]], chain: list[int]) -> Line:
    """The line of a chain, from left to right as its glyphs read."""
    way = outlines.middles[chain[-1]] - outlines.middles[chain[0]]
    if float(way @ outlines.axes[chain][:, :, 0].sum(axis=0)) < 0:
        chain = chain[::-1]
    gaps = tuple(dict(links[one].values())[other] for one, other in pairwise(chain))
    turned = (
        index for index in chain if sum(outlines.is_sideways(index, each) for each in chain) * 2 > len(chain)
    )
    return Line(tuple(chain), gaps, frozenset(turned))


@dataclass(frozen=True, slots=True)
class ReadMeld:
    """A meld in a picture: its kind, the code of each tile ("back" if nothing shows it), and the logarithm
    of the probability of this reading of its tiles."""

    kind: MeldKind
    codes: tuple[str, ...]
    log_p: float


def find_meld(tiles: Sequence[TileReading], sideways: int) -> ReadMeld | None:
    """The meld that three or four tiles form in this order, with n of them sideways; None if they form
    none."""
    down = frozenset(place for place, tile in enumerate(tiles) if tile.code == BACK)
    if down:
        return _find_concealed_kong(tiles, down) if not sideways else None
    if sideways > 1:
        return None
    melds = _equal(tiles)
    if len(tiles) == 3:
        melds += _runs(tiles)
    return max(melds, key=lambda meld: meld.log_p, default=None)


def _find_concealed_kong(tiles: Sequence[TileReading], down: frozenset[int]) -> ReadMeld | None:
    if len(tiles) != 4 or down not in HIDDEN_OF_KONG:
        return None
    if len(down) == 4:
        return ReadMeld(MeldKind.KONG_CONCEALED, (BACK,) * 4, 0.0)
    shown = _equal([tile for place, tile in enumerate(tiles) if place not in down])
    best = max(shown, key=lambda meld: meld.log_p, default=None)
    return best and ReadMeld(MeldKind.KONG_CONCEALED, best.codes[:1] * 4, best.log_p)


def _weigh_kinds(tile: TileReading) -> dict[str, float]:
    """The kinds that a tile may be, with their probabilities; a tile read with certainty has one kind."""
    least = 0.0 if tile.code == UNKNOWN else OTHER_P_MIN
    return {code: p for code, p in tile.alternatives[:ALTERNATIVES_MAX] if code[-1:] in "mpsz" and p > least}


def _equal(tiles: Sequence[TileReading]) -> list[ReadMeld]:
    """The tiles as equal ones: a pung or a kong."""
    kind = MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_DISCARD
    kinds = [(_weigh_kinds(tile), MISREAD if tile.code == UNKNOWN else 0.0) for tile in tiles]
    melds = []
    for code in {code for each, _ in kinds for code in each}:
        chances = [each.get(code, unlisted) for each, unlisted in kinds]
        if all(chances):
            melds.append(ReadMeld(kind, (code,) * len(tiles), sum(map(math.log, chances))))
    return melds


def _runs(tiles: Sequence[TileReading]) -> list[ReadMeld]:
    kinds = [_weigh_kinds(tile) for tile in tiles]
    return [
        ReadMeld(
            MeldKind.CHOW, codes, sum(math.log(each[code]) for each, code in zip(kinds, codes, strict=True))
        )
        for codes in product(*kinds)
        if is_run(codes)
    ]


@lru_cache(1 << 14)
def is_run(codes: tuple[str, ...]) -> bool:
    """Whether three codes are a chow, in any order."""
    tiles = sorted(Tile.parse(code) for code in codes)
    suits = {tile.suit for tile in tiles}
    ranks = [tile.rank for tile in tiles]
    return len(suits) == 1 and Suit.HONORS not in suits and ranks == [*range(ranks[0], ranks[0] + 3)]


def find_added_tiles(
    tiles: Sequence[TileReading],
    outlines: TileQuads,
    among: Sequence[int],
    lines_among: Callable[[Sequence[int]], Sequence[Line]],
) -> dict[int, int]:
    """For each sideways tile of a pung, the equal tile added next to it: the fourth tile of an added kong.

    outlines: of all tiles; among: the indices of the tiles in lines; lines_among: finds the lines of some of
    them.
    """
    added: dict[int, int] = {}
    for tile, upon in _list_pairs(tiles, outlines):
        if {tile, upon}.isdisjoint({*added, *added.values()}):
            rest = [other for other in among if other != upon and other not in added.values()]
            if any(_has_pung_across(line, tile, tiles) for line in lines_among(rest)):
                added[tile] = upon
    return added


def _list_pairs(tiles: Sequence[TileReading], outlines: TileQuads) -> Iterator[tuple[int, int]]:
    """Pairs of equal tiles next to each other and sideways to another of their kind, in either order."""
    held = Counter(tile.code for tile in tiles)
    widths = np.linalg.norm(outlines.axes[:, :, 0], axis=1).clip(1e-6)
    for code, copies in held.items():
        if not KONG <= copies <= COPIES_MAX or code in (BACK, UNKNOWN):
            continue
        equal = [index for index, tile in enumerate(tiles) if tile.code == code]
        for one, other in permutations(equal, 2):
            apart = float(np.linalg.norm(outlines.middles[one] - outlines.middles[other]))
            if STACKED_WIDTHS[0] < apart / widths[one] < STACKED_WIDTHS[1] and any(
                outlines.is_sideways(third, one) and outlines.is_sideways(third, other)
                for third in equal
                if third not in (one, other)
            ):
                yield one, other


def _has_pung_across(line: Line, tile: int, tiles: Sequence[TileReading]) -> bool:
    """Whether the line has a pung in which that tile is sideways."""
    if tile not in line.sideways:
        return False
    place = line.tiles.index(tile)
    for start in range(max(0, place - PUNG + 1), min(place, len(line.tiles) - PUNG) + 1):
        three = line.tiles[start : start + PUNG]
        meld = find_meld([tiles[each] for each in three], sum(each in line.sideways for each in three))
        if meld and meld.kind is MeldKind.PUNG:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Weights:
    """Gaps and distances are in tile widths. Each weight is added where its condition is true.

    They were chosen on drawn tables with seeds that no reported figure uses; the weights of kongs in rows and
    in walls, on unlabelled photos of real hands.
    """

    gap_middle: float = 0.22  # a gap this much wider than usual in its line is neutral
    gap_slope: float = 12.0  # in favour of an edge, per width beyond that
    gap_least: float = -4.0  # minimum, for no gap at all
    gap_some: float = 1.2  # maximum for a gap
    gap_more: float = 0.9  # added to it per width of the gap
    concealed_sideways: float = -3.0  # per sideways tile of the hand
    concealed_gap: float = -2.5  # a single gap in the hand
    concealed_wide: float = -0.6  # times the weight of that gap
    concealed_edge: float = -2.5  # an edge of the hand no wider than the gaps in it
    edge_wider: float = 0.3  # margin by which an edge must be wider
    concealed_row: float = -3.5  # per row of the hand beyond the first
    concealed_all: float = -8.0  # the hand is all tiles of the picture
    groups: float = -2.0  # a hand shown in groups
    groups_sets: float = 1.0  # no group has more tiles than a set
    groups_spread: float = -3.0  # times the spread of the gaps between groups
    groups_near: float = 0.6  # groups are at most this far apart
    groups_wide: float = -3.0  # per width beyond that
    size: float = 4.0  # tiles larger than others: nearer to the camera
    upright: float = 0.7  # facing the person who took the picture
    low: float = 0.7  # low in the picture
    lacking: float = -1.7  # per missing tile of a winning hand, up to two
    kong_in_row: float = -1.0  # four equal concealed tiles in one row as a kong
    kong_in_rows: float = -2.5  # the same where the hand has several rows
    unfitting: float = -3.0  # a number of tiles that no hand has
    each: float = -1.2  # per tile too many or too few
    waiting: float = -2.5  # a hand without its winning tile
    left_over: float = -0.8  # per tile in the hand's line outside the hand
    meld: float = -0.8
    misread: float = -7.0  # minimum for the reading of a meld's tiles
    meld_sideways: float = 3.0
    meld_plain: float = -1.0  # in the hand's line and not visible as a meld
    kong_hidden: float = 4.0  # two of four tiles face down
    kong_in_wall: float = -3.0  # per wall tile that touches it
    kong_of_backs: float = -1.0
    meld_elsewhere: float = -0.7  # in a different line from the hand
    meld_near: float = 2.5  # within this distance of the hand
    meld_away: float = -0.8  # per width beyond that
    meld_turned: float = -2.5  # in a line of another direction
    winning: float = -0.5
    winning_sideways: float = 1.0
    winning_near: float = 1.6  # within this distance of the hand
    winning_away: float = -1.5  # per width beyond that
    heat: float = 0.85  # scales all weights, which are overconfident


WEIGHTS = Weights()


Tiles = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlacedMeld:
    """A meld among the tiles of a picture: their indices in order, and the meld they form."""

    tiles: Tiles
    meld: ReadMeld


@dataclass(frozen=True, slots=True)
class Parts:
    """Melds and possibly a winning tile, with the logarithm of their likelihood."""

    weight: float = 0.0
    melds: tuple[PlacedMeld, ...] = ()
    winning: int | None = None

    def join(self, other: Parts) -> Parts:
        winning = self.winning if self.winning is not None else other.winning
        return Parts(self.weight + other.weight, self.melds + other.melds, winning)


Best = dict[tuple[int, bool], Parts]
"""The likeliest parts for each number of melds, with and without a winning tile."""


@dataclass(frozen=True, slots=True, eq=False)
class TileRow:
    """A line of tiles and what was read of all tiles of the picture. `cuts[k]`: the logarithm of how
    likely a part of the hand ends before the tile k of the line, against both tiles being in one part."""

    line: Line
    readings: Sequence[TileReading]
    cuts: tuple[float, ...]
    melds: dict[tuple[int, int], PlacedMeld]

    @classmethod
    def of(
        cls,
        line: Line,
        readings: Sequence[TileReading],
        kinds: Container[MeldKind],
        added: Mapping[int, int],
    ) -> TileRow:
        """added: for a sideways tile of a pung, the tile added to it."""
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
                    row.melds[start, start + size] = PlacedMeld(tiles, meld)
        for start, end in list(row.melds):
            if row.weigh_meld(start, end) + cuts[start] + cuts[end] < PART_WEIGHT_MIN:
                del row.melds[start, end]
        return row

    def is_loose(self, place: int) -> bool:
        """Whether a tile is far enough from its neighbours to be a winning tile."""
        loose = self.cuts[place] + self.cuts[place + 1] > PART_WEIGHT_MIN
        return loose and self.readings[self.line.tiles[place]].code != BACK

    def weigh_meld(self, start: int, end: int) -> float:
        """The weight of the tiles from `start` to before `end` as a meld, apart from its position."""
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
        """The number of backs, not in another concealed kong, that touch the ends of this one. With some, it
        may be two upturned tiles of a wall."""
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
        """The weight of these tiles as the concealed ones."""
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

    def has_shape(self, laid: PlacedMeld) -> bool:
        """Whether a meld is visible as one: by four tiles, or by a sideways or face-down tile."""
        return len(laid.tiles) == 4 or any(
            tile in self.line.sideways or self.readings[tile].code == BACK for tile in laid.tiles
        )


def weigh_gap(beyond: float) -> float:
    """The weight of a gap by its excess over the usual gap of its line, in tile widths."""
    steep = (beyond - WEIGHTS.gap_middle) * WEIGHTS.gap_slope
    wide = WEIGHTS.gap_some + WEIGHTS.gap_more * beyond
    return min(max(steep, WEIGHTS.gap_least), wide)


def divide_line(
    row: TileRow,
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

    after_part, before_part: whether a part of the hand ends before `start`, and begins at `end`. away: the
    distance of each tile from the concealed ones in tile widths, None in their own row. turned: whether the
    row runs in another direction than they do.
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
    """The weight of a meld's distance from the concealed tiles, None in their own row."""
    if widths is None:
        return 0.0
    return WEIGHTS.meld_elsewhere + WEIGHTS.meld_away * max(0.0, widths - WEIGHTS.meld_near)


def weigh_winning(widths: float) -> float:
    """The weight of a winning tile's distance from the other concealed ones."""
    return WEIGHTS.winning + WEIGHTS.winning_away * max(0.0, widths - WEIGHTS.winning_near)


def join_best(one: Best, other: Best, sets: int) -> Best:
    """The likeliest parts of two places together."""
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
