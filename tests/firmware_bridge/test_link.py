"""The link on real pseudo-terminals against emulated devices with every fault."""

from __future__ import annotations

import errno
import os
import random
import socket
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import serial
from serial import rfc2217

from firmware_bridge.codec import Decoder, Message, Packet, encode
from firmware_bridge.commands import Beep, Outcome, Result, SetTileCount, StartShuffle
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults, trials
from firmware_bridge.errors import LinkError, RecordingError
from firmware_bridge.events import (
    ButtonEvent,
    Dice,
    Die,
    Snapshot,
    TableState,
)
from firmware_bridge.handshake import Capability, Refused, Welcome
from firmware_bridge.limits import INBOX_MAX
from firmware_bridge.link import Link, LinkState
from firmware_bridge.mirror import Mirror
from firmware_bridge.peer import End, Received
from firmware_bridge.ports import Found, PortInfo, ask_all, candidates, ports
from firmware_bridge.recording import Piece, replay
from firmware_bridge.session import Ended, Event, NotSpoken, Opened


class Listener:
    """Takes the events of a link, as a program would."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.events: list[Event] = []

    def until(self, done: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, (self.link.status(), self.events[-5:])
            self.events += self.link.take()
            time.sleep(0.002)
        self.events += self.link.take()

    def opened(self) -> Listener:
        self.until(lambda: self.link.status().picture.complete)
        return self

    def messages(self, kind: type[Message]) -> list[Message]:
        return [
            each.message
            for each in self.events
            if isinstance(each, Received) and isinstance(each.message, kind)
        ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "device"


def cup(seed: int = 1) -> DiceCup:
    return DiceCup(random.Random(seed))


def table(seed: int = 1) -> AutomaticTable:
    return AutomaticTable(random.Random(seed))


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
            lambda: link.status().picture.table is not None and model.table.state == TableState.READY
        )
        again = link.send(SetTileCount(85))
        for _ in range(20):
            device.tell(model.draw(device.now_ms()))
        device.tell(model.put_back(0, 0, 0, device.now_ms()))
        refused = link.send(StartShuffle())
        listener.until(lambda: len(listener.messages(Result)) == 4)
        listener.until(lambda: link.status().picture.wall == model.wall)
        results = [each for each in listener.messages(Result) if isinstance(each, Result)]
        assert {each.command_seq: each.outcome for each in results} == {
            set_to_84: Outcome.DONE,
            shuffle: Outcome.STARTED,
            again: Outcome.BAD_VALUE,
            refused: Outcome.REFUSED,
        }
        assert model.wall is not None
        assert model.wall.remaining == 84 - 20 + 1
        assert link.status().picture.table == model.table


def test_one_byte_in_a_hundred_damaged_and_everything_arrives_once_and_in_order(
    bad_line_messages: int,
) -> None:
    tried = trials.bad_line(bad_line_messages)
    assert tried.arrived
    assert tried.sessions == 1
    assert tried.damaged > bad_line_messages / 20


def test_unplugged_and_plugged_in_again_and_again(unplugs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many times in a hand, at any moment: what the link knows afterwards is what the table has."""
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.02)
    tried = trials.unplugged(unplugs)
    assert tried.same
    assert 0 < tried.drawn < 136
    assert tried.sessions > unplugs / 2


