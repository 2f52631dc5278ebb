"""Games as text. A log has the present events, one a line, as other programs read and write it. A history is
everything that was entered, with keys, times and what was undone. A table (CSV) has the ledger, for
spreadsheets. No files here.

A drawn hand, in which nobody pays, has a row in the table too. Programs know the table by fixed English
words; people may have it in their language. Either can be read again, as a game of which only the payments
are known.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from companion import __version__
from companion.errors import EventError, InputError, quote
from companion.foreign import Undecodable, decode_by
from companion.foreign_text import clean
from companion.game import messages, schema
from companion.game.file import GameEntry, GameFile, now
from companion.game.game import Game, encode_pinned
from companion.game.log import GameLog
from companion.money import Currency, settle
from companion.rules import RULE_SETS, RuleSet, Score
from companion.rules.rule_set import TIMES, ScoreLine
from companion.rules.scoring import converts
from companion.sentences import msgid
from companion.table.apply import apply
from companion.table.events import (
    HEADER,
    CurrencyAgreed,
    Event,
    GameStarted,
    PointsMoved,
    Wind,
    apply_corrections,
    decode_event,
    decode_header,
    decode_text,
    encode_event,
)
from companion.table.messages import NOT_UTF8
from companion.table.settling import list_won
from companion.table.state import HandResult, HandState, LedgerEntry, PaymentReason, Points, State
from companion.tiles import format_tiles
from companion.words import Language, Words

FORMAT = "mahjong-companion-history"
VERSION, VERSION_WITHOUT_P = 2, 1
"""Versions of a history. One without p is written if everything is certain, for programs that do not know p.
"""


class HistoryHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a history."""

    format: str
    version: int
    program: str = __version__
    begun: str = ""


class HistoryLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any other line of a history: an event, or how many are undone (below 0) or redone.

    at: when it was entered, UTC; "" for now. p: how certain the event is, 0 to 1; None for 1.
    """

    at: str = ""
    key: str | None = None
    event: Event | None = None
    steps: int = 0
    p: Annotated[float, Meta(ge=0, le=1)] | None = None

    @property
    def certainty(self) -> float:
        return schema.CERTAIN if self.p is None else self.p


class ImportedGame(NamedTuple):
    """A game that was read from text, as `GameFile.create` takes it."""

    entries: list[GameEntry]
    program: str
    begun: str | None


class EnteredLine(NamedTuple):
    """What a line of text has become in a game that is kept; new: it had not come before under its key."""

    number: int
    line: HistoryLine
    entry: GameEntry
    new: bool


LOG_HEADER = HistoryHeader(HEADER.format, HEADER.version)
_head = msgspec.json.Decoder(HistoryHeader)
_line = msgspec.json.Decoder(HistoryLine)


def log_lines(file: GameFile) -> Iterator[bytes]:
    """The lines of a log, each with its end: the header, then the events that stand."""
    yield encode_event(HEADER) + b"\n"
    for entry in file.standing:
        yield entry.event.encode() + b"\n"


def history_lines(file: GameFile) -> Iterator[bytes]:
    """The lines of a history, each with its end; the same game can be made of them, undone steps too."""
    is_certain = all(entry.p == schema.CERTAIN for entry in file.entries)
    version = VERSION_WITHOUT_P if is_certain else VERSION
    yield msgspec.json.encode(HistoryHeader(FORMAT, version, file.header.program, file.header.begun)) + b"\n"
    for entry in file.entries:
        event = decode_event(entry.event) if entry.event else None
        p = None if entry.p == schema.CERTAIN else entry.p
        yield msgspec.json.encode(HistoryLine(entry.at, entry.key, event, entry.steps, p)) + b"\n"


def read_game(lines: Iterable[bytes]) -> ImportedGame:
    """The game in a log or a history; blank lines are skipped. Raises InputError, which names the line."""
    game = GameLog()
    head: HistoryHeader | None = None
    entries: list[GameEntry] = []
    keys: dict[str, int] = {}
    at = now()
    for number, each in enumerate(lines, start=1):
        with name_line(number, messages.NOTHING_IMPORTED):
            text = decode_text(each)
            if not text:
                continue
            if head is None:
                head = _decode_header(text)
                continue
            line = _decode_line(text, head)
            _apply_line(game, line)
            if line.key is not None and keys.setdefault(line.key, number) != number:
                raise InputError(messages.KEY_TWICE, key=quote(line.key), line=keys[line.key])
            event = "" if line.event is None else encode_pinned(line.event)
            entries.append(
                GameEntry(len(entries) + 1, line.key, event, line.steps, line.at or at, line.certainty)
            )
    if head is None or not entries:
        raise InputError(messages.EMPTY)
    return ImportedGame(entries, head.program, head.begun or None)


def import_events(events: Iterable[Event]) -> ImportedGame:
    """A game in which these events, which the rules allow, were entered now. InputError if there is none."""
    at = now()
    entries = [
        GameEntry(number, None, encode_pinned(event), 0, at) for number, event in enumerate(events, start=1)
    ]
    if not entries:
        raise InputError(messages.EMPTY)
    return ImportedGame(entries, __version__, None)


def enter_lines(game: Game, lines: Iterable[bytes]) -> Iterator[EnteredLine]:
    """Enter what the lines of a log or a history say into a game, one after the other, and yield each.

    It is on the disk when it is yielded. The header may be missing: then they are lines of a log. InputError
    names the line that is wrong, GameFileError says what the disk refused; what came before is kept.
    """
    head = None
    for number, each in enumerate(lines, start=1):
        with name_line(number, messages.ENTERED_BEFORE):
            text = decode_text(each)
            if not text:
                continue
            if head is None:
                head = LOG_HEADER
                if _is_header(text):
                    head = _decode_header(text)
                    continue
            line = _decode_line(text, head)
            new = _enter(game, line)
        yield EnteredLine(number, line, game.file.entry_of(line.key) or game.file.entries[-1], new)


@contextmanager
def name_line(number: int, template: str) -> Iterator[None]:
    """Say which line it is that something is wrong with, and by which ruling."""
    try:
        yield
    except InputError as problem:
        ruling = getattr(problem, "ruling", "")
        shown = InputError(messages.BY_RULING, problem=problem, ruling=ruling) if ruling else problem
        raise InputError(template, number=number, problem=shown) from problem


def _apply_line(game: GameLog, line: HistoryLine) -> None:
    """Do what the line says. InputError if that cannot be."""
    _check_line(line)
    if line.event is not None:
        game.enter(line.event)
        return
    if line.steps < 0:
        game.check_undo(-line.steps)
    else:
        game.check_redo(line.steps)
    game.move(line.steps)


def _enter(game: Game, line: HistoryLine) -> bool:
    """Keep what the line says; False if it came before under its key."""
    _check_line(line)
    if line.event is not None:
        return game.append(line.event, line.key, line.certainty)
    return game.undo(-line.steps, line.key) if line.steps < 0 else game.redo(line.steps, line.key)


def _check_line(line: HistoryLine) -> None:
    if (line.event is None) == (line.steps == 0):
        raise InputError(messages.NEITHER)


def _is_header(text: str) -> bool:
    try:
        decode_by(_head.decode, text)
    except Undecodable:
        return False
    return True


def _decode_header(text: str) -> HistoryHeader:
    if not _is_header(text):
        raise InputError(messages.NO_HEADER, line=quote(text))
    head = _head.decode(text)
    if head.format != FORMAT:
        decode_header(text)
    elif head.version > VERSION:
        raise InputError(messages.TOO_NEW, given=head.version, known=VERSION)
    return head


def _decode_line(text: str, head: HistoryHeader) -> HistoryLine:
    if head.format != FORMAT:
        return HistoryLine(event=decode_event(text))
    try:
        return decode_by(_line.decode, text)
    except Undecodable as problem:
        raise EventError(messages.NO_ENTRY, line=quote(text), problem=problem.why) from None


COLUMNS = ("entry", "hand", "round", "dealer", "what", "who", "why", "cancels")
"""Then what each of the four gets, and what each has after that; in money too where that was agreed."""
WIN_COLUMNS = ("value", "tiles", "winner", "discarder", "rows")
"""The last ones, for wins: the discarder is empty for a self-draw, the tiles where they are not known."""
TOTAL, MONEY = msgid("{name}: total"), msgid("{name}: {symbol}")
PEOPLE = 4
ROW_SEPARATOR = ", "
"""Separator of the names of rows in the ledger."""
SEPARATORS = (",", ";", "\t")
DRAW = "draw"
OF_A_HAND = (PaymentReason.WIN, PaymentReason.KONG, PaymentReason.FALSE_WIN)
WHY_LENGTH_MAX = 200
NOBODY_GETS: Points = (0, 0, 0, 0)
FOR_PEOPLE = {
    "entry": msgid("Entry"), "hand": msgid("Hand number"), "round": msgid("Round"), "dealer": msgid("Dealer"),
    "what": msgid("What"), "who": msgid("Who"), "why": msgid("Why"), "cancels": msgid("Cancels entry"),
    Wind.EAST: msgid("East"), Wind.SOUTH: msgid("South"),
    Wind.WEST: msgid("West"), Wind.NORTH: msgid("North"),
    PaymentReason.WIN: msgid("A win"), PaymentReason.KONG: msgid("A kong"),
    PaymentReason.FALSE_WIN: msgid("False win"), PaymentReason.MOVED: msgid("Points moved"),
    PaymentReason.CANCELLED: msgid("Cancelled"), DRAW: msgid("Nobody won"),
    "value": msgid("Value"), "tiles": msgid("Tiles"), "winner": msgid("Winner"),
    "discarder": msgid("Discarder"), "rows": msgid("Rows of the score"),
}  # fmt: skip
"""Names of the fixed words in a table for people."""


LedgerRow = list[str | int | Decimal]


def encode_csv(file: GameFile) -> bytes:
    """The table of a game as UTF-8 text, with the mark by which spreadsheets know that."""
    return encode_rows(list_rows(decode_event(entry.event) for entry in file.standing))


def encode_rows(rows: Iterable[Sequence[str | int | Decimal]]) -> bytes:
    """Rows as a table that spreadsheets open and calculate nothing of: every text is quoted, has no line
    breaks, and begins with a letter, a digit or an apostrophe."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_escape_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig", "replace")


