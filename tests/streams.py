"""Cameras of the network, on real servers of this machine: JPEG pictures over HTTP and over RTSP."""

from __future__ import annotations

import re
import ssl
import struct
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, StreamRequestHandler
from typing import ClassVar

import cv2

from companion.images import Image

PERIOD_S = 0.02
LIMIT_S = 60.0


class HttpHandler(BaseHTTPRequestHandler):
    """Sends one JPEG after the other as one answer."""

    def handle(self) -> None:
        self.camera: StreamedPictures = self.server.camera  # type: ignore[attr-defined]
        self.camera.asked += 1
        super().handle()

    def do_GET(self) -> None:
        if not self.camera.lets_in(self.headers["Authorization"]):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        with suppress(OSError):
            for data in self.camera.list_pictures():
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


class StreamedPictures:
    """A camera of the network: JPEG pictures one after the other, `picture` as it is then.

    certificate: a PEM file with its key; the camera then speaks TLS, at the name `localhost`. password: as
    `name:password`, without which nothing is sent. While `is_silent` is set, connections stay and nothing is
    sent.
    """

    scheme = "http"
    handler: ClassVar[type[BaseRequestHandler]] = HttpHandler

    def __init__(
        self, picture: Image, port: int = 0, *, certificate: Path | None = None, password: str = ""
    ) -> None:
        self.picture = picture
        self.password = password
        self.sent = 0
        self.asked = 0
        self.stopped = threading.Event()
        self.is_silent = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self.handler)  # type: ignore[arg-type]
        self.server.camera = self  # type: ignore[attr-defined]
        self.port = self.server.server_address[1]
        self.url = f"{self.scheme}://127.0.0.1:{self.port}/"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.url = f"{self.scheme}s://localhost:{self.port}/"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def lets_in(self, authorization: str | None) -> bool:
        """Whether that header has the password, if one is needed."""
        wanted = f"Basic {b64encode(self.password.encode()).decode()}"
        return not self.password or authorization == wanted

    def list_pictures(self) -> Iterator[bytes]:
        """The JPEGs to send, each at its time, until the camera stops."""
        while not self.stopped.wait(PERIOD_S):
            if not self.is_silent.is_set():
                yield cv2.imencode(".jpg", self.picture)[1].tobytes()
                self.sent += 1

    def wait_until_sent(self, more: int) -> None:
        wanted, end = self.sent + more, time.monotonic() + LIMIT_S
        while self.sent < wanted:
            assert time.monotonic() < end
            time.sleep(0.005)

    def stop(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\n"
    "a=control:video\r\n"
)
JPEG_PAYLOAD, CLOCK_HZ, PACKET_BYTES_MAX = 26, 90_000, 1400
OWN_TABLES, HALF_COLOURS = 255, 1


class RtspHandler(StreamRequestHandler):
    """Answers the requests of RTSP 1.0 (RFC 2326), and sends RTP packets with JPEGs (RFC 2435) between."""

    def handle(self) -> None:
        self.camera: StreamedPictures = self.server.camera  # type: ignore[attr-defined]
        self.camera.asked += 1
        with suppress(OSError):
            while request := self.rfile.readline().decode():
                headers = dict(re.findall(r"(\S+): *(.*)\r\n", "".join(self._list_lines())))
                method = request.split()[0]
                self._answer(method, headers)
                if method == "PLAY":
                    self._play()
                    return

    def _list_lines(self) -> Iterator[str]:
        while (line := self.rfile.readline().decode()).strip():
            yield line

    def _answer(self, method: str, headers: dict[str, str]) -> None:
        status, more, body = "200 OK", ["Session: 1"], ""
        if method == "DESCRIBE":
            more, body = ["Content-Type: application/sdp", f"Content-Length: {len(SDP)}"], SDP
        elif method == "SETUP":
            more.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
        if not self.camera.lets_in(headers.get("Authorization")):
            status, more, body = "401 Unauthorized", ['WWW-Authenticate: Basic realm="camera"'], ""
        lines = [f"RTSP/1.0 {status}", f"CSeq: {headers['CSeq']}", *more]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())

    def _play(self) -> None:
        number = 0
        for jpeg in self.camera.list_pictures():
            height, width = self.camera.picture.shape[:2]
            tables = re.findall(rb"\xff\xdb\x00\x43.(.{64})", jpeg, re.DOTALL)
            head = jpeg.index(b"\xff\xda")
            scan = jpeg[head + 2 + int.from_bytes(jpeg[head + 2 : head + 4], "big") : -2]
            ticks = int(time.monotonic() * CLOCK_HZ) % 2**32
            for start in range(0, len(scan), PACKET_BYTES_MAX):
                piece = scan[start : start + PACKET_BYTES_MAX]
                is_last = start + len(piece) == len(scan)
                number = (number + 1) % 2**16
                rtp = struct.pack(">BBHII", 0x80, is_last << 7 | JPEG_PAYLOAD, number, ticks, 1)
                place = struct.pack(">IBBBB", start, HALF_COLOURS, OWN_TABLES, width // 8, height // 8)
                quality = struct.pack(">BBH", 0, 0, 128) + b"".join(tables) if start == 0 else b""
                packet = rtp + place + quality + piece
                self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)


class RtspPictures(StreamedPictures):
    """The same over RTSP."""

    scheme = "rtsp"
    handler = RtspHandler


class QuietFiles(SimpleHTTPRequestHandler):
    """Serves the files of a folder."""

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@contextmanager
def served_files(folder: Path) -> Iterator[str]:
    """The URL under which the files of that folder lie."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
