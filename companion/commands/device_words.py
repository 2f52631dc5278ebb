"""What devices tell, in words for people and as plain values for --json."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from firmware_bridge import commands, events
from firmware_bridge.codec import Message
from firmware_bridge.handshake import Capability, DeviceKind, Welcome
from firmware_bridge.plain import to_plain
from firmware_bridge.session import LinkEvent, SessionEnded, SessionOpened, SessionRefused

LAYERS = ("lower", "upper")


def named(kind: type[IntEnum], code: int) -> str:
    """The name of a code, or its number: a newer device may know more."""
    return kind(code).name.lower().replace("_", " ") if code in set(kind) else str(code)


def capabilities(device: Welcome) -> list[str]:
    return [each.name.lower().replace("_", " ") for each in Capability if each in device.capabilities]  # type: ignore[union-attr]  # each has one


def device_json(device: Welcome) -> dict[str, Any]:
    """What a device says of itself."""
    return {
        "serial": device.serial,
        "model": device.model,
        "firmware": device.firmware,
        "kind": named(DeviceKind, device.kind),
        "capabilities": capabilities(device),
        "version": device.version,
    }


def device_words(device: Welcome) -> str:
    name = " ".join(filter(None, (device.model, device.firmware))) or named(DeviceKind, device.kind)
    return f"{name} ({device.serial})"


def event_words(event: LinkEvent) -> str:
    """What happened, on one line."""
    if isinstance(event, SessionOpened):
        return f"connected: {device_words(event.device)}; {', '.join(capabilities(event.device))}"
    if isinstance(event, SessionEnded):
        return f"session ended: {event.reason.value}"
    if isinstance(event, SessionRefused):
        return f"refused: {event.trouble}"
    late_s = event.at - event.happened
    return message_words(event.message) + (f"   ({_ago(late_s)} ago)" if late_s >= OLD_S else "")


OLD_S = 1.0
"""What happened so long before it was told is told with its age."""


def _ago(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.0f} h"


def message_words(message: Message) -> str:
    """A message from the table, or a command, on one line."""
    match message:
        case events.Dice():
            return _dice(message)
        case events.Wall():
            stacks = " ".join(str(side.stacks) for side in message.sides)
            return f"wall: {named(events.WallPhase, message.phase)}" + (
                f", stacks {stacks}, {message.remaining} tiles" if message.places else ""
            )
        case events.Tile():
            place = f"side {message.side}, stack {message.stack + 1} from the right, {LAYERS[message.layer]}"
            action = named(events.TileAction, message.action)
            return f"tile {action}: {place}; {message.remaining} in the wall"
        case events.Discard():
            which = "one" if message.index == events.UNKNOWN_INDEX else f"number {message.index + 1}"
            action = named(events.DiscardAction, message.action)
            return f"discards of seat {message.seat}: {which} {action}"
        case events.ButtonEvent():
            where = "middle" if message.seat == events.CENTRE else f"seat {message.seat}"
            button = named(events.Button, message.button)
            return f"button of {where}: {button} {named(events.ButtonAction, message.action)}"
        case events.Table():
            error = f": {named(events.TableError, message.error)}" if message.error else ""
            tiles = f", {message.tile_count} tiles" if message.tile_count else ""
            return f"table: {named(events.TableState, message.state)}{error}{tiles}, hand {message.hand}"
        case events.Snapshot():
            ends = message.phase == events.SnapshotPhase.END
            return "that is all it has" if ends else "what it has now:"
        case commands.StartShuffle():
            deals = message.dealer != commands.NOT_TOLD
            return "a shuffle" + (f" before seat {message.dealer} deals" if deals else "")
        case commands.ShowScore():
            return "the score " + " ".join(map(str, message.points))
        case commands.Beep():
            return f"a beep of {message.frequency_hz} Hz for {message.duration_ms} ms"
        case commands.SetTileCount():
            return f"walls of {message.tiles} tiles"
        case commands.Result():
            return (
                f"answer to command {message.command_seq}: {named(commands.CommandOutcome, message.outcome)}"
            )
        case _:
            fields = to_plain(message)
            name = fields.pop("message")
            return " ".join([str(name), *(f"{key}={value}" for key, value in fields.items())])


def _dice(dice: events.Dice) -> str:
    shown = " ".join(str(die.value or "?") for die in dice.dice)
    if dice.phase == events.DicePhase.SETTLED:
        return f"roll {dice.roll}: {shown}, together {dice.total}"
    if dice.phase == events.DicePhase.MOVING:
        return f"dice are rolling: {shown}"
    return f"dice were nudged, which is no roll: {shown}"
