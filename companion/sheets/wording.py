"""Hands, wins and settlements of a score sheet in words, in one of the languages. `names`: by person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from companion.money import Currency, amount, describe_currency, format_money
from companion.profiles import find_played
from companion.rules import RULE_SETS, RuleSet, Score, Source
from companion.rules.profile import make_profile
from companion.rules.rule_set import TIMES, Pattern, ScoreLine, Share, Sign
from companion.rules.scoring import converts, describe_value, describe_worth, explain_paid, explain_share
from companion.rules.stated import Standing, StatedRow
from companion.rules.win import Stakes, describe_stakes
from companion.sentences import msgid, write_number
from companion.sheets.figures import ONE_POINT, Evening, GameFigures
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.table.events import CurrencyAgreed, GameStarted, HandDrawn, HandVoided, PointsMoved
from companion.table.settling import POINTS, Settlement
from companion.words import Words
from companion.words.filling import SEAT_NAMES

BEGUN = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(?:-\d+)?")
"""The name of a game that nobody named: when it was begun."""
VALUE_IN_NAME = re.compile(r" \(\d+ fan\)$|（\d+番）$")
"""At the end of the name of a row whose value a house option sets."""
WINDS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))


def write_points(points: int) -> str:
    """Points won or lost."""
    return write_number(points, signed=True)


SAME_EVENING = msgid("{name} is the same evening as {other}: counted once.")
"""Note on two games with the same events."""
NEW_TOTAL = msgid("now {points}")
"""A person's points after a payment."""
AGAINST = {
    Standing.REPLACED: msgid("counts in {row}"),
    Standing.EXCLUDED: msgid("not with {row}"),
}


def write_worth(score: Score, words: Words) -> str:
    """What a win is worth."""
    return words.say(describe_worth(score))


def name_row(row: ScoreLine | Pattern, words: Words) -> tuple[str, str]:
    """The name of a row next to its value, in this language and in the other: without the value that tells
    rows of one name apart where they are listed, as Small Dragons (5 fan)."""
    first, second = words.both(row.name, row.name_zh)
    return VALUE_IN_NAME.sub("", first), VALUE_IN_NAME.sub("", second)


def write_line(line: ScoreLine, sign: Sign | None, score: Score) -> str:
    """What a line brings to the score: +3; ×2; = 8, where it turns the sum of the others into units."""
    if sign is TIMES:
        return f"{TIMES.symbol}{write_number(line.value)}"
    is_total = converts(RULE_SETS[score.rules], line.id)
    return f"= {write_number(score.value)}" if is_total else write_points(line.value)


def write_stated_row(stated: StatedRow, sign: Sign, words: Words) -> str:
    """A row that a win may be stated to have: how often, its worth, and the row against it."""
    counted = max(stated.count, 1)
    times = f" × {write_number(counted)}" if counted > 1 else ""
    worth = f"{sign.symbol}{write_number(sign.repeated(stated.value, counted))}"
    against = ""
    if stated.by is not None and stated.standing in AGAINST:
        against = f" ({words(AGAINST[stated.standing], row=name_row(stated.by, words)[0])})"
    return f"{name_row(stated.row, words)[0]}{times}  {worth}{against}"


def write_amount(points: int, currency: Currency | None, words: Words) -> str:
    """Points, as money where a currency is agreed."""
    if currency is None:
        return words("{count} points", count=points)
    return format_money(amount(points, currency), currency)


def write_limit(cap: int, currency: Currency | None, words: Words) -> str:
    """The limit of a table: it holds for each player's share of a win, also where one player pays for all."""
    return words("each player's share at most {amount}", amount=write_amount(cap, currency, words))


def describe_played(game: GameFigures, words: Words) -> str:
    """A game, its stakes unless a point is paid as one, and what a point of it is worth: Taiwanese ·
    base 100, 20 per tai · 1 point = NT$1."""
    rules = RULE_SETS[game.rules]
    said = [words.both(rules.title, rules.title_zh)[0]]
    if game.stakes != ONE_POINT:
        said.append(words.say(describe_stakes(game.stakes, rules.unit)))
    return " · ".join((*said, words.say(describe_currency(game.currency))))


