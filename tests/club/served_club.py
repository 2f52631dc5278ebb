"""A club's pages that are served while a test runs, over what the test lets tables send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlencode, urlsplit

from sqlalchemy import text
from sqlalchemy.orm import Session

from companion.club.competition import (
    begin_meeting,
    begin_season,
    find_meeting,
    find_season,
    mark_present,
    seat_round,
    start_clock,
)
from companion.club.database import Database
from companion.club.keeping import Keeper
from companion.club.pages import Pages
from companion.club.results import RoundResult, list_meeting_results
from companion.club.schema import Base
from companion.club.sign_in import hash_password, keep_organiser
from companion.publish.topics import TableTopics
from companion.serve.site import Served
from companion.table.events import Event
from tests.club.tables import SentGame
from tests.programs import LIMIT_S

CLUB, ORGANISER, PASSWORD = "dragons", "Olga", "eight winds"
PROBLEM = re.compile(r'class="problem"[^>]*>([^<]*)<')
COOKIE = re.compile(r"(companion_organiser=[^;]+)")


hash_once = cache(hash_password)


@dataclass
class ServedClub:
    """`say` has a table send a game; `ask` and `send` are a browser's requests. cookie: of who has signed
    in."""

    database: Database
    pages: Pages
    keeper: Keeper = field(default_factory=Keeper)
    cookie: str | None = None

    @property
    def port(self) -> int:
        return urlsplit(self.pages.address).port or 0

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def clear(self) -> None:
        """Empty the database."""
        tables = ", ".join(f'"{each.name}"' for each in Base.metadata.sorted_tables)
        with self.database.begin() as session:
            session.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))

    def say(self, table: str, events: tuple[Event, ...], at: datetime | None = None) -> SentGame:
        """The table plays a game with these events, which begins then."""
        with self.database.begin() as session:
            return self.send_game(session, table, events, at or datetime.now(UTC))

    def send_game(self, session: Session, table: str, events: tuple[Event, ...], at: datetime) -> SentGame:
        """The same in a transaction of the test."""
        game = SentGame(TableTopics(CLUB, table), events, at=at.isoformat())
        self.keeper.keep(session, [game.alive(True), *game.messages()])
        return game

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[HTTPResponse, str]:
        """The answer with its body as text."""
        answer, content = self.fetch(path, method, body, **headers)
        return answer, content.decode()

    def fetch(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[HTTPResponse, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        given = {"Accept": "text/html"} | {k.replace("_", "-"): v for k, v in headers.items()}
        if self.cookie is not None:
            given["Cookie"] = self.cookie
        try:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def send(self, do: str, **fields: object) -> tuple[int, list[str]]:
        """The status of the organiser's page after this form, and what it says is wrong."""
        body = urlencode({"do": do, "club": CLUB} | fields).encode()
        answer, said = self.ask("/organise", "POST", body, Origin=self.origin)
        found = COOKIE.search(answer.headers.get("Set-Cookie", ""))
        if found is not None:
            self.cookie = found[1]
        return answer.status, [unescape(each) for each in PROBLEM.findall(said)]

    def sign_in(self) -> None:
        with self.database.begin() as session:
            keep_organiser(session, ORGANISER, hash_once(PASSWORD))
        assert self.send("sign_in", name=ORGANISER, password=PASSWORD) == (303, [])

    def seat(self, names: tuple[str, ...], tables: tuple[str, ...] = ("1", "2")) -> RoundResult:
        """A round of a new season is seated for these players, and its clock runs."""
        now = datetime.now(UTC) - timedelta(minutes=1)
        with self.database.begin() as session:
            season = begin_season(session, CLUB, "winter", now)
            meeting = begin_meeting(session, season, "friday", tables, 90, now)
            for name in names:
                mark_present(session, meeting, name)
            made, _ = seat_round(session, meeting, 1, now)
            start_clock(made, now)
        return self.find_rounds()[-1]

    def find_rounds(self) -> list[RoundResult]:
        """Of the newest meeting."""
        with self.database.begin() as session:
            season = find_season(session, CLUB)
            assert season is not None
            meeting = find_meeting(session, season)
            assert meeting is not None
            return list_meeting_results(session, meeting)


@contextmanager
def serving_club(database_url: str, *, lan: bool = False) -> Iterator[ServedClub]:
    with Database.parse(database_url) as database:
        database.migrate()
        with Pages(database, Served(0, lan)) as pages:
            yield ServedClub(database, pages)
