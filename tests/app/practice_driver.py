"""A newcomer at the practice table: touches what is offered, as the window shows it."""

from __future__ import annotations

from typing import Any

from app_driver import Driver

from companion.app.practice.state import Practice
from companion.coach.play.player import BuiltIn
from companion.coach.value.judge import Judge
from companion.live.practice_hand import PersonMoves, Stage
from companion.table.events import Discarded


class Newcomer:
    """Plays on through touches alone, at the window's own pace or on to the next question."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.touches = 0

    @property
    def state(self) -> Practice:
        state = self.driver.controller.view.states["practice"]
        assert isinstance(state, Practice)
        return state

    @property
    def page(self) -> Any:
        return self.driver.pages.practice

    @property
    def stage(self) -> Stage | None:
        return self.state.table.stage if self.state.table else None

    @property
    def points(self) -> tuple[int, ...]:
        """Of everybody, as the game stands."""
        assert self.state.game is not None
        return self.state.game.points

    def touch(self, target: object) -> None:
        self.touches += 1
        self.driver.touch(target)

    def begin(self, rules: str) -> None:
        """From the first page to the table of that game."""
        home = self.driver.pages.home
        self.touch(home.practice if home.practice.get_parent_window() else home.practise)
        assert self.driver.page == "practice_games"
        self.touch(self.driver.pages.practice_games.games[rules])
        self.driver.choose_table(f"rules:{rules}")
        self.driver.wait(lambda: self.driver.page == "practice" and self.stage is Stage.BETWEEN, "the table")
        self.driver.frames(3)

    def begin_hand(self) -> None:
        self.touch(self.page.actions.next)
        self.wait()

    def wait(self) -> None:
        """Until something is to be touched; what others do is skipped."""
        while not self.is_asked():
            self.driver.wait(lambda: not self.state.waits, "the table's answer")
            if self.driver.page == "practice" and self.stage is Stage.PLAYING:
                self.touch(self.page.pace.skip)
        self.driver.frames(3)

    def is_asked(self) -> bool:
        if self.driver.page != "practice":
            return True
        return not self.state.waits and self.stage not in (None, Stage.PLAYING)

    def answer(self, *, claims: bool = False) -> None:
        """Touch something that is offered: a win always, claims where they are wanted."""
        asked = self.state.asked
        assert asked is not None
        actions = self.page.actions
        if asked.wins:
            self.touch(actions.mahjong)
            self.driver.wait(lambda: self.driver.page != "practice" or self.stage is Stage.BETWEEN, "the win")
            return
        if claims and actions.keys and asked.claims:
            self.touch(next(iter(actions.keys.values())))
        elif asked.passes:
            self.touch(actions.pass_up)
        else:
            self.touch(self.page.hand.find(self.choose(asked)))
        self.wait()

    def choose(self, asked: PersonMoves) -> str:
        """The tile that a built-in player would discard."""
        table = self.state.table
        assert table is not None
        house = table.progress.state.house
        event = BuiltIn(Judge(house.rules, house.scoring)).act(table.progress.state, table.seat)
        chosen = event if isinstance(event, Discarded) and event in asked.discards else asked.discards[0]
        assert chosen.tile is not None
        return chosen.tile

    def play_hand(self, *, claims: bool = False) -> bool:
        """To the end of the hand; whether the newcomer has won, and is shown the win to confirm."""
        while self.stage is Stage.ASKING:
            self.answer(claims=claims)
            if self.driver.page != "practice":
                return True
        return False
