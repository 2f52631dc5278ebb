"""Whole evenings through the real window, each window a process of its own that is killed in the middle.

The parent plans the evening (built-in players play it), opens windows, kills them, and compares the kept game
with the plan.
"""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

from companion.coach.play.simulation import PlayedHand, SimulatedMove, Simulation
from companion.errors import CompanionError, EventError
from companion.game.file import GameEntry, read_entries
from companion.game.game import Game, pin_options
from companion.rules import Source
from companion.sheets.hands import Sheet, SheetHand, make_sheet
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    FlowerSetOut,
    GameStarted,
    HandAbandoned,
    HandStarted,
    HandVoided,
    PointsMoved,
    SeatsChanged,
    WinPassed,
    Won,
    apply_corrections,
    decode_event,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State, changed

NAMES = ("Ann", "Bao", "Chen", "Dai")
SAID_ALOUD = (Called, WinPassed)
"""Events that are spoken at the table and not recorded; their result is."""
FALLEN_AFTER = 9
"""Discards, before the walls of a hand that does not count fall."""
PENALTY = (-5, 0, 5, 0)
MOST_ODD_HANDS = 4


Named = tuple[Event, Source | None]
"""An event that a person enters, and for a win the source of its tile."""


@dataclass(frozen=True, slots=True)
class Evening:
    """events: all that the window is to record, in order, without the game's start. truth: everything that
    happened, the start first, hidden tiles and words among it."""

    start: GameStarted
    events: tuple[Event, ...]
    truth: tuple[Event, ...]

    @property
    def named(self) -> list[Named]:
        """The events that a person has to enter."""
        log = NamedLog()
        log.read((self.start, *self.events))
        return log.named

    @property
    def sheet(self) -> Sheet:
        """What the evening comes to."""
        return make_sheet(self.truth)


class NamedLog:
    """A game's events in order, and which of them a person has to enter: not the deal, and draws only if
    nobody discards. Each win with its tile and the source of that tile."""

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
    """An evening of n hands that count, by the game's own rules. odd: whether the first hands have a
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
    """What comes before that hand (the first is 0), in addition to what always does."""
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
    """Where the window's sheet says otherwise, one sentence each; nothing if every hand, every win, every
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


KILLS = ((0.25, Discarded.__name__), (0.5, "tiles"), (0.75, "confirmed"))
"""Share of the evening from which the window is killed, and the step after which: a touched discard; the
winner's tiles entered, but not confirmed; a touched Confirm. The window's answer is not awaited."""
DONE = "done"
FAILED = "failed"
ANSWER_S = 300.0
"""The longest wait for anything to be entered."""

Json = dict[str, Any]


class EveningFailed(CompanionError):
    """The evening could not be played to its end."""


@dataclass(frozen=True, slots=True)
class Window:
    """How a window is opened, and by what the evening is entered: a picklable function that is called in the
    window's process with the data folder, the evening, whether it is gone on with, and `entered`, which sends
    the number of an event, what was touched, and how many touches that took; it returns figures. odd: whether
    the evening may have false wins, penalties and the like."""

    play: Callable[[Path, Any, bool, Callable[[int, str, int], None]], Json]
    odd: bool = True


@dataclass(slots=True)
class Played:
    """What came of an evening. differences: from the planned sheet, in sentences; touches: how many each kind
    of event took; entries: all that was ever entered, until the last kill or the end; lost: after how many
    kills some of it was not there any more."""

    evening: Evening
    events: tuple[Event, ...] = ()
    entries: list[GameEntry] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    touches: dict[str, list[int]] = field(default_factory=dict)
    kills: int = 0
    lost: int = 0
    figures: list[Json] = field(default_factory=list)
    seconds: float = 0.0


def play_evening(
    window: Window, evening: Evening, folder: Path, kills: Sequence[tuple[float, str]] = KILLS
) -> Played:
    """Play that evening in windows on that data folder. Raises EveningFailed."""
    played, began = Played(evening), time.monotonic()
    left = list(kills)
    total = len(evening.named)
    goes_on = False
    while not _play_on(window, played, folder, left, total, goes_on=goes_on):
        _note_lost(played, folder)
        played.kills += 1
        goes_on = bool(played.entries)
    _note_lost(played, folder)
    played.events = read_events(folder)
    played.differences = compare_sheets(make_sheet(played.events), evening.sheet)
    played.seconds = time.monotonic() - began
    return played


def _play_on(
    window: Window, played: Played, folder: Path, kills: list[tuple[float, str]], total: int, *, goes_on: bool
) -> bool:
    """Whether the evening is at its end; else its window was killed. What is done leaves `kills`."""
    with closing(list_entered(window, folder, played.evening, goes_on=goes_on)) as entered:
        for at, what, rest in entered:
            if what == DONE:
                played.figures.append(rest)
                return True
            played.touches.setdefault(what, []).append(rest)
            if kills and at >= kills[0][0] * total and what == kills[0][1]:
                del kills[0]
                return False
    raise AssertionError("an evening is done, killed or failed")


