"""Following with a camera: choosing and starting it, and the live picture of the table with the tiles read in
it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle, SmoothEllipse, SmoothLine
from kivy.graphics.instructions import InstructionGroup
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cameras import Cameras, name_camera, say_camera
from companion.app.feature import Controller, View
from companion.app.game.films import describe_length, describe_place
from companion.app.game.followed import Beginning
from companion.app.game.state import GameTable
from companion.app.text import list_names
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Choices, Column, Press, Tag, Text
from companion.app.widgets.fields import Pick
from companion.app.widgets.stage import LiveStage, Outline
from companion.images import Image, Point, Quad, centre, short_side
from companion.live.live_following import LiveFollowing, TablePicture
from companion.sentences import Sentence
from companion.words import Words

LABEL_HEIGHT = dp(24)


class FollowPane(BoxLayout):
    """A short form, and one button that begins. Where there is no camera and no film, it says what to do."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._cameras = cameras
        self.camera = Pick(lambda key: controller.do(lambda state: state.with_camera(key)))
        self.bottom = Choices(
            lambda key: controller.do(lambda state: state.with_bottom(int(key))),
            size=theme.TEXT_SMALL,
            a_row=2,
        )
        self.none = Text(colour=theme.UNSURE)
        self.again = _button(self._look_again, icon="again")
        self.film = _button(lambda: controller.do(GameTable.choose_film), icon="film")
        self.length = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.follow = Press(" ", icon="follow", main=True, act=lambda: controller.do(GameTable.follow))
        self._labels = (_label(), _label())
        self._row = layout.row(height=theme.TOUCH, spacing=theme.GAP / 2)
        self._form = Column()
        self._view: View[GameTable] | None = None
        self._placed: list[Widget] = []
        self.add_widget(self._form)

    def show(self, view: View[GameTable]) -> None:
        self._view = view
        words, state = view.words, view.state
        plan = state.plan
        self._labels[0].text, self._labels[1].text = (
            words("Which camera?"),
            words("At the picture's lower edge"),
        )
        offered, chosen = self._list_offers(state, words)
        self.camera.offer(offered, chosen)
        self.none.text = (
            words.say(state.unoffered)
            if state.unoffered
            else words("No camera was found. Plug one in and search again, or choose a film.")
        )
        self.again.text, self.film.text = words("Search again"), words("Choose a film")
        self.length.text = _describe_film(state, chosen, words) if offered else ""
        if state.game is not None:
            names = [(str(seat), words(name)) for seat, name in enumerate(list_names(state.game))]
            self.bottom.offer(names, str(plan.bottom))
        self.about.text = words(
            "Place one camera above the table, with all four corners in its picture. Players' hands are"
            " painted over and never read."
        )
        is_same = state.following is not None and plan.camera in (None, state.camera)
        goes_on = is_same or (state.unfinished is not None and _is_film(state, chosen))
        self.follow.text = words("Continue") if goes_on else words("Follow")
        self.follow.disabled = not offered
        self._place(has_offers=bool(offered))

    def _look_again(self) -> None:
        """A camera may have been plugged in."""
        if self._view is not None:
            self.show(self._view)

    def _list_offers(self, state: GameTable, words: Words) -> tuple[list[tuple[str, str]], str | None]:
        """The cameras that there are, and the film that was chosen; and which of them would be followed."""
        offered = {info.id: say_camera(info.name, words) for info in self._cameras.offer()}
        chosen = state.plan.camera or next(iter(offered), None)
        if state.film is not None:
            offered.setdefault(state.film.camera, state.film.name)
        if chosen is not None:
            offered.setdefault(chosen, say_camera(name_camera(chosen), words))
        return list(offered.items()), chosen

    def _place(self, *, has_offers: bool) -> None:
        """The buttons and lines of the form, from above."""
        row: list[Widget] = [self.camera, self.film] if has_offers else [self.again, self.film]
        lines: list[Widget] = [self._labels[0], *([] if has_offers else [self.none]), self._row]
        lines += [self.length] if self.length.text else []
        lines += [self._labels[1], self.bottom, self.about, self.follow]
        if [*row, *lines] == self._placed:
            return
        self._placed = [*row, *lines]
        for parent, children in ((self._row, row), (self._form.inside, lines)):
            parent.clear_widgets()
            for child in children:
                parent.add_widget(child)


def _describe_film(state: GameTable, chosen: str | None, words: Words) -> str:
    """How long the film is that would be followed, and how far it has been, or why it cannot be followed on;
    nothing of a camera."""
    film = state.film
    if film is None or not _is_film(state, chosen):
        return words.say(state.unoffered) if state.unoffered else ""
    if state.following is not None and state.follows_film:
        return words.say(describe_place(film, state.following.place_s))
    if state.unfinished is not None:
        return words.say(describe_place(film, state.unfinished.place_s))
    if film.length_s is None:
        return ""
    return words("The film lasts {length}.", length=describe_length(film.length_s))


