"""`companion club` with a real Mosquitto and a real PostgreSQL, through kills and cuts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from sqlalchemy import delete, func, select, update

from companion.club.database import Database
from companion.club.schema import Entry, Game, Organiser
from companion.club.standings import list_standings, list_tables
from companion.game import game as kept
from companion.game import shelf
from companion.publish.topics import TableTopics, identify_game
from companion.sheets.hands import make_sheet
from companion.table.events import Event, GameStarted, PointsMoved
from lab.club.servers import POSTGRES_PROGRAMS
from tests.club.databases import PostgreSQL
from tests.club.tables import NAMES, SentGame, assert_equals_sheet, play_hands
from tests.programs import started
from tests.publish.brokers import MOSQUITTO, Mosquitto, Subscriber, wait_until
from tests.publish.lines import Line

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
LIMIT_S = 120
RUN_S = 1800
"""How long a program of the longest test may run."""
ROOT = Path(__file__).parents[2]
COMPANION = (sys.executable, "-m", "companion")
START = GameStarted(rules="hefei", names=NAMES)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path / "broker")
    yield broker
    broker.stop()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    with Database.parse(database_url) as database:
        yield database


@pytest.fixture
def sender(broker: Mosquitto) -> Iterator[Subscriber]:
    sender = Subscriber(broker.port, "sender")
    yield sender
    sender.close()


def move(points: int) -> PointsMoved:
    return PointsMoved(points=(points, -points, 0, 0), why="a wager")


class Table:
    """A table with a data folder of its own, whose kept game is played on by these events."""

    def __init__(self, folder: Path, name: str, events: tuple[Event, ...], patch: pytest.MonkeyPatch) -> None:
        start, *self.left = events
        assert isinstance(start, GameStarted)
        self._folder = folder / name
        patch.setenv("COMPANION_DATA", str(self._folder))
        self._path = shelf.path_of("friday")
        self._game = kept.Game.begin(self._path, start)
        self.name = name

    def play(self, steps: int) -> None:
        for event in self.left[:steps]:
            self._game.append(event)
        del self.left[:steps]

    def undo(self) -> None:
        self._game.undo(2)

    @property
    def id(self) -> str:
        return identify_game(self._game.file.entries)

    @property
    def sent(self) -> int:
        """How many entries there are to send."""
        return len(self._game.file.entries)

    @property
    def events(self) -> list[Event]:
        return self._game.log.standing

    def publishing(self, url: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
        command = [
            *COMPANION,
            "publish",
            "friday",
            "--broker",
            url,
            "--club",
            "dragons",
            "--table",
            self.name,
        ]
        return started(
            command,
            limit_s=RUN_S,
            env=os.environ | {"COMPANION_DATA": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


class Collector:
    """The running program; `kill` and `start` as often as wanted. more: options."""

    def __init__(self, broker: str, database: str, *more: str) -> None:
        self._command = [
            *COMPANION,
            "club",
            "--broker",
            broker,
            "--database",
            database,
            "--port",
            "0",
            "--json",
            *more,
        ]
        self._stack = ExitStack()
        self.start()

    def start(self) -> None:
        self.program = self._stack.enter_context(
            started(self._command, limit_s=RUN_S, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
        assert self.program.stdout is not None
        line = self.program.stdout.readline()
        assert line, self.program.communicate()
        self.address = json.loads(line)["address"]

    def kill(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        self.program.wait()

    def restart(self) -> None:
        self.kill()
        self.start()

    def end(self) -> str:
        """What it said on stderr."""
        self.program.send_signal(signal.SIGINT)
        _, said = self.program.communicate(timeout=LIMIT_S)
        assert self.program.returncode == 0
        return said

    def get(self, path: str) -> Any:
        """The answer; None where there is none yet."""
        try:
            with urlopen(f"{self.address}{path}", timeout=LIMIT_S) as answer:
                return json.load(answer)
        except (URLError, TimeoutError):
            return None

    def numbers(self) -> dict[str, int]:
        """Of the last entry of each table that is here."""
        shown = self.get("tables")
        return {
            each["table"]: each["game"]["number"]
            for each in (shown or {"tables": []})["tables"]
            if each["game"]
        }

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def check_entries(database: Database, game: str, sent: int, events: list[Event]) -> None:
    with database.begin() as session:
        assert_equals_sheet(session, game, events)
        numbers = session.scalars(select(Entry.number).where(Entry.game_id == game).order_by(Entry.number))
        assert numbers.all() == list(range(1, sent + 1))


class Tables:
    """Three tables of three rule sets, the collector of their club, and the network to the broker."""

    def __init__(
        self, folder: Path, broker: Mosquitto, url: str, patch: pytest.MonkeyPatch, hands: int
    ) -> None:
        self._stack = ExitStack()
        self.line = Line(broker.port)
        self._stack.callback(self.line.close)
        self.tables = [
            Table(folder, str(number), play_hands(rules, hands, number), patch)
            for number, rules in enumerate(("hefei", "taiwanese", "hong_kong"), start=1)
        ]
        for table in self.tables:
            self._stack.enter_context(table.publishing(self.line.url))
        self.collector = self._stack.enter_context(Collector(self.line.url, url))
        self._database = self._stack.enter_context(Database.parse(url))

    def play(self, steps: int) -> None:
        for table in self.tables:
            table.play(steps)

    def play_until_more_arrives(self, steps: int) -> None:
        before = self.collector.numbers()
        self.play(steps)

        def has_more(table: Table) -> bool:
            number = self.collector.numbers().get(table.name, 0)
            return number > before.get(table.name, 0) or number == table.sent

        wait_until(lambda: all(map(has_more, self.tables)), LIMIT_S)

    def check(self) -> None:
        """Once everything has arrived, the database has what the tables' own files have."""
        expected = {table.name: table.sent for table in self.tables}
        wait_until(lambda: self.collector.numbers() == expected, LIMIT_S)
        for table in self.tables:
            check_entries(self._database, table.id, table.sent, table.events)
        shown = self.collector.get("tables")["tables"]
        assert [each["troubles"] for each in shown] == [[], [], []]
        (club,) = self.collector.get("standings")["clubs"]
        points = {row["name"]: row["points"] for row in club["standings"]}
        assert points == {
            name: sum(
                hand.points[person]
                for table in self.tables
                for hand in make_sheet(table.events).hands
                if hand.finished
            )
            for person, name in enumerate(NAMES)
        }
        said = self.collector.end()
        assert "refused" not in said

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