def list_rows(events: Iterable[Event], words: Words | None = None) -> Iterator[LedgerRow]:
    """The table of a game: its heading, then a row for each entry of the ledger and each drawn hand. words:
    the language of a table for people; None for the fixed words."""
    state: State | None = None
    log = apply_corrections(events)
    currency = _find_currency(log)
    stacks: Points = (0, 0, 0, 0)
    for event in log:
        before, state = state, apply(state, event)
        if before is None:
            yield _make_heading(state, currency, words)
            a, b, c, d = (had - won for had, won in zip(state.points, list_won(state), strict=True))
            stacks = (a, b, c, d)
            continue
        has = before.points
        for number in range(len(before.ledger), len(state.ledger)):
            entry = state.ledger[number]
            a, b, c, d = (had + gets for had, gets in zip(has, entry.points, strict=True))
            has = (a, b, c, d)
            who = "" if entry.seat is None else _list_names(state)[state.seated[entry.seat]]
            hand = _describe_hand(state, entry.hand, words) if entry.reason in OF_A_HAND else ["", "", ""]
            cancels = "" if entry.cancels is None else entry.cancels
            yield [
                number,
                *hand,
                _word(entry.reason, words),
                who,
                _translate_reason(entry.why, state.house.rules, words),
                cancels,
                *entry.points,
                *has,
                *_list_money(has, stacks, currency),
                *_describe_win(state, entry, words),
            ]
        if state.hands > before.hands and state.hand is not None and not state.hand.results:
            hand, money = _describe_hand(state, before.hands, words), _list_money(has, stacks, currency)
            no_win = [""] * len(WIN_COLUMNS)
            yield ["", *hand, _word(DRAW, words), "", "", "", *NOBODY_GETS, *has, *money, *no_win]


