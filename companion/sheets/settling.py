"""A game settled up in words: what each has won, in points and in money, and who pays whom."""

from __future__ import annotations

from collections.abc import Sequence

from companion.money import describe_currency, format_money
from companion.sheets.hands import Sheet
from companion.sheets.wording import describe_name, describe_rules, name_seated, say_points
from companion.table.settling import Settlement
from companion.words import Words


def list_transfers(settlement: Settlement, names: Sequence[str], words: Words) -> list[str]:
    """Who pays whom, a sentence each; or that nobody owes anything."""
    if not settlement.transfers:
        return [words("Nobody owes anything.")]
    return [
        words(
            "{payer} pays {taker} {amount}",
            payer=names[each.payer],
            taker=names[each.taker],
            amount=format_money(each.amount, settlement.currency),
        )
        for each in settlement.transfers
    ]


def write_settlement(sheet: Sheet, settlement: Settlement, name: str, words: Words) -> str:
    """A game settled up as text to copy, the player who has won most first. name: of the game."""
    names = name_seated(sheet, words)
    lines = [" · ".join((describe_name(name), describe_rules(sheet, words)))]
    if not sheet.state.over:
        lines.append(words("The game is not over: this is the current standing."))
    lines.append(words.say(describe_currency(settlement.currency)))
    for person in sorted(sheet.people, key=lambda person: -settlement.points[person]):
        points = say_points(settlement.points[person])
        money = format_money(settlement.amounts[person], settlement.currency)
        lines.append(words("{who}: {points}, {money}", who=names[person], points=points, money=money))
    return "\n".join((*lines, "", *list_transfers(settlement, names, words)))
