"""Finding and opening cameras: the V4L2 devices of Linux, and recordings as `file:PATH`.

Devices are read from sysfs and the driver, so that a listing never starts a camera. A driver may hang when
the plug is pulled, and a stream may never finish opening: each has a process of its own.
"""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.cameras.capture_process import WORKER, CaptureError, CaptureProcess, CaptureRequest
from companion.cameras.frames import Camera, CameraInfo, Frame
from companion.cameras.recorded import RecordedCamera
from companion.errors import CameraError
from companion.sentences import msgid

OPEN_TIMEOUT_S = 8.0  # USB cameras negotiate for some seconds on a slow board
READ_TIMEOUT_S = 2.0  # at one frame a second, the slowest a camera goes in the dark, two frames late
CANNOT_OPEN = msgid("The camera {name} cannot be opened: close what else uses it, or plug it in again.")
SILENT = msgid("The camera {name} sends no more pictures: plug it in again or choose another one.")


class LiveCamera:
    """Frames of one device or stream, always the newest: frames that nobody read in time are dropped.

    Raises CameraError if it cannot be opened. name: for people, without passwords. cannot_open, silent: the
    sentences for that, and for when no more pictures come; with {name}.
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
        worker_file: Path = WORKER,
    ) -> None:
        self._name = name
        self._silent = silent
        request = CaptureRequest(
            source, open_timeout_s, read_timeout_s, live=True, stream_options=stream_options
        )
        try:
            self._capture = CaptureProcess(request, name, worker_file=worker_file)
        except CaptureError as error:
            raise CameraError(cannot_open, name=name) from error

    @property
    def n_frames(self) -> int:
        """The number of frames that it states: 0 unless it is a file."""
        return self._capture.opened.n_frames

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
    "play_recording",
]

FILE_PREFIX = "file:"
NO_SUCH_CAMERA = "No camera '{camera}'. Plug it in, or choose one of: {known}."
NO_CAMERA = "No camera '{camera}', and no other one is connected: plug it in."
SYSFS_VIDEO = Path("/sys/class/video4linux")
DEVICES = Path("/dev")

# linux/videodev2.h: _IOR('V', 0, struct v4l2_capability), its size, and two of its flags
VIDIOC_QUERYCAP = 0x80685600
CAPABILITY = struct.Struct("=16s32s32sIII12x")
V4L2_CAP_VIDEO_CAPTURE = 0x00000001
V4L2_CAP_DEVICE_CAPS = 0x80000000


def list_cameras(sysfs: Path = SYSFS_VIDEO, devices: Path = DEVICES) -> tuple[CameraInfo, ...]:
    """The cameras that are plugged in, in the order of their device numbers; none on systems without V4L2."""
    if not sysfs.is_dir():
        return ()
    nodes = sorted(sysfs.glob("video*"), key=lambda node: (len(node.name), node.name))
    return tuple(
        CameraInfo(str(devices / node.name), _name(node))
        for node in nodes
        if _captures(devices / node.name, node)
    )


def open_camera(camera_id: str, *, loop: bool = True) -> Camera:
    """Open a camera of `list_cameras` by its id or number, or a recording as `file:PATH`. loop: whether a
    recording begins again at its end.

    Raises CameraError if it is not there or cannot be opened.
    """
    if camera_id.startswith(FILE_PREFIX):
        path = Path(os.path.expanduser(camera_id.removeprefix(FILE_PREFIX)))
        return RecordedCamera(path, loop)
    device = Path(find_id(camera_id))
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
    return LiveCamera(str(device), str(device))


def play_recording(camera_id: str, begins_s: float = 0.0) -> Camera:
    """Open a recording as `file:PATH`, from that place to its end; or a camera as `open_camera` does.

    Raises CameraError if it is not there or cannot be opened.
    """
    if not camera_id.startswith(FILE_PREFIX):
        return open_camera(camera_id)
    path = Path(os.path.expanduser(camera_id.removeprefix(FILE_PREFIX)))
    return RecordedCamera(path, loop=False, begins_s=begins_s)


def find_id(camera_id: str) -> str:
    """The single id of a camera that has several, such as 0, /dev/video0 and a link to it; other ids are
    unchanged."""
    if camera_id.isdecimal():
        return str(DEVICES / f"video{int(camera_id)}")
    path = Path(camera_id)
    return str(path.resolve()) if path.is_symlink() else camera_id


def _name(node: Path) -> str:
    try:
        return (node / "name").read_text(encoding="utf-8", errors="replace").strip() or node.name
    except OSError:
        return node.name


def _captures(device: Path, node: Path) -> bool:
    """Whether the node sends pictures: a webcam has a second node that only sends metadata."""
    try:
        descriptor = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        # One that is in use or not allowed is still a camera: `index` tells a webcam's first node.
        return error.errno in (errno.EACCES, errno.EBUSY, errno.EPERM) and _index(node) == 0
    try:
        import fcntl

        answer = fcntl.ioctl(descriptor, VIDIOC_QUERYCAP, bytes(CAPABILITY.size))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return is_capture(answer)


def is_capture(capability: bytes) -> bool:
    """Whether a `struct v4l2_capability` is that of a node that captures pictures."""
    _, _, _, _, whole_device, this_node = CAPABILITY.unpack(capability)
    flags: int = this_node if whole_device & V4L2_CAP_DEVICE_CAPS else whole_device
    return bool(flags & V4L2_CAP_VIDEO_CAPTURE)


def _index(node: Path) -> int:
    try:
        return int((node / "index").read_text())
    except (OSError, ValueError):
        return 0
