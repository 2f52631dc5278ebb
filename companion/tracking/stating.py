"""Which of what the hypotheses hold is said aloud: events that are likely enough, and corrections of those
that turned out otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

from companion.errors import EventError
from companion.table.apply import fold
from companion.table.events import Corrected, Discarded, Event
from companion.tracking.beam import Judged, weigh
from companion.tracking.hypotheses import Step
from companion.tracking.notices import CERTAIN_FROM, Stated

STATE_FROM, STATE_SOON_FROM, STATE_LATE_FROM = 0.97, 0.9, 0.6
SOON_S, LATE_S, LAST_S = 1.0, 3.0, 6.0
"""An event is stated from this p on; from a lower one once it has been thought of for so long, and at last
in any case: what follows waits for it."""
UNSEEN_WAITS_S = 4.0
"""A discard that nobody saw may still be seen: what follows it waits so long."""
OVERTURN_FROM, OVERTURN_LATE_FROM, DOUBTED_S = 0.95, 0.8, 10.0
"""What was stated is taken back where something else is so likely, or less where it has been likelier for so
long."""
CALIBRATED = ((0.0, 0.0), (0.6, 0.55), (0.85, 0.75), (0.95, 0.92), (0.97, 0.985), (0.98, 0.99), (1.0, 0.995))
"""The weight of all hypotheses that hold an event, and of events stated with it how many are right: measured
on some 3,000 events of planted errors and of drawn films."""


@dataclass(slots=True)
class Statements:
    """What was said. log: every event, corrections too; said: the steps that stand, each with its number in
    the log, the first being the step before everything; doubted_s: since when something else is likelier."""

    log: list[Event]
    said: list[tuple[Step, int]] = field(default_factory=list)
    doubted_s: float = inf

    def begin(self, root: Step) -> None:
        """Everything said so far led to this step."""
        self.said = [(root, len(self.log))]

    def update(
        self, judged: Judged, t: float, read: Callable[[Step], float], *, last: bool = False
    ) -> list[Stated]:
        """What is to be said now; `last`: since the hand is over, all that was not said of it.

        read: how surely the tile of a step is the one that it names.
        """
        weights = weigh(judged)
        chain = _chain(judged[0][1].step, self.said[0][0].depth)
        marks = _marks(judged, chain, weights)
        notices = self._take_back(chain, marks, t, 0.0 if last else self._find_overturn(t))
        state_from = 0.0
        if notices is None:
            other = self._find_agreeing(judged)
            if other is None:
                notices = self._take_back(chain, marks, t, 0.0) or []
            else:
                notices, chain, state_from = [], other, STATE_LATE_FROM
                marks = _marks(judged, chain, weights)
        else:
            self.doubted_s = inf
        for step in chain[len(self.said) :]:
            assert step.event is not None
            p = marks[step.depth] * read(step)
            if not (last or (p >= state_from and _is_due(step, p, t))):
                break
            self.log.append(step.event)
            self.said.append((step, len(self.log)))
            notices.append(_state(step.event, p, len(self.log), t))
        return notices

    def _find_overturn(self, t: float) -> float:
        """How likely something else must be for what was said to be taken back: less after some time."""
        self.doubted_s = min(self.doubted_s, t)
        return OVERTURN_FROM if t - self.doubted_s < DOUBTED_S else OVERTURN_LATE_FROM

    def _find_agreeing(self, judged: Judged) -> list[Step] | None:
        """The chain of the likeliest hypothesis in which all is so that was said."""
        for _, hypothesis in judged:
            chain = _chain(hypothesis.step, self.said[0][0].depth)
            pairs = zip(self.said, chain, strict=False)
            if len(chain) >= len(self.said) and all(said.event == step.event for (said, _), step in pairs):
                return chain
        return None

    def _take_back(
        self, chain: Sequence[Step], marks: dict[int, float], t: float, overturn_from: float
    ) -> list[Stated] | None:
        """The corrections of what was said and is no longer so; None where it is too early for them."""
        same = 0
        while same < min(len(chain), len(self.said)) and self.said[same][0].event == chain[same].event:
            self.said[same] = (chain[same], self.said[same][1])
            same += 1
        wrong = self.said[same:]
        if not wrong:
            return []
        right = chain[same : same + len(wrong)]
        p = min((marks[step.depth] for step in right), default=0.0)
        if p < overturn_from:
            return None
        renamed = self._rename(wrong, right)
        changes = renamed or [(number, None) for _, number in reversed(wrong)]
        notices = []
        for number, event in changes:
            self.log.append(Corrected(number=number, right=event))
            notices.append(_state(self.log[-1], p, len(self.log), t))
        kept = zip(right, wrong, strict=False) if renamed else ()
        self.said[same:] = [(step, number) for step, (_, number) in kept]
        return notices

    def _rename(
        self, wrong: Sequence[tuple[Step, int]], right: Sequence[Step]
    ) -> list[tuple[int, Event | None]]:
        """Corrections in place, where only tiles were wrong; none where that is not all: then all is taken
        back, the last first, so that the log is legal at every moment."""
        if len(right) < len(wrong):
            return []
        changes: list[tuple[int, Event | None]] = []
        for (old, number), new in zip(wrong, right, strict=False):
            if type(old.event) is not type(new.event) or _seat(old.event) != _seat(new.event):
                return []
            if old.event != new.event:
                changes.append((number, new.event))
        log = list(self.log)
        for number, event in changes:
            log.append(Corrected(number=number, right=event))
            try:
                fold(log)
            except EventError:
                return []
        return changes


def _chain(last: Step, from_depth: int) -> list[Step]:
    steps = [step for step in last.back() if step.depth >= from_depth]
    steps.reverse()
    return steps


def _marks(judged: Judged, chain: Sequence[Step], weights: Sequence[float]) -> dict[int, float]:
    """How likely each step of the chain is, by its depth: the weight of the hypotheses that have it too."""
    on_chain = {id(step): step.depth for step in chain}
    p = {step.depth: 0.0 for step in chain}
    for (_, hypothesis), weight in zip(judged, weights, strict=True):
        marks = set()
        shared = chain[0].depth
        for step in hypothesis.step.back():
            if id(step) in on_chain:
                shared = step.depth
                break
            marks.add(step.mark)
        for step in chain:
            if step.depth <= shared or step.mark in marks:
                p[step.depth] += weight
    return p


def _is_due(step: Step, p: float, t: float) -> bool:
    age = t - step.at_s
    unseen = isinstance(step.event, Discarded) and step.event.tile is None and not step.tracks
    if unseen and age < UNSEEN_WAITS_S:
        return False
    if p >= STATE_FROM:
        return True
    return age >= (SOON_S if p >= STATE_SOON_FROM else LATE_S if p >= STATE_LATE_FROM else LAST_S)


def _state(event: Event, p: float, number: int, t: float) -> Stated:
    p = _calibrate(p)
    return Stated(t, event, p, p >= CERTAIN_FROM, number)


def _calibrate(weight: float) -> float:
    """How many of the events stated with such a weight are right."""
    for (low, low_p), (high, high_p) in pairwise(CALIBRATED):
        if weight <= high:
            return low_p + (high_p - low_p) * (weight - low) / (high - low)
    return CALIBRATED[-1][1]


def _seat(event: Event | None) -> object:
    return getattr(event, "seat", None)
