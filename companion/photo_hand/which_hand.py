"""Which tiles of a photographed table are the hand, which are its melds, and which tile won.

Every interpretation is weighed by what players do: the hand is in a row apart from the rest, melds are in
threes and fours next to it, and the winning tile is alone.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

import numpy as np
from numpy.typing import NDArray

from companion.photo_hand.lines import (
    WEIGHTS,
    Best,
    Line,
    Outlines,
    Parts,
    PlacedMeld,
    Row,
    divide_line,
    find_added_tiles,
    find_lines,
    join_best,
)
from companion.rules import RuleSet
from companion.rules.distance import seven_pairs_lacks, standard_lacks
from companion.tiles import BACK, UNKNOWN, MeldKind, Tile, counts
from companion.vision.reading import TileReading

MISSED_MAX = 2
"""Maximum number of tiles of a hand that were not found, or of finds that are not tiles."""
LACKING_MAX = 2
COPIES = 4
WINNING_P = 0.5
"""Minimum probability for a separate tile to count as the winning one."""
ASK_BELOW_P = 0.7
"""Below this probability of the concealed tiles a person is asked which tiles are the hand."""
HAND_SIZES = (13, 16)
"""Numbers of tiles of a hand between turns, where no game is given."""
HAND_MAX = 24
"""Maximum number of concealed tiles of a hand, even a badly read one."""
MELDS_AWAY_MAX = 9.0
"""Maximum distance of melds and the winning tile from the concealed tiles, in tile widths."""
ROWS_APART_MAX = 1.7
"""Maximum distance between the centres of two rows of one hand, in tile heights."""
EDGE_WEIGHT_MIN = -2.0
"""Minimum weight of a gap at which a part of the hand can begin or end."""
WINNING_AWAY_MAX = 4.0
"""Maximum distance of a separate winning tile from the concealed tiles, in tile widths."""
TURNED_COSINE = 0.7
ANY_WAY_UP = ("1p", "1s", "5z", UNKNOWN)
"""Codes often read a quarter turn wrong: faces that look the same, whose way up differs between sets, or that
are unread."""
LAST_WINS_P = 0.3
"""Probability that the last tile of a hand won where none is apart: a guess, since the picture does not show
it."""
FLOWERS_AWAY, FLOWERS_SPREAD = 6.0, 1.5
"""Distance from the hand, in tile widths, at which flowers are as likely another player's; and the width of
the transition."""
FLOWERS_APART = 2.0
"""A flower this many tile widths further from the hand than the nearest flower, and not next to another, is
as likely another player's: a player keeps flowers together."""
FLOWERS_BESIDE = 1.5
"""Maximum distance between the centres of two adjacent flowers of one player, in tile widths."""
TILES_MAX = 400
"""Maximum number of tiles in which a hand is searched; three full sets have fewer."""


def has_hand_size(tiles: int, melds: int, size: int) -> bool:
    """Whether that is nearly the number of tiles of a hand of `size` without its melds, with or without the
    winning tile."""
    return abs(tiles + 3 * melds - size - 1) <= MISSED_MAX


def weigh_completeness(codes: Sequence[str], melds: int, size: int, *, won: bool, kong: float) -> float:
    """The weight of these tiles and that number of melds as a winning hand, or nearly one.

    codes: in order. won: whether the last of them is a separate winning tile. kong: the weight of four equal
    adjacent tiles as a kong that is not separated.
    """
    row = codes[:-1] if won else codes
    fours = [code for code, run in groupby(row) if len(list(run)) == COPIES and code != UNKNOWN]
    return max(
        len(kongs) * kong
        + _weigh_without_kongs(
            [code for code in codes if code not in kongs], melds + len(kongs), size, won=won
        )
        for chosen in range(len(fours) + 1)
        for kongs in combinations(fours, chosen)
        if not kongs or melds + len(kongs) <= size // 3
    )


