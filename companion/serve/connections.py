"""One connection to the served page, with what uvicorn does not limit: how many there are, and how long a
request may take to arrive.

At the limit the connection that has waited longest without a request gives way, so that whoever keeps
connections without asking for anything shuts nobody out.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.serve.answers import raw_answer
from companion.serve.messages import BUSY, NO_REQUEST, SLOW

CONNECTIONS_MAX = 400
"""Twice as many as viewers: each page also fetches a document now and then."""
LEAVING_MAX = 50
"""Further connections that were refused and have yet to read why."""
HANDSHAKES_MAX = 50
"""Encrypted connections that have yet to agree on their keys."""
REQUEST_S = 10.0
"""Seconds in which the head of a request must arrive, and before it the keys of an encrypted connection."""
LEAVE_S = 1.0
"""Seconds for a refused connection to read why: closing it at once could take the answer back."""


class LimitedConnection(H11Protocol):
    """A connection of uvicorn's within these limits."""

    _timer: asyncio.TimerHandle | None = None
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._began_s = self.loop.time()
        self._start_timer()
        others = [each for each in self.connections if isinstance(each, LimitedConnection)]
        leaving = [each for each in others if each._is_refused]
        if len(leaving) > LEAVING_MAX:
            oldest = min(leaving, key=lambda each: each._began_s)
            self.connections.discard(oldest)
            oldest.transport.abort()
        if len(others) - len(leaving) > CONNECTIONS_MAX:
            waiting = [each for each in others if each._waits and not each._is_refused]
            min(waiting, key=lambda each: each._began_s)._refuse(503, BUSY)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        if self._waits:
            self._start_timer()
        super().data_received(data)
        if not self._waits:
            self._stop_timer()

    def eof_received(self) -> None:
        if self._is_refused:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, NO_REQUEST)

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _refuse(self, status: int, sentence: str) -> None:
        """Answer with a sentence, and close when it was read."""
        self._stop_timer()
        if self._is_refused or self.transport.is_closing():
            return
        self._is_refused = True
        if self.cycle is not None:  # an answer that is still being made goes nowhere
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(raw_answer(status, sentence))
        if self.transport.can_write_eof():  # an encrypted one cannot
            with suppress(OSError):  # the other end is gone
                self.transport.write_eof()
        self._timer = self.loop.call_later(LEAVE_S, self.transport.abort)

    def _start_timer(self) -> None:
        """The timer runs on while a request arrives slowly."""
        if self._timer is None:
            self._timer = self.loop.call_later(REQUEST_S, self._refuse, 408, SLOW)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Encryption:
    """Makes the encrypted connections of a server. At its limit the oldest of them that has not agreed on its
    keys gives way."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context
        self._connections: dict[_Encrypted, LimitedConnection] = {}

    def begin(self, **made: Any) -> asyncio.BaseProtocol:
        """The protocol of a new connection; made: what uvicorn makes its own with."""
        return _Encrypted(self, LimitedConnection(**made))

    def add(self, encrypted: _Encrypted, connection: LimitedConnection) -> None:
        self._connections[encrypted] = connection
        waiting = [each for each, inner in self._connections.items() if inner.transport is None]
        if len(waiting) > HANDSHAKES_MAX:
            waiting[0].outer.abort()

    def remove(self, encrypted: _Encrypted) -> None:
        self._connections.pop(encrypted, None)


class _Encrypted(SSLProtocol):
    """A connection by TLS with a `LimitedConnection` inside, which begins when the keys are agreed on."""

    outer: asyncio.Transport

    def __init__(self, encryption: Encryption, connection: LimitedConnection) -> None:
        options: dict[str, Any] = {"server_side": True, "ssl_handshake_timeout": REQUEST_S, "waiter": None}
        super().__init__(connection.loop, connection, encryption.context, **options)
        self._encryption = encryption
        self._connection = connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.outer = transport
        self._encryption.add(self, self._connection)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._encryption.remove(self)
        super().connection_lost(exc)


SETTINGS: Mapping[str, Any] = {
    "http": LimitedConnection,
    "ws": "none",
    "timeout_keep_alive": 5,
    "proxy_headers": False,
    "server_header": False,
    "access_log": False,
    "log_config": None,
    "log_level": logging.CRITICAL,
}
"""Those of uvicorn: it writes no log, which could hold the token."""
