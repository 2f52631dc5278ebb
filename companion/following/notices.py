"""What the decoder says: events with how likely they are, questions, that the game is lost or found."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.events import Event

CERTAIN_FROM = 0.99
"""From this probability on nobody need look at an event."""


@dataclass(frozen=True, slots=True)
class Stated:
    """An event, `number` in the log; p: how likely it is; certain: whether it needs no check."""

    t: float
    event: Event
    p: float
    certain: bool
    number: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a person: which tile the event of that number was about."""

    t: float
    number: int
    about: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The game can no longer be followed, and why."""

    t: float
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """The game can be followed again."""

    t: float


Notice = Stated | Asked | Lost | Found
