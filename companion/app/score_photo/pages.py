"""The pages of scoring a photo. Each arranges the same panes for wide, tall and small windows; the result of
a win has its own file (`result_page.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.feature import Page as PageWidget
from companion.app.score_photo import editing, entering, open_tiles, photo
from companion.app.score_photo.editing import Page, Pane
from companion.app.score_photo.game_win import WHICH_CLAIMED, WHOSE_HAND, ask
from companion.app.score_photo.hand_panes import HandTray, PicturePane, TileSheet
from companion.app.score_photo.more import MorePage, OptionsPage
from companion.app.score_photo.result_page import ResultPage
from companion.app.score_photo.rows_page import RowsPage
from companion.app.score_photo.score import ScorePane
from companion.app.score_photo.state import ScorePhoto
from companion.app.score_photo.win import WinPane
from companion.app.widgets import theme
from companion.app.widgets.basics import Arrangement, Press, Tag, adopt, choose_arrangement
from companion.app.widgets.cards import PressCard
from companion.app.widgets.game_words import describe_rules, list_sample, name_rules
from companion.rules import RULE_SETS
from companion.sheets.wording import write_worth
from companion.words import Words

ENTRY_SCORE_PART = 0.26
"""On the page of a win, minimum part of the height for the score while tiles are typed."""
TALL_PICTURE_PART = 0.36
QUESTIONS_PART = 0.55
ENTRY_SCORE_HEIGHT_MIN = dp(150)
"""The questions may take QUESTIONS_PART of the height next to the picture, and more where the score keeps
this height."""
A_ROW = 3
"""Number of game cards in a row of a wide window."""
PICTURE_PART = 1.1
"""Width of the picture relative to the tiles'."""
TRAY_PART = 0.6
"""Height of the tiles below the picture relative to the picture's, while tiles are typed."""
TALL_PARTS = 0.9, 0.6, 0.9
"""Heights of picture, tiles and keyboard in a tall window."""
SCORE_PART = 0.52
"""Part of a wide window for the tiles and their score."""
PICTURE_HEIGHT_MIN = dp(190)
"""Minimum height of the picture while tiles are typed."""
SCORE_HEIGHT_MIN = dp(190)
"""Minimum height of the score in a tall window while tiles are typed."""
TALL_LOWER_PART = 0.64
"""Part of a tall window for win and score."""
TRAY_ROWS_MAX = 3
ANSWERS_SHARE, SMALL_ANSWERS_SHARE = 1.1, 1.9
KEYS_SHARE, SMALL_KEYS_SHARE = 1.35, 1.7
"""Width of the answers, and of the keyboard of tiles, relative to what is left of them; in a small window
four names, or nine keys that a finger hits, have room side by side."""


