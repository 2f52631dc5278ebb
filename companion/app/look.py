"""How the window looks, as a person chose it: light or dark, size of the text, and the palettes of colours.
Text has a contrast of at least 4.5 to 1 on its ground, and what marks a thing of at least 3 to 1; the tests
check that. No Kivy."""

from __future__ import annotations

import configparser
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path


class Shade(StrEnum):
    """Light or dark, or as the desktop is."""

    DESKTOP = "desktop"
    DARK = "dark"
    LIGHT = "light"


class TextSize(StrEnum):
    """How large the text is."""

    NORMAL = "normal"
    LARGE = "large"
    VERY_LARGE = "very_large"


class Spacing(StrEnum):
    """Spacing between elements; touchable ones have the same size in each."""

    DENSE = "dense"
    NORMAL = "normal"
    ROOMY = "roomy"


SCALES = {TextSize.NORMAL: 1.0, TextSize.LARGE: 1.2, TextSize.VERY_LARGE: 1.4}
"""Factor of the text size for each setting."""

GAPS = {Spacing.DENSE: 0.6, Spacing.NORMAL: 1.0, Spacing.ROOMY: 1.5}
"""Factor of the width of gaps for each setting."""


@dataclass(frozen=True, slots=True)
class Look:
    """safe: colours that stay apart for people who see red and green alike. motion: whether tiles and points
    are seen on their way."""

    shade: Shade = Shade.DARK
    safe: bool = False
    text: TextSize = TextSize.NORMAL
    spacing: Spacing = Spacing.NORMAL
    motion: bool = False


USUAL = Look()
"""Until a person chooses."""

LESS_MOTION = (
    ("kdeglobals", "KDE", "AnimationDurationFactor"),
    ("gtk-4.0/settings.ini", "Settings", "gtk-enable-animations"),
    ("gtk-3.0/settings.ini", "Settings", "gtk-enable-animations"),
)
"""Where desktops keep, in files of text, that nothing is to move: the file, the part and the setting."""
NO = frozenset({"0", "false"})


def wants_less_motion() -> bool:
    """Whether the desktop is set to show no animations. GNOME keeps that in a database that only its own
    programs read: there it is not known."""
    return any(_read_desktop(*each) in NO for each in LESS_MOTION)


COLOUR_SCHEME = ("kdeglobals", "General", "ColorScheme")
PREFERS_DARK = (
    ("gtk-4.0/settings.ini", "Settings", "gtk-application-prefer-dark-theme"),
    ("gtk-3.0/settings.ini", "Settings", "gtk-application-prefer-dark-theme"),
)
"""Where desktops keep whether they are dark: KDE in the name of its colours."""


def find_desktop_shade() -> Shade:
    """Whether the desktop is light or dark; dark where no file of text says so, as on GNOME."""
    scheme = _read_desktop(*COLOUR_SCHEME)
    if scheme:
        return Shade.DARK if "dark" in scheme else Shade.LIGHT
    said = next(filter(None, (_read_desktop(*each) for each in PREFERS_DARK)), "")
    return Shade.LIGHT if said in NO else Shade.DARK


def _read_desktop(name: str, part: str, key: str) -> str:
    """A setting of the desktop, in small letters; empty if unknown."""
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    settings = configparser.ConfigParser(interpolation=None, strict=False)
    with suppress(OSError, ValueError, configparser.Error):
        settings.read_string((folder / name).read_text(encoding="utf-8"))
        return settings.get(part, key, fallback="").strip().lower()
    return ""


Colour = tuple[float, float, float, float]


def parse_colour(code: str, alpha: float = 1.0) -> Colour:
    """The colour of six hexadecimal digits."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue, alpha


_hex = parse_colour


@dataclass(frozen=True, slots=True)
class Palette:
    """Named after the dark theme: ivory is the colour of text, ink that of text on gold and on signals; sure,
    unsure and meld mark tiles, gain and loss payments; sea is the cloth on the Sea Floor."""

    felt: Colour
    felt_edge: Colour
    sea: Colour
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
    sea=_hex("05386b"),
    panel=_hex("134634"),
    panel_raised=_hex("1b523f"),
    panel_pressed=_hex("17545c"),
    line=_hex("64a389"),
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
    sea=_hex("cfe1f2"),
    panel=_hex("f6f3e9"),
    panel_raised=_hex("e5e8da"),
    panel_pressed=_hex("cfdac7"),
    line=_hex("68836c"),
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
    if (find_desktop_shade() if shade is Shade.DESKTOP else shade) is Shade.LIGHT:
        return SAFE_LIGHT if safe else LIGHT
    return SAFE_DARK if safe else DARK
