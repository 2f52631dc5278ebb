"""A game settled up in words: what each has won, in points and in money, and who pays whom."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from companion.money import describe_currency, format_money
from companion.sheets.hands import Sheet
from companion.sheets.wording import describe_name, describe_rules, name_seated, say_points
from companion.table.settling import POINTS, Settlement
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
            amount=_say_amount(each.amount, settlement),
        )
        for each in settlement.transfers
    ]


def _say_amount(amount: Decimal, settlement: Settlement) -> str:
    """A number alone where the game is for points only."""
    in_points = settlement.currency == POINTS
    return f"{amount:,}" if in_points else format_money(amount, settlement.currency)


def write_settlement(sheet: Sheet, settlement: Settlement, name: str, words: Words) -> str:
    """A game settled up as text to copy, the player who has won most first. name: of the game."""
    names = name_seated(sheet, words)
    lines = [" · ".join((describe_name(name), describe_rules(sheet, words)))]
    if not sheet.state.over:
        lines.append(words("The game is not over: this is how it stands."))
    in_points = settlement.currency == POINTS
    lines.append(words.say(describe_currency(None if in_points else settlement.currency)))
    for person in sorted(sheet.people, key=lambda person: -settlement.points[person]):
        points = say_points(settlement.points[person])
        if in_points:
            lines.append(words("{who}: {points}", who=names[person], points=points))
            continue
        money = format_money(settlement.amounts[person], settlement.currency)
        lines.append(words("{who}: {points}, {money}", who=names[person], points=points, money=money))
    return "\n".join((*lines, "", *list_transfers(settlement, names, words)))
