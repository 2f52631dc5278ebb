"""`companion games begin|add|undo|redo`: a game that is kept event by event, as it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands import described
from companion.commands.games import Name, copied, offering_copy, show
from companion.commands.inputs import AsJson, open_lines, refuse_input
from companion.commands.output import console, print_json
from companion.errors import InputError, quote
from companion.foreign import guard
from companion.named_files import normalise

if TYPE_CHECKING:
    from companion.game import EnteredLine, Game
    from companion.money import Currency
    from companion.table.events import GameStarted

PLAYERS = 4
OTHER_PLAYERS = "--player is given four times, for seats 0, 1, 2 and 3 in turn, or not at all."
NO_SYMBOL = "--point and --coin need --currency SYMBOL."
SAME_NAME = "Two players are called {name}: give one of them another name in --player."
RULES_OR_PROFILE = "Which game is played is missing: give --rules NAME, or --profile NAME."

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
    typer.Option("--player", metavar="NAME", help="Who sits down: four times, from seat 0 to seat 3."),
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
        help="The smallest coin, to which amounts are rounded: 1, or a point where that is less.",
    ),
]
Steps = Annotated[int, typer.Argument(metavar="STEPS", min=1, help="How many events.")]


def begin_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called from now on.")],
    rules: Rules = None,
    profile: Profile = None,
    option: Options = None,
    player: People = None,
    stakes: Stakes = None,
    currency: Symbol = None,
    point: Point = None,
    coin: Coin = None,
    as_json: AsJson = False,
) -> None:
    """Begin a game, to which events are added. Its rules, house options and stakes are kept with it.

    A ready-made profile plays for the stakes and the currency that the window suggests for it. --stakes and
    --currency come before them; --currency '' is for points only.
    """
    from companion.game import Game, shelf

    start = make_start(rules, profile, option, player, stakes, currency, point, coin)
    with copied(Game.begin(shelf.path_of(name), start)):
        pass
    show(name, as_json)


def add_events(
    name: Name,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Lines of a log or a history; - for stdin.")
    ] = "-",
    as_json: AsJson = False,
) -> None:
    """Enter events, one a line, as they happen. Each is answered when it is on the disk.

    The first that cannot be ends it. With --json each answer is a document: the line, the entry's number, and
    whether it is new, which it is not where it came before under its key.
    """
    from companion.game import Game, enter_lines, shelf

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game, open_lines(file) as lines:
        for each in guard(enter_lines(game, lines), refuse_input(file)):
            if as_json:
                print_json({"line": each.number, "entry": each.entry.number, "new": each.new})
            else:
                console().print(f"{each.entry.number}  {_describe_entry(game, each)}")


def undo_events(name: Name, steps: Steps = 1, as_json: AsJson = False) -> None:
    """Take back the last events of a game: they stay in its file, and redo brings them back.

    Prints the number of this entry in the game's file, where undoing counts as an entry too, and the last
    event that stands. With --json also how many events stand, and how many redo can bring back.
    """
    from companion.game import Game, shelf

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game:
        game.undo(steps)
        _show_where(game, as_json)


def redo_events(name: Name, steps: Steps = 1, as_json: AsJson = False) -> None:
    """Bring back events that were undone, as long as no new one was entered.

    Prints the number of this entry in the game's file, and the last event that stands.
    """
    from companion.game import Game, shelf

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game:
        game.redo(steps)
        _show_where(game, as_json)


def choose_currency(
    usual: Currency | None, symbol: str | None, point: str | None, coin: str | None
) -> Currency | None:
    """The currency of these flags; what they leave out is as in `usual`. None where neither names one.

    InputError where it cannot be a currency.
    """
    from msgspec.structs import replace

    from companion.money import Currency, check_currency, with_point

    if usual is None and symbol is None:
        if point is not None or coin is not None:
            raise InputError(NO_SYMBOL)
        return None
    chosen = usual or Currency("", "1", "1")
    if symbol is not None:
        chosen = replace(chosen, symbol=symbol)
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
    """The event that begins a game with these flags. InputError where one is wrong or no rules are named.

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


def _describe_entry(game: Game, entry: EnteredLine) -> str:
    """What a line that was entered has led to."""
    from companion.commands.output import format_sure
    from companion.following.notices import CERTAIN_FROM

    if not entry.new:
        return "entered before"
    if entry.line.certainty < CERTAIN_FROM:
        return f"{_describe_where(game)} ({format_sure(entry.line.certainty)})"
    if entry.line.steps:
        done = "undone" if entry.line.steps < 0 else "redone"
        return f"{abs(entry.line.steps)} {done}; {_describe_where(game)}"
    return _describe_where(game)


def _show_where(game: Game, as_json: bool) -> None:
    last = game.file.entries[-1]
    if as_json:
        standing = len(game.file.standing)
        print_json({"entry": last.number, "events": standing, "undone": len(game.file.undone)})
    else:
        console().print(f"{last.number}  the game stands after: {_describe_where(game)}")


def _describe_where(game: Game) -> str:
    """The last event that stands, how many tiles are left, and where the next one is."""
    from companion.commands.output import describe_event, describe_wall
    from companion.table.events import decode_event

    left, at = describe_wall(game.state)
    wall = f"; {left} left" + (f", next at {at}" if at else "") if left else ""
    return describe_event(decode_event(game.file.standing[-1].event), game.state) + wall
