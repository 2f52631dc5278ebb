"""How much `companion club` carries: the real collector, broker and database, and simulated tables.

Every table sends what a real one does, its entry and then its newest state, at an even pace; a few
connections send for all of them. An event counts from the moment at which it was due until an answer of the
query for the standings that includes it has come, so that what delays the sender counts, too.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from sqlalchemy import func, select, text

from companion.club.database import Database
from companion.club.schema import Entry, Game, Hand
from companion.club.standings import list_standings
from companion.coach.play.simulation import SimulatedMove, play
from companion.errors import InputError
from companion.game.file import GameEntry
from companion.game.watching import PlayedSoFar
from companion.publish.connection import QOS, make_client
from companion.publish.topics import TableTopics, encode_alive, encode_entry, encode_state
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import GameStarted, encode_event
from lab.bench.figures import figure
from lab.club.servers import HOST, Mosquitto, PostgreSQL, check_installed, list_children

Json = dict[str, Any]
SEED = 20261130
CLUB = "bench"
GAMES = 20
"""Different games; a table plays one of them under people and a number of its own."""
CONNECTIONS = 4
BEFORE = 0, 150
"""Entries that a table has sent before the measured time: tables are somewhere in a hand."""
STATE_EVERY = 20
"""Of this number of events one state is made, which is sent after each of them under its own number."""
AT = "2026-11-30T20:00:00+00:00"
GAME_OVER = "A game is over after {events} events: choose fewer --seconds or a lower --rate."
PLACEHOLDER_ID, PLACEHOLDER_NAME, PLACEHOLDER_NUMBER = "f00dcafef00dcafe", "P0000000", 999_999_999
OBSERVE_S = 0.25
"""The pause between two questions for the standings."""
LATE_S = 60.0
"""How long after the last event was due it may come at most."""
SETTINGS = (
    "allow_anonymous true",
    "max_queued_messages 0",
    "max_inflight_messages 500",
    "autosave_interval 60",
)


@dataclass(frozen=True, slots=True)
class _Load:
    """tables: n of them, each with `rate` events a second for `seconds`."""

    tables: int
    rate: float
    seconds: int

    @property
    def entries(self) -> int:
        """That a table sends at most."""
        return BEFORE[1] + int(self.rate * self.seconds) + 1

    def before(self, table: int) -> int:
        return random.Random(table).randint(*BEFORE)

    def due_s(self, table: int, number: int) -> float:
        """When an entry is due, in seconds since the beginning."""
        phase = table / self.tables
        return (number - self.before(table) - 1 + phase) / self.rate


@dataclass(frozen=True, slots=True)
class _Template:
    """The messages of a game: entries and states with placeholders."""

    entries: tuple[bytes, ...]
    states: tuple[bytes, ...]

    def entry(self, number: int, table: int) -> bytes:
        return _fill(self.entries[number - 1], table)

    def state(self, number: int, table: int) -> bytes:
        content = _fill(self.states[(number - 1) // STATE_EVERY], table)
        return content.replace(str(PLACEHOLDER_NUMBER).encode(), str(number).encode())


def bench(tables: int, rate: float, seconds: int) -> Json:
    """Delays, what the collector carries at most, and what the database keeps of a hand."""
    check_installed()
    load = _Load(tables, rate, seconds)
    templates = [_make_template(number, load.entries) for number in range(GAMES)]
    with tempfile.TemporaryDirectory(prefix="bench-club-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL, which may be another user, comes through
        with (
            Mosquitto(Path(folder, "broker"), *SETTINGS) as broker,
            PostgreSQL(Path(folder, "database")) as server,
        ):
            address = server.create("season")
            with Database.parse(address) as database, _collecting(folder, broker, address) as collector:
                return _measure(load, templates, broker, server, database, collector)


def _measure(
    load: _Load,
    templates: Sequence[_Template],
    broker: Mosquitto,
    server: PostgreSQL,
    database: Database,
    collector: int,
) -> Json:
    empty_bytes = _size(database)
    spawning = multiprocessing.get_context("spawn")
    begun, late = spawning.Value("d", 0.0), spawning.Value("d", 0.0)
    sender = spawning.Process(target=_send, args=(load, templates, broker.port, begun, late), daemon=True)
    sender.start()
    first_s = time.monotonic()
    before = sum(load.before(table) for table in range(load.tables))
    while (kept := sum(_find_through(database).values())) == 0:
        time.sleep(OBSERVE_S)
        first_s = time.monotonic()
    kept_first = kept
    while (kept := sum(_find_through(database).values())) < before:
        time.sleep(OBSERVE_S)
    caught_up = (before - kept_first) / (time.monotonic() - first_s)
    spent = _spent(collector, broker, server)
    start_s = begun.value = time.monotonic() + 1
    delays, asked = _observe(load, database, start_s)
    took_s = time.monotonic() - start_s
    sender.join()
    shares = {name: (now - spent[name]) / took_s for name, now in _spent(collector, broker, server).items()}
    with database.begin() as session:
        entries = session.scalar(select(func.count()).select_from(Entry)) or 0
        hands = session.scalar(select(func.count()).select_from(Hand).where(Hand.finished)) or 0
    grown = _size(database) - empty_bytes
    of = f"{load.tables} tables, {load.rate:g} events a second each, {load.seconds} s"
    ordered = sorted(delays)
    wanted = sum(int(load.rate * load.seconds) for _ in range(load.tables))
    figures = [
        *(
            figure(f"from event to standings, {name}", of, "ms", [1000 * _share(ordered, share)], min)
            for name, share in (("p50", 0.5), ("p99", 0.99), ("longest", 1.0))
        ),
        figure("the query for the standings", of, "ms", [1000 * each for each in asked], min),
        figure("sent later than due, at most", of, "ms", [1000 * late.value], min),
        figure("collected while catching up", "entries that waited", "per second", [caught_up], max),
        *(
            figure(f"processor: {name}", of, "% of a core", [100 * share], min)
            for name, share in shares.items()
        ),
        figure("memory of the collector", of, "MB", [_peak_mb(collector)], min),
        figure("growth of the database", f"{entries} entries", "bytes an entry", [grown / entries], min),
        figure("the same", f"{hands} hands that ended", "bytes a hand", [grown / max(hands, 1)], min),
    ]
    holds = {
        "what": "every event came", "holds": len(delays) == wanted, "events": wanted, "came": len(delays)
    }  # fmt: skip
    return {
        "python": sys.version.split()[0],
        "cores": len(os.sched_getaffinity(0)),
        "figures": figures,
        "holds": [holds],
    }


def _observe(load: _Load, database: Database, start_s: float) -> tuple[list[float], list[float]]:
    """The delay of each event and the time of each question for the standings, in seconds."""
    ids = {_make_id(table): table for table in range(load.tables)}
    seen = {game: load.before(table) for game, table in ids.items()}
    last = {game: number + int(load.rate * load.seconds) for game, number in seen.items()}
    delays: list[float] = []
    asked: list[float] = []
    ends_s = start_s + load.seconds + LATE_S
    while seen != last and time.monotonic() < ends_s:
        with database.begin() as session:
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            through = dict(session.execute(select(Game.id, Game.through)).all())
            began_s = time.monotonic()
            list_standings(session)
        now_s = time.monotonic()
        asked.append(now_s - began_s)
        for game, number in through.items():
            delays += (
                now_s - start_s - load.due_s(ids[game], each) for each in range(seen[game] + 1, number + 1)
            )
            seen[game] = number
        time.sleep(OBSERVE_S)
    return delays, asked


def _send(load: _Load, templates: Sequence[_Template], port: int, begun: Any, late: Any) -> None:
    """Send what every table has before, and from `begun` on the next entries as they are due."""
    clients = [make_client(f"bench-{number}") for number in range(CONNECTIONS)]
    for client in clients:
        client.max_inflight_messages_set(1000)
        client.connect(HOST, port)
        client.loop_start()

    def send(table: int, number: int, *, with_state: bool) -> None:
        client, template = clients[table % CONNECTIONS], templates[table % GAMES]
        topics = TableTopics(CLUB, str(table))
        client.publish(topics.events, template.entry(number, table), QOS)
        if with_state:
            client.publish(topics.state, template.state(number, table), QOS, retain=True)

    for table in range(load.tables):
        topics = TableTopics(CLUB, str(table))
        clients[table % CONNECTIONS].publish(topics.alive, encode_alive(True, "bench"), QOS, retain=True)
        before = load.before(table)
        for number in range(1, before + 1):
            send(table, number, with_state=number == before)
    while not begun.value:
        time.sleep(0.05)
    for round_ in range(1, int(load.rate * load.seconds) + 1):
        for table in range(load.tables):
            number = load.before(table) + round_
            due_s = begun.value + load.due_s(table, number)
            pause_s = due_s - time.monotonic()
            if pause_s > 0:
                time.sleep(pause_s)
            late.value = max(late.value, time.monotonic() - due_s)
            send(table, number, with_state=True)
    _finish(clients)


def _finish(clients: Sequence[paho.Client]) -> None:
    for client in clients:
        while client._out_messages:
            time.sleep(0.05)
        client.disconnect()
        client.loop_stop()


def _make_template(number: int, entries: int) -> _Template:
    """The first entries of a game. InputError where it has fewer."""
    rules = sorted(RULE_SETS)[number % len(RULE_SETS)]
    a, b, c, d = (f"{PLACEHOLDER_NAME}{seat}" for seat in range(4))
    start, name = GameStarted(rules=rules, names=(a, b, c, d)), f"game {PLACEHOLDER_NAME}"
    steps = [SimulatedMove(start, apply(None, start))]
    for played in play(start, entries, random.Random(SEED + number)):
        if played.game > 1:
            raise InputError(GAME_OVER, events=len(steps))
        steps += played.steps
        if len(steps) >= entries:
            break
    events = tuple(step.event for step in steps[:entries])
    encoded = (
        GameEntry(at, None, encode_event(event).decode(), 0, AT) for at, event in enumerate(events, start=1)
    )
    states = (
        PlayedSoFar(name, events[: at + 1], steps[at].state) for at in range(0, len(events), STATE_EVERY)
    )
    return _Template(
        tuple(encode_entry(PLACEHOLDER_ID, name, entry) for entry in encoded),
        tuple(encode_state(PLACEHOLDER_ID, played, PLACEHOLDER_NUMBER) for played in states),
    )


def _fill(content: bytes, table: int) -> bytes:
    return content.replace(PLACEHOLDER_ID.encode(), _make_id(table).encode()).replace(
        PLACEHOLDER_NAME.encode(), f"P{table:07}".encode()
    )


def _make_id(table: int) -> str:
    return f"{table:016x}"


@contextmanager
def _collecting(folder: str, broker: Mosquitto, address: str) -> Iterator[int]:
    """The process number of a running `companion club`."""
    command = [
        sys.executable, "-m", "companion", "club", "--broker", broker.url, "--database", address,
        "--port", "0", "--json",
    ]  # fmt: skip
    environment = os.environ | {"COMPANION_DATA": folder}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        program.stdout.readline()
        try:
            yield program.pid
        finally:
            program.terminate()


def _find_through(database: Database) -> dict[str, int]:
    with database.begin() as session:
        if not session.scalar(text("SELECT to_regclass('games')")):
            return {}
        return dict(session.execute(select(Game.id, Game.through)).all())


def _size(database: Database) -> int:
    with database.begin() as session:
        size: int = session.scalar(text("SELECT pg_database_size(current_database())"))
    return size


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


def _spent(collector: int, broker: Mosquitto, server: PostgreSQL) -> dict[str, float]:
    """Seconds of processor time so far."""
    assert broker.pid is not None
    return {
        "collector": _processor_s(collector),
        "broker": _processor_s(broker.pid),
        "database": sum(map(_processor_s, [server.pid, *list_children(server.pid)])),
    }


def _processor_s(pid: int) -> float:
    """Of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (peak,) = (line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024
