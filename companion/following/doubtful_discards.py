"""Of discards: which they may be, and what a person is asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.errors import EventError
from companion.following.beam import Judged
from companion.following.certainty import read_step
from companion.following.doubtful_hands import ASK_BELOW, CHOICES_MOST
from companion.following.notices import Asked, Notice, Stated
from companion.following.stating import Statements
from companion.seeing.tracks import Track
from companion.table.apply import fold
from companion.table.events import Corrected, Discarded
from companion.table.state import changed

ASK_AFTER_S = 3.0
"""So long after a doubtful discard was stated, a person is asked about it: it may become clear by itself."""
ASKED_MOST = 3
"""Of questions that nobody answers there are no more in a hand: a set that is hard to read would have one for
every other discard. What is doubtful stays marked so."""


@dataclass(slots=True)
class DoubtfulDiscards:
    """Of one game. unanswered: how many questions nobody has answered in this hand."""

    unanswered: int = 0
    _since_s: dict[int, float] = field(default_factory=dict)
    """When they became doubtful, by their number, until it is time to ask."""
    _wrongly_said: set[int] = field(default_factory=set)
    """Those of which somebody seems to have said the wrong tile."""

    def ask(
        self, notices: Sequence[Notice], judged: Judged, statements: Statements, tracks: Mapping[int, Track],
        t: float,
    ) -> list[Notice]:  # fmt: skip
        """Questions about discards that were stated without certainty, or lie there as another tile than
        somebody said, and are still doubtful. notices: what is stated at second t."""
        for notice in notices:
            if isinstance(notice, Stated) and isinstance(notice.event, Discarded) and not notice.certain:
                self._since_s[notice.number] = notice.t
        for number in _find_wrongly_said(judged, statements) - self._wrongly_said:
            self._wrongly_said.add(number)
            self._since_s[number] = t
        due = [number for number, since in self._since_s.items() if t - since >= ASK_AFTER_S]
        asked: list[Notice] = []
        steps = {number: step for step, number in statements.said}
        for number in due:
            del self._since_s[number]
            step = steps.get(number)
            if step is None or not isinstance(step.event, Discarded):
                continue
            track = next((tracks[each] for each in step.tracks if each in tracks), None)
            if track is None or statements.is_told(step):
                continue
            if read_step(step, judged, tracks) >= ASK_BELOW:
                continue
            choices = _list_choices(statements, number, step.event, track.face.likely)
            if len(choices) > 1 and self.unanswered < ASKED_MOST:
                self.unanswered += 1
                asked.append(Asked(t, number, "discarded", choices))
        return asked


def _find_wrongly_said(judged: Judged, statements: Statements) -> set[int]:
    """The numbers of the discards that lie there as another tile than was said."""
    roles = judged[0][1].roles
    return {
        number
        for step, number in statements.said
        if isinstance(step.event, Discarded) and step.event.tile is not None
        and any(track in roles and roles[track].code != step.event.tile for track in step.tracks)
    }  # fmt: skip


def _list_choices(
    statements: Statements, number: int, event: Discarded, likely: Sequence[str]
) -> tuple[str, ...]:
    """Those of the kinds that event may have been about, by all that was stated."""

    def is_possible(code: str) -> bool:
        right = changed(event, tile=code)
        try:
            fold([*statements.log, Corrected(number=number, right=right)])
        except EventError:
            return False
        return True

    said = [str(event.tile)] if event.tile is not None and event.tile not in likely else []
    possible = [code for code in likely if is_possible(code)]
    return (*possible[: CHOICES_MOST - len(said)], *said)
