"""The firmware on emulated chips: a dice cup on an ATmega328P in simavr, an automatic table on a Cortex-M3 in
QEMU. Their UARTs are on pseudo-terminals, where the real link listens."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_bridge.commands import SetTileCount, StartShuffle
from firmware_bridge.events import Dice, DicePhase, TableState, Tile
from firmware_bridge.link import Link
from tests.firmware_bridge.boards import SOURCE, Board, bad_line, messages, running, until
from tests.programs import LIMIT_S, started

pytestmark = pytest.mark.long

FLASH_BYTES, RAM_BYTES = 32 * 1024, 2 * 1024  # of an ATmega328P


@pytest.fixture(scope="module")
def chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what is built for the chips."""
    folder = tmp_path_factory.mktemp("chips")
    assert shutil.which("avr-gcc"), "run .ci/setup chips, which installs compilers and emulators"
    made = subprocess.run(
        ["make", "-C", SOURCE, f"BUILD={folder}", "chips"],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return folder


def test_a_dice_cup_on_an_atmega328p(chips: Path) -> None:
    """It greets, rolls, is reset, greets as another start and rolls on, then over a bad line."""
    text, data, bss = sizes("avr-size", chips / "dice_cup.avr")
    assert text + data < FLASH_BYTES
    with running(chips / "simavr_line", chips / "dice_cup.avr") as board:
        with Link(board.path) as link:
            assert rolls(link, 2) == [1, 2]
            before = boot(link)
            board.do("reset")
            until(lambda: boot(link) not in (None, before), link)
            assert rolls(link, 1) == [1]
        with bad_line(board.path) as path, Link(path) as link:
            numbers = rolls(link, 3)
            assert numbers == list(range(numbers[0], numbers[0] + 3))
            assert link.status().damaged > 0
        board.do("quit")
        free = int(board.process.stdout.readline())
    print(f"{text + data} bytes of flash, {data + bss} of RAM for variables, {free} never used")
    assert RAM_BYTES // 20 < free < RAM_BYTES - data - bss


def test_an_automatic_table_on_a_cortex_m3(chips: Path) -> None:
    """It shuffles, is broken and drawn from; after a reset it has no wall; a bad line loses no tile."""
    text, data, bss = sizes("arm-none-eabi-size", chips / "automatic_table.arm")
    print(f"{text + data} bytes of flash, {data + bss} of RAM for variables")
    with emulated(chips / "automatic_table.arm") as board:
        with Link(board.path) as link:
            play(link, 84, 6)
            before = boot(link)
            board.do("system_reset")
            until(lambda: boot(link) not in (None, before) and link.status().known.complete, link)
            assert link.status().known.table.state == TableState.IDLE
        with bad_line(board.path) as path, Link(path) as link:
            play(link, 136, 30)
            assert link.status().damaged > 0


@contextmanager
def emulated(program: Path) -> Iterator[Board]:
    """QEMU's board with that chip. What is typed goes to QEMU's monitor."""
    command = [
        "qemu-system-arm",
        "-M",
        "lm3s6965evb",
        "-display",
        "none",
        "-serial",
        "pty",
        "-monitor",
        "stdio",
    ]
    pipe = subprocess.PIPE
    with started([*command, "-kernel", program], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        board = Board(process)
        while not (line := re.search(r"/dev/pts/\d+", board.path)):
            board.path = process.stdout.readline()
        board.path = line[0]
        yield board
        process.communicate("quit\n", timeout=LIMIT_S)


def sizes(program: str, path: Path) -> tuple[int, int, int]:
    """Bytes of code, of variables with a value, and of the others."""
    said = subprocess.run([program, path], capture_output=True, text=True, check=True, timeout=LIMIT_S).stdout
    text, data, bss = (int(number) for number in said.splitlines()[1].split()[:3])
    return text, data, bss


def play(link: Link, tiles: int, draws: int) -> None:
    """Shuffle a wall of that many tiles and see some drawn, none twice, all that are missing in the end."""
    until(lambda: link.status().known.complete, link)
    link.send(SetTileCount(tiles))
    link.send(StartShuffle())
    until(lambda: wall_left(link) == tiles, link)
    drawn: list[Tile] = []

    def is_drawn() -> bool:
        drawn.extend(message for message in messages(link) if isinstance(message, Tile))
        return len(drawn) >= draws

    until(is_drawn, link)
    assert [tile.remaining for tile in drawn] == [tiles - 1 - number for number in range(len(drawn))]
    assert len({(tile.side, tile.stack, tile.layer) for tile in drawn}) == len(drawn)


def rolls(link: Link, wanted: int) -> list[int]:
    """The numbers of the next rolls."""
    settled: list[Dice] = []

    def is_rolled() -> bool:
        told = [message for message in messages(link) if isinstance(message, Dice)]
        settled.extend(dice for dice in told if dice.phase == DicePhase.SETTLED)
        return len({dice.roll for dice in settled}) >= wanted

    until(is_rolled, link)
    assert all(1 <= die.value <= 6 for dice in settled for die in dice.dice)
    return sorted({dice.roll for dice in settled})


def boot(link: Link) -> int | None:
    device = link.status().device
    return device.boot if device else None


def wall_left(link: Link) -> int | None:
    wall = link.status().known.wall
    return wall.remaining if wall else None
