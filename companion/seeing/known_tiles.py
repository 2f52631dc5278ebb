"""The tiles known to be on the table: which of those seen now they are, which are new, which are gone.

`TileTrack` is what is known of one tile, from all readings of its face; `KnownTiles` has them all, and the
look of the table without tiles. `NamedTiles` keeps what people said of the tiles of a set, so that each
drawing is named only once. A fourth tile put upon a pung covers one of its tiles, and seems a little farther
from the camera because it is higher (`find_stacked`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.arrays import Floats, Grey, Mask
from companion.seeing.movement import Times
from companion.seeing.outlines import Footprint, Outlines, TileSize, find_groups, measure_trust
from companion.seeing.seats import find_near_wall, is_near_wall
from companion.seeing.sights import BLANK, Readings
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import SIDE, TopView, fill_quads
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.candidates import LEGIBLE_PX, PROBABILITY_MIN, Candidates, long_sides
from companion.vision.deciding import NO_TILE_MAX, NamedFaces, compare_tiles, decide_codes, weigh_evidence
from companion.vision.networks import NO_TILE, Weigher

NEW_SHARE = 0.3
"""Share of each further reading that is new information: the light and the dirt are the same."""
SAME_FACE_COSINE, OTHER_FACE_COSINE = 0.85, 0.73
"""Cosines between what the reader sees of two faces: from the first they are of one tile, below the second
they are not."""
CLEAR_FACE_P = 0.8
"""A face with this probability of a kind is clearly of it."""


@dataclass(slots=True, eq=False)
class TileTrack:
    """A tile. angle: radians counterclockwise of its first side; quad_mm: (4, 2), from the corner at which
    the turns of its face begin; since_s: since when it has been still; face: one row, the last reading, with
    the probabilities from all readings, None for a plain back; back_p: probability of a back; placed: number
    of good looks that agree on its place; missing_s: since when it has not been found although nothing shows
    that it is gone; doubted_s: since when something else seems to be there; in_wall: whether it is in a wall;
    upon: whether it was put upon another tile; is_tile: whether it is a tile by all that is known; patch: the
    table's small picture in its window when it was last found."""

    number: int
    middle_mm: Floats
    angle: float
    quad_mm: Floats
    footprint: Footprint
    patch: Grey
    since_s: float
    face: Candidates | None = None
    back_p: float = 0.0
    placed: float = 0.0
    looks: int = 0
    read_s: float = -np.inf
    missing_s: float | None = None
    searched_s: float = -np.inf
    doubted_s: float | None = None
    in_wall: bool = False
    upon: bool = False
    is_tile: bool = True
    readings: Readings = ()
    logs: Floats = field(default_factory=lambda: np.zeros(0))

    def add_reading(self, face: Candidates, t: float) -> None:
        """Add a reading of its face: one row."""
        logs = np.log(face.probabilities[0].astype(np.float64).clip(PROBABILITY_MIN))
        self.logs = self.logs + logs if self.looks else logs
        self.looks += 1
        self.read_s = t
        together = self.logs / (1 + (1 - NEW_SHARE) * (self.looks - 1))
        raised = np.exp(together - together.max())
        self.face = replace(face, probabilities=(raised / raised.sum()).astype(np.float32)[None])

    def may_show(self, face: Candidates | None) -> bool:
        """Whether a face, one row, or a back, may be this tile's."""
        if face is None or self.face is None:
            return face is None and self.face is None
        old, new = self.face.probabilities[0], face.probabilities[0]
        if int(old.argmax()) == int(new.argmax()):
            return True
        one, other = self.face.features[0], face.features[0]
        cosine = float(one @ other) / max(1e-6, float(np.linalg.norm(one) * np.linalg.norm(other)))
        if cosine >= SAME_FACE_COSINE:
            return True
        return cosine > OTHER_FACE_COSINE and max(float(old.max()), float(new.max())) < CLEAR_FACE_P

    @property
    def back_share(self) -> float:
        """The probability that it shows its back."""
        return 1.0 if self.face is None else float(self.face.probability_of(BACK)[0])

    @property
    def top(self) -> str:
        """The likeliest code."""
        return self.readings[0][0] if self.readings else BACK if self.face is None else ""

    @property
    def glyph_angle(self) -> float:
        """Radians counterclockwise by which its glyph is turned."""
        turns = int(self.face.turns[0]) if self.face is not None else 0
        angle = self.angle - turns * np.pi / 2
        return float(np.arctan2(np.sin(angle), np.cos(angle)))


