"""`companion devices`: find dice cups and automatic tables, watch and record them, or emulate one.

What comes from devices is printed as it comes, one line each; with --json each line is a document.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import wait as wait_for_futures
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json, tell
from companion.errors import InputError, MissingError
from companion.foreign_text import show
from companion.stopping import check, until_stopped

if TYPE_CHECKING:
    from companion.commands.device_output import Printer
    from companion.live.running import RunningGame
    from companion.table.events import GameStarted
    from firmware_bridge.ports import PortInfo, ProbeResult

TARGET_HELP = (
    "A port as /dev/ttyUSB0, usb:VVVV:PPPP for a USB id, socket://HOST:PORT, or any: the first that answers."
)
Target = Annotated[str, typer.Argument(metavar="PORT", help=TARGET_HELP)]
Seconds = Annotated[
    float | None, typer.Option(metavar="S", min=0, help="Stop after this many seconds; else Ctrl-C ends it.")
]
Lines = Annotated[bool, typer.Option("--json", help="Print one JSON document a line and nothing else.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait for a port that is not there yet.")]
Rules = Annotated[
    str | None, typer.Option(metavar="NAME", help="Say where each roll breaks the wall of this game.")
]
Dealer = Annotated[int, typer.Option(metavar="SEAT", min=0, max=3, help="With --rules: who throws the dice.")]
Inbox = SimpleQueue[Callable[[], None]]
POLL_S = 0.1
"""How often it is looked at how the link stands; messages wake at once."""
CLOSED_WITHIN_S = 10.0
"""A game that is being closed says something at least this often until it is: a line takes a millisecond."""


class PortError(MissingError):
    """A serial port that is absent or broken, or on which no device answers."""


def sentence(trouble: str) -> str:
    """What the bridge says of a port, as a sentence that ends."""
    return trouble if trouble.endswith((".", "!", "?")) else trouble + "."


def list_devices(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="PORT...", help="Ports or USB ids to ask; without any, every port there is."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, max=60, help="How long each is given to answer.")
    ] = 3.0,
    as_json: AsJson = False,
) -> None:
    """Ask every port which device is there. Ports are asked all at once; a board may restart when asked."""
    from firmware_bridge.ports import list_serial_ports, probe_all

    known = {port.path: port for port in list_serial_ports()}
    paths, absent = find_ports(targets, known.values()) if targets else (list(known), [])
    found = probe_all(paths, seconds)
    entries = [port_entry(each, known.get(each.path)) for each in found] + absent
    if as_json:
        print_json({"ports": entries})
    else:
        _show_ports(entries)
    if targets and all(entry["trouble"] for entry in entries):
        for entry in entries:
            tell(entry["trouble"])
        raise typer.Exit(PortError.exit_status)


def find_ports(targets: list[str], known: Iterable[PortInfo]) -> tuple[list[str], list[dict[str, Any]]]:
    """The ports that `targets` mean, and an entry for each USB id that is not plugged in."""
    from firmware_bridge import troubles
    from firmware_bridge.errors import LinkError
    from firmware_bridge.ports import ProbeResult, find_candidates
    from firmware_bridge.troubles import Trouble

    paths: list[str] = []
    absent: list[dict[str, Any]] = []
    for target in targets:
        try:
            meant = find_candidates(target, known)
        except LinkError as error:
            raise InputError("{trouble}", trouble=sentence(str(error))) from None
        paths += meant
        if not meant:
            trouble = Trouble(troubles.NOT_PLUGGED_IN, target=target)
            absent.append(port_entry(ProbeResult(target, None, trouble), None))
    return paths, absent


def port_entry(found: ProbeResult, port: PortInfo | None) -> dict[str, Any]:
    """A port and what answers there, as plain values."""
    from companion.commands.device_output import device_json
    from firmware_bridge.handshake import Welcome
    from firmware_bridge.session import SessionRefused

    answer = found.answer
    return {
        "path": show(found.path),
        "name": port.name if port else show(found.path),
        "usb": (port.usb or None) if port else None,
        "device": device_json(answer) if isinstance(answer, Welcome) else None,
        "refused": answer.trouble if isinstance(answer, SessionRefused) else None,
        "trouble": show(sentence(found.trouble)) if found.trouble else None,
    }


def _show_ports(entries: list[dict[str, Any]]) -> None:
    from rich.table import Table

    out = console()
    if not entries:
        out.print(
            "This computer has no serial port: plug a device in, or try one with companion devices emulate."
        )
        return
    table = Table()
    for heading in ("port", "USB id", "what answers"):
        table.add_column(heading, overflow="fold")
    for entry in entries:
        table.add_row(entry["path"], entry["usb"] or "", answer_words(entry))
    out.print(table)


def answer_words(entry: dict[str, Any]) -> str:
    """What answers at a port, of its entry."""
    device = entry["device"]
    if device:
        named = [device["model"] or device["kind"], device["firmware"], f"({device['serial']})"]
        return " ".join(filter(None, named)) + f": {', '.join(device['capabilities'])}"
    return str(entry["refused"] or entry["trouble"] or "nothing answers in this protocol")


def watch(
    target: Target = "any",
    rules: Rules = None,
    dealer: Dealer = 0,
    seconds: Seconds = None,
    wait: Wait = False,
    as_json: Lines = False,
) -> None:
    """Print what a device reports as it comes, and how its link stands."""
    _follow(target, None, seconds, wait, as_json, _start(rules, dealer))


def _start(rules: str | None, dealer: int) -> GameStarted | None:
    """A game that is about to begin a hand, which `dealer` deals."""
    if rules is None:
        return None
    from companion.commands.described import find_rules_name
    from companion.table.events import GameStarted

    return GameStarted(rules=find_rules_name(rules), dealer=dealer)


def record(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file for the session.")],
    target: Target = "any",
    seconds: Seconds = None,
    wait: Wait = False,
    as_json: Lines = False,
) -> None:
    """Watch a device and write the session to a file, every byte of it."""
    _follow(target, file, seconds, wait, as_json)
    tell(f"the session is in {file}")


def _follow(
    target: str,
    file: Path | None,
    seconds: float | None,
    wait: bool,
    as_json: bool,
    start: GameStarted | None = None,
) -> None:
    from companion.commands.device_output import Printer

    began = time.monotonic()
    end = None if seconds is None else began + seconds
    printer = Printer(began, as_json)
    with until_stopped(), _game(printer, start) as (game, inbox):
        try:
            listening = game.listen(target, file)
            while not wait_for_futures([listening], POLL_S).done:
                check()
            listening.result()
        except InputError as error:
            raise InputError("{trouble}", trouble=sentence(str(error))) from None
        while end is None or time.monotonic() < end:
            _take(inbox, POLL_S if end is None else min(POLL_S, max(0.0, end - time.monotonic())))
            _check(printer, file, wait)
            printer.print_standing()
        view = printer.view
        if view is None or not view.sessions:
            trouble = (view and view.trouble) or f"Nothing at '{target}' answered in this protocol"
            raise PortError("{trouble}", trouble=sentence(trouble))


@contextmanager
def _game(printer: Printer, start: GameStarted | None) -> Iterator[tuple[RunningGame, Inbox]]:
    """A game that is not kept and in which nobody confirms anything: what devices report is only shown."""
    from companion.game.proposals import ASK_ALWAYS
    from companion.live.running import RunningGame

    game, inbox = RunningGame(policy=ASK_ALWAYS), Inbox()
    game.subscribe(printer.take, inbox.put)
    if start is not None:
        game.play(start)
    try:
        yield game, inbox
    finally:
        game.close()


def _take(inbox: Inbox, seconds: float) -> None:
    """Print what comes within that time, or at once. Raises KeyboardInterrupt once the command is stopped."""
    check()
    with suppress(Empty):
        inbox.get(timeout=seconds)()
        for _ in range(inbox.qsize()):
            inbox.get_nowait()()


def _check(printer: Printer, file: Path | None, wait: bool) -> None:
    """PortError where the port is missing from the start, unless `wait`, or the recording has ended."""
    view = printer.view
    if view is None:
        return
    printer.has_reported = printer.has_reported or bool(view.port)
    if view.trouble and not printer.has_reported and not wait:
        raise PortError("{trouble}", trouble=sentence(view.trouble))
    if file and not view.recording:
        raise PortError("The recording {file} ends here: the disk may be full.", file=file)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session that devices record wrote.")],
    speed: Annotated[
        float, typer.Option(metavar="N", min=0, max=1e6, help="How many times as fast; 0 is all at once.")
    ] = 1.0,
    rules: Rules = None,
    dealer: Dealer = 0,
    as_json: Lines = False,
) -> None:
    """Play back a recorded session: the same lines, at the same pace."""
    from companion.commands.device_output import Printer
    from firmware_bridge.errors import RecordingError
    from firmware_bridge.recording import Piece
    from firmware_bridge.recording import replay as recorded

    began, printer = time.monotonic(), Printer(0.0, as_json)
    with until_stopped(), _game(printer, _start(rules, dealer)) as (game, inbox):
        try:
            for event in recorded(file):
                if isinstance(event, Piece):
                    continue
                while speed and (left := began + event.at / speed - time.monotonic()) > 0:
                    _take(inbox, min(POLL_S, left))
                check()
                game.report(str(file), event)
        except RecordingError as error:
            raise InputError("{trouble}", trouble=sentence(str(error))) from None
        finally:
            game.close(0)
            _print_rest(printer, inbox, file)


def _print_rest(printer: Printer, inbox: Inbox, file: Path) -> None:
    """Print what comes until the game is closed. MissingError where that does not end."""
    while not printer.is_closed:
        try:
            inbox.get(timeout=CLOSED_WITHIN_S)()
        except Empty:
            raise MissingError("The session in {file} was not played back to its end.", file=file) from None
