"""The addresses of the served page, and who may ask for them."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.errors import CompanionError
from companion.sentences import Sentence
from companion.serve import messages
from companion.serve.answers import HEADERS, JSON, HttpError, refuse
from companion.serve.page import PAGE, make_page
from companion.serve.phone_camera import PhoneCameraDoor
from companion.serve.remote import Remote
from companion.serve.scoring import Scorer
from companion.serve.seat_requests import make_seat_routes
from companion.serve.shown import VERSION
from companion.serve.uploads import PictureReader
from companion.serve.viewers import VIEWERS_MAX, Viewer, Viewers
from companion.words import Language, Words

ALIVE_S = 15.0
"""Pause after which an event shows that the connection still holds."""
SEND_S = 20.0
"""Seconds after which a viewer that takes nothing is gone."""
RETRY_MS = 2_000
FULL_RETRY_MS = 15_000
"""When a browser connects again: after a broken connection, and where there was no room."""
EVENT_STREAM = "text/event-stream"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask. token: in the link; None where only this machine can ask. names: of this machine, besides
    its addresses."""

    token: str | None
    names: frozenset[str]

    def knows_token(self, request: Request) -> bool:
        """Whether the request has the token of the link."""
        given = request.query_params.get("token", "").encode()
        return self.token is None or hmac.compare_digest(given, self.token.encode())

    def knows_host(self, request: Request) -> bool:
        """Whether the request was meant for this machine. A name that another's name server leads here is
        refused, which is how pages of other sites would get at the game (DNS rebinding)."""
        name, _, port = request.headers.get("host", "").rpartition(":")
        if port != str(request["server"][1]):
            return False
        if name.lower() in self.names:
            return True
        with suppress(ValueError):
            address = ipaddress.ip_address(name.strip("[]"))
            return self.token is not None or address.is_loopback
        return False

    def is_own_page(self, request: Request) -> bool:
        """Whether no page of another site asks."""
        origin = request.headers.get("origin")
        if origin is not None:
            return origin == f"{request['scheme']}://{request.headers.get('host')}"
        site = request.headers.get("sec-fetch-site", "none")
        return site in ("none", "same-origin") or request.headers.get("sec-fetch-mode") == "navigate"


class Guard:
    """Lets through what `Access` allows; turns every error into a sentence."""

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner = inner
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope)
        if not self._access.knows_token(request):
            await Response(status_code=403)(scope, receive, send)
            return
        language = find_language(request)
        refusal = None
        if not self._access.knows_host(request):
            refusal = refuse(421, Sentence(messages.OTHER_HOST), language)
        elif not self._access.is_own_page(request):
            refusal = refuse(403, Sentence(messages.OTHER_ORIGIN), language)
        elif request.query_params.get("page", PAGE) != PAGE and request.url.path != "/events":
            refusal = refuse(409, Sentence(messages.OUTDATED), language)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._inner(scope, receive, send)


@dataclass(frozen=True, slots=True)
class EncryptedPage:
    """The same page by HTTPS. address: with the token. fingerprint: of its certificate, SHA-256."""

    address: str
    fingerprint: str

    @property
    def camera_address(self) -> str:
        """The address of the view that makes a phone the camera."""
        return f"{self.address}&view=camera"


