"""What the commands of this package ask of the folders they are called with."""

from __future__ import annotations

import argparse
from pathlib import Path


def need(parser: argparse.ArgumentParser, *paths: Path) -> None:
    """Leaves with one sentence where one of the files is missing."""
    for path in paths:
        if not path.is_file():
            parser.error(f"there is no '{path}'")


def need_some(parser: argparse.ArgumentParser, folder: Path, pattern: str) -> None:
    """Leaves with one sentence where a folder holds nothing of that pattern."""
    if not any(folder.glob(pattern)):
        parser.error(f"there is no '{folder / pattern}'")
