"""What is stated of the hypotheses: likely events, corrections of events that turned out wrong, and questions
about doubtful tiles and hands.

The log is legal at every moment. `Statements` decides when an event is due and how it is corrected;
`read_step` how surely it names the right tile; the end of the file asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice, pairwise
from math import inf, prod

from companion.errors import EventError
from companion.following.beam import Judged, weigh
from companion.following.draws import DrawSign, DrawSigns, StatedDraw
from companion.following.hypotheses import NAMED_BY, Step, count_missed
from companion.following.notices import Asked, Notice, Stated
from companion.following.tracks import Track
from companion.table.apply import fold
from companion.table.events import (
    CERTAIN_FROM,
    Claimed,
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    Won,
)
from companion.table.state import State, changed
from companion.tiles import KONG_TILES, parse_meld, parse_tiles

BEGINNINGS = (DealSet, HandStarted, Dealt)
"""Events of a hand that are before its first tile."""
STATE_FROM, STATE_SOON_FROM, STATE_LATE_FROM = 0.97, 0.9, 0.6
SOON_S, LATE_S, LAST_S = 1.0, 3.0, 6.0
ONE_TILE_S = 0.5, 1.0, 3.0
"""Seconds after which an event is stated: soon if it is very likely, later from a lower probability, and last
in any case, since everything after it waits. Events about a single tile wait less: players want to see the
discard, and the tiles of a meld come one after the other."""
NAME_WAITS_S = 0.4
"""How long a doubtful name is waited for if the tile reads with at least STATE_LATE_FROM; below that, as long
as for a doubtful event. The second look is over by then, and further looks share its error."""
UNSEEN_WAITS_S = 2.0
"""How long everything after an unseen discard waits: it may still be seen."""
OVERTURN_FROM, OVERTURN_LATE_FROM, DOUBTED_S, LONG_DOUBTED_S = 0.95, 0.8, 10.0, 20.0
"""Probabilities of something else at which a statement is taken back: at once, after it has been likelier for
the first time, and after the second time in any case, since nothing that follows from the likelier hypothesis
can be stated meanwhile. An event that was itself taken back before must be likelier for DOUBTED_S more, for
each time, or it would be stated and taken back in turn."""
IN_PLACE_SHARE = 0.5
"""At most this share of the statements since the first wrong one is corrected in place."""
Curve = tuple[tuple[float, float], ...]
HAPPENED: Curve = (
    (0.0, 0.0), (0.6, 0.6), (0.9, 0.73), (0.965, 0.84), (0.97, 0.992), (1.0, 0.995),
)  # fmt: skip
"""The weight of all hypotheses that have an event, and the share of such events that happened: measured on
some 2,000 events with planted errors, and confirmed on as many others."""
IN_DOUBT_P, UNSEEN_WITHIN_DISCARDS = 0.97, 4
"""The share that happened of events that became this likely only SOON_S after they were first considered,
that replace others, or that follow an unseen discard within this number of discards: what led there may be
wrong or in another order. Nearly all others are right."""
NAMED: Curve = ((0.0, 0.0), (0.95, 0.95), (0.97, 0.99), (0.985, 0.998), (1.0, 0.9995))
NAMED_FLOWER: Curve = ((0.0, 0.0), (0.97, 0.97), (0.99, 0.985), (0.997, 0.995), (1.0, 0.9985))
"""The probability of a reading, and the share of such readings that are right: measured on some 15,000 looks
at tiles of 80 drawn designs that are in no training picture. A flower is misread because of its design, which
is the same at every look."""


UNORDERED_P = 0.9
"""The most that an event is believed whose order was not seen: its tile was there before the camera."""
ASSUMED_DEALER_P, OTHER_DEALER_P = 0.97, 0.9
"""The most that the first hand's dealer is believed before the first discard, and one whom neither the rules
nor a person named."""
ARRIVED_MIN_TILES, LYING_MIN_TILES, TURNS_RUNNING = 2, 4, 3
"""A hand is played if its walls and a tile were seen to come, or this number of tiles; or if this number lay
there before. If its first discard is not the dealer's, this number of discards must follow each other."""


@dataclass(frozen=True, slots=True)
class SeenHand:
    """What is known besides the tiles of the hypotheses. has_walls: whether walls are seen; dealt: whether
    they have been as short as after a deal; told: whether others say that a hand begins; find_sign: why a
    draw is believed that nothing follows yet; signs: what such signs were worth; latest_s: when the last tile
    of an event came; taken_s: when a tile last went from a wall."""

    has_walls: bool
    dealt: bool
    told: bool
    find_sign: Callable[[Step], DrawSign]
    signs: DrawSigns
    latest_s: float
    taken_s: float


