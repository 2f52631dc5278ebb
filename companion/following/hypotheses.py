"""What may have happened so far: chains of legal events, each with the tiles that it put on the table; and
the events between them that no camera sees.

A hypothesis is the end of a chain of `Step`s that it shares with others. All of them are immutable values;
every event has been accepted by `table.apply`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf

from companion.errors import EventError
from companion.table.apply import apply
from companion.table.events import (
    Claimed,
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
from companion.table.house import House
from companion.table.state import HandState, Phase, State, changed

River = tuple[tuple[float, float], ...]
"""(u, v) of a player's discards, in order, as that player sees them."""
Rivers = tuple[River, River, River, River]
NO_RIVERS: Rivers = ((), (), (), ())


NAMED_BY = (Discarded, FlowerSetOut, IndicatorTurned)
"""Events about one tile."""


class Part(Enum):
    """What a tile is on the table."""

    RIVER = "river"
    MELD = "meld"
    FLOWER = "flower"
    INDICATOR = "indicator"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Role:
    """What a tile on the table is. code: None for a face that has not been named yet, `back` for a tile that
    is face down. meld: the index of the player's meld."""

    part: Part
    seat: int
    code: str | None
    meld: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An event of a chain, with the state after it.

    tracks: the seen tiles that the event put down. at_s: when the event was first considered. mark: equal for
    equal events with the same tiles, whatever came before; equal for all wins of a player, whatever the hand
    holds.
    """

    before: Step | None
    event: Event | None
    state: State
    tracks: tuple[int, ...] = ()
    at_s: float = 0.0
    depth: int = 0
    mark: int = 0

    def then(self, event: Event, tracks: tuple[int, ...], at_s: float) -> Step:
        """The chain with one more event. Raises EventError if the event is not legal."""
        if isinstance(event, Won):
            mark = hash((Won, event.seat))
        else:
            mark = hash((event, tracks)) if tracks else hash((event, self.mark))
        return Step(self, event, apply(self.state, event), tracks, at_s, self.depth + 1, mark)

    def back(self) -> Iterator[Step]:
        """The steps from this one back to the first."""
        step: Step | None = self
        while step is not None:
            yield step
            step = step.before


@dataclass(frozen=True, slots=True)
class Way:
    """One way to explain tiles on the table: events, each with the tiles it put down, and the roles of these
    tiles.

    cost: nats. released: tiles that must disappear, such as a claimed discard. dropped: tiles that lose their
    role because the same tile is somewhere else now. undone: the number of last steps that are taken back
    first. river: seat and (u, v) of the discard. late: an unseen step that these tiles turn out to be; later:
    the number of discards of the same player after it.
    """

    cost: float
    events: tuple[tuple[Event, tuple[int, ...]], ...] = ()
    roles: tuple[tuple[int, Role], ...] = ()
    released: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    undone: int = 0
    river: tuple[int, tuple[float, float]] | None = None
    late: Step | None = None
    later: int = 0
    claims: bool = False


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A chain, and the role of each tile on the table by track number.

    cost: nats of all that was assumed. rivers: (u, v) of each player's discards, in order. released: tiles
    that should disappear, and since when. latest_s: when the last tile of an event was first seen; after_s:
    when its place was still empty. tried: identifies what there was to explain when its successors were made.
    """

    step: Step
    cost: float = 0.0
    roles: Mapping[int, Role] = field(default_factory=dict)
    rivers: Rivers = NO_RIVERS
    released: Mapping[int, float] = field(default_factory=dict)
    latest_s: float = -inf
    after_s: float = -inf
    tried: int = 0

    @property
    def state(self) -> State:
        return self.step.state

    @property
    def hand(self) -> HandState | None:
        """The hand in play; None between hands."""
        return self.step.state.hand if self.step.state.playing else None

    def list_last_draws(self) -> tuple[tuple[int, float], ...]:
        """Who has drawn since the last tile was put down, and when each draw was noticed, in order."""
        draws: list[tuple[int, float]] = []
        for step in self.step.back():
            if step.tracks or not isinstance(step.event, Drawn):
                break
            draws.insert(0, (step.event.seat, step.at_s))
        return tuple(draws)

    @property
    def key(self) -> int:
        """Equal for hypotheses that differ only in the kinds of their discards."""
        hand = self.step.state.hand
        parts = frozenset([(number, role.part, role.seat) for number, role in self.roles.items()])
        if hand is None:
            return hash((parts, self.step.state.hands))
        laid = tuple([(player.melds, player.discarded, len(player.flowers)) for player in hand.players])
        ended = tuple([(won.winner, won.tile, hand.players[won.winner].concealed) for won in hand.results])
        place = hand.deal.dealer, hand.phase, hand.turn
        return hash((parts, self.step.state.hands, place, laid, ended))


