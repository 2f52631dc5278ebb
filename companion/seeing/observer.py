"""Watches a table: frames of one camera in, `Sight` values out.

A frame becomes a small grey picture of the table (`top_view.py`). Only parts that differ from what was read,
and have been still for a moment, are searched in the frame itself. Outlines that are not of flat tiles are
dropped: nothing that stands in a hand is ever read.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.images import Image
from companion.rules import rule_set
from companion.seeing.arrays import Grey, Mask
from companion.seeing.dice.watch import DiceWatch
from companion.seeing.known_tiles import KnownTiles, NamedTiles, TileTrack, find_stacked
from companion.seeing.movement import (
    SHIFT_READ,
    BriefLooks,
    Puzzles,
    Steadiness,
    Stillness,
    choose_settled,
    compare_light,
    drop_specks,
    find_relit,
    find_trouble,
    mark_changes,
)
from companion.seeing.outlines import Outlines, TileSize, measure_size, show_true_size
from companion.seeing.sights import BLANK, MOVED_AWAY, OTHER_SIZE, SETTLED_S, SHAKES, Box, SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.seeing.tile_reading import FOUND_MIN_LOOKS, LOOKS, WHOLE_TABLE, TileReader, box_parts
from companion.seeing.top_view import SIDE, TopView, cut_boxes
from companion.seeing.walls import WallCount, WallWatch, count_backs
from companion.vision.candidates import Candidates
from companion.vision.learned import LearnedSet
from companion.vision.networks import NO_TILE
from companion.vision.recogniser import Recogniser

FOUND_NEVER = 99
"""More often than this no tile is found: only sure faces are accepted."""
READ_EVERY_S = 0.15
"""Parts that have become still are read together, not frame by frame as an arm leaves them."""
SEEK_EVERY_S = 0.5
"""How often a missing tile is searched again, at first."""
STILL_MIN_SHARE, NEW_MIN_SHARE = 0.95, 0.02
"""Shares of a tile's place that must be still, and new, for it to be accepted."""
RELIT_MIN_SHARE = 0.06
"""Share of the picture that must have changed before a change of light is considered."""
RELIT_NOW_S = 0.4
"""Light that has changed within this time is still changing."""
SURELY_NONE, MOSTLY_BACK = 0.9, 0.5
READ_AGAIN_S, READINGS_MAX, DOUBTFUL_BELOW = 0.4, 8, 0.99
"""A face read less surely than this is read again after this time, at most this often."""
CELL_MM = 20.0
COVERED_SHARE = 0.25
"""A tile is hidden from this share of its place."""
SIGHT_SOON_S, SIGHT_EVERY_S, NEWS_S = 0.35, 0.95, 2.0
"""The time between sights while something is in the way or has changed within the third time, and at most."""
REACH_MIN_PX = 110
"""Px of the small picture, half a tile: when this much more than in the last sight is in the way, a player
reaches out. Hands that draw are over the table for only a third of a second."""


