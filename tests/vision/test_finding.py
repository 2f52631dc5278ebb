"""At which scales a picture is looked at."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.vision.candidates import Candidates, short_sides
from companion.vision.finding import LOOK_MAX_PX, find_tiles

SEEN_PX = 14  # width of a tile, from which on it is seen


class Shortsighted:
    """A finder that sees light rectangles plainly where they are wide enough, and grey ones at a score that
    says little."""

    def __init__(self, score: float) -> None:
        self.score = score

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """As the program's."""
        quads, scores = [], []
        for least, score in ((200, 0.9), (60, self.score)):
            outlines, _ = cv2.findContours(
                cv2.inRange(picture[:, :, 0], least, least + 55), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
            )
            for x, y, w, h in map(cv2.boundingRect, outlines):
                if w * scale >= SEEN_PX:
                    quads.append([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
                    scores.append(score)
        found = np.array(quads, np.float32).reshape(-1, 4, 2)
        seen = Candidates.from_finder(found, np.array(scores, np.float32), np.zeros(len(found), np.float32))
        return seen[short_sides(seen.quads) >= least_px]


@pytest.mark.parametrize("score", [0.25, 0.39])
def test_a_picture_in_which_nothing_is_plain_is_looked_at_closer(score: float) -> None:
    picture = np.zeros((1080, 1920, 3), np.uint8)
    picture[200:330, 200:300] = 80
    for x in range(300, 900, 40):
        picture[500:532, x : x + 24] = 240
    found = find_tiles(Shortsighted(score), picture)
    assert (found.scores > 0.8).sum() == 15


class Hasty(Shortsighted):
    """One that places tiles badly where the picture is made very small."""

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """As the program's."""
        seen = super().find(picture, scale, stretch, least_px=least_px)
        is_small = scale * max(picture.shape[:2]) < 230
        return replace(seen, quads=seen.quads + np.float32([60, 0])) if is_small else seen


def test_a_small_picture_is_looked_at_for_giant_tiles_only() -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[180:300, 250:350] = 240
    (quad,) = find_tiles(Hasty(0.9), picture).quads
    assert quad[0] == pytest.approx([250, 180], abs=1)


class Careless:
    """A finder that sees light rectangles, too wide by half unless they have a face's proportions, and keeps
    how far pictures were stretched."""

    def __init__(self) -> None:
        self.stretches: list[float] = []

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """As the program's."""
        self.stretches.append(stretch)
        quads = []
        outlines, _ = cv2.findContours(
            cv2.inRange(picture[:, :, 0], 200, 255), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        height, width = picture.shape[:2]
        for x, y, w, h in map(cv2.boundingRect, outlines):
            if 0 in (x, y, width - x - w, height - y - h):
                continue  # cut by the edge of a part
            wide = w if 0.4 < w / (h * stretch) < 1.6 else 1.5 * w
            quads.append([[x, y], [x + wide, y], [x + wide, y + h], [x, y + h]])
        found = np.array(quads, np.float32).reshape(-1, 4, 2)
        scores = np.full(len(found), 0.8, np.float32)
        seen = Candidates.from_finder(found, scores, np.zeros(len(found), np.float32))
        return seen[short_sides(seen.quads) >= least_px]


@pytest.mark.parametrize(("high", "stretched"), [(32, False), (12, True)])
def test_tiles_seen_from_aside_are_looked_at_in_a_stretched_picture(high: int, stretched: bool) -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    tiles = [(x, y) for y in (200, 320, 480) for x in range(200, 1000, 60)]
    for x, y in tiles:
        picture[y : y + high, x : x + 24] = 240
    finder = Careless()
    found = find_tiles(finder, picture)
    assert (max(finder.stretches) > 1.3) is stretched
    assert len(found) == len(tiles)
    assert np.ptp(found.quads[:, :, 0], axis=1) == pytest.approx(24, abs=1)


class Thrifty(Shortsighted):
    """One that counts the px it is shown."""

    def __init__(self) -> None:
        super().__init__(0.25)
        self.shown_px = 0.0

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """As the program's."""
        self.shown_px += picture.shape[0] * picture.shape[1] * scale**2 * stretch
        return super().find(picture, scale, stretch, least_px=least_px)


def test_only_the_parts_of_a_photo_that_hold_tiles_are_enlarged() -> None:
    picture = np.zeros((3000, 4000, 3), np.uint8)
    tiles = [(x, y) for y in (1000, 2100) for x in range(1200, 2600, 100)]
    for x, y in tiles:
        picture[y : y + 80, x : x + 60] = 240
    finder = Thrifty()
    found = find_tiles(finder, picture)
    assert len(found) == len(tiles)
    assert np.ptp(found.quads[:, :, 0], axis=1) == pytest.approx(60, abs=1)
    assert finder.shown_px < 0.35 * picture.shape[0] * picture.shape[1]


def test_a_photo_full_of_small_tiles_is_looked_at_no_longer_than_a_table() -> None:
    picture = np.zeros((4500, 6000, 3), np.uint8)
    for y in range(100, 4400, 160):
        for x in range(100, 5900, 120):
            picture[y : y + 90, x : x + 70] = 240
    finder = Thrifty()
    assert len(find_tiles(finder, picture)) > 500
    assert finder.shown_px < 3 * LOOK_MAX_PX