class NamedTiles:
    """The tiles of one set that a person named; the last name of a tile counts."""

    def __init__(self) -> None:
        self._named: dict[TileTrack, tuple[str, NDArray[np.float32]]] = {}

    def note(self, track: TileTrack, code: str, features: NDArray[np.float32]) -> None:
        """A person named this tile. features: (4, f), what the reader sees of it, turned each way: the next
        one may be turned differently."""
        self._named[track] = code, features

    def find(self, track: TileTrack) -> str | None:
        """The name by a person; None without one."""
        return self._named[track][0] if track in self._named else None

    def list_faces(self) -> NamedFaces | None:
        """The faces of all named tiles; None if there are none."""
        if not self._named:
            return None
        codes = tuple(code for code, features in self._named.values() for _ in features)
        return NamedFaces(codes, np.concatenate([features for _, features in self._named.values()]))


SAME_PLACE = 0.6
"""Widths by which a tile may have been pushed and still be the same."""
TOUCHED_MIN_SHARE = 0.12
"""Share of a tile's place that must have changed for it to be gone."""
BARE_LEVELS, BARE_SHARE = 14, 0.6
"""A place is bare if this share of it differs from the cloth by less than these grey levels,"""
PARTLY_BARE, PARTLY_BARE_S = 0.45, 0.4
"""or less of it, if no tile has been found there for this time: bare cloth is not under a hand, and the rest
may be the side of the next tile;"""
CLOTH_NEARER_SHARE = 0.7
"""and if it is this much nearer to the cloth than to the tile: overexposed, both look white."""
SIDES_WITHIN_MM, LEFT_MIN_SHARE = 80.0, 0.25
"""Distance within which another tile's side may appear once a tile is gone; and the share of its place that
must be left without such sides to be judged alone."""
DROPPED_FROM_P = 0.9
"""A known tile is dropped only from this probability of not being one: light or shade may have fallen on it
in one look."""
BARE_AFTER_S = 3.0
"""Something still for this time that is not a tile is part of the table."""
MISSING_MAX_S = 8.0
"""A tile that is not found, at a place neither bare nor unchanged, is given up after this time."""
WALL_MIN_BACKS = 5
"""This number of backs in a row are the wall: a concealed kong has four."""
TOUCHING = 1.25
"""In widths: backs with middles nearer than this touch."""
REPLACED_S, REPLACED_P, SURELY_BACK = 0.3, 0.8, 0.8
"""Another tile has replaced a known one if it still seems so after this time, with this probability by the
reader, or by the finder for a back: a tile that is carried across it is seen only for a moment;"""
REPLACED_ANYHOW_S = 2.0
"""or after this time, however doubtful: the place has changed."""
SAME_PICTURE, SAME_MIN_CONTRAST = 0.95, 6.0
"""The least correlation with the picture of the tile that was found there, for it to be unchanged; and the
least spread of grey levels for that to count."""
PLACED_MAX = 4.0
"""The most good looks that count for the place of a tile that has not moved, apart from the last one."""
EDGE_PX = 3
"""Px of the small picture: the square by which a tile is grown to include its edges."""
MAYBE_BACK = 0.15
"""A tile with this probability of a back may be one of the wall's."""
TILE_SIZED_SHARE = 0.1
"""Share of the things rejected by the weigher of pictures that have a tile's size in mm and are not tiles:
dice, chips and cards have other sizes."""
SMALL_TRUST = 0.9
"""How much of a reading of a face lower than LEGIBLE_PX is believed: of those 16 to 20 px high that were read
with at least 0.98, 93 to 97% were right. An uncertain reading is worth more than none, since the rules decide
the rest."""
PLAINLY_P = 0.95
"""A tile plainly shows a kind with this probability, unless it is blank: a back may look like that."""
GONE_MAX = 20
"""How many of the tiles that are gone may still be named: one that was asked about may have been claimed."""
READING_MIN_P = 0.001
"""Kinds below this probability are left out of a reading."""


