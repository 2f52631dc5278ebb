"""The page of the running game: choosing a game, the table from above, the tools next to it, and the tiles
left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cameras import Cameras
from companion.app.feature import Controller, View
from companion.app.game.camera_panes import FollowPane, PicturePane
from companion.app.game.entry_panes import KeysPane, WinsPane
from companion.app.game.event_panes import (
    CornersCard,
    DoubtCard,
    EventsPane,
    FixSheet,
    LostCard,
    QuestionCard,
)
from companion.app.game.followed import Followed, find_doubtful
from companion.app.game.state import GameTable, Side
from companion.app.text import list_names
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Press, Tag, Text
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.fields import Pick
from companion.app.widgets.game_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_sea,
)
from companion.app.widgets.tiles import draw_words, tile_texture
from companion.rules import RULE_SETS
from companion.table.knowledge import count_unseen
from companion.table.state import Phase, State
from companion.tiles import KINDS, Suit
from companion.words import Words
from companion.words.filling import SEAT_NAMES

LABEL_WIDTH = dp(150)
FORM_WIDTH = dp(760)


class SetupPane(Card):
    """A short form, and one button that begins."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(GameTable.step_back), size_hint_x=None, width=dp(110)
        )
        head = layout.row(self.title, self.back, height=theme.TOUCH)
        self.go_on = Press(" ", main=True, act=lambda: controller.do(lambda state: state.go_on()))
        self.rules = Pick(lambda key: controller.do(lambda state: state.pick_rules(key)))
        self.dealer = Choices(
            lambda key: controller.do(lambda state: state.with_dealer(int(key))), size=theme.TEXT_SMALL
        )
        self.begin = Press(" ", act=lambda: controller.do(GameTable.begin_game))
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._labels: list[Tag] = []
        self._inner = layout.column(size_hint=(None, None))
        self._inner.bind(minimum_height=self._inner.setter("height"))
        self._parts = (self._row(self.rules), self._row(self.dealer), self.begin, self.about)
        form = AnchorLayout(anchor_x="center", anchor_y="center")
        form.bind(width=lambda _, width: setattr(self._inner, "width", min(width, FORM_WIDTH)))
        form.add_widget(self._inner)
        self.add_widget(head)
        self.add_widget(form)

    def show(self, view: View[GameTable]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self.title.text, self.back.text = words("Which game?"), words("Back")
        for label, name in zip(self._labels, (words("Game"), words("Who deals?")), strict=True):
            label.text = name
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            plan.rules,
        )
        self.dealer.offer(
            [(str(seat), words(name)) for seat, name in enumerate(SEAT_NAMES)], str(plan.dealer)
        )
        self.begin.text = words("Start a new game")
        self.begin.chosen = plan.name is None
        self.about.text = words("Record by touch, with a camera, or only the wins: you choose at the table.")
        if plan.name is not None:
            self.go_on.text = words("Continue {name}", name=plan.name)
        parts = [*([self.go_on] if plan.name is not None else []), *self._parts]
        if self._inner.children[::-1] != parts:
            self._inner.clear_widgets()
            for part in parts:
                self._inner.add_widget(part)

    def _row(self, field: Widget) -> BoxLayout:
        row = layout.row(height=theme.TOUCH)
        label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=LABEL_WIDTH)
        self._labels.append(label)
        row.add_widget(label)
        row.add_widget(field)
        return row


class CountsPane(Card):
    """Each kind with the number left, and below it, smaller, the number seen."""

    def __init__(self) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP / 2)
        self.words = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY, size_hint_y=None, height=theme.TEXT * 1.5)
        self.table = CountsTable()
        for child in (self.words, self.table):
            self.add_widget(child)

    def show(self, game: State, words: Words) -> None:
        self.words.text = words("Tiles left of each kind, and below it the number seen")
        self.table.show(game)


