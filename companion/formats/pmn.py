"""The hands of a game in Portable Majiang Notation (PMN), as python-majiang defines and reads it.

PMN is for Mahjong Competition Rules. Deal and play of other games fit where they have 13 tiles in hand and no
wildcards; a hand that does not fit is refused. Scoring is MCR, since readers know nothing else, and no row
has a number in Fan: the tags Rules and Rows have what was played. East is the dealer of the hand. What was
called, and wins that were passed up, have no action and are left out.

A hand is read as a game of its own, with the dealer in seat 0. The tag Game has the event game_started of
that game, its quotation marks written as '; without it a person names the rules.

Source: README.rst and tests/pmn_files of https://github.com/otobear/python-majiang. It does not say which
dragon is which: here r1 is red, r2 green and r3 white, the order of their names in Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

import msgspec

from companion.errors import InputError, quote
from companion.foreign import Undecodable, decode_by
from companion.foreign_text import clean
from companion.formats import messages
from companion.game.exchange import ImportedGame, import_events, name_line
from companion.game.messages import NOTHING_IMPORTED
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    FlowerSetOut,
    FourPoints,
    GameStarted,
    HandDrawn,
    HandStarted,
    HandVoided,
    PointsMoved,
    ReadyDeclared,
    Wind,
    Won,
    apply_corrections,
    decode_event,
    decode_text,
    encode_event,
)
from companion.table.state import HandResult, PaymentReason, State
from companion.tiles import KINDS, MeldKind, Suit, Tile, format_tiles, parse_meld, parse_tiles

SUITS = {Suit.CHARACTERS: "c", Suit.DOTS: "d", Suit.BAMBOO: "b", Suit.FLOWERS: "f"}
HONOURS = ("w1", "w2", "w3", "w4", "r3", "r2", "r1")
NAMES = {
    tile: HONOURS[tile.rank - 1] if tile.suit is Suit.HONORS else f"{SUITS[tile.suit]}{tile.rank}"
    for tile in KINDS
}
"""Tiles as PMN names them: c5, w1, r3, f8."""
TILES = {name: tile for tile, name in NAMES.items()}
ORDER = "cdbwrf"
HAND_SIZE = 13
SEATS = ("East", "South", "West", "North")
CLAIMS = {MeldKind.PUNG: "P", MeldKind.KONG_DISCARD: "Z"}
MIDDLE = 1
"""Place of the tile by which PMN names a chow."""
TAKEN = "z1"
"""In place of a tile: the one that the player has just taken."""
DEAL = re.compile("".join(rf"{suit}([0-9]*)" for suit in ORDER))
ACTION = re.compile("(?P<action>[TDCPABZRH])(?P<seat>[0-3])(?P<tile>[cdb][1-9]|w[1-4]|r[1-3]|f[1-8]|z1)?")
ACTION_LENGTH = 4
TAG_LINE = re.compile(r'\[([A-Za-z]+) "([^"]*)"\]')
TAG = re.compile(rb'\[[A-Za-z]+ "')
_points: msgspec.json.Decoder[FourPoints] = msgspec.json.Decoder(FourPoints)
NOT_KNOWN = "?"
NO_DATE = "????.??.??"


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: its number, from 1, its events from hand_started on, and the states around it.
    start: the first event of its game."""

    start: GameStarted
    number: int
    before: State
    events: tuple[Event, ...]
    after: State


def is_pmn(line: bytes) -> bool:
    """Whether the first line of a file is a tag of PMN."""
    return TAG.match(line) is not None


def encode_pmn(
    events: Iterable[Event], title: str, day: date | None = None, number: int | None = None
) -> bytes:
    """The finished hands, or the one of that number, each with a blank line after it; title: the event.

    InputError if there is none, or if one cannot be written. python-majiang reads files of one hand.
    """
    hands = list(_part_hands(apply_corrections(events)))
    chosen = [hand for hand in hands if number in (None, hand.number)]
    if not hands:
        raise InputError(messages.NO_HANDS)
    if not chosen:
        raise InputError(messages.NO_SUCH_HAND, number=number, hands=len(hands))
    return "\n".join(_write_hand(hand, title, day) for hand in chosen).encode()


