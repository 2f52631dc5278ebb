"""A drawn table as a camera in somebody's hand sees it: a recording for the live preview."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.tiles import BACK
from lab.scenes.hand import render_hand

HAND = ("1m", "2m", "3m", "5m", "5m", "4p", "5p", "6p", "2s", "3s", "7s", "8s", "9s")
DISCARDS = (("1z", "9p", "3z", "1s", "8m", "2p"), ("7z", "4z", "9m", "6s", "1p", "5z"))
WALL = (BACK,) * 13
WIDTH, HEIGHT = 960, 540
FRAMES, FRAMES_A_SECOND = 120, 15
ROAM = 0.06  # of the table drawn, that the camera wanders to either side


def record(path: Path) -> None:
    """Writes a clip of eight seconds, MJPEG in AVI; it ends where it began, so that it can go round.

    Raises InputError when the file cannot be written.
    """
    table = render_hand([WALL, *DISCARDS, HAND], seed=5, width=WIDTH * 2, height=HEIGHT * 2).image
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FRAMES_A_SECOND, (WIDTH, HEIGHT))
    if not video.isOpened():
        raise InputError("The recording '{file}' cannot be written: check its folder.", file=path)
    try:
        for at in range(FRAMES):
            seen = _make_lens(at / FRAMES)
            video.write(cv2.warpAffine(table, seen, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT))
    finally:
        video.release()


def _make_lens(share: float) -> np.ndarray:
    """The affine map (2, 3) from the table's picture to the camera's at a share of the clip."""
    turn = 2 * np.pi * share
    middle = np.array([WIDTH, HEIGHT]) * (1 + ROAM * np.array([np.sin(turn), 0.6 * np.sin(2 * turn)]))
    matrix = cv2.getRotationMatrix2D(tuple(middle), 2.5 * np.sin(turn), 0.54 + 0.03 * np.cos(turn))
    return np.column_stack([matrix[:, :2], matrix[:, 2] + np.array([WIDTH, HEIGHT]) / 2 - middle])