def follow_way(
    before: Hypothesis, way: Way, t: float, since_s: float = -inf, clear_s: float = -inf
) -> Hypothesis | None:
    """The hypothesis after these events; None if they are not legal.

    since_s: when the last of the way's tiles was first seen; clear_s: when its place was still empty.
    """
    if way.late is not None:
        return _name_late(before, way, way.late, t)
    step, rivers = before.step, before.rivers
    roles, released = dict(before.roles), dict(before.released)
    for _ in range(way.undone):
        assert step.before is not None
        for number in step.tracks:
            roles.pop(number, None)
        step = step.before
    try:
        for event, tracks in way.events:
            step = step.then(event, tracks, t)
    except EventError:
        return None
    for number in (*way.dropped, *way.released):
        roles.pop(number, None)
    for number in way.released:
        released[number] = t
    roles.update(way.roles)
    if way.claims:
        rivers = _drop_last(before, rivers)
    if way.river is not None:
        seat, place = way.river
        rivers = _add(rivers, seat, place)
    latest_s, after_s = before.latest_s, before.after_s
    if way.events:
        latest_s, after_s = max(latest_s, since_s), max(after_s, clear_s)
    return Hypothesis(step, before.cost + way.cost, roles, rivers, released, latest_s, after_s)


def replay(last: Step, changes: Mapping[int, tuple[Event, tuple[int, ...]]]) -> Step | None:
    """The chain with other events at these depths; None if that is not legal."""
    first = min(changes)
    tail = []
    for step in last.back():
        if step.depth < first:
            break
        tail.append(step)
    else:
        return None
    now = step
    try:
        for old in reversed(tail):
            assert old.event is not None
            event, tracks = changes.get(old.depth, (old.event, old.tracks))
            now = now.then(event, tracks, old.at_s)
    except EventError:
        return None
    return now


def rename(before: Hypothesis, number: int, code: str | None) -> Hypothesis | None:
    """The hypothesis in which this tile is of another kind; None if that is not legal."""
    for step in before.step.back():
        if number in step.tracks and isinstance(step.event, NAMED_BY):
            last = replay(before.step, {step.depth: (changed(step.event, tile=code), step.tracks)})
            if last is None:
                return None
            roles = {**before.roles, number: replace(before.roles[number], code=code)}
            return replace(before, step=last, roles=roles)
    return None


def drop_steps(before: Hypothesis, depth: int) -> Hypothesis:
    """The hypothesis in which the tiles of all steps beyond this depth are unexplained again."""
    roles, rivers = dict(before.roles), before.rivers
    for step in before.step.back():
        if step.depth <= depth:
            break
        for number in step.tracks:
            roles.pop(number, None)
        if isinstance(step.event, Discarded) and step.tracks:
            rivers = _with(rivers, step.event.seat, rivers[step.event.seat][:-1])
    return replace(before, roles=roles, rivers=rivers)


def _name_late(before: Hypothesis, way: Way, late: Step, t: float) -> Hypothesis | None:
    step = replay(before.step, {late.depth: way.events[0]})
    if step is None:
        return None
    rivers = before.rivers if way.river is None else _add(before.rivers, *way.river, way.later)
    roles = {**before.roles, **dict(way.roles)}
    for number in way.released:
        seat = roles.pop(number).seat
        rivers = _drop_later(rivers, seat, way.later)
    return replace(
        before, step=step, cost=before.cost + way.cost, roles=roles, rivers=rivers, tried=0,
        released={**before.released, **dict.fromkeys(way.released, t)},
    )  # fmt: skip


def _drop_later(rivers: Rivers, seat: int, later: int) -> Rivers:
    """The rivers without the player's discard that has this number of discards after it."""
    at = len(rivers[seat]) - 1 - later
    return _with(rivers, seat, (*rivers[seat][:at], *rivers[seat][at + 1 :])) if at >= 0 else rivers


def _drop_last(before: Hypothesis, rivers: Rivers) -> Rivers:
    """The rivers without the discard on offer, whose place is free again."""
    hand = before.hand
    if hand is None or hand.offer is None or not before.step.tracks:
        return rivers
    seat = hand.offer.seat
    return _with(rivers, seat, rivers[seat][:-1])


def _add(rivers: Rivers, seat: int, place: tuple[float, float], later: int = 0) -> Rivers:
    """later: the number of discards after it."""
    river = rivers[seat]
    at = max(0, len(river) - later)
    return _with(rivers, seat, (*river[:at], place, *river[at:]))


def _with(rivers: Rivers, seat: int, river: River) -> Rivers:
    a, b, c, d = (river if each == seat else rivers[each] for each in range(4))
    return a, b, c, d


UNSEEN_COST = 4.0
"""Nats of a discard that the camera missed: one in fifty is covered for as long as it is on the table
alone."""
QUICK_COST = 2.5
"""Nats of a discard that was claimed before the camera saw it."""
SKIPPED_MAX = 4


