"""What a telephone does to what it sees, as the last step: shake and rolling shutter, light and white
balance, noise and its removal, sharpening, JPEG. The truth moves along where the picture is bent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.draw import Scene
from lab.scenes.things import Rng

FRAMES = ((1280, 960), (1280, 720), (1200, 800), (960, 1280), (720, 1280), (800, 1200))
"""Width and height of pictures in the proportions that telephones take, lying and upright."""

BARELY_SHARE = 0.85  # of blurred pictures that are blurred hardly more than a good lens blurs

# Gains of blue, green and red: lamps of homes, of clubs, daylight from a window, the pink of a wrong balance.
LAMPS = ((0.68, 0.88, 1.0), (0.9, 1.0, 1.0), (1.0, 0.97, 0.86), (0.86, 0.86, 1.0), (0.8, 1.0, 0.95))


def choose_frame(rng: Rng) -> tuple[int, int]:
    """Width and height of a picture, px."""
    return FRAMES[int(rng.integers(len(FRAMES)))]


def take_scene(rng: Rng, scene: Scene, strength: float = 1.0) -> Scene:
    """The scene as a telephone would have taken it; strength: 0 as good as possible, 1 as they are in use."""
    scene = _shear(rng, scene, strength)
    image = scene.image
    if rng.random() < 0.5 * strength:
        image = _blur(rng, image)
    image = _expose(rng, image, strength)
    if rng.random() < 0.6 * strength:
        image = _add_noise(rng, image, strength)
        if rng.random() < 0.6:
            image = smear(rng, image)
    if rng.random() < 0.6 * strength:
        image = sharpen(rng, image)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(round(94 - 50 * strength), 96))]
    return replace(
        scene, image=np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], 1), np.uint8)
    )


def shrink_scene(scene: Scene, share: float) -> Scene:
    """The scene as a smaller picture, truth and all."""
    height, width = scene.image.shape[:2]
    size = max(1, round(width * share)), max(1, round(height * share))
    image = np.asarray(cv2.resize(scene.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _map_scene(scene, image, np.array([[size[0] / width, 0, 0], [0, size[1] / height, 0]]))


def cut_scene(scene: Scene, left: int, top: int, width: int, height: int) -> Scene:
    """A part of the scene; what it shows of a tile that is cut counts as visible."""
    part = scene.image[top : top + height, left : left + width].copy()
    moved = _map_scene(scene, part, np.array([[1.0, 0, -left], [0, 1.0, -top]]))
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tiles = []
    for tile in moved.tiles:
        quad = np.array(tile.quad, np.float32)
        area = max(1e-6, cv2.contourArea(quad))
        share = float(cv2.intersectConvexConvex(quad, frame)[0]) / area
        if share > 0:
            tiles.append(replace(tile, visible=min(tile.visible, share)))
    return replace(moved, tiles=tuple(tiles))


def _map_scene(scene: Scene, image: Image, matrix: np.ndarray) -> Scene:
    """A scene with another picture, to which this affine map (2, 3) takes its points."""

    def bend(quad: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        points = np.array(quad) @ matrix[:, :2].T + matrix[:, 2]
        return tuple((float(x), float(y)) for x, y in points)

    tiles = tuple(replace(tile, quad=bend(tile.quad)) for tile in scene.tiles)
    return Scene(image, tiles, tuple(bend(decoy) for decoy in scene.decoys))


def _shear(rng: Rng, scene: Scene, strength: float) -> Scene:
    """Rolling shutter: lines taken later are shifted or squeezed, as far as a moving hand does that."""
    if rng.random() > 0.3 * strength:
        return scene
    height, width = scene.image.shape[:2]
    shear, stretch = float(rng.normal(0, 0.012)), float(rng.normal(0, 0.008))
    matrix = np.array([[1.0, shear, -shear * height / 2], [0.0, 1 + stretch, -stretch * height / 2]])
    image = cv2.warpAffine(scene.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return _map_scene(scene, np.asarray(image, np.uint8), matrix)


def _blur(rng: Rng, image: Image) -> Image:
    """Out of focus or shaken, by some thousandths of the picture's width."""
    thousandths = rng.uniform(0.2, 0.8) if rng.random() < BARELY_SHARE else rng.uniform(0.8, 1.7)
    reach = float(thousandths) * max(image.shape[:2]) / 1000
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.4, reach)), np.uint8)
    length = 2 * max(1, round(reach * 2)) + 1
    kernel = np.zeros((length, length), np.float32)
    start = int(rng.integers(0, length))  # a line through the middle, so that nothing is shifted
    cv2.line(kernel, (0, start), (length - 1, length - 1 - start), 1.0)
    kernel = kernel if rng.random() < 0.5 else kernel.T
    return np.asarray(cv2.filter2D(image, -1, np.ascontiguousarray(kernel / kernel.sum())), np.uint8)


