"""What lies on a table of four players, before anybody says where, dealt at random out of a box of tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.table.wall import Layer, Place
from companion.tiles import KINDS, SET_136, SET_144, Suit, TileSet

HIDDEN = "5z"  # stands for a face that is not known and that nobody sees
SEATS = 4
HAND_TILES = 13


@dataclass(frozen=True, slots=True)
class MeldTiles:
    """A meld: the codes from left to right, which one lies sideways (None: none), and which lie face down."""

    codes: tuple[str, ...]
    sideways: int | None = None
    face_down: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SeatTiles:
    """What one player has: the hand from left to right, its last tile set apart if `drawn`, face up if
    `shown`."""

    hand: tuple[str, ...]
    melds: tuple[MeldTiles, ...] = ()
    flowers: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    drawn: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class WallTile:
    """A tile that stands in the wall; `turned`: the indicator, whose face is seen."""

    place: Place
    code: str
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything of one set that is on the table; stacks: how many each side of the wall began with."""

    seats: tuple[SeatTiles, SeatTiles, SeatTiles, SeatTiles]
    wall: tuple[WallTile, ...]
    stacks: tuple[int, int, int, int]

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return len(self.wall) + sum(
            len(seat.hand)
            + sum(len(meld.codes) for meld in seat.melds)
            + len(seat.flowers)
            + len(seat.discards)
            for seat in self.seats
        )


def deal_random_contents(rng: np.random.Generator, box: TileSet | None = None) -> Contents:
    """A hand in play at a random moment, dealt out of `box`, or of 136 or 144 tiles."""
    box = box or (SET_144 if rng.random() < 0.6 else SET_136)
    tiles = [tile for tile in KINDS for _ in range(box.copies[tile.index])]
    order = [tiles[int(index)] for index in rng.permutation(len(tiles))]
    flowers_of: list[list[str]] = [[] for _ in range(SEATS)]
    pool: list[str] = []
    for tile in order:
        if tile.suit is Suit.FLOWERS and rng.random() < 0.7:
            flowers_of[int(rng.integers(SEATS))].append(tile.code)
        else:
            pool.append(tile.code)
    progress = rng.uniform(0.0, 1.0)
    turns = round(progress * min(24, (len(pool) - HAND_TILES * SEATS - 20) / SEATS))
    seats = []
    turn = int(rng.integers(SEATS))
    ended = rng.random() < 0.15
    for seat in range(SEATS):
        melds = _deal_melds(rng, pool, progress)
        count = HAND_TILES - 3 * len(melds)
        drawn = seat == turn and rng.random() < 0.8
        hand = sorted(pool.pop() for _ in range(count + drawn))
        if rng.random() < 0.3:
            rng.shuffle(hand)
        discards = tuple(pool.pop() for _ in range(max(0, turns - int(rng.integers(0, 3)))))
        shown = ended and rng.random() < 0.6
        seats.append(SeatTiles(tuple(hand), melds, tuple(flowers_of[seat]), discards, drawn, shown))
    a, b, c, d = seats
    stacks = _share_stacks(box.total)
    return Contents((a, b, c, d), _build_random_wall(rng, pool, stacks), stacks)


def _share_stacks(total: int) -> tuple[int, int, int, int]:
    quarter, more = divmod(total // 2, SEATS)
    a, b, c, d = (quarter + (seat < more) for seat in range(SEATS))
    return a, b, c, d


def _deal_melds(rng: np.random.Generator, pool: list[str], progress: float) -> tuple[MeldTiles, ...]:
    """Up to four melds, more of them late in a hand; their tiles are taken out of the pool."""
    melds = []
    for _ in range(int(rng.binomial(4, 0.15 + 0.3 * progress))):
        code = pool[int(rng.integers(len(pool)))]
        wanted = _pick_meld(rng, code, pool)
        if wanted is None:
            continue
        for one in wanted:
            pool.remove(one)
        concealed = len(wanted) == 4 and rng.random() < 0.5
        if concealed:
            face_down = frozenset([{0, 3}, {1, 2}, {0, 1, 2, 3}, {1, 2, 3}][int(rng.integers(4))])
            melds.append(MeldTiles(wanted, None, face_down))
        else:
            at = int(rng.choice([0, 1, len(wanted) - 1]))
            melds.append(MeldTiles(wanted, at if rng.random() < 0.7 else None))
    return tuple(melds)


def _pick_meld(rng: np.random.Generator, code: str, pool: list[str]) -> tuple[str, ...] | None:
    """A kong, pung or chow that begins with this code, if the pool still has its tiles."""
    rank, suit = int(code[0]), code[1]
    if rng.random() < 0.2 and pool.count(code) == 4:
        return (code,) * 4
    if rng.random() < 0.5 and pool.count(code) >= 3:
        return (code,) * 3
    if suit in "mps" and rank <= 7:
        chow = tuple(f"{rank + step}{suit}" for step in range(3))
        if all(one in pool for one in chow):
            return chow
    return None


def _build_random_wall(
    rng: np.random.Generator, pool: list[str], stacks: tuple[int, int, int, int]
) -> tuple[WallTile, ...]:
    """The tiles that are left, standing where a wall broken somewhere still stands."""
    places = [
        Place(side, stack, layer)
        for side in (0, 3, 2, 1)
        for stack in range(1, stacks[side] + 1)
        for layer in Layer
    ]
    start = int(rng.integers(len(places) // 2)) * 2
    places = [*places[start:], *places[:start]][-len(pool) :]
    indicator = int(rng.integers(len(places))) if rng.random() < 0.2 else -1
    return tuple(
        WallTile(place, code, index == indicator and place.layer is Layer.UPPER)
        for index, (place, code) in enumerate(zip(places, pool, strict=True))
    )
