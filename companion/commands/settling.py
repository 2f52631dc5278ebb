"""`companion games settle`: what everybody has won in money, and who pays whom."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.commands.games import Name, copied
from companion.commands.inputs import AsJson, InLanguage
from companion.commands.keeping import Coin, Point, Symbol, choose_currency
from companion.commands.output import console, print_json
from companion.errors import InputError, quote
from companion.words import Language, Words

NO_CURRENCY = (
    "The game {name} is for points only: give a currency, such as --currency NT$, and with --point what one"
    " point is worth."
)
NOT_SETTLED = "The game {name} is a practice game: practice games are not settled."


def settle_game(
    name: Name,
    currency: Symbol = None,
    point: Point = None,
    coin: Coin = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep", help="Keep this currency with the game: its score sheet shows money from now on."
        ),
    ] = False,
    language: InLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Settle up: what everybody has won, in points and in money, and who pays whom.

    The currency is the one that the game has, or the one that is given here. Amounts are rounded to the
    smallest coin and add up to 0; the transfers are as few as can be. A game that is not over is settled as
    it stands. The text can be copied as it is.
    """
    from companion.game import Game, shelf
    from companion.sheets.as_json import settlement_json
    from companion.sheets.hands import make_sheet
    from companion.sheets.wording import write_settlement
    from companion.table.events import CurrencyAgreed, decode_event
    from companion.table.settling import settle_up

    path = shelf.find(name)
    game = Game.read(path)
    if game.state.house.practice is not None:
        raise InputError(NOT_SETTLED, name=quote(name))
    chosen = choose_currency(game.state.currency, currency, point, coin)
    if chosen is None:
        raise InputError(NO_CURRENCY, name=quote(name))
    if keep and chosen != game.state.currency:
        with copied(Game.resume(path)) as game:
            game.append(CurrencyAgreed(currency=chosen))
    sheet = make_sheet([decode_event(entry.event) for entry in game.file.standing])
    settlement = settle_up(sheet.state, chosen)
    assert settlement is not None
    if as_json:
        shown = {"name": name, "rules": sheet.rules, "names": list(sheet.names), "over": sheet.state.over}
        print_json(shown | {"points": list(settlement.points)} | settlement_json(settlement))
    else:
        console().print(write_settlement(sheet, settlement, name, Words(language)))
