"""Pictures of a table become sights of it: the table is found in them, then observed. A camera that is put
elsewhere is searched for the table again; what lay there lies there still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.sentences import msgid
from companion.tracking.checking_table import measure_sides, shows_table
from companion.tracking.finding_table import FoundTable, TableSearch
from companion.tracking.observing import Observer
from companion.tracking.outlines import TileSize
from companion.tracking.regaining import WAITS_S, Regained, find_turn
from companion.tracking.seating import find_quarter_turn, turn_sight
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.steadiness import MOVED_AWAY, OTHER_SIZE
from companion.tracking.table_camera import TableCamera
from companion.vision.learned import LearnedSet
from companion.vision.recogniser import Recogniser

LOOK_EVERY_S = 0.5
"""So often the table is looked for, which takes longer than following it does."""
NO_TABLE = msgid("the table is not found: show all four of its corners, in good light")
SAME_SHAPE = 0.01
"""By how much the proportions of two pictures may differ that show the same."""


class Observes(Protocol):
    """What is seen in the pictures of one camera that stands still, or nearly. camera: as it stands now;
    tile_size: as seen; is_steady: whether the last picture showed the table where `camera` has it."""

    @property
    def is_steady(self) -> bool: ...
    @property
    def camera(self) -> TableCamera: ...
    @property
    def tile_size(self) -> TileSize: ...

    def look(self, image: Image, t: float) -> Sight | None: ...


FindTable = Callable[[Image], FoundTable | None]
HideHands = Callable[[Image, TableCamera, TileSize, Sequence[SeenTile]], Image]
"""A copy of a picture in which what players hold is painted over, but not the tiles that lie there."""


class TableWatch:
    """corners: of the table, (4, 2) px from the lower left counterclockwise; bottom: the seat at its lower
    edge. Without corners what `begin_search` gives finds the table; it is called anew for each search.
    observe: makes what observes the table from a camera, of its tiles' size as far as that is known.
    dealer: who deals the hand that begins, None where one is in play: the dealer's first discard says who
    sits where if the camera looks along a diagonal of the table that was found.
    """

    def __init__(
        self,
        begin_search: Callable[[], FindTable],
        observe: Callable[[TableCamera, TileSize], Observes],
        *,
        corners: NDArray[np.floating] | None = None,
        bottom: int = 0,
        dealer: int | None = None,
    ) -> None:
        self._begin_search = begin_search
        self._observe = observe
        self._bottom = bottom
        self._dealer = dealer
        self._corners = corners
        self._find: FindTable | None = None
        self._looked_s: float | None = None
        self._missing = NO_TABLE
        self._observer: Observes | None = None
        self._is_lost = False
        self._sides = np.zeros(4)
        self._turn: int | None = 0
        self._turned: tuple[TableCamera, TableCamera] | None = None
        self._found_s = 0.0
        self._ambiguous = False
        self._tiles = Regained()
        self._lying: tuple[SeenTile, ...] = ()

    @property
    def camera(self) -> TableCamera | None:
        """Where the camera stands now; None while the table is not found."""
        if self._observer is None:
            return None
        seen = self._observer.camera
        if not self._turn:
            return seen
        if self._turned is None or self._turned[0] is not seen:
            self._turned = seen, seen.turn_seats(self._turn)
        return self._turned[1]

    def paint(self, image: Image, hide_hands: HideHands) -> Image | None:
        """A picture of now without the players' hands; None while nobody knows where they are."""
        camera = self.camera
        if camera is None or not self.is_steady:
            return None
        return hide_hands(image, camera, self.tile_size, () if self._turn is None else self._lying)

    @property
    def is_steady(self) -> bool:
        """Whether the table is where `camera` has it: not while the camera is moved."""
        return self._observer is not None and not self._is_lost and self._observer.is_steady

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles, as far as it is known."""
        return self._observer.tile_size if self._observer else TileSize()

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """From now on the table has its corners there, (4, 2) px as at the beginning; without them it is
        looked for anew. What lay there is known again only where the camera was moved: otherwise it was
        thought to lie elsewhere."""
        if not self._is_lost:
            self._lying = ()
        self._corners, self._observer, self._find = corners, None, None

    def look(self, image: Image, t: float) -> Sight | None:
        """What is seen at `t`; None where that is nothing new. Raises InputError for corners that cannot be
        those of a table."""
        self._follow_size(image)
        if self._observer is None or self._is_lost:
            self._seek(image, t)
        if self._observer is None:
            return Sight(t, trouble=self._missing)
        sight = self._observer.look(image, t)
        if sight is None:
            return None
        self._note_lost(sight.trouble == MOVED_AWAY)
        return sight if sight.trouble else self._seat(sight)

    def _note_lost(self, is_lost: bool) -> None:
        if is_lost and not self._is_lost:
            self._find = None
        self._is_lost = is_lost

    def _follow_size(self, image: Image) -> None:
        """Where the pictures have another size from now on, they show the same view, or one in which the
        table is to be found."""
        height, width = image.shape[:2]
        if self._observer is None:
            return
        camera = self._observer.camera
        if (camera.width, camera.height) == (width, height):
            return
        resized = camera.resize(width, height)
        same_shape = abs(camera.width * height / (camera.height * width) - 1) < SAME_SHAPE
        if same_shape and shows_table(image, resized, self._sides) is not False:
            self._watch_from(resized, image, self._turn, self.tile_size)
        else:
            self._observer, self._find, self._missing = None, None, OTHER_SIZE

    def _seek(self, image: Image, t: float) -> None:
        """Look for the table, where it is time to."""
        height, width = image.shape[:2]
        if self._corners is not None:
            camera = TableCamera.from_corners(np.roll(self._corners, self._bottom, axis=0), width, height)
            self._corners = None
            self._take(camera, False, image, t)
        elif self._looked_s is None or not 0 <= t - self._looked_s < LOOK_EVERY_S:
            self._looked_s = t
            self._find = self._find or self._begin_search()
            found = self._find(image)
            if found is not None:
                self._take(found.camera, found.ambiguous, image, t)

    def _take(self, camera: TableCamera, ambiguous: bool, image: Image, t: float) -> None:
        """The table is there. ambiguous: as of a `FoundTable`."""
        self._ambiguous, self._found_s = ambiguous and self._dealer is not None, t
        turn = None if self._lying or self._ambiguous else 0
        self._watch_from(camera, image, turn, self.tile_size)

    def _watch_from(self, camera: TableCamera, image: Image, turn: int | None, size: TileSize) -> None:
        """Observe the table from there. turn: how its sights are turned, where that is known."""
        self._observer = self._observe(camera, size)
        self._find, self._is_lost = None, False
        self._sides = measure_sides(image, camera)
        self._turn, self._turned = turn, None
        self._tiles = Regained(self._lying, self._tiles.last)

    def _seat(self, sight: Sight) -> Sight:
        """The sight with everybody in the right place and every tile by its number; without tiles while
        nobody knows who sits where."""
        if self._turn is None:
            self._turn = self._find_turn(sight)
            if self._turn is None:
                return Sight(sight.t, trouble=MOVED_AWAY) if self._lying else replace(sight, tiles=())
        seated = self._tiles.number(turn_sight(sight, self._turn))
        self._lying = tuple(tile for tile in seated.tiles if not tile.standing)
        return seated

    def _find_turn(self, sight: Sight) -> int | None:
        if self._lying:
            turn = find_turn(self._lying, sight)
            if turn is not None or sight.t - self._found_s < WAITS_S:
                return turn
            self._lying = ()
        if self._dealer is None or not self._ambiguous:
            return 0
        return find_quarter_turn(sight, self._dealer)


def watch_table(
    recogniser: Recogniser,
    rules: str,
    *,
    tile_set: LearnedSet | None = None,
    corners: NDArray[np.floating] | None = None,
    bottom: int = 0,
    dealer: int | None = None,
) -> TableWatch:
    """What watches a table for a game by these rules, read with these networks; the rest as for `TableWatch`.
    Raises InputError for a tile set that was learned with other networks."""

    def begin_search() -> FindTable:
        return TableSearch(recogniser, bottom=bottom).look

    def observe(camera: TableCamera, size: TileSize) -> Observer:
        return Observer(recogniser, camera, rules=rules, tile_set=tile_set, tile_size=size)

    return TableWatch(begin_search, observe, corners=corners, bottom=bottom, dealer=dealer)
