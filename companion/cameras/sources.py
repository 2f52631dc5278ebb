"""Where the pictures of a followed game come from, behind one interface: files, cameras, streams.

A recording returns every picture, as fast as they are read. A live source returns the newest one, drops those
not read in time, and opens again by itself after it broke.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import urlsplit

from companion.cameras.capture_process import Holding
from companion.cameras.connected import LiveCamera, find_id, open_table_camera
from companion.cameras.frames import Camera, Frame
from companion.cameras.phone import PHONE, PhonePictures
from companion.cameras.pi import PI_CAMERA
from companion.cameras.recorded import DecodingError, RecordedCamera
from companion.errors import CameraError, InputError
from companion.files import open_file
from companion.foreign_text import HIDDEN, hide_password
from companion.sentences import Sentence, msgid
from companion.stopping import wait_readable

URL = re.compile(r"(?:rtsps?|https?)://.+", re.IGNORECASE)
STREAM_OPENS_S, STREAM_SILENT_S = 10.0, 6.0
"""A network camera has to be found and to start; after that a picture may be late by a hiccup of the
network."""
RETRY_S, RETRY_MAX_S = 1.0, 8.0
"""The pause before it is opened again: twice as long after each failure, up to the second."""
PHONE_RETRY_S = 0.1
"""Opening a phone's camera costs nothing, and reading waits for it."""
CANNOT_OPEN_STREAM = msgid(
    "The stream {name} cannot be opened: check its address and password, and whether it is switched on."
)
CANNOT_OPEN_ENCRYPTED = msgid(
    "The stream {name} cannot be opened: check its address and password, whether it is switched on, and"
    " whether this computer trusts its certificate (the environment variable SSL_CERT_FILE can name a file"
    " with it)."
)
NEEDS_NAME = msgid(
    "The sender of the stream {name} cannot be verified: enter the name of its host, not a number."
)
ENCRYPTED = ("https", "rtsps")
SYSTEM_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
INCOMPLETE = msgid("{name} is an address with its secret parts hidden: enter the whole address.")
IS_FILE = msgid("{name} is a video file, not a live stream: download it, and follow the file.")
SILENT_STREAM = msgid("The stream {name} sends no more pictures.")
NO_SOURCE = msgid(
    "There is no '{source}': enter a video, a folder of pictures, a recorded session, a camera such "
    "as /dev/video0, or a URL."
)
NOTHING_TO_PLAY = msgid("'{source}' is not a video, or has no picture that can be read.")
BROKEN_OFF = msgid(
    "'{source}' is a video that is broken off or cannot be read: copy or record it again, or save it in"
    " another format."
)
BEGINNINGS = ((4, b"ftyp"), (0, b"\x1a\x45\xdf\xa3"), (8, b"AVI "), (0, b"OggS"), (0, b"FLV\x01"))
"""Bytes, and their place in a file, that only videos have: MP4 and MOV, Matroska and WebM, AVI, Ogg,
Flash."""
BEGINNING_BYTES, VIDEO_MAX_BYTES = 16, 2**50
SAMPLES = (0.5, 0.9)
"""Where in a recording it is looked what all of it is like, as shares of its length."""
NO_PICTURES = msgid("The folder '{source}' has no readable picture.")


@dataclass(frozen=True, slots=True)
class Broken:
    """No picture comes, at `t_ns`, and why; the source keeps trying."""

    t_ns: int
    why: Sentence


class PictureSource(Protocol):
    """An open source. name: for people, an address as `hide_password` writes it. is_live: whether pictures
    not read in time are dropped."""

    @property
    def name(self) -> str: ...
    @property
    def is_live(self) -> bool: ...

    def read_frames(self) -> Iterator[Frame | Broken]:
        """Its pictures in order, `t_ns` counting from the first; a recording up to its end."""

    def read_ahead(self) -> Iterator[Frame]:
        """The pictures that `read_frames` will return, as far as they are known: all of a recording."""

    def read_samples(self) -> Iterator[Frame]:
        """Some pictures from all over a recording; none of a live source."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_source(text: str, open_device: Callable[[str], Camera] = open_table_camera) -> PictureSource:
    """Open a video file, a folder of pictures, a camera by its device or number, pi, or a URL.

    Raises InputError for anything else, CameraError for a camera or stream that cannot be opened.
    """
    if URL.fullmatch(text):
        if HIDDEN in text:
            raise InputError(INCOMPLETE, name=text)
        return LiveSource(hide_password(text), lambda: open_stream(text))
    if not text.isdecimal() and text != PI_CAMERA.id:
        try:
            path = Path(text).expanduser()
            if path.is_file() or path.is_dir():
                return RecordedSource(path)
            is_camera = path.is_char_device() or text.startswith("/dev/")
        except (OSError, RuntimeError):  # a name that no file can have
            is_camera = False
        if not is_camera:
            raise InputError(NO_SOURCE, source=text)
    camera = find_id(text)
    opened = camera if Path(camera).exists() else text  # a camera is found again wherever it is plugged in
    return LiveSource(camera, lambda: open_device(opened))


def open_phone(pictures: PhonePictures) -> LiveSource:
    """A phone's camera, which may come later."""
    return LiveSource(PHONE.id, pictures.open, retry_max_s=PHONE_RETRY_S)


