"""The first page, the choice of a game's table, and all tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.layout import Layout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.feature import Page as PageWidget
from companion.app.home import wording
from companion.app.home.games_page import GamesPage
from companion.app.home.new_game_page import NewGamePage, StakesPage, TableCard
from companion.app.home.state import Home, Page
from companion.app.home.tables import House, list_games, list_wins
from companion.app.text import LANGUAGES
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, adopt
from companion.app.widgets.cards import PressCard, TileSize
from companion.app.widgets.game_words import describe_rules, list_sample, name_rules
from companion.words import Language, Words

LARGE_FROM = dp(700)
"""A lower window has no room for the note; the narrower side of a window in which costs are written large."""


class ChoicePage(BoxLayout):
    """Equally large cards; one touch chooses."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        head = layout.row(self.title, self.back, height=theme.TOUCH)
        self._note = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self._column = Column()
        self._grid = layout.grid(1, size_hint_y=None)
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
        self._note.text = (
            "" if is_low else words("Your choice is saved. You can change it before every game.")
        )
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


class TablesPage(Card):
    """A list that scrolls: your own tables first."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        do = controller.do
        self._do = do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        head = layout.row(self.title, self.back, height=theme.TOUCH)
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


PHOTO_SHARE = 0.55
"""How high the card of a photo is, as a part of that of the last game above it."""
LOW_UNDER = dp(560)
"""A lower window says less of the game that can be gone on with."""
DECORATION = ("1m", "9p", "5s", "1z", "5z", "6z", "7z")
HOUSE_TILES = ("1z", "2z", "3z", "4z")
PRACTICE_TILES = ("5z", "6z", "7z")
PHOTO_TILES = ("2m", "3m", "4m", "6p", "6p")


def offer_pages(controller: Controller[Home]) -> Mapping[str, Callable[[], PageWidget]]:
    """How each page, by its name, is built."""
    return {
        Page.START: partial(StartPage, controller),
        Page.CHOICE: partial(ChoicePage, controller),
        Page.TABLES: partial(TablesPage, controller),
        Page.NEW_GAME: partial(NewGamePage, controller),
        Page.STAKES: partial(StakesPage, controller),
        Page.GAMES: partial(GamesPage, controller),
    }


LANGUAGES_WIDTH, LANGUAGES_FROM = dp(290), dp(760)
"""Of the three languages next to the question; in a narrower window they are in the menu."""


class StartPage(BoxLayout):
    """Which game is played: the last one gone on with, a new one, or only a photo scored."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self.question = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.question.height = theme.TOUCH
        self.languages = Choices(
            lambda key: do(lambda state: state.speak(Language(key))), size_hint_x=None,
            width=LANGUAGES_WIDTH * theme.SCALE,
        )  # fmt: skip
        self._head = layout.row(height=theme.TOUCH)
        self.resume = PressCard(self._go_on, main=True, codes=DECORATION)
        size = TileSize()
        self.photo = PressCard(
            lambda: do(Home.score_photo),
            codes=PHOTO_TILES,
            tile_width=theme.TILE_WIDTH_MIN,
            tile_size=size,
        )
        self.games: dict[str, PressCard] = {}
        for house in list_games():
            self.games[house.key] = PressCard(
                partial(self._pick, house.rules),
                codes=list_sample(house.rules),
                tile_width=theme.TILE_WIDTH_MIN,
                tile_size=size,
            )
        self.houses = PressCard(
            lambda: do(Home.list_tables),
            codes=HOUSE_TILES,
            tile_width=theme.TILE_WIDTH_MIN,
            tile_size=size,
        )
        self.practice = PressCard(
            lambda: do(Home.practise),
            codes=PRACTICE_TILES,
            tile_width=theme.TILE_WIDTH_MIN,
            tile_size=size,
        )
        self._left = layout.column()
        self._right = layout.grid(2)
        self._main = layout.row()
        self.kept = Press(" ", act=lambda: do(Home.show_games))
        self.rules = Press(" ", act=lambda: do(lambda state: state.open_houses()))
        self.settings = Press(" ", act=lambda: do(Home.open_settings))
        self.help = Press(" ", act=lambda: do(Home.explain))
        self.practise = Press(" ", act=lambda: do(Home.practise))
        row = self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.found = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self.found.height = theme.TEXT_SMALL * 1.6
        for child in (self._head, self._main, row, self.found):
            self.add_widget(child)
        self._tonight: str | None = None

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        game = state.last_game
        self._tonight = game.name if game else None
        self._lay(view, resumes=state.may_resume)
        self.question.text = words("What are we playing tonight?")
        self.languages.offer(LANGUAGES, words.language)
        if game:
            now = datetime.now(UTC)
            details = wording.describe_players(game, words)
            if view.size[1] >= LOW_UNDER * theme.SCALE:
                details = f"{details}\n{wording.describe_game(game, now, words)}"
            self.resume.say(words("Continue"), details)
        else:
            self.resume.say(words("Continue"), words("Reading the games …"))
        self.photo.say(words("Score a photo"), words("One hand, without a game"))
        for house in list_games():
            self.games[house.key].say(name_rules(house.rules, words), describe_rules(house.rules, words))
        self.houses.say(words("As your table plays"), words("House rules, ready-made or your own"))
        self.practice.say(words("Play without tiles"), words("New here? Play against the computer"))
        self.practise.text = words("Practice")
        self.kept.text, self.rules.text = words("Games"), words("House rules")
        self.settings.text, self.help.text = words("Settings"), words("Help")
        self.found.text = wording.describe_found(state.found, words)

    def _lay(self, view: View[Home], *, resumes: bool) -> None:
        """Without a game to go on with, eight cards of one size; with one, it stands next to the others where
        the window is wide, else above them."""
        wide = view.size[0] > view.size[1]
        has_languages = view.size[0] >= LANGUAGES_FROM * theme.SCALE
        _fill(self._head, [self.question, *([self.languages] if has_languages else [])])
        self._main.orientation = "horizontal" if wide else "vertical"
        self._right.cols = 4 if wide and not resumes else 2
        self._left.size_hint = (0.55, 1) if wide else (1, 0.6)
        games = [*self.games.values(), self.houses]
        self.photo.size_hint = (1, PHOTO_SHARE if wide else 1)
        _fill(self._left, [self.resume, self.photo] if resumes else [])
        _fill(self._right, games if resumes else [*games, self.photo, self.practice])
        _fill(self._main, [self._left, self._right] if resumes else [self._right])
        buttons = [self.kept, self.rules, self.settings, self.help]
        _fill(self._row, [self.practise, *buttons] if resumes else buttons)

    def _go_on(self) -> None:
        name = self._tonight
        if name:
            self._do(lambda state: state.go_on(name))

    def _pick(self, rules: str) -> None:
        self._do(lambda state: state.pick_game(rules))


def _fill(place: Layout, wanted: Sequence[Widget]) -> None:
    """Have these stand there, in that order, wherever they stood before."""
    if place.children[::-1] != list(wanted):
        place.clear_widgets()
        for widget in wanted:
            adopt(place, widget)
