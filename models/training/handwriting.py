"""Gathers handwriting that no Debian package has: the characters that stand on tiles, out of the subset files
of Fontsource's npm packages.

    cp models/training/npm/*.json DIR && npm ci --ignore-scripts --prefix DIR
    python -m models.training.handwriting DIR
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from lab.art.glyphs import HANDS_FOLDER
from models.training.arguments import require_files

CHARACTERS = "一二三四五伍六七八九萬万東东南西北中發发白春夏秋冬梅蘭兰菊竹"
NAMES = (
    "zhi-mang-xing", "liu-jian-mao-cao", "long-cang", "ma-shan-zheng", "yuji-boku", "yuji-mai",
    "yuji-syuku", "iansui", "new-tegomin", "zen-kurenaido", "yomogi", "potta-one", "hachi-maru-pop",
    "kaisei-decol", "hina-mincho", "zen-antique", "zcool-xiaowei", "dela-gothic-one", "rampart-one",
    "lxgw-marker-gothic", "zcool-kuaile",
)  # fmt: skip


def gather(package: Path, out: Path) -> int:
    """The number of CHARACTERS in a package, which it writes as one font."""
    wanted = {ord(character) for character in CHARACTERS}
    with tempfile.TemporaryDirectory() as folder:
        parts: list[str] = []
        for path in sorted(package.glob("files/*-400-normal.woff")):
            font = TTFont(path)
            here = wanted & set(font.getBestCmap())
            if not here:
                continue
            options = Options()
            options.layout_features, options.hinting, options.notdef_outline = [], False, False
            subsetter = Subsetter(options)
            subsetter.populate(unicodes=here)
            subsetter.subset(font)
            for table in set(font.keys()) & {"GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG"}:
                del font[table]
            font.flavor = None
            parts.append(f"{folder}/{len(parts)}.ttf")
            font.save(parts[-1])
            wanted -= here
        Merger().merge(parts).save(out)
    return len(set(map(ord, CHARACTERS)) - wanted)


def main() -> None:
    """Writes the fonts to where `lab.art.glyphs` looks for them."""
    parser = argparse.ArgumentParser(prog="python -m models.training.handwriting")
    parser.add_argument("packages", type=Path, help="folder into which npm installed them")
    packages = parser.parse_args().packages / "node_modules" / "@fontsource"
    require_files(parser, *(packages / name / "package.json" for name in NAMES))
    HANDS_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        count = gather(packages / name, HANDS_FOLDER / f"{name}.ttf")
        print(f"{name}: {count} of {len(set(CHARACTERS))} characters")


if __name__ == "__main__":
    main()
