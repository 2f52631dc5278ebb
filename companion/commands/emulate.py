"""`companion devices emulate`: a virtual dice cup or automatic table on a pseudo-terminal, with faults.

A person types what happens to it, or --every lets it happen; a host opens the path that is printed first.
"""

from __future__ import annotations

import os
import random
import select
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.devices import Lines, Seconds
from companion.commands.output import print_json, print_line, print_message
from companion.errors import InputError, MissingError
from companion.sentences import write_number
from companion.stopping import check, until_stopped

if TYPE_CHECKING:
    from firmware_bridge.codec import Message
    from firmware_bridge.commands import Command, CommandOutcome
    from firmware_bridge.emulator import EmulatedDevice, Faults, Model

TURN_S = 0.05
"""Seconds between two checks for the arrival or departure of a host."""
UNPLUGGED_S = 0.5
BITS_A_BYTE = 10
"""A start bit, eight bits, a stop bit."""
IN_USE = (
    "'{path}' is the port of another device that is emulated: choose another path, or end that one first."
)
THERE_ALREADY = "'{path}' is there already, and is not a port: choose another."
OF_THE_LINE = ("unplug", "plug", "restart", "stuck", "go", "quit")


class Kind(StrEnum):
    """What can be emulated."""

    CUP = "cup"
    TABLE = "table"


