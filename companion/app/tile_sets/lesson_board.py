"""What was read in a photo of a lesson, in the rows of the photo, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.tile_sets.lesson import Lesson, NamedTile
from companion.app.tile_sets.state import TileSets
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, Text, adopt
from companion.app.widgets.tiles import TileFace, TileKey
from companion.tiles import BACK
from companion.vision.teaching import ROWS
from companion.words import Words

TILE_WIDTH_MIN, TILE_WIDTH_MAX = dp(24), dp(52)
FACE_WIDTH = dp(26)
SPACING = dp(2)
BY_PLACE, AS_READ = "by place", "as read"
ADD, ANEW = "add", "anew"


class LessonBoard(BoxLayout):
    """A column; made anew only where there is another thing to show."""

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
            " ", icon="picture", act=lambda: controller.do(TileSets.choose_picture),
            size=theme.TEXT_SMALL,
        )  # fmt: skip
        self.drop = Press(
            " ", icon="close", act=lambda: controller.do(lambda state: state.edit(Lesson.without_photo)),
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
                (ANEW, view.words("Learn it anew")),
            ]
            self.adds.offer(offers, ANEW if lesson.anew else ADD)
            self.add_widget(self.adds)
        if old and (old.problem or lesson.anew):
            replaced = view.words("There is a set of this name: it will be replaced.")
            self._say(replaced, colour=theme.UNSURE)
        if lesson.photo is None:
            self._begin(view.words)
        else:
            self._read(lesson, view.words, room[0])

    def _begin(self, words: Words) -> None:
        self._say(words("Lay out one of each kind as you see here, flowers only if your set has them."))
        self._say(words("Take a photo of all of them from above, sharp and in even light."))
        small = {"size": theme.TEXT_SMALL, "colour": theme.IVORY_DIM}
        self._say(words("Any other order will do, too: then you name what was misread."), **small)
        self.begin.text = words("Take a photo")
        self._buttons(self.begin, self.choose, words)

    def _read(self, lesson: Lesson, words: Words, width: float) -> None:
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
            offers = [(BY_PLACE, words("In the order shown")), (AS_READ, words("As they were read"))]
            self.order.offer(offers, BY_PLACE if lesson.by_place else AS_READ)
            self.add_widget(self.order)
        if not lesson.is_full:
            hint = words("A second photo, from another side or in other light, helps.")
            self._say(hint, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
            self.take.text = words("Take a photo")
            self._buttons(self.take, self.choose, words)
        self.drop.text = words("Take this photo away")
        self.add_widget(self.drop)

    def _rows(self, lesson: Lesson, width: float) -> None:
        photo, named = lesson.photo, iter(lesson.named[lesson.front])
        assert photo is not None
        longest = max(*photo.rows, max(map(len, ROWS)))
        tile = min(max(width / longest - SPACING, TILE_WIDTH_MIN), TILE_WIDTH_MAX)
        for length in photo.rows:
            row = StackLayout(size_hint_y=None, spacing=(SPACING, SPACING))
            row.bind(minimum_height=row.setter("height"))
            for _ in range(length):
                row.add_widget(self._tile(next(named), tile))
            self.add_widget(row)

    def _tile(self, named: NamedTile, width: float) -> TileKey:
        def select() -> None:
            self._controller.do(lambda state: state.look(lambda lesson: lesson.select(named.id)))

        key = TileKey(named.kind or BACK, width=width, act=select)
        key.mark(ring=theme.UNSURE if named.needs_look else None, faded=named.kind is None)
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
        self._controller.do(TileSets.take_picture)

    def _add_or_replace(self, key: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: replace(lesson, anew=key == ANEW)))

    def _take_by_place(self, key: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.take_by_place(key == BY_PLACE)))


def _faces(codes: Iterable[str]) -> StackLayout:
    flow = StackLayout(size_hint_y=None, spacing=(SPACING, SPACING))
    flow.bind(minimum_height=flow.setter("height"))
    for code in codes:
        flow.add_widget(TileFace(code, width=FACE_WIDTH))
    return flow
