"""Following the game with a camera: which one, from where; then its picture, small, and what may be done."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cameras import Cameras, name_camera
from companion.app.feature import Controller, View
from companion.app.game.films import describe_length, describe_place
from companion.app.game.state import GameTable
from companion.app.text import list_names
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Column, Press, Tag, Text
from companion.app.widgets.pick import Pick
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
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
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
        offered, chosen = self._list_offers(state)
        self.camera.offer(offered, chosen)
        self.none.text = (
            words.say(state.unoffered)
            if state.unoffered
            else words("No camera was found. Plug one in and look again, or choose a film.")
        )
        self.again.text, self.film.text = words("Look again"), words("Choose a film")
        self.length.text = _describe_film(state, chosen, words) if offered else ""
        if state.game is not None:
            names = [(str(seat), words(name)) for seat, name in enumerate(list_names(state.game))]
            self.bottom.offer(names, str(plan.bottom))
        self.about.text = words(
            "One camera above the table, with all four corners in its picture. What players hold is painted"
            " over and never read."
        )
        is_same = state.following is not None and plan.camera in (None, state.camera)
        goes_on = is_same or (state.unfinished is not None and _is_film(state, chosen))
        self.follow.text = words("Go on") if goes_on else words("Follow")
        self.follow.disabled = not offered
        self._place(has_offers=bool(offered))

    def _look_again(self) -> None:
        """A camera may have been plugged in."""
        if self._view is not None:
            self.show(self._view)

    def _list_offers(self, state: GameTable) -> tuple[list[tuple[str, str]], str | None]:
        """The cameras that there are, and the film that was chosen; and which of them would be followed."""
        offered = {info.id: info.name for info in self._cameras.offer()}
        chosen = state.plan.camera or next(iter(offered), None)
        if state.film is not None:
            offered.setdefault(state.film.camera, state.film.name)
        if chosen is not None:
            offered.setdefault(chosen, name_camera(chosen))
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
