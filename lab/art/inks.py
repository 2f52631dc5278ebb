"""The colours of a set and which part of a face wears which.

Common sets are red, green and blue, or red, green and black; others have two colours, one, or washed-out
ones.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from lab.art.canvas import Colour

T = TypeVar("T")

# hue in turns, saturation, value: the middle of what paints on real sets look like, and how far they stray
PAINTS: Mapping[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "red": ((0.990, 0.82, 0.72), (0.025, 0.14, 0.16)),
    "green": ((0.385, 0.72, 0.38), (0.055, 0.20, 0.16)),
    "blue": ((0.625, 0.76, 0.55), (0.045, 0.18, 0.20)),
    "black": ((0.500, 0.12, 0.12), (0.300, 0.12, 0.10)),
    "gold": ((0.115, 0.68, 0.66), (0.025, 0.16, 0.14)),
    "brown": ((0.060, 0.62, 0.42), (0.020, 0.16, 0.12)),
    "violet": ((0.780, 0.55, 0.45), (0.040, 0.20, 0.15)),
}


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours (blue, green, red) by what they paint; dots and sticks have three each, a, b and the accent
    c.
    """

    numeral: Colour
    wan: Colour
    wind: Colour
    red_dragon: Colour
    green_dragon: Colour
    white_dragon: Colour
    white_inner: Colour
    white_letter: Colour
    dots: tuple[Colour, Colour, Colour]
    sticks: tuple[Colour, Colour, Colour]
    bird: tuple[Colour, Colour, Colour]
    leaf: Colour
    bloom: Colour
    third: Colour
    plant_text: Colour
    season_text: Colour
    plant_number: Colour
    season_number: Colour


def pick(rng: np.random.Generator, choices: Mapping[T, float]) -> T:
    """One of the keys, by weight."""
    weights = np.array(list(choices.values()), np.float64)
    return list(choices)[int(rng.choice(len(weights), p=weights / weights.sum()))]


def paint(rng: np.random.Generator, name: str) -> Colour:
    """A paint of that name, a little different in every set."""
    (hue, saturation, value), (dh, ds, dv) = PAINTS[name]
    strayed = np.clip(rng.normal(0, 0.5, 3), -1, 1)
    r, g, b = colorsys.hsv_to_rgb(
        (hue + dh * strayed[0]) % 1.0,
        float(np.clip(saturation + ds * strayed[1], 0, 1)),
        float(np.clip(value + dv * strayed[2], 0.02, 1)),
    )
    return round(b * 255), round(g * 255), round(r * 255)


def random_inks(rng: np.random.Generator) -> Inks:
    """Colours for one set."""
    scheme = pick(rng, {"three": 34, "dark": 34, "two": 8, "red-dark": 8, "single": 6, "pastel": 6, "any": 4})
    names = list(PAINTS)
    red, green, blue, black = (paint(rng, name) for name in ("red", "green", "blue", "black"))
    third = blue
    if scheme == "dark":
        third = black
    elif scheme == "two":
        green = third = pick(rng, {green: 1, blue: 1})
    elif scheme == "red-dark":
        green = third = pick(rng, {black: 2, blue: 1})
    elif scheme == "single":
        red = green = third = paint(
            rng, pick(rng, {"black": 4, "blue": 3, "green": 2, "gold": 2, "brown": 1, "red": 2})
        )
    elif scheme == "any":
        red, green, third = (paint(rng, names[int(rng.integers(len(names)))]) for _ in range(3))
    elif scheme == "pastel":
        red, green, third = (_lighten(c, float(rng.uniform(0.2, 0.5))) for c in (red, green, blue))
    writing = third if rng.random() < 0.7 else black if scheme in ("three", "dark") else green
    wan = red if rng.random() < 0.88 else writing
    dot_orders = {
        (green, third, red): 6,
        (third, green, red): 3,
        (green, green, red): 2,
        (third, third, red): 2,
        (third, third, third): 0.5,
        (green, red, red): 0.5,
    }
    stick_orders = {
        (green, third, red): 4,
        (green, green, red): 6,
        (third, third, red): 1.5,
        (green, green, green): 1,
        (third, green, red): 1,
    }
    birds = [red, green, third]
    if rng.random() < 0.3:
        birds = [birds[int(i)] for i in rng.integers(0, 3, 3)]
    rng.shuffle(birds)
    white = pick(rng, {third: 6, writing: 2, green: 1, red: 0.7, black: 1})
    return Inks(
        numeral=pick(rng, {writing: 8, green: 1, red: 1}),
        wan=wan,
        wind=pick(rng, {writing: 8, green: 0.7, black: 1}),
        red_dragon=red if rng.random() < 0.93 else writing,
        green_dragon=green if rng.random() < 0.93 else writing,
        white_dragon=white,
        white_inner=white if rng.random() < 0.8 else red,
        white_letter=pick(rng, {red: 2, third: 2, green: 2}),
        dots=pick(rng, dot_orders),
        sticks=pick(rng, stick_orders),
        bird=(birds[0], birds[1], birds[2]),
        leaf=green,
        bloom=red,
        third=third,
        plant_text=pick(rng, {writing: 4, green: 2, red: 2}),
        season_text=pick(rng, {red: 6, writing: 2}),
        plant_number=pick(rng, {writing: 4, third: 3, red: 1.5}),
        season_number=pick(rng, {red: 5, writing: 1.5}),
    )


def _lighten(colour: Colour, share: float) -> Colour:
    b, g, r = (round(v + (255 - v) * share) for v in colour)
    return b, g, r