class EntryPage(BoxLayout):
    """The page of a win in the game: picture and questions next to each other, the tiles in one row below
    them."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._main = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller)
        self.sheet = TileSheet(controller)
        self.win = WinPane(controller)
        self.score = ScorePane(controller)
        self.cancel = Press(" ", act=lambda: controller.do(entering.drop_winner))
        self.take = Press(" ", icon="camera", act=lambda: controller.do(photo.watch))
        self.choose = Press(" ", icon="picture", act=lambda: controller.do(photo.request_picture))
        self.add = Press(" ", icon="plus", act=lambda: controller.do(editing.start_adding))
        self.false = Press(" ", act=lambda: controller.do(entering.declare_false))
        self.show_all = Press(" ", main=True, size=theme.TEXT_LARGE, act=lambda: controller.do(_go_on))
        self.show_all.size_hint_x = 1.8
        self._buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._view: View[ScorePhoto] | None = None
        self._placed: object = None
        self.add_widget(self._main)
        self.add_widget(self._buttons)
        self.bind(parent=lambda *_: self.win.show_start())
        self.tray.bind(width=self._fit)
        for side in (self.win, self.sheet):
            side.bind(wanted_height=self._fit)
        self._main.bind(height=self._fit)

    @property
    def table(self) -> EntryPage:
        """The page itself, which has the panes that the table page has."""
        return self

    def show(self, view: View[ScorePhoto]) -> None:
        state, words = view.state, view.words
        if state.game_win is None:
            return
        self._view = view
        arrangement = choose_arrangement(view.size)
        win = state.game_win
        pictured = state.preview is not None or state.shown is not None or state.loading or state.taking
        bare = not (state.hand.tiles or state.typing or state.draft.stated)
        asks_who = not {"winner", "from"}.isdisjoint(state.open_questions)
        crowded = bare or asks_who or (win.is_complete and not win.only_shown)
        small = arrangement is Arrangement.SMALL
        scored = not (small and crowded)
        tiles = not bare and state.draft.stated is None
        asks_alone = small and not pictured and not tiles and not state.typing
        placed = arrangement, state.typing, pictured, tiles, bare, scored, win.only_shown, win.past
        if placed != self._placed:
            self._placed = placed
            has_pane = pictured or (bare and not small)
            self._place(arrangement, state.typing, has_pane, tiles=tiles, scored=scored)
            self._place_buttons(may_be_false=not (win.only_shown or win.past), may_add=asks_alone)
        for pane in (self.picture, self.tray, self.sheet, self.win, self.score):
            pane.show(view)
        self._fit()
        self._say(state, words)

    def _say(self, state: ScorePhoto, words: Words) -> None:
        win = state.game_win
        assert win is not None
        back = words("Back to the sheet") if win.past else words("Back to the table")
        self.cancel.text = words("Previous winner") if win.earlier else back
        self.take.text, self.choose.text = words("Camera"), words("Picture")
        self.add.text = words("Tiles")
        self.add.disabled = state.draft.stated is not None
        self.false.text = words("False win …")
        self.take.chosen = state.preview is not None
        asked = state.open_questions
        self.show_all.disabled = bool(asked) or not win.is_complete or state.loading or win.submitting
        if asked:
            self.show_all.text = words(WHOSE_HAND) if win.only_shown else words.say(ask(asked[0]))
        elif win.only_shown:
            self.show_all.text = words("Enter this hand")
        elif win.is_complete:
            worth = write_worth(win.entered[-1].score, words)
            self.show_all.text = words("Show everyone: {value}", value=worth)
        else:
            self.show_all.text = words(WHICH_CLAIMED) if state.asks_claims else words("Show everyone")

    def _place_buttons(self, *, may_be_false: bool, may_add: bool) -> None:
        """may_add: tiles are added here, since the pane that offers it has no room."""
        self._buttons.clear_widgets()
        buttons = [self.cancel, self.take, self.choose, self.add, self.false, self.show_all]
        left_out = {self.false: not may_be_false, self.add: not may_add}
        for button in buttons:
            if not left_out.get(button):
                self._buttons.add_widget(button)

    def _place(
        self, arrangement: Arrangement, typing: bool, pictured: bool, *, tiles: bool, scored: bool
    ) -> None:
        for child in (self.picture, self.tray, self.sheet, self.win, self.score):
            if child.parent:
                child.parent.remove_widget(child)
            child.size_hint = (1, 1)
        self._main.clear_widgets()
        edge = theme.GAP / 2 if arrangement is Arrangement.SMALL else theme.PAD
        self.win.padding = (theme.PAD, edge)
        self.tray.spread = typing and not pictured and arrangement is not Arrangement.TALL
        side: Widget = self.sheet if typing else self.win
        alone = not scored or (typing and arrangement is not Arrangement.WIDE)
        answers: list[Widget] = [side] if alone else [side, self.score]
        if arrangement is Arrangement.TALL:
            above: list[Widget] = [self.picture] if pictured else []
            for each in (*above, *([self.tray] if tiles else []), *answers):
                self._main.add_widget(each)
            return
        left: list[Widget]
        right: list[Widget]
        if typing:
            left, right = [self.picture, self.tray] if pictured else [self.tray], answers
        elif pictured:
            left, right = [self.picture], answers
        else:
            left, right = [self.win], [self.score] if scored else []
        above_them = BoxLayout(spacing=theme.GAP)
        small = arrangement is Arrangement.SMALL
        keys_share = SMALL_KEYS_SHARE if small else KEYS_SHARE
        answers_share = SMALL_ANSWERS_SHARE if small else ANSWERS_SHARE
        for children, share in ((left, 1.0), (right, keys_share if typing else answers_share)):
            column = BoxLayout(orientation="vertical", spacing=theme.GAP, size_hint_x=share)
            for each in children:
                column.add_widget(each)
            if children:
                above_them.add_widget(column)
        self._main.add_widget(above_them)
        if tiles and not typing:
            self._main.add_widget(self.tray)

    def _fit(self, *_: object) -> None:
        """Give the tiles the rows that they need, and the questions the height that they want."""
        view = self._view
        if view is None or self._main.height <= 1:
            return
        arrangement = choose_arrangement(view.size)
        small, tall = arrangement is Arrangement.SMALL, arrangement is Arrangement.TALL
        room = rest = self._main.height
        if not self.tray.spread:
            most = 1 if small and not view.state.typing else 2
            self.tray.size_hint_y = None
            self.tray.height = self.tray.height_for(min(self.tray.count_rows(view.state.hand), most))
        else:
            self.tray.size_hint_y = 1
        if self.tray.parent is self._main:
            rest -= self.tray.height + theme.GAP
        if tall and self.picture.parent is not None:
            self.picture.size_hint_y, self.picture.height = None, TALL_PICTURE_PART * room
            rest -= self.picture.height + theme.GAP
        alone = self.score.parent is None
        self.sheet.room = rest if alone else rest * (1 - ENTRY_SCORE_PART)
        self.sheet.size_hint_y = 1 if small else None
        self.sheet.height = self.sheet.wanted_height
        alone = self.score.parent is not self.win.parent
        self.win.size_hint_y = 1 if alone else None
        if not alone:
            most = max(rest * QUESTIONS_PART, rest - ENTRY_SCORE_HEIGHT_MIN)
            self.win.height = min(self.win.wanted_height, most)


def _go_on(state: ScorePhoto) -> ScorePhoto:
    """Show everyone the win; enter a hand that is only shown."""
    win = state.game_win
    return entering.confirm(state) if win is not None and win.only_shown else editing.show(state, Page.RESULT)


class GamePage(BoxLayout):
    """The page that asks which game a hand is scored by: a card for each game."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self.question = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.question.height = theme.TEXT_HUGE * 1.4
        self._rows = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.games = {
            rules: PressCard(
                partial(controller.do, partial(photo.pick_game, rules=rules)), codes=list_sample(rules)
            )
            for rules in RULE_SETS
        }
        for child in (self.question, self._rows):
            self.add_widget(child)
        self._a_row = 0

    def show(self, view: View[ScorePhoto]) -> None:
        words = view.words
        self._arrange(A_ROW if view.size[0] > view.size[1] else 1)
        self.question.text = words("Choose a game")
        for rules, card in self.games.items():
            card.say(name_rules(rules, words), describe_rules(rules, words))

    def _arrange(self, a_row: int) -> None:
        """Arrange the cards in rows; the cards of an incomplete row are wider."""
        if a_row == self._a_row:
            return
        self._a_row = a_row
        self._rows.clear_widgets()
        cards = list(self.games.values())
        for first in range(0, len(cards), a_row):
            row = BoxLayout(spacing=theme.GAP)
            for card in cards[first : first + a_row]:
                adopt(row, card)
            self._rows.add_widget(row)


