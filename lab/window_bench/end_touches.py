"""What a person touches to enter a win, another end of a hand, or what else is booked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.app.score_photo.state import ScorePhoto
from companion.rules import Source
from companion.table.events import (
    Event,
    FalseWin,
    GameEnded,
    HandAbandoned,
    HandDrawn,
    HandVoided,
    PointsMoved,
    SeatsChanged,
    Won,
)
from companion.table.state import State
from companion.tiles import MeldKind, parse_meld, parse_tiles
from lab.window_bench.table_touches import Screen, TableTouches

Note = Callable[[str], None]
BOOKED = (FalseWin, GameEnded, HandAbandoned, HandDrawn, HandVoided, PointsMoved, SeatsChanged)
"""What is entered on the page for other ends of a hand."""


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
        the winner's tiles onto the page, and call: what says that somebody wins, where that is not touch;
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
        if "tile" in self._win.open_questions:
            same = [tile for tile in self._win.hand.concealed if tile.code == won.tile]
            self._touch(entry.tray.keys[same[-1].id])
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
        if "case" in fields:
            if asked or (state.draft.winner, state.seated_draft.source) != (seat, source):
                self._touch(win.chances.button(seat, source))
            return
        if state.draft.winner != seat or "winner" in asked:
            self._touch(win.askers["winner"].button(str(seat)))
        if "from" in self._win.open_questions:
            self._touch(win.discarder.button("self" if giver is None else str(giver)))

    def _touch_hand(self, won: Won) -> None:
        """The winner's concealed tiles, the winning one last."""
        if won.hand is None:
            return
        entry = self._page("win_entry")
        self._touch(find_press(entry, "Add tiles by hand") or entry.table.tray.adding)
        codes = [tile.code for tile in parse_tiles(won.hand)]
        if won.tile in codes:
            codes.remove(won.tile)
            codes.append(won.tile)
        kongs = [parse_meld(kong).tiles[0].code for kong in won.kongs]
        for code in (*(kong for kong in kongs for _ in range(4)), *codes):
            self._touch(entry.table.sheet.keys[code])
        self._touch(entry.table.sheet.actions["done"])
        for kong in kongs:
            tile = next(each for each in self._win.hand.free if each.code == kong)
            self._touch(entry.table.tray.keys[tile.id])
            self._touch(entry.table.sheet.actions[MeldKind.KONG_CONCEALED.value])

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
