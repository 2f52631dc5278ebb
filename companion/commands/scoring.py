"""`companion score` and `companion rules`: pure questions, answered without a picture library or a window."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.commands import flags
from companion.commands.output import console, print_json, show_score
from companion.errors import InputError

STDIN = "-"
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def _opened(name: str) -> IO[bytes]:
    if name == STDIN:
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(
            "The file '{name}' cannot be read ({why}): check its name, or give - for standard input.",
            name=name, why=error.strerror or type(error).__name__,
        ) from error  # fmt: skip


@flags.takes_win
def score(
    *,
    rules: Annotated[str | None, typer.Option(metavar="NAME", help=flags.RULES_HELP)] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="TILES", help="Concealed tiles, the winning one included.", rich_help_panel=flags.PANEL
        ),
    ] = None,
    win: dict[str, Any],
    request: Annotated[
        str | None,
        typer.Option("--request", metavar="FILE", help="One request as JSON; - for standard input."),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", metavar="FILE", help="One request a line; one result a line is printed, in order."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score a win: every row, and what each player pays."""
    described = {"rules": rules, "hand": hand, **win}
    given = any(value is not None and value is not False for value in described.values())
    if (request is not None) + (batch is not None) + given != 1:
        raise InputError(
            "Give a win in one way: its flags (--rules, --hand …), or --request FILE, or --batch FILE."
        )
    if batch is not None:
        _score_batch(batch)
    elif request is not None:
        with _opened(request) as file:
            answer(file.read(), as_json)
    else:
        answer(flags.request_from_flags(described), as_json)


def answer(request: bytes | dict[str, Any], as_json: bool) -> None:
    """Score one request and print the result."""
    from companion.rules import decode_request, score, score_json

    decoded = decode_request(request)
    result = score_json(score(decoded))
    if as_json:
        print_json(result)
    else:
        show_score(result, winner=decoded.winner, dealer=decoded.dealer)


def _score_batch(name: str) -> None:
    from companion.rules import score_line

    with _opened(name) as file:
        for line in file:
            print_json(score_line(line))


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="One rule set; all without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the rule sets, their rows, and their house options."""
    from companion.rules import RULE_SETS, describe, rule_set

    described = [describe(each) for each in ([rule_set(name)] if name else RULE_SETS.values())]
    if as_json:
        print_json(described[0] if name else described)
        return
    for each in described:
        _show_rules(each)


def _show_rules(described: dict[str, Any]) -> None:
    from rich.table import Table

    out = console()
    out.print(
        f"{described['name']}: {described['title']} {described['title_zh']}, {described['tiles']} tiles, "
        f"counted in {described['unit']}",
        style="bold",
    )
    rows = Table(title="Rows", title_justify="left")
    for heading in ("row", "行"):
        rows.add_column(heading, no_wrap=True)
    rows.add_column("meaning")
    rows.add_column(described["unit"], justify="right")
    rows.add_column("ruling", no_wrap=True)
    for row in described["rows"]:
        rows.add_row(row["name"], row["name_zh"], row["meaning"], str(row["value"]), row["ruling"])
    out.print(rows)
    options = Table(title="House options (--option KEY=VALUE)", title_justify="left")
    options.add_column("option", no_wrap=True)
    for heading in ("settings", "default", "meaning"):
        options.add_column(heading)
    options.add_column("ruling", no_wrap=True)
    for option in described["options"]:
        values = option["values"]
        allowed = (
            f"{values['least']} to {values['most']}"
            if isinstance(values, dict)
            else ", ".join(json.dumps(value) for value in values)
        )
        default = json.dumps(option["default"])
        options.add_row(option["key"], allowed, default, option["meaning"], option["ruling"])
    out.print(options)
    situations = ", ".join(f"{each['id']} ({each['name_zh']})" for each in described["situations"])
    out.print(f"Situations (--situation NAME): {situations}\n")