class KnownTiles:
    """The known tiles by number, and the look of the table without tiles."""

    def __init__(self, weigher: Weigher, limits: TileSet | None, named: NamedTiles) -> None:
        self._weigher = weigher
        self._limits = limits
        self._named = named
        self._tracks: dict[int, TileTrack] = {}
        self._gone: deque[TileTrack] = deque(maxlen=GONE_MAX)
        self._next = 1
        self._unnamed = False
        self.misfits = 0
        """How many tiles plainly show a kind, or a copy, that the game does not have."""
        self._bare: Grey = np.zeros((SIDE, SIDE), np.uint8)
        self._bare_known: Mask = np.zeros((SIDE, SIDE), bool)

    def __iter__(self) -> Iterator[TileTrack]:
        return iter(list(self._tracks.values()))

    def match(self, outlines: Outlines, size: TileSize) -> dict[int, TileTrack]:
        """The known tiles that these outlines may belong to, by row, each once: nearest first."""
        tracks = list(self._tracks.values())
        if not tracks or not len(outlines):
            return {}
        places = np.array([track.middle_mm for track in tracks])
        apart = np.linalg.norm(outlines.middles[:, None] - places, axis=2)
        matched: dict[int, TileTrack] = {}
        taken: set[int] = set()
        for flat in np.argsort(apart, axis=None):
            row, at = divmod(int(flat), len(tracks))
            if apart[row, at] > SAME_PLACE * size.width_mm:
                break
            if row not in matched and at not in taken:
                matched[row] = tracks[at]
                taken.add(at)
        return matched

    def mark_in_rows(self, outlines: Outlines, kept: Mask, size: TileSize) -> Mask:
        """Which outlines (n,) without a known tile are in a row with kept ones (n,): tiles as light as the
        cloth, where nothing seemed to change."""
        near = np.linalg.norm(outlines.middles[:, None] - outlines.middles, axis=2)
        known, beside = self.match(outlines, size), np.zeros(len(outlines), bool)
        for group in find_groups(near < TOUCHING * size.width_mm):
            if kept[group].any():
                beside[[row for row in group if row not in known]] = True
        return beside & ~kept

    def may_be(self, known: TileTrack, face: Candidates | None, back: float, lit: Grey, t: float) -> bool:
        """Whether what is seen at a known tile's place can be accepted: it is that tile, or surely another.
        One look is not enough for another one. back: the finder's probability of a back; lit: the picture in
        the light of the bare table."""
        if self._is_same(known, face, lit):
            known.doubted_s = None
            return True
        if known.doubted_s is None:
            known.doubted_s = t
        p = back if face is None else float(face.probabilities.max())
        is_sure = p >= (SURELY_BACK if face is None else REPLACED_P)
        return t - known.doubted_s >= (REPLACED_S if is_sure else REPLACED_ANYHOW_S)

    def _is_same(self, known: TileTrack, face: Candidates | None, lit: Grey) -> bool:
        """Whether it is the known tile, by its face, or because its place looks unchanged: then a different
        reading is a second reading of it."""
        if known.may_show(face):
            return True
        return (face is None) == (known.face is None) and self._is_unchanged(known, lit)

    def _is_unchanged(self, known: TileTrack, lit: Grey) -> bool:
        """Whether the tile's place looks unchanged since it was found there."""
        inside = known.footprint.inside
        before = known.patch[inside].astype(float)
        now = lit[known.footprint.window][inside].astype(float)
        spread = float(before.std() * now.std())
        if spread < SAME_MIN_CONTRAST**2:
            return False
        agreement = float(((before - before.mean()) * (now - now.mean())).mean()) / spread
        return agreement >= SAME_PICTURE

    def settle(self, outlines: Outlines, known: Mapping[int, TileTrack], lit: Grey) -> Outlines:
        """The outlines, those at unchanged places moved to where all looks at the tile agree."""
        middles = outlines.middles.copy()
        for row, track in known.items():
            if self._is_unchanged(track, lit):
                trust = measure_trust(outlines.off[row])
                middles[row] = (track.middle_mm * track.placed + middles[row] * trust) / (
                    track.placed + trust
                )
        quads = outlines.quads + (middles - outlines.middles)[:, None]
        return replace(outlines, middles=middles, quads=quads)

    def add_outline(
        self, outlines: Outlines, row: int, face: Candidates | None, known: TileTrack | None,
        moved_s: Times, lit: Grey, t: float, *, upon: bool = False,
    ) -> TileTrack:  # fmt: skip
        """Add an outline to the known tile, or, if that has another face or is under it, as a new tile. lit:
        the picture in the light of the bare table; upon: whether it is upon the known one."""
        if known is not None and (upon or not self._is_same(known, face, lit)):
            self.drop(known)
            known = None
        quad, footprint = outlines.quads[row], outlines.footprints[row]
        if known is None:
            moved = moved_s[footprint.window][footprint.inside]
            since = float(moved.max()) if moved.size else -np.inf
            known = TileTrack(
                self._next, outlines.middles[row], 0.0, quad, footprint, lit[footprint.window],
                since if np.isfinite(since) else t, upon=upon,
            )  # fmt: skip
            self._tracks[known.number] = known
            self._next += 1
        trust = float(measure_trust(outlines.off[row]))
        known.placed = trust + (min(PLACED_MAX, known.placed) if self._is_unchanged(known, lit) else 0.0)
        known.middle_mm, known.angle = outlines.middles[row], float(outlines.angles[row])
        known.quad_mm, known.footprint, known.missing_s = quad, footprint, None
        known.patch = lit[footprint.window].copy()
        if face is None:
            known.back_p = float(outlines.candidates.back_shares[row])
            kinds = ((BACK, known.back_p), (BLANK, 1 - known.back_p))
            known.readings = tuple(sorted(kinds, key=lambda kind: -kind[1]))
        else:
            self.add_reading(known, face, t)
        return known

    def add_reading(self, track: TileTrack, face: Candidates, t: float) -> None:
        """Add a reading of a known tile's face, one row; `name` calculates what all readings say."""
        track.add_reading(face, t)
        self._unnamed = True

    def find_face(self, number: int) -> Candidates | None:
        """The face, one row, of the tile with that number, if it is there, or was recently."""
        track = self._find(number)
        return None if track is None else track.face

    def teach(self, number: int, code: str, features: NDArray[np.float32]) -> None:
        """A person named the tile with that number. features: (4, f), what the reader sees in it."""
        track = self._find(number)
        if track is not None:
            self._named.note(track, code, features)
            self._unnamed = True

    def _find(self, number: int) -> TileTrack | None:
        gone = (track for track in self._gone if track.number == number)
        return self._tracks.get(number) or next(gone, None)

    def drop(self, track: TileTrack) -> None:
        """It is gone."""
        self._tracks.pop(track.number, None)
        self._gone.append(track)

    def judge_missing(
        self, seen: set[int], ready: Mask, still: Mask, lit: Grey, t: float, plane: TopView
    ) -> bool:
        """Decide about the tiles that were not found and whose places have changed: they are gone if the
        cloth is seen, or the side of the tile behind; otherwise they are hidden. lit: the picture in the
        light of the bare table. Returns whether any is gone."""
        gone = False
        for track in list(self._tracks.values()):
            place = track.footprint
            if track.number in seen or place.measure_share(still) < 0.95:
                continue
            if track.missing_s is None and place.measure_share(ready) < TOUCHED_MIN_SHARE:
                continue
            missing_s = track.missing_s = t if track.missing_s is None else track.missing_s
            bare, unchanged = self._compare(track, lit, t - missing_s, self._mark_sides_near(track, plane))
            if bare or (t - missing_s > MISSING_MAX_S and not unchanged):
                self.drop(track)
                gone = True
        return gone

    def note_bare(self, place: Mask, lit: Grey, moved_s: Times, t: float) -> None:
        """Record the look of the table at this place, without a tile."""
        quads = np.array([track.quad_mm for track in self._tracks.values()]).reshape(-1, 4, 2)
        free = place & ~fill_quads(quads)
        fresh = free & (~self._bare_known | (t - moved_s > BARE_AFTER_S))
        self._bare[fresh] = lit[fresh]
        self._bare_known |= free

    def find_strange(self, lit: Grey) -> Mask:
        """What is neither the bare table nor a known tile."""
        return np.asarray((cv2.absdiff(lit, self._expect_bare()) >= BARE_LEVELS) & ~self.mark_tiles(), bool)

    def mark_tiles(self) -> Mask:
        """Where known tiles are, with their edges."""
        quads = np.array([track.quad_mm for track in self._tracks.values()]).reshape(-1, 4, 2)
        return cv2.dilate(fill_quads(quads).astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8)) > 0

    def _expect_bare(self) -> Grey:
        """The look of the table without tiles, as far as it is known or assumed."""
        known = self._bare_known
        level = np.median(self._bare[::4, ::4][known[::4, ::4]]) if known[::4, ::4].any() else 0
        return np.where(known, self._bare, np.uint8(level))

    def _mark_sides_near(self, track: TileTrack, plane: TopView) -> Mask:
        """Where the sides of the tiles around a tile would be seen if it were gone."""
        near = [
            each.quad_mm
            for each in self._tracks.values()
            if not (each is track or each.in_wall or track.in_wall)  # walls have two layers
            and np.abs(each.middle_mm - track.middle_mm).max() < SIDES_WITHIN_MM
        ]
        return plane.mark_sides(np.array(near).reshape(-1, 4, 2))

    def _compare(self, track: TileTrack, lit: Grey, missing_s: float, sides: Mask) -> tuple[bool, bool]:
        """Whether the cloth is seen at the place of a tile that has been missing for this time; and whether
        that place looks as it did with the tile. sides: where other tiles' sides would be seen instead; they
        are left out unless hardly anything else remains."""
        place = track.footprint
        here, beside = lit[place.window], place.inside & ~sides[place.window]
        compared = (
            beside
            if np.count_nonzero(beside) > LEFT_MIN_SHARE * np.count_nonzero(place.inside)
            else place.inside
        )
        off = cv2.absdiff(here, self._expect_bare()[place.window])[compared]
        changed = cv2.absdiff(here, track.patch)[compared]
        bare = np.mean(off < BARE_LEVELS) > BARE_SHARE and off.mean() < CLOTH_NEARER_SHARE * changed.mean()
        if missing_s >= PARTLY_BARE_S:
            uncovered = (off < BARE_LEVELS) & (changed >= 2 * BARE_LEVELS)
            bare |= uncovered.mean() > PARTLY_BARE
        return bool(bare), bool(changed.mean() < CLOTH_NEARER_SHARE * off.mean())

    def mark_wall(self, size: TileSize, lines_mm: Sequence[float] | None = None) -> None:
        """Backs in long rows are in the wall until they are gone; so are those next to a gap in it, where one
        was not found. A game has four White dragons: in a longer row of what looks like them each is a back.
        lines_mm: how far each side's wall is from the middle, if known."""
        backs = [
            track
            for track in self._tracks.values()
            if track.back_share > MAYBE_BACK or track.top in (BACK, BLANK)
        ]
        if not backs:
            return
        places = np.array([track.middle_mm for track in backs])
        near = np.linalg.norm(places[:, None] - places, axis=2) < TOUCHING * size.width_mm
        for group in find_groups(near):
            if len(group) >= WALL_MIN_BACKS or any(backs[row].in_wall for row in group):
                for row in group:
                    backs[row].in_wall = True
        for track in backs:
            if lines_mm is not None and track.top == BACK:
                track.in_wall |= is_near_wall(track.middle_mm, lines_mm, size.width_mm / 2)

    def find_wall(self, size: TileSize) -> float | None:
        """How far the middles of the walls are from the table's middle, mm, as in Sight."""
        backs = [track for track in self._tracks.values() if track.in_wall]
        return find_near_wall([float(np.abs(track.middle_mm).max()) for track in backs], size.width_mm)

    def name(self, camera: TableCamera, size: TileSize) -> None:
        """The names of all faces on the table together, as `Recogniser` does for a picture."""
        if not self._unnamed:
            return
        self._unnamed = False
        tracks = [track for track in self._tracks.values() if track.face is not None]
        if not tracks:
            return
        quads = np.array([track.quad_mm for track in tracks])
        raised = np.concatenate([quads, np.full((len(quads), 4, 1), size.depth_mm)], axis=2)
        px = camera.project(raised.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
        faces = Candidates.join([track.face for track in tracks if track.face is not None])
        weighed = weigh_evidence(replace(faces, quads=px), camera.width, camera.height, self._weigher)
        weighed = _trust_size(weighed)
        compared = compare_tiles(weighed, self._named.list_faces())
        most = np.where(
            [track.is_tile and bool(track.readings) for track in tracks], DROPPED_FROM_P, NO_TILE_MAX
        )
        good = np.flatnonzero(weighed.probability_of(NO_TILE) <= most)
        for track in tracks:
            track.is_tile = False
        self.misfits = 0
        if not len(good):
            return
        decisions = decide_codes(compared[good], self._limits)
        for row, decision, height in zip(good, decisions, long_sides(px[good]), strict=True):
            small = height < LEGIBLE_PX and decision.code != BACK
            kind = int(compared.probabilities[row].argmax())
            plain = bool(compared.probabilities[row, kind] >= PLAINLY_P and compared.labels[kind] != BLANK)
            self.misfits += decision.code == UNKNOWN and plain and not small
            kinds = tuple((code, p) for code, p in decision.alternatives if p >= READING_MIN_P)
            named = self._named.find(tracks[row])
            tracks[row].readings = ((named, 1.0),) if named else _doubt(kinds) if small else kinds
            tracks[row].is_tile = True


def _doubt(kinds: Readings) -> Readings:
    """The reading of a face too small to be read for sure."""
    return (*((code, p * SMALL_TRUST) for code, p in kinds), (UNKNOWN, 1 - SMALL_TRUST))


def _trust_size(weighed: Candidates) -> Candidates:
    """The candidates, all of a tile's size on the table, with less probability of not being tiles."""
    probabilities = weighed.probabilities.copy()
    probabilities[:, weighed.labels.index(NO_TILE)] *= TILE_SIZED_SHARE
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return replace(weighed, probabilities=probabilities)


PUNG = 3
RAISED_MIN_MM = 3.0
"""A smaller shift does not show that a tile is raised."""
RAISED_OFF_SHARE = 0.5
"""How far a tile may be from the place where one upon another would be seen, as a share of the shift; and it
must be nearer to that than to the known tile's place."""
PUNG_WIDTHS = 2.4
"""In widths: the other tiles of a pung are no farther away."""


def find_stacked(
    outlines: Outlines, known: Mapping[int, TileTrack], tiles: Iterable[TileTrack], camera: TableCamera,
    size: TileSize,
) -> dict[int, TileTrack]:  # fmt: skip
    """The outlines, by row, of tiles upon known ones, each with the one under it. known: for each row the
    known tile at its place; tiles: all known ones."""
    if not len(outlines):
        return {}
    pushed = [outlines.middles[row] - track.middle_mm for row, track in known.items()]
    push = np.median(pushed, axis=0) if len(pushed) >= PUNG else np.zeros(2)  # the camera was bumped
    lying = [track for track in tiles if track.face is not None]
    stacked = {}
    for under in lying:
        pung = [other for other in lying if other is not under and _are_of_one_pung(under, other, size)]
        raised = _find_raised_mm(under.middle_mm, camera, size.depth_mm)
        away = float(np.linalg.norm(raised))
        if len(pung) < PUNG - 1 or away < RAISED_MIN_MM:
            continue
        off = np.linalg.norm(outlines.middles - (under.middle_mm + push + raised), axis=1)
        row = int(off.argmin())
        if off[row] < min(RAISED_OFF_SHARE * away, _measure_push(outlines, row, known.get(row))):
            stacked[row] = under
    return stacked


def _measure_push(outlines: Outlines, row: int, track: TileTrack | None) -> float:
    """How far the known tile at that outline's place would have moved."""
    return np.inf if track is None else float(np.linalg.norm(outlines.middles[row] - track.middle_mm))


def _find_raised_mm(middle_mm: Floats, camera: TableCamera, depth_mm: float) -> Floats:
    """The shift (2,) at which a tile upon the one at that place is seen, when it is taken for a flat one."""
    x, y, height = camera.position_mm
    return np.asarray((middle_mm - [x, y]) * depth_mm / (height - 2 * depth_mm), np.float64)


def _are_of_one_pung(track: TileTrack, other: TileTrack, size: TileSize) -> bool:
    apart = float(np.linalg.norm(track.middle_mm - other.middle_mm))
    return other.top == track.top and apart < PUNG_WIDTHS * size.width_mm
