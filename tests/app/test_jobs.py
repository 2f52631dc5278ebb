"""Long jobs of the window that raise: the trouble is logged and said, and the feature is no longer busy."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from app_driver import ScriptedReader, make_controller

from companion.app.cameras import Cameras
from companion.app.pictures import feature as pictures
from companion.app.pictures.state import BringPicture
from companion.app.shell.window_controller import WindowController

WAIT_S = 60.0


class Window:
    """A window's controller without a window: what is posted to its thread is run here."""

    def __init__(self, folder: Path) -> None:
        self._posted: queue.Queue[Callable[[], object]] = queue.Queue()
        cameras = Cameras(tuple, lambda _: pytest.fail("no camera is opened"))
        self.controller: WindowController = make_controller(
            folder, ScriptedReader().recognition, cameras, self._posted.put
        )

    @property
    def said(self) -> str:
        banner = self.controller.view.window.banner
        return str(banner.sentence) if banner else ""

    def run_until(self, condition: Callable[[], object]) -> None:
        """Run what is posted until `condition` holds; fails where nothing is posted any more."""
        while not condition():
            self._posted.get(timeout=WAIT_S)()


@pytest.fixture
def window(tmp_path: Path) -> Window:
    return Window(tmp_path)


def test_closing_window_ignores_requests(window: Window) -> None:
    feature = window.controller.controller_of("pictures")
    window.controller.close()
    feature.work(lambda: pytest.fail("a job of a closed window"))
    assert window.said == ""


def test_a_job_that_raises_is_logged_and_said(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    def job() -> Callable[[BringPicture], BringPicture]:
        raise ZeroDivisionError("by zero")

    feature = window.controller.controller_of("pictures")
    with caplog.at_level(logging.ERROR):
        feature.work(job)
        window.run_until(lambda: window.said)
    assert "ZeroDivisionError" in caplog.text
    assert window.said == "Something went wrong (by zero); what you entered is kept."
    done: list[BringPicture] = []

    def note(state: BringPicture) -> BringPicture:
        done.append(state)
        return state

    feature.work(lambda: note)
    window.run_until(lambda: done)
    window.controller.close()


def test_a_frame_that_opencv_cannot_write_is_said_and_the_feature_is_not_busy(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Path:
        raise cv2.error("imencode failed")

    monkeypatch.setattr(pictures, "write_picture", refuse)
    frame = np.zeros((4, 4, 3), np.uint8)
    window.controller.do("pictures", lambda state: cast(BringPicture, state).use_frame(frame))
    assert window.controller.view.states["pictures"].busy is not None
    window.run_until(lambda: window.controller.view.states["pictures"].busy is None)
    assert "imencode failed" in window.said
    window.controller.close()
