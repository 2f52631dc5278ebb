"""What the choosers show: folders, the pictures or films in them, the places where people keep theirs, and
thumbnails, made on a thread of their own; those requested last come first. No Kivy.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.files import name_reason
from companion.game.updates import Post
from companion.images import Image
from companion.live.session.lines import is_session
from companion.sentences import Sentence, msgid

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".hif", ".avif", ".bmp", ".tif", ".tiff"}
)
PHONE_FILMS = frozenset({".3gp", ".m2ts", ".m4v", ".mkv", ".mov", ".mp4", ".mts", ".webm"})
OTHER_FILMS = frozenset({".avi", ".flv", ".mpeg", ".mpg", ".ogv", ".ts", ".wmv"})
FILM_SUFFIXES = PHONE_FILMS | OTHER_FILMS
ENTRIES_MAX = 5000
"""Maximum number of entries shown of a folder, so that a huge one does not fill the memory."""
SIDE_PX = 320
KEPT_MAX = 400
"""Maximum number of thumbnails kept in memory, about 120 MB."""
WAITING_MAX = 60
"""Maximum number of requested thumbnails, more than fit on a screen; older requests have scrolled away."""

log = logging.getLogger(__name__)


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
    """What a chooser chooses. title: its heading. nothing: the message if there is none. likely: the
    places where it may be. icon: its sign, if it has no thumbnail. has_sessions: whether the folder of a
    recorded session is chosen, not opened."""

    title: str
    nothing: str
    suffixes: frozenset[str]
    likely: tuple[Shortcut, ...]
    icon: str
    has_thumbs: bool = True
    has_sessions: bool = False


def find_pictures(taken: Path) -> Sought:
    """Pictures. taken: the folder of pictures taken with this window."""
    pictures = Shortcut(msgid("Pictures"), Path.home() / "Pictures")
    likely = (pictures, _find_downloads(), Shortcut(msgid("Taken here"), taken))
    title, nothing = msgid("Choose a picture"), msgid("No pictures here.")
    return Sought(title, nothing, PICTURE_SUFFIXES, likely, "picture")


def find_films() -> Sought:
    """Films, without thumbnails: these might show a player's concealed tiles."""
    likely = (Shortcut(msgid("Films"), Path.home() / "Videos"), _find_downloads())
    title, nothing = msgid("Choose a film"), msgid("No films here.")
    return Sought(title, nothing, FILM_SUFFIXES, likely, "film", has_thumbs=False, has_sessions=True)


def list_entries(folder: Path, sought: Sought) -> tuple[tuple[Entry, ...], Sentence | None]:
    """Folders by name, then the files sought, newest first; and a message where the folder cannot be read."""
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
    except OSError:  # a broken link; opening it shows an error
        return 0.0


def _folders_of(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []


class Thumbnails:
    """`want(path, done)` calls `done(image)` on the window's thread, with None for a file that is not a
    picture."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._made: OrderedDict[Path, Image | None] = OrderedDict()
        self._wanted: list[tuple[Path, Callable[[Image | None], None]]] = []
        self._work = threading.Lock()
        self._working = False

    def want(self, path: Path, done: Callable[[Image | None], None]) -> None:
        with self._work:
            if path not in self._made:
                self._wanted.append((path, done))
                del self._wanted[:-WAITING_MAX]
                if not self._working:
                    self._working = True
                    threading.Thread(target=self._run, name="thumbnails", daemon=True).start()
                return
        done(self._made[path])

    def _run(self) -> None:
        """Make thumbnails until none are requested; then the thread ends, and no longer keeps the page
        alive."""
        while wish := self._take():
            path, done = wish
            image = self._made[path] if path in self._made else _small(path)
            self._post(lambda path=path, image=image, done=done: self._keep(path, image, done))  # type: ignore[misc]

    def _take(self) -> tuple[Path, Callable[[Image | None], None]] | None:
        with self._work:
            self._working = bool(self._wanted)
            return self._wanted.pop() if self._wanted else None

    def _keep(self, path: Path, image: Image | None, done: Callable[[Image | None], None]) -> None:
        with self._work:
            self._made[path] = image
            if len(self._made) > KEPT_MAX:
                self._made.popitem(last=False)
        done(image)


def _small(path: Path) -> Image | None:
    from companion.vision.pictures import load_photo

    try:
        image = load_photo(path, SIDE_PX).pixels
    except PictureError as error:
        log.info("no thumbnail of %s: %s", path, error)
        return None
    scale = SIDE_PX / max(image.shape[:2])
    if scale >= 1:
        return image
    size = [max(1, round(side * scale)) for side in image.shape[1::-1]]
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
