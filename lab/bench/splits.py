"""What each split of labelled pictures may be used for. A figure is only honest on pictures that nothing was
chosen by, so a split has one role, and keeps it:

train: networks may learn from it; dev: choices may be made on it; test: it is read once a release, and each
time is logged (`release_log`). A test split is never looked at between releases, by nobody and no program.

Drawn splits are test splits when they were drawn with `TEST_SEED`, and dev splits with any other seed. When
the test draw has been read for a release that leads to changes, the next release takes a new seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from lab.bench.labelled_photos import LabelledSplit


class Role(StrEnum):
    """What a split may be used for."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


DEV_SEED = 1889  # what `python -m models.training.render` draws unless told otherwise
TEST_SEED = 19073  # to be read once, and looked at by nobody
# Seeds of earlier draws, read or looked at: 977 of `rendered` and `tileless`, 1471 of `causes`, 7481, 8263,
# 9029, 12713, 15329 and 17041 of all.

PHOTOGRAPHED: Mapping[str, Role] = {
    "train": Role.TRAIN,
    "train-2": Role.TRAIN,
    "negatives-2": Role.TRAIN,
    "dev-seen": Role.DEV,
    "dev-unseen-set": Role.TEST,  # in spite of its name, and looked at: the model card says how often
}
DRAWN = frozenset({"rendered", "tileless", "causes", "whole-tables"})


def find_role(name: str, split: LabelledSplit) -> Role | None:
    """The role of a split, None where it is nobody's: pictures of one's own, say."""
    if name in DRAWN:
        return Role.TEST if split.seed == TEST_SEED else Role.DEV
    return PHOTOGRAPHED.get(name)
