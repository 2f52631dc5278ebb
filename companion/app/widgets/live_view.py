"""The live picture of a camera with what is read in it, for whoever wants to take it."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock

from companion.app.live_preview import LivePicture, LivePreview
from companion.app.widgets import theme
from companion.app.widgets.live_stage import LiveStage
from companion.app.widgets.outlines import Outline
from companion.seeing.preview import SteadyTile
from companion.sentences import Sentence
from companion.tiles import BACK

FRAMES_PER_S = 30
SILENT = Sentence("The camera gives no picture any more: check its plug and try again, or choose a picture.")


class LiveView(LiveStage):
    """Runs while it is in a window and has a preview. `changed` hears each new picture, None before the
    first."""

    def __init__(self, changed: Callable[[LivePicture | None], None]) -> None:
        super().__init__()
        self._changed = changed
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()
        self._preview: LivePreview | None = None
        self.live: LivePicture | None = None
        self._drawn: object = None

    def show(self, preview: LivePreview | None) -> None:
        """Show that preview from now on, or none."""
        if self._preview is not preview:
            self._preview, self.live = preview, None
            self.forget()
        self._tick()

    def _update(self, _: float) -> bool:
        preview = self._preview
        if preview is None or self.parent is None:
            self.forget()
            self.live, self._drawn = None, None
            return False
        if preview.is_silent:
            preview.lose(SILENT)
            return False
        live = preview.live
        if live is None:
            self._changed(None)
            return True
        if live is not self.live:
            if self.live is None or live.number != self.live.number:
                self.fill(live.image)
            self.live = live
            self._changed(live)
        drawn = (live, tuple(self.pos), tuple(self.size))
        if drawn != self._drawn:
            self._drawn = drawn
            tiles = live.tiles or ()
            self.outline([Outline(tile.quad, tile.code, _colour(tile), thick=tile.unsure) for tile in tiles])
        return True


def _colour(tile: SteadyTile) -> theme.Colour:
    if tile.unsure:
        return theme.UNSURE
    return theme.IVORY_DIM if tile.code == BACK else theme.SURE
