"""The window follows a game with a phone for its camera, which goes away and comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from app_driver import SIZES, Driver

from companion.app.game.state import GameTable
from companion.app.recognition import use_models
from companion.cameras.phone import NO_PHONE, PHONE, PhonePictures
from companion.recorded_demo import __path__ as demo_folder
from companion.table.events import Discarded

FILM = Path(next(iter(demo_folder))) / "game.mp4"
DISCARDS = [(0, "2p"), (1, "7m"), (2, "2s"), (3, "6m"), (0, "2p")]
FRAME_S = 0.4
"""Four times as slowly as it was filmed: following needs the same pictures on a slow machine."""
WAIT_S = 200.0

pytestmark = pytest.mark.long


class Phone:
    """Films the demo's table while it is there, in motion from when `plays`."""

    def __init__(self, pictures: PhonePictures) -> None:
        self.is_there, self.plays = True, False
        self._pictures = pictures
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        film = cv2.VideoCapture(str(FILM))
        image = film.read()[1]
        while not self._is_over.wait(FRAME_S):
            if not self.is_there:
                continue
            self._pictures.note_phone(6.0)
            if self.plays:
                image = film.read()[1]
            if image is not None and self._pictures.is_wanted:
                self._pictures.put(image)


@pytest.fixture
def window(kivy_window: None, tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path, use_models(), SIZES["tablet"])
    yield driver
    driver.close()


def test_the_window_follows_a_phone_and_goes_on_when_it_is_back(window: Driver) -> None:
    def state() -> GameTable:
        found = window.controller.view.states["game"]
        assert isinstance(found, GameTable)
        return found

    def discards() -> list[tuple[int, str | None]]:
        followed = state().followed
        events = [entry.event for entry in followed.entries] if followed else []
        return [(event.seat, event.tile) for event in events if isinstance(event, Discarded)]

    pictures = window.controller.features["game"].cameras.phone  # type: ignore[attr-defined]
    phone = Phone(pictures)
    try:
        window.touch(window.root.bar.buttons["game"])
        window.touch(window.pages.game.setup.begin)
        window.wait(lambda: state().shows_table, "the game")
        window.controller.do("game", lambda table: table.with_camera(PHONE.id).follow())
        window.wait(lambda: bool(state().found), "the table", most_s=WAIT_S)
        phone.plays = True
        window.wait(lambda: discards()[:3] == DISCARDS[:3], "three discards", most_s=WAIT_S)
        phone.is_there = False
        window.wait(lambda: not state().runs, "the phone to be gone", most_s=WAIT_S)
        assert window.says(NO_PHONE)
        phone.is_there = True
        window.wait(lambda: discards()[:5] == DISCARDS, "all discards", most_s=WAIT_S)
        assert state().runs
        assert not window.says(NO_PHONE)
    finally:
        phone.stop()
