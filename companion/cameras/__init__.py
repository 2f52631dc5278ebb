"""What the program is connected to: cameras, live and recorded, behind one small interface."""

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
