"""The link on real pseudo-terminals: what arrives, what is asked, cables and devices that fail."""

from __future__ import annotations

import os
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from firmware_bridge.codec import Message, Packet, encode
from firmware_bridge.commands import Beep, CommandOutcome, Result, SetTileCount, StartShuffle
from firmware_bridge.emulator import EmulatedDevice, Faults, trials
from firmware_bridge.errors import LinkError
from firmware_bridge.events import (
    Dice,
    Snapshot,
    TableState,
)
from firmware_bridge.handshake import Refused
from firmware_bridge.link import Link, LinkState, Mirror
from firmware_bridge.peer import End, Received
from firmware_bridge.ports import open_port
from firmware_bridge.session import SessionEnded, SessionRefused
from tests.firmware_bridge.lines import Listener, by_hand, cup, hello, table

PATIENCE_S = 60.0


def test_a_roll_arrives(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        device.tell(model.throw(device.now_ms()))
        device.tell(model.nudge(device.now_ms()))
        listener.until(lambda: len(listener.messages(Dice)) >= 3)
        mirror = Mirror()
        boot = model.about.boot
        counted = [
            each for each in listener.messages(Dice) if isinstance(each, Dice) and mirror.counts(each, boot)
        ]
        assert counted == [model.last]
        assert link.status().state is LinkState.OPEN
        received = next(each for each in listener.events if isinstance(each, Received))
        assert 0 <= received.at - received.happened < 1


def test_a_table_shuffles_builds_and_is_drawn_from(path: Path) -> None:
    model = table()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        set_to_84 = link.send(SetTileCount(84))
        shuffle = link.send(StartShuffle())
        listener.until(
            lambda: link.status().known.table is not None and model.table.state == TableState.READY
        )
        again = link.send(SetTileCount(85))
        for _ in range(20):
            device.tell(model.draw(device.now_ms()))
        device.tell(model.put_back(0, 0, 0, device.now_ms()))
        refused = link.send(StartShuffle())
        listener.until(lambda: len(listener.messages(Result)) == 4)
        listener.until(lambda: link.status().known.wall == model.wall)
        results = [each for each in listener.messages(Result) if isinstance(each, Result)]
        assert {each.command_seq: each.outcome for each in results} == {
            set_to_84: CommandOutcome.DONE,
            shuffle: CommandOutcome.STARTED,
            again: CommandOutcome.BAD_VALUE,
            refused: CommandOutcome.REFUSED,
        }
        assert model.wall is not None
        assert model.wall.remaining == 84 - 20 + 1
        assert link.status().known.table == model.table


@pytest.mark.slow
def test_one_byte_in_a_hundred_damaged_and_everything_arrives_once_and_in_order(
    bad_line_messages: int,
) -> None:
    tried = trials.try_bad_line(bad_line_messages)
    assert tried.arrived
    assert tried.sessions == 1
    assert tried.damaged > bad_line_messages / 20


@pytest.mark.slow
def test_unplugged_and_plugged_in_again_and_again(unplugs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many times in a hand, at any moment: what the link knows afterwards is what the table has."""
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.02)
    tried = trials.try_unplugging(unplugs)
    assert tried.same
    assert 0 < tried.drawn < 136
    assert tried.sessions > unplugs / 2


def test_a_device_that_restarts(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        device.tell(model.throw(device.now_ms()))
        listener.until(lambda: link.status().known.roll == model.last)
        device.restart()
        listener.until(lambda: link.status().sessions == 2 and link.status().known.complete)
        assert link.status().known.roll == model.last
        assert [each.reason for each in listener.events if isinstance(each, SessionEnded)] == [End.RESTARTED]


def test_another_version_is_reported(path: Path) -> None:
    with EmulatedDevice(cup(), path, Faults(wrong_version=True)), Link(str(path)) as link:
        listener = Listener(link)
        listener.until(lambda: link.status().state is LinkState.REFUSED)
        assert "version 9" in link.status().trouble
        assert [type(each) for each in listener.events] == [SessionRefused]
        with pytest.raises(LinkError, match="refused"):
            link.send(Beep(880, 100))


def test_a_device_of_another_computer_is_reported(path: Path) -> None:
    with by_hand(path) as master, Link(str(path)) as link:
        nonce = hello(master).nonce
        os.write(master, encode(Packet(Refused(nonce, 2, 1, 1), nonce % 256)))
        Listener(link).until(lambda: link.status().state is LinkState.REFUSED)
        assert "another computer" in link.status().trouble


def test_a_stuck_device_never_holds_up_the_caller(path: Path) -> None:
    with EmulatedDevice(cup(), path, Faults(stuck=True)), Link(str(path)) as link:
        start = time.monotonic()
        for _ in range(200):
            link.take()
            link.status()
        assert link.status().state in (LinkState.GREETING, LinkState.NO_PORT)
    assert time.monotonic() - start < PATIENCE_S


def test_a_device_that_gets_stuck_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.peer.SILENCE_MAX_S", 0.4)
    monkeypatch.setattr("firmware_bridge.peer.HEARTBEAT_EVERY_S", 0.1)
    with EmulatedDevice(cup(), path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        device.faults = Faults(stuck=True)
        listener.until(lambda: link.status().state is LinkState.GREETING)
        assert link.status().trouble == "The session ended: no answer."
        device.faults = Faults()
        listener.until(lambda: link.status().state is LinkState.OPEN)
        assert link.status().trouble == ""


def test_mismatch_requests_a_snapshot(path: Path) -> None:
    """A device that lost count: the link asks, and has it right again."""
    model = table()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        link.send(StartShuffle())
        listener.until(lambda: model.table.state == TableState.READY)
        model.draw(device.now_ms())  # never told
        device.tell(model.draw(device.now_ms()))
        listener.until(lambda: link.status().known.complete and link.status().known.wall == model.wall)
        assert len(listener.messages(Snapshot)) == 4


def test_a_slow_line(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path, Faults(bytes_per_s=960)) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        for _ in range(20):
            device.tell(model.throw(device.now_ms()))
        listener.until(lambda: device.unacknowledged == 0)
        rolls = [each.roll for each in listener.messages(Dice) if isinstance(each, Dice) and each.phase == 1]
        assert rolls == list(range(1, 21))


def test_no_port_and_then_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.02)
    with Link(str(path)) as link:
        listener = Listener(link)
        listener.until(lambda: "cannot be opened" in link.status().trouble)
        assert link.status().state is LinkState.NO_PORT
        with EmulatedDevice(cup(), path):
            listener.until(lambda: link.status().state is LinkState.OPEN)


def test_attempts_to_open_a_port_come_slower_and_slower(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to a longest pause, so that a cable plugged in again is noticed."""
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.02)
    monkeypatch.setattr("firmware_bridge.link.REOPEN_MAX_S", 0.08)
    tried = []

    def attempt(url: str, baud: int) -> serial.SerialBase:
        tried.append(time.monotonic())
        return open_port(url, baud)

    monkeypatch.setattr("firmware_bridge.link.open_port", attempt)
    with Link(str(path)) as link:
        Listener(link).until(lambda: len(tried) >= 12)  # without a longest pause that takes 40 s
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert all(pause >= least for pause, least in zip(pauses, (0.02, 0.04, 0.08, 0.08), strict=False))


def test_a_fault_of_ours_is_logged_and_the_link_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.02)
    faults = iter([ZeroDivisionError("a fault")])
    apply = Mirror.apply

    def sometimes(mirror: Mirror, message: Message) -> bool:
        for fault in faults:
            raise fault
        return apply(mirror, message)

    monkeypatch.setattr(Mirror, "apply", sometimes)
    with EmulatedDevice(cup(), path), Link(str(path)) as link:
        Listener(link).until(lambda: link.status().known.complete)
        assert link.status().sessions == 2
    assert "a fault" in caplog.text


def test_wake_may_close_the_link(path: Path) -> None:
    links: list[Link] = []
    with EmulatedDevice(cup(), path):
        links.append(Link(str(path), wake=lambda: [each.close() for each in links] and None))
        Listener(links[0]).until(lambda: links[0].status().state is LinkState.CLOSED)


def test_wake_is_called_when_there_is_something(path: Path) -> None:
    woken = threading.Event()
    with EmulatedDevice(cup(), path), Link(str(path), wake=woken.set):
        assert woken.wait(PATIENCE_S)
