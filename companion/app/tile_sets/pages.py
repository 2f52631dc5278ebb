"""The pages of the tile sets: the list of sets, what a set has learned, and the lesson (`lesson_page.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image as Picture
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.feature import Page as PageWidget
from companion.app.tile_sets.lesson_page import LessonPage
from companion.app.tile_sets.state import Page, StoredSet, TileSets, list_kinds
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.stage import texture_of
from companion.app.widgets.tiles import TileFace
from companion.errors import PictureError
from companion.tiles import KINDS
from companion.vision.learned import Example, LearnedSet, name_photo
from companion.vision.pictures import CROP, decode_photo
from companion.words import Words

BUTTON_WIDTH = dp(112)
WIDE_BUTTON_WIDTH = dp(230)
FACE_WIDTH = dp(36)
KIND_WIDTH = dp(250)
CROPS_MAX = 4
"""Maximum number of pictures of one kind next to each other; a number shows how many there are."""


class SetsPage(Card):
    """The list of sets; built again with every change, since it is short."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__()
        self._controller = controller
        self._view: View[TileSets] | None = None
        self._forgetting: str | None = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(" ", act=lambda: controller.do(TileSets.step_back), size_hint_x=None, width=dp(110))
        self.teach = Press(" ", icon="plus", act=self._teach, size_hint_x=None, width=WIDE_BUTTON_WIDTH)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self.title, self.teach, self.done):
            head.add_widget(child)
        self._column = Column(spacing=theme.GAP)
        self.rows: dict[str | None, SetRow] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[TileSets]) -> None:
        self._view = view
        words, state = view.words, view.state
        self.title.text = words("My tiles")
        under_way = bool(view.state.lesson.photos)
        self.teach.text = words("Continue the lesson") if under_way else words("Teach your tiles")
        self.teach.chosen = under_way or not state.sets
        self.done.text = words("Back")
        self._column.inside.clear_widgets()
        usual = words("Any tiles")
        self.rows = {None: SetRow(usual, words("The tile designs that the program already knows."))}
        for one in state.sets:
            self.rows[one.name] = SetRow(one.name, _describe(one, words), trouble=one.problem is not None)
            if one.name == self._forgetting:
                self._offer_forgetting(self.rows[one.name], one.name, words)
            else:
                self._offer_steps(self.rows[one.name], one, state.used, words)
        if state.sets:
            self.rows[None].offer(self._use(None, state.used, words))
        for row in self.rows.values():
            self._column.inside.add_widget(row)
        if not state.sets:
            hint = words(
                "If your tiles are often misread, teach them: arrange one of each kind and take a photo."
                " It takes a minute."
            )
            self._column.inside.add_widget(Text(hint, colour=theme.IVORY_DIM))

    def _offer_steps(self, row: SetRow, one: StoredSet, used: str | None, words: Words) -> None:
        if one.problem is None:
            row.offer(self._use(one.name, used, words))
            row.offer(_button(words("Show"), partial(self._look_at, one.name)))
        again = partial(self._teach, one.name)
        row.offer(_button(words("Teach again"), again, main=one.problem is not None))
        row.offer(_button(words("Forget"), partial(self._ask, one.name)))

    def _offer_forgetting(self, row: SetRow, name: str, words: Words) -> None:
        row.offer(_button(words("Forget it"), partial(self._forget, name), main=True))
        row.offer(_button(words("Keep it"), partial(self._ask, None)))

    def _use(self, name: str | None, used: str | None, words: Words) -> Press:
        press = _button(
            words("In use") if name == used else words("Use"),
            lambda: self._controller.do(lambda state: state.use(name)),
        )
        press.chosen = name == used
        return press

    def _teach(self, name: str | None = None) -> None:
        if self._view:
            word = self._view.words("tiles")
            self._controller.do(lambda state: state.teach(name, word))

    def _look_at(self, name: str) -> None:
        self._controller.do(lambda state: state.show_taught(name))

    def _ask(self, name: str | None) -> None:
        self._forgetting = name
        if self._view:
            self.show(self._view)

    def _forget(self, name: str) -> None:
        self._forgetting = None
        self._controller.do(lambda state: state.forget(name))


class SetRow(Card):
    """A set: its name, a note, and its buttons."""

    def __init__(self, name: str, about: str, *, trouble: bool = False) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, colour=theme.PANEL_RAISED,
            padding=(theme.PAD, theme.GAP), spacing=theme.GAP,
        )  # fmt: skip
        texts = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        texts.bind(minimum_height=texts.setter("height"))
        texts.add_widget(Text(name))
        colour = theme.UNSURE if trouble else theme.IVORY_DIM
        texts.add_widget(Text(about, size=theme.TEXT_SMALL, colour=colour))
        texts.bind(height=lambda _, height: setattr(self, "height", max(height, theme.TOUCH) + 2 * theme.GAP))
        self.steps: list[Press] = []
        self.add_widget(texts)

    def offer(self, press: Press) -> None:
        self.steps.append(press)
        self.add_widget(press)


