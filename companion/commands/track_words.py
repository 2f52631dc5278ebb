"""What is noticed of a game that is followed, in lines for people."""

from __future__ import annotations

from companion.commands.output import console
from companion.commands.table_words import describe_event, describe_wall
from companion.running.noticed import (
    EventNoticed,
    Noticed,
    QuestionAsked,
    StateShown,
    ThreadFound,
    ThreadLost,
    source_name,
)
from companion.running.table_watch import NO_TABLE
from companion.table.events import Corrected

CORNERS_HINT = "; or give their places with --corners"


class Words:
    """Prints a line for each event, with how many tiles are left; questions, and what is lost and found."""

    def __init__(self) -> None:
        self._out = console()

    def show(self, noticed: Noticed) -> None:
        """Print it; states of every second are passed over."""
        if not isinstance(noticed, StateShown):
            self._out.print(f"{_format_time(noticed.t)}  {describe_noticed(noticed)}")


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
            return f"! lost: {noticed.why}" + (CORNERS_HINT if noticed.why.template == NO_TABLE else "")
        case ThreadFound():
            return "! found again"
        case StateShown():
            left, _ = describe_wall(noticed.state)
            return f"{left} left" if left else "no hand is played"


def _describe_event(noticed: EventNoticed) -> str:
    event = noticed.event
    said = describe_event(event, noticed.state)
    if isinstance(event, Corrected):
        right = "did not happen" if event.right is None else describe_event(event.right, noticed.state)
        said = f"event {event.number} is corrected: {right}"
    left, _ = describe_wall(noticed.state)
    doubt = "" if noticed.certain else f" ({noticed.p:.0%} sure)"
    return f"{noticed.number:3}  {said}{doubt}" + (f"; {left} left" if left else "")


def _format_time(t: float) -> str:
    return f"{int(t // 60)}:{t % 60:04.1f}"
