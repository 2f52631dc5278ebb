"""`companion devices`: find dice cups and automatic tables, watch and record them, or emulate one.

What comes from devices is printed as it comes, one line each; with --json each line is a document.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.output import console, print_json, tell
from companion.commands.scoring import AsJson
from companion.errors import InputError, MissingError

if TYPE_CHECKING:
    from companion.commands.device_table import DeviceTable
    from firmware_bridge.link import Link, Status
    from firmware_bridge.ports import PortInfo, ProbeResult
    from firmware_bridge.session import LinkEvent

TARGET_HELP = (
    "A port as /dev/ttyUSB0, usb:VVVV:PPPP for a USB id, socket://HOST:PORT, or any: the first that answers."
)
Target = Annotated[str, typer.Argument(metavar="PORT", help=TARGET_HELP)]
Seconds = Annotated[
    float | None, typer.Option(metavar="S", min=0, help="Stop after so many seconds; else Ctrl-C ends it.")
]
Lines = Annotated[bool, typer.Option("--json", help="Print one JSON document a line and nothing else.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait for a port that is not there yet.")]
Rules = Annotated[
    str | None, typer.Option(metavar="NAME", help="Say where each roll breaks the wall of this game.")
]
Dealer = Annotated[int, typer.Option(metavar="SEAT", min=0, max=3, help="With --rules: who throws the dice.")]
POLL_S = 0.1
"""How often the state of a link is looked at; messages wake at once."""


class PortError(MissingError):
    """A serial port that is absent or broken, or on which no device answers."""


@contextmanager
def until_stopped() -> Iterator[None]:
    """Ctrl-C, or a signal to end, is how the commands here end: no error."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


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
    paths, absent = named_ports(targets, known.values()) if targets else (list(known), [])
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


def named_ports(targets: list[str], known: Iterable[PortInfo]) -> tuple[list[str], list[dict[str, Any]]]:
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
    from companion.commands.device_words import device_json
    from firmware_bridge.handshake import Welcome
    from firmware_bridge.session import SessionRefused

    answer = found.answer
    return {
        "path": found.path,
        "name": port.name if port else found.path,
        "usb": (port.usb or None) if port else None,
        "device": device_json(answer) if isinstance(answer, Welcome) else None,
        "refused": answer.trouble if isinstance(answer, SessionRefused) else None,
        "trouble": sentence(found.trouble) if found.trouble else None,
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
    """Print what a device tells as it comes, and how its link stands."""
    _follow(target, None, seconds, wait, as_json, _table(rules, dealer))


def _table(rules: str | None, dealer: int) -> DeviceTable | None:
    if rules is None:
        return None
    from companion.commands.described import rules_named
    from companion.commands.device_table import DeviceTable

    return DeviceTable(rules_named(rules), dealer)


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
    table: DeviceTable | None = None,
) -> None:
    from firmware_bridge.errors import LinkError, RecordingError
    from firmware_bridge.link import Link

    woken, start = Flag(), time.monotonic()
    try:
        link = Link(target, wake=woken.set, record=file)
    except (LinkError, RecordingError) as error:
        raise InputError("{trouble}", trouble=sentence(str(error))) from None
    end = None if seconds is None else start + seconds
    status = link.status()
    with until_stopped(), link:
        follower = _Follower(link, start, as_json, table)
        while end is None or time.monotonic() < end:
            woken.wait(POLL_S if end is None else min(POLL_S, max(0.0, end - time.monotonic())))
            woken.clear()
            status = follower.look(wait)
            if file and not status.recording:
                raise PortError("The recording {file} ends here: the disk may be full.", file=file)
        if not status.sessions:
            trouble = status.trouble or f"Nothing at '{target}' answered in this protocol"
            raise PortError("{trouble}", trouble=sentence(trouble))


class _Follower:
    """Prints the events of a link, and its state whenever that changes; times count from `start`."""

    def __init__(self, link: Link, start: float, as_json: bool, table: DeviceTable | None) -> None:
        self._link = link
        self._table = table
        self._as_json = as_json
        self._start = start
        self._had_port = False
        self._told: object = None

    def look(self, wait: bool) -> Status:
        """Print what is new. Raises PortError where the port is missing from the start, unless `wait`."""
        events = self._link.take()
        status = self._link.status()
        self._had_port = self._had_port or bool(status.port or events)
        if status.trouble and not self._had_port and not wait:
            raise PortError("{trouble}", trouble=sentence(status.trouble))
        for event in events:
            tell_event(event, event.at - self._start, self._as_json, self._table)
        state = (status.state, status.port, status.trouble)
        if state != self._told and (status.port or status.trouble):
            self._told = state
            self._tell_state(status)
        return status

    def _tell_state(self, status: Status) -> None:
        from firmware_bridge.link import LinkState

        t = time.monotonic() - self._start
        if self._as_json:
            told = {"state": status.state.value, "port": status.port, "trouble": status.trouble}
            print_json({"t": round(t, 3), "event": "state", **told})
        elif status.state is not LinkState.OPEN:  # which its event told
            why = f" ({status.trouble})" if status.trouble else ""
            _line(t, f"{status.port or status.target}: {status.state.value}{why}")


def tell_event(event: LinkEvent, t: float, as_json: bool, table: DeviceTable | None) -> None:
    """Print `event`, which came `t` seconds after the start, and what it means for `table`."""
    from companion.commands.device_words import event_words
    from firmware_bridge.recording import event_to_plain

    lines = [(event_to_plain(event), event_words(event)), *(table.means(event) if table else [])]
    for plain, words in lines:
        if as_json:
            print_json({"t": round(t, 3), **plain})
        else:
            _line(t, words)


def _line(t: float, words: str) -> None:
    print(f"{t:9.3f}  {words}", flush=True)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session that devices record wrote.")],
    speed: Annotated[
        float, typer.Option(metavar="N", min=0, max=1e6, help="So many times as fast; 0 is all at once.")
    ] = 1.0,
    rules: Rules = None,
    dealer: Dealer = 0,
    as_json: Lines = False,
) -> None:
    """Play back a recorded session: the same lines, at the same pace."""
    from firmware_bridge.errors import RecordingError
    from firmware_bridge.recording import Piece
    from firmware_bridge.recording import replay as recorded

    table, start = _table(rules, dealer), time.monotonic()
    with until_stopped():
        try:
            for event in recorded(file):
                if isinstance(event, Piece):
                    continue
                if speed:
                    time.sleep(max(0.0, start + event.at / speed - time.monotonic()))
                tell_event(event, event.at, as_json, table)
        except RecordingError as error:
            raise InputError("{trouble}", trouble=sentence(str(error))) from None