class OpenTilesPage(BoxLayout):
    """The page of the tiles on the table: the panes of a hand without a score, for more tiles."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller, many=True)
        self.sheet = TileSheet(controller)
        self.done = Press(
            " ", main=True, size=theme.TEXT_LARGE, act=lambda: controller.do(open_tiles.finish_open_tiles),
            size_hint_y=None, height=theme.TOUCH,
        )  # fmt: skip
        self._main = BoxLayout(spacing=theme.GAP)
        for child in (self._main, self.done):
            self.add_widget(child)
        self._placed: object = None
        self._view: View[ScorePhoto] | None = None
        self._main.bind(height=self._fit)

    def show(self, view: View[ScorePhoto]) -> None:
        state, words = view.state, view.words
        if state.waiting is None:
            return
        self._view = view
        self.done.text = words("What should I discard?")
        self.done.disabled = state.busy is not None
        tall = choose_arrangement(view.size) is Arrangement.TALL
        pictured = state.shown is not None or state.loading or state.taking
        shown = pictured or not state.typing, state.typing or bool(state.hand.tiles), state.typing
        if (tall, shown) != self._placed:
            self._placed = tall, shown
            self._place(tall=tall, shown=shown)
        self._fit()
        for pane in (self.picture, self.tray, self.sheet):
            pane.show(view)

    def _place(self, *, tall: bool, shown: tuple[bool, bool, bool]) -> None:
        """shown: whether picture, tray and keyboard are shown."""
        panes: tuple[Widget, ...] = self.picture, self.tray, self.sheet
        for pane, part in zip(panes, TALL_PARTS, strict=True):
            if pane.parent:
                pane.parent.remove_widget(pane)
            pane.size_hint = (1, part if tall else 1)
        self._main.clear_widgets()
        self._main.orientation = "vertical" if tall else "horizontal"
        there = [pane for pane, is_shown in zip(panes, shown, strict=True) if is_shown]
        if not tall and self.sheet in there:
            left = BoxLayout(orientation="vertical", spacing=theme.GAP)
            self.tray.size_hint_y = TRAY_PART
            for pane in there[:-1]:
                left.add_widget(pane)
            there = [left, self.sheet]
        elif not tall:
            self.picture.size_hint_x = PICTURE_PART
        for pane in there:
            self._main.add_widget(pane)

    def _fit(self, *_: object) -> None:
        """Give the keyboard its room."""
        if self._view is None or self._main.height <= 1:
            return
        tall = self._main.orientation == "vertical"
        self.sheet.room = self._main.height * (TALL_PARTS[2] / sum(TALL_PARTS) if tall else 1) - theme.GAP


class TablePage(BoxLayout):
    """The page of a hand alone: five panes, arranged by the size of the window."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller)
        self.sheet = TileSheet(controller)
        self.win = WinPane(controller)
        self.score = ScorePane(controller)
        self._placed: object = None
        self._rows: tuple[object, int] = None, 1
        self._view: View[ScorePhoto] | None = None
        self.tray.bind(width=self._fit_tray)
        for side in (self.win, self.sheet):
            side.bind(wanted_height=self._fit_side)

    def show(self, view: View[ScorePhoto]) -> None:
        arrangement = choose_arrangement(view.size)
        typing = view.state.typing
        placed = (arrangement, typing, view.state.pane if arrangement is Arrangement.SMALL else None)
        if placed != self._placed:
            self._placed = placed
            self._place(arrangement, typing, view.state.pane)
        self.sheet.room = self._sheet_room(arrangement)
        for pane in (self.picture, self.tray, self.sheet, self.win, self.score):
            pane.show(view)
        self._view = view
        self._fit_tray()

    def _fit_tray(self, *_: object) -> None:
        """Make the tray as high as its rows of tiles, whose size depends on its width. It shrinks only with
        another picture, so that tiles touched one after another stay in place."""
        if self._view is None:
            return
        small = choose_arrangement(self._view.size) is Arrangement.SMALL
        most = (2 if self._view.state.typing else 1) if small else TRAY_ROWS_MAX
        rows = min(self.tray.count_rows(self._view.state.hand), most)
        shown = (self._view.state.draft.picture, self.tray.width, small and self._view.state.typing)
        rows = max(rows, self._rows[1]) if shown == self._rows[0] else rows
        self._rows = shown, rows
        self.tray.size_hint_y = None
        self.tray.height = self.tray.height_for(rows)

    def _place(self, arrangement: Arrangement, typing: bool, pane: Pane) -> None:
        for child in (self.picture, self.tray, self.sheet, self.win, self.score):
            if child.parent:
                child.parent.remove_widget(child)
            child.size_hint = (1, 1)
        self.clear_widgets()
        left = BoxLayout(orientation="vertical", spacing=theme.GAP)
        right = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.orientation = "vertical" if arrangement is Arrangement.TALL else "horizontal"
        if arrangement is Arrangement.SMALL:
            for child in (self.picture, self.tray):
                left.add_widget(child)
            self._place_small(left, typing, pane)
            return
        side = self.sheet if typing else self.win
        side.size_hint_y = None
        side.height = side.wanted_height
        if arrangement is Arrangement.WIDE:
            columns: tuple[tuple[Widget, ...], ...] = (self.picture, side), (self.tray, self.score)
            right.size_hint_x = SCORE_PART / (1 - SCORE_PART)
        else:
            columns = (self.picture, self.tray), (side, self.score)
            right.size_hint_y = TALL_LOWER_PART / (1 - TALL_LOWER_PART)
        for column, children in zip((left, right), columns, strict=True):
            for each in children:
                column.add_widget(each)
            self.add_widget(column)

    def _sheet_room(self, arrangement: Arrangement) -> float:
        height = self.height - 2 * theme.GAP
        match arrangement:
            case Arrangement.WIDE:
                return float(height - PICTURE_HEIGHT_MIN)
            case Arrangement.TALL:
                return float(height * TALL_LOWER_PART - SCORE_HEIGHT_MIN)
            case Arrangement.SMALL:
                return float(height)

    def _fit_side(self, side: WinPane | TileSheet, *_: object) -> None:
        if side.size_hint_y is None:
            side.height = side.wanted_height

    def _place_small(self, left: BoxLayout, typing: bool, pane: Pane) -> None:
        if pane is Pane.WIN:
            self.add_widget(self.win)
        elif pane is Pane.SCORE:
            self.add_widget(self.score)
        else:
            self.add_widget(left)
            if typing:
                self.sheet.size_hint_x = SMALL_KEYS_SHARE
                self.add_widget(self.sheet)


def offer_pages(controller: Controller[ScorePhoto]) -> Mapping[str, Callable[[], PageWidget]]:
    """The builder of each page, by its name."""
    return {
        Page.TABLE: partial(TablePage, controller),
        Page.GAME: partial(GamePage, controller),
        Page.ENTRY: partial(EntryPage, controller),
        Page.RESULT: partial(ResultPage, controller),
        Page.ROWS: partial(RowsPage, controller),
        Page.OPTIONS: partial(OptionsPage, controller),
        Page.MORE: partial(MorePage, controller),
        Page.OPEN: partial(OpenTilesPage, controller),
    }