def _make_heading(state: State, currency: Currency | None, words: Words | None) -> LedgerRow:
    names = _list_names(state)
    columns = [_word(column, words) for column in COLUMNS]
    totals = [_fill(TOTAL, words, name=name) for name in names]
    symbols = [] if currency is None else [currency.symbol]
    money = [_fill(MONEY, words, name=name, symbol=symbol) for symbol in symbols for name in names]
    return [*columns, *names, *totals, *money, *(_word(column, words) for column in WIN_COLUMNS)]


def _describe_win(state: State, entry: LedgerEntry, words: Words | None) -> LedgerRow:
    """The cells of WIN_COLUMNS; empty ones for another entry of the ledger."""
    hand = state.hand
    results = hand.results if hand is not None and entry.reason is PaymentReason.WIN else ()
    result = next((each for each in results if each.winner == entry.seat), None)
    if hand is None or result is None:
        return [""] * len(WIN_COLUMNS)
    names, won = _list_names(state), result.score
    discarder = "" if result.discarder is None else names[hand.seated[result.discarder]]
    rows = [
        f"{line.name if words is None else words.both(line.name, line.name_zh)[0]} {_write_value(line, won)}"
        for line in won.lines
    ]
    joined = ROW_SEPARATOR.join(rows) if words is None else words.join(rows)
    return [won.value, _write_tiles(hand, result), names[hand.seated[result.winner]], discarder, joined]


def _write_value(line: ScoreLine, won: Score) -> str:
    """What a row brings: +3; ×2; = 8, where it turns the sum of the others into units."""
    if converts(RULE_SETS[won.rules], line.id):
        return f"= {won.value}"
    return f"{TIMES.symbol}{line.value}" if won.sign is TIMES else f"{line.value:+}"


def _write_tiles(hand: HandState, result: HandResult) -> str:
    """The winning hand in notation: concealed tiles with the winning one last, melds, flowers. Empty where
    the win was stated without them."""
    if result.stated is not None:
        return ""
    player = hand.players[result.winner]
    concealed, tile = sorted(player.concealed), result.tile
    if tile is not None:
        if tile in concealed:
            concealed.remove(tile)
        concealed.append(tile)
    melds = [str(laid.meld) for laid in player.melds if laid.meld is not None]
    flowers = format_tiles(player.flowers)
    return " ".join(filter(None, (format_tiles(concealed), *melds, flowers)))


def _word(fixed: str, words: Words | None) -> str:
    return str(fixed) if words is None else words(FOR_PEOPLE[fixed])


def _fill(template: str, words: Words | None, **params: str) -> str:
    return template.format(**params) if words is None else words(template, **params)


@cache
def _list_spoken(fixed: str) -> frozenset[str]:
    """That word in every table there is."""
    return frozenset([str(fixed), *(Words(language)(FOR_PEOPLE[fixed]) for language in Language)])


def _translate_reason(why: str, rules: RuleSet, words: Words | None) -> str:
    """The names of rows, or what else was said of a payment."""
    if words is None:
        return why
    names = {row.name: words.both(row.name, row.name_zh)[0] for row in rules.rows}
    parts = why.split(ROW_SEPARATOR)
    if not names.keys() >= set(parts):
        return words(why)
    return words.join(names[part] for part in parts)


def _find_currency(log: Iterable[Event]) -> Currency | None:
    """What was agreed last."""
    agreed = [event.currency for event in log if isinstance(event, GameStarted | CurrencyAgreed)]
    return agreed[-1] if agreed else None


def _list_money(has: Points, stacks: Points, currency: Currency | None) -> tuple[Decimal, ...]:
    """What each has won by then in money. stacks: what each had to begin with."""
    if currency is None:
        return ()
    return settle([points - stack for points, stack in zip(has, stacks, strict=True)], currency)


def decode_csv(lines: Iterable[bytes], rules: str) -> ImportedGame:
    """The payments of such a table as a game of these rules. InputError names the line that is wrong."""
    game, at = GameLog(), now()
    entries: list[GameEntry] = []
    heading: list[str] = []

    def enter(event: Event) -> State:
        game.enter(event)
        entries.append(GameEntry(len(entries) + 1, None, encode_pinned(event), 0, at))
        assert game.state is not None
        return game.state

    for number, row in _read_rows(lines):
        with name_line(number, messages.NOTHING_IMPORTED):
            if not heading:
                heading = _check_heading(row)
                continue
            gets, has = _read_numbers(row, heading)
            if not entries:
                enter(_make_start(rules, heading, gets, has))
            state = enter(PointsMoved(points=gets, why=_join_reason(row)))
            for name, given, right in zip(heading[len(COLUMNS) :], has, state.points, strict=False):
                if given != right:
                    raise InputError(messages.OTHER_TOTAL, name=quote(name), given=given, right=right)
    if not entries:
        raise InputError(messages.EMPTY)
    return ImportedGame(entries, __version__, None)


