"""What work on the thread of a running game may do there: see how it stands, have proposals decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.game.deciding import Decision, Progress
from companion.game.proposals import Proposal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Desk:
    """A running game between two of its steps. get_progress: how it stands now; EventError where no game is
    played. decide: what becomes of a proposal; what waited for it is entered too. decide_all: what becomes of
    several, which all become events, or none does whatever happens, in the place of so many of the last ones.
    """

    get_progress: Callable[[], Progress]
    decide: Callable[[Proposal], Decision]
    decide_all: Callable[[Sequence[Proposal], int], list[Decision]]
