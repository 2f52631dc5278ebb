"""Watches a table: frames of one camera in, `Sight` values out."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.images import Image
from companion.rules import rule_set
from companion.tiles import BACK, UNKNOWN
from companion.tracking.aligning import LEAST_MM, MOST_MM, find_movement, measure_movement_mm, turn_camera
from companion.tracking.outlines import Outlines, TileSize, lay_outlines, measure_size, place_quads
from companion.tracking.plane import (
    PX_MM,
    SIDE,
    Floats,
    Grey,
    Mask,
    Plane,
    cut_boxes,
    fill_quads,
    to_places,
)
from companion.tracking.sights import Box, SeenTile, Sight
from companion.tracking.stillness import (
    SHIFT_READ,
    Stillness,
    compare_light,
    mark_changes,
    measure_sharpness,
)
from companion.tracking.table_camera import TABLE_MM, TableCamera
from companion.tracking.tile_tracks import LOOKS_MAX, TileTrack
from companion.vision.candidates import Candidates
from companion.vision.classifying import classify_tiles
from companion.vision.comparing import compare_tiles
from companion.vision.deciding import NO_TILE_MAX, decide_codes
from companion.vision.geometry import suppress_overlaps
from companion.vision.learned import LearnedSet
from companion.vision.networks import NO_TILE
from companion.vision.recogniser import Recogniser
from companion.vision.sharpness import LEGIBLE_PX, heights
from companion.vision.weighing import weigh_evidence

STILL_S = 0.22
READ_EVERY_S = 0.15
COMFORTABLE_PX = 40.0
PART_MM, PART_MARGIN_MM = 280.0, 30.0
SURE_BACK, SURE_SCORE = 0.6, 0.4
SAME_PLACE = 0.6  # of a tile's width
TOUCHED = 0.12  # of a tile's footprint
JUMP_SHARE, CALM_SHARE = 0.4, 0.15
CALM_S = 0.2
ALIGN_EVERY_S = 2.0
TEXTURED = 30
BLURRED, BLURRED_MOST_S = 0.75, 3.0
CELL_MM = 20.0
COVERED_SHARE = 0.25
SOON_S, EVERY_S = 0.3, 1.0
LOOK_AGAIN_S, DOUBTFUL = 0.4, 0.99
HELD_MOST, HELD_S = 3, 1.0
WALL_FROM = 5
TOUCHING = 1.25  # of a tile's height: tiles nearer than this are of one row
DARK_LEVEL, BRIGHT_LEVEL, BRIGHT_MOST, PLAIN_LEVELS = 10, 250, 0.6, 3.0
TOO_DARK = "the picture is too dark"
TOO_BRIGHT = "the picture is overexposed"
IS_COVERED = "the camera is covered"
MOVED_AWAY = "the camera has been moved, or the table is no longer in the picture"
OTHER_SIZE = "the camera's picture has another size than before"
SHAKING = "the camera shakes"


class Observer:
    """Watches the table of one camera. One object a camera, frames in their order."""

    def __init__(
        self,
        recogniser: Recogniser,
        camera: TableCamera,
        *,
        rules: str | None = None,
        tile_set: LearnedSet | None = None,
    ) -> None:
        """Raises InputError for an unknown rule set, and for a set learned with other models."""
        self._recogniser = recogniser
        self._learned = tile_set
        self._limits = rule_set(rules).tile_set if rules else None
        if tile_set:
            tile_set.check_reader(recogniser.reader.id)
        self._size = TileSize()
        self._plane = Plane.of(camera, self._size.depth_mm)
        self._stillness = Stillness()
        self._read: Grey | None = None  # what was seen where it was last read
        self._bare = np.zeros((SIDE, SIDE), np.uint8)
        self._bare_known = np.zeros((SIDE, SIDE), bool)
        self._unread = np.zeros((SIDE, SIDE), bool)
        self._tracks: dict[int, TileTrack] = {}
        self._next = 1
        self._read_s = -np.inf
        self._jump_s = -np.inf
        self._jump_since: float | None = None
        self._aligned_s = -np.inf
        self._sharpness = 0.0
        self._blurred_since: float | None = None
        self._said: Sight | None = None
        self._changed = False
        self._lost_since: float | None = None

    @property
    def camera(self) -> TableCamera:
        """The camera as it stands now, bumps included."""
        return self._plane.camera

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles, as seen."""
        return self._size

    def look(self, image: Image, t: float) -> Sight | None:
        """What is seen after the frame (H, W, 3) uint8 BGR of second t; None: nothing new."""
        camera = self._plane.camera
        if image.shape[:2] != (camera.height, camera.width):
            return self._say_trouble(t, OTHER_SIZE)
        grey = self._plane.show(image)
        if why := _find_trouble(grey[self._plane.seen]):
            self._stillness.forget()
            return self._say_trouble(t, why)
        share = self._stillness.watch(t, grey, self._plane.seen)
        if self._read is None:
            return self._begin(image, grey, t)
        self._follow_jump(t, grey)
        if t - self._jump_s < CALM_S:
            if self._jump_since is not None and t - self._jump_since > 3.0:
                return self._say_trouble(t, SHAKING)
            return self._say(t, grey)
        grey = self._align(image, grey, t)
        if self._is_blurred(grey, t):
            return self._say(t, grey)
        changed = mark_changes(self._read, grey, SHIFT_READ) & self._plane.seen
        still = t - self._stillness.moved_s >= STILL_S
        self._unread = _drop_specks(changed)
        ready = self._unread & still
        if self._lost(changed, t):
            return self._say_trouble(t, MOVED_AWAY)
        if ready.any() and t - self._read_s >= READ_EVERY_S:
            self._read_part(image, grey, ready, still, t)
        else:
            self._look_again(image, still, t)
        return self._say(t, grey)

    def _begin(self, image: Image, grey: Grey, t: float) -> Sight | None:
        """The first reading: the whole table."""
        found = self._find(image, [(-TABLE_MM / 2, -TABLE_MM / 2, TABLE_MM / 2, TABLE_MM / 2)])
        size = measure_size(found, self.camera)
        if size.measured:
            self._size = size
            self._plane = Plane.of(self.camera, size.depth_mm)
            grey = self._plane.show(image)
            self._stillness.forget()
        self._read = grey.copy()
        self._sharpness = measure_sharpness(grey)
        everywhere = np.ones((SIDE, SIDE), bool)
        self._take(image, lay_outlines(found, self.camera, self._size), everywhere, everywhere, grey, t)
        self._read_s = t
        return self._say(t, grey, at_once=True)

    # -- the camera

    def _follow_jump(self, t: float, grey: Grey) -> None:
        """Notice that the whole picture moves."""
        assert self._read is not None
        contrast = cv2.morphologyEx(self._read, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        textured = (contrast > TEXTURED) & self._plane.seen
        count = int(np.count_nonzero(textured))
        moving = self._stillness.moved_s == t
        share = np.count_nonzero(moving & textured) / max(1, count)
        if share > JUMP_SHARE or (share > CALM_SHARE and t - self._jump_s < CALM_S):
            if self._jump_since is None:
                self._jump_since = t
            self._jump_s = t
            self._aligned_s = -np.inf
        elif t - self._jump_s >= CALM_S:
            self._jump_since = None

    def _align(self, image: Image, grey: Grey, t: float) -> Grey:
        """Compensate a bump; the small picture as the camera now shows it."""
        assert self._read is not None
        if t - self._aligned_s < ALIGN_EVERY_S:
            return grey
        self._aligned_s = t
        still = (t - self._stillness.moved_s > CALM_S) | (self._stillness.moved_s <= self._jump_s)
        movement = find_movement(self._read, grey, self._plane.seen & still)
        if movement is None or not LEAST_MM < measure_movement_mm(movement) < MOST_MM:
            return grey
        self._plane = Plane.of(turn_camera(self._plane, movement), self._size.depth_mm)
        self._stillness.forget()
        return self._plane.show(image)

    def _is_blurred(self, grey: Grey, t: float) -> bool:
        sharpness = measure_sharpness(grey)
        if sharpness >= BLURRED * self._sharpness:
            self._sharpness += 0.2 * (sharpness - self._sharpness)
            self._blurred_since = None
            return False
        if self._blurred_since is None:
            self._blurred_since = t
        if t - self._blurred_since > BLURRED_MOST_S:
            self._sharpness = sharpness
        return True

    def _lost(self, changed: Mask, t: float) -> bool:
        """Whether hardly anything is as it was for some time."""
        assert self._read is not None
        share = np.count_nonzero(changed) / max(1, np.count_nonzero(self._plane.seen))
        if share < 0.5:
            self._lost_since = None
            return False
        if self._lost_since is None:
            self._lost_since = t
        return t - self._lost_since > 1.5

    # -- reading

    def _read_part(self, image: Image, grey: Grey, ready: Mask, still: Mask, t: float) -> None:
        """Read what is ready."""
        assert self._read is not None
        boxes = _box_parts(ready)
        found = self._find(image, boxes)
        outlines = lay_outlines(found, self.camera, self._size)
        self._take(image, outlines, ready, still, grey, t)
        gain = compare_light(self._read, grey)
        wide = cv2.dilate(ready.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool) & still
        self._read[wide] = cv2.convertScaleAbs(grey, alpha=1 / gain)[wide]
        self._unread &= ~wide
        self._read_s = t

    def _find(self, image: Image, boxes: list[tuple[float, float, float, float]]) -> Candidates:
        """The outlines in these parts of the table: left, near, right, far in mm."""
        looks = []
        for left, near, right, far in boxes:
            for box in _split(left, near, right, far):
                looks.append(self._find_in(image, box))
        found = Candidates.join(looks)
        return found[suppress_overlaps(found.quads, found.scores)] if len(found) else found

    def _find_in(self, image: Image, box: tuple[float, float, float, float]) -> Candidates:
        left, near, right, far = box
        margin = PART_MARGIN_MM
        xs, ys = [left - margin, right + margin], [near - margin, far + margin]
        corners = np.array([[x, y, z] for x in xs for y in ys for z in (0.0, self._size.depth_mm)])
        px = self.camera.project(corners)
        height, width = image.shape[:2]
        x0, y0 = np.floor(np.nanmin(px, axis=0)).astype(int).clip(0, [width, height])
        x1, y1 = np.ceil(np.nanmax(px, axis=0)).astype(int).clip(0, [width, height])
        if x1 - x0 < 8 or y1 - y0 < 8:
            return Candidates.from_finder(
                np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
            )
        scale = COMFORTABLE_PX / (
            self._size.width_mm * self.camera.px_a_mm((left + right) / 2, (near + far) / 2)
        )
        found = self._recogniser.finder.find(image[y0:y1, x0:x1], min(scale, 2.5))
        return replace(found, quads=found.quads + np.array([x0, y0], np.float32))

    def _take(
        self, image: Image, outlines: Outlines, ready: Mask, still: Mask, grey: Grey, t: float
    ) -> None:
        """Take in the outlines found where the table was read."""
        kept, touched = [], []
        for row in range(len(outlines)):
            place = _cut_footprint(outlines.quads[row])
            moving = 1 - _share(still, place)
            touched.append(_share(ready, place))
            kept.append(moving < 0.05 and touched[-1] > 0.02)
        rows = np.flatnonzero(kept)
        outlines = outlines.choose(rows)
        matched = self._match(outlines)
        backs = (outlines.candidates.back_shares > SURE_BACK) & (outlines.candidates.scores > SURE_SCORE)
        wanted = [row for row in range(len(outlines)) if not backs[row]]
        faces: dict[int, Candidates] = {}
        if wanted:
            classified = self._classify(image, outlines.candidates[np.array(wanted)])
            faces = {row: classified[at : at + 1] for at, row in enumerate(wanted)}
        seen: set[int] = set()
        for row in range(len(outlines)):
            number = matched.get(row)
            face = faces.get(row)
            if face is not None and face.probability_of(NO_TILE)[0] > 0.9:
                continue
            track = self._tracks.get(number) if number is not None else None
            if track is not None and not self._is_same(track, face, t):
                del self._tracks[track.number]
                track = None
            if track is None:
                track = self._make_track(outlines, row, t)
            self._update(track, outlines, row, face, t)
            seen.add(track.number)
        self._judge_missing(seen, ready, still, grey, t)
        self._note_bare(ready & still, grey, t)
        self._mark_wall()
        self._name_tiles()
        self._changed = True

    def _match(self, outlines: Outlines) -> dict[int, int]:
        """Rows of outlines → numbers of the tracks that lie there."""
        numbers = list(self._tracks)
        if not numbers or not len(outlines):
            return {}
        places = np.array([self._tracks[number].middle_mm for number in numbers])
        apart = np.linalg.norm(outlines.middles[:, None] - places, axis=2)
        matched: dict[int, int] = {}
        taken: set[int] = set()
        for flat in np.argsort(apart, axis=None):
            row, at = divmod(int(flat), len(numbers))
            if apart[row, at] > SAME_PLACE * self._size.width_mm:
                break
            if row not in matched and at not in taken:
                matched[row] = numbers[at]
                taken.add(at)
        return matched

    def _is_same(self, track: TileTrack, face: Candidates | None, t: float) -> bool:
        if face is None or track.face is None:
            return (face is None) == (track.face is None)
        old, new = track.face.probabilities[0], face.probabilities[0]
        if int(old.argmax()) == int(new.argmax()):
            return True
        return float(old.max()) < 0.8 or float(new.max()) < 0.8

    def _make_track(self, outlines: Outlines, row: int, t: float) -> TileTrack:
        place = _cut_footprint(outlines.quads[row])
        moved = self._stillness.moved_s[place[0]][place[1]]
        since = float(moved.max()) if moved.size else -np.inf
        track = TileTrack(
            self._next, outlines.middles[row], float(outlines.angles[row]), outlines.quads[row],
            since if np.isfinite(since) else t,
        )  # fmt: skip
        self._next += 1
        self._tracks[track.number] = track
        return track

    def _update(
        self, track: TileTrack, outlines: Outlines, row: int, face: Candidates | None, t: float
    ) -> None:
        track.middle_mm = outlines.middles[row]
        track.angle = float(outlines.angles[row])
        track.quad_mm = outlines.quads[row]
        track.held = 0
        if face is None:
            track.back_p = float(outlines.candidates.back_shares[row])
        else:
            track.look(face, t)

    def _judge_missing(self, seen: set[int], ready: Mask, still: Mask, grey: Grey, t: float) -> None:
        """What became of the tracks whose place has changed, and which were not found there."""
        assert self._read is not None
        gain = compare_light(self._read, grey)
        lit = cv2.convertScaleAbs(grey, alpha=1 / gain)
        for number, track in list(self._tracks.items()):
            if number in seen:
                continue
            place = _cut_footprint(track.quad_mm)
            if _share(ready, place) < TOUCHED or _share(still, place) < 0.95:
                continue
            own = place[0]
            inside = place[1] & self._bare_known[own]
            if inside.sum() > 0.5 * place[1].sum():
                off = cv2.absdiff(lit[own], self._bare[own])[inside]
                if float(np.mean(off < 14)) > 0.6:
                    del self._tracks[number]
                    continue
            if track.held == 0:
                track.held_s = t
            track.held += 1
            if track.held >= HELD_MOST and t - track.held_s >= HELD_S:
                del self._tracks[number]

    def _note_bare(self, place: Mask, grey: Grey, t: float) -> None:
        """Remember how the table looks where no tile lies."""
        assert self._read is not None
        lit = cv2.convertScaleAbs(grey, alpha=1 / compare_light(self._read, grey))
        quads = [track.quad_mm for track in self._tracks.values()]
        free = place & ~fill_quads(np.array(quads).reshape(-1, 4, 2))
        long = t - self._stillness.moved_s > 3.0
        fresh = free & (~self._bare_known | long)
        self._bare[fresh] = lit[fresh]
        self._bare_known |= free

    def _mark_wall(self) -> None:
        """Rows of many backs that touch are the wall."""
        backs = [track for track in self._tracks.values() if track.face is None]
        if not backs:
            return
        places = np.array([track.middle_mm for track in backs])
        near = np.linalg.norm(places[:, None] - places, axis=2) < TOUCHING * self._size.width_mm
        count, groups = cv2.connectedComponents(np.zeros((1, 1), np.uint8)) if False else _group(near)
        sizes = np.bincount(groups, minlength=count)
        for track, group in zip(backs, groups, strict=True):
            if sizes[group] >= WALL_FROM:
                track.wall = True

    def _classify(self, image: Image, candidates: Candidates) -> Candidates:
        return classify_tiles(self._recogniser.reader, image, candidates, self._learned)

    def _look_again(self, image: Image, still: Mask, t: float) -> None:
        """Look once more at a tile that is doubtful."""
        for track in self._tracks.values():
            if track.face is None or track.looks >= LOOKS_MAX or t - track.looked_s < LOOK_AGAIN_S:
                continue
            if track.readings and track.readings[0][1] >= DOUBTFUL:
                continue
            place = _cut_footprint(track.quad_mm)
            if _share(still & ~self._unread, place) < 0.98:
                continue
            quad = np.column_stack([track.quad_mm, np.full(4, self._size.depth_mm)])
            px = self.camera.project(quad).astype(np.float32)[None]
            fresh = Candidates.from_finder(px, track.face.scores, track.face.back_shares)
            track.look(self._classify(image, fresh), t)
            self._name_tiles()
            self._changed = True
            return

    def _name_tiles(self) -> None:
        """What each tile reads as, all together."""
        faces = [track for track in self._tracks.values() if track.face is not None]
        for track in self._tracks.values():
            if track.face is None:
                track.readings = ((BACK, track.back_p),)
        if not faces:
            return
        together = Candidates.join([track.face for track in faces if track.face is not None])
        camera = self.camera
        weighed = weigh_evidence(together, camera.width, camera.height, self._recogniser.weigher)
        none = weighed.probability_of(NO_TILE)
        compared = compare_tiles(weighed)
        good = np.flatnonzero(none <= NO_TILE_MAX)
        for track, p in zip(faces, none, strict=True):
            track.is_tile = bool(p <= NO_TILE_MAX)
        if not len(good):
            return
        decisions = decide_codes(compared[good], self._limits)
        small = heights(compared.quads[good]) < LEGIBLE_PX
        for at, decision, is_small in zip(good, decisions, small, strict=True):
            known = tuple((code, p) for code, p in decision.alternatives if p >= 0.001)
            if is_small and decision.code != BACK:
                known = ((UNKNOWN, 1.0),)
            faces[at].readings = known

    # -- saying

    def _say_trouble(self, t: float, why: str) -> Sight | None:
        if self._said is not None and self._said.trouble == why and t - self._said.t < EVERY_S:
            return None
        self._said = Sight(t, trouble=why)
        return self._said

    def _say(self, t: float, grey: Grey, *, at_once: bool = False) -> Sight | None:
        """The sight, where it is time for one."""
        since = t - self._said.t if self._said else np.inf
        covered = self._unread | (t - self._stillness.moved_s < STILL_S)
        covered = _drop_specks(covered & self._plane.seen)
        if not at_once and since < EVERY_S and not (self._changed or (covered.any() and since >= SOON_S)):
            return None
        tiles, hidden = [], []
        for track in self._tracks.values():
            if track.wall or not track.is_tile or not track.readings:
                continue
            if track.held or _share(covered, _cut_footprint(track.quad_mm)) > COVERED_SHARE:
                hidden.append(_make_box(track, self._size))
                continue
            x, y = (float(value) for value in track.middle_mm)
            tiles.append(
                SeenTile(
                    track.number, x, y, track.glyph_angle, track.readings, still_since_s=track.since_s
                )
            )
        boxes = (*cut_boxes(covered, CELL_MM), *hidden)
        self._said = Sight(t, tuple(tiles), boxes)
        self._changed = False
        return self._said


Footprint = tuple[tuple[slice, slice], Mask]


def _cut_footprint(quad_mm: Floats) -> Footprint:
    """The part of the small picture round a quad (4, 2) mm, and which of its pixels the quad's inner part
    holds."""
    middle = quad_mm.mean(axis=0)
    px = (middle + (quad_mm - middle) * 0.9) * np.array([1 / PX_MM, -1 / PX_MM]) + (SIDE / 2 - 0.5)
    left, top = np.floor(px.min(axis=0)).astype(int).clip(0, SIDE - 1)
    right, bottom = np.ceil(px.max(axis=0)).astype(int).clip(1, SIDE) + 1
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, (px - [left, top]).round().astype(np.int32), 1)
    window = slice(top, min(bottom, SIDE)), slice(left, min(right, SIDE))
    return window, mask.astype(bool)[: window[0].stop - top, : window[1].stop - left]