def _expose(rng: Rng, image: Image, strength: float) -> Image:
    """Exposure, white balance, the curve of contrast, and darker corners."""
    gains = np.array(LAMPS[int(rng.integers(len(LAMPS)))]) ** (strength * float(rng.uniform(0, 1)))
    dim = rng.random() < 0.14 * strength
    level = float(rng.uniform(0.4, 0.7)) if dim else float(np.exp(rng.normal(0.06, 0.14 * strength)))
    curve = float(np.exp(rng.normal(0, 0.12 * strength)))
    steps = np.arange(256) / 255
    tables = [np.clip(255 * (np.clip(steps * gain * level, 0, None) ** curve), 0, 255) for gain in gains]
    result = cv2.LUT(image, np.stack(tables, axis=1).astype(np.uint8)[:, None])
    if rng.random() < 0.5 * strength:
        height, width = image.shape[:2]
        y, x = np.mgrid[-1:1:33j, -1:1:33j]
        dark = 255 * (1 - float(rng.uniform(0.05, 0.35)) * (x * x + y * y) / 2)
        falls = cv2.resize(dark.astype(np.uint8), (width, height), interpolation=cv2.INTER_LINEAR)
        result = cv2.multiply(result, cv2.merge([falls, falls, falls]), scale=1 / 255)
    return np.asarray(result, np.uint8)


def _add_noise(rng: Rng, image: Image, strength: float) -> Image:
    """Grain of the sensor, in brightness fine, in colour coarse."""
    height, width = image.shape[:2]
    loud = float(np.exp(rng.uniform(np.log(1.0), np.log(9.0)))) * strength
    fine = rng.standard_normal((height // 2 + 1, width // 2 + 1), np.float32) * np.float32(loud)
    how = cv2.INTER_NEAREST if rng.random() < 0.3 else cv2.INTER_LINEAR
    grain = cv2.resize(fine, (width, height), interpolation=how)
    coarse = rng.standard_normal((height // 4 + 1, width // 4 + 1, 3), np.float32)
    blotches = cv2.resize(coarse * np.float32(loud * rng.uniform(0, 0.8)), (width, height))
    return np.asarray(cv2.add(image, cv2.add(blotches, cv2.merge([grain] * 3)), dtype=cv2.CV_8U), np.uint8)


def smear(rng: Rng, image: Image) -> Image:
    """A (H, W, 3) uint8 picture as removing noise leaves it: small things run together like water colours,
    edges stay."""
    smooth = cv2.medianBlur(image, 3 if rng.random() < 0.6 else 5)
    share = float(rng.uniform(0.4, 1.0))
    return np.asarray(cv2.addWeighted(smooth, share, image, 1 - share, 0), np.uint8)


def sharpen(rng: Rng, image: Image, scale: float = 1.0) -> Image:
    """A (H, W, 3) uint8 picture with the rims of sharpening, 0.7 to 2 times `scale` px wide."""
    return add_rims(image, float(rng.uniform(0.7, 2.0)) * scale, float(rng.uniform(0.3, 1.6)))


def add_rims(image: Image, reach_px: float, amount: float) -> Image:
    """A (H, W, 3) uint8 picture with the bright and dark rims of sharpening, so wide and so strong."""
    soft = cv2.GaussianBlur(image, (0, 0), reach_px)
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)
