"""When a camera keeps its focus and its light: pictures of a second each, as they change."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.cameras.capture_process import Holding
from companion.images import Image
from companion.live.holding import CameraHolder

SHARP = np.kron(np.indices((60, 60)).sum(axis=0) % 2 * 180 + 40, np.ones((12, 12))).astype(np.uint8)


def make_picture(light: float = 1.0, blur_px: float = 0.0) -> Image:
    grey = SHARP * light
    if blur_px:
        grey = cv2.GaussianBlur(grey, (0, 0), blur_px)
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


PICTURES = {
    "good": (make_picture(), True), "lost": (make_picture(), False), "dark": (make_picture(0.6), True),
    "blurred": (make_picture(blur_px=3), True), "arm": (make_picture(0.7, 2), True),
}  # fmt: skip


class Camera:
    """What it is told, with the second."""

    def __init__(self) -> None:
        self.now = 0
        self.told: list[tuple[int, object, bool]] = []

    def hold(self, what: Holding, is_held: bool) -> None:
        self.told.append((self.now, what, is_held))

    def switch_mains(self) -> None:
        self.told.append((self.now, "mains", True))


def watch(*seconds: tuple[str, int]) -> list[tuple[int, object, bool]]:
    """What was held and freed, with its second, while each kind of picture came for so many seconds."""
    camera = Camera()
    holder = CameraHolder(camera)
    kinds = [kind for kind, count in seconds for _ in range(count)]
    for camera.now, kind in enumerate(kinds):
        image, is_found = PICTURES[kind]
        holder.look(image, float(camera.now), is_found)
        holder.look(image, camera.now + 0.3, is_found)
    return camera.told


BOTH = (Holding.FOCUS, Holding.LIGHT)


def test_the_camera_is_held_once_the_table_is_found_and_free_where_it_is_lost() -> None:
    assert watch(("lost", 5), ("good", 60)) == [(8, what, True) for what in BOTH]
    assert watch(("good", 20), ("lost", 2), ("good", 20)) == [(3, what, True) for what in BOTH]
    freed = watch(("good", 20), ("lost", 10), ("good", 10))[2:]
    assert freed == [*((23, what, False) for what in BOTH), *((33, what, True) for what in BOTH)]


def test_an_arm_changes_nothing() -> None:
    assert watch(("good", 20), ("arm", 4), ("good", 20), ("arm", 4), ("good", 9)) == [
        (3, what, True) for what in BOTH
    ]


@pytest.mark.parametrize(("kind", "what"), [("dark", Holding.LIGHT), ("blurred", Holding.FOCUS)])
def test_a_picture_that_gets_worse_is_adjusted_and_held_again(kind: str, what: Holding) -> None:
    later = watch(("good", 20), (kind, 30))[2:]
    assert later == [(25, what, False), (29, what, True)]


@pytest.mark.parametrize(("kind", "what"), [("dark", Holding.LIGHT), ("blurred", Holding.FOCUS)])
def test_a_camera_that_jumps_when_it_is_held_is_not_held_again(kind: str, what: Holding) -> None:
    later = watch(("good", 4), (kind, 10), ("good", 60))[2:]
    assert later == [(9, what, False)]


def test_mains_are_switched_where_the_light_flickers_and_back_where_it_still_does() -> None:
    camera = Camera()
    holder = CameraHolder(camera)
    rows = np.arange(720)[:, None, None]
    for camera.now in range(60):
        bands = 1 + 0.08 * np.sin(rows / 60 + 2.1 * camera.now)
        holder.look((make_picture(0.8) * bands).astype(np.uint8), float(camera.now), camera.now > 0)
    switched = [t for t, what, _ in camera.told if what == "mains"]
    assert switched == [11, 23], "never again"
    assert [(t, held) for t, what, held in camera.told if what is Holding.LIGHT][:3] == [
        (4, True), (11, False), (15, True),
    ]  # fmt: skip
