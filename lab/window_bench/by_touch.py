"""An evening of which everything is entered by touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.app.cameras import Cameras
from companion.app.recognition import Reader, use_models
from companion.cameras import Camera
from companion.errors import CameraError
from lab.window_bench.evening_plan import Evening
from lab.window_bench.evening_player import EveningPlayer
from lab.window_bench.evenings import Json
from lab.window_bench.screen import WindowScreen, measure_growth, read_memory_mb

LATE_MS = 100
"""A window that draws nothing for longer has blocked."""


def play_by_touch(
    folder: Path, evening: Evening, goes_on: bool, entered: Callable[[int, str, int], None]
) -> Json:
    """Enter what the kept game does not have yet of that evening. Raises WindowSilent."""
    with WindowScreen(folder, Reader(use_models()), Cameras(lambda: (), _refuse), draws=False) as screen:
        used_mb: list[float] = []

        def note(at: int, what: str, touches: int) -> None:
            used_mb.append(read_memory_mb())
            entered(at, what, touches)

        player = EveningPlayer(screen, evening, note)
        if goes_on:
            player.go_on()
        else:
            player.begin()
        player.play()
        return {
            "frames": len(screen.frames_ms),
            "longest_frame_ms": round(max(screen.frames_ms)),
            "most_work_in_a_frame_ms": round(max(screen.work_ms)),
            "frames_of_100_ms_work": sum(each > LATE_MS for each in screen.work_ms),
            "memory_mb": round(max(used_mb)),
            "memory_growth_mb": measure_growth(used_mb),
        }


def _refuse(camera: str) -> Camera:
    raise CameraError("No camera is connected.")
