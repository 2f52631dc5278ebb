"""A second renderer of hands, as plain as can be, that looks different from lab.film: flat textures on
blocks, painted from far to near. What is followed well only in our own films is not followed well.

Only the played hand, and the format of the truth (docs/films.md), are shared with those films. Cameras,
tiles, tables, rooms and habits are its own, chosen by a seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.coach.play.simulation import PlayedHand
from companion.errors import InputError
from companion.images import Image
from companion.table.events import Claimed, Dealt, Discarded, HandStarted, Won
from companion.table.wall import Layer, WallPlace
from lab.art.faces import CODES, draw_face, random_style
from lab.film.customs import HALF_MM, Customs, Places, Pose, list_corners, map_pictures, turn_camera
from lab.film.timeline import Course, Mark, Motion, Reach, Timeline, follow
from lab.film.writing import VERSION, describe_camera, describe_table, list_events
from lab.scenes.draw import Shown, find_shown, sort_far_to_near
from lab.scenes.geometry import Box, Camera, Floats, round_to_pixels
from lab.scenes.layouts import (
    HIDDEN,
    QUARTER,
    TOWARDS,
    Part,
    Resting,
    River,
    TilePose,
    find_foot,
    lies_free,
    turn_to_seat,
)
from lab.scenes.surfaces import make_surface
from lab.scenes.things import Rng

NO_PICTURE = "'{file}' is not a picture that can be read."
FACE_PX = (96, 128)
SIZES = ((1920, 1080), (1920, 1080), (1280, 720))
STANDS = {Pose.ABOVE: (85.0, 3.0, 0.0), Pose.CORNER: (45.0, 5.0, 45.0), Pose.SIDE: (32.0, 3.0, 0.0)}
"""Degrees above the table, their spread, and degrees round it."""
CLOTHS = ("plain", "gradient", "noisy", "drawn")
EDGES = ("rim",) * 3 + ("cloth ends",) * 3 + ("round", "none")
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """How one film looks. ground: the picture (H, W, 3) without tiles; faces: BGR pictures by code; front,
    rear: colours of a tile's face and back; split: share of its depth that is of the back's colour; shadow:
    0..1; moves: how tiles come, `pop`, `slide` or `arm`; arm, sleeve: colours of people's arms; grain: grey
    levels of noise; blur: px."""

    camera: Camera
    ground: Image
    faces: dict[str, Image]
    front: Colour
    rear: Colour
    split: float
    shadow: float
    moves: str
    arm: Colour
    sleeve: Colour
    grain: float
    blur: float
    frames_a_second: float


def choose_looks(rng: Rng, pose: Pose, faces: Path | None, edge: str | None = None) -> Looks:
    """Looks for a film. faces: a folder of photographed faces; edge: one of EDGES, where it is not chosen."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    camera = place_camera(pose, rng, width, height)
    shown = load_faces(faces, rng)
    rims = np.concatenate([face[:4].reshape(-1, 3) for face in shown.values()])
    hue = np.array([[[rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(40, 220)]]], np.uint8)
    b, g, r = (float(c) for c in cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0])
    front = tuple(float(c) for c in np.median(rims, axis=0))
    skin = float(rng.uniform(0.35, 1.0))
    arm = (140 * skin, 170 * skin, 225 * skin)
    return Looks(
        camera,
        draw_ground(camera, rng, width, height, edge),
        shown,
        (front[0], front[1], front[2]),
        (b, g, r),
        float(rng.choice([0.0, 0.3, 0.5])),
        float(rng.choice([0.0, 0.35, 0.5])),
        str(rng.choice(["pop", "slide", "arm", "arm"])),
        arm,
        tuple(rng.uniform(15, 120, 3).tolist()) if rng.random() < 0.5 else arm,
        float(rng.choice([0.0, 1.5, 3.0])),
        float(rng.choice([0.0, 0.5, 0.8])),
        float(rng.choice([5, 6, 8])),
    )


