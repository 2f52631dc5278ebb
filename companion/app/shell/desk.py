"""The desk: takes intents, keeps the one state, has pictures read, and tells the window to show what is
new. No Kivy.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.devices.controller import DevicesController
from companion.app.pictures.live_preview import LivePreview
from companion.app.score_photo.state import Banner, ScorePhoto
from companion.app.shell import session
from companion.app.shell.pages import Page
from companion.app.shell.place import Place, take_place
from companion.app.shell.sight import PictureDesk, Shown, Sight
from companion.app.shell.text import Language, Words
from companion.app.tile_sets.school import School, SchoolView
from companion.cameras import CameraInfo
from companion.images import Image
from companion.photo_hand.advice import advice
from companion.photo_hand.scoring import Outcome, evaluate
from companion.running.camera_reading import OpenCamera
from companion.running.device_views import DevicesView
from companion.running.game import RunningGame
from companion.running.port_watch import Serial
from companion.running.posting import Post
from companion.running.proposals import ASK_ALWAYS
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision import Reading, TileReading

CAMERA_END_S = 3.0
"""The longest wait for a camera and a reading to end with the window: a camera pulled out takes two."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a pane needs to show itself. `shown` is the picture on the table, None where there is none;
    `banner` what is said, which is what holds for the whole window where the state has nothing to say."""

    state: ScorePhoto
    banner: Banner | None
    outcome: Outcome
    words: Words
    shown: Shown | None
    school: SchoolView
    devices: DevicesView


@dataclass(frozen=True, slots=True)
class Cameras:
    """How cameras are found and opened; `wanted` is the one that the person asked for when starting."""

    list: Callable[[], tuple[CameraInfo, ...]]
    open: OpenCamera
    wanted: str | None = None


class Desk:
    """Owns the state.

    `folder` is the user's data folder; `keep` says whether the hand is kept there. Every method is called
    on the window's thread.
    """

    def __init__(
        self,
        *,
        folder: Path,
        sight: Sight,
        cameras: Cameras,
        post: Post,
        language: Language | None = None,
        keep: bool = True,
        serial: Serial | None = None,
    ) -> None:
        self.on_view: Callable[[View], None] = lambda view: None
        self.on_devices: Callable[[DevicesView], None] = lambda devices: None
        self.preview: LivePreview | None = None
        self.camera: str | None = cameras.wanted
        self._folder = folder
        self._sight = sight
        self._cameras = cameras
        self._post = post
        self._pictures = PictureDesk(sight.load, self._read, post, self)
        self.school = School(sight, post, self)
        self.game = RunningGame(policy=ASK_ALWAYS, serial=serial)
        self.devices = DevicesController(
            self.game,
            post,
            changed=lambda: self.on_devices(self.devices.view),
            kept=self.changed,
            asked=lambda seat: self.do(lambda state: state.ask_winner(seat)),
            say=lambda sentence: self.do(lambda state: state.tell(sentence)),
        )
        self._shown: Shown | None = None
        self._shown_path: str | None = None
        self._seen: tuple[str, tuple[TileReading, ...]] | None = None
        self.place = take_place(folder) if keep else Place()
        self._note = self.place.note
        saved, complaint = self.place.saved, self.place.complaint
        self._state = ScorePhoto()
        if saved:
            self._state = ScorePhoto(facts=saved.facts, lesson=saved.lesson)
            complaint = self.school.use_again(saved.tile_set) or complaint
        self._state = self._state.tell(complaint)
        self._words = Words(language or (saved.language if saved else None) or Language.ENGLISH)
        self._outcome = evaluate(self._state.facts)
        self.devices.play(self._state.facts)
        if saved:
            self.devices.begin(saved.devices)

    @property
    def taken_folder(self) -> Path:
        """Where the pictures taken with the camera are kept; the person's own, so none is ever deleted."""
        return self._folder / "pictures"

    @property
    def state(self) -> ScorePhoto:
        return self._state

    @property
    def words(self) -> Words:
        return self._words

    @property
    def view(self) -> View:
        return View(
            self._state,
            self._state.banner or (Banner(self._note, trouble=False) if self._note else None),
            self._outcome, self._words, self._shown, self.school.view, self.devices.view,
        )  # fmt: skip

    def start(self, picture: Path | None) -> None:
        """Show what there is; open `picture`, or the picture of the hand that was left last."""
        self.on_view(self.view)
        if picture:
            self.open_picture(picture)
        else:
            self._show_again()

    def do(self, step: Callable[[ScorePhoto], ScorePhoto]) -> None:
        """Take one step: everything that a person does to the state comes through here."""
        before = self._state
        self._state = step(before)
        other_game = self._state.facts.rules != before.facts.rules
        if other_game and self._seen:
            self._state = self._state.with_reading(*self._seen)
        if self._state.facts != before.facts:
            self._outcome = evaluate(self._state.facts)
            self.devices.play(self._state.facts)
        if (self._state.facts, self._state.lesson) != (before.facts, before.lesson):
            self._save()
        picture = self._state.facts.picture
        if picture != before.facts.picture and picture != self._shown_path:
            self._shown, self._shown_path = None, None
            self._show_again()
        elif other_game and (self._seen is None or self._seen[0] != picture):
            self.read_again()
        if before.page is Page.CAMERA and self._state.page is not Page.CAMERA:
            self._stop_preview()
        if self._state.page is Page.LESSON and self._state.lesson.photo:
            self.school.teacher.show_front()
        self.on_view(self.view)

    def open_picture(self, path: Path) -> None:
        """Open and read that file, for the table or for the lesson. The tiles on the table stay until it has
        turned out to be a picture."""
        self.do(lambda state: state.tell(None))
        path = Path(os.path.expanduser(path)).absolute()
        if self._state.teaching:
            self.school.teacher.add_photo(path)
        else:
            self._request(path)

    def read_again(self) -> None:
        """Read the picture on the table once more; what a person settled stays."""
        if self._state.facts.picture:
            self._request(Path(self._state.facts.picture))

    def changed(self) -> None:
        """Something beside the state is another: keep and show it."""
        self._save()
        self.on_view(self.view)

    def dismiss_banner(self) -> None:
        """Take away what the banner says."""
        if self._state.banner is None:
            self._note = None
        self.do(lambda state: state.tell(None))

    def set_language(self, language: Language) -> None:
        self._words = Words(language)
        self.changed()

    def list_cameras(self) -> tuple[CameraInfo, ...]:
        found = self._cameras.list()
        wanted = self._cameras.wanted
        if wanted and wanted not in {info.id for info in found}:
            return (CameraInfo(wanted, wanted), *found)
        return found

    def open_camera(self, camera: str | None = None) -> None:
        """Start the live preview of `camera`, or of the one used last, or of the first that is there."""
        self._stop_preview()
        known = self.list_cameras()
        self.camera = camera or self.camera or (known[0].id if known else None)
        if self.camera is None:
            self._camera_lost(
                Sentence("No camera is connected: plug one in and try again, or choose a picture.")
            )
            return
        self.preview = LivePreview(
            partial(self.game.read_camera, self.camera, self._cameras.open, self._read),
            self._post,
            self._camera_lost,
            lambda why: self.do(lambda state: state.tell(why)),
        )
        self.do(lambda state: state.tell(None).show(Page.CAMERA))

    def take_picture(self) -> None:
        """The newest frame of the preview becomes the picture on the table."""
        if self.preview is None or self.preview.live is None:
            return
        image: Image = self.preview.live.image
        path = self.taken_folder / datetime.now().strftime("camera-%Y%m%d-%H%M%S-%f.jpg")

        def done(trouble: Sentence | None) -> None:
            if trouble:
                self.do(lambda state: state.work(None).tell(trouble))
            else:
                self.open_picture(path)

        self.do(lambda state: state.show_home().work(Sentence("Keeping the picture …")))
        self._pictures.keep(image, path, done)

    def close(self) -> None:
        preview = self.preview
        self._stop_preview()
        self._pictures.close()
        self.school.teacher.close()
        self.devices.close()
        self.game.close()
        if preview:  # a program that ends while a network or a camera is at work is torn down, not ended
            preview.wait(CAMERA_END_S)
        self.place.release()

    def show_devices(self) -> None:
        """Show which devices there are, and look for ports as long as the window is open."""
        self.devices.watch_ports()
        self.do(lambda state: state.show(Page.DEVICES))

    def picture_progress(self, doing: Sentence) -> None:
        self.do(lambda state: state.work(doing))

    def picture_opened(self, path: Path, shown: Shown) -> None:
        self._shown, self._shown_path = shown, str(path)
        self.do(lambda state: state.with_picture(str(path)))

    def picture_read(self, path: Path, reading: Reading | None) -> None:
        if reading:
            self._seen = str(path), reading.tiles

        def step(state: ScorePhoto) -> ScorePhoto:
            if reading is None:
                return state.work(None)
            state = state.with_reading(str(path), reading.tiles).work(None)
            if reading.tiles:
                return state.tell(advice(reading.advice), trouble=False) if reading.advice else state
            return state.tell(
                Sentence(
                    "No tiles were found in this picture: take it from closer by and in even light,"
                    " or add the tiles by hand."
                )
            )

        self.do(step)

    def picture_failed(self, path: Path, why: Sentence) -> None:
        self.do(lambda state: state.work(None).tell(why))

    def _read(self, image: Image) -> Reading:
        return self._sight.read(image, self.school.used)

    def _show_again(self) -> None:
        """Open the picture of a hand that was there before; its tiles are read only where it has none."""
        if self._state.facts.picture:
            self._request(Path(self._state.facts.picture), read=not self._state.hand.tiles)

    def _request(self, path: Path, *, read: bool = True) -> None:
        self._state = self._state.work(Sentence("Opening the picture …"))
        self.on_view(self.view)
        self._pictures.request(path, read=read)

    def _camera_lost(self, why: Sentence) -> None:
        self._stop_preview()
        self.camera = self._cameras.wanted
        self.do(lambda state: state.show_home().tell(why))

    def _stop_preview(self) -> None:
        if self.preview:
            self.preview.stop()
            self.preview = None

    def _save(self) -> None:
        if self.place.path is None:
            return
        try:
            session.save(
                self.place.path,
                session.Saved(
                    self._state.facts,
                    self._words.language,
                    self.school.view.used,
                    self._state.lesson,
                    self.devices.choice,
                ),
            )
        except OSError as error:
            why = error.strerror or type(error).__name__
            self._state = self._state.tell(
                Sentence("This hand cannot be kept on disk ({why}): free some space.", {"why": why})
            )
