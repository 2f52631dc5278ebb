"""The three ONNX networks behind small calls, checked against their manifest before they are used.

The finder's maps hold a quad as nine numbers per cell (`encode`, `decode`) that need no order of corners: for
half diagonals a and b the sums a² + b² and a²b², the coefficients of z² - (a² + b²) z + a²b². The reader also
says which way up a tile is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.errors import ModelError, quote
from companion.files import name_reason, read_whole
from companion.foreign import Undecodable, decode_as
from companion.images import Image
from companion.tiles import BACK, KINDS
from companion.vision.candidates import (
    Candidates,
    Floats,
    halve,
    short_sides,
    start_at_top_left,
    suppress_overlaps,
)
from companion.vision.onnx_runtime import load_runtime

if TYPE_CHECKING:
    from companion.vision.onnx_runtime import onnxruntime

STRIDE_PX = 4  # of the maps in the finder's picture
CHANNELS = 9  # face score, back score; centre x, y; log size; (a² + b²)/s² re, im; a²b²/s⁴ re, im
SHAPE = slice(2, CHANNELS)
UNIT_PX = 32.0  # the size whose logarithm is 0


def encode(quad: NDArray[np.float64], cells_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """A quad (4, 2) px, clockwise, as seen from cell centres (n, 2) px → (n, 7), the channels after the
    scores."""
    z = quad[:, 0] + 1j * quad[:, 1]
    a, b = (z[0] - z[2]) / 2, (z[1] - z[3]) / 2
    size = np.sqrt(abs(a) * abs(b))
    u, w = (a * a + b * b) / size**2, (a * b) ** 2 / size**4
    centre = (quad.mean(axis=0) - cells_px) / size
    fixed = [np.log(size / UNIT_PX), u.real, u.imag, w.real, w.imag]
    return np.column_stack([centre, np.tile(fixed, (len(cells_px), 1))])


def decode(shapes: Floats, cells_px: Floats) -> Floats:
    """Channels after the scores (n, 7) at cell centres (n, 2) px → quads (n, 4, 2) px, clockwise,
    parallelograms."""
    size = np.exp(np.clip(shapes[:, 2], -4, 4)) * UNIT_PX
    centre = cells_px + shapes[:, :2] * size[:, None]
    u, w = shapes[:, 3] + 1j * shapes[:, 4], shapes[:, 5] + 1j * shapes[:, 6]
    root = np.sqrt(u * u - 4 * w)
    a, b = size * np.sqrt((u + root) / 2), size * np.sqrt((u - root) / 2)
    b = np.where((a.conj() * b).imag < 0, -b, b)
    corners = (centre[:, 0] + 1j * centre[:, 1])[:, None] + np.stack([a, b, -a, -b], axis=1)
    return np.stack([corners.real, corners.imag], axis=2).astype(np.float32)


MISSING = "The model file '{path}' is missing: install the program again, or set COMPANION_MODELS."
CHANGED = (
    "The model file '{path}' is not the one in its manifest (sha256 differs): install the program again."
)
BROKEN = "The model file '{path}' cannot be used: {why}. Install the program again."

MANIFEST_VERSION = 2
FILE_NAME = re.compile(r"\w[\w.-]{0,99}")
FILE_MAX_BYTES = 512 * 2**20
GRID_PX = 32  # the finder takes sides that are multiples of this
FOUND_SCORE = 0.2  # from which a peak of the finder's map may be a tile: the reader decides with it
SMALLEST_SIDE_PX = 7.0  # of a quad in the finder's picture; the finder was not trained on less
DIRECTIONS = 4
BATCH = 64  # crops read at once: more takes memory and no less time
READER_PX = 64  # side of a crop, where a reader's file does not name one
NO_TILE = "none"
BYTES, FLOATS, INTEGERS = "tensor(uint8)", "tensor(float)", "tensor(int64)"
KNOWN_LABELS = frozenset({*(kind.code for kind in KINDS), BACK, NO_TILE})

Sizes = tuple[int | None, ...]
"""Of an input or output; None: any."""


class ModelEntry(msgspec.Struct, frozen=True):
    """One model of the manifest. file: the name of its file, which is beside the manifest."""

    file: str
    sha256: str
    licence: str


class Manifest(msgspec.Struct, frozen=True):
    """models/manifest.json. temperature: of the reader's kinds."""

    version: int
    finder: ModelEntry
    reader: ModelEntry
    weigher: ModelEntry
    temperature: Annotated[float, msgspec.Meta(ge=0.05, le=20)]


