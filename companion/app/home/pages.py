"""The pages of the first page's feature, as widgets: the first page itself, and help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.layout import Layout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.feature import Page as PageWidget
from companion.app.home import wording
from companion.app.home.choice_page import ChoicePage
from companion.app.home.games_page import GamesPage
from companion.app.home.houses import list_games
from companion.app.home.new_game_page import NewGamePage
from companion.app.home.stakes_page import StakesPage
from companion.app.home.state import Home, Page
from companion.app.home.tables_page import TablesPage
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Tag, adopt
from companion.app.widgets.game_words import describe_rules, list_sample, name_rules
from companion.app.widgets.press_card import PressCard, TileSize

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


class StartPage(BoxLayout):
    """Which game is played: the last one gone on with, a new one, or only a photo scored."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self.question = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.question.height = theme.TEXT_HUGE * 1.4
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
        self._left = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self._right = GridLayout(cols=2, spacing=theme.GAP)
        self._main = BoxLayout(spacing=theme.GAP)
        self.older = Press(" ", act=lambda: do(lambda state: state.show(Page.GAMES)))
        self.rules = Press(" ", act=lambda: do(lambda state: state.open_houses()))
        self.settings = Press(" ", act=lambda: do(Home.open_settings))
        self.help = Press(" ", act=lambda: do(Home.explain))
        self.practise = Press(" ", act=lambda: do(Home.practise))
        row = self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.found = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self.found.height = theme.TEXT_SMALL * 1.6
        for child in (self.question, self._main, row, self.found):
            self.add_widget(child)
        self._tonight: str | None = None

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        game = state.tonight
        self._tonight = game.name if game else None
        self._lay(view, resumes=game is not None)
        self.question.text = words("What are we playing tonight?")
        if game:
            now = datetime.now(UTC)
            told = wording.describe_players(game, words)
            if view.size[1] >= LOW_UNDER * theme.SCALE:
                told = f"{told}\n{wording.describe_game(game, now, words)}"
            self.resume.say(words("Continue"), told)
        self.photo.say(words("Score a photo"), words("One hand, without a game"))
        for house in list_games():
            self.games[house.key].say(name_rules(house.rules, words), describe_rules(house.rules, words))
        self.houses.say(words("As your table plays"), words("House rules, ready-made or your own"))
        self.practice.say(words("Try it without tiles"), words("New here? Play against the program"))
        self.practise.text = words("Practice")
        self.older.text, self.rules.text = words("Older games"), words("House rules")
        self.settings.text, self.help.text = words("Settings"), words("Help")
        self.found.text = wording.describe_found(state.found, words)

    def _lay(self, view: View[Home], *, resumes: bool) -> None:
        """Without a game to go on with, eight cards of one size; with one, it stands beside the others where
        the window is wide, else above them."""
        wide = view.size[0] > view.size[1]
        self._main.orientation = "horizontal" if wide else "vertical"
        self._right.cols = 4 if wide and not resumes else 2
        self._left.size_hint = (0.55, 1) if wide else (1, 0.6)
        games = [*self.games.values(), self.houses]
        self.photo.size_hint = (1, PHOTO_SHARE if wide else 1)
        _fill(self._left, [self.resume, self.photo] if resumes else [])
        _fill(self._right, games if resumes else [*games, self.photo, self.practice])
        _fill(self._main, [self._left, self._right] if resumes else [self._right])
        buttons = [self.older, self.rules, self.settings, self.help]
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
