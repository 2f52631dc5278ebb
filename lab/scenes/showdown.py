"""A finished hand shown at a table among walls, discards and other hands, with the truth about which tiles
are the hand, its melds and the winning tile."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from companion.images import Image
from companion.tiles import SET_144
from lab.scenes.draw import Light, Scene, draw_scene
from lab.scenes.geometry import Camera, Floats
from lab.scenes.hand import FELT, SIZE_MM, make_house_set
from lab.scenes.layouts import (
    QUARTER,
    Layout,
    PlacedTile,
    move_layout,
    place_face_down,
    place_lying,
    place_standing,
)
from lab.scenes.surfaces import make_cloth
from lab.scenes.things import Rng

WIDTH, HEIGHT, DEPTH = (float(each) for each in SIZE_MM)
FRAME = (1280, 960)
RUNS = [[f"{rank + step}{suit}" for step in range(3)] for suit in "mps" for rank in range(1, 8)]
PLAIN = [kind.code for kind in SET_144.kinds if kind.suit != "f"]
FLOWERS = [kind.code for kind in SET_144.kinds if kind.suit == "f"]


class Role(StrEnum):
    """What a tile of the table is to the hand."""

    CONCEALED = "concealed"
    MELD = "meld"
    FLOWER = "flower"
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Showdown:
    """A drawn table. `roles` are of `scene.tiles`, as are the indices in `melds`; `winning` is the winning
    tile where it lies apart; the hand has `hand_size` tiles between turns."""

    scene: Scene
    roles: tuple[Role, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    hand_size: int


@dataclass(slots=True)
class _Table:
    """What was put down so far, and the tiles left in the box."""

    rng: Rng
    left: Counter[str]
    placed: Layout = field(default_factory=list)
    hand: dict[int, Role] = field(default_factory=dict)
    melds: list[tuple[int, ...]] = field(default_factory=list)
    winning: int | None = None

    def put(self, tiles: Layout, role: Role = Role.OTHER) -> tuple[int, ...]:
        places = tuple(range(len(self.placed), len(self.placed) + len(tiles)))
        self.placed += tiles
        self.hand |= dict.fromkeys(places, role)
        return places

    def take_tiles(self, codes: list[str]) -> bool:
        """Takes these tiles out of the box, or none of them where one is missing."""
        if any(self.left[code] < count for code, count in Counter(codes).items()):
            return False
        self.left.subtract(codes)
        return True

    def draw(self) -> str:
        codes = [code for code in PLAIN if self.left[code] > 0]
        code = codes[int(self.rng.integers(len(codes)))]
        self.left[code] -= 1
        return code

    def draw_set(self, kong: bool = False) -> list[str]:
        while True:
            code = PLAIN[int(self.rng.integers(len(PLAIN)))]
            codes = [code] * (4 if kong else 3)
            if not kong and self.rng.random() < 0.6:
                codes = list(RUNS[int(self.rng.integers(len(RUNS)))])
            if self.take_tiles(codes):
                return codes

    def draw_pair(self) -> list[str]:
        while True:
            code = PLAIN[int(self.rng.integers(len(PLAIN)))]
            if self.take_tiles([code] * 2):
                return [code] * 2


def draw_showdown(rng: Rng, frame: tuple[int, int] = FRAME) -> Showdown:
    """A drawn table; the same state of rng gives the same one. frame: width and height of the picture, px."""
    table = _Table(rng, Counter({kind.code: SET_144.copies[kind.index] for kind in SET_144.kinds}))
    hand_size = int(rng.choice([13, 13, 16]))
    _put_hand(table, hand_size)
    _put_others(table)
    camera = _take_aim(table, frame)
    light = Light((-0.36, 0.48, 0.8), ambient=0.62, shadow=0.5, softness_px=frame[0] / 250)
    ground: Image = make_cloth(rng, frame[1], frame[0], np.array(FELT, np.float32))
    bodies = make_house_set([tile.code for tile in table.placed])
    scene = draw_scene(ground, camera, table.placed, bodies, light)
    return _label(table, scene, camera, hand_size)


def _put_hand(table: _Table, hand_size: int) -> None:
    """The concealed tiles along x, their middle at the origin; melds, flowers and the winning tile about
    them."""
    rng = table.rng
    sets = hand_size // 3
    melded = int(rng.choice(sets + 1, p=_shares(sets + 1, 0.55)))
    melds = [table.draw_set(kong=rng.random() < 0.25) for _ in range(melded)]
    groups = [table.draw_set() for _ in range(sets - melded)] + [table.draw_pair()]
    if rng.random() < 0.15:  # not a win
        groups = [[table.draw() for _ in group] for group in groups]
    codes = [code for group in groups for code in group]
    in_groups = rng.random() < 0.15
    if not in_groups and rng.random() < 0.8:
        codes.sort(key=lambda code: (code[1], code[0]))
    winner = codes.pop(int(rng.integers(len(codes)))) if rng.random() < 0.7 and not in_groups else None
    lean = float(rng.uniform(0, 0.9)) if rng.random() < 0.4 else None
    gap = float(rng.choice([0.0, 0.02, rng.uniform(0, 0.25)]))
    ends = np.cumsum([len(group) for group in groups]) if in_groups else np.array([])
    apart = float(rng.uniform(0.25, 0.8))
    x, row = 0.0, []
    for place, code in enumerate(codes):
        row.append(_set_down(rng, code, x, 0.0, lean))
        x += WIDTH * (1 + gap + abs(rng.normal(0, 0.015)) + (apart if place + 1 in ends else 0))
    table.put(row, Role.CONCEALED)
    right, left = x, -WIDTH
    if winner is not None:
        right, left = _put_winner(table, winner, lean, right, left)
    _put_melds(table, melds, right, left, lean)
    _put_flowers(table, right)


def _shares(number: int, falling: float) -> Floats:
    weights = falling ** np.arange(number)
    shares: Floats = weights / weights.sum()
    return shares


def _set_down(rng: Rng, code: str, x: float, y: float, lean: float | None, angle: float = 0.0) -> PlacedTile:
    """A tile that lies, or leans by `lean` radians from upright, not quite where it should be."""
    dx, dy, turn = rng.normal(0, 1, 3) * [0.3, 0.5, 0.012]
    if lean is None:
        return place_lying(SIZE_MM, code, x + dx, y + dy, angle + turn)
    return place_standing(SIZE_MM, code, x + dx, y + dy, lean, turn)


def _put_winner(
    table: _Table, code: str, lean: float | None, right: float, left: float
) -> tuple[float, float]:
    """The winning tile apart from the row; the ends that the row has with it."""
    rng = table.rng
    away = WIDTH * float(rng.uniform(0.35, 1.8))
    where = rng.choice(["right", "left", "sideways", "before", "on"], p=[0.5, 0.12, 0.13, 0.15, 0.1])
    middle = float(rng.uniform(0.2, 0.8)) * right
    match where:
        case "right":
            tile = _set_down(rng, code, right + away, 0.0, lean)
            right += away + WIDTH
        case "left":
            tile = _set_down(rng, code, left - away, 0.0, lean)
            left -= away + WIDTH
        case "sideways":
            near = float(rng.uniform(0.2, 0.8)) * WIDTH
            tile = _set_down(rng, code, right + near, -(HEIGHT - WIDTH) / 2, None, QUARTER)
            right += near + HEIGHT
        case "before":
            tile = _set_down(rng, code, middle, -HEIGHT * float(rng.uniform(1.15, 1.6)), None)
        case _:
            tile = _set_down(rng, code, middle, HEIGHT * float(rng.uniform(1.15, 1.6)), None)
    (table.winning,) = table.put([tile], Role.CONCEALED)
    return right, left


def _put_melds(table: _Table, melds: list[list[str]], right: float, left: float, lean: float | None) -> None:
    """The melds beside the hand, or in a row before or behind it."""
    rng = table.rng
    where = rng.choice(["right", "left", "behind", "before"], p=[0.5, 0.2, 0.2, 0.1])
    sideways = rng.random() < 0.5
    x, y = right + WIDTH * float(rng.uniform(0.5, 3.0)), 0.0
    if where in ("behind", "before"):
        away = float(rng.uniform(1.3, 2.0)) * HEIGHT
        x, y = float(rng.uniform(0, 0.4)) * right, away if where == "behind" else -away
    between = WIDTH * float(rng.uniform(0.15, 1.2))
    for codes in melds:
        tiles, length = _make_meld(rng, codes, sideways)
        if where == "left":
            left -= length + between
            x = left
        places = table.put(_shift(tiles, x, y), Role.MELD)
        table.melds.append(places)
        x += length + between


def _make_meld(rng: Rng, codes: list[str], sideways: bool) -> tuple[Layout, float]:
    """A meld from the origin to the right, and its length, mm."""
    kong = len(codes) == 4
    hidden: set[int] = set()
    if kong and rng.random() < 0.6:
        hidden = {0, 1, 2, 3} if rng.random() < 0.3 else {0, 3}
    turned = int(rng.integers(len(codes))) if sideways and not hidden else -1
    tiles: Layout = []
    x = 0.0
    for place, code in enumerate(codes):
        dx, dy, angle = rng.normal(0, 1, 3) * [0.3, 0.4, 0.012]
        if place == turned:
            y = -(HEIGHT - WIDTH) / 2 + dy
            tiles.append(place_lying(SIZE_MM, code, x + HEIGHT / 2 + dx, y, angle + QUARTER))
            x += HEIGHT * 1.01
            continue
        put = place_face_down if place in hidden else place_lying
        tiles.append(put(SIZE_MM, code, x + WIDTH / 2 + dx, dy, angle))
        x += WIDTH * 1.01
    return tiles, x


def _shift(tiles: Layout, x: float, y: float) -> Layout:
    middle = np.mean([tile.box.centre_mm[:2] for tile in tiles], axis=0)
    return move_layout(tiles, float(middle[0]) + x, float(middle[1]) + y, 0.0)


def _put_flowers(table: _Table, right: float) -> None:
    """Flowers set out: none to four, behind one end of the hand, clear of melds."""
    rng = table.rng
    count = int(rng.choice([0, 0, 0, 1, 2, 4]))
    y = HEIGHT * float(rng.uniform(2.4, 3.0))
    x = float(rng.uniform(0, 1)) * right
    for place, index in enumerate(rng.permutation(len(FLOWERS))[:count]):
        table.put([_set_down(rng, FLOWERS[index], x + place * WIDTH * 1.05, y, None)], Role.FLOWER)


def _put_others(table: _Table) -> None:
    """What else lies on the table: a wall, discards, other players' hands and melds."""
    rng = table.rng
    far = HEIGHT * float(rng.uniform(4.2, 5.5))
    if rng.random() < 0.4:
        wall = [
            place_face_down(SIZE_MM, "5z", x * WIDTH * 1.01, 0.0) for x in range(int(rng.integers(4, 18)))
        ]
        table.put(move_layout(wall, 6 * WIDTH + float(rng.normal(0, 3 * WIDTH)), far, 0.0))
        far += 1.6 * HEIGHT
    if rng.random() < 0.6:
        count = int(rng.integers(3, 30))
        tiles = _make_rows(table, count, 6) if rng.random() < 0.5 else _make_pile(table, count)
        reach = max(tile.box.centre_mm[1] for tile in tiles) - min(tile.box.centre_mm[1] for tile in tiles)
        table.put(move_layout(tiles, 6 * WIDTH, far + reach / 2, float(rng.normal(0, 0.05))))
        far += reach + 2.0 * HEIGHT
    for turn in (2, 1, 3):
        if rng.random() < 0.3:
            tiles = _make_other_hand(table)
            angle = turn * QUARTER + float(rng.normal(0, 0.05))
            x, y = {2: (6 * WIDTH, far + HEIGHT), 1: (24 * WIDTH, 9 * HEIGHT), 3: (-11 * WIDTH, 9 * HEIGHT)}[
                turn
            ]
            table.put(move_layout(tiles, x, y, angle))


