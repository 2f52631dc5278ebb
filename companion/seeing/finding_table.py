"""Where a camera is over a table, found without a person, checked and improved while a game is followed.

Tiles and edges show the table's plane, and the tiles its middle (`table_plane`); seen from straight above its
sides are a square where the cloth ends (`table_sides`), if it has edges. Printed markers show all of it by
themselves (`markers`). The lens is measured in the same pictures. The entries: `find_table` for one picture,
`TableSearch` for several, `StraightSearch` with a lens that bends, `TableReview` for a table that is being
followed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.lens import PERFECT, Lens, choose_lens, rate_lenses
from companion.seeing.markers import find_markers
from companion.seeing.outlines import fit_outlines, measure_size
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.table_plane import (
    SURE_SCORE,
    TILE_UNITS,
    Layout,
    Plane,
    find_layout,
    find_planes,
    find_tiles_of_table,
    measure_widths,
)
from companion.seeing.table_sides import Square, find_square, trace_corners, view_from_above, weigh_layout
from companion.vision.candidates import Candidates
from companion.vision.recogniser import Recogniser

TILES_MIN = 6
"""Fewer tiles do not show where the table is."""
PLANES = 3
"""Number of the likeliest planes that are tried."""
LINES_WEIGHTS = (1.0, 0.1)
"""Weight of straight edges against those of tiles in the search for a plane: first, and if that shows no
clear table."""
CLEAR_SCORE = 1.05
MIN_ALONG_SHARE = 0.5
"""If the outlines of tiles run along a plane less than this share of what they do along another one, it is
that of the floor, such as the grain of wood."""
BARE_SCORE = 0.4
"""Score of a table without edges, against the score of one by its edges."""
PLANE_WEIGHT = 0.5
"""Weight of the share of the picture that runs along a plane, against the square found in it."""
EVEN_SCORE, SCORE_STEEPNESS = 0.7, 6.0
"""About half of the tables found by their edges are right at this score, and nine in ten at 0.37 more."""
EVEN_SPREAD_MM, SPREAD_STEEPNESS = 28.0, 0.2
"""The same for a table by its tiles alone, by how far off its middle may be."""
FROM_SIDE = 0.65
"""How likely such a table is right if seen from the side, against one seen from above."""
HANDS_WIDTHS, ODD_HANDS = (10.0, 16.6), 0.5
"""The distance of hands from the middle, in widths of a tile; how likely a table is right whose hands seem
nearer or farther, against others."""
LAYOUT_P = 0.85
"""The most it can be: the size of the table can only be guessed."""
AGREE_NATS = -3.0
"""Nats by which the best middle may fit the tiles better than that of a table found by its edges, if both
agree."""
SIDES_P = (0.0, 0.1, 0.4, 0.9, 1.0)
"""How likely a table is right by the number of its sides seen, against one seen whole."""
MARKERS_P = 0.999
DIAGONAL_DEGREES = 15.0
"""Within this of looking along the table's diagonal, two edges are about equally low in the picture."""
SURE_FROM = 0.9
"""A less certain table is searched in the next picture too: late is better than wrong."""
AGREED_AFTER, AGREED_FRAMES, AGREED_P = 6, 3, 0.5
"""After this number of pictures, the table on which most of them agree is taken, if at least the second
number do and it is as likely right as wrong."""
SAME_MM = 25.0
"""Two frames agree on a table whose corners differ by no more than this."""


class FoundBy(Enum):
    """What showed where the table is."""

    MARKERS = "markers"
    TILES_AND_EDGES = "tiles and edges"
    LAYOUT = "what lies on it"
    PERSON = "a person"
    KEPT_PLACE = "where it was before"


@dataclass(frozen=True, slots=True, eq=False)
class FoundTable:
    """A table as it was found.

    p: how likely it is right, 0..1; sides: how many of the table's edges were seen; tiles: how many tiles
    were; ambiguous: whether two edges are about equally low in the picture, so that another seat may be meant
    as the lower one; frames: how many pictures agree on it.
    """

    camera: TableCamera
    p: float
    by: FoundBy
    sides: int
    tiles: int
    ambiguous: bool
    frames: int = 1


