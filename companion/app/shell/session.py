"""What a window keeps on disk: the file (each feature its own part, older formats too), which of several
windows has which file, and the thread that writes it. A damaged file is set aside, never overwritten. No
Kivy."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar
from zlib import crc32

import msgspec

from companion.app.shell.features import PARTS
from companion.files import Lock, lock, make_checksum, name_reason, read_whole, set_aside, write_whole
from companion.foreign import Undecodable, decode_as, decode_by
from companion.sentences import Sentence, msgid
from companion.words import Language


def separate_parts(content: bytes) -> bytes:
    """The same as JSON of format 3. Raises Undecodable; what else is wrong in it stays in it."""
    old = decode_as(content, dict[str, Any])
    parts: dict[str, Any] = {
        "score_photo": _rename_melds(old.pop("facts", None)),
        "tile_sets": {
            "used": old.pop("tile_set", None), "lesson": old.pop("lesson", {}),
        },
        "devices": old.pop("devices", {}),
    }  # fmt: skip
    return msgspec.json.encode({"parts": parts, "language": old.get("language")})


def _rename_melds(draft: Any) -> Any:
    """Laid melds were called groups."""
    hand = draft.get("hand") if isinstance(draft, dict) else None
    if isinstance(hand, dict) and "groups" in hand:
        hand["melds"] = hand.pop("groups")
    return draft


FILE = "session.json"
OTHERS = re.compile(r"session-[0-9]+\.json")
FORMAT = 4
CRC_FORMAT = 3
"""Of files of earlier programs, whose checksum is CRC-32."""
FLAT_FORMAT = 2
"""The same, the parts of the features not apart."""
UNCHECKED_FORMAT = 1
"""The same, without a checksum."""
HEAD = re.compile(rb'\{\n "checksum": (?:"([0-9a-f]{32})"|([0-9]{1,10})),')
"""How a file with a checksum begins: that of the bytes that follow, or their CRC-32."""

SET_ASIDE = msgid(
    "The saved hand could not be read; its file was renamed to {file}, and you can start again."
)
NOT_OURS = "it is not as the program writes it"


@dataclass(frozen=True, slots=True)
class Session:
    """What a window keeps: its language, and what each feature keeps, by the feature's name."""

    language: Language | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _File:
    """What the file holds, its parts not decoded yet."""

    parts: dict[str, msgspec.Raw]
    language: Language | None = None
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class _Format:
    format: int = FLAT_FORMAT


def path_of(folder: Path, number: int) -> Path:
    """The file of the window with that number, from 1, in the data folder."""
    return folder / (FILE if number == 1 else f"session-{number}.json")


def save(path: Path, kept: Session) -> None:
    """Write `kept` in one step. Raises OSError."""
    file = {"parts": kept.parts, "language": kept.language, "format": FORMAT}
    text = msgspec.json.format(msgspec.json.encode(file), indent=1)
    body = text.removeprefix(b"{")
    write_whole(path, b'{\n "checksum": "%b",' % make_checksum(body).hex().encode() + body)


def load(path: Path) -> tuple[Session | None, Sentence | None]:
    """The saved state and a message; an unusable file is renamed and mentioned in it.

    Raises OSError where it can be neither used nor renamed: whoever goes on must not write there.
    """
    try:
        return read(path), None
    except FileNotFoundError:
        return None, None
    except (OSError, Undecodable):
        return None, Sentence(SET_ASIDE, {"file": str(set_aside(path))})


def read(path: Path) -> Session:
    """What was saved. Raises OSError or Undecodable, and leaves the file as it is."""
    return decode_by(_decode, read_whole(path))


def _decode(content: bytes) -> Session:
    format = decode_as(content, _Format).format
    if not _is_as_written(content, format):
        raise Undecodable(NOT_OURS)
    file = decode_as(content if format >= CRC_FORMAT else separate_parts(content), _File)
    parts = {
        name: decode_as(bytes(raw), PARTS[name].kind) for name, raw in file.parts.items() if name in PARTS
    }
    if not all(PARTS[name].is_valid(part) for name, part in parts.items()):
        raise Undecodable(NOT_OURS)
    return Session(file.language, parts)


