"""The live preview: the camera's newest frame with the newest reading's outlines on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.live_preview import LivePicture
from companion.app.pictures.state import BringPicture
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag
from companion.app.widgets.fields import Pick
from companion.app.widgets.stage import LiveView
from companion.cameras import CameraInfo
from companion.photo_hand.from_reading import choose_advice
from companion.tiles import BACK
from companion.words import Words


class CameraPage(Card):
    """Runs while it is in front."""

    def __init__(
        self, controller: Controller[BringPicture], list_cameras: Callable[[], Sequence[CameraInfo]]
    ) -> None:
        super().__init__()
        self._controller = controller
        self._list_cameras = list_cameras
        self._words: Words | None = None
        self.stage = LiveView(self._note)
        self.status = Tag(size=theme.TEXT, colour=theme.IVORY_DIM)
        self.pick = Pick(
            lambda key: controller.do(lambda state: state.open_camera(key)), size_hint_x=None, width=dp(200)
        )
        self.take = Press(" ", icon="camera", main=True, act=self._take, size_hint_x=None, width=dp(190))
        self.back = Press(
            " ", act=lambda: controller.do(BringPicture.step_back), size_hint_x=None, width=dp(110)
        )
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._row = row
        for child in (self.status, self.pick, self.take, self.back):
            row.add_widget(child)
        self.add_widget(self.stage)
        self.add_widget(row)
        self._listed: str | None = None
        self._tile_set: str | None = None

    def show(self, view: View[BringPicture]) -> None:
        words = self._words = view.words
        self.take.text = words("Take this picture")
        self.back.text = words("Back")
        self._tile_set = view.state.tile_set
        if self._listed != view.state.camera:
            self._listed = view.state.camera
            cameras = [(info.id, info.name) for info in self._list_cameras()]
            self.pick.offer(cameras, view.state.camera)
            self.pick.opacity, self.pick.disabled = (1, False) if len(cameras) > 1 else (0, True)
            self.pick.width = dp(200) if len(cameras) > 1 else 0
        self.stage.show(view.state.preview)
        self.take.disabled = self.stage.live is None

    def _note(self, live: LivePicture | None) -> None:
        words = self._words
        self.take.disabled = live is None
        if words is not None and live is None:
            self._say(words("Waiting for the camera …"))
        elif words is not None and live is not None:
            self._describe(live, words)

    def _take(self) -> None:
        """The newest frame becomes the picture."""
        if self.stage.live:
            image = self.stage.live.image
            self._controller.do(lambda state: state.take(image))

    def _describe(self, live: LivePicture, words: Words) -> None:
        """How many tiles are seen, or how more of them would be."""
        if live.tiles is None:
            self._say(words("Reading the tiles …"))
            return
        better = choose_advice(live.advice)
        if better:
            self._say(words.say(better), theme.UNSURE)
            return
        parts = [words("Tiles seen: {count}", count=sum(tile.code != BACK for tile in live.tiles))]
        if unsure := sum(tile.unsure for tile in live.tiles):
            parts.append(words("not sure of: {count}", count=unsure))
        if self._tile_set:
            parts.append(self._tile_set)
        self._say(" · ".join(parts))

    def _say(self, text: str, colour: theme.Colour | None = None) -> None:
        self.status.text, self.status.color = text, colour or theme.IVORY_DIM
