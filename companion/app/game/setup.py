"""What is to be followed: the game, the camera, who sits where."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.cameras import Cameras, name_camera
from companion.app.feature import Controller, View
from companion.app.game.state import FollowGame
from companion.app.text import SEAT_NAMES, Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.pick import Pick
from companion.rules import RULE_SETS

LABEL_WIDTH = dp(190)
FORM_WIDTH = dp(760)


class SetupPane(Card):
    """A short form, and one button that begins."""

    def __init__(self, controller: Controller[FollowGame], cameras: Cameras) -> None:
        super().__init__()
        self._cameras = cameras
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(FollowGame.step_back), size_hint_x=None, width=dp(110)
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self.rules = Pick(lambda key: controller.do(lambda state: state.with_rules(key)))
        self.camera = Pick(lambda key: controller.do(lambda state: state.with_camera(key)))
        self.dealer = Choices(
            lambda key: controller.do(lambda state: state.with_dealer(int(key))), size=theme.TEXT_SMALL
        )
        self.bottom = Choices(
            lambda key: controller.do(lambda state: state.with_bottom(int(key))), size=theme.TEXT_SMALL
        )
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.follow = Press(" ", icon="follow", act=lambda: controller.do(FollowGame.follow))
        self.go_on = Press(" ", icon="follow", main=True, act=lambda: controller.do(FollowGame.go_on))
        self._begin = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._labels: list[Tag] = []
        form = Column()
        for field in (self.rules, self.camera, self.dealer, self.bottom):
            form.inside.add_widget(self._row(field))
        form.inside.add_widget(self.about)
        self._form = AnchorLayout(anchor_x="center")
        self._inner = BoxLayout(orientation="vertical", spacing=theme.GAP, size_hint_x=None)
        self._form.add_widget(self._inner)
        self._form.bind(width=lambda _, width: setattr(self._inner, "width", min(width, FORM_WIDTH)))
        self._inner.add_widget(form)
        self._inner.add_widget(self._begin)
        self.add_widget(head)
        self.add_widget(self._form)

    def show(self, view: View[FollowGame]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self.title.text, self.back.text = words("Which game, and which camera?"), words("Back")
        names = (
            words("Game"),
            words("Which camera?"),
            words("Who deals?"),
            words("At the picture's lower edge"),
        )
        for label, name in zip(self._labels, names, strict=True):
            label.text = name
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            plan.rules,
        )
        cameras = self._cameras.offer()
        chosen = plan.camera or (cameras[0].id if cameras else None)
        offered = [(info.id, info.name) for info in cameras]
        if chosen is not None and chosen not in dict(offered):
            offered.append((chosen, name_camera(chosen)))
        self.camera.offer(offered, chosen)
        if not offered:
            self.camera.text = words("No camera is connected")
        for field, seat in ((self.dealer, plan.dealer), (self.bottom, plan.bottom)):
            field.offer(_list_seats(words), str(seat))
        self.about.text = words(
            "One camera above the table, with all four corners in its picture. What players hold is painted"
            " over and never read."
        )
        begun = state.may_go_on
        self.follow.text = words("Follow a new game") if begun else words("Follow")
        is_open = state.following is not None or plan.name is None
        self.go_on.text = words("Go on") if is_open else words("Go on with {name}", name=plan.name)
        self.follow.chosen = not begun
        self._offer([self.go_on, self.follow] if begun else [self.follow])

    def _offer(self, buttons: list[Press]) -> None:
        if [each for each in self._begin.children[::-1] if isinstance(each, Press)] != buttons:
            self._begin.clear_widgets()
            for button in buttons:
                self._begin.add_widget(button)

    def _row(self, field: Widget) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=LABEL_WIDTH)
        self._labels.append(label)
        row.add_widget(label)
        row.add_widget(field)
        return row


def _list_seats(words: Words) -> list[tuple[str, str]]:
    return [(str(seat), words(name)) for seat, name in enumerate(SEAT_NAMES)]