def open_stream(url: str) -> Camera:
    """Open a stream of the network, whose bytes meet FFmpeg and OpenSSL in a process of their own. Raises
    CameraError where none comes or its certificate is not trusted, InputError for the URL of a file, and for
    an encrypted stream with a numeric host.
    """
    name = hide_password(url)
    is_encrypted = url.lower().startswith(ENCRYPTED)
    if is_encrypted and _is_at_number(url):
        raise InputError(NEEDS_NAME, name=name)
    camera = LiveCamera(
        name,
        url,
        stream_options=_make_ffmpeg_options(),
        open_timeout_s=STREAM_OPENS_S,
        read_timeout_s=STREAM_SILENT_S,
        cannot_open=CANNOT_OPEN_ENCRYPTED if is_encrypted else CANNOT_OPEN_STREAM,
        silent=SILENT_STREAM,
    )
    if url.lower().startswith("http") and camera.opened.n_frames > 0:
        camera.close()
        raise InputError(IS_FILE, name=name)
    return camera


def _make_ffmpeg_options() -> str:
    """What OpenCV passes to FFmpeg: its own default or the person's, and the check of certificates, which
    FFmpeg before 9 does only on request; its build for OpenCV looks for trusted ones where Red Hat keeps
    them.
    """
    usual = os.environ.get("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_flags;prefer_tcp")
    trusted = ssl.get_default_verify_paths().cafile or SYSTEM_CERTIFICATES
    return f"{usual}|tls_verify;1|ca_file;{trusted}"


def _is_at_number(url: str) -> bool:
    """Whether the host is a number, however it is written: FFmpeg then accepts a certificate of any name."""
    try:
        socket.getaddrinfo(urlsplit(url).hostname, None, flags=socket.AI_NUMERICHOST)
    except (OSError, ValueError):
        return False
    return True


class _Closing(ABC):
    """Closed at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Close what is open; closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RecordedSource(_Closing):
    """A video file or a folder of pictures, once through. Raises InputError where it holds no picture,
    DecodingError where decoding it fails. length_s: as the video states it, else None.
    """

    is_live = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        try:
            self._camera = RecordedCamera(path, loop=False, paced=False)
        except DecodingError:
            raise
        except CameraError as error:
            if "limit" in error.sentence.params:  # too large: it says what would be right
                raise InputError(error.sentence.template, **error.sentence.params) from error
            raise _make_empty_error(path) from error
        self.length_s = self._camera.length_s

    def read_frames(self) -> Iterator[Frame | Broken]:
        """Every picture."""
        return self._camera.frames()

    def read_ahead(self) -> Iterator[Frame]:
        """Every picture, however many were read before."""
        with RecordedCamera(self._path, loop=False, paced=False) as camera:
            yield from camera.frames()

    def read_samples(self) -> Iterator[Frame]:
        """Pictures at SAMPLES of its length, the first one where that is unknown; those that cannot be read
        are left out."""
        for begins_s in [share * self.length_s for share in SAMPLES] if self.length_s else [0.0]:
            with (
                suppress(CameraError),
                RecordedCamera(self._path, loop=False, paced=False, begins_s=begins_s) as camera,
            ):
                yield camera.read()

    def close(self) -> None:
        self._camera.close()


class LiveSource(_Closing):
    """A camera or stream that `reopen` opens, and opens again after it broke, with pauses of at most
    `retry_max_s`. Raises CameraError where it cannot be opened at first.
    """

    is_live = True

    def __init__(
        self,
        name: str,
        reopen: Callable[[], Camera],
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        retry_max_s: float = RETRY_MAX_S,
    ) -> None:
        self.name = name
        self._retry_max_s = retry_max_s
        self._reopen = reopen
        self._clock = clock
        self._is_closed = False
        self._camera: Camera | None = reopen()

    def read_frames(self) -> Iterator[Frame | Broken]:
        """The newest picture each time, without end; or, while none comes, why, again and again. If none
        comes at first, times count from then."""
        first_ns: int | None = None
        retry_s = min(RETRY_S, self._retry_max_s)
        while not self._is_closed:
            try:
                if self._camera is None:
                    self._camera = self._reopen()
                frame = self._camera.read()
            except CameraError as error:
                self._drop()
                if not self._is_closed:
                    now_ns = self._clock()
                    first_ns = now_ns if first_ns is None else first_ns
                    yield Broken(now_ns - first_ns, error.sentence)
                    wait_readable(None, retry_s)
                    retry_s = min(2 * retry_s, self._retry_max_s)
                continue
            retry_s = min(RETRY_S, self._retry_max_s)
            if first_ns is None:
                first_ns = frame.t_ns
            yield Frame(frame.image, frame.t_ns - first_ns)

    def read_ahead(self) -> Iterator[Frame]:
        """None."""
        return iter(())

    def read_samples(self) -> Iterator[Frame]:
        """None."""
        return iter(())

    def hold(self, what: Holding, is_held: bool) -> None:
        """Have a camera keep its focus or its light as it is, or adjust it by itself again."""
        if isinstance(self._camera, LiveCamera):
            self._camera.hold(what, is_held)

    def switch_mains(self) -> None:
        """Have a camera filter out the flicker of lamps at 60 Hz mains instead of 50, or the other way
        round."""
        if isinstance(self._camera, LiveCamera):
            self._camera.switch_mains()

    def close(self) -> None:
        self._is_closed = True
        self._drop()

    def _drop(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(CameraError):
                camera.close()


def _make_empty_error(path: Path) -> InputError:
    """The error for a recording without a readable picture."""
    if path.is_dir():
        return InputError(NO_PICTURES, source=path)
    with suppress(OSError), open_file(path, VIDEO_MAX_BYTES) as file:
        first = file.read(BEGINNING_BYTES)
        if any(first[at:].startswith(mark) for at, mark in BEGINNINGS):
            return InputError(BROKEN_OFF, source=path)
    return InputError(NOTHING_TO_PLAY, source=path)