def list_entered(
    window: Window, folder: Path, evening: Any, *, goes_on: bool
) -> Generator[tuple[Any, str, Any]]:
    """What a window enters in a process of its own, as it sends it, until `DONE`. The process is killed when
    the generator is closed. Raises EveningFailed."""
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_run_window, args=(window, folder, evening, goes_on, sending))
    process.start()
    sending.close()
    try:
        while receiving.poll(ANSWER_S):
            at, what, rest = receiving.recv()
            if what == FAILED:
                raise EveningFailed("{why}", why=rest)
            yield at, what, rest
        raise EveningFailed("The window has not entered anything for {seconds} s.", seconds=round(ANSWER_S))
    except EOFError:
        process.join()
        raise EveningFailed(
            "The window is gone: its process ended with {code}.", code=process.exitcode
        ) from None
    finally:
        process.kill()
        process.join()
        receiving.close()


def _run_window(window: Window, folder: Path, evening: Any, goes_on: bool, sending: Connection) -> None:
    """Play the evening in a process of its own, and send all that was entered."""
    try:
        figures = window.play(folder, evening, goes_on, lambda at, what, n: sending.send((at, what, n)))
    except CompanionError as error:
        sending.send((0, FAILED, str(error)))
    else:
        sending.send((0, DONE, figures))


def _note_lost(played: Played, folder: Path) -> None:
    """What was entered stays in the file, also what was taken back later."""
    before, path = played.entries, _find_game(folder)
    played.entries = [] if path is None else read_entries(path)
    played.lost += played.entries[: len(before)] != before


def read_events(folder: Path) -> tuple[Event, ...]:
    """All events of the game that was begun last in that data folder; none if there is none."""
    path = _find_game(folder)
    if path is None:
        return ()
    with Game.resume(path) as game:
        return tuple(decode_event(entry.event) for entry in game.file.standing)


def _find_game(folder: Path) -> Path | None:
    """The file of that game."""
    files = (folder / "games").glob("*.game")
    return max(files, key=lambda path: path.stat().st_mtime, default=None)


def bench_evenings(window: Window, rules: Sequence[str], hands: int, seed: int, folder: Path) -> list[Json]:
    """An evening of n hands of each game; the result of each."""
    return [
        report(play_evening(window, plan_evening(name, hands, seed, odd=window.odd), folder / name))
        | {"hands": hands, "seed": seed}
        for name in rules
    ]


def report(played: Played) -> Json:
    """What came of an evening, in figures."""
    return {
        "rules": played.evening.start.rules,
        "events": len(played.events),
        "killed": played.kills,
        "lost": played.lost,
        "differences": played.differences,
        "touches": {
            name: {"most": max(counts), "median": median(counts), "times": len(counts)}
            for name, counts in played.touches.items()
            if max(counts)
        },
        "seconds": round(played.seconds),
        **(played.figures[-1] if played.figures else {}),
    }


LAID = (Discarded, Claimed, ConcealedKong, AddedKong, FlowerSetOut)
"""Events before the end of a hand that a camera sees."""


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A hand of the evening; end: where its end stands among its steps. begins, until: how many events of the
    plan that are named come before it, and before the next one."""

    played: PlayedHand
    end: int
    begins: int
    until: int

    @property
    def dice(self) -> tuple[int, ...]:
        event = self.played.steps[0].event
        assert isinstance(event, HandStarted)
        return event.dice or ()

    @property
    def laid(self) -> int:
        """How many times tiles are laid before it ends."""
        return sum(isinstance(step.event, LAID) for step in self.played.steps[: self.end])

    @property
    def ends(self) -> list[Named]:
        """The wins, or the draw, as people see them."""
        states = [self.played.before, *(step.state for step in self.played.steps)]
        seen = [
            event_as_seen(states[at], self.played.steps[at].event, None)
            for at in range(self.end, len(self.played.steps))
            if isinstance(self.played.steps[at].event, Won) or at == len(self.played.steps) - 1
        ]
        after = self.played.after
        return [name_win(after, event) if isinstance(event, Won) else (event, None) for event in seen]

    def find_giver(self, winner: int) -> int | None:
        """Whose tile the player won on; None where it was drawn."""
        over = self.played.after.hand
        assert over is not None
        return next(result.discarder for result in over.results if result.winner == winner)

    def count_steps(self, laid: int) -> int:
        """After how many steps this number of tiles was on the table."""
        for at, step in enumerate(self.played.steps):
            if not laid:
                return at
            laid -= isinstance(step.event, LAID)
        return self.end


def part_hands(evening: Evening) -> list[LaidHand]:
    """The hands of an evening in which nothing else was booked."""
    state: State = apply(None, evening.start)
    hands: list[LaidHand] = []
    steps: list[SimulatedMove] = []
    before, begins = state, 0
    named = [at for at, (event, _) in enumerate(evening.named) if isinstance(event, HandStarted)]
    named.append(len(evening.named))
    for event in evening.truth[1:]:
        if isinstance(event, HandStarted):
            before, steps = state, []
            begins = named[len(hands)]
        was_playing = state.playing
        state = apply(state, event)
        steps.append(SimulatedMove(event, state))
        if was_playing and not state.playing:
            end = len(steps) - 1
            hands.append(
                LaidHand(
                    PlayedHand(1, evening.start, before, tuple(steps)), end, begins, named[len(hands) + 1]
                )
            )
        elif not state.playing and hands:  # another winner
            hands[-1] = replace(hands[-1], played=PlayedHand(1, evening.start, before, tuple(steps)))
    return hands
