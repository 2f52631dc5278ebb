"""`/camera`: the phone that is the table's camera sends one picture after the other, each when it is wanted.

Pictures come as requests of their own, not through a WebSocket: browsers on iPhones open none to a server
whose certificate a person has accepted (WebKit bug 145819). The answer to a picture says when to send the
next one, and waits until then.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request

from companion.errors import PictureError
from companion.sentences import Sentence
from companion.serve.answers import HttpError
from companion.serve.messages import NO_REQUEST, NOT_ASKED, NOT_JPEG, OTHER_PHONE, TOO_LARGE
from companion.serve.shown import VERSION
from companion.serve.uploads import MB, NAME, receive

if TYPE_CHECKING:  # which bring OpenCV, and few pages have a camera
    from companion.cameras.phone import PhonePictures
    from companion.images import Image

FRAME_MB_MAX, FRAME_MEGAPIXELS_MAX, FRAME_PX_MAX = 4, 9, 4_096
"""The page sends some 0.5 MB of 2 megapixels."""
PER_SECOND_MAX = 15
"""Pictures that are asked for in a second: more would only warm the phone."""
WAIT_S = 2.0
"""The longest that an answer waits until a picture is wanted."""
HOLD_S = 6.0
"""A phone that has asked and sent nothing for this long is no longer the camera."""
LOOK_S = 1.0
"""Pause between two checks whether the phone still waits."""
JPEG_BEGINS = b"\xff\xd8\xff"
PHONE_NAME = re.compile(r"[0-9a-z]{8,40}")
"""What a page calls itself: random letters, new each time it is opened."""


class PhoneCameraDoor:
    """Lets one phone at a time be the camera. All but `wake` is called on the server's loop. pictures: where
    its pictures go; None where nothing can use them."""

    def __init__(self, pictures: PhonePictures | None) -> None:
        self._pictures = pictures
        self._wanted = asyncio.Event()
        self._phone: str | None = None
        self._requests = 0
        self._held_until_s = self._next_s = 0.0
        self._is_asked = self._is_closed = False

    @property
    def is_used(self) -> bool:
        """Whether the table uses a phone as its camera now."""
        return self._pictures is not None and self._pictures.is_read

    def wake(self) -> None:
        """A picture may be wanted."""
        self._wanted.set()

    def close(self) -> None:
        """Let the phone wait no longer."""
        self._is_closed = True
        self.wake()

    async def take(self, request: Request) -> bytes:
        """The answer, as JSON, to a picture, or to an empty request of a phone that has none yet: `send`,
        whether a picture is wanted now, and `used`, as `is_used`. It comes when one is wanted, at most after
        `WAIT_S`. HttpError for another phone, a picture that was not wanted, and what is not a JPEG within
        the limits."""
        phone = request.query_params.get("phone", "")
        if not PHONE_NAME.fullmatch(phone):
            raise HttpError(400, Sentence(NO_REQUEST))
        self._hold(phone)
        self._requests += 1
        if request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers:
            self._check_asked()
            content = await receive(request, FRAME_MB_MAX * MB, Sentence(TOO_LARGE, {"most": FRAME_MB_MAX}))
            self._hold(phone)
            self._check_asked()
            self._is_asked = False
            assert self._pictures is not None, "or no picture is asked for"
            self._pictures.put(await asyncio.to_thread(decode_frame, content))
        is_wanted = await self._wait_until_wanted(phone, request)
        self._is_asked = self._is_asked or is_wanted
        return msgspec.json.encode({"version": VERSION, "send": is_wanted, "used": self.is_used})

    def _hold(self, phone: str) -> None:
        """This phone is the camera from now on. HttpError while another one is."""
        now_s = time.monotonic()
        if phone != self._phone:
            if now_s < self._held_until_s:
                raise HttpError(409, Sentence(OTHER_PHONE), retry_s=round(HOLD_S))
            self._is_asked = False
        self._phone, self._held_until_s = phone, now_s + HOLD_S
        self._note_phone(HOLD_S)

    def _release(self) -> None:
        self._held_until_s = 0.0
        self._note_phone(0.0)

    def _note_phone(self, for_s: float) -> None:
        if self._pictures is not None:
            self._pictures.note_phone(for_s)

    @property
    def _is_picture_wanted(self) -> bool:
        return self._pictures is not None and self._pictures.is_wanted

    def _check_asked(self) -> None:
        if not self._is_asked:
            raise HttpError(429, Sentence(NOT_ASKED), retry_s=1)

    async def _wait_until_wanted(self, phone: str, request: Request) -> bool:
        number, until_s = self._requests, time.monotonic() + WAIT_S
        while not self._is_picture_wanted:
            self._wanted.clear()
            if await request.is_disconnected():
                if number == self._requests:  # it has not asked again meanwhile
                    self._release()
                return False
            left_s = until_s - time.monotonic()
            if left_s <= 0 or self._is_closed:
                return False
            if not self._is_picture_wanted:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wanted.wait(), min(left_s, LOOK_S))
            self._hold(phone)
        now_s = time.monotonic()
        pause_s = max(0.0, self._next_s - now_s)
        self._next_s = now_s + pause_s + 1 / PER_SECOND_MAX
        await asyncio.sleep(pause_s)
        return True


def decode_frame(content: bytes) -> Image:
    """The picture, (height, width, 3) uint8 BGR. HttpError where it is no JPEG within the limits."""
    if not content.startswith(JPEG_BEGINS):
        raise HttpError(422, Sentence(NOT_JPEG))
    from companion.vision.pictures import Limits, decode_photo

    try:
        return decode_photo(
            content, Limits(FRAME_MB_MAX * MB, FRAME_MEGAPIXELS_MAX, FRAME_PX_MAX), NAME
        ).pixels
    except PictureError as error:
        raise HttpError(422, error.sentence) from None
