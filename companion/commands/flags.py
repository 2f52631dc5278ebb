"""The flags that describe a win, shared by `score` and `score-photo`: one for every field of a request.

They are made from the table of fields; what becomes of them is in described.py.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any

import typer
from typer.core import TyperCommand

from companion.commands.described import form_of, parameter_of
from companion.rules.fields import FIELDS, default_of, explain
from companion.rules.kinds import Choice
from companion.rules.request_field import Field, Part

SELF_DRAW = inspect.Parameter(
    "self_draw",
    inspect.Parameter.KEYWORD_ONLY,
    default=typer.Option(
        False,
        "--self-draw",
        help="The winner drew the winning tile: short for --source self_draw.",
        rich_help_panel=Part.WIN.value,
    ),
    annotation=bool,
)
PROFILE = inspect.Parameter(
    "profile",
    inspect.Parameter.KEYWORD_ONLY,
    default=typer.Option(
        None,
        "--profile",
        metavar="NAME",
        help="Saved house options, or a file of them: see companion rules --help. It names the rule set too.",
        rich_help_panel=Part.GAME.value,
    ),
    annotation=str | None,
)
BEFORE = {"options": PROFILE, "source": SELF_DRAW}
"""The flags that are not fields of a request, by the field that they stand before."""


def takes_win(
    without: Collection[str] = (), helps: Mapping[str, str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the flags of a win in place of its parameter `win`, in which it gets their values.

    `without`: the fields that the command has no flags for. `helps`: other helps of flags, by field.
    """
    own_help = helps or {}
    shared = {
        each.name: each
        for name, field in FIELDS.items()
        if name not in without
        for each in _flags(field, own_help.get(name) or help_of(field))
    }

    def give(command: Callable[..., None]) -> Callable[..., None]:
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

    return give


def help_of(field: Field) -> str:
    """The help of a field's flag: what it says, in which games, and what holds where it is left out."""
    parts = [explain(field)]
    if isinstance(field.kind, Choice):
        parts[0] += f": {field.kind.describe()}"
    if form_of(field.kind).repeated:
        parts.append("may be repeated")
    if default_of(field) not in (None, "", [], {}):
        parts.append(f"{default_of(field)} if left out")
    return "; ".join(parts) + "."


def _flags(field: Field, help: str) -> list[inspect.Parameter]:
    form = form_of(field.kind)
    option = typer.Option(
        None,
        *field.flags,
        metavar=field.metavar or form.metavar,
        help=help,
        rich_help_panel=field.part.value,
    )
    flag = inspect.Parameter(
        parameter_of(field), inspect.Parameter.KEYWORD_ONLY, default=option, annotation=form.annotation
    )
    return [BEFORE[field.name], flag] if field.name in BEFORE else [flag]


class WinCommand(TyperCommand):
    """A command whose help lists the flags under the headings that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the parameters, heading by heading, in the order in which the headings first come up."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if record is not None:
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)
