"""What the decoder reports: events with their probabilities, questions, and whether the game is lost or found
again."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.events import Event


@dataclass(frozen=True, slots=True)
class Stated:
    """An event, `number` in the log; p: its probability; certain: whether it needs no check by a person."""

    t: float
    event: Event
    p: float
    certain: bool
    number: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a person: which tile the event with this number was about."""

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
