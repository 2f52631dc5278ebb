"""Colours and sizes of the window, all of them. Sizes are in dp: 160 to the inch whatever the screen."""

from __future__ import annotations

from kivy.metrics import dp, sp

Colour = tuple[float, float, float, float]


def _hex(code: str, alpha: float = 1.0) -> Colour:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue, alpha


FELT = _hex("0e3b2c")
FELT_EDGE = _hex("08261c")
PANEL = _hex("154a38")
PANEL_RAISED = _hex("1f5d48")
PANEL_PRESSED = _hex("2b7259")
LINE = _hex("2f6f58")
BAR = _hex("0a2d21")

IVORY = _hex("f6efdc")
IVORY_DIM = _hex("b9c9b4")
INK = _hex("1c2b22")
GOLD = _hex("e8b84a")
GOLD_PRESSED = _hex("f7d27c")
SURE = _hex("7fe3b4")
UNSURE = _hex("ff8a3c")
MELD = _hex("7cc4ff")
TROUBLE = _hex("a83a2c")
NOTE = _hex("2c5f7a")
GAIN = _hex("8ee6a8")
LOSS = _hex("ffab91")
CLEAR = _hex("000000", 0.0)

TOUCH = dp(48)
"""Least height of anything to be touched."""
BAR_HEIGHT = dp(56)
GAP = dp(8)
PAD = dp(12)
RADIUS = dp(10)
HAIRLINE = dp(1)

TEXT = sp(16)
TEXT_SMALL = sp(13)
TEXT_TINY = sp(11)
TEXT_LARGE = sp(20)
TEXT_HUGE = sp(34)

TILE_ASPECT = 0.75
"""Width to height of a drawn tile."""
TILE_WIDTH_MIN = dp(40)
TILE_WIDTH_MAX = dp(64)

WIDE_FROM = (dp(1000), dp(640))
"""From this size on the panes stand side by side."""
TALL_FROM = (dp(600), dp(1000))
"""From this size on they stand below each other; any smaller window shows one at a time."""
