"""`companion devices`: find dice cups and automatic tables, watch and record them, or replay a recording.

What devices report is printed as it arrives, one line each; with --json each line is a document.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import wait as wait_for_futures
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json, print_line, print_message
from companion.errors import InputError, MissingError
from companion.foreign_text import show
from companion.stopping import check, until_stopped
from firmware_bridge import events
from firmware_bridge.codec import Message
from firmware_bridge.handshake import Capability, DeviceKind, Welcome
from firmware_bridge.plain import to_plain
from firmware_bridge.session import LinkEvent, SessionEnded, SessionOpened, SessionRefused
from firmware_bridge.troubles import ENDED

if TYPE_CHECKING:
    from companion.errors import EventError
    from companion.game.updates import Update
    from companion.live.devices import DeviceView
    from companion.live.running import RunningGame
    from companion.table.events import GameStarted
    from companion.table.state import State
    from firmware_bridge.ports import PortInfo, ProbeResult

SEATS = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")
OLD_S = 1.0
"""What happened at least this long before it was reported is printed with its age."""
KNOWN = (
    events.Dice, events.Wall, events.Tile, events.Discard, events.ButtonEvent, events.Table, events.Snapshot,
)  # fmt: skip
"""Messages that have words; of all others the fields are printed."""


def name_code(kind: type[IntEnum], code: int) -> str:
    """The name of a code, or its number: a newer device may know more."""
    return kind(code).name.lower().replace("_", " ") if code in set(kind) else str(code)


def list_capabilities(device: Welcome) -> list[str]:
    """The names of what a device has, as in the protocol."""
    return [each.name.lower().replace("_", " ") for each in Capability if each in device.capabilities]  # type: ignore[union-attr]  # each has one


def device_json(device: Welcome) -> dict[str, Any]:
    """A device's description of itself."""
    return {
        "serial": device.serial,
        "model": device.model,
        "firmware": device.firmware,
        "kind": name_code(DeviceKind, device.kind),
        "capabilities": list_capabilities(device),
        "version": device.version,
    }


def describe_device(device: Welcome) -> str:
    """A device on one line: its name, its serial number, what it can."""
    from companion.live.device_words import list_abilities, name_kind

    name = " ".join(filter(None, (device.model or str(name_kind(device)), device.firmware)))
    reports, can = map(", ".join, list_abilities(device))
    parts = [f"{name} ({device.serial})", reports and f"reports: {reports}", can and f"can: {can}"]
    return " · ".join(filter(None, parts))


def describe_event(event: LinkEvent) -> str:
    """What happened on a link, on one line."""
    from companion.live.device_words import describe_refusal

    if isinstance(event, SessionOpened):
        return f"Connected: {describe_device(event.device)}"
    if isinstance(event, SessionEnded):
        return ENDED.format(why=event.reason.value)
    if isinstance(event, SessionRefused):
        refusal = describe_refusal(event)
        return f"{refusal.short}: {refusal.why}"
    late_s = event.at - event.happened
    return describe_message(event.message) + (f"   ({_ago(late_s)} ago)" if late_s >= OLD_S else "")


def _ago(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.0f} h"


def describe_message(message: Message) -> str:
    """A message of a device, on one line."""
    from companion.live.device_words import describe_report

    if not isinstance(message, KNOWN):
        fields = to_plain(message)
        name = fields.pop("message")
        return " ".join([str(name), *(f"{key}={value}" for key, value in fields.items())])
    details = _details(message)
    return str(describe_report(message, 0, SEATS)) + (f" ({details})" if details else "")


def _details(message: Message) -> str:
    match message:
        case events.Dice(phase=events.DicePhase.SETTLED):
            return f"roll {message.roll}"
        case events.Wall() if message.places:
            return "stacks " + " ".join(str(side.stacks) for side in message.sides)
        case events.Table():
            return (f"{message.tile_count} tiles, " if message.tile_count else "") + f"hand {message.hand}"
    return ""


