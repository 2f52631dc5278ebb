"""A served table whose game runs in this process, as in the window, so that phones may hold its seats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.live.running import RunningGame
from companion.serve.remote import Remote
from companion.serve.server import Server
from companion.serve.site import Served
from companion.serve.sources import follow
from companion.table.events import GameStarted
from tests.programs import LIMIT_S
from tests.serve.served import Table, wait_until

NAMES = ("Ann", "Bo", "Chen", "Dai")
BY_VALUE: dict[str, Any] = {"winner": 1, "source": "discard", "from": 2, "stated": {"value": 12}}


@dataclass
class Seated(Table):
    """The table with its game."""

    game: RunningGame | None = None

    @property
    def remote(self) -> Remote:
        assert self.server.remote is not None
        return self.server.remote

    def code(self, seat: int) -> str:
        return self.remote.view.seats[seat].code

    def send(self, path: str, body: object, token: str | None = None) -> tuple[int, dict[str, Any]]:
        headers = {} if token is None else {"Companion_Seat": token}
        answer, said = self.ask(f"{path}?language=en", "POST", json.dumps(body).encode(), **headers)
        return answer.status, json.loads(said)

    def claim(self, seat: int) -> str:
        status, answer = self.send("/seat", {"seat": seat, "code": self.code(seat)})
        assert status == 200, answer
        return str(answer["token"])

    def enter(self, token: str, win: dict[str, Any] = BY_VALUE) -> tuple[int, dict[str, Any]]:
        return self.send("/win", {"win": win, "enter": True}, token)

    def begin(
        self,
        path: Path,
        rules: str = "hefei",
        names: tuple[str, str, str, str] = NAMES,
        options: dict[str, object] | None = None,
    ) -> None:
        assert self.game is not None
        start = GameStarted(rules=rules, names=names, options=options or {})
        self.game.begin(path, start).result(LIMIT_S)

    def find_points(self) -> list[int]:
        return list(self.ask_json("/state")["scores"]["points"])

    def wait_for_remote(self, **expected: Any) -> None:
        wait_until(lambda: expected.items() <= ((self.ask_json("/state")).get("remote") or {}).items())


@contextmanager
def seating(folder: Path) -> Iterator[Seated]:
    """With a game that has just begun."""
    game = RunningGame()
    server = Server(follow(game), Served(0), game=game)
    table = Seated(server, lambda watched: None, game=game)
    try:
        folder.mkdir(exist_ok=True)
        table.begin(folder / "friday.game")
        wait_until(lambda: bool(table.remote.view.seats))
        yield table
    finally:
        server.close()
        game.close()
