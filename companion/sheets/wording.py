"""What is said of hands and wins of a score sheet, in one of the languages. `names`: by person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.rules import RULE_SETS, RuleSet, Source
from companion.rules.reckoning import value_before_conversion
from companion.rules.rule_set import ScoreLine
from companion.sentences import msgid
from companion.sheets.hands import SheetHand, SheetWin
from companion.table.events import PointsMoved
from companion.words import Words

WINDS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
UNITS = {"zui": msgid("zui"), "tai": msgid("tai"), "fan": msgid("fan")}
MULTIPLIED = msgid("base × {count}")
"""What a win is worth where its value multiplies what is played for."""
PAID = msgid("units")
"""What points are paid in where that is not what wins are counted in."""


class Worth(Protocol):
    """A score, or a win of a sheet."""

    @property
    def rules(self) -> str: ...
    @property
    def value(self) -> int: ...
    @property
    def unit(self) -> str: ...
    @property
    def lines(self) -> tuple[ScoreLine, ...]: ...


def say_points(points: int) -> str:
    """Points won or lost."""
    return f"{points:+,}".replace("-", "−") if points else "0"


NEW_TOTAL = msgid("now {points}")
"""What somebody has after a payment, by `say_total`."""


def say_total(points: int) -> str:
    """What somebody has."""
    return f"{points:,}".replace("-", "−")


def say_worth(win: Worth, words: Words) -> str:
    """What a win is worth: 15 zui; base × 4; 3 fan = 8 units, where a row turns the one into the other."""
    own = value_before_conversion(RULE_SETS[win.rules], [(line.id, line.value) for line in win.lines])
    if own is None:
        return _say_value(win.value, win.unit, words)
    return f"{_say_value(own, win.unit, words)} = {win.value:,} {words(PAID)}"


def _say_value(value: int, unit: str, words: Words) -> str:
    if unit in UNITS:
        return f"{value:,} {words(UNITS[unit])}"
    return words(MULTIPLIED, count=f"{value:,}")


def describe_streak(rules: RuleSet, streak: int, words: Words) -> str:
    """How often the dealer deals in a row, by the name that the game has for that; empty where it is nothing
    to speak of."""
    meaning = rules.meanings.get("streak")
    if meaning is not None and meaning.short:
        return f"{streak} {words(meaning.short)}"
    if "streak" not in rules.uses or streak <= rules.streak_default:
        return ""
    return words("{count} in a row", count=streak)


def describe_deal(hand: SheetHand, rules: str, names: Sequence[str], words: Words) -> str:
    """Who deals in which round, how often in a row. rules: the game's name."""
    if hand.dealer is None or hand.round_wind is None:
        return ""
    wind = words(WINDS[hand.round_wind.rank - 1])
    dealt = [words("{wind} round", wind=wind), words("dealer: {who}", who=names[hand.dealer])]
    return " · ".join(filter(None, (*dealt, describe_streak(RULE_SETS[rules], hand.streak, words))))


def describe_win(win: SheetWin, names: Sequence[str], words: Words) -> str:
    """Who won on what, and what it is worth."""
    worth = say_worth(win, words)
    if win.giver is None:
        return words("{who} by self-draw: {worth}", who=names[win.winner], worth=worth)
    template = msgid("{who} on the tile of {giver}: {worth}")
    if win.source is Source.ROBBED_KONG:
        template = msgid("{who} by robbing the kong of {giver}: {worth}")
    return words(template, who=names[win.winner], giver=names[win.giver], worth=worth)


def describe_hand(hand: SheetHand, names: Sequence[str], words: Words) -> str:
    """How it ended, and what else was paid in it."""
    said = [describe_win(win, names, words) for win in hand.wins]
    if hand.abandoned:
        said.append(words("Does not count"))
    elif hand.drawn:
        said.append(words("Nobody won"))
    elif not hand.finished:
        said.append(words("In play"))
    for each in hand.penalties:
        if isinstance(each.event, PointsMoved):
            said.append(words(each.event.why))
        else:
            said.append(words("Penalty"))
    return " · ".join(said)
