"""What the window can show: its pages, and the panes of the table."""

from __future__ import annotations

from enum import StrEnum


class Page(StrEnum):
    """What fills the window."""

    TABLE = "table"
    PICTURES = "pictures"
    CAMERA = "camera"
    OPTIONS = "options"
    MORE = "more"
    SETS = "sets"
    LESSON = "lesson"
    DEVICES = "devices"


class Pane(StrEnum):
    """What a small window shows of the table."""

    TILES = "tiles"
    WIN = "win"
    SCORE = "score"
