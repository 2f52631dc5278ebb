"""The page that teaches a tile set: the guide to arranging the tiles, the photos with what was read in them,
and the keyboard that corrects a tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.tile_sets.lesson import LessonDraft, NamedTile
from companion.app.tile_sets.state import TileSets
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, adopt
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.name_field import NameField
from companion.app.widgets.stage import CloseUp, Mark, Outline, PictureStage
from companion.app.widgets.tiles import TileFace, TileKey, tile_texture
from companion.photo_hand.hand import PhotoTile
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.vision.teaching import ROWS
from companion.words import Words

GAP_OF_TILE = 0.06
ROW_GAP_OF_TILE = 0.16
TILE_WIDTH_MAX = dp(52)
FACE_WIDTH = dp(26)
SPACING = dp(2)
BY_PLACE, AS_READ = "by place", "as read"
ADD, ANEW = "add", "anew"
CLOSE_UP_HEIGHT = dp(64)
SUGGESTED_MAX = 2
NAME_LABEL_WIDTH = dp(52)
BACK_WIDTH = dp(90)
TYPING_PART = 1.4
"""In a narrow window, width of the side with the open keyboard, relative to the picture's."""
ROOMY_FROM = dp(1000)


class TileGuide(Widget):
    """The tiles to arrange, in rows as large as there is room for, centred."""

    def __init__(self) -> None:
        super().__init__()
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        longest = max(map(len, ROWS))
        across = longest * (1 + GAP_OF_TILE)
        down = len(ROWS) * (1 / theme.TILE_ASPECT + ROW_GAP_OF_TILE)
        width = min(self.width / across, self.height / down)
        left = self.center_x - across * width / 2
        top = self.center_y + down * width / 2
        with self.canvas:
            Color(1, 1, 1, 1)
            for line, row in enumerate(ROWS):
                y = top - (line + 1) * (1 / theme.TILE_ASPECT + ROW_GAP_OF_TILE) * width
                for place, kind in enumerate(row):
                    Rectangle(
                        pos=(left + place * (1 + GAP_OF_TILE) * width, y),
                        size=(width, width / theme.TILE_ASPECT),
                        texture=tile_texture(kind.code),
                    )


