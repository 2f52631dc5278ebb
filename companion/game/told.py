"""Where hands lie that people told the coach in a game: `NAME.told` beside it."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".told"


def path_of(game_path: Path) -> Path:
    """The file of that game, which need not exist."""
    return game_path.with_suffix(SUFFIX)
