"""The tiles known to lie on the table: which of those seen now are they, which are new, which are gone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.named_tiles import NamedTiles
from companion.seeing.outlines import Outlines, TileSize, find_groups, measure_trust
from companion.seeing.plane import SIDE, Grey, Mask, Plane, fill_quads
from companion.seeing.quarters import find_near_wall
from companion.seeing.sights import BLANK, Readings
from companion.seeing.stillness import Times
from companion.seeing.table_camera import TableCamera
from companion.seeing.tile_tracks import TileTrack
from companion.seeing.walls import lies_in_wall
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.candidates import LEGIBLE_PX, Candidates, long_sides
from companion.vision.deciding import NO_TILE_MAX, compare_tiles, decide_codes, weigh_evidence
from companion.vision.networks import NO_TILE, Weigher

SAME_PLACE = 0.6
"""Widths of a tile by which one may have been pushed and still be the same."""
TOUCHED = 0.12
"""Share of a tile's place that must have changed for it to be gone."""
BARE_LEVELS, BARE_SHARE = 14, 0.6
"""A place is bare where this share of it is as the cloth was, to these grey levels,"""
PARTLY_BARE, PARTLY_BARE_S = 0.45, 0.4
"""or less of it, where no tile has been found there for so long: of what is bare nothing is under a hand, and
the rest may be the side of the next tile;"""
NEARER = 0.7
"""and where it is this much nearer to the cloth than to the tile: in too much light both look white."""
NEAR_MM, LEFT_LEAST = 80.0, 0.25
"""So far around a tile another one's side may show once it is gone; and so much of its place must be left
besides such sides to be judged without them."""
STAYS_P = 0.9
"""A known tile is none only from this probability on: light or shade may have been on it in one look."""
BARE_AFTER_S = 3.0
"""What has been still for so long and is no tile is part of the table."""
MISSING_MOST_S = 8.0
"""A tile that is not found, where it is neither bare nor as it was, is given up after so long."""
WALL_FROM = 5
"""So many backs in a row are the wall: a concealed kong has four."""
TOUCHING = 1.25
"""In widths: backs whose middles are nearer than this touch, side by side."""
DOUBTED_S, DOUBTED_P, SURELY_BACK = 0.3, 0.8, 0.8
"""Another tile lies where one did if it still seems so after this time, with this probability, or the
finder's of a back: one that is carried across it is seen there for a moment only;"""
GIVEN_UP_S = 2.0
"""or, however doubtful what lies there now may be, after this time: its place has changed."""
SAME_PICTURE, LEAST_CONTRAST = 0.95, 6.0
"""How well a place's picture must agree (correlation) with that of the tile that was found there, to show
that tile still; and the least spread of grey levels from which on that says anything."""
PLACED_MOST = 4.0
"""So many good looks at most say where a tile lies that has not moved, besides the last one."""
EDGE_PX = 3
"""Of the small picture: as wide is the square by which a tile is grown to hold its edges."""
MAYBE_BACK = 0.15
"""Probability of a back from which on a tile may be one of the wall's."""
OF_TILE_SIZE = 0.1
"""How many of the things that the weigher of pictures takes for none, and not for tiles, have a tile's size
in mm: dice, chips and cards have another one."""
SMALL_TRUST = 0.9
"""How much of a reading of a face lower than LEGIBLE_PX is believed: of those 16 to 20 px high that were read
with at least 0.98, 93 to 97% were right. A reading that may be wrong says more than none, as the rules say
the rest."""
PLAINLY_P = 0.95
"""Probability of a kind from which on a tile plainly shows it, unless it is blank: a back may look so."""
GONE_MOST = 20
"""So many of the tiles that lie there no longer may still be named: one that was asked about is claimed."""
LEAST_P = 0.001
"""Kinds that are less likely are left out of a reading."""


