"""What a camera and a lamp do to a picture, at random: gain, cast, gradient, glare, blur, noise and its
removal, sharpening, JPEG.

Geometry is not touched here and nothing is ever mirrored.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.draw import sharpen, smear

SMEARED_SHARE, SHARPENED_SHARE = 0.15, 0.3


def photograph(
    rng: np.random.Generator, picture: Image, strength: float = 1.0, blur: float | None = None
) -> Image:
    """A (H, W, 3) uint8 picture as another camera would have taken it.

    strength: of all effects, 1 as a rule; blur: scales blur and sharpening, which otherwise go with the
    picture's size.
    """
    height, width = picture.shape[:2]
    scale = blur or max(0.6, min(height, width) / 300)
    image = np.asarray(cv2.transform(picture.astype(np.float32), _mix_colours(rng, strength)), np.float32)
    _add_light(rng, image, strength)
    if rng.random() < 0.45 * strength:
        image = _blur(rng, image, scale)
    if rng.random() < 0.5:
        loud = rng.uniform(1, 11) if rng.random() < 0.85 else rng.uniform(10, 24)
        noise = rng.standard_normal(image.shape, np.float32)
        noise *= np.float32(loud * strength)
        image += noise
    result = np.clip(image, 0, 255, out=image).astype(np.uint8)
    if rng.random() < SMEARED_SHARE:
        result = smear(rng, result)
    if rng.random() < SHARPENED_SHARE:
        result = sharpen(rng, result, scale)
    if rng.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 95))]
        result = np.asarray(cv2.imdecode(cv2.imencode(".jpg", result, quality)[1], 1), np.uint8)
    return result


def relight(rng: np.random.Generator, picture: Image) -> Image:
    """A (H, W, 3) uint8 picture by another camera, or as it would be in the evening: dim, or in the light of
    a coloured lamp."""
    if rng.random() < 0.25:
        return photograph(rng, picture, 1.3)
    lit = picture.astype(np.float32)
    lamp = rng.integers(3)
    if lamp == 0:
        lit *= np.float32(rng.uniform(0.12, 0.4))
        lit += rng.standard_normal(lit.shape, np.float32) * np.float32(rng.uniform(1, 6))
    else:
        tint = rng.uniform([0.35, 0.65, 0.9], [0.8, 0.95, 1.2]).astype(np.float32)
        lit *= tint if lamp == 1 else tint[::-1]
    return np.clip(lit, 0, 255, out=lit).astype(np.uint8)


def _mix_colours(rng: np.random.Generator, strength: float) -> np.ndarray:
    """The matrix (3, 4) by which colours change: contrast, gain, cast, saturation."""
    gain = np.exp(rng.normal(0, 0.22 * strength)) * np.exp(rng.normal(0, 0.09 * strength, 3))
    if rng.random() < 0.10 * strength:
        gain = gain * rng.uniform(0.3, 1.3, 3)
    if rng.random() < 0.12 * strength:
        gain = gain * rng.uniform(0.15, 0.6)
    middle, contrast = rng.uniform(90, 150), np.exp(rng.normal(0, 0.2 * strength))
    saturation = rng.uniform(0.4, 1.7) if rng.random() < 0.35 else 1.0
    if rng.random() < 0.10 * strength:
        saturation *= 0.2
    mixed = saturation * np.eye(3) + (1 - saturation) / 3
    linear = mixed @ np.diag(gain * contrast)
    return np.column_stack([linear, mixed @ gain * middle * (1 - contrast)]).astype(np.float32)


def _add_light(rng: np.random.Generator, image: np.ndarray, strength: float) -> None:
    """Makes one side of a (H, W, 3) float32 picture brighter, and a spot glare, in place."""
    height, width = image.shape[:2]
    if rng.random() < 0.5:
        x = np.linspace(-1, 1, width, dtype=np.float32) * np.float32(rng.normal(0, 0.25))
        y = np.linspace(-1, 1, height, dtype=np.float32) * np.float32(rng.normal(0, 0.25))
        image *= np.clip(1 + x[None, :] + y[:, None], 0.2, 2)[:, :, None]
    if rng.random() < 0.18 * strength:
        spot_x, spot_y = rng.uniform(0, width), rng.uniform(0, height)
        sx, sy = rng.uniform(0.04, 0.35, 2) * max(height, width)
        gx = np.exp(-(((np.arange(width, dtype=np.float32) - np.float32(spot_x)) / np.float32(sx)) ** 2))
        gy = np.exp(-(((np.arange(height, dtype=np.float32) - np.float32(spot_y)) / np.float32(sy)) ** 2))
        image += (gy[:, None] * gx[None, :] * np.float32(rng.uniform(30, 200)))[:, :, None]


def _blur(rng: np.random.Generator, image: np.ndarray, scale: float) -> np.ndarray:
    kind = rng.integers(4)
    if kind == 3:
        radius = rng.uniform(0.8, 3.2) * scale
        reach = int(np.ceil(radius))
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
        return cv2.filter2D(image, -1, disc / disc.sum())
    if kind == 0:
        return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.6) * scale))
    if kind == 1:
        length = max(2, int(np.exp(rng.uniform(np.log(2), np.log(10))) * scale))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(0, length))), (length - 1, int(rng.integers(0, length))), 1.0)
        kernel = np.rot90(kernel, int(rng.integers(0, 2))) if rng.random() < 0.5 else kernel
        return cv2.filter2D(image, -1, np.ascontiguousarray(kernel / kernel.sum()))
    height, width = image.shape[:2]
    factor = rng.uniform(0.4, 0.9)
    small = cv2.resize(
        image, (max(8, int(width * factor)), max(8, int(height * factor))), interpolation=cv2.INTER_AREA
    )
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
