"""The flags that describe a win, shared by `score` and `score-photo`: one for every field of a request.

What becomes of them is in described.py.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from companion.rules import RULE_SETS

STREAKS = {
    "hefei": "hands this dealer has dealt in a row, this one included, from 1",
    "taiwanese": "wins and draws in a row before this hand, from 0",
    "hangzhou": "the dealer's Lao, from 1",
}
"""What `streak` counts, by game: each counts something else."""
RULES_HELP = "Rule set: companion rules lists them. A --profile names it too."


def games(field: str) -> str:
    """The games that a field means something in, for its help; nothing where all do."""
    titles = [rules.title for rules in RULE_SETS.values() if field in rules.uses]
    return f" ({', '.join(titles)})" if 0 < len(titles) < len(RULE_SETS) else ""


def streak_help() -> str:
    """What `streak` means in each game that has it."""
    told = [f"{RULE_SETS[name].title}: {meaning}" for name, meaning in STREAKS.items() if name in RULE_SETS]
    return "; ".join(told) + "."


def _win(
    meld: Annotated[
        list[str] | None,
        typer.Option("--meld", metavar="p222m", help="A meld (c p k a K in front); may be repeated."),
    ] = None,
    winning_tile: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="The tile that completed the hand."),
    ] = None,
    winner: Annotated[int | None, typer.Option(metavar="SEAT", help="The winner, 0 to 3.")] = None,
    dealer: Annotated[int | None, typer.Option(metavar="SEAT", help="The dealer (0).")] = None,
    self_draw: Annotated[
        bool,
        typer.Option("--self-draw", help="The winner drew the tile: short for --source self_draw."),
    ] = False,
    from_: Annotated[
        int | None,
        typer.Option("--from", metavar="SEAT", help="Who discarded it, or whose kong was robbed."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help="self_draw, discard (with --from) or robbed_kong (with --from)."),
    ] = None,
    streak: Annotated[int | None, typer.Option(metavar="N", help=streak_help())] = None,
    situation: Annotated[
        list[str] | None,
        typer.Option("--situation", metavar="NAME", help="As sea_floor; may be repeated."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Saved house options, or a file of them: see companion rules --help."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="A house option, instead of the profile's; may be repeated.",
        ),
    ] = None,
    round_wind: Annotated[
        str | None,
        typer.Option(metavar="WIND", help="east, south, west or north (east)."),
    ] = None,
    flowers: Annotated[
        str | None,
        typer.Option(metavar="TILES", help="Flowers that the winner has set out" + games("flowers") + "."),
    ] = None,
    discards: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Discards made so far, claimed ones and the winning one included" + games("discards") + ".",
        ),
    ] = None,
    fortune: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="The kind that is wild" + games("fortune") + "."),
    ] = None,
    gambits: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Gambits before the win, as the table counts them" + games("gambits") + "."
        ),
    ] = None,
    consecutive_kongs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Kongs directly before the win" + games("consecutive_kongs") + "."),
    ] = None,
    three_melds: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A:B",
            help="Seat A melded three times from seat B, as the table counts it; may be repeated"
            + games("three_melds")
            + ".",
        ),
    ] = None,
    kongs_declared: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND:SEAT[:FROM]",
            help="A kong paid with the result, whose kind is k on the discard of FROM, a added to a pung,"
            " K concealed; may be repeated" + games("kongs_declared") + ".",
        ),
    ] = None,
    base: Annotated[
        int | None,
        typer.Option(metavar="N", help="Every payment is multiplied by this (1)."),
    ] = None,
    cap: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The most that a share may be, before one player pays for all or liability doubles.",
        ),
    ] = None,
    balances: Annotated[
        str | None,
        typer.Option(metavar="A,B,C,D", help="What each seat has to pay with."),
    ] = None,
) -> None:
    """Only its parameters matter: `takes_win` gives them to a command."""


def takes_win(command: Callable[..., None]) -> Callable[..., None]:
    """The command with those flags in place of its parameter `win`, in which it gets their values by name."""
    shared = inspect.signature(_win, eval_str=True).parameters
    own = inspect.signature(command, eval_str=True)

    @functools.wraps(command)
    def expanded(**given: Any) -> None:
        command(win={name: given.pop(name) for name in shared}, **given)

    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name in own.parameters
        for parameter in (shared.values() if name == "win" else (own.parameters[name],))
    ]
    expanded.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return expanded
