"""What systemd hears of the window, over a real socket."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.shell.watchdog import report_open


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(1)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def test_it_says_open_once_and_alive_twice_in_each_limit(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    scheduled: list[tuple[Callable[[float], None], float]] = []
    report_open(lambda call, every_s: scheduled.append((call, every_s)))
    assert systemd.recv(100) == b"READY=1"

    [(feed, every_s)] = scheduled
    assert every_s == 15
    feed(0)
    assert systemd.recv(100) == b"WATCHDOG=1"


def test_a_window_outlives_a_systemd_that_is_gone(
    systemd: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notify").unlink()
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    report_open(lambda *_: pytest.fail("without a limit there is nothing to feed"))


def test_without_systemd_nothing_is_scheduled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    report_open(lambda *_: pytest.fail("nobody listens"))
