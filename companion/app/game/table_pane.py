"""The table from above, and beside it what is recorded: by touch, with a camera, by devices."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cameras import Cameras
from companion.app.feature import Controller, View
from companion.app.game.counts_pane import CountsPane
from companion.app.game.events_pane import EventsPane
from companion.app.game.fix_sheet import FixSheet
from companion.app.game.follow_pane import FollowPane
from companion.app.game.followed import Followed, find_doubtful
from companion.app.game.keys_pane import KeysPane
from companion.app.game.notices import CornersCard, DoubtCard, LostCard, QuestionCard
from companion.app.game.picture_pane import PicturePane
from companion.app.game.recording import Side
from companion.app.game.state import GameTable
from companion.app.game.tools_row import ToolsRow
from companion.app.game.wins_pane import WinsPane
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Tag
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.board_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_sea,
)
from companion.table.state import Phase

SIDE_LEAST = dp(500)
"""Nine keys of a finger's width."""
SIDE_PART_MOST = 0.56
"""Of the window's width, where the table stands beside what is recorded."""
KEYS_LEAST = dp(475)
"""The least height of what is recorded, where it is below the table: five rows of keys of 9 mm."""
COUNTS_PART = 0.36
COUNTS_BESIDE_FROM = dp(600)
"""In a window that is lower than this the counts take the place of the keys."""
PICTURE_PART = 0.5
PICTURE_LEAST = dp(150)
"""The least height of the picture beside a question: as much as there is, where that is less."""


