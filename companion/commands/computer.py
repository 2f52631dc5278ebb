"""What is wrong with the computer that a person can correct: system, clock, card, power, heat, groups."""

from __future__ import annotations

import getpass
import os
import platform
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import companion
from companion.board import ROOT, read_model

if sys.platform == "linux":
    import grp

ANSWER_S = 5.0
DAY_S = 86_400
LOW_VOLTAGE_BITS, HEAT_BITS = 1 << 0 | 1 << 16, 1 << 3 | 1 << 19
"""Of `vcgencmd get_throttled`, now and since the start (Raspberry Pi documentation, get_throttled)."""
DEVICES = {"video": ("video*", "media*"), "render": ("dri/renderD*",), "dialout": ("ttyACM*", "ttyUSB*")}
"""The groups of Debian that may use cameras, graphics, dice cups and automatic tables, and their devices."""

OTHER_BITS = (
    "This is a 32-bit system, and the program needs 64 bits: write the 64-bit Raspberry Pi OS to the card"
    " with Raspberry Pi Imager, or install a 64-bit Debian."
)
OTHER_PYTHON = (
    "This is Python {version}, and the program is made for {oldest} to {newest}: install one of these, then"
    " install the program again."
)
WRONG_CLOCK = (
    "The clock says {now}, which was before this program was made: sudo timedatectl set-ntp true, or without"
    " a network sudo date --set='2026-12-24 19:30', with the day and time of now."
)
FORGETS = (
    "The card is read-only, and all games are gone at the next start: sudo raspi-config nonint"
    " disable_overlayfs && sudo reboot"
)
LOW_VOLTAGE = (
    "The voltage is or was too low: use the power supply of the Raspberry Pi's maker, without a long cable or"
    " a hub."
)
HEAT = "The processor is or was slowed down by heat: give it a heat sink or a fan."
NOT_ALLOWED = (
    "This account may not use {devices}: sudo usermod --append --groups {groups} {user}, then log out and in"
    " again."
)
LOG_IN_AGAIN = "This account may use {devices} once you have logged out and in again."


def describe() -> str:
    """The computer in a line."""
    return f"{read_model() or platform.machine()}, {_count_bits()} bit, Python {platform.python_version()}"


def find_problems(root: Path = ROOT) -> Iterator[str]:
    """What is wrong, each with what to do. root: where the files of the system are."""
    if _count_bits() < 64:
        yield OTHER_BITS
    oldest, newest = companion.PYTHONS
    version = sys.version_info[:2]
    if not oldest <= version <= newest:
        yield OTHER_PYTHON.format(version=_join(version), oldest=_join(oldest), newest=_join(newest))
    now_s = time.time()
    if now_s < Path(companion.__file__).stat().st_mtime - DAY_S:
        yield WRONG_CLOCK.format(now=datetime.fromtimestamp(now_s).strftime("%Y-%m-%d %H:%M"))
    if "Raspberry Pi" in read_model(root) and _is_overlay(root):
        yield FORGETS
    throttled = _read_throttled(root)
    if throttled & LOW_VOLTAGE_BITS:
        yield LOW_VOLTAGE
    if throttled & HEAT_BITS:
        yield HEAT
    yield from _find_closed_devices(root)


def _count_bits() -> int:
    return 8 * struct.calcsize("P")


def _join(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _is_overlay(root: Path) -> bool:
    """Whether what is written to the root file system is kept in memory only."""
    with suppress(OSError):
        mounts = [line.split() for line in (root / "proc/mounts").read_text().splitlines()]
        return any(mount[1:3] == ["/", "overlay"] for mount in mounts)
    return False


def _read_throttled(root: Path) -> int:
    """The bits of a Raspberry Pi's firmware, or that of the kernel's alarm; 0 without either."""
    with suppress(OSError, subprocess.SubprocessError, ValueError):
        command = ["vcgencmd", "get_throttled"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_S, check=True)
        return int(answer.stdout.partition("=")[2], 16)
    for sensor in root.glob("sys/class/hwmon/*"):
        with suppress(OSError):
            if (sensor / "name").read_text().strip() == "rpi_volt":
                return LOW_VOLTAGE_BITS if (sensor / "in0_lcrit_alarm").read_text().strip() == "1" else 0
    return 0


def _find_closed_devices(root: Path) -> Iterator[str]:
    """What this account may not use for want of a group."""
    closed: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for group, patterns in DEVICES.items():
        for path in sorted(each for pattern in patterns for each in (root / "dev").glob(pattern)):
            if not os.access(path, os.R_OK | os.W_OK) and _find_group(path) == group:
                is_member = getpass.getuser() in _list_members(group)
                closed[is_member].setdefault(group, f"/{path.relative_to(root)}")
    for is_member, groups in closed.items():
        if groups:
            template = LOG_IN_AGAIN if is_member else NOT_ALLOWED
            devices = " and ".join(groups.values())
            yield template.format(devices=devices, groups=",".join(groups), user=getpass.getuser())


def _find_group(path: Path) -> str:
    if sys.platform == "linux":
        with suppress(OSError, KeyError):  # it was unplugged, or its group has no name
            return path.group()
    return ""


def _list_members(group: str) -> list[str]:
    if sys.platform == "linux":
        return grp.getgrnam(group).gr_mem
    else:
        return []
