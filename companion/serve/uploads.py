"""`POST /read`: a picture is read by `companion read --json`, in a process of its own.

The picture is in memory only, and the process ends with it: a hostile one can take down nothing else.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import deque

import msgspec
from starlette.requests import Request

from companion.errors import CompanionError
from companion.rules import RULE_SETS
from companion.serve.messages import NO_PICTURE, NOT_READ, READING, TOO_LARGE, TOO_OFTEN

MB = 1_000_000
PICTURE_MB_MAX = 16
"""The page sends at most 2 megapixels, some 1 MB; a phone's own photo has up to some 12."""
UPLOAD_S = 30.0
"""Seconds in which a picture must arrive."""
DISCARD_S = 3.0
"""Seconds for which a picture that is too large is read on, so that its sender sees the answer."""
READ_S = 60.0
"""Seconds in which a picture must be read."""
PICTURES_MAX, PERIOD_S = 10, 60.0
"""Pictures that one address may send in such a period."""
WAITING_MAX = 4
"""Pictures that wait while another is read."""
ADDRESSES_MAX = 1000
"""Addresses whose pictures are counted."""
NAME = "picture"


class UploadError(CompanionError):
    """A picture that is not read. status: of the answer; retry_s: when it may be tried again."""

    def __init__(self, status: int, template: str, /, retry_s: int | None = None, **params: object) -> None:
        super().__init__(template, **params)
        self.status = status
        self.retry_s = retry_s


class PictureReader:
    """Reads uploaded pictures, one at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._sent: dict[str, deque[float]] = {}

    async def read(self, request: Request, rules: str | None) -> bytes:
        """The answer as JSON. rules: of the tiles that can be in the picture. UploadError."""
        self._count(request.client.host if request.client else "")
        if self._waiting > WAITING_MAX:
            raise UploadError(503, READING, retry_s=60)
        self._waiting += 1
        try:
            picture = await _receive(request)
            async with self._turn:
                return await asyncio.to_thread(read_picture, picture, rules)
        finally:
            self._waiting -= 1

    def _count(self, address: str) -> None:
        """UploadError where this address has sent as many pictures as it may."""
        now_s = time.monotonic()
        if len(self._sent) >= ADDRESSES_MAX:
            self._sent = {
                each: times for each, times in self._sent.items() if times and now_s - times[-1] < PERIOD_S
            }
        times = self._sent.setdefault(address, deque(maxlen=PICTURES_MAX))
        if len(times) == PICTURES_MAX and now_s - times[0] < PERIOD_S:
            wait_s = round(PERIOD_S - (now_s - times[0])) + 1
            raise UploadError(429, TOO_OFTEN, retry_s=wait_s, seconds=wait_s)
        times.append(now_s)


async def _receive(request: Request) -> bytes:
    """The body of the request, within its limits."""
    most = PICTURE_MB_MAX * MB
    content = bytearray()
    too_large = False
    try:
        async with asyncio.timeout(UPLOAD_S) as limit:
            async for piece in request.stream():
                if not too_large and len(content) + len(piece) > most:
                    too_large = True
                    content.clear()
                    limit.reschedule(asyncio.get_running_loop().time() + DISCARD_S)
                if not too_large:
                    content += piece
    except TimeoutError:
        if not too_large:
            raise UploadError(408, NOT_READ) from None
    if too_large:
        raise UploadError(413, TOO_LARGE, most=PICTURE_MB_MAX)
    if not content:
        raise UploadError(400, NO_PICTURE)
    return bytes(content)


def read_picture(picture: bytes, rules: str | None) -> bytes:
    """What `companion read --json` prints of the picture. UploadError where it takes too long."""
    with os.fdopen(os.memfd_create(NAME), "wb") as file:
        file.write(picture)
        file.flush()
        path = f"/proc/self/fd/{file.fileno()}"
        command = [sys.executable, "-m", "companion", "read", path, "--json"]
        if rules in RULE_SETS:
            command += ["--rules", str(rules)]
        try:
            done = subprocess.run(
                ["nice", "-n", "10", *command],
                pass_fds=[file.fileno()], stdin=subprocess.DEVNULL, capture_output=True, timeout=READ_S,
                check=False,
            )  # fmt: skip
            entries = msgspec.json.decode(done.stdout)
        except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError):
            raise UploadError(422, NOT_READ) from None
    return msgspec.json.encode([_rename(entry, path) for entry in entries])


def _rename(entry: dict[str, object], path: str) -> dict[str, object]:
    """The entry of a picture that has no file of its own."""
    return {
        name: value.replace(path, NAME) if isinstance(value, str) else value for name, value in entry.items()
    }