def describe_best(evening: Evening, words: Words) -> str:
    """The best hand of an evening: who won on whose tile, what it was worth, and the name of the game."""
    best = evening.best
    assert best is not None
    names = [
        person.name or words(seat) for person, seat in zip(evening.figures.people, SEAT_NAMES, strict=True)
    ]
    worth = words.say(describe_value(RULE_SETS[evening.rules], best.lines, best.value, best.unit))
    said = words("{who} by self-draw: {worth}", who=names[best.winner], worth=worth)
    if best.giver is not None:
        template = msgid("{who} on the tile of {giver}: {worth}")
        said = words(template, who=names[best.winner], giver=names[best.giver], worth=worth)
    return " · ".join((said, describe_name(evening.name)))


def join_rows(lines: Sequence[ScoreLine], rules: str, words: Words) -> str:
    """The names of these rows of a score in that game, without the one that turns their sum into units."""
    own = [line for line in lines if not converts(RULE_SETS[rules], line.id)]
    return words.join(words.both(line.name, line.name_zh)[0] for line in own)


def write_share(score: Score, share: Share, words: Words) -> str:
    """How what a payer owes comes about, and the limit where the payer pays less:
    100 + 20 × 8 = 260, limited to 200."""
    owed = str(explain_share(score, share))
    if share.pays == share.owed:
        return owed
    return words("{sum}, limited to {most}", sum=owed, most=explain_paid(share))


def name_lines(lines: Sequence[ScoreLine], score: Score, words: Words) -> list[str]:
    """Lines of one payer in addition to the hand's value: Dealer +1."""
    named = [(name_row(line, words)[0], line) for line in lines]
    return [f"{name} {write_line(line, score.payer_sign, score)}" for name, line in named]


def describe_streak(rules: RuleSet, streak: int, words: Words) -> str:
    """How often the dealer deals in a row, by the name that the game has for that; empty where it is nothing
    to speak of."""
    meaning = rules.meanings.get("streak")
    if meaning is not None and meaning.short:
        return f"{streak} {words(meaning.short)}"
    if "streak" not in rules.uses or streak <= rules.streak_default:
        return ""
    return words("{count} in a row", count=streak)


def name_seated(sheet: Sheet, words: Words) -> tuple[str, ...]:
    """What each person is called in that language."""
    return tuple(name or words(seat) for name, seat in zip(sheet.names, SEAT_NAMES, strict=True))


def describe_name(name: str) -> str:
    """A game that was named after its beginning by day and time; any other by its name."""
    begun = BEGUN.fullmatch(name)
    return name if begun is None else "{}, {}:{}".format(*begun.groups())


def name_evening(name: str, day: date | None) -> tuple[str, ...]:
    """A game's name and the day on which it was begun, unless that is its name."""
    return (describe_name(name),) if day is None or BEGUN.fullmatch(name) else (describe_name(name), str(day))


def describe_rules(sheet: Sheet, words: Words) -> str:
    """Which game it is, its ready-made table, its stakes unless a point is paid as one, its limit; and, for a
    table that is not ready-made, how many house rules were changed."""
    rules, house = RULE_SETS[sheet.rules], sheet.state.house
    ready = find_played(sheet.rules, house.options, sheet.state.currency)
    said = [words.both(rules.title, rules.title_zh)[0]]
    if ready is not None:
        said.append(words(ready.title))
    if house.stakes != Stakes():
        said.append(words.say(describe_stakes(house.stakes, rules.unit)))
    if house.cap is not None:
        said.append(write_limit(house.cap, sheet.state.currency, words))
    game, changed = " · ".join(said), 0 if ready is not None else _count_changed(sheet)
    return words("{game} · {count} house rules changed", game=game, count=changed) if changed else game


def _count_changed(sheet: Sheet) -> int:
    """How many house rules were chosen that are not the game's own."""
    start = sheet.log[0]
    options = dict(start.options) if isinstance(start, GameStarted) else {}
    return len(make_profile(RULE_SETS[sheet.rules], options).changed)


