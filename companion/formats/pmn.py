"""The hands of a game in Portable Majiang Notation (PMN), as python-majiang defines and reads it.

PMN is for Mahjong Competition Rules. Deal and play of other games fit where they have 13 tiles in hand and no
wildcards; a hand that does not fit is refused. Scoring must be MCR, since readers know nothing else, and no
row has a number in Fan: the tags Rules and Rows have what was really played. East is the dealer of the hand.
What was called, and wins that were passed up, have no action and are left out. PMN names no house rules and
no dice, so a game cannot be made of it again.

Source: README.rst and tests/pmn_files of https://github.com/otobear/python-majiang. It does not say which
dragon is which: here r1 is red, r2 green and r3 white, the order of their names in Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from companion.errors import InputError
from companion.foreign_text import clean
from companion.formats import messages
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
    HandStarted,
    HandVoided,
    ReadyDeclared,
    Won,
    apply_corrections,
)
from companion.table.state import HandResult, PaymentReason, State
from companion.tiles import KINDS, MeldKind, Suit, Tile, parse_meld, parse_tiles

SUITS = {Suit.CHARACTERS: "c", Suit.DOTS: "d", Suit.BAMBOO: "b", Suit.FLOWERS: "f"}
HONOURS = ("w1", "w2", "w3", "w4", "r3", "r2", "r1")
NAMES = {
    tile: HONOURS[tile.rank - 1] if tile.suit is Suit.HONORS else f"{SUITS[tile.suit]}{tile.rank}"
    for tile in KINDS
}
"""Tiles as PMN names them: c5, w1, r3, f8."""
ORDER = "cdbwrf"
HAND_SIZE = 13
SEATS = ("East", "South", "West", "North")
CLAIMS = {MeldKind.PUNG: "P", MeldKind.KONG_DISCARD: "Z"}
MIDDLE = 1
"""Place of the tile by which PMN names a chow."""
TAG = re.compile(rb'\[[A-Za-z]+ "')
NOT_KNOWN = "?"
NO_DATE = "????.??.??"


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: its number, from 1, its events from hand_started on, and the states around it."""

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


def _part_hands(log: Iterable[Event]) -> Iterator[PlayedHand]:
    """The hands that were finished and count."""
    state: State | None = None
    before: State | None = None
    part: list[Event] = []
    for event in log:
        if isinstance(event, HandStarted):
            if hand := _finish(before, part, state):
                yield hand
            before, part = state, []
        state = apply(state, event)
        part.append(event)
    if hand := _finish(before, part, state):
        yield hand


def _finish(before: State | None, events: list[Event], after: State | None) -> PlayedHand | None:
    if before is None or after is None or after.hands == before.hands:
        return None
    return PlayedHand(after.hands, before, tuple(events), after)


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
        "Rows": "; ".join(
            _write_score(result, SEATS[(result.winner - dealer) % 4]) for result in of_hand.results
        ),
    }
    return "".join(f'[{tag} "{_write_text(value)}"]\n' for tag, value in tags.items())


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
