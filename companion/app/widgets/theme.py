"""All colours and sizes of the window, as `apply_look` set them last. Sizes are in dp: 160 to the inch on any
screen.

Read them when a widget is built, never when a module is imported: a person changes them while the window is
open, and the window is then rebuilt.
"""

from __future__ import annotations

from dataclasses import fields

from kivy.metrics import dp, sp

from companion.app.look import DARK, GAPS, SCALES, Look, choose_palette, parse_colour
from companion.app.look import Colour as Colour

FELT, FELT_EDGE, SEA = DARK.felt, DARK.felt_edge, DARK.sea
PANEL, PANEL_RAISED, PANEL_PRESSED = DARK.panel, DARK.panel_raised, DARK.panel_pressed
LINE, BAR = DARK.line, DARK.bar
IVORY, IVORY_DIM, INK = DARK.ivory, DARK.ivory_dim, DARK.ink
GOLD, GOLD_PRESSED = DARK.gold, DARK.gold_pressed
SURE, UNSURE, MELD = DARK.sure, DARK.unsure, DARK.meld
TROUBLE, NOTE = DARK.trouble, DARK.note
GAIN, LOSS = DARK.gain, DARK.loss
FIELD, FIELD_INK = DARK.field, DARK.field_ink
MOTION = False
"""Whether tiles and points are seen on their way."""
CLEAR = parse_colour("000000", 0.0)

TOUCH_USUAL, BAR_USUAL = dp(57), dp(65)
TOUCH, BAR_HEIGHT = TOUCH_USUAL, BAR_USUAL
"""Height of touchable elements, 9 mm at least, and of the bar."""
GAP_USUAL, PAD_USUAL = dp(8), dp(12)
GAP, PAD = GAP_USUAL, PAD_USUAL
RADIUS = dp(10)
HAIRLINE = dp(1)

SCALE = 1.0
"""Current factor of the text size."""
TEXT = sp(16)
TEXT_SMALL = sp(14)
TEXT_TINY = sp(12)
TEXT_LARGE = sp(20)
TEXT_HUGE = sp(34)
TEXT_SIZES = {"TEXT": 16, "TEXT_SMALL": 14, "TEXT_TINY": 12, "TEXT_LARGE": 20, "TEXT_HUGE": 34}
"""Normal text sizes, in sp."""

TILE_ASPECT = 0.75
"""Width to height of a drawn tile."""
TILE_WIDTH_MIN = dp(43)
"""A tile of that width is 9 mm high."""
TILE_WIDTH_USUAL = dp(64)
TILE_WIDTH_MAX = TILE_WIDTH_USUAL

ROOMY_FROM = (dp(1600), dp(1000))
"""Window size, in either orientation, from which text, buttons and tiles are larger, since people sit further
away."""
ROOMY_SCALE, SCALE_MAX = 1.25, 1.5

WIDE_FROM = (dp(1000), dp(640))
"""Window size from which panes are placed side by side."""
TALL_FROM = (dp(600), dp(1000))
"""Window size from which panes are placed below each other; a smaller window shows one at a time."""


def is_roomy(size: tuple[float, float]) -> bool:
    """Whether a window of that size, in px, has room for larger text."""
    return bool(max(size) >= ROOMY_FROM[0] and min(size) >= ROOMY_FROM[1])


def apply_look(look: Look, roomy: bool = False) -> None:
    """Use the colours, gaps, text size and motion of that look for all widgets built later. roomy: whether
    the window is large."""
    palette = choose_palette(look.shade, look.safe)
    room = ROOMY_SCALE if roomy else 1.0
    scale = min(SCALES[look.text] * room, SCALE_MAX)
    sizes = {name: sp(size) * scale for name, size in TEXT_SIZES.items()}
    colours = {field.name.upper(): getattr(palette, field.name) for field in fields(palette)}
    gaps = {"GAP": GAP_USUAL * GAPS[look.spacing], "PAD": PAD_USUAL * GAPS[look.spacing]}
    heights = {"TOUCH": TOUCH_USUAL * room, "BAR_HEIGHT": BAR_USUAL * room}
    tile = TILE_WIDTH_USUAL * room
    globals().update(
        colours, SCALE=scale, TILE_WIDTH_MAX=tile, MOTION=look.motion, **sizes, **gaps, **heights
    )
