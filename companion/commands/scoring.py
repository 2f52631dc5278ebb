"""`companion score` and `companion waits`, and the flags that describe a win: they follow the table of
fields.

A pure question, answered without a picture library or a window.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from companion.commands import described
from companion.commands.described import form_of, parameter_of
from companion.commands.inputs import AsJson, BatchFile, RequestFile, answer_lines, read_input, refuse_input
from companion.commands.output import (
    UNITS,
    console,
    format_assumed,
    format_points,
    format_worth,
    print_indented,
    print_json,
    show_score,
    show_suggested_stakes,
)
from companion.errors import InputError
from companion.foreign import reading
from companion.rules import ScoreQuestion, answer_json, decode_question, score_line
from companion.rules.fields import ANSWER_FIELDS, FIELDS, Field, FieldGroup, default_of, explain
from companion.rules.kinds import ChoiceKind
from companion.rules.profile import Profile, apply_profile
from companion.rules.request import load_request
from companion.rules.worth_of_waits import GIVEN_BY_WIN, ScoredWaits, WaitResult, value_waits, waits_json
from companion.sentences import write_number

if TYPE_CHECKING:
    from rich.console import Console

SELF_DRAW = inspect.Parameter(
    "self_draw",
    inspect.Parameter.KEYWORD_ONLY,
    default=typer.Option(
        False,
        "--self-draw",
        help="The winner drew the winning tile: short for --source self_draw.",
        rich_help_panel=FieldGroup.WIN.value,
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
        rich_help_panel=FieldGroup.GAME.value,
    ),
    annotation=str | None,
)
BEFORE = {"options": PROFILE, "source": SELF_DRAW}
"""The flags that are not fields of a request, by the field that they stand before."""


def takes_win(
    without: Collection[str] = (), helps: Mapping[str, str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator: replaces the parameter `win` with the flags of a win.

    `without`: the fields that the command has no flags for. `helps`: other helps of flags, by field.
    """
    own_help = helps or {}
    shared = {
        each.name: each
        for name, field in FIELDS.items()
        if name not in without
        for each in _flags(field, own_help.get(name) or help_of(field))
    }

    def expand(command: Callable[..., None]) -> Callable[..., None]:
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
        expanded.command_class = WinCommand  # type: ignore[attr-defined]  # cli.py registers it with this class
        return expanded

    return expand


def help_of(field: Field) -> str:
    """The help of a field's flag: its meaning, its games, and its value if it is left out."""
    parts = [explain(field)]
    if isinstance(field.kind, ChoiceKind):
        parts[0] += f": {field.kind.describe()}"
    if form_of(field.kind).repeated:
        parts.append("may be repeated")
    if field.name == "flowers":
        parts.append("none for no flowers")
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


NoAlternatives = Annotated[
    bool,
    typer.Option(
        ANSWER_FIELDS["alternatives"].flag,
        help=(
            "Skip the comparison with other house options, which takes most of the time; a request can"
            " still ask for it."
        ),
        rich_help_panel=FieldGroup.ANSWER.value,
    ),
]
Schema = Annotated[
    bool, typer.Option("--schema", help="Print the JSON Schema of requests and answers, and nothing else.")
]
ONE_WAY = "Give a win in one way: its flags (--rules, --hand …), or --request FILE, or --batch FILE."


@takes_win()
def score(
    *,
    win: dict[str, Any],
    no_alternatives: NoAlternatives = False,
    request: RequestFile = None,
    batch: BatchFile = None,
    schema: Schema = False,
    as_json: AsJson = False,
) -> None:
    """Score a win: every row, and what each player pays.

    Describe one win with flags or --request, or many with --batch. --profile sets defaults that a request
    can override. Seats are 0 to 3, counterclockwise.
    """
    by_flags = any(
        value is not None and value is not False and value != []
        for flag, value in win.items()
        if flag != "profile"
    )
    by_profile_alone = win["profile"] is not None and request is None and batch is None
    if schema + (request is not None) + (batch is not None) + (by_flags or by_profile_alone) != 1:
        raise InputError(ONE_WAY)
    compares = not no_alternatives
    if schema:
        from companion.rules.result import make_schema

        print_indented(make_schema())
    elif batch is not None:
        profile = described.load_profile(win["profile"])
        answer_lines(batch, lambda line, number: score_line(line, number, profile, alternatives=compares))
    elif request is not None:
        profile = described.load_profile(win["profile"])
        text = read_input(request)
        with reading(refuse_input(request)):
            question = _decode(text, profile, compares)
            answer = answer_json(question)
        _show_answer(question, answer, as_json, win["profile"])
    else:
        from_flags = described.request_from_flags(win)
        with described.name_flags_in_errors(from_flags):
            question = decode_question(from_flags, alternatives=compares)
            answer = answer_json(question)
        _show_answer(question, answer, as_json, win["profile"])


def _decode(text: bytes, profile: Profile | None, alternatives: bool) -> ScoreQuestion:
    """The request in the text, with a profile below it."""
    given = load_request(text)
    return decode_question(
        given if profile is None else apply_profile(profile, given), alternatives=alternatives
    )


def _show_answer(question: ScoreQuestion, answer: dict[str, Any], as_json: bool, profile: str | None) -> None:
    if as_json:
        print_json(answer)
    else:
        show_score(answer, question.request)
        show_suggested_stakes(question.request, profile)


HELPS = {
    "hand": "The concealed tiles, without the one that is waited for.",
    "winner": "The seat whose hand it is, 0 to 3; 0 if left out.",
    "from": "The seat that discards the tile; the next player counterclockwise if left out.",
}


@takes_win(without=GIVEN_BY_WIN, helps=HELPS)
def waits(*, win: dict[str, Any], as_json: AsJson = False) -> None:
    """List what a hand waits for, how many of each are left, and what each would be worth.

    Describe a hand that lacks one tile with the flags of companion score. Each tile is scored twice: drawn by
    the winner, and discarded by one other player.
    """
    given = described.fields_from_flags(win)
    with described.name_flags_in_errors(given):
        found = value_waits(given)
    if as_json:
        print_json(waits_json(found))
    else:
        _show_waits(console(), found)


def _show_waits(out: Console, found: ScoredWaits) -> None:
    from rich.table import Table

    if not found.waits:
        out.print("The hand waits for no tile.", style="bold")
        return
    table = Table()
    table.add_column("tile", no_wrap=True)
    table.add_column("left", justify="right", no_wrap=True)
    ways = ("self-drawn", f"discarded by seat {found.discarder}")
    for way in ways:
        table.add_column(way, overflow="fold")
    for wait in found.waits:
        outcomes = [_format(outcome, found) for outcome in (wait.self_draw, wait.discard)]
        table.add_row(wait.tile.code, str(wait.left), *outcomes)
    out.print(
        f"{found.rules.title}: the hand of seat {found.winner}, with the payments by seat", style="bold"
    )
    out.print(table)
    if found.assumed:
        out.print(format_assumed(found.assumed), soft_wrap=False)


def _format(outcome: WaitResult, found: ScoredWaits) -> str:
    if not outcome.legal:
        return f"no win: {outcome.reason}"
    unit = found.rules.unit
    if outcome.value_in_unit is not None:
        worth = f"{write_number(outcome.value_in_unit)} {unit} = {write_number(outcome.value)} {UNITS}"
    else:
        worth = format_worth(outcome.value, unit)
        worth += "" if worth.startswith("×") else f" {unit}"
    return f"{worth}: {format_points(outcome.payments)}"
