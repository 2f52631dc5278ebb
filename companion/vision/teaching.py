"""Learning a set of tiles from pictures of it whose tiles are known: a person has named or confirmed them.

A picture that would teach something wrong is refused with the reason, and nothing is learned. Also the order
in which a person lays the kinds out to be learned.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.tiles import KINDS, Suit, Tile
from companion.vision.candidates import BLURRED, Quads, long_sides, sharpness, straighten_quad
from companion.vision.learned import LearnedSet, Source, name_photo
from companion.vision.networks import DIRECTIONS, DirectionAnswers, Reader
from companion.vision.reading import Reading

KINDS_MIN = 4  # fewer do not show what a set's tiles have in common
HEIGHT_MIN_PX = 24.0  # of a tile that something can be learned from
BLURRED_MAX = 1 / 3  # of the tiles
UPRIGHT = 3.0  # log odds that a tile stands as the others of its picture do rather than on its head
LIKE_BEFORE = 10.0  # log odds that a tile stands so, for each unit of similarity with an earlier lesson's
SHIFTS = ((0.0, 0.0), (0.04, 0.0), (-0.04, 0.0), (0.0, 0.04), (0.0, -0.04))  # of a tile's sides
TWINS = 0.93  # cosine of two tiles of one kind; of two kinds at most 0.86 in 14 drawn sets
NEW_TWINS = 0.88  # the same where one was learned before and the other would be the first of its kind
# How much more like a tile of another kind a tile may be, where it is at least this like it: up to 0.25 for
# right names in 99 of 100 tiles of drawn sets, from 0.46 for wrong ones in 95.
NEARER, KNOWN = 0.35, 0.6
CROP_WIDTH_PX, CROP_HEIGHT_PX, CROP_QUALITY = 48, 64, 80  # of a kept crop: about 1.5 kB
DIGEST_BYTES = 16

TOO_FEW = (
    "{kinds} kinds of tiles can be learned from, at least {least} are needed: name more tiles of the picture,"
    " or take one that shows more kinds."
)
TOO_SMALL = "The tiles are {height} px high in the picture, at least {least} are needed: take it from closer."
TOO_BLURRED = "{blurred} of the {tiles} tiles are blurred: hold the camera still and let it focus."
LOOK_ALIKE = "Tiles {one} and {other} look the same, but are called {code} and {other_code}: correct one."
LOOK_OTHERWISE = "Tile {one} is called {code}, but looks like tile {other}, {other_code}: correct one."
LEARNED_ALIKE = (
    "Tile {one} is called {code}, but looks like the {other_code} learned from {photo}: correct it, or teach"
    " that photo again."
)
NOTHING_NEW = "Nothing is new: the set learned these tiles from this picture before."
TOO_MANY = "The set would have {tiles} tiles, and at most {most} are kept: learn it again."
TILES_MAX = 1000
"""Far more than a set needs: twenty photos of all its kinds."""
REPLACED_MAX = 3
"""Sets that are kept of those which were replaced, one by the other: a person who errs may err again."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A picture (H, W, 3), what was read in it, and the kind of each tile of the reading; None: to leave
    out."""

    picture: Image
    reading: Reading
    kinds: tuple[Tile | None, ...]


def learn(
    reader: Reader, name: str, lessons: Sequence[Lesson], before: LearnedSet | None = None
) -> LearnedSet:
    """The set of tiles that pictures of it show; with `before`, that set and one more lesson.

    A tile of a picture that was taught before counts once, as it is named now. Raises InputError with the
    reason where the pictures are not fit to learn from, or teach nothing new; it counts their tiles from 1
    through all of them.
    """
    if before:
        before.check_reader(reader.id)
    codes: list[str] = []
    numbers: list[int] = []
    features: list[NDArray[np.float32]] = []
    sources: list[Source | None] = []
    passed = 0
    for photo, lesson in enumerate(lessons, start=1):
        named = {at: kind.code for at, kind in enumerate(lesson.kinds) if kind is not None}
        seen = _list_sources(lesson, list(named), before.lessons if before else 0, photo)
        fresh = {at: seen[at] for at in named if not (before and before.shows(named[at], seen[at]))}
        if fresh:
            quads = np.array([source.quad for source in fresh.values()], np.float32)
            _check_legible(reader, lesson.picture, quads)
            kinds = [named[at] for at in fresh]
            features.append(_measure_features(reader, lesson.picture, quads, kinds, before))
            codes += kinds
            numbers += [passed + at + 1 for at in fresh]
            sources += fresh.values()
        passed += len(lesson.kinds)
    if before:
        if not codes and any(kind for lesson in lessons for kind in lesson.kinds):
            raise InputError(NOTHING_NEW)
        codes = [*before.codes, *codes]
        numbers = [*[0] * len(before.codes), *numbers]
        features.insert(0, before.features)
        sources = [*(before.sources or [None] * len(before.codes)), *sources]
    if len(codes) > TILES_MAX:
        raise InputError(TOO_MANY, tiles=len(codes), most=TILES_MAX)
    if len(set(codes)) < KINDS_MIN:
        raise InputError(TOO_FEW, kinds=len(set(codes)), least=KINDS_MIN)
    replaced = before.replaced if before else None
    learned = LearnedSet(name, reader.id, tuple(codes), np.concatenate(features), tuple(sources), replaced)
    _check_names(learned, numbers)
    return learned


def put_in_place_of(old: LearnedSet | None, learned: LearnedSet) -> LearnedSet:
    """A set that was learned anew, which keeps the one it replaces and REPLACED_MAX in all."""
    return replace(learned, replaced=_keep_latest(old, REPLACED_MAX))


def _keep_latest(learned: LearnedSet | None, most: int) -> LearnedSet | None:
    if learned is None or not most:
        return None
    return replace(learned, replaced=_keep_latest(learned.replaced, most - 1))


def take_lesson_back(learned: LearnedSet) -> LearnedSet | None:
    """The set as it was before its last lesson; where that was its first, the one it replaced, or None."""
    last = learned.lessons - 1
    kept = [at for at, source in enumerate(learned.sources) if source is None or source.lesson < last]
    if not last or not kept:
        return learned.replaced
    return replace(
        learned,
        codes=tuple(learned.codes[at] for at in kept),
        features=learned.features[kept],
        sources=tuple(learned.sources[at] for at in kept),
    )


def _list_sources(lesson: Lesson, named: Sequence[int], number: int, photo: int) -> dict[int, Source]:
    """Where each of the tiles of a lesson's photo that were named is seen, by its index."""
    digest = hashlib.sha256(np.ascontiguousarray(lesson.picture).data).digest()[:DIGEST_BYTES]
    found = {}
    for at in named:
        quad = lesson.reading.tiles[at].quad
        crop = straighten_quad(lesson.picture, np.array(quad, np.float32), CROP_HEIGHT_PX)
        small = cv2.resize(crop, (CROP_WIDTH_PX, CROP_HEIGHT_PX), interpolation=cv2.INTER_AREA)
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, CROP_QUALITY])
        found[at] = Source(number, str(photo), digest, quad, jpeg.tobytes())
    return found


