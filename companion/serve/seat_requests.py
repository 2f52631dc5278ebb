"""The addresses for phones that hold a seat, or claim one. All but the claim take the seat's token in a
header, which no page of another site can send.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.sentences import Sentence
from companion.serve.answers import HEADERS, JSON, HttpError
from companion.serve.messages import BUSY, NOT_UNDERSTOOD, ONLY_WATCHES, SENT_TOO_LARGE, SENT_TOO_OFTEN
from companion.serve.remote import Remote
from companion.serve.shown import VERSION, Json
from companion.serve.uploads import Queue, receive
from companion.serve.wins import PhoneWin, Seat, judge_win, report_win
from companion.words import Words

T = TypeVar("T", bound=Struct)

SEAT_HEADER = "Companion-Seat"
KB = 1_000
REQUEST_KB_MAX = 16
REQUESTS_MAX = 240
"""Requests that one address may send in a minute: the page asks after every touch."""
WAITING_MAX = 16


class _Nothing(Struct, forbid_unknown_fields=True):
    """A request that says all by its address."""


class _Claim(Struct, forbid_unknown_fields=True):
    seat: Seat
    code: Annotated[str, Meta(max_length=16)]


class _Call(Struct, forbid_unknown_fields=True):
    calls: bool


class _Win(Struct, forbid_unknown_fields=True):
    """enter: whether it is to wait for the table, or only to be judged."""

    win: PhoneWin
    enter: bool = False


class _Judgement(Struct, forbid_unknown_fields=True):
    number: int
    right: bool


def make_seat_routes(remote: Remote | None, find_words: Callable[[Request], Words]) -> Sequence[Route]:
    """The addresses. remote: None where the page only watches, which every answer then says."""
    queue = Queue(REQUESTS_MAX, SENT_TOO_OFTEN, WAITING_MAX, BUSY)

    def route(path: str, kind: type[T], work: Callable[[Remote, T, Request], Json]) -> Route:
        async def answer(request: Request) -> Response:
            async with queue.place(request):
                sent = await _receive(request, kind)
                if remote is None:
                    raise HttpError(409, Sentence(ONLY_WATCHES))
                found = await asyncio.to_thread(work, remote, sent, request)
                return Response(msgspec.json.encode({"version": VERSION} | found), 200, HEADERS, JSON)

        return Route(path, answer, methods=["POST"])

    def claim(remote: Remote, sent: _Claim, request: Request) -> Json:
        address = request.client.host if request.client else ""
        return {"seat": sent.seat, "token": remote.claim(sent.seat, sent.code, address)}

    def hold(remote: Remote, sent: _Nothing, request: Request) -> Json:
        return {"seat": remote.find_seat(_token(request))}

    def leave(remote: Remote, sent: _Nothing, request: Request) -> Json:
        remote.leave(_token(request))
        return {}

    def call(remote: Remote, sent: _Call, request: Request) -> Json:
        remote.call(_token(request), sent.calls)
        return {}

    def win(remote: Remote, sent: _Win, request: Request) -> Json:
        token, reported = _token(request), report_win(sent.win)
        if sent.enter:
            return {"number": remote.enter(token, reported)}
        return judge_win(*remote.find_place(token, reported), reported, find_words(request))

    def judge(remote: Remote, sent: _Judgement, request: Request) -> Json:
        remote.judge(_token(request), sent.number, sent.right)
        return {}

    def undo(remote: Remote, sent: _Nothing, request: Request) -> Json:
        remote.undo(_token(request))
        return {}

    return (
        route("/seat", _Claim, claim),
        route("/seat/hold", _Nothing, hold),
        route("/seat/leave", _Nothing, leave),
        route("/mahjong", _Call, call),
        route("/win", _Win, win),
        route("/confirm", _Judgement, judge),
        route("/undo", _Nothing, undo),
    )


async def _receive(request: Request, kind: type[T]) -> T:
    """What the phone sent. HttpError where it is too large or means nothing."""
    too_large = Sentence(SENT_TOO_LARGE, {"most": REQUEST_KB_MAX})
    body = await receive(request, REQUEST_KB_MAX * KB, too_large)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError):
        raise HttpError(400, Sentence(NOT_UNDERSTOOD)) from None


def _token(request: Request) -> str | None:
    return request.headers.get(SEAT_HEADER)