def load_faces(folder: Path | None, rng: Rng) -> dict[str, Image]:
    """The faces of one set of tiles (128, 96, 3), those missing drawn on the others' ground."""
    sets = sorted(each for each in folder.iterdir() if each.is_dir()) if folder else []
    found: dict[str, Image] = {}
    if sets:
        for path in sorted(sets[int(rng.integers(len(sets)))].iterdir()):
            if path.stem in CODES:
                found[path.stem] = np.asarray(
                    cv2.resize(_load(path), FACE_PX, interpolation=cv2.INTER_AREA), np.uint8
                )
    rims = [face[:4].reshape(-1, 3) for face in found.values()]
    plain = np.median(np.concatenate(rims), axis=0) if rims else np.array(rng.uniform(200, 245, 3))
    style = random_style(rng)
    for code in CODES:
        if code not in found:
            paint = draw_face(code, style, FACE_PX[1]).astype(np.float32)
            alpha = paint[..., 3:] / 255
            found[code] = (paint[..., :3] * alpha + plain * (1 - alpha)).astype(np.uint8)
    return found


def place_camera(pose: Pose, rng: Rng, width: int, height: int) -> Camera:
    """A camera about there whose picture holds the table."""
    elevation, spread, turn = STANDS[pose]
    up = np.radians(min(elevation + rng.uniform(-spread, spread), 89.5))
    round_ = np.radians(turn + rng.uniform(-8, 8))
    focal, roll = rng.uniform(0.6, 1.1) * width, np.radians(rng.uniform(-2, 2))
    share, distance = rng.uniform(0.86, 0.98), HALF_MM
    while True:
        camera = Camera.looking_at(np.zeros(3), distance, up, round_, roll, focal, width, height)
        corners = camera.project(list_corners(HALF_MM))
        if (
            np.isfinite(corners).all()
            and (np.ptp(corners, axis=0) <= share * np.array([width, height])).all()
        ):
            middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
            camera = Camera(
                camera.position_mm, camera.rotation, camera.focal_px,
                camera.centre_px + np.array([width, height]) / 2 - middle,
            )  # fmt: skip
            return camera
        distance *= 1.02


