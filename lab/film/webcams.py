"""What cheap cameras and phones make of a picture: bands of lamps on the mains, sharpened edges, the blocks
of Motion JPEG, a mirror image, and the values of HLG.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.images import Image
from lab.film.hlg import show_as_hlg
from lab.scenes.things import Rng

READOUT_S = 0.02
"""From a picture's first line to its last: two periods of the light at 50 Hz."""
EDGE_PX = 1.2
"""Width of the edges that are sharpened."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """band: by which share a lamp on the mains darkens lines, and light_hz: how often it does by the camera's
    clock; sharpening: by how many times edges are overdrawn; quality: of the JPEG of each picture, 1..100,
    100 for none; mirrored: whether left is right; hlg: whether its films are HLG, as phones' are."""

    band: float = 0.0
    light_hz: float = 100.0
    sharpening: float = 0.0
    quality: int = 100
    mirrored: bool = False
    hlg: bool = False

    def take(self, image: Image, t: float) -> Image:
        """The picture (H, W, 3) as this camera sends it, taken at that second."""
        if self.band:
            lines_s = t + READOUT_S * np.arange(len(image)) / len(image)
            gains = 1 - self.band * (0.5 + 0.5 * np.cos(2 * np.pi * self.light_hz * lines_s))
            image = np.clip(image * gains[:, None, None], 0, 255).astype(np.uint8)
        if self.sharpening:
            blurred = cv2.GaussianBlur(image, (0, 0), EDGE_PX)
            image = np.asarray(
                cv2.addWeighted(image, 1 + self.sharpening, blurred, -self.sharpening, 0), np.uint8
            )
        if self.quality < 100:
            _, sent = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
            image = np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)
        if self.hlg:
            image = show_as_hlg(image)
        return np.ascontiguousarray(image[:, ::-1]) if self.mirrored else image


GOOD = Webcam()
"""Which changes nothing."""


def choose_webcam(rng: Rng) -> Webcam:
    """A cheap camera in a room lit at 50 Hz, every fourth of them mirrored; every fifth is a phone, whose
    films are HLG, without blocks of Motion JPEG and drawn edges."""
    webcam = Webcam(
        band=float(rng.uniform(0.05, 0.3)),
        light_hz=100 + float(rng.uniform(-0.6, 0.6)),
        sharpening=float(rng.uniform(0.3, 1.5)),
        quality=int(rng.integers(35, 76)),
        mirrored=bool(rng.random() < 0.25),
    )
    return replace(webcam, sharpening=0.0, quality=100, hlg=True) if rng.random() < 0.2 else webcam
