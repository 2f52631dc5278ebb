"""How fast pictures are read, and with how much memory, on drawn tables; beside it a network of known size.

The runs of all figures take turns, so that what slows the machine down for a while slows all of them; every
network runs with the same settings of onnxruntime.
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
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.bench.figures import figure
from companion.errors import MissingError
from companion.images import Image
from companion.scenes.hand import render_hand
from companion.vision import Recogniser
from companion.vision.networks import start_session

THREADS = 2
FRAME = (1920, 1080)
PHOTO = (4000, 3000)
ROW = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
OF = {
    "frame": "1920 × 1080, 20 tiles",
    "photo": "12 megapixels, 40 tiles",
    "load": "all networks",
    "yardstick": "640 × 640",
}
NO_ONNX = "The yardstick is a network that the package onnx writes, which is not installed: pip install onnx."
Json = dict[str, Any]


def bench(models: Path, runs: int, *, yardstick: bool) -> Json:
    """The times in ms of one live frame with 20 tiles and of one photo of 12 megapixels with 40, models
    loaded, on two threads, and of loading the models; memory of `companion read` for the photo. Raises
    MissingError where the yardstick cannot be built, ModelError for missing models."""
    recogniser = Recogniser(models, threads=THREADS)
    frame, photo = _draw_table(20, *FRAME), _draw_table(40, *PHOTO)
    asked: dict[str, Callable[[], Any]] = {"frame": lambda: recogniser.read(frame)}
    if yardstick:  # next to what is held against it
        asked["yardstick"] = _start_yardstick()
    asked["photo"] = lambda: recogniser.read(photo)
    took: dict[str, list[float]] = defaultdict(list)
    stages: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        began = time.perf_counter()
        Recogniser(models, threads=THREADS)
        took["load"].append((time.perf_counter() - began) * 1e3)
    for run in range(runs + 1):
        for what, ask in asked.items():
            began = time.perf_counter()
            answer = ask()
            if run:  # the first fills memory
                took[what].append((time.perf_counter() - began) * 1e3)
                if what in ("frame", "photo"):
                    for stage in ("detect", "classify"):
                        stages[f"{what} {stage}"].append(answer.ms[stage])
    figures = [
        figure(what, OF[what.split()[0]], "ms", times, min) for what, times in {**took, **stages}.items()
    ]
    result: Json = {
        "threads": THREADS,
        "tiles": {"frame": len(recogniser.read(frame).tiles), "photo": len(recogniser.read(photo).tiles)},
        "figures": figures,
        "read_peak_memory_mb": _measure_read_memory(photo),
    }
    if yardstick:
        ratios = [ours / theirs for ours, theirs in zip(took["frame"], took["yardstick"], strict=True)]
        result["frame_of_yardstick"] = round(statistics.median(ratios), 3)
    return result


def _draw_table(tiles: int, width: int, height: int) -> Image:
    """A drawn table with n tiles, in rows of ten."""
    codes = (ROW * 2)[:tiles]
    rows = [codes[at : at + 10] for at in range(0, tiles, 10)]
    return render_hand(rows, seed=3, width=width, height=height).image


def _start_yardstick() -> Callable[[], Any]:
    from companion.bench.yolo_sized import SIDE_PX, yolo_sized

    try:
        network = yolo_sized()
    except ImportError as error:
        raise MissingError(NO_ONNX) from error
    session = start_session(network, THREADS)
    picture = np.zeros((1, 3, SIDE_PX, SIDE_PX), np.float32)
    return lambda: session.run(None, {"picture": picture})


def _measure_read_memory(photo: Image) -> int:
    """The peak memory of `companion read` in a process of its own, MB."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "photo.jpg"
        cv2.imwrite(str(file), photo)
        script = (
            "import resource, subprocess, sys;"
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        command = [
            sys.executable,
            "-c",
            script,
            sys.executable,
            "-m",
            "companion",
            "read",
            str(file),
            "--json",
        ]
        done = subprocess.run(command, check=True, capture_output=True, env=os.environ)
    return round(int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6)
