"""The last events in words, the newest first, hand by hand; touch one that is wrong.

A new row pushes the others down. A touch right after that was aimed at the row that was there before; and a
list that a person touches, scrolls or points at with a mouse does not move for a while, and new rows are
added above it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller
from companion.app.game.followed import NAMED, Entry, Followed, OpenQuestion
from companion.app.game.state import CORNERS, GameTable
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text, TouchCard
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.tiles import Group, TileFace, TileKey, TileStrip
from companion.live.doubts import SEA_DOUBTS
from companion.live.followed_game import OTHER_TABLE
from companion.live.follower import MOVED, UNEXPLAINED, describe_lost
from companion.sentences import Sentence, msgid
from companion.table.events import DealSet, Event, FlowerSetOut, HandStarted, Won
from companion.table.state import State
from companion.tiles import Suit, Tile, parse_tiles
from companion.words import Words

ROWS_MAX = 40
REACTS_S = 0.4
"""Seconds that a person needs to see a row move and aim again: a choice between several things takes 0.3 to
0.5 s."""
STAYS_S = 6.0
"""The list does not scroll for this long after the user touched it."""
AT_TOP_PX = 2.0
FACE_WIDTH = dp(24)
HEAD_HEIGHT = dp(24)

Area = tuple[float, float, float, float]
"""Left, bottom, right and top, in px of the window."""


class EventsPane(Column):
    """`select` is called with the number of the event that was touched. heads: what stands above each hand,
    the newest first."""

    def __init__(self, select: Callable[[int], None]) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self._select = select
        self._nothing = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.rows: dict[int, EventRow] = {}
        self.heads: list[Tag] = []
        self._order: list[int] = []
        self._newest = 0
        self._moves: deque[tuple[float, Mapping[int, Area]]] = deque()
        self._aimed = 0
        self._read_s = -inf
        self._is_back = True
        self._return = Clock.create_trigger(lambda _: self._return_once_read(), STAYS_S)
        self.bind(scroll_y=self._note_scrolled)
        Window.bind(mouse_pos=self._note_pointed)

    def return_to_newest(self) -> None:
        """Show the newest event, wherever a person has scrolled to."""
        self._is_back = True
        self._scroll_to(1.0)

    def _scroll_to(self, scroll_y: float) -> None:
        moves, self._moves = self._moves, deque()  # a person who scrolls knows where rows are; this is none
        is_back, self.effect_y.velocity = self._is_back, 0
        self.scroll_y = scroll_y
        self._moves, self._is_back = moves, is_back

    @property
    def _is_read(self) -> bool:
        """Whether a person is reading in it."""
        return time.monotonic() - self._read_s < STAYS_S

    def _note_read(self) -> None:
        self._read_s = time.monotonic()
        self._return.cancel()
        self._return()

    def _note_pointed(self, _: object, place: tuple[float, float]) -> None:
        if self.parent is not None and self.collide_point(*self.parent.to_widget(*place)):
            self._note_read()

    def _note_scrolled(self, *_: object) -> None:
        self._moves.clear()
        if self._is_read:
            self._is_back = self._find_offset() <= AT_TOP_PX

    def _return_once_read(self) -> None:
        """Nobody reads in it any more: what came above is shown, unless a person has scrolled away."""
        if self._is_read or not self._is_back or self._find_offset() <= AT_TOP_PX:
            return
        self._note_places()
        self.return_to_newest()

    def _find_offset(self) -> float:
        """Height of the list above the visible part, px."""
        return float((1 - self.scroll_y) * max(0, self.inside.height - self.height))

    def _find_anchor(self) -> EventRow | None:
        """The uppermost row that has to stay where it is; None where the newest is to be shown."""
        if self._is_back and not self._is_read:
            return None
        top = self.inside.top - self._find_offset()
        shown = (self.rows[number] for number in self._order if number in self.rows)
        return next((row for row in shown if row.is_placed and row.center_y <= top), None)

    def _keep(self, anchor: EventRow, above: float) -> None:
        """Scroll so that this row is as far below the upper edge as it was, px."""
        self.inside.do_layout()
        room = self.inside.height - self.height
        if anchor.parent is self.inside and room > 0:
            offset = self.inside.top - anchor.top - above
            self._scroll_to(1 - min(max(offset / room, 0.0), 1.0))

    def show(self, followed: Followed, words: Words, *, has_begun: bool = False) -> None:
        """has_begun: a hand has begun, but no event of it is known yet."""
        entries = followed.entries[-ROWS_MAX:][::-1]
        order = [entry.number for entry in entries]
        self.rows = {
            number: self.rows.get(number) or EventRow(partial(self._select, number)) for number in order
        }
        for entry in entries:
            self.rows[entry.number].show(entry, words)
        self._nothing.text = (
            words("Tiles are on the table: working out how the hand began.")
            if has_begun
            else words("Nothing has happened yet.")
        )
        if order != self._order or not self.inside.children:
            self._note_places()
            anchor = self._find_anchor()
            above = self.inside.top - anchor.top - self._find_offset() if anchor else 0.0
            self._order = order
            self._list(entries)
            if anchor is not None:
                self._keep(anchor, above)
            elif self._is_back:
                self._scroll_to(1.0)
        newest_of_hands = [entry for at, entry in enumerate(entries) if _is_above_hand(entries, at)]
        for head, entry in zip(self.heads, newest_of_hands, strict=True):
            head.text = words("Hand {number}", number=entry.hand)
        newest = next((entry.number for entry in entries if isinstance(entry.event, HandStarted)), 0)
        if newest > self._newest:
            self.return_to_newest()
        self._newest = newest

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if self.collide_point(*touch.pos):
            self._note_read()
        aimed = self._find_aimed(touch)
        row = self.rows.get(aimed)
        if not aimed or (row is not None and row.collide_point(*self.to_local(*touch.pos))):
            return bool(super().on_touch_down(touch))
        if row is not None and not self._aimed:
            self._aimed, row.state = aimed, "down"
            touch.grab(self)
            touch.ud[self] = aimed
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        if self.collide_point(*touch.pos):
            self._note_read()
        return bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self or self not in touch.ud:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        aimed, self._aimed = self._aimed, 0
        if aimed in self.rows:
            self.rows[aimed].state = "normal"
            self._select(aimed)
        return True

    def _note_places(self) -> None:
        """Keep the places of the rows before they move. They have moved once that is drawn."""
        numbers = [number for number in self._order if number in self.rows and self.rows[number].is_placed]
        areas = {number: _find_area(self.rows[number]) for number in numbers}
        if not areas:
            return
        noted = time.monotonic(), areas
        self._moves.append(noted)

        def note_drawn(_: float) -> None:
            if noted in self._moves:
                self._moves[self._moves.index(noted)] = time.monotonic(), areas

        Clock.schedule_once(note_drawn)

    def _find_aimed(self, touch: MotionEvent) -> int:
        """The number of the event whose row was there when the finger started to move, if rows have moved
        since; 0 if no row has moved or was there."""
        while self._moves and time.monotonic() - self._moves[0][0] > REACTS_S:
            self._moves.popleft()
        if not self._moves or not self.collide_point(*touch.pos):
            return 0
        x, y = self.to_window(*touch.pos)
        places = self._moves[0][1].items()
        return next(
            (number for number, (left, low, right, top) in places if left <= x <= right and low <= y <= top),
            0,
        )

    def _list(self, entries: Sequence[Entry]) -> None:
        """Place the rows and each hand's heading again."""
        self.inside.clear_widgets()
        self.heads = []
        for at, entry in enumerate(entries):
            if _is_above_hand(entries, at):
                self.heads.append(
                    Tag(size=theme.TEXT_SMALL, colour=theme.GOLD, size_hint_y=None, height=HEAD_HEIGHT)
                )
                self.inside.add_widget(self.heads[-1])
            self.inside.add_widget(self.rows[entry.number])
        if not entries:
            self.inside.add_widget(self._nothing)


