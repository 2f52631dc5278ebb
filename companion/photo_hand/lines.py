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

from companion.quads import Quad
from companion.tiles import BACK, UNKNOWN, MeldKind, Suit, Tile
from companion.vision.reading import TileReading

REACH = 4.0
"""Widths of a tile between two of one line, at most."""
IN_LINE = 0.5
"""Share of a tile's height beside its neighbour, at least."""
SUNK = 0.45
"""How far outlines of neighbours may overlap, in widths: those of tiles that lean."""
SIDEWAYS = 1.35
"""Width of a tile that lies sideways by its height, as its upright neighbour measures it, at least."""
RIGHT, LEFT, DOWN, UP = range(4)
OPPOSITE = (LEFT, RIGHT, UP, DOWN)
Floats = NDArray[np.float64]
FAR = 1e9
"""Widths: no tile is that far away."""
KINDS_LOOKED_AT = 3
"""How many of a tile's alternatives are looked at."""
OTHER_LEAST = 0.05
"""Probability of another kind for which a named tile may be that one in a meld."""
MISREAD = 1e-3
"""How likely an unread tile is a kind that is not among its alternatives."""
HIDDEN_OF_KONG = (frozenset({0, 3}), frozenset({1, 2}), frozenset(range(4)))
"""Which tiles of a concealed kong lie face down: by one custom or another the outer, the inner, or all."""
UPON = (0.6, 1.3)
"""Widths between the middles of two tiles that lie against each other's long sides."""
PUNG, KONG = 3, 4
COPIES_MAX = 8
"""Tiles read as one kind: where there are more, most were misread."""
TYPICAL_GAP_MAX = 0.6
"""Widths: tiles of one row are set down no further apart than this."""
GROUPS_MIN = 2
"""Gaps in a hand that is laid out in groups, at least, where one of them has more than `SET_MAX` tiles."""
SET_MAX = 4
"""Tiles of one set."""
HOPELESS = -6.0
"""Of a meld or a winning tile with so little for it nothing is expected."""


@dataclass(frozen=True, slots=True)
class Line:
    """Tiles side by side: their indices along the line, the gaps between them in widths of a tile, and which
    of the tiles lie sideways in it."""

    tiles: tuple[int, ...]
    gaps: tuple[float, ...] = ()
    sideways: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """n tiles, each with a frame of its own: its middle, and its width and height as axes.

    middles (n, 2) px, axes (n, 2, 2) px: columns are along the width and down the height; corners (n, 4, 2).
    """

    middles: Floats
    axes: Floats
    corners: Floats

    @classmethod
    def of(cls, quads: Sequence[Quad], backs: Sequence[bool], any_way_up: Sequence[bool]) -> Outlines:
        """Of these outlines. A back says not which way up it lies: its width is taken to be along the way to
        its nearest neighbour. That of a face which looks alike any way up follows from its shape as its
        nearest neighbour measures it."""
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
                x, y = np.ptp(outlines.seen_from(neighbour)[index], axis=0)
                outlines._turn(int(index), along=outlines.axes[neighbour][:, int(x > SIDEWAYS * y)])
        return outlines

    def _nearest(self, index: int, among: NDArray[np.bool_]) -> int | None:
        apart = self.middles - self.middles[index]
        distance = np.where(among, np.hypot(apart[:, 0], apart[:, 1]), np.inf)
        distance[index] = np.inf
        nearest = int(distance.argmin())
        return nearest if np.isfinite(distance[nearest]) else None

    def _turn(self, index: int, along: Floats) -> None:
        """Takes for a tile's width whichever of its axes runs more along that way."""
        x, y = _solve(self.axes[index], along[None])[0]
        if abs(y) > abs(x):
            self.axes[index] = self.axes[index][:, ::-1].copy()

    def __len__(self) -> int:
        return len(self.middles)

    def seen_from(self, index: int) -> Floats:
        """The corners (n, 4, 2) in the frame of one tile, whose own reach from -0.5 to 0.5."""
        return _solve(self.axes[index], self.corners - self.middles[index])

    def is_sideways(self, index: int, other: int) -> bool:
        """Whether the width of `other` runs along the height of tile `index`."""
        x, y = _solve(self.axes[index], self.axes[other][:, 0][None])[0]
        return bool(abs(y) > abs(x))


def _solve(axes: Floats, points: Floats) -> Floats:
    """Points (…, 2) px in the frame of these axes. An outline without an area has no frame, and nothing lies
    near it."""
    if abs(np.linalg.det(axes)) < 1e-6:
        return np.full_like(points, FAR)
    turned: Floats = points @ np.linalg.inv(axes).T
    return turned


