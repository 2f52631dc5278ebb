"""How fast pictures are read, and with how much memory, on drawn tables that are the same every time.

Next to it a network of the size of YOLO11n with random weights is measured. The runs of all figures take
turns, each right after one of the yardstick, so that what slows the machine down for a while slows both.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import MissingError
from companion.images import Image
from companion.table.wall import Layer, WallPlace
from companion.tiles import KINDS, SET_136
from companion.vision import Reading, Recogniser
from companion.vision.networks import start_session
from companion.vision.recogniser import SeenFrame
from lab.bench.figures import figure
from lab.scenes.club import Empty, Setting, draw_empty, draw_table
from lab.scenes.draw import Light, Scene
from lab.scenes.furniture import make_random_furniture
from lab.scenes.geometry import Camera
from lab.scenes.hand import FELT, SIZE_MM, make_house_set, render_hand
from lab.scenes.layouts import SEATS, Contents, Habits, Hands, Part, SeatTiles, Tabletop, WallTile, lay_out
from lab.scenes.surfaces import make_cloth

ROW = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
FACES, BACKS = 110, 100
"""More than a box has: no table in play shows as much."""
STACKS = BACKS // SEATS
HAND = 13
EDGE_MM = 45.0
NOISE_LEVELS = 3.0
SEED = 3


def draw_hands(tiles: int, width: int, height: int) -> Image:
    """A drawn table with n tiles, in rows of ten."""
    codes = (ROW * 2)[:tiles]
    rows = [codes[at : at + 10] for at in range(0, tiles, 10)]
    return render_hand(rows, seed=SEED, width=width, height=height).image


def add_noise(picture: Image, seed: int) -> Image:
    """The picture with the noise of a camera's sensor, of NOISE_LEVELS in every other pixel."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(seed)
    coarse = rng.standard_normal((height // 2, width // 2, 3), np.float32) * np.float32(NOISE_LEVELS)
    coarse = coarse.round().astype(np.int16)  # which takes half the memory
    return np.asarray(cv2.add(picture, cv2.resize(coarse, (width, height)), dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True, eq=False)
class WholeTable:
    """A table with FACES tiles face up and BACKS face down, seen from nearly straight above by a camera that
    stands still and takes pictures of width × height px."""

    width: int
    height: int

    @cached_property
    def layout(self) -> Tabletop:
        """How it lies at first: open hands and discards, walls of two layers round them."""
        codes = [kind.code for kind in KINDS for _ in range(SET_136.copies[kind.index])]
        order = iter(np.random.default_rng(SEED).permutation(codes).tolist())
        each = [FACES // SEATS + (seat < FACES % SEATS) for seat in range(SEATS)]
        shown = [[next(order) for _ in range(count)] for count in each]
        one, two, three, four = (
            SeatTiles(tuple(codes[:HAND]), discards=tuple(codes[HAND:]), shown=True) for codes in shown
        )
        wall = tuple(
            WallTile(WallPlace(side, stack, layer), "5z")
            for side in range(SEATS)
            for stack in range(1, STACKS + 1)
            for layer in (Layer.LOWER, Layer.UPPER)
        )
        contents = Contents((one, two, three, four), wall, (STACKS,) * 4)
        return lay_out(contents, SIZE_MM, Habits(hands=(Hands.OPEN,) * 4), SEED)

    @cached_property
    def _half_mm(self) -> float:
        return max(max(abs(tile.x_mm), abs(tile.y_mm)) for tile in self.layout.tiles) + EDGE_MM

    @cached_property
    def camera(self) -> Camera:
        focal = 1.2 * self.width
        distance = focal * 2 * self._half_mm / self.height
        return Camera.looking_at(
            np.zeros(3), distance, 1.5, 0.02, 0.01, focal, self.width, self.height
        )  # fmt: skip

    @cached_property
    def _setting(self) -> Setting:
        rng = np.random.default_rng(SEED)
        cloth = make_cloth(rng, self.height, self.width, np.array(FELT, np.float32))
        light = Light((-0.36, 0.48, 0.8), ambient=0.62, shadow=0.5, softness_px=self.width / 250)
        return Setting(make_random_furniture(rng, self._half_mm, device_mm=0.0), light, cloth, cloth)

    @cached_property
    def _empty(self) -> Empty:
        return draw_empty(self._setting, self.camera)

    def draw(self, layout: Tabletop) -> Scene:
        """The table as it is seen with its tiles lying like this."""
        bodies = make_house_set([tile.code for tile in KINDS])
        return draw_table(layout, self._setting, self.camera, bodies, empty=self._empty)


THREADS = 2
FRAME = (1920, 1080)
PHOTOS = {"photo": (4000, 3000), "large photo": (8064, 6048)}
PHOTO_TILES, FRAME_TILES = 40, 20
JPEG_QUALITY = 90
OF = {
    "frame": "1920 × 1080, 20 tiles",
    "table": "1920 × 1080, 110 faces and 100 backs",
    "table changed": "the same, one tile put down or taken away",
    "table unchanged": "the same, new noise",
    "photo": "12 megapixels, 40 tiles, from its JPEG file",
    "large photo": "48 megapixels, 40 tiles, from its JPEG file",
    "load": "all networks",
    "yardstick": "640 × 640",
}
STAGES = ("decode", "detect", "classify")
NO_ONNX = "The yardstick is a network that the package onnx writes, which is not installed: pip install onnx."
Json = dict[str, Any]


def bench(models: Path, runs: int, *, yardstick: bool) -> Json:
    """The times in ms, models loaded, on two threads, of one live frame with 20 tiles; of a whole table, read
    as a whole, after one tile has changed, and unchanged; of photos of 12 and 48 megapixels, decoded and
    read; and of loading the models. Memory of `companion read` for the smaller photo. Raises MissingError
    where the yardstick cannot be built, ModelError for missing models."""
    with tempfile.TemporaryDirectory() as folder:
        return _bench(models, runs, yardstick, Path(folder))


def _bench(models: Path, runs: int, yardstick: bool, folder: Path) -> Json:
    recogniser = Recogniser(models, threads=THREADS)
    frame = draw_hands(FRAME_TILES, *FRAME)
    files = {what: _save_photo(folder / f"{what}.jpg", size) for what, size in PHOTOS.items()}
    live = _LiveTable.start(recogniser)
    asked: dict[str, Callable[[], Any]] = {
        "frame": lambda: recogniser.read(frame),
        "table": live.read_whole,
        "table changed": live.read_changed,
        "table unchanged": live.read_unchanged,
        "photo": lambda: recogniser.read_file(files["photo"]),
        "large photo": lambda: recogniser.read_file(files["large photo"]),
    }
    clock = _start_yardstick() if yardstick else None
    took: dict[str, list[float]] = defaultdict(list)
    ratios: dict[str, list[float]] = defaultdict(list)
    stages: dict[str, list[float]] = defaultdict(list)
    tiles: dict[str, int] = {}
    for _ in range(runs):
        took["load"].append(_time(lambda: Recogniser(models, threads=THREADS))[0])
    for run in range(runs + 1):
        for what, ask in asked.items():
            beside = _time(clock)[0] if clock else 0.0
            ms, reading = _time(ask)
            tiles[what] = len(reading.tiles)
            if not run:  # the first fills memory
                continue
            took[what].append(ms)
            for stage in STAGES:
                if reading.ms[stage]:
                    stages[f"{what}, {stage}"].append(reading.ms[stage])
            if clock:
                took["yardstick"].append(beside)
                ratios[what].append(ms / beside)
    result: Json = {
        "threads": THREADS,
        "tiles": tiles,
        "figures": [
            figure(what, OF[what.split(",")[0]], "ms", times, min)
            for what, times in {**took, **stages}.items()
        ],
        "read_peak_memory_mb": _measure_read_memory(files["photo"]),
    }
    if clock:
        result["of_yardstick"] = {what: round(statistics.median(each), 3) for what, each in ratios.items()}
        result["frame_of_yardstick"] = result["of_yardstick"]["frame"]
    return result


@dataclass(eq=False)
class _LiveTable:
    """A whole table before a camera that stands still, with a tile of a river put down and taken away again
    by turns. seen: of the frame before."""

    recogniser: Recogniser
    frames: tuple[tuple[Image, Image], tuple[Image, Image]]
    seen: SeenFrame
    turn: int = 0

    @staticmethod
    def start(recogniser: Recogniser) -> _LiveTable:
        table = WholeTable(*FRAME)
        layout = table.layout
        last = max(at for at, tile in enumerate(layout.tiles) if tile.part is Part.RIVER)
        fewer = replace(layout, tiles=layout.tiles[:last] + layout.tiles[last + 1 :])
        drawn = [table.draw(each).image for each in (layout, fewer)]
        one, other = ((add_noise(each, 2 * at), add_noise(each, 2 * at + 1)) for at, each in enumerate(drawn))
        return _LiveTable(recogniser, (one, other), recogniser.read_next(None, one[0])[1])

    def read_whole(self) -> Reading:
        return self.recogniser.read(self.frames[self.turn][0])

    def read_changed(self) -> Reading:
        self.turn = 1 - self.turn
        return self._read_next(self.frames[self.turn][0])

    def read_unchanged(self) -> Reading:
        return self._read_next(self.frames[self.turn][1])

    def _read_next(self, frame: Image) -> Reading:
        reading, self.seen = self.recogniser.read_next(replace(self.seen, partly=0), frame)
        return reading


def _time(ask: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds that it took, and its answer."""
    began = time.perf_counter()
    answer = ask()
    return (time.perf_counter() - began) * 1e3, answer


def _save_photo(file: Path, size: tuple[int, int]) -> Path:
    drawn = draw_hands(PHOTO_TILES, *PHOTOS["photo"])  # the larger one would take a minute to draw
    photo = add_noise(np.asarray(cv2.resize(drawn, size), np.uint8), SEED)
    cv2.imwrite(str(file), photo, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return file


def _start_yardstick() -> Callable[[], Any]:

    try:
        network = yolo_sized()
    except ImportError as error:
        raise MissingError(NO_ONNX) from error
    session = start_session(network, THREADS)
    picture = np.zeros((1, 3, SIDE_PX, SIDE_PX), np.float32)
    return lambda: session.run(None, {"picture": picture})


def _measure_read_memory(photo: Path) -> int:
    """The peak memory of `companion read` in a process of its own, MB."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    read = [sys.executable, "-m", "companion", "read", str(photo), "--json"]
    command = [sys.executable, "-c", script, *read]
    done = subprocess.run(command, check=True, capture_output=True, env=os.environ)
    return round(int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6)


SIDE_PX = 640
CLASSES, BOX_BINS = 80, 16
OPSET = 18


class _Graph:
    """Collects nodes and weights; every method takes and gives names of tensors."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._node, self._tensor = helper.make_node, numpy_helper.from_array
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.channels = {"picture": 3}
        self._rng = np.random.default_rng(0)

    def add(self, kind: str, inputs: list[str], channels: int, **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(self._node(kind, inputs, [name], **attributes))
        self.channels[name] = channels
        return name

    def constant(self, values: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(self._tensor(np.asarray(values), name))
        return name

    def plain(self, x: str, out: int, size: int = 1, stride: int = 1, groups: int = 1) -> str:
        """A convolution with its bias."""
        inputs = self.channels[x] // groups
        scale = 1 / np.sqrt(inputs * size * size)
        weight = self._rng.normal(0, scale, (out, inputs, size, size)).astype(np.float32)
        names = [x, self.constant(weight), self.constant(np.zeros(out, np.float32))]
        return self.add("Conv", names, out, strides=[stride] * 2, pads=[size // 2] * 4, group=groups)

    def conv(self, x: str, out: int, size: int = 1, stride: int = 1, groups: int = 1) -> str:
        """A convolution (its batch norm folded in) and SiLU."""
        y = self.plain(x, out, size, stride, groups)
        return self.add("Mul", [y, self.add("Sigmoid", [y], out)], out)

    def plus(self, one: str, other: str) -> str:
        return self.add("Add", [one, other], self.channels[one])

    def transact(self, parts: list[str]) -> str:
        return self.add("Concat", parts, sum(self.channels[part] for part in parts), axis=1)

    def halves(self, x: str) -> tuple[str, str]:
        half = self.channels[x] // 2
        first, second = f"t{len(self.nodes)}a", f"t{len(self.nodes)}b"
        self.nodes.append(self._node("Split", [x], [first, second], axis=1, num_outputs=2))
        self.channels[first] = self.channels[second] = half
        return first, second

    def double_size(self, x: str) -> str:
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", scales], self.channels[x], mode="nearest")

    def bottleneck(self, x: str, hidden: float = 0.5) -> str:
        width = self.channels[x]
        return self.plus(x, self.conv(self.conv(x, int(width * hidden), 3), width, 3))

    def c3k(self, x: str, out: int) -> str:
        one, other = self.conv(x, out // 2), self.conv(x, out // 2)
        for _ in range(2):
            one = self.bottleneck(one, 1.0)
        return self.conv(self.transact([one, other]), out)

    def c3k2(self, x: str, out: int, inner: bool, share: float = 0.5) -> str:
        width = int(out * share)
        first, second = self.halves(self.conv(x, 2 * width))
        third = self.c3k(second, width) if inner else self.bottleneck(second)
        return self.conv(self.transact([first, second, third]), out)

    def sppf(self, x: str) -> str:
        width = self.channels[x]
        parts = [self.conv(x, width // 2)]
        for _ in range(3):
            pooled = self.add(
                "MaxPool", [parts[-1]], width // 2, kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]
            )
            parts.append(pooled)
        return self.conv(self.transact(parts), width)

    def attention(self, x: str, side: int, heads: int) -> str:
        """Self attention among side² places, with its positions and feed-forward part."""
        width = self.channels[x]
        head, key = width // heads, width // heads // 2
        places = side * side
        qkv = self.plain(x, heads * (2 * key + head))
        shape = self.constant(np.array([1, heads, 2 * key + head, places], np.int64))
        flat = self.add("Reshape", [qkv, shape], 0)
        ends = np.cumsum([0, key, key, head])
        axis = self.constant(np.array([2], np.int64))
        query, keys, values = (
            self.add(
                "Slice", [flat, self.constant(ends[i : i + 1]), self.constant(ends[i + 1 : i + 2]), axis], 0
            )
            for i in range(3)
        )
        turned = self.add("Transpose", [query], 0, perm=[0, 1, 3, 2])
        weights = self.add("Softmax", [self.add("MatMul", [turned, keys], 0)], 0, axis=-1)
        across = self.add("Transpose", [weights], 0, perm=[0, 1, 3, 2])
        mixed = self.add("MatMul", [values, across], 0)
        whole = self.constant(np.array([1, width, side, side], np.int64))
        seen = self.add("Reshape", [mixed, whole], width)
        place = self.plain(self.add("Reshape", [values, whole], width), width, 3, groups=width)
        x = self.plus(x, self.plain(self.plus(seen, place), width))
        return self.plus(x, self.plain(self.conv(x, 2 * width), width))

    def c2psa(self, x: str, side: int) -> str:
        width = self.channels[x]
        first, second = self.halves(self.conv(x, width))
        return self.conv(self.transact([first, self.attention(second, side, width // 128)]), width)

    def head(self, x: str) -> str:
        boxes = self.plain(self.conv(self.conv(x, 64, 3), 64, 3), 4 * BOX_BINS)
        y = x
        for _ in range(2):
            y = self.conv(self.conv(y, self.channels[y], 3, groups=self.channels[y]), CLASSES)
        return self.transact([boxes, self.plain(y, CLASSES)])


def yolo_sized() -> bytes:
    """The network as an ONNX file: (1, 3, 640, 640) float32 → three maps. Raises ImportError without onnx."""
    from onnx import TensorProto, helper

    g = _Graph()
    x = g.conv(g.conv("picture", 16, 3, 2), 32, 3, 2)
    x = g.conv(g.c3k2(x, 64, False, 0.25), 64, 3, 2)
    eighth = g.c3k2(x, 128, False, 0.25)
    sixteenth = g.c3k2(g.conv(eighth, 128, 3, 2), 128, True)
    last = g.sppf(g.c3k2(g.conv(sixteenth, 256, 3, 2), 256, True))
    last = g.c2psa(last, SIDE_PX // 32)
    middle = g.c3k2(g.transact([g.double_size(last), sixteenth]), 128, False)
    fine = g.c3k2(g.transact([g.double_size(middle), eighth]), 64, False)
    middle = g.c3k2(g.transact([g.conv(fine, 64, 3, 2), middle]), 128, False)
    coarse = g.c3k2(g.transact([g.conv(middle, 128, 3, 2), last]), 256, True)
    maps = [g.head(level) for level in (fine, middle, coarse)]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, SIDE_PX, SIDE_PX])
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, g.channels[name], side, side])
        for name, side in zip(maps, (SIDE_PX // 8, SIDE_PX // 16, SIDE_PX // 32), strict=True)
    ]
    graph = helper.make_graph(g.nodes, "yolo_sized", [picture], outputs, g.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    return bytes(model.SerializeToString())
