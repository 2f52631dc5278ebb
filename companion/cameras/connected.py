"""Finding and opening cameras: the V4L2 devices of Linux, a Raspberry Pi's own, recordings as `file:PATH`.

Devices are read from sysfs and the driver, so that a listing never starts a camera. A driver may hang when
the plug is pulled, and a stream may never finish opening: each has a process of its own.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.cameras import remembered, v4l2
from companion.cameras.capture_process import (
    WORKER,
    CaptureError,
    CaptureProcess,
    CaptureRequest,
    Holding,
    Opened,
    Trouble,
)
from companion.cameras.frames import Camera, CameraInfo, Frame
from companion.cameras.mains import find_mains_hz
from companion.cameras.pi import PI_CAMERA, PI_NODES, PiCamera, list_pi_cameras
from companion.cameras.recorded import OTHER_SYSTEM, RecordedCamera
from companion.errors import CameraError
from companion.sentences import msgid

OPEN_TIMEOUT_S = 3.5
"""USB cameras negotiate for a second or two on a slow board; an error is reported within 5 s."""
READ_TIMEOUT_S = 2.0  # at one frame a second, the slowest a camera goes in the dark, two frames late
CANNOT_OPEN = msgid("The camera {name} cannot be opened: close what else uses it, or plug it in again.")
IN_USE = msgid("The camera {name} is used by another program: close that program, then try again.")
NO_PICTURES = msgid(
    "The camera {name} sends no pictures: plug it in again, into another socket, or choose another one."
)
OF_TROUBLE = {
    Trouble.IN_USE: IN_USE, Trouble.SENDS_NOTHING: NO_PICTURES, Trouble.OTHER_SYSTEM: OTHER_SYSTEM
}  # fmt: skip
SILENT = msgid("The camera {name} sends no more pictures: plug it in again or choose another one.")
TOO_SMALL = (
    "The camera {name} gives {width}×{height}: even from straight above, discards are {tile} px high, and 23"
    " are needed. Use a camera with at least 1280×720."
)
TILE_SHARE = 35 / 880
"""Height of a tile against the shorter side of a picture that shows a table from straight above, as in
`v4l2.LINES_MIN`."""


class LiveCamera:
    """Frames of one device or stream, always the newest: frames that nobody read in time are dropped.

    Raises CameraError if it cannot be opened. name: for people, without passwords. cannot_open, silent: the
    sentences for that, and for when no more pictures come; with {name}. mains_hz, first_size: of a device, as
    in `CaptureRequest`; keep_mains: called with other mains, Hz, when they are used.
    """

    def __init__(
        self,
        name: str,
        source: str,
        *,
        stream_options: str | None = None,
        open_timeout_s: float = OPEN_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
        cannot_open: str = CANNOT_OPEN,
        silent: str = SILENT,
        mains_hz: int = 50,
        first_size: tuple[int, int] | None = None,
        keep_mains: Callable[[int], None] = lambda hz: None,
        worker_file: Path = WORKER,
    ) -> None:
        self._name = name
        self._mains_hz = mains_hz
        self._keep_mains = keep_mains
        self._silent = silent
        request = CaptureRequest(
            source, open_timeout_s, read_timeout_s, live=True, stream_options=stream_options,
            mains_hz=mains_hz, first_size=first_size,
        )  # fmt: skip
        try:
            self._capture = CaptureProcess(request, name, worker_file=worker_file)
        except CaptureError as error:
            cannot_open = OF_TROUBLE.get(error.trouble, cannot_open)
            raise CameraError(cannot_open, name=name) from error

    @property
    def name(self) -> str:
        return self._name

    @property
    def opened(self) -> Opened:
        """What it states; of a device, the size of its first picture."""
        return self._capture.opened

    def hold(self, what: Holding, is_held: bool) -> None:
        """Have a device keep its focus or its light as it is, or adjust it by itself again; nothing happens
        where it cannot."""
        self._capture.hold(what, is_held)

    def switch_mains(self) -> None:
        """Have a device filter out the flicker of lamps at 60 Hz mains instead of 50, or the other way
        round."""
        self._mains_hz = 110 - self._mains_hz
        self._capture.set_mains(self._mains_hz)
        self._keep_mains(self._mains_hz)

    def read(self) -> Frame:
        """The newest frame not yet read, waiting at most the read timeout. Raises CameraError."""
        try:
            frame = self._capture.read()
        except CaptureError as error:
            raise CameraError(self._silent, name=self._name) from error
        if frame is None:
            raise CameraError(self._silent, name=self._name)
        image, t_ns, _ = frame
        return Frame(image, t_ns)

    def close(self) -> None:
        """Free the device: at once, and within a second even where its driver hangs."""
        self._capture.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


__all__ = [
    "FILE_PREFIX",
    "Camera",
    "CameraInfo",
    "Frame",
    "find_id",
    "list_cameras",
    "open_camera",
    "open_table_camera",
    "play_recording",
]

FILE_PREFIX = "file:"
NO_SUCH_CAMERA = "No camera '{camera}'. Plug it in, or choose one of: {known}."
NO_CAMERA = "No camera '{camera}', and no other one is connected: plug it in."
SYSFS_VIDEO = Path("/sys/class/video4linux")
DEVICES = Path("/dev")

STABLE_NAMES = ("by-id", "by-path")
"""Folders with links to devices, named by udev after the camera, and after the socket it is plugged into."""


def list_cameras(sysfs: Path = SYSFS_VIDEO, devices: Path = DEVICES) -> tuple[CameraInfo, ...]:
    """The cameras that are plugged in, by their device numbers, and last a Raspberry Pi's own."""
    nodes = sorted(sysfs.glob("video*"), key=lambda node: (len(node.name), node.name))
    links = _list_links(devices)
    webcams = (
        CameraInfo(links.get(device, str(device)), name)
        for node in nodes
        if not (name := _name(node)).startswith(PI_NODES) and _captures(device := devices / node.name, node)
    )
    return *webcams, *list_pi_cameras()