class LessonBoard(BoxLayout):
    """A column; built again only when its content changes."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self._key: object = None
        self.keys: dict[int, TileKey] = {}
        self.photos = Choices(self._bring_to_front, size=theme.TEXT_SMALL)
        self.adds = Choices(self._add_or_replace, size=theme.TEXT_SMALL)
        self.order = Choices(self._take_by_place, size=theme.TEXT_SMALL)
        self.begin = Press(" ", icon="camera", act=self._open_camera, main=True, size=theme.TEXT_SMALL)
        self.take = Press(" ", icon="camera", act=self._open_camera, size=theme.TEXT_SMALL)
        self.choose = Press(
            " ", icon="picture", act=lambda: controller.do(TileSets.request_picture),
            size=theme.TEXT_SMALL,
        )  # fmt: skip
        self.drop = Press(
            " ", icon="close", act=lambda: controller.do(lambda state: state.edit(LessonDraft.without_photo)),
            size=theme.TEXT_SMALL,
        )  # fmt: skip

    def show(self, view: View[TileSets], room: tuple[float, float]) -> None:
        lesson = view.state.lesson
        key = lesson, view.words.language, room[0], view.state.sets
        if key == self._key:
            return
        self._key = key
        self.clear_widgets()
        self.keys = {}
        old = next((one for one in view.state.sets if one.name == lesson.name), None)
        if old and old.problem is None:
            offers = [
                (ADD, view.words("Add to {name}", name=lesson.name)),
                (ANEW, view.words("Learn it again")),
            ]
            self.adds.offer(offers, ANEW if lesson.anew else ADD)
            self.add_widget(self.adds)
        if old and (old.problem or lesson.anew):
            replaced = view.words("A set with this name exists and will be replaced.")
            self._say(replaced, colour=theme.UNSURE)
        if lesson.photo is None:
            self._begin(view.words)
        else:
            self._read(lesson, view.words, room[0])

    def _begin(self, words: Words) -> None:
        self._say(words("Arrange one of each kind as shown here, flowers only if your set has them."))
        self._say(words("Take a photo of all of them from above, sharp and in even light."))
        small = {"size": theme.TEXT_SMALL, "colour": theme.IVORY_DIM}
        self._say(words("Any other order works too; then correct what was misread."), **small)
        self.begin.text = words("Take a photo")
        self._buttons(self.begin, self.choose, words)

    def _read(self, lesson: LessonDraft, words: Words, width: float) -> None:
        if len(lesson.photos) > 1:
            names = [words("Photo {number}", number=at + 1) for at in range(len(lesson.photos))]
            self.photos.offer([(str(at), name) for at, name in enumerate(names)], str(lesson.front))
            self.add_widget(self.photos)
        self._rows(lesson, width)
        found = [words("Kinds: {count}", count=len(lesson.kinds))]
        if lesson.missing:
            found.append(words("not in the picture:"))
        self._say(" · ".join(found), size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        if lesson.missing:
            self.add_widget(_faces(lesson.missing))
        if lesson.kinds_by_place:
            offers = [(BY_PLACE, words("In the order shown")), (AS_READ, words("As read"))]
            self.order.offer(offers, BY_PLACE if lesson.by_place else AS_READ)
            self.add_widget(self.order)
        if not lesson.is_full:
            hint = words("A second photo, from another side or in different light, helps.")
            self._say(hint, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
            self.take.text = words("Take a photo")
            self._buttons(self.take, self.choose, words)
        self.drop.text = words("Remove this photo")
        self.add_widget(self.drop)

    def _rows(self, lesson: LessonDraft, width: float) -> None:
        photo, named = lesson.photo, iter(lesson.named[lesson.front])
        assert photo is not None
        longest = max(*photo.rows, max(map(len, ROWS)))
        tile = min(max(width / longest - SPACING, theme.TILE_WIDTH_MIN), TILE_WIDTH_MAX)
        for length in photo.rows:
            row = StackLayout(size_hint_y=None, spacing=(SPACING, SPACING))
            row.bind(minimum_height=row.setter("height"))
            for _ in range(length):
                row.add_widget(self._tile(next(named), tile))
            self.add_widget(row)

    def _tile(self, named: NamedTile, width: float) -> TileKey:
        def select() -> None:
            self._controller.do(lambda state: state.browse(lambda lesson: lesson.select(named.id)))

        key = TileKey(named.kind or BACK, width=width, act=select)
        key.mark(ring=theme.UNSURE if named.needs_check else None, faded=named.kind is None)
        self.keys[named.id] = key
        return key

    def _buttons(self, take: Press, choose: Press, words: Words) -> None:
        choose.text = words("Choose a picture")
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        adopt(row, take)
        adopt(row, choose)
        self.add_widget(row)

    def _say(self, text: str, *, size: float | None = None, colour: theme.Colour | None = None) -> None:
        self.add_widget(Text(text, size=size, colour=colour))

    def _bring_to_front(self, key: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.bring_to_front(int(key))))

    def _open_camera(self) -> None:
        self._controller.do(TileSets.request_camera_picture)

    def _add_or_replace(self, key: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: replace(lesson, anew=key == ANEW)))

    def _take_by_place(self, key: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.set_in_order(key == BY_PLACE)))


def _faces(codes: Iterable[str]) -> StackLayout:
    flow = StackLayout(size_hint_y=None, spacing=(SPACING, SPACING))
    flow.bind(minimum_height=flow.setter("height"))
    for code in codes:
        flow.add_widget(TileFace(code, width=FACE_WIDTH))
    return flow


class LessonSheet(BoxLayout):
    """Shows the selected tile."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self._key: object = None
        self._close_up = CloseUp()
        self._close_up.width = CLOSE_UP_HEIGHT * theme.TILE_ASPECT
        self.keys: dict[str, TileKey] = {}
        self.leave_out = Press(
            " ", act=lambda: self._press(BACK), size=theme.TEXT_SMALL, size_hint_x=None, width=dp(108)
        )
        self.done = Press(icon="close", act=self._put_away, size_hint_x=None, width=theme.TOUCH)

    def show(self, view: View[TileSets], room: tuple[float, float]) -> None:
        lesson = view.state.lesson
        key = lesson, view.words.language, room, view.state.photo
        if key == self._key or lesson.selected is None:
            return
        self._key = key
        self.clear_widgets()
        tile = next(tile for tile in lesson.tiles if tile.id == lesson.selected)
        named = next(named for named in lesson.named[lesson.front] if named.id == tile.id)
        self.add_widget(self._heading(tile, named, view))
        keyboard = Keyboard(KINDS, (room[0], room[1] - CLOSE_UP_HEIGHT - theme.GAP), self._press)
        self.keys = keyboard.keys | self.keys
        self.add_widget(keyboard)

    def _heading(self, tile: PhotoTile, named: NamedTile, view: View[TileSets]) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=CLOSE_UP_HEIGHT, spacing=theme.GAP)
        if view.state.photo:
            self._close_up.look_at(named.quad, view.state.photo)
            adopt(row, self._close_up)
        row.add_widget(Text(_question(tile, named, view.words), pos_hint={"center_y": 0.5}))
        likely = [named.kind, tile.code, *(code for code, _ in tile.alternatives)]
        codes = [code for code in dict.fromkeys(likely) if code not in (None, UNKNOWN, BACK)]
        self.keys = {}
        width = CLOSE_UP_HEIGHT * theme.TILE_ASPECT
        for code in codes[:SUGGESTED_MAX]:
            assert code is not None
            self.keys[code] = TileKey(code, width=width, act=partial(self._press, code))
            self.keys[code].mark(ring=theme.SURE if code == named.kind else None)
            row.add_widget(self.keys[code])
        self.leave_out.text = view.words("Leave out")
        adopt(row, self.leave_out)
        adopt(row, self.done)
        return row

    def _press(self, code: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.press_key(code)))

    def _put_away(self) -> None:
        self._controller.do(lambda state: state.browse(lambda lesson: lesson.select(None)))


