"""Somebody at the table who answers what the camera asks about discards."""

from __future__ import annotations

from companion.live.game import RunningGame
from companion.live.noticed import Noticed, QuestionAsked
from companion.live.proposals import Source, SourceKind
from companion.table.events import Discarded, number_corrected
from lab.bench.followed_films import VisibleTruth

ANSWERS_AFTER_S = 2.0
TOUCH = Source(SourceKind.TOUCH)


class Answering:
    """Answers each question about a discard rightly, once, ANSWERS_AFTER_S after it was asked."""

    def __init__(self, truth: VisibleTruth) -> None:
        self._discards = [each.event for each in truth.events if isinstance(each.event, Discarded)]
        self._due: list[tuple[float, int]] = []
        self._answered: set[int] = set()
        self._t = 0.0

    def tell_ns(self) -> int:
        """The film's time."""
        return round(self._t * 1e9)

    def hear(self, noticed: Noticed, game: RunningGame) -> None:
        """Take in what was noticed, and answer what was asked before it."""
        self._t = noticed.t
        for at, number in [each for each in self._due if each[0] <= noticed.t]:
            self._due.remove((at, number))
            self._answer(game, number)
        if not isinstance(noticed, QuestionAsked) or noticed.about != "discarded":
            return
        if noticed.number is not None and noticed.number not in self._answered:
            self._answered.add(noticed.number)
            self._due.append((noticed.t + ANSWERS_AFTER_S, noticed.number))

    def _answer(self, game: RunningGame, number: int) -> None:
        """Say what event `number` was, if it is known which of the film's discards it is."""
        events = game.together(lambda desk: desk.get_progress().events).result()
        said = [each for each in number_corrected(events) if isinstance(each[1], Discarded)]
        for (own, event), true in zip(said, self._discards, strict=False):
            if own == number and isinstance(event, Discarded) and event.seat == true.seat:
                game.correct(number, true, TOUCH).result()
