"""Gathers pictures of birds for the 1 of bamboo out of Iconify's npm packages.

cp models/training/npm/*.json DIR && npm ci --ignore-scripts --prefix DIR
python -m models.training.birds DIR
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import resvg_py

from lab.art.birds import BIRDS_FOLDER
from models.training.arguments import require_files

PICTURE_PX = 192
PACKAGES = (
    "noto", "noto-v1", "fluent-emoji-flat", "fluent-emoji-high-contrast", "twemoji", "emojione",
    "emojione-monotone", "game-icons", "mdi", "fa6-solid", "ph",
)  # fmt: skip
NAMES = (
    "bird", "bird-duotone", "bird-fill", "black-bird", "canadian-goose", "condor-emblem", "crow",
    "crow-dive", "dodo", "dove", "duck", "eagle-emblem", "eating-pelican", "egyptian-bird", "finch",
    "flamingo", "goose", "harpy", "hawk-emblem", "heron", "hummingbird", "ibis", "kiwi-bird", "ostrich",
    "parrot", "peace-dove", "peacock", "phoenix", "phoenix-bird", "raven", "rooster", "seagull",
    "sparrow", "swan", "turkey", "vulture",
)  # fmt: skip


def gather(package: Path, out: Path) -> int:
    """The number of birds of NAMES in a package, which it writes as PNG pictures."""
    icons = json.loads((package / "icons.json").read_text(encoding="utf-8"))
    here = [name for name in NAMES if name in icons["icons"]]
    for name in here:
        icon = icons["icons"][name]
        width, height = (icon.get(side, icons.get(side, 16)) for side in ("width", "height"))
        drawing = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="0 0 {width} {height}">{icon["body"]}</svg>'
        )
        path = out / f"{package.name}-{name}.png"
        path.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=PICTURE_PX)))
    return len(here)


def main() -> None:
    """Writes the pictures to where `lab.art.birds` looks for them."""
    parser = argparse.ArgumentParser(prog="python -m models.training.birds")
    parser.add_argument("packages", type=Path, help="folder into which npm installed them")
    packages = parser.parse_args().packages / "node_modules" / "@iconify-json"
    require_files(parser, *(packages / name / "icons.json" for name in PACKAGES))
    BIRDS_FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PACKAGES:
        print(f"{name}: {gather(packages / name, BIRDS_FOLDER)} birds")


if __name__ == "__main__":
    main()