class Printer:
    """Prints the updates of a game in which nothing is entered; times count from `start`, seconds."""

    def __init__(self, start: float, as_json: bool) -> None:
        self.view: DeviceView | None = None
        self.has_reported = False
        self.is_closed = False
        self._start = start
        self._as_json = as_json
        self._t = 0.0
        self._stood: object = None

    def on_update(self, update: Update) -> None:
        """Print what is new."""
        from companion.game.updates import Closed, Decided
        from companion.live.devices import DeviceReported, DevicesChanged
        from firmware_bridge.recording import event_to_plain

        match update:
            case DeviceReported(event=event, meaning=meaning):
                self.has_reported = True
                self._t = event.at - self._start
                self._print(event_to_plain(event), describe_event(event))
                if meaning.trouble:
                    self._print_trouble(meaning.trouble)
            case Decided(decision=decision):
                if decision.error:
                    self._print_trouble(decision.error)
                if decision.pending and decision.pending.outcome:
                    self._print_break(decision.pending.outcome)
            case DevicesChanged(devices=devices):
                self.view = devices.devices[0] if devices.devices else None
            case Closed():
                self.is_closed = True

    def print_standing(self) -> None:
        """Print how the link stands, where that has changed."""
        from companion.live.device_words import describe_link
        from firmware_bridge.link import LinkState

        view, now = self.view, time.monotonic()
        if view is None or not (view.port or view.trouble):
            return
        self._t = now - self._start
        if self._as_json:
            stood: object = (view.state, view.port, view.trouble)
            plain = {"state": view.state.value, "port": view.port, "trouble": view.trouble}
            if stood != self._stood:
                self._print({"event": "state", **plain}, "")
        else:
            health = describe_link(view, now)
            stood = (view.port, health.short.template)
            if stood != self._stood and view.state is not LinkState.OPEN:  # which its event has said
                why = f": {health.why}" if health.why else ""
                self._print({}, f"{view.port or view.chosen.target} · {health.short}{why}")
        self._stood = stood

    def _print_trouble(self, error: EventError) -> None:
        plain = {"event": "trouble", "trouble": str(error), "ruling": error.ruling or None}
        self._print(plain, str(error))

    def _print_break(self, state: State) -> None:
        """Where the wall of the hand that would begin is broken, if its dice were seen."""
        from companion.live.device_words import describe_first_tile, join_dice

        hand = state.hand
        first = hand.wall.next_place if hand else None
        if hand is None or first is None or not hand.dice:
            return
        rules, dealer = state.house.rules, hand.deal.dealer
        plain = {
            "event": "break",
            "rules": rules.name,
            "dealer": dealer,
            "dice": hand.dice,
            "first": {"side": first.side, "stack": first.stack, "layer": first.layer.value},
        }
        thrown = f"{rules.title} · dealer: {SEATS[dealer]} · {join_dice(hand.dice)}"
        self._print(plain, f"{thrown} · {describe_first_tile(hand, SEATS)}")

    def _print(self, plain: dict[str, Any], words: str) -> None:
        if self._as_json:
            print_json({"t": round(self._t, 3), **plain})
        else:
            print_line(f"{self._t:9.3f}  {words}")


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
    str | None, typer.Option(metavar="NAME", help="Show where each roll breaks the wall in this game.")
]
Dealer = Annotated[int, typer.Option(metavar="SEAT", min=0, max=3, help="With --rules: who throws the dice.")]
Inbox = SimpleQueue[Callable[[], None]]
POLL_S = 0.1
"""How often the state of the link is checked; messages wake at once."""
CLOSED_WITHIN_S = 10.0
"""A game that is being closed reports at least this often until it is closed: a line takes a millisecond."""


class PortError(MissingError):
    """A serial port that is absent or broken, or on which no device answers."""


def sentence(trouble: str) -> str:
    """The bridge's report on a port, as a full sentence."""
    return trouble if trouble.endswith((".", "!", "?")) else trouble + "."


def list_devices(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="PORT...", help="Ports or USB ids to ask; by default every port."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, max=60, help="How long each may take to answer.")
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
            print_message(entry["trouble"])
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
    print_message(f"the session is in {file}")


def _follow(
    target: str,
    file: Path | None,
    seconds: float | None,
    wait: bool,
    as_json: bool,
    start: GameStarted | None = None,
) -> None:

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
    game.subscribe(printer.on_update, inbox.put)
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
