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
REQUEST_S = 10.0
"""Seconds in which the head of a request must arrive."""


class LimitedConnection(H11Protocol):
    """A connection of uvicorn's within these limits."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(REQUEST_S, self._refuse, 408, SLOW)
        if len(self.connections) > CONNECTIONS_MAX:
            waiting = [
                each for each in self.connections if isinstance(each, LimitedConnection) and each.waits
            ]
            oldest = min(waiting, key=lambda each: each.began_s, default=self)
            oldest._refuse(503, BUSY)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and self.waits:
            self._deadline = self.loop.call_later(REQUEST_S, self._refuse, 408, SLOW)
        super().data_received(data)
        if not self.waits:
            self._cancel_deadline()

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def began_s(self) -> float:
        """When its first request was due; earlier for an older connection."""
        return 0.0 if self._deadline is None else self._deadline.when()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, NO_REQUEST)

    def _refuse(self, status: int, sentence: str) -> None:
        """Answer with a sentence, and close."""
        self._cancel_deadline()
        self.connections.discard(self)
        if not self.transport.is_closing():
            self.transport.write(raw_answer(status, sentence))
            self.transport.close()

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def limit_nothing_else() -> dict[str, Any]:
    """The settings of uvicorn that go with it."""
    return {"http": LimitedConnection, "ws": "none", "limit_concurrency": None, "timeout_keep_alive": 5}