def _check_legible(reader: Reader, picture: Image, quads: Quads) -> None:
    height = float(np.median(long_sides(quads)))
    if height < HEIGHT_MIN_PX:
        raise InputError(TOO_SMALL, height=math.floor(height), least=round(HEIGHT_MIN_PX))
    crops = [straighten_quad(picture, quad, reader.size_px) for quad in quads]
    blurred = sum(sharpness(crop) < BLURRED for crop in crops)
    if blurred > BLURRED_MAX * len(quads):
        raise InputError(TOO_BLURRED, blurred=blurred, tiles=len(quads))


def _measure_features(
    reader: Reader, picture: Image, quads: Quads, codes: Sequence[str], before: LearnedSet | None
) -> NDArray[np.float32]:
    """The features (n, f) that the reader sees of each tile when its kind stands upright: the mean over a few
    crops, each a little beside the tile, as the finder's are."""
    crops = np.stack([straighten_quad(picture, quad, reader.size_px) for quad in quads])
    seen = DirectionAnswers.read_all(reader, crops)
    labels = [reader.labels.index(code) for code in codes]
    like = before.measure_similarity(seen.features, reader.labels) if before else None
    turns = _find_turns(seen, quads, labels, like)
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


def _find_turns(
    seen: DirectionAnswers, quads: Quads, labels: Sequence[int], like: NDArray[np.float32] | None
) -> NDArray[np.intp]:
    """How each tile is turned (n,), given its label: as this is read best, preferably as most stand, and as
    it is most similar (n, 4, labels) to what the set learned of it before."""
    fit = seen.directions + seen.kinds[np.arange(len(quads)), :, labels]
    if like is not None:
        fit = fit + LIKE_BEFORE * like[np.arange(len(quads)), :, labels].clip(0)
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


