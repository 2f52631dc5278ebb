"""Characters as masks, from whatever fonts the machine has, with the bundled fonts as the last resort.

Fonts are grouped by the kind of writing, since sets differ in that first of all: regular script, song,
sans, running hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.art import BUNDLED_FONTS

FONT_FOLDER = Path("/usr/share/fonts")
# Filled by models.training.handwriting.
HANDS_FOLDER = Path.home() / ".local" / "share" / "fonts" / "tile-hands"
EM_PX = 160
NOT_A_CHARACTER = "\uffff"


class Writing(Enum):
    """A kind of writing; HOUSE is the bundled fonts', BIRD pictures of birds, UNSEEN hands that no training
    picture shows."""

    KAI = "kai"
    SONG = "song"
    SANS = "sans"
    HAND = "hand"
    CURSIVE = "cursive"
    UNSEEN = "unseen"
    BIRD = "bird"
    HOUSE = "house"
    LATIN = "latin"


@dataclass(frozen=True, slots=True)
class Font:
    """A font file; index counts the faces of a collection."""

    path: Path
    index: int = 0


BUNDLED = (Font(BUNDLED_FONTS[0].with_name("tile-kai.ttf")), Font(BUNDLED_FONTS[0]))

CANDIDATES: dict[Writing, tuple[tuple[str, int], ...]] = {
    Writing.KAI: (
        ("ukai.ttc", 0),
        ("ukai.ttc", 2),
        ("bkai00mp.ttf", 0),
        ("gkai00mp.ttf", 0),
        ("TW-Kai-98_1.ttf", 0),
        ("cwkai.ttf", 0),
        ("LXGWWenKai-Regular.ttf", 0),
        ("LXGWWenKai-Bold.ttf", 0),
        ("KleeOne-SemiBold.ttf", 0),
        ("cwfs.ttf", 0),
        ("yuji-syuku.ttf", 0),
        ("iansui.ttf", 0),
        ("new-tegomin.ttf", 0),
    ),
    Writing.SONG: (
        ("uming.ttc", 0),
        ("uming.ttc", 2),
        ("bsmi00lp.ttf", 0),
        ("gbsn00lp.ttf", 0),
        ("TW-Sung-98_1.ttf", 0),
        ("cwming.ttf", 0),
        ("NotoSerifCJK-Bold.ttc", 3),
        ("NotoSerifCJK-Black.ttc", 2),
        ("NotoSerifCJK-SemiBold.ttc", 0),
        ("ipam.ttf", 0),
        ("BabelStoneHan.ttf", 0),
        ("BIZUDMincho-Regular.ttf", 0),
        ("hina-mincho.ttf", 0),
        ("kaisei-decol.ttf", 0),
        ("zcool-xiaowei.ttf", 0),
    ),
    Writing.SANS: (
        ("NotoSansCJK-Regular.ttc", 2),
        ("NotoSansCJK-Bold.ttc", 3),
        ("NotoSansCJK-Black.ttc", 0),
        ("wqy-zenhei.ttc", 0),
        ("wqy-microhei.ttc", 0),
        ("cwheib.ttf", 0),
        ("cwyen.ttf", 0),
        ("MTLmr3m.ttf", 0),
        ("SmileySans-Oblique.ttf", 0),
        ("dela-gothic-one.ttf", 0),
        ("lxgw-marker-gothic.ttf", 0),
        ("zen-antique.ttf", 0),
    ),
    Writing.HAND: (
        ("kouzan-mouhitsu.ttf", 0),
        ("kouzan-mouhitsu-gyosho.ttf", 0),
        ("AoyagiKouzanT.ttf", 0),
        ("aoyagi-soseki.ttf", 0),
        ("setofont.ttf", 0),
        ("YuseiMagic-Regular.ttf", 0),
        ("ReggaeOne-Regular.ttf", 0),
        ("dejima-mincho-r227.ttf", 0),
        ("zen-kurenaido.ttf", 0),
        ("yomogi.ttf", 0),
        ("potta-one.ttf", 0),
        ("hachi-maru-pop.ttf", 0),
        ("rampart-one.ttf", 0),
        ("zcool-kuaile.ttf", 0),
    ),
    Writing.CURSIVE: (
        ("KouzanBrushFontSousyo.ttf", 0),
        ("kouzan-mouhitsu-gyosho.ttf", 0),
        ("zhi-mang-xing.ttf", 0),
        ("liu-jian-mao-cao.ttf", 0),
        ("long-cang.ttf", 0),
        ("aoyagi-soseki.ttf", 0),
        ("yuji-boku.ttf", 0),
        ("AoyagiKouzanT.ttf", 0),
    ),
    Writing.UNSEEN: (("ma-shan-zheng.ttf", 0), ("yuji-mai.ttf", 0)),
    Writing.BIRD: (("NotoSansEgyptianHieroglyphs-Regular.ttf", 0), ("Symbola_hint.ttf", 0)),
    Writing.HOUSE: (),
    Writing.LATIN: (
        ("DejaVuSans.ttf", 0),
        ("DejaVuSans-Bold.ttf", 0),
        ("DejaVuSerif.ttf", 0),
        ("DejaVuSerif-Bold.ttf", 0),
        ("DejaVuSansCondensed-Bold.ttf", 0),
        ("DejaVuSerifCondensed-Bold.ttf", 0),
        ("JunicodeTwoBeta-Bold.otf", 0),
        ("NotoSansCJK-Medium.ttc", 0),
        ("NotoSerifCJK-Bold.ttc", 0),
        ("DejaVuSans-ExtraLight.ttf", 0),
    ),
}


@lru_cache(maxsize=1)
def _find_installed() -> dict[str, Path]:
    folders = (FONT_FOLDER, HANDS_FOLDER)
    return {path.name: path for folder in folders for path in sorted(folder.rglob("*.[ot]t[cf]"))}


@lru_cache(maxsize=16)
def fonts(writing: Writing) -> tuple[Font, ...]:
    """The fonts of a kind of writing that this machine has; never empty."""
    installed = _find_installed()
    found = tuple(Font(installed[name], index) for name, index in CANDIDATES[writing] if name in installed)
    return found or BUNDLED


def list_missing_fonts() -> list[str]:
    """The file names of the fonts that tiles are drawn with where a machine has them, and this one has
    not."""
    names = {name for candidates in CANDIDATES.values() for name, _ in candidates}
    return sorted(names - _find_installed().keys())


@lru_cache(maxsize=4096)
def _raster(character: str, font: Font) -> npt.NDArray[np.uint8] | None:
    """The character on its em square, or None if the font lacks it."""
    from PIL import Image, ImageDraw, ImageFont

    face = _load_face(font)
    assert isinstance(face, ImageFont.FreeTypeFont)
    mask, missing = face.getmask(character), face.getmask(NOT_A_CHARACTER)
    if mask.getbbox() is None or (mask.size == missing.size and bytes(mask) == bytes(missing)):
        return None
    image = Image.new("L", (2 * EM_PX, 2 * EM_PX))
    ImageDraw.Draw(image).text((EM_PX, EM_PX), character, fill=255, font=face, anchor="mm")
    return np.asarray(image)


@lru_cache(maxsize=128)
def _load_face(font: Font) -> object:
    from PIL import ImageFont

    return ImageFont.truetype(str(font.path), EM_PX, index=font.index)


def _make_nib(size: int, pen: int | None) -> npt.NDArray[np.uint8]:
    """What thickens or thins strokes: a round brush, or a broad nib held at an angle."""
    if pen is None or size < 5:
        return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.uint8)
    nib = np.zeros((size, size), np.uint8)
    cv2.ellipse(nib, (size // 2, size // 2), (size // 2, max(1, size // 5)), pen, 0, 360, 1, -1)
    return nib


@lru_cache(maxsize=4096)
def make_glyph(
    character: str, writing: Writing, choice: int, weight: int = 0, pen: int | None = None
) -> npt.NDArray[np.uint8]:
    """The ink of a character, cropped to it, uint8; strokes thicker (weight > 0) or thinner (< 0) by some
    px of 160.

    pen is the angle of a broad nib in degrees, None for a round one. choice picks a font of the kind of
    writing; a font without the character is passed over.
    """
    available = fonts(writing)
    ordered = [available[(choice + k) % len(available)] for k in range(len(available))]
    rasters = (_raster(character, font) for font in [*ordered, *fonts(Writing.KAI), *BUNDLED])
    raster = next((r for r in rasters if r is not None), None)
    if raster is None:
        raise LookupError(f"no installed font has {character!r}: install fonts-noto-cjk")
    if weight:
        size = 2 * (abs(weight) // 2) + 1 if abs(weight) > 1 else 2
        kernel = _make_nib(size, pen)
        changed = (cv2.dilate if weight > 0 else cv2.erode)(raster, kernel).astype(np.uint8)
        if weight > 0 or (int(changed.max()) > 200 and changed.sum() > 0.45 * raster.sum()):
            raster = changed
    rows, columns = np.flatnonzero(raster.max(axis=1) > 8), np.flatnonzero(raster.max(axis=0) > 8)
    return np.pad(raster[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 1)
