"""How a side of a tile takes the light of a room: its foot lies in shade, its rounded rims catch the lamps,
a polished back mirrors them.

Shades are worked out for the four corners and the four rims of a side and spread over its texture, so that
they cost a texture's pixels and not the picture's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import Camera, Floats, rotation_z

Floats32 = NDArray[np.float32]

FOOT_SHADE, FOOT_MM = 0.22, 8.0  # how much darker a side is where it meets the table, and how far up
LAMP_TURNS = (0.0, 1.9, -2.3)  # radians about the vertical: the lamp, and two weaker ones of the same room
LAMP_SHARES = (1.0, 0.45, 0.35)


@dataclass(frozen=True, slots=True, eq=False)
class SideLight:
    """What light does to one side. Corners: top left, top right, bottom right, bottom left; rims: top, right,
    bottom, left.

    gain, sheen: (4,) factor and BGR levels added at the corners; rim_gain, rim_sheen: (4,) the same on rims.
    """

    gain: Floats
    sheen: Floats
    rim_gain: Floats
    rim_sheen: Floats


def light_sides(
    corners_mm: Floats,
    normals: Floats,
    camera: Camera,
    lamp: Floats,
    ambient: float,
    gloss: float,
) -> list[SideLight]:
    """The light on n sides with these corners (n, 4, 3) mm and these outward unit normals (n, 3).

    lamp: unit direction towards the lamp; ambient: share of light from all round, 0..1; gloss: 0 matt to 1.
    """
    if not len(normals):
        return []
    view = _normalise(camera.position_mm - corners_mm)
    normal = normals[:, None]
    foot = 1 - FOOT_SHADE * np.exp(-np.maximum(corners_mm[:, :, 2], 0.0) / FOOT_MM)
    bright = _find_brightness(normal, lamp, ambient)
    up, across = corners_mm[:, 0] - corners_mm[:, 3], corners_mm[:, 1] - corners_mm[:, 0]
    outward = _normalise(np.stack([up, across, -up, -across], axis=1))
    rim_gain = _find_brightness((outward + normal) * np.sqrt(0.5), lamp, ambient) / bright
    sheen, rim_sheen = np.zeros((len(normals), 4)), np.zeros((len(normals), 4))
    if gloss > 0:
        sheen = 70.0 * gloss * (1 - np.clip((view * normal).sum(axis=2), 0.0, 1.0)) ** 3
        middle = view.mean(axis=1)
        for turn, share in zip(LAMP_TURNS, LAMP_SHARES, strict=True):
            towards = rotation_z(turn) @ lamp
            facing = np.clip((_normalise(view + towards) * normal).sum(axis=2), 0.0, 1.0)
            sheen = sheen + 120.0 * gloss * share * facing**40
            between = _normalise(middle + towards)
            ahead = (between * normals).sum(axis=1)[:, None]
            aside = (outward * between[:, None]).sum(axis=2)
            along = np.clip(ahead**2 + aside**2, 0.0, 1.0)
            rim_sheen = rim_sheen + 95.0 * gloss * share * along**10 * ((aside > -0.05) & (ahead > 0))
    return [SideLight(*light) for light in zip(bright * foot, sheen, rim_gain, rim_sheen, strict=True)]


def _normalise(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return vectors / lengths


def _find_brightness(normals: Floats, lamp: Floats, ambient: float) -> Floats:
    """Brightness of surfaces with these normals (..., 3), about 0.5..1.1: (...)."""
    sky = ambient * (0.93 + 0.07 * normals[..., 2])
    lit: Floats = sky + (1.1 - ambient) * np.maximum(0.0, normals @ lamp)
    return lit


@lru_cache(maxsize=512)
def _weigh_rims(height: int, width: int, rim_px: int) -> tuple[Floats32, Floats32]:
    """Weights (4, height × width) of the four rims: of their gain, and of the narrower light they catch."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = (np.stack([y, width - 1 - x, height - 1 - y, x]) / max(1, rim_px)).astype(np.float32)
    gain: Floats32 = np.clip(1 - away, 0, 1)
    caught: Floats32 = np.clip(1 - np.abs(away - 0.55) / 0.55, 0, 1)
    return gain.reshape(4, -1), caught.reshape(4, -1)


def light_texture(texture: Image, light: SideLight, rim: float) -> Image:
    """A BGRA texture in that light, premultiplied; rim: the width of its rims as a share of its width."""
    height, width = texture.shape[:2]
    corners = np.array([light.gain, light.sheen], np.float32)[:, [0, 1, 3, 2]].reshape(2, 2, 2)
    spread = cv2.resize(np.ascontiguousarray(corners.transpose(1, 2, 0)), (width, height))
    gain, sheen = spread[:, :, 0], spread[:, :, 1]
    rim_px = round(rim * width)
    if rim_px >= 1:
        gain_of, caught_of = _weigh_rims(height, width, rim_px)
        gain = gain * (1 + (light.rim_gain - 1).astype(np.float32) @ gain_of).reshape(height, width)
        sheen = sheen + (light.rim_sheen.astype(np.float32) @ caught_of).reshape(height, width)
    factor = np.minimum(gain * 128, 255).astype(np.uint8)
    added = np.minimum(sheen, 255).astype(np.uint8)
    alpha = texture[:, :, 3]
    shone = cv2.multiply(texture[:, :, :3], cv2.merge([factor] * 3), scale=1 / 128)
    shone = cv2.add(shone, cv2.merge([added] * 3))
    shone = cv2.multiply(shone, cv2.merge([alpha] * 3), scale=1 / 255)
    result = np.empty_like(texture)
    result[:, :, :3] = shone
    result[:, :, 3] = alpha
    return result
