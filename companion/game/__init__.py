"""Games kept in files: every event on the disk before it is acknowledged, undo, redo, resuming, exchange.

One SQLite file a game, in `games/` of the user's data folder; nothing that was entered is ever deleted in it.
"""

from companion.game.exchange import (
    EnteredLine,
    ImportedGame,
    enter_lines,
    history_lines,
    log_lines,
    read_game,
)
from companion.game.file import GameEntry, GameFile, GameHeader
from companion.game.game import Game
from companion.game.rescue import RescuedGame, rescue
from companion.game.sheet import decode_csv, encode_csv

__all__ = [
    "EnteredLine",
    "Game",
    "GameEntry",
    "GameFile",
    "GameHeader",
    "ImportedGame",
    "RescuedGame",
    "decode_csv",
    "encode_csv",
    "enter_lines",
    "history_lines",
    "log_lines",
    "read_game",
    "rescue",
]