def _button(text: str, act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(
        text, act=act, main=main, size=theme.TEXT_SMALL, size_hint_x=None, width=BUTTON_WIDTH,
        pos_hint={"center_y": 0.5},
    )  # fmt: skip


def _describe(one: StoredSet, words: Words) -> str:
    return words.say(one.problem) if one.problem else words("Kinds: {count}", count=one.kinds)


class TaughtPage(Card):
    """A card for each kind, as many in a row as fit, and the kinds not taught yet."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__()
        self._shown: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: controller.do(TileSets.enter), size_hint_x=None, width=dp(110))
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._column = Column(spacing=theme.GAP)
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[TileSets]) -> None:
        learned, words = view.state.shown_set, view.words
        key = learned, words.language
        if learned is None or key == self._shown:
            return
        self._shown = key
        self.title.text, self.back.text = learned.name, words("Back")
        inside = self._column.inside
        inside.clear_widgets()
        inside.add_widget(Text(_summarise(learned, words), colour=theme.IVORY_DIM))
        flow = _flow()
        for code in learned.kinds:
            flow.add_widget(_card(code, [each for each in learned.examples if each.code == code], words))
        inside.add_widget(flow)
        if missing := [kind.code for kind in KINDS if kind.code not in learned.kinds]:
            inside.add_widget(Text(words("Not taught yet:"), colour=theme.IVORY_DIM))
            faces = _flow()
            for code in missing:
                faces.add_widget(TileFace(code, width=FACE_WIDTH))
            inside.add_widget(faces)


def _summarise(learned: LearnedSet, words: Words) -> str:
    said = words(
        "Kinds: {kinds} · tiles: {tiles} · lessons: {lessons}",
        kinds=len(learned.kinds), tiles=len(learned.examples), lessons=learned.lessons,
    )  # fmt: skip
    if learned.with_two_designs:
        said += " · " + words("in two designs: {kinds}", kinds=list_kinds(learned.with_two_designs))
    return said


def _card(code: str, examples: Sequence[Example], words: Words) -> Card:
    card = Card(
        orientation="horizontal", size_hint=(None, None), width=KIND_WIDTH, colour=theme.PANEL_RAISED,
        padding=theme.GAP, spacing=theme.GAP,
    )  # fmt: skip
    face = TileFace(code, width=FACE_WIDTH)
    face.pos_hint = {"top": 1}
    card.add_widget(face)
    column = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2, pos_hint={"top": 1})
    column.bind(minimum_height=column.setter("height"))
    column.bind(height=lambda _, height: setattr(card, "height", height + 2 * theme.GAP))
    crops = [each.source.crop for each in examples if each.source and each.source.crop]
    if crops:
        column.add_widget(_line_up(crops[-CROPS_MAX:]))
    column.add_widget(Text(_list_photos(examples, words), size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
    designs = 1 + max(each.design for each in examples)
    if designs > 1:
        text = words("Designs: {count}", count=designs)
        column.add_widget(Text(text, size=theme.TEXT_SMALL, colour=theme.UNSURE))
    card.add_widget(column)
    return card


def _line_up(crops: Iterable[bytes]) -> BoxLayout:
    row = BoxLayout(size_hint_y=None, height=FACE_WIDTH / theme.TILE_ASPECT, spacing=theme.GAP / 2)
    for crop in crops:
        if (texture := _decode(crop)) is not None:
            row.add_widget(Picture(texture=texture, size_hint_x=None, width=FACE_WIDTH, fit_mode="contain"))
    return row


def _decode(crop: bytes) -> Texture | None:
    try:
        return texture_of(decode_photo(crop, CROP, "crop").pixels)
    except PictureError:
        return None


def _list_photos(examples: Sequence[Example], words: Words) -> str:
    """Where the tiles of a kind were seen: each photo, and the number of its tiles."""
    photos = Counter(words.say(name_photo(each.source)) for each in examples)
    return words.join(f"{photo} × {count}" if count > 1 else photo for photo, count in photos.items())


def _flow() -> StackLayout:
    flow = StackLayout(size_hint_y=None, spacing=(theme.GAP, theme.GAP))
    flow.bind(minimum_height=flow.setter("height"))
    return flow


def offer_pages(controller: Controller[TileSets]) -> Mapping[str, Callable[[], PageWidget]]:
    """The builder of each page, by its name."""
    return {
        Page.SETS: partial(SetsPage, controller),
        Page.LESSON: partial(LessonPage, controller),
        Page.TAUGHT: partial(TaughtPage, controller),
    }
