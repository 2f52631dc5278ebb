"""A game of its own for the tests of history: each event adds a number to a row of them."""

from __future__ import annotations

from pathlib import Path

from companion.errors import CompanionError, InputError
from companion.history import Game, GameFile

Numbers = tuple[int, ...]


def event(number: int) -> str:
    return f'{{"add":{number}}}'


def apply(numbers: Numbers, line: str) -> Numbers:
    number = int(line.removeprefix('{"add":').removesuffix("}"))
    if number < 0:
        raise InputError("{number} is below 0.", number=number)
    return (*numbers, number)


def begin(path: Path) -> Game[Numbers]:
    return Game(GameFile.create(path), (), apply)


def resume(path: Path) -> Game[Numbers]:
    return Game(GameFile.open(path), (), apply)


def fill(game: Game[Numbers]) -> CompanionError:
    """Append numbers until one is refused, and give why."""
    while True:
        number = len(game.state)
        try:
            game.append(event(number), f"key {number}")
        except CompanionError as problem:
            return problem


def integrity(path: Path) -> str:
    """What SQLite says of a file's structure, all of it."""
    with GameFile.open(path) as file:
        found: str = file._connection.execute("PRAGMA integrity_check").fetchone()[0]
        return found
