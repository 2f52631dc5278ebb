"""`companion score`: a pure question, answered without a picture library or a window."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.commands import described, flags
from companion.commands.output import print_json, show_score
from companion.errors import InputError, RequestError
from companion.files import open_file
from companion.rules import decode_request, score_json, score_line
from companion.rules import score as score_win
from companion.rules.profile import Profile

STDIN = "-"
INPUT_MAX_BYTES = 256 * 2**20
"""Of a file; standard input may go on for ever."""
NOT_UTF8 = "The line is not UTF-8 text: its byte {byte} cannot be read."
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def open_input(name: str) -> IO[bytes]:
    """The file of that name, or standard input. InputError where it cannot be read."""
    if name == STDIN:
        return sys.stdin.buffer
    path = Path(name)
    try:
        return path.open("rb") if _is_shell_pipe(path) else open_file(path, INPUT_MAX_BYTES)
    except OSError as error:
        raise InputError(
            "The file '{name}' cannot be read ({why}): check its name, or give - for standard input.",
            name=name, why=error.strerror or type(error).__name__,
        ) from error  # fmt: skip


def _is_shell_pipe(path: Path) -> bool:
    """Whether it is a pipe without a name, as a shell makes for <(command): it has its writer already."""
    return path.is_fifo() and not os.path.exists(os.path.realpath(path))


@flags.takes_win()
def score(
    *,
    win: dict[str, Any],
    request: Annotated[
        str | None,
        typer.Option("--request", metavar="FILE", help="One request as JSON; - for standard input."),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch",
            metavar="FILE",
            help="One request a line; one result a line is printed, in order. Blank lines are skipped.",
        ),
    ] = None,
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
    if (request is not None) + (batch is not None) + (by_flags or by_profile_alone) != 1:
        raise InputError(
            "Give a win in one way: its flags (--rules, --hand …), or --request FILE, or --batch FILE."
        )
    if batch is not None:
        _score_batch(batch, described.load_profile(win["profile"]))
    elif request is not None:
        profile = described.load_profile(win["profile"])
        with open_input(request) as file:
            answer(described.request_from_file(file.read(), profile), as_json)
    else:
        from_flags = described.request_from_flags(win)
        with described.name_flags_in_errors(from_flags):
            answer(from_flags, as_json)


def answer(request: bytes | Mapping[str, Any], as_json: bool) -> None:
    """Score one request and print the result."""
    decoded = decode_request(request)
    result = score_json(score_win(decoded))
    if as_json:
        print_json(result)
    else:
        show_score(result, decoded)


def _score_batch(name: str, profile: Profile | None) -> None:
    with open_input(name) as file:
        for line in file:
            if line.strip():
                print_json(_answer_to(line, profile))


def _answer_to(line: bytes, profile: Profile | None) -> dict[str, Any]:
    try:
        line.decode("utf-8")
        request = described.request_from_file(line, profile)
    except UnicodeDecodeError as problem:
        return {"error": NOT_UTF8.format(byte=problem.start + 1), "field": "request"}
    except RequestError as error:
        return {"error": str(error), "field": error.field}
    return score_line(request if isinstance(request, bytes) else json.dumps(request))
