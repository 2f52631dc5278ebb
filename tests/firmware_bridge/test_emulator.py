"""Emulated devices: what they are on, how their line behaves, which walls they build."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from firmware_bridge.clock import WRAP_MS
from firmware_bridge.codec import Decoder, Message, Packet, encode
from firmware_bridge.commands import CommandOutcome, SetTileCount, StartShuffle
from firmware_bridge.emulator import AutomaticTable, EmulatedDevice, Faults
from firmware_bridge.emulator.models import BUILDING_MS, SHUFFLING_MS, find_break_stack, make_sides
from firmware_bridge.errors import MessageError
from firmware_bridge.events import ButtonEvent, Dice, Table, TableError, TableState, Tile
from firmware_bridge.handshake import Bye, ByeReason, Capability, Heartbeat, Hello
from firmware_bridge.limits import QUEUE_MAX
from firmware_bridge.link import Link
from tests.firmware_bridge.lines import Listener, cup, table


def test_an_emulated_device_replaces_no_file(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(FileExistsError):
        EmulatedDevice(cup(), path)
    assert path.read_text() == "precious"


def test_an_emulated_device_takes_no_path_of_another(path: Path) -> None:
    with EmulatedDevice(cup(), path) as first:
        port = os.readlink(path)
        with pytest.raises(FileExistsError):
            EmulatedDevice(cup(), path)
        assert os.readlink(path) == port
        first.unplug()
        with EmulatedDevice(cup(), path), pytest.raises(FileExistsError):
            first.plug()
        first.plug()
        assert path.is_char_device()


def test_a_path_that_a_killed_program_left_is_taken(path: Path) -> None:
    path.symlink_to("/dev/pts/absent")
    with EmulatedDevice(cup(), path):
        assert path.is_char_device()
    assert not os.path.lexists(path)


def test_an_emulated_line_takes_its_time(path: Path) -> None:
    """960 bytes a second, as at 9600 baud: a frame of 20 bytes needs 20 ms."""
    model = cup()
    with EmulatedDevice(model, path, Faults(bytes_per_s=960)) as device, Link(str(path)) as link:
        Listener(link).opened()
        time.sleep(0.1)
        for _ in range(3):
            message = model.throw(device.now_ms())[1]
            wire = len(encode(Packet(message, 1, 1)))
            link.take()
            began = time.monotonic()
            device.tell(message)
            Listener(link).until(lambda message=message: link.status().known.roll == message)  # type: ignore[misc]
            assert time.monotonic() - began >= 0.9 * wire / 960
            time.sleep(0.05)


def test_a_host_that_acknowledges_nothing_gets_a_goodbye(path: Path) -> None:
    """The queue is full: the session ends, and the next snapshot tells what was in it."""
    with EmulatedDevice(cup(), path) as device:
        line = os.open(path, os.O_RDWR | os.O_NOCTTY)
        os.write(line, encode(Packet(Hello(1, 1, 7), 7)) + encode(Packet(Heartbeat(0, 1), 7)))
        while not device.is_open:
            time.sleep(0.002)
        device.tell([ButtonEvent(number, 0, 1, 0) for number in range(QUEUE_MAX + 1)])
        decoder, got = Decoder(), []
        while not (got and isinstance(got[-1], Packet) and isinstance(got[-1].message, Bye)):
            got += decoder.feed(os.read(line, 4096))
        os.close(line)
        assert got[-1] == Packet(Bye(ByeReason.STUCK), 7)
        assert not device.is_open


@pytest.mark.parametrize(
    ("tiles", "dealer", "stacks"),
    [
        (84, 0, [12, 10, 10, 10]),
        (84, 3, [10, 10, 10, 12]),
        (108, 0, [14, 13, 14, 13]),
        (108, 1, [13, 14, 13, 14]),
        (136, 2, [17, 17, 17, 17]),
        (144, 0, [18, 18, 18, 18]),
        (110, 2, [14, 13, 14, 14]),
    ],
)
def test_walls_of_every_game(tiles: int, dealer: int, stacks: list[int]) -> None:
    assert [side.stacks for side in make_sides(tiles, dealer)] == stacks
    assert sum(side.stacks * side.layers for side in make_sides(tiles, dealer)) == tiles


def test_a_table_that_was_mended_goes_on_where_it_was() -> None:
    model = table()
    model.command(StartShuffle(), 0)
    model.fail(TableError.JAM, 1)
    model.fail(TableError.LID_OPEN, 2)
    assert model.command(StartShuffle(), 3)[0] is CommandOutcome.REFUSED
    assert model.tick(60_000) == []
    assert model.mend(60_000) == [model.table]
    assert (model.table.state, model.table.error) == (TableState.SHUFFLING, TableError.NONE)
    assert model.mend(60_001) == []


def test_a_tile_count_counts_from_the_next_shuffle_on() -> None:
    model = table()
    model.command(SetTileCount(84), 0)
    model.command(StartShuffle(2), 0)
    assert model.command(SetTileCount(144), 1)[0] is CommandOutcome.DONE
    model.tick(SHUFFLING_MS)
    model.tick(SHUFFLING_MS + BUILDING_MS)
    assert model.table.state == TableState.READY
    assert model.wall is not None
    assert [side.stacks for side in model.wall.sides] == [10, 10, 12, 10]
    model.command(StartShuffle(), 10_000)
    model.tick(20_000)
    model.tick(30_000)
    assert model.wall.places == 144


@pytest.mark.parametrize("began", [5_000, 0])
def test_a_turn_that_began_before_the_shuffle_was_asked_for_does_not_end_it(began: int) -> None:
    model = AutomaticTable(random.Random(1))
    model.command(StartShuffle(), began)
    assert model.tick((began - 1) % WRAP_MS) == []
    assert model.table.state == TableState.SHUFFLING
    model.tick(began + SHUFFLING_MS)
    assert model.table.state == TableState.BUILDING


def presented(dealer: int = 0, tiles: int = 136, dice: int = 2) -> AutomaticTable:
    """A table whose wall stands."""
    model = AutomaticTable(random.Random(1), dice=dice)
    model.command(SetTileCount(tiles), 0)
    model.command(StartShuffle(dealer), 0)
    model.tick(SHUFFLING_MS)
    model.tick(SHUFFLING_MS + BUILDING_MS)
    assert model.table.state == TableState.READY
    return model


def places(messages: list[Message]) -> list[tuple[int, int, int]]:
    return [(each.side, each.stack, each.layer) for each in messages if isinstance(each, Tile)]


def test_people_draw_clockwise_from_the_break_the_upper_tile_first() -> None:
    """On to the left end of its side, then side by side from the right; last what stood right of it."""
    model = presented()
    model.break_at(1, 15)
    drawn = [place for _ in range(136) for place in places(model.draw(0))]
    assert drawn[:6] == [(1, 15, 1), (1, 15, 0), (1, 16, 1), (1, 16, 0), (0, 0, 1), (0, 0, 0)]
    sides = [side for side, stack, layer in drawn if (stack, layer) == (0, 1)]
    assert sides == [0, 3, 2, 1]
    assert drawn[-1] == (1, 14, 0)
    assert len(set(drawn)) == 136
    assert model.draw(0) == []


def test_a_tile_that_was_put_back_is_drawn_again() -> None:
    model = presented()
    model.break_at(2, 3)
    first = places(model.draw(0))
    model.draw(0)
    assert places(model.put_back(*first[0], 0)) == first
    assert places(model.draw(0)) == first


@pytest.mark.parametrize("dealer", range(4))
def test_the_dice_of_a_table_break_its_wall(dealer: int) -> None:
    model = presented(dealer)
    _, settled = model.throw(0)
    assert isinstance(settled, Dice)
    total = settled.total
    first = places(model.draw(0))
    assert first == [((dealer + total - 1) % 4, total, 1)]
    model.throw(0)  # the throw for an indicator breaks nothing
    assert places(model.draw(0)) == [(*first[0][:2], 0)]
    assert model.snapshot()[-1] == model._require_dice.last


def test_dice_beyond_the_end_of_a_side_count_on_along_the_next() -> None:
    sides = make_sides(84)
    assert [side.stacks for side in sides] == [12, 10, 10, 10]
    assert find_break_stack(sides, 0, 12) == (2, 2)  # side 3 has ten stacks; clockwise the next is side 2
    assert find_break_stack(sides, 0, 5) == (0, 5)


def test_a_wall_that_nobody_broke_is_drawn_from_the_dealers_right() -> None:
    model = presented(dealer=2, dice=0)
    assert places(model.draw(0)) == [(2, 0, 1)]
    with pytest.raises(MessageError, match="no dice"):
        model.act(["roll"], 0)
    assert not model.about.capabilities & Capability.DICE


def test_a_break_needs_a_place() -> None:
    for words in (["break", "0", "1"], ["return", "0", "1", "0"]):
        with pytest.raises(MessageError, match="no wall"):
            table().act(words, 0)
    with pytest.raises(MessageError, match="stack is 17"):
        presented().act(["break", "0", "17"], 0)


def test_a_table_goes_on_when_its_clock_begins_again() -> None:
    """49.7 days after it was switched on, in the middle of a shuffle."""
    model = table()
    model.command(StartShuffle(), WRAP_MS - 1)
    assert model.tick(0) == []
    assert model.tick(SHUFFLING_MS)
    assert model.tick(SHUFFLING_MS + BUILDING_MS)
    assert model.table.state == TableState.READY


def test_automatic_actions_never_start_a_motor_under_an_open_lid() -> None:
    model = presented()
    model.fail(TableError.LID_OPEN, 0)
    assert model.go_on(1) == []
    assert model.table.error == TableError.LID_OPEN


def test_by_itself_a_table_shuffles_throws_and_is_drawn_from() -> None:
    model = table()
    model.go_on(0)
    model.tick(SHUFFLING_MS)
    model.tick(SHUFFLING_MS + BUILDING_MS)
    assert [type(each) for each in model.go_on(10_000)] == [Dice, Dice]
    assert [type(each) for each in model.go_on(10_001)] == [Table, Tile]
    reported = [each for time in range(10_002, 10_124) for each in model.go_on(time)]
    assert len(places(reported)) == 121  # one was drawn, fourteen stay
    assert reported[-1] == model.wall  # none: the next hand begins
    assert model.table.state == TableState.SHUFFLING
