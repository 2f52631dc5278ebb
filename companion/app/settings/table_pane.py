"""The table: which camera looks at it, with its picture, the devices on it, and whether the game is fair."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.cameras import name_camera
from companion.app.feature import Controller, View
from companion.app.settings.cards import ON_OFF, CardGrid, SettingCard, say_pairs
from companion.app.settings.state import Settings
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Press, Text
from companion.app.widgets.live_stage import LiveStage
from companion.app.widgets.pick import Pick
from companion.images import Image
from companion.sentences import msgid
from companion.words import Words

PICTURES_PER_S = 15
PICTURE_LEAST = dp(180)
NO_CAMERA = msgid(
    "No camera was found. Plug one in and touch Look again, or choose a film to follow; without either,"
    " everything works by touch."
)


class TablePane(BoxLayout):
    """find_picture: what the camera sees at this moment."""

    def __init__(self, controller: Controller[Settings], find_picture: Callable[[], Image | None]) -> None:
        super().__init__(spacing=theme.GAP)
        do = controller.do
        self._find_picture = find_picture
        self._drawn: Image | None = None
        self.stage = LiveStage()
        self.heading, self.note = Text(), Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.camera = Pick(lambda key: do(lambda state: state.change(camera=key)))
        self.again = Press(
            " ",
            icon="again",
            act=lambda: do(Settings.look_for_cameras),
            size_hint_x=None,
            width=dp(150) * theme.SCALE,
        )
        self.film = Press(" ", icon="film", act=lambda: do(Settings.choose_film), size=theme.TEXT_SMALL)
        self._row = row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        row.add_widget(self.camera)
        row.add_widget(self.again)
        self._view = Card()
        for child in (self.heading, row, self.stage, self.note):
            self._view.add_widget(child)
        self.corners = Press(" ", act=lambda: do(Settings.touch_corners))
        self.devices = Press(" ", act=lambda: do(Settings.open_devices))
        self.fair = Choices(lambda key: do(lambda state: state.change(fair=key == "True")))
        self._cards = [SettingCard(each) for each in (self.corners, self.devices, self.fair)]
        self._column = CardGrid()
        self.add_widget(self._view)
        self.add_widget(self._column)
        self._tick = Clock.schedule_interval(self._update, 1 / PICTURES_PER_S)

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        wide = view.size[0] > view.size[1]
        self.orientation = "horizontal" if wide else "vertical"
        self.heading.text, self.again.text = words("Which camera?"), words("Look again")
        self._say_cameras(state, words)
        titles = (
            (words("Where the table is in the picture"),
             words("Found by itself; put right by touching the four corners while a game is followed.")),
            (words("Dice cups and tables"), ""),
            (words("Fair game"), words("Nobody is shown how many tiles are left, or what to discard.")),
        )  # fmt: skip
        for card, (title, note) in zip(self._cards, titles, strict=True):
            card.say(title, note)
        self._column.lay(self._cards, 0)
        self.corners.text, self.devices.text = words("Table corners"), words("Devices")
        self.fair.offer(say_pairs(ON_OFF, words), str(state.kept.fair))
        self._tick()

    def _say_cameras(self, state: Settings, words: Words) -> None:
        offered = [(info.id, info.name) for info in state.cameras or ()]
        chosen = state.camera
        self.camera.offer(offered, chosen)
        self.film.text = words("Choose a film")
        shown = self.film if state.cameras == () else self.camera
        if shown.parent is None:
            self._row.clear_widgets()
            self._row.add_widget(shown)
            self._row.add_widget(self.again)
        if state.cameras is None:
            self.note.text = words("Looking for cameras and devices …")
        elif not offered:
            self.note.text = words(NO_CAMERA)
        elif state.lost:
            self.note.text = words.say(state.lost)
        else:
            missing = state.kept.camera
            gone = missing is not None and missing != chosen
            self.note.text = (
                words("{camera} is not connected: this one is used.", camera=name_camera(missing or ""))
                if gone
                else ""
            )

    def _update(self, _: float) -> bool:
        if self.get_parent_window() is None:
            self.stage.forget()
            return False
        image = self._find_picture()
        if image is None:
            self.stage.forget()
        elif image is not self._drawn:
            self.stage.fill(image)
        self._drawn = image
        return True
