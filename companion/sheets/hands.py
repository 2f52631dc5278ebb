"""The score sheet of a game: every hand with its wins and payments, as the table's events make them. Pure.

People are numbered as in the game's first event, 0 to 3; points of a hand and totals are by person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from companion.rules import Source
from companion.rules.scoring import Score
from companion.table.apply import apply
from companion.table.events import (
    Corrected,
    Event,
    FalseWin,
    HandAbandoned,
    HandStarted,
    HandVoided,
    PointsMoved,
    Won,
    number_corrected,
)
from companion.table.state import HandResult, HandState, LedgerEntry, Points, State
from companion.tiles import BACK, MeldKind, Tile

Numbered = tuple[int, Event]
"""An event, and its number in the log, the first being 1."""


@dataclass(frozen=True, slots=True)
class SheetWin:
    """A win, by people. number: of its event. giver: whose tile it was, None for a self-draw. rules: the
    name of the game.

    concealed, melds, flowers: the winning hand as codes of drawn tiles, the winning tile last among the
    concealed ones where it is known. payments: what each person got by it.
    """

    number: int
    winner: int
    giver: int | None
    source: Source
    tile: str | None
    concealed: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]
    flowers: tuple[str, ...]
    score: Score
    payments: Points


@dataclass(frozen=True, slots=True)
class Penalty:
    """A false win, a dead hand, or points moved by hand. person: None where it was nobody's alone."""

    number: int
    person: int | None
    event: FalseWin | HandVoided | PointsMoved


@dataclass(frozen=True, slots=True)
class SheetHand:
    """A hand, from its first event to the last before the next hand.

    number: of the hand, the first being 1; one that does not count and the one dealt for it share theirs; 0
    stands for what was paid before the first hand. dealer: the person. streak: as the rulings count it.
    finished, abandoned: whether it is over, and whether it does not count. entries: what was booked in it and
    after it. points: what they come to, and `totals` what each person has then. events: all of it; before and
    after: the states around them.
    """

    number: int
    round_wind: Tile | None
    dealer: int | None
    streak: int
    wins: tuple[SheetWin, ...]
    penalties: tuple[Penalty, ...]
    finished: bool
    abandoned: bool
    entries: tuple[LedgerEntry, ...]
    points: Points
    totals: Points
    events: tuple[Numbered, ...]
    before: State
    after: State

    @property
    def drawn(self) -> bool:
        """Whether it ended without a winner, and counts."""
        return self.finished and not self.wins and not self.abandoned and self.number > 0

    def find_drawer(self, person: int) -> int | None:
        """Who won the hand by self-draw, if it was another person."""
        if len(self.wins) != 1 or self.wins[0].giver is not None or self.wins[0].winner == person:
            return None
        return self.wins[0].winner


@dataclass(frozen=True, slots=True)
class Correction:
    """Events that were corrected. number, at: of the first of them and of the correction. was, right: what
    was believed and what is right, in order; nothing if it did not happen."""

    number: int
    at: int
    was: tuple[Event, ...]
    right: tuple[Event, ...]
    why: str

    @property
    def is_confirmation(self) -> bool:
        """Whether a person only confirmed it: it changes nothing."""
        return self.was == self.right


@dataclass(frozen=True, slots=True)
class Sheet:
    """start: the points of each person before the first payment. corrections: what was corrected, without
    events that were only confirmed. log: all events as they were entered. ends_in_correction: whether the
    last of them puts something right.
    """

    names: tuple[str, str, str, str]
    rules: str
    start: Points
    hands: tuple[SheetHand, ...]
    corrections: tuple[Correction, ...]
    state: State
    log: tuple[Event, ...]
    ends_in_correction: bool = False

    @property
    def people(self) -> tuple[int, ...]:
        """Those who play or have paid, in order: where three play, the empty fourth place is left out."""
        seats = self.state.house.seats
        return tuple(
            person
            for person in range(4)
            if self.names[person] or len(seats) == 4 or person in {self.state.seated[seat] for seat in seats}
        )

    def find_hand(self, number: int) -> int | None:
        """The place in `hands` of the hand with event `number` of the log."""
        for at, hand in enumerate(self.hands):
            if any(each == number for each, _ in hand.events):
                return at
        return None

    def corrections_of(self, number: int) -> tuple[Correction, ...]:
        """What event `number` was before, the oldest first."""
        return tuple(each for each in self.corrections if each.number == number)

    def list_entered(self, number: int) -> tuple[Numbered, ...]:
        """The events that were entered where event `number` stands now: the original and its corrections."""
        numbers = [number]
        for correction in self.corrections_of(number):
            made = self.log[correction.at - 1]
            numbers += list(made.others) if isinstance(made, Corrected) else []
        return tuple((each, self.log[each - 1]) for each in numbers)


@dataclass(frozen=True, slots=True)
class Step:
    """An event of a hand with its number, and the state that it led to."""

    number: int
    event: Event
    state: State


