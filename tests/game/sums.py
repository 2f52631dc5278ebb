"""Games for the tests of history in which numbers change hands: each event moves some points."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from companion.errors import CompanionError
from companion.game import schema
from companion.game.file import GameEntry, GameFile
from companion.game.game import Game, encode_pinned
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


def keep_as_version(path: Path, version: int, entries: Iterable[GameEntry]) -> None:
    """A game as that version of the tables kept it."""
    connection = sqlite3.connect(path, isolation_level=None)
    for table in schema.OLDER[version][0]:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    count = chain = 0
    for entry in entries:
        count += 1
        fields = entry[: 6 if version > 3 else 5]
        own, chain = schema.crcs(fields, chain)
        sums = () if version == 1 else (chain,) if version == 2 else (own,)
        row = (*fields, *sums)
        connection.execute(f"INSERT INTO entry VALUES ({', '.join('?' * len(row))})", row)
    header = ("0.1.0", 1, AT) + ((count, chain) if version > 2 else ())
    row = (*header, schema.crc(header)) if version > 2 else header
    connection.execute(f"INSERT INTO game VALUES ({', '.join('?' * len(row))})", row)
    connection.close()


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
