"""Fonts that tests install: some have letters that no bundled font has, some are no fonts at all."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from companion.art import font_choice

LISU, OTHER_LISU = "\ua4d0", "\ua4d1"
"""Letters that no bundled font has."""
BOX = ".notdef"


def make_font(path: Path, characters: str, empty: str = "") -> Path:
    """A font with a black square for each of `characters`, and nothing for each of `empty` and for what it
    lacks."""
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 600), (700, 600), (700, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square, nothing = pen.glyph(), TTGlyphPen(None).glyph()
    glyphs = {BOX: nothing} | {f"u{ord(each):X}": square if each in characters else nothing
                               for each in characters + empty}  # fmt: skip
    built = FontBuilder(1000, isTTF=True)
    built.setupGlyphOrder(list(glyphs))
    built.setupCharacterMap({ord(each): f"u{ord(each):X}" for each in characters + empty})
    built.setupGlyf(glyphs)
    built.setupHorizontalMetrics(dict.fromkeys(glyphs, (800, 100)))
    built.setupHorizontalHeader(ascent=900, descent=-300)
    built.setupNameTable({"familyName": "Made", "styleName": "Regular"})
    built.setupOS2()
    built.setupPost()
    built.save(path)
    return path


def _make_giant(path: Path, *, shape: bool) -> None:
    """A font in which a letter has a shape, or a width, of thousands of times its size."""
    font = TTFont(make_font(path.with_suffix(".new"), LISU))
    font["head"].unitsPerEm = 16
    if shape:
        font["glyf"][f"u{ord(LISU):X}"].coordinates.scale((45, 45))
    else:
        font["hmtx"][f"u{ord(LISU):X}"] = (65535, 0)
    font.save(path)
    path.with_suffix(".new").unlink()


def forget_fonts() -> None:
    """Have the installed fonts looked for again."""
    for each in vars(font_choice).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()


def damage(content: bytes, chance: random.Random) -> bytes:
    """Cut somewhere, or with some bytes overwritten."""
    at = chance.randrange(len(content))
    if chance.random() < 0.3:
        return content[:at]
    return content[:at] + chance.randbytes(chance.choice((1, 2, 8, 200))) + content[at + 2 :]


def _write_with_table(cmap: bytes) -> Callable[[Path], None]:
    """Writes what says that it has outlines, with that table of characters."""

    def write(path: Path) -> None:
        entries = [(b"glyf", 12 + 32, 0), (b"cmap", 12 + 32, len(cmap))]
        records = b"".join(struct.pack(">4sIII", tag, 0, at, length) for tag, at, length in entries)
        path.write_bytes(struct.pack(">IHHHH", 0x10000, 2, 0, 0, 0) + records + cmap)

    return write


def _write_sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 10 * 2**30)


_EVERYTHING = struct.pack(">HHHHIHHIII3I", 0, 1, 3, 10, 12, 12, 0, 28, 0, 1, 0, 0x10FFFF, 1)
_HUGE_COUNT = _EVERYTHING[:24] + b"\xff" * 4 + _EVERYTHING[28:]
HOSTILE: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "link to itself": lambda path: path.symlink_to(path),
    "empty": Path.touch,
    "10 GB": _write_sparse,
    "noise": lambda path: path.write_bytes(random.Random(1).randbytes(100_000)),
    "collection that begins nowhere": lambda path: path.write_bytes(b"ttcf" + b"\xff" * 60),
    "every character": _write_with_table(_EVERYTHING),
    "4 billion groups": _write_with_table(_HUGE_COUNT),
    "giant shape": partial(_make_giant, shape=True),
    "giant width": partial(_make_giant, shape=False),
}
"""Each makes at a path what is not a usable font, though its name says so."""
