"""Pictures and fonts of the project, by name; nothing is imported until faces are drawn
(lab.art.faces).
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent
BUNDLED_FONTS = (_HERE / "fonts" / "companion-cjk.otf", _HERE / "fonts" / "companion-latin.ttf")
"""Fonts for texts; the second has the Latin letters, Greek and Cyrillic that the first lacks."""


def tile_png(code: str) -> Path:
    """The picture of a tile, RGBA 300 by 400 px: one of the 42 codes, "back" or "?"."""
    return _HERE / "tiles" / f"{'unknown' if code == '?' else code}.png"


def font_path() -> Path:
    """The bundled font of the window: Chinese, Japanese, Korean, and the Latin of Western Europe."""
    return BUNDLED_FONTS[0]


def icon_png() -> Path:
    """The app's icon, 512 by 512 px."""
    return _HERE / "icon.png"
