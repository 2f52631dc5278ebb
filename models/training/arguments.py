"""Checks of the numbers, files and folders that the commands of this package are called with."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from lab.art.birds import BIRDS_FOLDER
from lab.art.glyphs import list_missing_fonts


def at_least(least: int) -> Callable[[str], int]:
    """What reads a whole number of at least `least` from the command line."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}, not {value}")
        return value

    return number


def require_files(parser: argparse.ArgumentParser, *paths: Path) -> None:
    """Ends the command with one sentence where one of the files is missing."""
    for path in paths:
        if not path.is_file():
            parser.error(f"there is no '{path}'")


def require_any(parser: argparse.ArgumentParser, folder: Path, pattern: str) -> None:
    """Ends the command with one sentence where a folder holds nothing of that pattern."""
    if not any(folder.glob(pattern)):
        parser.error(f"there is no '{folder / pattern}'")


def require_drawings(parser: argparse.ArgumentParser) -> None:
    """Ends the command with one sentence where birds or fonts are missing that tiles are drawn with: without
    them less would be learned, and nothing said."""
    require_any(parser, BIRDS_FOLDER, "*.png")
    if lacking := list_missing_fonts():
        parser.error(f"these fonts are not installed (companion/art/LICENCES.md): {', '.join(lacking)}")