def make_application(
    viewers: Viewers,
    access: Access,
    camera: PhoneCameraDoor,
    find_encrypted: Callable[[], EncryptedPage | None],
    remote: Remote | None = None,
) -> ASGIApp:
    """The page, its state and its events, the reading of pictures, scores, the phone as camera, and the seats
    of `remote`."""
    reader, scorer = PictureReader(), Scorer()

    async def page(request: Request) -> Response:
        made = make_page(find_language(request))
        headers = HEADERS | {"Content-Security-Policy": made.policy, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(
                made.zipped, headers=headers | {"Content-Encoding": "gzip"}, media_type="text/html"
            )
        return Response(made.content, headers=headers, media_type="text/html")

    async def state(request: Request) -> Response:
        return Response(viewers.newest.by_language[find_language(request)], 200, HEADERS, JSON)

    async def health(request: Request) -> Response:
        body = {"version": VERSION, "viewers": viewers.count, "viewers_max": VIEWERS_MAX}
        return Response(msgspec.json.encode(body), 200, HEADERS, JSON)

    async def events(request: Request) -> Response:
        return EventsResponse(viewers, find_language(request), request.query_params.get("page", PAGE))

    async def read(request: Request) -> Response:
        return Response(await reader.read(request, request.query_params.get("rules")), 200, HEADERS, JSON)

    async def score(request: Request) -> Response:
        answer = await scorer.score(request, Words(find_language(request)))
        return Response(answer, 200, HEADERS, JSON)

    async def describe_camera(request: Request) -> Response:
        encrypted = find_encrypted()
        body = {
            "version": VERSION,
            "used": camera.is_used,
            "encrypted": None if encrypted is None else asdict(encrypted),
        }
        return Response(msgspec.json.encode(body), 200, HEADERS, JSON)

    async def take_picture(request: Request) -> Response:
        return Response(await camera.take(request), 200, HEADERS, JSON)

    application = Starlette(
        routes=[
            Route("/", page),
            Route("/state", state),
            Route("/events", events),
            Route("/healthz", health),
            Route("/read", read, methods=["POST"]),
            Route("/score", score, methods=["POST"]),
            Route("/camera", describe_camera),
            Route("/camera", take_picture, methods=["POST"]),
            *make_seat_routes(remote, lambda request: Words(find_language(request))),
        ],
        exception_handlers={
            HTTPException: _refuse_address,
            HttpError: _refuse_request,
            Exception: _refuse_fault,
        },
    )
    return Guard(application, access)


async def _refuse_address(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    sentence = messages.WRONG_METHOD if status == 405 else messages.NOTHING_HERE
    return refuse(status, Sentence(sentence), find_language(request))


async def _refuse_request(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HttpError)
    retry = {} if problem.retry_s is None else {"Retry-After": str(problem.retry_s)}
    language = find_language(request)
    return refuse(problem.status, problem.sentence, language, Connection="close", **retry)


async def _refuse_fault(request: Request, error: Exception) -> Response:
    log.error("the served page failed", exc_info=error)
    sentence = error.sentence if isinstance(error, CompanionError) else Sentence(messages.BROKEN)
    return refuse(500, sentence, find_language(request))


class EventsResponse(Response):
    """`GET /events`: every newer document, of which a viewer that is behind skips all but the newest."""

    def __init__(self, viewers: Viewers, language: Language, page: str) -> None:
        super().__init__(None, 200, HEADERS | {"Connection": "close"}, EVENT_STREAM)
        del self.headers["content-length"]
        self._viewers = viewers
        self._language = language
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._viewers.join() as viewer:
            if self._page != PAGE:
                await _end(send, self._refuse("outdated", messages.OUTDATED))
            elif viewer is None:
                await _end(send, self._refuse("refused", messages.FULL, count=VIEWERS_MAX))
            else:
                leaving = asyncio.create_task(_wait_until_left(viewer, receive))
                try:
                    async for event in self._list_events(viewer):
                        async with asyncio.timeout(SEND_S):
                            await send({"type": "http.response.body", "body": event, "more_body": True})
                    await _end(send, b"")
                except TimeoutError:
                    pass  # it takes nothing any more: returning here ends the connection
                finally:
                    leaving.cancel()

    async def _list_events(self, viewer: Viewer) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY_MS}\n\n".encode()
        sent = 0
        while not viewer.has_left:
            newest = self._viewers.newest
            viewer.wake.clear()
            if newest.number != sent:
                sent = newest.number
                yield b"event: state\ndata: %b\n\n" % newest.by_language[self._language]
                continue
            try:
                async with asyncio.timeout(ALIVE_S):
                    await viewer.wake.wait()
            except TimeoutError:
                yield b'event: alive\ndata: {"version":%d,"number":%d}\n\n' % (VERSION, sent)

    def _refuse(self, event: str, template: str, **params: object) -> bytes:
        said = Words(self._language)(template, **params)
        data = msgspec.json.encode({"version": VERSION, "error": said})
        return f"retry: {FULL_RETRY_MS}\nevent: {event}\ndata: ".encode() + data + b"\n\n"


async def _end(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _wait_until_left(viewer: Viewer, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.has_left = True
    viewer.wake.set()


def find_language(request: Request) -> Language:
    """The language that the request names, else the first of the browser's that there is."""
    with suppress(ValueError):
        return Language(request.query_params.get("language", ""))
    for each in request.headers.get("accept-language", "").lower().split(","):
        code = each.partition(";")[0].strip()
        if code.startswith("zh"):
            is_traditional = any(part in code for part in ("hant", "tw", "hk", "mo"))
            return Language.TRADITIONAL if is_traditional else Language.SIMPLIFIED
        if code.startswith("en"):
            return Language.ENGLISH
    return Language.ENGLISH
