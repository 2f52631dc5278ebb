"""Where the states of a served page come from: a kept game that another process writes, or this process's.

A source is called with `deliver`, calls it with each newer state from any thread, and returns what ends that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.files import name_reason
from companion.game import shelf
from companion.game.owner import GameOwner
from companion.game.updates import PlayedGame, Update
from companion.game.watching import PlayedSoFar, WatchedGame
from companion.sentences import Sentence
from companion.serve.viewers import NO_GAME_YET, Watched

Deliver = Callable[[Watched], None]
Source = Callable[[Deliver], Callable[[], None]]

POLL_S = 0.02
"""Pause between two checks of a kept game's file."""
NEWEST_S = 1.0
"""Pause between two searches for the newest kept game."""


def watch_kept(name: str | None) -> Source:
    """The kept game of that name; without one always the one that was written last. InputError if it does
    not exist. A process that has the game open itself must `follow` it instead, or would lose its lock."""
    path = None if name is None else shelf.find(name)

    def begin(deliver: Deliver) -> Callable[[], None]:
        ended = threading.Event()
        thread = threading.Thread(
            target=_watch, args=(path, deliver, ended), name="watched game", daemon=True
        )
        thread.start()
        return ended.set

    return begin


def _watch(named: Path | None, deliver: Deliver, ended: threading.Event) -> None:
    watched = None if named is None else WatchedGame(named)
    trouble: Sentence | None = None
    polls = 0
    while True:
        found: Watched | None = None
        try:
            if named is None and polls % round(NEWEST_S / POLL_S) == 0:
                watched = _find_newest(watched)
            found = NO_GAME_YET if watched is None else watched.poll()
        except CompanionError as problem:
            found = problem.sentence
        except OSError as problem:  # as where the disk with the data is not plugged in
            found = Sentence("This game cannot be read ({why}).", {"why": name_reason(problem)})
        if isinstance(found, PlayedSoFar):
            trouble = None
            deliver(found)
        elif found is not None and found != trouble:
            trouble = found
            deliver(found)
        polls += 1
        if ended.wait(POLL_S):
            return


def _find_newest(watched: WatchedGame | None) -> WatchedGame | None:
    """The game that was written last; the same value if that is the one that is watched."""
    newest = next(iter(shelf.list_newest()), None)
    if newest is None:
        return None
    path = shelf.FILES.path_of(newest)
    return watched if watched is not None and watched.path == path else WatchedGame(path)


def follow(game: GameOwner, *, also_unkept: bool = False) -> Source:
    """The game that this process plays. also_unkept: also one without a file, as a camera is followed without
    a name; in the window such a game is one that devices report for, and nobody plays it."""

    def begin(deliver: Deliver) -> Callable[[], None]:
        played = PlayedGame()

        def receive(update: Update) -> None:
            nonlocal played
            before, played = played, played.apply_update(update)
            if played is not before:
                deliver(_describe(played, also_unkept))

        game.subscribe(receive)

        def end() -> None:
            game.unsubscribe(receive)

        return end

    return begin


def _describe(played: PlayedGame, also_unkept: bool) -> Watched:
    progress = played.progress
    if progress is None or (played.name is None and not also_unkept):
        return NO_GAME_YET
    return PlayedSoFar(played.name or "", progress.events, progress.state)
