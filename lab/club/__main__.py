"""`make club`: a whole club on this machine, whose tables built-in players play, until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from sqlalchemy.exc import SQLAlchemyError

from companion.club.competition import begin_meeting, begin_season, find_meeting, find_season, mark_present
from companion.club.database import Database
from companion.club.results import list_meeting_results
from companion.commands.club import VARIABLE
from companion.commands.output import print_line, print_message
from companion.errors import CompanionError, MissingError
from companion.publish.connection import Address
from companion.screen import find_screen
from companion.sentences import Sentence
from companion.stopping import until_stopped, wait_readable
from lab.club.servers import END_WITH_US, HOST, Mosquitto, PostgreSQL, check_installed
from lab.club.tables import Names, PlayedTables

FOLDER = Path(__file__).parents[2] / ".cache" / "club"
CLUB, DATABASE = "dragons", "season"
PEOPLE = (
    "Ann", "Bao", "Chen", "Dai", "Emma", "Fang", "Gao", "Hu",
    "Ines", "Jin", "Kai", "Lan", "Mei", "Nora", "Otto", "Ping",
    "Qiu", "Rosa", "Shan", "Tao", "Uma", "Vera", "Wen", "Xia",
    "安娜", "白露", "陈晨", "丁一", "方圆", "高山", "何欢", "江月",
    "李雷", "马良", "宁静", "彭博", "秦岭", "苏州", "唐诗", "王明",
    "夏天", "杨柳", "张弛", "周易", "吴越", "郑重", "赵云", "孙香",
)  # fmt: skip
"""Enough for twelve tables; further ones have numbers."""
COLLECTOR_ENDED = "The collector has ended: see the line above."
ORGANISER = "Olga"
ROUND_MINUTES = 60
POLL_S = 0.5
CLOSE_S = 20.0


def main() -> int:
    """Run the club. The exit status is that of a command."""
    parser = argparse.ArgumentParser(prog="python -m lab.club", description=__doc__)
    parser.add_argument("--tables", type=int, default=12, choices=range(1, 101), metavar="1..100")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two events of a table")
    parser.add_argument("--port", type=int, default=8370, help="of the page; 0 takes a free one")
    parser.add_argument("--data", type=Path, default=FOLDER, help="what is kept between runs")
    given = parser.parse_args()
    os.environ["COMPANION_DATA"] = str(given.data / "tables")
    try:
        with until_stopped():
            _run(given.data.absolute(), given.tables, given.pause, given.port)
    except CompanionError as error:
        print_message(str(error))
        return error.exit_status
    return 0


def _run(folder: Path, tables: int, pause_s: float, port: int) -> None:
    check_installed()
    people = _name_people(tables)
    with Mosquitto(folder / "broker") as broker, PostgreSQL(folder / "database") as server:
        server.create(DATABASE)
        os.environ["PGPASSWORD"] = server.password
        address = f"postgresql://club@{HOST}:{server.port}/{DATABASE}"
        with (
            _collecting(folder, broker, address, port) as collector,
            Database.parse(address) as database,
        ):
            _begin_season(database, people)
            with PlayedTables(Address.parse(broker.url), CLUB, people, pause_s, _report) as played:
                playing = None
                while collector.poll() is None:
                    found = _find_round(database)
                    if found is not None and found != playing:
                        playing = found
                        played.seat(found[1])
                    wait_readable(None, POLL_S)
    raise MissingError(COLLECTOR_ENDED)


def _begin_season(database: Database, people: Sequence[Names]) -> None:
    """A season with a meeting at which all of them are there, unless the club has one."""
    now = datetime.now(UTC)
    with database.begin() as session:
        if find_season(session, CLUB) is not None:
            return
        season = begin_season(session, CLUB, "Season 1", now)
        tables = [str(number) for number in range(1, len(people) + 1)]
        meeting = begin_meeting(session, season, "Evening 1", tables, ROUND_MINUTES, now)
        for name in (each for names in people for each in names):
            mark_present(session, meeting, name)


def _find_round(database: Database) -> tuple[int, dict[str, Names]] | None:
    """The round whose clock runs, and who is seated at its tables."""
    try:
        with database.begin() as session:
            season = find_season(session, CLUB)
            meeting = season and find_meeting(session, season)
            rounds = list_meeting_results(session, meeting) if meeting else []
    except SQLAlchemyError:  # the collector says so
        return None
    if not rounds or not rounds[-1].clock.runs:
        return None
    seated = {}
    for table in rounds[-1].tables:
        east, south, west, north = (player.name for player in table.players)
        seated[table.table] = (east, south, west, north)
    return rounds[-1].id, seated


@contextmanager
def _collecting(folder: Path, broker: Mosquitto, database: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """The real `companion club`, once its page is there, which is opened where there is a display."""
    password = folder / "organiser"
    if not password.exists():
        password.touch(0o600)
        password.write_text(secrets.token_hex(4))
    command = [
        *END_WITH_US, sys.executable, "-m", "companion", "club", "--broker", broker.url,
        "--database", database, "--organiser", ORGANISER, "--port", str(port), "--json",
    ]  # fmt: skip
    environment = os.environ | {VARIABLE: password.read_text(), "COMPANION_DATA": str(folder / "collector")}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as collector:
        assert collector.stdout is not None
        line = collector.stdout.readline()
        if not line:
            raise MissingError(COLLECTOR_ENDED)
        try:
            address = json.loads(line)["address"]
            _show(address, collector)
            print_line(
                f"{address}organise  (sign in as {ORGANISER} with the password {password.read_text()})"
            )
            yield collector
        finally:
            collector.terminate()
            collector.wait(CLOSE_S)


def _show(address: str, collector: subprocess.Popen[str]) -> None:
    """Print the address as soon as it answers."""
    while not _answers(f"{address}tables"):
        if collector.poll() is not None:
            raise MissingError(COLLECTOR_ENDED)
        wait_readable(None, POLL_S)
    print_line(
        f"{address}  (/standings, /tables; Ctrl-C ends the club, and the next run goes on with its season)"
    )
    try:
        find_screen()
    except MissingError:
        return
    webbrowser.open(address)


def _answers(address: str) -> bool:
    try:
        with urlopen(address):
            return True
    except URLError:
        return False


def _name_people(tables: int) -> list[Names]:
    names = iter(PEOPLE[at] if at < len(PEOPLE) else f"Player {at + 1}" for at in range(4 * tables))
    return list(zip(names, names, names, names, strict=True))


def _report(trouble: Sentence) -> None:
    print_message(str(trouble))


if __name__ == "__main__":
    sys.exit(main())