def load_manifest(folder: Path) -> Manifest:
    """Reads the manifest. Raises ModelError when it is missing or damaged."""
    path = folder / "manifest.json"
    try:
        manifest = decode_as(_read(path), Manifest)
    except Undecodable as problem:
        raise ModelError(BROKEN, path=path, why=str(problem)) from problem
    if manifest.version != MANIFEST_VERSION:
        raise ModelError(BROKEN, path=path, why=f"its version is {manifest.version}, not {MANIFEST_VERSION}")
    for entry in (manifest.finder, manifest.reader, manifest.weigher):
        if not FILE_NAME.fullmatch(entry.file):
            why = f"{quote(entry.file)} is not the name of a file next to it"
            raise ModelError(BROKEN, path=path, why=why)
    return manifest


def _read(path: Path) -> bytes:
    try:
        return read_whole(path, FILE_MAX_BYTES)
    except FileNotFoundError as error:
        raise ModelError(MISSING, path=path) from error
    except OSError as error:
        raise ModelError(BROKEN, path=path, why=name_reason(error)) from error


def start_session(content: bytes, threads: int, floats: bool = False) -> onnxruntime.InferenceSession:
    """A network ready to run on n threads (0: one a core), which sleep while they have no work: waiting awake
    took as much processor time as the work where another program kept a core busy. floats: whether what is
    stored in 8 bits is calculated in floats."""
    onnx = load_runtime()
    options = onnx.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    options.enable_mem_pattern = False  # a plan for every size of picture, which takes twice the memory
    options.enable_cpu_mem_arena = False  # it would keep what the largest picture took, and more
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.disable_quant_qdq", "1" if floats else "0")
    return onnx.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _load_session(
    folder: Path, entry: ModelEntry, threads: int, floats: bool = False
) -> onnxruntime.InferenceSession:
    path = folder / entry.file
    content = _read(path)
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise ModelError(CHANGED, path=path)
    try:
        return start_session(content, threads, floats)
    except Exception as error:  # onnxruntime raises types of its own that share no base but this one
        raise ModelError(BROKEN, path=path, why="onnxruntime cannot load it") from error


def _check(
    session: onnxruntime.InferenceSession,
    path: Path,
    inputs: Sequence[tuple[str, Sizes]],
    outputs: Mapping[str, Sizes],
) -> None:
    """Raises ModelError unless the inputs have these types and sizes, the outputs these names and sizes."""
    given = [(each.type, each.shape) for each in session.get_inputs()]
    if len(given) != len(inputs) or not all(
        kind == wanted and _fits(shape, sizes)
        for (kind, shape), (wanted, sizes) in zip(given, inputs, strict=True)
    ):
        why = f"it takes {given}, not {[(wanted, list(sizes)) for wanted, sizes in inputs]}"
        raise ModelError(BROKEN, path=path, why=why)
    answers = {output.name: output.shape for output in session.get_outputs()}
    if answers.keys() != outputs.keys() or not all(_fits(answers[name], outputs[name]) for name in outputs):
        wanted_answers = {name: list(sizes) for name, sizes in outputs.items()}
        raise ModelError(BROKEN, path=path, why=f"it answers {answers}, not {wanted_answers}")


