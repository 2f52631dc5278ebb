"""What a person is asked about a proposal that waits for one. Pure."""

from __future__ import annotations

from companion.live.deciding import Pending
from companion.live.noticed import QuestionAsked
from companion.table.events import Corrected, Event


def make_question(pending: Pending, t: float) -> QuestionAsked:
    """The question that is asked at `t`: what it is about, what it may be, and who said which."""
    fact, said = pending.fact, pending.proposal.event
    event = said.right if isinstance(said, Corrected) else said
    number = None
    if fact is not None:
        number = fact.number
    elif isinstance(said, Corrected):
        number = said.number
    choices = [_describe(each) for each in (fact.event if fact else None, event) if each is not None]
    sources = (*(fact.seen_by if fact else ()), pending.proposal.source)
    named = event or (fact.event if fact else said)
    about = str(named.__struct_config__.tag)
    return QuestionAsked(t, number, about, tuple(dict.fromkeys(choices)), sources)


def _describe(event: Event) -> str:
    """What tells the event from others of its type: its tile, meld or seat."""
    parts = (getattr(event, name, None) for name in ("tile", "meld", "hand", "dice", "seat"))
    return next((str(part) for part in parts if part is not None), "?")
