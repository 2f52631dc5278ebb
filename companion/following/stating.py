"""Which of what the hypotheses hold is said aloud: events that are likely enough, and corrections of those
that turned out otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import inf

from companion.errors import EventError
from companion.following.beam import Judged, weigh
from companion.following.hypotheses import NAMED_BY, Step
from companion.following.notices import Stated
from companion.table.apply import fold
from companion.table.events import CERTAIN_FROM, Claimed, Corrected, Discarded, Drawn, Event, FlowerSetOut

STATE_FROM, STATE_SOON_FROM, STATE_LATE_FROM = 0.97, 0.9, 0.6
SOON_S, LATE_S, LAST_S = 1.0, 3.0, 6.0
ONE_TILE_S = 0.5, 1.0, 3.0
"""An event is stated once it is so likely that it happened; from a lower p on once it has been thought of for
so long, and at last in any case: what follows waits for it. One about a single tile waits less: whoever plays
wants to see the discard, and tiles of a meld come one after the other."""
NAME_WAITS_S = 0.4
"""For so long the name of a tile that reads less surely than STATE_FROM is waited for, and as long as a
doubtful event where it reads less surely than STATE_LATE_FROM. Its second look is over by then; further ones
share its error."""
UNSEEN_WAITS_S = 2.0
"""A discard that nobody saw may still be seen: what follows it waits so long."""
OVERTURN_FROM, OVERTURN_LATE_FROM, DOUBTED_S, LONG_DOUBTED_S = 0.95, 0.8, 10.0, 20.0
"""What was stated is taken back where something else is so likely, or less where it has been likelier for so
long, and at last in any case: while it stands, nothing that follows from the likelier can be stated. What
was taken back itself before is believed again only once it has been likelier for DOUBTED_S, for each time:
what is seen now and then would be said and taken back in turn."""
BETWEEN = ((1, 0), (2, 0), (0, 1), (2, 1), (3, 1), (3, 0), (4, 0))
"""How many events may have happened where how many were said, what was said after them staying: as a flower
that is found late, with the draw for it."""
IN_PLACE_MOST, IN_PLACE_SHARE = 6, 0.5
"""So many events, and so many of those from the first wrong one on, are put right where they stand."""
Curve = tuple[tuple[float, float], ...]
HAPPENED: Curve = (
    (0.0, 0.0), (0.6, 0.6), (0.9, 0.73), (0.965, 0.84), (0.97, 0.992), (1.0, 0.995),
)  # fmt: skip
"""The weight of all hypotheses that hold an event, and of events stated with it how many happened: measured
on some 2,000 events of planted errors, and the same on as many others."""
IN_DOUBT_P, ROUND = 0.97, 4
"""How many happened of those that were so likely only SOON_S after they were thought of, that are stated in
place of others, or that follow within so many discards one that nobody saw: what led there may be settled
wrongly, or in another order. Of all others next to none is wrong for good."""
NAMED: Curve = ((0.0, 0.0), (0.95, 0.95), (0.97, 0.99), (0.985, 0.998), (1.0, 0.9995))
NAMED_FLOWER: Curve = ((0.0, 0.0), (0.97, 0.97), (0.99, 0.985), (0.997, 0.995), (1.0, 0.9985))
"""As what a tile reads with this probability, and how many such are that: measured on some 15,000 looks at
tiles of 80 drawn designs that no training picture shows. What is wrong with a flower is its design, the same
at every look."""


@dataclass(slots=True)
class Statements:
    """What was said. log: every event, corrections too; said: the steps that stand, each with its number in
    the log, the first being the step before everything; doubted_s: since when something else is likelier;
    withdrawn: how often an event at that place of the chain was taken back, with all that followed it;
    unordered: tiles of which nobody saw in which order they came; tiles: the tile that each event put down
    which led to that first step; told: by their tiles, the events since of which somebody said what they
    were: these are not taken back."""

    log: list[Event]
    said: list[tuple[Step, int]] = field(default_factory=list)
    doubted_s: float = inf
    withdrawn: Counter[tuple[int, Event | None]] = field(default_factory=Counter)
    unordered: frozenset[int] = frozenset()
    tiles: dict[int, int] = field(default_factory=dict)
    told: dict[int, Event] = field(default_factory=dict)

    def begin(self, root: Step) -> None:
        """Everything said so far led to this step."""
        self.tiles = self.list_tiles()
        self.said = [(root, len(self.log))]
        self.withdrawn.clear()
        self.told.clear()

    @property
    def root(self) -> Step:
        """The step before everything that was said since."""
        return self.said[0][0]

    def list_tiles(self) -> dict[int, int]:
        """The tiles that the events about one tile put down, by the events' numbers."""
        said = ((number, step) for step, number in self.said if isinstance(step.event, NAMED_BY))
        return {**self.tiles, **{number: step.tracks[0] for number, step in said if step.tracks}}

    def count_unseen_turns(self) -> int:
        """How many of the discards said were not seen, but for those that somebody claimed."""
        steps = [step for step, _ in self.said]
        return sum(
            _is_unseen(step) and not isinstance(after.event, Claimed) for step, after in pairwise(steps)
        )

    def update(
        self, judged: Judged, t: float, read: Callable[[Step], float], *, last: bool = False
    ) -> list[Stated] | None:
        """What is to be said now; `last`: since the hand is over, all that was not said of it. None where all
        that may have happened speaks against what was said, and somebody has confirmed that.

        read: how surely the tile of a step is the one that it names.
        """
        weights = weigh(judged)
        chain = list_steps(judged[0][1].step, self.said[0][0].depth)
        marks = _marks(judged, chain, weights)
        notices = self._take_back(chain, marks, t, 0.0 if last else self._find_overturn(t), read)
        state_from = 0.0
        if notices is None:
            other = self._find_agreeing(judged)
            if other is None:
                notices = self._take_back(chain, marks, t, 0.0, read)
                if notices is None:
                    return None
            else:
                notices, chain, state_from = [], other, STATE_LATE_FROM
                marks = _marks(judged, chain, weights)
        else:
            self.doubted_s = inf
        overturned = any(isinstance(each.event, Corrected) and each.event.right is None for each in notices)
        for step in chain[len(self.said) :]:
            assert step.event is not None
            p, named = marks[step.depth], read(step)
            if not (last or (p >= state_from and _is_due(step, p, named, t))):
                break
            self.log.append(step.event)
            self.said.append((step, len(self.log)))
            unordered = not self.unordered.isdisjoint(step.tracks)
            doubt = IN_DOUBT_P if overturned or unordered or _is_in_doubt(step, t) else 1.0
            notices.append(_state(step.event, doubt * _trust(step, p, named), len(self.log), t))
        return notices

    def _find_overturn(self, t: float) -> float:
        """How likely something else must be for what was said to be taken back: less after some time."""
        self.doubted_s = min(self.doubted_s, t)
        if t - self.doubted_s < DOUBTED_S:
            return OVERTURN_FROM
        return OVERTURN_LATE_FROM if t - self.doubted_s < LONG_DOUBTED_S else 0.0

    def _find_agreeing(self, judged: Judged) -> list[Step] | None:
        """The chain of the likeliest hypothesis in which all is so that was said."""
        for _, hypothesis in judged:
            chain = list_steps(hypothesis.step, self.said[0][0].depth)
            pairs = zip(self.said, chain, strict=False)
            if len(chain) >= len(self.said) and all(said.event == step.event for (said, _), step in pairs):
                return chain
        return None

    def _take_back(
        self, chain: Sequence[Step], marks: dict[int, float], t: float, overturn_from: float,
        read: Callable[[Step], float],
    ) -> list[Stated] | None:  # fmt: skip
        """The corrections of what was said and is no longer so; None where it is too early for them, or where
        somebody has said otherwise."""
        same = 0
        while same < min(len(chain), len(self.said)) and self.said[same][0].event == chain[same].event:
            self.said[same] = (chain[same], self.said[same][1])
            same += 1
        while 0 < same < len(self.said) and self.said[same][1] == self.said[same - 1][1]:
            same -= 1  # what stands for one event is taken back together
        wrong = self.said[same:]
        if not wrong:
            return []
        if put := self._put_between(same, chain, marks, t, overturn_from, read):
            return put
        right = chain[same : same + len(wrong)]
        p = min((marks[step.depth] for step in right), default=0.0)
        if p < overturn_from or (overturn_from > 0.0 and self._is_return(same, right, t)):
            return None
        changes = self._find_changes(wrong, right)
        if any(self.is_told(wrong[at][0]) for at, _ in changes):
            return None
        if any(step is None or not is_alike(wrong[at][0].event, step.event) for at, step in changes):
            self.withdrawn[same, wrong[0][0].event] += 1
        notices = []
        for at, step in changes:
            event, named = (None, 1.0) if step is None else (step.event, read(step))
            self.log.append(Corrected(number=wrong[at][1], right=event))
            notices.append(_state(self.log[-1], _trust(step, p, named), len(self.log), t))
        gone = min((at for at, step in changes if step is None), default=len(wrong))
        kept = zip(right, wrong[:gone], strict=False)
        self.said[same:] = [(step, number) for step, (_, number) in kept]
        return notices

    def _put_between(
        self, same: int, chain: Sequence[Step], marks: dict[int, float], t: float, overturn_from: float,
        read: Callable[[Step], float],
    ) -> list[Stated]:  # fmt: skip
        """The correction where something happened before the first event that differs, or in its place, and
        all that was said after it stays; nothing where that is not so, or too early."""
        wrong = self.said[same:]
        found = _find_between([step for step, _ in wrong], chain[same:])
        if found is None:
            return []
        instead, replaced = found
        # What somebody has said is not touched: the event before it is put right, which more followed.
        is_told = self.is_told(wrong[0][0])
        first = same - is_told
        number = self.said[first][1]
        if (is_told and replaced) or not first or self._count_standing(number) > 1:
            return []
        p = min(marks[step.depth] for step in chain[same : same + instead + len(wrong) - replaced])
        if p < overturn_from or (overturn_from > 0.0 and self._is_return(same, chain[same:], t)):
            return []
        stays = same if is_told else same + 1
        rights = chain[first : stays + instead - replaced]
        events = [step.event for step in rights if step.event is not None]
        correction = Corrected(number=number, right=next(iter(events), None), more=tuple(events[1:]))
        try:
            fold([*self.log, correction])
        except EventError:
            return []
        self.withdrawn[same, wrong[0][0].event] += 1
        self.log.append(correction)
        numbers = [number] * len(rights) + [each for _, each in self.said[stays:]]
        self.said[first:] = list(zip(chain[first:], numbers, strict=False))
        sure = min((_trust(step, p, read(step)) for step in rights), default=_trust(None, p, 1.0))
        return [_state(correction, IN_DOUBT_P * sure, len(self.log), t)]

    def _count_standing(self, number: int) -> int:
        """For how many events that one stands."""
        return sum(each == number for _, each in self.said)

    def is_told(self, step: Step) -> bool:
        """Whether somebody has said what that event was."""
        return bool(step.tracks) and self.told.get(step.tracks[0]) == step.event

    def _is_return(self, place: int, right: Sequence[Step], t: float) -> bool:
        """Whether it is too early to believe what was taken back before."""
        times = self.withdrawn[place, right[0].event] if right else 0
        return t - self.doubted_s < DOUBTED_S * times

    def _find_changes(
        self, wrong: Sequence[tuple[Step, int]], right: Sequence[Step]
    ) -> list[tuple[int, Step | None]]:
        """Which of what was said is something else, or nothing, in an order in which the log is legal at
        every moment: as little as possible where all else stays as it is, or only tiles were wrong; else all
        is taken back, the last first."""
        count = min(len(wrong), len(right))
        taken: list[tuple[int, Step | None]] = [(at, None) for at in reversed(range(count, len(wrong)))]
        others = [at for at in range(count) if wrong[at][0].event != right[at].event]
        numbers = [number for _, number in wrong]
        if len(set(numbers)) < len(numbers):
            return [(at, None) for at in reversed(range(len(wrong))) if numbers.index(numbers[at]) == at]
        alike = not taken and all(is_alike(wrong[at][0].event, right[at].event) for at in others)
        if alike or len(taken) + len(others) <= min(IN_PLACE_MOST, IN_PLACE_SHARE * len(wrong)):
            log = [*self.log, *(Corrected(number=wrong[at][1]) for at, _ in taken)]
            placed = _find_legal_order(log, [(at, wrong[at][1], right[at]) for at in others])
            if len(placed) == len(others):
                return [*taken, *((at, right[at]) for at in placed)]
        return [(at, None) for at in reversed(range(len(wrong)))]