def find_table(image: Image, recogniser: Recogniser, *, bottom: int = 0) -> FoundTable | None:
    """The table in a picture (H, W, 3) uint8 BGR, None if none is found.

    bottom: the seat, 0 to 3, at the lower edge: the edge whose middle is lowest in the picture. If the camera
    looks along the table's diagonal, within DIAGONAL_DEGREES, two edges are about equally low: the right one
    counts as the lower edge, and the table is `ambiguous`. Markers show themselves which edge it is.
    """
    if marked := find_markers(image, bottom=bottom):
        return FoundTable(marked, MARKERS_P, FoundBy.MARKERS, 4, 0, False)
    height, width = image.shape[:2]
    tiles = find_tiles_of_table(recogniser.finder, image)
    if len(tiles) < TILES_MIN:
        return None
    ways: list[_Way] = []
    for lines_weight in LINES_WEIGHTS:
        for plane in find_planes(image, tiles, lines_weight)[:PLANES]:
            ways += _search_plane(image, tiles, plane)
        if ways and _rate(ways).max() >= CLEAR_SCORE:
            break
    along = max((way.plane.tiles_share for way in ways), default=0.0)
    ways = [way for way in ways if way.plane.tiles_share >= MIN_ALONG_SHARE * along]
    if not ways:
        return None
    scores = _rate(ways)
    best = int(np.argmax(scores))
    way = ways[best]
    if way.by is FoundBy.TILES_AND_EDGES:
        corners, seen = trace_corners(image, way.plane.to_plane, way.square)
    else:
        corners, seen = way.list_corners(), np.zeros(4)
    lower, ambiguous = start_at_lower_edge(corners)
    try:
        camera = TableCamera.from_corners(np.roll(lower, bottom, axis=0), width, height)
    except InputError:
        return None
    sides = int((seen > 0).sum())
    p = _judge(way, scores[best], sides)
    return FoundTable(camera, p, way.by, sides, len(tiles), ambiguous)


class TableSearch:
    """Searches the table in one picture after another of a fixed camera, until it is sure enough or several
    of them agree: arms move."""

    def __init__(self, recogniser: Recogniser, *, bottom: int = 0) -> None:
        """bottom: as for `find_table`."""
        self._recogniser = recogniser
        self._bottom = bottom
        self._looks = 0
        self._groups: list[list[FoundTable]] = []

    def search(self, image: Image) -> FoundTable | None:
        """The table by all pictures (H, W, 3) so far; None while it is not sure enough."""
        self._looks += 1
        found = find_table(image, self._recogniser, bottom=self._bottom)
        if found is not None:
            group = next((each for each in self._groups if is_same_table(each[0].camera, found.camera)), None)
            if group is None:
                group = []
                self._groups.append(group)
            group.append(found)
        best = max(self._groups, key=_weigh, default=[])
        agreed = self._looks >= AGREED_AFTER and len(best) >= AGREED_FRAMES and _weigh(best) >= AGREED_P
        return _join(best) if best and (agreed or _weigh(best) >= SURE_FROM) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """One way to see a table in a picture: in a plane, with the tiles in it, found by this."""

    plane: Plane
    square: Square
    layout: Layout
    by: FoundBy

    def list_corners(self) -> Floats:
        """The corners (4, 2) px, in order round the table."""
        left, right, low, high = self.square.left, self.square.right, self.square.low, self.square.high
        flat = np.array([[[left, low], [right, low], [right, high], [left, high]]])
        return np.asarray(cv2.perspectiveTransform(flat, np.linalg.inv(self.plane.to_plane))[0], np.float64)


def _search_plane(image: Image, tiles: Candidates, plane: Plane) -> list[_Way]:
    """The tables in a plane: one by its tiles alone, and one by its edges too if there are any."""
    layout = find_layout(tiles, plane)
    left, right, low, high = layout.place.box.tolist()
    bare = Square(left, right, low, high, BARE_SCORE, np.zeros(4), np.zeros(4))
    ways = [_Way(plane, bare, layout, FoundBy.LAYOUT)]
    flat = cv2.perspectiveTransform(tiles.quads.astype(np.float64), plane.to_plane)
    middle = np.median(flat.mean(axis=1), axis=0)
    square = find_square(view_from_above(image, plane.to_plane, middle), tiles, plane.to_plane, layout)
    if square is not None:
        ways.append(_Way(plane, square, layout, FoundBy.TILES_AND_EDGES))
    return ways


def _rate(ways: Sequence[_Way]) -> Floats:
    """The scores (n,) of these tables."""
    best = max(way.layout.best for way in ways)
    nats = np.array([way.square.nats + way.layout.trust * (way.layout.best - best) for way in ways])
    edges = np.array([way.square.score + PLANE_WEIGHT * way.plane.share for way in ways])
    return edges + weigh_layout(nats)


def _judge(way: _Way, score: float, sides: int) -> float:
    """How likely a table with this score and number of seen sides is right. If its edges and its tiles agree,
    each counts as a witness of its own."""
    by_layout = _judge_layout(way.layout)
    if way.by is FoundBy.LAYOUT:
        return by_layout
    by_edges = _step(SCORE_STEEPNESS * (score - EVEN_SCORE)) * SIDES_P[sides]
    return 1 - (1 - by_edges) * (1 - by_layout) if way.square.nats > AGREE_NATS else by_edges


