"""A score sheet as a JSON value, for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from companion.sheets.figures import (
    AddedFigures,
    Evening,
    Figures,
    ManyEvenings,
    PatternCount,
    PersonFigures,
    calculate_figures,
    find_photo,
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
    `games`: the same for each game, its stakes and the value of a point, with what each person has won in
    money, and the hand that is worth most; `money`: a ranking for each currency. Points of different games
    are not added: outside `games` they are null if there are several. `same`: games that are not counted, as
    another one has the same events."""
    return {
        **_added_json(evenings, has_points=len(evenings.games) <= 1),
        "games": [
            {
                "rules": game.rules,
                "currency": to_builtins(game.currency),
                "stakes": to_builtins(game.stakes),
                **_added_json(game),
                "money": [str(paid) for paid in game.money] or None,
                "best_hand": _best_json(game.best),
            }
            for game in evenings.games
        ],
        "money": [
            {
                "symbol": ranking.symbol,
                "people": [
                    {"name": one.name, "amount": str(one.amount), "evenings": one.evenings}
                    for one in ranking.people
                ],
            }
            for ranking in evenings.money
        ],
        "same": [{"name": name, "same_as": other} for name, other in evenings.same],
    }


def _best_json(evening: Evening | None) -> Json | None:
    """The best hand, its people by name, and the photo that was kept of it."""
    if evening is None or evening.best is None:
        return None
    best, photo = evening.best, find_photo(evening)
    people = evening.figures.people
    return {
        "game": evening.name,
        "begun": evening.begun,
        "hand": best.hand,
        "winner": people[best.winner].name,
        "discarder": None if best.giver is None else people[best.giver].name,
        "value": best.value,
        "unit": best.unit,
        "concealed": list(best.concealed),
        "melds": [list(meld) for meld in best.melds],
        "flowers": list(best.flowers),
        "lines": [
            {"name": line.name, "name_zh": line.name_zh, "count": line.count, "value": line.value}
            for line in best.lines
        ],
        "photo": None if photo is None else str(photo),
    }


def _added_json(figures: AddedFigures, *, has_points: bool = True) -> Json:
    people = [_person_json(each) | {"evenings": each.evenings} for each in figures.people]
    return {
        "evenings": figures.evenings,
        "hands": figures.hands,
        "people": people if has_points else [each | {"points": None} for each in people],
        "patterns": _patterns_json(figures.patterns),
        "totals": [list(total) for total in figures.totals] if has_points else None,
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
