"""Messages of devices as events of a game: one by one, and from emulated devices on real lines."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import EventError
from companion.following import device_messages
from companion.following.device_messages import (
    LAYERS,
    NOTHING,
    Agreement,
    ButtonRequest,
    DeviceMemory,
    Meaning,
    interpret,
)
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import (
    Call,
    Called,
    Dealt,
    Discarded,
    Drawn,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Won,
)
from companion.table.state import Phase, State
from companion.table.wall import Layer, WallPlace, find_break, places_clockwise
from firmware_bridge import events as told_by
from firmware_bridge.codec import Message
from firmware_bridge.commands import SetTileCount, StartShuffle
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice
from firmware_bridge.emulator.models import drawing_order, find_break_stack, make_sides
from firmware_bridge.handshake import Capability, Welcome
from firmware_bridge.link import Link
from firmware_bridge.peer import End, Received
from firmware_bridge.plain import from_plain
from firmware_bridge.recording import Piece, replay
from firmware_bridge.session import SessionEnded, SessionOpened

CUP = Welcome(1, 1, 1, Capability.DICE, 7, 8, 0, "CUP")
TABLE = Welcome(1, 1, 2, Capability.WALL | Capability.TILE_POSITIONS, 7, 8, 0, "TABLE")
BEGIN, END = (told_by.Snapshot(0, phase, 1) for phase in told_by.SnapshotPhase)


def game(rules: str = "hong_kong", **options: Any) -> State:
    return apply(None, GameStarted(rules=rules, **options))


def roll(number: int, *faces: int) -> told_by.Dice:
    return told_by.Dice(0, number, told_by.DicePhase.SETTLED, tuple(map(told_by.Die, faces)))


def wall(tiles: int, gone: int = 0, dealer: int = 0) -> told_by.Wall:
    there = (False,) * gone + (True,) * (tiles - gone)
    return told_by.Wall(0, told_by.WallPhase.PRESENTED, make_sides(tiles, dealer), there)


def tile(remaining: int, side: int = 0, stack: int = 0, layer: int = 1, action: int = 0) -> told_by.Tile:
    return told_by.Tile(0, action, side, stack, layer, remaining)


def pressed(seat: int, button: int, action: int = 0) -> told_by.ButtonEvent:
    return told_by.ButtonEvent(0, seat, button, action)


class Line:
    """A device that was opened and has told a first snapshot, and the game that follows what it tells."""

    def __init__(
        self, state: State, welcome: Welcome = CUP, agreed: Agreement | None = None, *snapshot: Message
    ) -> None:
        self.state, self.agreed = state, agreed or Agreement()
        self.device, _ = interpret(DeviceMemory(), SessionOpened(welcome, 0.0), state, self.agreed)
        for message in (BEGIN, *snapshot, END):
            self.tell(message)

    def tell(self, message: Message) -> Meaning:
        self.device, meaning = interpret(self.device, Received(message, 0.0, 0.0), self.state, self.agreed)
        for event in meaning.events:
            self.state = apply(self.state, event)
        return meaning

    def play(self, *events: Any) -> Line:
        for event in events:
            self.state = apply(self.state, event)
        return self


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_settled_roll_starts_the_hand_and_breaks_the_wall(rules: str) -> None:
    line = Line(game(rules, dealer=1))
    assert line.tell(replace(roll(1, 2, 1), phase=0)) == NOTHING
    assert line.tell(roll(1, 2, 1)).events == (HandStarted(dealer=1, dice=(2, 1)),)
    assert line.state.hand is not None
    assert line.state.hand.wall.next_place is not None
    assert line.state.hand.wall.next_place.side == (1 + 3 - 1) % 4


def test_a_roll_counts_once() -> None:
    line = Line(game())
    line.tell(roll(1, 1, 2))
    before = line.state
    assert line.tell(roll(1, 1, 2)) == NOTHING
    assert line.tell(replace(roll(1, 1, 3), phase=2)) == NOTHING
    meaning = line.tell(roll(2, 4, 4))
    assert meaning.events == ()
    assert str(meaning.trouble) == "A hand is in play: the roll of 4 4 breaks no wall."
    assert line.state is before


def test_a_roll_from_before_is_not_that_of_this_hand() -> None:
    line = Line(game(), CUP, None, roll(3, 1, 2))
    assert not line.state.playing
    assert line.tell(roll(4, 1, 2)).events


def test_a_roll_while_the_cable_was_out_counts() -> None:
    line = Line(game())
    for event in (SessionEnded(End.SILENCE, 1.0), SessionOpened(CUP, 2.0)):
        line.device, meaning = interpret(line.device, event, line.state, line.agreed)
        assert meaning == NOTHING
    line.tell(BEGIN)
    assert line.tell(roll(1, 2, 2)).events == (HandStarted(dealer=0, dice=(2, 2)),)
    assert line.tell(END) == NOTHING


def test_a_cup_that_was_switched_off_begins_anew() -> None:
    line = Line(game(), CUP, None, roll(1, 1, 1))
    line.device, _ = interpret(line.device, SessionOpened(replace(CUP, boot=8), 2.0), line.state, line.agreed)
    for message in (BEGIN, END):
        line.tell(message)
    assert line.tell(roll(1, 1, 1)).events


def test_dice_of_another_number_are_refused_by_the_game() -> None:
    with pytest.raises(EventError, match="2"):
        Line(game()).tell(roll(1, 1, 2, 3))


def test_the_throw_for_the_indicator() -> None:
    line = Line(game("hangzhou"))
    line.tell(roll(1, 3, 3))
    line.play(Dealt())
    meaning = line.tell(roll(2, 1, 5))
    assert (meaning.dice, meaning.trouble) == ((1, 5), None)
    line.play(IndicatorTurned(tile="3m", dice=meaning.dice))


def test_a_wall_of_another_game_is_reported() -> None:
    line = Line(game("hefei"), TABLE)
    meaning = line.tell(wall(136))
    assert meaning.events == ()
    assert "136" in str(meaning.trouble)
    assert "set it to 84" in str(meaning.trouble)
    assert "12 10 10 10" in str(line.tell(wall(84, dealer=1)).trouble)  # the dealer's side is longer (HF-01)
    assert line.tell(wall(84)).trouble is None


def test_a_wall_starts_the_hand_where_nobody_tells_dice() -> None:
    assert Line(game(), TABLE).tell(wall(144)).events == (HandStarted(dealer=0),)
    dice_elsewhere = Line(game(), TABLE, Agreement(dice_elsewhere=True))
    assert dice_elsewhere.tell(wall(144)) == NOTHING
    both = Line(game(), replace(TABLE, capabilities=TABLE.capabilities | Capability.DICE))
    assert both.tell(wall(144)) == NOTHING
    used = Line(game(), TABLE)
    assert used.tell(wall(144, gone=1)) == NOTHING


def in_play(agreed: Agreement | None = None) -> Line:
    """Hong Kong without dice, dealt as the table told tile by tile; the dealer has discarded."""
    line = Line(game(), TABLE, agreed)
    line.tell(wall(144))
    for remaining in range(143, 144 - 53, -1):
        assert line.tell(tile(remaining)) == NOTHING
    assert line.tell(tile(144 - 53)).events == (Dealt(),)
    return line.play(Discarded(seat=0, tile="1m"))


def test_tiles_that_leave_the_wall_are_dealt_and_drawn() -> None:
    line = in_play()
    assert line.tell(tile(90)).events == (Drawn(seat=1),)
    assert line.tell(tile(90)) == NOTHING
    with pytest.raises(EventError, match="seat 1 discards first"):
        line.tell(tile(89))
    line.play(Discarded(seat=1, tile="2m"))
    assert "2 tiles" in str(line.tell(tile(88)).trouble)
    assert "undo the draw" in str(line.tell(tile(90, action=1)).trouble)


def test_a_snapshot_tells_what_was_missed() -> None:
    line = in_play()
    assert line.tell(wall(144, gone=53)) == NOTHING
    assert line.tell(wall(144, gone=54)).events == (Drawn(seat=1),)


def test_places_are_held_against_the_break() -> None:
    line = Line(game("hebei"), TABLE, Agreement(first_seat=1, dice_elsewhere=True))
    line.tell(wall(136))
    line.play(HandStarted(dealer=0, dice=(3, 5)), Dealt(), Discarded(seat=0, tile="1m"))
    assert line.state.hand is not None
    assert line.state.hand.wall.next_place == WallPlace(1, 1, Layer.LOWER)
    elsewhere = line.tell(tile(82, side=3, stack=4, layer=1))
    said = "A tile left side 0, stack 5, but the next tile to draw was at side 1, stack 1."
    assert (str(elsewhere.trouble), elsewhere.events) == (said, (Drawn(seat=1),))
    line.play(Discarded(seat=1, tile="1m"))
    assert line.tell(tile(81, side=0, stack=1, layer=1)) == Meaning((Drawn(seat=2),))


def test_buttons_call_and_win_only_as_agreed() -> None:
    line = in_play(Agreement(first_seat=2))
    seat = {each: (each - 2) % 4 for each in range(4)}  # the device's number of each seat
    assert line.tell(pressed(seat[1], told_by.Button.PUNG)).events == (Called(seat=1, call=Call.PUNG),)
    assert line.tell(pressed(seat[1], told_by.Button.PASS)).events == (Called(seat=1, call=Call.NOTHING),)
    assert line.tell(pressed(seat[1], told_by.Button.PUNG, action=2)) == NOTHING
    assert line.tell(pressed(seat[3], told_by.Button.WIN)) == Meaning(
        request=ButtonRequest(3, told_by.Button.WIN)
    )
    assert line.tell(pressed(told_by.CENTRE, told_by.Button.NEXT_HAND)) == Meaning(
        request=ButtonRequest(None, 9)
    )
    assert line.tell(pressed(told_by.CENTRE, told_by.Button.WIN)) == Meaning(request=ButtonRequest(None, 1))
    assert line.tell(pressed(seat[0], 99)) == Meaning(request=ButtonRequest(0, 99))
    agreed = replace(line.agreed, wins=True)
    received = Received(pressed(seat[3], told_by.Button.WIN), 0.0, 0.0)
    assert interpret(line.device, received, line.state, agreed)[1].events == (Won(seat=3),)
    received = Received(pressed(seat[3], told_by.Button.READY), 0.0, 0.0)
    assert interpret(line.device, received, line.state, agreed)[1].events == (ReadyDeclared(seat=3),)


def test_what_means_nothing_for_the_game() -> None:
    line = Line(game(), TABLE)
    assert line.tell(tile(100)) == NOTHING
    assert line.tell(told_by.Discard(0, 1, 0, 0)) == NOTHING
    assert line.tell(told_by.Wall(0, 0, (told_by.Side(0, 0),) * 4, ())) == NOTHING


def test_no_message_of_the_protocol_raises() -> None:
    """Every test vector, at every moment of a hand: an event, a sentence or nothing."""
    file = Path(__file__).resolve().parents[2] / "firmware_bridge" / "vectors.jsonl"
    vectors = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    messages = [from_plain(each["fields"]) for each in vectors if each["kind"] == "message"]
    started = game("hangzhou")
    moments = [started]
    for event in (
        HandStarted(dealer=0, dice=(1, 2)),
        Dealt(),
        IndicatorTurned(tile="3m"),
        Discarded(seat=0, tile="1m"),
    ):
        moments.append(apply(moments[-1], event))
    for state in moments:
        for message in messages:
            device, meaning = interpret(
                DeviceMemory(), Received(message, 0.0, 0.0), state, Agreement(wins=True)
            )
            assert isinstance(device, DeviceMemory)
            assert meaning.trouble is None or str(meaning.trouble)


def test_sentences_are_listed_for_translators() -> None:
    everything = vars(device_messages).items()
    named = [value for name, value in everything if name.isupper() and isinstance(value, str)]
    assert sorted(named) == sorted(device_messages.SENTENCES)


# from emulated devices, on real lines


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


class Follower:
    """A game that follows a link, as the program does."""

    def __init__(self, link: Link, state: State, agreed: Agreement) -> None:
        self.link, self.state, self.agreed, self.device = link, state, agreed, DeviceMemory()

    def look(self) -> State:
        for event in self.link.take():
            self.device, meaning = interpret(self.device, event, self.state, self.agreed)
            assert meaning.trouble is None, meaning.trouble
            for each in meaning.events:
                self.state = apply(self.state, each)
        return self.state


def test_a_roll_of_the_emulated_cup_sets_the_break(tmp_path: Path) -> None:
    path = tmp_path / "cup"
    cup = DiceCup(random.Random(1))
    with EmulatedDevice(cup, path) as device, Link(str(path)) as link:
        follower = Follower(link, game("hebei"), Agreement())
        until(lambda: link.status().known.complete)
        follower.look()
        device.play(lambda t_ms: cup.act(["roll"], t_ms))
        until(lambda: follower.look().playing)
        hand = follower.state.hand
        assert hand is not None
        assert cup.last is not None
        assert hand.dice == tuple(die.value for die in cup.last.dice)
        assert hand.wall.next_place is not None


def test_a_recorded_session_tells_the_game_the_same(tmp_path: Path) -> None:
    path, file = tmp_path / "cup", tmp_path / "session.jsonl"
    cup = DiceCup(random.Random(4))
    with EmulatedDevice(cup, path) as device, Link(str(path), record=file) as link:
        follower = Follower(link, game("hebei"), Agreement())
        until(lambda: link.status().known.complete)
        device.play(lambda t_ms: cup.act(["roll"], t_ms))
        until(lambda: follower.look().playing)
    state, known = game("hebei"), DeviceMemory()
    for event in replay(file):
        if not isinstance(event, Piece):
            known, meaning = interpret(known, event, state, Agreement())
            for each in meaning.events:
                state = apply(state, each)
    assert state == follower.state


@pytest.mark.parametrize("rules", RULE_SETS)
def test_an_emulated_table_is_drawn_from_as_the_game_says(rules: str) -> None:
    """Its people know the way round the wall as the game does, for every dealer and throw."""
    house = game(rules).house
    for dealer in range(4):
        stacks = house.wall.stacks(dealer)
        sides = make_sides(house.wall.tile_set.total, dealer)
        assert tuple(side.stacks for side in sides) == stacks
        for dice in ((1, 1), (3, 4), (6, 6)):
            first = find_break(house.wall, dealer, dice)
            side, stack = find_break_stack(sides, dealer, sum(dice))
            if house.wall.break_after is None:  # else the dice choose the side only
                assert (side, stack + 1) == (first.side, first.stack)
            order = drawing_order(sides, first.side, first.stack - 1)
            ours = [WallPlace(side, stack + 1, LAYERS[layer]) for side, stack, layer in order]
            assert tuple(ours) == places_clockwise(stacks, first)


def deal(device: EmulatedDevice, table: AutomaticTable, follower: Follower, tiles: int) -> None:
    """The players take so many tiles, as the game says how many."""
    for _ in range(tiles):
        device.play(table.draw)
    until(lambda: follower.look().hand.phase is not Phase.DEAL)  # type: ignore[union-attr]


@pytest.mark.parametrize(("rules", "tiles"), [("hebei", 136), ("hefei", 84)])
def test_the_dice_of_the_emulated_table_break_its_wall(tmp_path: Path, rules: str, tiles: int) -> None:
    """Shuffled, thrown, dealt and drawn from: no tile leaves where the game does not expect it."""
    path = tmp_path / "table"
    table = AutomaticTable(random.Random(1))
    with EmulatedDevice(table, path) as device, Link(str(path)) as link:
        follower = Follower(link, game(rules, dealer=2), Agreement())
        until(lambda: link.status().known.complete)
        link.send(SetTileCount(tiles))
        link.send(StartShuffle(2))
        until(lambda: table.table.state == told_by.TableState.READY and link.status().known.wall is not None)
        device.play(table.throw)
        until(lambda: follower.look().playing)
        deal(device, table, follower, 53)
        assert follower.device.places
        follower.state = apply(follower.state, Discarded(seat=2, tile="5m"))
        device.play(table.draw)
        until(lambda: follower.look().hand.turn == 3 and follower.state.hand.phase is Phase.TURN)  # type: ignore[union-attr]


def test_a_wall_of_the_emulated_table_is_dealt_from(tmp_path: Path) -> None:
    """Nobody tells dice; the cable is out while a tile is drawn."""
    path = tmp_path / "table"
    table = AutomaticTable(random.Random(1), dice=0)
    with EmulatedDevice(table, path) as device, Link(str(path)) as link:
        follower = Follower(link, game("hong_kong"), Agreement())
        until(lambda: link.status().known.complete)
        link.send(SetTileCount(144))
        link.send(StartShuffle())
        until(lambda: follower.look().playing)
        deal(device, table, follower, 53)
        device.unplug()
        follower.state = apply(follower.state, Discarded(seat=0, tile="1m"))
        device.play(table.draw)
        device.plug()
        until(lambda: follower.look().hand.turn == 1 and follower.state.hand.phase is Phase.TURN)  # type: ignore[union-attr]
        assert table.wall is not None
        assert follower.state.hand is not None
        assert follower.state.hand.wall.drawn == table.wall.places - table.wall.remaining
