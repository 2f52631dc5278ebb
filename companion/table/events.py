"""The facts of a game, as they happen at the table: immutable events, each one line of JSON; and reading and
writing these lines as text. No file is opened here.

An event says what a person at the table could say: who did what, with which tile. What follows from it (who
is next, which tile a claim takes, what a win pays) is not in it; state and rules know that. A tile that
nobody saw is None. Nothing here is ever changed: a field is added with a default, a kind of event is added,
and VERSION is raised where an older program could misread what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.errors import EventError, quote
from companion.foreign import Undecodable, decode_by
from companion.foreign_text import clean
from companion.money import Currency
from companion.rules.registry import find_rule_set
from companion.rules.stated import Stated
from companion.rules.win import Stakes
from companion.table import messages

Seat = Annotated[int, Meta(ge=0, le=3)]
"""0 to 3, counterclockwise."""
Code = Annotated[str, Meta(pattern="^([1-9][mps]|[1-7]z|[1-8]f)$")]
"""A kind of tile, as "5m"."""
Tiles = Annotated[str, Meta(pattern="^([1-9]+[mpszf])*$", max_length=64)]
"""Tiles in the order in which they were taken, as "123m5z"."""
MeldText = Annotated[str, Meta(pattern="^[cpkaK][1-9]{3,4}[mpsz]$")]
"""A meld, as "c234m", "p555p", "k5555p", "a5555p", "K5555p"."""
Die = Annotated[int, Meta(ge=1, le=6)]
Number = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Points = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
FourPoints = tuple[Points, Points, Points, Points]
"""Points by seat."""
Text = Annotated[str, Meta(max_length=200)]


class Wind(StrEnum):
    """The wind of a round. It is read by its first letter too, and with capitals."""

    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    NORTH = "north"

    @classmethod
    def _missing_(cls, value: object) -> Wind | None:
        return next((wind for wind in cls if value in (wind.capitalize(), wind[0], wind[0].upper())), None)


class Call(StrEnum):
    """What a player calls, aloud or by a button, while a tile may be claimed. A later call replaces it."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    WIN = "win"
    NOTHING = "nothing"


VERSION = 1
"""Version of the events below; the first line of a log carries it (log.py)."""
CERTAIN_FROM = 0.99
"""A person need not check an event that is at least this probable."""


class _Event(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
    tag_field="event",
    tag=lambda name: "".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:],
):
    """One fact. Its tag in JSON is its class's name as discarded, false_win."""


class _Explained(_Event, frozen=True):
    """A fact that a person explains in its field `why`, which is kept without invisible characters."""

    def __post_init__(self) -> None:
        why: str = getattr(self, "why")  # noqa: B009  # each kind has its own, at its place in the line
        cleaned = clean(why)
        if cleaned != why:
            force_setattr(self, "why", cleaned)


class GameStarted(_Event, frozen=True):
    """Four people sit down to play. The first event of every log.

    options: house options, of scoring and of play; those not named stand at the default that they had in
    `options_version` of the game's options, and the rulings too are those of that version, None meaning
    today's. stakes: what a win costs each payer (None: what the rules say), and base, which multiplies it.
    currency: what a point is worth in money, None if that was not agreed. cap: the most that one player's
    share of a win comes to. The rest is the state before the first hand, for a game that was begun elsewhere:
    dealer, streak (as the rulings count it), the round's wind, who dealt in this round before, points by seat
    (None: as the rules have it). Where three play the fourth name is of who sits out; left empty beside other
    names, nobody does. practice: for a game of one person with built-in players, without a real table, the
    seed of its walls (live/practice_hand.py).
    """

    rules: str
    options: dict[str, bool | int | str] = {}
    options_version: int | None = None
    names: tuple[Text, Text, Text, Text] = ("", "", "", "")
    stakes: Stakes | None = None
    currency: Currency | None = None
    base: Number = 1
    cap: Number | None = None
    dealer: Seat = 0
    streak: Number | None = None
    round_wind: Wind = Wind.EAST
    dealt: tuple[Seat, ...] = ()
    points: FourPoints | None = None
    practice: Number | None = None

    def __post_init__(self) -> None:
        """Names are kept without control characters, changes of direction and other invisible characters, and
        the rules by their own name, which has _ where people write -."""
        rules = find_rule_set(self.rules)
        if rules is not None and rules.name != self.rules:
            force_setattr(self, "rules", rules.name)
        names = tuple(map(clean, self.names))
        if names != self.names:
            force_setattr(self, "names", names)


class SeatsChanged(_Event, frozen=True):
    """Between hands: who sits in seat i sat in seat order[i] before. Names and points go with the people."""

    order: tuple[Seat, Seat, Seat, Seat]


class DealSet(_Explained, frozen=True):
    """Between hands: the table corrects the dealer, the streak or the round that the rules gave.

    What is None stays as it is, but for the streak of another dealer, which begins.
    """

    dealer: Seat | None = None
    streak: Number | None = None
    round_wind: Wind | None = None
    why: Text = ""


