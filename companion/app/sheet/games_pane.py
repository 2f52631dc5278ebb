"""The kept games: found by a word, opened by a touch, renamed, copied, set aside and had back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from companion.app.effects import Effect
from companion.app.feature import Controller, View
from companion.app.sheet.shelf import BringBack, CopyGame, RemoveGame, RenameGame, RestoreGame, Shelf
from companion.app.sheet.state import SheetState
from companion.app.sheet.wording import describe_game, describe_players, list_scores
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.listing import Listing
from companion.app.widgets.name_field import NameField
from companion.app.widgets.scores_tag import ScoresTag
from companion.game.shelf import BinnedGame, GameGlance
from companion.words import Words

ROW_HEIGHT = theme.TOUCH + 4 * theme.GAP
OPEN_WIDTH, MORE_WIDTH = dp(124), dp(104)


class GamesPane(BoxLayout):
    """The list; or what may be done with one game; or what was set aside."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.sought = NameField(lambda text: self._do(lambda shelf: shelf.seek(text)))
        self.count = Tag(colour=theme.IVORY_DIM, align="right", size_hint_x=None, width=dp(140))
        self.aside = Press(" ", act=lambda: controller.do(SheetState.show_aside), size_hint_x=None)
        self.aside.width = dp(190)
        self._top = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        row_height = ROW_HEIGHT + (theme.SCALE - 1) * theme.TOUCH
        self.list = Listing(GameRow, row_height=row_height, spacing=theme.GAP / 2)
        self.nothing = Text(colour=theme.IVORY_DIM)
        self.name = NameField(lambda text: self._do(lambda shelf: shelf.type(text)))
        self.copy_name = NameField(lambda text: self._do(lambda shelf: shelf.type_copy(text)))
        self._column = Column()
        self.backs: list[Press] = []
        self._listed: object = None
        self._built: object = None
        for child in (self.sought, self.count, self.aside):
            self._top.add_widget(child)

    def show(self, view: View[SheetState]) -> None:
        shelf, words = view.state.shelf, view.words
        if shelf.chosen is not None:
            self._place(self._column)
            self._show_chosen(shelf, view.state, words)
        elif shelf.shows_aside:
            self._place(self._column)
            self._show_aside(shelf, words)
        else:
            self._built = None
            found = shelf.found
            self.sought.hint_text = words("Find by name, player or day")
            self.count.text = words("{count} games", count=len(found) + (0 if shelf.sought else shelf.unread))
            self.aside.text = words("Set aside: {count}", count=len(shelf.aside))
            self.aside.disabled = not shelf.aside
            self.nothing.text = words("No such game.") if shelf.games else words("No game is kept yet.")
            self._place(self._top, self.list if found else self.nothing)
            listed = found, view.state.played.name, words
            if listed != self._listed:
                self._listed = listed
                self.list.data = [
                    {
                        "game": game,
                        "is_played": game.name == view.state.played.name,
                        "words": words,
                        "pane": self,
                    }
                    for game in found
                ]

    def _place(self, *children: Any) -> None:
        if self.children[::-1] != list(children):
            self.clear_widgets()
            for child in children:
                self.add_widget(child)

    def _show_chosen(self, shelf: Shelf, state: SheetState, words: Words) -> None:
        name = shelf.chosen or ""
        game = next(game for game in shelf.games if game.name == name)
        built = game, words
        if built == self._built:
            return
        self._built = built
        inside = self._column.inside
        inside.clear_widgets()
        inside.add_widget(Text(name, size=theme.TEXT_HUGE, colour=theme.GOLD))
        inside.add_widget(Text(describe_players(game, words)))
        inside.add_widget(Text(describe_game(game, words), colour=theme.IVORY_DIM))
        is_played = name == state.played.name
        rename = Press(
            words("Rename it so"), act=self._change(lambda shelf: RenameGame(name, shelf.typed.strip()))
        )
        copy = Press(
            words("Make a copy of that name"),
            act=self._change(lambda shelf: CopyGame(name, shelf.copy_name.strip())),
        )
        remove = Press(words("Set it aside"), act=self._change(lambda shelf: RemoveGame(name)))
        self.name.show(shelf.typed)
        self.copy_name.show(shelf.copy_name)
        for press in (rename, copy, remove):
            press.disabled = is_played
        for field in (self.name, self.copy_name):
            if field.parent:
                field.parent.remove_widget(field)
        if game.copy is not None:
            restore = words("Restore it from the copy of {day}", day=game.copy)
            inside.add_widget(Press(restore, act=partial(self._effect, RestoreGame(name)), main=True))
        its_name = Text(words("Its name:"), colour=theme.IVORY_DIM)
        copy_is = Text(words("The name of a copy:"), colour=theme.IVORY_DIM)
        for child in (its_name, self.name, rename, copy_is, self.copy_name, copy, remove):
            inside.add_widget(child)
        if is_played:
            inside.add_widget(Text(words("Open another game before changing this one.")))
        inside.add_widget(Press(words("Back"), act=lambda: self._do(Shelf.leave)))

    def _show_aside(self, shelf: Shelf, words: Words) -> None:
        built = shelf.aside, words
        if built == self._built:
            return
        self._built = built
        inside = self._column.inside
        inside.clear_widgets()
        self.backs = []
        inside.add_widget(Text(words("Games that were set aside"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        for aside in shelf.aside:
            row = Card(
                orientation="horizontal", size_hint_y=None, height=ROW_HEIGHT, colour=theme.PANEL_RAISED
            )
            row.add_widget(_describe_aside(aside, words))
            back = Press(
                words("Bring back"),
                act=partial(self._effect, BringBack(aside)),
                size_hint_x=None,
                width=dp(160),
            )
            self.backs.append(back)
            row.add_widget(back)
            inside.add_widget(row)
        inside.add_widget(Press(words("Back"), act=lambda: self._do(Shelf.leave)))

    def _change(self, make: Callable[[Shelf], Effect]) -> Callable[[], None]:
        return lambda: self._controller.do(lambda state: state.change_games(make(state.shelf)))

    def _effect(self, effect: Effect) -> None:
        self._controller.do(lambda state: state.change_games(effect))

    def _do(self, step: Any) -> None:
        self._controller.do(lambda state: state.in_shelf(step))

    def open(self, name: str) -> None:
        self._controller.do(lambda state: state.open_game(name))

    def choose(self, name: str) -> None:
        self._do(lambda shelf: shelf.choose(name))


def _describe_aside(aside: BinnedGame, words: Words) -> BoxLayout:
    """Who played what, and under which name it was kept."""
    texts, players = BoxLayout(orientation="vertical"), ScoresTag()
    day = f"{aside.name}   {aside.at.astimezone():%Y-%m-%d}"
    players.show(list_scores(aside.game, words) if aside.game else (), day)
    texts.add_widget(players)
    if aside.game is not None:
        about = f"{aside.name}  ·  {describe_game(aside.game, words)}"
        texts.add_widget(Tag(about, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=0.8))
    return texts


class GameRow(RecycleDataViewBehavior, Card):
    """One kept game."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            orientation="horizontal", colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP), **kwargs
        )
        self.name = ""
        self._pane: GamesPane | None = None
        self.players = ScoresTag()
        self.about = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=0.8)
        texts = BoxLayout(orientation="vertical")
        texts.add_widget(self.players)
        texts.add_widget(self.about)
        placed: dict[str, Any] = {"size_hint_x": None, "pos_hint": {"center_y": 0.5}}
        self.open = Press(" ", act=self._open, width=OPEN_WIDTH * theme.SCALE, **placed)
        self.more = Press(" ", act=self._choose, width=MORE_WIDTH * theme.SCALE, **placed)
        for child in (texts, self.open, self.more):
            self.add_widget(child)

    def refresh_view_attrs(self, _: Any, index: int, data: dict[str, Any]) -> None:
        game, words = data["game"], data["words"]
        assert isinstance(game, GameGlance)
        self.name, self._pane = game.name, data["pane"]
        about = describe_game(game, words)
        if data["is_played"] and not game.over:
            about = words("{what} · is being played", what=about)
        self.players.show(list_scores(game, words), game.name)
        self.about.text = f"{game.name}  ·  {about}"
        self.open.text, self.more.text = words("Score sheet"), words("Change …")
        self.open.disabled = game.trouble is not None

    def _open(self) -> None:
        if self._pane:
            self._pane.open(self.name)

    def _choose(self) -> None:
        if self._pane:
            self._pane.choose(self.name)
