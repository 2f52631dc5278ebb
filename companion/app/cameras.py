"""How the window finds and opens cameras. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.cameras import CameraInfo
from companion.running.camera_reading import OpenCamera


@dataclass(frozen=True, slots=True)
class Cameras:
    """How cameras are found and opened; `wanted` is the one that the person asked for when starting."""

    list: Callable[[], tuple[CameraInfo, ...]]
    open: OpenCamera
    wanted: str | None = None

    def offer(self) -> tuple[CameraInfo, ...]:
        """The connected cameras; before them the one that the person asked for where it is not among them."""
        found = self.list()
        if self.wanted and self.wanted not in {info.id for info in found}:
            return (CameraInfo(self.wanted, self.wanted), *found)
        return found
