"""Settings that Kivy reads when it is first imported: import nothing of Kivy before `prepare` has run."""

from __future__ import annotations

import logging
import os
from pathlib import Path

SIZE_DEFAULT = (1280, 800)


def prepare(folder: Path, size: tuple[int, int] = SIZE_DEFAULT) -> None:
    """Keep Kivy's own files in `folder`, its words out of the terminal, and its hands off the command
    line.
    """
    os.environ.update(
        KIVY_HOME=str(folder / "kivy"),
        KIVY_NO_ARGS="1",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",
    )
    logging.getLogger("kivy").addHandler(logging.NullHandler())
    logging.getLogger("kivy").propagate = False

    from kivy.config import Config

    Config.set("graphics", "width", size[0])
    Config.set("graphics", "height", size[1])
    Config.set("graphics", "minimum_width", 480)
    Config.set("graphics", "minimum_height", 400)
    Config.set(
        "input", "mouse", "mouse,disable_multitouch"
    )  # no red dots: the right button is no second finger
    Config.set("kivy", "exit_on_escape", 0)
    Config.set("kivy", "log_level", "error")
    register_font()


def register_font() -> None:
    """The font for everything: one that has Latin and Chinese."""
    from kivy.core.text import DEFAULT_FONT, LabelBase

    from companion.art import font_path

    LabelBase.register(DEFAULT_FONT, fn_regular=str(font_path()))
