"""A score sheet as a JSON value, for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from companion.money import amount
from companion.sheets.figures import (
    AddedFigures,
    Figures,
    ManyEvenings,
    PatternCount,
    PersonFigures,
    calculate_figures,
)
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.table.settling import Settlement, settle_up

Json = dict[str, Any]


def sheet_json(sheet: Sheet) -> Json:
    """Points are by person in the order of `names`; tiles are codes; numbers are of events in the log."""
    figures = calculate_figures(sheet)
    return {
        "rules": sheet.rules,
        "names": list(sheet.names),
        "start": list(sheet.start),
        "points": list(sheet.state.points),
        "over": sheet.state.over,
        "stakes": to_builtins(sheet.state.house.stakes),
        **settlement_json(settle_up(sheet.state)),
        "hands": [_hand_json(hand) for hand in sheet.hands],
        "corrections": [
            {"number": each.number, "at": each.at, "happened": bool(each.right), "why": each.why}
            for each in sheet.corrections
        ],
        "wins": [
            {"wins": each.wins, "self_draws": each.self_draws, "given": each.given} for each in figures.people
        ],
        "figures": figures_json(figures),
    }


def settlement_json(settlement: Settlement | None) -> Json:
    """Money by person, and who pays whom, by the numbers of people. Amounts are decimal text. All is null
    where the game is for points only."""
    if settlement is None:
        return dict.fromkeys(("currency", "money", "settle_up"))
    return {
        "currency": to_builtins(settlement.currency),
        "money": [str(amount) for amount in settlement.amounts],
        "settle_up": [
            {"from": each.payer, "to": each.taker, "amount": str(each.amount)}
            for each in settlement.transfers
        ],
    }


def figures_json(figures: Figures) -> Json:
    """The figures of one game, people as in the sheet; `totals` before the first hand and after each."""
    return {
        "hands": figures.hands,
        "draws": figures.draws,
        "people": [_person_json(each) for each in figures.people],
        "patterns": _patterns_json(figures.patterns),
        "totals": [list(total) for total in figures.totals],
    }


def evenings_json(evenings: ManyEvenings) -> Json:
    """The figures of many games, people by name; `totals` in their order, before the first and after each;
    `games`: the same for each game and value of a point, with what each person has won in money; points
    outside add up those of all of them. `same`: games that are not counted, as another one has the same
    events."""
    return {
        **_added_json(evenings),
        "games": [
            {
                "rules": game.rules,
                "currency": to_builtins(game.currency),
                **_added_json(game),
                "money": [str(amount(one.points, game.currency)) for one in game.people]
                if game.currency
                else None,
            }
            for game in evenings.games
        ],
        "same": [{"name": name, "same_as": other} for name, other in evenings.same],
    }


def _added_json(figures: AddedFigures) -> Json:
    return {
        "evenings": figures.evenings,
        "hands": figures.hands,
        "people": [_person_json(each) for each in figures.people],
        "patterns": _patterns_json(figures.patterns),
        "totals": [list(total) for total in figures.totals],
    }


def _person_json(person: PersonFigures) -> Json:
    return {
        "name": person.name,
        "points": person.points,
        "hands": person.hands,
        "wins": person.wins,
        "self_draws": person.self_draws,
        "given": person.given,
        "average_worth": person.average_worth,
        "most_deals_in_a_row": person.dealt,
        "false_wins": person.false_wins,
        "patterns": _patterns_json(person.patterns),
    }


def _patterns_json(patterns: Sequence[PatternCount]) -> list[Json]:
    return [{"name": each.name, "name_zh": each.name_zh, "wins": each.wins} for each in patterns]


def _hand_json(hand: SheetHand) -> Json:
    return {
        "number": hand.number,
        "round_wind": None if hand.round_wind is None else hand.round_wind.code,
        "dealer": hand.dealer,
        "streak": hand.streak,
        "finished": hand.finished,
        "abandoned": hand.abandoned,
        "drawn": hand.drawn,
        "wins": [_win_json(win) for win in hand.wins],
        "penalties": [{"number": each.number, "person": each.person} for each in hand.penalties],
        "points": list(hand.points),
        "totals": list(hand.totals),
    }


def _win_json(win: SheetWin) -> Json:
    return {
        "number": win.number,
        "winner": win.winner,
        "giver": win.giver,
        "source": win.source.value,
        "tile": win.tile,
        "concealed": list(win.concealed),
        "melds": [list(meld) for meld in win.melds],
        "flowers": list(win.flowers),
        "value": win.score.value,
        "unit": win.score.unit,
        "lines": [
            {"name": line.name, "name_zh": line.name_zh, "count": line.count, "value": line.value}
            for line in win.score.lines
        ],
        "payments": list(win.payments),
    }
