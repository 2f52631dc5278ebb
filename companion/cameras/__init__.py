"""Cameras, recordings and streams behind one small interface: `open_camera(id).read()`."""

from companion.cameras.connected import (
    Camera,
    CameraInfo,
    Frame,
    LiveCamera,
    find_id,
    list_cameras,
    open_camera,
    play_recording,
)
from companion.cameras.recorded import RecordedCamera

__all__ = [
    "Camera",
    "CameraInfo",
    "Frame",
    "LiveCamera",
    "RecordedCamera",
    "find_id",
    "list_cameras",
    "open_camera",
    "play_recording",
]