def describe_deal(hand: SheetHand, rules: str, names: Sequence[str], words: Words) -> str:
    """Who deals in which round, how often in a row. rules: the game's name."""
    if hand.dealer is None or hand.round_wind is None:
        return ""
    wind = words(WINDS[hand.round_wind.rank - 1])
    dealt = [words("{wind} round", wind=wind), words("dealer: {who}", who=names[hand.dealer])]
    return " · ".join(filter(None, (*dealt, describe_streak(RULE_SETS[rules], hand.streak, words))))


def describe_win(win: SheetWin, names: Sequence[str], words: Words) -> str:
    """Who won on what, and what it is worth."""
    worth = write_worth(win.score, words)
    if win.giver is None:
        return words("{who} by self-draw: {worth}", who=names[win.winner], worth=worth)
    template = msgid("{who} on the tile of {giver}: {worth}")
    if win.source is Source.ROBBED_KONG:
        template = msgid("{who} by robbing the kong of {giver}: {worth}")
    return words(template, who=names[win.winner], giver=names[win.giver], worth=worth)


def _describe_draw(hand: SheetHand, names: Sequence[str], words: Words) -> str:
    """Describes a draw, and who declined the last tile."""
    seats = (event.declined_by for _, event in hand.events if isinstance(event, HandDrawn))
    seat = next((seat for seat in seats if seat is not None), None)
    if seat is None:
        return words("Nobody won")
    return words("Draw: {who} declined the last tile", who=names[hand.after.seated[seat]])


def describe_hand(hand: SheetHand, names: Sequence[str], words: Words) -> str:
    """How it ended, and what else was paid in it."""
    said = [describe_win(win, names, words) for win in hand.wins]
    if hand.abandoned:
        said.append(words("Hand does not count"))
    elif hand.drawn:
        said.append(_describe_draw(hand, names, words))
    elif not hand.finished:
        said.append(words("In play"))
    agreed = [event.currency for _, event in hand.events if isinstance(event, CurrencyAgreed)]
    money = [words.say(describe_currency(currency)) for currency in agreed]
    return " · ".join([*said, *describe_penalties(hand, names, words), *money])


def describe_penalties(hand: SheetHand, names: Sequence[str], words: Words) -> list[str]:
    """Its payments in addition to those at its end, and dead hands."""
    said = []
    for each in hand.penalties:
        if isinstance(each.event, PointsMoved):
            said.append(words(each.event.why))
        else:
            template = msgid("False win: {who}")
            if isinstance(each.event, HandVoided):
                template = msgid("Dead hand: {who}")
            who = names[hand.after.seated[each.event.seat] if each.person is None else each.person]
            said.append(words(template, who=who))
    return said


def list_transfers(settlement: Settlement, names: Sequence[str], words: Words) -> list[str]:
    """Who pays whom, a sentence each; or that nobody owes anything."""
    if not settlement.transfers:
        return [words("Nobody owes anything.")]
    return [
        words(
            "{payer} pays {taker} {amount}",
            payer=names[each.payer],
            taker=names[each.taker],
            amount=write_transfer(each.amount, settlement),
        )
        for each in settlement.transfers
    ]


def write_transfer(amount: Decimal, settlement: Settlement) -> str:
    """What is paid, in money; a number alone where the game is for points only."""
    in_points = settlement.currency == POINTS
    return write_number(amount) if in_points else format_money(amount, settlement.currency)


def write_settlement(sheet: Sheet, settlement: Settlement, name: str, words: Words) -> str:
    """A game settled up as text to copy, the player who has won most first. name: of the game."""
    names = name_seated(sheet, words)
    lines = [" · ".join((describe_name(name), describe_rules(sheet, words)))]
    if not sheet.state.over:
        lines.append(words("The game is not over: this is the current standing."))
    in_points = settlement.currency == POINTS
    lines.append(words.say(describe_currency(None if in_points else settlement.currency)))
    for person in sorted(sheet.people, key=lambda person: -settlement.points[person]):
        points = write_points(settlement.points[person])
        if in_points:
            lines.append(words("{who}: {points}", who=names[person], points=points))
            continue
        money = format_money(settlement.amounts[person], settlement.currency)
        lines.append(words("{who}: {points}, {money}", who=names[person], points=points, money=money))
    return "\n".join((*lines, "", *list_transfers(settlement, names, words)))
