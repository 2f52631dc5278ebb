"""How fast pictures are read, and with how much memory, on drawn tables; beside it a network of known size.

The runs of all figures take turns, each right after one of the yardstick, so that what slows the machine down
for a while slows both; every network runs with the same settings of onnxruntime.
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
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import MissingError
from companion.images import Image
from companion.vision import Reading, Recogniser
from companion.vision.networks import start_session
from companion.vision.recogniser import Seen
from lab.bench.drawn_tables import SEED, WholeTable, add_noise, draw_hands
from lab.bench.figures import figure
from lab.scenes.tabletop import Part

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
    seen: Seen
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
    from lab.bench.yolo_sized import SIDE_PX, yolo_sized

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
