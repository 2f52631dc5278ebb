"""What a table sends, and under which topics. Pure; docs/asyncapi.json describes it for other programs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from companion.errors import InputError, quote
from companion.game.file import GameEntry
from companion.game.schema import CERTAIN
from companion.game.watching import PlayedSoFar
from companion.sentences import msgid
from companion.serve.shown import show_game
from companion.sheets.hands import Sheet
from companion.words import Language, Words

VERSION = 1
"""Version of all messages; it is raised when a field changes its meaning."""
ROOT = "mahjong"
NAME_MAX = 100
FORBIDDEN = "/+#$"
GAME_BYTES = 8
WRONG_CLUB = msgid(
    "The club cannot be called {name} in MQTT: use 1 to {most} characters that can be seen,"
    " without {forbidden}."
)
WRONG_TABLE = msgid(
    "The table cannot be called {name} in MQTT: use 1 to {most} characters that can be seen,"
    " without {forbidden}."
)
ENGLISH = Words(Language.ENGLISH)
GameId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
NO_EVENT = msgspec.Raw()
NUMBER_MAX = 2**31 - 1
Number = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_MAX)]
Steps = Annotated[int, msgspec.Meta(ge=-NUMBER_MAX, le=NUMBER_MAX)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class TableTopics:
    """A table of a club. Raises InputError for names that no topic can have."""

    club: str
    table: str

    def __post_init__(self) -> None:
        for template, name in ((WRONG_CLUB, self.club), (WRONG_TABLE, self.table)):
            if not 0 < len(name) <= NAME_MAX or not name.isprintable() or set(name) & set(FORBIDDEN):
                raise InputError(template, name=quote(name), most=NAME_MAX, forbidden=" ".join(FORBIDDEN))

    @property
    def events(self) -> str:
        return self._topic("events")

    @property
    def state(self) -> str:
        return self._topic("state")

    @property
    def alive(self) -> str:
        return self._topic("alive")

    @property
    def again(self) -> str:
        return self._topic("again")

    def _topic(self, what: str) -> str:
        return f"{ROOT}/{self.club}/{self.table}/{what}"


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent under a topic; retained: whether the broker keeps it for those who subscribe later."""

    topic: str
    payload: bytes
    retained: bool = False


class Alive(msgspec.Struct, frozen=True):
    """Whether the table is there, and which program says so: another number after each start."""

    version: int
    alive: bool
    program: str


class EntryMessage(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry of a kept game, as `companion games export --as history` has it, and which one it is.

    game: the same for all entries of a game. number: from 1, without gaps. key: no other entry of the table
    has it. event: an event, or NO_EVENT where `steps` events are undone (below 0) or redone. at: UTC. p: how
    certain the event is, None for 1.
    """

    version: int
    game: GameId
    name: str
    number: Number
    key: str
    at: str
    event: msgspec.Raw = NO_EVENT
    steps: Steps = 0
    p: Share | None = None


class Again(msgspec.Struct, frozen=True):
    """Asks a table to send the entries of a game again. first: the number of the first of them."""

    version: int
    game: GameId
    first: Number = msgspec.field(name="from")


def identify_game(entries: Sequence[GameEntry]) -> str:
    """The same 16 hexadecimal digits for every copy of a game with one entry or more, whatever its name."""
    first = entries[0]
    content = "\n".join((first.at, first.event)).encode()
    return hashlib.blake2b(content, digest_size=GAME_BYTES).hexdigest()


def encode_entry(game: str, name: str, entry: GameEntry) -> bytes:
    """The message of an entry of the game that `identify_game` identifies."""
    return msgspec.json.encode(
        EntryMessage(
            version=VERSION,
            game=game,
            name=name,
            number=entry.number,
            key=entry.key or f"{game}-{entry.number}",
            at=entry.at,
            event=msgspec.Raw(entry.event.encode()) if entry.event else NO_EVENT,
            steps=entry.steps,
            p=None if entry.p == CERTAIN else entry.p,
        )
    )


def encode_state(game: str, played: PlayedSoFar, sheet: Sheet, number: int) -> bytes:
    """The message of the newest state: what everybody at the table may see, after the entry `number`."""
    shown: dict[str, Any] = show_game(played, sheet, number, ENGLISH)
    return msgspec.json.encode(shown | {"version": VERSION, "game": game, "name": played.name})


def encode_alive(is_alive: bool, program: str) -> bytes:
    return msgspec.json.encode(Alive(VERSION, is_alive, program))


def encode_again(game: str, first: int) -> bytes:
    """The message that asks for the entries of a game from number `first` on."""
    return msgspec.json.encode(Again(VERSION, game, first))
