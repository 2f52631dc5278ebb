"""Numbered messages: each arrives once and in order, or the session ends. Go-back-N with a window of at most
8.

Numbers run 1…255 and then 1 again; 0 is for messages that may be lost. Pure: times (seconds) come in as
arguments.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from firmware_bridge.codec import Message
from firmware_bridge.errors import QueueFullError
from firmware_bridge.limits import (
    QUEUE_MAX,
    RESEND_ASKED_PAUSE_S,
    RESEND_FIRST_S,
    RESEND_MAX_S,
    WINDOW_MAX,
)

NUMBERS = 255


def advance(seq: int, steps: int = 1) -> int:
    """The number `steps` after `seq`, 1…255."""
    return (seq - 1 + steps) % NUMBERS + 1


def count_steps(start: int, end: int) -> int:
    """How many steps lead from `start` to `end`, 0…254."""
    return (end - start) % NUMBERS


class Arrival(Enum):
    """What an arriving number means."""

    NEXT = 1
    DUPLICATE = 2
    GAP = 3


class Incoming:
    """Which number comes next; nothing is kept of what arrives too early."""

    __slots__ = ("expected",)

    def __init__(self) -> None:
        self.expected = 1

    def classify(self, seq: int) -> Arrival:
        """What `seq` (1…255) is, without taking it."""
        ahead = count_steps(self.expected, seq)
        if ahead == 0:
            return Arrival.NEXT
        return Arrival.DUPLICATE if ahead >= NUMBERS - WINDOW_MAX else Arrival.GAP

    def take(self) -> None:
        """The expected one has been taken: the one after it is expected."""
        self.expected = advance(self.expected)


class Outgoing:
    """Messages that wait for their acknowledgement, and those that wait for a place in the window."""

    __slots__ = (
        "_asked_at",
        "_due",
        "_next",
        "_oldest",
        "_progress_at",
        "_waiting",
        "_way",
        "resent",
        "window",
    )

    def __init__(self, window: int = WINDOW_MAX) -> None:
        self.window = window
        self.resent = 0
        self._waiting: deque[Message] = deque()
        self._way: deque[Message] = deque()
        self._oldest = 1  # the number of the first on the way
        self._next = 0  # how many of those on the way need not be sent now
        self._due: tuple[float, float] | None = None  # when to resend, and the pause after that
        self._asked_at = -RESEND_ASKED_PAUSE_S
        self._progress_at = 0.0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._way)

    @property
    def has_room(self) -> bool:
        """Whether one more may be queued."""
        return len(self._waiting) < QUEUE_MAX

    def post(self, message: Message) -> int:
        """Queue `message` and return the number (1…255) that it will have. Raises QueueFullError."""
        if not self.has_room:
            raise QueueFullError(f"{QUEUE_MAX} messages wait already: nothing is acknowledged")
        seq = advance(self._oldest, len(self))
        self._waiting.append(message)
        return seq

    def to_send(self, now: float) -> list[tuple[int, Message]]:
        """The messages to send now, with their numbers."""
        if self._due and now >= self._due[0]:
            pause = min(2 * self._due[1], RESEND_MAX_S)
            self._due = (now + pause, pause)
            self.resent += self._next
            self._next = 0
        while self._waiting and len(self._way) < self.window:
            if not self._way:
                self._progress_at = now
            self._way.append(self._waiting.popleft())
        sent = [(advance(self._oldest, i), self._way[i]) for i in range(self._next, len(self._way))]
        self._next = len(self._way)
        if sent and self._due is None:
            self._due = (now + RESEND_FIRST_S, RESEND_FIRST_S)
        return sent

    def acknowledge(self, upto: int, resend: bool, now: float) -> None:
        """All before number `upto` has arrived; with `resend` the rest is sent again. What makes no sense is
        ignored.
        """
        arrived = count_steps(self._oldest, upto)
        if arrived > len(self._way):
            return  # an old one, or invented
        for _ in range(arrived):
            self._way.popleft()
        self._oldest = upto
        self._next = max(0, self._next - arrived)
        if arrived:
            self._progress_at = now
            self._due = (now + RESEND_FIRST_S, RESEND_FIRST_S) if self._way else None
        if resend and self._way and now - self._asked_at >= RESEND_ASKED_PAUSE_S:
            self._asked_at = now
            self.resent += self._next
            self._next = 0

    def stuck_s(self, now: float) -> float:
        """For how long nothing of what is on the way has been acknowledged, seconds."""
        return now - self._progress_at if self._way else 0.0
