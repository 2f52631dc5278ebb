"""Learning a set of tiles from pictures of it whose tiles are known: a person has named or confirmed them.

A picture that would teach something wrong is refused with the reason, and nothing is learned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.tiles import Tile
from companion.vision.directions import DirectionAnswers
from companion.vision.geometry import Quads, straighten_quad
from companion.vision.learned import LearnedSet
from companion.vision.networks import DIRECTIONS, Reader
from companion.vision.reading import Reading
from companion.vision.sharpness import BLURRED, heights, sharpness

KINDS_MIN = 20  # fewer do not show what a set's tiles have in common
HEIGHT_MIN_PX = 24.0  # of a tile that something can be learned from
BLURRED_MAX = 1 / 3  # of the tiles
UPRIGHT = 3.0  # log odds that a tile stands as the others of its picture do rather than on its head
SHIFTS = ((0.0, 0.0), (0.04, 0.0), (-0.04, 0.0), (0.0, 0.04), (0.0, -0.04))  # of a tile's sides
TWINS = 0.93  # cosine of two tiles of one kind; of two kinds at most 0.86 in 14 drawn sets
# How much more like a tile of another kind a tile may be: up to 0.3 for right names, from 0.5 for swapped
# ones.
NEARER = 0.35

TOO_FEW = (
    "{kinds} kinds of tiles can be learned from, at least {least} are needed: lay out one of each kind, all"
    " of them in the picture."
)
TOO_SMALL = "The tiles are {height} px high in the picture, at least {least} are needed: take it from closer."
TOO_BLURRED = "{blurred} of the {tiles} tiles are blurred: hold the camera still and let it focus."
LOOK_ALIKE = "Tiles {one} and {other} look the same, but are called {code} and {other_code}: correct one."
LOOK_UNLIKE = "Tiles {one} and {other} are both called {code}, but look different: correct one."


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A picture (H, W, 3), what was read in it, and the kind of each tile of the reading; None: to leave
    out."""

    picture: Image
    reading: Reading
    kinds: tuple[Tile | None, ...]


def learn(reader: Reader, name: str, lessons: Sequence[Lesson]) -> LearnedSet:
    """The set of tiles that pictures of it show.

    Raises InputError with the reason where they are not fit to learn from; it counts tiles from 1 through all
    pictures.
    """
    codes: list[str] = []
    numbers: list[int] = []
    features: list[NDArray[np.float32]] = []
    pictures: list[int] = []
    before = 0
    for picture, lesson in enumerate(lessons):
        named = {at: kind.code for at, kind in enumerate(lesson.kinds) if kind is not None}
        if named:
            quads = np.array([lesson.reading.tiles[at].quad for at in named], np.float32)
            _check_legible(reader, lesson.picture, quads)
            features.append(_measure_features(reader, lesson.picture, quads, tuple(named.values())))
            codes += named.values()
            numbers += [before + at + 1 for at in named]
            pictures += [picture] * len(named)
        before += len(lesson.kinds)
    if len(set(codes)) < KINDS_MIN:
        raise InputError(TOO_FEW, kinds=len(set(codes)), least=KINDS_MIN)
    learned = LearnedSet(name, reader.id, tuple(codes), np.concatenate(features))
    _check_names(learned, numbers, pictures)
    return learned


def _check_legible(reader: Reader, picture: Image, quads: Quads) -> None:
    height = float(np.median(heights(quads)))
    if height < HEIGHT_MIN_PX:
        raise InputError(TOO_SMALL, height=math.floor(height), least=round(HEIGHT_MIN_PX))
    crops = [straighten_quad(picture, quad, reader.size_px) for quad in quads]
    blurred = sum(sharpness(crop) < BLURRED for crop in crops)
    if blurred > BLURRED_MAX * len(quads):
        raise InputError(TOO_BLURRED, blurred=blurred, tiles=len(quads))


def _measure_features(
    reader: Reader, picture: Image, quads: Quads, codes: Sequence[str]
) -> NDArray[np.float32]:
    """The features (n, f) that the reader sees of each tile when its kind stands upright: the mean over a few
    crops, each a little beside the tile, as the finder's are."""
    crops = np.stack([straighten_quad(picture, quad, reader.size_px) for quad in quads])
    seen = DirectionAnswers.read_all(reader, crops)
    turns = _find_turns(seen, quads, [reader.labels.index(code) for code in codes])
    right, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    total = np.zeros((len(quads), seen.features.shape[2]), np.float32)
    for x, y in SHIFTS:
        moved = quads + (x * right + y * down)[:, None]
        upright = [
            np.rot90(straighten_quad(picture, quad, reader.size_px), int(turn))
            for quad, turn in zip(moved, turns, strict=True)
        ]
        total += reader.classify(np.stack(upright)).features
    return total / np.float32(len(SHIFTS))


def _find_turns(seen: DirectionAnswers, quads: Quads, labels: Sequence[int]) -> NDArray[np.intp]:
    """How each tile is turned (n,), given its label: as this is read best, and preferably as most stand."""
    fit = seen.directions + seen.kinds[np.arange(len(quads)), :, labels]
    share = np.exp(fit - fit.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    tops = np.stack(
        [np.roll(quads, -k, axis=1)[:, 0] - np.roll(quads, -k, axis=1)[:, 3] for k in range(DIRECTIONS)], 1
    )
    tops /= np.linalg.norm(tops, axis=2, keepdims=True)
    common = (tops * share[:, :, None]).sum(axis=(0, 1))
    common /= max(float(np.linalg.norm(common)), 1e-6)
    turns: NDArray[np.intp] = (fit + UPRIGHT * (tops @ common)).argmax(axis=1)
    return turns


def _check_names(learned: LearnedSet, numbers: Sequence[int], pictures: Sequence[int]) -> None:
    """Raises InputError for two tiles that look the same and have two names, or the other way round.

    Tiles of one picture share its light, so what each has in common with the others is subtracted first.
    """
    codes, shown = np.array(learned.codes), np.array(pictures)
    unit = np.empty_like(learned.features)
    for picture in set(pictures):
        own = learned.features[shown == picture]
        centred = own - own.mean(axis=0)
        unit[shown == picture] = centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    like = unit @ unit.T
    same = codes[:, None] == codes[None]
    other = np.where(same, -1, like)
    one, two = divmod(int(other.argmax()), len(codes))
    if other[one, two] > TWINS:
        raise InputError(
            LOOK_ALIKE, one=numbers[one], other=numbers[two], code=codes[one], other_code=codes[two]
        )
    for one, two in np.argwhere(same).tolist():
        if other[one, shown == shown[two]].max() > like[one, two] + NEARER:
            raise InputError(LOOK_UNLIKE, one=numbers[one], other=numbers[two], code=codes[one])
