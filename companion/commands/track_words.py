"""What is noticed of a game that is followed, in lines for people."""

from __future__ import annotations

from companion.commands.output import console
from companion.commands.table_words import describe_event, describe_wall, format_sure
from companion.live.noticed import (
    Doubted,
    EventNoticed,
    Noticed,
    QuestionAsked,
    StateShown,
    ThreadFound,
    ThreadLost,
    source_name,
)
from companion.live.table_watch import NO_TABLE
from companion.sentences import Sentence
from companion.table.events import Corrected, Event
from companion.table.state import State

REMIND_S = 30.0
"""So often it is said again that the game is lost."""

NO_TABLE_HERE = (
    "the table is not found: show all four of its corners, in good light, or give their places with --corners"
)


class Words:
    """Prints a line for each event, with how many tiles are left; questions, and what is lost and found."""

    def __init__(self) -> None:
        self._out = console()
        self._lost: ThreadLost | None = None
        self._knows_sea = False

    def show(self, noticed: Noticed) -> None:
        """Print it; states of every second are passed over, but for a reminder that the game is lost."""
        match noticed:
            case StateShown():
                if self._lost is None or noticed.t - self._lost.t < REMIND_S:
                    return
                self._lost = ThreadLost(noticed.t, self._lost.why)
                self._print(noticed.t, f"! still lost: {self._lost.why}")
                return
            case ThreadLost():
                self._lost = noticed
            case ThreadFound():
                self._lost = None
        self._print(noticed.t, describe_noticed(noticed) + self._explain_sea(noticed))

    def say(self, sentence: str) -> None:
        """Print a sentence about the whole."""
        self._out.print(sentence)

    def _print(self, t: float, said: str) -> None:
        self._out.print(f"{format_moment(t)}  {said}")

    def _explain_sea(self, noticed: Noticed) -> str:
        """What the second number of tiles left means, once."""
        if self._knows_sea or not isinstance(noticed, EventNoticed) or "+" not in _count_left(noticed.state):
            return ""
        self._knows_sea = True
        return " (before the sea, and in it)"


def describe_noticed(noticed: Noticed) -> str:
    """What was noticed, in one line."""
    match noticed:
        case EventNoticed():
            return _describe_event(noticed)
        case QuestionAsked():
            which = " or ".join(noticed.choices)
            who = " and ".join(source_name(source) for source in noticed.sources)
            event = "" if noticed.number is None else f"event {noticed.number}, "
            return f"? {event}{noticed.about}: {which}" + (f" ({who} say otherwise)" if who else "")
        case ThreadLost():
            return f"! lost: {describe_why(noticed.why)}"
        case ThreadFound():
            return "! found again"
        case Doubted(why=why):
            return "? doubtful no more" if why is None else f"? doubtful: {why}"
        case StateShown():
            left = _count_left(noticed.state)
            return f"{left} left" if left else "no hand is played"


def describe_why(why: Sentence) -> str:
    """Why the game is lost, and which option helps."""
    return NO_TABLE_HERE if why.template == NO_TABLE else str(why)


def describe_entered(event: Event, after: State) -> str:
    """What an event of the log says, a correction included, in one sentence without its stop."""
    if not isinstance(event, Corrected):
        return describe_event(event, after)
    if event.right is None:
        return f"event {event.number} did not happen"
    return f"event {event.number} is corrected: {describe_event(event.right, after)}"


def _describe_event(noticed: EventNoticed) -> str:
    left = _count_left(noticed.state)
    doubt = "" if noticed.certain else f" ({format_sure(noticed.p)})"
    said = describe_entered(noticed.event, noticed.state)
    return f"{noticed.number:3}  {said}{doubt}" + (f"; {left} left" if left else "")


def _count_left(state: State) -> str:
    left, _ = describe_wall(state)
    return left


def format_moment(t: float) -> str:
    """Minutes, and seconds to a tenth."""
    minutes, tenths = divmod(round(10 * t), 600)
    return f"{minutes}:{tenths / 10:04.1f}"
