"""What a person or a device reports of a running game, and how far each is trusted. Pure values.

A proposal is not an event of the game yet: `deciding.py` decides whether it becomes one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion.sentences import Sentence, msgid
from companion.table.events import Event, Won

CAMERA_ACCEPT_FROM = 0.9
"""Chosen, not measured: p is calibrated, so below this one event in ten or more would be wrong, and
correcting an event takes a person longer than answering a question."""
CAMERA_WAITS_S = 3.0
"""Chosen, not measured: within this time a hand that covered the event before is out of the way."""
NEVER = 2.0
"""A probability that nothing reaches."""


class SourceKind(StrEnum):
    """By what means something was observed."""

    TOUCH = "touch"
    DEVICE = "device"
    CAMERA = "camera"
    SCRIPT = "script"


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who or what observed something.

    name: of the device's port, the camera or the script. seat: of the person at the screen, where that is
    known.
    """

    kind: SourceKind
    name: str = ""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """An event that `source` observed at `t_ns` of the game's clock, with the probability `p`, 0 to 1.

    alternatives: what it may have been instead, each with its p, the likeliest first. key: a proposal that is
    sent again with its key is entered once, as by `Game.append`.
    """

    event: Event
    t_ns: int
    source: Reporter
    p: float = 1.0
    alternatives: tuple[tuple[Event, float], ...] = ()
    key: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise ValueError(f"p is {self.p}: a probability is between 0 and 1")


@dataclass(frozen=True, slots=True)
class Trust:
    """What is accepted from one kind of source without asking a person.

    accept_from: the least p. except_for: types of events that a person must always confirm. waits_s: how long
    a proposal that cannot happen yet waits for the event before it; 0 refuses it immediately.
    """

    accept_from: float = 0.0
    except_for: frozenset[type] = frozenset()
    waits_s: float = 0.0

    def accepts(self, kind: type, p: float = 1.0) -> bool:
        """Whether events of that type are accepted at that probability."""
        return p >= self.accept_from and kind not in self.except_for


ASKS = Trust(accept_from=NEVER)


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """How far the people at a table trust each kind of source.

    By default a win button only asks, since anybody may lean on it. What a camera saw is entered where it is
    likely enough, and waits a moment where it cannot have happened yet.
    """

    touch: Trust = field(default_factory=Trust)
    device: Trust = Trust(except_for=frozenset({Won}))
    camera: Trust = Trust(accept_from=CAMERA_ACCEPT_FROM, waits_s=CAMERA_WAITS_S)
    script: Trust = field(default_factory=Trust)

    def trust(self, kind: SourceKind) -> Trust:
        match kind:
            case SourceKind.TOUCH:
                return self.touch
            case SourceKind.DEVICE:
                return self.device
            case SourceKind.CAMERA:
                return self.camera
            case SourceKind.SCRIPT:
                return self.script

    def accepts(self, proposal: Proposal) -> bool:
        """Whether the proposal becomes an event without a person, if it can happen."""
        return self.trust(proposal.source.kind).accepts(type(proposal.event), proposal.p)


ASK_ALWAYS = TrustPolicy(ASKS, ASKS, ASKS, ASKS)
"""Nothing is entered before a person confirms it."""


NAMES = {
    SourceKind.TOUCH: msgid("a person"),
    SourceKind.DEVICE: msgid("the device {name}"),
    SourceKind.CAMERA: msgid("the camera"),
    SourceKind.SCRIPT: msgid("a script"),
}


def name_source(source: Reporter) -> Sentence:
    """The source, as part of a sentence."""
    return Sentence(NAMES[source.kind], {"name": source.name})
