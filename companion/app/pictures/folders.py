"""What the choosers show: folders, pictures or films in them, and the places where people keep theirs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from companion.files import name_reason
from companion.live.session.lines import is_session
from companion.sentences import Sentence, msgid

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
PHONE_FILMS = frozenset({".3gp", ".m2ts", ".m4v", ".mkv", ".mov", ".mp4", ".mts", ".webm"})
OTHER_FILMS = frozenset({".avi", ".flv", ".mpeg", ".mpg", ".ogv", ".ts", ".wmv"})
FILM_SUFFIXES = PHONE_FILMS | OTHER_FILMS
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


@dataclass(frozen=True, slots=True)
class Sought:
    """What is chosen. title, nothing: what a person is asked, and told where there is none.

    likely: the places where it may be; icon: its sign, where it has no small picture. has_sessions: whether
    the folder of a recorded session is chosen, not opened.
    """

    title: str
    nothing: str
    suffixes: frozenset[str]
    likely: tuple[Shortcut, ...]
    icon: str
    has_thumbs: bool = True
    has_sessions: bool = False


def find_pictures(taken: Path) -> Sought:
    """Pictures; `taken` is where this window keeps those that it took."""
    pictures = Shortcut(msgid("Pictures"), Path.home() / "Pictures")
    likely = (pictures, _find_downloads(), Shortcut(msgid("Taken here"), taken))
    title, nothing = msgid("Choose a picture"), msgid("No pictures here.")
    return Sought(title, nothing, PICTURE_SUFFIXES, likely, "picture")


def find_films() -> Sought:
    """Films, of which no picture is shown: it might show what somebody holds."""
    likely = (Shortcut(msgid("Films"), Path.home() / "Videos"), _find_downloads())
    title, nothing = msgid("Choose a film"), msgid("No films here.")
    return Sought(title, nothing, FILM_SUFFIXES, likely, "film", has_thumbs=False, has_sessions=True)


def list_entries(folder: Path, sought: Sought) -> tuple[tuple[Entry, ...], Sentence | None]:
    """Folders by name, then what is sought, the newest first; and what is to be said where the folder cannot
    be read.
    """
    folders: list[Path] = []
    files: list[tuple[float, Path]] = []
    try:
        with os.scandir(folder) as found:
            for item in found:
                if item.name.startswith("."):
                    continue
                if item.is_dir() and sought.has_sessions and is_session(Path(item.path)):
                    files.append((_modified(item), Path(item.path)))
                elif item.is_dir():
                    folders.append(Path(item.path))
                elif Path(item.name).suffix.lower() in sought.suffixes:
                    files.append((_modified(item), Path(item.path)))
    except OSError as error:
        why = name_reason(error)
        return (), Sentence(
            "The folder {folder} cannot be opened ({why}); choose another one.",
            {"folder": str(folder), "why": why},
        )
    shown = [Entry(path, True) for path in sorted(folders, key=lambda path: path.name.lower())]
    shown += [Entry(path, False) for _, path in sorted(files, reverse=True)]
    return tuple(shown[:ENTRIES_MAX]), None


def list_places(sought: Sought) -> tuple[Shortcut, ...]:
    """The places that exist, the likeliest first."""
    media = Path("/media") / os.environ.get("USER", "")
    drives = (Shortcut(drive.name, drive) for drive in _folders_of(media))
    likely = (*sought.likely, Shortcut(msgid("Home"), Path.home()), *drives)
    return tuple(place for place in likely if place.path.is_dir())


def _find_downloads() -> Shortcut:
    return Shortcut(msgid("Downloads"), Path.home() / "Downloads")


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
