"""Tile sets to draw training tables with: procedural styles, free artwork and photographed faces on random
bodies.

A mirrored glyph is never made: every face here is as the set shows it."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.images import Image
from companion.tiles import KINDS
from lab.art.faces import FaceStyle, draw_face, japanese_style, random_style, vary_style
from lab.art.glyphs import Writing
from lab.scenes.tileset import TileBodies
from models.training.image_files import load_image

FACE_PX = 144
LARGE_PX = 640  # height of a face that fills a picture
ONE_COLOUR_SHARE = 0.06  # of sets whose tiles are of one colour all through
UNLIKE_BGR = 90.0  # distance of two colours that nobody takes for one another
LARGE_CROPS_SHARE = 0.3  # of sets that fill a picture, where there are large photographed faces
SHARES = (0.66, 0.12, 0.22)  # of drawn designs, free artwork and photographed faces
DRAWN = (1.0, 0.0, 0.0)
CODES = tuple(tile.code for tile in KINDS)


def _load_art(data: Path) -> list[dict[str, Image]]:
    sets: dict[str, dict[str, Image]] = defaultdict(dict)
    for path in sorted((data / "art").glob("*/png/*.png")):
        if path.stem in CODES:
            picture = load_image(path, cv2.IMREAD_UNCHANGED)
            sets[path.parent.parent.name][path.stem] = _fit(picture)
    return list(sets.values())


def _fit(picture: Image, height_px: int = FACE_PX) -> Image:
    if picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    return np.asarray(
        cv2.resize(picture, (height_px * 3 // 4, height_px), interpolation=cv2.INTER_AREA), np.uint8
    )


def _load_crops(data: Path) -> dict[str, dict[str, list[Image]]]:
    sets: dict[str, dict[str, list[Image]]] = defaultdict(lambda: defaultdict(list))
    with (data / "crops" / "labels.csv").open() as lines:
        for line in csv.DictReader(lines):
            if line["label"] in CODES:
                picture = load_image(data / "crops" / line["file"])
                sets[line["set"]][line["label"]].append(_fit(picture))
    return sets


def _load_large_crops(data: Path) -> dict[str, Image]:
    """Large photographed faces, code → BGRA picture; none if `data` has no crops-2/."""
    labels = data / "crops-2" / "labels.csv"
    if not labels.exists():
        return {}
    faces = {}
    with labels.open() as lines:
        for line in csv.DictReader(lines):
            if line["label"] in CODES:
                faces[line["label"]] = _fit(load_image(data / "crops-2" / line["file"]), LARGE_PX)
    return faces


@lru_cache(maxsize=64)
def _draw_large_face(code: str, style: FaceStyle) -> Image:
    return draw_face(code, style, LARGE_PX)


class LargeFaces(Mapping[str, Image]):
    """The faces of a style, each drawn large when it is asked for."""

    def __init__(self, style: FaceStyle) -> None:
        self.style = style

    def __getitem__(self, code: str) -> Image:
        if code not in CODES:
            raise KeyError(code)
        return _draw_large_face(code, self.style)

    def __iter__(self) -> Iterator[str]:
        return iter(CODES)

    def __len__(self) -> int:
        return len(CODES)


class Designs:
    """All the faces there are to draw from; `sample` gives one physical set of tiles."""

    def __init__(
        self,
        data: Path | None,
        styles: int,
        seed: int,
        *,
        codes: Sequence[str] = CODES,
        unseen: bool = False,
        japanese: float = 0.0,
    ) -> None:
        """data: folder with art/ and crops/; None: only drawn designs. codes: the kinds that are drawn; if
        not all, only drawn designs are used. `unseen`: in hands of writing and with birds that no training
        picture shows. `japanese`: the share of designs that are as Japanese sets'."""
        rng = np.random.default_rng(seed)
        self._shares, self._art, self._crops = DRAWN, [], {}
        if data and len(codes) == len(CODES):
            self._shares, self._art, self._crops = SHARES, _load_art(data), _load_crops(data)
        self._large = _load_large_crops(data) if data else {}
        self._styles, self._drawn = [], []
        for _ in range(styles):
            as_japanese = japanese > 0 and rng.random() < japanese
            style = vary_style(rng, japanese_style(rng) if as_japanese else random_style(rng))
            if unseen:
                style = _restyle(style)
            self._styles.append(style)
            self._drawn.append({code: draw_face(code, style, FACE_PX) for code in codes})

    def sample(self, rng: np.random.Generator) -> TileBodies:
        """A set of tiles with its bodies; most are procedural, some artwork, some photographed faces."""
        faces = self.choose_faces(rng)
        width = rng.uniform(22, 30)
        size = np.array([width, width * rng.uniform(1.2, 1.5), width * rng.uniform(0.5, 0.9)])
        front = _pick_front(rng)
        rear = _pick_rear(rng, front)
        return TileBodies(
            size,
            faces,
            front,
            rear,
            float(rng.uniform(0.35, 0.75)),
            float(rng.uniform(0.03, 0.16)),
            float(rng.choice([0.05, 0.2, 0.45])),
            _draw_pattern(rng) if rng.random() < 0.15 else None,
        )

    def choose_faces(self, rng: np.random.Generator) -> dict[str, Image]:
        """The faces of one set: code → BGRA picture; most are procedural, some artwork, some photographed."""
        kind = rng.choice(["style", "art", "crop"], p=self._shares)
        if kind == "style":
            faces = self._drawn[rng.integers(len(self._drawn))]
        elif kind == "art":
            faces = {}
            for index in rng.permutation(len(self._art)):
                faces = {**self._art[index], **faces}
        else:
            faces = self._photographed(rng)
        if kind != "crop" and rng.random() < 0.35:
            faces = _recolour(rng, faces)
        return faces

    def choose_large_faces(self, rng: np.random.Generator) -> Mapping[str, Image]:
        """Faces of one set that are sharp when they fill a picture: drawn, or photographed large."""
        if self._large and rng.random() < LARGE_CROPS_SHARE:
            return self._large
        return LargeFaces(self._styles[rng.integers(len(self._styles))])

    def _photographed(self, rng: np.random.Generator) -> dict[str, Image]:
        names = list(self._crops)
        first = names[rng.integers(len(names))]
        faces = {}
        for code in CODES:
            having = [name for name in names if self._crops[name].get(code)]
            chosen = first if self._crops[first].get(code) else having[rng.integers(len(having))]
            pictures = self._crops[chosen][code]
            faces[code] = pictures[rng.integers(len(pictures))]
        return faces