def _share(mask: Mask, place: Footprint) -> float:
    """The share of a footprint that is marked."""
    window, inside = place
    return float(np.count_nonzero(mask[window] & inside)) / max(1, int(np.count_nonzero(inside)))


def _drop_specks(mask: Mask) -> Mask:
    """What is marked, but for what is smaller than three pixels."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return opened.astype(bool)


def _box_parts(ready: Mask) -> list[tuple[float, float, float, float]]:
    """Boxes in mm round what is marked: left, near, right, far."""
    wide = cv2.dilate(ready.astype(np.uint8), np.ones((13, 13), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(wide)
    boxes = []
    for left, top, width, height, _ in stats[1:].tolist():
        near = to_places(np.array([[left, top + height], [left + width, top]], np.float64) - 0.5)
        boxes.append((float(near[0, 0]), float(near[0, 1]), float(near[1, 0]), float(near[1, 1])))
    return boxes


def _split(left: float, near: float, right: float, far: float) -> list[tuple[float, float, float, float]]:
    """A box cut into parts of at most PART_MM."""
    columns = max(1, int(np.ceil((right - left) / PART_MM)))
    rows = max(1, int(np.ceil((far - near) / PART_MM)))
    xs, ys = np.linspace(left, right, columns + 1), np.linspace(near, far, rows + 1)
    return [
        (float(xs[i]), float(ys[j]), float(xs[i + 1]), float(ys[j + 1]))
        for i in range(columns) for j in range(rows)
    ]  # fmt: skip


def _group(near: Mask) -> tuple[int, Floats]:
    """How many groups there are, and the group (n,) of each of n that are near one another or not (n, n)."""
    n = len(near)
    groups = np.full(n, -1)
    count = 0
    for first in range(n):
        if groups[first] >= 0:
            continue
        open_rows = [first]
        groups[first] = count
        while open_rows:
            row = open_rows.pop()
            for other in np.flatnonzero(near[row] & (groups < 0)):
                groups[other] = count
                open_rows.append(int(other))
        count += 1
    return count, groups


def _find_trouble(grey: Grey) -> str:
    """Why nothing can be seen in the pixels (n,) of the table; "" where it can."""
    if float(np.percentile(grey, 90)) < DARK_LEVEL:
        return TOO_DARK
    if float(np.mean(grey >= BRIGHT_LEVEL)) > BRIGHT_MOST:
        return TOO_BRIGHT
    if float(grey[::7].std()) < PLAIN_LEVELS:
        return IS_COVERED
    return ""


def _make_box(track: TileTrack, size: TileSize) -> Box:
    x, y = (float(value) for value in track.middle_mm)
    half = size.height_mm / 2
    return Box(x - half, y - half, x + half, y + half)
