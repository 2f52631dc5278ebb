"""The picture of a winning hand, cut out of the picture that it was entered from and stored next to the
game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.app.news import HandPicture
from companion.errors import CompanionError, InputError
from companion.foreign import reading
from companion.game.pictures import NO_PICTURE, keep_picture
from companion.images import Image, Quad
from companion.sentences import Sentence
from companion.table.events import Event, Won

MARGIN = 0.4
"""Margin around the hand, in heights of a tile: the rest of the table is cut away."""
QUALITY_PERCENT = 95


def keep_pictures(
    game: Path,
    wins: Sequence[tuple[int, Won]],
    pictures: Sequence[HandPicture | None],
    load: Callable[[Path], Image],
) -> Sentence | None:
    """Keep the picture of each of these wins, if there is one; why one could not be kept, or None.

    game: its file. wins: with the numbers of their events, in the order of `pictures`. load: opens a picture
    file.
    """
    trouble: Sentence | None = None
    for (number, won), picture in zip(wins, pictures, strict=True):
        if picture is None:
            continue
        try:
            with reading(lambda why: InputError(NO_PICTURE)):
                keep_picture(game, number, won, encode_hand(load(picture.path), picture.quads))
        except CompanionError as error:
            trouble = Sentence("Entered. Its picture could not be saved: {why}", {"why": error.sentence})
    return trouble


def encode_hand(image: Image, quads: Sequence[Quad]) -> bytes:
    """A JPEG of the part of the picture that shows these tiles; quads: px."""
    corners = np.array(quads, np.float64).reshape(-1, 2)
    tiles = np.array(quads, np.float64)
    margin = MARGIN * float(np.median(np.linalg.norm(tiles[:, 3] - tiles[:, 0], axis=1)))
    height, width = image.shape[:2]
    left, top = np.maximum(corners.min(axis=0) - margin, 0).astype(int)
    right, bottom = np.minimum(corners.max(axis=0) + margin, (width, height)).astype(int)
    _, content = cv2.imencode(
        ".jpg", image[top:bottom, left:right], [cv2.IMWRITE_JPEG_QUALITY, QUALITY_PERCENT]
    )
    return content.tobytes()


def list_wins(events: Iterable[tuple[int, Event]]) -> list[tuple[int, Won]]:
    """The wins among numbered events."""
    return [(number, event) for number, event in events if isinstance(event, Won)]