@dataclass(frozen=True, slots=True)
class OpenDraw:
    """A stated draw that nothing follows yet. depth: of its step."""

    depth: int
    stated: StatedDraw


@dataclass(frozen=True, slots=True)
class Change:
    """The statements from place `first` to `last` become these steps; none if they are taken back."""

    first: int
    last: int
    steps: tuple[Step, ...]

    @property
    def places(self) -> range:
        """Of the statements that change."""
        return range(self.first, self.last + 1)


@dataclass(slots=True)
class Statements:
    """The statements of one game. log: every event, corrections included; stated: the steps that stand, each
    with its number in the log, the first being the step before all others; doubted_s: since when something
    else is likelier; withdrawn: how often an event at this place of the chain was taken back; unordered:
    tiles whose order nobody saw; tiles: the tile of each event that led to the first step; entered: by tile,
    the events whose tile a person entered: these are not taken back; draws: by number, those that nothing
    follows yet; hides_flowers: whether a flower was found after what followed it: it was under a wall, and
    nobody knows when others that are found there were set out."""

    log: list[Event]
    stated: list[tuple[Step, int]] = field(default_factory=list)
    doubted_s: float = inf
    withdrawn: Counter[tuple[int, Event | None]] = field(default_factory=Counter)
    unordered: frozenset[int] = frozenset()
    tiles: dict[int, int] = field(default_factory=dict)
    entered: dict[int, Event] = field(default_factory=dict)
    draws: dict[int, OpenDraw] = field(default_factory=dict)
    hides_flowers: bool = False

    def begin(self, root: Step) -> None:
        """All statements so far led to this step."""
        self.tiles = self.list_tiles()
        self.stated = [(root, len(self.log))]
        self.withdrawn.clear()
        self.entered.clear()
        self.draws.clear()

    @property
    def root(self) -> Step:
        """The step before everything stated since."""
        return self.stated[0][0]

    def list_tiles(self) -> dict[int, int]:
        """The tile of each event about one tile, by the event's number."""
        stated = ((number, step) for step, number in self.stated if isinstance(step.event, NAMED_BY))
        return {**self.tiles, **{number: step.tracks[0] for number, step in stated if step.tracks}}

    def count_unseen_turns(self) -> int:
        """How many stated discards were not seen, apart from claimed ones."""
        steps = [step for step, _ in self.stated]
        return sum(
            _is_unseen(step) and not isinstance(after.event, Claimed) for step, after in pairwise(steps)
        )

    def update(
        self, judged: Judged, t: float, read: Callable[[Step], float], seen: SeenHand, *, last: bool = False
    ) -> list[Stated] | None:
        """The statements due now; `last`: since the hand is over, all that are left. None if every hypothesis
        contradicts a statement that a person has confirmed.

        read: the probability that a step names the right tile; seen: what else the table shows.
        """
        weights = weigh(judged)
        chain = list_steps(judged[0][1].step, self.stated[0][0].depth)
        if _is_other_dealer_early(chain) and not last:
            return []
        marks = _rate_steps(judged, chain, weights)
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
                marks = _rate_steps(judged, chain, weights)
        else:
            self.doubted_s = inf
        overturned = any(isinstance(each.event, Corrected) and each.event.right is None for each in notices)
        from_depth = _find_ordered(chain, self.unordered)
        for at, step in enumerate(chain[len(self.stated) :], len(self.stated)):
            assert step.event is not None
            if isinstance(step.event, BEGINNINGS) and not _has_begun(chain[at:], self.unordered, seen):
                break
            p, named = marks[step.depth], read(step)
            if not (last or (p >= state_from and _is_due(step, p, named, t))):
                break
            self.log.append(step.event)
            self.stated.append((step, len(self.log)))
            most = UNORDERED_P if step.depth < from_depth else _find_most(chain[at:], self.root.state)
            is_late = self.hides_flowers and _is_of_flower(step)
            doubt = IN_DOUBT_P if overturned or is_late or _is_in_doubt(step, t) else 1.0
            p = min(doubt * _trust(step, p, named), most)
            if _is_open_draw(step) and step.depth >= from_depth:
                sign = seen.find_sign(step) if step is chain[-1] else None
                self.draws[len(self.log)] = OpenDraw(step.depth, StatedDraw(sign, seen.latest_s))
                p = p if sign is None else min(p, seen.signs.probability(sign))
            notices.append(_make_statement(step.event, p, len(self.log), t))
        self._learn(seen)
        return notices

    def _learn(self, seen: SeenHand) -> None:
        """Learn from what has become of the draws that were stated before anything followed them."""
        places = {number: at for at, (_, number) in enumerate(self.stated)}
        by_depth = {step.depth: (step, number) for step, number in self.stated}
        for number, draw in list(self.draws.items()):
            if number not in places:
                step, again = by_depth.get(draw.depth, (None, 0))
                if step is None:
                    continue
                del self.draws[number]
                if _is_open_draw(step):
                    self.draws[again] = draw
                else:
                    seen.signs.learn(draw.stated, happened=False, taken_s=seen.taken_s)
            elif places[number] < len(self.stated) - 1:
                del self.draws[number]
                seen.signs.learn(draw.stated, happened=True, taken_s=seen.taken_s)

    def _find_overturn(self, t: float) -> float:
        """How likely something else must be for a statement to be taken back: less after some time."""
        self.doubted_s = min(self.doubted_s, t)
        if t - self.doubted_s < DOUBTED_S:
            return OVERTURN_FROM
        return OVERTURN_LATE_FROM if t - self.doubted_s < LONG_DOUBTED_S else 0.0

    def _find_agreeing(self, judged: Judged) -> list[Step] | None:
        """The chain of the likeliest hypothesis that agrees with all statements."""
        for _, hypothesis in judged:
            chain = list_steps(hypothesis.step, self.stated[0][0].depth)
            pairs = zip(self.stated, chain, strict=False)
            if len(chain) >= len(self.stated) and all(
                stated.event == step.event for (stated, _), step in pairs
            ):
                return chain
        return None

    def _take_back(
        self, chain: Sequence[Step], marks: dict[int, float], t: float, overturn_from: float,
        read: Callable[[Step], float],
    ) -> list[Stated] | None:  # fmt: skip
        """The corrections of statements that are no longer right; None if it is too early for them, or if a
        person has confirmed the statement."""
        same = 0
        while same < min(len(chain), len(self.stated)) and self.stated[same][0].event == chain[same].event:
            self.stated[same] = (chain[same], self.stated[same][1])
            same += 1
        while 0 < same < len(self.stated) and self.stated[same][1] == self.stated[same - 1][1]:
            same -= 1  # events that replaced a single one are taken back together
        wrong = self.stated[same:]
        if not wrong:
            return []
        right = chain[same : same + len(wrong)]
        p = min((marks[step.depth] for step in right), default=0.0)
        if p < overturn_from or (overturn_from > 0.0 and self._is_return(same, right, t)):
            return None
        begin = max(1, same - 1)
        while begin > 1 and self.stated[begin][1] == self.stated[begin - 1][1]:
            begin -= 1
        changes = self._find_changes(begin, chain)
        if any(
            self.is_entered(step) and step.event not in _list_events(change.steps)
            for change in changes
            for step, _ in self.stated[change.first : change.last + 1]
        ):
            return None
        if not all(map(self._renames, changes)):
            self.withdrawn[same, wrong[0][0].event] += 1
        self.hides_flowers |= any(map(self._finds_flower, changes))
        notices = []
        for change in changes:
            if change.steps:
                sure = min(_trust(step, p, read(step)) for step in change.steps)
                notices.append(self._correct(self._replace(change), IN_DOUBT_P * sure, t))
                continue
            for numbers in _group_taken([self.stated[at] for at in reversed(change.places)]):
                upto = max(numbers) if max(numbers) > min(numbers) else None
                notices.append(
                    self._correct(Corrected(number=min(numbers), upto=upto), _trust(None, p, 1.0), t)
                )
        self._carry(changes, chain)
        return notices

    def _carry(self, changes: Sequence[Change], chain: Sequence[Step]) -> None:
        """The statements after these changes."""
        numbers = {at: [number] for at, (_, number) in enumerate(self.stated)}
        for change in changes:
            for at in change.places:
                numbers[at] = []
            numbers[change.first] = [self.stated[change.first][1]] * len(change.steps)
        kept = (number for at in sorted(numbers) for number in numbers[at])
        self.stated = list(zip(chain, kept, strict=False))

    def _correct(self, correction: Corrected, p: float, t: float) -> Stated:
        self.log.append(correction)
        return _make_statement(correction, p, len(self.log), t)

    def is_entered(self, step: Step) -> bool:
        """Whether a person entered the tile of this event."""
        return bool(step.tracks) and self.entered.get(step.tracks[0]) == step.event

    def _is_return(self, place: int, right: Sequence[Step], t: float) -> bool:
        """Whether it is too early to believe an event that was taken back before."""
        times = self.withdrawn[place, right[0].event] if right else 0
        return t - self.doubted_s < DOUBTED_S * times

    def _find_changes(self, begin: int, chain: Sequence[Step]) -> list[Change]:
        """Which statements from that place on become other events of the chain, or none, in an order that
        keeps the log legal: as few as possible if most stay, or if only tiles were wrong; else all are taken
        back from the first wrong one on."""
        changes = self._align(begin, chain)
        wrong = sum(not self._stays(at, each) for each in changes for at in each.places)
        first = min(each.first for each in changes)
        if all(map(self._renames, changes)) or wrong <= IN_PLACE_SHARE * (len(self.stated) - first):
            placed = self._find_legal_order(changes[::-1])
            if len(placed) == len(changes):
                return placed
        return [Change(first, len(self.stated) - 1, ())]

    def _align(self, begin: int, chain: Sequence[Step]) -> list[Change]:
        """What differs between the statements and the chain from that place on. Statements that replaced a
        single one change together; what was missed comes in place of the statement after it, with it."""
        numbers = [number for _, number in self.stated]
        count = len(numbers)
        old = [(step.mark, step.event) for step, _ in self.stated[begin:]]
        new = [(step.mark, step.event) for step in chain[begin:]]
        spans: list[tuple[int, int, int, int]] = []
        for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            first, last, new_first, new_last = i + begin, i_end + begin, j + begin, j_end + begin
            if tag == "equal" or first == count:
                continue
            if last == count:  # what came instead is stated in its time, unless only names differ
                renamed = chain[new_first : new_first + last - first]
                is_named = _are_alike([step for step, _ in self.stated[first:]], renamed)
                new_last = new_first + (last - first if is_named else 0)
            if first == last:
                if self.is_entered(self.stated[first][0]) and first > begin:
                    first, new_first = first - 1, new_first - 1
                else:
                    last, new_last = last + 1, new_last + 1
            while first > begin and numbers[first - 1] == numbers[first]:
                first, new_first = first - 1, new_first - 1
            while last < count and numbers[last] == numbers[last - 1]:
                last, new_last = last + 1, new_last + 1
            if spans and first < spans[-1][1]:
                first, _, new_first, _ = spans.pop()
            spans.append((first, last, new_first, new_last))
        return [each for span in spans for each in self._split(chain, *span)]

    def _split(
        self, chain: Sequence[Step], first: int, last: int, new_first: int, new_last: int
    ) -> list[Change]:
        """The changes of these statements to those steps: where they are as many, only what differs."""
        if last - first != new_last - new_first:
            return [Change(first, last - 1, tuple(chain[new_first:new_last]))]
        changes: list[Change] = []
        while first < last:
            number = self.stated[first][1]
            size = sum(each == number for _, each in self.stated)
            steps = tuple(chain[new_first : new_first + size])
            if _list_events(steps) != _list_events(self._list_steps(first, first + size)):
                changes.append(Change(first, first + size - 1, steps))
            first, new_first = first + size, new_first + size
        return changes

    def _list_steps(self, first: int, end: int) -> list[Step]:
        return [step for step, _ in self.stated[first:end]]

    def _renames(self, change: Change) -> bool:
        """Whether only tiles are other ones."""
        return _are_alike(self._list_steps(change.first, change.last + 1), change.steps)

    def _stays(self, at: int, change: Change) -> bool:
        """Whether that statement stands after the change too, with others."""
        return self.stated[at][0].mark in {step.mark for step in change.steps}

    def _finds_flower(self, change: Change) -> bool:
        """Whether a flower is found late."""
        known = {step.mark for step in self._list_steps(change.first, change.last + 1)}
        return len(change.steps) > len(change.places) and any(
            isinstance(step.event, FlowerSetOut) and step.mark not in known for step in change.steps
        )

    def _replace(self, change: Change) -> Corrected:
        """The correction that makes the change."""
        numbers = [self.stated[at][1] for at in change.places]
        rights = [event for event in _list_events(change.steps) if event is not None]
        upto = numbers[-1] if numbers[-1] > numbers[0] else None
        return Corrected(number=numbers[0], right=next(iter(rights), None), more=tuple(rights[1:]), upto=upto)

    def _find_legal_order(self, changes: Sequence[Change]) -> list[Change]:
        """These changes in an order in which each is legal, as far as there is one."""
        placed: list[Change] = []
        left, log = list(changes), list(self.log)
        while left:
            for change in left:
                more = [*log, self._replace(change)]
                try:
                    fold(more)
                except EventError:
                    continue
                log, placed = more, [*placed, change]
                left.remove(change)
                break
            else:
                break
        return placed