def _is_film(state: GameTable, chosen: str | None) -> bool:
    """Whether it is the film, and no camera, that would be followed."""
    return state.film is not None and state.film.camera == chosen


class CameraHead(BoxLayout):
    """What may be done with the camera that is at work, or with a film that is at its end."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self.corners = _button(lambda: controller.do(GameTable.touch_corners))
        self.stop = _button(lambda: controller.do(GameTable.stop))
        self.size_of = _button(lambda: controller.do(lambda state: state.enlarge(not state.large)))
        self.done = _button(lambda: controller.do(GameTable.leave_film), main=True)
        self._placed: list[Press] = []

    def show(self, view: View[GameTable]) -> None:
        words, state = view.words, view.state
        placed = [self.done, self.size_of] if state.ended else [self.corners, self.stop, self.size_of]
        if placed != self._placed:
            self._placed = placed
            self.clear_widgets()
            for button in placed:
                self.add_widget(button)
        self.done.text = words("Done")
        self.corners.text, self.stop.text = words("Corners"), words("Stop")
        self.size_of.text = words("Smaller") if state.large else words("Larger")
        self.corners.disabled = self.stop.disabled = not state.runs


def _label() -> Tag:
    return Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None, height=LABEL_HEIGHT)


def _button(act: Callable[[], None], *, main: bool = False, icon: str | None = None) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL, main=main, icon=icon)


DOT = dp(26)
NAMED_FROM = dp(18)
"""Width of a tile on the screen below which its name would cover it, and is left to the lists."""
AROUND = 0.06
"""Margin shown around the table, as a share of its width and height in the picture."""


class TableStage(LiveStage):
    """`touched` is called with the touched point, in px of the picture."""

    def __init__(self, touched: Callable[[Point], None]) -> None:
        super().__init__()
        self._touched = touched
        self._offset = (0, 0)
        self._table = InstructionGroup()
        self.canvas.add(self._table)

    def fill_table(self, picture: TablePicture, *, whole: bool) -> None:
        """Show the table as large as it goes; or the whole picture."""
        image, self._offset = picture.image, (0, 0)
        if picture.table is not None and not whole:
            image, self._offset = _cut_table(image, picture.table)
        self.fill(image)

    def show(self, picture: TablePicture, corners: Sequence[Point] | None) -> None:
        """Outline the known tiles and corners; corners: those that a person has touched."""
        if corners is None:
            self.outline(
                [
                    Outline(
                        self._shift(tile.quad),
                        tile.code,
                        theme.UNSURE if tile.unsure else theme.SURE,
                        thick=tile.unsure,
                        way=_find_outwards(tile.quad, picture.table),
                        bare=short_side(tile.quad) * self.where.scale < NAMED_FROM,
                    )
                    for tile in picture.tiles
                ]
            )
        else:
            self.outline([])
        self._table.clear()
        known = picture.table or picture.guess
        self._table.add(Color(*(theme.GOLD if picture.table or corners else theme.UNSURE)))
        if corners is None and known is not None:
            table = self._shift(known)
            points = [value for corner in table for value in self.where.place(corner)]
            self._table.add(SmoothLine(points=points, close=True, width=theme.HAIRLINE * 1.5, joint="round"))
        if corners is not None and len(corners) > 1:
            points = [value for corner in corners for value in self.where.place(corner)]
            self._table.add(SmoothLine(points=points, width=theme.HAIRLINE * 1.5, joint="round"))
        for number, corner in enumerate(corners or (), 1):
            self._add_dot(number, self.where.place(corner))

    def _add_dot(self, number: int, place: Point) -> None:
        """A dot with its number, where a corner was touched."""
        x, y = place
        label = CoreLabel(text=str(number), font_size=DOT * 0.6, bold=True)
        label.refresh()
        width, height = label.texture.size
        self._table.add(Color(*theme.GOLD))
        self._table.add(SmoothEllipse(pos=(x - DOT / 2, y - DOT / 2), size=(DOT, DOT)))
        self._table.add(Color(*theme.FELT_EDGE))
        self._table.add(
            Rectangle(pos=(x - width / 2, y - height / 2), size=(width, height), texture=label.texture)
        )

    def _shift(self, quad: Quad) -> Quad:
        """The place of a quad of the whole picture in the part that is shown."""
        x, y = self._offset
        a, b, c, d = ((corner[0] - x, corner[1] - y) for corner in quad)
        return a, b, c, d

    def forget(self) -> None:
        super().forget()
        self._table.clear()

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if not self.is_live or not self.collide_point(*touch.pos):
            return False
        x, y = self.where.back(*touch.pos)
        if 0 <= x <= self.picture_size[0] and 0 <= y <= self.picture_size[1]:
            self._touched((x, y))
            return True
        return False


def _find_outwards(quad: Quad, table: Quad | None) -> Point | None:
    """The way from the middle of the table to a tile, px."""
    if table is None:
        return None
    (x, y), (middle_x, middle_y) = centre(quad), centre(table)
    return (x - middle_x, y - middle_y) if (x, y) != (middle_x, middle_y) else None


def _cut_table(image: Image, table: Quad) -> tuple[Image, tuple[int, int]]:
    """The part of the picture in which the table is, and its offset, px."""
    height, width = image.shape[:2]
    xs, ys = [x for x, _ in table], [y for _, y in table]
    x_more, y_more = AROUND * (max(xs) - min(xs)), AROUND * (max(ys) - min(ys))
    left, right = max(0, int(min(xs) - x_more)), min(width, int(max(xs) + x_more))
    top, bottom = max(0, int(min(ys) - y_more)), min(height, int(max(ys) + y_more))
    if right - left < 2 or bottom - top < 2:
        return image, (0, 0)
    return image[top:bottom, left:right], (left, top)


class PicturePane(BoxLayout):
    """`update` shows the newest picture. A touch on it makes it large, and small again. has_begun: whether
    tiles of a new hand are on the table, but no event is known yet."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        self._controller = controller
        self.head = CameraHead(controller)
        self.stage = TableStage(self._touch)
        self.caption = Text(size=theme.TEXT_SMALL, align="center")
        for child in (self.stage, self.caption, self.head):
            self.add_widget(child)
        self.has_begun = False
        self._beginning = Beginning()
        self._view: View[GameTable] | None = None
        self._following: LiveFollowing | None = None
        self._picture: tuple[TablePicture, bool] | None = None
        self._drawn: object = None

    def measure(self, picture_px: float) -> float:
        """The height with which the picture is that high, px."""
        return float(picture_px + self.caption.height + self.head.height + 2 * self.spacing)

    def show(self, view: View[GameTable]) -> None:
        self._view = view
        self.head.show(view)
        if self._following is not view.state.following:
            self._following, self._picture = view.state.following, None
            self._beginning, self.has_begun = Beginning(), False
            self.stage.forget()
        self._drawn = None

    def _touch(self, place: Point) -> None:
        """Where its corners are asked for, one of these is there; else it is to be larger, or smaller."""
        self._controller.do(
            lambda state: (
                state.enlarge(not state.large) if state.corners is None else state.touch_corner(place)
            )
        )

    def update(self) -> bool:
        """Show the newest picture; returns whether to continue."""
        following, view = self._following, self._view
        if following is None or view is None:
            return True
        if following.is_silent and not view.state.follows_film:  # a film may be slow to decode
            following.lose(
                Sentence("The camera has stopped sending pictures: check its plug, then continue.")
            )
            return True
        following.shows_edges = view.state.corners is not None
        picture = following.picture
        self.caption.text, self.caption.color = self._describe(picture, view)
        if picture is None:
            return True
        self._note_beginning(picture, view)
        if self.parent is None:
            return True
        whole = view.state.corners is not None
        if (picture, whole) != self._picture:
            self._picture = picture, whole
            self.stage.fill_table(picture, whole=whole)
        places = tuple(self.stage.pos), tuple(self.stage.size)
        drawn = (picture.table, picture.guess, picture.tiles, view.state.corners, *places)
        if drawn != self._drawn:
            self._drawn = drawn
            self.stage.show(picture, view.state.corners)
        return True

    def forget(self) -> None:
        """Show no picture any more."""
        self._picture, self._drawn, self._following = None, None, None
        self.stage.forget()

    def _note_beginning(self, picture: TablePicture, view: View[GameTable]) -> None:
        """Show that a hand has begun once its tiles are on the table."""
        if picture.table is None or view.state.followed is None:
            return
        faces = sum(not tile.unsure for tile in picture.tiles)
        self.has_begun = self._beginning.has_begun(view.state.followed.state, faces)

    def _describe(self, picture: TablePicture | None, view: View[GameTable]) -> tuple[str, theme.Colour]:
        """What the picture shows; of a film also how far it is."""
        state, said = view.state, self._describe_picture(picture, view)
        if state.film is None or state.following is None or not state.follows_film:
            return said
        place = view.words.say(describe_place(state.film, state.following.place_s))
        if state.film.session is not None or not said[0]:  # nothing is looked for in a recorded session
            return place, theme.IVORY_DIM
        return f"{place} · {said[0]}", said[1]

    def _describe_picture(
        self, picture: TablePicture | None, view: View[GameTable]
    ) -> tuple[str, theme.Colour]:
        words = view.words
        if picture is None:
            return words("Waiting for the camera …"), theme.IVORY_DIM
        if view.state.corners is not None:
            return words("Blurred except for straight edges, so that no hand can be read."), theme.IVORY_DIM
        if picture.table is None:
            if view.state.found is None and picture.guess is not None:
                return words("Is this your table? If not, choose Corners and touch all four."), theme.UNSURE
            if view.state.found is None:
                return words("Searching for the table …"), theme.IVORY_DIM
            return words("Blurred until the hands are located."), theme.IVORY_DIM
        pose = view.state.pose
        if pose is None:
            return "", theme.IVORY_DIM
        return words.say(pose.sentence), theme.IVORY_DIM if pose.good else theme.UNSURE
