"""Who has how many points once a game is over, the most first; in money too where that was agreed."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from companion.app.text import name_seats
from companion.app.widgets import theme
from companion.app.widgets.basics import Tag
from companion.app.widgets.name_tag import NameTag
from companion.money import format_money
from companion.sheets.wording import say_total
from companion.table.settling import settle_up
from companion.table.state import State
from companion.words import Words

ROW = theme.TEXT_LARGE * 2.4
RANK_SHARE, NAME_SHARE = 0.2, 1.4


class FinalStanding(BoxLayout):
    """A row for each player; the first ones stand out."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, padding=(0, theme.PAD, 0, 0))
        self.bind(minimum_height=self.setter("height"))
        self._shown: object = None

    def show(self, game: State, words: Words) -> None:
        shown = game.balances, game.names, game.currency, words
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        names, settlement = name_seats(game), settle_up(game)
        for rank, seat in rank_seats(game):
            colour = theme.GOLD if rank == 1 else theme.IVORY
            row = BoxLayout(size_hint_y=None, height=ROW, spacing=theme.GAP)
            row.add_widget(Tag(f"{rank}.", size=theme.TEXT_LARGE, colour=colour, size_hint_x=RANK_SHARE))
            name = words.say(names[seat])
            row.add_widget(NameTag(name, size=theme.TEXT_LARGE, colour=colour, size_hint_x=NAME_SHARE))
            points = say_total(game.balances[seat])
            row.add_widget(Tag(points, size=theme.TEXT_LARGE, colour=colour, align="right", bold=True))
            if settlement is not None:
                money = format_money(settlement.amounts[game.seated[seat]], settlement.currency)
                row.add_widget(
                    Tag(money, size=theme.TEXT_LARGE, least=theme.TEXT_TINY, colour=colour, align="right")
                )
            self.add_widget(row)


def rank_seats(game: State) -> list[tuple[int, int]]:
    """The seats that play, each after its rank, the most points first; as many points are the same rank."""
    points = [game.balances[seat] for seat in game.house.seats]
    ranks = [(1 + sum(other > game.balances[seat] for other in points), seat) for seat in game.house.seats]
    return sorted(ranks)
