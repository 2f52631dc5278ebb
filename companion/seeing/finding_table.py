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
from companion.seeing.several_tables import choose_table
from companion.seeing.sights import HELD, TWO_TABLES
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.table_evidence import Way, choose_apart, has_lens, measure_apart, weigh
from companion.seeing.table_plane import (
    SURE_SCORE,
    TILE_UNITS,
    Plane,
    find_layout,
    find_planes,
    find_tiles_of_table,
    gather_lines,
    measure_widths,
)
from companion.seeing.table_sides import (
    Square,
    find_squares,
    outline_cloth,
    rate_steps,
    trace_corners,
    trace_sides,
    view_from_above,
)
from companion.vision.candidates import Candidates, short_sides
from companion.vision.recogniser import Recogniser

TILES_MIN = 6
"""Fewer tiles do not show where the table is."""
PLANES, RATING_LESS = 4, 0.45
"""Number of the likeliest planes that are tried, and by how much less than the best they may be rated."""
OUTLINED = 2
"""Number of planes in which the outline of the cloth is taken for that of the table, to see the plane more
exactly."""
REPEATED = 0.01
"""Outlines whose corners differ by less, in sides, show the same plane."""
SIDE_UNITS = (560.0, 1150.0)
"""Side of a table in the plane that an outline shows."""
VIEW_TILE_PX, TRACE_TILE_PX = 9.0, 26.0
"""Width of tiles in the pictures in which squares are searched, and their sides traced: in larger ones
nothing more is seen of them."""
WHITE, WHITE_PERCENTILE, GAIN_MAX = 225.0, 80, 4.0
"""Light pixels of tiles, this percentile of theirs, are as bright as the first number in a picture that is
exposed well; a darker one is brightened, by no more than the last."""
MARKERS_P = 0.999
DIAGONAL_DEGREES = 15.0
"""Within this of looking along the table's diagonal, two edges are about equally low in the picture."""
SURE_FROM = 0.9
"""A less certain table is searched in the next picture too: late is better than wrong."""
AGREED_AFTER, AGREED_FRAMES, AGREED_P = 6, 3, 0.5
"""After this number of pictures, the table on which most of them agree is taken, if at least the second
number do and it is as likely right as wrong."""
SAME_PX, SAME_LEVELS = (128, 72), 6
"""Two pictures show the same if at this size no place differs by more levels: a tile that is moved does."""
HELD_SHARE, HELD_LOOKS, CLEAR_SHIFT = 0.015, 3, 0.1
"""A camera is held in a hand if its view moves by this share of its width, in this number of pictures
running; and how clear the shift must be, 0..1."""
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
    as the lower one; frames: how many pictures agree on it; several: whether another table is as near, so
    that nobody knows which one is meant.
    """

    camera: TableCamera
    p: float
    by: FoundBy
    sides: int
    tiles: int
    ambiguous: bool
    frames: int = 1
    several: bool = False


def find_table(image: Image, recogniser: Recogniser, *, bottom: int = 0) -> FoundTable | None:
    """The table in a picture (H, W, 3) uint8 BGR, None if none is found.

    bottom: the seat, 0 to 3, at the lower edge: the edge whose middle is lowest in the picture. If the camera
    looks along the table's diagonal, within DIAGONAL_DEGREES, two edges are about equally low: the right one
    counts as the lower edge, and the table is `ambiguous`. Markers show themselves which edge it is.
    """
    if marked := find_markers(image, bottom=bottom):
        return FoundTable(marked, MARKERS_P, FoundBy.MARKERS, 4, 0, False)
    height, width = image.shape[:2]
    tiles, has_several = choose_table(find_tiles_of_table(recogniser.finder, image))
    ways = list_ways(image, tiles)
    if not ways:
        return None
    best, p, corners = weigh(ways, tiles)
    way = ways[best]
    lower, ambiguous = start_at_lower_edge(corners)
    try:
        camera = TableCamera.from_corners(np.roll(lower, bottom, axis=0), width, height)
    except InputError:
        return None
    by = FoundBy.LAYOUT if way.bare else FoundBy.TILES_AND_EDGES
    sides = int((way.traced > 0).sum())
    return FoundTable(
        camera, 0.0 if has_several else p, by, sides, len(tiles), ambiguous, several=has_several
    )


def list_ways(image: Image, tiles: Candidates) -> list[Way]:
    """The ways to see a table in a picture (H, W, 3) with these tiles: in the likeliest planes, and in those
    that the sides found there show more exactly."""
    if len(tiles) < TILES_MIN:
        return []
    image = _brighten(image, tiles)
    height, width = image.shape[:2]
    lines = gather_lines(image, tiles)
    planes = find_planes(lines, tiles, width, height)
    small, trace = _Reduced.of(image, tiles, VIEW_TILE_PX), _Reduced.of(image, tiles, TRACE_TILE_PX)
    lab = _Reduced(np.asarray(cv2.cvtColor(trace.image, cv2.COLOR_BGR2Lab), np.uint8), trace.scale)

    def search(plane: Plane) -> list[Way]:
        ways = [way for way in _search_plane(small, lab, tiles, plane) if np.isfinite(way.corners).all()]
        along = lines.rate_corners(np.stack([way.corners for way in ways]), width, height)
        return [replace(way, along=share) for way, share in zip(ways, along.tolist(), strict=True)]

    likely = [plane for plane in planes[:PLANES] if plane.rating > planes[0].rating - RATING_LESS]
    ways = [way for plane in likely for way in search(plane)]
    facing = TILE_UNITS / float(np.median(short_sides(tiles.quads)))
    views = [np.diag([facing, facing, 1.0]), *(plane.to_plane for plane in likely[:OUTLINED])]
    outlines = [_outline_cloth(small, tiles, to_plane) for to_plane in views]
    outlines += [
        way.corners
        for way in choose_apart(ways, tiles, OUTLINED)
        if np.count_nonzero(way.traced >= SEEN_MIN) >= SEEN_SIDES
    ]
    exact = [
        see_square(outline, tiles, width, height)
        for outline in drop_repeated([outline for outline in outlines if outline is not None])
    ]
    return ways + [way for plane in exact if plane is not None for way in search(plane)]


def drop_repeated(outlines: Sequence[Floats]) -> list[Floats]:
    """Those of the outlines (4, 2) px that are not nearly the same as one before."""
    if not outlines:
        return []
    near = measure_apart(outlines) < REPEATED
    return [outline for row, outline in enumerate(outlines) if not near[row, :row].any()]


def _brighten(image: Image, tiles: Candidates) -> Image:
    """The picture (H, W, 3) as bright as if its tiles were white: edges are as clear in a dark room."""
    small = _Reduced.of(image, tiles, VIEW_TILE_PX)
    mask = np.zeros(small.image.shape[:2], np.uint8)
    for quad in tiles.quads * small.scale:
        cv2.fillConvexPoly(mask, quad.astype(np.int32), 1)
    if not mask.any():
        return image
    light = float(np.percentile(small.image[mask > 0].max(axis=1), WHITE_PERCENTILE))
    gain = float(np.clip(WHITE / max(light, 1.0), 1.0, GAIN_MAX))
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)


def _outline_cloth(small: _Reduced, tiles: Candidates, to_plane: Floats) -> Floats | None:
    """The corners (4, 2) px of the cloth, whose outline is followed in this plane."""
    middles = cv2.perspectiveTransform(tiles.quads.mean(axis=1)[None].astype(np.float64), to_plane)[0]
    view = view_from_above(small.image, small.map_from(to_plane), np.median(middles, axis=0))
    found = outline_cloth(view, tiles, to_plane)
    if found is None:
        return None
    return np.asarray(cv2.perspectiveTransform(found[None], np.linalg.inv(to_plane))[0], np.float64)


def see_square(corners: Floats, tiles: Candidates, width: int, height: int) -> Plane | None:
    """The plane in which these corners (4, 2) px, in order round a table, are those of a square; None if no
    lens shows a table so, or its tiles would be too small or too large."""
    around = corners - corners.mean(axis=0)
    after = np.roll(around, -1, axis=0)
    is_clockwise = float((around[:, 0] * after[:, 1] - around[:, 1] * after[:, 0]).sum()) > 0
    try:
        camera = TableCamera.from_corners(corners[::-1] if is_clockwise else corners, width, height)
    except InputError:
        return None
    plane = _take_plane(camera, tiles)
    if plane is None or not has_lens(corners, width, height):
        return None
    side = float(np.linalg.norm(np.diff(plane.map_points(corners[:2]), axis=0)))
    return plane if SIDE_UNITS[0] < side < SIDE_UNITS[1] else None


def _take_plane(camera: TableCamera, tiles: Candidates) -> Plane | None:
    """The plane of the table as a camera has it, whose middle is at 0; None if no tile shows its scale."""
    to_table = np.asarray(np.linalg.inv(np.delete(camera.projection, 2, axis=1)), np.float64)
    widths = measure_widths(tiles.quads, to_table)
    if not len(widths):
        return None
    times = TILE_UNITS / float(np.median(widths))
    return Plane(np.diag([times, times, 1.0]) @ to_table, camera.position_mm * times)


def shows_same(one: Image, other: Image) -> bool:
    """Whether two pictures (H, W, 3) differ by no more than noise and compression change them."""
    if one.shape != other.shape:
        return False
    small = [cv2.resize(image, SAME_PX, interpolation=cv2.INTER_AREA) for image in (one, other)]
    return bool(cv2.absdiff(*small).max() <= SAME_LEVELS)


def measure_shift(before: Image, after: Image) -> float:
    """By how much the view has moved between two pictures (H, W, 3), as a share of their width (phase
    correlation, Kuglin & Hines 1975); 0 where that is not clear, as if only arms have moved."""
    if before.shape != after.shape:
        return 0.0
    one, other = (
        cv2.cvtColor(cv2.resize(image, SAME_PX, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for image in (before, after)
    )
    window = cv2.createHanningWindow(SAME_PX, cv2.CV_32F)
    (x, y), clear = cv2.phaseCorrelate(one.astype(np.float32), other.astype(np.float32), window)
    return float(np.hypot(x, y)) / SAME_PX[0] if clear >= CLEAR_SHIFT else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Reduced:
    """A picture (H, W, 3) of this share of the size."""

    image: Image
    scale: float

    @classmethod
    def of(cls, image: Image, tiles: Candidates, tile_px: float) -> _Reduced:
        """The picture with tiles no wider than this."""
        scale = min(1.0, tile_px / float(np.median(short_sides(tiles.quads))))
        if scale == 1:
            return cls(image, scale)
        size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
        return cls(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale)

    def map_from(self, to_plane: Floats) -> Floats:
        """What maps its px to the plane, (3, 3), if this does so with those of the whole picture."""
        return to_plane @ np.diag([1 / self.scale, 1 / self.scale, 1.0])


def _search_plane(small: _Reduced, lab: _Reduced, tiles: Candidates, plane: Plane) -> list[Way]:
    """The tables in a plane: by their edges, and one by its tiles alone. lab: in CIELAB colours."""
    layout = find_layout(tiles, plane)
    middle = np.median(plane.map_points(tiles.quads.mean(axis=1)), axis=0)
    view = view_from_above(small.image, small.map_from(plane.to_plane), middle)
    ways = []
    for square in find_squares(view, tiles, plane.to_plane, layout):
        corners, traced = trace_sides(lab.image, lab.map_from(plane.to_plane), square)
        steps = rate_steps(lab.image, corners, square.side)
        ways.append(Way(plane, square, layout, corners / lab.scale, traced, False, steps))
    left, right, low, high = layout.place.box.tolist()
    bare = Square(left, right, low, high, 0.0, np.zeros(4), np.zeros(4))
    box = np.array([[[left, low], [right, low], [right, high], [left, high]]])
    corners = np.asarray(cv2.perspectiveTransform(box, np.linalg.inv(plane.to_plane))[0], np.float64)
    return [*ways, Way(plane, bare, layout, corners, np.zeros(4), True)]


class TableSearch:
    """Searches the table in one picture after another of a fixed camera, until it is sure enough or several
    of them agree: arms move."""

    def __init__(self, recogniser: Recogniser, *, bottom: int = 0) -> None:
        """bottom: as for `find_table`."""
        self._recogniser = recogniser
        self._bottom = bottom
        self._looks = 0
        self._groups: list[list[FoundTable]] = []
        self._last: tuple[Image, FoundTable | None] | None = None

    @property
    def has_several(self) -> bool:
        """Whether the last picture showed two tables, each as near as the other."""
        return self._last is not None and self._last[1] is not None and self._last[1].several

    @property
    def best(self) -> FoundTable | None:
        """The likeliest table by all pictures so far, sure or not."""
        best = max(self._groups, key=_weigh, default=[])
        return _join(best) if best else None

    def search(self, image: Image) -> FoundTable | None:
        """The table by all pictures (H, W, 3) so far; None while it is not sure enough. A picture that shows
        what the last one did, as a still film has them, is not searched again."""
        self._looks += 1
        if self._last is not None and shows_same(self._last[0], image):
            found = self._last[1]
        else:
            found = find_table(image, self._recogniser, bottom=self._bottom)
            self._last = image, found
        if found is not None:
            group = next((each for each in self._groups if is_same_table(each[0].camera, found.camera)), None)
            if group is None:
                group = []
                self._groups.append(group)
            group.append(found)
        best = max(self._groups, key=_weigh, default=[])
        agreed = self._looks >= AGREED_AFTER and len(best) >= AGREED_FRAMES and _weigh(best) >= AGREED_P
        return _join(best) if best and (agreed or _weigh(best) >= SURE_FROM) else None


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


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """What is known of a table that is not found. camera: over the likeliest one, if there is any; why: it is
    not found, if that is known."""

    camera: TableCamera | None = None
    why: str | None = None


class StraightSearch:
    """Searches the table as `TableSearch` does, in pictures straightened by the measured lens. begin: begins
    a search, again each time the lens changes."""

    def __init__(self, begin: Callable[[], TableSearch], watch: LensWatch) -> None:
        self._begin = begin
        self._search = begin()
        self._watch = watch
        self._measured: Image | None = None
        self._moves = 0

    @property
    def guess(self) -> Guess:
        """What is known of a table that is not found, in unstraightened pictures."""
        why = TWO_TABLES if self._search.has_several else HELD if self._is_held else None
        best, measured = self._search.best, self._measured
        if best is None or measured is None:
            return Guess(None, why)
        height, width = measured.shape[:2]
        lens = self._watch.lens
        camera = best.camera if lens.is_perfect else best.camera.see_through(lens, width, height)
        return Guess(camera, why)

    @property
    def _is_held(self) -> bool:
        return self._moves >= HELD_LOOKS

    def search(self, image: Image) -> FoundTable | None:
        """The table by all pictures (H, W, 3) so far, with the camera of the unstraightened picture; None
        while the camera is held in a hand."""
        before = self._watch.lens
        if self._measured is None or not shows_same(self._measured, image):
            moved = self._measured is not None and measure_shift(self._measured, image) > HELD_SHARE
            self._moves = self._moves + 1 if moved else 0
            self._watch.measure(image)
            self._measured = image
        lens = self._watch.lens
        if lens != before:
            self._search = self._begin()
        found = self._search.search(lens.straighten_picture(image))
        if found is None or self._is_held:
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
    plane = _take_plane(camera, tiles)
    if plane is None:
        return False
    left, low = plane.map_points(camera.corners).min(axis=0).tolist()
    box = np.array([[left, -left, low, -low]])
    return bool(find_layout(tiles, plane).rate(box)[0] < CONTRADICTED_NATS)


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
