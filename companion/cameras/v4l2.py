"""What a Linux camera offers, by the ioctls of V4L2: the sizes and rates of its pictures, and its controls.

Imports nothing but the standard library: the capture process loads this file by its path. Structures and
numbers are those of linux/videodev2.h and linux/v4l2-controls.h. Listing asks the kernel alone; setting a
control waits for the camera.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

if sys.platform == "linux":
    import fcntl

CAPTURE = 1
"""V4L2_BUF_TYPE_VIDEO_CAPTURE."""
DISCRETE = 1
"""V4L2_FRMSIZE_TYPE_DISCRETE and V4L2_FRMIVAL_TYPE_DISCRETE; other types are ranges."""
ENTRIES_MAX = 256
"""Longer lists of a driver are broken."""
VIDEO_CAPTURE, DEVICE_CAPS = 0x00000001, 0x80000000
"""Flags of a capability: it captures pictures; it is stated for each node."""
FORMAT_BYTES = 208 if struct.calcsize("P") == 8 else 204
"""Size of struct v4l2_format, which holds pointers."""


class _Structure:
    """The structure of an ioctl, _IOWR('V', number, layout) unless it is only read."""

    def __init__(self, number: int, layout: str, *, writes: bool = True) -> None:
        self._struct = struct.Struct(layout)
        self._code = 1 << 31 | writes << 30 | self._struct.size << 16 | ord("V") << 8 | number

    def exchange(self, device: int, sent: bytes) -> bytes:
        """What the driver makes of it. Raises OSError."""
        return fcntl.ioctl(device, self._code, sent.ljust(self._struct.size, b"\0"))

    def ask(self, device: int, *fields: int) -> tuple[int, ...]:
        """The fields of the driver's answer; `fields`: the first ones of the question, 32 bits each. Raises
        OSError."""
        sent = b"".join(struct.pack("=I", field & 0xFFFFFFFF) for field in fields)
        return self._struct.unpack(self.exchange(device, sent))


_QUERYCAP = _Structure(0, "=16x32x32x4xII12x", writes=False)
_ENUM_FMT = _Structure(2, "=44xI16x")
_G_FMT = _Structure(4, f"={FORMAT_BYTES}x")
_S_FMT = _Structure(5, f"={FORMAT_BYTES}x")
_G_CTRL = _Structure(27, "=4xi")
_S_CTRL = _Structure(28, "=4xi")
_ENUM_FRAMESIZES = _Structure(74, "=8xI6I8x")
_ENUM_FRAMEINTERVALS = _Structure(75, "=16xI6I8x")


def captures(device: int) -> bool:
    """Whether the open node sends pictures: a webcam has a second node that only sends metadata."""
    try:
        whole_device, this_node = _QUERYCAP.ask(device)
    except OSError:
        return False
    return is_capture(whole_device, this_node)


def is_capture(whole_device: int, this_node: int) -> bool:
    """Whether these capabilities of a device and of one of its nodes, as its driver states them, are those of
    a node that captures pictures; old drivers state only the first."""
    return bool((this_node if whole_device & DEVICE_CAPS else whole_device) & VIDEO_CAPTURE)


def is_in_use(path: str) -> bool:
    """Whether another program takes pictures with the camera: only one may set their format, here to what it
    is."""
    try:
        device = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return error.errno == errno.EBUSY
    try:
        _S_FMT.exchange(device, _G_FMT.exchange(device, struct.pack("=I", CAPTURE)))
    except OSError as error:
        return error.errno == errno.EBUSY
    finally:
        os.close(device)  # it belongs to this descriptor until then
    return False


@dataclass(frozen=True, slots=True)
class Mode:
    """How a camera can send pictures: coded as `fourcc` says, of this size in px, `rate` a second."""

    fourcc: str
    width: int
    height: int
    rate: float

    @property
    def lines(self) -> int:
        """The px of the shorter side: a table is square."""
        return min(self.width, self.height)


WANTED = Mode("MJPG", 1920, 1080, 15.0)
"""The far tiles of a table seen from a corner are 25 px high in pictures of this size (docs/camera.md). More
pictures a second only cost their decoding."""
NEXT = Mode("MJPG", 1280, 720, 15.0)
LINES_MIN = 580
"""Px of the shorter side with which a tile of 35 mm is 23 px high in a picture of 88 cm, a table and little
more, from straight above. Nearly all tiles are read from this height (docs/camera.md)."""
FOURCCS = ("MJPG", "JPEG", "YUYV", "UYVY", "NV12", "NV21", "YU12", "YV12", "BGR3", "RGB3", "GREY")
"""What OpenCV decodes, first what needs the least of a USB bus."""


def find_modes(path: str) -> list[Mode]:
    """The modes of a camera, best first; WANTED alone if its driver does not list them."""
    try:
        device = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return [WANTED]
    try:
        return rank_modes(list_modes(device)) or [WANTED]
    finally:
        os.close(device)


def list_modes(device: int) -> list[Mode]:
    """All modes of an open node that OpenCV decodes; none of a driver that does not list them. Of a range of
    sizes: WANTED, NEXT and its largest; of a range of rates its highest, but no more than WANTED's."""
    return [
        Mode(fourcc, width, height, rate)
        for (code,) in _list(_ENUM_FMT, device, lambda index: (index, CAPTURE))
        if (fourcc := code.to_bytes(4, "little").decode("latin-1")) in FOURCCS
        for width, height in _list_sizes(device, code)
        for rate in _list_rates(device, code, width, height)
    ]


