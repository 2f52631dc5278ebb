"""A camera of the network, on a real HTTP server of this machine."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2

from companion.images import Image

PERIOD_S = 0.02
LIMIT_S = 60.0


class StreamedPictures:
    """A camera of the network: JPEG pictures one after the other, `picture` as it is then.

    certificate: a PEM file with its key; the camera then speaks TLS, at the name `localhost`.
    """

    def __init__(self, picture: Image, port: int = 0, *, certificate: Path | None = None) -> None:
        self.picture = picture
        self.sent = 0
        self.asked = 0
        self.stopped = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def handle(self) -> None:
                outer.asked += 1
                super().handle()

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while not outer.stopped.wait(PERIOD_S):
                    data = cv2.imencode(".jpg", outer.picture)[1].tobytes()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + data + b"\r\n")
                        outer.sent += 1
                    except OSError:
                        return

            def log_message(self, *_: object) -> None:
                """Nothing is logged."""

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.url = f"https://localhost:{self.port}/"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def wait_until_sent(self, more: int) -> None:
        wanted, end = self.sent + more, time.monotonic() + LIMIT_S
        while self.sent < wanted:
            assert time.monotonic() < end
            time.sleep(0.005)

    def stop(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


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
