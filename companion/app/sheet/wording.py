"""What the score sheet says of hands and wins, in words. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence

from companion.live.event_words import describe_event
from companion.sentences import Sentence, msgid
from companion.sheets.hands import Step
from companion.table.events import Event, HandDrawn, Won
from companion.table.state import State

NOT_SURE = msgid("Not sure: check that these are the winner's tiles.")


def name_at(state: State, names: Sequence[str]) -> tuple[str, ...]:
    """What the people are called, by where they sit in that state."""
    seated = state.hand.seated if state.hand else state.seated
    return tuple(names[person] for person in seated)


def describe_step(step: Step, names: Sequence[str]) -> Sentence:
    """The event in words; its tiles are drawn."""
    return describe_event(step.event, step.state, name_at(step.state, names))


def describe_old(was: Sequence[Event], before: State | None, names: Sequence[str]) -> Sentence:
    """What was believed; of several events the one that ended the hand."""
    from companion.errors import EventError
    from companion.table.apply import apply

    state, event = before, was[0]
    try:
        for each in was:
            event = each
            state = apply(state, each)
            if isinstance(each, Won | HandDrawn):
                break
        assert state is not None
        return describe_step(Step(0, event, state), names)
    except EventError as problem:
        return problem.sentence