def _is_above_hand(entries: Sequence[Entry], at: int) -> bool:
    """Whether the event at that place is the last one of its hand: the entries are the newest first."""
    return entries[at].hand > 0 and (at == 0 or isinstance(entries[at - 1].event, HandStarted))


def _find_area(row: EventRow) -> Area:
    return (*row.to_window(row.x, row.y), *row.to_window(row.right, row.top))


class EventRow(ButtonBehavior, BoxLayout):
    """One event, with its tile; doubtful ones are marked. is_placed: whether it has its place in the list."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, padding=(theme.GAP, 0), spacing=theme.GAP)
        self._act = act
        self._shown: Entry | None = None
        self.is_placed = False
        with self.canvas.before:
            self._colour = Color(*theme.FELT)
            self._plate = SmoothRoundedRectangle(radius=[theme.RADIUS])
        self.said = Tag(size=theme.TEXT_SMALL)
        self.doubt = Tag(
            size=theme.TEXT_SMALL, colour=theme.UNSURE, align="right", size_hint_x=None, width=dp(72)
        )
        self._face = AnchorLayout(size_hint_x=None, width=FACE_WIDTH)
        for child in (self._face, self.said, self.doubt):
            self.add_widget(child)
        self.bind(pos=self._place, size=self._place, state=self._press)

    def show(self, entry: Entry, words: Words) -> None:
        self.said.text = words.say(entry.said)
        self.said.color = theme.IVORY if entry.certain else theme.UNSURE
        self.doubt.text = "" if entry.certain else words("not sure")
        self.doubt.width = 0 if entry.certain else dp(72)
        if self._shown is None or self._shown.tile != entry.tile:
            self._face.clear_widgets()
            if entry.tile:
                self._face.add_widget(TileFace(entry.tile, width=FACE_WIDTH))
        self._shown = entry

    def on_release(self) -> None:
        self._act()

    def _press(self, *_: object) -> None:
        self._colour.rgba = theme.PANEL_PRESSED if self.state == "down" else theme.FELT

    def _place(self, *_: object) -> None:
        self.is_placed = True
        self._plate.pos, self._plate.size = self.pos, self.size


WON_TILE = theme.TILE_WIDTH_MAX


class FixSheet(Card):
    """The event, the hand of a win, a keyboard where it was about one tile, and what else it may have been:
    nothing at all."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__()
        self._controller = controller
        self.words = Text()
        self._room = Column()
        self.keyboard: Keyboard | None = None
        self._built: object = None
        self.take_out = Press(" ", act=self._take_out, size=theme.TEXT_SMALL)
        self.keep = Press(" ", act=self._keep, size=theme.TEXT_SMALL)
        row = layout.row(height=theme.TOUCH)
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.select(None)), size=theme.TEXT_SMALL
        )
        self.other = Press(" ", act=self._name_hand, size=theme.TEXT_SMALL)
        self._row = row
        for child in (self.words, self._room, row):
            self.add_widget(child)
        self._entry: Entry | None = None
        self._state: State | None = None
        self._room.bind(size=lambda *_: self._build())

    def show(self, entry: Entry, state: State, words: Words) -> None:
        self._entry, self._state = entry, state
        said = words.say(entry.said)
        question = words("What was it?") if entry.may_be_named else ""
        self.words.text = words("{act}. {said}", act=said, said=question)
        self.other.text = words("Other tiles")
        offered = [
            self.take_out,
            self.keep,
            *([self.other] if isinstance(entry.event, Won) else []),
            self.back,
        ]
        if self._row.children[::-1] != offered:
            self._row.clear_widgets()
            for button in offered:
                self._row.add_widget(button)
        self.take_out.text, self.keep.text = words("It did not happen"), words("It is right")
        self.back.text = words("Back")
        self._build()

    def _build(self) -> None:
        entry, state = self._entry, self._state
        if entry is None or state is None:
            return
        kinds = _list_kinds(entry, state)
        built = (tuple(kinds), tuple(self._room.size), entry.tile, entry.event)
        if built == self._built:
            return
        self._built = built
        self._room.inside.clear_widgets()
        self.keyboard = None
        if kinds:
            room = self._room.width, max(self._room.height, 1)
            self.keyboard = Keyboard(kinds, room, self._press)
            if entry.tile in self.keyboard.keys:
                self.keyboard.keys[entry.tile].mark(ring=theme.GOLD)
            self._room.inside.add_widget(self.keyboard)
        elif isinstance(entry.event, Won) and entry.event.hand:
            self._room.inside.add_widget(TileStrip(group_hand(entry.event), tile_width=WON_TILE))
        else:
            self._room.inside.add_widget(Widget())

    def _press(self, code: str) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.name_tile(number, code))

    def _keep(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.confirm(number))

    def _name_hand(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.name_hand(number))

    def _take_out(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.take_out(number))