class HandStarted(_Event, frozen=True):
    """The walls stand and the dealer has thrown the dice (C-01, C-02).

    Where three play, who won before has changed places with who sat out then, unless people have reported
    of other changes since. dice: None if nobody saw them, so that no place in the wall is known.
    """

    dealer: Seat
    dice: tuple[Die, ...] | None = None


class Dealt(_Event, frozen=True):
    """Everybody has the first tiles, the dealer one more: the last of the dealer's tiles (C-04).

    hands: by seat, in the order of taking them, None if nobody saw them. Flowers are still among them.
    """

    hands: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None] = (None, None, None, None)


class IndicatorTurned(_Event, frozen=True):
    """A tile of the dead wall was turned over: its mates are Fortunes."""

    tile: Code
    dice: tuple[Die, ...] | None = None


class FlowerSetOut(_Event, frozen=True):
    """A player exposed a flower or season; a replacement is drawn next."""

    seat: Seat
    tile: Code


class Drawn(_Event, frozen=True):
    """A player took the next tile; after a kong or a flower, a replacement. tile: None if nobody saw it.

    It ends the time in which a discard may be claimed or a kong robbed.
    """

    seat: Seat
    tile: Code | None = None


class Discarded(_Event, frozen=True):
    """A player laid a tile open on the table. tile: None if nobody saw it, until a correction names it."""

    seat: Seat
    tile: Code | None = None


class Called(_Event, frozen=True):
    """A player called for the tile that may be claimed. Only a claim or a win takes it: see Claimed, Won."""

    seat: Seat
    call: Call


class WinPassed(_Event, frozen=True):
    """A player could have won on the tile on offer, and lets it go (C-12).

    Who lets it go without a word, or claims it instead, has passed it up too: that shows as soon as the hand
    is known (S-02).
    """

    seat: Seat


class Claimed(_Event, frozen=True):
    """A player took the discard for this meld: a chow "c", a pung "p" or a kong "k"."""

    seat: Seat
    meld: MeldText


class ConcealedKong(_Event, frozen=True):
    """A player laid down four equal drawn tiles. tile: None if nobody else saw them (C-07)."""

    seat: Seat
    tile: Code | None = None


class AddedKong(_Event, frozen=True):
    """A player added a drawn fourth tile to a claimed pung (C-08). It may be robbed (C-11)."""

    seat: Seat
    tile: Code


class ReadyDeclared(_Event, frozen=True):
    """A player calls ting, right before discarding."""

    seat: Seat