def _question(tile: PhotoTile, named: NamedTile, words: Words) -> str:
    if named.kind is None:
        return words("Left out: what is it?")
    if named.kind == UNKNOWN:
        return words("Not read: what is it?")
    if named.needs_check:
        return words("Is this right?")
    return words("This tile")


class LessonPage(BoxLayout):
    """The photo or the guide, with what was read and the next step next to it or below."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self._view: View[TileSets] | None = None
        self.guide = TileGuide()
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
        asked = len(lesson.to_check)
        self.next.text = words("{count} to check", count=asked) if asked else words("Learn these tiles")
        self.next.disabled = view.state.busy is not None
        self._footer.height = theme.TOUCH if lesson.photos and not typing else 0
        self._footer.clear_widgets()
        if self._footer.height:
            adopt(self._footer, self.next)

    def _select(self, tile_id: int) -> None:
        self._controller.do(lambda state: state.browse(lambda lesson: lesson.select(tile_id)))

    def _call(self, name: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.called(name)))

    def _go_on(self) -> None:
        if self._view and self._view.state.lesson.to_check:
            self._controller.do(lambda state: state.browse(LessonDraft.select_next_unsure))
        else:
            self._controller.do(TileSets.learn)


def marks(lesson: LessonDraft) -> list[Mark]:
    """The outlines of the tiles in the photo in front; tiles left out have none."""
    return [
        Mark(named.id, Outline(named.quad, named.kind or BACK, colour, thick=named.id == lesson.selected))
        for named in lesson.named[lesson.front]
        if (colour := _colour(named, lesson))
    ]


def _colour(named: NamedTile, lesson: LessonDraft) -> theme.Colour:
    if named.id == lesson.selected:
        return theme.IVORY
    if named.needs_check:
        return theme.UNSURE
    return theme.SURE if named.kind else theme.IVORY_DIM
