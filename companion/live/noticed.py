"""What is noticed in a game that is followed, as `companion track --json` prints it and sessions keep it.

Its fields: "For programs" in docs/tracking.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from companion.game.proposals import Source, SourceKind
from companion.sentences import Sentence
from companion.table.events import Event
from companion.table.state import State

Json = dict[str, Any]
SECONDS_DIGITS, P_DIGITS = 3, 4


@dataclass(frozen=True, slots=True)
class EventNoticed:
    """An event, `number` in the game's log, entered since `source` reported it with probability `p`; certain:
    whether no person need check it; state: after it."""

    t: float
    event: Event
    p: float
    certain: bool
    source: Source
    number: int
    state: State


@dataclass(frozen=True, slots=True)
class StateShown:
    """How the game stands."""

    t: float
    state: State


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question for a person: what the event of that number was, where it is in the log already. about: the
    type of the event. sources: who contradict each other, where that is why it is asked."""

    t: float
    number: int | None
    about: str
    choices: tuple[str, ...]
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowingLost:
    """The game can no longer be followed, and why."""

    t: float
    why: Sentence


@dataclass(frozen=True, slots=True)
class FollowingResumed:
    """The game can be followed again."""

    t: float


@dataclass(frozen=True, slots=True)
class Doubted:
    """The table seems to play another game, or with other tiles, and why; None where that is over. It is
    still followed meanwhile."""

    t: float
    why: Sentence | None


Noticed = EventNoticed | StateShown | QuestionAsked | FollowingLost | FollowingResumed | Doubted


class LostState:
    """Whether the game can be followed: of several changes in one moment only the last is reported."""

    def __init__(self) -> None:
        self._why: Sentence | None = None

    def settle(self, noticed: list[Noticed]) -> list[Noticed]:
        """What was noticed in one moment, with at most one line of the game being lost or found."""
        turns = [each for each in noticed if isinstance(each, (FollowingLost, FollowingResumed))]
        if not turns:
            return noticed
        last, before = turns[-1], self._why
        self._why = last.why if isinstance(last, FollowingLost) else None
        is_news = self._why != before
        return [
            each
            for each in noticed
            if not isinstance(each, (FollowingLost, FollowingResumed)) or (is_news and each is last)
        ]


def noticed_json(noticed: Noticed) -> Json:
    """One line of `companion track --json`."""
    head: Json = {"t": round(noticed.t, SECONDS_DIGITS)}
    match noticed:
        case EventNoticed():
            return head | {
                "event": msgspec.to_builtins(noticed.event),
                "p": round(noticed.p, P_DIGITS),
                "certain": noticed.certain,
                "source": noticed.source.kind.value,
                "number": noticed.number,
            }
        case StateShown():
            return head | {"state": state_line(noticed.state)}
        case QuestionAsked():
            question: Json = {
                "number": noticed.number,
                "about": noticed.about,
                "choices": list(noticed.choices),
            }
            if noticed.sources:
                question["sources"] = [source_name(source) for source in noticed.sources]
            return head | {"question": question}
        case FollowingLost():
            return head | {"lost": {"why": str(noticed.why)}}
        case FollowingResumed():
            return head | {"found": {}}
        case Doubted():
            return head | {"doubt": {"why": None if noticed.why is None else str(noticed.why)}}


def state_line(state: State) -> Json:
    """The open tiles of the hand in play, or of the last one; null before the first. An unseen discard is
    null, a concealed kong of unseen tiles `K????`."""
    hand = state.hand
    if hand is None:
        nobody: list[list[str]] = [[], [], [], []]
        return {
            "left": None, "before_sea": None, "phase": None, "turn": None,
            "rivers": nobody, "melds": nobody, "flowers": nobody,
        }  # fmt: skip
    wall = hand.wall
    return {
        "left": wall.live_left,
        "before_sea": wall.before_sea if wall.rule.sea else None,
        "phase": hand.phase.value,
        "turn": hand.turn,
        "rivers": [[tile and tile.code for tile in player.discards] for player in hand.players],
        "melds": [
            ["K????" if laid.meld is None else str(laid.meld) for laid in player.melds]
            for player in hand.players
        ],
        "flowers": [[tile.code for tile in player.flowers] for player in hand.players],
    }


def source_name(source: Source) -> str:
    """Who reported something, as lines name it: its kind, and its name or seat where that is known."""
    if source.kind is SourceKind.TOUCH:
        return source.kind.value if source.seat is None else f"{source.kind.value} {source.seat}"
    return f"{source.kind.value} {source.name}".strip()
