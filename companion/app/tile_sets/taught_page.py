"""What a set has learned, kind by kind: the tiles that taught it, and from which photos."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image as Picture
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.tile_sets.state import TileSets, list_kinds
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.stage import texture_of
from companion.app.widgets.tiles import TileFace
from companion.errors import PictureError
from companion.tiles import KINDS
from companion.vision.learned import Example, LearnedSet, name_photo
from companion.vision.pictures import CROP, decode_photo
from companion.words import Words

FACE_WIDTH = dp(36)
KIND_WIDTH = dp(250)
CROPS_MAX = 4
"""Of a kind, side by side; the number says how many there are."""


class TaughtPage(Card):
    """Cards of kinds, as many in a row as have room, and the kinds that are not taught yet."""

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
        learned, words = view.state.looked_at, view.words
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
    column.add_widget(Text(_tell(examples, words), size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
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


def _tell(examples: Sequence[Example], words: Words) -> str:
    """Where the tiles of a kind were seen: each photo, and how many tiles it showed."""
    photos = Counter(words.say(name_photo(each.source)) for each in examples)
    return words.join(f"{photo} × {count}" if count > 1 else photo for photo, count in photos.items())


def _flow() -> StackLayout:
    flow = StackLayout(size_hint_y=None, spacing=(theme.GAP, theme.GAP))
    flow.bind(minimum_height=flow.setter("height"))
    return flow
