"""Games kept in files: every event on the disk before it is acknowledged, undo, redo, resuming.

One SQLite file a game, in `games/` of the user's data folder; nothing that was entered is ever deleted in it.
"""

from companion.history.file import Entry, GameFile, Header, rescue
from companion.history.game import Game

__all__ = ["Entry", "Game", "GameFile", "Header", "rescue"]
