"""Where tiles stand and lie on a table: rows, racks, grids, piles, walls, melds; a whole table of four
players, dealt at random, with walls, rivers, melds and hands at their seats.

Every layout is a list of `Placed` round the origin; `arrange` sets several of them on one table without
overlap. All distances follow from the size of the tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from companion.table.wall import Layer, WallPlace
from companion.tiles import KINDS, SET_136, SET_144, Suit, TileSet
from lab.scenes.geometry import Box, Floats, rotation_x, rotation_y, rotation_z, round_to_pixels

QUARTER = np.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTile:
    """A tile in its place: the code of its face and its box."""

    code: str
    box: Box


Codes = Callable[[], str]
Layout = list[PlacedTile]


def place_lying(
    size_mm: Floats, code: str, x: float, y: float, angle: float = 0.0, base: float = 0.0
) -> PlacedTile:
    """A tile on its back, face up, turned by `angle` radians."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle), x, y, base))


def place_face_down(
    size_mm: Floats, code: str, x: float, y: float, angle: float = 0.0, base: float = 0.0
) -> PlacedTile:
    """A tile on its face."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle) @ rotation_y(np.pi), x, y, base))


def place_standing(
    size_mm: Floats, code: str, x: float, y: float, lean: float = 0.0, angle: float = 0.0
) -> PlacedTile:
    """A tile on its lower edge, face towards -y; `lean` radians back from upright, `angle` about the
    vertical."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle) @ rotation_x(QUARTER - lean), x, y))


