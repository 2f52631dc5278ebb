"""What several commands take: files or standard input, requests alone or many, and JSON as the answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.commands.output import print_json, tell
from companion.errors import CompanionError, InputError
from companion.files import open_file
from companion.words import Language, Words

STDIN = "-"
INPUT_MAX_BYTES = 256 * 2**20
"""Of a file; standard input may go on for ever."""
NOT_UTF8 = "The line is not UTF-8 text: its byte {byte} cannot be read."
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
InLanguage = Annotated[Language, typer.Option("--language", help="What is said is in that language.")]
RequestFile = Annotated[
    str | None,
    typer.Option("--request", metavar="FILE", help="One request as JSON; - for standard input."),
]
BatchFile = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help="One request a line; one answer a line is printed, in order. Blank lines are skipped.",
    ),
]


@contextmanager
def refuse_in(words: Words) -> Iterator[None]:
    """Say what goes wrong inside in that language, and end with its exit status; English is raised."""
    try:
        yield
    except CompanionError as error:
        if words.language is Language.ENGLISH:
            raise
        tell(words.say(error.sentence))
        raise typer.Exit(error.exit_status) from None


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


def answer_lines(name: str, answer: Callable[[bytes], dict[str, Any]]) -> None:
    """Print one JSON answer for each line of a --batch FILE; an InputError becomes the answer to its line."""
    with open_input(name) as file:
        for line in file:
            if line.strip():
                print_json(_answer_line(line, answer))


def _answer_line(line: bytes, answer: Callable[[bytes], dict[str, Any]]) -> dict[str, Any]:
    try:
        line.decode("utf-8")
        return answer(line)
    except UnicodeDecodeError as problem:
        return {"error": NOT_UTF8.format(byte=problem.start + 1), "field": "request"}
    except InputError as error:
        return {"error": str(error), "field": getattr(error, "field", "request")}


def _is_shell_pipe(path: Path) -> bool:
    """Whether it is a pipe without a name, as a shell makes for <(command): it has its writer already."""
    return path.is_fifo() and not os.path.exists(os.path.realpath(path))