def find_lines(outlines: Outlines) -> tuple[Line, ...]:
    """Every tile in one line, alone where nothing stands beside it."""
    nearest = [_look_about(outlines, index) for index in range(len(outlines))]
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


def _look_about(outlines: Outlines, index: int) -> dict[int, tuple[int, float]]:
    """The nearest tile in line on each side of a tile, and the gap to it in widths."""
    seen = outlines.seen_from(index)
    low, high = seen.min(axis=1), seen.max(axis=1)
    middle = (low + high) / 2
    found = {}
    for axis, sides in ((0, (RIGHT, LEFT)), (1, (DOWN, UP))):
        across = 1 - axis
        common = np.minimum(high[:, across], 0.5) - np.maximum(low[:, across], -0.5)
        in_line = common >= IN_LINE * np.minimum(high[:, across] - low[:, across], 1.0)
        for side, gaps, beyond in (
            (sides[0], low[:, axis] - 0.5, middle[:, axis] > 0),
            (sides[1], -0.5 - high[:, axis], middle[:, axis] < 0),
        ):
            gaps = np.where(in_line & beyond & (gaps > -SUNK) & (gaps < REACH), gaps, np.inf)
            gaps[index] = np.inf
            nearest = int(gaps.argmin())
            if np.isfinite(gaps[nearest]):
                found[side] = nearest, float(gaps[nearest])
    return found


def _side_towards(
    nearest: dict[int, tuple[int, float]], index: int, sides: Sequence[int] = (RIGHT, LEFT, DOWN, UP)
) -> int | None:
    """The side on which a tile has the tile `index` as its nearest."""
    return next((side for side in sides if side in nearest and nearest[side][0] == index), None)


def _attach_sideways(
    outlines: Outlines,
    nearest: list[dict[int, tuple[int, float]]],
    links: list[dict[int, tuple[int, float]]],
) -> None:
    """Link single tiles that lie sideways to the lines at whose ends they lie, or whose parts they join."""
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


def _make_line(outlines: Outlines, links: Sequence[dict[int, tuple[int, float]]], chain: list[int]) -> Line:
    """The line of a chain, from its glyphs' left to their right."""
    way = outlines.middles[chain[-1]] - outlines.middles[chain[0]]
    if float(way @ outlines.axes[chain][:, :, 0].sum(axis=0)) < 0:
        chain = chain[::-1]
    gaps = tuple(dict(links[one].values())[other] for one, other in pairwise(chain))
    turned = (
        index for index in chain if sum(outlines.is_sideways(index, each) for each in chain) * 2 > len(chain)
    )
    return Line(tuple(chain), gaps, frozenset(turned))


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld as it lies: its kind, what each tile is ("back" where nothing says it), and the logarithm of the
    probability of reading its tiles so."""

    kind: MeldKind
    codes: tuple[str, ...]
    log_p: float


def find_meld(tiles: Sequence[TileReading], sideways: int) -> Meld | None:
    """The meld that three or four tiles make in the order in which they lie, n of them sideways; None for
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


def _find_concealed_kong(tiles: Sequence[TileReading], down: frozenset[int]) -> Meld | None:
    if len(tiles) != 4 or down not in HIDDEN_OF_KONG:
        return None
    if len(down) == 4:
        return Meld(MeldKind.KONG_CONCEALED, (BACK,) * 4, 0.0)
    shown = _equal([tile for place, tile in enumerate(tiles) if place not in down])
    best = max(shown, key=lambda meld: meld.log_p, default=None)
    return best and Meld(MeldKind.KONG_CONCEALED, best.codes[:1] * 4, best.log_p)


def _weigh_kinds(tile: TileReading) -> dict[str, float]:
    """The kinds that a tile may be, with their probabilities; one that was read for sure is no other."""
    least = 0.0 if tile.code == UNKNOWN else OTHER_LEAST
    return {code: p for code, p in tile.alternatives[:KINDS_LOOKED_AT] if code[-1:] in "mpsz" and p > least}


def _equal(tiles: Sequence[TileReading]) -> list[Meld]:
    """As many equal tiles as there are."""
    kind = MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_DISCARD
    kinds = [(_weigh_kinds(tile), MISREAD if tile.code == UNKNOWN else 0.0) for tile in tiles]
    melds = []
    for code in {code for each, _ in kinds for code in each}:
        chances = [each.get(code, unlisted) for each, unlisted in kinds]
        if all(chances):
            melds.append(Meld(kind, (code,) * len(tiles), sum(map(math.log, chances))))
    return melds


