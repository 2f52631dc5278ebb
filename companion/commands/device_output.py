"""What devices report, on lines for people and as plain values for --json.

The words are those of the window (`live/device_words.py`), in English; in brackets behind them stands what
only whoever builds or mends a device wants to know.
"""

from __future__ import annotations

import time
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from companion.commands.output import print_json, print_line
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
    from companion.table.state import State

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
    """What a device says of itself."""
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

    def take(self, update: Update) -> None:
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
