"""The flags that begin a game: rule set, house options, people, stakes, currency; and its first event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands import described
from companion.errors import InputError, quote
from companion.named_files import normalise

if TYPE_CHECKING:
    from companion.money import Currency
    from companion.table.events import GameStarted

PLAYERS = 4
OTHER_PLAYERS = "--player is given four times, for seats 0, 1, 2 and 3 in turn, or not at all."
NO_SYMBOL = "--point and --coin need --currency SYMBOL."
SAME_NAME = "Two players are called {name}: give one of them another name in --player."
RULES_OR_PROFILE = "The rules are missing: give --rules NAME, or --profile NAME."

Rules = Annotated[str | None, typer.Option(metavar="NAME", help="Rule set: companion rules lists them.")]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="A profile of house options, which names the rules too; a ready-made one has stakes and a"
        " currency as well.",
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="A house option; may be repeated."),
]
People = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="A player's name: four times, from seat 0 to seat 3."),
]
Stakes = Annotated[
    str | None,
    typer.Option(
        "--stakes",
        metavar="KEY=N,KEY=N",
        help="What a win costs each payer: base + unit × its value; companion rules NAME says more.",
    ),
]
Symbol = Annotated[
    str | None,
    typer.Option("--currency", metavar="SYMBOL", help="The currency of the table, as NT$, HK$, ¥ or chips."),
]
Point = Annotated[
    str | None,
    typer.Option("--point", metavar="VALUE", help="What one point is worth in it, as 1 or 0.5; usually 1."),
]
Coin = Annotated[
    str | None,
    typer.Option(
        "--coin",
        metavar="VALUE",
        help=(
            "The smallest coin; amounts are rounded to it (default: 1, or the value of a point if that is"
            " less)."
        ),
    ),
]


def choose_currency(
    usual: Currency | None, symbol: str | None, point: str | None, coin: str | None
) -> Currency | None:
    """The currency of these flags; what they leave out is as in `usual`, but a coin of another currency. None
    if neither names one.

    InputError if it cannot be a currency.
    """
    from msgspec.structs import replace

    from companion.money import Currency, check_currency, choose_coin, with_point

    if usual is None and symbol is None:
        if point is not None or coin is not None:
            raise InputError(NO_SYMBOL)
        return None
    chosen = usual or Currency("", "1", "1")
    if symbol is not None and symbol != chosen.symbol:
        chosen = Currency(symbol, chosen.point, choose_coin(chosen.point))
    if point is not None:
        chosen = with_point(chosen, point)
    return check_currency(chosen if coin is None else replace(chosen, coin=coin))


def make_start(
    rules: str | None,
    profile: str | None,
    options: list[str] | None,
    people: list[str] | None = None,
    stakes: str | None = None,
    symbol: str | None = None,
    point: str | None = None,
    coin: str | None = None,
) -> GameStarted:
    """The event that begins a game with these flags. InputError if one is wrong or no rules are named.

    A profile that is a ready-made table suggests stakes and currency, which the flags come before; the symbol
    "" is for points only.
    """
    from companion import profiles
    from companion.rules import rule_set
    from companion.rules.profile import apply_profile, complete_settings
    from companion.table.events import GameStarted

    names = people or [""] * PLAYERS
    if len(names) != PLAYERS:
        raise InputError(OTHER_PLAYERS)
    given_names = [normalise(name.strip()) for name in names if name.strip()]
    twice = next((name for name in given_names if given_names.count(name) > 1), None)
    if twice is not None:
        raise InputError(SAME_NAME, name=quote(twice))
    given: dict[str, Any] = {"options": described.options_from_flags(options or [])}
    if rules is not None:
        given["rules"] = rules
    with described.name_flags_in_errors(given):
        if rules is not None:
            given["rules"] = described.find_rules_name(rules)
        house = described.load_profile(profile)
        if house is not None:
            given = dict(apply_profile(house, given))
            given["options"] = {**house.play, **given["options"]}
        if "rules" not in given:
            raise InputError(RULES_OR_PROFILE)
        game = rule_set(given["rules"])
        complete_settings(game, given["options"])
        agreed = None if stakes is None else described.read_stakes(game, stakes)
    ready, usual = None if profile is None else profiles.find_named(profile), None
    if ready is not None:
        agreed, usual = agreed or ready.stakes, ready.currency
    points_only = symbol == "" and point is None and coin is None
    currency = None if points_only else choose_currency(usual, symbol, point, coin)
    a, b, c, d = names
    return GameStarted(
        rules=game.name, options=given["options"], names=(a, b, c, d), stakes=agreed, currency=currency
    )