class CountsTable(Widget):
    """A suit a row. left, seen: by the kinds' codes."""

    def __init__(self) -> None:
        super().__init__()
        self.left: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.bind(pos=self._draw, size=self._draw)

    def show(self, game: State) -> None:
        unseen, copies = count_unseen(game, None), game.house.copies
        left = {kind.code: unseen[kind.index] for kind in KINDS if copies[kind.index]}
        if left != self.left:
            self.left = left
            self.seen = {code: copies[kind.index] - n for kind in KINDS for code, n in left.items()
                         if kind.code == code}  # fmt: skip
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        rows = [[k for k in KINDS if k.suit is suit and k.code in self.left] for suit in Suit]
        rows = [row for row in rows if row]
        if not rows:
            return
        wide, high = self.width / max(map(len, rows)), self.height / len(rows)
        with self.canvas:
            for down, row in enumerate(rows):
                for at, kind in enumerate(row):
                    self._draw_kind(kind.code, self.x + at * wide, self.top - (down + 1) * high, wide, high)

    def _draw_kind(self, code: str, x: float, y: float, wide: float, high: float) -> None:
        left, seen = self.left[code], self.seen[code]
        height = min(high * 0.94, wide * 0.52 / theme.TILE_ASPECT)
        width = height * theme.TILE_ASPECT
        Color(1, 1, 1, 1 if left else 0.3)
        Rectangle(texture=tile_texture(code), pos=(x, y + (high - height) / 2), size=(width, height))
        middle, room = x + width + (wide - width) / 2, wide - width
        colour = theme.GOLD if left else theme.IVORY_DIM
        draw_words(str(left), (middle, y + high * 0.64), (room, high * 0.62), colour, bold=True)
        draw_words(str(seen), (middle, y + high * 0.22), (room, high * 0.38), theme.IVORY_DIM)


class ToolsRow(BoxLayout):
    """One touch each."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        do = controller.do
        self.redo = _button(lambda: do(GameTable.bring_back))
        self.keys = _button(lambda: do(lambda state: state.show_side(Side.KEYS)))
        self.events = _button(lambda: do(lambda state: state.show_side(Side.EVENTS)))
        self.camera = _button(lambda: do(lambda state: state.show_side(Side.CAMERA)))
        self.counts = _button(lambda: do(lambda state: state.show_counts(not state.shows_counts)))
        self.wins = _button(lambda: do(lambda state: state.record_wins_only(not state.wins_only)))
        self._placed: object = None

    def show(self, view: View[GameTable]) -> None:
        state, words = view.state, view.words
        self.redo.text = words("Redo")
        self.redo.disabled = not state.can_redo_event
        self.keys.text, self.events.text = words("Tiles"), words("Events")
        self.camera.text, self.counts.text = words("Follow"), words("Counts")
        self.wins.text = words("Record tiles too") if state.wins_only else words("Only wins")
        for button, side in ((self.keys, Side.KEYS), (self.events, Side.EVENTS), (self.camera, Side.CAMERA)):
            button.chosen = state.side is side
        self.counts.chosen = state.shows_counts
        buttons = [self.redo, self.wins]
        if not state.wins_only:
            buttons[1:1] = [self.keys, self.events, self.camera, *([] if state.fair else [self.counts])]
        if buttons != self._placed:
            self._placed = buttons
            self.clear_widgets()
            for button in buttons:
                self.add_widget(button)


def _button(act: Callable[[], None]) -> Press:
    press = Press(" ", act=act, size=theme.TEXT_SMALL)
    press.padding = (theme.GAP / 4, 0)
    return press


SIDE_MIN = dp(520)
"""Nine keys of a finger's width; discards beside them, in 1280 px, can still be read from one metre."""
SIDE_SHARE_MAX = 0.56
"""Maximum share of the window's width for the events, if they are next to the table."""
KEYS_MIN = dp(500)
"""Minimum height of the events and keys below the table: five rows of keys of 9 mm, and the claims."""
COUNTS_PART = 0.36
LOW_UNDER = dp(560)
"""Window height below which what is asked has the room of the tools, and of the list of events."""
CROWDED_UNDER = dp(440)
"""Height next to a panel below which the keys too need the room of the tools."""
COUNTS_FROM = dp(600)
"""The least height of the side for a table of the counts above the events; keys bear their counts."""
PANEL_MAX, PANEL_UPRIGHT = dp(208), dp(164)
"""The height of the coach's card above the keys, at most; and in an upright window."""
PICTURE_PART = 0.5
PICTURE_MIN = dp(150)
"""The least height of the picture next to a question: as much as there is, where that is less."""


