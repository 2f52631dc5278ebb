"""The live preview: the camera's newest frame with the newest reading's outlines on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.pictures.live_preview import LivePicture, LivePreview
from companion.app.pictures.state import BringPicture
from companion.app.shown import shrink_to_show
from companion.app.text import Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag
from companion.app.widgets.live_stage import LiveStage
from companion.app.widgets.outlines import Outline
from companion.app.widgets.pick import Pick
from companion.cameras import CameraInfo
from companion.photo_hand.advice import choose_advice
from companion.sentences import Sentence
from companion.tiles import BACK
from companion.tracking.steady import SteadyTile

FRAMES_PER_S = 30


class CameraPage(Card):
    """Runs while it is in front."""

    def __init__(
        self, controller: Controller[BringPicture], list_cameras: Callable[[], Sequence[CameraInfo]]
    ) -> None:
        super().__init__()
        self._controller = controller
        self._list_cameras = list_cameras
        self._words: Words | None = None
        self.stage = LiveStage()
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
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()
        self._preview: LivePreview | None = None
        self._live: LivePicture | None = None
        self._drawn: object = None
        self._listed: str | None = None
        self._tile_set: str | None = None

    def show(self, view: View[BringPicture]) -> None:
        words = self._words = view.words
        self.take.text = words("Take this picture")
        self.back.text = words("Back")
        self._tile_set = view.state.tile_set
        if self._preview is not view.state.preview:
            self._preview, self._live = view.state.preview, None
            self.stage.forget()
        if self._listed != view.state.camera:
            self._listed = view.state.camera
            cameras = [(info.id, info.name) for info in self._list_cameras()]
            self.pick.offer(cameras, view.state.camera)
            self.pick.opacity, self.pick.disabled = (1, False) if len(cameras) > 1 else (0, True)
            self.pick.width = dp(200) if len(cameras) > 1 else 0
        self._tick()

    def _update(self, _: float) -> bool:
        preview, words = self._preview, self._words
        if preview is None or words is None or self.parent is None:
            self.stage.forget()
            self._live, self._drawn = None, None
            return False
        if preview.is_silent:
            preview.lose(
                Sentence(
                    "The camera gives no picture any more: check its plug and try again, or choose a picture."
                )
            )
            return False
        live = preview.live
        self.take.disabled = live is None
        if live is None:
            self._say(words("Waiting for the camera …"))
            return True
        if live is not self._live:
            if self._live is None or live.number != self._live.number:
                shown = shrink_to_show(live.image)
                self.stage.fill(shown.image, (shown.width, shown.height))
            self._live = live
            self._describe(live, words)
        drawn = (live, tuple(self.stage.pos), tuple(self.stage.size))
        if drawn != self._drawn:
            self._drawn = drawn
            self.stage.outline([Outline(tile.quad, tile.code, _colour(tile), thick=tile.unsure)
                                for tile in live.tiles or ()])  # fmt: skip
        return True

    def _take(self) -> None:
        """The newest frame becomes the picture."""
        if self._live:
            image = self._live.image
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


def _colour(tile: SteadyTile) -> theme.Colour:
    if tile.unsure:
        return theme.UNSURE
    return theme.IVORY_DIM if tile.code == BACK else theme.SURE