def draw_ground(camera: Camera, rng: Rng, width: int, height: int, edge: str | None = None) -> Image:
    """The table without tiles, and the room. edge: as for `choose_looks`."""
    chosen = str(rng.choice(EDGES))
    edge = edge or chosen
    image = _make_surface(rng, "drawn" if rng.random() < 0.5 else "plain", (height, width))
    image = (image * float(rng.choice([0.15, 0.5, 0.9]))).astype(np.uint8)
    half = {"none": 1600.0, "round": 1.5 * HALF_MM}.get(edge, HALF_MM)
    cloth = _make_surface(rng, str(rng.choice(CLOTHS)), (900, 900))
    outline = list_corners(half)[:, :2]
    if edge == "round":
        turns = np.linspace(0, 2 * np.pi, 72)[:-1]
        outline = 0.9 * half * np.column_stack([np.cos(turns), np.sin(turns)])
    if edge == "rim":
        wide = half + float(rng.uniform(12, 60))
        rim = tuple(rng.uniform(20, 200, 3).tolist())
        cv2.fillConvexPoly(image, _project_flat(camera, list_corners(wide)[:, :2]), rim, cv2.LINE_AA)
    inner = list_corners(half)
    behind = (inner - camera.position_mm) @ camera.rotation[2] < 50
    if behind.any():  # a cloth that fills the frame is that everywhere
        return np.asarray(cv2.resize(cloth, (width, height)), np.uint8)
    to_px = cv2.getPerspectiveTransform(
        np.array([[0, 900], [900, 900], [900, 0], [0, 0]], np.float32),
        camera.project(inner).astype(np.float32),
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [_project_flat(camera, outline)], 255, cv2.LINE_AA)
    laid = cv2.warpPerspective(
        cloth, to_px, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    share = mask[..., None].astype(np.float32) / 255
    return (laid * share + image * (1 - share)).astype(np.uint8)


def _project_flat(camera: Camera, places: Floats) -> NDArray[np.int32]:
    points = camera.project(np.column_stack([places, np.zeros(len(places))]))
    return round_to_pixels(np.nan_to_num(points).clip(-9e3, 9e3))


def _make_surface(rng: Rng, kind: str, shape: tuple[int, int]) -> Image:
    """A cloth or floor (H, W, 3)."""
    height, width = shape
    hue = np.array([[[rng.uniform(0, 180), rng.uniform(20, 200), rng.uniform(50, 200)]]], np.uint8)
    colour = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    image = np.broadcast_to(colour, (height, width, 3)).copy()
    if kind == "drawn":
        return make_surface(rng, height, width)
    if kind == "gradient":
        along = np.linspace(0.7, 1.15, width, dtype=np.float32)
        image *= along[None, :, None]
    if kind == "noisy":
        image += rng.normal(0, 9, (height, width, 1)).astype(np.float32)
        coarse = rng.normal(0, 8, (height // 30, width // 30, 1)).astype(np.float32)
        image += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(image.clip(0, 255), np.uint8)


def _load(path: Path) -> Image:
    """A picture (H, W, 3). Raises InputError if there is none."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise InputError(NO_PICTURE, file=path)
    return np.asarray(image, np.uint8)


TABLES_MM = (700.0, 950.0)
TILES_MM = (24.0, 30.0)
AWAY = Resting(HIDDEN, -4000.0, -4000.0, 0.0, TilePose.FACE_DOWN, part=Part.HAND)
"""Place of tiles that no camera sees."""
AWAY_MM = -1000.0
"""Value of x below which tiles are away."""
KONGS_DOWN = (frozenset({0, 3}), frozenset({1, 2}))
TRIES = 300
ROWS = 3
TOUCHING = 0.93
"""Share of their sides up to which tiles count as apart: those of a row touch."""


@dataclass(frozen=True, slots=True)
class Manner:
    """The arrangement of tiles on one table.

    wall_mm, hand_mm: distance of walls and hands from the middle; hands: `outward`, `blocks` or `absent`;
    row: discards in a row, 0 if they are scattered; melds: their place: `right`, `left` or `front`; careless:
    mm by which tiles miss their places; turned, way: the stack from which the wall is drawn, and the
    direction.
    """

    size_mm: tuple[float, float, float]
    has_walls: bool
    wall_mm: float
    hands: str
    hand_mm: float
    row: int
    melds: str
    careless: float
    turned: int
    way: int


def is_away(resting: Resting) -> bool:
    """Whether a tile is where no camera sees it."""
    return resting.x_mm < AWAY_MM


def choose_manner(rng: Rng, stacks: Sequence[int]) -> Manner:
    """A manner with room for walls of this many stacks a side."""
    has_walls = bool(rng.choice([True, True, True, True, False]))
    melds = str(rng.choice(["right", "right", "left", "front"]))
    width = float(rng.uniform(*TILES_MM) * 2 * HALF_MM / rng.uniform(*TABLES_MM))
    high, deep = float(rng.uniform(1.28, 1.4)), float(rng.uniform(0.62, 0.8))
    row = int(rng.choice([6, 6, 10, 0]))
    wall = _reckon_wall(stacks, row, high)
    rows = 2.2 if melds == "front" else 1.1  # of tiles' heights outside of the wall
    least = wall + high * (rows + 0.6)
    width = min(width, HALF_MM / (least + 0.75 * high))
    most = max(least, HALF_MM / width - 0.75 * high)
    hand = float(rng.choice([rng.uniform(least, most), most]))
    return Manner(
        (width, width * high, width * deep),
        has_walls,
        wall * width,
        str(rng.choice(["outward", "outward", "outward", "blocks", "absent"])),
        hand * width,
        row,
        melds,
        float(rng.uniform(0.3, 2.5)),
        int(rng.integers(sum(stacks))),
        int(rng.choice([-1, 1])),
    )


def _reckon_wall(stacks: Sequence[int], row: int, high: float) -> float:
    """Distance of walls from the middle at which neither they nor three rows of discards touch, in widths of
    a tile of that aspect ratio."""
    discards = row / 2 + 0.5 + (ROWS if row else 0) * high
    return max(max(stacks) / 2, discards) + high / 2 + 0.15


def make_customs(rng: Rng, manner: Manner, *, flowers: bool, public_kongs: bool) -> Customs:
    """The customs that the course of a hand asks for."""
    down = KONGS_DOWN[int(rng.integers(2))] if public_kongs else frozenset(range(4))
    sideways = bool(rng.random() < 0.5) and not flowers
    return Customs(River.ROWS if manner.row else River.PILE, sideways, down, 0.0)


@dataclass(frozen=True)
class PlainPlaces(Places):
    """The places of one table in this manner."""

    manner: Manner

    @cached_property
    def _pitch(self) -> float:
        return self.size_mm[0] + 0.4

    @property
    def hand_line_mm(self) -> float:
        return self.manner.hand_mm

    def lay_walls(self, order: Sequence[WallPlace]) -> list[Resting]:
        """The wall, taken down from another place and perhaps the other way round."""
        if not self.manner.has_walls:
            return [AWAY] * len(order)
        sites = [(side, stack) for side in (0, 3, 2, 1) for stack in range(self.stacks[side])]
        names = list(dict.fromkeys((place.side, place.stack) for place in order))
        site_of = {
            name: sites[(self.manner.way * index + self.manner.turned) % len(sites)]
            for index, name in enumerate(names)
        }
        laid = []
        for place in order:
            side, stack = site_of[place.side, place.stack]
            layer = int(place.layer is Layer.UPPER)
            x = (self.stacks[side] / 2 - stack - 0.5) * self._pitch
            rng = np.random.default_rng((self.seed, side, stack))
            y = -self.manner.wall_mm + float(rng.normal(0, 0.4 * self.manner.careless))
            laid.append(self._lay(x, y, 0.0, TilePose.FACE_DOWN, side, Part.WALL, layer))
        return laid

    def stand(self, seat: int, index: int, *, apart: bool = False, shown: bool = False) -> Resting:
        if self.manner.hands == "absent" and not shown:
            return replace(AWAY, seat=seat)
        x = (index - self.hand / 2) * self._pitch + (9.0 if apart else 0.0)
        if self.manner.melds == "left":
            x += 0.2 * HALF_MM
        if shown:
            return self._lay(x, -self.hand_line_mm, 0.0, TilePose.FACE_UP, seat, Part.HAND)
        return self._lay(x, -self.hand_line_mm, 0.0, TilePose.STANDING, seat, Part.HAND)

    def discard(self, seat: int, index: int, lying: Iterable[Resting]) -> Resting:
        rng = np.random.default_rng((self.seed, seat, index, 1))
        taken = []
        for other in lying:
            middle = np.array([other.x_mm, other.y_mm])
            taken.append((middle, TOUCHING * find_foot(self.size, other.angle) + middle))
        reach = self.manner.wall_mm - self.size_mm[1]
        if self.manner.row:
            line, at = divmod(index, self.manner.row)
            x = (at - self.manner.row / 2 + 0.5) * self._pitch
            y = -((self.manner.row / 2 + 0.4) * self._pitch + (line + 0.5) * (self.size_mm[1] + 0.6))
            dx, dy, turn = rng.normal(0, [0.5, 0.5, 0.01]) * self.manner.careless
            resting = self._lay(x + dx, y + dy, turn, TilePose.FACE_UP, seat, Part.RIVER)
            if -y < reach and self._is_free(resting, taken):
                return resting
        for spread in np.linspace(0.4, 1.0, TRIES):
            x, y = rng.normal(0, spread * 0.6 * reach), rng.normal(-0.45, spread * 0.5) * reach
            turn = float(rng.normal(0, 0.5)) if not self.manner.row else 0.0
            resting = self._lay(x, y, turn, TilePose.FACE_UP, seat, Part.RIVER)
            if max(abs(x), abs(y)) < reach and self._is_free(resting, taken):
                break
        return resting

    def lay_meld(
        self, seat: int, number: int, before_mm: float, count: int, across: int | None, down: frozenset[int]
    ) -> tuple[list[Resting], float]:
        width, height = self._pitch, self.size_mm[1] + 0.4
        gap = 0.3 * width if number else 0.0
        wide = width * count + (height - width) * (across is not None)
        end = 0.93 * HALF_MM - before_mm - gap
        x = end - wide if self.manner.melds != "left" else -end
        ahead = height + 2 if self.manner.melds == "front" else 0.0
        rng = np.random.default_rng((self.seed, seat, number, 2))
        tiles = []
        for index in range(count):
            lies_across = index == across
            step = height if lies_across else width
            y = -self.hand_line_mm + ahead - (self.size_mm[1] - self.size_mm[0]) / 2 * lies_across
            dx, dy, turn = rng.normal(0, [0.1, 0.3, 0.008]) * self.manner.careless
            pose = TilePose.FACE_DOWN if index in down else TilePose.FACE_UP
            turn += QUARTER * lies_across
            tiles.append(self._lay(x + step / 2 + dx, y + dy, turn, pose, seat, Part.MELD))
            x += step
        return tiles, before_mm + gap + wide

    def set_out(self, seat: int, index: int) -> Resting:
        x = (self.hand / 2 - index) * self._pitch * (-1 if self.manner.melds == "left" else 1)
        y = -self.hand_line_mm + self.size_mm[1] * 0.95
        return self._lay(x, y, 0.0, TilePose.FACE_UP, seat, Part.FLOWERS)

    def _is_free(self, resting: Resting, taken: Sequence[tuple[Floats, Floats]]) -> bool:
        spot = np.array([resting.x_mm, resting.y_mm])
        return lies_free(spot, TOUCHING * find_foot(self.size, resting.angle), taken)

    def _lay(
        self, x: float, y: float, angle: float, pose: TilePose, seat: int, part: Part, layer: int = 0
    ) -> Resting:
        return turn_to_seat([Resting(HIDDEN, x, y, angle, pose, layer, part=part)], seat)[0]


START_S, END_S = 2.5, 4.0
"""Seconds before the first event, and after the last one."""
SHOULDER_MM = 700.0
"""Distance of a shoulder from the middle of the table."""
ARM_MM = (22.0, 34.0)
"""Half as wide are hands, and sleeves."""
STILL_S = 0.15
"""Shorter moments in which nothing moves are not described."""
BITS = 4
"""Fractional bits of pixel coordinates, for exact corners."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainFilm:
    """A film that can be drawn, and the lines of its truth."""

    timeline: Timeline
    manner: Manner
    looks: Looks
    truth: tuple[dict[str, Any], ...]
    steps: tuple[tuple[float, float], ...]
    bumps: tuple[tuple[float, Camera], ...]


def prepare_plain(
    played: PlayedHand,
    pose: Pose,
    seed: int,
    *,
    pace: float = 2.0,
    faces: Path | None = None,
    edge: str | None = None,
) -> PlainFilm:
    """A played hand ready to be drawn; the same for the same hand and seed.

    pace: how many times as quickly as usual people play; faces: a folder of photographed ones, as
    `load_faces` takes them; edge: how the table ends, as for `choose_looks`.
    """
    rng = np.random.default_rng((seed, 77))
    state = played.steps[0].state
    assert state.hand is not None
    wall = state.hand.wall
    manner = choose_manner(rng, wall.stacks)
    looks = choose_looks(rng, pose, faces, edge)
    customs = make_customs(
        rng, manner, flowers=wall.rule.tile_set.total > 136, public_kongs=state.house.policy.kongs.public
    )
    places = PlainPlaces(manner.size_mm, wall.stacks, sum(wall.rule.deal), customs, seed, manner)
    course = follow([(step.event, step.state) for step in played.steps], places)
    timeline = spread_in_time(course, manner, looks.moves, pace, rng)
    steps = [(float(rng.uniform(0.2, 1) * timeline.end_s), float(rng.uniform(0.85, 1.2))) for _ in range(2)]
    bumps = [
        (float(rng.uniform(0.2, 1) * timeline.end_s), turn_camera(looks.camera, *rng.normal(0, 0.002, 3)))
        for _ in range(int(rng.choice([0, 0, 1])))
    ]
    truth = _tell(played, pose, seed, pace, timeline, looks, bumps)
    return PlainFilm(timeline, manner, looks, tuple(truth), tuple(sorted(steps)), tuple(bumps))


def spread_in_time(course: Course, manner: Manner, moves: str, pace: float, rng: Rng) -> Timeline:
    """The course of a hand in time: walls stand and hands are dealt when the film begins."""
    now = dict(enumerate(course.standing))
    standing = dict(now)
    motions: list[Motion] = []
    reaches: list[Reach] = []
    marks = []
    clock = START_S
    quick = float(rng.uniform(1.2, 2.6)) / pace
    for deed in course.deeds:
        moved = [laying for carry in deed.carries for laying in carry.tiles] + list(deed.tidied)
        if isinstance(deed.event, HandStarted | Dealt):
            now.update(moved)
            standing.update(moved)
            marks.append(Mark(clock, deed))
            continue
        if isinstance(deed.event, Claimed):
            clock += quick * float(rng.uniform(0.5, 1.6))
        elif isinstance(deed.event, Discarded):
            clock += quick * float(rng.choice([0.1, rng.uniform(0.5, 2.0), rng.uniform(0.5, 2.0)]))
        else:
            clock += quick * float(rng.uniform(0.3, 0.9))
        seat = deed.carries[0].seat if deed.carries else 0
        shown = [laying for laying in moved if now[laying[0]] != laying[1]]
        takes = (
            0.0
            if moves == "pop" or not deed.carries
            else quick * (0.9 if isinstance(deed.event, Won) else 0.45)
        )
        if moves == "arm" and takes:
            clock += _reach(reaches, clock, seat, [after for _, after in shown if not is_away(after)], takes)
        for tile, after in shown:
            before = now[tile]
            way = 0.0 if is_away(before) or is_away(after) else takes
            motions.append(Motion(tile, clock, clock + way, before, after, 12.0 if way else 0.0))
            now[tile] = after
        clock += takes
        marks.append(Mark(clock, deed))
    order = sorted(motions, key=lambda motion: motion.start_s)
    return Timeline(
        manner.size_mm, course.codes, tuple(standing[tile] for tile in sorted(standing)), tuple(order),
        tuple(reaches), tuple(marks), clock + END_S,
    )  # fmt: skip


def _reach(reaches: list[Reach], clock: float, seat: int, places: Sequence[Resting], takes: float) -> float:
    """Add an arm that reaches over the table to these places and back; returns how long it takes to come."""
    if not places:
        return 0.0
    x, y = np.mean([(place.x_mm, place.y_mm) for place in places], axis=0)
    away = np.array(TOWARDS[seat]) * (HALF_MM + 150)
    comes = 0.3
    reaches.append(Reach(seat, (
        (clock, *away.tolist(), 40.0), (clock + comes, float(x), float(y), 40.0),
        (clock + comes + takes, float(x), float(y), 40.0), (clock + 2 * comes + takes, *away.tolist(), 40.0),
    )))  # fmt: skip
    return comes


class PlainFilming:
    """Draws the moments of a film in their order."""

    def __init__(self, film: PlainFilm, seed: int) -> None:
        self._film = film
        self._still = film.looks.ground
        self._resting: list[Resting | None] = []
        height, width = self._still.shape[:2]
        rng = np.random.default_rng(seed)
        grain = film.looks.grain
        self._grain = (
            rng.normal(128.5, max(grain, 1e-3), (height + 64, width + 64, 1)).clip(0, 255).astype(np.uint8)
        )
        self._grain = _as_image(cv2.merge([self._grain] * 3))
        self._rng = rng

    def draw(self, t: float) -> Image:
        """The picture (H, W, 3) of that second."""
        film, looks = self._film, self._film.looks
        boxes = film.timeline.place_boxes(t)
        moving = {
            tile for tile in range(len(boxes))
            if (motion := film.timeline.find_motion(tile, t)) and t < motion.end_s
        }  # fmt: skip
        resting = [
            None if tile in moving else each for tile, each in enumerate(film.timeline.find_resting(t))
        ]
        if resting != self._resting:
            self._resting = resting
            self._still = looks.ground.copy()
            lying = [tile for tile, each in enumerate(resting) if each is not None and not is_away(each)]
            if looks.shadow:
                self._shade([boxes[tile] for tile in lying])
            self._paint(self._still, lying, boxes)
        image = self._still
        reaches = film.timeline.find_reaches(t)
        if moving or reaches:
            image = image.copy()
            self._paint(image, sorted(moving), boxes)
            for reach in reaches:
                self._paint_arm(image, reach.find_hand(t), reach.seat)
        return self._expose(image, t)

    def _shade(self, boxes: Sequence[Box]) -> None:
        height, width = self._still.shape[:2]
        mask = np.zeros((height // 2, width // 2), np.uint8)
        for box in boxes:
            feet = box.corners()
            feet[:, :2] += feet[:, 2:] * [0.25, 0.2]
            feet[:, 2] = 0
            points = self._film.looks.camera.project(feet) / 2
            if np.isfinite(points).all():
                hull = cv2.convexHull(points.astype(np.float32))[:, 0]
                cv2.fillConvexPoly(mask, round_to_pixels(hull), 255)
        dark = cv2.resize(cv2.blur(mask, (5, 5)), (width, height))
        share = 255 - cv2.convertScaleAbs(dark, alpha=self._film.looks.shadow)
        self._still = _as_image(cv2.multiply(self._still, cv2.merge([share] * 3), scale=1 / 255))

    def _paint(self, image: Image, tiles: Sequence[int], boxes: Sequence[Box]) -> None:
        chosen = [boxes[tile] for tile in tiles]
        for side in find_shown(
            self._film.looks.camera, chosen, sort_far_to_near(self._film.looks.camera, chosen)
        ):
            self._paint_side(image, side, self._film.timeline.codes[tiles[side.index]])

    def _paint_side(self, image: Image, side: Shown, code: str) -> None:
        looks = self._film.looks
        bright = 0.72 + 0.28 * max(0.0, float(side.normal[2])) + 0.08 * float(side.normal[0])
        standing = abs(side.normal[2]) < 0.7
        if side.name == "face" and code != HIDDEN and not (standing and self._film.manner.hands == "blocks"):
            _warp_face(image, looks.faces[code], side.quad, bright)
            return
        if side.name in ("face", "back"):
            _fill(image, side.quad, looks.front if side.name == "face" else looks.rear, bright)
            return
        _fill(image, side.quad, looks.front, bright)
        if looks.split:
            _fill(image, _cut_rear(side.quad, looks.split), looks.rear, bright)

    def _paint_arm(self, image: Image, hand: Floats, seat: int) -> None:
        looks = self._film.looks
        shoulder = np.array([*(np.array(TOWARDS[seat]) * SHOULDER_MM), 120.0])
        points = looks.camera.project(np.stack([hand, hand + (shoulder - hand) * 0.3, shoulder]))
        if not np.isfinite(points).all():
            return
        px = looks.camera.focal_px / float(np.linalg.norm(looks.camera.position_mm - hand))
        tip, wrist, end = (tuple(point) for point in round_to_pixels(points.clip(-4000, 6000)).tolist())
        cv2.line(image, wrist, end, looks.sleeve, max(1, round(2 * ARM_MM[1] * px)), cv2.LINE_AA)
        cv2.line(image, tip, wrist, looks.arm, max(1, round(2 * ARM_MM[0] * px)), cv2.LINE_AA)

    def _expose(self, image: Image, t: float) -> Image:
        looks = self._film.looks
        for since, camera in self._film.bumps:
            if t >= since:
                seen = map_pictures(looks.camera, camera)
                size = (image.shape[1], image.shape[0])
                image = _as_image(cv2.warpPerspective(image, seen, size, borderMode=cv2.BORDER_REFLECT))
        light = next((light for since, light in reversed(self._film.steps) if t >= since), 1.0)
        if light != 1.0:
            image = _as_image(cv2.convertScaleAbs(image, alpha=light))
        if looks.blur:
            image = _as_image(cv2.GaussianBlur(image, (0, 0), looks.blur))
        if looks.grain:
            x, y = (int(shift) for shift in self._rng.integers(0, 64, 2))
            part = self._grain[y : y + image.shape[0], x : x + image.shape[1]]
            image = _as_image(cv2.addWeighted(image, 1, part, 1, -128))
        return image


def write_plain(film: PlainFilm, folder: Path, name: str) -> tuple[Path, Path]:
    """Write `name`.mp4 and `name`.jsonl into the folder, and give their paths."""
    video, truth = (folder / f"{name}{suffix}" for suffix in (".mp4", ".jsonl"))
    header = film.truth[0]
    filming = PlainFilming(film, header["seed"])
    rate = film.looks.frames_a_second
    size = (header["width"], header["height"])
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
    for frame in range(header["frames"]):
        writer.write(filming.draw(frame / rate))
    writer.release()
    truth.write_text("".join(json.dumps(line) + "\n" for line in film.truth), encoding="utf-8")
    return video, truth


def _as_image(picture: Any) -> Image:
    """What OpenCV made of a picture, which is one of bytes again."""
    return np.ascontiguousarray(picture, np.uint8)


def _warp_face(image: Image, face: Image, quad: Floats, bright: float) -> None:
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    times = 1.4 * float(np.linalg.norm(quad[0] - quad[3])) / face.shape[0]
    if times < 0.8:
        smaller = [max(2, round(side * times)) for side in face.shape[1::-1]]
        face = _as_image(cv2.resize(face, smaller, interpolation=cv2.INTER_AREA))
    rows, columns = face.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    local = (quad - [x0, y0]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, local - 0.5)
    size = (int(x1 - x0), int(y1 - y0))
    seen = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, round_to_pixels(local * (1 << BITS)), 255, cv2.LINE_AA, BITS)
    share = mask[..., None].astype(np.float32) / 255
    region = image[y0:y1, x0:x1]
    region[:] = region * (1 - share) + seen * (share * bright)


def _fill(image: Image, quad: Floats, colour: Colour, bright: float) -> None:
    points = round_to_pixels(quad * (1 << BITS))
    cv2.fillConvexPoly(image, points, [min(255.0, c * bright) for c in colour], cv2.LINE_AA, BITS)


def _cut_rear(quad: Floats, share: float) -> Floats:
    """The part of a side, px, that is of the back's colour: its first two corners are at the back."""
    a, b, c, d = quad
    return np.stack([a, b, b + (c - b) * share, a + (d - a) * share])


def _tell(
    played: PlayedHand, pose: Pose, seed: int, pace: float, timeline: Timeline, looks: Looks,
    bumps: Sequence[tuple[float, Camera]],
) -> list[dict[str, Any]]:  # fmt: skip
    """The lines of the truth."""
    height, width = looks.ground.shape[:2]
    lines: list[dict[str, Any]] = list(list_events(timeline))
    for start, end in timeline.find_still():
        if end - start >= STILL_S:
            camera = next((each for t, each in reversed(bumps) if t <= start), looks.camera)
            lines.append(describe_table(timeline, camera, (width, height), (), (start, end)))
    lines += [{"t": round(t, 3), "camera": describe_camera(camera)} for t, camera in bumps]
    lines.sort(key=lambda line: float(line["t"]))
    header = {
        "format": "mahjong-companion-film", "version": VERSION, "rules": played.start.rules,
        "options": played.start.options, "dealer": played.start.dealer, "seed": seed,
        "frames_a_second": looks.frames_a_second, "frames": round(timeline.end_s * looks.frames_a_second),
        "width": width, "height": height, "pose": pose.value, "pace": pace, "calm": False, "bottom": 0,
        "tile_mm": [round(side, 2) for side in timeline.size_mm], "table_mm": 2 * HALF_MM,
        "camera": describe_camera(looks.camera),
    }  # fmt: skip
    return [header, *lines]