def _fits(shape: Sequence[object], sizes: Sizes) -> bool:
    return len(shape) == len(sizes) and all(
        wanted is None or wanted == has for wanted, has in zip(sizes, shape, strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Finder:
    """The network that finds tiles, as quads of unknown direction."""

    session: onnxruntime.InferenceSession

    @staticmethod
    def load(folder: Path, entry: ModelEntry, threads: int = 0, floats: bool = False) -> Finder:
        """The network of a file, to run as `start_session` says. Raises ModelError when the file is missing,
        changed or of the wrong shape."""
        session = _load_session(folder, entry, threads, floats)
        _check(
            session, folder / entry.file, [(BYTES, (1, None, None, 3))], {"maps": (1, CHANNELS, None, None)}
        )
        return Finder(session)

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """What may be tiles of a (H, W, 3) picture, looked for at `scale`: quads, in px of the picture, and
        scores. stretch: how many times as high the picture is made first; least_px: candidates
        whose shorter side is less than this, in px of the picture, are left out."""
        height, width = picture.shape[:2]
        columns = max(1, round(width * scale / GRID_PX)) * GRID_PX
        rows = max(1, round(height * scale * stretch / GRID_PX)) * GRID_PX
        halvings = max(0, int(np.log2(min(width / columns, height / rows))))
        width, height = width >> halvings << halvings, height >> halvings << halvings
        scaled = cv2.resize(halve(picture, halvings), (columns, rows), interpolation=cv2.INTER_LINEAR)
        maps = self.session.run(None, {self.session.get_inputs()[0].name: scaled[None]})[0][0]
        factor = np.array([width / columns, height / rows], np.float32)
        found = find_peaks(maps, least_px / float(factor.max()))
        found = replace(found, quads=found.quads * factor)
        return found[short_sides(found.quads) >= least_px]


def find_peaks(maps: Floats, wanted_px: float = 0.0) -> Candidates:
    """One candidate with quad and score for every tile that the finder's maps (9, h, w) show, in px of the
    picture that the maps were made of. None where no tile's shorter side reaches `wanted_px`: a look that
    shows nothing large ends before overlaps are compared."""
    score = maps[:2].max(axis=0)
    summit = (score == cv2.dilate(score, np.ones((3, 3), np.uint8))) & (score >= FOUND_SCORE)
    ys, xs = np.nonzero(summit)
    cells = (np.stack([xs, ys], axis=1).astype(np.float32) + 0.5) * STRIDE_PX
    quads = decode(maps[SHAPE, ys, xs].T, cells)
    scores, sides = score[ys, xs].astype(np.float32), short_sides(quads)
    if not (sides >= wanted_px).any():
        return Candidates.from_finder(quads[:0], scores[:0], scores[:0])
    sound = np.array([cv2.isContourConvex(quad) for quad in quads], bool) & (sides >= SMALLEST_SIDE_PX)
    quads, scores = quads[sound], scores[sound]
    kept = suppress_overlaps(quads, scores)
    faces, backs = maps[:2, ys, xs][:, sound][:, kept]
    return Candidates.from_finder(start_at_top_left(quads[kept]), scores[kept], backs / (faces + backs))


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the reader answers for n crops.

    kinds: (n, labels) log probabilities of each label, as if the crop stood upright;
    directions: (n, 4) log probabilities that the crop is turned by k quarter turns clockwise;
    features: (n, f) what it saw, for comparing crops with one another.
    """

    kinds: Floats
    directions: Floats
    features: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """The network that reads straightened crops. id: sha256 of its file, for sets learned from its
    features."""

    session: onnxruntime.InferenceSession
    id: str
    labels: tuple[str, ...]
    size_px: int
    temperature: float

    @staticmethod
    def load(
        folder: Path, entry: ModelEntry, temperature: float, threads: int = 0, floats: bool = False
    ) -> Reader:
        """The network of a file, with the labels of its metadata. Raises ModelError as `Finder.load` does,
        and for other labels than those of tiles."""
        session = _load_session(folder, entry, threads, floats)
        path = folder / entry.file
        shape = session.get_inputs()[0].shape
        size = shape[1] if len(shape) == 4 and isinstance(shape[1], int) else READER_PX
        answers = {"kinds": (None, None), "directions": (None, DIRECTIONS), "features": (None, None)}
        _check(session, path, [(BYTES, (None, size, size, 3))], answers)
        return Reader(session, entry.sha256, _read_labels(session, path), size, temperature)

    def classify(self, crops: NDArray[np.uint8]) -> Answers:
        """The network's answers for crops (n, size_px, size_px, 3) BGR, n > 0."""
        name = self.session.get_inputs()[0].name
        parts = [self.session.run(None, {name: crops[at : at + BATCH]}) for at in range(0, len(crops), BATCH)]
        kinds, directions, features = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Answers(_log_softmax(kinds, self.temperature), _log_softmax(directions), features)


@dataclass(frozen=True, slots=True, eq=False)
class Weigher:
    """The network that decides which candidates of a picture are tiles, and which of these show faces."""

    session: onnxruntime.InferenceSession

    @staticmethod
    def load(folder: Path, entry: ModelEntry, sizes: tuple[int, int, int]) -> Weigher:
        """The network of a file, for evidence of those sizes: numbers on each candidate, its neighbours, and
        numbers on each of these. It is so small that one thread runs it best. Raises ModelError as
        `Finder.load` does."""
        session = _load_session(folder, entry, 1)
        own, neighbours, relations = sizes
        pairs: Sizes = (None, neighbours)
        inputs = [(FLOATS, (None, own)), (INTEGERS, pairs), (FLOATS, pairs), (FLOATS, (*pairs, relations))]
        _check(session, folder / entry.file, inputs, {"odds": (None, 2)})
        return Weigher(session)

    def weigh(self, *evidence: NDArray[Any]) -> Floats:
        """Probabilities (n, 2) that each of n candidates is a tile, and that it shows its face if it is one,
        from the arrays of `companion.vision.deciding.Evidence`, in their order."""
        names = [given.name for given in self.session.get_inputs()]
        odds = self.session.run(None, dict(zip(names, evidence, strict=True)))[0]
        result: Floats = 1 / (1 + np.exp(-odds))
        return result


def _read_labels(session: onnxruntime.InferenceSession, path: Path) -> tuple[str, ...]:
    """What the outputs stand for, by the file's metadata. Raises ModelError."""
    listed = session.get_modelmeta().custom_metadata_map.get("labels", "[]")
    try:
        labels = decode_as(listed, tuple[str, ...])
    except Undecodable as error:
        raise ModelError(BROKEN, path=path, why=f"its labels are not a list ({error})") from error
    kinds = next(output.shape[1] for output in session.get_outputs() if output.name == "kinds")
    if len(labels) != kinds:
        raise ModelError(BROKEN, path=path, why=f"it names {len(labels)} labels, and answers {kinds}")
    if len(set(labels)) < kinds or not {BACK, NO_TILE} <= set(labels) <= KNOWN_LABELS:
        raise ModelError(BROKEN, path=path, why="its labels are not kinds of tiles, back and none, once each")
    return labels


def _log_softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    raised = (logits - logits.max(axis=1, keepdims=True)) / temperature
    result: Floats = raised - np.log(np.exp(raised).sum(axis=1, keepdims=True))
    return result.astype(np.float32, copy=False)


DIRECTION_PROBABILITY = 0.12  # less likely directions are not read: 0.03 changes no figure of drawn tables
TURNED_SCORE, TURNED_NO_TILE = 0.4, 0.5
"""The least score of a crop that is read in other directions, or the most that it seems to be no tile: of
1,795 that miss both, in drawn and in training pictures, 5 were turned tiles."""
SAME_UPSIDE_DOWN = frozenset(
    {"1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "5z", "back"}
)
SYMMETRIC_PROBABILITY = 0.95  # that it is one of these, from which a crop is not read upside down as well


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
    def read_likely(reader: Reader, crops: NDArray[np.uint8], scores: Floats) -> DirectionAnswers:
        """Reads crops (n, size, size, 3), n > 0, as they are and in every other likely direction; those that
        the finder scored (n,) low, and that seem to be no tile, only as they are."""
        answers = DirectionAnswers.read_as_they_are(reader, crops)
        wanted = np.exp(answers.directions) > DIRECTION_PROBABILITY
        none = np.exp(answers.kinds[:, 0, reader.labels.index(NO_TILE)])
        wanted &= ((scores >= TURNED_SCORE) | (none < TURNED_NO_TILE))[:, None]
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
