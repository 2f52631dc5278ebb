"""A win as a phone reports it: decoded, judged by the game, and put into words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from companion.errors import CompanionError, EventError
from companion.live.event_words import reword_refusal
from companion.rules import RULE_SETS, Source
from companion.rules.kinds import NUMBER_MAX
from companion.rules.stated import Stated, StatedRow, list_rows, list_values
from companion.rules.win import ScoreRequest
from companion.serve.answers import HttpError
from companion.serve.entries import Entry, list_payments
from companion.serve.remote import RemoteView
from companion.serve.scoring import say_score
from companion.serve.shown import Json
from companion.sheets.wording import write_stated_row
from companion.table.state import State
from companion.table.unrecorded import (
    ReportedWin,
    ask_without_tiles,
    enter_wins,
    has_no_record,
    list_known_chances,
)
from companion.tiles import Tile, parse_meld
from companion.words import Words

VALUES_OFFERED = 8
Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Code = Annotated[str, Meta(max_length=8)]


class PhoneWin(Struct, frozen=True, forbid_unknown_fields=True, rename={"giver": "from"}):
    """A win in JSON: fields of a score request, those that the game does not know itself. claimed_from: whose
    discards the melds were made of; stated: what the win is worth, in place of its tiles."""

    winner: Seat
    source: Source
    giver: Seat | None = None
    hand: Annotated[list[Code], Meta(max_length=40)] = []
    melds: Annotated[list[Code], Meta(max_length=8)] = []
    flowers: Annotated[list[Code], Meta(max_length=8)] = []
    winning_tile: Code | None = None
    situation: Annotated[list[str], Meta(max_length=32)] = []
    discards: Count | None = None
    fortune: Code | None = None
    gambits: Count = 0
    consecutive_kongs: Count = 0
    claimed_from: Seat | None = None
    stated: Stated | None = None

    def report(self) -> ReportedWin:
        """As the game takes it. CompanionError for tiles that there are not."""
        is_drawn = self.source is Source.SELF_DRAW
        names_tile = self.stated is None or self.source is Source.ROBBED_KONG
        melds = () if self.stated else tuple(parse_meld(meld) for meld in self.melds)
        flowers = () if self.stated else tuple(Tile.parse(code) for code in self.flowers)
        concealed = () if self.stated else tuple(Tile.parse(code) for code in self.hand)
        return ReportedWin(
            self.winner,
            self.source,
            None if is_drawn else self.giver,
            Tile.parse(self.winning_tile) if self.winning_tile and names_tile else None,
            (*concealed, *flowers, *(tile for meld in melds for tile in meld.tiles)),
            melds,
            flowers,
            frozenset(self.situation),
            self.discards,
            Tile.parse(self.fortune) if self.fortune else None,
            self.gambits if is_drawn else 0,
            self.consecutive_kongs if is_drawn else 0,
            None if self.claimed_from == self.winner else self.claimed_from,
            self.stated,
        )


def report_win(win: PhoneWin) -> ReportedWin:
    """The win as the game takes it. HttpError for one that no phone reports so."""
    try:
        return win.report()
    except CompanionError as problem:
        raise HttpError(400, problem.sentence) from None


def judge_win(state: State, beside: Sequence[ReportedWin], reported: ReportedWin, words: Words) -> Json:
    """What the game would make of that win beside those on the same tile: its score in words and what all pay
    for all of them, or the `problem`; and where it is stated, the `values` and `rows` that may be."""
    found: Json = {"problem": None, "values": [], "rows": [], **list_chances(state)}
    try:
        found |= _show_entered(state, [*beside, reported], words)
    except EventError as problem:
        found["problem"] = words.say(reword_refusal(problem))
    if reported.stated is not None:
        found |= _list_stated(state, [*beside, replace(reported, stated=Stated())], reported.stated, words)
    return found


def list_chances(state: State) -> Json:
    """On what each seat may win as the game stands, where it knows; `recorded`: whether it knows what
    was played in this hand, so that nobody asks for it."""
    found = [known.chance for seat in state.house.seats for known in list_known_chances(state, seat)]
    return {
        "recorded": not has_no_record(state),
        "chances": [
            {
                "winner": chance.seat,
                "source": chance.source.value,
                "from": chance.discarder,
                "tile": chance.tile.code if chance.tile and chance.discarder is not None else None,
            }
            for chance in found
        ],
    }


def _show_entered(state: State, reported: Sequence[ReportedWin], words: Words) -> Json:
    last = enter_wins(state, reported)[-1]
    return {
        "said": say_score(last.score, words),
        "payments": list_payments(state, last.after),
        "legal": True,
    }


def _list_stated(state: State, reported: Sequence[ReportedWin], stated: Stated, words: Words) -> Json:
    try:
        asked = ask_without_tiles(state, reported)
        values = list_values(asked, VALUES_OFFERED)
        rows = list_rows(asked, stated.rows)
    except CompanionError:
        return {}
    return {"values": values, "rows": [_show_row(each, asked, words) for each in rows]}


def _show_row(each: StatedRow, asked: ScoreRequest, words: Words) -> Json:
    sign = RULE_SETS[asked.rules].sign(asked.options)
    return {
        "id": each.row.id,
        "said": write_stated_row(each, sign, words),
        "count": each.count,
        "most": each.row.most,
        "counts": each.counts,
        "may_change": each.may_change,
    }


def show_remote(view: RemoteView | None, words: Words) -> Json | None:
    """What a page shows of the seats and of what their phones do; None where the page only watches."""
    if view is None:
        return None
    seats = range(len(view.seats))
    return {
        "held": [view.seats[person].token is not None for person in sorted(seats, key=view.find_seat)],
        "calls": [view.find_seat(person) for person in view.calls],
        "entry": None if view.entry is None else _show_entry(view, view.entry, words),
        "outcome": None if view.outcome is None else words.say(view.outcome),
        "undoing": None if view.undoing is None else view.find_seat(view.undoing),
    }


def _show_entry(view: RemoteView, entry: Entry, words: Words) -> Json:
    """The wins that wait: who entered each and what it is worth; and what each player pays for all."""
    return {
        "number": entry.number,
        "wins": [
            {
                "seat": view.find_seat(win.person),
                "winner": win.reported.seat,
                "title": words("{name} wins", name=view.name(entry.before.seated[win.reported.seat])),
                "said": say_score(score, words),
            }
            for win, score in zip(entry.wins, entry.scores, strict=True)
        ],
        "payments": entry.payments,
    }