@dataclass(frozen=True, slots=True)
class Path:
    """The events up to a turn, and the number of discards among them that were not seen."""

    events: tuple[Event, ...]
    skipped: int = 0

    @property
    def steps(self) -> tuple[tuple[Event, tuple[int, ...]], ...]:
        """The events, none of which puts down a tile that is seen."""
        return tuple((event, ()) for event in self.events)

    @property
    def cost(self) -> float:
        return self.skipped * UNSEEN_COST


OTHER_DEALER_COST, OTHER_DEALER_LATER_COST = 5.0, 8.0
"""Nats of a dealer other than the rules say: in the first hand, in which a person may have forgotten to name
the dealer, and in later ones."""
MISSED_COST = 2.5
"""Nats of each of a hand's first discards that was missed, at each of the first discards that are seen: one
that nobody claimed stays on the table, and comes in sight."""
FIRST_DISCARDS = 3


def begin_hand(state: State) -> tuple[Event, ...]:
    """The events of a hand before the first one that can be seen."""
    if state.playing or state.over:
        return ()
    return HandStarted(dealer=state.deal.dealer), Dealt()


def list_beginnings(state: State) -> Iterator[tuple[float, tuple[tuple[Event, tuple[int, ...]], ...]]]:
    """The ways a hand may begin, each with its cost in nats: with the dealer that the rules say, or another
    one."""
    begun = begin_hand(state)
    if not begun:
        return
    yield 0.0, tuple((event, ()) for event in begun)
    for dealer in state.house.seats:
        if dealer != state.deal.dealer:
            cost = OTHER_DEALER_LATER_COST if state.hands else OTHER_DEALER_COST
            events = (DealSet(dealer=dealer), HandStarted(dealer=dealer), Dealt())
            yield cost, tuple((event, ()) for event in events)


def count_missed(back: Iterable[Step]) -> int:
    """How many of a hand's first discards nobody saw or claimed. back: its steps, the last first."""
    missed, after = 0, None
    for step in back:
        if isinstance(step.event, HandStarted):
            break
        if isinstance(step.event, Discarded):
            missed = 0 if step.tracks else missed + (not isinstance(after, Claimed))
        after = step.event
    return missed


def find_missed_cost(hypothesis: Hypothesis) -> float:
    """Nats of one more discard that is seen, while the hand's first ones were missed."""
    seen = 0
    for step in hypothesis.step.back():
        if isinstance(step.event, HandStarted):
            break
        seen += isinstance(step.event, Discarded) and bool(step.tracks)
        if seen >= FIRST_DISCARDS:
            return 0.0
    return MISSED_COST * count_missed(hypothesis.step.back())


def reach_turn(house: House, hand: HandState, seat: int) -> Path | None:
    """How it becomes this player's turn, with a tile drawn; None if it cannot."""
    if hand.phase in (Phase.DEAL, Phase.INDICATOR, Phase.EXHAUSTED, Phase.OVER):
        return None
    if hand.phase is Phase.SEA or (hand.phase is Phase.CLAIM and hand.wall.in_sea):
        return _reach_in_sea(house, hand, seat)
    events: list[Event] = [Drawn(seat=hand.turn)] * hand.owed
    turn, has = hand.turn, True
    if hand.phase is Phase.FLOWERS:
        turn = hand.deal.dealer
    elif hand.phase is Phase.CLAIM:
        has = False
    skipped = 0
    left = hand.wall.before_sea
    while True:
        if not has:
            if left == 0:
                return None
            events.append(Drawn(seat=turn))
            left -= 1
        if turn == seat:
            return Path(tuple(events), skipped)
        if skipped == SKIPPED_MAX:
            return None
        events.append(Discarded(seat=turn))
        turn, has, skipped = house.following[turn], False, skipped + 1


def find_next_to_draw(house: House, hand: HandState) -> int:
    """Who draws next if nobody claims or wins. In the sea, the player who drew last has had a turn."""
    return house.following[hand.turn] if hand.phase is Phase.SEA else hand.turn


def _reach_in_sea(house: House, hand: HandState, seat: int) -> Path | None:
    """The last tiles are drawn without discards."""
    turn = find_next_to_draw(house, hand)
    if hand.phase is Phase.SEA and hand.turn == seat:
        return Path(())
    events: list[Event] = []
    for _ in range(hand.wall.live_left):
        events.append(Drawn(seat=turn))
        if turn == seat:
            return Path(tuple(events))
        turn = house.following[turn]
    return None


def reach_end(house: House, hand: HandState) -> Path | None:
    """How the wall became empty without a win."""
    if hand.phase is Phase.EXHAUSTED:
        return Path(())
    if hand.wall.in_sea or (hand.phase is Phase.SEA):
        turn = find_next_to_draw(house, hand)
        events: list[Event] = []
        for _ in range(hand.wall.live_left):
            events.append(Drawn(seat=turn))
            turn = house.following[turn]
        return Path(tuple(events))
    if hand.phase is Phase.CLAIM and not hand.wall.live_left:
        return Path(())
    return None