def row(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """A hand: tiles side by side, lying, leaning or standing; sometimes with gaps, jitter and a tile
    apart."""
    width, height, _ = size_mm
    gap = rng.choice([0.0, 0.0, rng.uniform(0, 0.15), rng.uniform(0.15, 0.8)]) * width
    jitter = rng.choice([0.0, 0.3, 1.0]) * np.array([0.04 * width, 0.06 * height, 0.05])
    lean = rng.choice([-1.0, 0.0, rng.uniform(0.0, 0.9)])
    placed: Layout = []
    x = 0.0
    for index in range(count):
        if index == count - 1 and rng.random() < 0.25:
            x += rng.uniform(0.2, 1.0) * width
        dx, dy, angle = rng.uniform(-1, 1, 3) * jitter
        if lean < 0:
            turned = QUARTER * rng.choice([0, 0, 0, 0, 0, 2]) + angle
            placed.append(place_lying(size_mm, codes(), x + dx, dy, turned))
        else:
            placed.append(place_standing(size_mm, codes(), x + dx, dy * 0.5, lean, angle * 0.5))
        x += width + gap + 2 * abs(dx)
    return placed


def grid(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Tiles face up in rows and columns, touching or nearly, each any way up or all one way."""
    width, height, _ = size_mm
    columns = int(rng.integers(2, 10))
    gap = rng.choice([0.0, rng.uniform(0, 0.1), rng.uniform(0.1, 1.5)]) * width
    mixed = rng.random() < 0.3
    jitter = rng.choice([0.0, 0.03])
    placed: Layout = []
    for index in range(count):
        line, column = divmod(index, columns)
        turned = QUARTER * 2 * rng.integers(0, 2) if mixed else 0.0
        dx, dy, angle = rng.uniform(-jitter, jitter, 3)
        placed.append(
            place_lying(
                size_mm,
                codes(),
                column * (width + gap) + dx * width,
                -line * (height + gap) + dy * height,
                turned + angle,
            )
        )
    return placed


def pile(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Discards thrown on the table at every angle, some face down, some standing on an edge."""
    spread = np.sqrt(count) * size_mm[1] * rng.uniform(0.75, 1.6)
    share_down = rng.choice([0.0, 0.1, 0.5])
    placed: Layout = []
    for _ in range(count * 3):
        x, y = rng.uniform(-spread / 2, spread / 2, 2)
        angle = rng.uniform(0, 2 * np.pi)
        put = place_face_down if rng.random() < share_down else place_lying
        candidate = put(size_mm, codes(), x, y, angle)
        if not any(_are_too_near(candidate, other, size_mm) for other in placed):
            placed.append(candidate)
        if len(placed) == count:
            break
    return placed


def _are_too_near(one: PlacedTile, other: PlacedTile, size_mm: Floats) -> bool:
    if np.hypot(*(one.box.centre_mm - other.box.centre_mm)[:2]) > 1.05 * np.hypot(*size_mm[:2]):
        return False
    area, _ = cv2.intersectConvexConvex(
        one.box.footprint().astype(np.float32), other.box.footprint().astype(np.float32)
    )
    return bool(area > 0.01 * size_mm[0] * size_mm[1])


def wall(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """A wall of stacks, one or two high, face down, the top layer partly drawn; or a row that stands with its
    back to the viewer."""
    width, _, depth = size_mm
    placed: Layout = []
    two_high = rng.random() < 0.7
    if rng.random() < 0.15:
        return [place_standing(size_mm, codes(), k * width * 1.01, 0.0, 0.0, np.pi) for k in range(count)]
    step = width * (1.0 + abs(rng.normal(0, 0.02)))
    for stack in range(max(1, count // (2 if two_high else 1))):
        x = stack * step
        placed.append(place_face_down(size_mm, codes(), x, 0.0, rng.uniform(-0.01, 0.01)))
        if two_high and rng.random() < 0.9:
            placed.append(
                place_face_down(size_mm, codes(), x, rng.uniform(-0.5, 0.5), rng.uniform(-0.02, 0.02), depth)
            )
    return placed


def melds(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Claimed sets: three or four tiles, one of them sideways; concealed kongs with their outer tiles face
    down."""
    width, height, _ = size_mm
    placed: Layout = []
    x = 0.0
    while len(placed) < count:
        code = codes()
        number = int(rng.integers(3, 5))
        kinds = [code] * number if rng.random() < 0.6 else [codes() for _ in range(number)]
        sideways = int(rng.integers(0, number)) if rng.random() < 0.6 else -1
        hidden = {0, 3} if number == 4 and rng.random() < 0.5 else set()
        for index, kind in enumerate(kinds):
            if index in hidden:
                placed.append(place_face_down(size_mm, kind, x + width / 2, 0.0))
                x += width
            elif index == sideways:
                placed.append(
                    place_lying(
                        size_mm, kind, x + height / 2, -(height - width) / 2, QUARTER * rng.choice([1, 3])
                    )
                )
                x += height
            else:
                placed.append(place_lying(size_mm, kind, x + width / 2, 0.0))
                x += width
        x += rng.uniform(0.0, 1.0) * width
    return placed


def hand_and_wall(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """What a player sees: a standing or leaning hand, melds before it, the own wall two high beyond."""
    width, height, depth = size_mm
    lean = rng.choice([0.0, rng.uniform(0.0, 0.9)])
    placed = [
        place_standing(size_mm, codes(), (k + 0.03 * rng.normal()) * width * 1.02, 0.0, lean)
        for k in range(min(count, 14))
    ]
    across = rng.uniform(0.0, 4.0) * width
    for stack in range(int(rng.integers(3, 15))):
        for layer in range(2):
            x = across + (stack + layer * 0.04) * width * 1.01
            placed.append(
                place_face_down(size_mm, codes(), x, 2.6 * height, rng.normal(0, 0.01), layer * depth)
            )
    if rng.random() < 0.5:
        for k in range(int(rng.integers(1, 9))):
            placed.append(place_lying(size_mm, codes(), k * width * 1.01 - 2 * width, 1.2 * height))
    return placed


Make = Callable[[np.random.Generator, Floats, Codes, int], Layout]
LAYOUTS: tuple[Make, ...] = (row, row, row, grid, grid, pile, pile, wall, melds, hand_and_wall, hand_and_wall)


def move_layout(layout: Layout, x: float, y: float, angle: float) -> Layout:
    """The layout centred on its own middle, turned by `angle` and moved to (x, y) mm."""
    middle = np.mean([placed.box.centre_mm[:2] for placed in layout], axis=0)
    turn = rotation_z(angle)
    result: Layout = []
    for placed in layout:
        centre = turn @ (placed.box.centre_mm - [*middle, 0.0]) + [x, y, 0.0]
        result.append(
            replace(placed, box=replace(placed.box, rotation=turn @ placed.box.rotation, centre_mm=centre))
        )
    return result


def arrange(rng: np.random.Generator, groups: Sequence[Layout], reach_mm: float) -> Layout:
    """Sets the groups down within `reach_mm` of the origin; one that finds no free place is left out."""
    cells = 400
    scale = cells / (2.6 * reach_mm)
    taken = np.zeros((cells, cells), np.uint8)
    result: Layout = []
    for index, group in enumerate(groups):
        for _ in range(8):
            x, y = rng.uniform(-0.8, 0.8, 2) * reach_mm * (0.3 if index == 0 else 1.0)
            angle = rng.choice(
                [rng.normal(0, 0.1), rng.choice([0, 1, 2, 3]) * QUARTER, rng.uniform(0, 2 * np.pi)],
                p=[0.5, 0.25, 0.25],
            )
            candidate = move_layout(group, x, y, angle)
            mask = np.zeros_like(taken)
            for placed in candidate:
                cv2.fillConvexPoly(mask, round_to_pixels(placed.box.footprint() * scale + cells / 2), 1)
            if not np.any(mask & taken):
                taken |= mask
                result += candidate
                break
    return result


class TilePose(Enum):
    """How a tile rests."""

    FACE_UP = "face up"
    FACE_DOWN = "face down"
    STANDING = "standing"
    """On its lower edge, its face towards -y before it is turned."""
    ON_SIDE = "on its side"
    """On its long side, its face towards -y before it is turned."""


class Part(Enum):
    """What a tile on a table belongs to."""

    WALL = "wall"
    HAND = "hand"
    RIVER = "river"
    MELD = "meld"
    FLOWERS = "flowers"


@dataclass(frozen=True, slots=True)
class Resting:
    """One tile on the table: its code, the middle of its footprint, the turn of it in radians, its layer.

    lean: of a standing tile, radians back from upright. seat, part: whose and what it belongs to.
    """

    code: str
    x_mm: float
    y_mm: float
    angle: float
    pose: TilePose
    layer: int = 0
    lean: float = 0.0
    seat: int = 0
    part: Part = Part.RIVER


@dataclass(frozen=True, slots=True)
class Tabletop:
    """All tiles on a table, of one size: width, height, depth in mm."""

    size_mm: tuple[float, float, float]
    tiles: tuple[Resting, ...]

    def place_tiles(self) -> Layout:
        """The same as boxes in space, in the same order."""
        return [place_tile(tile, np.array(self.size_mm)) for tile in self.tiles]


def place_tile(tile: Resting, size_mm: Floats) -> PlacedTile:
    """A resting tile as a box; a tile on an upper layer lies on tiles that lie flat."""
    turn = rotation_z(tile.angle)
    if tile.pose is TilePose.FACE_DOWN:
        turn = turn @ rotation_y(np.pi)
    elif tile.pose is TilePose.STANDING:
        turn = turn @ rotation_x(QUARTER - tile.lean)
    elif tile.pose is TilePose.ON_SIDE:
        turn = turn @ rotation_x(QUARTER) @ rotation_z(QUARTER)
    base = tile.layer * size_mm[2]
    return PlacedTile(tile.code, Box.resting(size_mm, turn, tile.x_mm, tile.y_mm, float(base)))


def turn_to_seat(tiles: Iterable[Resting], seat: int) -> list[Resting]:
    """Tiles laid out as seat 0 would have them, before that seat."""
    angle = seat * QUARTER
    c, s = round(np.cos(angle)), round(np.sin(angle))
    return [
        replace(
            tile,
            x_mm=c * tile.x_mm - s * tile.y_mm,
            y_mm=s * tile.x_mm + c * tile.y_mm,
            angle=tile.angle + angle,
            seat=seat,
        )
        for tile in tiles
    ]


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

    place: WallPlace
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
        WallPlace(side, stack, layer)
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


GAP_MM = 0.3  # between tiles that are pushed together
RIVER_ROW = 6
WHOLE = 1000  # index of what is random about a whole part and not about one of its tiles
TOWARDS = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))  # where each seat is


class River(Enum):
    """How discards lie."""

    ROWS = "rows"
    """Rows of six before each seat, round the middle of the table."""
    PILE = "pile"
    """Loose in the middle, each where it fell."""


class Hands(Enum):
    """How concealed hands are kept."""

    STANDING = "standing"
    LEANING = "leaning"
    FACE_DOWN = "face down"
    OPEN = "open"
    """Lying face up, as beginners and teaching games have them."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Customs and care. untidy: 0 as a machine sets them, 1 as tired people do; hands: of seats 0 to 3.

    device_mm: half the side of what stands in the middle of the table; 0: nothing does.
    """

    river: River = River.ROWS
    hands: tuple[Hands, Hands, Hands, Hands] = (Hands.STANDING,) * 4
    untidy: float = 0.3
    device_mm: float = 0.0
    melds_at_right: bool = True


def measure_half_table(contents: Contents, size_mm: Floats) -> float:
    """Half the side of the playing surface that these tiles need."""
    height, depth = size_mm[1:]
    return float(measure_wall_distance(contents.stacks, size_mm) + 3.4 * height + depth + 30.0)


def measure_wall_distance(stacks: Sequence[int], size_mm: Floats) -> float:
    """How far the middle lines of walls of this many stacks a side are from the middle of the table, mm."""
    width, height, _ = size_mm
    return float((max(stacks) * (width + GAP_MM) + height) / 2 + 6.0)


def lay_out(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> Tabletop:
    """The contents of a table as people leave them. Every tile of `contents` lies somewhere, once.

    With the same seed a tile that stays in a game lies in the same place at every moment of it."""
    tiles = lay_walls(contents, size_mm, habits, seed)
    if habits.river is River.PILE:
        tiles += _lay_pile(contents, size_mm, habits, seed)
    for number, seat in enumerate(contents.seats):
        care = Care(seed, number, habits.untidy)
        own = _lay_hand(care, contents, seat, size_mm, habits, habits.hands[number])
        if habits.river is River.ROWS:
            own += _lay_river(care, contents, seat.discards, size_mm, habits)
        tiles += turn_to_seat(own, number)
    width, height, depth = (float(value) for value in size_mm)
    return Tabletop((width, height, depth), tuple(tiles))


@dataclass(frozen=True, slots=True)
class Care:
    """How exactly one player puts a tile down; the same for the same tile at every moment."""

    seed: int
    seat: int
    untidy: float

    def make_rng(self, part: Part, index: int) -> np.random.Generator:
        """The source of everything random about the tile `index` of this part."""
        return np.random.default_rng((self.seed, self.seat, list(Part).index(part), index))

    def pick_shift(self, part: Part, index: int) -> tuple[float, float, float]:
        """A shift along x and y in mm and a turn in radians."""
        dx, dy, angle = self.make_rng(part, index).normal(0, 1, 3) * self.untidy * [0.35, 1.0, 0.02]
        return float(dx), float(dy), float(angle)


def lay_walls(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> list[Resting]:
    """Both layers of all four walls, in touching rows."""
    width = float(size_mm[0]) + GAP_MM
    away = measure_wall_distance(contents.stacks, size_mm)
    cares = [Care(seed, side, habits.untidy) for side in range(SEATS)]
    shifts = [care.make_rng(Part.WALL, WHOLE).normal(0, 1, 2) * habits.untidy for care in cares]
    standing = {
        (tile.place.side, tile.place.stack) for tile in contents.wall if tile.place.layer is Layer.LOWER
    }
    tiles = []
    for tile in contents.wall:
        side, stack, upper = tile.place.side, tile.place.stack, tile.place.layer is Layer.UPPER
        slide, slant = float(shifts[side][0]) * 4.0, float(shifts[side][1]) * 0.015
        along = ((contents.stacks[side] + 1) / 2 - stack) * width + slide
        dx, dy, angle = cares[side].pick_shift(Part.WALL, 2 * stack + upper)
        resting = Resting(
            tile.code,
            along + dx * 0.4,
            -away + along * float(np.tan(slant)) + dy * 0.6,
            slant + angle * 0.4,
            TilePose.FACE_UP if tile.turned else TilePose.FACE_DOWN,
            int(upper and (side, stack) in standing),
            part=Part.WALL,
        )
        tiles += turn_to_seat([resting], side)
    return tiles


def _lay_river(
    care: Care, contents: Contents, discards: Sequence[str], size_mm: Floats, habits: Habits
) -> list[Resting]:
    """Rows of six from left to right, the first nearest the middle; the last row takes what is over."""
    width, height = float(size_mm[0]) + GAP_MM, float(size_mm[1]) + GAP_MM
    start = max(habits.device_mm + 4.0, 3.1 * width)
    rows = 3 if start + 3 * height < measure_wall_distance(contents.stacks, size_mm) - height / 2 else 2
    return [lay_in_row(care, code, index, start, rows, size_mm) for index, code in enumerate(discards)]


def lay_in_row(care: Care, code: str, index: int, start_mm: float, rows: int, size_mm: Floats) -> Resting:
    """The discard `index` of seat 0 in rows of six, which begin `start_mm` from the middle of the table."""
    width, height = float(size_mm[0]) + GAP_MM, float(size_mm[1]) + GAP_MM
    row = min(index // RIVER_ROW, rows - 1)
    column = index - row * RIVER_ROW
    dx, dy, angle = care.pick_shift(Part.RIVER, index)
    x = (column - 2.5) * (width + abs(dx)) + dx
    y = -start_mm - (row + 0.5) * height + dy
    return Resting(code, x, y, angle * 1.5, TilePose.FACE_UP, part=Part.RIVER)


def _lay_pile(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> list[Resting]:
    """All discards loose in the middle, each nearer its own seat, none in another."""
    width, height = float(size_mm[0]), float(size_mm[1])
    reach = measure_wall_distance(contents.stacks, size_mm) - 1.2 * height
    free = habits.device_mm + height / 2 if habits.device_mm else 0.0
    taken: list[tuple[Floats, Floats]] = []
    tiles = []
    for index in range(max(len(seat.discards) for seat in contents.seats)):
        for seat, own in enumerate(contents.seats):  # places of all seats, so that a later discard moves none
            chance = Care(seed, seat, habits.untidy).make_rng(Part.RIVER, index)
            angle = seat * QUARTER + float(chance.normal(0, 0.2 + 1.2 * habits.untidy))
            grown = min(reach, free + height * (0.9 + 1.05 * float(np.sqrt(index + 1))))
            tries = chance.uniform(-grown, grown, (60, 2)) * 0.8 + grown * 0.2 * np.array(TOWARDS[seat])
            tries = np.concatenate(
                [tries[np.abs(tries).max(axis=1) >= free], chance.permutation(make_grid(reach, free, width))]
            )
            feet = find_foot(size_mm, angle)
            spot = next((spot for spot in tries if lies_free(spot, feet, taken)), tries[-1])
            taken.append((spot, feet + spot))
            if index < len(own.discards):
                x, y = float(spot[0]), float(spot[1])
                tiles.append(
                    Resting(own.discards[index], x, y, angle, TilePose.FACE_UP, 0, 0.0, seat, Part.RIVER)
                )
    return tiles


def find_foot(size_mm: Floats, angle: float) -> Floats:
    """The corners (4, 2) mm of a lying tile about its middle, and a little room round it."""
    half = size_mm[:2] / 2 + GAP_MM
    c, s = np.cos(angle), np.sin(angle)
    corners: Floats = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]])
    return corners


def lies_free(spot: Floats, feet: Floats, taken: Sequence[tuple[Floats, Floats]]) -> bool:
    """Whether a tile with these corners about its middle lies in no other at this spot.

    taken: the middle (2,) and the corners (4, 2) mm of each other tile.
    """
    reach = 2 * float(np.hypot(*feet[0]))
    corners = (feet + spot).astype(np.float32)
    return not any(
        np.hypot(spot[0] - middle[0], spot[1] - middle[1]) < reach
        and cv2.intersectConvexConvex(corners, other.astype(np.float32))[0] > 1.0
        for middle, other in taken
    )


def make_grid(reach: float, free: float, step: float) -> Floats:
    """Spots all over the middle of the table, for when no place was found by chance."""
    steps = np.arange(-reach, reach, step)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    spots: Floats = grid[np.abs(grid).max(axis=1) >= free]
    return spots


def _lay_hand(
    care: Care,
    contents: Contents,
    seat: SeatTiles,
    size_mm: Floats,
    habits: Habits,
    kept: Hands,
) -> list[Resting]:
    """A hand in a row with the drawn tile apart, melds at its right end, flowers before it."""
    width, height, depth = (float(value) for value in size_mm)
    line = -measure_wall_distance(contents.stacks, size_mm) - 1.9 * height
    melds, meld_mm = _lay_melds(care, seat.melds, size_mm)
    hand_mm = len(seat.hand) * (width + GAP_MM)
    start = -(hand_mm + meld_mm) / 2 - (width if seat.melds else 0.0)
    tiles = []
    pose = TilePose.FACE_UP if seat.shown or kept is Hands.OPEN else TilePose.STANDING
    pose = TilePose.FACE_DOWN if kept is Hands.FACE_DOWN and pose is TilePose.STANDING else pose
    if HIDDEN in seat.hand and pose is TilePose.FACE_UP and not seat.shown:
        pose = TilePose.STANDING
    whole = care.make_rng(Part.HAND, WHOLE)
    lean = float(whole.uniform(0.1, 0.6)) if kept is Hands.LEANING else 0.0
    stagger = 0.12 * depth if whole.random() < 0.25 else 0.0
    for index, code in enumerate(seat.hand):
        dx, dy, angle = care.pick_shift(Part.HAND, index)
        apart = 0.6 * width if seat.drawn and index == len(seat.hand) - 1 else 0.0
        x = start + (index + 0.5) * (width + GAP_MM) + apart + dx * 0.3
        y = line + dy * 0.7 + stagger * float(care.make_rng(Part.HAND, index).normal())
        tiles.append(Resting(code, x, y, angle * 0.6, pose, 0, lean, part=Part.HAND))
    shift = start + hand_mm + width if habits.melds_at_right else start - meld_mm - width
    tiles += [replace(meld, x_mm=meld.x_mm + shift, y_mm=meld.y_mm + line) for meld in melds]
    flower_line, flower_start = line - 1.25 * height, start
    for index, code in enumerate(seat.flowers):
        dx, dy, angle = care.pick_shift(Part.FLOWERS, index)
        x = flower_start + (index + 0.5) * (width + GAP_MM) + dx * 0.4
        tiles.append(Resting(code, x, flower_line + dy, angle, TilePose.FACE_UP, part=Part.FLOWERS))
    return tiles


def _lay_melds(care: Care, melds: Sequence[MeldTiles], size_mm: Floats) -> tuple[list[Resting], float]:
    """Melds side by side from x = 0 on, at y = 0, and how wide they are together in mm."""
    width, height, _ = (float(value) for value in size_mm)
    tiles = []
    x = 0.0
    for number, meld in enumerate(melds):
        chance = care.make_rng(Part.MELD, WHOLE + number)
        for index, code in enumerate(meld.codes):
            dx, dy, angle = care.pick_shift(Part.MELD, 4 * number + index)
            pose = TilePose.FACE_DOWN if index in meld.face_down else TilePose.FACE_UP
            if index == meld.sideways:
                turn = QUARTER * float(chance.choice([1.0, 3.0]))
                at = (x + height / 2, -(height - width) / 2)
                x += height + GAP_MM
            else:
                turn, at = 0.0, (x + width / 2, 0.0)
                x += width + GAP_MM
            tiles.append(
                Resting(code, at[0] + dx * 0.3, at[1] + dy * 0.5, turn + angle * 0.6, pose, part=Part.MELD)
            )
        x += float(chance.uniform(0.0, 0.5)) * width
    return tiles, x
