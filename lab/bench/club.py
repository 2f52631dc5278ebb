"""How much `companion club` carries: the real collector, broker and database, and simulated tables.

Every table sends what a real one does, its entry and then its newest state, at an even pace; a few
connections send for all of them. An event counts from the moment at which it was due until an answer of the
query for the standings that includes it has come, so that what delays the sender counts, too.

Several collectors share the tables by club: each may read its own club at the broker, and has a database of
its own.
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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, text

from companion.club.database import Database
from companion.club.keeping import list_entries
from companion.club.replay import ReplayedGame
from companion.club.schema import Entry, Game
from companion.club.standings import list_standings
from companion.coach.play.simulation import SimulatedMove, play
from companion.errors import InputError
from companion.game.file import GameEntry
from companion.game.watching import PlayedSoFar
from companion.publish.connection import PASSWORD, QOS, make_client
from companion.publish.topics import TableTopics, encode_alive, encode_entry, encode_state
from companion.rules import RULE_SETS
from companion.sheets.hands import make_sheet
from companion.table.apply import apply
from companion.table.events import GameStarted, encode_event
from lab.bench.figures import figure
from lab.club.servers import HOST, Mosquitto, PostgreSQL, check_installed, list_children

Json = dict[str, Any]
SEED = 20261130
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
SECRET = "secret"
SETTINGS = (
    "allow_anonymous true",
    "max_queued_messages 0",
    "max_inflight_messages 500",
    "autosave_interval 60",
)
ASKED = 5
FILL = (
    "INSERT INTO tables (id, club, name, is_there) VALUES (1, 'bench', '1', false)",
    "INSERT INTO players (id, club, name) SELECT n, 'bench', 'P' || n FROM generate_series(1, 4000) n",
    "INSERT INTO games (id, table_id, name, rules, begun, is_practice, through, newest)"
    " SELECT lpad(n::text, 16, '0'), 1, '', 'hefei', '2026-11-30T20:00:00Z', false, 1, 1"
    " FROM generate_series(1, {games}) n",
    "INSERT INTO game_players (game_id, person, player_id, points, hands, wins)"
    " SELECT lpad(n::text, 16, '0'), p, (n * 4 + p) % 4000 + 1, 0, 16, 4"
    " FROM generate_series(1, {games}) n, generate_series(0, 3) p",
    "INSERT INTO hands (game_id, place, number, dealer, streak, finished, abandoned, drawn)"
    " SELECT lpad(n::text, 16, '0'), h - 1, h, 0, 1, true, false, false"
    " FROM generate_series(1, {games}) n, generate_series(1, 16) h",
    "INSERT INTO payments (game_id, number, person, hand, reason, points, why)"
    " SELECT lpad(n::text, 16, '0'), h - 1, p, h - 1, 'win', CASE p WHEN h % 4 THEN 3 ELSE -1 END, ''"
    " FROM generate_series(1, {games}) n, generate_series(1, 16) h, generate_series(0, 3) p",
    "INSERT INTO wins (game_id, hand, place, number, winner, source, concealed, melds, flowers, value, unit,"
    " rows) SELECT lpad(n::text, 16, '0'), h - 1, 0, h, h % 4, 'self_draw', '[]', '[]', '[]', 1, 'zui', '[]'"
    " FROM generate_series(1, {games}) n, generate_series(1, 16) h",
    "ANALYZE",
)
"""A season of games of 16 hands: what the standings are made of, without entries."""
HANDS_IN_GAME = 16


@dataclass(frozen=True, slots=True)
class _Load:
    """tables: n of them, each with `rate` events a second for `seconds`, in as many clubs as collectors."""

    tables: int
    rate: float
    seconds: int
    collectors: int

    @property
    def rounds(self) -> int:
        """Events of a table in the measured time."""
        return int(self.rate * self.seconds)

    def before(self, table: int) -> int:
        return random.Random(table).randint(*BEFORE)

    def due_s(self, table: int, number: int) -> float:
        """When an entry is due, in seconds since the beginning."""
        return (number - self.before(table) - 1 + table / self.tables) / self.rate

    def topics(self, table: int) -> TableTopics:
        return TableTopics(_name_club(table % self.collectors), str(table))


@dataclass(frozen=True, slots=True)
class _Template:
    """The messages of a game: entries and states with placeholders. per_hand: entries of a whole hand."""

    entries: tuple[bytes, ...]
    states: tuple[bytes, ...]
    per_hand: float

    def entry(self, number: int, table: int) -> bytes:
        return _fill(self.entries[number - 1], table)

    def state(self, number: int, table: int) -> bytes:
        content = _fill(self.states[(number - 1) // STATE_EVERY], table)
        return content.replace(str(PLACEHOLDER_NUMBER).encode(), str(number).encode())


@dataclass(frozen=True, slots=True)
class _Running:
    """What is measured. collectors: process numbers, each with its database."""

    broker: Mosquitto
    server: PostgreSQL
    collectors: Sequence[int]
    databases: Sequence[Database]

    def count_sizes(self) -> int:
        size = text("SELECT pg_database_size(current_database())")
        return sum(_ask(each, lambda session: session.scalar(size)) for each in self.databases)

    def count_entries(self) -> int:
        count = select(func.count()).select_from(Entry)
        return sum(_ask(each, lambda session: session.scalar(count)) for each in self.databases)

    def count_processor_s(self) -> dict[str, float]:
        """So far."""
        assert self.broker.pid is not None
        server = self.server.pid
        return {
            "collector": sum(map(_processor_s, self.collectors)),
            "broker": _processor_s(self.broker.pid),
            "database": sum(map(_processor_s, [server, *list_children(server)])),
        }


def bench(tables: int, rate: float, seconds: int, collectors: int, hands: int) -> Json:
    """Delays, what the collector carries at most, what the database keeps of a hand, and how long the
    standings take after that many hands."""
    check_installed()
    load = _Load(tables, rate, seconds, collectors)
    templates = [_make_template(number, BEFORE[1] + load.rounds) for number in range(GAMES)]
    with tempfile.TemporaryDirectory(prefix="bench-club-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL, which may be another user, comes through
        with _running(Path(folder), collectors) as running:
            figures, holds = _measure(load, templates, running)
            figures += _measure_standings(running.server, hands)
    cores = len(os.sched_getaffinity(0))
    return {"python": sys.version.split()[0], "cores": cores, "figures": figures, "holds": [holds]}


def _measure(load: _Load, templates: Sequence[_Template], running: _Running) -> tuple[list[Json], Json]:
    empty_bytes = running.count_sizes()
    spawning = multiprocessing.get_context("spawn")
    begun, late = spawning.Value("d", 0.0), spawning.Value("d", 0.0)
    args = load, templates, running.broker.port, begun, late
    sender = spawning.Process(target=_send, args=args, daemon=True)
    sender.start()
    caught_up = _catch_up(running, sum(load.before(table) for table in range(load.tables)))
    spent_s = running.count_processor_s()
    start_s = begun.value = time.monotonic() + 1
    delays, asked = _observe(load, running, start_s)
    used_s = {name: now - spent_s[name] for name, now in running.count_processor_s().items()}
    sender.join()
    entries = running.count_entries()
    of_entry = (running.count_sizes() - empty_bytes) / entries
    per_hand = sum(each.per_hand for each in templates) / len(templates)
    of = f"{load.tables} tables, {load.rate:g} events a second each, {load.seconds} s"
    if load.collectors > 1:
        of += f", {load.collectors} collectors"
    memory_mb = max(map(_peak_mb, running.collectors))
    replayed = _measure_replay(running.databases[0])
    used = {f"processor: {name}": 1000 * each / max(len(delays), 1) for name, each in used_s.items()}
    name, waits = "collected while catching up", "entries that waited"
    waited = [figure(name, waits, "per second", [caught_up], max)] if caught_up else []
    figures = [
        *(
            figure(f"from event to standings, {name}", of, "ms", [1000 * _share(delays, share)], min)
            for name, share in (("p50", 0.5), ("p99", 0.99), ("longest", 1.0))
        ),
        figure("the query for the standings", of, "ms", [1000 * each for each in asked], min),
        figure("sent later than due, at most", of, "ms", [1000 * late.value], min),
        *waited,
        *(figure(name, of, "ms an event", [each], min) for name, each in used.items()),
        figure("memory of a collector", of, "MB", [memory_mb], min),
        figure("playing a game again after a restart", "an entry", "ms", replayed, min),
        figure("growth of the database", f"{entries} entries", "bytes an entry", [of_entry], min),
        figure("the same", f"{per_hand:.0f} entries a hand", "bytes a hand", [of_entry * per_hand], min),
    ]
    due = load.tables * load.rounds
    return figures, {
        "what": "every event came", "holds": len(delays) == due, "events": due, "came": len(delays)
    }  # fmt: skip


def _catch_up(running: _Running, entries: int) -> float:
    """Wait until that many are there; how many came in a second, 0 where none had to wait."""
    while (first := running.count_entries()) == 0:
        time.sleep(OBSERVE_S)
    first_s = time.monotonic()
    while running.count_entries() < entries:
        time.sleep(OBSERVE_S)
    return (entries - first) / (time.monotonic() - first_s)


def _observe(load: _Load, running: _Running, start_s: float) -> tuple[list[float], list[float]]:
    """The delay of each event, the shortest first, and the time of each question for the standings, in
    seconds."""
    ids = {_make_id(table): table for table in range(load.tables)}
    seen = {game: load.before(table) for game, table in ids.items()}
    last = {game: number + load.rounds for game, number in seen.items()}
    delays: list[float] = []
    asked: list[float] = []
    ends_s = start_s + load.seconds + LATE_S
    while seen != last and time.monotonic() < ends_s:
        for database in running.databases:
            with database.begin() as session:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
                through = session.execute(select(Game.id, Game.through)).all()
                began_s = time.monotonic()
                list_standings(session)
            now_s = time.monotonic()
            asked.append(now_s - began_s)
            for game, number in through:
                new = range(seen[game] + 1, number + 1)
                delays += (now_s - start_s - load.due_s(ids[game], each) for each in new)
                seen[game] = number
        time.sleep(OBSERVE_S)
    return sorted(delays), asked


def _measure_replay(database: Database) -> list[float]:
    """Milliseconds for an entry of some games, read from the database and played again."""
    took = []
    with database.begin() as session:
        for game in session.scalars(select(Game).order_by(Game.id).limit(GAMES)):
            began_s = time.monotonic()
            ReplayedGame.resume(list_entries(session, game))
            took.append(1000 * (time.monotonic() - began_s) / game.through)
    return took


def _measure_standings(server: PostgreSQL, hands: int) -> list[Json]:
    """How long the standings take after that many hands of 4,000 players."""
    if not hands:
        return []
    took = []
    with Database.parse(server.create("standings")) as database:
        database.migrate()
        with database.begin() as session:
            for command in FILL:
                session.execute(text(command.format(games=hands // HANDS_IN_GAME)))
        for _ in range(ASKED):
            began_s = time.monotonic()
            _ask(database, list_standings)
            took.append(1000 * (time.monotonic() - began_s))
    return [figure("the query for the standings", f"4,000 players, {hands:,} hands", "ms", took, min)]


def _send(load: _Load, templates: Sequence[_Template], port: int, begun: Any, late: Any) -> None:
    """Send what every table has before, and from `begun` on the next entries as they are due."""
    clients = [make_client(f"bench-{number}") for number in range(CONNECTIONS)]
    for client in clients:
        client.max_inflight_messages_set(1000)
        client.connect(HOST, port)
        client.loop_start()
    last = None

    def send(table: int, number: int, *, with_state: bool) -> None:
        nonlocal last
        client, template, topics = clients[table % CONNECTIONS], templates[table % GAMES], load.topics(table)
        last = client.publish(topics.events, template.entry(number, table), QOS)
        if with_state:
            last = client.publish(topics.state, template.state(number, table), QOS, retain=True)

    for table in range(load.tables):
        alive = encode_alive(True, "bench")
        clients[table % CONNECTIONS].publish(load.topics(table).alive, alive, QOS, retain=True)
        before = load.before(table)
        for number in range(1, before + 1):
            send(table, number, with_state=number == before)
    while not begun.value:
        time.sleep(0.05)
    for round_ in range(1, load.rounds + 1):
        for table in range(load.tables):
            number = load.before(table) + round_
            due_s = begun.value + load.due_s(table, number)
            time.sleep(max(0.0, due_s - time.monotonic()))
            late.value = max(late.value, time.monotonic() - due_s)
            send(table, number, with_state=True)
    assert last is not None
    last.wait_for_publish()
    for client in clients:
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
        tuple(
            encode_state(PLACEHOLDER_ID, played, make_sheet(played.events), PLACEHOLDER_NUMBER)
            for played in states
        ),
        len(steps) / steps[-1].state.hands,
    )


def _fill(content: bytes, table: int) -> bytes:
    filled = content.replace(PLACEHOLDER_ID.encode(), _make_id(table).encode())
    return filled.replace(PLACEHOLDER_NAME.encode(), f"P{table:07}".encode())


def _make_id(table: int) -> str:
    return f"{table:016x}"


def _name_club(collector: int) -> str:
    return f"bench{collector}"


@contextmanager
def _running(folder: Path, collectors: int) -> Iterator[_Running]:
    """Broker, database and collectors, each of which may read one club."""
    clubs = [_name_club(number) for number in range(collectors)]
    passwords, rights = folder / "passwords", folder / "rights"
    passwords.touch(0o600)
    for club in clubs:
        subprocess.run(["mosquitto_passwd", "-b", passwords, club, SECRET], check=True)
    rules = ["topic readwrite mahjong/#"]
    for club in clubs:
        rules += [f"user {club}", f"topic read mahjong/{club}/#", f"topic write mahjong/{club}/+/again"]
    rights.write_text("\n".join([*rules, ""]))
    settings = *SETTINGS, f"password_file {passwords}", f"acl_file {rights}"
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder / "broker", *settings))
        server = stack.enter_context(PostgreSQL(folder / "database"))
        databases, programs = [], []
        for club in clubs:
            address = server.create(club)
            databases.append(stack.enter_context(Database.parse(address)))
            url = broker.url.replace("//", f"//{club}@")
            programs.append(stack.enter_context(_collecting(folder / club, url, address)))
        for database in databases:
            database.migrate()
        yield _Running(broker, server, programs, databases)


@contextmanager
def _collecting(folder: Path, broker: str, database: str) -> Iterator[int]:
    """The process number of a running `companion club`."""
    command = [
        sys.executable, "-m", "companion", "club", "--broker", broker, "--database", database,
        "--port", "0", "--json",
    ]  # fmt: skip
    environment = os.environ | {"COMPANION_DATA": str(folder), PASSWORD: SECRET}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        program.stdout.readline()
        try:
            yield program.pid
        finally:
            program.terminate()


def _ask(database: Database, question: Any) -> Any:
    with database.begin() as session:
        return question(session)


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


def _processor_s(pid: int) -> float:
    """Of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (peak,) = (line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024
