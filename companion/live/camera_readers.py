"""The cameras that a running game reads, each by one reader at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # which brings OpenCV, and many games have no camera
    from companion.live.camera_reading import (
        CameraListener,
        CameraReader,
        OpenCamera,
        ReadImage,
        TimedReading,
    )


class CameraReaders:
    """Safe for threads. `note` gets every reading with the name of its camera, on the reader's thread."""

    def __init__(self, note: Callable[[str, TimedReading], None]) -> None:
        self._note = note
        self._readers: list[CameraReader] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def read(
        self, camera: str, open_camera: OpenCamera, read: ReadImage | None, listener: CameraListener
    ) -> CameraReader:
        """Read the tiles in a camera's pictures, opened when those stopped before are free. An earlier
        reader of the same camera, whichever of its ids is given, is stopped; after `stop` the new one is
        stopped at once.
        """
        from companion.cameras import find_id
        from companion.live.camera_reading import CameraReader

        camera = find_id(camera)

        def note(reading: TimedReading) -> None:
            listener.reading(reading)
            self._note(camera, reading)

        with self._lock:
            self._readers = [each for each in self._readers if not each.ended.is_set()]
            for each in self._readers:
                if each.camera == camera:
                    each.stop()
            after = [each for each in self._readers if each.is_stopped]
            reader = CameraReader(camera, open_camera, read, replace(listener, reading=note), after=after)
            self._readers.append(reader)
            if self._is_closed:
                reader.stop()
            reader.start()
        return reader

    def stop(self) -> None:
        """Stop all that read, and whatever is to read later."""
        with self._lock:
            self._is_closed = True
            for reader in self._readers:
                reader.stop()
