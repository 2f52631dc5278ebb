"""The result of a win, as large as the window: all four see it before it is confirmed."""

from __future__ import annotations

from kivy.metrics import dp, sp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.explaining import small_tiles, tiles_of
from companion.app.score_photo.game_win import list_more_winners
from companion.app.score_photo.score import LineRow, total_words
from companion.app.score_photo.seats import amount
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag
from companion.rules.reckoning import reckon_hand

BIGGEST = sp(56)
"""Letters of 6 mm: read from one metre."""
BIG = sp(40)
ROOMY_FROM = dp(700)
"""In a window less high than this the lines get more of it."""
BIG_TILE = theme.TILE_WIDTH_MAX


class ResultPage(BoxLayout):
    """Who won what, what each player pays, the new totals."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self.winner = Tag(
            size=BIGGEST, colour=theme.GOLD, align="center", size_hint_y=None, height=BIGGEST * 1.3
        )
        self.value = Tag(size=BIG, align="center", size_hint_y=None, height=BIG * 1.3)
        self.players = GridLayout(cols=2, spacing=theme.GAP, size_hint_y=None)
        self.players.bind(minimum_height=self.players.setter("height"))
        self.lines = Column(spacing=theme.GAP / 2)
        self.back = Press(" ", act=self._go_back)
        self.another = Press(" ", act=self._enter_another)
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, act=lambda: controller.do(ScorePhoto.confirm)
        )
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH * 1.5, spacing=theme.GAP)
        for press in (self.back, self.another, self.confirm):
            press.height = theme.TOUCH * 1.5
        self.confirm.size_hint_x = 2
        self.amounts: list[str] = []
        for child in (self.winner, self.value, self.players, self.lines, self._row):
            self.add_widget(child)

    def show(self, view: View[ScorePhoto]) -> None:
        words, state = view.words, view.state
        win = state.game_win
        if win is None:
            return
        booked = bool(win.booked) and win.entered is None
        self._row.clear_widgets()
        self.back.text = words("Back to the table") if win.booked else words("Back to the hand")
        self.another.text = words("Another winner")
        self.confirm.text = words("Confirm")
        self.confirm.disabled = win.tells or win.entered is None
        self._row.add_widget(self.back)
        if win.booked and list_more_winners(win.state):
            self._row.add_widget(self.another)
        if not win.booked:
            self._row.add_widget(self.confirm)
        entered = win.entered
        if entered is None or booked:
            return
        names = [words.say(name) for name in state.seat_names]
        score = entered.score
        self.winner.text = words("{name} wins", name=names[state.draft.winner])
        self.value.text = total_words(score, words)
        wide, roomy = view.size[0] > view.size[1], view.size[1] >= ROOMY_FROM
        self.players.cols = 4 if wide else 2
        self.players.clear_widgets()
        self.amounts = []
        for seat, payment in enumerate(score.payments):
            if seat in state.draft.seats:
                self.players.add_widget(_player(names[seat], payment, entered.after.balances[seat], roomy))
                self.amounts.append(amount(payment))
        inside = self.lines.inside
        inside.clear_widgets()
        sign = reckon_hand(score).sign
        for line in score.lines:
            inside.add_widget(LineRow(line, sign, words, score))
        if score.reading:
            inside.add_widget(
                small_tiles(tiles_of(score.reading), BIG_TILE if roomy else theme.TILE_WIDTH_MIN)
            )

    def _go_back(self) -> None:
        def step(state: ScorePhoto) -> ScorePhoto:
            return state.leave_game() if state.game_win and state.game_win.booked else state.show(state.home)

        self._controller.do(step)

    def _enter_another(self) -> None:
        def step(state: ScorePhoto) -> ScorePhoto:
            more = list_more_winners(state.game_win.state) if state.game_win else ()
            return state.begin_game_win(more[0]) if more else state

        self._controller.do(step)


def _player(name: str, payment: int, total: int, roomy: bool) -> Card:
    colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
    card = Card(
        size_hint_y=None, height=BIGGEST * (3.4 if roomy else 2.8), colour=theme.PANEL_RAISED, spacing=0
    )
    card.add_widget(Tag(name, size=theme.TEXT_HUGE, align="center"))
    card.add_widget(Tag(amount(payment), size=BIGGEST, colour=colour, align="center", bold=True))
    card.add_widget(
        Tag(f"= {total:,}".replace("-", "−"), size=theme.TEXT_LARGE, colour=theme.IVORY_DIM, align="center")
    )
    return card
