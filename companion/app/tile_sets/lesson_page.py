"""Teaching a set of tiles: lay them out, take a photo, put right what was read, save."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.tile_sets.guide import LayingGuide
from companion.app.tile_sets.lesson import Lesson, NamedTile
from companion.app.tile_sets.lesson_board import LessonBoard
from companion.app.tile_sets.lesson_sheet import LessonSheet
from companion.app.tile_sets.state import TileSets
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, NameField, Press, Tag, adopt
from companion.app.widgets.stage import Mark, Outline, PictureStage
from companion.tiles import BACK

NAME_LABEL_WIDTH = dp(52)
BACK_WIDTH = dp(90)
TYPING_PART = 1.4
"""Width of the side beside the picture's while the keyboard is out, in a narrow window."""
ROOMY_FROM = dp(1000)


class LessonPage(BoxLayout):
    """The photo, or what is to be laid out; beside or below it what was read and what is next."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self._view: View[TileSets] | None = None
        self.guide = LayingGuide()
        self.stage = PictureStage(self._select)
        self.name = NameField(self._call)
        self.back = Press(
            " ", act=lambda: controller.do(TileSets.enter), size_hint_x=None, width=BACK_WIDTH
        )  # fmt: skip
        self._name_label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None)
        self._name_label.width = NAME_LABEL_WIDTH
        self._head = head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self._name_label, self.name, self.back):
            head.add_widget(child)
        self.board = LessonBoard(controller)
        self.sheet = LessonSheet(controller)
        self._column = Column()
        self.next = Press(" ", main=True, act=self._go_on)
        self._picture = BoxLayout()
        self._side = Card()
        self._footer = BoxLayout(size_hint_y=None)
        for child in (head, self._column, self._footer):
            self._side.add_widget(child)
        self.add_widget(self._picture)
        self.add_widget(self._side)
        self.bind(size=lambda *_: self._view and self.show(self._view))
        self._column.bind(size=lambda *_: self._view and self.show(self._view))

    def show(self, view: View[TileSets]) -> None:
        self._view = view
        words, lesson = view.words, view.state.lesson
        self.orientation = "horizontal" if self.width > self.height else "vertical"
        self._name_label.text, self.back.text = words("Name"), words("Back")
        self.name.show(lesson.name)
        picture: Widget = self.stage if lesson.photo else self.guide
        if picture.parent is not self._picture:
            self._picture.clear_widgets()
            self._picture.add_widget(picture)
        if lesson.photo:
            self.stage.show(view.state.photo, marks(lesson))
        inside: LessonBoard | LessonSheet = self.sheet if view.state.typing else self.board
        if inside.parent is None:
            self._column.inside.clear_widgets()
            self._column.inside.add_widget(inside)
        inside.show(view, (self._column.width, self._column.height))
        typing = view.state.typing
        narrow = self.orientation == "horizontal" and self.width < ROOMY_FROM
        self._side.size_hint_x = TYPING_PART if typing and narrow else 1
        self._head.height, self._head.opacity = (0, 0) if typing else (theme.TOUCH, 1)
        self._head.disabled = typing
        asked = len(lesson.to_look_at)
        self.next.text = words("{count} to look at", count=asked) if asked else words("Learn these tiles")
        self.next.disabled = view.state.busy is not None
        self._footer.height = theme.TOUCH if lesson.photos and not typing else 0
        self._footer.clear_widgets()
        if self._footer.height:
            adopt(self._footer, self.next)

    def _select(self, tile_id: int) -> None:
        self._controller.do(lambda state: state.look(lambda lesson: lesson.select(tile_id)))

    def _call(self, name: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.called(name)))

    def _go_on(self) -> None:
        if self._view and self._view.state.lesson.to_look_at:
            self._controller.do(lambda state: state.look(Lesson.look_next))
        else:
            self._controller.do(TileSets.learn)


def marks(lesson: Lesson) -> list[Mark]:
    """The tiles of the photo in front as they are outlined; those that are left out have no outline."""
    return [
        Mark(named.id, Outline(named.quad, named.kind or BACK, colour, thick=named.id == lesson.selected))
        for named in lesson.named[lesson.front]
        if (colour := _colour(named, lesson))
    ]


def _colour(named: NamedTile, lesson: Lesson) -> theme.Colour:
    if named.id == lesson.selected:
        return theme.IVORY
    if named.needs_look:
        return theme.UNSURE
    return theme.SURE if named.kind else theme.IVORY_DIM
