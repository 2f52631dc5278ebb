"""Which set of tiles each labelled photo shows, so that a whole design can be left out of a training.

A group of the collection is a kind of scene: several groups show one design, and some show several. Designs
were told apart by eye, on sheets of every photo's winds, dragons, 1s and 1p: by index marks, the hand of
the writing, the bird, the rings of the 1p and the frame of the White dragon. Sets of one design are one here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LETTERED = "lettered"  # digits, letters and flower names in the corners, a long-tailed bird
BLUE_PARROT = "blue-parrot"  # no marks, bold blue characters, a parrot, a blue double ring
PALE = "pale"  # no marks, thin grey-blue strokes
ORANGE_BACKS = "orange-backs"  # bright green bamboo, a 1p of blue, green and yellow rings
WHEELS = "wheels"  # dots like wheels, a peacock, characters in black
DARK = "dark"  # bamboo and dots nearly black, a red parrot that stands
CLUB = "club"  # Japanese club sets: blank White dragons, peacocks; backs of five colours
VARIOUS = "various"  # many sets, each in a photo or two, none of them a design above
NOT_TAUGHT = frozenset({VARIOUS, CLUB})
"""Groups whose photos do not teach one set for the others: several sets, or parts of the same photos."""

BY_GROUP: Mapping[str, str] = {
    "wood-desk": LETTERED,
    "white-desk": LETTERED,
    "green-mat-grid": LETTERED,
    "green-mat-rack": LETTERED,
    "green-mat-strip": LETTERED,
    "wood-table-flowers": LETTERED,
    "live-dark-cloth": LETTERED,
    "live-printed-cloth": LETTERED,
    "live-darkgreen": LETTERED,
    "live-green": BLUE_PARROT,
    "live-teal": WHEELS,
    "live-home-misc": VARIOUS,
    "web-stock": VARIOUS,
    "flower-rows": VARIOUS,
    "lx-red-back": CLUB,
    "lx-purple-back": CLUB,
    "lx-orange-back": CLUB,
    "lx-yellow-back": CLUB,
    "sz-yellow-amos": CLUB,
    "sz-yellow-green": CLUB,
    "sz-yellow-teal": CLUB,
    "sz-blue-amos": CLUB,
}
# Photos, by their ids, that show another design than most of their group.
EXCEPTIONS: Mapping[str, tuple[int, ...]] = {
    LETTERED: (39, 124, 136, 146, 150, 155, 164, 367, 368, 384),
    BLUE_PARROT: (541,),
    PALE: (121, 122, 137, 165, 462, 463, 464, 465, 466, 467, 468, 477, 478, 479, 480, 481, 482),
    ORANGE_BACKS: (
        129, 130, 133, 138, 549, 552, 553, 555, 604, 611, 615, 618, 621, 626, 627, 629, 635, 636, 643,
    ),
    WHEELS: (127, 162, 191, 438),
    DARK: (142, 144, 145, 149, 157, 158),
    VARIOUS: (190, 196, 198),
}  # fmt: skip
DOUBTFUL = frozenset({197, 247, 542})
"""Photos whose set may or may not be one of the above."""

_BY_PHOTO = {number: design for design, numbers in EXCEPTIONS.items() for number in numbers}


def find_set(image: Mapping[str, Any]) -> str | None:
    """The design that a photo of the collection shows, given its entry in COCO; None in doubt, and for a
    group that is not in the list."""
    if image["id"] in DOUBTFUL:
        return None
    return _BY_PHOTO.get(image["id"], BY_GROUP.get(image["group"]))