class KnownTiles:
    """Tiles by number, and how the table looks where none lies."""

    def __init__(self, weigher: Weigher, limits: TileSet | None, named: NamedTiles) -> None:
        self._weigher = weigher
        self._limits = limits
        self._named = named
        self._tracks: dict[int, TileTrack] = {}
        self._gone: deque[TileTrack] = deque(maxlen=GONE_MOST)
        self._next = 1
        self._unnamed = False
        self.misfits = 0
        """How many tiles plainly show what the game does not have, or has no more of."""
        self._bare: Grey = np.zeros((SIDE, SIDE), np.uint8)
        self._bare_known: Mask = np.zeros((SIDE, SIDE), bool)

    def __iter__(self) -> Iterator[TileTrack]:
        return iter(list(self._tracks.values()))

    def match(self, outlines: Outlines, size: TileSize) -> dict[int, TileTrack]:
        """The tiles that these outlines may be those of, by row, each once: nearest first."""
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

    def mark_beside(self, outlines: Outlines, kept: Mask, size: TileSize) -> Mask:
        """Which outlines (n,) that no known tile explains lie in a row with kept ones (n,): tiles as light as
        the cloth, where nothing seemed to change."""
        near = np.linalg.norm(outlines.middles[:, None] - outlines.middles, axis=2)
        known, beside = self.match(outlines, size), np.zeros(len(outlines), bool)
        for group in find_groups(near < TOUCHING * size.width_mm):
            if kept[group].any():
                beside[[row for row in group if row not in known]] = True
        return beside & ~kept

    def may_be(self, known: TileTrack, face: Candidates | None, back: float, lit: Grey, t: float) -> bool:
        """Whether what is seen at a known tile's place can be taken in: it is that tile, or surely another.
        One look does not make it another one. back: what the finder says of a back; lit: the picture in the
        light of the bare table."""
        if self._is_same(known, face, lit):
            known.doubted_s = None
            return True
        if known.doubted_s is None:
            known.doubted_s = t
        p = back if face is None else float(face.probabilities.max())
        is_sure = p >= (SURELY_BACK if face is None else DOUBTED_P)
        return t - known.doubted_s >= (DOUBTED_S if is_sure else GIVEN_UP_S)

    def _is_same(self, known: TileTrack, face: Candidates | None, lit: Grey) -> bool:
        """Whether it is the tile that was known there, by its face, or since its place looks as it did: then
        what it reads as now is a second look at it."""
        if known.may_show(face):
            return True
        return (face is None) == (known.face is None) and self._looks_same(known, lit)

    def _looks_same(self, known: TileTrack, lit: Grey) -> bool:
        """Whether the tile's place looks just as it did when it was found there."""
        inside = known.footprint.inside
        before = known.patch[inside].astype(float)
        now = lit[known.footprint.window][inside].astype(float)
        spread = float(before.std() * now.std())
        if spread < LEAST_CONTRAST**2:
            return False
        agreement = float(((before - before.mean()) * (now - now.mean())).mean()) / spread
        return agreement >= SAME_PICTURE

    def settle(self, outlines: Outlines, known: Mapping[int, TileTrack], lit: Grey) -> Outlines:
        """The outlines, those of tiles whose places look as they did where all looks at them together say."""
        middles = outlines.middles.copy()
        for row, track in known.items():
            if self._looks_same(track, lit):
                trust = measure_trust(outlines.off[row])
                middles[row] = (track.middle_mm * track.placed + middles[row] * trust) / (
                    track.placed + trust
                )
        quads = outlines.quads + (middles - outlines.middles)[:, None]
        return replace(outlines, middles=middles, quads=quads)

    def take(
        self, outlines: Outlines, row: int, face: Candidates | None, known: TileTrack | None,
        moved_s: Times, lit: Grey, t: float, *, upon: bool = False,
    ) -> TileTrack:  # fmt: skip
        """Take in an outline: as the known tile's, or, where that has another face or lies under it, as a new
        one's. lit: the picture in the light of the bare table; upon: whether it lies upon the known one."""
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
        known.placed = trust + (min(PLACED_MOST, known.placed) if self._looks_same(known, lit) else 0.0)
        known.middle_mm, known.angle = outlines.middles[row], float(outlines.angles[row])
        known.quad_mm, known.footprint, known.missing_s = quad, footprint, None
        known.patch = lit[footprint.window].copy()
        if face is None:
            known.back_p = float(outlines.candidates.back_shares[row])
            kinds = ((BACK, known.back_p), (BLANK, 1 - known.back_p))
            known.readings = tuple(sorted(kinds, key=lambda kind: -kind[1]))
        else:
            self.look(known, face, t)
        return known

    def look(self, track: TileTrack, face: Candidates, t: float) -> None:
        """Take in a look at a known tile's face, one row; `name` says what all read as."""
        track.look(face, t)
        self._unnamed = True

    def find_face(self, number: int) -> Candidates | None:
        """The face, one row, of the tile of that number, if it lies there, or lay there not long ago."""
        track = self._find(number)
        return None if track is None else track.face

    def teach(self, number: int, code: str, features: NDArray[np.float32]) -> None:
        """A person says what the tile of that number is. features: (4, f), what the reader sees in it."""
        track = self._find(number)
        if track is not None:
            self._named.note(track, code, features)
            self._unnamed = True

    def _find(self, number: int) -> TileTrack | None:
        gone = (track for track in self._gone if track.number == number)
        return self._tracks.get(number) or next(gone, None)

    def drop(self, track: TileTrack) -> None:
        """It lies there no longer."""
        self._tracks.pop(track.number, None)
        self._gone.append(track)

    def judge_missing(
        self, seen: set[int], ready: Mask, still: Mask, lit: Grey, t: float, plane: Plane
    ) -> bool:
        """What became of the tiles whose place has changed, and that were not found: gone where the cloth is
        seen, or the side of the tile behind, else they are hidden. lit: the picture in the light of the bare
        table. Returns whether any is gone."""
        gone = False
        for track in list(self._tracks.values()):
            place = track.footprint
            if track.number in seen or place.measure_share(still) < 0.95:
                continue
            if track.missing_s is None and place.measure_share(ready) < TOUCHED:
                continue
            missing_s = track.missing_s = t if track.missing_s is None else track.missing_s
            bare, unchanged = self._compare(track, lit, t - missing_s, self._mark_sides_near(track, plane))
            if bare or (t - missing_s > MISSING_MOST_S and not unchanged):
                self.drop(track)
                gone = True
        return gone

    def note_bare(self, place: Mask, lit: Grey, moved_s: Times, t: float) -> None:
        """Remember how the table looks at this place where no tile lies."""
        quads = np.array([track.quad_mm for track in self._tracks.values()]).reshape(-1, 4, 2)
        free = place & ~fill_quads(quads)
        fresh = free & (~self._bare_known | (t - moved_s > BARE_AFTER_S))
        self._bare[fresh] = lit[fresh]
        self._bare_known |= free

    def find_strange(self, lit: Grey) -> Mask:
        """What is neither the bare table nor a known tile."""
        return np.asarray((cv2.absdiff(lit, self._expect_bare()) >= BARE_LEVELS) & ~self.mark_tiles(), bool)

    def mark_tiles(self) -> Mask:
        """Where known tiles lie, with their edges."""
        quads = np.array([track.quad_mm for track in self._tracks.values()]).reshape(-1, 4, 2)
        return cv2.dilate(fill_quads(quads).astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8)) > 0

    def _expect_bare(self) -> Grey:
        """How the table looks, or is taken to look, without tiles."""
        known = self._bare_known
        level = np.median(self._bare[::4, ::4][known[::4, ::4]]) if known[::4, ::4].any() else 0
        return np.where(known, self._bare, np.uint8(level))

    def _mark_sides_near(self, track: TileTrack, plane: Plane) -> Mask:
        """Where the sides of the tiles around a tile would be seen if it were gone."""
        near = [
            each.quad_mm
            for each in self._tracks.values()
            if not (each is track or each.in_wall or track.in_wall)  # walls have two layers
            and np.abs(each.middle_mm - track.middle_mm).max() < NEAR_MM
        ]
        return plane.mark_sides(np.array(near).reshape(-1, 4, 2))

    def _compare(self, track: TileTrack, lit: Grey, missing_s: float, sides: Mask) -> tuple[bool, bool]:
        """Whether the cloth is seen where the tile lay, which has not been found for so long; whether that
        place looks as it did with the tile. sides: where other tiles' sides would be seen instead, which is
        not compared unless hardly more than that is left."""
        place = track.footprint
        here, beside = lit[place.window], place.inside & ~sides[place.window]
        compared = (
            beside if np.count_nonzero(beside) > LEFT_LEAST * np.count_nonzero(place.inside) else place.inside
        )
        off = cv2.absdiff(here, self._expect_bare()[place.window])[compared]
        changed = cv2.absdiff(here, track.patch)[compared]
        bare = np.mean(off < BARE_LEVELS) > BARE_SHARE and off.mean() < NEARER * changed.mean()
        if missing_s >= PARTLY_BARE_S:
            uncovered = (off < BARE_LEVELS) & (changed >= 2 * BARE_LEVELS)
            bare |= uncovered.mean() > PARTLY_BARE
        return bool(bare), bool(changed.mean() < NEARER * off.mean())

    def mark_wall(self, size: TileSize, lines_mm: Sequence[float] | None = None) -> None:
        """Backs in long rows stand in the wall, and do so until they are gone; so do those beside a gap in
        it, where one was not found. A game has four White dragons: in a longer row of what looks like them
        each is a back. lines_mm: how far each side's wall is from the middle, where that is known."""
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
            if len(group) >= WALL_FROM or any(backs[row].in_wall for row in group):
                for row in group:
                    backs[row].in_wall = True
        for track in backs:
            if lines_mm is not None and track.top == BACK:
                track.in_wall |= lies_in_wall(track.middle_mm, lines_mm, size.width_mm / 2)

    def find_wall(self, size: TileSize) -> float | None:
        """How far the middles of the walls are from the table's middle, mm, as in Sight."""
        backs = [track for track in self._tracks.values() if track.in_wall]
        return find_near_wall([float(np.abs(track.middle_mm).max()) for track in backs], size.width_mm)

    def name(self, camera: TableCamera, size: TileSize) -> None:
        """What each face reads as, all of the table together, as `Recogniser` does for a picture."""
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
        most = np.where([track.is_tile and bool(track.readings) for track in tracks], STAYS_P, NO_TILE_MAX)
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
            kinds = tuple((code, p) for code, p in decision.alternatives if p >= LEAST_P)
            named = self._named.find(tracks[row])
            tracks[row].readings = ((named, 1.0),) if named else _doubt(kinds) if small else kinds
            tracks[row].is_tile = True


def _doubt(kinds: Readings) -> Readings:
    """What a face too small to be read for sure reads as."""
    return (*((code, p * SMALL_TRUST) for code, p in kinds), (UNKNOWN, 1 - SMALL_TRUST))


def _trust_size(weighed: Candidates) -> Candidates:
    """The candidates, all of which lie on the table and have a tile's size there, less likely none."""
    probabilities = weighed.probabilities.copy()
    probabilities[:, weighed.labels.index(NO_TILE)] *= OF_TILE_SIZE
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return replace(weighed, probabilities=probabilities)