def group_hand(won: Won) -> list[Group]:
    """The tiles of the winner's hand as they were read, and the concealed kongs."""
    groups = [won.hand or "", *(kong[1:] for kong in won.kongs)]
    return [[(tile.code, False) for tile in parse_tiles(group)] for group in groups]


def ring_differing(won: Won, hands: Sequence[Won]) -> list[Group]:
    """The tiles of the hand, ringed those that not all of these hands have."""
    counts = [Counter(code for group in group_hand(each) for code, _ in group) for each in hands]
    left = {code: min(count[code] for count in counts) for code in counts[0]}
    groups: list[Group] = []
    for group in group_hand(won):
        marked = []
        for code, _ in group:
            left[code] = left.get(code, 0) - 1
            marked.append((code, left[code] < 0))
        groups.append(marked)
    return groups


def _list_kinds(entry: Entry, state: State) -> list[Tile]:
    """The tiles that the event may have been about."""
    if not entry.may_be_named:
        return []
    flowers = isinstance(entry.event, FlowerSetOut)
    kinds = state.house.wall.tile_set.kinds
    return [kind for kind in kinds if (kind.suit is Suit.FLOWERS) == flowers]


NEXT_CORNERS = (
    msgid("Touch the table's lower left corner in the picture: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the lower right one: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the upper right one: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the upper left one: {n} of {count}."),
)
KEY_WIDTH = dp(44)
BUTTON_WIDTH = dp(150)


