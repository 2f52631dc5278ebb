"""Following the game with a camera: which one, from where; then its picture, small, and what may be done."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cameras import Cameras, name_camera
from companion.app.feature import Controller, View
from companion.app.game.state import GameTable
from companion.app.text import list_names
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Column, Press, Tag, Text
from companion.app.widgets.pick import Pick

LABEL_HEIGHT = dp(24)


class FollowPane(BoxLayout):
    """A short form, and one button that begins."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._cameras = cameras
        self.camera = Pick(lambda key: controller.do(lambda state: state.with_camera(key)))
        self.bottom = Choices(
            lambda key: controller.do(lambda state: state.with_bottom(int(key))),
            size=theme.TEXT_SMALL,
            a_row=2,
        )
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.follow = Press(" ", icon="follow", main=True, act=lambda: controller.do(GameTable.follow))
        self._labels = (_label(), _label())
        form = Column()
        for child in (self._labels[0], self.camera, self._labels[1], self.bottom, self.about, self.follow):
            form.inside.add_widget(child)
        self.add_widget(form)

    def show(self, view: View[GameTable]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self._labels[0].text, self._labels[1].text = (
            words("Which camera?"),
            words("At the picture's lower edge"),
        )
        cameras = self._cameras.offer()
        chosen = plan.camera or (cameras[0].id if cameras else None)
        offered = [(info.id, info.name) for info in cameras]
        if chosen is not None and chosen not in dict(offered):
            offered.append((chosen, name_camera(chosen)))
        self.camera.offer(offered, chosen)
        if not offered:
            self.camera.text = words("No camera is connected")
        if state.game is not None:
            names = [(str(seat), words(name)) for seat, name in enumerate(list_names(state.game))]
            self.bottom.offer(names, str(plan.bottom))
        self.about.text = words(
            "One camera above the table, with all four corners in its picture. What players hold is painted"
            " over and never read."
        )
        is_same = state.following is not None and plan.camera in (None, state.camera)
        self.follow.text = words("Go on") if is_same else words("Follow")


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


def _button(act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL, main=main)
