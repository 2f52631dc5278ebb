"""What the club's collector answers, as JSON; only this machine may ask."""

from __future__ import annotations

import logging
import threading
from typing import Any, Self

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.club import messages
from companion.club.database import Database
from companion.club.standings import find_player, list_standings, list_tables
from companion.errors import quote
from companion.sentences import Sentence
from companion.serve.answers import HEADERS, JSON, refuse
from companion.serve.application import Access, Guard
from companion.serve.server import OWN_ADDRESS, listen, make_server
from companion.words import Language

VERSION = 1
"""Of all answers; it is raised when a field changes its meaning."""
CLOSE_S = 5.0
log = logging.getLogger(__name__)


class Pages:
    """The answers, until `close`."""

    def __init__(self, database: Database, port: int) -> None:
        """Begin; port: 0 for any free one. MissingError where it is taken."""
        self._socket = listen(port, lan=False)
        self.address = f"http://{OWN_ADDRESS}:{self._socket.getsockname()[1]}/"
        access = Access(None, frozenset({"localhost"}))
        self._server = make_server(Guard(_make_application(database), access))
        self._thread = threading.Thread(
            target=lambda: self._server.run(sockets=[self._socket]), name="pages", daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(CLOSE_S)
        self._socket.close()


def _make_application(database: Database) -> Starlette:
    def standings(request: Request) -> Response:
        with database.begin() as session:
            return _answer({"clubs": list_standings(session)})

    def tables(request: Request) -> Response:
        with database.begin() as session:
            return _answer({"tables": list_tables(session)})

    def player(request: Request) -> Response:
        name = request.path_params["name"]
        with database.begin() as session:
            clubs = find_player(session, name)
        if not clubs:
            return _refuse(404, Sentence(messages.NO_PLAYER, {"name": quote(name)}))
        return _answer({"name": name, "clubs": clubs})

    return Starlette(
        routes=[
            Route("/standings", standings),
            Route("/tables", tables),
            Route("/players/{name:path}", player),
        ],
        exception_handlers={
            HTTPException: _refuse_address,
            SQLAlchemyError: _refuse_unanswered,
            Exception: _refuse_fault,
        },
    )


def _answer(content: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode({"version": VERSION, **content}), 200, HEADERS, JSON)


def _refuse(status: int, why: Sentence) -> Response:
    return refuse(status, why, Language.ENGLISH)


def _refuse_address(request: Request, error: Exception) -> Response:
    return _refuse(404, Sentence(messages.NOTHING_HERE))


def _refuse_unanswered(request: Request, error: Exception) -> Response:
    log.warning("the database did not answer", exc_info=error)
    return _refuse(503, Sentence(messages.NO_ANSWER))


def _refuse_fault(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return _refuse(500, Sentence(messages.BROKEN))
