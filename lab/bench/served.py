"""How soon the state after an event is on every viewer's page: the real command, and viewers on real sockets.

A process of its own plays a game into its file, as the window does. A delay counts from the moment at which
the event is on the disk until its state has come at a viewer.
"""

from __future__ import annotations

import os
import random
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.coach.play.simulation import play
from companion.errors import InputError
from companion.game.file import list_standing, read_entries
from companion.game.game import Game, encode_pinned
from companion.table.events import GameStarted
from lab.bench.figures import figure

Json = dict[str, Any]
SEED = 20261129
PAUSE_S = 0.25
"""Between two events: four players who draw and discard without thinking."""
EVENTS_NUMBER = re.compile(rb'"events":(\d+),')
WAIT_S = 30.0
GAME_OVER = "The game is over after {hands} hands, {events} events after those before: give fewer --hands."
PLAYER = """
import sys, time
from pathlib import Path
from companion.game.game import Game
from companion.table.events import decode_event
lines = [line for line in Path(sys.argv[2]).read_text().splitlines()]
with Game.resume(Path(sys.argv[1])) as game:
    sys.stdin.readline()
    for line in lines:
        game.append(decode_event(line))
        print(len(game.file.standing), time.monotonic_ns(), flush=True)
        time.sleep(float(sys.argv[3]))
"""


def bench(runs: int, viewers: int, events: int, hands: int, rules: str) -> Json:
    """Delays with that many viewers, of that many events of a game in which hands were played before."""
    delays = [_run(viewers, events, hands, rules, SEED + number) for number in range(runs)]
    of = f"{rules}, {viewers} viewers, {events} events after {hands} hands"
    figures = [
        figure(f"from disk to page, {name}", of, "ms", [_share(each, share) for each in delays], min)
        for name, share in (("p50", 0.5), ("p99", 0.99), ("longest", 1.0))
    ]
    return {"python": sys.version.split()[0], "cores": len(os.sched_getaffinity(0)), "figures": figures}


def _share(delays: list[float], share: float) -> float:
    ordered = sorted(delays)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _run(viewers: int, events: int, hands: int, rules: str, seed: int) -> list[float]:
    """Delays in ms, one for each viewer and event; a skipped state counts until a newer one came."""
    with tempfile.TemporaryDirectory() as folder:
        path, rest = Path(folder, "games", "evening.game"), Path(folder, "rest.jsonl")
        _prepare(path, rest, events, hands, rules, seed)
        first = len(list_standing(read_entries(path)))
        with _serving(folder) as address, _playing(path, rest) as player, ExitStack() as opened:
            sockets = [opened.enter_context(_watch(address)) for _ in range(viewers)]
            assert player.stdin is not None
            assert player.stdout is not None
            seen: list[dict[int, int]] = [{} for _ in sockets]
            _receive(sockets, seen, first)
            player.stdin.write("\n")
            player.stdin.flush()
            _receive(sockets, seen, first + events)
            written = {int(number): int(at) for number, at in map(str.split, player.stdout)}
    return [
        (min(at for shown, at in each.items() if shown >= number) - kept_ns) / 1e6
        for number, kept_ns in written.items()
        for each in seen
    ]


def _prepare(path: Path, rest: Path, events: int, hands: int, rules: str, seed: int) -> None:
    """The game with that many hands, and the events that are still to be played."""
    start = GameStarted(rules=rules, names=("Ann", "Bao", "Chen", "Dai"))
    to_come: list[str] = []
    path.parent.mkdir(parents=True)
    with Game.begin(path, start) as game:
        for number, hand in enumerate(play(start, hands + 1 + events, random.Random(seed))):
            if hand.game > 1:
                raise InputError(GAME_OVER, hands=number, events=len(to_come))
            for step in hand.steps:
                if number < hands:
                    game.append(step.event)
                else:
                    to_come.append(encode_pinned(step.event))
            if len(to_come) >= events:
                break
    rest.write_text("\n".join(to_come[:events]) + "\n")


@contextmanager
def _serving(folder: str) -> Iterator[str]:
    command = [sys.executable, "-m", "companion", "serve", "evening", "--port", "0"]
    environment = os.environ | {"COMPANION_DATA": folder}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            yield program.stdout.readline().strip()
        finally:
            program.terminate()


@contextmanager
def _playing(path: Path, rest: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PLAYER, str(path), str(rest), str(PAUSE_S)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player:
        try:
            yield player
        finally:
            player.kill()


def _watch(address: str) -> socket.socket:
    place = urlsplit(address)
    watching = socket.create_connection((place.hostname or "", place.port or 0))
    watching.sendall(f"GET /events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
    return watching


def _receive(sockets: list[socket.socket], seen: list[dict[int, int]], until: int) -> None:
    """Note when each state came at each viewer, until all have that one."""
    behind = {
        watching.fileno() for watching, states in zip(sockets, seen, strict=True) if until not in states
    }
    tails = [b""] * len(sockets)
    ends_s = time.monotonic() + WAIT_S
    with selectors.DefaultSelector() as selector:
        for at, watching in enumerate(sockets):
            selector.register(watching, selectors.EVENT_READ, at)
        while behind:
            ready = selector.select(1.0)
            now_ns = time.monotonic_ns()
            if ready:
                ends_s = time.monotonic() + WAIT_S
            if time.monotonic() > ends_s:
                raise TimeoutError(f"{len(behind)} viewers got no newer state")
            for key, _ in ready:
                content = tails[key.data] + sockets[key.data].recv(1 << 16)
                for found in EVENTS_NUMBER.finditer(content):
                    seen[key.data].setdefault(int(found[1]), now_ns)
                    if int(found[1]) >= until:
                        behind.discard(key.fd)
                tails[key.data] = content[-30:]