def _check_names(learned: LearnedSet, numbers: Sequence[int]) -> None:
    """Raises InputError for two tiles that look the same and have two names, and for a tile that looks much
    more like one of another kind than like those of its own. numbers: of the tiles, 0 for those learned
    before.

    A tile that looks like none that is known is another design of its kind.
    """
    rows = learned.in_force
    codes = np.array(learned.codes)[rows]
    known = {code for code, row in zip(codes.tolist(), rows, strict=True) if not numbers[row]}
    like = learned.compare_examples()
    np.fill_diagonal(like, -1)
    same = codes[:, None] == codes[None]
    others, own = np.where(same, -1, like), np.where(same, like, np.inf)
    np.fill_diagonal(own, np.inf)
    for one in np.argsort(-others.max(axis=1)).tolist():
        other = int(others[one].argmax())
        nearest = float(others[one, other])
        strays = nearest >= KNOWN and nearest > _nearest_of(own[one]) + NEARER
        is_new = codes[one] not in known and not numbers[rows[other]]
        twins = nearest > (NEW_TWINS if is_new else TWINS)
        if numbers[rows[one]] and (twins or strays):
            raise _describe_clash(learned, numbers, int(rows[one]), int(rows[other]), twins=twins)


def _nearest_of(own: NDArray[np.float32]) -> float:
    """The similarity with the most similar tile of its kind; infinite where there is no other one."""
    others = own[np.isfinite(own)]
    return float(others.max()) if len(others) else math.inf


def _describe_clash(
    learned: LearnedSet, numbers: Sequence[int], one: int, other: int, *, twins: bool
) -> InputError:
    params = {"one": numbers[one], "code": learned.codes[one], "other_code": learned.codes[other]}
    if numbers[other]:
        if twins:
            return InputError(LOOK_ALIKE, other=numbers[other], **params)
        return InputError(LOOK_OTHERWISE, other=numbers[other], **params)
    return InputError(LEARNED_ALIKE, photo=name_photo(learned.sources[other]), **params)


ROWS = tuple(tuple(kind for kind in KINDS if kind.suit is suit) for suit in Suit)
"""One of each kind, a suit a row: what a person is asked to lay out."""
ORDERS = (KINDS, tuple(kind for kind in KINDS if kind.suit is not Suit.FLOWERS))
CONTRADICTED_MAX = 0.2  # of the tiles read with certainty, that may be another kind than the order says


def assign_kinds(counts: Sequence[int], orders: Iterable[Sequence[Tile]] = ORDERS) -> list[Tile] | None:
    """The kinds of all tiles of photos with `counts` tiles, one after the other, if they lie in order: each
    photo shows one of `orders` whole, or all together do. None where the numbers fit neither."""
    sizes = {len(order): order for order in orders}
    if counts and all(count in sizes for count in counts):
        return [kind for count in counts for kind in sizes[count]]
    return list(sizes[total]) if (total := sum(counts)) in sizes else None


def place_kinds(
    photos: Sequence[Sequence[str | None]], orders: Iterable[Sequence[Tile]] = ORDERS
) -> list[Tile] | None:
    """As `assign_kinds`, of photos by what each tile was read as with certainty, or None. Where the tiles of
    a photo contradict the order from its beginning and not from its end, the photo is upside down."""
    kinds = assign_kinds([len(photo) for photo in photos], orders)
    if kinds is None:
        return None
    rest = iter(kinds)
    return [kind for photo in photos for kind in _turn_to_fit([next(rest) for _ in photo], photo)]


def _turn_to_fit(kinds: Sequence[Tile], read: Sequence[str | None]) -> Sequence[Tile]:
    turned = kinds[::-1]
    first, last = (
        is_contradicted([(code, kind.code) for code, kind in zip(read, order, strict=True) if code])
        for order in (kinds, turned)
    )
    return turned if first and not last else kinds


def find_exchanged(sure: Sequence[tuple[str, str]]) -> list[int]:
    """The indices of tiles that seem to have changed places: each was read as the kind that is expected where
    another one of them lies. A drawing that is read as another kind alone is none.

    sure: what each tile was read as with certainty, and the code expected there.
    """
    found = [at for at, (read, expected) in enumerate(sure) if read != expected]
    while True:
        reads, expecteds = {sure[at][0] for at in found}, {sure[at][1] for at in found}
        kept = [at for at in found if sure[at][0] in expecteds and sure[at][1] in reads]
        if kept == found:
            return found
        found = kept


def is_contradicted(sure: Sequence[tuple[str, str]]) -> bool:
    """Whether tiles lie in another order than expected; sure: what each tile was read as with certainty, and
    the code expected there."""
    return sum(read != expected for read, expected in sure) > CONTRADICTED_MAX * len(sure)
