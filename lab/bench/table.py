"""Speed of playing hands, applying events, resuming games and storing events; and a check of the invariants.

The hands are those of four built-in players. After every event of n hands tiles and points are counted again
from the state and from the log as text; times are measured in n runs, and the runs of all figures take turns.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import IO, Any

from companion import config
from companion.coach.play.simulation import PlayedHand, SimulatedMove, play
from companion.errors import EventError
from companion.game.exchange import read_game
from companion.game.file import GameFile
from companion.game.game import Game
from companion.rules import RULE_SETS
from companion.table.apply import apply, fold
from companion.table.events import Event, GameStarted, decode_event, decode_log, encode_event, encode_log
from companion.table.state import HandState, Phase, State, changed
from companion.tiles import KINDS, Tile
from lab.bench.figures import figure
from lab.bench.rules import Figure


class NotSo(Exception):
    """What does not hold."""


def check(played: PlayedHand) -> None:
    """NotSo unless tiles are conserved, every count is right and payments are zero-sum after each event, and
    the hand's log, as text, leads to the same state after each: a game can go on from any of them."""
    for step in played.steps:
        check_state(step.state)
        _check_points(played.before, step.state)
    check_log(played.start, played.steps)


def check_state(state: State) -> None:
    """NotSo unless tiles are conserved, every count is right, and payments are zero-sum."""
    for entry in state.ledger:
        _must(sum(entry.points) == 0, entry)
    if state.hand is not None and state.hand.phase is not Phase.DEAL:
        _check_tiles(state, state.hand)
        _check_counts(state, state.hand)


def check_log(start: Event, steps: tuple[SimulatedMove, ...]) -> None:
    """NotSo unless the log as text leads to the same state after every event."""
    state = apply(None, _as_text(start))
    for event, after in steps:
        state = apply(state, _as_text(event))
        same = _hand(state) == _hand(after) and state.playing == after.playing
        _must(same and (state.points, state.deal) == (after.points, after.deal), event)
    lines = encode_log([start, *(step.event for step in steps)])
    _must(fold(event for _, event in decode_log(lines)) == state, "the log")


def _check_points(before: State, state: State) -> None:
    """The points are those before the hand and all that was paid since."""
    paid = [entry.points for entry in state.ledger[len(before.ledger) :]]
    _must(state.points == tuple(map(sum, zip(before.points, *paid, strict=True))), state.points)


def _as_text(event: Event) -> Event:
    return decode_event(encode_event(event))


def _hand(state: State) -> HandState | None:
    """The hand; how many payments there were before it, the log of one hand does not tell."""
    return None if state.hand is None else changed(state.hand, booked=0)


def _check_tiles(state: State, hand: HandState) -> None:
    """Each kind as often as the game has it, the wall having the rest; one of the dead wall may be open."""
    lying = Counter(_tiles_lying(state, hand))
    for kind in KINDS:
        seen = lying[kind] + (kind is hand.indicator)
        _must(seen == hand.known[kind.index] <= state.house.copies[kind.index], kind, seen)
    wall = hand.wall
    _must(lying.total() + wall.live_left + wall.dead_left == wall.rule.tile_set.total, wall.live_left)


def _tiles_lying(state: State, hand: HandState) -> Iterator[Tile]:
    wild = state.house.wild(hand.fortune)
    stands = {wild.tile: wild.substitute} if wild and wild.substitute else {}  # HZ-06: melds are written so
    for player in hand.players:
        _must(player.hidden == 0, player)
        yield from (*player.concealed, *player.flowers, *filter(None, player.discards))
        for laid in player.melds:
            if laid.meld is not None:
                yield from (stands.get(tile, tile) for tile in laid.meld.tiles)


def _check_counts(state: State, hand: HandState) -> None:
    """Everybody has the tiles that they have between turns, and one more whose turn it is, or who has won; of
    several winners the first has the tile (C-13)."""
    size = state.house.rules.hand_size
    winners = {result.winner for result in hand.results[:1]}
    for seat in state.house.seats:
        more = hand.players[seat].count + 3 * len(hand.players[seat].melds) - size
        if hand.phase in (Phase.SEA, Phase.OVER):
            _must(more in (0, 1) and (more == 1 or seat not in winners), seat, more)
            continue
        dealt = hand.phase in (Phase.FLOWERS, Phase.INDICATOR)
        acts = seat == (hand.deal.dealer if dealt else hand.turn) and hand.phase is not Phase.CLAIM
        owed = hand.owed if seat == hand.turn else 0
        _must(more == acts - owed, seat, more)


