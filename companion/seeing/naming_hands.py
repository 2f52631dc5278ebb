"""Which tiles a hand holds that is shown: those it looks like most, of all that make it a winning one.

A tile that was not read, or not found at all, may be any kind of which copies are left; one that reads
otherwise than a winning hand allows may be misread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, permutations, product
from math import comb, log

from companion.rules import RuleSet
from companion.rules.waiting import shanten
from companion.rules.win import Options
from companion.seeing.tracks import Face
from companion.table.claims import KONG_TILES
from companion.table.moves import TILES
from companion.table.state import HandState, Player, State
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile

UNKNOWN_MOST, UNKNOWN_OF, WITH_MISREAD_MOST = 3, 3, 2
"""So many tiles may be unknown, no more than one of so many, and a misread one among them so many."""
MISREAD_MOST = 12.0
"""Nats of all faces together that may be taken for other kinds than they read as."""
ORDER_COSTS = (0.0, 4.0, 6.0)
"""Nats of none, one, or more places where the tiles lie out of order: most people sort their hands."""
HANDS_MOST = 8
Settings = tuple[tuple[str, object], ...]
Codes = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A hand that wins. codes: of its tiles in their places, those of no known place last. Nats: of the tiles
    that were not read being these of all that they may be, of the faces, and of the order in which they lie.
    """

    codes: Codes
    share_cost: float
    face_cost: float
    order_cost: float

    @property
    def cost(self) -> float:
        """Nats of all but the faces."""
        return self.share_cost + self.order_cost

    @property
    def total(self) -> float:
        """Nats of all of it."""
        return self.cost + self.face_cost


def list_hands(
    state: State,
    player: Player,
    faces: Sequence[Face | None],
    loose: int = 0,
    extra: Codes = (),
    kongs: Codes = (),
    offered: str | None = None,
) -> list[Named]:
    """The hands that may be shown, the likeliest first. faces: from the player's left to right, None for a
    tile that was not found there; loose: how many more there are, in places that nobody knows; extra: what
    belongs to the hand and lies elsewhere; kongs: of what kinds the player's hidden kongs are; offered: of
    what kind the tile on offer is, where it is one of the faces."""
    hand = state.hand
    if hand is None:
        return []
    table = _Table(state, hand, player, kongs, offered)
    known: Sequence[Face | None] = [face if face is not None and face.is_read else None for face in faces]
    found = (each for read in _list_readings(known, loose) for each in table.complete(read, loose, extra))
    named = list({each.codes: each for each in sorted(found, key=lambda each: -each.total)}.values())
    sorted_cost = min((each.order_cost for each in named), default=0.0)
    named = [replace(each, order_cost=each.order_cost - sorted_cost) for each in named]
    return sorted(named, key=lambda each: each.total)[:HANDS_MOST]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the tiles in their places are, None where any kind is tried; cost: nats of the faces."""

    codes: tuple[str | None, ...]
    cost: float


def _list_readings(faces: Sequence[Face | None], loose: int) -> Iterator[_Reading]:
    """Every way to read the faces that is not too unlikely."""
    unknown = loose + sum(face is None for face in faces)
    if unknown > UNKNOWN_MOST or unknown > (len(faces) + loose) // UNKNOWN_OF:
        return
    choices = [_list_choices(face) for face in faces]
    doubtful = [at for at, each in enumerate(choices) if len(each) > 1]
    tops = tuple(each[0][0] for each in choices)
    for picked in product(*(choices[at] for at in doubtful)):
        cost = sum(each for _, each in picked)
        if cost <= MISREAD_MOST:
            yield _Reading(_put(tops, dict(zip(doubtful, (code for code, _ in picked), strict=True))), cost)
    if unknown >= WITH_MISREAD_MOST:
        return
    for at, face in enumerate(faces):
        if face is not None:
            yield _Reading(_put(tops, {at: None}), face.cost(""))


def _put(codes: tuple[str | None, ...], others: Mapping[int, str | None]) -> tuple[str | None, ...]:
    return tuple(others.get(at, code) for at, code in enumerate(codes))


def _list_choices(face: Face | None) -> list[tuple[str | None, float]]:
    """What the face reads as, the likeliest first, with nats."""
    if face is None:
        return [(None, 0.0)]
    codes = [code for code in (face.top, *face.likely[1:3]) if code in TILES and TILES[code].index < 34]
    return [(code, face.cost(code)) for code in codes] or [(None, face.cost(""))]


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known of the tiles that a hand may hold."""

    state: State
    hand: HandState
    player: Player
    kongs: Codes
    offered: str | None

    def complete(self, read: _Reading, loose: int, extra: Codes) -> Iterator[Named]:
        """The winning hands with these tiles."""
        fixed = Counter(code for code in read.codes if code is not None)
        left = self._count_left()
        left.subtract(fixed)
        if any(left[code] < 0 for code in (*fixed, *self.kongs)):
            return
        missing = [at for at, code in enumerate(read.codes) if code is None]
        tiles = tuple(sorted(TILES[code] for code in (*fixed.elements(), *extra)))
        house = self.state.house
        ways = _list_completions(
            house.rules, tuple(sorted(house.scoring.items())), self.hand.fortune, self._list_melds(), tiles,
            len(missing) + loose,
        )  # fmt: skip
        weights = {way: _count_ways(way, left) for way in ways}
        total = sum(weights.values())
        for way, weight in weights.items():
            if weight:
                codes, order_cost = _place(read.codes, missing, way, self.hand.fortune)
                yield Named(codes, -log(weight / total), read.cost, order_cost)

    def _count_left(self) -> Counter[str]:
        """How many of each kind may be in the hand; less than none where the hidden kongs cannot be of it."""
        own = Counter(tile.code for tile in self.player.concealed)
        copies, known = self.state.house.copies, self.hand.known
        left = Counter({kind.code: copies[kind.index] - known[kind.index] for kind in KINDS[:34]})
        left.update(own)
        left.update([self.offered] if self.offered else [])
        left.subtract({code: KONG_TILES * count for code, count in Counter(self.kongs).items()})
        return left

    def _list_melds(self) -> tuple[Meld, ...]:
        known = [laid.meld for laid in self.player.melds if laid.meld is not None]
        return (*known, *(make_kong(code) for code in self.kongs))


