"""What makes a real table hard to follow, laid out over a film by a seed: bumps of the camera, a lamp that is
switched, a lens that hunts for focus and exposure, people who lean in, noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.film.timeline import Slips, ease
from lab.scenes.geometry import Floats
from lab.scenes.lens import LAMPS
from lab.scenes.things import Rng

SHAKE_S = 0.7  # how long a camera trembles after a bump
SHAKE_HZ = 6.0
SHUTTER_S = 1 / 40  # how long the shutter is open
READOUT_S = 0.02  # from a picture's first line to its last
FADE_S = 0.15  # in which a lamp is switched
LEAN_SHARE = 0.3  # of a lean's time in which somebody comes, and goes
Gains = tuple[float, float, float]
"""Factors of blue, green and red."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is pushed: turned by so many radians for good, and trembles by `shake_px`."""

    t: float
    yaw: float
    pitch: float
    roll: float
    shake_px: float


@dataclass(frozen=True, slots=True)
class Hunt:
    """For a while the lens is out by up to `strength`: px of blur, or a factor of exposure."""

    t: float
    long_s: float
    strength: float

    def measure(self, t: float) -> float:
        """How far it is out at that second: 0 before and after, up to ±strength."""
        share = (t - self.t) / self.long_s
        if not 0 < share < 1:
            return 0.0
        return self.strength * float(np.sin(np.pi * share) * np.cos(1.5 * np.pi * (share - 0.3)))


@dataclass(frozen=True, slots=True)
class Switch:
    """From then on a lamp gives this light."""

    t: float
    gains: Gains


@dataclass(frozen=True, slots=True)
class Lean:
    """Somebody leans over the table: `along_mm` right of the middle, `in_mm` in."""

    seat: int
    t: float
    long_s: float
    along_mm: float
    in_mm: float

    def measure(self, t: float) -> float:
        """How far in the head is at that second, 0..1."""
        share = (t - self.t) / self.long_s
        if not 0 < share < 1:
            return 0.0
        return ease(min(share, 1 - share) / LEAN_SHARE)


@dataclass(frozen=True, slots=True)
class Disturbances:
    """All of them, in the order of time. noise: levels of the sensor's grain; fall: how much darker the
    corners are; light: of the lamps at first."""

    bumps: tuple[Bump, ...] = ()
    focus: tuple[Hunt, ...] = ()
    exposure: tuple[Hunt, ...] = ()
    lamps: tuple[Switch, ...] = ()
    leans: tuple[Lean, ...] = ()
    noise: float = 0.0
    fall: float = 0.0
    light: Gains = (1.0, 1.0, 1.0)
    moving: bool = False
    """Whether what moves is smeared, and picture lines are taken one after the other."""

    def find_light(self, t: float) -> Floats:
        """The gains (3,) of blue, green and red at that second."""
        light = np.array(self.light)
        for switch in self.lamps:
            light = light + (np.array(switch.gains) - light) * ease((t - switch.t) / FADE_S)
        hunted: Floats = light * float(np.exp(sum(hunt.measure(t) for hunt in self.exposure)))
        return hunted

    def find_blur(self, t: float) -> float:
        """How far the picture is out of focus at that second, px."""
        return max((abs(hunt.measure(t)) for hunt in self.focus), default=0.0)

    def find_turn(self, t: float) -> tuple[float, float, float]:
        """How far the camera has been turned for good: yaw, pitch and roll in radians."""
        past = [bump for bump in self.bumps if bump.t <= t]
        turns = [(bump.yaw, bump.pitch, bump.roll) for bump in past]
        yaw, pitch, roll = np.sum(turns, axis=0) if turns else (0.0, 0.0, 0.0)
        return float(yaw), float(pitch), float(roll)

    def find_shake(self, t: float) -> tuple[float, float]:
        """How far the picture is off by the camera's trembling at that second, x and y in px."""
        x = y = 0.0
        for bump in self.bumps:
            since = t - bump.t
            if 0 <= since < SHAKE_S:
                size = bump.shake_px * float(np.exp(-4 * since / SHAKE_S)) * (1 - since / SHAKE_S)
                x += size * float(np.cos(2 * np.pi * SHAKE_HZ * since))
                y += 0.7 * size * float(np.sin(2 * np.pi * 1.3 * SHAKE_HZ * since))
        return x, y

    def find_lean(self, seat: int, t: float) -> tuple[float, float]:
        """How far right of the seat's middle its player's head is, and how far in, mm."""
        for lean in self.leans:
            if lean.seat == seat and (share := lean.measure(t)):
                return lean.along_mm * share, lean.in_mm * share
        return 0.0, 0.0

    def shakes(self, start: float, end: float) -> bool:
        """Whether the camera is bumped or trembles between these seconds."""
        return any(bump.t < end and bump.t + SHAKE_S > start for bump in self.bumps)

    def leans_in(self, start: float, end: float) -> bool:
        """Whether somebody leans over the table between these seconds."""
        return any(lean.t < end and lean.t + lean.long_s > start for lean in self.leans)


CALM = Disturbances()


def choose_slips(rng: Rng) -> Slips:
    """How carefully people at a table play."""
    nudged, turned, early = rng.uniform([0.05, 0.01, 0.2], [0.35, 0.06, 0.7])
    return Slips(float(nudged), float(turned), float(early))


def choose_disturbances(rng: Rng, end_s: float, pace: float, focal_px: float) -> Disturbances:
    """Disturbances of a film that long, of people who play `pace` times as quickly as usual.

    focal_px: of the camera, for how many px a turn is.
    """
    minutes = end_s * pace / 60

    def pick(a_minute: float) -> list[float]:
        return sorted(float(t) for t in rng.uniform(1.0, end_s, int(rng.poisson(a_minute * minutes))))

    def turn(px: float) -> float:
        return float(rng.normal(0, px)) / focal_px

    def bump(t: float) -> Bump:
        return Bump(t, turn(7), turn(7), float(rng.normal(0, 0.003)), float(rng.uniform(2, 14)))

    return Disturbances(
        tuple(bump(t) for t in pick(0.5)),
        tuple(Hunt(t, float(rng.uniform(0.8, 2.0)), float(rng.uniform(1.5, 5))) for t in pick(0.8)),
        tuple(Hunt(t, float(rng.uniform(1.0, 3.0)), float(rng.uniform(0.1, 0.4))) for t in pick(1.0)),
        tuple(Switch(t, _choose_light(rng)) for t in pick(0.3)),
        tuple(_choose_lean(rng, t) for t in pick(0.8)),
        noise=float(np.exp(rng.uniform(np.log(1.0), np.log(5.0)))),
        fall=float(rng.uniform(0.0, 0.3)),
        light=_choose_light(rng),
        moving=True,
    )


def _choose_light(rng: Rng) -> Gains:
    lamps: Sequence[Sequence[float]] = LAMPS
    gains = np.array(lamps[int(rng.integers(len(lamps)))]) ** float(rng.uniform(0, 0.8))
    b, g, r = (float(gain) for gain in gains * float(rng.uniform(0.82, 1.15)))
    return b, g, r


def _choose_lean(rng: Rng, t: float) -> Lean:
    return Lean(
        int(rng.integers(4)), t, float(rng.uniform(1.2, 3.0)), float(rng.uniform(-220, 220)),
        float(rng.uniform(220, 430)),
    )  # fmt: skip