def test_a_device_that_restarts(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        device.tell(model.throw(device.now_ms()))
        listener.until(lambda: link.status().picture.roll == model.last)
        device.restart()
        listener.until(lambda: link.status().sessions == 2 and link.status().picture.complete)
        assert link.status().picture.roll == model.last
        assert [each.reason for each in listener.events if isinstance(each, Ended)] == [End.BYE]


def test_another_version_is_told(path: Path) -> None:
    with EmulatedDevice(cup(), path, Faults(wrong_version=True)), Link(str(path)) as link:
        listener = Listener(link)
        listener.until(lambda: link.status().state is LinkState.REFUSED)
        assert "version 9" in link.status().trouble
        assert [type(each) for each in listener.events] == [NotSpoken]
        with pytest.raises(LinkError, match="refused"):
            link.send(Beep(880, 100))


def test_a_stuck_device_never_holds_up_the_caller(path: Path) -> None:
    with EmulatedDevice(cup(), path, Faults(stuck=True)), Link(str(path)) as link:
        start = time.monotonic()
        for _ in range(200):
            link.take()
            link.status()
        assert time.monotonic() - start < 1
        assert link.status().state in (LinkState.GREETING, LinkState.NO_PORT)
        start = time.monotonic()
    assert time.monotonic() - start < 3


def test_a_device_that_gets_stuck_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.peer.SILENCE_MAX_S", 0.4)
    monkeypatch.setattr("firmware_bridge.peer.HEARTBEAT_EVERY_S", 0.1)
    with EmulatedDevice(cup(), path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        device.faults = Faults(stuck=True)
        listener.until(lambda: link.status().state is LinkState.GREETING)
        assert link.status().trouble == "The session ended: nothing was heard."
        device.faults = Faults()
        listener.until(lambda: link.status().state is LinkState.OPEN)
        assert link.status().trouble == ""


def test_what_does_not_fit_brings_a_snapshot(path: Path) -> None:
    """A device that lost count: the link asks, and has it right again."""
    model = table()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        listener = Listener(link).opened()
        link.send(StartShuffle())
        listener.until(lambda: model.table.state == TableState.READY)
        model.draw(device.now_ms())  # never told
        device.tell(model.draw(device.now_ms()))
        listener.until(lambda: link.status().picture.complete and link.status().picture.wall == model.wall)
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


def hostile(path: Path) -> tuple[int, int]:
    master, slave = os.openpty()
    tty.setraw(slave)
    path.symlink_to(os.ttyname(slave))
    return master, slave


def write_all(master: int, data: bytes, stop: threading.Event, bytes_per_s: int = 0) -> None:
    os.set_blocking(master, False)
    while data and not stop.is_set():
        with suppress(BlockingIOError):
            data = data[os.write(master, data[: bytes_per_s // 100 or None]) :]
        if bytes_per_s:
            time.sleep(0.01)
        with suppress(BlockingIOError):
            os.read(master, 4096)


def test_oversized_frames_and_noise_leave_memory_bounded(path: Path) -> None:
    """A line at 115200 baud that brings anything but this protocol."""
    master, slave = hostile(path)
    stop = threading.Event()
    rng = random.Random(4)
    noise = b"\xaa" * 5_000 + rng.randbytes(400_000)
    writer = threading.Thread(target=write_all, args=(master, noise, stop, 11_520))
    try:
        with Link(str(path)) as link:
            writer.start()
            listener = Listener(link)
            listener.until(lambda: link.status().damaged > 30)
            assert link.status().state is LinkState.GREETING
            assert link.status().trouble == "Something is sent, but not in this protocol."
            assert link._session._decoder.kept_bytes < 130
    finally:
        stop.set()
        writer.join()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("noise", [b"\xaa" * 4_000_000, b"\x01\x00" * 40_000])
def test_a_flood_of_noise_is_stopped_and_told(path: Path, noise: bytes) -> None:
    """Frames without end, and thousands of broken ones: neither takes the computer's time."""
    master, slave = hostile(path)
    stop = threading.Event()
    writer = threading.Thread(target=write_all, args=(master, noise, stop))
    try:
        with Link(str(path)) as link:
            writer.start()
            listener = Listener(link)
            listener.until(lambda: link.status().state is LinkState.FLOOD)
            assert "more than any device may" in link.status().trouble
            assert [each.reason for each in listener.events if isinstance(each, Ended)] == [End.FLOOD]
            with pytest.raises(LinkError):
                link.send(Beep(880, 100))
    finally:
        stop.set()
        writer.join()
        os.close(master)
        os.close(slave)


def test_sessions_that_come_and_go_leave_memory_bounded(path: Path) -> None:
    """A device that says welcome and goodbye all day, and a program that never looks."""
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        Listener(link).opened()
        full_by = time.monotonic() + 20
        while len(link._inbox) < INBOX_MAX:
            assert time.monotonic() < full_by
            if device.unacknowledged < 20:
                device.tell(ButtonEvent(0, 0, 1, 0))
            else:
                time.sleep(0.0005)
        size = len(link._inbox)
        for sessions in range(2, 8):
            device.restart()
            end = time.monotonic() + 10
            while link.status().sessions < sessions and time.monotonic() < end:
                time.sleep(0.005)
        assert link.status().sessions == 7
        assert len(link._inbox) <= size + 20
        events = link.take()
    assert isinstance(events[-1], Opened)
    assert sum(isinstance(each, Opened) for each in events) == 1  # the first was taken


def serve_hello(master: int, decoder: Decoder) -> int:
    """Welcome the host on a line that a test plays by hand; the session."""
    while True:
        for packet in decoder.feed(os.read(master, 4096)):
            if isinstance(packet, Packet) and type(packet.message).__name__ == "Hello":
                nonce = packet.message.nonce  # type: ignore[union-attr]
                welcome = Welcome(nonce, 1, 1, Capability.DICE, 1, 8, 0, "HOSTILE")
                os.write(master, encode(Packet(welcome, nonce % 256)))
                return nonce % 256


def test_a_flood_is_stopped_and_told(path: Path) -> None:
    master, slave = hostile(path)
    stop = threading.Event()
    try:
        with Link(str(path)) as link:
            session = serve_hello(master, Decoder())
            flood = encode(Packet(Dice(0, 0, 0, (Die(0, True),)), session)) * 20_000
            writer = threading.Thread(target=write_all, args=(master, flood, stop))
            writer.start()
            listener = Listener(link)
            listener.until(lambda: link.status().state is LinkState.FLOOD, 20)
            assert "more than any device may" in link.status().trouble
            stop.set()
            writer.join()
            assert len(listener.events) < 5_000
    finally:
        os.close(master)
        os.close(slave)


def test_a_program_that_takes_nothing_keeps_memory_bounded_and_loses_nothing(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        Listener(link).opened()
        sent = []
        end = time.monotonic() + 1.5
        while len(sent) < INBOX_MAX + 200 and time.monotonic() < end:
            if device.unacknowledged < 20:
                sent.append(ButtonEvent(len(sent), 0, 1, 0))
                device.tell(sent[-1])
            else:
                time.sleep(0.0005)
        assert len(link._inbox) <= INBOX_MAX + 500
        listener = Listener(link)
        listener.until(lambda: device.unacknowledged == 0)
        assert listener.messages(ButtonEvent) == sent


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
        Listener(link).until(lambda: link.status().picture.complete)
        assert link.status().sessions == 2
    assert "a fault" in caplog.text


def test_a_line_has_one_host(path: Path) -> None:
    with EmulatedDevice(cup(), path), Link(str(path)) as first:
        Listener(first).opened()
        with Link(str(path)) as second:
            Listener(second).until(lambda: "cannot be opened" in second.status().trouble)
        assert first.status().state is LinkState.OPEN


def test_a_port_of_others_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr("serial.serial_for_url", refuse)
    with Link("/dev/ttyUSB0") as link:
        Listener(link).until(lambda: "group 'dialout'" in link.status().trouble)


def test_wake_may_close_the_link(path: Path) -> None:
    links: list[Link] = []
    with EmulatedDevice(cup(), path):
        links.append(Link(str(path), wake=lambda: [each.close() for each in links] and None))
        Listener(links[0]).until(lambda: links[0].status().state is LinkState.CLOSED)


def test_wake_is_called_when_there_is_something(path: Path) -> None:
    woken = threading.Event()
    with EmulatedDevice(cup(), path), Link(str(path), wake=woken.set):
        assert woken.wait(5)


def test_a_socket_does_as_well(path: Path) -> None:
    """A device behind a network: a TCP server that passes the bytes of a pseudo-terminal on."""
    with EmulatedDevice(cup(), path), socket.create_server(("127.0.0.1", 0)) as server:
        stop = threading.Event()

        def bridge() -> None:
            connection, _ = server.accept()
            line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            connection.settimeout(0.01)
            while not stop.is_set():
                for read, write in (
                    (lambda: os.read(line, 4096), connection.sendall),
                    (lambda: connection.recv(4096), lambda data: os.write(line, data)),
                ):
                    try:
                        write(read())
                    except (BlockingIOError, TimeoutError):
                        continue
            os.close(line)
            connection.close()

        thread = threading.Thread(target=bridge, daemon=True)
        thread.start()
        with Link(f"socket://127.0.0.1:{server.getsockname()[1]}") as link:
            Listener(link).opened()
            assert link.send(Beep(880, 100)) == 2
        stop.set()
        thread.join(2)


def test_spying_on_a_line_changes_nothing(path: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    with EmulatedDevice(cup(), path), Link(f"spy://{path}?file={seen}") as link:
        Listener(link).opened()
    assert "MJCP" in seen.read_text(encoding="utf-8", errors="replace")


@pytest.mark.filterwarnings("ignore:setName:DeprecationWarning", "ignore:setDaemon:DeprecationWarning")
def test_a_port_server_does_as_well(path: Path) -> None:
    """RFC 2217: a serial port of another computer, served by pyserial's own manager of such ports."""
    with EmulatedDevice(cup(), path), socket.create_server(("127.0.0.1", 0)) as server:
        stop = threading.Event()

        class WithoutModemLines(serial.Serial):  # a pseudo-terminal has none
            cts = dsr = ri = cd = dtr = rts = False

        class Connection:
            def __init__(self, raw: socket.socket) -> None:
                self.raw = raw

            def write(self, data: bytes) -> None:
                self.raw.sendall(data)

        def serve() -> None:
            raw, _ = server.accept()
            raw.settimeout(0.01)
            with WithoutModemLines(str(path), timeout=0.01) as port:
                manager = rfc2217.PortManager(port, Connection(raw))
                while not stop.is_set():
                    with suppress(TimeoutError, OSError):  # the host, or the device, is gone in the end
                        raw.sendall(b"".join(manager.escape(port.read(port.in_waiting or 1))))
                        port.write(b"".join(manager.filter(raw.recv(4096))))
            raw.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        with Link(f"rfc2217://127.0.0.1:{server.getsockname()[1]}") as link:
            Listener(link).opened()
            assert link.send(Beep(880, 100)) == 2
        stop.set()
        thread.join(2)


def test_a_loop_is_no_device() -> None:
    """Our own hello comes back: that is nobody."""
    with Link("loop://") as link:
        listener = Listener(link)
        time.sleep(0.7)
        listener.until(lambda: True)
        assert listener.events == []
        assert link.status().state is LinkState.GREETING


def test_recording_and_replay(path: Path, tmp_path: Path) -> None:
    model = cup()
    file = tmp_path / "session.jsonl"
    with EmulatedDevice(model, path) as device:
        with Link(str(path), record=file) as link:
            listener = Listener(link).opened()
            device.tell(model.throw(device.now_ms()))
            listener.until(lambda: link.status().picture.roll is not None)
        replayed = list(replay(file))
    events = [each for each in replayed if not isinstance(each, Piece)]
    told = [each.message for each in listener.events if isinstance(each, Received)]
    assert [each.message for each in events if isinstance(each, Received)] == told
    assert isinstance(events[0], Opened)
    assert events[0].device.serial == model.about.serial
    decoder = Decoder()
    inward = [
        each
        for piece in replayed
        if isinstance(piece, Piece) and piece.inward
        for each in decoder.feed(piece.data)
    ]
    assert all(isinstance(each, Packet) for each in inward)


HEAD = '{"recording": 1}'


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (HEAD, None),
        ("", "is empty"),
        ("{}", "line 1"),
        ('{"recording": 2}', "line 1"),
        (HEAD + "\nx", "line 2"),
        (HEAD + '\n{"t": 1}', "line 2"),
        (HEAD + '\n{"t": 1, "in": "0"}', "line 2"),
        (HEAD + '\n{"t": 1, "event": "opened", "message": "Bye", "reason": 1}', "line 2"),
        (HEAD + '\n{"t": 1, "event": "bell"}', "line 2"),
        (HEAD + "\n[]", "line 2"),
        (HEAD + '\n{"t": NaN, "in": ""}', "line 2"),
        (HEAD + "\n" + "[" * 100_000, "line 2"),
        (HEAD + '\n{"t": 1, "in": ""}\n"\udcff"', "line 3"),
    ],
)
def test_a_broken_recording_is_told_with_its_line(tmp_path: Path, text: str, wrong: str | None) -> None:
    file = tmp_path / "recording.jsonl"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    if wrong is None:
        assert list(replay(file)) == []
        return
    with pytest.raises(RecordingError, match=wrong):
        list(replay(file))


def test_a_recording_is_never_written_over(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text("precious")
    with pytest.raises(RecordingError, match="there already"):
        Link(str(path), record=file)
    with pytest.raises(RecordingError, match="cannot be written"):
        Link(str(path), record=tmp_path / "absent" / "session.jsonl")
    assert file.read_text() == "precious"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_the_recording_and_not_the_link(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "session.jsonl"
    with EmulatedDevice(cup(), path), Link(str(path), record=file) as link:
        assert link._recorder is not None
        link._recorder._file = Path("/dev/full").open("w")  # noqa: SIM115
        Listener(link).opened()
        Listener(link).until(lambda: not link.status().recording)
        assert link.status().state is LinkState.OPEN


def test_a_device_of_another_computer_is_told(path: Path) -> None:
    master, slave = hostile(path)
    try:
        with Link(str(path)) as link:
            decoder, nonce = Decoder(), None
            while nonce is None:
                for packet in decoder.feed(os.read(master, 4096)):
                    nonce = getattr(packet.message, "nonce", None) if isinstance(packet, Packet) else None
            os.write(master, encode(Packet(Refused(nonce, 2, 1, 1), nonce % 256)))
            Listener(link).until(lambda: link.status().state is LinkState.REFUSED)
            assert "another computer" in link.status().trouble
    finally:
        os.close(master)
        os.close(slave)


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


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="cannot be read"):
        list(replay(tmp_path / "absent"))


KNOWN = (
    PortInfo("/dev/ttyS0", "ttyS0", ""),
    PortInfo("/dev/ttyACM0", "Cup", "2341:0043:A1"),
    PortInfo("/dev/ttyACM1", "Cup", "2341:0043:B2"),
    PortInfo("/dev/ttyUSB0", "Table", "1a86:7523"),
)


@pytest.mark.parametrize(
    ("target", "paths"),
    [
        ("/dev/ttyS0", ("/dev/ttyS0",)), ("loop://", ("loop://",)), ("usb:1A86:7523", ("/dev/ttyUSB0",)),
        ("usb:2341:43", ("/dev/ttyACM0", "/dev/ttyACM1")), ("usb:2341:0043:B2", ("/dev/ttyACM1",)),
        ("usb:2341:0044", ()), ("any", ("/dev/ttyACM0", "/dev/ttyACM1", "/dev/ttyUSB0")),
    ],
)  # fmt: skip
def test_ports_by_name_and_usb_id(target: str, paths: tuple[str, ...]) -> None:
    assert candidates(target, KNOWN) == paths


@pytest.mark.parametrize("target", ["usb:", "usb:2341", "usb:23411:1", "usb:gggg:0001", "usb::"])
def test_what_is_no_usb_id(target: str) -> None:
    with pytest.raises(LinkError, match="no USB id"):
        Link(target)


def test_every_port_is_asked(tmp_path: Path) -> None:
    silent, ours, newer = (tmp_path / name for name in ("silent", "ours", "newer"))
    master, slave = hostile(silent)
    with EmulatedDevice(cup(), ours), EmulatedDevice(cup(), newer, Faults(wrong_version=True)):
        found = ask_all([str(silent), str(tmp_path / "absent"), str(ours), str(newer)], 1.0)
        assert [Path(each.path).name for each in found] == ["silent", "absent", "ours", "newer"]
        assert found[0] == Found(str(silent), None)
        assert found[1].answer is None
        assert "cannot be opened" in found[1].trouble
        assert isinstance(found[2].answer, Welcome)
        assert isinstance(found[3].answer, NotSpoken)
    os.close(master)
    os.close(slave)


def test_any_goes_on_to_the_port_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first only a port is there on which nothing of ours is; then a cup is plugged in."""
    silent, ours = tmp_path / "silent", tmp_path / "ours"
    master, slave = hostile(silent)
    known = [PortInfo(str(silent), "a modem", "0001:0001")]
    monkeypatch.setattr("firmware_bridge.link.ports", lambda: tuple(known))
    monkeypatch.setattr("firmware_bridge.link.ASK_S", 0.2)
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.05)
    with Link("any") as link:
        listener = Listener(link)
        listener.until(lambda: "answers in this protocol" in link.status().trouble)
        with EmulatedDevice(cup(), ours):
            known.append(PortInfo(str(ours), "a cup", "0002:0002"))
            listener.until(lambda: link.status().state is LinkState.OPEN)
            assert link.status().port == str(ours)
    os.close(master)
    os.close(slave)


def test_listing_ports_opens_none() -> None:
    assert all(isinstance(port, PortInfo) for port in ports())
