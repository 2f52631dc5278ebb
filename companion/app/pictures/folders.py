"""What the picture chooser shows: folders and pictures, and the places where people keep theirs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from companion.sentences import Sentence, msgid

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
ENTRIES_MAX = 5000
"""More than a person scrolls through; keeps a huge folder from filling the memory."""


@dataclass(frozen=True, slots=True)
class Entry:
    path: Path
    is_folder: bool


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A shortcut. `name` is a msgid, or a drive's own name."""

    name: str
    path: Path


def entries(folder: Path) -> tuple[tuple[Entry, ...], Sentence | None]:
    """Folders by name, then pictures, the newest first; and what is to be said where the folder cannot
    be read.
    """
    folders: list[Path] = []
    pictures: list[tuple[float, Path]] = []
    try:
        with os.scandir(folder) as found:
            for item in found:
                if item.name.startswith("."):
                    continue
                if item.is_dir():
                    folders.append(Path(item.path))
                elif Path(item.name).suffix.lower() in PICTURE_SUFFIXES:
                    pictures.append((_modified(item), Path(item.path)))
    except OSError as error:
        why = error.strerror or type(error).__name__
        return (), Sentence(
            "The folder {folder} cannot be opened ({why}); choose another one.",
            {"folder": str(folder), "why": why},
        )
    shown = [Entry(path, True) for path in sorted(folders, key=lambda path: path.name.lower())]
    shown += [Entry(path, False) for _, path in sorted(pictures, reverse=True)]
    return tuple(shown[:ENTRIES_MAX]), None


def places(taken: Path) -> tuple[Shortcut, ...]:
    """The places that exist, the likeliest first; `taken` is where this window keeps the pictures it took."""
    home = Path.home()
    media = Path("/media") / os.environ.get("USER", "")
    likely = [
        Shortcut(msgid("Pictures"), home / "Pictures"),
        Shortcut(msgid("Downloads"), home / "Downloads"),
        Shortcut(msgid("Taken here"), taken),
        Shortcut(msgid("Home"), home),
        *(Shortcut(drive.name, drive) for drive in _folders_of(media)),
    ]
    return tuple(place for place in likely if place.path.is_dir())


def _modified(item: os.DirEntry[str]) -> float:
    try:
        return item.stat().st_mtime
    except OSError:  # a link that leads nowhere; opening it says so
        return 0.0


def _folders_of(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []
