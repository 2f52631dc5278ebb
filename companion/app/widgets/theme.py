"""Colours and sizes of the window, all of them, as `wear` has set them last. Sizes are in dp: 160 to the inch
whatever the screen.

Read them when a widget is built, never when a module is imported: a person changes them while the window is
open, and it is then built anew.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from kivy.metrics import dp, sp

from companion.app.look import GAPS, SCALES, Look, Shade

Colour = tuple[float, float, float, float]


def parse_colour(code: str, alpha: float = 1.0) -> Colour:
    """The colour of six hexadecimal digits."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue, alpha


_hex = parse_colour


@dataclass(frozen=True, slots=True)
class Palette:
    """Named after what they are in the dark: ivory is what text is written in, ink what is written on gold
    and on signals; sure, unsure and meld mark tiles, gain and loss payments."""

    felt: Colour
    felt_edge: Colour
    panel: Colour
    panel_raised: Colour
    panel_pressed: Colour
    line: Colour
    bar: Colour
    ivory: Colour
    ivory_dim: Colour
    ink: Colour
    gold: Colour
    gold_pressed: Colour
    sure: Colour
    unsure: Colour
    meld: Colour
    trouble: Colour
    note: Colour
    gain: Colour
    loss: Colour
    field: Colour
    field_ink: Colour


DARK = Palette(
    felt=_hex("0e3b2c"),
    felt_edge=_hex("08261c"),
    panel=_hex("134634"),
    panel_raised=_hex("1b523f"),
    panel_pressed=_hex("276a52"),
    line=_hex("2f6f58"),
    bar=_hex("0a2d21"),
    ivory=_hex("f6efdc"),
    ivory_dim=_hex("bccbb7"),
    ink=_hex("1c2b22"),
    gold=_hex("e8b84a"),
    gold_pressed=_hex("f7d27c"),
    sure=_hex("7fe3b4"),
    unsure=_hex("ffa35e"),
    meld=_hex("7cc4ff"),
    trouble=_hex("a03628"),
    note=_hex("2c5f7a"),
    gain=_hex("8ee6a8"),
    loss=_hex("ffab91"),
    field=_hex("f6efdc"),
    field_ink=_hex("1c2b22"),
)
LIGHT = Palette(
    felt=_hex("dfe6d8"),
    felt_edge=_hex("c6d2c0"),
    panel=_hex("f6f3e9"),
    panel_raised=_hex("e5e8da"),
    panel_pressed=_hex("cfdac7"),
    line=_hex("93a894"),
    bar=_hex("e9eee2"),
    ivory=_hex("14231b"),
    ivory_dim=_hex("40534a"),
    ink=_hex("ffffff"),
    gold=_hex("7a4f00"),
    gold_pressed=_hex("8f6207"),
    sure=_hex("08683f"),
    unsure=_hex("9c3f00"),
    meld=_hex("0b5a97"),
    trouble=_hex("f3c5ba"),
    note=_hex("c2dcea"),
    gain=_hex("08663a"),
    loss=_hex("9c2f16"),
    field=_hex("ffffff"),
    field_ink=_hex("14231b"),
)
SAFE_DARK = replace(
    DARK,
    gold=_hex("fff2a8"), gold_pressed=_hex("fff8d0"), sure=_hex("74c0ff"), unsure=_hex("ffa257"),
    meld=_hex("f2f4ff"), gain=_hex("9ad0ff"), loss=_hex("ffb04d"),
)  # fmt: skip
SAFE_LIGHT = replace(
    LIGHT,
    gold=_hex("3d3200"), gold_pressed=_hex("5c4c00"), sure=_hex("0058a8"), unsure=_hex("a84a00"),
    meld=_hex("1a1a2e"), gain=_hex("0058a8"), loss=_hex("9a4300"),
)  # fmt: skip


def choose_palette(shade: Shade, safe: bool) -> Palette:
    """The palette of that shade; safe: the one for people who see red and green alike."""
    if shade is Shade.LIGHT:
        return SAFE_LIGHT if safe else LIGHT
    return SAFE_DARK if safe else DARK


FELT, FELT_EDGE = DARK.felt, DARK.felt_edge
PANEL, PANEL_RAISED, PANEL_PRESSED = DARK.panel, DARK.panel_raised, DARK.panel_pressed
LINE, BAR = DARK.line, DARK.bar
IVORY, IVORY_DIM, INK = DARK.ivory, DARK.ivory_dim, DARK.ink
GOLD, GOLD_PRESSED = DARK.gold, DARK.gold_pressed
SURE, UNSURE, MELD = DARK.sure, DARK.unsure, DARK.meld
TROUBLE, NOTE = DARK.trouble, DARK.note
GAIN, LOSS = DARK.gain, DARK.loss
FIELD, FIELD_INK = DARK.field, DARK.field_ink
CLEAR = parse_colour("000000", 0.0)

TOUCH_USUAL, BAR_USUAL = dp(57), dp(65)
TOUCH, BAR_HEIGHT = TOUCH_USUAL, BAR_USUAL
"""The height of what is touched, 9 mm at least, and of the bar."""
GAP_USUAL, PAD_USUAL = dp(8), dp(12)
GAP, PAD = GAP_USUAL, PAD_USUAL
RADIUS = dp(10)
HAIRLINE = dp(1)

SCALE = 1.0
"""How many times its usual size the text has."""
TEXT = sp(16)
TEXT_SMALL = sp(14)
TEXT_TINY = sp(12)
TEXT_LARGE = sp(20)
TEXT_HUGE = sp(34)
TEXT_SIZES = {"TEXT": 16, "TEXT_SMALL": 14, "TEXT_TINY": 12, "TEXT_LARGE": 20, "TEXT_HUGE": 34}
"""In sp, at their usual size."""

TILE_ASPECT = 0.75
"""Width to height of a drawn tile."""
TILE_WIDTH_MIN = dp(43)
"""A tile of that width is 9 mm high."""
TILE_WIDTH_USUAL = dp(64)
TILE_WIDTH_MAX = TILE_WIDTH_USUAL

ROOMY_FROM = (dp(1600), dp(1000))
"""From this size on, either way round, text, buttons and tiles are larger: people sit further away."""
ROOMY_SCALE, SCALE_MOST = 1.25, 1.5

WIDE_FROM = (dp(1000), dp(640))
"""From this size on the panes stand side by side."""
TALL_FROM = (dp(600), dp(1000))
"""From this size on they stand below each other; any smaller window shows one at a time."""


def is_roomy(size: tuple[float, float]) -> bool:
    """Whether a window of that size, in px, has room for larger text."""
    return bool(max(size) >= ROOMY_FROM[0] and min(size) >= ROOMY_FROM[1])


def wear(look: Look, roomy: bool = False) -> None:
    """Take the colours of that look, its gaps and its size of text: what is built from now on has them.
    roomy: whether the window is large."""
    palette = choose_palette(look.shade, look.safe)
    room = ROOMY_SCALE if roomy else 1.0
    scale = min(SCALES[look.text] * room, SCALE_MOST)
    sizes = {name: sp(size) * scale for name, size in TEXT_SIZES.items()}
    colours = {field.name.upper(): getattr(palette, field.name) for field in fields(palette)}
    gaps = {"GAP": GAP_USUAL * GAPS[look.spacing], "PAD": PAD_USUAL * GAPS[look.spacing]}
    heights = {"TOUCH": TOUCH_USUAL * room, "BAR_HEIGHT": BAR_USUAL * room}
    tile = TILE_WIDTH_USUAL * room
    globals().update(colours, SCALE=scale, TILE_WIDTH_MAX=tile, **sizes, **gaps, **heights)