class Circumstances(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """The circumstances of a win, as `ScoreRequest` has them.

    discards: how many there were, the winning one included; None where they were too many to matter.
    """

    situation: tuple[Text, ...] = ()
    discards: Number | None = None
    gambits: Number = 0
    consecutive_kongs: Number = 0


class Won(_Event, frozen=True):
    """A player wins, on the tile drawn last or the one that may be claimed; the rules must agree.

    hand: the concealed tiles that the player shows, the winning tile among them; None if all are known.
    tile: the winning tile, if nobody saw it drawn or discarded. kongs: the player's concealed kongs, where
    their tiles were not known before. circumstances: where the hand was not recorded, so that what
    came before the win in the log does not say them; None if it does. stated: what the win is worth, where
    people said so and did not enter its tiles: there is no hand then.
    """

    seat: Seat
    hand: Tiles | None = None
    tile: Code | None = None
    kongs: tuple[MeldText, ...] = ()
    circumstances: Circumstances | None = msgspec.field(default=None, name="told")
    stated: Stated | None = None


class FalseWin(_Event, frozen=True):
    """A player declared a win that was none: no win for that player in this hand, and a penalty (C-17)."""

    seat: Seat


class HandVoided(_Explained, frozen=True):
    """A player's hand is dead, as one with a tile too many: no win for that player in this hand."""

    seat: Seat
    why: Text = ""


class HandDrawn(_Event, frozen=True):
    """Nobody won. declined_by: the player who did not take the last tile."""

    declined_by: Seat | None = None


class HandAbandoned(_Explained, frozen=True):
    """The hand does not count and is dealt again, e.g. after a collapsed wall. Its payments are reversed."""

    why: Text = ""


class HandShown(_Event, frozen=True):
    """After the hand a player showed the concealed tiles, and the concealed kongs (C-07)."""

    seat: Seat
    hand: Tiles
    kongs: tuple[MeldText, ...] = ()


class PointsMoved(_Explained, frozen=True):
    """Points changed hands for a reason that no other event has: a penalty for a wrong call, a correction."""

    points: FourPoints
    why: Text


class EntryCancelled(_Explained, frozen=True):
    """What was booked as that entry of the ledger (the first is 0) is taken back by an entry of its own."""

    entry: Number
    why: Text


class CurrencyAgreed(_Event, frozen=True):
    """What the points of the whole game are worth in money, those won before too. It may be agreed or changed
    at any time, after the last hand too. currency: None where the game is for points only."""

    currency: Currency | None = None


class GameEnded(_Explained, frozen=True):
    """The people stop playing, before the rules say so."""

    why: Text = ""


class Corrected(_Explained, frozen=True):
    """An earlier event of this log was something else, or, where `right` is None, nothing at all.

    number: of the event that was wrong, the first being 1, corrections counted too. The log is read as if the
    right event had stood there (log.number_corrected); both stay in it. more: what happened right after it as
    well. upto: the number of the last of several wrong events that these replace; what
    lies between and corrects others stays.
    """

    number: Number
    right: Event | None = None
    why: Text = ""
    more: tuple[Event, ...] = ()
    upto: Number | None = None

    @property
    def rights(self) -> tuple[Event, ...]:
        """All that happened instead, in order."""
        return self.more if self.right is None else (self.right, *self.more)

    @property
    def others(self) -> range:
        """The numbers of the events after the first that did not happen so."""
        return range(self.number + 1, (self.upto or self.number) + 1)


Event = (
    GameStarted | SeatsChanged | DealSet | HandStarted | Dealt | IndicatorTurned | FlowerSetOut | Drawn
    | Discarded | Called | WinPassed | Claimed | ConcealedKong | AddedKong | ReadyDeclared | Won | FalseWin
    | HandVoided | HandDrawn | HandAbandoned | HandShown | PointsMoved | EntryCancelled
    | CurrencyAgreed | GameEnded | Corrected
)  # fmt: skip
"""All that can happen."""


FORMAT = "mahjong-companion-table"
BYTE_ORDER_MARK = "\ufeff"


class LogHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a log."""

    format: str
    version: int


CHOICES = {"round_wind": Wind, "call": Call}
"""The values of the fields of events that have only a few."""
HEADER = LogHeader(FORMAT, VERSION)
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_header_decoder = msgspec.json.Decoder(LogHeader)


def encode_event(event: Event | LogHeader) -> bytes:
    """The event, or the header of a log, as one line of JSON, without the line's end."""
    return _encoder.encode(event)


def decode_event(line: str | bytes) -> Event:
    """The event on that line; EventError says what is wrong with it."""
    try:
        return decode_by(_decoder.decode, line, CHOICES)
    except Undecodable as problem:
        raise EventError(messages.NO_EVENT, line=_quote_line(line), problem=problem.why) from None


def decode_header(line: str | bytes) -> LogHeader:
    """The header on that line; Raises EventError for anything else, or a newer version."""
    try:
        header = decode_by(_header_decoder.decode, line)
    except Undecodable:
        raise EventError(
            messages.NO_HEADER, line=_quote_line(line), right=_quote_line(encode_event(HEADER))
        ) from None
    if header.format != FORMAT:
        raise EventError(messages.NO_HEADER, line=_quote_line(line), right=_quote_line(encode_event(HEADER)))
    if header.version > VERSION:
        raise EventError(messages.TOO_NEW, given=header.version, known=VERSION)
    return header


def encode_log(events: Iterable[Event]) -> Iterator[bytes]:
    """The lines of a log, each with its end: the header, then the events."""
    yield encode_event(HEADER) + b"\n"
    for event in events:
        yield encode_event(event) + b"\n"


def decode_log(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Event]]:
    """The events of a log, each with the number of its line; blank lines are counted and skipped.

    EventError names the line that is wrong.
    """
    header: LogHeader | None = None
    for number, line in enumerate(lines, start=1):
        try:
            text = decode_text(line)
            if not text:
                continue
            if header is None:
                header = decode_header(text)
            else:
                yield number, decode_event(text)
        except EventError as problem:
            raise EventError(messages.IN_LINE, number=number, problem=problem) from None


def decode_text(line: str | bytes) -> str:
    """The line without spaces around it, and without the mark with which some programs begin UTF-8 text.

    EventError where it is other text.
    """
    try:
        text = line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError:
        raise EventError(messages.NOT_UTF8) from None
    return text.removeprefix(BYTE_ORDER_MARK).strip()


def _quote_line(line: str | bytes) -> str:
    return quote((line if isinstance(line, str) else line.decode("utf-8", "replace")).strip())


def apply_corrections(events: Iterable[Event]) -> list[Event]:
    """The events with all corrections applied; see `number_corrected`."""
    return [event for _, event in number_corrected(events)]


def number_corrected(events: Iterable[Event]) -> list[tuple[int, Event]]:
    """The events with all corrections applied, each in the place of the event that it corrects.

    Each stands with its number in the log, from 1; several that stand for one have its number. A correction
    may itself be corrected. EventError if one names an event that is not before it.
    """
    entered = list(events)
    rights: dict[int, tuple[Event, ...]] = {}
    found: list[tuple[int, Event]] = []
    for number in range(len(entered), 0, -1):
        for event in reversed(rights.get(number, (entered[number - 1],))):
            if not isinstance(event, Corrected):
                found.append((number, event))
                continue
            last = event.upto or event.number
            if not event.number <= last < number:
                raise EventError(messages.NOTHING_TO_CORRECT, number=event.number, at=number)
            rights.setdefault(event.number, event.rights)
            for other in event.others:
                if not isinstance(entered[other - 1], Corrected):
                    rights.setdefault(other, ())
    return found[::-1]
