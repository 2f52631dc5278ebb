"""The organiser's page: who may sign in, and the forms that are sent from it.

A password crosses the network only encrypted: elsewhere than on this machine only the encrypted page takes
one. A cookie of the same site, which no script can read, holds the session.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.club import messages
from companion.club.organiser_actions import ACTIONS, Doing, Form
from companion.club.organiser_page import show_organiser
from companion.club.reading import Begin
from companion.club.rendering import PAGE_HEADERS, Page, find_words, make_link, render
from companion.club.room import list_clubs
from companion.club.sign_in import SESSION_S, Sessions, find_password, is_password
from companion.errors import InputError
from companion.sentences import Sentence
from companion.serve.answers import HttpError
from companion.serve.application import EncryptedPage
from companion.serve.seats import WrongCodes
from companion.serve.uploads import receive

PATH = "/organise"
COOKIE = "companion_organiser"
FORM_KB_MAX = 64
FIELDS_MAX = 100
SIGN_IN, SIGN_OUT = "sign_in", "sign_out"
BEGINS_CLUB = "begin_season"
"""What can be done for a club that is not known yet."""
log = logging.getLogger(__name__)


class Organising:
    """find_encrypted: the encrypted page, None where only this machine is answered."""

    def __init__(self, begin: Begin, find_encrypted: Callable[[], EncryptedPage | None]) -> None:
        self._begin = begin
        self._find_encrypted = find_encrypted
        self._sessions = Sessions()
        self._wrong = WrongCodes(messages.PASSWORDS_TOO_OFTEN)
        self._one_password = asyncio.Lock()
        self._one_action = asyncio.Lock()

    def make_routes(self) -> list[Route]:
        return [Route(PATH, self._show), Route(PATH, self._receive, methods=["POST"])]

    def _show(self, request: Request) -> Response:
        who = self._find_organiser(request)
        if who is None:
            return self._ask_password(request)
        return self._show_page(request, who)

    async def _receive(self, request: Request) -> Response:
        body = await receive(
            request, FORM_KB_MAX * 1000, Sentence(messages.FORM_TOO_LARGE, {"most": FORM_KB_MAX})
        )
        try:
            fields = dict(parse_qsl(body.decode(), True, max_num_fields=FIELDS_MAX, errors="strict"))
        except ValueError:
            raise HttpError(400, Sentence(messages.NOT_A_FORM)) from None
        form, do = Form(fields), fields.get("do", "")
        if not _is_private(request):
            return self._ask_password(request)
        if do == SIGN_IN:
            return await self._sign_in(request, form)
        who = self._find_organiser(request)
        if do == SIGN_OUT or who is None:
            self._sessions.end(request.cookies.get(COOKIE))
            return (
                _go_on(request, None) if do == SIGN_OUT else self._ask_password(request, messages.SIGNED_OUT)
            )
        if do not in ACTIONS:
            raise HttpError(400, Sentence(messages.NOT_A_FORM))
        async with self._one_action:  # a form that is sent twice finds what the first one did
            return await asyncio.to_thread(self._do, request, form, do, who)

    def _do(self, request: Request, form: Form, do: str, who: str) -> Response:
        try:
            with self._begin() as session:
                club = form.text("club")
                if do != BEGINS_CLUB and club not in list_clubs(session):
                    raise InputError(messages.GONE)
                ACTIONS[do](Doing(session, club, form, who, datetime.now(UTC)))
        except InputError as problem:
            log.warning("the organiser %s: %s was refused: %s", who, do, problem)
            return self._show_page(request, who, problem.sentence, form.fields)
        log.info("the organiser %s: %s", who, do)
        return _go_on(request, club)

    def _show_page(
        self,
        request: Request,
        who: str,
        problem: Sentence | None = None,
        sent: Mapping[str, str] | None = None,
    ) -> Response:
        """sent: what a form had that was refused, which its fields then show again."""
        words = find_words(request)
        with self._begin() as session:
            clubs = list_clubs(session)
            given = request.query_params.get("club", "")
            club = given if given in clubs else next(iter(clubs), "")
            values = show_organiser(session, club, words) | {
                "who": who,
                "clubs": clubs,
                "club": club,
                "problem": None if problem is None else words.say(problem),
                "sent": sent or {},
            }
            status = 200 if problem is None else 422
            return render(request, Page("organise", words(messages.ORGANISER), values, status))

    def _ask_password(self, request: Request, problem: str = "", name: str = "") -> Response:
        words = find_words(request)
        values = {
            "problem": words(problem) if problem else "",
            "name": name,
            "encrypted": None if _is_private(request) else self._find_encrypted(),
        }
        return render(request, Page("sign_in", words(messages.ORGANISER), values, 403 if problem else 200))

    async def _sign_in(self, request: Request, form: Form) -> Response:
        address = request.client.host if request.client else ""
        async with self._one_password:  # each costs some 50 ms and 64 MB, as it should
            self._wrong.check(address, time.monotonic())
            name = form.text("name")
            if not await asyncio.to_thread(self._knows, name, form.fields.get("password", "")):
                self._wrong.note(address, time.monotonic())
                log.warning("a wrong name or password of an organiser, from %s", address)
                return self._ask_password(request, messages.WRONG_PASSWORD, name)
        self._sessions.end(request.cookies.get(COOKIE))
        answer = _go_on(request, request.query_params.get("club"))
        answer.set_cookie(
            COOKIE, self._sessions.begin(name), max_age=SESSION_S, path=PATH,
            secure=request.url.scheme == "https", httponly=True, samesite="strict",
        )  # fmt: skip
        return answer

    def _knows(self, name: str, password: str) -> bool:
        with self._begin() as session:
            kept = find_password(session, name)
        return is_password(password, kept)

    def _find_organiser(self, request: Request) -> str | None:
        return self._sessions.find(request.cookies.get(COOKIE)) if _is_private(request) else None


def _is_private(request: Request) -> bool:
    """Whether nobody in the network can read along."""
    return request.url.scheme == "https" or _is_loopback(request)


def _is_loopback(request: Request) -> bool:
    with suppress(ValueError):
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    return False


def _go_on(request: Request, club: str | None) -> Response:
    """The page again by GET, so that loading it again sends nothing twice."""
    link = make_link(request, PATH, club=club)
    return RedirectResponse(link, 303, PAGE_HEADERS)
