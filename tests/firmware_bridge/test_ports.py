"""Ports: by name, by USB id, by asking all; lines over a network; lines of others."""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import serial
from serial import rfc2217

from firmware_bridge.commands import Beep
from firmware_bridge.emulator import EmulatedDevice, Faults
from firmware_bridge.errors import LinkError
from firmware_bridge.handshake import Welcome
from firmware_bridge.link import Link, LinkState
from firmware_bridge.ports import PortInfo, ProbeResult, find_candidates, list_serial_ports, probe_all
from firmware_bridge.session import SessionRefused
from tests.firmware_bridge.lines import Listener, by_hand, cup


def test_a_line_has_one_host(path: Path) -> None:
    with EmulatedDevice(cup(), path), Link(str(path)) as first:
        Listener(first).opened()
        with Link(str(path)) as second:
            Listener(second).until(lambda: "cannot be opened" in second.status().trouble)
        assert first.status().state is LinkState.OPEN


def test_a_port_of_others_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr("serial.serial_for_url", refuse)
    with Link("/dev/ttyUSB0") as link:
        Listener(link).until(lambda: "group 'dialout'" in link.status().trouble)


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
    assert find_candidates(target, KNOWN) == paths


@pytest.mark.parametrize("target", ["usb:", "usb:2341", "usb:23411:1", "usb:gggg:0001", "usb::"])
def test_invalid_usb_ids_are_refused(target: str) -> None:
    with pytest.raises(LinkError, match="not a USB id"):
        Link(target)


def test_every_port_is_asked(tmp_path: Path) -> None:
    silent, ours, newer = (tmp_path / name for name in ("silent", "ours", "newer"))
    with (
        by_hand(silent),
        EmulatedDevice(cup(), ours),
        EmulatedDevice(cup(), newer, Faults(wrong_version=True)),
    ):
        found = probe_all([str(silent), str(tmp_path / "absent"), str(ours), str(newer)], 1.0)
        assert [Path(each.path).name for each in found] == ["silent", "absent", "ours", "newer"]
        assert found[0] == ProbeResult(str(silent), None)
        assert found[1].answer is None
        assert "cannot be opened" in found[1].trouble
        assert isinstance(found[2].answer, Welcome)
        assert isinstance(found[3].answer, SessionRefused)


def test_any_goes_on_to_the_port_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first only a port is there on which nothing of ours is; then a cup is plugged in."""
    silent, ours = tmp_path / "silent", tmp_path / "ours"
    known = [PortInfo(str(silent), "a modem", "0001:0001")]
    monkeypatch.setattr("firmware_bridge.link.list_serial_ports", lambda: tuple(known))
    monkeypatch.setattr("firmware_bridge.link.ASK_S", 0.2)
    monkeypatch.setattr("firmware_bridge.link.REOPEN_FIRST_S", 0.05)
    with by_hand(silent), Link("any") as link:
        listener = Listener(link)
        listener.until(lambda: "answers in this protocol" in link.status().trouble)
        with EmulatedDevice(cup(), ours):
            known.append(PortInfo(str(ours), "a cup", "0002:0002"))
            listener.until(lambda: link.status().state is LinkState.OPEN)
            assert link.status().port == str(ours)


def test_listing_ports_opens_none() -> None:
    assert all(isinstance(port, PortInfo) for port in list_serial_ports())