def _group_taken(taken: Sequence[tuple[Step, int]]) -> list[list[int]]:
    """The numbers of statements that are taken back, the last ones first, by the corrections that do it. The
    beginning of a hand may have been reported by others too: it is corrected by itself."""
    later = [number for step, number in taken if not isinstance(step.event, BEGINNINGS)]
    begun = [[number] for step, number in taken if isinstance(step.event, BEGINNINGS)]
    return [later, *begun] if later else begun


def is_alike(event: Event | None, other: Event | None) -> bool:
    """Whether two events differ only in their tiles."""
    return type(event) is type(other) and _seat(event) == _seat(other)


def _are_alike(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether the events of these steps differ only in their tiles."""
    return len(steps) == len(others) and all(map(is_alike, _list_events(steps), _list_events(others)))


def _list_events(steps: Sequence[Step]) -> list[Event | None]:
    return [step.event for step in steps]


def list_steps(last: Step, from_depth: int) -> list[Step]:
    """The steps of the chain starting at that depth, in order."""
    steps = [step for step in last.back() if step.depth >= from_depth]
    steps.reverse()
    return steps


def _rate_steps(judged: Judged, chain: Sequence[Step], weights: Sequence[float]) -> dict[int, float]:
    """The probability of each step of the chain, by depth: the weight of the hypotheses that have it."""
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
    """Whether it is time to state a step. p: the probability that it happened; named: that it names the right
    tile."""
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
    """Whether it was unclear for a while, or follows something unseen."""
    if t - step.at_s >= SOON_S:
        return True
    before = (each for each in step.back() if each is not step and isinstance(each.event, Discarded))
    return any(_is_unseen(each) for each in islice(before, UNSEEN_WITHIN_DISCARDS))


def _find_ordered(chain: Sequence[Step], unordered: frozenset[int]) -> int:
    """The depth from which on the order of the chain was seen."""
    return max((step.depth + 1 for step in chain if not unordered.isdisjoint(step.tracks)), default=0)


def _has_begun(beginning: Sequence[Step], unordered: frozenset[int], seen: SeenHand) -> bool:
    """Whether the table shows that this hand is played. beginning: its steps, the first one included."""
    if seen.told:
        return True
    tracks = {number for step in beginning for number in step.tracks}
    arrived = len(tracks - unordered)
    shows_tiles = arrived >= ARRIVED_MIN_TILES or len(tracks) >= LYING_MIN_TILES
    if not (seen.dealt or shows_tiles or (seen.has_walls and arrived)):
        return False
    is_expected = not isinstance(beginning[0].event, DealSet) and not count_missed(beginning[::-1])
    return is_expected or _count_discards(beginning) >= TURNS_RUNNING


def _is_other_dealer_early(tail: Sequence[Step]) -> bool:
    """Whether these steps begin a hand with a dealer whom nobody named, and too few discards show that."""
    places = [at for at, step in enumerate(tail) if isinstance(step.event, DealSet)]
    return bool(places) and _count_discards(tail[places[-1] :]) < TURNS_RUNNING


def _count_discards(steps: Sequence[Step]) -> int:
    return sum(isinstance(step.event, Discarded) and bool(step.tracks) for step in steps)


def _find_most(tail: Sequence[Step], root: State) -> float:
    """The most that the first of these steps is believed: of a beginning, as far as the dealer is known."""
    if not isinstance(tail[0].event, BEGINNINGS):
        return 1.0
    if any(isinstance(step.event, DealSet) for step in tail[0].back()):
        return OTHER_DEALER_P
    return 1.0 if root.hands or _count_discards(tail) else ASSUMED_DEALER_P


def _is_open_draw(step: Step) -> bool:
    return isinstance(step.event, Drawn) and step.event.tile is None and not step.tracks


def _is_of_flower(step: Step) -> bool:
    """Whether a flower is set out, or a tile drawn for it."""
    before = step.before and step.before.event
    return isinstance(step.event, FlowerSetOut) or (
        isinstance(step.event, Drawn) and isinstance(before, FlowerSetOut)
    )


def _is_unseen(step: Step) -> bool:
    return isinstance(step.event, Discarded) and step.event.tile is None and not step.tracks


def _make_statement(event: Event, p: float, number: int, t: float) -> Stated:
    return Stated(t, event, p, p >= CERTAIN_FROM, number)


def _trust(step: Step | None, p: float, named: float) -> float:
    """The share of right events among those with this weight whose tile reads with this probability."""
    flower = step is not None and isinstance(step.event, FlowerSetOut)
    return _follow_curve(HAPPENED, p) * _follow_curve(NAMED_FLOWER if flower else NAMED, named)


def _follow_curve(curve: Curve, at: float) -> float:
    """The value of a piecewise linear curve."""
    for (low, low_p), (high, high_p) in pairwise(curve):
        if at <= high:
            return low_p + (high_p - low_p) * (at - low) / (high - low)
    return curve[-1][1]


def _seat(event: Event | None) -> object:
    return getattr(event, "seat", None)


ASK_BELOW = 0.9
"""What reads more surely than this is not asked about: then it is doubtful who discarded it."""
CHOICES_MAX = 4
"""Number of answers offered."""
WINNERS_MAX = 3


def weigh_hands(judged: Judged, seat: int) -> Counter[Won]:
    """The possible wins of that player, with their weights."""
    hands: Counter[Won] = Counter()
    for (_, hypothesis), weight in zip(judged, weigh(judged), strict=True):
        events = (each.event for each in islice(hypothesis.step.back(), WINNERS_MAX))
        named = next((each for each in events if isinstance(each, Won) and each.seat == seat), None)
        if named is not None:
            hands[named] += weight  # type: ignore[assignment]
    return hands


def ask_about_hands(judged: Judged, notices: Sequence[Notice]) -> list[Notice]:
    """A question about each hand that `notices` states if its tiles are doubtful."""
    asked: list[Notice] = []
    for each in notices:
        if not isinstance(each, Stated) or not isinstance(each.event, Won) or each.event.hand is None:
            continue
        hands: Counter[str] = Counter()
        for won, weight in weigh_hands(judged, each.event.seat).items():
            hands[" ".join((won.hand or "", *won.kongs))] += weight
        choices = tuple(text for text, _ in hands.most_common(CHOICES_MAX))
        if len(choices) > 1 and hands[choices[0]] < ASK_BELOW * hands.total():
            asked.append(Asked(each.t, each.number, "won", choices))
    return asked


SURE_BY = 0.001
"""By how much the probability of a sure reading may fall short of 1."""
NOT_SEEN_P = 0.9
"""The most that a win is believed if one of its tiles was not found."""
HALF_SEEN_P = 0.8
"""How surely a meld is right if not all of its tiles were found."""
BLANK_P = 0.8
"""How surely an indicator is blank if nobody saw it as a face: a hand may hide it."""


def read_step(step: Step, judged: Judged, tracks: Mapping[int, Track]) -> float:
    """The probability that a step names the right tile, 0 to 1.

    judged: the hypotheses, likeliest first; tracks: the seen tiles by number.
    """
    event, roles = step.event, judged[0][1].roles
    if isinstance(event, Won) and event.hand is not None:
        return _read_hand(step, event, event.hand, judged, tracks)
    if isinstance(event, Claimed):
        all_seen = len(step.tracks) >= len(parse_meld(event.meld).tiles)
        return 1.0 if all_seen else HALF_SEEN_P
    if isinstance(event, IndicatorTurned) and not step.tracks:
        return BLANK_P
    if not isinstance(event, NAMED_BY) or event.tile is None or not step.tracks:
        return 1.0
    track = tracks.get(step.tracks[0])
    if track is None or track.number not in roles:
        return 1.0
    return min(1.0, track.face.probability(event.tile) + SURE_BY)


def _read_hand(step: Step, won: Won, hand: str, judged: Judged, tracks: Mapping[int, Track]) -> float:
    """The probability that a winner's hand is this one: against all other possible hands, and by how surely
    its tiles were read. Copies of one kind are right or wrong together."""
    hands = weigh_hands(judged, won.seat)
    share = hands[won] / hands.total() if hands[won] else 0.0
    tiles = len(parse_tiles(hand)) + KONG_TILES * len(won.kongs)
    if len(step.tracks) + (won.tile is None) < tiles:
        return min(share, NOT_SEEN_P)
    roles = judged[0][1].roles
    least: dict[str, float] = {}
    for number in step.tracks:
        track, role = tracks.get(number), roles.get(number)
        if track is not None and role is not None and role.code is not None and track.face.is_read:
            p = min(1.0, track.face.probability(role.code) + SURE_BY)
            least[role.code] = min(p, least.get(role.code, 1.0))
    return min(share, prod(least.values()))


def ask_about_dealer(root: Step, notices: Sequence[Notice]) -> list[Notice]:
    """A question about each dealer whom nobody named. root: the step before the hand."""
    asked: list[Notice] = []
    for each in notices:
        if not isinstance(each, Stated):
            continue
        event, number = each.event, each.number
        rights = event.rights if isinstance(event, Corrected) else (event,)
        for right in rights:
            if isinstance(right, DealSet):
                number = event.number if isinstance(event, Corrected) else number
                choices = str(right.dealer), str(root.state.deal.dealer)
                asked.append(Asked(each.t, number, "deal_set", choices))
    return asked


ASK_AFTER_S = 3.0
"""How long after a doubtful discard was stated a person is asked: it may become clear by itself."""
ASKED_MAX = 3
"""The most unanswered questions in a hand: with a set that is hard to read there would be one for every other
discard. What is doubtful stays marked."""


@dataclass(slots=True)
class DoubtfulDiscards:
    """Questions about the discards of one game. unanswered: the number of unanswered ones in this hand."""

    unanswered: int = 0
    _since_s: dict[int, float] = field(default_factory=dict)
    """When discards became doubtful, by number, until it is time to ask."""
    _wrongly_entered: set[int] = field(default_factory=set)
    """Discards whose entered tile seems to be wrong."""

    def ask(
        self, notices: Sequence[Notice], judged: Judged, statements: Statements, tracks: Mapping[int, Track],
        t: float,
    ) -> list[Notice]:  # fmt: skip
        """Questions about discards that were stated without certainty, or read differently from the entered
        tile, and are still doubtful. notices: what is stated at second t."""
        for notice in notices:
            if isinstance(notice, Stated) and isinstance(notice.event, Discarded) and not notice.certain:
                self._since_s[notice.number] = notice.t
        for number in _find_wrongly_entered(judged, statements) - self._wrongly_entered:
            self._wrongly_entered.add(number)
            self._since_s[number] = t
        due = [number for number, since in self._since_s.items() if t - since >= ASK_AFTER_S]
        asked: list[Notice] = []
        steps = {number: step for step, number in statements.stated}
        for number in due:
            del self._since_s[number]
            step = steps.get(number)
            if step is None or not isinstance(step.event, Discarded):
                continue
            track = next((tracks[each] for each in step.tracks if each in tracks), None)
            if track is None or statements.is_entered(step):
                continue
            if read_step(step, judged, tracks) >= ASK_BELOW:
                continue
            choices = _list_choices(statements, number, step.event, track.face.likely)
            if len(choices) > 1 and self.unanswered < ASKED_MAX:
                self.unanswered += 1
                asked.append(Asked(t, number, "discarded", choices))
        return asked


def _find_wrongly_entered(judged: Judged, statements: Statements) -> set[int]:
    """The numbers of the discards that read differently from what was entered."""
    roles = judged[0][1].roles
    return {
        number
        for step, number in statements.stated
        if isinstance(step.event, Discarded) and step.event.tile is not None
        and any(track in roles and roles[track].code != step.event.tile for track in step.tracks)
    }  # fmt: skip


def _list_choices(
    statements: Statements, number: int, event: Discarded, likely: Sequence[str]
) -> tuple[str, ...]:
    """Those of these kinds that the event may have been about, given everything stated."""

    def is_possible(code: str) -> bool:
        right = changed(event, tile=code)
        try:
            fold([*statements.log, Corrected(number=number, right=right)])
        except EventError:
            return False
        return True

    entered = [str(event.tile)] if event.tile is not None and event.tile not in likely else []
    possible = [code for code in likely if is_possible(code)]
    return (*possible[: CHOICES_MAX - len(entered)], *entered)
