"""Where a camera stood over its table when it was last followed: `cameras.json` in the user's data folder.

A table that is where it was is known at once. Whoever uses a place checks it: cameras are moved. Addresses
are kept without what may be secret in them; a salted tag distinguishes those that are written alike then.
"""

from __future__ import annotations

import logging
from secrets import token_hex
from typing import Annotated, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion import config
from companion.errors import InputError
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.foreign_text import hide_password, make_tag
from companion.seeing.lens import Bend, Lens
from companion.seeing.table_camera import TableCamera

FILE = "cameras.json"
SALT_BYTES = 16
CAMERAS_MAX = 50
"""More are forgotten, the oldest first: addresses of the network come and go."""

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
Size = Annotated[int, msgspec.Meta(ge=1, le=100_000)]

log = logging.getLogger(__name__)


class Place(msgspec.Struct, frozen=True):
    """corners: of the table, px from the left one at the lower edge counterclockwise, in pictures of that
    size; focal_px: of the lens; bend: of it, as `Lens` has it, which stays what it is wherever the camera is
    put; sides: how much of each side was seen, as `measure_sides` has it; ambiguous:
    as of a `FoundTable`."""

    corners: Corners
    width: Size
    height: Size
    focal_px: float
    sides: tuple[float, float, float, float]
    ambiguous: bool = False
    bend: Bend = 0.0

    @classmethod
    def of(cls, camera: TableCamera, bottom: int, sides: NDArray[np.floating], ambiguous: bool) -> Self:
        """The place of a camera with that seat at the lower edge."""
        a, b, c, d = ((float(x), float(y)) for x, y in np.roll(camera.corners, -bottom, axis=0))
        left, right, low, high = (float(side) for side in sides)
        size = camera.width, camera.height, camera.focal_px
        return cls((a, b, c, d), *size, (left, right, low, high), ambiguous, camera.lens.bend)

    @property
    def lens(self) -> Lens:
        """The camera's lens."""
        return Lens(self.bend)

    def change_lens(self, camera: TableCamera) -> Place:
        """The place by the corners and the lens of this camera, which stands there, whoever sits where."""
        turns = [np.roll(camera.corners, turn, axis=0) for turn in range(4)]
        nearest = min(turns, key=lambda corners: float(np.linalg.norm(corners - self.corners)))
        a, b, c, d = ((float(x), float(y)) for x, y in nearest)
        return msgspec.structs.replace(
            self, corners=(a, b, c, d), focal_px=camera.focal_px, bend=camera.lens.bend
        )

    def make_camera(self, bottom: int) -> TableCamera | None:
        """The camera with that seat at the lower edge; None where these are not the corners of a table."""
        corners = np.roll(np.array(self.corners), bottom, axis=0)
        try:
            return TableCamera.from_corners(corners, self.width, self.height, self.focal_px, self.lens)
        except InputError:
            return None


class _File(msgspec.Struct, frozen=True):
    """salt: of the names' tags; "" in files of earlier programs, whose names may hold passwords."""

    cameras: dict[str, Place] = {}
    salt: str = ""


class KeptPlace:
    """The place of that camera: its device, or its address, of which only `hide_password` and `make_tag` are
    kept."""

    def __init__(self, camera: str) -> None:
        self._camera = camera

    def load(self) -> Place | None:
        """Where it stood; None where that is not known."""
        file = _read()
        return file.cameras.get(_name(self._camera, file.salt))

    def keep(self, place: Place) -> None:
        """It stands there. A disk that is full costs a search the next time, and nothing else."""
        file = _read()
        name = _name(self._camera, file.salt)
        cameras = {other: each for other, each in file.cameras.items() if other != name}
        _write(_File(dict([*cameras.items(), (name, place)][-CAMERAS_MAX:]), file.salt))

    def forget(self) -> None:
        """It does not stand where that was kept."""
        file = _read()
        name = _name(self._camera, file.salt)
        if name in file.cameras:
            _write(_File({other: each for other, each in file.cameras.items() if other != name}, file.salt))


def _name(camera: str, salt: str) -> str:
    """How the file names that camera."""
    return f"{hide_password(camera)} {make_tag(camera, salt.encode())}".rstrip()


def _write(file: _File) -> None:
    try:
        write_whole(config.data_dir() / FILE, msgspec.json.format(msgspec.json.encode(file), indent=1))
    except OSError:
        log.warning("the camera's place is not kept", exc_info=True)


def _read() -> _File:
    """The kept places; none if the file cannot be read. A file of an earlier program is rewritten."""
    try:
        file = decode_as(read_whole(config.data_dir() / FILE), _File)
    except FileNotFoundError:
        return _File(salt=token_hex(SALT_BYTES))
    except (OSError, Undecodable):
        log.warning("the kept places of cameras cannot be used", exc_info=True)
        return _File(salt=token_hex(SALT_BYTES))
    if not file.salt:
        salt = token_hex(SALT_BYTES)
        file = _File({_name(camera, salt): place for camera, place in file.cameras.items()}, salt)
        _write(file)
    return file
