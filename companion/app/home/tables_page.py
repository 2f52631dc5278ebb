"""Every table of a game, or of all games: as written, ready-made, and one's own."""

from __future__ import annotations

from functools import partial

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.agreed import list_wins
from companion.app.home.houses import House
from companion.app.home.state import Home
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.game_words import name_rules
from companion.app.widgets.press_card import PressCard
from companion.words import Words


class TablesPage(Card):
    """A list that scrolls: one's own tables first."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        do = controller.do
        self._do = do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._list = Column()
        self.rules = Press(" ", act=lambda: do(Home.open_houses))
        for child in (head, self._list, self.rules):
            self.add_widget(child)
        self.cards: dict[str, PressCard] = {}
        self._offered: object = None
        self._chosen, self._finds = "", False
        self._find_chosen = Clock.create_trigger(self._scroll_to_chosen)
        self._list.bind(height=self._find_chosen, on_touch_down=self._leave_list)
        self._list.inside.bind(height=self._find_chosen)

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        question = state.question
        if question is None:
            return
        rules = question.rules
        self.title.text = (
            words("{game}: all tables", game=name_rules(rules, words)) if rules else words("Choose a game")
        )
        self.back.text = words("Back")
        self.rules.text = words("Change house rules, or make your own …")
        houses = state.list_houses(rules)
        if self._offered != (houses, words):
            self._offered = houses, words
            self._offer(houses, words, names_games=rules is None)
        chosen = state.find_chosen(rules) if rules else state.house
        self._mark(chosen.key if chosen else "")
        for house in houses:
            title, said = wording.name_house(house, words), wording.describe_house(house, words)
            if house.is_written and rules:
                title, said = wording.head_house(house, words), wording.explain_house(house, words)
            costs = self._say_costs(house, state, words)
            self.cards[house.key].say(title, f"{said}\n{costs}".strip(), chosen=house == chosen)

    def _say_costs(self, house: House, state: Home, words: Words) -> str:
        """What wins cost there."""
        if house.trouble:
            return ""
        agreed = state.agreed_in(house)
        return "  ·  ".join(wording.say_win(win, agreed.currency, words) for win in list_wins(house, agreed))

    def _offer(self, houses: tuple[House, ...], words: Words, *, names_games: bool) -> None:
        inside = self._list.inside
        inside.clear_widgets()
        self.cards = {}
        own = [house for house in houses if house.is_saved]
        others = [house for house in houses if not house.is_saved]
        games = list(dict.fromkeys(house.rules for house in others))
        self._add(words("Your own"), own)
        for game in games:
            title = name_rules(game, words) if names_games else words("Ready-made")
            self._add(title, [house for house in others if house.rules == game])

    def _add(self, heading: str, houses: list[House]) -> None:
        if not houses:
            return
        self._list.inside.add_widget(Text(heading, colour=theme.GOLD))
        for house in houses:
            card = self.cards[house.key] = PressCard(partial(self._choose, house.key), fits=True)
            card.disabled = house.trouble is not None
            self._list.inside.add_widget(card)

    def _mark(self, key: str) -> None:
        if self._chosen != key:
            self._chosen, self._finds = key, True
            self._find_chosen()

    def _scroll_to_chosen(self, _: float) -> None:
        """Keep the chosen table in sight, in a list too long for the window, until a player touches it."""
        card, inside = self.cards.get(self._chosen), self._list.inside
        hidden = inside.height - self._list.height
        if card is not None and hidden > 0 and self._finds:
            self._list.scroll_y = min(max((card.y - inside.y) / hidden, 0.0), 1.0)

    def _leave_list(self, *_: object) -> None:
        """A player touches the list: from now on it stays where it is."""
        self._finds = False

    def _choose(self, key: str) -> None:
        self._do(lambda state: state.choose_house(key))
