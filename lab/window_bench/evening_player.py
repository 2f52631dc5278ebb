"""Plays a planned evening through the window, from wherever the kept game stands: what a person would touch.

What is in the game already, after a power cut say, is not entered again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.app.home.state import Home, Page
from companion.errors import CompanionError
from companion.rules import Source
from companion.table.events import Event, HandStarted, IndicatorTurned, Won
from companion.table.state import Phase, State
from lab.window_bench.end_touches import BOOKED, EndTouches
from lab.window_bench.evening_plan import Evening, Named, NamedLog
from lab.window_bench.table_touches import Screen, TableTouches

NEW_GAME = "new game"
GO_ON = "go on"


class WrongEvent(CompanionError):
    """What was touched became another event."""


Entered = Callable[[int, str, int], None]
"""Hears the number of an event of the plan, what was touched, and with how many touches."""


class EveningPlayer:
    """One window, and the evening that is entered into it.

    entered: hears of everything that is touched, before the window has answered it.
    """

    def __init__(self, screen: Screen, evening: Evening, entered: Entered) -> None:
        self._screen = screen
        self._evening = evening
        self._entered = entered
        self.at = 0
        self.table = TableTouches(screen)
        self.ends = EndTouches(screen, self.table, lambda step: entered(self.at, step, 0))
        self._log = NamedLog()
        self._named = evening.named

    def begin(self) -> None:
        """A new game from the first page: what is played, as written, who plays, go."""
        page = self._home("home")
        house = f"rules:{self._evening.start.rules}"
        count = self._touch(page.games[house])
        if self._screen.controller.view.front.page == Page.CHOICE:
            count += self._touch(self._home(Page.CHOICE).cards[house])
        page = self._home(Page.NEW_GAME)
        names = self._evening.start.names
        if self._state.plan.names != names:
            for seat, name in enumerate(names):
                self._touch(page.seats.seats[seat])
                page.field.text = name
                self._screen.wait(lambda seat=seat, name=name: self._state.plan.names[seat] == name, name)  # type: ignore[misc]
            self._touch(page.seats.seats[len(names) - 1])
        count += self._touch(page.start)
        self._entered(0, NEW_GAME, count)
        self._wait_for_table()

    def go_on(self) -> None:
        """The game of tonight, from the first page."""
        page = self._home("home")
        self._screen.wait(lambda: self._state.tonight is not None, "tonight's game")
        self._entered(0, GO_ON, self._touch(page.resume))
        self._wait_for_table()

    def play(self) -> None:
        """Enter what the game does not have yet, to the end of the evening."""
        while self.count < len(self._named):
            self.at = self.count
            event, source = self._named[self.at]
            self._entered(self.at, type(event).__name__, self._enter(event, source))
            self._screen.wait(lambda: self.count > self.at and self._is_shown, f"{event} in the game")
            entered, _ = self._log.named[self.at]
            if entered != event and not isinstance(event, Won):
                raise WrongEvent("{entered} is in the game instead of {event}", entered=entered, event=event)

    def finish_hand(self, begins: int, ends: int) -> int:
        """Enter by touch what the hand in play lacks of the events of the plan from `begins` to `ends`; how
        many touches that was. What is in the game that did not happen so is taken back first."""
        touches = 0
        undo = self.table.pane.tools.undo
        while not self._is_as_planned(begins):
            known = self._count_all()
            self._screen.touch(undo)
            touches += 1
            self._screen.wait(lambda known=known: self._count_all() < known and self._is_shown, "the undo")  # type: ignore[misc]
        while (at := begins + self.count_since_start()) < ends:
            self.at = at
            event, source = self._named[at]
            touches += self._enter(event, source)
            self._screen.wait(
                lambda at=at: begins + self.count_since_start() > at and self._is_shown,  # type: ignore[misc]
                f"{event} in the game",
            )
        return touches

    def _count_all(self) -> int:
        followed = self.table.state.followed
        return 0 if followed is None else followed.count

    def _is_as_planned(self, begins: int) -> bool:
        """Whether the hand in play, or the last one, went so far as the plan says from there on, whatever
        dice turned the indicator over."""
        happened = self._list_since_start()
        planned = self._named[begins : begins + len(happened)]
        return len(happened) == len(planned) and all(map(_is_same, happened, planned))

    def _list_since_start(self) -> list[Named]:
        assert self.count >= 0
        named = self._log.named
        begun = max((at for at, (event, _) in enumerate(named) if isinstance(event, HandStarted)), default=0)
        return named[begun:]

    @property
    def state(self) -> State:
        """How the game stands."""
        assert self.count >= 0
        assert self._log.state is not None
        return self._log.state

    def wait_for(self, event: Event) -> None:
        """Until such an event is the last that the game has, and the table is shown again."""
        self._screen.wait(
            lambda: self.count and type(self._log.named[-1][0]) is type(event) and self._is_shown,
            f"{event} in the game",
        )

    def count_since_start(self, types: tuple[type, ...] = (object,)) -> int:
        """How many events of these types that somebody names the hand in play, or the last one, has had."""
        return sum(isinstance(event, types) for event, _ in self._list_since_start())

    @property
    def count(self) -> int:
        """How many of the events that are named the game has."""
        played = self._states["hand_end"].played.progress
        self._log.read(() if played is None else played.events)
        return len(self._log.named)

    @property
    def _is_shown(self) -> bool:
        """Whether the window shows the game as it stands, and is done with what was confirmed."""
        win, followed = self._states["score_photo"].game_win, self.table.state.followed
        tells = (win is not None and win.submitting) or self._states["hand_end"].tells
        played = self._states["hand_end"].played.progress
        if tells or followed is None or played is None or followed.count != len(played.events):
            return False
        return (
            not self.state.playing
            or self.table.game.hand is None
            or self.table.game.hand.phase is not Phase.DEAL
        )

    @property
    def _states(self) -> Any:
        return self._screen.controller.view.states

    @property
    def _state(self) -> Home:
        state = self._states["home"]
        assert isinstance(state, Home)
        return state

    def _home(self, name: str) -> Any:
        self._screen.wait(lambda: self._screen.controller.view.front.page == name, f"the page {name}")
        return self._screen.root.page(name)

    def _touch(self, target: Any) -> int:
        self._screen.touch(target)
        return 1

    def _wait_for_table(self) -> None:
        front = self._screen.controller
        self._screen.wait(
            lambda: front.view.front.page == "game" and self.table.state.followed is not None, "the table"
        )

    def _enter(self, event: Event, source: Source | None) -> int:
        """Touch what enters the event; how many touches that was."""
        if isinstance(event, Won):
            assert source is not None
            return self.ends.enter_win(event, source)
        if isinstance(event, BOOKED):
            return self.ends.book(event)
        return self.table.record(event)


def _is_same(happened: Named, planned: Named) -> bool:
    one, other = happened[0], planned[0]
    if isinstance(one, IndicatorTurned) and isinstance(other, IndicatorTurned):
        return one.tile == other.tile
    return happened == planned
