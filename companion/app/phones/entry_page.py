"""A win that a phone has entered, as large as the window: all four see it before it is confirmed."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.phones.state import Phones
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag
from companion.app.widgets.name_tag import LEAST_SHARE, NameTag, measure_name
from companion.app.widgets.tiles import TileStrip
from companion.sentences import write_number
from companion.serve.remote import Entry, RemoteView
from companion.sheets.wording import NEW_TOTAL, name_row, write_line, write_points, write_worth
from companion.tiles import Tile
from companion.words import Words


class PhoneEntryPage(BoxLayout):
    """Who won, what each player pays and has then, the tiles and the lines; Confirm and Reject."""

    def __init__(self, controller: Controller[Phones]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._key: object = None
        self.title = NameTag("", size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.worth = Tag(size=theme.TEXT_HUGE, align="right", bold=True, least=theme.TEXT_SMALL)
        self.source = Tag(size=theme.TEXT, colour=theme.IVORY_DIM, size_hint_y=None, height=theme.TEXT * 1.5)
        self.players = layout.grid(4, size_hint_y=None)
        self.lines = Column(spacing=theme.GAP / 2)
        self.back = Press(" ", act=lambda: controller.do(Phones.step_back))
        self.reject = Press(" ", act=lambda: controller.do(lambda state: state.judge(False)))
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, act=lambda: controller.do(lambda state: state.judge(True))
        )
        self.confirm.size_hint_x = 2
        for child in (
            layout.row(self.title, self.worth, height=theme.TEXT_HUGE * 1.6), self.source, self.players,
            self.lines, layout.row(self.back, self.reject, self.confirm, height=theme.TOUCH),
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
        words, score = view.words, entry.entered.score
        seated = entry.before.seated
        self.title.text = words("{name} wins", name=remote.name(seated[entry.reported.seat]))
        self.worth.text = write_worth(score, words)
        self.source.text = words("Entered by the phone of {who}", who=remote.name(entry.person))
        self.players.cols = len(entry.before.house.seats) if view.size[0] > view.size[1] else 2
        self.players.clear_widgets()
        width = (view.size[0] - theme.GAP) / self.players.cols - 3 * theme.GAP
        seats = entry.before.house.seats
        cards = [self._draw_player(remote, entry, seat, words, width) for seat in seats]
        height = max(card.height for card in cards)
        for card in cards:
            card.height = height
            self.players.add_widget(card)
        self.players.height = -(-len(seats) // self.players.cols) * (height + theme.GAP)
        inside = self.lines.inside
        inside.clear_widgets()
        groups = list_groups(entry)
        if groups:
            inside.add_widget(TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX * 0.7))
        for line in score.lines:
            name = Tag(name_row(line, words)[0], size=theme.TEXT_LARGE)
            brings = Tag(write_line(line, score.sign, score), size=theme.TEXT_LARGE, align="right")
            brings.size_hint_x = 0.4
            inside.add_widget(layout.row(name, brings, height=theme.TEXT_LARGE * 1.6))

    def _draw_player(self, remote: RemoteView, entry: Entry, seat: int, words: Words, width: float) -> Card:
        """Name, payment and new total. width: of the card, px."""
        person, payment = entry.before.seated[seat], entry.payments[seat]
        colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
        name = words("{name}", name=remote.name(person))
        total = write_number(entry.entered.after.points[person])
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


def list_groups(entry: Entry) -> list[list[tuple[str, bool]]]:
    """The winner's tiles as entered: concealed ones with the winning tile marked, melds, flowers."""
    reported = entry.reported
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
