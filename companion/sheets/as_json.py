"""A score sheet as a JSON value, for other programs."""

from __future__ import annotations

from typing import Any

from companion.sheets.figures import reckon
from companion.sheets.hands import Sheet, SheetHand, SheetWin

Json = dict[str, Any]


def sheet_json(sheet: Sheet) -> Json:
    """Points are by person in the order of `names`; tiles are codes; numbers are of events in the log."""
    figures = reckon(sheet)
    return {
        "rules": sheet.rules,
        "names": list(sheet.names),
        "start": list(sheet.start),
        "points": list(sheet.state.points),
        "over": sheet.state.over,
        "hands": [_hand_json(hand) for hand in sheet.hands],
        "corrections": [
            {"number": each.number, "at": each.at, "happened": each.right is not None, "why": each.why}
            for each in sheet.corrections
        ],
        "wins": [
            {"wins": each.wins, "self_draws": each.self_draws, "given": each.given} for each in figures.people
        ],
    }


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
        "value": win.value,
        "unit": win.unit,
        "lines": [
            {"name": line.name, "name_zh": line.name_zh, "count": line.count, "value": line.value}
            for line in win.lines
        ],
        "payments": list(win.payments),
    }