def _part_hands(log: Sequence[Event]) -> Iterator[PlayedHand]:
    """The hands that were finished and count."""
    state: State | None = None
    before: State | None = None
    part: list[Event] = []
    for event in (*log, None):
        if event is None or isinstance(event, HandStarted):
            if before is not None and state is not None and state.hands > before.hands:
                assert isinstance(log[0], GameStarted)
                yield PlayedHand(log[0], state.hands, before, tuple(part), state)
            before, part = state, []
        if event is not None:
            state = apply(state, event)
            part.append(event)


def _write_hand(hand: PlayedHand, title: str, day: date | None) -> str:
    """The tags of a hand, one a line. InputError if PMN cannot say what happened."""
    state = hand.after
    rules, of_hand = state.house.rules, state.hand
    assert of_hand is not None
    dealer = of_hand.deal.dealer
    people = [of_hand.seated[(dealer + place) % 4] for place in range(4)]

    def refuse(why: str, **params: object) -> InputError:
        return InputError(messages.NO_PMN, number=hand.number, why=Sentence(why, params))

    def tile(found: Tile | str | None) -> str:
        if found is None:
            raise refuse(messages.UNSEEN)
        return NAMES[found if isinstance(found, Tile) else Tile.parse(found)]

    if rules.hand_size != HAND_SIZE:
        raise refuse(messages.TOO_MANY_TILES, rules=rules.title, tiles=rules.hand_size)
    if of_hand.fortune is not None:
        raise refuse(messages.HAS_FORTUNE, rules=rules.title)
    if len(state.house.seats) < len(SEATS):
        raise refuse(messages.THREE_PLAYERS)
    deal, play = "", []
    for event in hand.events:
        place = (getattr(event, "seat", dealer) - dealer) % 4
        match event:
            case Dealt():
                hands = [event.hands[(dealer + place) % 4] for place in range(4)]
                if None in hands:
                    raise refuse(messages.UNSEEN)
                tiles = [list(parse_tiles(each or "")) for each in hands]
                play.append(f"T0{NAMES[tiles[0].pop()]}")
                deal = " ".join(map(_write_deal, tiles))
            case FlowerSetOut():
                play.append(f"R{place}{tile(event.tile)}")
            case Drawn():
                play.append(f"T{place}{tile(event.tile)}")
            case Discarded():
                play.append(f"D{place}{tile(event.tile)}")
            case Claimed():
                meld = parse_meld(event.meld)
                play.append(f"{CLAIMS.get(meld.kind, 'C')}{place}{NAMES[meld.tiles[MIDDLE]]}")
            case ConcealedKong():
                play.append(f"A{place}{tile(event.tile)}")
            case AddedKong():
                play.append(f"B{place}{tile(event.tile)}")
            case Won():
                play.append(f"H{place}")
            case ReadyDeclared() | FalseWin() | HandVoided():
                raise refuse(messages.NO_ACTION, event=event.__struct_config__.tag)
    paid, penalty = _add_payments(hand)
    tags = {
        "Event": title,
        "Site": NOT_KNOWN,
        "Date": NO_DATE if day is None else f"{day:%Y.%m.%d}",
        "Board": hand.number,
        "PWind": "ESWN"[of_hand.deal.wind % 4],
        **{seat: state.names[person] or NOT_KNOWN for seat, person in zip(SEATS, people, strict=True)},
        "Deal": deal,
        "Scoring": "MCR",
        "Starting": _list_points(hand.before.points, people),
        "Result": _list_points(paid, people),
        "Penalty": _list_points(penalty, people),
        "Play": "".join(play),
        "Fan": "None None None None",
        "Rules": rules.name,
        "Game": _write_start(hand, people),
        "Rows": "; ".join(
            _write_score(result, SEATS[(result.winner - dealer) % 4]) for result in of_hand.results
        ),
    }
    return "".join(f'[{tag} "{_write_text(value)}"]\n' for tag, value in tags.items())


def _write_start(hand: PlayedHand, people: list[int]) -> str:
    """The first event of the game that this hand is by itself, without names and money."""
    assert hand.after.hand is not None
    deal = hand.after.hand.deal
    a, b, c, d = (hand.before.points[person] for person in people)
    start = msgspec.structs.replace(
        hand.start,
        names=("",) * 4,
        currency=None,
        practice=None,
        dealer=0,
        streak=deal.streak,
        round_wind=tuple(Wind)[deal.wind % len(Wind)],
        dealt=(),
        points=(a, b, c, d),
    )
    return encode_event(start).decode()


