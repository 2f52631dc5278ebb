"""What the first page says of games, houses and players. No Kivy."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from companion.app.cameras import say_camera
from companion.app.home.state import Found
from companion.app.home.tables import Agreed, House, TypicalWin
from companion.app.widgets.game_words import (
    COUNTED_IN,
    counts_points,
    describe_play,
    describe_rules,
    name_rules,
)
from companion.game.shelf import GameGlance
from companion.money import Currency, format_money
from companion.rules import RULE_SETS
from companion.rules.win import Stakes, describe_stakes
from companion.sentences import msgid, write_number
from companion.sheets.wording import write_amount, write_limit
from companion.words import Words
from companion.words.filling import SEAT_NAMES


def name_house(house: House, words: Words) -> str:
    if house.ready:
        return words(house.ready.title)
    return house.name if house.is_saved else name_rules(house.rules, words)


def head_house(house: House, words: Words) -> str:
    """Its heading next to the other tables of its game."""
    return words("As written") if house.is_written else name_house(house, words)


def describe_house(house: House, words: Words) -> str:
    """Its special features, in one line."""
    if house.trouble:
        return words.say(house.trouble)
    if house.ready:
        return words.say(house.ready.about)
    if house.profile is None:
        return words("As written") + " · " + describe_rules(house.rules, words)
    changed = len(house.profile.changed)
    game = name_rules(house.rules, words)
    if not changed:
        return words("{game} · nothing changed", game=game)
    return words("{game} · {count} house rules changed", game=game, count=changed)


def explain_house(house: House, words: Words) -> str:
    """The source of the rules, or the rules of that table."""
    if house.ready:
        return words.say(house.ready.about)
    source = RULE_SETS[house.rules].source
    return words(source) if house.is_written and source else describe_house(house, words)


def name_win(win: TypicalWin, words: Words) -> str:
    """A plain win, or a big one with what it is big by."""
    if win.row is None:
        return words("A plain win")
    row = next(row for row in RULE_SETS[win.request.rules].rows if row.id == win.row)
    return words("A big win ({name})", name=words.both(row.name, row.name_zh)[0])


def say_win(win: TypicalWin, currency: Currency | None, words: Words) -> str:
    """What it is, and who pays what for it."""
    return words("{win}: {cost}", win=name_win(win, words), cost=describe_cost(win, currency, words))


def describe_cost(win: TypicalWin, currency: Currency | None, words: Words) -> str:
    cost = _say_who_pays(win, currency, words)
    return words("{cost}, within the limit", cost=cost) if win.limited else cost


def _say_who_pays(win: TypicalWin, currency: Currency | None, words: Words) -> str:
    most = win.most
    paid_most = write_amount(most, currency, words)
    who = [seat for seat, paid in win.paid.items() if paid == most]
    less = {paid for paid in win.paid.values() if paid != most}
    if not less and len(who) > 1:
        return words("{amount} from each player", amount=paid_most)
    is_discarder = who == [win.request.discarder]
    if not less:
        said = msgid("{amount} from the discarder, who pays all three shares")
        return words(said if win.for_all else msgid("{amount} from the discarder"), amount=paid_most)
    others = write_amount(min(less), currency, words)
    said = msgid("{amount} from the dealer, {less} from the others")
    if is_discarder:
        said = msgid("{amount} from the discarder, {less} from the others")
    return words(said, amount=paid_most, less=others)


def say_rounded_limit(agreed: Agreed, words: Words) -> str:
    """What became of a limit that is no whole number of points; empty where it is one."""
    if agreed.limit is None or agreed.cap is None or agreed.currency is None:
        return ""
    chosen = format_money(Decimal(agreed.limit), agreed.currency)
    limit = write_amount(agreed.cap, agreed.currency, words)
    return words(
        "The limit is {limit}: {chosen} is not a whole number of points.", limit=limit, chosen=chosen
    )


def say_stakes(rules: str, agreed: Agreed, words: Words) -> str:
    """What a table plays for, in a few words."""
    stakes, currency = agreed.stakes, agreed.currency
    said = []
    if currency is None and stakes == Stakes():
        said.append(words("points only"))
    elif currency is None or not counts_points(rules):
        said.append(words.say(describe_stakes(stakes, RULE_SETS[rules].unit)))
    if currency is not None and (counts_points(rules) or currency.point != "1"):
        said.append(words("{money} per point", money=write_amount(1, currency, words)))
    elif currency is not None:
        said.append(currency.symbol)
    if agreed.cap is not None:
        said.append(write_limit(agreed.cap, currency, words))
    return words.join(said)


def name_unit(rules: str, words: Words) -> str:
    """What the game's values are counted in."""
    unit = RULE_SETS[rules].unit
    return words(COUNTED_IN.get(unit, unit))


def describe_house_play(house: House, words: Words) -> str:
    """What holds at that table, as far as people ask before they begin."""
    return "" if house.trouble else describe_play(house.rules, house.profile, words)


def name_seat(names: tuple[str, ...], seat: int, words: Words) -> str:
    """Who sits there; without a name, where."""
    return names[seat] if names and names[seat] else words(SEAT_NAMES[seat])


def describe_when(at: datetime, now: datetime, words: Words) -> str:
    """The day and the time; times have a time zone."""
    local, today = at.astimezone(), now.astimezone().date()
    if local.date() == today:
        return words("today, {time}", time=local.strftime("%H:%M"))
    if (today - local.date()).days == 1:
        return words("yesterday, {time}", time=local.strftime("%H:%M"))
    return local.strftime("%Y-%m-%d, %H:%M")


def describe_players(game: GameGlance, words: Words) -> str:
    """Who has how many points, the most first."""
    return "  ·  ".join(f"{name} {points}" for name, points in list_scores(game, words))


def list_scores(game: GameGlance, words: Words) -> list[tuple[str, str]]:
    """The people, each with the points, the most first."""
    people = sorted(zip(game.points, game.names, range(4), strict=False), key=lambda each: -each[0])
    return [
        (name_seat(game.names, person, words), write_number(points))
        for points, name, person in people
        if name or not any(game.names)
    ]


def describe_game(game: GameGlance, now: datetime, words: Words) -> str:
    """Rules, hands and when it was played last; or why it cannot be read."""
    if game.trouble is not None:
        return words.say(game.trouble)
    said = [
        name_rules(game.rules, words),
        words("{count} hands", count=game.hands),
        describe_when(game.at, now, words),
    ]
    if game.practice:
        said.insert(0, words("Practice game"))
    if game.over:
        said.append(words("ended"))
    return "  ·  ".join(said)


def describe_found(found: Found | None, words: Words) -> str:
    """What is connected, in one line."""
    if found is None:
        return words("Searching for cameras and devices …")
    names = [say_camera(name, words) for name in found.cameras[:2]]
    cameras = words.join(names) if names else words("none: everything works by touch")
    devices = words.join(found.devices[:2]) if found.devices else words("none found")
    return words("Camera: {cameras}  ·  Devices: {devices}", cameras=cameras, devices=devices)
