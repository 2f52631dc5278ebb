"""A film of a person's own table to be given to others: faces are blurred and no hand can be read in it.

Where it is not known where the hands are, the whole picture is coarse. A film of which nothing else could be
shown is refused: it would help nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2

from companion.errors import MissingError
from companion.files import restrict_to_owner
from companion.images import Image
from companion.seeing.private_pictures import make_coarse
from companion.sentences import msgid

FILM = "film.mp4"
FRAMES_PER_S = 10.0
CODEC = "mp4v"  # which OpenCV's wheels write everywhere
GAP_MAX_S = 60.0
"""A longer gap between two pictures is filled as if it were that long."""
NOT_MASKED = msgid(
    "The film was not recorded: the table was never seen clearly enough to mask the players' hands. Show all"
    " of the table from above, in good light, and record again."
)
CANNOT_FILM = msgid("The film '{file}' cannot be written: check its folder and the room on its disk.")


class ContributedFilm:
    """Writes the film into that folder. blur: a copy of the newest picture in which people are blurred; None
    where it is not known where hands are. Raises MissingError where it cannot be written."""

    def __init__(self, folder: Path, blur: Callable[[Image], Image | None]) -> None:
        self._path = folder / FILM
        self._blur = blur
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._written = self._masked = 0
        self._last_s = 0.0

    def take(self, t: float, image: Image) -> None:
        """A picture (H, W, 3) was taken at second t."""
        count = max(1, round(min(t - self._last_s, GAP_MAX_S) * FRAMES_PER_S)) if self._written else 1
        if self._written and t - self._last_s < 1 / FRAMES_PER_S - 1e-6:
            return
        self._last_s = t
        blurred = self._blur(image)
        self._masked += blurred is not None
        shown = make_coarse(image) if blurred is None else blurred
        writer = self._writer or self._open(shown)
        if (shown.shape[1], shown.shape[0]) != self._size:
            shown = cv2.resize(shown, self._size)  # type: ignore[assignment]
        for _ in range(count):
            writer.write(shown)
        self._written += count

    def close(self) -> None:
        """End the film. Raises MissingError, and leaves none, where hands could never be masked."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.release()
        if not self._masked:
            self._path.unlink(missing_ok=True)
            raise MissingError(NOT_MASKED)

    def _open(self, first: Image) -> cv2.VideoWriter:
        height, width = first.shape[:2]
        self._size = (width, height)
        writer = cv2.VideoWriter(str(self._path), cv2.VideoWriter.fourcc(*CODEC), FRAMES_PER_S, self._size)
        if not writer.isOpened():
            raise MissingError(CANNOT_FILM, file=self._path)
        restrict_to_owner(self._path)
        self._writer = writer
        return writer