def _write_score(result: HandResult, seat: str) -> str:
    """What a win is worth, and its rows."""
    rows = ", ".join(f"{line.name} {line.value}" for line in result.score.lines)
    return f"{seat} {result.score.value} {result.score.unit}" + (f": {rows}" if rows else "")


def _write_deal(tiles: Iterable[Tile]) -> str:
    """A hand as c123d5b99w1r2f: every suit with its numbers."""
    names = sorted(NAMES[each] for each in tiles)
    return "".join(suit + "".join(name[1] for name in names if name[0] == suit) for suit in ORDER)


def _add_payments(hand: PlayedHand) -> tuple[list[int], list[int]]:
    """What each person got by the hand, and by points that were moved by hand."""
    ledger = hand.after.ledger
    sums = [0] * 4, [0] * 4
    for entry in ledger[len(hand.before.ledger) :]:
        paid = entry if entry.cancels is None else ledger[entry.cancels]
        is_moved = paid.reason is PaymentReason.MOVED
        for person, points in enumerate(entry.points):
            sums[is_moved][person] += points
    return sums


def _list_points(points: Iterable[int], people: Iterable[int]) -> str:
    """Points by seat, East first."""
    by_person = tuple(points)
    return " ".join(str(by_person[person]) for person in people)


def _write_text(value: object) -> str:
    """Text in quotation marks; readers know no mark within them."""
    return clean(str(value)).replace('"', "'").replace("\\", "/")


def read_pmn(lines: Iterable[bytes], rules: str | None = None) -> ImportedGame:
    """The one hand of a file as a game. rules: which game it is; None for what the tag Game says.

    InputError if something is missing, cannot be read, or is not as the rules have it.
    """
    tags = _read_tags(lines)
    return import_events(_read_hand(tags, _read_start(tags, rules)))


def _read_tags(lines: Iterable[bytes]) -> dict[str, str]:
    """The tags by their names. InputError, which names the line."""
    tags: dict[str, str] = {}
    for number, each in enumerate(lines, start=1):
        with name_line(number, NOTHING_IMPORTED):
            text = decode_text(each)
            if not text:
                continue
            found = TAG_LINE.fullmatch(text)
            if found is None:
                raise InputError(messages.NO_TAG, line=quote(text))
            if found[1] in tags:
                raise InputError(messages.SECOND_TAG, tag=found[1])
            tags[found[1]] = found[2]
    return tags


def _find_tag(tags: Mapping[str, str], tag: str) -> str:
    if tag not in tags:
        raise InputError(messages.NO_SUCH_TAG, tag=tag)
    return tags[tag]


@contextmanager
def _name_tag(tag: str) -> Iterator[None]:
    """Say which tag it is that something is wrong with."""
    try:
        yield
    except InputError as problem:
        raise InputError(messages.WRONG_TAG, tag=tag, problem=problem) from problem


def _read_points(tags: Mapping[str, str], tag: str) -> FourPoints:
    """Four numbers, East first."""
    text = _find_tag(tags, tag)
    try:
        return decode_by(_points.decode, f"[{text.replace(' ', ',')}]")
    except Undecodable:
        with _name_tag(tag):
            raise InputError(messages.NO_POINTS, given=quote(text)) from None


def _read_start(tags: Mapping[str, str], rules: str | None) -> Event:
    """The game that the hand is by itself."""
    start: dict[str, object] = {"rules": rules, "round_wind": _find_tag(tags, "PWind")}
    if rules is None:
        if "Game" not in tags:
            raise InputError(messages.NO_RULES)
        with _name_tag("Game"):
            start = msgspec.to_builtins(decode_event(tags["Game"].replace("'", '"')))
    names = ["" if tags.get(seat) == NOT_KNOWN else tags.get(seat, "") for seat in SEATS]
    start |= {"event": "game_started", "names": names, "points": _read_points(tags, "Starting")}
    return decode_event(msgspec.json.encode(start))


