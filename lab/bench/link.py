"""How fast the serial protocol is, what an idle link takes, and what it survives, on pseudo-terminals.

What must hold (`holds`) is tried once and in full; every time is measured in n runs.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import firmware_bridge
from companion.following.device_messages import Agreement, DeviceMemory, interpret
from companion.table.apply import apply
from companion.table.events import GameStarted
from firmware_bridge.codec import Decoder, Packet, encode
from firmware_bridge.emulator import DiceCup, EmulatedDevice, Faults, trials
from firmware_bridge.emulator.device import LINE_TURN_S
from firmware_bridge.events import Dice, DicePhase, Die, Side, Wall
from firmware_bridge.limits import BAUD, STUFFED_BYTES_MAX
from firmware_bridge.link import Link
from firmware_bridge.plain import from_plain, to_plain
from lab.bench.figures import figure

RUN_S = 0.2
"""Wall time of one run of one figure of the codec."""
ROLLS = 200
"""Rolls in one run of the latency, one every PAUSE_S on average."""
PAUSE_S = 0.02
IDLE_S = 5.0
BLOCKS_MAX = 1_000
"""Blocks that an interpreter may hold more after ten million bytes: its own tables move so much."""
C_MEMORY_KIB_MAX = 1_024
SEED = 20261121
GAME = "hebei"
Json = dict[str, Any]

DICE = Dice(1_234_567, 42, DicePhase.SETTLED, (Die(3), Die(5)))
WALL = Wall(1_234_567, 3, (Side(17, 2),) * 4, (True,) * 136)


def bench(runs: int, messages: int, unplugs: int, fuzz_bytes: int) -> Json:
    """Every figure, and what must hold. `fuzz_bytes` go through each codec."""
    figures = [*_codec(runs), *_latency(runs), _idle(runs)]
    tried = (
        lambda: _bad_line(messages),
        lambda: _unplug_and_plug(unplugs),
        lambda: _python_fuzz(fuzz_bytes),
        lambda: _c_fuzz(fuzz_bytes),
    )
    holds = [_run_trial(each) for each in tried]
    return {"python": sys.version.split()[0], "baud": BAUD, "figures": figures, "holds": holds}


def _codec(runs: int) -> list[Json]:
    """Messages per second, there and back; next to them the same as JSON."""
    asked: dict[tuple[str, str], Callable[[], object]] = {}
    for name, message in (("roll of two dice", DICE), ("wall of 136 tiles", WALL)):
        packet, wire, decoder = Packet(message, 42, 7), encode(Packet(message, 42, 7)), Decoder()
        text = json.dumps(to_plain(message))
        assert decoder.feed(wire) == [packet]
        asked["encode", name] = lambda packet=packet: encode(packet)  # type: ignore[misc]
        asked["decode", name] = lambda decoder=decoder, wire=wire: decoder.feed(wire)  # type: ignore[misc]
        asked["encode as JSON", name] = lambda message=message: json.dumps(to_plain(message))  # type: ignore[misc]
        asked["decode as JSON", name] = lambda text=text: from_plain(json.loads(text))  # type: ignore[misc]
    rates: dict[tuple[str, str], list[float]] = {each: [] for each in asked}
    for _ in range(runs):
        for each, ask in asked.items():
            rates[each].append(_rate(ask))
    return [figure(what, of, "per second", values, max) for (what, of), values in rates.items()]


def _rate(ask: Callable[[], object]) -> float:
    rounds, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < RUN_S:
        for _ in range(100):
            ask()
        rounds += 100
    return rounds / took


def _latency(runs: int) -> list[Json]:
    """Milliseconds from a roll in a device to the game that begins with it, the time on the line included.

    Alternating with it, the same number of bytes through a bare pseudo-terminal from one thread to a third:
    what this computer, under its present load, adds to the time on the line.
    """
    rng = random.Random(SEED)
    woken = threading.Event()
    took: dict[str, list[list[float]]] = {"from device to table event": [], "a bare line": []}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, _BareLine() as bare:
        path = Path(folder) / "cup"
        faults = Faults(bytes_per_s=BAUD // 10)
        with (
            EmulatedDevice(DiceCup(rng), path, faults) as device,
            Link(str(path), wake=woken.set) as link,
        ):
            trials.wait_for(lambda: link.status().known.complete)
            for _ in range(runs):
                pairs = [(_one_roll(device, link, woken, rng), bare.one_roll(rng)) for _ in range(ROLLS)]
                for times, each in zip(took.values(), zip(*pairs, strict=True), strict=True):
                    times.append(sorted(each))
    of = f"{BAUD} baud, {ROLLS} rolls a run"
    return [
        figure(f"{what}, p{percent}", of, "ms", [run[percent * len(run) // 100] for run in times], min)
        for what, times in took.items()
        for percent in (50, 99)
    ]


class _BareLine:
    """A pseudo-terminal that carries the bytes of a roll at BAUD, without any protocol."""

    SIZE = sum(len(encode(Packet(replace(DICE, phase=phase), 1, 1))) for phase in (0, 1))
    """Dice in motion, then the settled roll."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._asked, self._arrived = threading.Event(), threading.Event()
        self._stop = False
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._send, self._receive)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._asked.set()
        for thread in self._threads:
            thread.join()
        os.close(self._master)
        os.close(self._slave)

    def one_roll(self, rng: random.Random) -> float:
        time.sleep(rng.uniform(0, 2 * PAUSE_S))
        self._arrived.clear()
        began = time.perf_counter()
        self._asked.set()
        self._arrived.wait()
        return 1000 * (time.perf_counter() - began)

    def _send(self) -> None:
        while True:
            self._asked.wait()
            self._asked.clear()
            began, sent = time.perf_counter(), 0
            while sent < self.SIZE and not self._stop:
                time.sleep(LINE_TURN_S)
                due = min(self.SIZE, int((time.perf_counter() - began) * BAUD / 10))
                sent += os.write(self._master, bytes(due - sent))
            if self._stop:
                os.write(self._master, bytes(1))
                return

    def _receive(self) -> None:
        got = 0
        while not self._stop:
            got += len(os.read(self._slave, 4096))
            if got == self.SIZE:
                got = 0
                self._arrived.set()


