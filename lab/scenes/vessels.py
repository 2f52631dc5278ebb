"""Cups, glasses, cans and bottles at the sides of a table, round, seen from anywhere."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import Camera, Floats, rotation_z, round_to_pixels
from lab.scenes.tabletop import QUARTER
from lab.scenes.things import Colour, Rng, choose_colour, choose_dark_colour, choose_pale_colour

SIDES = 24


@dataclass(frozen=True, slots=True)
class Vessel:
    """Where it stands, the radii of its foot and mouth, its height, all mm; its colour, that of a band round
    it, and what is in it."""

    x_mm: float
    y_mm: float
    foot_mm: float
    mouth_mm: float
    high_mm: float
    colour: Colour
    band: Colour
    drink: Colour


def place_random_vessels(rng: Rng, half_mm: float) -> tuple[Vessel, ...]:
    """Those of up to three players, beside the corners of a table with this half side."""
    vessels = []
    for _ in range(int(rng.choice(4, p=[0.55, 0.25, 0.13, 0.07]))):
        side = rotation_z(float(rng.integers(4)) * QUARTER)
        along = float(rng.choice([-1, 1])) * rng.uniform(0.65, 1.05) * half_mm
        x, y, _ = side @ np.array([along, -half_mm * rng.uniform(0.98, 1.12), 0.0])
        mouth = float(rng.uniform(22, 45))
        foot, high = mouth * float(rng.uniform(0.7, 1.0)), float(rng.uniform(60, 190))
        colour = choose_pale_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
        kinds = (colour, choose_colour(rng), choose_dark_colour(rng))
        vessels.append(Vessel(float(x), float(y), foot, mouth, high, *kinds))
    return tuple(vessels)


def draw_vessel(vessel: Vessel, camera: Camera) -> tuple[Image, Floats] | None:
    """Draw a vessel: a BGRA picture and its quad in px, or None where the camera is in or before it."""
    turns = np.arange(SIDES) * 2 * np.pi / SIDES
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    heights = (0.0, 0.35, 0.75, 1.0)
    levels = []
    for share in heights:
        radius = vessel.foot_mm + (vessel.mouth_mm - vessel.foot_mm) * share
        around = ring * radius + [vessel.x_mm, vessel.y_mm]
        levels.append(camera.project(np.column_stack([around, np.full(SIDES, share * vessel.high_mm)])))
    seen = np.stack(levels)
    if (
        not np.all(np.isfinite(seen))
        or np.ptp(seen.reshape(-1, 2), axis=0).max() > 4 * camera.centre_px.max()
    ):
        return None
    low = np.floor(seen.min(axis=(0, 1))) - 2
    wide, high = (np.ceil(seen.max(axis=(0, 1))) + 2 - low).astype(int)
    picture = np.zeros((int(high), int(wide), 4), np.uint8)
    seen = seen - low
    outward = (camera.position_mm[:2] - [vessel.x_mm, vessel.y_mm]) @ ring.T
    for index in np.argsort(outward):  # the sides turned away first
        after = (index + 1) % SIDES
        bright = 0.72 + 0.33 * float(np.cos(turns[index] - 2.2)) ** 2
        for level in range(3):
            colour = vessel.band if level == 1 else vessel.colour
            quad = seen[[level, level, level + 1, level + 1], [index, after, after, index]]
            shade = tuple(min(255.0, c * bright) for c in colour)
            cv2.fillConvexPoly(picture, round_to_pixels(quad), (*shade, 255.0), cv2.LINE_AA)
    cv2.fillConvexPoly(
        picture, round_to_pixels(seen[3]), (*(float(c) for c in vessel.colour), 255.0), cv2.LINE_AA
    )
    inner = seen[3].mean(axis=0) + (seen[3] - seen[3].mean(axis=0)) * 0.85
    cv2.fillConvexPoly(
        picture, round_to_pixels(inner), (*(float(c) for c in vessel.drink), 255.0), cv2.LINE_AA
    )
    x1, y1 = low[0] + wide, low[1] + high
    return picture, np.array([[low[0], low[1]], [x1, low[1]], [x1, y1], [low[0], y1]])
