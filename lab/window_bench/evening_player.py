"""Plays a planned evening through the window, from wherever the kept game stands: what a person would touch.

What is in the game already, for example after a power cut, is not entered again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.game.state import GameTable, find_actor
from companion.app.home.state import Home, Page
from companion.app.score_photo.state import ScorePhoto
from companion.errors import CompanionError
from companion.rules import Source
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    FlowerSetOut,
    GameEnded,
    HandAbandoned,
    HandDrawn,
    HandStarted,
    HandVoided,
    IndicatorTurned,
    PointsMoved,
    ReadyDeclared,
    SeatsChanged,
    Won,
)
from companion.table.state import Phase, State
from companion.tiles import MeldKind, parse_meld, parse_tiles
from lab.window_bench.evenings import Evening, Named, NamedLog
from lab.window_bench.screen import DOUBLE_TOUCH_S

if TYPE_CHECKING:
    from companion.app.shell.root import Root
    from companion.app.shell.window_controller import WindowController


class Screen(Protocol):
    """A window, and the finger on it."""

    controller: WindowController
    root: Root

    def touch(self, target: Any) -> None:
        """Touch the middle of that widget."""

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Draw frames until the condition holds."""


class TableTouches:
    """The table's page of that window."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    @property
    def state(self) -> GameTable:
        state = self._screen.controller.view.states["game"]
        assert isinstance(state, GameTable)
        return state

    @property
    def game(self) -> State:
        """How the game stands that the window shows."""
        assert self.state.game is not None
        return self.state.game

    @property
    def pane(self) -> Any:
        return self._screen.root.page("game").table  # type: ignore[attr-defined]

    def record(self, event: Event) -> int:
        """Touch what enters that event; how many touches that was."""
        targets = 0
        for find in self._list_targets(event):
            target = find()
            if target is not None:
                self._screen.touch(target)
                targets += 1
        return targets

    def _list_targets(self, event: Event) -> list[Callable[[], Any]]:
        """What is touched, one after the other; each is found once the one before has changed the page."""
        keys, board = self.pane.keys, self.pane.board
        match event:
            case HandStarted(dice=None):
                return [lambda: keys.no_dice]
            case HandStarted(dice=tuple() as dice):
                return [self._find_die(face) for face in dice]
            case IndicatorTurned(tile=tile, dice=dice):
                return [*(self._find_die(face) for face in dice or ()), lambda: keys.grid.keys[tile]]
            case Claimed(seat=seat, meld=meld):
                return [lambda: board.find_side(seat), lambda: keys.melds[meld]]
            case ConcealedKong(tile=tile):
                return [lambda: keys.kong, lambda: self._find_kong("concealed", tile)]
            case AddedKong(tile=tile):
                return [lambda: keys.kong, lambda: self._find_kong(f"a{tile}", None)]
            case ReadyDeclared():
                return [lambda: keys.ready]
            case FlowerSetOut(seat=seat, tile=tile) | Discarded(seat=seat, tile=tile):
                other = seat != find_actor(self.state)
                side = [lambda: board.find_side(seat)] if other else []
                return [*side, lambda: keys.grid.keys[tile] if tile else keys.unseen]
            case Drawn():
                return [lambda: keys.draw]
        raise ValueError(f"not recorded on the table's page: {event}")

    def _find_die(self, face: int) -> Callable[[], Any]:
        return lambda: self.pane.keys.dice.keys[face]

    def _find_kong(self, key: str, tile: str | None) -> Any:
        """Which kong it is, if it can be several."""
        keys = self.pane.keys
        if not self.state.kong:
            return None
        return keys.melds.get(key) or keys.grid.keys[tile]


Note = Callable[[str], None]
BOOKED = (FalseWin, GameEnded, HandAbandoned, HandDrawn, HandVoided, PointsMoved, SeatsChanged)
"""Events entered on the page for other ends of a hand."""


class EndTouches:
    """The pages of wins and of other ends. note: hears which step of a win is done."""

    def __init__(self, screen: Screen, table: TableTouches, note: Note) -> None:
        self._screen = screen
        self._table = table
        self._note = note
        self._count = 0

    @property
    def _win(self) -> ScorePhoto:
        state = self._screen.controller.view.states["score_photo"]
        assert isinstance(state, ScorePhoto)
        return state

    def _page(self, name: str) -> Any:
        return self._screen.root.page(name)

    def _touch(self, target: Any) -> None:
        self._screen.touch(target)
        self._count += 1

    def _wait_for(self, page: str) -> None:
        self._screen.wait(lambda: self._screen.controller.view.front.page == page, f"the page {page}")

    def enter_win(
        self,
        won: Won,
        source: Source,
        show_hand: Callable[[Won], int] | None = None,
        call: Callable[[], int] | None = None,
        giver: int | None = None,
    ) -> int:
        """Enter the win of that seat, up to the last touch; how many touches that was. show_hand: what brings
        the winner's tiles onto the page, and call: what reports the win, where that is not touch;
        both say how many touches they took. giver: whose tile it is, where the game may not know it."""
        self._count = 0
        if not self._win.game_win or not self._win.game_win.booked:
            self._count += self._call_win(won.seat) if call is None else call()
        else:
            self._touch(self._page("win_result").another)
        self._wait_for("win_entry")
        self._say_who(won.seat, source, giver)
        if show_hand is None:
            self._touch_hand(won)
        else:
            self._count += show_hand(won)
        self._note("tiles")
        entry = self._page("win_entry")
        if self._win.asks_tile:
            same = [tile for tile in self._win.hand.concealed if tile.code == won.tile]
            self._touch(entry.tray.keys[same[-1].id])
        if self._screen.controller.view.front.page == "win_entry":
            held = " ".join(tile.code for tile in self._win.hand.tiles)
            self._screen.wait(lambda: not entry.show_all.disabled, f"the score of {won} with {held}")
            self._touch(entry.show_all)
        self._wait_for("win_result")
        self._touch(self._page("win_result").confirm)
        self._note("confirmed")
        return self._count

    def _call_win(self, seat: int) -> int:
        """On the table's page: who has won is asked where it can be several."""
        self._screen.touch(self._table.pane.keys.mahjong)
        return 1

    def _say_who(self, seat: int, source: Source, giver: int | None) -> None:
        """Who won, and on whose tile, as far as the page does not have it right already."""
        win, state = self._page("win_entry").table.win, self._win
        fields, asked = state.asked_fields or frozenset(), state.open_questions
        if "chance" in fields:
            if asked or (state.draft.winner, state.seated_draft.source) != (seat, source):
                self._touch(win.chances.button(seat, source))
            return
        if state.draft.winner != seat or "winner" in asked:
            self._touch(win.askers["winner"].button(str(seat)))
        if "from" in self._win.open_questions:
            self._touch(win.discarder.button("self" if giver is None else str(giver)))

    def _touch_hand(self, won: Won) -> None:
        """The winner's concealed tiles, the winning one last, if it is not there yet."""
        if won.hand is None:
            return
        entry = self._page("win_entry")
        self._touch(find_press(entry, "Add tiles by hand") or entry.table.tray.adding)
        codes = [tile.code for tile in parse_tiles(won.hand)]
        if won.tile in codes:
            codes.remove(won.tile)
            codes.append(won.tile)
        for tile in self._win.hand.tiles:
            codes.remove(tile.code)
        kongs = [parse_meld(kong).tiles[0].code for kong in won.kongs]
        last = None
        for code in (*(kong for kong in kongs for _ in range(4)), *codes):
            if code == last:
                self._pause()
            self._touch(entry.table.sheet.keys[code])
            last = code
        self._touch(entry.table.sheet.actions["done"])
        if self._screen.controller.view.front.page != "win_entry":  # the kongs are the recorded ones
            return
        for kong in kongs:
            tile = next(each for each in self._win.hand.free if each.code == kong)
            self._touch(entry.table.tray.keys[tile.id])
            self._touch(entry.table.sheet.actions[MeldKind.KONG_CONCEALED.value])

    def _pause(self) -> None:
        """Let so much time pass that the next touch is no double one."""
        ends = time.monotonic() + DOUBLE_TOUCH_S
        self._screen.wait(lambda: time.monotonic() > ends, "the end of a double touch")

    def book(self, event: Event) -> int:
        """Enter another end of a hand, or what else is booked; how many touches that was."""
        self._count = 0
        pane = self._table.pane
        self._touch(pane.keys.over)
        self._wait_for("hand_end")
        page = self._page("hand_end")
        key, seats, amount = _read_booking(event, self._table.game)
        self._touch(page.offers[key])
        for choice, seat in zip((page.seat, page.other), seats, strict=False):
            self._touch(choice.button(str(seat)))
        for step in amount:
            self._touch(find_press(page, step))
        self._touch(page.confirm)
        self._note("confirmed")
        return self._count