def make_kong(code: str) -> Meld:
    """The concealed kong of that kind."""
    return Meld((TILES[code],) * KONG_TILES, MeldKind.KONG_CONCEALED)


def _place(
    codes: tuple[str | None, ...], missing: Sequence[int], tiles: tuple[Tile, ...], fortune: Tile | None
) -> tuple[Codes, float]:
    """The hand with these tiles where they are missing, the rest of them at the end, as they lie best in
    order; and what that order costs."""
    best: tuple[float, Codes] | None = None
    for order in sorted(set(permutations(tile.code for tile in tiles))):
        placed = _put(codes, dict(zip(missing, order, strict=False)))
        whole = tuple(code for code in placed if code is not None)
        cost = _cost_order([tile for code in whole if (tile := TILES[code]) is not fortune])
        if best is None or cost < best[0]:
            best = cost, (*whole, *order[len(missing) :])
    assert best is not None
    return best[1], best[0]


def _cost_order(tiles: Sequence[Tile]) -> float:
    """Nats of tiles that lie so, the one drawn last at either end."""
    rows = (tiles, tiles[:-1], tiles[1:])
    least = min(_count_breaks(each) for row in rows for each in (row, row[::-1]))
    return ORDER_COSTS[min(least, len(ORDER_COSTS) - 1)]


def _count_breaks(tiles: Sequence[Tile]) -> int:
    """How often a suit or an honour comes again after another, or a rank after a higher one."""
    count, done = 0, set()
    for before, tile in pairwise(tiles):
        if _name_group(before) != _name_group(tile):
            done.add(_name_group(before))
            count += _name_group(tile) in done
        elif tile.rank < before.rank:
            count += 1
    return count


def _name_group(tile: Tile) -> object:
    return tile if tile.suit is Suit.HONORS else tile.suit


def _count_ways(tiles: tuple[Tile, ...], left: Mapping[str, int]) -> int:
    """In how many ways these can be taken from what is left."""
    ways = 1
    for tile, count in Counter(tiles).items():
        ways *= comb(max(0, left.get(tile.code, 0)), count)
    return ways


@lru_cache(4096)
def _list_completions(
    rules: RuleSet, settings: Settings, fortune: Tile | None, melds: tuple[Meld, ...],
    tiles: tuple[Tile, ...], count: int,
) -> tuple[tuple[Tile, ...], ...]:  # fmt: skip
    """Every so many tiles, sorted, with which these and the melds are a finished hand."""
    options: Options = dict(settings)  # type: ignore[arg-type]
    found: list[tuple[Tile, ...]] = []

    def search(more: tuple[Tile, ...], kinds: Sequence[Tile]) -> None:
        if shanten(rules, (*tiles, *more), melds, options, fortune) + 1 > count - len(more):
            return
        if len(more) == count:
            found.append(more)
            return
        for at, kind in enumerate(kinds):
            if (*tiles, *more).count(kind) < KONG_TILES:
                search((*more, kind), kinds[at:])

    search((), KINDS[:34])
    return tuple(found)
