"""A network between programs that a test can cut: nothing comes through, and neither end notices."""

from __future__ import annotations

import socket
import threading

HOST = "127.0.0.1"
PIECE_BYTES = 2**16


class Line:
    """A port that leads to another one of this machine, until `close`."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = threading.Event()
        self._whole.set()
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"mqtt://{HOST}:{self.port}"

    def cut(self) -> None:
        """From now on nothing comes through, not even the end of a connection; new ones are refused."""
        self._whole.clear()

    def repair(self) -> None:
        """What waited comes through, and all that follows."""
        self._whole.set()

    def close(self) -> None:
        self._whole.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                if not self._whole.is_set():
                    raise ConnectionRefusedError
                far = socket.create_connection((HOST, self._to))
            except OSError:
                near.close()
                continue
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while piece := source.recv(PIECE_BYTES):
                self._whole.wait()
                target.sendall(piece)
        except OSError:
            pass
        self._whole.wait()
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                each.close()
