"""What the score sheet shows of a game where none is open: where there are some."""

from __future__ import annotations

from companion.app.feature import Controller, View
from companion.app.sheet.state import GAMES, SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Column, Press, Text


class NoGame(Column):
    """A sentence, and the button that leads to the kept games."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__()
        self.said = Text(colour=theme.IVORY_DIM)
        self.games = Press(" ", act=lambda: controller.do(lambda state: state.choose_part(GAMES)), main=True)
        for child in (self.said, self.games):
            self.inside.add_widget(child)

    def show(self, view: View[SheetState]) -> None:
        words = view.words
        self.said.text = words("No game is open: choose a kept one, or begin one at the table.")
        self.games.text = words("Kept games")
