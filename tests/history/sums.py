"""A game of its own for the tests of history: each event adds a number to a row of them."""

from __future__ import annotations

from pathlib import Path

from companion.errors import InputError
from companion.history import Game, GameFile, Header

HEADER = Header("0.1.0", 1, "2026-01-02T03:04:05.678Z")


def event(number: int) -> str:
    return f'{{"add":{number}}}'


def apply(total: tuple[int, ...], line: str) -> tuple[int, ...]:
    number = int(line.removeprefix('{"add":').removesuffix("}"))
    if number < 0:
        raise InputError("{number} is below 0.", number=number)
    return (*total, number)


def begin(path: Path) -> Game[tuple[int, ...]]:
    return Game(GameFile.create(path, HEADER), (), apply)


def resume(path: Path) -> Game[tuple[int, ...]]:
    return Game(GameFile.open(path), (), apply)
