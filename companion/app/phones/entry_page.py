"""A win that a phone has entered, or several on one tile, as large as the window: all four see it before it
is confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.phones.state import Phones
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag
from companion.app.widgets.name_tag import LEAST_SHARE, NameTag, measure_name
from companion.app.widgets.tiles import TileStrip
from companion.rules import Score
from companion.sentences import write_number
from companion.serve.entries import Entry, WaitingWin
from companion.serve.remote import RemoteView
from companion.sheets.wording import NEW_TOTAL, name_row, write_line, write_points, write_worth
from companion.table.unrecorded import ReportedWin
from companion.tiles import Tile
from companion.words import Words


class PhoneEntryPage(BoxLayout):
    """Who won, what each player pays and has then, the tiles and the lines; Confirm and Reject."""

    def __init__(self, controller: Controller[Phones]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._key: object = None
        self.first = layout.column(size_hint_y=None, spacing=0)
        self.first.bind(minimum_height=self.first.setter("height"))
        self.players = layout.grid(4, size_hint_y=None)
        self.lines = Column(spacing=theme.GAP / 2)
        self.back = Press(" ", act=lambda: controller.do(Phones.step_back))
        self.reject = Press(" ", act=lambda: controller.do(lambda state: state.judge(False)))
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, act=lambda: controller.do(lambda state: state.judge(True))
        )
        self.confirm.size_hint_x = 2
        for child in (
            self.first, self.players, self.lines,
            layout.row(self.back, self.reject, self.confirm, height=theme.TOUCH),
        ):  # fmt: skip
            self.add_widget(child)

    def show(self, view: View[Phones]) -> None:
        words, remote = view.words, view.state.remote
        self.back.text, self.reject.text = words("Back"), words("Reject")
        self.confirm.text = words("Confirm")
        for press in (self.reject, self.confirm):
            press.disabled = view.state.busy is not None
        if remote is None or remote.entry is None:
            return
        key = remote, words.language, view.size
        if key == self._key:
            return
        self._key = key
        self._show_entry(remote, remote.entry, view)

    def _show_entry(self, remote: RemoteView, entry: Entry, view: View[Phones]) -> None:
        words, seats = view.words, entry.before.house.seats
        self.players.cols = len(seats) if view.size[0] > view.size[1] else 2
        self.players.clear_widgets()
        width = (view.size[0] - theme.GAP) / self.players.cols - 3 * theme.GAP
        cards = [self._draw_player(remote, entry, seat, words, width) for seat in seats]
        height = max(card.height for card in cards)
        for card in cards:
            card.height = height
            self.players.add_widget(card)
        self.players.height = -(-len(seats) // self.players.cols) * (height + theme.GAP)
        self.first.clear_widgets()
        self.lines.inside.clear_widgets()
        for number, (win, score) in enumerate(zip(entry.wins, entry.scores, strict=True)):
            title = self.lines.inside if number else self.first
            for part in _draw_title(remote, entry, win, score, words):
                title.add_widget(part)
            for part in _draw_lines(win, score, words):
                self.lines.inside.add_widget(part)

    def _draw_player(self, remote: RemoteView, entry: Entry, seat: int, words: Words, width: float) -> Card:
        """Name, payment and new total. width: of the card, px."""
        person, payment = entry.before.seated[seat], entry.payments[seat]
        colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
        name = words("{name}", name=remote.name(person))
        total = write_number(entry.after.points[person])
        size = theme.TEXT_LARGE
        parts = (
            (NameTag(name, size=size, align="center"), measure_name(name, size * LEAST_SHARE, width)),
            (Tag(write_points(payment), size=theme.TEXT_HUGE, colour=colour, align="center"), 1.8 * size),
            (Tag(words(NEW_TOTAL, points=total), colour=theme.IVORY_DIM, align="center"), 1.2 * size),
        )
        card = Card(size_hint_y=None, colour=theme.PANEL_RAISED, spacing=0, padding=theme.GAP / 2)
        for part, height in parts:
            part.size_hint_y, part.height = None, max(height, 1.2 * size)
            card.add_widget(part)
        card.height = sum(part.height for part, _ in parts) + theme.GAP
        return card


def _draw_title(
    remote: RemoteView, entry: Entry, win: WaitingWin, score: Score, words: Words
) -> tuple[Widget, ...]:
    """Who won, what it is worth, and whose phone entered it."""
    who = remote.name(entry.before.seated[win.reported.seat])
    title = NameTag(words("{name} wins", name=who), size=theme.TEXT_HUGE, colour=theme.GOLD)
    worth = Tag(
        write_worth(score, words), size=theme.TEXT_HUGE, align="right", bold=True, least=theme.TEXT_SMALL
    )
    source = Tag(
        words("Entered by the phone of {who}", who=remote.name(win.person)), colour=theme.IVORY_DIM,
        size_hint_y=None, height=theme.TEXT * 1.5,
    )  # fmt: skip
    return layout.row(title, worth, height=theme.TEXT_HUGE * 1.6), source


def _draw_lines(win: WaitingWin, score: Score, words: Words) -> Iterator[Widget]:
    """The tiles as they were entered, and what they bring."""
    groups = list_groups(win.reported)
    if groups:
        yield TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX * 0.7)
    for line in score.lines:
        name = Tag(name_row(line, words)[0], size=theme.TEXT_LARGE)
        brings = Tag(write_line(line, score.sign, score), size=theme.TEXT_LARGE, align="right")
        brings.size_hint_x = 0.4
        yield layout.row(name, brings, height=theme.TEXT_LARGE * 1.6)


def list_groups(reported: ReportedWin) -> list[list[tuple[str, bool]]]:
    """The winner's tiles as entered: concealed ones with the winning tile marked, melds, flowers."""
    rest = list(reported.tiles)
    for tile in (*(tile for meld in reported.melds for tile in meld.tiles), *reported.flowers):
        if tile in rest:
            rest.remove(tile)
    won: Tile | None = reported.tile if reported.tile in rest else None
    if won is not None:
        rest.remove(won)
    concealed = [(tile.code, False) for tile in sorted(rest)] + ([(won.code, True)] if won else [])
    melds = [[(tile.code, False) for tile in meld.tiles] for meld in reported.melds]
    return [
        group for group in (concealed, *melds, [(each.code, False) for each in reported.flowers]) if group
    ]
