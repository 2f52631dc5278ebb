"""What the page sends, within its limits; and `POST /read`: a picture is read by `companion read --json`.

A process of its own reads it. The picture is in memory only, on Linux, and the process ends with it: a
hostile one can take down nothing else.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from starlette.requests import ClientDisconnect, Request

from companion.files import brief_file
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.serve.answers import HttpError
from companion.serve.messages import NO_PICTURE, NOT_READ, READING, SLOW, TOO_LARGE, TOO_OFTEN

MB = 1_000_000
PICTURE_MB_MAX = 16
"""The page sends at most 2 megapixels, some 1 MB; a phone's own photo has up to some 12."""
UPLOAD_S = 30.0
"""Seconds in which the body of a request must arrive."""
DISCARD_S = 3.0
"""Seconds for which a body that is too large is read on, so that its sender sees the answer."""
READ_S = 60.0
"""Seconds in which a picture must be read."""
PERIOD_S = 60.0
"""The period for which the requests of an address are counted."""
PICTURES_MAX = 10
"""Pictures that one address may send in such a period."""
WAITING_MAX = 4
"""Pictures that wait while another is read."""
ADDRESSES_MAX = 1000
"""Addresses whose requests are counted."""
NAME = "picture"
if sys.platform == "win32":
    NICE, PRIORITY = (), subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    NICE, PRIORITY = ("nice", "-n", "10"), 0


class Queue:
    """Requests that are answered one after the other, `turn` by turn.

    most, too_often: how many each address may send in `PERIOD_S`, and the refusal, with {seconds}, beyond
    that. waiting_max, busy: how many may wait for their turn, and the refusal of a further one.
    """

    def __init__(self, most: int, too_often: str, waiting_max: int, busy: str) -> None:
        self.turn = asyncio.Lock()
        self._most = most
        self._too_often = too_often
        self._waiting_max = waiting_max
        self._busy = busy
        self._waiting = 0
        self._sent: dict[str, deque[float]] = {}

    @asynccontextmanager
    async def place(self, request: Request) -> AsyncIterator[None]:
        """A place for the request until the block ends. HttpError where there is none."""
        self._count(request.client.host if request.client else "")
        if self._waiting > self._waiting_max:
            raise HttpError(503, Sentence(self._busy), retry_s=60)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _count(self, address: str) -> None:
        """HttpError where this address has sent as many requests as it may."""
        now_s = time.monotonic()
        if len(self._sent) >= ADDRESSES_MAX:
            self._sent = {
                each: times for each, times in self._sent.items() if times and now_s - times[-1] < PERIOD_S
            }
        times = self._sent.setdefault(address, deque(maxlen=self._most))
        if len(times) == self._most and now_s - times[0] < PERIOD_S:
            wait_s = round(PERIOD_S - (now_s - times[0])) + 1
            raise HttpError(429, Sentence(self._too_often, {"seconds": wait_s}), retry_s=wait_s)
        times.append(now_s)


async def receive(request: Request, bytes_max: int, too_large: Sentence) -> bytes:
    """The body of the request. HttpError where it is larger or late."""
    content = bytearray()
    is_too_large = False
    try:
        async with asyncio.timeout(UPLOAD_S) as limit:
            async for piece in request.stream():
                if not is_too_large and len(content) + len(piece) > bytes_max:
                    is_too_large = True
                    content.clear()
                    limit.reschedule(asyncio.get_running_loop().time() + DISCARD_S)
                if not is_too_large:
                    content += piece
    except (TimeoutError, ClientDisconnect):
        if not is_too_large:
            raise HttpError(408, Sentence(SLOW)) from None
    if is_too_large:
        raise HttpError(413, too_large)
    return bytes(content)


class PictureReader:
    """Reads uploaded pictures, one at a time."""

    def __init__(self) -> None:
        self._queue = Queue(PICTURES_MAX, TOO_OFTEN, WAITING_MAX, READING)

    async def read(self, request: Request, rules: str | None) -> bytes:
        """The answer as JSON. rules: of the tiles that can be in the picture. HttpError."""
        async with self._queue.place(request):
            too_large = Sentence(TOO_LARGE, {"most": PICTURE_MB_MAX})
            picture = await receive(request, PICTURE_MB_MAX * MB, too_large)
            if not picture:
                raise HttpError(400, Sentence(NO_PICTURE))
            async with self._queue.turn:
                return await asyncio.to_thread(read_picture, picture, rules)


def read_picture(picture: bytes, rules: str | None) -> bytes:
    """What `companion read --json` prints of the picture. HttpError where it takes too long."""
    with brief_file(picture) as path:
        command = [*NICE, sys.executable, "-m", "companion", "read", path, "--json"]
        if rules in RULE_SETS:
            command += ["--rules", str(rules)]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=READ_S, check=False,
                creationflags=PRIORITY,
            )  # fmt: skip
            entries = msgspec.json.decode(done.stdout)
        except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError):
            raise HttpError(422, Sentence(NOT_READ)) from None
    return msgspec.json.encode([_rename(entry, path) for entry in entries])


def _rename(entry: dict[str, object], path: str) -> dict[str, object]:
    """The entry of a picture that has no file of its own."""
    return {
        name: value.replace(path, NAME) if isinstance(value, str) else value for name, value in entry.items()
    }
