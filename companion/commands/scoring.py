"""`companion score`: a pure question, answered without a picture library or a window."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.commands import described, flags
from companion.commands.inputs import AsJson, BatchFile, RequestFile, answer_lines, read_input, refuse_input
from companion.commands.output import print_indented, print_json, show_score
from companion.errors import InputError
from companion.foreign import reading
from companion.rules import Question, answer_json, decode_question, score_line
from companion.rules.fields import ANSWER_FIELDS
from companion.rules.profile import Profile, apply_profile
from companion.rules.request import load_request
from companion.rules.request_field import Part

NoAlternatives = Annotated[
    bool,
    typer.Option(
        ANSWER_FIELDS["alternatives"].flag,
        help="Leave out what the hand would be worth under other house options, which takes most of the time;"
        " a request that says so itself still gets it.",
        rich_help_panel=Part.ANSWER.value,
    ),
]
Schema = Annotated[
    bool, typer.Option("--schema", help="Print the JSON Schema of requests and answers, and nothing else.")
]
ONE_WAY = "Give a win in one way: its flags (--rules, --hand …), or --request FILE, or --batch FILE."


@flags.takes_win()
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

    A win is given by flags, or by --request, or many by --batch. A --profile goes with each of them: what a
    request says itself comes before it. Seats are 0 to 3, counterclockwise.
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
        from companion.rules.schema import make_schema

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
        _show(question, answer, as_json)
    else:
        from_flags = described.request_from_flags(win)
        with described.name_flags_in_errors(from_flags):
            question = decode_question(from_flags, alternatives=compares)
            answer = answer_json(question)
        _show(question, answer, as_json)


def _decode(text: bytes, profile: Profile | None, alternatives: bool) -> Question:
    """The request in the text, with a profile below it."""
    given = load_request(text)
    return decode_question(
        given if profile is None else apply_profile(profile, given), alternatives=alternatives
    )


def _show(question: Question, answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
    else:
        show_score(answer, question.request)
