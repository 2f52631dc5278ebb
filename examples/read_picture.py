"""Reads a picture and prints its rows of tiles, then the tiles that a person should look at.

python examples/read_picture.py demo-output/hand.jpg
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.config import models_dir
from companion.errors import CompanionError
from companion.vision import Reading, Recogniser, row_notation


def describe_reading(reading: Reading) -> str:
    """A line for each row, and one for each doubtful tile with the kinds that it may be."""
    doubtful = [tile for tile in reading.tiles if tile.is_unsure]
    looks = [" or ".join(f"{code} ({p:.0%})" for code, p in tile.alternatives[:3]) for tile in doubtful]
    return "\n".join([*row_notation(reading), *looks])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/read_picture.py PICTURE")
    recogniser = Recogniser(models_dir())  # loads the networks: keep it for all pictures
    try:
        print(describe_reading(recogniser.read_file(Path(sys.argv[1]))))
    except CompanionError as error:
        sys.exit(str(error))
