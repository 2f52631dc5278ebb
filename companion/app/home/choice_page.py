"""The tables of a game side by side: as written, and what is commonly played."""

from __future__ import annotations

from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.home.state import Home
from companion.app.home.table_card import TableCard
from companion.app.widgets import theme
from companion.app.widgets.basics import Column, Press, Tag
from companion.app.widgets.game_words import name_rules

LOW_UNDER, LARGE_FROM = dp(560), dp(700)
"""A lower window has no room for the note; the narrower side of a window in which costs are written large."""


class ChoicePage(BoxLayout):
    """Equally large cards; one touch chooses."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._note = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self._column = Column()
        self._grid = GridLayout(spacing=theme.GAP, size_hint_y=None)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self._column.inside.add_widget(self._grid)
        self.others = Press(" ", act=lambda: do(Home.show_others))
        for child in (head, self._note, self._column, self.others):
            self.add_widget(child)
        self.cards: dict[str, TableCard] = {}
        self._arrange = Clock.create_trigger(self._share_room, -1)
        self._column.bind(size=self._arrange)

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        rules = state.asked_rules
        if rules is None:
            return
        self.title.text = words("{game}: which rules?", game=name_rules(rules, words))
        self.back.text = words("Back")
        is_low = view.size[1] < LOW_UNDER
        self._note.text = "" if is_low else words("Your choice is kept. You can change it before every game.")
        self._note.height = 0 if is_low else theme.TEXT_SMALL * 1.6
        houses = state.list_houses(rules)
        offered = [house for house in houses if house.is_written or house.is_common]
        if list(self.cards) != [house.key for house in offered]:
            self._grid.clear_widgets()
            self.cards = {}
            for house in offered:
                card = self.cards[house.key] = TableCard(partial(self._choose, house.key))
                for part in card.texts:
                    part.bind(height=self._arrange)
                self._grid.add_widget(card)
        for house in offered:
            card = self.cards[house.key]
            card.choose_letters(small=is_low, large=min(view.size) >= LARGE_FROM)
            card.show(house, state.agreed_in(house), words)
        self._grid.cols = len(offered) if view.size[0] > view.size[1] else 1
        self.others.text = words("Other tables, and your own …")
        self._arrange()

    def _share_room(self, _: float) -> None:
        """All cards equally high: they fill the page, or scroll where their words need more."""
        cards = list(self.cards.values())
        rows = -(-len(cards) // (self._grid.cols or 1))
        room = (self._column.height - (rows - 1) * theme.GAP) / max(1, rows)
        needed = [max(heights) for heights in zip(*(card.list_heights() for card in cards), strict=True)]
        parts = sum(height <= room for height in needed[1:])
        for card in cards:
            card.fit(max(room, needed[parts]), parts, room - needed[parts])

    def _choose(self, key: str) -> None:
        self._do(lambda state: state.choose_house(key))