class QuestionCard(Card):
    """Which tile it was, which tiles a winning hand held, or who deals: touch what is right. keys: of the
    choices, in their order; other: leads to what else can be said of it. is_of_hand: the card is of a hand,
    and high.
    """

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self.words = Text()
        self.is_of_hand = False
        self.keys: list[TileKey | HandKey | Press] = []
        self.other = _button(lambda: controller.do(lambda state: state.select(self._number)))
        self._asked: OpenQuestion | None = None

    def show(self, question: OpenQuestion, said: Sentence, names: Sequence[str], words: Words) -> None:
        """names: who sits in each seat."""
        first = question.choices[0]
        self.is_of_hand = isinstance(first, Won)
        asks = words("Which tiles were in the hand?") if self.is_of_hand else words("Which tile was it?")
        self.words.text = f"{words.say(said)}. {asks}"
        if isinstance(first, DealSet) and first.dealer is not None:
            self.words.text = words("{who} seems to deal. Who deals this hand?", who=names[first.dealer])
        self.other.text = words("Other tiles")
        if question == self._asked:
            return
        self._asked = question
        self.keys = [self._make_key(question, right, names) for right in question.choices]
        self.clear_widgets()
        self.add_widget(self.words)
        if isinstance(first, DealSet):
            self.add_widget(layout.row(*self.keys, height=theme.TOUCH))
        elif self.is_of_hand:
            for key in (*self.keys, self.other):
                self.add_widget(key)
        else:
            row = layout.row(*self.keys, self.other, height=KEY_WIDTH / theme.TILE_ASPECT, spacing=theme.PAD)
            self.add_widget(row)

    @property
    def _number(self) -> int | None:
        return self._asked.number if self._asked else None

    def _make_key(
        self, question: OpenQuestion, right: Event, names: Sequence[str]
    ) -> TileKey | HandKey | Press:
        def answer() -> None:
            self._controller.do(lambda state: state.confirm_event(question.number, right))

        if isinstance(right, DealSet) and right.dealer is not None:
            button = _button(answer)
            button.text = names[right.dealer]
            return button
        if isinstance(right, Won):
            hands = [each for each in question.choices if isinstance(each, Won)]
            return HandKey(ring_differing(right, hands), act=answer)
        assert isinstance(right, NAMED)
        assert right.tile is not None
        return TileKey(right.tile, width=KEY_WIDTH, act=answer)


