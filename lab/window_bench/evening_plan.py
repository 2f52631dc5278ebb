"""An evening that built-in players played, as four people at a table who use the window see it happen. Pure.

Nothing in it was entered anywhere: it is what the window is given to record, and what its sheet must come to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.coach.simulation import Simulation
from companion.errors import EventError
from companion.game.game import pin_options
from companion.rules import Source
from companion.sheets.hands import Sheet, SheetHand, make_sheet
from companion.table.apply import apply
from companion.table.events import (
    Called,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    GameStarted,
    HandAbandoned,
    HandVoided,
    PointsMoved,
    SeatsChanged,
    WinPassed,
    Won,
    apply_corrections,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State, changed

NAMES = ("Ann", "Bao", "Chen", "Dai")
SAID_ALOUD = (Called, WinPassed)
"""What is said at the table, and not recorded: what comes of it is."""
FALLEN_AFTER = 9
"""Discards, before the walls of a hand that does not count fall."""
PENALTY = (-5, 0, 5, 0)
MOST_ODD_HANDS = 4

Json = dict[str, object]


Named = tuple[Event, Source | None]
"""An event that somebody names, and of a win where its tile came from."""


@dataclass(frozen=True, slots=True)
class Evening:
    """events: all that the window is to record, in order, without the game's start. truth: everything that
    happened, the start first, hidden tiles and words among it."""

    start: GameStarted
    events: tuple[Event, ...]
    truth: tuple[Event, ...]

    @property
    def named(self) -> list[Named]:
        """The events that somebody has to name."""
        log = NamedLog()
        log.read((self.start, *self.events))
        return log.named

    @property
    def sheet(self) -> Sheet:
        """What the evening comes to."""
        return make_sheet(self.truth)


class NamedLog:
    """A game's events as they come, and which of them somebody has to name: not the deal, and draws only
    where nobody discards. Each win with its tile, and where that came from."""

    def __init__(self) -> None:
        self.named: list[Named] = []
        self._read = 0
        self.state: State | None = None

    def read(self, events: Sequence[Event]) -> None:
        """All events of the game, those that were read before among them, as corrections put them right."""
        new = events[self._read :]
        if len(events) < self._read or any(isinstance(event, Corrected) for event in new):
            self.named, self.state, new = [], None, apply_corrections(events)
        self._read = len(events)
        for event in new:
            hand = self.state.hand if self.state and self.state.playing else None
            in_sea = hand is not None and hand.wall.in_sea
            self.state = apply(self.state, event)
            if isinstance(event, Drawn) and not in_sea:
                continue
            if not isinstance(event, (GameStarted, Dealt)):
                self.named.append(name_win(self.state, event) if isinstance(event, Won) else (event, None))


def name_win(after: State, won: Won) -> tuple[Won, Source]:
    """The win with the tile that won, which the event of one on a discard does not say, and where the tile
    came from."""
    assert after.hand is not None
    result = next(each for each in after.hand.results if each.winner == won.seat)
    return changed(won, tile=result.tile.code if result.tile else None), result.source


def plan_evening(rules: str, hands: int, seed: int, *, odd: bool = True) -> Evening:
    """An evening of that many hands that count, of the game's own rules. odd: whether the first hands have a
    false win, a hand that does not count, a penalty and a change of seats among them, as far as there are as
    many hands.

    Raises EventError where the game is over before.
    """
    start = pin_options(GameStarted(rules=rules, names=NAMES))
    assert isinstance(start, GameStarted)
    rng = random.Random(seed)
    state = apply(None, start)
    simulation = Simulation(state.house, rng)
    truth: list[Event] = [start]
    seen: list[Event] = []

    def happen(events: Sequence[Event]) -> None:
        nonlocal state
        for event in events:
            if not isinstance(event, SAID_ALOUD):
                seen.append(event_as_seen(state, event, None))
            truth.append(event)
            state = apply(state, event)

    for number in range(hands):
        if odd and number < MOST_ODD_HANDS:
            happen(tuple(_happen_before(number, simulation, state)))
        played = tuple(step.event for step in simulation.hand(state))
        happen(_with_false_win(state, played) if odd and number == 0 else played)
    return Evening(start, tuple(seen), tuple(truth))


def _happen_before(number: int, simulation: Simulation, state: State) -> Iterator[Event]:
    """What comes before that hand, the first being 0, beside what always does."""
    if number == 1:
        laid = 0
        for step in simulation.hand(state):
            if not step.state.playing or laid == FALLEN_AFTER:
                break
            yield step.event
            laid += isinstance(step.event, Discarded)
        yield HandAbandoned()
    elif number == 2:
        yield PointsMoved(points=PENALTY, why="penalty")
    elif number == 3 and len(state.house.seats) == len(NAMES):
        yield SeatsChanged(order=(1, 0, 2, 3))


def _with_false_win(state: State, played: Sequence[Event]) -> Sequence[Event]:
    """The hand, with a false win, or a dead hand, of the first who can have had one without anything else
    going otherwise."""
    for made in (FalseWin, HandVoided):
        for at, event in enumerate(played):
            if not isinstance(event, Discarded):
                continue
            for seat in state.house.seats:
                odd = (*played[: at + 1], made(seat=seat), *played[at + 1 :])
                if seat != event.seat and _can_happen(state, odd):
                    return odd
    return played


def _can_happen(state: State, events: Sequence[Event]) -> bool:
    try:
        for event in events:
            state = apply(state, event)
    except EventError:
        return False
    return True


def compare_sheets(window: Sheet, simulated: Sheet) -> list[str]:
    """Where the window's sheet says otherwise, one sentence each; nothing where every hand, every win, every
    line of its score, every payment and all totals are the same."""
    found = [
        f"hand {at}: {mine} instead of {right}"
        for at, (mine, right) in enumerate(
            zip(map(describe_hand, window.hands), map(describe_hand, simulated.hands), strict=False), 1
        )
        if mine != right
    ]
    if len(window.hands) != len(simulated.hands):
        found.append(f"{len(window.hands)} hands instead of {len(simulated.hands)}")
    if (window.names, window.state.points) != (simulated.names, simulated.state.points):
        found.append(f"totals {window.state.points} instead of {simulated.state.points}")
    return found


def describe_hand(hand: SheetHand) -> Json:
    """What a sheet says of a hand."""
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "streak": hand.streak,
        "round_wind": hand.round_wind and hand.round_wind.code,
        "drawn": hand.drawn,
        "abandoned": hand.abandoned,
        "wins": [
            (
                win.winner, win.giver, win.source.value, win.score.value, win.payments,
                sorted((line.name, line.count, line.value) for line in win.score.lines),
                sorted(win.concealed), win.flowers,
            )
            for win in hand.wins
        ],
        "penalties": [(type(each.event).__name__, each.person) for each in hand.penalties],
        "booked": [(entry.reason.value, entry.points) for entry in hand.entries],
        "points": hand.points,
        "totals": hand.totals,
    }  # fmt: skip