def _judge_layout(layout: Layout) -> float:
    """How likely a table found by its tiles alone is right."""
    place = layout.place
    seen = FROM_SIDE + (1 - FROM_SIDE) * layout.trust
    spread_mm = place.spread * TABLE_MM / float(place.box[1] - place.box[0])
    sharp = _step(SPREAD_STEEPNESS * (EVEN_SPREAD_MM - spread_mm))
    is_usual = HANDS_WIDTHS[0] <= place.hands <= HANDS_WIDTHS[1]
    return LAYOUT_P * seen * sharp * (1.0 if is_usual else ODD_HANDS)


def _step(value: float) -> float:
    """0 far below 0, 1 far above."""
    return float(1 / (1 + np.exp(-value)))


def start_at_lower_edge(corners: Floats) -> tuple[Floats, bool]:
    """A table's corners (4, 2) px, in either order round it, counterclockwise from the left end of its lower
    edge; and whether another edge is about as low, so that the right one of the two was taken."""
    edges = np.roll(corners, -1, axis=0) - corners
    area = float((edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)).sum())
    if area > 0:
        corners = corners[::-1]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    to_square = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    middle = cv2.perspectiveTransform(np.zeros((1, 1, 2)), np.linalg.inv(to_square))[0, 0]
    below = cv2.perspectiveTransform((middle + np.array([0.0, 1.0]))[None, None], to_square)[0, 0]
    # the angle from the first edge's outward direction to down in the picture, in quarter turns
    turns = float(np.arctan2(below[1], below[0]) / (np.pi / 2) + 1)
    ambiguous = abs(turns % 1 - 0.5) < DIAGONAL_DEGREES / 90
    # counterclockwise, the later one of two edges that face down is the right one
    lower = int(np.floor(turns)) + 1 if ambiguous else round(turns)
    return np.roll(corners, -lower, axis=0), ambiguous


def is_same_table(one: TableCamera, other: TableCamera) -> bool:
    """Whether both have the table at the same place, as far as pictures can show."""
    if (one.width, one.height) != (other.width, other.height):
        return False
    half = TABLE_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    places = one.lift(other.corners)
    return bool(np.isfinite(places).all() and np.linalg.norm(places - square, axis=1).max() <= SAME_MM)


def _weigh(group: list[FoundTable]) -> float:
    """How likely a table shown by these frames is right: what misleads in one of them does so in all."""
    return max(found.p for found in group)


def _join(group: list[FoundTable]) -> FoundTable:
    """The table in the middle of those of a group."""
    corners = np.median([found.camera.corners for found in group], axis=0)
    best = max(group, key=lambda found: found.p)
    seen = best.camera
    camera = TableCamera.from_corners(corners, seen.width, seen.height, lens=seen.lens)
    return replace(best, camera=camera, p=_weigh(group), frames=len(group))


LOOKS = 5
"""Number of the latest pictures that are evaluated together: arms and heads come and go."""


class LensWatch:
    """Measures the lens of one camera. lens: as far as it is known, perfect until another one is clear."""

    def __init__(self, lens: Lens = PERFECT) -> None:
        self.lens = lens
        self._rated: deque[NDArray[np.float64]] = deque(maxlen=LOOKS)

    def measure(self, image: Image) -> None:
        """Evaluate a picture (H, W, 3). Another picture of the same things adds nothing."""
        self._rated.append(rate_lenses(image))
        self.lens = choose_lens(np.mean(self._rated, axis=0), self.lens)


class StraightSearch:
    """Searches the table as `TableSearch` does, in pictures straightened by the measured lens. begin: begins
    a search, again each time the lens changes."""

    def __init__(self, begin: Callable[[], TableSearch], watch: LensWatch) -> None:
        self._begin = begin
        self._search = begin()
        self._watch = watch

    def search(self, image: Image) -> FoundTable | None:
        """The table by all pictures (H, W, 3) so far, with the camera of the unstraightened picture."""
        before = self._watch.lens
        self._watch.measure(image)
        lens = self._watch.lens
        if lens != before:
            self._search = self._begin()
        found = self._search.search(lens.straighten_picture(image))
        if found is None:
            return None
        if lens.is_perfect:
            self._watch.lens = found.camera.lens  # markers show the lens too
            return found
        height, width = image.shape[:2]
        return replace(found, camera=found.camera.see_through(lens, width, height))