class TablePane(BoxLayout):
    """Everything but the picture is shown with the view; that is `picture`'s own."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__()
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
        self._side = layout.column(padding=theme.GAP)
        self._inner = layout.column()
        for each in (self._inner, self.question, self.lost, self.doubt, self.picture.caption):
            each.bind(height=self._keep_picture)
        self._left = layout.column(spacing=0)
        self._panel: Any = None
        self._placed: object = None
        self._size = 0.0, 0.0
        self._following: object = None

    def hold_panel(self, panel: Any) -> None:
        if self._panel is not None:
            self._panel.unbind(wanted_height=self._fit_panel)
            if self._panel.parent is not None:
                self._panel.parent.remove_widget(self._panel)
        self._panel, self._placed = panel, None
        if panel is not None:
            panel.bind(wanted_height=self._fit_panel)

    def _fit_panel(self, *_: object) -> None:
        """Give the panel its room, but no more than it needs."""
        if self._panel is not None:
            self._panel.height = min(_place_panel(self._size).height, self._panel.wanted_height)

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
            self._arrange(view, None, [self.wins], has_tools=True)
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
        if self._shows_counts(view, shown):
            self.counts.show(game, words)
        notice = self._choose_notice(view, followed)
        low = view.size[1] < LOW_UNDER
        asks_hand = notice is self.question and self.question.is_of_hand
        parts = [self._space] if asks_hand else self._list_side(view, shown)
        if low and notice is not None and self.picture in parts:
            parts = [self.picture]
        crowded = asks_hand or (
            shown is self.keys and (view.size[1] < CROWDED_UNDER or bool(self.keys.melds))
        )
        has_tools = not (low and crowded)
        self._arrange(view, notice, parts, has_tools=has_tools)

    def _needs_tiles(self, state: GameTable) -> bool:
        """Whether even a table that records only wins has to name a tile: the one that is turned over."""
        hand = state.game.hand if state.game is not None else None
        return hand is not None and hand.phase is Phase.INDICATOR

    def _has_picture(self, state: GameTable) -> bool:
        return state.runs or state.ended

    def _shows_counts(self, view: View[GameTable], shown: Widget) -> bool:
        """Whether the counts have a table of their own: where they are wanted, and no keys bear them."""
        state = view.state
        hand = state.game.hand if state.game is not None else None
        is_played = hand is not None and hand.phase not in (Phase.OVER, Phase.INDICATOR)
        has_room = self._side_height(view.size) >= COUNTS_FROM
        return state.has_counts and is_played and has_room and shown is not self.keys

    def _list_side(self, view: View[GameTable], shown: Widget) -> list[Widget]:
        """What stands next to the table, from above."""
        state = view.state
        parts = [shown]
        sea = describe_sea(state.game, view.words) if state.game else None
        if state.side is Side.CAMERA and self._has_picture(state) and not state.large and state.entry is None:
            parts = [self.picture, shown]
            self.picture.size_hint_y, shown.size_hint_y = PICTURE_PART, 1 - PICTURE_PART
        elif self._shows_counts(view, shown):
            parts = [self.counts, shown]
            self.counts.size_hint_y, shown.size_hint_y = COUNTS_PART, 1 - COUNTS_PART
        else:
            shown.size_hint_y = 1
        if sea is None:
            return parts
        self.sea.show(sea)
        is_still = shown is self.keys and not self.keys.has_tiles
        self.sea.size_hint_y, self.sea.height = (1, 0) if is_still else (None, theme.TOUCH * 1.6)
        return [self.sea, *parts]

    def _choose_notice(self, view: View[GameTable], followed: Followed) -> Widget | None:
        """What the user is asked or shown: one thing at a time."""
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
            names = [words(name) for name in list_names(followed.state)]
            self.question.show(question, entry.said, names, words)
            return self.question
        if followed.doubted:
            self.doubt.show(followed.doubted, words, flat=False)
            return self.doubt
        return None

    def _side_height(self, size: tuple[float, float]) -> float:
        width, height = size
        return height if width > height else height - width * 0.8

    def _arrange(
        self, view: View[GameTable], notice: Widget | None, parts: list[Widget], *, has_tools: bool
    ) -> None:
        """has_tools: whether there is room for them."""
        wide = view.size[0] > view.size[1]
        large = view.state.large
        placed = wide, view.size, large, notice, parts, has_tools, self._panel
        if placed == self._placed:
            return
        self._placed, self._size = placed, view.size
        for each in (self, self._left, self._side, self._inner):
            each.clear_widgets()
        self.orientation = "horizontal" if wide else "vertical"
        for part in (*([notice] if notice is not None else []), *parts):
            self._inner.add_widget(part)
        self._side.padding = theme.GAP / 2 if view.size[1] < LOW_UNDER else theme.GAP
        self._side.add_widget(self._inner)
        if has_tools:
            self._side.add_widget(self.tools)
        if parts == [self.wins]:
            self._side.size_hint = (1, 1)
            self.add_widget(self._side)
            return
        self._size_side(view.size, wide=wide)
        self._keep_picture()
        self.picture.size_hint_y = 1 if large else self.picture.size_hint_y
        self._left.add_widget(self.picture if large else self.board)
        self.add_widget(self._left)
        self.add_widget(self._side)
        if self._panel is not None:
            room = _place_panel(view.size)
            self._panel.size_hint = 1, None
            self._fit_panel()
            if room.is_below:
                self._left.add_widget(self._panel)
            else:
                self._side.add_widget(self._panel, index=len(self._side.children))

    def _keep_picture(self, *_: object) -> None:
        """Shrink the list of events if the picture would otherwise be too low."""
        inner = self._inner.children
        if self.picture not in inner:
            self.picture.size_hint_min_y = None
            return
        notices = [each.height for each in inner if each.size_hint_y is None]
        room = self._inner.height - sum(notices) - self._inner.spacing * (len(inner) - 1)
        self.picture.size_hint_min_y = max(0, min(self.picture.measure(PICTURE_MIN), room))

    def _size_side(self, size: tuple[float, float], *, wide: bool) -> None:
        if wide:
            self._side.size_hint, self._side.width = (None, 1), _measure_side(size)
        else:
            panel = 0.0 if self._panel is None else PANEL_UPRIGHT + theme.GAP
            high = max(KEYS_MIN + panel, size[1] - theme.BAR_HEIGHT - size[0]) + theme.GAP * 2
            self._side.size_hint, self._side.height = (1, None), high


def _measure_side(size: tuple[float, float]) -> float:
    """The width of what stands beside the table in a window of that size, px."""
    width, height = size
    side = min(max(width - height, SIDE_MIN, width * 0.3), width * SIDE_SHARE_MAX)
    return float(side + theme.GAP * 2)


@dataclass(frozen=True, slots=True)
class PanelRoom:
    """Where the panel has room, px. is_below: whether below the table, else above the keys."""

    width: float
    height: float
    is_below: bool


def _place_panel(size: tuple[float, float]) -> PanelRoom:
    """Where the panel takes least of the table and the keys, in a window of that size, px."""
    width, height = size
    if width <= height:
        return PanelRoom(width - theme.GAP * 2, PANEL_UPRIGHT, False)
    side, inside = _measure_side(size), height - theme.BAR_HEIGHT
    spare = inside - (width - side)  # what the table, a square, leaves of its side of the window
    if spare >= layout.PANEL_LINE:
        return PanelRoom(width - side, spare, True)
    above = inside - KEYS_MIN - theme.GAP * 3
    return PanelRoom(side - theme.GAP * 2, min(max(above, layout.PANEL_LINE), PANEL_MAX), False)


class SeaCard(Card):
    """That the Sea Floor is reached, in the largest letters there are."""

    def __init__(self) -> None:
        super().__init__(colour=theme.GOLD, size_hint_y=None, height=theme.TOUCH * 1.6, padding=theme.GAP)
        self.words = Tag(size=theme.TEXT_HUGE, colour=theme.INK, align="center", bold=True)
        self.add_widget(self.words)

    def show(self, words: str) -> None:
        self.words.text = words


FRAMES_PER_S = 30


class GamePage(BoxLayout):
    """Draws the camera's pictures while it is in front and the camera is at work."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__()
        self.setup = SetupPane(controller)
        self.table = TablePane(controller, cameras)
        self._is_live = False
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()

    def measure_panel(self, size: tuple[float, float]) -> tuple[float, float]:
        room = _place_panel(size)
        return room.width, room.height

    def hold_panel(self, panel: Any) -> None:
        self.table.hold_panel(panel)

    def show(self, view: View[GameTable]) -> None:
        state = view.state
        pane = self.table if state.shows_table else self.setup
        pane.show(view)
        if self.children != [pane]:
            self.clear_widgets()
            self.add_widget(pane)
        self._is_live = state.shows_table and (state.runs or state.ended)
        if self._is_live:
            self._tick()
        else:
            self.table.picture.forget()

    def _update(self, _: float) -> bool:
        if self.parent is None or not self._is_live:
            self.table.picture.forget()
            return False
        return self.table.picture.update()
