"""How fast hands are played, events applied, games resumed and events kept; and whether what must hold does.

Hands are those of four built-in players. What must hold is checked after every event of n hands; times
are measured in n runs, and the runs of all figures take turns.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import IO, Any

from companion import config
from companion.coach.simulation import play
from companion.errors import EventError
from companion.game import Game, GameFile, read_game
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import Event, GameStarted, encode_log
from companion.table.state import State
from lab.bench.figures import figure
from lab.bench.rules import Figure
from lab.bench.table_checks import NotSo, check

SEED = 20261121
HANDS = 16
"""In the games whose events are applied, kept and read back."""
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
    """Whether all is well after each event of n hands, each of which ended; and how many were won."""
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
