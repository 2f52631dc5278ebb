"""What the messages of dice cups and automatic tables mean for a game: pure, one message at a time.

Nothing is decided here: a `Meaning` names the events that a message reports, and the game decides whether
they happen. It also carries what is not an event: a sentence for people, or the request of a button.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import EventError
from companion.table.events import Call, Called, Dealt, Drawn, Event, HandStarted, ReadyDeclared, Won
from companion.table.state import HandState, Phase, State
from companion.table.wall import Layer, WallPlace
from firmware_bridge.events import (
    CENTRE,
    Button,
    ButtonAction,
    ButtonEvent,
    Dice,
    DicePhase,
    Snapshot,
    SnapshotPhase,
    Tile,
    TileAction,
    Wall,
    WallPhase,
)
from firmware_bridge.handshake import Capability, Welcome
from firmware_bridge.peer import Received
from firmware_bridge.session import LinkEvent as LinkEvent
from firmware_bridge.session import SessionOpened

SEATS = 4
LAYERS = (Layer.LOWER, Layer.UPPER)
CALLS = {Button.CHOW: Call.CHOW, Button.PUNG: Call.PUNG, Button.KONG: Call.KONG, Button.PASS: Call.NOTHING}

ROLL_IN_PLAY = "A hand is in play: the roll of {dice} breaks no wall."
OTHER_WALL = "The table has built {given} tiles, and {rules} is played with {right}: set it to {right}."
OTHER_SIDES = (
    "The table's sides have {given} stacks, and those of {rules} have {right}: the places of its "
    "tiles are not followed."
)
OTHER_PLACE = (
    "A tile left side {side}, stack {stack}, but the next tile to draw was at side {right}, stack {at}."
)
SEVERAL_GONE = "{count} tiles left the wall, but no draw was recorded."
PUT_BACK = "A tile was returned to the wall: undo the draw, if it was one."
SENTENCES = (ROLL_IN_PLAY, OTHER_WALL, OTHER_SIDES, OTHER_PLACE, SEVERAL_GONE, PUT_BACK)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the players let a device do.

    first_seat: the seat at the device's side 0; the others follow counterclockwise. wins: whether a player's
    win button declares a win; otherwise it only asks. dice_elsewhere: whether another device reports the
    dice.
    """

    first_seat: int = 0
    wins: bool = False
    dice_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class ButtonRequest:
    """A button that requests something: the seat of the button (None: the middle of the table) and its
    code."""

    seat: int | None
    button: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a message means for the game. `dice`: a roll that no event has used yet, such as one for an
    indicator (HZ-05)."""

    events: tuple[Event, ...] = ()
    request: ButtonRequest | None = None
    dice: tuple[int, ...] | None = None
    trouble: EventError | None = None


NOTHING = Meaning()


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """What is remembered of one device: its boot, its last roll, whether a snapshot is coming in, whether it
    reports dice, and whether its wall has the game's sides."""

    boot: int | None = None
    roll: int | None = None
    in_snapshot: bool = False
    reports_dice: bool = False
    places: bool = False


def interpret(
    device: DeviceMemory, event: LinkEvent, state: State | None, agreed: Agreement
) -> tuple[DeviceMemory, Meaning]:
    """What is remembered of the device after an event of its link, and what the event means for the game.

    `state` is None without a game: only buttons mean something then.
    """
    if isinstance(event, SessionOpened):
        return _remember_session(device, event.device), NOTHING
    if not isinstance(event, Received):
        return replace(device, in_snapshot=False), NOTHING
    message = event.message
    if isinstance(message, Snapshot):
        return _remember_snapshot(device, message), NOTHING
    if isinstance(message, Dice):
        return _interpret_dice(device, message, state)
    if isinstance(message, Wall):
        return _interpret_wall(device, message, state, agreed)
    if isinstance(message, Tile):
        return device, _interpret_tile(device, message, state, agreed)
    if isinstance(message, ButtonEvent) and message.action == ButtonAction.PRESSED:
        return device, _interpret_button(message, agreed)
    return device, NOTHING


def _remember_session(device: DeviceMemory, welcome: Welcome) -> DeviceMemory:
    dice = Capability.DICE in welcome.capabilities
    if welcome.boot == device.boot:
        return replace(device, in_snapshot=False, reports_dice=dice)
    return DeviceMemory(welcome.boot, reports_dice=dice)


def _remember_snapshot(device: DeviceMemory, snapshot: Snapshot) -> DeviceMemory:
    begins = snapshot.phase == SnapshotPhase.BEGIN
    # Without a roll in the first snapshot the next one is the first, and counts.
    roll = 0 if not begins and device.roll is None else device.roll
    return replace(device, in_snapshot=begins, roll=roll)


