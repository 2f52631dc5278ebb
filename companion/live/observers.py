"""What watches the table of one camera, as `table_watch` needs it."""

from __future__ import annotations

from typing import Protocol

from companion.images import Image
from companion.seeing.outlines import TileSize
from companion.seeing.seats import turn_places, turn_sight
from companion.seeing.sights import Sight
from companion.seeing.table_camera import TableCamera


class Observes(Protocol):
    """What is seen in the pictures of one camera that stands still, or nearly. camera: as it stands now;
    tile_size: as seen; knows_place: whether the last picture shows the table just there."""

    @property
    def camera(self) -> TableCamera: ...
    @property
    def tile_size(self) -> TileSize: ...
    @property
    def knows_place(self) -> bool: ...

    def teach(self, number: int, code: str) -> None: ...
    def look(self, image: Image, t: float) -> Sight | None: ...


class Turned:
    """An observer that knows everything it knew, all its places turned by so many quarter turns
    counterclockwise."""

    def __init__(self, observer: Observes, quarters: int) -> None:
        self._observer = observer
        self._quarters = quarters

    @property
    def camera(self) -> TableCamera:
        return self._observer.camera.move_places(turn_places(self._quarters))

    @property
    def tile_size(self) -> TileSize:
        return self._observer.tile_size

    @property
    def knows_place(self) -> bool:
        return self._observer.knows_place

    def teach(self, number: int, code: str) -> None:
        self._observer.teach(number, code)

    def look(self, image: Image, t: float) -> Sight | None:
        sight = self._observer.look(image, t)
        return sight and turn_sight(sight, self._quarters)