def _restyle(style: FaceStyle) -> FaceStyle:
    hand = Writing.UNSEEN
    lettering = replace(
        style.lettering, writing=hand, green_writing=hand, wind_writing=hand, dragon_pictures=False
    )
    bird = not style.bamboo.peacock  # peacocks are drawn anew for every style
    bamboo = replace(style.bamboo, unseen_bird=bird, one_stick=False)
    return replace(style, lettering=lettering, bamboo=bamboo)


def _from_hsv(hue: float, saturation: float, value: float) -> tuple[int, int, int]:
    hsv = [int(hue) % 180, int(np.clip(saturation, 0, 255)), int(np.clip(value, 0, 255))]
    pixel = np.array([[hsv]], np.uint8)
    b, g, r = (int(c) for c in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def _pick_front(rng: np.random.Generator) -> tuple[int, int, int]:
    if rng.random() < 0.92:
        return _from_hsv(
            rng.uniform(12, 32), rng.choice([rng.uniform(0, 25), rng.uniform(15, 90)]), rng.uniform(200, 253)
        )
    return _from_hsv(rng.uniform(0, 180), rng.uniform(10, 110), rng.uniform(150, 250))


def measure_difference(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """How far two BGR colours are apart."""
    return float(np.linalg.norm(np.subtract(one, other)))


def differ(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    """Whether nobody takes these colours for one another."""
    return measure_difference(one, other) > UNLIKE_BGR


def _pick_rear(rng: np.random.Generator, front: tuple[int, int, int]) -> tuple[int, int, int]:
    """A back's colour, unlike the front's but in sets of one colour.

    Cut out, a back of the front's colour is a White dragon, so nothing is learned from these."""
    if rng.random() < ONE_COLOUR_SHARE:
        b, g, r = (int(np.clip(c + rng.normal(0, 5), 0, 255)) for c in front)
        return b, g, r
    while True:
        hue = rng.choice([rng.normal(60, 12), rng.normal(108, 8), rng.normal(18, 6), rng.uniform(0, 180)])
        colour = _from_hsv(hue, rng.uniform(40, 240), rng.uniform(40, 240))
        if differ(colour, front):
            return colour


def _draw_pattern(rng: np.random.Generator) -> Image:
    picture = np.zeros((FACE_PX, FACE_PX * 3 // 4, 4), np.uint8)
    colour = (*(int(c) for c in rng.integers(0, 256, 3)), 255)
    step = int(rng.integers(8, 40))
    for at in range(-FACE_PX, 2 * FACE_PX, step):
        cv2.line(picture, (at, 0), (at + FACE_PX, FACE_PX), colour, 2, cv2.LINE_AA)
        if step > 16:
            cv2.line(picture, (at + FACE_PX, 0), (at, FACE_PX), colour, 2, cv2.LINE_AA)
    return picture


def _recolour(rng: np.random.Generator, faces: dict[str, Image]) -> dict[str, Image]:
    """The same paint in other colours: one ink, turned hues, faded or dark."""
    mode = rng.integers(4)
    shift, fade, gain = int(rng.integers(-12, 13)), rng.uniform(0.3, 1.0), rng.uniform(0.5, 1.2)
    ink = np.array(_from_hsv(rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(0, 130)), np.float32)
    result = {}
    for code, face in faces.items():
        colour = face[:, :, :3]
        if mode == 0:
            strength = face[:, :, 3] * (1 - colour.min(axis=2).astype(np.float32) / 255 * 0.8)
            colour, alpha = np.broadcast_to(ink, colour.shape), strength
        else:
            hsv = cv2.cvtColor(colour, cv2.COLOR_BGR2HSV).astype(np.int32)
            hsv[:, :, 0] = (hsv[:, :, 0] + shift) % 180
            hsv[:, :, 1] = np.clip(hsv[:, :, 1] * (fade if mode == 2 else 1.0), 0, 255)
            hsv[:, :, 2] = np.clip(hsv[:, :, 2] * (gain if mode == 3 else 1.0), 0, 255)
            colour = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
            alpha = face[:, :, 3]
        result[code] = np.dstack([colour, alpha]).astype(np.uint8)
    return result
