"""Tables that built-in players play, event by event into kept games, sent by what `companion publish` runs.

They play in a process of their own: one that has a game open must not watch it.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.context import SpawnProcess
from multiprocessing.queues import SimpleQueue
from typing import Self

import msgspec

from companion.coach.play.simulation import play
from companion.errors import CompanionError
from companion.game import shelf
from companion.game.game import Game
from companion.publish.broker import Broker
from companion.publish.connection import Address
from companion.publish.publisher import publish
from companion.publish.sources import WatchedSource
from companion.publish.topics import TableTopics
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.events import Event, GameStarted

Names = tuple[str, str, str, str]
HANDS_MAX = 10**6
"""Of one table in one run: without end."""
CLOSE_S = 5.0
"""How long tables that play no longer go on sending what was not sent yet."""
POLL_S = 0.05


class PlayedTables:
    """Tables of a club, named 1 to n, that play and send until the block ends."""

    def __init__(
        self,
        address: Address,
        club: str,
        people: Sequence[Names],
        pause_s: float,
        report: Callable[[Sentence], None],
    ) -> None:
        """people: the first players of each table. pause_s: between two events of a table. report: called
        with each new trouble, on the thread that sends."""
        spawning = multiprocessing.get_context("spawn")
        self._kept, self._sent = (spawning.Array("i", len(people)) for _ in range(2))
        self._seated: SimpleQueue[Mapping[str, Names]] = spawning.SimpleQueue()
        topics = [TableTopics(club, str(number)) for number in range(1, len(people) + 1)]
        names = ["-".join((each.club, each.table)) for each in topics]
        for name in names:
            shelf.path_of(name).unlink(missing_ok=True)  # of an earlier run
        tables = list(zip(names, people, strict=True))
        self._player: SpawnProcess = spawning.Process(
            target=_play_tables,
            args=(os.getpid(), tables, pause_s, self._kept, self._sent, self._seated),
            daemon=True,
        )
        self._player.start()
        while not all(self._kept[:]) and self._player.is_alive():
            time.sleep(POLL_S)
        self._brokers: list[Broker] = []
        for at, (name, each) in enumerate(zip(names, topics, strict=True)):

            def report_broker(trouble: Sentence | None) -> None:
                if trouble is not None:
                    report(trouble)

            broker = Broker(address, each, report_broker)
            self._brokers.append(broker)
            threading.Thread(target=self._send, args=(at, name, broker, report), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._player.terminate()
        self._player.join()
        ends_s = time.monotonic() + CLOSE_S
        while self._sent[:] != self._kept[:] and time.monotonic() < ends_s:
            time.sleep(POLL_S)
        for broker in self._brokers:
            broker.close()

    def seat(self, seated: Mapping[str, Names]) -> None:
        """Have these tables leave their games, and begin others with these players."""
        self._seated.put(seated)

    def _send(self, at: int, name: str, broker: Broker, report: Callable[[Sentence], None]) -> None:
        def note_sent(_: str, number: int) -> None:
            self._sent[at] = number

        try:
            publish(WatchedSource(shelf.path_of(name)), broker, note_sent, report)
        except CompanionError as error:
            report(error.sentence)


class _Table:
    """A table that plays one game after the other. kept: entries of the one that is played."""

    def __init__(self, name: str, start: GameStarted, seed: int, is_sent: Callable[[], bool]) -> None:
        self._path = shelf.path_of(name)
        self._start = start
        self._rng = random.Random(seed)
        self._is_sent = is_sent
        self._game = Game.begin(self._path, start)
        self._events = self._play()

    @property
    def kept(self) -> int:
        return len(self._game.file.entries)

    def play_on(self) -> None:
        """Keep the next event, of the next game where one is over and was sent."""
        event = next(self._events)
        if event is not None:
            self._game.append(event)

    def seat(self, names: Names) -> None:
        """Leave the game for one with these players."""
        self._start = msgspec.structs.replace(self._start, names=names)
        self._events = itertools.chain(self._begin_next(), self._play())

    def _play(self) -> Iterator[Event | None]:
        """Hand after hand; None while a game that is over is still being sent."""
        current = 1
        for played in play(self._start, HANDS_MAX, self._rng):
            if played.game != current:
                yield from self._begin_next()
                current = played.game
            yield from (step.event for step in played.steps)

    def _begin_next(self) -> Iterator[None]:
        while not self._is_sent():
            yield None
        self._game.file.close()
        self._path.unlink()
        self._game = Game.begin(self._path, self._start)


def _play_tables(
    parent: int,
    tables: Sequence[tuple[str, Names]],
    pause_s: float,
    kept: list[int],
    sent: list[int],
    seated: SimpleQueue[Mapping[str, Names]],
) -> None:
    """Play on at one table after the other while the parent process is there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the process that started this one
    rules, seed = sorted(RULE_SETS), time.time_ns()
    played: list[_Table] = []
    for at, (name, names) in enumerate(tables):
        start = GameStarted(rules=rules[at % len(rules)], names=names)
        played.append(_Table(name, start, seed + at, lambda at=at: sent[at] == kept[at]))  # type: ignore[misc]
        kept[at] = played[at].kept
    while os.getppid() == parent:
        while not seated.empty():
            for number, names in seated.get().items():
                played[int(number) - 1].seat(names)
        for at, table in enumerate(played):
            table.play_on()
            kept[at] = table.kept
            time.sleep(pause_s / len(played))
