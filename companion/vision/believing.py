"""What each straightened tile is believed to be, whichever way it is turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.learned import LearnedSet
from companion.vision.networks import DIRECTIONS, Answers, Reader

DIRECTION_SHARE = 0.12  # directions with less belief are not read: 0.03 changes no figure of drawn tables
DOUBTFUL = 0.9  # tiles believed less are looked at again, with a learned set in every direction
SAME_UPSIDE_DOWN = frozenset(
    {"1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "5z", "back"}
)
SURE = 0.95  # of such a kind, from which on it is not read upside down as well
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """n tiles. shares: (n, labels) probabilities; turns: (n,) quarter turns clockwise from upright; features:
    (n, f) of each as it was read upright."""

    shares: Floats
    turns: NDArray[np.intp]
    features: Floats


def beliefs(reader: Reader, crops: NDArray[np.uint8], learned: LearnedSet | None) -> Beliefs:
    """Crops (n, size, size, 3), n > 0, are read in every likely direction; the answers are weighed by it.

    With a learned set, how much each looks like the tiles of that set is weighed in.
    """
    seen = Turned.of(reader, crops)
    if learned is None:
        joint = seen.joint()
    else:
        doubtful = _normalised(seen.joint()).max(axis=(1, 2)) < DOUBTFUL
        seen.read(reader, crops, np.repeat(doubtful[:, None], DIRECTIONS, axis=1))
        joint = learned.weighed(seen.directions, seen.kinds, seen.features, reader.labels)
    shares = _normalised(joint)
    turns = shares.sum(axis=2).argmax(axis=1)
    return Beliefs(shares.sum(axis=1), turns, seen.features[np.arange(len(crops)), turns])


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """The reader's answers for crops in several directions: been (n, 4) says which were read;
    directions (n, 4) and kinds (n, 4, labels) are log probabilities, features (n, 4, f)."""

    been: NDArray[np.bool_]
    directions: Floats
    kinds: Floats
    features: Floats

    @staticmethod
    def of(reader: Reader, crops: NDArray[np.uint8], least: float = DIRECTION_SHARE) -> Turned:
        """Reads each crop as it is, and in the other directions that have more than the least belief."""
        first = reader.answers(crops)
        n, labels = first.kinds.shape
        seen = Turned(
            np.zeros((n, DIRECTIONS), bool),
            first.directions,
            np.full((n, DIRECTIONS, labels), -np.inf, np.float32),
            np.zeros((n, DIRECTIONS, first.features.shape[1]), np.float32),
        )
        seen._keep(np.arange(n), np.zeros(n, np.intp), first)
        wanted = np.exp(first.directions) > least
        if least >= 0:
            either = np.array([label in SAME_UPSIDE_DOWN for label in reader.labels])
            sure = np.exp(first.kinds[:, either]).max(axis=1) > SURE
            wanted[:, 2] &= ~(sure & wanted[:, 0])
        seen.read(reader, crops, wanted)
        return seen

    def read(self, reader: Reader, crops: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> None:
        """Reads the crops in those of the directions `wanted` (n, 4) in which they have not been read."""
        which, turns = np.nonzero(wanted & ~self.been)
        if len(which):
            turned = np.stack([np.rot90(crops[i], int(k)) for i, k in zip(which, turns, strict=True)])
            self._keep(which, turns, reader.answers(turned))

    def _keep(self, which: NDArray[np.intp], turns: NDArray[np.intp], answers: Answers) -> None:
        self.been[which, turns] = True
        self.kinds[which, turns] = answers.kinds
        self.features[which, turns] = answers.features

    def joint(self) -> Floats:
        """(n, 4, labels) log belief in each direction and kind."""
        return self.directions[:, :, None] + self.kinds


def _normalised(joint: Floats) -> Floats:
    raised = np.exp(joint - joint.max(axis=(1, 2), keepdims=True))
    result: Floats = raised / raised.sum(axis=(1, 2), keepdims=True)
    return result
