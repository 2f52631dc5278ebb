"""What work on the thread of a running game may do there: see how it stands, have proposals decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from companion.running.deciding import Decision, Progress
from companion.running.proposals import Proposal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Desk:
    """A running game between two of its steps. get_progress: how it stands now; EventError where no game is
    played. decide: what becomes of a proposal; what waited for it is entered too.
    """

    get_progress: Callable[[], Progress]
    decide: Callable[[Proposal], Decision]
