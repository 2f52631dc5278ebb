"""Whole evenings through the real window, each window a process of its own that is killed in the middle.

The parent plans the evening, opens windows, kills them, and holds the kept game against what was planned.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

from companion.errors import CompanionError
from companion.game import Game
from companion.game.file import GameEntry, read_entries
from companion.sheets.hands import make_sheet
from companion.table.events import Discarded, Event, decode_event
from lab.window_bench.evening_plan import Evening, compare_sheets, plan_evening

KILLS = ((0.25, Discarded.__name__), (0.5, "tiles"), (0.75, "confirmed"))
"""From which part of the evening on, and right after what, the window is killed: after a discard was touched;
with the winner's tiles entered, and nothing confirmed; after Confirm was touched. Nothing waits for the
window's answer to any of them."""
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

    play: Callable[[Path, Evening, bool, Callable[[int, str, int], None]], Json]
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
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_run_window, args=(window, folder, played.evening, goes_on, sending))
    process.start()
    sending.close()
    try:
        while True:
            if not receiving.poll(ANSWER_S):
                raise EveningFailed(
                    "The window has not entered anything for {seconds} s.", seconds=round(ANSWER_S)
                )
            at, what, rest = receiving.recv()
            if what == DONE:
                played.figures.append(rest)
                return True
            if what == FAILED:
                raise EveningFailed("{why}", why=rest)
            played.touches.setdefault(what, []).append(rest)
            if kills and at >= kills[0][0] * total and what == kills[0][1]:
                del kills[0]
                return False
    except EOFError:
        process.join()
        raise EveningFailed(
            "The window is gone: its process ended with {code}.", code=process.exitcode
        ) from None
    finally:
        process.kill()
        process.join()
        receiving.close()


def _run_window(window: Window, folder: Path, evening: Evening, goes_on: bool, sending: Connection) -> None:
    """In a process of its own."""
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
    """All events of the game that was begun last in that data folder; none where there is none."""
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
    """An evening of that many hands of each game; what came of each."""
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