def _interpret_dice(device: DeviceMemory, dice: Dice, state: State | None) -> tuple[DeviceMemory, Meaning]:
    """Each settled roll counts once. A roll from before the device's first message never counts."""
    if dice.phase != DicePhase.SETTLED or dice.roll == device.roll:
        return device, NOTHING
    before = device.roll is None and device.in_snapshot
    device = replace(device, roll=dice.roll)
    if before or state is None:
        return device, NOTHING
    faces = tuple(die.value for die in dice.dice)
    if not state.playing:
        return device, Meaning((HandStarted(dealer=state.deal.dealer, dice=faces),))
    assert state.hand is not None
    if state.hand.phase is Phase.INDICATOR:
        return device, Meaning(dice=faces)
    return device, Meaning(dice=faces, trouble=EventError(ROLL_IN_PLAY, dice=_join(faces)))


def _interpret_wall(
    device: DeviceMemory, wall: Wall, state: State | None, agreed: Agreement
) -> tuple[DeviceMemory, Meaning]:
    """Compare a presented wall with the game's. It starts the hand if no device reports dice."""
    if wall.phase != WallPhase.PRESENTED or state is None:
        return replace(device, places=False), NOTHING
    house, deal = state.house, state.deal
    right = house.wall.tile_set.total
    title = house.rules.title
    if wall.places != right:
        other = EventError(OTHER_WALL, given=wall.places, right=right, rules=title)
        return replace(device, places=False), Meaning(trouble=other)
    hand = state.hand
    dealer = hand.deal.dealer if hand is not None and state.playing else deal.dealer
    stacks = house.wall.stacks(dealer)
    given = tuple(wall.sides[(seat - agreed.first_seat) % SEATS].stacks for seat in range(SEATS))
    device = replace(device, places=given == stacks)
    trouble: EventError | None = None
    if given != stacks:
        trouble = EventError(OTHER_SIDES, given=_join(given), right=_join(stacks), rules=title)
    if state.playing and hand is not None:
        return device, _interpret_gap(state, hand, right - wall.remaining, trouble)
    starts = not (device.reports_dice or agreed.dice_elsewhere) and wall.remaining == right
    events = (HandStarted(dealer=dealer),) if starts else ()
    return device, Meaning(events, trouble=trouble)


def _join(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _interpret_tile(device: DeviceMemory, tile: Tile, state: State | None, agreed: Agreement) -> Meaning:
    hand = state.hand if state else None
    if state is None or hand is None or not state.playing:
        return NOTHING
    if tile.action == TileAction.RETURNED:
        return Meaning(trouble=EventError(PUT_BACK))
    side = (tile.side + agreed.first_seat) % SEATS
    place = WallPlace(side, tile.stack + 1, LAYERS[tile.layer])
    wall = hand.wall
    right = wall.replacement_place if hand.owed else wall.next_place
    trouble: EventError | None = None
    if device.places and hand.phase is not Phase.DEAL and right is not None and right != place:
        trouble = EventError(
            OTHER_PLACE, side=side, stack=place.stack, right=right.side, at=right.stack
        )  # fmt: skip
    return _interpret_gap(state, hand, len(wall.order) - tile.remaining, trouble)


def _interpret_gap(state: State, hand: HandState, gone: int, trouble: EventError | None) -> Meaning:
    """The draws or the deal that the game lacks when `gone` tiles have left the wall."""
    house, wall = state.house, hand.wall
    if hand.phase is Phase.DEAL:
        all_dealt = gone > sum(house.wall.deal) * len(house.seats)  # the dealer gets one more (C-04)
        return Meaning((Dealt(),) if all_dealt else (), trouble=trouble)
    unknown = gone - wall.drawn - wall.replaced
    if unknown <= 0:
        return Meaning(trouble=trouble)
    if unknown > 1:
        return Meaning(trouble=EventError(SEVERAL_GONE, count=unknown))
    waits = hand.owed or hand.phase is Phase.CLAIM
    return Meaning((Drawn(seat=hand.turn if waits else house.following[hand.turn]),), trouble=trouble)


def _interpret_button(pressed: ButtonEvent, agreed: Agreement) -> Meaning:
    seat = None if pressed.seat == CENTRE else (pressed.seat + agreed.first_seat) % SEATS
    if seat is not None:
        if pressed.button in CALLS:
            return Meaning((Called(seat=seat, call=CALLS[Button(pressed.button)]),))
        if pressed.button == Button.READY:
            return Meaning((ReadyDeclared(seat=seat),))
        if pressed.button == Button.WIN and agreed.wins:
            return Meaning((Won(seat=seat),))
    return Meaning(request=ButtonRequest(seat, pressed.button))
