"""How the window looks, as a person chose it: light or dark, colours, size of the text. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Shade(StrEnum):
    """Light or dark."""

    DARK = "dark"
    LIGHT = "light"


class TextSize(StrEnum):
    """How large the text is."""

    NORMAL = "normal"
    LARGE = "large"
    VERY_LARGE = "very_large"


SCALES = {TextSize.NORMAL: 1.0, TextSize.LARGE: 1.2, TextSize.VERY_LARGE: 1.4}
"""How many times its normal size the text has."""


@dataclass(frozen=True, slots=True)
class Look:
    """safe: colours that stay apart for people who see red and green alike."""

    shade: Shade = Shade.DARK
    safe: bool = False
    text: TextSize = TextSize.NORMAL


USUAL = Look()
"""Until a person chooses."""


def choose_growth(width_dp: float, height_dp: float) -> float:
    """How much larger than usual text is in a window of that size: a large one is looked at from further
    away.

    In steps, so that a window that is being resized is rebuilt seldom. Up to a short side of 840 dp, a
    tablet, text has its usual size.
    """
    short = min(width_dp, height_dp)
    return 1.0 if short < 840 else 1.15 if short < 1000 else 1.3
