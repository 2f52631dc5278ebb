"""How panes stand in windows of different sizes."""

from __future__ import annotations

from enum import StrEnum

from companion.app.widgets import theme


class Arrangement(StrEnum):
    """How the panes stand."""

    WIDE = "wide"
    TALL = "tall"
    SMALL = "small"


def choose_arrangement(size: tuple[float, float]) -> Arrangement:
    """The arrangement for a window of that size, in px."""
    width, height = size
    if width >= theme.WIDE_FROM[0] and height >= theme.WIDE_FROM[1]:
        return Arrangement.WIDE
    if width >= theme.TALL_FROM[0] and height >= theme.TALL_FROM[1]:
        return Arrangement.TALL
    return Arrangement.SMALL