@pytest.mark.parametrize(
    ("hands", "kills"),
    [pytest.param(3, 3, marks=pytest.mark.slow), pytest.param(12, 30, marks=pytest.mark.long)],
)
def test_after_kills_every_payment_is_that_of_the_tables_own_sheet(
    tmp_path: Path,
    broker: Mosquitto,
    postgres: PostgreSQL,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    hands: int,
    kills: int,
) -> None:
    """kills: of each of collector, broker and database, in turn."""
    with Tables(tmp_path, broker, database_url, monkeypatch, hands) as club:
        steps = max(len(table.left) for table in club.tables) // (5 * kills) + 1
        for _ in range(kills):
            club.play_until_more_arrives(steps)
            club.collector.kill()
            club.play(steps)
            club.collector.start()
            club.play_until_more_arrives(steps)
            broker.kill()
            club.play(steps)
            broker.start()
            postgres.kill()
            club.play(steps)
            postgres.start()
        club.tables[0].undo()
        assert all(not table.left for table in club.tables)
        club.check()


@pytest.mark.parametrize(
    "cut_s", [pytest.param(5, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
def test_after_a_cut_of_the_network_nothing_is_missing(
    tmp_path: Path,
    broker: Mosquitto,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    cut_s: float,
) -> None:
    """The longer cut is one that every connection notices: MQTT's keep-alive is 30 s."""
    with Tables(tmp_path, broker, database_url, monkeypatch, hands=3) as club:
        club.play_until_more_arrives(20)
        club.line.cut()
        ends_s = time.monotonic() + cut_s
        while time.monotonic() < ends_s:
            club.play(1)
            time.sleep(cut_s / 200)
        club.line.repair()
        club.play(10**6)
        club.check()


def run_documented(block: str, replaced: dict[str, str]) -> None:
    """Run the commands of the block of docs/club.md that contains these words."""
    document = (ROOT / "docs/club.md").read_text(encoding="utf-8")
    (commands,) = (
        each for each in re.findall(r"^```sh[^\n]*\n(.*?)^```", document, re.M | re.S) if block in each
    )
    for old, new in replaced.items():
        commands = commands.replace(old, new)
    assert "db.local" not in commands
    path = f"{POSTGRES_PROGRAMS}:{os.environ['PATH']}"
    subprocess.run(commands, shell=True, check=True, env=os.environ | {"PATH": path})


@pytest.mark.slow
def test_a_restored_database_has_the_same_standings_and_what_it_lacks_is_asked_for(
    tmp_path: Path,
    broker: Mosquitto,
    postgres: PostgreSQL,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, name = database_url.rsplit("/", 1)
    replaced = {
        "postgresql://club@db.local": server, "season.dump": str(tmp_path / "dump"), "season2": "restored"
    }  # fmt: skip
    with Tables(tmp_path, broker, database_url, monkeypatch, hands=3) as club:
        club.play_until_more_arrives(200)
        club.collector.kill()
        with Database.parse(database_url) as database, database.begin() as session:
            before = list_standings(session), list_tables(session)
        run_documented("pg_dump --format=custom --file", replaced | {"/season\n": f"/{name}\n"})
        run_documented("pg_restore --exit-on-error", replaced)
        with Database.parse(f"{server}/restored") as restored, restored.begin() as session:
            assert (list_standings(session), list_tables(session)) == before
        club.collector.start()
        club.play(10**6)
        expected = {table.name: table.sent for table in club.tables}
        wait_until(lambda: club.collector.numbers() == expected, LIMIT_S)
        club.collector.kill()
        with Collector(club.line.url, f"{server}/restored") as again, restored:
            wait_until(lambda: again.numbers() == expected, LIMIT_S)
            for table in club.tables:
                check_entries(restored, table.id, table.sent, table.events)


def test_while_the_database_is_gone_the_broker_keeps_the_messages(
    broker: Mosquitto, sender: Subscriber, postgres: PostgreSQL, database_url: str
) -> None:
    game = SentGame(TableTopics("dragons", "7"), [START, move(1), move(2), move(3)])
    with Collector(broker.url, database_url) as collector:
        meet(sender, collector, game)
        send(sender, game, 1)
        wait_until(lambda: collector.numbers() == {"7": 1}, LIMIT_S)
        postgres.stop()
        send(sender, game, 2, 3)
        assert collector.program.stderr is not None
        assert "cannot be used" in collector.program.stderr.readline()
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{collector.address}standings", timeout=LIMIT_S)
        assert refused.value.code == 503
        assert json.load(refused.value) == {
            "version": 1, "error": "The database does not answer: try again in a moment."
        }  # fmt: skip
        collector.kill()
        postgres.start()
        collector.start()
        wait_until(lambda: collector.numbers() == {"7": 3}, LIMIT_S)
        send(sender, game, 4)
        wait_until(lambda: collector.numbers() == {"7": 4}, LIMIT_S)
        assert collector.end() == ""


def test_what_a_broker_without_memory_loses_is_asked_for(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Mosquitto(tmp_path / "forgetful", "allow_anonymous true", "persistence false")
    table = Table(tmp_path, "7", (START, *map(move, range(1, 30))), monkeypatch)
    try:
        with table.publishing(broker.url), Collector(broker.url, database_url) as collector:
            table.play(3)
            wait_until(lambda: collector.numbers() == {"7": 4}, LIMIT_S)
            collector.kill()
            watching = Subscriber(broker.port, "watching")
            table.play(4)
            wait_until(lambda: len(watching.sent("/events")) == 4, LIMIT_S)
            watching.close()
            broker.stop()
            broker.start()
            collector.start()
            wait_until(lambda: collector.numbers() == {"7": 8}, LIMIT_S)
            collector.kill()
            with Database.parse(database_url) as database:
                check_entries(database, table.id, table.sent, table.events)
    finally:
        broker.stop()


def test_a_second_collector_of_a_database_waits_until_the_first_is_gone(
    broker: Mosquitto, sender: Subscriber, database_url: str
) -> None:
    game = SentGame(TableTopics("dragons", "7"), [START, move(1), move(2)])
    with Collector(broker.url, database_url) as first, Collector(broker.url, database_url) as second:
        meet(sender, first, game)
        assert second.program.stderr is not None
        assert "Another program collects for the database" in second.program.stderr.readline()
        send(sender, game, 1, 2)
        wait_until(lambda: first.numbers() == {"7": 2}, LIMIT_S)
        first.kill()
        send(sender, game, 3)
        wait_until(lambda: second.numbers() == {"7": 3}, LIMIT_S)
        assert "is there again" in second.end()


def test_the_rights_that_the_document_gives_are_enough(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = (ROOT / "docs/club.md").read_text(encoding="utf-8")
    (rights,) = re.findall(r"^```text\n(user .*?)^```", document, re.MULTILINE | re.DOTALL)
    (tmp_path / "rights").write_text(rights)
    passwords = tmp_path / "passwords"
    passwords.touch()
    for user in ("table7", "collector"):
        subprocess.run(["mosquitto_passwd", "-b", passwords, user, "secret"], check=True)
    for file in (tmp_path / "rights", passwords):
        file.chmod(0o600)
    broker = Mosquitto(
        tmp_path / "guarded",
        "allow_anonymous false",
        f"password_file {passwords}",
        f"acl_file {tmp_path / 'rights'}",
    )
    monkeypatch.setenv("COMPANION_BROKER_PASSWORD", "secret")
    table = Table(tmp_path, "7", (START, *map(move, range(1, 10))), monkeypatch)
    try:
        with Collector(broker.url.replace("//", "//collector@"), database_url) as collector:
            with table.publishing(broker.url.replace("//", "//table7@")):
                table.play(3)
                wait_until(lambda: collector.numbers() == {"7": 4}, LIMIT_S)
            collector.kill()
            with Database.parse(database_url) as database, database.begin() as session:
                session.execute(delete(Entry).where(Entry.number > 2))
                session.execute(update(Game).values(through=2))
            collector.start()
            with table.publishing(broker.url.replace("//", "//table7@")):
                wait_until(lambda: collector.numbers() == {"7": 4}, LIMIT_S)
    finally:
        broker.stop()


def test_each_answer_has_a_version_and_unknown_ones_a_sentence(
    broker: Mosquitto, sender: Subscriber, database_url: str
) -> None:
    game = SentGame(TableTopics("dragons", "7"), [START, move(3)])
    with Collector(broker.url, database_url) as collector:
        meet(sender, collector, game)
        send(sender, game, 1, 2)
        wait_until(lambda: collector.numbers() == {"7": 2}, LIMIT_S)
        (club,) = collector.get("standings")["clubs"]
        expected = {"place": 1, "name": "Ann", "points": 3, "games": 1, "hands": 0, "wins": 0}
        assert expected.items() <= club["standings"][0].items()
        assert {collector.get(path)["version"] for path in ("standings", "tables", "players/Ann")} == {1}
        for path, says in (("players/Nobody", "No player named 'Nobody'"), ("nothing", "There is nothing")):
            with pytest.raises(HTTPError) as refused:
                urlopen(f"{collector.address}{path}", timeout=LIMIT_S)
            answer = json.load(refused.value)
            assert (refused.value.code, answer["version"]) == (404, 1)
            assert says in answer["error"]


@pytest.mark.parametrize(
    ("more", "status", "says"),
    [
        (("--broker", "http://x", "--database", "postgresql://localhost/club"), 2, "A broker is given as"),
        (("--broker", "mqtt://x", "--database", "sqlite://"), 2, "A database is given as"),
    ],
)
def test_wrong_input_ends_in_one_sentence(more: tuple[str, ...], status: int, says: str) -> None:
    ended = subprocess.run([*COMPANION, "club", *more], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (status, "", 1), ended.stderr
    assert says in ended.stderr


def test_an_organiser_signs_in_with_the_password_that_the_program_was_given(
    broker: Mosquitto, database_url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count() -> int:
        with database.begin() as session:
            return session.scalar(select(func.count()).select_from(Organiser)) or 0

    monkeypatch.setenv("COMPANION_ORGANISER_PASSWORD", "eight winds")
    form = urlencode({"do": "sign_in", "name": "Olga", "password": "eight winds"}).encode()
    for more in (("--organiser", "Olga"), ()):  # it is kept
        with Collector(broker.url, database_url, *more) as collector:
            wait_until(lambda: collector.get("tables") is not None and count() == 1, LIMIT_S)  # type: ignore[misc]
            asked = Request(f"{collector.address}organise", form, {"Origin": collector.address[:-1]})
            with build_opener(HTTPCookieProcessor()).open(asked, timeout=LIMIT_S) as answer:
                assert b"Sign out" in answer.read()


@pytest.mark.parametrize(
    ("password", "says"), [(None, "no terminal to ask"), ("short", "8 to 1,000 characters")]
)
def test_an_organiser_needs_a_password(
    password: str | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if password is not None:
        monkeypatch.setenv("COMPANION_ORGANISER_PASSWORD", password)
    command = ["--broker", "mqtt://x", "--database", "postgresql://x/x", "--organiser", "Olga"]
    ended = subprocess.run(
        [*COMPANION, "club", *command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
    assert says in ended.stderr


def test_without_its_packages_a_sentence_says_how_to_install_them() -> None:
    code = (
        "import sys; sys.modules['sqlalchemy'] = None; from companion.cli import run;"
        " sys.exit(run(['club', '--broker', 'mqtt://x', '--database', 'postgresql://x/x']))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.startswith("companion: The package 'sqlalchemy' is not installed.")
    assert ".[club]" in ended.stderr


def meet(sender: Subscriber, collector: Collector, game: SentGame) -> None:
    """Wait until the collector has subscribed: from then on the broker keeps what is for it."""
    sender.send(*game.alive(True), retain=True)
    wait_until(lambda: (collector.get("tables") or {"tables": []})["tables"], LIMIT_S)


def send(sender: Subscriber, game: SentGame, *numbers: int) -> None:
    for topic, payload in game.messages(*numbers):
        sender.send(topic, payload)