def make_sheet(events: Sequence[Event], known: Sheet | None = None) -> Sheet:
    """The sheet of a game in which these events stand. `known`: of the same game, some events ago: hands that
    are as they were then are taken from it.

    EventError if the events cannot have happened. The first must be a GameStarted.
    """
    numbered = number_corrected(events)
    first = apply(None, numbered[0][1])
    rest = numbered[1:]
    hands: list[SheetHand] = []
    state, at = first, 0
    if known is not None and known.log[:1] == tuple(events[:1]) and known.hands:
        for hand in known.hands[:-1]:
            if tuple(rest[at : at + len(hand.events)]) != hand.events or (hand.before is not state and hands):
                break
            following = rest[at + len(hand.events) : at + len(hand.events) + 1]
            if not following or not isinstance(following[0][1], HandStarted):
                break
            hands.append(hand)
            state, at = hand.after, at + len(hand.events)
    for part in _part_hands(rest[at:]):
        hand = _read_hand(state, part)
        hands.append(hand)
        state = hand.after
    corrections = list_corrections(events)
    confirmed = bool(corrections) and corrections[-1].at == len(events) and corrections[-1].is_confirmation
    return Sheet(
        names=state.names,
        rules=state.house.rules.name,
        start=first.points,
        hands=tuple(hands),
        corrections=tuple(each for each in corrections if not each.is_confirmation),
        state=state,
        log=tuple(events),
        ends_in_correction=isinstance(events[-1], Corrected) and not confirmed,
    )


def list_steps(hand: SheetHand) -> tuple[Step, ...]:
    """The hand event by event."""
    state = hand.before
    return tuple(Step(number, event, state := apply(state, event)) for number, event in hand.events)


def list_corrections(events: Sequence[Event]) -> tuple[Correction, ...]:
    """What was corrected, in the order of entering it, each with the events before it."""
    believed: dict[int, tuple[Event, ...]] = {}
    found = []
    for at, event in enumerate(events, start=1):
        if not isinstance(event, Corrected):
            continue
        numbers = [event.number, *(n for n in event.others if not isinstance(events[n - 1], Corrected))]
        was = tuple(one for n in numbers for one in believed.get(n, (events[n - 1],)))
        if was and not any(isinstance(each, Corrected) for each in was):
            found.append(Correction(event.number, at, was, event.rights, event.why))
        believed |= dict.fromkeys(numbers, ()) | {event.number: event.rights}
    return tuple(found)


def _part_hands(numbered: Iterable[Numbered]) -> list[tuple[Numbered, ...]]:
    """The events of each hand; what comes before the first hand is a part of its own."""
    parts: list[list[Numbered]] = []
    for number, event in numbered:
        if not parts or isinstance(event, HandStarted):
            parts.append([])
        parts[-1].append((number, event))
    return [tuple(part) for part in parts]


def _read_hand(before: State, events: tuple[Numbered, ...]) -> SheetHand:
    state = before
    won: dict[int, int] = {}
    penalties: list[Penalty] = []
    abandoned = False
    seated = before.seated
    deal = None
    for number, event in events:
        state = apply(state, event)
        match event:
            case HandStarted():
                assert state.hand is not None
                seated, deal = state.hand.seated, state.hand.deal
            case Won():
                won[event.seat] = number
            case HandAbandoned():
                abandoned, won = True, {}
            case FalseWin() | HandVoided():
                penalties.append(Penalty(number, seated[event.seat], event))
            case PointsMoved():
                penalties.append(Penalty(number, None, event))
    hand = state.hand if deal else None
    results = hand.results if hand and not abandoned else ()
    entries = state.ledger[len(before.ledger) :]
    a, b, c, d = (now - had for now, had in zip(state.points, before.points, strict=True))
    return SheetHand(
        number=before.hands + 1 if deal else 0,
        round_wind=deal.round_wind if deal else None,
        dealer=seated[deal.dealer] if deal else None,
        streak=deal.streak if deal else 0,
        wins=tuple(_read_win(hand, result, won[result.winner]) for result in results) if hand else (),
        penalties=tuple(penalties),
        finished=not state.playing,
        abandoned=abandoned,
        entries=entries,
        points=(a, b, c, d),
        totals=state.points,
        events=events,
        before=before,
        after=state,
    )


def _read_win(hand: HandState, result: HandResult, number: int) -> SheetWin:
    player = hand.players[result.winner]
    people = [0, 0, 0, 0]
    for seat, person in enumerate(hand.seated):
        people[person] = result.score.payments[seat]
    a, b, c, d = people
    concealed = sorted(player.concealed)
    tile = result.tile
    if tile is not None and tile in concealed:
        concealed.remove(tile)
    codes = [each.code for each in concealed] + ([] if tile is None else [tile.code])
    shown = () if result.stated else tuple(codes)
    return SheetWin(
        number=number,
        winner=hand.seated[result.winner],
        giver=None if result.discarder is None else hand.seated[result.discarder],
        source=result.source,
        tile=None if tile is None else tile.code,
        concealed=shown,
        melds=tuple(
            (BACK,) * 4
            if laid.meld is None
            else (BACK, laid.meld.tiles[1].code, laid.meld.tiles[2].code, BACK)
            if laid.kind is MeldKind.KONG_CONCEALED
            else tuple(each.code for each in islice(laid.meld.tiles, 4))
            for laid in player.melds
        ),
        flowers=tuple(each.code for each in player.flowers),
        score=result.score,
        payments=(a, b, c, d),
    )