def change_lens(image: Image, camera: TableCamera, lens: Lens) -> TableCamera:
    """The camera over the table that this one sees in a picture (H, W, 3), for another lens: the table's
    sides are traced again."""
    try:
        near = TableCamera.from_corners(camera.corners, camera.width, camera.height, lens=lens)
        straight, seen = near.straighten(image)
        p, half, whole = seen.projection, TABLE_MM / 2, np.ones(4)
        to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
        corners, _ = trace_corners(straight, to_table, Square(-half, half, -half, half, 1.0, whole, whole))
        traced = TableCamera.from_corners(corners, seen.width, seen.height)
        return traced.see_through(lens, camera.width, camera.height)
    except InputError:
        return camera


def measure_change_mm(before: TableCamera, after: TableCamera) -> float:
    """The largest distance, mm, between places on the table seen by the two cameras."""
    steps = np.linspace(-TABLE_MM / 2, TABLE_MM / 2, 9)
    x, y = np.meshgrid(steps, steps)
    places = np.column_stack([x.ravel(), y.ravel()])
    seen = before.project(np.column_stack([places, np.zeros(len(places))]))
    return float(np.nanmax(np.linalg.norm(after.lift(seen) - places, axis=1)))


SEEN_MIN, SEEN_SIDES = 0.3, 3
"""A side counts from this share of it; with fewer sides nothing can be decided."""
SAME_SHARE = 0.7
"""The share that must be seen of what was seen of each side before: on drawn films it is at least 0.8, unless
a player leans over it, and if the camera is 40 mm or 8 degrees off it is less than 0.6 of some side."""
ACROSS_MM, NEAR_EDGE_MM, ACROSS_MIN_FACES = 10.0, 60.0, 2
"""The table ends farther out than assumed if this number of faces reach this far beyond its edge, and are no
farther out than the second distance: no tile hangs over the edge."""
CONTRADICTED_NATS = -12.0
"""On drawn films the tiles count no more than this against the table's true place in 21 of 22 looks, from
above or from a corner, and more against most places 5 to 20 cm off."""


class TableReview:
    """Checks a table that is being followed."""

    def __init__(self, recogniser: Recogniser, *, bottom: int = 0) -> None:
        """bottom: as for `find_table`."""
        self._recogniser = recogniser
        self._bottom = bottom

    def find(self, image: Image) -> FoundTable | None:
        """The table in a picture (H, W, 3), wherever it was assumed to be."""
        return find_table(image, self._recogniser, bottom=self._bottom)

    def contradicts(self, image: Image, camera: TableCamera) -> bool:
        """Whether the tiles show that the table is not where this camera has it."""
        tiles = find_tiles_of_table(self._recogniser.finder, image)
        return contradict(tiles, camera) or reach_beyond(tiles, camera)


def contradict(tiles: Candidates, camera: TableCamera) -> bool:
    """Whether these tiles show that the table is not where the camera has it."""
    if len(tiles) < TILES_MIN:
        return False
    p = camera.projection
    to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
    widths = measure_widths(tiles.quads, to_table)
    if not len(widths):
        return False
    times = TILE_UNITS / float(np.median(widths))
    plane = Plane(np.diag([times, times, 1.0]) @ to_table, 1.0, 1.0, camera.position_mm * times)
    half = TABLE_MM / 2 * times
    return bool(find_layout(tiles, plane).rate(np.array([[-half, half, -half, half]]))[0] < CONTRADICTED_NATS)


def reach_beyond(tiles: Candidates, camera: TableCamera) -> bool:
    """Whether faces are across the edge of the table as the camera has it: then the table ends farther out,
    and what looked like its edge was a row of hands."""
    faces = tiles[(tiles.scores >= SURE_SCORE) & (tiles.back_shares < 0.5)]
    size = measure_size(tiles, camera)
    if not size.measured:
        return False
    lying = fit_outlines(faces, camera, size, within_mm=TABLE_MM / 2 + NEAR_EDGE_MM)
    outermost = np.abs(lying.quads).max(axis=(1, 2)) if len(lying) else np.zeros(0)
    return bool(np.count_nonzero(outermost > TABLE_MM / 2 + ACROSS_MM) >= ACROSS_MIN_FACES)


def measure_sides(image: Image, camera: TableCamera) -> Floats:
    """How much (4,), 0..1, of the table's left, right, lower and upper side is seen as an edge where the
    camera has it."""
    image, camera = camera.straighten(image)
    p = camera.projection
    to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
    half, whole = TABLE_MM / 2, np.ones(4)
    _, seen = trace_corners(image, to_table, Square(-half, half, -half, half, 1.0, whole, whole))
    return seen


def shows_table(image: Image, camera: TableCamera, sides: Floats) -> bool | None:
    """Whether the picture shows the table where it was when `sides` of it were seen, as returned by
    `measure_sides`; None if too little of it was."""
    if np.count_nonzero(sides >= SEEN_MIN) < SEEN_SIDES:
        return None
    return bool((measure_sides(image, camera) >= SAME_SHARE * sides).all())
