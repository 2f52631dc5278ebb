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


class Spacing(StrEnum):
    """How much room there is between things; what is touched is as large in each."""

    DENSE = "dense"
    NORMAL = "normal"
    ROOMY = "roomy"


SCALES = {TextSize.NORMAL: 1.0, TextSize.LARGE: 1.2, TextSize.VERY_LARGE: 1.4}
"""How many times its normal size the text has."""

GAPS = {Spacing.DENSE: 0.6, Spacing.NORMAL: 1.0, Spacing.ROOMY: 1.5}
"""How many times as wide as usual gaps are."""


@dataclass(frozen=True, slots=True)
class Look:
    """safe: colours that stay apart for people who see red and green alike."""

    shade: Shade = Shade.DARK
    safe: bool = False
    text: TextSize = TextSize.NORMAL
    spacing: Spacing = Spacing.NORMAL


USUAL = Look()
"""Until a person chooses."""
