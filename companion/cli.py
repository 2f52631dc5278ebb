"""The `companion` command: names the commands; whoever calls it gets a sentence, never a traceback.

Exit status 0: answered; 2: the input or an option is wrong; 3: something needed is missing or broken; 128 and
a signal's number: ended by that signal before it was done.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer

from companion import __version__, config, doctor, stopping, window
from companion.commands import (
    advising,
    copying,
    demo,
    devices,
    emulate,
    flags,
    games,
    keeping,
    laboratory,
    licences,
    markers,
    pictures,
    rescuing,
    reviewing,
    rule_sets,
    scoring,
    settling,
    table,
    tile_sets,
    track,
    waits,
)
from companion.commands.output import discard, open_closed_streams, print_line, tell, use_utf8
from companion.errors import CompanionError, quote
from companion.files import NO_ROOM, name_reason
from companion.log_file import log_to_file, write_details

WRONG_INPUT, BROKEN, INTERRUPTED = 2, 3, 130
ALLOWED = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
}
"""What an option must be whose value typer refuses for that."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
games_app = typer.Typer(
    rich_markup_mode=None, help="Games that are kept: begin one, add to it, write it out, read it in."
)
devices_app = typer.Typer(rich_markup_mode=None, help="Dice cups and automatic tables on serial ports.")


@app.callback(invoke_without_command=True)
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


app.command()(pictures.read)
app.command(cls=flags.WinCommand)(scoring.score)
app.command(cls=flags.WinCommand)(waits.waits)
app.command()(advising.advise)
app.command()(reviewing.review)
app.command()(rule_sets.rules)
app.command("score-photo", cls=flags.WinCommand)(pictures.score_photo)
app.command("learn-set")(tile_sets.learn_set)
app.command()(markers.markers)
app.command("app")(window.show_app)
app.command()(demo.demo)
app.command()(table.simulate)
app.command()(table.replay)
app.command()(track.track)
app.command()(doctor.doctor)
app.command()(licences.licences)
app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
)(laboratory.bench)
devices_app.command("list")(devices.list_devices)
devices_app.command()(devices.watch)
devices_app.command()(devices.record)
devices_app.command()(devices.replay)
devices_app.command()(emulate.emulate)
app.add_typer(devices_app, name="devices")
games_app.command("list")(games.list_games)
games_app.command("show")(games.show_events)
games_app.command("begin")(keeping.begin_game)
games_app.command("add")(keeping.add_events)
games_app.command("undo")(keeping.undo_events)
games_app.command("redo")(keeping.redo_events)
games_app.command("export")(games.export_game)
games_app.command("settle")(settling.settle_game)
games_app.command("figures")(games.show_figures)
games_app.command("import")(games.import_game)
games_app.command("rescue")(rescuing.rescue_game)
games_app.command("copies")(copying.list_copies)
games_app.command("restore")(copying.restore_game)
app.add_typer(games_app, name="games")


def main() -> NoReturn:
    """The entry point. What libraries warn of goes to the log file, too."""
    logging.captureWarnings(True)
    threading.excepthook = _report_thread
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
    open_closed_streams()
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
        status = app(args=list(arguments), prog_name="companion", standalone_mode=False)
        sys.stdout.flush()
    except CompanionError as error:
        tell(str(error))
        return error.exit_status
    except typer.TyperException as error:
        tell(_describe_refused_value(error) or f"{error.format_message()} ({_name_help(error)})")
        return WRONG_INPUT
    except (KeyboardInterrupt, typer.Abort):
        return stopping.exit_status()
    except SystemExit:
        return 0  # so typer answers a closed pipe: whoever read the output has seen enough
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
        tell("The disk is full, so that not all was written: make room and try again.")
    else:
        logging.getLogger(__name__).warning("standard output", exc_info=error)
        tell(f"The answer cannot be written ({name_reason(error)}).")
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
    tell(f"{what} ({type(error).__name__}): {where}.")
    return BROKEN