def files(folder: Path) -> Iterator[Path]:
    """Where the windows on this data folder keep their hands."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name == FILE or OTHERS.fullmatch(path.name):
            yield path


def _is_as_written(content: bytes, format: int) -> bool:
    """Whether nothing has changed in the file: the checksum at its head is that of the bytes after it."""
    head = HEAD.match(content)
    if head is None:
        return format == UNCHECKED_FORMAT
    body = content[head.end() :]
    if head[1] is not None:
        return format == FORMAT and head[1].decode() == make_checksum(body).hex()
    return format in (FLAT_FORMAT, CRC_FORMAT) and int(head[2]) == crc32(body)


OWN_HAND = Sentence(
    "Another window is open: this one saves a hand of its own, and the hand in the other one stays as it is."
)
NO_LOCK = msgid("Cannot tell whether another window is open ({why}): open only one window at a time.")
NOTHING_KEPT = Sentence(
    "Nothing is saved: everything is lost when the window closes. Choose a folder in Settings, under Data."
)
SETTINGS_NOT_KEPT = Sentence("Settings and the photo being scored are not saved.")
NOT_KEPT = msgid(
    "The saved hand {file} can be neither read nor renamed ({why}): nothing you do now is saved."
)


@dataclass(frozen=True, slots=True)
class Place:
    """A window's place in the data folder, 1 for the first window, and what was kept there.

    path: None where nothing is to be kept. note: what is to be said as long as the window is open, until a
    person has read it; warning: the same, for good; complaint: what is wrong with what was kept.
    """

    path: Path | None = None
    number: int = 1
    saved: Session | None = None
    note: Sentence | None = None
    warning: Sentence | None = None
    complaint: Sentence | None = None
    held: Lock | None = None

    def release(self) -> None:
        """Let another window have the place."""
        if self.held:
            self.held.release()


def take_place(folder: Path, *, is_kept: bool = True, complaint: Sentence | None = None) -> Place:
    """The first place that no open window has; free again when it is released, or when this process ends.
    is_kept: whether the folder is there the next time; complaint: what is wrong with it."""
    number, held, note = _lock_place(folder)
    path = path_of(folder, number)
    try:
        saved, damaged = load(path)
    except OSError as error:
        why = Sentence(NOT_KEPT, {"file": str(path), "why": name_reason(error)})
        return Place(None, number, None, note, SETTINGS_NOT_KEPT, why, held)
    if saved is None and number > 1:
        saved = _as_in_the_first(folder)
    return Place(path, number, saved, note, None if is_kept else NOTHING_KEPT, damaged or complaint, held)


def _lock_place(folder: Path) -> tuple[int, Lock | None, Sentence | None]:
    for number in count(1):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held = lock(path_of(folder, number).with_suffix(".lock"))
        except OSError as error:
            return number, None, Sentence(NO_LOCK, {"why": name_reason(error)})
        if held:
            return number, held, OWN_HAND if number > 1 else None
    raise AssertionError("count has no end")


def _as_in_the_first(folder: Path) -> Session | None:
    """No hand, but the language and the tile set of the first window. Its devices are in use by that one."""
    try:
        first = read(path_of(folder, 1))
    except (OSError, Undecodable):
        return None
    return Session(first.language, {name: PARTS[name].share(part) for name, part in first.parts.items()})


T = TypeVar("T")

log = logging.getLogger(__name__)


class Writer(Generic[T]):
    """Begins to write a value as soon as it is put; one that is put meanwhile is written next.

    write: raises OSError where it cannot. failed: called on the writer's thread with what was raised.
    """

    def __init__(self, write: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
        self._write = write
        self._failed = failed
        self._changed = threading.Condition()
        self._next: list[T] = []
        self._unwritten: list[T] = []
        self._writing = False

    def put(self, value: T) -> None:
        """Have `value` written, and nothing older any more; returns at once."""
        with self._changed:
            self._next = [value]
            self._unwritten = []
            if not self._writing:
                self._writing = True
                threading.Thread(target=self._run, name="saving", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until no write is under way, but no longer than that; whether the newest value is written."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writing, seconds)
            return not (self._writing or self._unwritten)

    def finish(self, seconds: float) -> bool:
        """Try once more to write a value that could not be written, and wait; whether all is written."""
        with self._changed:
            if self._unwritten:
                self.put(self._unwritten[0])
        return self.wait(seconds)

    def _run(self) -> None:
        """Write until there is nothing more; the thread then ends, and with it its hold on the window."""
        while taken := self._take():
            try:
                self._write(taken[0])
            except Exception as error:
                if not isinstance(error, OSError):
                    log.exception("saving")
                with self._changed:
                    self._unwritten = [] if self._next else taken
                self._failed(error)

    def _take(self) -> list[T]:
        """The value to be written, as a list of one; an empty one where there is none."""
        with self._changed:
            taken, self._next = self._next, []
            if not taken:
                self._writing = False
                self._changed.notify_all()
            return taken
