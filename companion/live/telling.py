"""Several events that a person tells at once: all of them become events of the game, or none.

That holds whatever happens, a power cut too: they are stored in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import CompanionError
from companion.game.deciding import Progress, Verdict
from companion.game.proposals import Proposal, Source, SourceKind
from companion.live.desk import Desk
from companion.live.game import RunningGame
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

    def enter(desk: Desk) -> Progress | Sentence:
        decisions = desk.decide_all([Proposal(event, game.now_ns, TOUCH) for event in events], instead_of)
        refused = next((each for each in decisions if each.verdict is not Verdict.ACCEPTED), None)
        if refused is not None:
            return refused.error.sentence if refused.error else NOT_ENTERED
        return desk.get_progress()

    try:
        return game.together(enter).result(WAIT_S)
    except CompanionError as error:
        return error.sentence