def _runs(tiles: Sequence[TileReading]) -> list[Meld]:
    kinds = [_weigh_kinds(tile) for tile in tiles]
    return [
        Meld(MeldKind.CHOW, codes, sum(math.log(each[code]) for each, code in zip(kinds, codes, strict=True)))
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
    outlines: Outlines,
    among: Sequence[int],
    lines_among: Callable[[Sequence[int]], Sequence[Line]],
) -> dict[int, int]:
    """For the sideways tile of a pung, the equal one that was laid against it.

    outlines: of all tiles; among: the indices of those that stand in lines; lines_among: finds the lines of
    some of them.
    """
    added: dict[int, int] = {}
    for tile, upon in _list_pairs(tiles, outlines):
        if {tile, upon}.isdisjoint({*added, *added.values()}):
            rest = [other for other in among if other != upon and other not in added.values()]
            if any(_has_pung_across(line, tile, tiles) for line in lines_among(rest)):
                added[tile] = upon
    return added


def _list_pairs(tiles: Sequence[TileReading], outlines: Outlines) -> Iterator[tuple[int, int]]:
    """Equal tiles side by side that lie across to another of their kind, in either order."""
    held = Counter(tile.code for tile in tiles)
    widths = np.linalg.norm(outlines.axes[:, :, 0], axis=1).clip(1e-6)
    for code, copies in held.items():
        if not KONG <= copies <= COPIES_MAX or code in (BACK, UNKNOWN):
            continue
        equal = [index for index, tile in enumerate(tiles) if tile.code == code]
        for one, other in permutations(equal, 2):
            apart = float(np.linalg.norm(outlines.middles[one] - outlines.middles[other]))
            if UPON[0] < apart / widths[one] < UPON[1] and any(
                outlines.is_sideways(third, one) and outlines.is_sideways(third, other)
                for third in equal
                if third not in (one, other)
            ):
                yield one, other


def _has_pung_across(line: Line, tile: int, tiles: Sequence[TileReading]) -> bool:
    """Whether the line has a pung in which that tile lies sideways."""
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
    """Gaps and distances are in widths of a tile; each weight is added where what it is of is so."""

    gap_middle: float = 0.22  # a gap that is wider by this than is usual in its line speaks for neither
    gap_slope: float = 12.0  # for an edge between two parts, for each width beyond that
    gap_least: float = -4.0  # what no gap at all says, at least
    gap_some: float = 1.2  # what a gap says, at most
    gap_more: float = 0.9  # and this more for each width of it
    concealed_sideways: float = -3.0  # each tile of the hand that lies sideways
    concealed_gap: float = -2.5  # a single gap in the hand
    concealed_wide: float = -0.6  # for what that gap says
    concealed_edge: float = -2.5  # an edge of the hand no wider than the gaps in it
    edge_wider: float = 0.3  # by how much more an edge has to say
    concealed_row: float = -3.5  # each row of the hand more than one
    concealed_all: float = -8.0  # all tiles of the picture
    groups: float = -2.0  # a hand laid out in groups
    groups_sets: float = 1.0  # none of which has more tiles than a set
    groups_spread: float = -3.0  # how differently wide the gaps between them are
    groups_near: float = 0.6  # groups lie this near each other
    groups_wide: float = -3.0  # for each width beyond that
    size: float = 4.0  # a hand whose tiles are larger than others: nearer
    upright: float = 0.7  # that faces whoever took the picture
    low: float = 0.7  # that lies low in the picture
    lacking: float = -1.7  # each tile that a hand lacks to be finished, up to two
    kong_in_row: float = -1.0  # four equal tiles among the concealed ones, in one row, that are a kong
    kong_in_rows: float = -2.5  # the same where the hand has several rows
    unfitting: float = -3.0  # a number of tiles that no hand has
    each: float = -1.2  # each tile too many or too few
    waiting: float = -2.5  # a hand without its winning tile
    left_over: float = -0.8  # each tile in the hand's own line that is no part of it
    meld: float = -0.8
    misread: float = -7.0  # of a meld's tiles, at worst
    meld_sideways: float = 3.0
    meld_plain: float = -1.0  # in the hand's own line without a shape of its own
    kong_hidden: float = 4.0  # two of four face down
    kong_in_wall: float = -3.0  # each tile of a wall that touches it
    kong_of_backs: float = -1.0
    meld_elsewhere: float = -0.7  # in another line than the hand
    meld_near: float = 2.5  # as near as that to it
    meld_away: float = -0.8  # for each width beyond that
    meld_turned: float = -2.5  # in a line that runs another way
    winning: float = -0.5
    winning_sideways: float = 1.0
    winning_near: float = 1.6  # as near as that to the hand
    winning_away: float = -1.5  # for each width beyond that
    heat: float = 0.85  # by how much all of them are too sure


WEIGHTS = Weights()


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
