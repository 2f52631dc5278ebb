"""All kept games, the newest first. Only those on the screen have widgets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.state import Home
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag, Text
from companion.app.widgets.listing import Listing
from companion.app.widgets.scores_tag import ScoresTag
from companion.game.shelf import GameGlance
from companion.words import Words

BUTTON_WIDTH = dp(136)
NARROW_UNDER = dp(700)
"""In a narrower list the buttons of a game are below its words."""


class GamesPage(Card):
    """A list that scrolls."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        self.controller = controller
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2.4
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self.note = Text(colour=theme.IVORY_DIM, align="center")
        self.list = Listing(GameRow, row_height=_find_height(0), spacing=theme.GAP)
        self.list.bind(width=self._fit)
        for child in (head, self.list):
            self.add_widget(child)
        self._shown: object = None

    def _fit(self, _: object, width: float) -> None:
        self.list.row_height = _find_height(width)

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        games = state.all_games
        self.title.text, self.back.text = words("Older games"), words("Back")
        self.note.text = ""
        if state.unread:
            self.note.text = words("Reading {count} more games …", count=len(state.unread))
        elif not games:
            self.note.text = words("No game is kept yet: the first one begins on the page before.")
        if bool(self.note.text) != (self.note.parent is not None):
            if self.note.text:
                self.add_widget(self.note, index=1)
            else:
                self.remove_widget(self.note)
        if self._shown != (games, words):
            self._shown = games, words
            self.list.data = [{"game": game, "words": words, "page": self} for game in games]


def _is_narrow(width: float) -> bool:
    return bool(0 < width < NARROW_UNDER * theme.SCALE)


def _find_height(width: float) -> float:
    """How high a row is in a list of that width, px."""
    usual = theme.SCALE * theme.TOUCH + 4 * theme.GAP
    return float(usual + theme.TOUCH + theme.GAP if _is_narrow(width) else usual)


class GameRow(RecycleDataViewBehavior, Card):
    """One game: who played what, and what may be done with it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP), **kwargs)
        self.game: GameGlance | None = None
        self._page: GamesPage | None = None
        self.players = ScoresTag()
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        texts = BoxLayout(orientation="vertical", spacing=theme.GAP / 2)
        texts.add_widget(self.players)
        texts.add_widget(self.about)
        self.go_on = Press(" ", act=self._go_on, size=theme.TEXT_SMALL)
        self.sheet = Press(" ", act=self._look, size=theme.TEXT_SMALL)
        self.restore = Press(" ", act=self._restore, size=theme.TEXT_SMALL)
        self.presses = BoxLayout(
            size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP, pos_hint={"center_y": 0.5}
        )
        for child in (texts, self.presses):
            self.add_widget(child)
        self.bind(width=self._lay)
        self._lay()

    def _lay(self, *_: object) -> None:
        """Buttons beside the words, or below them in a narrow list."""
        is_narrow = _is_narrow(self.width)
        self.orientation = "vertical" if is_narrow else "horizontal"
        n_presses = len(self.presses.children)
        self.presses.size_hint_x = 1 if is_narrow else None
        self.presses.width = n_presses * BUTTON_WIDTH + max(n_presses - 1, 0) * theme.GAP
        self.presses.height = theme.TOUCH if n_presses else 0

    def refresh_view_attrs(self, view: object, index: int, data: dict[str, object]) -> None:
        game, words, page = data["game"], data["words"], data["page"]
        assert isinstance(game, GameGlance)
        assert isinstance(words, Words)
        assert isinstance(page, GamesPage)
        self.game, self._page = game, page
        self.go_on.text, self.sheet.text = words("Go on"), words("Score sheet")
        self.restore.text = words("Restore")
        self.go_on.disabled = game.over
        self.presses.clear_widgets()
        offered = (self.restore,) if game.copy else ()
        for press in offered if game.trouble else (self.go_on, self.sheet):
            self.presses.add_widget(press)
        self._lay()
        now = datetime.now(UTC)
        if game.trouble:
            self.players.show((), f"{game.name}  ·  {wording.say_when(game.at, now, words)}")
            copy = words(" A copy of {day} exists.", day=game.copy) if game.copy else ""
            self.about.text = words.say(game.trouble) + copy
        else:
            self.players.show(wording.list_scores(game, words))
            self.about.text = wording.describe_game(game, now, words)

    def _go_on(self) -> None:
        if self._page and self.game:
            name = self.game.name
            self._page.controller.do(lambda state: state.go_on(name))

    def _restore(self) -> None:
        if self._page and self.game:
            name = self.game.name
            self._page.controller.do(lambda state: state.restore(name))

    def _look(self) -> None:
        if self._page and self.game:
            name = self.game.name
            self._page.controller.do(lambda state: state.look_at(name))
