"""HLG and PQ pictures of phones, mapped to ordinary ones: the brightness of lamps and of white tiles is kept
apart, where cutting off above the white of ordinary pictures would leave white tiles without their faces.

Light in cd/m² by ITU-R BT.2100-2, tables 4 and 5; highlights rolled off by ITU-R BT.2390-10, section 5.4.1,
to the white of ordinary pictures by ITU-R BT.2408-7, section 2.1. Codes as in ITU-T H.273.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageFilter

from companion.images import Image

PQ, HLG = 16, 18
"""Transfer characteristics, H.273 table 3."""
WIDE = 9
"""Colour primaries of BT.2020, H.273 table 2."""
GRID = 33
"""Places along each side of the table of colours; between them it is interpolated."""
PEAK_CD, WHITE_CD = 1000.0, 203.0
"""Of the brightest light that is kept apart, and of the white of ordinary pictures."""
HLG_GAMMA = 1.2  # of the system, at a peak of 1000 cd/m²
LUMA = np.array([0.2627, 0.6780, 0.0593])
NARROWED = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]])
"""Linear RGB of BT.2020 → BT.709, ITU-R BT.2087-0."""

Colours = NDArray[np.float64]
"""(…, 3) RGB."""


def map_tones(image: Image, transfer: int, primaries: int) -> Image:
    """The picture (H, W, 3), whose values are HLG or PQ by that transfer, as an ordinary one."""
    height, width = image.shape[:2]
    pixels = PillowImage.frombuffer("RGB", (width, height), np.ascontiguousarray(image), "raw", "RGB", 0, 1)
    return np.asarray(pixels.filter(_make_table(transfer, primaries)), np.uint8)


@cache
def _make_table(transfer: int, primaries: int) -> ImageFilter.Color3DLUT:
    """For pixels whose channels are blue, green, red."""
    steps = np.linspace(0, 1, GRID)
    red, green, blue = np.meshgrid(steps, steps, steps, indexing="ij")
    mapped = map_colours(np.stack([red, green, blue], axis=-1), transfer, primaries)
    return ImageFilter.Color3DLUT(GRID, mapped[..., ::-1].astype(np.float32).ravel())


def map_colours(values: Colours, transfer: int, primaries: int) -> Colours:
    """Values 0..1 of HLG or PQ as those of sRGB."""
    light = _light_of_hlg(values) if transfer == HLG else _light_of_pq(values)
    brightest = light.max(axis=-1, keepdims=True)
    light = light * (_roll_off(brightest) / np.maximum(brightest, 1e-6)) / WHITE_CD
    if primaries == WIDE:
        light = light @ NARROWED.T
    light = light.clip(0, 1)
    mapped: Colours = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return mapped


def _light_of_hlg(values: Colours) -> Colours:
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(values <= 0.5, values**2 / 3, (np.exp((values - c) / a) + b) / 12)
    luminance = np.maximum(scene @ LUMA, 1e-9)[..., None]
    light: Colours = PEAK_CD * luminance ** (HLG_GAMMA - 1) * scene
    return light


M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def _light_of_pq(values: Colours) -> Colours:
    root = values ** (1 / M2)
    light: Colours = 10_000 * (np.maximum(root - C1, 0) / (C2 - C3 * root)) ** (1 / M1)
    return light


def _pq_of_light(light: Colours) -> Colours:
    power = (light / 10_000) ** M1
    values: Colours = ((C1 + C2 * power) / (1 + C3 * power)) ** M2
    return values


def _roll_off(light: Colours) -> Colours:
    """Light as it is up to a knee, and up to PEAK_CD within what is left to WHITE_CD."""
    peak, white = (_pq_of_light(np.array(level)) for level in (PEAK_CD, WHITE_CD))
    most = white / peak
    knee = 1.5 * most - 0.5
    values = (_pq_of_light(light) / peak).clip(0, 1)
    t = ((values - knee) / (1 - knee)).clip(0, 1)
    spline = (
        (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (3 * t**2 - 2 * t**3) * most
    )
    return _light_of_pq(np.where(values < knee, values, spline) * peak)
