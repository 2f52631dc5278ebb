"""What docs/privacy.md promises, of the window in an empty home folder, seen by strace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lab.scenes import hand
from tests.privacy.conftest import COMPANION, Watched, check

pytestmark = pytest.mark.long

OPEN_S = 16
"""How long the window stays open: onnxruntime looked for its host ten seconds after it was loaded."""
FRAMES = 15
"""Of the recording, a second."""


@pytest.fixture
def screen(display: None) -> dict[str, str]:
    """What a window needs to know of the display."""
    return {name: os.environ[name] for name in ("DISPLAY", "LIBGL_ALWAYS_SOFTWARE")}


def test_the_window_with_a_picture(
    watched: Watched, screen: dict[str, str], pictures: Path, tmp_path: Path
) -> None:
    shot = tmp_path / "shot.png"
    window = ("app", "--picture", pictures / "hand.png", "--screenshot", shot)
    check(watched(*COMPANION, *window, outputs=[shot], **screen))
    assert shot.is_file()


def test_the_window_with_a_camera(
    watched: Watched, screen: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot, recording = tmp_path / "shot.png", tmp_path / "table.avi"
    monkeypatch.setattr(hand, "FRAMES", FRAMES)
    hand.record(recording)
    window = ("app", "--camera", f"file:{recording}", "--screenshot", shot)
    check(watched(*COMPANION, *window, outputs=[shot], **screen))
    assert shot.is_file()


def test_the_window_left_open(watched: Watched, screen: dict[str, str], pictures: Path, data: Path) -> None:
    interrupted = ("timeout", "--foreground", "--signal=INT", "--preserve-status", OPEN_S)
    window = ("app", "--picture", pictures / "hand.png")
    check(watched(*interrupted, *COMPANION, *window, **screen), status=130)
    assert (data / "session.json").is_file()
