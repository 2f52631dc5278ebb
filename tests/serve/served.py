"""A served table for tests, whose states the test hands over, and plain HTTP over real sockets."""

from __future__ import annotations

import json
import os
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from companion import config
from companion.cameras.phone import PhonePictures
from companion.game.watching import PlayedSoFar
from companion.serve.certificate import FILE
from companion.serve.server import Server
from companion.serve.site import Served
from companion.serve.viewers import Watched
from companion.table.apply import apply
from companion.table.events import Event, GameStarted, PointsMoved
from companion.table.state import State
from tests.programs import LIMIT_S

START = GameStarted(rules="hefei", names=("Ann", "B", "C", "D"))


@dataclass
class Table:
    """A served table. `show` hands over a game with that many points moved; `number` of the newest."""

    server: Server
    deliver: Callable[[Watched], None]
    events: list[Event] = field(default_factory=lambda: [START])
    state: State | None = None

    @property
    def port(self) -> int:
        return urlsplit(self.server.address).port or 0

    def show(self, points: int = 1) -> None:
        """One more event of the game is handed over."""
        if self.state is None:
            self.state = apply(None, self.events[0])
        self.events.append(PointsMoved(points=(points, -points, 0, 0), why="a wager"))
        self.state = apply(self.state, self.events[-1])
        self.deliver(PlayedSoFar("friday", tuple(self.events), self.state))

    @property
    def encrypted_port(self) -> int:
        encrypted = self.server.encrypted
        assert encrypted is not None
        return urlsplit(encrypted.address).port or 0

    def connect(self, *, encrypted: bool = False) -> HTTPConnection:
        """A connection; by TLS nothing but the server's own certificate is trusted, for its own addresses."""
        if not encrypted:
            return HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        context = ssl.create_default_context(cafile=str(config.data_dir() / FILE))
        return HTTPSConnection("127.0.0.1", self.encrypted_port, timeout=LIMIT_S, context=context)

    def ask(
        self, path: str, method: str = "GET", body: object = None, *, encrypted: bool = False, **headers: str
    ) -> tuple[HTTPResponse, bytes]:
        """The answer with its body."""
        connection = self.connect(encrypted=encrypted)
        try:
            connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})  # type: ignore[arg-type]
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def ask_json(self, path: str, **more: Any) -> Any:
        return json.loads(self.ask(path, **more)[1])

    def wait_for_points(self, points: int) -> None:
        """Until the state with these points is served."""
        wait_until(lambda: (self.ask_json("/state")["scores"] or {}).get("points", [None])[0] == points)

    def open_socket(self, receive_bytes: int | None = None, port: int | None = None) -> socket.socket:
        made = socket.socket()
        if receive_bytes is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        made.settimeout(LIMIT_S)
        made.connect(("127.0.0.1", port or self.port))
        return made

    def watch(self, query: str = "", receive_bytes: int | None = None) -> socket.socket:
        """A socket on which events come."""
        made = self.open_socket(receive_bytes)
        made.sendall(f"GET /events{query} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return made


def wait_until(holds: Callable[[], bool]) -> None:
    until_s = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.01)


def list_events(watching: socket.socket) -> Iterator[tuple[str, Any]]:
    """The events that come on the socket, until it is closed. Chunked: lengths are on lines of their own."""
    with watching.makefile("rb") as lines:
        name = ""
        for line in lines:
            kind, _, text = line.decode().rstrip("\r\n").partition(": ")
            if kind == "event":
                name = text
            elif kind == "data":
                yield name, json.loads(text)


def wait_for(events: Iterator[tuple[str, Any]], points: int) -> None:
    """Until the state with these points comes."""
    for name, state in events:
        if name == "state" and state["scores"]["points"][0] == points:
            return
    raise AssertionError("the events have ended")


def find_own_port() -> int:
    """A port that is free, as the next one is, and that no program is given for a connection of its own: one
    of those may be taken whenever another test opens ten thousand."""
    for port in range(20_000 + os.getpid() % 5_000 * 2, 32_000, 2):
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("", port))
                second.bind(("", port + 1))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@contextmanager
def serving(*, lan: bool = False, port: int = 0, pictures: PhonePictures | None = None) -> Iterator[Table]:
    handed: list[Callable[[Watched], None]] = []

    def source(deliver: Callable[[Watched], None]) -> Callable[[], None]:
        handed.append(deliver)
        return lambda: None

    server = Server(source, Served(port, lan), pictures)
    try:
        yield Table(server, handed[0])
    finally:
        server.close()
