"""The flags that describe a win, shared by `score` and `score-photo`: one for every field of a request."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from companion.errors import InputError, quoted

PANEL = "The win"

RULES_HELP = "Rule set: companion rules lists them."


def _win(
    meld: Annotated[
        list[str] | None,
        typer.Option(
            "--meld",
            metavar="p222m",
            help="A meld (c p k a K in front); may be repeated.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    winning_tile: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="The tile that completed the hand.", rich_help_panel=PANEL),
    ] = None,
    winner: Annotated[
        int | None, typer.Option(metavar="SEAT", help="The winner, 0 to 3.", rich_help_panel=PANEL)
    ] = None,
    dealer: Annotated[
        int | None, typer.Option(metavar="SEAT", help="The dealer (0).", rich_help_panel=PANEL)
    ] = None,
    self_draw: Annotated[
        bool,
        typer.Option(
            "--self-draw",
            help="The winner drew the tile: short for --source self_draw.",
            rich_help_panel=PANEL,
        ),
    ] = False,
    from_: Annotated[
        int | None,
        typer.Option(
            "--from",
            metavar="SEAT",
            help="Who discarded it, or whose kong was robbed.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="self_draw, discard (with --from) or robbed_kong (with --from).",
            rich_help_panel=PANEL,
        ),
    ] = None,
    streak: Annotated[
        int | None, typer.Option(metavar="N", help="Hands in a row of this dealer.", rich_help_panel=PANEL)
    ] = None,
    situation: Annotated[
        list[str] | None,
        typer.Option(
            "--situation", metavar="NAME", help="As sea_floor; may be repeated.", rich_help_panel=PANEL
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="KEY=VALUE", help="A house option; may be repeated.", rich_help_panel=PANEL
        ),
    ] = None,
    round_wind: Annotated[
        str | None,
        typer.Option(metavar="WIND", help="east, south, west or north (east).", rich_help_panel=PANEL),
    ] = None,
    flowers: Annotated[
        str | None,
        typer.Option(metavar="TILES", help="Flowers that the winner has set out.", rich_help_panel=PANEL),
    ] = None,
    discards: Annotated[
        int | None, typer.Option(metavar="N", help="Discards made so far (Taiwanese).", rich_help_panel=PANEL)
    ] = None,
    fortune: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="The kind that is wild (Hangzhou).", rich_help_panel=PANEL),
    ] = None,
    gambits: Annotated[
        int | None,
        typer.Option(metavar="N", help="Gambits before the win (Hangzhou).", rich_help_panel=PANEL),
    ] = None,
    consecutive_kongs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Kongs directly before the win (Hangzhou).", rich_help_panel=PANEL),
    ] = None,
    three_melds: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A:B", help="Seat A melded three times from seat B (Hangzhou).", rich_help_panel=PANEL
        ),
    ] = None,
    kongs_declared: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND:SEAT[:FROM]", help="A kong paid with the result (Hebei).", rich_help_panel=PANEL
        ),
    ] = None,
    base: Annotated[
        int | None,
        typer.Option(metavar="N", help="Every payment is multiplied by this (1).", rich_help_panel=PANEL),
    ] = None,
    cap: Annotated[
        int | None, typer.Option(metavar="N", help="The most that one player pays.", rich_help_panel=PANEL)
    ] = None,
    balances: Annotated[
        str | None,
        typer.Option(metavar="A,B,C,D", help="What each seat has to pay with.", rich_help_panel=PANEL),
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


REQUEST_FIELDS = {"from_": "from", "meld": "melds", "option": "options"}
"""Flags whose field has another name."""


def request_from_flags(flags: dict[str, Any]) -> dict[str, Any]:
    """The request that the flags describe, with the fields that were given. InputError names the wrong flag.

    `flags` are the values of the flags above by parameter name, None where one was not given.
    """
    given = {key: value for key, value in flags.items() if value is not None and value != []}
    request = {REQUEST_FIELDS.get(key, key): value for key, value in given.items()}
    if request.pop("self_draw"):
        if "from" in request or request.get("source", "self_draw") != "self_draw":
            raise InputError(
                "--self-draw goes with neither --from nor another --source: the winner drew the tile."
            )
        request["source"] = "self_draw"
    if "source" not in request:
        if "from" not in request:
            raise InputError(
                "How the hand was won is missing: give --self-draw, or --from SEAT of the discarder."
            )
        request["source"] = "discard"
    if "options" in request:
        request["options"] = dict(_option(text) for text in request["options"])
    if "melds" in request:
        request["melds"] = [meld for text in request["melds"] for meld in text.split()]
    if "balances" in request:
        request["balances"] = _numbers("--balances", request["balances"], ",", "A,B,C,D")
    if "three_melds" in request:
        request["three_melds"] = [
            _numbers("--three-melds", text, ":", "A:B") for text in request["three_melds"]
        ]
    if "kongs_declared" in request:
        request["kongs_declared"] = [_kong(text) for text in request["kongs_declared"]]
    return request


def _option(text: str) -> tuple[str, bool | int | str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError("--option {given} has no value: write it as KEY=VALUE.", given=quoted(text))
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, int(value)
    except ValueError:
        return key, value


def _numbers(flag: str, text: str, separator: str, form: str) -> list[int]:
    try:
        return [int(part) for part in text.split(separator)]
    except ValueError:
        raise InputError(
            "{flag} must be whole numbers as {form}, not {given}.",
            flag=flag, form=form, given=quoted(text),
        ) from None  # fmt: skip


def _kong(text: str) -> dict[str, Any]:
    if text.count(":") not in (1, 2):
        raise InputError("--kongs-declared {given} must be KIND:SEAT or KIND:SEAT:FROM.", given=quoted(text))
    kind, _, seats = text.partition(":")
    seat, *origin = _numbers("--kongs-declared", seats, ":", "KIND:SEAT or KIND:SEAT:FROM")
    return {"kind": kind, "seat": seat, "from": origin[0] if origin else None}
