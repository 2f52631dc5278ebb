"""The `companion` command: names the commands and runs one; every error is one sentence, never a traceback.

The details of faults go to the log file (`write_details`). Exit status 0: answered; 2: the input or an option
is wrong; 3: something needed is missing or broken; 128 and a signal's number: ended by that signal.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer

from companion import __version__, config, stopping
from companion.commands.output import discard, open_closed_streams, print_line, print_message, use_utf8
from companion.errors import CompanionError, quote
from companion.files import NO_ROOM, check_writable, name_reason, open_owner_only
from companion.foreign_text import escape, redact, show


class LogFile(logging.Handler):
    """Appends warnings and errors to the log file, which is made with the first of them."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            error = record.exc_info[1] if record.exc_info else None
            write_details(record.getMessage(), error)
        except Exception:  # a full disk must not end the thread that logs
            pass


def write_details(what: str, error: BaseException | None = None) -> None:
    """Append what happened, with the traceback of the error. Raises OSError."""
    file = config.log_file()
    check_writable(file)
    with open(file, "a", encoding="utf-8", errors="backslashreplace", opener=open_owner_only) as log:
        log.write(f"--- {datetime.now(UTC).isoformat(timespec='seconds')} companion {__version__}")
        log.write(f" {show(what)}\n" if what else "\n")
        if error is not None:
            log.write(escape(redact("".join(traceback.format_exception(error))), keep="\n"))


_handler = LogFile(logging.WARNING)


def log_to_file() -> None:
    """From now on what the program's parts log goes to the log file; a second call changes nothing."""
    for name in ("companion", "firmware_bridge", "py.warnings"):
        logging.getLogger(name).addHandler(_handler)


WRONG_INPUT, BROKEN, INTERRUPTED = 2, 3, 130
ALLOWED = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
}
"""Allowed values of an option, by the type of typer's error."""

