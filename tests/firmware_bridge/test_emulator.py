"""Emulated devices: what they are on, how their line behaves, which walls they build."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from firmware_bridge.codec import Decoder, Packet, encode
from firmware_bridge.commands import Outcome, SetTileCount, StartShuffle
from firmware_bridge.emulator import EmulatedDevice, Faults
from firmware_bridge.emulator.models import BUILDING_MS, SHUFFLING_MS, sides_for
from firmware_bridge.events import ButtonEvent, TableError, TableState
from firmware_bridge.handshake import Bye, ByeReason, Heartbeat, Hello
from firmware_bridge.limits import QUEUE_MAX
from firmware_bridge.link import Link
from tests.firmware_bridge.lines import Listener, cup, table


def test_an_emulated_device_replaces_no_file(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(FileExistsError):
        EmulatedDevice(cup(), path)
    assert path.read_text() == "precious"


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
            Listener(link).until(lambda message=message: link.status().picture.roll == message)  # type: ignore[misc]
            assert time.monotonic() - began >= 0.9 * wire / 960
            time.sleep(0.05)


def test_a_host_that_acknowledges_nothing_is_told_goodbye(path: Path) -> None:
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
    assert [side.stacks for side in sides_for(tiles, dealer)] == stacks
    assert sum(side.stacks * side.layers for side in sides_for(tiles, dealer)) == tiles


def test_a_table_that_was_mended_goes_on_where_it_was() -> None:
    model = table()
    model.command(StartShuffle(), 0)
    model.fail(TableError.JAM, 1)
    model.fail(TableError.LID_OPEN, 2)
    assert model.command(StartShuffle(), 3)[0] is Outcome.REFUSED
    assert model.tick(60_000) == []
    assert model.mend(60_000) == [model.table]
    assert (model.table.state, model.table.error) == (TableState.SHUFFLING, TableError.NONE)
    assert model.mend(60_001) == []


def test_a_tile_count_counts_from_the_next_shuffle_on() -> None:
    model = table()
    model.command(SetTileCount(84), 0)
    model.command(StartShuffle(2), 0)
    assert model.command(SetTileCount(144), 1)[0] is Outcome.DONE
    model.tick(SHUFFLING_MS)
    model.tick(SHUFFLING_MS + BUILDING_MS)
    assert model.table.state == TableState.READY
    assert model.wall is not None
    assert [side.stacks for side in model.wall.sides] == [10, 10, 12, 10]
    model.command(StartShuffle(), 10_000)
    model.tick(20_000)
    model.tick(30_000)
    assert model.wall.places == 144