def _find_between(wrong: Sequence[Step], right: Sequence[Step]) -> tuple[int, int] | None:
    """How many events happened in place of how many, none or one, where all that follows stays as it was
    said; None where it does not."""
    for instead, replaced in BETWEEN:
        tail = [step.event for step in wrong[replaced:]]
        if tail and [step.event for step in right[instead : instead + len(tail)]] == tail:
            return instead, replaced
    return None


def _find_legal_order(log: Sequence[Event], changes: Sequence[tuple[int, int, Step]]) -> list[int]:
    """The places of these changes in an order in which each can be made, as far as there is one. changes: the
    place, the number in the log and what stands there instead."""
    placed: list[int] = []
    left, log = list(changes), list(log)
    while left:
        for change in left:
            at, number, step = change
            more = [*log, Corrected(number=number, right=step.event)]
            try:
                fold(more)
            except EventError:
                continue
            log, placed = more, [*placed, at]
            left.remove(change)
            break
        else:
            break
    return placed


def is_alike(event: Event | None, other: Event | None) -> bool:
    """Whether they differ in tiles only."""
    return type(event) is type(other) and _seat(event) == _seat(other)


def list_steps(last: Step, from_depth: int) -> list[Step]:
    """The steps of the chain from that depth on, in order."""
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


