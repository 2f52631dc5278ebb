"""`POST /score`: a request of `companion score` in JSON, and its answer. Nothing is booked in the game."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.requests import Request

from companion.errors import RequestError
from companion.rules import Score, decode_question
from companion.rules.result import answer_question
from companion.sentences import Sentence
from companion.serve.answers import HttpError
from companion.serve.messages import BUSY, REQUEST_TOO_LARGE, SCORED_TOO_OFTEN
from companion.serve.shown import say_share
from companion.serve.uploads import Queue, receive
from companion.sheets.wording import name_row, write_line, write_worth
from companion.words import Words

Json = dict[str, Any]
KB = 1_000
REQUEST_KB_MAX = 64
"""A request has about 1 kB."""
SCORES_MAX = 120
"""Scores that one address may ask for in a minute: the page asks after every touch."""
WAITING_MAX = 16
"""Requests that wait while another is answered."""


class Scorer:
    """Scores wins, one at a time."""

    def __init__(self) -> None:
        self._queue = Queue(SCORES_MAX, SCORED_TOO_OFTEN, WAITING_MAX, BUSY)

    async def score(self, request: Request, words: Words) -> bytes:
        """The answer as JSON. HttpError, also for a request that cannot be scored."""
        async with self._queue.place(request):
            too_large = Sentence(REQUEST_TOO_LARGE, {"most": REQUEST_KB_MAX})
            asked = await receive(request, REQUEST_KB_MAX * KB, too_large)
            async with self._queue.turn:
                return await asyncio.to_thread(score_request, asked, words)


def score_request(asked: bytes, words: Words) -> bytes:
    """What `companion score --json` prints for the request, and `said`, the same in words. HttpError."""
    try:
        answer, score = answer_question(decode_question(asked))
    except RequestError as problem:
        raise HttpError(400, problem.sentence) from None
    return msgspec.json.encode(answer | {"said": say_score(score, words)})


def say_score(score: Score, words: Words) -> Json:
    """The score in words: `worth`, or the `reason` why the hand does not win; `lines`, each with what it
    brings; `payers`, how each payment comes about; `cash`, the names of payments in addition to the win."""
    return {
        "reason": None if score.reason is None else words.say(score.reason.sentence),
        "worth": write_worth(score, words),
        "lines": [
            {"said": name_row(line, words)[0], "brings": write_line(line, score.sign, score)}
            for line in score.lines
        ],
        "payers": [{"seat": share.payer} | say_share(score, share, words) for share in score.shares],
        "cash": [name_row(cash.line, words)[0] for cash in score.cash],
    }
