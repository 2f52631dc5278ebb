"""Devices in words: the state of a link, what a device reported, what a roll means.

The window puts these sentences into its language, the command line prints them in English. `seats` are the
names of the four seats; `first_seat` is the one at a device's side 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from companion.live.devices import DeviceView
from companion.sentences import Sentence, msgid
from companion.table.state import HandState
from companion.table.wall import Layer
from firmware_bridge import events, troubles
from firmware_bridge.codec import Message
from firmware_bridge.handshake import Capability, DeviceKind, Welcome
from firmware_bridge.limits import SIDES
from firmware_bridge.link import FLOOD_PAUSE_S, LinkState
from firmware_bridge.session import SessionRefused

LOOKING_S = 3.0
"""A device that has not answered for this long is called silent: a board that restarts takes two seconds."""
MINUTE_S = 60

KINDS = {
    DeviceKind.DICE_CUP: msgid("Dice cup"),
    DeviceKind.AUTOMATIC_TABLE: msgid("Automatic table"),
    DeviceKind.SCOREBOARD: msgid("Scoreboard"),
    DeviceKind.BUTTONS: msgid("Buttons"),
}
REPORTS = {
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
    events.TableState.IDLE: Sentence("The table is idle"),
    events.TableState.SHUFFLING: Sentence("The table shuffles"),
    events.TableState.BUILDING: Sentence("The table builds the wall"),
    events.TableState.READY: Sentence("The table is ready: the wall is built"),
    events.TableState.PLAYING: Sentence("The table is in use"),
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
    """Whether all is well, whether to wait, or whether a person has to do something."""

    WELL = "well"
    WAITING = "waiting"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """How a link stands: in a word or two, and why, or what to do."""

    mood: Mood
    short: Sentence
    why: Sentence | None = None


def describe_link(view: DeviceView, now: float) -> LinkHealth:
    """How the link to a device stands at `now`, in seconds of time.monotonic."""
    trouble = Sentence.of(view.trouble) if view.trouble else None
    match view.state:
        case LinkState.OPEN:
            return LinkHealth(Mood.WELL, Sentence("Connected"))
        case LinkState.REFUSED:
            short = REFUSALS.get(view.trouble.template, Sentence("Refuses"))
            return LinkHealth(Mood.TROUBLE, short, trouble)
        case LinkState.FLOOD:
            left = {"seconds": max(1, round(FLOOD_PAUSE_S - (now - view.since)))}
            why = Sentence(
                "It sends more than a device may, so it is ignored: it is tried again in {seconds} s.",
                left,
            )
            return LinkHealth(Mood.TROUBLE, Sentence("Sends too much"), why)
        case LinkState.GREETING:
            return _describe_greeting(view, trouble, now)
    if trouble is None:
        return LinkHealth(Mood.WAITING, Sentence("Searching …"))
    if view.trouble.template not in GONE:
        return LinkHealth(Mood.TROUBLE, Sentence("Cannot be opened"), trouble)
    if view.device:
        again = Sentence("Plug it in again: it is found automatically.")
        return LinkHealth(Mood.TROUBLE, Sentence("Unplugged"), again)
    return LinkHealth(Mood.TROUBLE, Sentence("Not there"), trouble)


def _describe_greeting(view: DeviceView, trouble: Sentence | None, now: float) -> LinkHealth:
    """A port that is open, and whose device has not answered yet."""
    if trouble and trouble.template == troubles.OTHER_PROTOCOL:
        return LinkHealth(Mood.TROUBLE, Sentence("Not understood"), trouble)
    silent_s = int(now - view.since)
    if silent_s < LOOKING_S:
        return LinkHealth(Mood.WAITING, Sentence("Searching …"))
    short = Sentence("Silent for {n} s", {"n": silent_s})
    if silent_s >= MINUTE_S:
        short = Sentence("Silent for {n} min", {"n": silent_s // MINUTE_S})
    why = Sentence("Nothing answers at this port: is the device switched on? It is asked until it answers.")
    return LinkHealth(Mood.TROUBLE, short, why)


def name_kind(device: Welcome) -> Sentence:
    """What sort of device it is."""
    if device.kind in set(DeviceKind):
        return Sentence(KINDS[DeviceKind(device.kind)])
    return Sentence("Device of kind {number}", {"number": device.kind})


def list_abilities(device: Welcome) -> tuple[list[str], list[str]]:
    """What it reports and what it can do: words to be looked up."""
    reports = [word for each, word in REPORTS.items() if each in device.capabilities]
    return reports, [word for each, word in CAN.items() if each in device.capabilities]


def describe_refusal(refused: SessionRefused) -> LinkHealth:
    """Why a device does not talk to this program."""
    short = REFUSALS.get(refused.trouble.template, Sentence("Refuses"))
    return LinkHealth(Mood.TROUBLE, short, Sentence.of(refused.trouble))


def describe_report(message: Message, first_seat: int, seats: Sequence[str]) -> Sentence:
    """What a device reported."""

    def who(side: int) -> str:
        return seats[(side + first_seat) % SIDES]

    match message:
        case events.Dice():
            return _describe_dice(message)
        case events.Wall():
            return _describe_wall(message)
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
        case events.Snapshot(phase=events.SnapshotPhase.BEGIN):
            return Sentence("It is sending its current state")
        case events.Snapshot():
            return Sentence("Its current state is complete")
    return Sentence("It reported something unrelated to the game")


def _describe_dice(dice: events.Dice) -> Sentence:
    if dice.phase == events.DicePhase.MOVING:
        return Sentence("The dice are rolling")
    faces = [die.value for die in dice.dice]
    if dice.phase == events.DicePhase.SETTLED:
        return Sentence("Rolled {dice}", {"dice": join_dice(faces)})
    shown = " ".join(str(face or "?") for face in faces)
    return Sentence("Dice nudged to {dice}: not counted as a roll", {"dice": shown})


def join_dice(faces: Sequence[int]) -> str:
    """Dice as they are reckoned: 3 + 5 = 8."""
    return " + ".join(map(str, faces)) + (f" = {sum(faces)}" if len(faces) > 1 else "")


def _describe_wall(wall: events.Wall) -> Sentence:
    count = {"count": wall.remaining}
    match wall.phase:
        case events.WallPhase.NONE:
            return Sentence("No wall")
        case events.WallPhase.BUILDING:
            return Sentence("A wall is being built")
        case events.WallPhase.BUILT:
            return Sentence("A wall of {count} tiles is built", count)
    return Sentence("Wall built: {count} tiles", count)


def describe_first_tile(hand: HandState, seats: Sequence[str]) -> Sentence:
    """Where the first tile of a hand that begins stands."""
    place = hand.wall.next_place
    if place is None:
        return Sentence("The wall is built, but no dice roll was reported.")
    return Sentence(
        "The first tile: {who}, stack {stack} from the right, {layer}",
        {"who": seats[place.side], "stack": place.stack, "layer": TABLE_LAYERS[place.layer]},
    )
