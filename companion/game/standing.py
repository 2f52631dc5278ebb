"""Which of a game's entries are events that stand."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game.file import GameEntry


def list_standing(entries: Iterable[GameEntry]) -> list[GameEntry]:
    """Those of the entries that are events and stand, in order."""
    standing: list[GameEntry] = []
    undone: list[GameEntry] = []
    for entry in entries:
        if entry.event:
            standing.append(entry)
            undone.clear()
        for _ in range(-entry.steps):
            undone.append(standing.pop())
        for _ in range(entry.steps):
            standing.append(undone.pop())
    return standing
