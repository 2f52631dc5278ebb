"""A game that is kept and played on: its file, and the state that the events in it lead to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from companion.errors import EventError, InputError, quote
from companion.game import messages, schema
from companion.game.file import GameEntry, GameFile, now
from companion.game.log import GameLog
from companion.rules import RULE_SETS
from companion.rules.profile import VERSION, complete_settings
from companion.table.events import Corrected, Event, GameStarted, decode_event, encode_event
from companion.table.state import State


class Game:
    """An open game: its file and its log. Close it, or use it in a `with` statement; one thread at a time."""

    def __init__(self, file: GameFile) -> None:
        """Where the game in the file stands. InputError where its events cannot have happened so."""
        self.file = file
        self.log = GameLog()
        try:
            self.log.resume(*([decode_event(e.event) for e in es] for es in (file.standing, file.undone)))
        except EventError as problem:
            number = len(self.log.standing)
            raise InputError(
                messages.CANNOT_GO_ON, name=file.path.stem, number=number, problem=problem
            ) from problem

    @classmethod
    def begin(cls, path: Path, start: GameStarted) -> Game:
        """A new game in the file `path`. EventError, or what `GameFile.create` raises."""
        GameLog().enter(start)
        first = GameEntry(1, None, encode_pinned(start), 0, now())
        return cls(GameFile.create(path, [first]))

    @classmethod
    def resume(cls, path: Path) -> Game:
        """The game in the file `path`, exactly where it stood. Raises what `GameFile.open` does."""
        file = GameFile.open(path)
        try:
            return cls(file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def read(cls, path: Path) -> Game:
        """The game in the file `path`, closed: only for reading, as `GameFile.read`."""
        return cls(GameFile.read(path))

    @property
    def state(self) -> State:
        """Where the game stands."""
        state = self.log.state
        assert state is not None  # its first event is never taken away
        return state

    def append(
        self, event: Event, key: str | None = None, p: float = schema.CERTAIN, state: State | None = None
    ) -> bool:
        """Keep an event that is certain to the degree `p`, 0 to 1; False where it came before under its key.
        On the disk when this returns. state: what the event leads to, where it was applied already.

        EventError where it cannot happen, and what `GameFile.append` raises; then nothing has changed.
        """
        line = encode_pinned(event)
        if self.file.came_before(key, line):
            return False
        state = state or self.log.state_after(event)
        self.file.append(line, key, p)
        self.log.record(event, state)
        return True

    def append_all(self, steps: Sequence[tuple[Event, State]], instead_of: int = 0) -> None:
        """Keep certain events, each with the state that it leads to, all of them or none whatever happens, in
        the place of the last `instead_of` ones. On the disk when this returns. Raises as `append` and `undo`.
        """
        self.file.append_all([encode_pinned(event) for event, _ in steps], instead_of)
        self.log.record_all(steps, instead_of)

    def has_entered(self, event: Event, key: str | None) -> bool:
        """Whether the event was entered under its key, if only as part of a correction. InputError where the
        key is another's, or the event was undone."""
        entry = self.file.entry_of(key)
        if entry is None:
            return False
        is_correction = bool(entry.event) and isinstance(decode_event(entry.event), Corrected)
        return is_correction or self.file.came_before(key, encode_pinned(event))

    def undo(self, steps: int = 1, key: str | None = None) -> bool:
        """Take back the last events. As `GameFile.undo`."""
        undone = self.file.undo(steps, key)
        if undone:
            self.log.move(-steps)
        return undone

    def redo(self, steps: int = 1, key: str | None = None) -> bool:
        """Redo events that were undone. As `GameFile.redo`."""
        redone = self.file.redo(steps, key)
        if redone:
            self.log.move(steps)
        return redone

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def encode_pinned(event: Event) -> str:
    """The event as it is kept: with every house option written out, so that it means the same in years.

    EventError where a field holds what no event may: whoever opened the game again could not read it.
    """
    try:
        line = encode_event(pin_options(event))
    except UnicodeEncodeError as problem:
        raise EventError(messages.NO_TEXT, text=quote(problem.object)) from None
    decode_event(line)
    return line.decode()


def pin_options(event: Event) -> Event:
    """The event with the house options that it means today, and their version."""
    if isinstance(event, Corrected) and event.right is not None:
        return replace(event, right=pin_options(event.right))
    if not isinstance(event, GameStarted) or event.rules not in RULE_SETS:
        return event
    rules = RULE_SETS[event.rules]
    version = VERSION if event.options_version is None else event.options_version
    return replace(
        event, options=dict(complete_settings(rules, event.options, version)), options_version=version
    )