class HandKey(TouchCard):
    """A winning hand, drawn in one row."""

    def __init__(self, groups: list[Group], act: Callable[[], None]) -> None:
        super().__init__(colour=theme.PANEL_RAISED, padding=theme.GAP, size_hint_y=None, height=theme.TOUCH)
        self._act = act
        self.add_widget(TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX, size_hint_y=1))

    def on_release(self) -> None:
        self._act()


class LostCard(Card):
    """Why the game cannot be followed, and what may be done about it."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.TROUBLE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self.words = Text()
        self.begin_here = _button(lambda: controller.do(GameTable.begin_here))
        self.search_again = _button(lambda: controller.do(GameTable.search_again))
        self.corners = _button(lambda: controller.do(GameTable.touch_corners))
        self.end_hand = _button(lambda: controller.do(GameTable.end_hand))
        self._row = layout.row(height=theme.TOUCH)
        self._row.pos_hint = self.words.pos_hint = {"center_y": 0.5}
        self._offered: object = None
        self.add_widget(self.words)

    def show(self, why: Sentence, words: Words, *, flat: bool, runs: bool = True) -> None:
        """flat: the buttons next to the words, in a window that is not high. runs: whether the table is still
        watched, so that something may begin there."""
        self.words.text = words.say(describe_lost(why))
        self.begin_here.text = words("Continue from here")
        self.search_again.text = words("Search again")
        self.corners.text = words("Touch its corners")
        self.end_hand.text = words("End that hand")
        offered: list[Press] = []
        begins = [self.begin_here] if runs else []
        if why.template == OTHER_TABLE:
            offered = [self.end_hand, *begins]
        elif why.template == UNEXPLAINED:
            offered = begins
        elif why.template in MOVED:
            offered = [self.search_again, self.corners]
        if (offered, flat) != self._offered:
            self._offered = offered, flat
            self.orientation = "horizontal" if flat else "vertical"
            self.words.font_size = theme.TEXT_SMALL if flat else theme.TEXT
            self._row.size_hint_x, self._row.width = (None, BUTTON_WIDTH * len(offered)) if flat else (1, 0)
            self._row.clear_widgets()
            self.remove_widget(self._row)
            for button in offered:
                self._row.add_widget(button)
            if offered:
                self.add_widget(self._row)


class DoubtCard(Card):
    """Why it may be another game than is followed, or stand otherwise: it is so, or it is not."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self.words = Text(pos_hint={"center_y": 0.5})
        self.agree = _button(lambda: controller.do(GameTable.trust_tiles))
        self.other = _button(lambda: controller.do(GameTable.stop))
        self._row = layout.row(height=theme.TOUCH)
        self._row.pos_hint = {"center_y": 0.5}
        for child in (self.words, self._row):
            self.add_widget(child)

    def show(self, why: Sentence, words: Words, *, flat: bool) -> None:
        """flat: the buttons next to the words, in a window that is not high."""
        offered = [self.agree] if why.template in SEA_DOUBTS else [self.agree, self.other]
        if self._row.children[::-1] != offered:
            self._row.clear_widgets()
            for button in offered:
                self._row.add_widget(button)
        self.words.text = words.say(describe_lost(why))
        self.agree.text, self.other.text = words("All correct"), words("Another game")
        self.orientation = "horizontal" if flat else "vertical"
        self.words.font_size = theme.TEXT_SMALL if flat else theme.TEXT
        self._row.size_hint_x, self._row.width = (None, BUTTON_WIDTH * len(offered)) if flat else (1, 0)


class CornersCard(Card):
    """Which corner is touched next."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP)
        )
        self.bind(minimum_height=self.setter("height"))
        self.words = Text(pos_hint={"center_y": 0.5})
        self.take_back = _button(lambda: controller.do(GameTable.take_back_corner))
        self.leave = _button(lambda: controller.do(GameTable.leave_corners))
        for button in (self.take_back, self.leave):
            button.size_hint_x, button.width, button.pos_hint = None, dp(110), {"center_y": 0.5}
        for child in (self.words, self.take_back, self.leave):
            self.add_widget(child)

    def show(self, touched: int, words: Words) -> None:
        self.words.text = words(NEXT_CORNERS[touched], n=touched + 1, count=CORNERS)
        self.take_back.text = words("Take back")
        self.take_back.disabled = not touched
        self.leave.text = words("Leave it")


def _button(act: Callable[[], None]) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL)
