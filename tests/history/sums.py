"""Games for the tests of history in which numbers change hands: each event moves some points."""

from __future__ import annotations

from pathlib import Path

from companion.errors import CompanionError
from companion.history import Game, GameEntry, GameFile
from companion.history.game import encode_pinned
from companion.table.events import Event, GameStarted, PointsMoved

START = GameStarted(rules="hefei")
AT = "2026-01-02T00:00:00.678Z"


def event(number: int) -> Event:
    return PointsMoved(points=(number, -number, 0, 0), why="a number")


def lines(*numbers: int) -> list[str]:
    """As they are kept."""
    return [encode_pinned(event(number)) for number in numbers]


def entries(count: int) -> list[GameEntry]:
    """A game of so many numbers from 0 on, each with a key."""
    first = GameEntry(1, None, encode_pinned(START), 0, AT)
    return [
        first,
        *(GameEntry(n + 2, f"key {n}", encode_pinned(event(n)), 0, later(n)) for n in range(count)),
    ]


def later(number: int) -> str:
    """A time of its own for each of some thousand numbers."""
    return f"2026-01-02T{number // 3600 + 1:02}:{number // 60 % 60:02}:{number % 60:02}.678Z"


def begin(path: Path) -> Game:
    return Game.begin(path, START)


def resume(path: Path) -> Game:
    return Game.resume(path)


def numbers(game: Game) -> tuple[int, ...]:
    """Those that stand."""
    return tuple(entry.points[0] for entry in game.state.ledger)


def fill(game: Game) -> CompanionError:
    """Append the next numbers until one is refused, and give why."""
    while True:
        number = len(numbers(game))
        try:
            game.append(event(number), f"key {number}")
        except CompanionError as problem:
            return problem


def integrity(path: Path) -> str:
    """What SQLite says of a file's structure, all of it."""
    with GameFile.open(path) as file:
        found: str = file._connection.execute("PRAGMA integrity_check").fetchone()[0]
        return found
