"""The practice game, as the shell knows it: has the table of the running game play."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.practice.given_away import GivenAway, rate_game
from companion.app.practice.state import (
    ASKER,
    BeginHand,
    BeginPractice,
    CallWin,
    Do,
    KeptPractice,
    PassUp,
    Practice,
    RateGame,
    SetPace,
    SetStrength,
    StopRating,
    UndoEvents,
)
from companion.app.thinker import Thinker
from companion.game.updates import Post
from companion.live.practice_hand import PracticeView
from companion.live.practice_table import PracticeTable
from companion.live.running import RunningGame

NUMBERS = 1_000_000_000
"""Maximum number of practice games of each kind."""
RATING_NICENESS = 10
END_S = 2.0
"""The longest wait for the table's thread at the end."""


class LatestView:
    """Hands views of a table on to the window's thread, where it is slower the latest of several."""

    def __init__(self, post: Post, take: Callable[[PracticeView | None], None]) -> None:
        self._post = post
        self._take = take
        self._lock = threading.Lock()
        self._latest: list[PracticeView | None] = []

    def put(self, view: PracticeView | None) -> None:
        """Hand on this one. What an earlier one has to say is not lost."""
        with self._lock:
            before = self._latest[0] if self._latest else None
            if view is not None and before is not None:
                wins = view.wins or (before.wins and view.progress.events is before.progress.events)
                view = replace(view, said=view.said or before.said, wins=wins)
            is_first = not self._latest
            self._latest = [view]
        if is_first:
            self._post(self._hand_on)

    def _hand_on(self) -> None:
        with self._lock:
            (view,), self._latest = self._latest, []
        self._take(view)


class PracticeFeature:
    """Keeps the opponents' strength and whose house rules are played; the game keeps itself. choose_number:
    of the next game."""

    name = ASKER
    part: SavedPart | None = SavedPart(KeptPractice, lambda kept: True)

    def __init__(self, game: RunningGame, post: Post) -> None:
        self._game = game
        self._post = post
        self._table: PracticeTable | None = None
        self._rating: Thinker[GivenAway] = Thinker(post, "rating", RATING_NICENESS)
        self.choose_number: Callable[[], int] = partial(random.SystemRandom().randrange, NUMBERS)

    def begin(self, kept: KeptPractice | None, controller: Controller[Practice]) -> Practice:
        views = LatestView(self._post, lambda view: controller.do(lambda state: state.show_table(view)))
        self._table = PracticeTable(self._game, views.put)
        kept = kept or KeptPractice()
        self._table.set_strength(kept.strength)
        return Practice(kept=kept)

    def keep(self, state: Practice) -> KeptPractice:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[Practice]) -> None:
        table = self._table
        if isinstance(effect, BeginPractice):
            start, number = effect.start, self.choose_number()
            controller.do(lambda state: state.start(start, number))
        if isinstance(effect, RateGame):
            self._rating.begin(
                partial(rate_game, effect.events, effect.known),
                lambda found: controller.do(lambda state: state.accept_ratings(found)),
            )
        elif isinstance(effect, StopRating):
            self._rating.stop()
        if table is None:
            return
        match effect:
            case Do(event):
                table.play(event)
            case CallWin():
                table.call_win()
            case PassUp():
                table.pass_up()
            case BeginHand():
                table.begin_hand()
            case UndoEvents():
                table.take_back()
            case SetPace(pace):
                table.set_pace(pace)
            case SetStrength(strength):
                table.set_strength(strength)

    def offer_pages(self, controller: Controller[Practice]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.practice.lesson_page import LessonStepsPage
        from companion.app.practice.page import PracticeGamesPage, PracticePage

        return {
            "practice_games": partial(PracticeGamesPage, controller),
            "practice": partial(PracticePage, controller),
            "lesson_steps": partial(LessonStepsPage, controller),
        }

    def close(self) -> None:
        """End its threads."""
        self._rating.close()
        if self._table is not None:
            self._table.close(END_S)