def emulate(
    kind: Annotated[Kind, typer.Argument(help="A dice cup, or an automatic table.")],
    at: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Path of its port (default: a temporary path).")
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(metavar="S", min=0.01, help="Every S seconds: a roll, or the next tile of the wall."),
    ] = None,
    dice: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=6, help="Dice in the cup, or in the table, which may have 0."),
    ] = 2,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed rolls the same.")] = None,
    serial: Annotated[str | None, typer.Option(metavar="TEXT", help="Its serial number.")] = None,
    noise: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="Chance that a byte is damaged, as 0.01.")
    ] = 0.0,
    dropped: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="Chance that a byte is lost.")
    ] = 0.0,
    doubled: Annotated[
        float, typer.Option(metavar="P", min=0, max=1, help="Chance that a byte is sent twice.")
    ] = 0.0,
    slow: Annotated[
        int | None, typer.Option(metavar="BAUD", min=300, help="A line of BAUD bits a second.")
    ] = None,
    stuck: Annotated[bool, typer.Option("--stuck", help="It neither reads nor writes.")] = False,
    wrong_version: Annotated[
        bool, typer.Option("--wrong-version", help="It speaks only version 9 of the protocol.")
    ] = False,
    unplug_every: Annotated[
        float | None,
        typer.Option(metavar="S", min=0.1, help="Every S seconds its cable is out for half a second."),
    ] = None,
    seconds: Seconds = None,
    as_json: Lines = False,
) -> None:
    """A virtual device with faults to choose from: everything can be tried without hardware.

    Prints the path of its port, then what happens. Type what is to happen, one a line: roll, nudge, unplug,
    plug, restart, stuck, go, quit (both); shuffle [DEALER], break SIDE STACK, draw, return SIDE STACK LAYER,
    lay SEAT NUMBER, lift SEAT NUMBER, press SEAT BUTTON, end, fail NUMBER, mend (a table). The first roll at
    a wall that stands breaks it, break does it elsewhere, and tiles are drawn from there on. Sides and seats
    are 0 to 3, stacks count from 0 at the right end of a side, layer 1 is the upper tile.
    """
    if noise + dropped + doubled > 1:
        raise InputError("--noise, --dropped and --doubled are chances: together they must not exceed 1.")
    if kind is Kind.CUP and not dice:
        raise InputError("--dice: a cup has 1 to 6 dice.")
    try:
        from firmware_bridge.emulator import Faults
    except ImportError as error:
        raise MissingError("A device can only be emulated on a system with pseudo-terminals.") from error

    rng = random.Random(seed)
    model = _make_model(kind, rng, dice, serial)
    faults = Faults(noise, dropped, doubled, (slow or 0) // BITS_A_BYTE, stuck, wrong_version)
    with until_stopped(), tempfile.TemporaryDirectory(prefix="companion-") as folder:
        stage = _Stage(model, at or Path(folder) / kind.value, faults, rng, as_json)
        stage.play(every, unplug_every, seconds)


def _make_model(kind: Kind, rng: random.Random, dice: int, serial: str | None) -> Model:
    from firmware_bridge.emulator import AutomaticTable, DiceCup
    from firmware_bridge.errors import MessageError

    model: Model = DiceCup(rng, dice) if kind is Kind.CUP else AutomaticTable(rng, dice=dice)
    if serial is not None:
        try:
            model.about = replace(model.about, serial=serial)
            model.about.pack()
        except MessageError as error:
            raise InputError("--serial: {why}.", why=error) from None
    return model


class _Stage:
    """A device, its events, and their printed lines."""

    def __init__(self, model: Model, path: Path, faults: Faults, rng: random.Random, as_json: bool) -> None:
        from firmware_bridge.emulator import EmulatedDevice

        self._asked: SimpleQueue[tuple[Command, CommandOutcome]] = SimpleQueue()
        try:
            self._device: EmulatedDevice = EmulatedDevice(
                model, path, faults, rng.getrandbits(32), lambda *asked: self._asked.put(asked)
            )
        except FileExistsError:
            used = path.is_symlink() and path.is_char_device()
            raise InputError(IN_USE if used else THERE_ALREADY, path=path) from None
        except OSError as error:
            raise InputError(
                "'{path}' cannot be made ({why}): choose another.", path=path, why=error.strerror
            ) from None
        self._model = model
        self._as_json = as_json
        self._start = time.monotonic()
        self._keyboard = _find_keyboard()
        self._typed = b""
        self._connected = self._ended = False

    def play(self, every: float | None, unplug_every: float | None, seconds: float | None) -> None:
        """Play until the person quits, or `seconds` have passed."""
        never = float("inf")
        end = self._start + (never if seconds is None else seconds)
        turn, pull = self._start + (every or never), self._start + (unplug_every or never)
        with self._device:
            self._print_introduction()
            while not self._ended and (now := time.monotonic()) < end:
                self._listen(min(TURN_S, max(0.0, min(end, turn, pull) - now)))
                check()
                self._print_hosts()
                now = time.monotonic()
                if every and now >= turn:
                    turn = now + every
                    self._act(self._model.go_on)
                if unplug_every and now >= pull:
                    self._format_line("unplug" if self._device.is_plugged else "plug")
                    pull = now + (unplug_every if self._device.is_plugged else UNPLUGGED_S)

    def _print_introduction(self) -> None:
        from companion.commands.devices import device_json

        if self._as_json:
            print_json({"path": str(self._device.path), "device": device_json(self._model.about)})
        else:
            print_line(str(self._device.path))
        if self._keyboard is not None and os.isatty(self._keyboard):
            print_message(f"Type {', '.join(self._model.ACTIONS + OF_THE_LINE)}; Ctrl-C ends it.")

    def _listen(self, wait: float) -> None:
        """Read the typed commands and run them."""
        if self._keyboard is None or not _may_be_read(self._keyboard):
            time.sleep(wait)
            return
        if not select.select([self._keyboard], [], [], wait)[0]:
            return
        data = os.read(self._keyboard, 4096)
        if not data:
            self._keyboard = None  # nobody types any more; the device stays
        *lines, self._typed = (self._typed + data).split(b"\n")
        for line in lines:
            self._do(line.decode(errors="replace").split())

    def _do(self, words: list[str]) -> None:
        if words == ["quit"]:
            self._ended = True
        elif len(words) == 1 and words[0] in OF_THE_LINE:
            self._format_line(words[0])
        elif words:
            try:
                if not self._act(lambda t_ms: self._model.act(words, t_ms)):
                    print_message(f"'{' '.join(words)}': the host is not informed of it.")
            except ValueError as error:  # MessageError is one
                print_message(f"'{' '.join(words)}' cannot be done: {error}.")

    def _act(self, action: Callable[[int], list[Message]]) -> bool:
        """Whether there was anything to tell."""
        from companion.commands.devices import describe_message
        from firmware_bridge.plain import to_plain

        messages = self._device.play(action)
        for message in messages:
            self._print({"told": to_plain(message)}, describe_message(message))
        return bool(messages)

    def _format_line(self, what: str) -> None:
        device = self._device
        if what in ("stuck", "go"):
            device.faults = replace(device.faults, stuck=what == "stuck")
        else:
            try:
                {"unplug": device.unplug, "plug": device.plug, "restart": device.restart}[what]()
            except FileExistsError:
                print_message(f"It cannot be plugged in: something else is at '{device.path}' now.")
                return
        self._print({"line": what}, f"now: {what}")

    def _print_hosts(self) -> None:
        """What hosts did since the last look."""
        from companion.commands.devices import name_code
        from firmware_bridge.commands import CommandOutcome
        from firmware_bridge.plain import to_plain

        if self._device.is_open != self._connected:
            self._connected = not self._connected
            became = "connected" if self._connected else "gone"
            self._print({"host": became}, f"a host is {became}")
        while not self._asked.empty():
            command, outcome = self._asked.get()
            became = name_code(CommandOutcome, outcome)
            plain = {"asked": to_plain(command), "outcome": became}
            self._print(plain, f"asked for {_describe_command(command)}: {became}")

    def _print(self, plain: dict[str, Any], words: str) -> None:
        t = time.monotonic() - self._start
        if self._as_json:
            print_json({"t": round(t, 3), **plain})
        else:
            print_line(f"{t:9.3f}  {words}")


def _describe_command(command: Command) -> str:
    """What a host asks for."""
    from firmware_bridge import commands

    match command:
        case commands.StartShuffle(dealer=commands.NOT_TOLD):
            return "a shuffle"
        case commands.StartShuffle():
            return f"a shuffle before seat {command.dealer} deals"
        case commands.ShowScore():
            return "the score " + " ".join(map(write_number, command.points))
        case commands.Beep():
            return f"a beep of {command.frequency_hz} Hz for {command.duration_ms} ms"
        case commands.SetTileCount():
            return f"walls of {command.tiles} tiles"
    return type(command).__name__


def _find_keyboard() -> int | None:
    """The descriptor of standard input, if there is one."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, ValueError, OSError):
        return None


def _may_be_read(descriptor: int) -> bool:
    """Whether the terminal, if it is one, is ours: one that reads in the background is stopped."""
    return not os.isatty(descriptor) or os.tcgetpgrp(descriptor) == os.getpgrp()
