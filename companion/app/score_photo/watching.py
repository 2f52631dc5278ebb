"""The live picture of a camera beside a win that is entered, and the hand taken from it. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from companion.app.effects import Announce, Say
from companion.app.live_preview import LivePreview
from companion.app.news import PictureTaken
from companion.app.score_photo.editing import Page
from companion.app.score_photo.entering import Entering, StopWatching, WatchHand
from companion.images import Image
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Watching(Entering):
    """loading: whether another picture than the one shown is being opened; taking: whether one was taken and
    is on its way. resumes: whether the live picture comes back with the page."""

    loading: bool = False
    taking: bool = False
    resumes: bool = False

    def watch(self, *, quietly: bool = False) -> Self:
        """Show the live picture of a camera, to take the hand from."""
        return self.also(WatchHand(self.camera, quietly))

    def show_live(self, preview: LivePreview) -> Self:
        """The live picture is under way; it is not wanted any more where a hand has come meanwhile."""
        wanted = self.page is Page.ENTRY and not self.loading and not self.typing
        return replace(self, preview=preview) if wanted else self.also(StopWatching())

    def stop_watching(self, why: Sentence | None = None) -> Self:
        """The camera is let go."""
        if self.preview is None:
            return self.also(Say(why)) if why else self
        stopped = replace(self, preview=None).also(StopWatching())
        return stopped.also(Say(why)) if why else stopped

    def cover(self) -> Self:
        """Another page is in front: the camera is let go meanwhile."""
        return replace(self.stop_watching(), resumes=self.preview is not None)

    def uncover(self) -> Self:
        """The page is in front again: so is the live picture where the hand is still to be taken from it."""
        if not self.resumes:
            return self
        back = replace(self, resumes=False)
        wanted = self.game_win is not None and self.page is Page.ENTRY and not self.hand.tiles
        return back.also(WatchHand(self.camera, quietly=True)) if wanted else back

    def take_live(self, image: Image) -> Self:
        """The picture of the camera as it is now is the one of the hand."""
        return replace(self.stop_watching(), taking=True).also(Announce(PictureTaken(image)))

    def start_adding(self) -> Self:
        return Entering.start_adding(self).stop_watching()
