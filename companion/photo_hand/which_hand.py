"""Which tiles of a photographed table are the hand, which are its melds, and which tile won.

Every way of telling them apart is weighed by what players do: a hand stands in a row apart from the rest,
melds lie in threes and fours beside it, the winning tile lies alone.
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
    Laid,
    Line,
    Outlines,
    Parts,
    Row,
    find_added_tiles,
    find_lines,
    join_best,
    part_line,
)
from companion.rules import RuleSet
from companion.rules.distance import seven_pairs_lacks, standard_lacks
from companion.tiles import BACK, UNKNOWN, MeldKind, Tile, counts
from companion.vision.reading import TileReading

MISSED_MAX = 2
"""Tiles of a hand that may not have been found, or were found and are none."""
LACKING_MAX = 2
COPIES = 4
WINS = 0.5
"""Probability from which on a tile that lies apart is taken for the winning one."""
ASKED_BELOW = 0.7
"""Probability of the concealed tiles below which a person is asked which tiles are the hand."""
HAND_SIZES = (13, 16)
"""Tiles of a hand between turns, where no game is named."""
HAND_MAX = 24
"""Concealed tiles at most: more are no hand, however badly they were read."""
MELDS_AWAY_MAX = 9.0
"""Widths from the concealed tiles within which melds and the winning tile are looked for."""
ROWS_APART_MAX = 1.7
"""Heights of a tile between the middles of two rows of one hand."""
NO_EDGE = -2.0
"""Of a gap with so little for it nothing begins or ends there."""
WINNING_AWAY_MAX = 4.0
"""Widths from the concealed tiles within which a winning tile lies alone."""
TURNED_COSINE = 0.7
ANY_WAY_UP = ("1p", "1s", "5z", UNKNOWN)
"""What is often read a quarter turn wrong: looks alike, has no way up that sets agree on, or was not read."""
LAST_WINS = 0.3
"""How often the last tile of a hand won where none lies apart: a guess, since the picture does not say it."""
FLOWERS_AWAY, FLOWERS_SPREAD = 6.0, 1.5
"""Widths from the hand at which flowers are as often another player's, and over which that changes."""
FLOWERS_APART = 2.0
"""So many widths further from the hand than its nearest flower, one that does not lie beside any is as often
another player's: those of one player are laid together."""
FLOWERS_BESIDE = 1.5
"""Widths between the middles of two flowers that lie side by side, and belong to one player."""
WEIGHED_MAX = 400
"""More tiles than three sets have are no table: no hand is looked for among them."""


def has_hand_size(tiles: int, melds: int, size: int) -> bool:
    """Whether that is nearly the number of tiles that a hand of `size` has beside its melds, with its winning
    tile or without."""
    return abs(tiles + 3 * melds - size - 1) <= MISSED_MAX


def weigh_completeness(codes: Sequence[str], melds: int, size: int, *, won: bool, kong: float) -> float:
    """The weight of these tiles and that number of melds as a finished hand, or nearly one.

    codes: in the order in which they lie; won: whether the last of them is the winning tile, which lies
    apart; kong: the weight of four equal tiles side by side as a kong that nobody set apart.
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
    """How many tiles lack for that many sets and a pair, or for seven pairs; unread tiles fit anywhere."""
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
    """A meld: its kind, its tiles in the order in which they lie, what each is ("back" for a concealed kong
    that does not show it), the tile that lies sideways, and the probability that all that is right."""

    kind: MeldKind
    tiles: tuple[int, ...]
    codes: tuple[str, ...]
    sideways: int | None
    p: float


@dataclass(frozen=True, slots=True)
class FoundHand:
    """The parts of a hand as indices of the reading's tiles, each with its probability 0..1.

    concealed: the winning tile included; winning: None only where there is no concealed tile; flowers: those
    set out with this hand; others: what belongs to no part of it, with the probability that none of them
    does.
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
        """The hand of a picture with `total` tiles that was found among those at these places."""

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
class _Way:
    """One way of telling the hand from the rest."""

    weight: float
    concealed: tuple[int, ...]
    melds: tuple[Laid, ...]
    winning: int | None
    fits: bool = True


