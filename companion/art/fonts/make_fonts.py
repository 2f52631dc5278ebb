"""Make the bundled fonts out of Debian's packages: python -m companion.art.fonts.make_fonts (needs
fonttools).

Needs the packages fonts-noto-cjk and fonts-lxgw-wenkai; both fonts are under the SIL Open Font License
(OFL.txt beside this).
"""

from __future__ import annotations

from pathlib import Path

from fontTools import subset

HERE = Path(__file__).parent
NOTO = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
NOTO_SIMPLIFIED = 2  # the index of Noto Sans CJK SC in the collection
WENKAI = Path("/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf")
TILE_CHARACTERS = "一二三四五六七八九伍萬万東東南西北东中發发白梅蘭兰菊竹春夏秋冬0123456789ESWNFCPB?"
# what the screens use beyond letters: Latin-1, dashes and quotes, arrows, mathematics, boxes, marks, CJK
# punctuation, full width
RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x2070, 0x208E),
    (0x2010, 0x2027),
    (0x2030, 0x203B),
    (0x20AC, 0x20AC),
    (0x2190, 0x2199),
    (0x21BA, 0x21BB),
    (0x2200, 0x2265),
    (0x2460, 0x2473),
    (0x2500, 0x257F),
    (0x25A0, 0x25E6),
    (0x2600, 0x2606),
    (0x2713, 0x2718),
    (0x3000, 0x301F),
    (0xFF01, 0xFF5E),
    (0xFFE5, 0xFFE5),
)

NAMED = {1: "{family}", 2: "Regular", 3: "{joined}-Regular", 4: "{family}", 6: "{joined}-Regular"}
KEPT_NAMES = (0, 5, 7, 13, 14)  # copyright, version, trademark, licence and its address stay as they are


def ui_characters() -> set[int]:
    """All of GB 2312, the first level of Big5, and the signs of RANGES."""
    points = {point for first, last in RANGES for point in range(first, last + 1)}
    for encoding, leads in (("gb2312", range(0xA1, 0xF8)), ("big5", range(0xA1, 0xC7))):
        for lead in leads:
            for trail in range(0x40, 0xFF):
                text = bytes((lead, trail)).decode(encoding, "ignore")
                points.update(map(ord, text))
    return points


def make(source: Path, index: int, points: set[int], family: str, target: Path) -> None:
    """Write the part of a font that has these code points, under a name of its own as the licence asks."""
    options = subset.Options(
        font_number=index,
        hinting=False,
        layout_features=["kern"],
        name_IDs=[*NAMED, *KEPT_NAMES],
        notdef_outline=True,
        drop_tables=["BASE", "VORG", "vhea", "vmtx", "DSIG"],
    )
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    for number, form in NAMED.items():
        font["name"].setName(form.format(family=family, joined=family.replace(" ", "")), number, 3, 1, 0x409)
    subset.save_font(font, str(target), options)


def main() -> None:
    """Write both fonts."""
    make(NOTO, NOTO_SIMPLIFIED, ui_characters(), "Companion CJK", HERE / "companion-cjk.otf")
    make(WENKAI, 0, set(map(ord, TILE_CHARACTERS)), "Companion Tile Kai", HERE / "tile-kai.ttf")


if __name__ == "__main__":
    main()
