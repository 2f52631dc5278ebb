"""What is said of devices: how a link stands, what a device told, what a roll means. No Kivy, no port.

People are named as they sit around the window; `first_seat` is the one at a device's side 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from companion.app.devices.links import Line
from companion.app.text import SEAT_NAMES
from companion.sentences import Sentence, msgid
from companion.table.places import Layer
from companion.table.state import Hand
from firmware_bridge import events, troubles
from firmware_bridge.codec import Message
from firmware_bridge.handshake import Capability, DeviceKind, Welcome
from firmware_bridge.limits import SIDES
from firmware_bridge.link import FLOOD_PAUSE_S, LinkState

LOOKING_S = 3.0
"""So long a device may take to answer before it is called silent: a board that restarts takes two seconds."""
MINUTE_S = 60

KINDS = {
    DeviceKind.DICE_CUP: msgid("Dice cup"),
    DeviceKind.AUTOMATIC_TABLE: msgid("Automatic table"),
    DeviceKind.SCOREBOARD: msgid("Scoreboard"),
    DeviceKind.BUTTONS: msgid("Buttons"),
}
TELLS = {
    Capability.DICE: msgid("dice"),
    Capability.WALL: msgid("the wall"),
    Capability.TILE_POSITIONS: msgid("drawn tiles"),
    Capability.DISCARDS: msgid("discards"),
    Capability.BUTTONS: msgid("buttons"),
    Capability.TABLE_STATE: msgid("its state"),
}
CAN = {
    Capability.SHUFFLE: msgid("shuffle"),
    Capability.SHOW_SCORE: msgid("show scores"),
    Capability.BEEP: msgid("beep"),
    Capability.TILE_COUNT: msgid("change the number of tiles"),
}
BUTTONS = {
    events.Button.WIN: msgid("win"),
    events.Button.PASS: msgid("Pass"),
    events.Button.CHOW: msgid("Chow"),
    events.Button.PUNG: msgid("Pung"),
    events.Button.KONG: msgid("Kong"),
    events.Button.READY: msgid("Ready"),
    events.Button.CONFIRM: msgid("Confirm"),
    events.Button.UNDO: msgid("Undo"),
    events.Button.NEXT_HAND: msgid("Next hand"),
    events.Button.SCORE_UP: msgid("Score up"),
    events.Button.SCORE_DOWN: msgid("Score down"),
}
STATES = {
    events.TableState.IDLE: Sentence("The table is at rest"),
    events.TableState.SHUFFLING: Sentence("The table shuffles"),
    events.TableState.BUILDING: Sentence("The table builds the wall"),
    events.TableState.READY: Sentence("The table is ready: the wall stands"),
    events.TableState.PLAYING: Sentence("The table is being played on"),
}
ERRORS = {
    events.TableError.JAM: msgid("a tile is jammed"),
    events.TableError.TILES_MISSING: msgid("tiles are missing"),
    events.TableError.TILES_TOO_MANY: msgid("there are too many tiles"),
    events.TableError.LID_OPEN: msgid("the lid is open"),
    events.TableError.MOTOR: msgid("a motor fails"),
    events.TableError.SENSOR: msgid("a sensor fails"),
    events.TableError.POWER: msgid("the power fails"),
}
LAYERS = (msgid("lower tile"), msgid("upper tile"))
TABLE_LAYERS = {Layer.LOWER: LAYERS[0], Layer.UPPER: LAYERS[1]}
GONE = (troubles.UNPLUGGED, troubles.NO_SUCH_PORT, troubles.NOT_PLUGGED_IN)
REFUSALS = {
    troubles.OTHER_VERSION: Sentence("Wrong version"),
    troubles.OTHER_VERSIONS: Sentence("Wrong version"),
    troubles.BUSY: Sentence("Busy elsewhere"),
}


class Mood(Enum):
    """Whether all is well, whether to wait, or whether somebody has to do something."""

    WELL = "well"
    WAITING = "waiting"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a link stands: in a word or two, and why, or what to do."""

    mood: Mood
    short: Sentence
    why: Sentence | None = None


def standing(line: Line, now: float) -> Standing:
    """How the link to a device stands at `now`, in seconds of time.monotonic."""
    trouble = Sentence(line.trouble.template, line.trouble.params) if line.trouble else None
    match line.state:
        case LinkState.OPEN:
            return Standing(Mood.WELL, Sentence("Connected"))
        case LinkState.REFUSED:
            short = REFUSALS.get(line.trouble.template, Sentence("Refuses"))
            return Standing(Mood.TROUBLE, short, trouble)
        case LinkState.FLOOD:
            left = {"seconds": max(1, round(FLOOD_PAUSE_S - (now - line.since)))}
            why = Sentence(
                "It sends more than a device may, so that nothing is taken from it: it is tried again in"
                " {seconds} s.",
                left,
            )
            return Standing(Mood.TROUBLE, Sentence("Sends too much"), why)
        case LinkState.GREETING:
            return _greeting(line, trouble, now)
    if trouble is None:
        return Standing(Mood.WAITING, Sentence("Looking …"))
    if line.trouble.template not in GONE:
        return Standing(Mood.TROUBLE, Sentence("Cannot be opened"), trouble)
    if line.device:
        again = Sentence("Plug it in again: it is found by itself.")
        return Standing(Mood.TROUBLE, Sentence("Unplugged"), again)
    return Standing(Mood.TROUBLE, Sentence("Not there"), trouble)


