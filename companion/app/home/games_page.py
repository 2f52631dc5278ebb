"""The list of games: each continued, looked at and changed; and the archived ones. Only the games on the
screen have widgets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.widget import Widget

from companion.app.effects import Effect
from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.games import ArchiveGame, BringBack, CopyGame, RenameGame, Shelf
from companion.app.home.state import Home
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text, adopt
from companion.app.widgets.listing import Listing
from companion.app.widgets.name_field import NameField
from companion.app.widgets.name_tag import ScoresTag
from companion.game.shelf import BinnedGame, GameGlance
from companion.words import Words

BUTTON_WIDTH = dp(128)
COUNT_WIDTH, ARCHIVED_WIDTH = dp(110), dp(170)
NARROW_UNDER = dp(900)
"""In a narrower list the buttons of a game are below its words."""


class GamesPage(Card):
    """The list; or what can be done with one game; or the archived games."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        self.controller = controller
        do = controller.do
        self.sought = NameField(lambda text: self._do(lambda shelf: shelf.seek(text)))
        self.count = Tag(colour=theme.IVORY_DIM, align="right", size_hint_x=None, width=COUNT_WIDTH)
        self.archived = Press(" ", act=lambda: do(Home.show_archived), size_hint_x=None)
        self.archived.width = ARCHIVED_WIDTH * theme.SCALE
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        self._top = layout.row(self.sought, self.count, self.archived, self.back, height=theme.TOUCH)
        self.list = Listing(GameRow, row_height=_find_height(0), spacing=theme.GAP)
        self.list.bind(width=self._fit)
        self.note = Text(colour=theme.IVORY_DIM, align="center")
        self.name = NameField(lambda text: self._do(lambda shelf: shelf.type(text)))
        self.copy_name = NameField(lambda text: self._do(lambda shelf: shelf.type_copy(text)))
        self._column = Column()
        self._listed: object = None
        self._built: object = None

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        shelf, games = state.shelf, {game.name: game for game in state.all_games}
        chosen = games.get(shelf.chosen or "")
        if chosen is not None:
            self._hold(self._column)
            self._show_chosen(chosen, shelf, words, is_played=state.is_played(chosen.name))
        elif shelf.shows_archived:
            self._hold(self._column)
            self._show_archived(shelf, words)
        else:
            self._built = None
            self._show_list(state, words)

    def _show_list(self, state: Home, words: Words) -> None:
        shelf, found = state.shelf, state.found_games
        self.sought.hint_text = words("Find by name, player or day")
        unread = 0 if shelf.sought else len(state.unread)
        self.count.text = words("{count} games", count=len(found) + unread)
        self.archived.text = words("Archived: {count}", count=len(shelf.archived))
        self.archived.disabled = not shelf.archived
        self.back.text = words("Back")
        self.note.text = ""
        if state.unread:
            self.note.text = words("Reading {count} more games …", count=len(state.unread))
        elif not found:
            nothing = words("No games yet: go back to start the first one.")
            self.note.text = words("No game found.") if shelf.sought else nothing
        self._hold(self._top, *([self.note] if self.note.text else []), self.list)
        listed = found, state.played, words
        if self._listed != listed:
            self._listed = listed
            self.list.data = [
                {"game": game, "is_played": state.is_played(game.name), "words": words, "page": self}
                for game in found
            ]

    def _hold(self, *children: Widget) -> None:
        if self.children[::-1] != list(children):
            self.clear_widgets()
            for child in children:
                self.add_widget(child)

    def _fit(self, _: object, width: float) -> None:
        self.list.row_height = _find_height(width)

    def _show_chosen(self, game: GameGlance, shelf: Shelf, words: Words, *, is_played: bool) -> None:
        built = game, words, is_played
        if built == self._built:
            return
        self._built = built
        name, inside = game.name, self._column.inside
        inside.clear_widgets()
        inside.add_widget(Text(name, size=theme.TEXT_HUGE, colour=theme.GOLD))
        inside.add_widget(Text(wording.describe_players(game, words)))
        inside.add_widget(Text(wording.describe_game(game, datetime.now(UTC), words), colour=theme.IVORY_DIM))
        if is_played:
            inside.add_widget(Text(words("Open another game before changing this one.")))
        rename = Press(words("Rename"), act=self._change(lambda shelf: RenameGame(name, shelf.typed.strip())))
        copy = Press(
            words("Make a copy"), act=self._change(lambda shelf: CopyGame(name, shelf.copy_name.strip()))
        )
        archive = Press(words("Archive"), act=self._change(lambda _: ArchiveGame(name)))
        for press in (rename, copy, archive):
            press.disabled = is_played
        self.name.show(shelf.typed)
        self.copy_name.show(shelf.copy_name)
        its_name = Text(words("Name:"), colour=theme.IVORY_DIM)
        copy_is = Text(words("Name of the copy:"), colour=theme.IVORY_DIM)
        for child in (its_name, self.name, rename, copy_is, self.copy_name, copy, archive):
            adopt(inside, child)
        inside.add_widget(Press(words("Back"), act=lambda: self._do(Shelf.leave)))

    def _show_archived(self, shelf: Shelf, words: Words) -> None:
        built = shelf.archived, words
        if built == self._built:
            return
        self._built = built
        inside = self._column.inside
        inside.clear_widgets()
        inside.add_widget(Text(words("Archived games"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        for archived in shelf.archived:
            inside.add_widget(self._make_archived(archived, words))
        inside.add_widget(Press(words("Back"), act=lambda: self._do(Shelf.leave)))

    def _make_archived(self, archived: BinnedGame, words: Words) -> Card:
        row = _Row(size_hint_y=None, height=_find_height(self.width))
        if archived.game is None:
            row.players.show((), f"{archived.name}   {archived.at.astimezone():%Y-%m-%d}")
        else:
            row.say(archived.game, words)
        row.offer(Press(words("Restore"), act=lambda: self._effect(BringBack(archived))))
        return row

    def _change(self, make: Callable[[Shelf], Effect]) -> Callable[[], None]:
        return lambda: self.controller.do(lambda state: state.change_games(make(state.shelf)))

    def _effect(self, effect: Effect) -> None:
        self.controller.do(lambda state: state.change_games(effect))

    def _do(self, step: Callable[[Shelf], Shelf]) -> None:
        self.controller.do(lambda state: state.in_shelf(step))


def _is_narrow(width: float) -> bool:
    return bool(0 < width < NARROW_UNDER * theme.SCALE)


def _find_height(width: float) -> float:
    """How high a row is in a list of that width, px."""
    usual = theme.SCALE * theme.TOUCH + 4 * theme.GAP
    return float(usual + theme.TOUCH + theme.GAP if _is_narrow(width) else usual)


class _Row(Card):
    """Who played what, and what can be done with it: buttons next to the words, or below them in a narrow
    list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP), **kwargs)
        self.players = ScoresTag()
        self.about = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._presses = layout.row(height=theme.TOUCH, pos_hint={"center_y": 0.5})
        for child in (layout.column(self.players, self.about, spacing=0), self._presses):
            self.add_widget(child)
        self.bind(width=self._lay)

    def say(self, game: GameGlance, words: Words, *, is_played: bool = False) -> None:
        """Who has how many points, and what is known of the game; or why it cannot be read."""
        now = datetime.now(UTC)
        if game.trouble:
            self.players.show((), f"{game.name}  ·  {wording.describe_when(game.at, now, words)}")
            copy = words(" A copy of {day} exists.", day=game.copy) if game.copy else ""
            self.about.text = words.say(game.trouble) + copy
            return
        self.players.show(wording.list_scores(game, words), game.name)
        about = f"{game.name}  ·  {wording.describe_game(game, now, words)}"
        self.about.text = words("{what} · in progress", what=about) if is_played and not game.over else about

    def offer(self, *presses: Press) -> None:
        """Have these buttons."""
        self._presses.clear_widgets()
        for press in presses:
            self._presses.add_widget(press)
        self._lay()

    def _lay(self, *_: object) -> None:
        is_narrow = _is_narrow(self.width)
        self.orientation = "vertical" if is_narrow else "horizontal"
        count = len(self._presses.children)
        self._presses.size_hint_x = 1 if is_narrow else None
        self._presses.width = count * BUTTON_WIDTH * theme.SCALE + max(count - 1, 0) * theme.GAP
        self._presses.height = theme.TOUCH if count else 0


class GameRow(RecycleDataViewBehavior, _Row):
    """One game of the list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.game: GameGlance | None = None
        self._page: GamesPage | None = None
        step = self._step
        self.go_on = Press(" ", act=partial(step, Home.go_on), size=theme.TEXT_SMALL)
        self.sheet = Press(" ", act=partial(step, Home.look_at), size=theme.TEXT_SMALL)
        self.restore = Press(" ", act=partial(step, Home.restore), size=theme.TEXT_SMALL)
        self.change = Press(" ", act=partial(step, Home.choose_game), size=theme.TEXT_SMALL)

    def refresh_view_attrs(self, view: object, index: int, data: dict[str, Any]) -> None:
        """Called by Kivy with the game that the row shows from now on."""
        game, words = data["game"], data["words"]
        self.game, self._page = game, data["page"]
        self.go_on.text, self.sheet.text = words("Continue"), words("Score sheet")
        self.restore.text, self.change.text = words("Restore"), words("Change …")
        self.go_on.disabled = game.over
        whole, damaged = (self.go_on, self.sheet), (self.restore,) if game.copy else ()
        self.offer(*(damaged if game.trouble else whole), self.change)
        self.say(game, words, is_played=data["is_played"])

    def _step(self, step: Callable[[Home, str], Home]) -> None:
        """Take it with the game that is shown."""
        if self._page and self.game:
            name = self.game.name
            self._page.controller.do(lambda state: step(state, name))
