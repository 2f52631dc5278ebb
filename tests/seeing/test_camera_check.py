"""What is measured of a camera's pictures agrees with how they were made, and bad ones have advice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.seeing.camera_check import Aspect, Finding, check_camera, measure_blur, measure_flicker
from companion.seeing.table_camera import LOW, TableCamera

ABOVE = np.array([[500, 1040], [1420, 1040], [1420, 120], [500, 120]])
FROM_SIDE = np.array([[300, 900], [1620, 900], [1280, 520], [640, 520]])


def draw_squares(level: int = 230, size: tuple[int, int] = (1080, 1920)) -> Image:
    """White squares on a dark cloth."""
    image = np.full((*size, 3), 60, np.uint8)
    for y in range(20, size[0] - 40, 60):
        for x in range(20, size[1] - 30, 45):
            cv2.rectangle(image, (x, y), (x + 25, y + 34), (level,) * 3, -1)
    return image


def check(image: Image, corners: np.ndarray | None = ABOVE) -> dict[Aspect, Finding]:
    height, width = image.shape[:2]
    camera = None if corners is None else TableCamera.from_corners(corners, width, height)
    greys = [np.full((180, 320), 100, np.uint8)] * 5
    return {each.aspect: each for each in check_camera(image, greys, camera)}


def list_bad(findings: dict[Aspect, Finding]) -> set[Aspect]:
    bad = {aspect for aspect, finding in findings.items() if finding.good is False}
    assert bad == {aspect for aspect, finding in findings.items() if finding.advice is not None}
    return bad


@pytest.mark.parametrize("blur_px", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_blur_is_measured_in_px(blur_px: float, noise: float) -> None:
    blurred = cv2.GaussianBlur(draw_squares()[..., 0], (0, 0), blur_px).astype(np.float32)
    noisy = blurred + np.random.default_rng(1).normal(0, noise, blurred.shape) if noise else blurred
    grey = np.clip(noisy, 0, 255).astype(np.uint8)
    assert measure_blur(grey) == pytest.approx(blur_px, abs=0.3)


def test_a_sharp_picture_and_one_without_an_edge() -> None:
    assert measure_blur(draw_squares()[..., 0]) < 0.8
    assert np.isnan(measure_blur(np.full((100, 100), 9, np.uint8)))


def film_bands(amplitude: float, noise: float = 2.0) -> list[np.ndarray]:
    """Rows of a rolling shutter under lamps that flicker by this much; an arm moves over two fifths."""
    rng, rows = np.random.default_rng(2), np.arange(180)
    pictures = []
    for number in range(12):
        picture = np.tile(np.linspace(40, 200, 320), (180, 1))
        picture *= 1 + amplitude * np.sin(rows / 12 + 2.1 * number)[:, None]
        picture[:, 20 * (number % 6) : 20 * (number % 6) + 128] = 90
        pictures.append(np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8))
    return pictures


def test_flicker_is_measured_behind_an_arm() -> None:
    assert measure_flicker(film_bands(0.0)) < 0.005
    assert measure_flicker(film_bands(0.08)) == pytest.approx(0.08 / np.sqrt(2), rel=0.4)
    assert np.isnan(measure_flicker(film_bands(0.08)[:2]))


def test_a_good_place_needs_no_advice() -> None:
    findings = check(draw_squares())
    assert list_bad(findings) == set()
    assert (findings[Aspect.RESOLUTION].shown, findings[Aspect.TABLE].shown) == ("1920×1080", "4/4")
    assert findings[Aspect.OBLIQUENESS].value == pytest.approx(90, abs=2)
    assert findings[Aspect.TILE_SIZE].value == pytest.approx(35 * 920 / 800, rel=0.03)


@pytest.mark.parametrize(
    ("image", "bad"),
    [
        (draw_squares(70), {Aspect.EXPOSURE}),
        (draw_squares(255), {Aspect.EXPOSURE, Aspect.GLARE}),
        (cv2.GaussianBlur(draw_squares(), (0, 0), 3), {Aspect.SHARPNESS}),
        (cv2.rectangle(draw_squares(), (700, 300), (850, 450), (255,) * 3, -1), {Aspect.GLARE}),
    ],
)
def test_light_and_focus(image: Image, bad: set[Aspect]) -> None:
    assert list_bad(check(image)) == bad


def test_the_place_of_the_camera() -> None:
    low = check(draw_squares(), FROM_SIDE)
    assert list_bad(low) == {Aspect.TILE_SIZE, Aspect.OBLIQUENESS}
    assert low[Aspect.OBLIQUENESS].advice is not None
    assert low[Aspect.OBLIQUENESS].advice.template == LOW
    assert list_bad(check(draw_squares(), np.add(ABOVE, (0, 200)))) == {Aspect.TABLE}


def test_a_small_camera_and_no_table() -> None:
    findings = check(draw_squares(size=(480, 640)), None)
    assert list_bad(findings) == {Aspect.RESOLUTION, Aspect.TABLE}
    assert findings[Aspect.TILE_SIZE].good is None
    assert "19 px high at best" in str(findings[Aspect.RESOLUTION].advice)