class TablePane(BoxLayout):
    """Everything but the picture is shown with the view; that is `picture`'s own."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self.board = Board(
            lambda seat: do(lambda state: state.touch_seat(seat)),
            lambda number: do(lambda state: state.select(number)),
        )
        self.keys = KeysPane(controller)
        self.sea = SeaCard()
        self.events = EventsPane(lambda number: do(lambda state: state.select(number)))
        self.fix = FixSheet(controller)
        self.counts = CountsPane()
        self.follow = FollowPane(controller, cameras)
        self.picture = PicturePane(controller)
        self.wins = WinsPane(controller)
        self.tools = ToolsRow(controller)
        self.question = QuestionCard(controller)
        self._space = Widget()
        self.lost = LostCard(controller)
        self.doubt = DoubtCard(controller)
        self.corners_card = CornersCard(controller)
        self._side = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self._inner = BoxLayout(orientation="vertical", spacing=theme.GAP)
        for each in (self._inner, self.question, self.lost, self.doubt, self.picture.caption):
            each.bind(height=self._keep_picture)
        self._placed: object = None
        self._following: object = None

    def show(self, view: View[GameTable]) -> None:
        state, words = view.state, view.words
        followed = state.followed
        if followed is None:
            return
        if state.following is not self._following:
            self._following = state.following
            self.events.return_to_newest()
        self.picture.show(view)
        self.tools.show(view)
        if state.wins_only and not self._needs_tiles(state):
            self.wins.show(view)
            self._arrange(view, None, [self.wins])
            return
        game = followed.state
        sea = describe_sea(game, words)
        seen = BoardView(
            game,
            describe_plates(game, words),
            describe_middle(game, words),
            describe_left(game),
            describe_coming(game, words),
            sea is not None,
            find_doubtful(followed),
            state.acting,
            state.plan.bottom,
        )
        self.board.show(seen)
        shown: Widget
        if state.entry is not None:
            self.fix.show(state.entry, game, words)
            shown = self.fix
        elif state.side is Side.KEYS:
            self.keys.show(view)
            shown = self.keys
        elif state.side is Side.EVENTS or self._has_picture(state):
            self.events.show(followed, words, has_begun=self.picture.has_begun)
            shown = self.events
        else:
            self.follow.show(view)
            shown = self.follow
        if self._has_counts(state):
            self.counts.show(game, words)
        notice = self._choose_notice(view, followed)
        asks_hand = notice is self.question and self.question.is_of_hand
        self._arrange(view, notice, [self._space] if asks_hand else self._list_side(view, shown))

    def _needs_tiles(self, state: GameTable) -> bool:
        """Whether even a table that records only wins has to name a tile: the one that is turned over."""
        hand = state.game.hand if state.game is not None else None
        return hand is not None and hand.phase is Phase.INDICATOR

    def _has_picture(self, state: GameTable) -> bool:
        return state.runs or state.ended

    def _has_counts(self, state: GameTable) -> bool:
        """Whether there are tiles to be counted, where that is wanted. Before a hand dice need the room."""
        hand = state.game.hand if state.game is not None else None
        is_played = hand is not None and hand.phase not in (Phase.OVER, Phase.INDICATOR)
        return state.has_counts and is_played

    def _list_side(self, view: View[GameTable], shown: Widget) -> list[Widget]:
        """What stands beside the table, from above."""
        state = view.state
        parts = [shown]
        sea = describe_sea(state.game, view.words) if state.game else None
        if state.side is Side.CAMERA and self._has_picture(state) and not state.large and state.entry is None:
            parts = [self.picture, shown]
            self.picture.size_hint_y, shown.size_hint_y = PICTURE_PART, 1 - PICTURE_PART
        elif self._has_counts(state) and self._side_height(view.size) >= COUNTS_BESIDE_FROM:
            parts = [self.counts, shown]
            self.counts.size_hint_y, shown.size_hint_y = COUNTS_PART, 1 - COUNTS_PART
        elif self._has_counts(state) and shown is self.keys and state.acting is None and not state.dice:
            parts = [self.counts]
            self.counts.size_hint_y = 1
        else:
            shown.size_hint_y = 1
        if sea is None:
            return parts
        self.sea.show(sea)
        is_still = shown is self.keys and not self.keys.has_tiles
        self.sea.size_hint_y, self.sea.height = (1, 0) if is_still else (None, theme.TOUCH * 1.6)
        return [self.sea, *parts]

    def _choose_notice(self, view: View[GameTable], followed: Followed) -> Widget | None:
        """What a person is asked or told: one thing at a time."""
        state, words = view.state, view.words
        if state.corners is not None:
            self.corners_card.show(len(state.corners), words)
            return self.corners_card
        if state.entry is not None:
            return None
        if followed.lost and self._has_picture(state):
            self.lost.show(followed.lost, words, flat=False, runs=state.runs)
            return self.lost
        question = followed.questions[0] if followed.questions else None
        entry = followed.find(question.number) if question else None
        if question is not None and entry is not None:
            self.question.show(question, entry.said, words)
            return self.question
        if followed.doubted:
            self.doubt.show(followed.doubted, words, flat=False)
            return self.doubt
        return None

    def _side_height(self, size: tuple[float, float]) -> float:
        width, height = size
        return height if width > height else height - width * 0.8

    def _arrange(self, view: View[GameTable], notice: Widget | None, parts: list[Widget]) -> None:
        wide = view.size[0] > view.size[1]
        large = view.state.large
        placed = wide, view.size, large, notice, parts
        if placed == self._placed:
            return
        self._placed = placed
        for each in (self, self._side, self._inner):
            each.clear_widgets()
        self.orientation = "horizontal" if wide else "vertical"
        for part in (*([notice] if notice is not None else []), *parts):
            self._inner.add_widget(part)
        self._side.add_widget(self._inner)
        self._side.add_widget(self.tools)
        if parts == [self.wins]:
            self._side.size_hint = (1, 1)
            self.add_widget(self._side)
            return
        self._size_side(view.size, wide=wide)
        self._keep_picture()
        self.picture.size_hint_y = 1 if large else self.picture.size_hint_y
        self.add_widget(self.picture if large else self.board)
        self.add_widget(self._side)

    def _keep_picture(self, *_: object) -> None:
        """Let the list of events give way where the picture would be too low to see anything in it."""
        inner = self._inner.children
        if self.picture not in inner:
            self.picture.size_hint_min_y = None
            return
        notices = [each.height for each in inner if each.size_hint_y is None]
        room = self._inner.height - sum(notices) - self._inner.spacing * (len(inner) - 1)
        self.picture.size_hint_min_y = max(0, min(self.picture.measure(PICTURE_LEAST), room))

    def _size_side(self, size: tuple[float, float], *, wide: bool) -> None:
        if wide:
            side = min(
                max(size[0] - size[1] - theme.GAP, SIDE_LEAST, size[0] * 0.3), size[0] * SIDE_PART_MOST
            )
            self._side.size_hint, self._side.width = (None, 1), side
        else:
            high = max(KEYS_LEAST, size[1] - theme.BAR_HEIGHT - size[0] - theme.GAP * 3)
            self._side.size_hint, self._side.height = (1, None), high


class SeaCard(Card):
    """That the Sea Floor is reached, in the largest letters there are."""

    def __init__(self) -> None:
        super().__init__(colour=theme.GOLD, size_hint_y=None, height=theme.TOUCH * 1.6, padding=theme.GAP)
        self.words = Tag(size=theme.TEXT_HUGE, colour=theme.INK, align="center", bold=True)
        self.add_widget(self.words)

    def show(self, words: str) -> None:
        self.words.text = words
