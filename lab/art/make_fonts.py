"""Make the bundled fonts from Debian packages: python -m lab.art.make_fonts.

Needs the packages fonts-noto-cjk, fonts-noto-core and fonts-lxgw-wenkai. All three fonts are under the SIL
Open Font License (OFL.txt in companion/art/fonts).
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from companion.art import BUNDLED_FONTS

FONTS = BUNDLED_FONTS[0].parent
NOTO_CJK = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
NOTO_SIMPLIFIED = 2
"""The index of Noto Sans CJK SC in the collection."""
NOTO = Path("/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf")
WENKAI = Path("/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf")
TILE_CHARACTERS = "一二三四五六七八九伍萬万東东南西北东中發发白梅蘭兰菊竹春夏秋冬0123456789ESWNFCPB?"

NAMED = {1: "{family}", 2: "Regular", 3: "{joined}-Regular", 4: "{family}", 6: "{joined}-Regular"}
KEPT_NAMES = (0, 5, 7, 13, 14)  # copyright, version, trademark, licence and its address stay as they are


def make(source: Path, index: int, family: str, target: Path, characters: str | None = None) -> None:
    """Write the part of a font that has these characters, all by default, under a name of its own as the
    licence asks.

    Subroutines are written out: they make the file a tenth smaller, but the window reads all of them into
    memory for each size of letters.
    """
    options = subset.Options(
        font_number=index,
        hinting=False,
        desubroutinize=True,
        layout_features=["kern", "mark", "mkmk"],
        name_IDs=[*NAMED, *KEPT_NAMES],
        notdef_outline=True,
        drop_tables=["BASE", "VORG", "vhea", "vmtx", "DSIG"],
    )
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap() if characters is None else map(ord, characters))
    subsetter.subset(font)
    for number, form in NAMED.items():
        font["name"].setName(form.format(family=family, joined=family.replace(" ", "")), number, 3, 1, 0x409)
    content = BytesIO()
    subset.save_font(font, content, options)
    target.write_bytes(number_glyphs(content.getvalue()))


def number_glyphs(content: bytes) -> bytes:
    """The font with its glyphs numbered without gaps, where a collection numbered them: FreeType reads the
    numbers one range at a time, 6 ms for each size of letters with the gaps that a subset leaves."""
    font = TTFont(BytesIO(content), recalcBBoxes=False, recalcTimestamp=False)
    if "CFF " not in font:
        return content
    top = font["CFF "].cff.topDictIndex[0]
    numbered = [".notdef", *(f"cid{number:05d}" for number in range(1, len(top.charset)))]
    glyphs = top.CharStrings.charStrings
    top.CharStrings.charStrings = {new: glyphs[old] for new, old in zip(numbered, top.charset, strict=True)}
    top.charset, top.CIDCount = numbered, len(numbered)
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def main() -> None:
    """Write all fonts."""
    make(NOTO_CJK, NOTO_SIMPLIFIED, "Companion CJK", FONTS / "companion-cjk.otf")
    make(NOTO, 0, "Companion Latin", FONTS / "companion-latin.ttf")
    make(WENKAI, 0, "Companion Tile Kai", FONTS / "tile-kai.ttf", TILE_CHARACTERS)


if __name__ == "__main__":
    main()
