"""The Kivy application: ties the desk to the window. Imported only after `boot.prepare`."""

from __future__ import annotations

import os
import time
from pathlib import Path

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window

from companion.app.pictures.chooser import on_window_thread
from companion.app.score_photo.state import ScorePhoto
from companion.app.shell.desk import Desk, View
from companion.app.shell.root import Root
from companion.art import icon_png
from companion.files import check_writable

SCREENSHOT_WAIT_S = 120.0
"""The longest wait for the score before the screenshot is taken as it is: a slow board reads for half a
minute.
"""
SETTLE_FRAMES = 12
"""So many frames are drawn after the last change: widgets that size each other need a few."""

KEY_ESCAPE = 27
"""Also what the back key of a tablet sends."""

post = on_window_thread


class CompanionApp(App):
    """One window. With `screenshot`, it closes by itself once that is written.

    `failure` is what kept it from being written.
    """

    title = "Mahjong Companion"
    icon = str(icon_png())

    def __init__(self, desk: Desk, picture: Path | None, screenshot: Path | None, *, live: bool) -> None:
        super().__init__()
        self._desk = desk
        self._picture = picture
        self._screenshot = screenshot
        self._live = live
        self.failure: OSError | None = None
        self._opened_at = time.monotonic()
        self._calm_frames = 0
        self._view: View | None = None
        if desk.place.number > 1:
            self.title = f"{self.title} ({desk.place.number})"

    def build(self) -> Root:
        root = Root(self._desk)

        def show(view: View) -> None:
            self._view = view
            self._calm_frames = 0
            root.show(view)

        self._desk.on_view = show
        return root

    def open_settings(self, *_: object) -> bool:
        """Kivy would show a panel of its own settings on F1."""
        return False

    def on_start(self) -> None:
        Window.bind(on_keyboard=self._on_key)
        Window.bind(on_drop_file=lambda _, name, *__: self._desk.open_picture(Path(os.fsdecode(name))))
        self._desk.start(self._picture)
        if self._live:
            self._desk.open_camera()
        if self._screenshot:
            Clock.schedule_interval(self._shoot_when_calm, 0)

    def on_stop(self) -> None:
        self._desk.close()

    def _on_key(self, _: object, key: int, __: int, ___: object, modifiers: list[str]) -> bool:
        if key == KEY_ESCAPE:
            self._desk.do(ScorePhoto.step_back)
        elif key == ord("z") and "ctrl" in modifiers:
            self._desk.do(ScorePhoto.undo)
        else:
            return False
        return True

    def _shoot_when_calm(self, _: float) -> bool:
        assert self._screenshot is not None
        assert self._view is not None
        preview = self._desk.preview
        looking = preview is not None and (preview.live is None or preview.live.tiles is None)
        self._calm_frames = 0 if looking else self._calm_frames + 1
        late = time.monotonic() - self._opened_at > SCREENSHOT_WAIT_S
        if not late and (self._view.state.busy or self._calm_frames < SETTLE_FRAMES):
            return True
        try:
            write_screenshot(self._screenshot)
        except OSError as error:
            self.failure = error
        self.stop()
        return False


def write_screenshot(path: Path) -> None:
    """Write what the window shows as a PNG. Raises OSError."""
    import cv2
    import numpy as np
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    width, height = Window.system_size
    pixels = np.frombuffer(glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE), dtype=np.uint8)
    image = cv2.cvtColor(pixels.reshape(height, width, 4)[::-1], cv2.COLOR_RGBA2BGR)
    done, content = cv2.imencode(".png", image)
    if not done:
        raise OSError("PNG")
    check_writable(path)
    path.write_bytes(content.tobytes())
