"""Webcams that are not there, seen by programs that are started with `env`: `fake_camera.c` is preloaded."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np

SOURCE = Path(__file__).with_name("fake_camera.c")
FULL = ("MJPG", 1920, 1080, 30)
HALF = ("MJPG", 1280, 720, 30)
SMALL = ("YUYV", 640, 480, 30)
FOCUS_AUTO, EXPOSURE_AUTO, MAINS = 0x009A090C, 0x009A0901, 0x00980918


def build_library(folder: Path) -> Path:
    """The library, built in that folder; workers share it, and the first one builds it."""
    assert shutil.which("gcc"), "gcc is missing: install the packages gcc and libc6-dev"
    library = folder / "fake_camera.so"
    with open(folder / "fake_camera.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.exists():
            flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
            subprocess.run(["gcc", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


class FakeCameras:
    """The cameras of a computer. env: what a program is started with that is to see them."""

    def __init__(self, folder: Path, library: Path) -> None:
        self._folder = folder
        self.env = {"FAKE_CAMERAS": str(folder), "LD_PRELOAD": str(library)}
        for name in ("dev/v4l/by-id", "sys/class/video4linux", "pictures"):
            (folder / name).mkdir(parents=True)

    def plug(
        self,
        number: int,
        *modes: tuple[str, int, int, int],
        does: tuple[str, ...] = (),
        name: str = "HD Webcam",
        id: str = "usb-HD_Webcam",
        controls: dict[int, int] | None = None,
        pictures: dict[tuple[int, int], Path] | None = None,
    ) -> None:
        """Plug it in as /dev/videoN. does: more lines of its file; controls: their values; pictures: JPEGs
        that it sends by the size it was asked for, where not a plain one."""
        lines = [f"mode {fourcc} {width} {height} {rate}" for fourcc, width, height, rate in modes]
        for fourcc, width, height, _ in modes:
            if fourcc == "MJPG":
                picture = (pictures or {}).get((width, height)) or self.make_picture(width, height)
                lines.append(f"picture {width} {height} {picture}")
        lines += [f"control {control:#010x} {value}" for control, value in (controls or {}).items()]
        (self._folder / f"dev/video{number}").write_text("\n".join((*lines, *does)) + "\n")
        node = self._folder / f"sys/class/video4linux/video{number}"
        node.mkdir()
        (node / "name").write_text(f"{name}\n")
        (self._folder / f"dev/v4l/by-id/{id}-video-index0").symlink_to(f"../../video{number}")

    def unplug(self, number: int) -> None:
        """Pull the plug of that camera."""
        (self._folder / f"dev/video{number}").unlink()
        shutil.rmtree(self._folder / f"sys/class/video4linux/video{number}")
        for link in (self._folder / "dev/v4l/by-id").iterdir():
            if link.readlink().name == f"video{number}":
                link.unlink()

    def make_picture(self, width: int, height: int) -> Path:
        """A plain JPEG of that size."""
        path = self._folder / f"pictures/{width}x{height}.jpg"
        if not path.exists():
            shades = np.linspace(0, 255, width).astype(np.uint8)
            cv2.imwrite(str(path), np.tile(shades, (height, 1)))
        return path

    @property
    def log(self) -> list[str]:
        """What was set: "format MJPG 1920 1080", "rate 15", "control 0x009a090c 0"."""
        path = self._folder / "log"
        return path.read_text().splitlines() if path.exists() else []

    def run(self, *command: str | Path, **kwargs: object) -> subprocess.CompletedProcess[str]:
        """Run a program that sees these cameras."""
        return subprocess.run(
            command, env=os.environ | self.env, capture_output=True, text=True, check=False, **kwargs
        )  # type: ignore[call-overload, no-any-return]
