"""Pictures and fonts of the project, by name; nothing is imported until faces are drawn
(companion.art.faces).
"""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def tile_png(code: str) -> Path:
    """The picture of a tile, RGBA 300 by 400 px: one of the 42 codes, "back" or "?"."""
    return _HERE / "tiles" / f"{'unknown' if code == '?' else code}.png"


def font_path() -> Path:
    """The bundled font: Latin, simplified and traditional Chinese."""
    return _HERE / "fonts" / "companion-cjk.otf"


def icon_png() -> Path:
    """The app's icon, 512 by 512 px."""
    return _HERE / "icon.png"