def _weigh_without_kongs(codes: Sequence[str], melds: int, size: int, *, won: bool) -> float:
    beyond = len(codes) + 3 * melds - size - 1
    if beyond == -1 and not won:
        weight = WEIGHTS.waiting
    elif beyond:
        return WEIGHTS.unfitting + WEIGHTS.each * abs(beyond) + LACKING_MAX * WEIGHTS.lacking
    else:
        weight = 0.0
    lacking = _count_lacking(codes, size // 3 - melds, melds == 0) + beyond
    return weight + WEIGHTS.lacking * min(lacking, LACKING_MAX)


def _count_lacking(codes: Sequence[str], sets: int, no_melds: bool) -> int:
    """The number of tiles missing for n sets and a pair, or for seven pairs; unread tiles fit anywhere."""
    known = [Tile.parse(code) for code in codes if code != UNKNOWN]
    held = counts(known)
    if max(held) > COPIES:
        return LACKING_MAX
    suits = tuple(held[:9]), tuple(held[9:18]), tuple(held[18:27]), tuple(held[27:34])
    lacking = standard_lacks(suits, (), sets, 0, None, False)
    if no_melds and len(codes) < 15:
        lacking = min(lacking, seven_pairs_lacks(suits, 0, None))
    return max(0, lacking - (len(codes) - len(known)))


@dataclass(frozen=True, slots=True)
class FoundMeld:
    """A meld: its kind, its tiles in order, the code of each ("back" for a concealed kong that does not show
    it), its sideways tile, and the probability that all of this is right."""

    kind: MeldKind
    tiles: tuple[int, ...]
    codes: tuple[str, ...]
    sideways: int | None
    p: float


@dataclass(frozen=True, slots=True)
class FoundHand:
    """The parts of a hand as indices of the reading's tiles, each with its probability 0..1.

    concealed: including the winning tile. winning: None only where there is no concealed tile. flowers: those
    of this hand. others: the tiles in no part of it, with the probability that none of them is in it.
    """

    concealed: tuple[int, ...]
    concealed_p: float
    melds: tuple[FoundMeld, ...]
    winning: int | None
    winning_p: float
    flowers: tuple[int, ...]
    flowers_p: float
    others: tuple[int, ...]
    others_p: float

    def renumber(self, places: Sequence[int], total: int) -> FoundHand:
        """The hand found among the tiles at these places, renumbered for a picture with `total` tiles."""

        def moved(tiles: Iterable[int]) -> tuple[int, ...]:
            return tuple(places[tile] for tile in tiles)

        melds = tuple(
            replace(
                meld,
                tiles=moved(meld.tiles),
                sideways=None if meld.sideways is None else places[meld.sideways],
            )
            for meld in self.melds
        )
        kept = set(places) - set(moved(self.others))
        return replace(
            self,
            concealed=moved(self.concealed),
            melds=melds,
            winning=None if self.winning is None else places[self.winning],
            flowers=moved(self.flowers),
            others=tuple(tile for tile in range(total) if tile not in kept),
        )

    @property
    def counted(self) -> frozenset[int]:
        """Every tile of the hand."""
        return frozenset(
            (*self.concealed, *self.flowers, *(tile for meld in self.melds for tile in meld.tiles))
        )


@dataclass(frozen=True, slots=True)
class _Interpretation:
    """One interpretation of which tiles are the hand."""

    weight: float
    concealed: tuple[int, ...]
    melds: tuple[PlacedMeld, ...]
    winning: int | None
    fits: bool = True


def find_hand(
    tiles: Sequence[TileReading], rules: RuleSet | None = None, kinds: Container[MeldKind] = tuple(MeldKind)
) -> FoundHand:
    """The likeliest hand among the tiles of one picture. `rules` gives its size, `kinds` the possible melds.

    Where nothing has the size of a hand, all tiles are the hand, unless there are too many.
    """
    table = _Table(tiles, kinds if len(tiles) <= TILES_MAX else ())
    sizes = (rules.hand_size,) if rules else HAND_SIZES
    ways = list(table.list_interpretations(sizes)) if len(tiles) <= TILES_MAX else []
    if not ways:
        ways = [_Interpretation(0.0, table.faces, (), None)]
    best = max(ways, key=lambda way: way.weight)
    if not best.fits and len(table.faces) <= HAND_MAX:
        best = max((way for way in ways if table.is_complete(way)), key=lambda way: way.weight, default=best)
    most = max(way.weight for way in ways)
    shares = [math.exp((way.weight - most) / WEIGHTS.heat) for way in ways]
    total = sum(shares)
    by_set: dict[Hashable, float] = defaultdict(float)
    for way, share in zip(ways, shares, strict=True):
        p = share / total
        melded = frozenset(tile for laid in way.melds for tile in laid.tiles)
        by_set["concealed", frozenset(way.concealed)] += p
        by_set["all", frozenset(way.concealed) | melded] += p
        by_set["winning", way.winning] += p
        for laid in way.melds:
            by_set[frozenset(laid.tiles), laid.meld.kind] += p
    melds = tuple(
        FoundMeld(
            laid.meld.kind, laid.tiles, laid.meld.codes, table.sideways_of(laid),
            by_set[frozenset(laid.tiles), laid.meld.kind] * math.exp(laid.meld.log_p),
        )
        for laid in best.melds
    )  # fmt: skip
    winning, winning_p = best.winning, by_set["winning", best.winning]
    if winning is None and best.concealed:
        winning, winning_p = best.concealed[-1], winning_p * LAST_WINS_P
    laid_out = (*best.concealed, *(tile for meld in melds for tile in meld.tiles))
    flowers, flowers_p = table.choose_flowers(laid_out)
    own = frozenset((*laid_out, *flowers))
    others = tuple(index for index in range(len(tiles)) if index not in own)
    all_p = by_set["all", own - frozenset(flowers)]
    return FoundHand(
        best.concealed, by_set["concealed", frozenset(best.concealed)], melds, winning, winning_p, flowers,
        flowers_p, others, all_p,
    )  # fmt: skip


class _Table:
    """The tiles of one picture with their measurements."""

    def __init__(self, tiles: Sequence[TileReading], kinds: Container[MeldKind]) -> None:
        self.tiles = tiles
        self.faces = tuple(
            index for index, tile in enumerate(tiles) if tile.code != BACK and not tile.code.endswith("f")
        )
        self.flowers = tuple(index for index, tile in enumerate(tiles) if tile.code.endswith("f"))
        every = _outline(tiles)
        self.axes = every.axes
        self.widths = np.linalg.norm(every.axes[:, :, 0], axis=1)
        self.heights = np.linalg.norm(every.axes[:, :, 1], axis=1)
        self.apart = np.linalg.norm(every.middles[:, None] - every.middles[None], axis=2)
        self.middles = every.middles
        plain = [index for index, tile in enumerate(tiles) if not tile.code.endswith("f")]
        added: dict[int, int] = {}
        if MeldKind.KONG_ADDED in kinds:
            added = find_added_tiles(tiles, every, plain, lambda among: _find_lines(tiles, among))
        in_lines = [index for index in plain if index not in added.values()]
        self.rows = [Row.of(line, tiles, kinds, added) for line in _find_lines(tiles, in_lines)]

    def sideways_of(self, laid: PlacedMeld) -> int | None:
        """The sideways tile of a meld."""
        turned = {tile for row in self.rows for tile in row.line.sideways}
        return next((tile for tile in laid.tiles if tile in turned), None)

    def list_interpretations(self, sizes: Sequence[int]) -> Iterator[_Interpretation]:
        """All interpretations worth weighing."""
        for row in self.rows:
            for start, end in self._spans(row):
                concealed = row.line.tiles[start:end]
                weight = row.weigh_concealed(start, end) + self._weigh_place(concealed)
                yield from self._complete(concealed, weight, sizes, row, start, end)
        for rows in self._blocks():
            concealed = tuple(sorted(tile for row in rows for tile in row.line.tiles))
            weight = self._weigh_place(concealed) + (len(rows) - 1) * WEIGHTS.concealed_row
            weight += sum(row.weigh_concealed(0, len(row.line.tiles)) for row in rows)
            yield from self._complete(concealed, weight, sizes)
        kongs = self._find_shown_kongs()
        melded = {tile for laid in kongs for tile in laid.tiles}
        concealed = tuple(tile for tile in self.faces if tile not in melded)
        if 0 < len(concealed) <= HAND_MAX:
            weight = WEIGHTS.concealed_all + self._weigh_place(concealed)
            for size in sizes:
                fit = weigh_completeness(
                    [self.tiles[tile].code for tile in concealed],
                    len(kongs),
                    size,
                    won=False,
                    kong=WEIGHTS.kong_in_rows,
                )
                fits = has_hand_size(len(concealed), len(kongs), size)
                yield _Interpretation(weight + fit, concealed, kongs, None, fits)

    def _spans(self, row: Row) -> Iterator[tuple[int, int]]:
        """Where concealed tiles may begin and end in a row: at its ends, at gaps, and next to melds with a
        sideways or face-down tile."""
        tiles = row.line.tiles
        edges = {0, len(tiles)} | {k for k, cut in enumerate(row.cuts) if cut > EDGE_WEIGHT_MIN}
        edges |= {k + step for k, tile in enumerate(tiles) if tile in row.line.sideways for step in (0, 1)}
        for (start, end), laid in row.melds.items():
            shows = any(tile in row.line.sideways or self.tiles[tile].code == BACK for tile in laid.tiles)
            edges |= {start, end} if shows else set()
        places = sorted(edges)
        for at, start in enumerate(places):
            for end in places[at + 1 :]:
                if end - start > HAND_MAX or self.tiles[tiles[end - 1]].code == BACK:
                    break
                if self.tiles[tiles[start]].code == BACK:
                    break
                if not any(self.tiles[tile].code == BACK for tile in tiles[start:end]):
                    yield start, end

    def _blocks(self) -> Iterator[tuple[Row, ...]]:
        """Groups of two or more nearby rows that may be one hand."""
        rows = [row for row in self.rows if all(self.tiles[tile].code != BACK for tile in row.line.tiles)]
        near = {
            (a, b)
            for a, one in enumerate(rows)
            for b, other in enumerate(rows)
            if a < b and self._lie_together(one, other)
        }
        for a, b in sorted(near):
            yield rows[a], rows[b]
            for c in range(b + 1, len(rows)):
                if (a, c) in near or (b, c) in near:
                    yield rows[a], rows[b], rows[c]

    def _lie_together(self, one: Row, other: Row) -> bool:
        tiles, others = list(one.line.tiles), list(other.line.tiles)
        if not 4 <= len(tiles) + len(others) <= HAND_MAX or min(len(tiles), len(others)) < 2:
            return False
        apart = self.apart[np.ix_(tiles, others)].min()
        return bool(apart < ROWS_APART_MAX * self.heights[tiles].mean())

    def _complete(
        self,
        concealed: tuple[int, ...],
        weight: float,
        sizes: Sequence[int],
        own: Row | None = None,
        start: int = 0,
        end: int = 0,
    ) -> Iterator[_Interpretation]:
        """These concealed tiles with their likeliest melds and winning tile, for each number of melds. Their
        row is `own`, from `start` to before `end`; without it their rows have no other part."""
        width = float(self.widths[list(concealed)].mean())
        away: NDArray[np.float64] = self.apart[list(concealed)].min(axis=0) / max(width, 1e-6)
        sets = max(sizes) // 3
        best: Best = {(0, False): Parts()}
        taken = frozenset(concealed)
        for row in self.rows:
            tiles = row.line.tiles
            pieces: list[tuple[int, int, bool, bool]] = []
            if row is own:
                pieces = [(0, start, False, True), (end, len(tiles), True, False)]
            elif taken.isdisjoint(tiles) and self._may_hold_parts(row, away):
                pieces = [(0, len(tiles), False, False)]
            for low, high, after, before in pieces:
                found = divide_line(
                    row, low, high, after_part=after, before_part=before,
                    away=None if row is own else away, turned=self._is_turned(row, concealed), sets=sets,
                )  # fmt: skip
                best = join_best(best, found, sets)
        kong = WEIGHTS.kong_in_row if own else WEIGHTS.kong_in_rows
        for (melds, won), parts in best.items():
            hand = concealed if parts.winning is None else (*concealed, parts.winning)
            for size in sizes:
                if melds <= size // 3:
                    codes = [self.tiles[tile].code for tile in hand]
                    fit = weigh_completeness(codes, melds, size, won=won, kong=kong)
                    fits = has_hand_size(len(hand), melds, size)
                    yield _Interpretation(weight + parts.weight + fit, hand, parts.melds, parts.winning, fits)

    def _find_shown_kongs(self) -> tuple[PlacedMeld, ...]:
        """Concealed kongs whose kind shows: two of their tiles are face up."""
        found: list[PlacedMeld] = []
        for row in self.rows:
            for laid in row.melds.values():
                down = sum(self.tiles[tile].code == BACK for tile in laid.tiles)
                free = all(set(laid.tiles).isdisjoint(other.tiles) for other in found)
                if down == 2 and free:
                    found.append(laid)
        return tuple(found)

    def is_complete(self, way: _Interpretation) -> bool:
        """Whether it includes every face of the picture."""
        own = {*way.concealed, *(tile for laid in way.melds for tile in laid.tiles)}
        return own.issuperset(self.faces)

    def _is_turned(self, row: Row, concealed: tuple[int, ...]) -> bool:
        """Whether most tiles of a row face another way than the concealed ones."""
        one, other = (self.axes[list(tiles)][:, :, 0].sum(axis=0) for tiles in (row.line.tiles, concealed))
        return bool(float(one @ other) < TURNED_COSINE * float(np.linalg.norm(one) * np.linalg.norm(other)))

    def _may_hold_parts(self, row: Row, away: NDArray[np.float64]) -> bool:
        """Whether a row at that distance, in tile widths, may have melds or a winning tile."""
        nearest = float(away[list(row.line.tiles)].min())
        if row.melds and nearest < MELDS_AWAY_MAX:
            return True
        return any(
            row.is_loose(place) and away[tile] < WINNING_AWAY_MAX for place, tile in enumerate(row.line.tiles)
        )

    def _weigh_place(self, concealed: tuple[int, ...]) -> float:
        """The weight of a hand's position: near the person who took the picture, and facing them."""
        tiles = list(concealed)
        heights = np.maximum(self.heights, 1e-6)
        size = float(np.log(heights[tiles].mean() / np.quantile(heights, 0.9)))
        down = self.axes[tiles][:, :, 1].sum(axis=0)
        upright = float(down[1] / max(np.hypot(*down), 1e-6))
        low, high = self.middles[:, 1].min(), self.middles[:, 1].max()
        place = float((self.middles[tiles, 1].mean() - low) / max(high - low, 1.0))
        return WEIGHTS.size * min(size, 0.0) + WEIGHTS.upright * upright + WEIGHTS.low * place

    def choose_flowers(self, own: tuple[int, ...]) -> tuple[tuple[int, ...], float]:
        """The flowers of a hand with these tiles and melds, and the probability of exactly these."""
        if not self.flowers or not own:
            return self.flowers, 1.0
        width = max(float(self.widths[list(own)].mean()), 1e-6)
        away = self.apart[list(own)].min(axis=0) / width
        shares: dict[int, float] = {}
        nearest = float(away[list(self.flowers)].min())
        limit = min(FLOWERS_AWAY, nearest + FLOWERS_APART)
        for index in sorted(self.flowers, key=lambda flower: float(away[flower])):
            near = 1 / (1 + math.exp(min((away[index] - limit) / FLOWERS_SPREAD, 50.0)))
            beside = [p for other, p in shares.items() if self.apart[index, other] < FLOWERS_BESIDE * width]
            shares[index] = max([near, *beside])
        chosen = tuple(index for index in self.flowers if shares[index] >= 0.5)
        return chosen, min(max(share, 1 - share) for share in shares.values())


def _outline(tiles: Sequence[TileReading]) -> Outlines:
    quads = [tile.quad for tile in tiles]
    return Outlines.of(
        quads, [tile.code == BACK for tile in tiles], [tile.code in ANY_WAY_UP for tile in tiles]
    )


def _find_lines(tiles: Sequence[TileReading], among: Sequence[int]) -> list[Line]:
    """The lines of the tiles with the indices `among`."""
    return [
        replace(
            line,
            tiles=tuple(among[tile] for tile in line.tiles),
            sideways=frozenset(among[tile] for tile in line.sideways),
        )
        for line in find_lines(_outline([tiles[index] for index in among]))
    ]
