"""The values and the interface that every camera shares."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from companion.images import Image


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera that can be opened: `id` is for `open_camera`, `name` is for people."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a camera: `image` (height, width, 3) uint8 BGR, `t_ns` when it came.

    `t_ns` counts nanoseconds of the monotonic clock; for a recording, from the recording's first picture.
    """

    image: Image
    t_ns: int


class Camera(Protocol):
    """An open camera, closed by `close` or at the end of a `with` block; closing twice is harmless."""

    def read(self) -> Frame:
        """The next frame, waiting for it. Raises CameraError when none comes: unplugged, stuck or closed."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
