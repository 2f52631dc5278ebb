"""How often mirrored photos are noticed, and others taken for mirrored: every labelled photo is read as it is
and flipped.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from companion.tiles import BACK, UNKNOWN
from companion.vision.mirrored import flip
from companion.vision.pictures import load_picture
from companion.vision.reading import MIRRORED, SURE, Reading
from companion.vision.recogniser import Recogniser
from lab.bench.labelled_photos import find_role, load_split


def bench(data: Path, split: str, models: Path) -> dict[str, Any]:
    """Counts over the photos of a split that show tiles: those "taken_for_mirrored"; flipped ones that were
    "noticed"; and tiles of these that are named surely, and otherwise than in the photo itself: "sure_wrong"
    where it was not noticed, in "photos_wrong" photos, and "sure_wrong_noticed" where it was.

    Raises InputError for a split that is missing, PictureError for a photo, ModelError for missing models.
    """
    labelled = load_split(data, split)
    recogniser = Recogniser(models)
    counts = Counter[str]()
    for photo in labelled.photos:
        if not photo.names:
            continue
        image = load_picture(photo.path)
        plain, flipped = recogniser.read(image), recogniser.read(flip(image))
        wrong = (_count_sure(flipped) - _count_sure(plain)).total()
        is_noticed = MIRRORED in flipped.warnings
        counts["photos"] += 1
        counts["tiles"] += len(plain.tiles)
        counts["taken_for_mirrored"] += MIRRORED in plain.warnings
        counts["noticed"] += is_noticed
        counts["sure_wrong_noticed" if is_noticed else "sure_wrong"] += wrong
        counts["photos_wrong"] += wrong > 0 and not is_noticed
    names = (
        "photos", "tiles", "taken_for_mirrored", "noticed", "sure_wrong", "photos_wrong",
        "sure_wrong_noticed",
    )  # fmt: skip
    figures = {name: counts[name] for name in names}
    return {"split": split, "role": find_role(split, labelled), "figures": [figures]}


def _count_sure(reading: Reading) -> Counter[str]:
    """The kinds that were read surely."""
    sure = (tile.code for tile in reading.tiles if tile.p >= SURE)
    return Counter(code for code in sure if code not in (BACK, UNKNOWN))