def _one_roll(device: EmulatedDevice, link: Link, woken: threading.Event, rng: random.Random) -> float:
    waiting, known, agreed = apply(None, GameStarted(rules=GAME)), DeviceMemory(roll=0), Agreement()
    time.sleep(rng.uniform(0, 2 * PAUSE_S))
    link.take()
    woken.clear()
    began = time.perf_counter()
    device.play(lambda t_ms: device.model.act(["roll"], t_ms))
    while True:
        woken.wait()
        woken.clear()
        for event in link.take():
            known, meaning = interpret(known, event, waiting, agreed)
            for each in meaning.events:
                if apply(waiting, each).playing:
                    return 1000 * (time.perf_counter() - began)


def _idle(runs: int) -> Json:
    """Per cent of one core that a link takes while nothing happens; the device is another process."""
    shares = []
    command = [sys.executable, "-m", "companion", "devices", "emulate", "cup"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as cup:
        try:
            assert cup.stdout is not None
            with Link(cup.stdout.readline().strip()) as link:
                trials.wait_for(lambda: link.status().known.complete)
                for _ in range(runs):
                    began, spent = time.perf_counter(), time.process_time()
                    time.sleep(IDLE_S)
                    spent = time.process_time() - spent
                    shares.append(100 * spent / (time.perf_counter() - began))
        finally:
            cup.terminate()
    return figure("idle link", f"{IDLE_S:.0f} s", "% of a core", shares, min)


def _run_trial(tried: Callable[[], Json]) -> Json:
    try:
        return tried()
    except trials.TrialError as error:
        return _holds(str(error), False)


def _holds(what: str, holds: bool | None, **figures: object) -> Json:
    return {"what": what, "holds": holds, **figures}


def _bad_line(messages: int) -> Json:
    tried = trials.try_bad_line(messages)
    return _holds(
        "one byte in a hundred damaged, lost or doubled: every message arrives once and in order",
        tried.arrived and tried.sessions == 1,
        messages=tried.messages,
        damaged_frames=tried.damaged,
        sessions=tried.sessions,
        messages_per_second=round(tried.messages / tried.seconds),
    )


def _unplug_and_plug(times: int) -> Json:
    tried = trials.try_unplugging(times)
    return _holds(
        "unplugged in a hand: what the link knows afterwards is what the table has",
        tried.same,
        times=tried.times,
        sessions=tried.sessions,
        tiles_drawn=tried.drawn,
    )


def _python_fuzz(size_bytes: int) -> Json:
    tried = trials.fuzz(size_bytes, SEED)
    return _holds(
        "garbage into the codec in Python: no crash, no growth",
        tried.blocks <= BLOCKS_MAX and tried.kept_bytes <= STUFFED_BYTES_MAX,
        bytes=tried.size_bytes,
        packets=tried.packets,
        malformed=tried.malformed,
        damaged=tried.damaged,
        kept_bytes_max=tried.kept_bytes,
        blocks_more=tried.blocks,
        seconds=round(tried.seconds, 1),
    )


def _c_fuzz(size_bytes: int) -> Json:
    """Codec and session in C, with the sanitizers for addresses, leaks and undefined behaviour."""
    what = "garbage into codec and session in C, with sanitizers: no crash, no leak, no growth"
    if not (shutil.which("gcc") and shutil.which("make")):
        return _holds(what, None, why="there is no gcc or no make here")
    source = Path(firmware_bridge.__file__).parent / "firmware"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        made = subprocess.run(
            ["make", "-s", "-C", str(source), f"BUILD={folder}", "SANITIZE=1", f"{folder}/fuzz"],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            return _holds(what, False, why=made.stderr.strip().splitlines()[-1])
        _, _, before_kib = _run([f"{folder}/fuzz", str(size_bytes // 10), str(SEED)])
        began = time.perf_counter()
        status, last_line, peak_kib = _run([f"{folder}/fuzz", str(size_bytes), str(SEED)])
    return _holds(
        what,
        status == 0 and peak_kib - before_kib <= C_MEMORY_KIB_MAX,
        last_line=last_line,
        peak_memory_kib=peak_kib,
        after_a_tenth_kib=before_kib,
        seconds=round(time.perf_counter() - began, 1),
    )


def _run(command: list[str]) -> tuple[int, str, int]:
    """Exit status, last line on both outputs, and peak memory (KiB) of a process."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        lines = out.read().strip().splitlines()
    return process.returncode, lines[-1] if lines else "", usage.ru_maxrss