def rank_modes(modes: Iterable[Mode]) -> list[Mode]:
    """The modes, best first, each format and size once: large enough for a table, as quick as WANTED, as
    large as WANTED but not larger, or else as large as possible, easy for a USB bus."""
    best: dict[tuple[str, int, int], Mode] = {}
    for mode in sorted(modes, key=_rate_mode):
        best.setdefault((mode.fourcc, mode.width, mode.height), mode)
    return list(best.values())


def _rate_mode(mode: Mode) -> tuple[bool, bool, bool, int, int, float]:
    """Less is better."""
    is_slow = mode.rate < WANTED.rate
    is_full = mode.width >= WANTED.width and mode.height >= WANTED.height
    area = mode.width * mode.height
    rate = -mode.rate if is_slow else mode.rate
    fourcc = FOURCCS.index(mode.fourcc)
    return mode.lines < LINES_MIN, is_slow, not is_full, area if is_full else -area, fourcc, rate


def _list_sizes(device: int, code: int) -> Iterator[tuple[int, int]]:
    for kind, *sides in _list(_ENUM_FRAMESIZES, device, lambda index: (index, code)):
        if kind == DISCRETE:
            yield sides[0], sides[1]
            continue
        least_width, most_width, _, least_height, most_height, _ = sides
        for width, height in ((WANTED.width, WANTED.height), (NEXT.width, NEXT.height)):
            if least_width <= width <= most_width and least_height <= height <= most_height:
                yield width, height
        yield most_width, most_height


def _list_rates(device: int, code: int, width: int, height: int) -> Iterator[float]:
    for kind, *parts in _list(_ENUM_FRAMEINTERVALS, device, lambda index: (index, code, width, height)):
        numerator, denominator = parts[:2]
        rate = denominator / numerator if numerator else WANTED.rate
        yield rate if kind == DISCRETE else min(rate, WANTED.rate)


def _list(
    structure: _Structure, device: int, ask: Callable[[int], tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """The entries of a list of the driver, up to the first that it does not have."""
    for index in range(ENTRIES_MAX):
        try:
            yield structure.ask(device, *ask(index))
        except OSError:
            return


FOCUS = {0x009A090C: 0}
"""Controls and their values with which the camera focuses no more by itself: V4L2_CID_FOCUS_AUTO off."""
LIGHT = {0x009A0901: 1, 0x00980912: 0, 0x0098090C: 0}
"""With which brightness and colours stay: V4L2_CID_EXPOSURE_AUTO manual, V4L2_CID_AUTOGAIN and
V4L2_CID_AUTO_WHITE_BALANCE off."""
MAINS = {50: {0x00980918: 1}, 60: {0x00980918: 2}}
"""V4L2_CID_POWER_LINE_FREQUENCY for mains of so many Hz."""


class Controls:
    """The controls of a camera, and how they were before. What a camera does not have is passed over."""

    def __init__(self, path: str) -> None:
        self._device: int | None = None
        self._before: dict[int, int] = {}
        with suppress(OSError):
            self._device = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def hold(self, values: dict[int, int]) -> None:
        """Set these controls, where they have other values."""
        for control, value in values.items():
            with suppress(OSError):
                before = self._read(control)
                if before != value:
                    self._write(control, value)
                    self._before.setdefault(control, before)

    def release(self, controls: Iterable[int] | None = None) -> None:
        """Have these controls, or all that were set, as they were before; the last one first."""
        for control in [each for each in reversed(self._before) if controls is None or each in controls]:
            with suppress(OSError):
                self._write(control, self._before.pop(control))

    def _read(self, control: int) -> int:
        if self._device is None:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return _G_CTRL.ask(self._device, control)[0]

    def _write(self, control: int, value: int) -> None:
        if self._device is not None:
            _S_CTRL.ask(self._device, control, value)
