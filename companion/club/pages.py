"""The addresses of the club: its pages, and what the collector answers as JSON."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import config
from companion.club import messages
from companion.club.database import Database
from companion.club.organising import Organising
from companion.club.reading import make_reading_routes
from companion.club.rendering import SEEN_HEADER, render_message
from companion.club.standings import find_player, list_standings, list_tables
from companion.errors import quote
from companion.files import read_whole, write_whole
from companion.sentences import Sentence
from companion.serve.answers import HEADERS, JSON, HttpError, refuse
from companion.serve.application import EncryptedPage, Guard
from companion.serve.site import Served, Site, make_token
from companion.words import Language

VERSION = 1
"""Of all answers in JSON; it is raised when a field changes its meaning."""
LINK_FILE = "club-link"
"""In the data folder."""
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
log = logging.getLogger(__name__)


class Pages:
    """The pages and answers, until `close`."""

    def __init__(self, database: Database, served: Served) -> None:
        """Begin. MissingError where a port is taken."""
        self.site = Site(served, token=_find_token() if served.lan else None)
        self.site.start(Guard(_make_application(database, lambda: self.encrypted), self.site.access))

    @property
    def address(self) -> str:
        """The link, with its token where the network may see the pages."""
        return self.site.address

    @property
    def token(self) -> str | None:
        return self.site.token

    @property
    def encrypted(self) -> EncryptedPage | None:
        """Where an organiser signs in from another machine; None where only this one is answered."""
        return self.site.encrypted

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.site.close()


def _find_token() -> str:
    """The token of the link, the same after a restart, so that a screen on the wall stays: that in the data
    folder, or a new one that is kept there."""
    path = config.data_dir() / LINK_FILE
    with suppress(OSError, UnicodeDecodeError):
        kept = read_whole(path).decode()
        if TOKEN.fullmatch(kept):
            return kept
    made = make_token()
    try:
        write_whole(path, made.encode())
    except OSError:
        log.warning("the link of the club's pages is not kept", exc_info=True)
    return made


def _make_application(database: Database, find_encrypted: Callable[[], EncryptedPage | None]) -> Starlette:
    def standings(request: Request) -> Response:
        with database.begin() as session:
            return _answer({"clubs": list_standings(session)})

    def tables(request: Request) -> Response:
        with database.begin() as session:
            return _answer({"tables": list_tables(session)})

    def player(request: Request) -> Response:
        name = request.path_params["name"].replace("\0", "")  # which no text of PostgreSQL has
        with database.begin() as session:
            clubs = find_player(session, name)
        if not clubs:
            raise HttpError(404, Sentence(messages.NO_PLAYER, {"name": quote(name)}))
        return _answer({"name": name, "clubs": clubs})

    return Starlette(
        routes=[
            Route("/standings", standings),
            Route("/tables", tables),
            Route("/players/{name:path}", player),
            *make_reading_routes(database.begin),
            *Organising(database.begin, find_encrypted).make_routes(),
        ],
        exception_handlers={
            HTTPException: _refuse_address,
            HttpError: _refuse_request,
            SQLAlchemyError: _refuse_unanswered,
            Exception: _refuse_fault,
        },
    )


def _answer(content: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode({"version": VERSION, **content}), 200, HEADERS, JSON)


def _refuse(request: Request, status: int, why: Sentence) -> Response:
    """The sentence as a page to a browser, else in English as JSON."""
    if "text/html" in request.headers.get("accept", "") or SEEN_HEADER in request.headers:
        return render_message(request, status, why)
    return refuse(status, why, Language.ENGLISH)


def _refuse_address(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    why = messages.WRONG_METHOD if status == 405 else messages.NOTHING_HERE
    return _refuse(request, status, Sentence(why))


def _refuse_request(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HttpError)
    return _refuse(request, problem.status, problem.sentence)


def _refuse_unanswered(request: Request, error: Exception) -> Response:
    log.warning("the database did not answer", exc_info=error)
    return _refuse(request, 503, Sentence(messages.NO_ANSWER))


def _refuse_fault(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return _refuse(request, 500, Sentence(messages.BROKEN))
