"""One connection to the served page, with what uvicorn does not limit: how many there are, and how long a
request may take to arrive.

At the limit the connection that has waited longest without a request gives way, so that whoever keeps
connections without asking for anything shuts nobody out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.serve.answers import raw_answer
from companion.serve.messages import BUSY, NO_REQUEST, SLOW

CONNECTIONS_MAX = 400
"""Twice as many as viewers: each page also fetches a document now and then."""
LEAVING_MAX = 50
"""Further connections that were refused and have yet to read why."""
REQUEST_S = 10.0
"""Seconds in which the head of a request must arrive."""
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
        staying = [
            each for each in self.connections if isinstance(each, LimitedConnection) and not each._is_refused
        ]
        if len(self.connections) > CONNECTIONS_MAX + LEAVING_MAX:
            transport.abort()
        elif len(staying) > CONNECTIONS_MAX:
            oldest = min((each for each in staying if each._waits), key=lambda each: each._began_s)
            oldest._refuse(503, BUSY)

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
        self.transport.write(raw_answer(status, sentence))
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


def limit_nothing_else() -> dict[str, Any]:
    """The settings of uvicorn that go with it."""
    return {"http": LimitedConnection, "ws": "none", "limit_concurrency": None, "timeout_keep_alive": 5}
