"""What `companion doctor` finds wrong with a computer: made-up files and commands of a system."""

from __future__ import annotations

import grp
import os
import runpy
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import companion
from companion import board
from companion.cameras import pi
from companion.commands import computer
from companion.commands.computer import find_problems

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for commands, which are the only ones."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A system that has nothing."""
    return tmp_path / "root"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_nothing_is_wrong_with_a_usual_computer(root: Path) -> None:
    assert list(find_problems(root)) == []


@pytest.mark.parametrize(
    ("throttled", "found"),
    [
        ("throttled=0x0", []),
        ("throttled=0x50005", [computer.LOW_VOLTAGE]),
        ("throttled=0x10000", [computer.LOW_VOLTAGE]),
        ("throttled=0xe0008", [computer.HEAT]),
        ("throttled=0x20002", []),
        ('error=1 error_msg="Command not registered"', []),
        ("", []),
    ],
)
def test_voltage_and_heat_as_the_firmware_states_them(
    root: Path, own_path: Path, throttled: str, found: list[str]
) -> None:
    write(own_path / "vcgencmd", f"#!/bin/sh\n[ $1 = get_throttled ] && echo '{throttled}'\n")
    (own_path / "vcgencmd").chmod(0o755)
    assert list(find_problems(root)) == found


@pytest.mark.parametrize(("name", "alarm", "found"), [("rpi_volt", 1, 1), ("rpi_volt", 0, 0), ("cpu", 1, 0)])
def test_voltage_as_the_kernel_states_it(root: Path, name: str, alarm: int, found: int) -> None:
    write(root / "sys/class/hwmon/hwmon1/name", f"{name}\n")
    write(root / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")
    assert list(find_problems(root)) == [computer.LOW_VOLTAGE] * found


@pytest.mark.parametrize(("year", "is_wrong"), [(1970, True), (2024, True), (2100, False)])
def test_a_clock_before_the_program_was_made(
    root: Path, monkeypatch: pytest.MonkeyPatch, year: int, is_wrong: bool
) -> None:
    monkeypatch.setattr("companion.commands.computer.time.time", lambda: (year - 1970) * 365.25 * 86_400)
    found = list(find_problems(root))
    assert len(found) == is_wrong
    assert all(f"The clock says {year}-01-01" in each and "sudo timedatectl" in each for each in found)


def test_a_system_of_32_bits(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.commands.computer.struct.calcsize", lambda _: 4)
    assert list(find_problems(root)) == [computer.OTHER_BITS]


def test_a_python_that_is_too_new(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 14, 0, "final", 0))
    (found,) = find_problems(root)
    assert found.startswith("This is Python 3.14, and the program is made for 3.11 to 3.13")


def test_a_python_that_is_too_old_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(SystemExit, match=r"^companion: Python 3\.11 or newer is needed: install it"):
        runpy.run_module("companion", run_name="__main__")


def test_the_pythons_are_those_of_the_package() -> None:
    needed = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["requires-python"]
    (oldest_major, oldest), (major, newest) = companion.PYTHONS
    assert needed == f">={oldest_major}.{oldest},<{major}.{newest + 1}"


@pytest.mark.parametrize(
    ("model", "kind", "found"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0\0", "overlay", 1),
        ("Raspberry Pi 5 Model B Rev 1.0\0", "ext4", 0),
        (None, "overlay", 0),  # as in a container
    ],
)
def test_a_raspberry_pi_that_forgets_what_is_written(
    root: Path, model: str | None, kind: str, found: int
) -> None:
    if model:
        write(root / "proc/device-tree/model", model)
    write(root / "proc/mounts", f"{kind} / {kind} rw 0 0\noverlay /var/lib/x overlay rw 0 0\n")
    assert list(find_problems(root)) == [computer.FORGETS] * found


@pytest.fixture
def devices(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make devices of these groups, all closed to this account, a member of the groups `member_of`."""

    def make(groups: dict[str, str], *member_of: str) -> None:
        for device in groups:
            write(root / "dev" / device, "")
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        monkeypatch.setattr(Path, "group", lambda path: groups[str(path.relative_to(root / "dev"))])
        members = lambda name: SimpleNamespace(gr_mem=["ann"] if name in member_of else [])  # noqa: E731
        monkeypatch.setattr(grp, "getgrnam", members)
        monkeypatch.setattr("getpass.getuser", lambda: "ann")

    return make


def test_devices_that_need_a_group(root: Path, devices: Callable[..., None]) -> None:
    devices({"video0": "video", "video1": "video", "ttyACM0": "dialout", "dri/renderD128": "render"})
    assert list(find_problems(root)) == [
        "This account may not use /dev/video0 and /dev/dri/renderD128 and /dev/ttyACM0: sudo usermod --append"
        " --groups video,render,dialout ann, then log out and in again."
    ]


def test_a_group_counts_from_the_next_login_on(root: Path, devices: Callable[..., None]) -> None:
    devices({"video0": "video"}, "video")
    assert list(find_problems(root)) == [
        "This account may use /dev/video0 once you have logged out and in again."
    ]


def test_nobody_is_sent_into_the_group_root(root: Path, devices: Callable[..., None]) -> None:
    devices({"media0": "root", "ttyS0": "dialout"})
    assert list(find_problems(root)) == []


def test_devices_that_are_open_need_no_group(root: Path) -> None:
    write(root / "dev/video0", "")
    assert list(find_problems(root)) == []


@pytest.mark.parametrize(
    ("model", "command", "to_do"),
    [
        ("Raspberry Pi 4 Model B Rev 1.5", "rpicam-vid", pi.NO_CAMERA),
        ("Raspberry Pi 4 Model B Rev 1.5", None, pi.NO_PROGRAM),
        ("", None, None),
    ],
)
def test_no_camera_on_the_ribbon(
    call: Any, own_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, command: str | None, to_do: str
) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    monkeypatch.setattr(board, "read_model", lambda: model)
    if command:
        write(own_path / command, "#!/bin/sh\necho 'No cameras available!'\n")
        (own_path / command).chmod(0o755)
    document = call("doctor", "--json").document
    assert document["ok"]
    assert [each["to_do"] for each in document["checks"] if each["what"] == "cameras"] == [to_do]


def test_what_is_wrong_is_shown_and_the_program_runs(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    problems = [computer.HEAT, computer.FORGETS]
    monkeypatch.setattr(computer, "find_problems", lambda: problems)
    run = call("doctor")
    assert run.status == 0
    assert "sudo raspi-config nonint disable_overlayfs && sudo reboot" in " ".join(
        run.out.replace("│", "").split()
    )
