"""Which file a window keeps its hand in.

Of several windows on one data folder each has its own, session.json, session-2.json and so on, locked for as
long as the window is open: none writes over another's hand, and each hand is there again when as many windows
are open again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from companion.app.shell import session
from companion.app.shell.features import PARTS
from companion.app.shell.session import Session
from companion.files import Lock, lock, name_reason
from companion.foreign import Undecodable
from companion.sentences import Sentence, msgid

OWN_HAND = Sentence(
    "Another window is open: this one keeps a hand of its own, and the hand in the other one stays as it is."
)
NO_LOCK = msgid("Whether another window is open cannot be seen ({why}): keep one window open at a time.")
NOTHING_KEPT = Sentence(
    "Nothing is kept: when the window closes, all of it is gone. Choose a folder in Settings, under Data."
)
SETTINGS_NOT_KEPT = Sentence("Settings and the photo that is scored are not kept.")
NOT_KEPT = msgid(
    "The saved hand {file} can be neither read nor set aside ({why}): what you do now is not kept."
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
    path = session.path_of(folder, number)
    try:
        saved, damaged = session.load(path)
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
            held = lock(session.path_of(folder, number).with_suffix(".lock"))
        except OSError as error:
            return number, None, Sentence(NO_LOCK, {"why": name_reason(error)})
        if held:
            return number, held, OWN_HAND if number > 1 else None
    raise AssertionError("count has no end")


def _as_in_the_first(folder: Path) -> Session | None:
    """No hand, but the language and the tile set of the first window. Its devices are in use by that one."""
    try:
        first = session.read(session.path_of(folder, 1))
    except (OSError, Undecodable):
        return None
    return Session(first.language, {name: PARTS[name].share(part) for name, part in first.parts.items()})