def open_camera(camera_id: str, *, loop: bool = True, afresh: bool = False) -> Camera:
    """Open a camera of `list_cameras` by its id or number, or a recording as `file:PATH`. loop: whether a
    recording begins again at its end.

    A camera is opened in the size that it sent the last time, or, with `afresh`, in the best one. Raises
    CameraError if it is not there or cannot be opened.
    """
    if camera_id.startswith(FILE_PREFIX):
        path = Path(os.path.expanduser(camera_id.removeprefix(FILE_PREFIX)))
        return RecordedCamera(path, loop)
    return _open_device(camera_id, afresh)


def open_table_camera(camera_id: str, *, afresh: bool = False) -> LiveCamera | PiCamera:
    """Open a camera that is to follow a table, as `open_camera` does. Raises CameraError also where its
    pictures are too small for that."""
    camera = _open_device(camera_id, afresh)
    try:
        check_size(camera.name, camera.opened.width, camera.opened.height)
    except CameraError:
        camera.close()
        raise
    return camera


def check_size(name: str, width: int, height: int) -> None:
    """Raise CameraError where pictures of that size, px, are too small to follow a table. name: of the
    camera."""
    if min(width, height) < v4l2.LINES_MIN:
        raise CameraError(
            TOO_SMALL, name=name, width=str(width), height=str(height),
            tile=round(min(width, height) * TILE_SHARE),
        )  # fmt: skip


def _open_device(camera_id: str, afresh: bool) -> LiveCamera | PiCamera:
    if camera_id == PI_CAMERA.id:
        return PiCamera()
    found = Path(find_id(camera_id))
    device = found.resolve() if found.is_symlink() else found
    if not device.is_char_device():
        known = ", ".join(info.id for info in list_cameras())
        if not known:
            raise CameraError(NO_CAMERA, camera=camera_id)
        raise CameraError(NO_SUCH_CAMERA, camera=camera_id, known=known)
    if not os.access(device, os.R_OK | os.W_OK):
        raise CameraError(
            "The camera {camera} may not be used by this account: add the account to the group 'video'.",
            camera=str(device),
        )
    webcam = remembered.load(str(found))
    camera = LiveCamera(
        describe_camera(str(device)),
        str(device),
        mains_hz=webcam.mains_hz or find_mains_hz(),
        first_size=None if afresh else webcam.size,
        keep_mains=lambda hz: remembered.keep(str(found), mains_hz=hz),
    )
    size = camera.opened.width, camera.opened.height
    if min(size) >= v4l2.LINES_MIN:  # a smaller one is only used until there is room for a better one
        remembered.keep(str(found), size=size)
    return camera


def describe_camera(camera_id: str) -> str:
    """A connected camera by its name and its device, for people; other ids are unchanged."""
    if camera_id == PI_CAMERA.id:
        return PI_CAMERA.name
    path = Path(camera_id)
    device = path.resolve() if path.is_symlink() else path
    node = SYSFS_VIDEO / device.name
    is_connected = device.parent == DEVICES and node.exists()
    return f"{_name(node)} ({device})" if is_connected else camera_id


def play_recording(camera_id: str, begins_s: float = 0.0) -> Camera:
    """Open a recording as `file:PATH`, from that place to its end; or a camera as `open_table_camera` does.

    Raises CameraError if it is not there or cannot be opened.
    """
    if not camera_id.startswith(FILE_PREFIX):
        return open_table_camera(camera_id)
    path = Path(os.path.expanduser(camera_id.removeprefix(FILE_PREFIX)))
    return RecordedCamera(path, loop=False, begins_s=begins_s)


def find_id(camera_id: str) -> str:
    """The single id of a camera that has several, such as 0, /dev/video0 and links to it: the link that names
    the camera itself, if there is one, so that it stays the same when it is plugged in elsewhere. Other ids
    are unchanged."""
    device = DEVICES / f"video{int(camera_id)}" if camera_id.isdecimal() else Path(camera_id)
    if device.is_symlink():
        device = device.resolve()
    elif not camera_id.isdecimal() and device.parent != DEVICES:
        return camera_id
    return _list_links(DEVICES).get(device, str(device))


def _list_links(devices: Path) -> dict[Path, str]:
    """The stable names of devices."""
    links: dict[Path, str] = {}
    for folder in STABLE_NAMES:
        for link in sorted((devices / "v4l" / folder).glob("*")):
            links.setdefault(link.resolve(), str(link))
    return links


def _name(node: Path) -> str:
    try:
        return (node / "name").read_text(encoding="utf-8", errors="replace").strip() or node.name
    except OSError:
        return node.name


def _captures(device: Path, node: Path) -> bool:
    """Whether the node sends pictures."""
    try:
        descriptor = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        # One that is in use or not allowed is still a camera: `index` tells a webcam's first node.
        return error.errno in (errno.EACCES, errno.EBUSY, errno.EPERM) and _index(node) == 0
    try:
        return v4l2.captures(descriptor)
    finally:
        os.close(descriptor)


def _index(node: Path) -> int:
    try:
        return int((node / "index").read_text())
    except (OSError, ValueError):
        return 0
