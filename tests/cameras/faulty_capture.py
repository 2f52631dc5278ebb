"""A capture process whose driver or film fails in the way that its source names."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.cameras import capture_worker as worker

GOOD = 3
FAULTY = Path(__file__)


class Driver:
    """Yields `GOOD` frames, each in another grey, and then fails as `does` says."""

    def __init__(self, does: str) -> None:
        self.does = does
        self.sent = 0
        self.image: Any = None

    def isOpened(self) -> bool:
        return self.does != "stays shut"

    def get(self, _: int) -> float:
        return 48.0

    def set(self, *_: object) -> bool:
        return self.does != "cannot leap"

    def grab(self) -> bool:
        ok, self.image = self.read()
        return ok

    def retrieve(self) -> tuple[bool, Any]:
        return True, self.image

    def read(self, _: Any = None) -> tuple[bool, Any]:
        self.sent += 1
        time.sleep(0.005)
        if self.does == "goes on" or self.sent <= GOOD:
            return True, np.full((48, 64, 3), self.sent % 256, np.uint8)
        match self.does:
            case "hangs":
                time.sleep(300)
            case "raises":
                raise RuntimeError("the driver fell over")
            case "crashes":
                ctypes.string_at(0)
            case "is killed":
                os.abort()
            case "takes all memory":
                np.ones(2 * worker.MEMORY_BYTES_MAX, np.uint8)
            case "prints":
                while True:
                    for file in (1, 2):
                        with suppress(OSError):
                            os.write(file, b"noise" * 1000)
            case "grows":
                return True, np.zeros((8000, 8000, 3), np.uint8)
            case "is grey":
                return True, np.zeros((48, 64), np.uint8)
            case "reports false sizes":
                os.write(int(sys.argv[2]), worker.MESSAGE.pack(worker.FRAME, 2**31, 2**31, 0, 0.0))
                time.sleep(300)
            case "stammers":
                os.write(int(sys.argv[2]), b"x" * 1000)
                time.sleep(300)
            case "shrinks":
                try:
                    os.ftruncate(int(sys.argv[1]), 0)
                except PermissionError:
                    os._exit(7)
        return False, None


def open_driver(request: dict[str, Any]) -> Driver:
    if request["source"] == "hangs when opened":
        threading.Event().wait(300)
    return Driver(request["source"])


if __name__ == "__main__":
    worker.serve(open_driver)