def _read_hand(tags: Mapping[str, str], start: Event) -> Iterator[Event]:
    """The events of the hand, each as the rules allow it, and its penalties; the result must be theirs."""
    with _name_tag("Game"):
        state = apply(None, start)
    had = state.points
    yield start
    for action, event in _list_events(tags):
        with _name_action(action):
            state = apply(state, event)
        yield event
    paid = tuple(has - before for has, before in zip(state.points, had, strict=True))
    given = _read_points(tags, "Result")
    if paid != given:
        with _name_tag("Result"):
            raise InputError(messages.OTHER_RESULT, given=list(given), right=list(paid))
    penalty = _read_points(tags, "Penalty")
    if any(penalty):
        moved = PointsMoved(points=penalty, why="Penalty")
        with _name_tag("Penalty"):
            apply(state, moved)
        yield moved


def _list_events(tags: Mapping[str, str]) -> Iterator[tuple[int, Event]]:
    """What happened by the tags Deal and Play, each with the number of its action, from 1."""
    deals = _find_tag(tags, "Deal").split(" ")
    with _name_tag("Deal"):
        hands = [_read_deal(deal) for deal in deals]
        if len(hands) != len(SEATS):
            raise InputError(messages.NO_DEALS, given=len(hands))
    yield 1, HandStarted(dealer=0)
    play = _find_tag(tags, "Play")
    taken: dict[int, str] = {}
    has_won = False
    at = number = 0
    while at < len(play):
        number += 1
        with _name_action(number):
            found = ACTION.match(play, at)
            if found is None or (found["action"] == "H") != (found["tile"] is None):
                raise InputError(messages.NO_PLAY, piece=quote(play[at : at + ACTION_LENGTH]))
            at = found.end()
            event = _read_action(found, taken)
        if number == 1 and isinstance(event, Drawn) and event.seat == 0:
            a, b, c, d = (*hands[0], Tile.parse(event.tile or "")), *hands[1:]
            event = Dealt(hands=(format_tiles(a), format_tiles(b), format_tiles(c), format_tiles(d)))
        has_won = has_won or isinstance(event, Won)
        yield number, event
    if not has_won:
        yield number, HandDrawn()


def _read_action(found: re.Match[str], taken: dict[int, str]) -> Event:
    """The event of an action. taken: the tile that each seat took last, which the tile z1 stands for."""
    action, seat, name = found["action"], int(found["seat"]), found["tile"] or ""
    if name == TAKEN:
        if seat not in taken:
            raise InputError(messages.NOTHING_TAKEN, piece=quote(found[0]))
        name = taken[seat]
    if action == "H":
        return Won(seat=seat)
    tile = TILES[name]
    match action:
        case "T":
            taken[seat] = name
            return Drawn(seat=seat, tile=tile.code)
        case "D":
            return Discarded(seat=seat, tile=tile.code)
        case "R":
            return FlowerSetOut(seat=seat, tile=tile.code)
        case "C":
            ranks = "".join(str(tile.rank + step) for step in (-1, 0, 1))
            return Claimed(seat=seat, meld=f"{MeldKind.CHOW}{ranks}{tile.suit}")
        case "P":
            return Claimed(seat=seat, meld=f"{MeldKind.PUNG}{str(tile.rank) * 3}{tile.suit}")
        case "Z":
            return Claimed(seat=seat, meld=f"{MeldKind.KONG_DISCARD}{str(tile.rank) * 4}{tile.suit}")
        case "A":
            return ConcealedKong(seat=seat, tile=tile.code)
    return AddedKong(seat=seat, tile=tile.code)


def _read_deal(deal: str) -> tuple[Tile, ...]:
    """The tiles of a hand as c123d5b99w1r2f."""
    found = DEAL.fullmatch(deal)
    if found is None:
        raise InputError(messages.NO_DEAL_OF, deal=quote(deal))
    names = [suit + rank for suit, ranks in zip(ORDER, found.groups(), strict=True) for rank in ranks]
    if not TILES.keys() >= set(names):
        raise InputError(messages.NO_DEAL_OF, deal=quote(deal))
    return tuple(TILES[name] for name in names)


@contextmanager
def _name_action(number: int) -> Iterator[None]:
    """Say which action of the play it is that something is wrong with."""
    try:
        yield
    except InputError as problem:
        raise InputError(messages.IN_PLAY, number=number, problem=problem) from problem
