"""Bringing a picture, from a file or from the live camera, to the feature at work; or a film. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from companion.app.effects import ComeToFront, Effect, GivePicture, GoBack, SendNews, ShowMessage
from companion.app.feature import BarButton, FeatureState
from companion.app.live_preview import LivePreview
from companion.app.news import (
    CameraChosen,
    ChoosePicture,
    Covered,
    FilmChosen,
    FilmWanted,
    News,
    PictureLost,
    PictureTaken,
    TileSetChanged,
)
from companion.images import Image
from companion.sentences import Sentence


class Page(StrEnum):
    """The pages of this feature."""

    FILES = "pictures"
    FILMS = "films"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class StartPreview(Effect):
    """Show the live picture of that camera, or of the first there is."""

    camera: str | None


@dataclass(frozen=True, slots=True)
class StopPreview(Effect):
    """Release the camera."""


@dataclass(frozen=True, slots=True, eq=False)
class KeepPicture(Effect):
    """Write a picture taken with the camera to a new file."""

    image: Image


@dataclass(frozen=True, slots=True)
class BringPicture(FeatureState):
    """camera: the one used last. wanted: the one given when the program was started. preview: the live
    picture. tile_set: the name of the set that pictures are read with."""

    page: Page = Page.FILES
    wanted: str | None = None
    camera: str | None = None
    preview: LivePreview | None = None
    tile_set: str | None = None

    @property
    def pauses_following(self) -> bool:
        return True

    @property
    def title(self) -> Sentence | None:
        return Sentence("The table") if self.page is Page.FILMS else None

    @property
    def wants_pictures(self) -> bool:
        return self.page is not Page.FILMS

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton(
                "pictures", Sentence("Picture"), "picture", 104, BringPicture.show_files, pictures=True
            ),
            BarButton("camera", Sentence("Camera"), "camera", 104, BringPicture.open_camera, pictures=True),
        )

    @property
    def is_ready_to_show(self) -> bool:
        live = self.preview.live if self.preview else None
        return self.page is not Page.CAMERA or (live is not None and live.tiles is not None)

    def show_files(self) -> BringPicture:
        """Open the page on which a picture file is chosen."""
        return replace(self._stop(), page=Page.FILES).also(ComeToFront())

    def show_films(self) -> BringPicture:
        """Open the page on which a film is chosen."""
        return replace(self._stop(), page=Page.FILMS).also(ComeToFront())

    def open_camera(self, camera: str | None = None) -> BringPicture:
        """Show the live picture of that camera, or of the one used last."""
        return self.also(StartPreview(camera or self.camera))

    def show_preview(self, camera: str, preview: LivePreview) -> BringPicture:
        """The live picture of that camera has started."""
        return replace(self, page=Page.CAMERA, camera=camera, preview=preview).also(
            ShowMessage(None), ComeToFront()
        )

    def lose_camera(self, why: Sentence) -> BringPicture:
        """There is no live picture any more."""
        return replace(self._stop(), camera=self.wanted).also(GoBack(), ShowMessage(why))

    def choose(self, path: Path) -> BringPicture:
        """Hand over that file as the picture or the film, and leave."""
        if self.page is Page.FILMS:
            return self.also(GoBack(), SendNews(FilmChosen(path)))
        return self.also(GoBack(), GivePicture(path))

    def use_frame(self, image: Image) -> BringPicture:
        """Use the frame `image` as the picture."""
        taking = self._stop().work(Sentence("Saving the picture …"))
        return taking.also(GoBack(), KeepPicture(image))

    def hand_over(self, path: Path) -> BringPicture:
        """The frame was written to that file: hand it over."""
        return self.work(None).also(GivePicture(path))

    def report_trouble(self, why: Sentence) -> BringPicture:
        """The frame could not be written."""
        return self.work(None).also(ShowMessage(why), SendNews(PictureLost()))

    def step_back(self) -> BringPicture:
        return self._stop().also(GoBack())

    def on_news(self, news: News) -> BringPicture:
        match news:
            case ChoosePicture(from_camera):
                return self.open_camera() if from_camera else self.show_files()
            case FilmWanted():
                return self.show_films()
            case CameraChosen(camera):
                return replace(self, wanted=camera, camera=camera)
            case PictureTaken(image):
                return self.work(Sentence("Saving the picture …")).also(KeepPicture(image))
            case TileSetChanged(name):
                return replace(self, tile_set=name)
            case Covered():
                return self.step_back()
        return self

    def _stop(self) -> BringPicture:
        return self if self.preview is None else replace(self, preview=None).also(StopPreview())