def _greeting(line: Line, trouble: Sentence | None, now: float) -> Standing:
    """A port that is open, and whose device has not answered yet."""
    if trouble and trouble.template == troubles.OTHER_PROTOCOL:
        return Standing(Mood.TROUBLE, Sentence("Not understood"), trouble)
    silent_s = int(now - line.since)
    if silent_s < LOOKING_S:
        return Standing(Mood.WAITING, Sentence("Looking …"))
    short = Sentence("Silent for {n} s", {"n": silent_s})
    if silent_s >= MINUTE_S:
        short = Sentence("Silent for {n} min", {"n": silent_s // MINUTE_S})
    why = Sentence("Nothing answers at this port: is the device switched on? It is greeted until it answers.")
    return Standing(Mood.TROUBLE, short, why)


def kind(device: Welcome) -> Sentence:
    """What sort of device it is."""
    if device.kind in set(DeviceKind):
        return Sentence(KINDS[DeviceKind(device.kind)])
    return Sentence("Device of kind {number}", {"number": device.kind})


def abilities(device: Welcome) -> tuple[list[str], list[str]]:
    """What it tells and what it can do: words to be looked up."""
    tells = [word for each, word in TELLS.items() if each in device.capabilities]
    return tells, [word for each, word in CAN.items() if each in device.capabilities]


def told(message: Message, first_seat: int) -> Sentence:
    """What a device told last."""

    def who(side: int) -> str:
        return SEAT_NAMES[(side + first_seat) % SIDES]

    match message:
        case events.Dice():
            return _dice(message)
        case events.Wall():
            return _wall(message)
        case events.Tile(action=action):
            place = {"who": who(message.side), "stack": message.stack + 1, "layer": LAYERS[message.layer]}
            params = place | {"left": message.remaining}
            if action == events.TileAction.DRAWN:
                return Sentence("{who}, stack {stack}, {layer}: drawn; {left} left in the wall", params)
            return Sentence("{who}, stack {stack}, {layer}: put back; {left} left in the wall", params)
        case events.Discard(action=events.DiscardAction.LIFTED):
            return Sentence("{who}: a discard was lifted", {"who": who(message.seat)})
        case events.Discard():
            return Sentence("{who}: a tile was discarded", {"who": who(message.seat)})
        case events.ButtonEvent():
            known = message.button in set(events.Button)
            name = BUTTONS[events.Button(message.button)] if known else str(message.button)
            if message.seat == events.CENTRE:
                return Sentence("Middle of the table: button {button}", {"button": name})
            return Sentence("{who}: button {button}", {"who": who(message.seat), "button": name})
        case events.Table(error=error):
            if not error:
                return STATES[events.TableState(message.state)]
            why: object = Sentence("error {number}", {"number": error})
            if error in set(events.TableError):
                why = ERRORS[events.TableError(error)]
            return Sentence("The table has stopped: {why}", {"why": why})
    return Sentence("It told something that concerns no game")


def _dice(dice: events.Dice) -> Sentence:
    if dice.phase == events.DicePhase.MOVING:
        return Sentence("The dice are rolling")
    faces = [die.value for die in dice.dice]
    if dice.phase == events.DicePhase.SETTLED:
        return Sentence("Rolled {dice}", {"dice": summed(faces)})
    shown = " ".join(str(face or "?") for face in faces)
    return Sentence("Nudged to {dice}, which is no roll", {"dice": shown})


def summed(faces: Sequence[int]) -> str:
    """Dice as they are reckoned: 3 + 5 = 8."""
    return " + ".join(map(str, faces)) + (f" = {sum(faces)}" if len(faces) > 1 else "")


def _wall(wall: events.Wall) -> Sentence:
    count = {"count": wall.remaining}
    match wall.phase:
        case events.WallPhase.NONE:
            return Sentence("No wall stands")
        case events.WallPhase.BUILDING:
            return Sentence("A wall is being built")
        case events.WallPhase.BUILT:
            return Sentence("A wall of {count} tiles is built", count)
    return Sentence("The wall stands: {count} tiles", count)


def first_tile(hand: Hand) -> Sentence:
    """Where the first tile of a hand that begins stands."""
    place = hand.wall.next_place
    if place is None:
        return Sentence("The wall stands; nobody told the dice that break it.")
    return Sentence(
        "The first tile: {who}, stack {stack} from the right, {layer}",
        {"who": SEAT_NAMES[place.side], "stack": place.stack, "layer": TABLE_LAYERS[place.layer]},
    )