COMMANDS: Mapping[str, str] = {
    "read": "companion.commands.pictures:read",
    "score": "companion.commands.scoring:score",
    "waits": "companion.commands.scoring:waits",
    "advise": "companion.commands.coach:advise",
    "review": "companion.commands.coach:review",
    "rules": "companion.commands.rule_sets:rules",
    "score-photo": "companion.commands.pictures:score_photo",
    "learn-set": "companion.commands.tile_sets:learn_set",
    "markers": "companion.commands.markers:markers",
    "app": "companion.window:show_app",
    "demo": "companion.commands.demo:demo",
    "simulate": "companion.commands.table:simulate",
    "replay": "companion.commands.table:replay",
    "track": "companion.commands.track:track",
    "serve": "companion.commands.serve:serve",
    "publish": "companion.commands.publish:publish",
    "club": "companion.commands.club:club",
    "doctor": "companion.doctor:doctor",
    "licences": "companion.commands.licences:licences",
    "bench": "companion.commands.laboratory:bench",
}
"""The function of each command. Its module is imported when it is needed, so that commands start quickly."""
GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "devices": (
        "Dice cups and automatic tables on serial ports.",
        {
            "list": "companion.commands.devices:list_devices",
            "watch": "companion.commands.devices:watch",
            "record": "companion.commands.devices:record",
            "replay": "companion.commands.devices:replay",
            "emulate": "companion.commands.emulate:emulate",
        },
    ),
    "games": (
        "Kept games: start, extend, export, import, settle and rescue them.",
        {
            "list": "companion.commands.games:list_games",
            "show": "companion.commands.games:show_events",
            "begin": "companion.commands.games:begin_game",
            "add": "companion.commands.games:add_events",
            "undo": "companion.commands.games:undo_events",
            "redo": "companion.commands.games:redo_events",
            "export": "companion.commands.games:export_game",
            "settle": "companion.commands.games:settle_game",
            "figures": "companion.commands.games:show_figures",
            "import": "companion.commands.games:import_game",
            "rescue": "companion.commands.games:rescue_game",
            "copies": "companion.commands.games:list_copies",
            "restore": "companion.commands.games:restore_game",
        },
    ),
}
"""Commands of two words: the help of the first, and the functions by the second."""
SETTINGS: Mapping[str, dict[str, Any]] = {
    "bench": {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
}
"""The context settings of commands whose flags the laboratory defines."""


def make_app(first: str | None = None) -> typer.Typer:
    """The command line: with the command or group `first` alone, if there is one, otherwise with all."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(invoke_without_command=True)(companion)
    is_known = first in COMMANDS or first in GROUPS
    for name, place in COMMANDS.items():
        if not is_known or name == first:
            _add_command(app, name, place)
    for name, (about, commands) in GROUPS.items():
        if not is_known or name == first:
            group = typer.Typer(rich_markup_mode=None, help=about)
            for each, place in commands.items():
                _add_command(group, each, place)
            app.add_typer(group, name=name)
    return app


def _add_command(app: typer.Typer, name: str, place: str) -> None:
    module, _, function = place.partition(":")
    command = getattr(import_module(module), function)
    app.command(name, cls=getattr(command, "command_class", None), context_settings=SETTINGS.get(name))(
        command
    )


def companion(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Read mahjong tiles from a picture and score the hand, every line explained."""
    if version:
        print_line(f"companion {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())  # noqa: T201  # the program's own text, of many lines


def main() -> NoReturn:
    """The entry point. What libraries warn of goes to the log file, too."""
    logging.captureWarnings(True)
    threading.excepthook = _report_thread
    open_closed_streams()
    stopping.heed_signals()
    status = BROKEN

    def leave() -> None:
        """Python would end threads that are still in a library where they are, which aborts the process.
        After an interrupt in an `exec`, as dataclasses use, it would end by SIGINT, whatever the status. And
        it would take memory apart piece by piece, half a second after a long batch.
        """
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(status)

    atexit.register(leave)  # the first to be registered is the last to be called
    status = run(sys.argv[1:])
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; what went wrong is one line on stderr."""
    restore = stopping.heed_signals()
    try:
        with stopping.interruptible():
            return _run(arguments)
    except KeyboardInterrupt:  # it came while an error was described
        return stopping.exit_status()
    finally:
        restore()


def _run(arguments: Sequence[str]) -> int:
    use_utf8()
    log_to_file()
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # its warnings are not for the person at the terminal
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET: what goes wrong is one sentence
    try:
        app = make_app(arguments[0] if arguments else None)
        status = app(args=list(arguments), prog_name="companion", standalone_mode=False)
        sys.stdout.flush()
    except CompanionError as error:
        print_message(str(error))
        return error.exit_status
    except typer.TyperException as error:
        print_message(_describe_refused_value(error) or f"{error.format_message()} ({_name_help(error)})")
        return WRONG_INPUT
    except (KeyboardInterrupt, typer.Abort):
        return stopping.exit_status()
    except SystemExit:
        return 0  # typer's answer to a closed pipe: the reader has seen enough
    except BrokenPipeError:
        discard(sys.stdout)  # the same, at the last line
        return 0
    except OSError as error:
        return _refuse_output(error) if error.filename is None else _last_resort(error)
    except MemoryError as error:
        return _last_resort(error, "There is not enough memory for this")
    except Exception as error:
        if stopping.came() is not None:  # libraries make an ImportError of an interrupt
            return stopping.exit_status()
        return _last_resort(error)
    if status == INTERRUPTED:  # typer's answer to KeyboardInterrupt, which each signal raises
        return stopping.exit_status()
    return status if isinstance(status, int) else 0


def _refuse_output(error: OSError) -> int:
    """Report that stdout takes no more: an error about a file would have the file's name."""
    discard(sys.stdout)
    if error.errno in NO_ROOM:
        print_message("The disk is full, and not everything was written: make room and try again.")
    else:
        logging.getLogger(__name__).warning("standard output", exc_info=error)
        print_message(f"The answer cannot be written ({name_reason(error)}).")
    return BROKEN


def _describe_refused_value(error: typer.TyperException) -> str | None:
    """The message for an option whose value is refused; typer has a sentence for programmers."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    parameter = getattr(error, "param", None)
    if not found or parameter is None:
        return None
    first = parameter.opts[0]
    name = first if first.startswith("-") else parameter.metavar or first.upper()
    kind, given = found[0]["type"], quote(str(found[0]["input"]))
    if kind in ALLOWED:
        return f"{name} must be {ALLOWED[kind].format_map(found[0].get('ctx', {}))}, not {given}."
    return f"{name}: {found[0]['ctx']['error']}" if kind == "value_error" else None


def _name_help(error: typer.TyperException) -> str:
    """Where to read on about the command that was typed."""
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'companion'} --help says more"


def _report_thread(end: threading.ExceptHookArgs) -> None:
    """Report what ended a thread as what ends a command: Python would print a traceback on the terminal."""
    if end.exc_value is not None and not isinstance(end.exc_value, SystemExit):
        _last_resort(end.exc_value)


def _last_resort(error: BaseException, what: str = "Something inside the program went wrong") -> int:
    try:
        write_details("", error)
        where = f"the details are at the end of {config.log_file()}"
    except Exception:
        where = "the details could not be written to a log file"
    print_message(f"{what} ({type(error).__name__}): {where}.")
    return BROKEN