class Observer:
    """Watches the table of one camera. One object per camera, with its frames in order."""

    def __init__(
        self,
        recogniser: Recogniser,
        camera: TableCamera,
        *,
        rules: str | None = None,
        tile_set: LearnedSet | None = None,
        tile_size: TileSize | None = None,
        named: NamedTiles | None = None,
    ) -> None:
        """rules: limits kinds and copies to that rule set's tiles; tile_size: if it is known; named: tiles of
        this set named by a person before, and from now on. Raises InputError for an unknown rule set, and for
        a tile set that was learned with other models."""
        if tile_set:
            tile_set.check_reader(recogniser.reader.id)
        self._reading = TileReader(recogniser, tile_set)
        self._tiles = KnownTiles(
            recogniser.weigher, rule_set(rules).tile_set if rules else None, named or NamedTiles()
        )
        self._size = tile_size or TileSize()
        self._outlines: list[Candidates] = []
        self._plane = TopView.of(camera, self._size.depth_mm)
        self._stillness = Stillness()
        self._steadiness = Steadiness()
        self._puzzles = Puzzles()
        self._brief = BriefLooks()
        self._dice = DiceWatch()
        self._walls = WallWatch()
        self._wall_count = WallCount()
        self._taken: list[float] = []  # when tiles went from the walls, since the last sight
        self._watched_s = -np.inf
        self._read: Grey | None = None  # the table when each part was last read
        self._unread: Mask = np.zeros((SIDE, SIDE), bool)
        self._read_s = -np.inf
        self._last_sight: Sight | None = None
        self._covered: Mask = np.zeros((SIDE, SIDE), bool)  # in the last sight
        self._has_news = False
        self._news_s = -np.inf
        self._newest_s = np.inf  # when the last new tile came, until it counts as settled
        self._knows_place = False

    @property
    def camera(self) -> TableCamera:
        """The camera at its place now, bumps included."""
        return self._plane.camera

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles, as far as it is known."""
        return self._size

    @property
    def knows_place(self) -> bool:
        """Whether the last frame shows the table where `camera` says, and nothing is wrong with it."""
        return self._knows_place

    def teach(self, number: int, code: str) -> None:
        """A person names the tile with that number in the sights: it has that name from the next sight, and
        tiles that look like it probably do too."""
        face = self._tiles.find_face(number)
        if face is not None:
            self._tiles.teach(number, code, self._reading.read_turned(face))
            self._has_news = True

    def look(self, image: Image, t: float) -> Sight | None:
        """The sight after the frame (H, W, 3) uint8 BGR of second t; None if nothing has changed, or while it
        is unknown where a camera that was bumped is."""
        self._knows_place = False
        if image.shape[:2] != (self.camera.height, self.camera.width):
            return self._report_trouble(t, OTHER_SIZE)
        grey = self._plane.show(image)
        if why := find_trouble(grey, self._plane.seen):
            self._stillness.forget()
            self._brief.forget()
            return self._report_trouble(t, why)
        still = self._stillness.watch(t, grey)
        if self._read is None:
            return self._begin(image, grey, t)
        if self._steadiness.is_shaking(self._read, self._stillness.moved_s, t):
            return self._report_trouble(t, SHAKES) if self._steadiness.shakes_long(t) else None
        blurred = self._steadiness.is_blurred(grey, t)
        changed = self._find_changes(grey)
        if not blurred:
            grey, changed = self._compensate_bump(image, grey, changed, still, t)
        if self._is_light_changing(grey, changed, still, t):
            return self._make_sight(t)
        if self._steadiness.has_moved(self._plane, self._read, changed, t):
            return self._report_trouble(t, MOVED_AWAY) if self._steadiness.is_lost(t) else None
        if not self._steadiness.is_placed(t):
            return None
        if blurred:
            return self._make_sight(t)
        self._knows_place = self._steadiness.is_calm
        if not self._read_brief(image, grey, t):
            self._read_due(image, grey, changed, still, t)
        return self._make_sight(t)

    def _compensate_bump(
        self, image: Image, grey: Grey, changed: Mask, still: Mask, t: float
    ) -> tuple[Grey, Mask]:
        """The small picture and where it differs from what was read, for the camera after a bump."""
        assert self._read is not None
        moved = self._steadiness.align(self._plane, self._read, grey, still, changed, t)
        if moved is None:
            return grey, changed
        self._plane = TopView.of(moved, self._size.depth_mm)
        grey = self._plane.show(image)
        self._stillness.begin_with(t, grey)
        self._brief.forget()
        return grey, self._find_changes(grey)

    def _is_light_changing(self, grey: Grey, changed: Mask, still: Mask, t: float) -> bool:
        """Whether the picture is too light or too dark at the moment to be judged. Unmarks in `changed` what
        only another light explains."""
        assert self._read is not None
        least = RELIT_MIN_SHARE * changed.size
        if not self._stillness.is_relit(t) or np.count_nonzero(changed) <= least:
            return False
        relit = find_relit(self._read, grey, self._stillness.noise) & changed & still
        self._read[relit] = self._light_as_read(grey)[relit]
        changed &= ~relit
        moved_s = self._stillness.moved_s
        # A person who has left changed much too, but by moving; light changes without moving.
        unmoved = changed & ~((moved_s > self._read_s) & (moved_s < t - RELIT_NOW_S))
        return bool(np.count_nonzero(unmoved) > least) and self._stillness.is_relit(t, RELIT_NOW_S)

    def _read_brief(self, image: Image, grey: Grey, t: float) -> bool:
        """Read in the last picture what was still only for a moment; whether there was such a thing."""
        last, moving = self._brief, self._stillness.moved_s >= t
        brief = last.find(self._unread, moving)
        if brief is not None:
            assert last.image is not None
            assert last.grey is not None
            assert last.quiet is not None
            self._read_part(last.image, last.grey, brief, last.quiet, t, least=FOUND_NEVER)
        last.remember(image, grey, self._stillness.moved_s, t)
        return brief is not None

    def _read_due(self, image: Image, grey: Grey, changed: Mask, still: Mask, t: float) -> None:
        """Read what is due: new parts, a puzzle, a die, or a doubtful face; and watch the walls."""
        self._unread = drop_specks(changed)
        ready = choose_settled(self._unread, still) & self._plane.of_table
        is_due = t - self._read_s >= READ_EVERY_S and (self._seek(ready, still, t) or ready.any())
        if is_due:
            self._read_part(image, grey, ready, still, t)
        if puzzle := self._puzzles.choose(still & ~self._unread, t):
            self._read_part(image, grey, puzzle[0], still, t, puzzle[1])
        elif not is_due and not self._read_dice(image, still, t):
            self._read_again(image, still, t)
        if t - self._watched_s >= READ_EVERY_S:
            self._watch_walls(grey, still, t)

    def _read_dice(self, image: Image, still: Mask, t: float) -> bool:
        """Read once what may be a die; whether there was such a thing."""
        before = self._dice.roll
        has_read = self._dice.read_next(image, self.camera, still & ~self._unread, t)
        self._has_news |= self._dice.roll != before
        return has_read

    def _watch_walls(self, grey: Grey, still: Mask, t: float) -> None:
        """Record the tiles that have gone from the walls."""
        self._watched_s = t
        if not self._walls.knows_place:
            backs = [
                track.middle_mm
                for track in self._tiles
                if track.missing_s is None and (track.back_share > MOSTLY_BACK or track.top == BLANK)
            ]
            self._walls.find(np.array(backs).reshape(-1, 2), self._size.width_mm)
        hidden = self._unread | ~still
        lit, before = self._light_as_read(grey), self._wall_count.left
        taken = self._walls.watch(lit, hidden, self._size.width_mm, t)
        self._wall_count.update(lit, hidden, self._tiles, self._walls.lines_mm, self._size, self.camera, t)
        self._has_news |= bool(taken) or self._wall_count.left != before
        self._taken += taken

    def _find_changes(self, grey: Grey) -> Mask:
        """Where the table differs from what was read."""
        assert self._read is not None
        return mark_changes(self._read, grey, SHIFT_READ, self._stillness.noise) & self._plane.seen

    def _light_as_read(self, grey: Grey) -> Grey:
        """A small picture in the light of what was read."""
        assert self._read is not None
        return np.asarray(cv2.convertScaleAbs(grey, alpha=1 / compare_light(self._read, grey)), np.uint8)

    def _begin(self, image: Image, grey: Grey, t: float) -> Sight | None:
        """Read the whole table."""
        found = self._reading.find(image, [WHOLE_TABLE], self.camera, self._size)
        if self._measure_tiles(found):
            grey = self._plane.show(image)
        self._read = grey.copy()
        everywhere = np.ones((SIDE, SIDE), bool)
        outlines = self._reading.find_lying(image, found, [WHOLE_TABLE], self.camera, self._size)
        self._update_tiles(image, outlines, grey, everywhere, everywhere, t)
        self._dice.note(everywhere, self._tiles.mark_tiles(), grey, t)
        self._has_news = self._knows_place = True
        return self._make_sight(t)

    def _measure_tiles(self, found: Candidates) -> bool:
        """Measure the tiles by all outlines so far; whether their size has become known now."""
        if self._size.measured:
            return False
        self._outlines.append(found)
        size = measure_size(Candidates.join(self._outlines), self.camera)
        if not size.measured:
            return False
        self._size, self._outlines = size, []
        self._plane = TopView.of(self.camera, size.depth_mm)
        self._stillness.forget()
        return True

    def _seek(self, ready: Mask, still: Mask, t: float) -> bool:
        """Mark the places of missing tiles for another look; whether there are any."""
        searched = False
        for track in self._tiles:
            if track.missing_s is None or track.in_wall:
                continue
            if t - track.searched_s < max(SEEK_EVERY_S, (t - track.missing_s) / 2):
                continue
            if track.footprint.measure_share(still) >= STILL_MIN_SHARE:
                track.searched_s = t
                ready[track.footprint.window] |= track.footprint.inside
                searched = True
        return searched

    def _read_part(
        self, image: Image, grey: Grey, ready: Mask, still: Mask, t: float, times: float | None = None,
        least: int = FOUND_MIN_LOOKS,
    ) -> None:  # fmt: skip
        """Read what is new and still or, with `times`, look again at a puzzle in that size. least: how often
        a tile must be found that is not surely a face."""
        assert self._read is not None
        boxes = box_parts(ready)
        looks = LOOKS if times is None else (times,)
        found = self._reading.find(image, boxes, self.camera, self._size, looks)
        if self._measure_tiles(found):
            return
        least = least if times is None else 1
        outlines = self._reading.find_lying(image, found, boxes, self.camera, self._size, least)
        if times is not None:
            pieces = self._reading.find_pieces(image, found, outlines, self.camera, self._size)
            outlines = outlines.join(pieces)
        lit = self._light_as_read(grey)
        ready = (cv2.dilate(ready.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & still
        ready &= ~self._update_tiles(image, outlines, lit, ready, still, t)
        self._read[ready] = lit[ready]
        self._unread &= ~ready
        strange = self._tiles.find_strange(lit)
        if times is None:
            self._dice.note(ready, self._tiles.mark_tiles(), lit, t)
        if times is None:
            self._puzzles.note(ready, strange, t)
        else:
            self._puzzles.settle(ready & ~strange)

    def _update_tiles(
        self, image: Image, outlines: Outlines, lit: Grey, ready: Mask, still: Mask, t: float
    ) -> Mask:
        """Update the known tiles with the finds in those parts of the table that are ready. Returns where
        another look is needed: tiles that are not still as a whole, and those that contradict what is
        known."""
        self._read_s = t
        unsure = np.zeros_like(ready)
        kept = np.zeros(len(outlines), bool)
        for row, place in enumerate(outlines.footprints):
            touched = place.measure_share(ready) > NEW_MIN_SHARE
            kept[row] = touched and place.measure_share(still) >= STILL_MIN_SHARE
            if touched and not kept[row]:
                unsure[place.window] |= place.inside
        whole = np.array(
            [place.measure_share(still) >= STILL_MIN_SHARE for place in outlines.footprints], bool
        )
        kept |= self._tiles.mark_in_rows(outlines, kept, self._size) & whole
        outlines = outlines.choose(kept)
        known = self._tiles.match(outlines, self._size)
        outlines = show_true_size(self._tiles.settle(outlines, known, lit), self.camera, self._size)
        stacked = find_stacked(outlines, known, self._tiles, self.camera, self._size)
        backs = {row for row, track in known.items() if track.face is None}
        faces = self._reading.read(image, outlines, backs)
        seen = set()
        for row in range(len(outlines)):
            face = faces.get(row)
            if face is not None and face.probability_of(NO_TILE)[0] > SURELY_NONE:
                continue
            under = stacked.get(row)
            upon = under is not None and under.may_show(face)
            before = under if upon else known.get(row)
            back = float(outlines.candidates.back_shares[row])
            if before is not None and not self._tiles.may_be(before, face, back, lit, t):
                unsure[before.footprint.window] |= before.footprint.inside
                seen.add(before.number)
                continue
            moved_s = self._stillness.moved_s
            track = self._tiles.add_outline(outlines, row, face, before, moved_s, lit, t, upon=upon)
            seen.add(track.number)
            if track is not before:
                self._has_news, self._newest_s = True, track.since_s
        self._has_news |= self._tiles.judge_missing(seen, ready, still, lit, t, self._plane)
        self._tiles.note_bare(ready & still, lit, self._stillness.moved_s, t)
        return unsure

    def _read_again(self, image: Image, still: Mask, t: float) -> None:
        """Read a doubtful face once more."""
        known = still & ~self._unread
        for track in self._tiles:
            if track.face is None or track.looks >= READINGS_MAX or t - track.read_s < READ_AGAIN_S:
                continue
            if track.readings and track.readings[0][1] >= DOUBTFUL_BELOW:
                continue
            if track.missing_s is None and track.footprint.measure_share(known) >= STILL_MIN_SHARE:
                again = self._reading.read_again(image, track.face, track.quad_mm, self.camera, self._size)
                self._tiles.add_reading(track, again, t)
                return

    def _report_trouble(self, t: float, why: str) -> Sight | None:
        if (
            self._last_sight is not None
            and self._last_sight.trouble == why
            and t - self._last_sight.t < SIGHT_EVERY_S
        ):
            return None
        self._last_sight = Sight(t, trouble=why)
        return self._last_sight

    def _make_sight(self, t: float) -> Sight | None:
        """The sight, if it is time for one."""
        covered = self._unread
        since = t - self._last_sight.t if self._last_sight and not self._last_sight.trouble else np.inf
        settled = t - self._newest_s >= SETTLED_S
        self._news_s = t if self._has_news else self._news_s
        is_busy = covered.any() or t - self._news_s < NEWS_S
        reached = np.count_nonzero(covered & ~self._covered) >= REACH_MIN_PX
        if not (self._has_news or settled or reached) and since < (
            SIGHT_SOON_S if is_busy else SIGHT_EVERY_S
        ):
            return None
        self._covered = covered
        if settled:
            self._newest_s = np.inf
        self._tiles.name(self.camera, self._size)
        self._tiles.mark_wall(self._size, self._walls.lines_mm)
        tiles, hidden = [], []
        for track in self._tiles:
            if track.in_wall or not track.is_tile or not track.readings:
                continue
            if track.missing_s is not None or track.footprint.measure_share(covered) > COVERED_SHARE:
                hidden.append(self._box(track))
                continue
            x, y = track.middle_mm.tolist()
            seen = SeenTile(track.number, x, y, track.glyph_angle, track.readings)
            tiles.append(replace(seen, still_since_s=track.since_s, upon=track.upon))
        self._last_sight = Sight(
            t,
            tuple(tiles),
            (*cut_boxes(covered, CELL_MM), *hidden),
            dice=self._dice.roll,
            tile_mm=self._size.width_mm,
            misfits=self._tiles.misfits,
            taken_s=tuple(self._taken),
            wall_backs=count_backs(self._tiles, self._walls.lines_mm),
            wall_left=self._wall_count.left,
            wall_mm=self._tiles.find_wall(self._size),
        )
        self._has_news = False
        self._taken.clear()
        return self._last_sight

    def _box(self, track: TileTrack) -> Box:
        (x, y), half = track.middle_mm.tolist(), self._size.width_mm / 2
        return Box(x - half, y - half, x + half, y + half)
