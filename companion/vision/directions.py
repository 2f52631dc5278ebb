"""The reader's answers for crops that may be turned: it is asked about each crop in every likely direction.

Directions count quarter turns clockwise from upright. A crop is turned back by them before it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.candidates import Floats
from companion.vision.networks import DIRECTIONS, Answers, Reader

DIRECTION_PROBABILITY = 0.12  # less likely directions are not read: 0.03 changes no figure of drawn tables
SAME_UPSIDE_DOWN = frozenset(
    {"1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "5z", "back"}
)
SYMMETRIC_PROBABILITY = 0.95  # that it is one of these, from which on a crop is not read upside down as well


@dataclass(frozen=True, slots=True, eq=False)
class DirectionAnswers:
    """The answers for n crops. Its arrays are filled in place, as more directions are read.

    was_read: (n, 4) whether a crop was read in a direction;
    directions: (n, 4) log probabilities of the directions;
    kinds: (n, 4, labels) log probabilities of the labels in each direction, -inf where it was not read;
    features: (n, 4, f) what was seen in each direction, 0 where it was not read.
    """

    was_read: NDArray[np.bool_]
    directions: Floats
    kinds: Floats
    features: Floats

    @staticmethod
    def read_as_they_are(reader: Reader, crops: NDArray[np.uint8]) -> DirectionAnswers:
        """Reads crops (n, size, size, 3), n > 0, without turning them."""
        first = reader.classify(crops)
        n, labels = first.kinds.shape
        answers = DirectionAnswers(
            np.zeros((n, DIRECTIONS), bool),
            first.directions,
            np.full((n, DIRECTIONS, labels), -np.inf, np.float32),
            np.zeros((n, DIRECTIONS, first.features.shape[1]), np.float32),
        )
        answers._keep(np.arange(n), np.zeros(n, np.intp), first)
        return answers

    @staticmethod
    def read_likely(reader: Reader, crops: NDArray[np.uint8]) -> DirectionAnswers:
        """Reads crops (n, size, size, 3), n > 0, as they are and in every other likely direction."""
        answers = DirectionAnswers.read_as_they_are(reader, crops)
        wanted = np.exp(answers.directions) > DIRECTION_PROBABILITY
        symmetric = np.array([label in SAME_UPSIDE_DOWN for label in reader.labels])
        sure = np.exp(answers.kinds[:, 0, symmetric]).max(axis=1) > SYMMETRIC_PROBABILITY
        wanted[:, 2] &= ~(sure & wanted[:, 0])
        answers.read_more(reader, crops, wanted)
        return answers

    @staticmethod
    def read_all(reader: Reader, crops: NDArray[np.uint8]) -> DirectionAnswers:
        """Reads crops (n, size, size, 3), n > 0, in all four directions."""
        answers = DirectionAnswers.read_as_they_are(reader, crops)
        answers.read_more(reader, crops, np.ones((len(crops), DIRECTIONS), bool))
        return answers

    def read_more(self, reader: Reader, crops: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> None:
        """Reads the crops in those directions of `wanted` (n, 4) in which they have not been read yet."""
        which, turns = np.nonzero(wanted & ~self.was_read)
        if len(which):
            turned = np.stack([np.rot90(crops[i], int(k)) for i, k in zip(which, turns, strict=True)])
            self._keep(which, turns, reader.classify(turned))

    def _keep(self, which: NDArray[np.intp], turns: NDArray[np.intp], answers: Answers) -> None:
        self.was_read[which, turns] = True
        self.kinds[which, turns] = answers.kinds
        self.features[which, turns] = answers.features

    def joint(self) -> Floats:
        """(n, 4, labels) log probability of each direction and label together."""
        return self.directions[:, :, None] + self.kinds