def _read_booking(event: Event, state: State) -> tuple[str, Sequence[int], Sequence[str]]:
    """Which ending that is, the seats that are asked for, and the steps to the amount, which begins at 5."""
    match event:
        case HandDrawn(declined_by=None):
            return "drawn", (), ()
        case HandDrawn():
            return "declined", (), ()
        case HandAbandoned():
            return "abandoned", (), ()
        case FalseWin(seat=seat):
            return "false_win", (seat,), ()
        case HandVoided(seat=seat):
            return "voided", (seat,), ()
        case PointsMoved(points=points):
            return "penalty", (points.index(min(points)), points.index(max(points))), ()
        case SeatsChanged(order=order):
            moved = [seat for seat, before in enumerate(order) if seat != before]
            return "seats_changed", moved, ()
        case GameEnded():
            return "ended", (), ()
    raise ValueError(f"not booked: {event}")


def find_press(page: Any, text: str) -> Any:
    """The button that says so."""
    from companion.app.widgets.basics import Press

    for widget in page.walk(restrict=True):
        if isinstance(widget, Press) and widget.text == text:
            return widget
    return None


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
        self._screen.wait(lambda: self._state.last_game is not None, "tonight's game")
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
        while not self._is_as_planned(begins):
            known = self._count_all()
            self._screen.touch(self._screen.root.bar.buttons["undo"])
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
        """How many events of these types a person had to enter in the current hand, or the last one."""
        return sum(isinstance(event, types) for event, _ in self._list_since_start())

    @property
    def count(self) -> int:
        """How many of the events that are named the game has."""
        played = self._states["hand_end"].played.progress
        self._log.read(() if played is None else played.events)
        return len(self._log.named)

    @property
    def _is_shown(self) -> bool:
        """Whether the window shows the present state of the game and has entered what was confirmed."""
        win, followed = self._states["score_photo"].game_win, self.table.state.followed
        submitting = (win is not None and win.submitting) or self._states["hand_end"].submitting
        played = self._states["hand_end"].played.progress
        if submitting or followed is None or played is None or followed.count != len(played.events):
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
