"""What several commands take: files or standard input, requests alone or many, and JSON as the answer."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from companion.commands.output import print_json, print_message
from companion.errors import CompanionError, InputError
from companion.files import open_file
from companion.foreign import LINE_MAX_BYTES, Undecodable, guard, read_lines, reading, split_lines
from companion.words import Language, Words

STDIN = "-"
INPUT_MAX_BYTES = 256 * 2**20
"""Maximum size of a file; standard input may be endless."""
LOG_MAX_BYTES = 8 * 2**20
"""Maximum size of a game that is read as a whole: a long evening has half a MB."""
REQUEST_MAX_BYTES = 4 * 2**20
UNUSABLE = "The file '{name}' cannot be read ({why}): check its name, or give - for standard input."
UNUSABLE_STDIN = "Standard input cannot be read ({why})."
CLOSED = "it is closed"
LONG_LINE = "The line has more than {limit} MB."
UNUSABLE_LINE = "The line cannot be answered: {why}."
FAILED_LINE = "{failed} of {answered} requests failed, in line {lines}: its answer says why."
FAILED_LINES = "{failed} of {answered} requests failed, in lines {lines}: their answers say why."
NAMED_LINES_MAX = 10
OBJECTS_BETWEEN_COLLECTIONS = 50_000
NOT_UTF8 = "The line is not UTF-8 text: its byte {byte} cannot be read."
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
InLanguage = Annotated[Language, typer.Option("--language", help="Print sentences in that language.")]
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
        print_message(words.say(error.sentence))
        raise typer.Exit(error.exit_status) from None


@contextmanager
def open_lines(name: str, most_bytes: int = sys.maxsize) -> Iterator[Iterator[bytes]]:
    """The lines of the file of that name, or of standard input, each with its end.

    InputError if it cannot be read, or goes beyond the limits of `read_lines`.
    """
    with _open(name) as file:
        yield guard(read_lines(file, most_bytes), refuse_input(name))


def read_input(name: str) -> bytes:
    """What the file of that name holds, or standard input. InputError if it cannot be read."""
    with _open(name) as file, reading(refuse_input(name)):
        return b"".join(read_lines(file, REQUEST_MAX_BYTES))


def refuse_input(name: str) -> Callable[[object], InputError]:
    """The error about that file, or about standard input, of a clause that says why it cannot be used."""

    def refuse(why: object) -> InputError:
        return InputError(UNUSABLE_STDIN if name == STDIN else UNUSABLE, name=name, why=why)

    return refuse


Answer = Callable[[bytes, int], dict[str, Any]]
"""Makes the answer to a line; it gets the line's number, too."""


def answer_lines(name: str, answer: Answer) -> None:
    """Print one JSON answer for each line of a --batch FILE, with the `line` number, from 1 and counting
    blank lines; an InputError becomes the answer to its line.

    Once all are printed, InputError if a line could not be answered.
    """
    answered = failed = 0
    first_failed: list[str] = []
    with _open(name) as file, _collect_garbage_rarely():
        for number, line in enumerate(guard(split_lines(file), refuse_input(name)), start=1):
            if line is None or not line.isspace():
                found = {"line": number} | _answer_line(line, number, answer)
                answered += 1
                if "error" in found:
                    failed += 1
                    first_failed += [str(number)] if failed <= NAMED_LINES_MAX else []
                print_json(found)
    if failed:
        lines = ", ".join(first_failed) + (" …" if failed > NAMED_LINES_MAX else "")
        template = FAILED_LINE if failed == 1 else FAILED_LINES
        raise InputError(template, failed=failed, lines=lines, answered=answered)


@contextmanager
def _collect_garbage_rarely() -> Iterator[None]:
    """Run the garbage collector more rarely: answers have no cycles, and it takes a sixth of a batch."""
    usual = gc.get_threshold()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _answer_line(line: bytes | None, number: int, answer: Answer) -> dict[str, Any]:
    try:
        if line is None:
            raise InputError(LONG_LINE, limit=LINE_MAX_BYTES // 2**20)
        line.decode("utf-8")
        with reading(lambda why: InputError(UNUSABLE_LINE, why=why)):
            return answer(line.rstrip(), number)
    except UnicodeDecodeError as problem:
        return {"error": NOT_UTF8.format(byte=problem.start + 1), "field": "request"}
    except InputError as error:
        return {"error": str(error), "field": getattr(error, "field", "request")}


@contextmanager
def _open(name: str) -> Iterator[IO[bytes]]:
    path = Path(name)
    with reading(refuse_input(name)):
        if name == STDIN and sys.stdin is None:
            raise Undecodable(CLOSED)
        if name == STDIN:
            opened: AbstractContextManager[IO[bytes]] = nullcontext(sys.stdin.buffer)
        else:
            opened = path.open("rb") if _is_shell_pipe(path) else open_file(path, INPUT_MAX_BYTES)
    with opened as file:
        yield file


def _is_shell_pipe(path: Path) -> bool:
    """Whether it is a pipe without a name, as a shell makes for <(command): it has its writer already."""
    return path.is_fifo() and not os.path.exists(os.path.realpath(path))