def _is_due(step: Step, p: float, named: float, t: float) -> bool:
    """p: how likely it happened; named: how surely its tile is the one that it names."""
    age = t - step.at_s
    one_tile = isinstance(step.event, Discarded | Drawn | FlowerSetOut)
    soon_s, late_s, last_s = ONE_TILE_S if one_tile else (SOON_S, LATE_S, LAST_S)
    if named < STATE_FROM and age < (NAME_WAITS_S if named >= STATE_LATE_FROM else late_s):
        return False
    if _is_unseen(step) and age < UNSEEN_WAITS_S:
        return False
    if p >= STATE_FROM:
        return True
    return age >= (soon_s if p >= STATE_SOON_FROM else late_s if p >= STATE_LATE_FROM else last_s)


def _is_in_doubt(step: Step, t: float) -> bool:
    """Whether it was unclear for a while, or follows what nobody saw."""
    if t - step.at_s >= SOON_S:
        return True
    before = (each for each in step.back() if each is not step and isinstance(each.event, Discarded))
    return any(_is_unseen(each) for each in islice(before, ROUND))


def _is_unseen(step: Step) -> bool:
    return isinstance(step.event, Discarded) and step.event.tile is None and not step.tracks


def _state(event: Event, p: float, number: int, t: float) -> Stated:
    return Stated(t, event, p, p >= CERTAIN_FROM, number)


def _trust(step: Step | None, p: float, named: float) -> float:
    """How many events are right of those with such a weight, whose tile reads so surely as the one named."""
    flower = step is not None and isinstance(step.event, FlowerSetOut)
    return _follow_curve(HAPPENED, p) * _follow_curve(NAMED_FLOWER if flower else NAMED, named)


def _follow_curve(curve: Curve, at: float) -> float:
    """The height of a curve that is given by some of its points."""
    for (low, low_p), (high, high_p) in pairwise(curve):
        if at <= high:
            return low_p + (high_p - low_p) * (at - low) / (high - low)
    return curve[-1][1]


def _seat(event: Event | None) -> object:
    return getattr(event, "seat", None)