def _must(holds: bool, *what: object) -> None:
    if not holds:
        raise NotSo(*what)


SEED = 20261121
HANDS = 16
"""Hands of the games whose events are applied, stored and read again."""
HANDS_EACH_RUN = 50
"""Enough that quick hands and long ones even out."""
RESUMED_EACH_RUN = 3
EVENTS_EACH_RUN = 50
KEPT_GAME = "hebei"
PAGE = 4096
"""Bytes that the yardstick of keeping an event writes: a page of the file."""
Json = dict[str, Any]


class Times:
    """One thing done again and again; each run tells the median of its times, in ms."""

    def __init__(self, what: str, of: str, do: Callable[[], object], times: int) -> None:
        self.what, self.of, self._do, self._times = what, of, do, times
        self._medians: list[float] = []

    def run(self) -> None:
        took = []
        for _ in range(self._times):
            began = time.perf_counter()
            self._do()
            took.append(1000 * (time.perf_counter() - began))
        self._medians.append(statistics.median(took))

    def forget(self) -> None:
        """Leave out what was measured so far."""
        self._medians.clear()

    def report(self) -> Json:
        return figure(self.what, self.of, "ms", self._medians, min)


def bench(runs: int, hands: int) -> Json:
    """Every figure, each measured `runs` times, and what must hold in `hands` hands of each game.

    Games are kept in the user's data folder while it runs: it is that disk that counts.
    """
    with tempfile.TemporaryDirectory(prefix="bench-", dir=config.data_dir()) as folder, ExitStack() as open_:
        figures: list[Figure | Times] = [
            figure for name in RULE_SETS for figure in _of_game(name, Path(folder))
        ]
        keeping = open_.enter_context(closing(_keeping(Path(folder))))
        page = open_.enter_context((Path(folder) / "page").open("wb", buffering=0))
        figures.append(Times("keep an event", KEPT_GAME, lambda: next(keeping), EVENTS_EACH_RUN))
        figures.append(Times("write 4 kB and sync", "the same disk", lambda: _sync(page), EVENTS_EACH_RUN))
        for each in figures:
            each.run()
            each.forget()
        for _ in range(runs):
            for each in figures:
                each.run()
    return {
        "python": sys.version.split()[0],
        "hands": hands,
        "seed": SEED,
        "figures": [each.report() for each in figures],
        "holds": [_holds(name, hands) for name in RULE_SETS],
    }


def _of_game(name: str, folder: Path) -> Iterator[Figure | Times]:
    """What is measured of one game."""
    start = GameStarted(rules=name)
    game = _events(start)
    without_end = play(start, sys.maxsize, random.Random(SEED))
    yield Figure("hands simulated", name, lambda _: next(without_end), [None] * HANDS_EACH_RUN)
    yield Figure("events applied", name, _apply_all, [game], len(game))
    path = folder / f"{name}.game"
    GameFile.create(path, read_game(encode_log(game)).entries).close()
    yield Times(f"resume a game of {HANDS} hands", name, lambda: Game.resume(path).close(), RESUMED_EACH_RUN)


def _events(start: GameStarted) -> list[Event]:
    """A game of HANDS hands."""
    played = play(start, HANDS, random.Random(SEED))
    return [start, *(step.event for hand in played for step in hand.steps)]


def _apply_all(game: list[Event]) -> None:
    state: State | None = None
    for event in game:
        state = apply(state, event)


def _keeping(folder: Path) -> Generator[None]:
    """Keeps one event of a game after the other; after its last, those of another such game."""
    start, *events = _events(GameStarted(rules=KEPT_GAME))
    assert isinstance(start, GameStarted)
    for number in count():
        with Game.begin(folder / f"kept-{number}.game", start) as game:
            for event in events:
                game.append(event)
                yield


def _sync(file: IO[bytes]) -> None:
    file.write(bytes(PAGE))
    os.fsync(file.fileno())


def _holds(name: str, hands: int) -> Json:
    """Whether all is well after each event of n finished hands; and how many were won."""
    won = events = 0
    wrong = ""
    try:
        for played in play(GameStarted(rules=name), hands, random.Random(SEED)):
            check(played)
            won += bool(played.after.hand and played.after.hand.results)
            events += len(played.steps)
    except (EventError, NotSo) as problem:
        wrong = f"{type(problem).__name__}: {problem}"
    result = {
        "what": f"every event of {name}",
        "holds": not wrong,
        "hands": hands,
        "won": won,
        "events": events,
    }
    return result | ({"wrong": wrong} if wrong else {})