def _read_rows(lines: Iterable[bytes]) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its line, the first being 1."""
    text = _decode_lines(lines)
    first = next(text, "")
    reader = csv.reader(chain((first,), text), delimiter=_find_separator(first), strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as problem:
            no_row = (
                _make_heading_error() if reader.line_num == 1 else InputError(messages.NO_ROW, why=problem)
            )
            raise InputError(messages.NOTHING_IMPORTED, number=reader.line_num, problem=no_row) from problem
        if row is None:
            return
        if row:
            yield reader.line_num, row


def _decode_lines(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            raise InputError(messages.NOTHING_IMPORTED, number=number, problem=NOT_UTF8) from problem


def _find_separator(heading: str) -> str:
    """What stands between the cells: spreadsheets of many countries save semicolons, some tabs."""
    return next((each for each in heading if each in SEPARATORS), SEPARATORS[0])


def _join_reason(row: list[str]) -> str:
    """What the payment was for, as one text."""
    what, who, why = (_unescape_cell(row[COLUMNS.index(column)]) for column in ("what", "who", "why"))
    text = ": ".join(
        part for part in ("" if what in _list_spoken(PaymentReason.MOVED) else what, who, why) if part
    )
    return text[:WHY_LENGTH_MAX]


def _make_start(rules: str, heading: list[str], gets: Points, has: Points) -> GameStarted:
    a, b, c, d = (then - more for then, more in zip(has, gets, strict=True))
    n, o, p, q = (_unescape_cell(name) for name in heading[len(COLUMNS) : len(COLUMNS) + 4])
    return GameStarted(rules=rules, names=(n, o, p, q), points=(a, b, c, d))


def _check_heading(row: list[str]) -> list[str]:
    lengths = [len(COLUMNS) + groups * PEOPLE + more for groups in (2, 3) for more in (0, len(WIN_COLUMNS))]
    is_known = len(row) in lengths and all(
        cell == column or cell in _list_spoken(column) for cell, column in zip(row, COLUMNS, strict=False)
    )
    if not is_known:
        raise _make_heading_error()
    return row


def _make_heading_error() -> InputError:
    return InputError(messages.NO_SHEET, columns=", ".join(COLUMNS))


def _read_numbers(row: list[str], heading: list[str]) -> tuple[Points, Points]:
    if len(row) != len(heading):
        raise InputError(messages.OTHER_LENGTH, given=len(row), right=len(heading))
    found = []
    points = slice(len(COLUMNS), len(COLUMNS) + 2 * PEOPLE)  # the money follows from them
    for value, column in zip(row[points], heading[points], strict=True):
        try:
            found.append(int(value))
        except ValueError:
            raise InputError(messages.NO_NUMBER, value=quote(value), column=quote(column)) from None
    a, b, c, d, e, f, g, h = found
    return (a, b, c, d), (e, f, g, h)


def _describe_hand(state: State, finished: int, words: Words | None) -> LedgerRow:
    """The number of the hand, its round's wind and its dealer's name."""
    if state.hand is None:
        return [finished + 1, "", ""]
    deal = state.hand.deal
    wind = _word(tuple(Wind)[deal.wind % 4], words)
    return [finished + 1, wind, _list_names(state)[state.seated[deal.dealer]]]


def _list_names(state: State) -> list[str]:
    return [name or f"player {person}" for person, name in enumerate(state.names)]


def _escape_cell(text: str) -> str:
    shown = clean(text)
    return shown if not shown or shown[0].isalnum() else f"'{shown}"


def _unescape_cell(text: str) -> str:
    return text[1:] if text.startswith("'") and not text[1:2].isalnum() else text
