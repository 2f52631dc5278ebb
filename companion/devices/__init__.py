"""What the program is connected to: cameras, live and recorded, behind one small interface."""

from companion.devices.cameras import Camera, CameraInfo, Frame, list_cameras, open_camera
from companion.devices.live import LiveCamera
from companion.devices.recorded import RecordedCamera

__all__ = ["Camera", "CameraInfo", "Frame", "LiveCamera", "RecordedCamera", "list_cameras", "open_camera"]
