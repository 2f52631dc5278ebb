"""Games kept in files: every event on the disk before it is acknowledged, undo, redo, resuming, exchange.

One SQLite file a game, in `games/` of the user's data folder; nothing that was entered is ever deleted in it.
"""

from companion.history.exchange import Entered, Imported, entered, history_of, imported, log_of
from companion.history.file import Entry, GameFile, Header
from companion.history.game import Game
from companion.history.rescue import Rescued, rescue
from companion.history.sheet import csv_of, game_of_csv

__all__ = [
    "Entered",
    "Entry",
    "Game",
    "GameFile",
    "Header",
    "Imported",
    "Rescued",
    "csv_of",
    "entered",
    "game_of_csv",
    "history_of",
    "imported",
    "log_of",
    "rescue",
]
