"""Several events that a person tells at once: all of them become events of the game, or none."""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import CompanionError
from companion.running.deciding import Progress, Verdict
from companion.running.desk import Desk
from companion.running.game import RunningGame
from companion.running.proposals import Proposal, Source, SourceKind
from companion.sentences import Sentence
from companion.table.events import Event

TOUCH = Source(SourceKind.TOUCH)
WAIT_S = 20.0
"""The longest wait for the game's thread and the disk, away from the window's thread."""
NOT_ENTERED = Sentence("It could not be entered: look at the table, and try again.")


def tell(game: RunningGame, events: Sequence[Event], instead_of: int = 0) -> Progress | Sentence:
    """Where the game stands after all events, or why none of them was entered. Waits for the game's thread.

    instead_of: how many of the last events give way to them; where they are refused, those stand again.
    """
    try:
        if not instead_of:
            return _enter(game, events)
        old = game.together(lambda desk: desk.get_progress().events[-instead_of:]).result(WAIT_S)
        game.undo(instead_of).result(WAIT_S)
        outcome = _enter(game, events)
        if isinstance(outcome, Sentence):
            _enter(game, old)
        return outcome
    except CompanionError as error:
        return error.sentence


def _enter(game: RunningGame, events: Sequence[Event]) -> Progress | Sentence:
    done = 0

    def decide(desk: Desk) -> Progress | Sentence:
        nonlocal done
        for event in events:
            decision = desk.decide(Proposal(event, game.now_ns, TOUCH))
            if decision.verdict is not Verdict.ACCEPTED:
                return decision.error.sentence if decision.error else NOT_ENTERED
            done += 1
        return desk.get_progress()

    try:
        outcome = game.together(decide).result(WAIT_S)
    except CompanionError as error:
        outcome = error.sentence
    if isinstance(outcome, Sentence) and done:
        game.undo(done)
    return outcome
