"""A person at a practice table, played by a script: claims, passes, wins, by chance."""

from __future__ import annotations

import queue
import random
from collections.abc import Callable
from pathlib import Path

from companion.coach.play.player import BuiltIn
from companion.coach.value.judge import Judge
from companion.game.owner import enter_together
from companion.live.practice_hand import Pace, PersonMoves, PracticeView, Stage
from companion.live.practice_table import PracticeTable
from companion.live.running import RunningGame
from companion.table.events import Event, GameStarted
from companion.table.unrecorded import ReportedWin, enter_win

WAIT_S = 60.0


class Practising:
    """A running game with a practice table, and a person who does what `rng` says."""

    def __init__(self, rng: random.Random) -> None:
        self.game = RunningGame()
        self.views: queue.SimpleQueue[PracticeView | None] = queue.SimpleQueue()
        self.table = PracticeTable(self.game, self.views.put)
        self.rng = rng
        self.path: Path | None = None
        self.did: list[str] = []
        self.said: list[str] = []

    def begin(self, path: Path, rules: str, seed: int) -> None:
        self.path = path
        self.game.begin(path, GameStarted(rules=rules, practice=seed)).result(WAIT_S)

    def wait(self, holds: Callable[[PracticeView], bool] = lambda view: True) -> PracticeView:
        """The next view of which that holds."""
        while True:
            view = self.views.get(timeout=WAIT_S)
            if view is None:
                continue
            if view.said is not None:
                self.said.append(str(view.said.template))
            if holds(view):
                return view

    def wait_for_person(self, pace: Pace = Pace.SKIP) -> PracticeView:
        """Until a touch is waited for."""
        view = self.wait()
        while view.stage is Stage.PLAYING:
            if view.stage is Stage.PLAYING and view.pace is not pace:
                self.table.set_pace(pace)
            view = self.wait()
        return view

    def close(self) -> None:
        self.table.close()
        self.game.close()

    def answer(self, view: PracticeView) -> None:
        """Do something with what is asked."""
        asked = view.asked
        assert asked is not None
        if asked.wins and self.rng.random() < 0.8:
            self.did.append("win")
            self.table.call_win()
            return
        others: list[Event] = [*asked.claims, *asked.kongs, *filter(None, (asked.ready, asked.leave))]
        if others and self.rng.random() < 0.5:
            event = self.rng.choice(others)
            self.did.append(type(event).__name__)
            self.table.play(event)
        elif asked.passes:
            self.did.append("pass")
            self.table.pass_up()
        else:
            self.table.play(choose_discard(view, asked))

    def enter_win(self, view: PracticeView) -> None:
        """As the page of a win does."""
        won = enter_win(view.progress.state, ReportedWin(view.seat))
        reported = enter_together(self.game, won.events)
        assert not hasattr(reported, "template"), reported

    def play_hands(self, hands: int) -> PracticeView:
        """Play until so many hands more are over, or the game is."""
        view = self.wait_for_person()
        done = view.progress.state.hands + hands
        while view.stage is not Stage.OVER and (
            view.stage is not Stage.BETWEEN or view.progress.state.hands < done
        ):
            if view.wins:
                self.enter_win(view)
            elif view.stage is Stage.BETWEEN:
                self.table.begin_hand()
            else:
                self.answer(view)
            view = self.wait_for_person()
        return view


def choose_discard(view: PracticeView, asked: PersonMoves) -> Event:
    """What a built-in player would discard, where that may be."""
    house = view.progress.state.house
    event = BuiltIn(Judge(house.rules, house.scoring)).act(view.progress.state, view.seat)
    return event if event is not None and event in asked.discards else asked.discards[0]