def _make_rows(table: _Table, count: int, across: int) -> Layout:
    rows = [divmod(place, across) for place in range(count)]
    return [
        _set_down(table.rng, table.draw(), column * WIDTH * 1.02, -line * HEIGHT * 1.03, None)
        for line, column in rows
    ]


def _make_pile(table: _Table, count: int) -> Layout:
    rng, step = table.rng, 1.15 * float(np.hypot(WIDTH, HEIGHT))
    across = int(rng.integers(3, 9))
    tiles: Layout = []
    for place in range(count):
        x, y = place % across * step, -(place // across) * step
        dx, dy = rng.uniform(-0.06, 0.06, 2) * step
        put = place_face_down if rng.random() < 0.1 else place_lying
        tiles.append(put(SIZE_MM, table.draw(), x + dx, y + dy, float(rng.uniform(0, 4 * QUARTER))))
    return tiles


def _make_other_hand(table: _Table) -> Layout:
    """Another player's tiles as seen from that player: standing with their backs to the table, or shown."""
    rng = table.rng
    count = int(rng.choice([13, 10, 7, 14]))
    shown = rng.random() < 0.35
    tiles: Layout = []
    for place in range(count):
        x = place * WIDTH * 1.02
        tiles.append(
            _set_down(rng, table.draw(), x, 0.0, None)
            if shown
            else place_standing(SIZE_MM, table.draw(), x, 0.0, 0.1)
        )
    if rng.random() < 0.4:
        meld, _ = _make_meld(rng, table.draw_set(), rng.random() < 0.5)
        tiles += _shift(meld, count * WIDTH + 1.5 * WIDTH, 0.0)
    return tiles


def _take_aim(table: _Table, frame: tuple[int, int]) -> Camera:
    """A camera that sees the whole hand, from the winner's seat or turned by any angle."""
    rng = table.rng
    own = [tile for place, tile in enumerate(table.placed) if table.hand[place] is not Role.OTHER]
    corners = np.concatenate([tile.box.corners() for tile in own])
    target = np.append((corners.min(axis=0)[:2] + corners.max(axis=0)[:2]) / 2, DEPTH / 2)
    target[1] += HEIGHT * float(rng.uniform(0, 3))
    elevation = float(rng.choice([rng.uniform(0.5, 0.9), rng.uniform(0.9, 1.3), rng.uniform(1.3, 1.55)]))
    roll = float(
        rng.choice(
            [rng.normal(0, 0.08), rng.integers(4) * QUARTER, rng.uniform(-np.pi, np.pi)], p=[0.6, 0.2, 0.2]
        )
    )
    focal = float(rng.uniform(0.9, 1.4)) * max(frame)
    azimuth = float(rng.normal(0, 0.25))
    distance, margin = 300.0, float(rng.uniform(0.02, 0.1)) * min(frame)
    while True:
        camera = Camera.looking_at(target, distance, elevation, azimuth, roll, focal, *frame)
        seen = camera.project(corners)
        inside = np.all((seen > margin) & (seen < np.array(frame) - margin))
        if inside:
            return camera
        distance *= 1.05


def _label(table: _Table, scene: Scene, camera: Camera, hand_size: int) -> Showdown:
    """The truth for each tile that is seen: which placed tile it is says where its face or back was drawn."""
    sides = [
        camera.project(tile.box.side(name)).mean(axis=0) for tile in table.placed for name in ("face", "back")
    ]
    middles = np.array([np.mean(tile.quad, axis=0) for tile in scene.tiles])
    apart = np.linalg.norm(middles[:, None] - np.array(sides)[None], axis=2)
    places = [int(each) // 2 for each in np.nanargmin(apart, axis=1)]
    seen = {place: index for index, place in enumerate(places)}
    melds = tuple(tuple(seen[place] for place in meld if place in seen) for meld in table.melds)
    roles = tuple(table.hand[place] for place in places)
    winning = seen.get(table.winning) if table.winning is not None else None
    return Showdown(scene, roles, melds, winning, hand_size)
