"""Pictures of a table become sights of it: the table is found in them, then observed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.sentences import msgid
from companion.tracking.finding_table import TableSearch, start_at_lower_edge
from companion.tracking.hand_masks import NONE_OPEN, OpenTiles
from companion.tracking.observing import Observer
from companion.tracking.outlines import TileSize
from companion.tracking.seating import find_quarter_turn, turn_sight
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.table_camera import TableCamera
from companion.vision.learned import LearnedSet
from companion.vision.recogniser import Recogniser

LOOK_EVERY_S = 0.5
"""So often the table is looked for, which takes longer than following it does."""
NO_TABLE = msgid(
    "the table is not found: show all four of its corners, in good light, or give their places with --corners"
)
SAME_SHAPE = 0.01
"""By how much the proportions of two pictures may differ that show the same."""


class Observes(Protocol):
    """What is seen in the pictures of one camera that stands still, or nearly. camera: as it stands now;
    tile_size: as seen; knows_place: whether the last picture shows the table just there."""

    @property
    def camera(self) -> TableCamera: ...
    @property
    def tile_size(self) -> TileSize: ...
    @property
    def knows_place(self) -> bool: ...

    def look(self, image: Image, t: float) -> Sight | None: ...


FindTable = Callable[[Image], TableCamera | None]
HideHands = Callable[[Image, TableCamera, TileSize, OpenTiles], Image]
"""A copy of a picture in which what players hold is painted over, but not the tiles that lie there."""


class TableWatch:
    """corners: of the table, (4, 2) px from the lower left counterclockwise; bottom: the seat at its lower
    edge. Without corners `find` finds the table. observe: makes what observes it from a camera. dealer: who
    deals the hand that begins, None where one is in play: the dealer's first discard says who sits where if
    the camera looks along a diagonal of the table that was found.
    """

    def __init__(
        self,
        find: FindTable,
        observe: Callable[[TableCamera], Observes],
        *,
        corners: NDArray[np.floating] | None = None,
        bottom: int = 0,
        dealer: int | None = None,
    ) -> None:
        self._find = find
        self._observe = observe
        self._bottom = bottom
        self._corners = None if corners is None else np.roll(corners, bottom, axis=0)
        self._observer: Observes | None = None
        self._looked_s: float | None = None
        self._first_track = self._last_track = 0
        self._camera: TableCamera | None = None
        self._open = NONE_OPEN
        self._lying: tuple[SeenTile, ...] = ()
        self._dealer = dealer
        self._turn: int | None = 0

    @property
    def camera(self) -> TableCamera | None:
        """Where the camera stands now; None while the table is not found."""
        return self._camera if self._observer is None else self._observer.camera

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        """The tiles that lay there at the last sight, seen as the camera stands: seats may be turned yet."""
        return self._lying

    def paint(self, image: Image, hide_hands: HideHands) -> Image | None:
        """The picture that was looked at last, without the players' hands; None while nobody knows where they
        are: the camera moves, or no tiles have shown yet that the table is where it seems to be."""
        seen = self._observer
        if seen is None or not seen.knows_place or not seen.tile_size.measured:
            return None
        return hide_hands(image, seen.camera, seen.tile_size, self._open)

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles, as far as it is known."""
        return self._observer.tile_size if self._observer else TileSize()

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """From now on the table has its corners there, (4, 2) px as at the beginning; without them it is
        looked for anew."""
        self._corners = None if corners is None else np.roll(corners, self._bottom, axis=0)
        self._camera = self._observer = None
        self._open = NONE_OPEN

    def look(self, image: Image, t: float) -> Sight | None:
        """What is seen at `t`; None where that is nothing new. Raises InputError for corners that cannot be
        those of a table."""
        height, width = image.shape[:2]
        if self.camera is not None and (self.camera.width, self.camera.height) != (width, height):
            self._change_size(width, height)
        if self._observer is None:
            if self._camera is None and not self._find_camera(image, t):
                return Sight(t, trouble=NO_TABLE)
            assert self._camera is not None
            self._observer = self._observe(self._camera)
            self._first_track = self._last_track
        sight = self._observer.look(image, t)
        if sight is None:
            return None
        self._lying = tuple(tile for tile in sight.tiles if not tile.standing)
        self._open = self._open.renew(image, self._observer.camera, self._observer.tile_size, self._lying)
        return self._seat(self._number(sight))

    def _find_camera(self, image: Image, t: float) -> bool:
        if self._corners is not None:
            height, width = image.shape[:2]
            self._camera = TableCamera.from_corners(self._corners, width, height)
        elif self._looked_s is None or not 0 <= t - self._looked_s < LOOK_EVERY_S:
            self._looked_s = t
            self._camera = self._find(image)
            if self._camera is not None and self._dealer is not None:
                _, is_ambiguous = start_at_lower_edge(self._camera.corners)
                self._turn = None if is_ambiguous else 0
        return self._camera is not None

    def _change_size(self, width: int, height: int) -> None:
        """The pictures have another size from now on: the same view, or one that is to be found."""
        camera = self.camera
        assert camera is not None
        same = abs(camera.width * height / (camera.height * width) - 1) < SAME_SHAPE
        self._camera = camera.resize(width, height) if same else None
        self._observer = None
        self._open = NONE_OPEN

    def _seat(self, sight: Sight) -> Sight:
        """The sight with everybody in the right place; without tiles while nobody knows who sits where."""
        if self._turn is None and self._dealer is not None:
            self._turn = find_quarter_turn(sight, self._dealer)
        return replace(sight, tiles=()) if self._turn is None else turn_sight(sight, self._turn)

    def _number(self, sight: Sight) -> Sight:
        """The sight with track numbers that no earlier observer gave."""
        if not sight.tiles:
            return sight
        tiles = tuple(replace(tile, track=tile.track + self._first_track) for tile in sight.tiles)
        self._last_track = max(self._last_track, *(tile.track for tile in tiles))
        return replace(sight, tiles=tiles)


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
    search = TableSearch(recogniser, bottom=bottom)

    def find(image: Image) -> TableCamera | None:
        found = search.look(image)
        return None if found is None else found.camera

    def observe(camera: TableCamera) -> Observer:
        return Observer(recogniser, camera, rules=rules, tile_set=tile_set)

    return TableWatch(find, observe, corners=corners, bottom=bottom, dealer=dealer)
