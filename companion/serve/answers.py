"""How the server answers: the headers that every answer has, and refusals, a sentence each."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from starlette.responses import Response

from companion.errors import CompanionError
from companion.sentences import Sentence
from companion.serve.shown import VERSION
from companion.words import Language, Words

HEADERS = {
    "Companion-Version": str(VERSION),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""Of every answer but the one to an unknown token; the page's own has a policy that allows its parts."""
JSON = "application/json"


class HttpError(CompanionError):
    """A request that is refused. status: of the answer; retry_s: when it may be tried again."""

    def __init__(self, status: int, sentence: Sentence, retry_s: int | None = None) -> None:
        super().__init__(sentence.template, **sentence.params)
        self.status = status
        self.retry_s = retry_s


def refuse(status: int, sentence: Sentence, language: Language, **headers: str) -> Response:
    """The sentence as the answer."""
    return Response(_refusal(sentence, language), status, HEADERS | headers, JSON)


def raw_answer(status: int, template: str) -> bytes:
    """The same in English where no request was understood, after which the connection is closed."""
    body = _refusal(Sentence(template), Language.ENGLISH)
    head = {"Content-Type": JSON, "Content-Length": str(len(body)), "Connection": "close"} | HEADERS
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{k}: {v}" for k, v in head.items())]
    return "\r\n".join((*lines, "", "")).encode() + body


def _refusal(sentence: Sentence, language: Language) -> bytes:
    return msgspec.json.encode({"version": VERSION, "error": Words(language).say(sentence)})