def find_hand(
    tiles: Sequence[TileReading], rules: RuleSet | None = None, kinds: Container[MeldKind] = tuple(MeldKind)
) -> FoundHand:
    """The likeliest hand among the tiles of one picture; `rules` says how many tiles it has, `kinds` which
    melds there are.

    Where nothing has the size of a hand, all tiles are taken for one, as long as there are not too many.
    """
    table = _Table(tiles, kinds if len(tiles) <= WEIGHED_MAX else ())
    sizes = (rules.hand_size,) if rules else HAND_SIZES
    ways = list(table.list_ways(sizes)) if len(tiles) <= WEIGHED_MAX else []
    if not ways:
        ways = [_Way(0.0, table.faces, (), None)]
    best = max(ways, key=lambda way: way.weight)
    if not best.fits and len(table.faces) <= HAND_MAX:
        best = max((way for way in ways if table.is_whole(way)), key=lambda way: way.weight, default=best)
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
        winning, winning_p = best.concealed[-1], winning_p * LAST_WINS
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
    """The tiles of one picture with what is measured of them."""

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

    def sideways_of(self, laid: Laid) -> int | None:
        """The tile of a meld that lies sideways."""
        turned = {tile for row in self.rows for tile in row.line.sideways}
        return next((tile for tile in laid.tiles if tile in turned), None)

    def list_ways(self, sizes: Sequence[int]) -> Iterator[_Way]:
        """Every way that is worth weighing."""
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
                yield _Way(weight + fit, concealed, kongs, None, fits)

    def _spans(self, row: Row) -> Iterator[tuple[int, int]]:
        """Where concealed tiles may begin and end in a row: at its ends, at gaps, beside melds that show
        themselves by a tile that lies sideways or face down."""
        tiles = row.line.tiles
        edges = {0, len(tiles)} | {k for k, cut in enumerate(row.cuts) if cut > NO_EDGE}
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
        """Rows near each other, two and more, that may be one hand."""
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
    ) -> Iterator[_Way]:
        """These concealed tiles with the melds and the winning tile that suit them best, for each number of
        melds. Their row is `own`, from `start` to before `end`; without it their rows hold nothing else."""
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
                found = part_line(
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
                    yield _Way(weight + parts.weight + fit, hand, parts.melds, parts.winning, fits)

    def _find_shown_kongs(self) -> tuple[Laid, ...]:
        """Concealed kongs that show what they are: two of their tiles lie face up."""
        found: list[Laid] = []
        for row in self.rows:
            for laid in row.melds.values():
                down = sum(self.tiles[tile].code == BACK for tile in laid.tiles)
                free = all(set(laid.tiles).isdisjoint(other.tiles) for other in found)
                if down == 2 and free:
                    found.append(laid)
        return tuple(found)

    def is_whole(self, way: _Way) -> bool:
        """Whether every face of the picture is in it."""
        own = {*way.concealed, *(tile for laid in way.melds for tile in laid.tiles)}
        return own.issuperset(self.faces)

    def _is_turned(self, row: Row, concealed: tuple[int, ...]) -> bool:
        """Whether most tiles of a row look another way than the concealed ones."""
        one, other = (self.axes[list(tiles)][:, :, 0].sum(axis=0) for tiles in (row.line.tiles, concealed))
        return bool(float(one @ other) < TURNED_COSINE * float(np.linalg.norm(one) * np.linalg.norm(other)))

    def _may_hold_parts(self, row: Row, away: NDArray[np.float64]) -> bool:
        """Whether a row that is so many widths away holds melds or a winning tile."""
        nearest = float(away[list(row.line.tiles)].min())
        if row.melds and nearest < MELDS_AWAY_MAX:
            return True
        return any(
            row.is_loose(place) and away[tile] < WINNING_AWAY_MAX for place, tile in enumerate(row.line.tiles)
        )

    def _weigh_place(self, concealed: tuple[int, ...]) -> float:
        """Of a hand that lies there: near to whoever took the picture, and facing that person."""
        tiles = list(concealed)
        heights = np.maximum(self.heights, 1e-6)
        size = float(np.log(heights[tiles].mean() / np.quantile(heights, 0.9)))
        down = self.axes[tiles][:, :, 1].sum(axis=0)
        upright = float(down[1] / max(np.hypot(*down), 1e-6))
        low, high = self.middles[:, 1].min(), self.middles[:, 1].max()
        place = float((self.middles[tiles, 1].mean() - low) / max(high - low, 1.0))
        return WEIGHTS.size * min(size, 0.0) + WEIGHTS.upright * upright + WEIGHTS.low * place

    def choose_flowers(self, own: tuple[int, ...]) -> tuple[tuple[int, ...], float]:
        """The flowers that are set out with these tiles of a hand and its melds, and how likely they and no
        others are."""
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
