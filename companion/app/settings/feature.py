"""The settings, as the shell knows them, and what carries them out: the camera check, copying the data
folder, and the player of sounds on its own thread (Kivy plays through SDL; without a sound card it is
silent)."""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import config
from companion.app.cameras import Cameras
from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.look import wants_less_motion
from companion.app.places import find_out_places
from companion.app.recognition import PictureReader
from companion.app.settings.state import (
    CancelCopy,
    CopyData,
    CopyFolders,
    DataFolder,
    KeepCopiesIn,
    KeptSettings,
    ListCameras,
    ListSpots,
    PlanSwitch,
    PlayCue,
    SetSound,
    Settings,
    ShowCamera,
    TryVoice,
)
from companion.app.text import name_seats
from companion.cameras import Frame, find_id
from companion.errors import CompanionError
from companion.files import name_reason, write_whole
from companion.game import copies
from companion.game.updates import Decided, PlayedGame, Post, Update
from companion.held_folder import CAN_HOLD
from companion.images import Image
from companion.live.announcing import (
    Phrase,
    Speaker,
    Voice,
    Weight,
    announce,
    choose_voice,
    find_voices,
    list_voice_folders,
)
from companion.live.camera_reading import CameraListener, CameraReader, TimedReading
from companion.live.running import RunningGame
from companion.live.tones import Cue, choose_cue, make_wav
from companion.moving import MoveCancelled, check_target, copy_data, list_spots, measure, plan_move
from companion.seeing.preview import SmallFrame
from companion.sentences import Sentence, as_text, msgid
from companion.words import Language, Words

if TYPE_CHECKING:
    from companion.seeing.camera_check import Finding
    from companion.vision.recogniser import Recogniser


class CameraCheck:
    """newest: the picture that came last, None at first. On the window's thread `lost` is called with the
    reason for no more, and `found` with what was found about the pictures."""

    def __init__(
        self,
        read_camera: Callable[[CameraListener], CameraReader],
        recogniser: Callable[[], Recogniser],
        post: Post,
        lost: Callable[[Sentence], None],
        found: Callable[[tuple[Finding, ...]], None],
    ) -> None:
        self.newest: Image | None = None
        self._is_stopped = False
        tell = lambda why: post(lambda: None if self._is_stopped else lost(why))  # noqa: E731
        from companion.live.camera_check import RunningCheck  # the networks: many a window needs none

        self._check = RunningCheck(
            recogniser, lambda findings: post(lambda: None if self._is_stopped else found(findings))
        )
        self._reader = read_camera(CameraListener(self._take, _ignore, tell, tell))

    def stop(self) -> None:
        """Stop the camera soon; returns immediately."""
        self._is_stopped = True
        self._check.stop()
        self._reader.stop()

    def wait(self, seconds: float) -> None:
        """Until the camera is free, but no longer than that."""
        self._reader.wait(seconds)

    def _take(self, number: int, frame: Frame, small: SmallFrame) -> None:
        self.newest = frame.image
        self._check.add(frame, small)


def _ignore(reading: TimedReading) -> None:
    """Nothing is read."""


log = logging.getLogger(__name__)

FAILED = msgid("The copy failed ({why}: {file}): your data has not moved.")
BROKEN = msgid("The copy failed ({why}): your data has not moved.")
TELL_EVERY_S = 0.2


class DataMover:
    """folder: the data folder."""

    def __init__(self, folder: Path, post: Post) -> None:
        self._folder = folder
        self._post = post
        self._cancelled = threading.Event()

    def copy(self, to: Path, controller: Controller[Settings]) -> None:
        """Copy everything on a thread of its own, and say how far it is."""
        self._cancelled = threading.Event()
        threading.Thread(
            target=self._run, args=(to, controller, self._cancelled), name="moving", daemon=True
        ).start()

    def cancel(self) -> None:
        """Copy no more."""
        self._cancelled.set()

    def plan(self, to: Path, controller: Controller[Settings]) -> None:
        """Have the switch made as the window closes, and close it."""
        plan_move(self._folder, to)
        controller.do(Settings.close_window)

    def _run(self, to: Path, controller: Controller[Settings], cancelled: threading.Event) -> None:
        reported_at = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal reported_at
            now = time.monotonic()
            if now - reported_at >= TELL_EVERY_S or done == total:
                reported_at = now
                self._post(lambda: controller.do(lambda state: state.copied(done, total)))

        try:
            check_target(self._folder, to)
            not_copied = copy_data(self._folder, to, tell, cancelled.is_set)
        except MoveCancelled:
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(None)))
        except CompanionError as error:
            why = error.sentence
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(why)))
        except OSError as error:
            params = {"why": name_reason(error), "file": as_text(str(error.filename))}
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(Sentence(FAILED, params))))
        except Exception as error:
            log.exception("copying the data")
            broken = Sentence(BROKEN, {"why": type(error).__name__})
            self._post(lambda: controller.do(lambda state: state.fail_to_copy(broken)))
        else:
            self._post(lambda: controller.do(lambda state: state.finish_copy(not_copied)))


LoadSound = Callable[[Path], Any]
"""A sound that can be played, as Kivy's `Sound`; None if it cannot be."""


def load_with_kivy(path: Path) -> Any:
    """The sound of that file. The first one opens the sound card, which may take seconds."""
    _hush_alsa()
    from kivy.core.audio import SoundLoader

    sound = SoundLoader.load(str(path))
    return sound if sound is not None and sound.length > 0 else None


@cache
def _hush_alsa() -> None:
    """Have ALSA say nothing on the terminal: it lists there what a computer without a sound card lacks.

    What it calls instead is a function of C, which does nothing with what it is given. One of Python's would
    wait for ever as the window closes: SDL then waits for its own thread, which may be calling it.
    """
    with suppress(OSError, AttributeError):
        quiet = ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler
        quiet(ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p))


class SoundPlayer:
    """`play` returns immediately. volume: 0, silent, to 100. folder: of the sound files, which are made if
    missing."""

    def __init__(self, folder: Path, load: LoadSound = load_with_kivy) -> None:
        self.volume = 0
        self._folder = folder
        self._load = load
        self._changed = threading.Condition()
        self._loading = threading.Lock()
        self._waiting: Cue | None = None
        self._closed = False
        self._sounds: dict[Cue, Any] = {}
        self._thread: threading.Thread | None = None

    def play(self, cue: Cue) -> None:
        """Have it heard; of those that wait for a slow sound card, only the one that matters most."""
        if self.volume <= 0:
            return
        with self._changed:
            self._waiting = cue if self._waiting is None else max(cue, self._waiting)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def play_file(self, path: Path, volume: int) -> None:
        """Play a WAV file, and return when it is over, or this is closed. volume: 0 to 100."""
        try:
            with self._loading:
                sound = self._load(path)
            if sound is None:
                return
            sound.volume = volume / 100
            sound.play()
            with self._changed:
                self._changed.wait_for(lambda: self._closed, sound.length)
            sound.stop()
            sound.unload()
        except Exception:
            log.exception("the sound %s", path.name)

    def close(self) -> None:
        """Be silent immediately and for good."""
        with self._changed:
            self._closed = True
            self._waiting = None
            self._changed.notify_all()

    def _run(self) -> None:
        while (cue := self._take()) is not None:
            try:
                self._play_now(cue)
            except Exception:
                log.exception("the sound %s", cue.name)

    def _take(self) -> Cue | None:
        """What is played next, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting is not None)
            cue, self._waiting = self._waiting, None
            return None if self._closed else cue

    def _play_now(self, cue: Cue) -> None:
        if cue not in self._sounds:
            self._sounds[cue] = self._make(cue)
        sound = self._sounds[cue]
        if sound is not None:
            sound.volume = self.volume / 100
            sound.play()

    def _make(self, cue: Cue) -> Any:
        path, content = self._folder / f"{cue.name.lower()}.wav", make_wav(cue)
        if not path.is_file() or path.read_bytes() != content:
            write_whole(path, content)
        with self._loading:
            return self._load(path)


SAMPLE = {True: "碰。", False: "Pung."}
END_S = 3.0
"""The longest wait for a camera to end with the window: one that is pulled out takes two."""
SOUNDS, VOICES = "sounds", "voices"
"""Folders of the data folder: the sounds as files, and voices of piper, which may be there too."""


class SettingsFeature:
    """Keeps what a person has set. `speaker` is silent without a voice, `player` without a sound card."""

    name = "settings"
    part: SavedPart | None = SavedPart(KeptSettings, lambda kept: kept.is_valid, lambda kept: kept)

    def __init__(
        self,
        game: RunningGame,
        cameras: Cameras,
        reader: PictureReader,
        folder: Path,
        post: Post,
        *,
        is_kept: bool = True,
    ) -> None:
        """folder: the user's data folder; is_kept: whether it is there the next time."""
        self._game = game
        self._cameras = cameras
        self._reader = reader
        self._folder = folder
        self._is_kept = is_kept
        self._post = post
        self.player = SoundPlayer(folder / SOUNDS)
        self.speaker = Speaker(play=self.player.play_file)
        self.check: CameraCheck | None = None
        self._mover = DataMover(folder, post)
        self._settings, self._chinese = KeptSettings(), False
        self._played = PlayedGame()

    def begin(self, kept: KeptSettings | None, controller: Controller[Settings]) -> Settings:
        self._game.subscribe(self._hear)
        settings = kept or KeptSettings()
        if settings.camera is not None:  # earlier versions kept the device
            settings = replace(settings, camera=find_id(settings.camera))
        if settings.motion is None:
            settings = replace(settings, motion=not wants_less_motion())
        is_named = config.named_data_dir() is not None
        data = DataFolder(self._folder, is_named, is_kept=self._is_kept, can_move=CAN_HOLD)
        controller.work(self._find_voices)
        return Settings(kept=settings, data=data).also(*settings.list_effects())

    def keep(self, state: Settings) -> KeptSettings:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[Settings]) -> None:
        match effect:
            case SetSound(settings):
                controller.do(lambda state: self._apply(settings, state))
            case PlayCue(cue):
                self.player.play(cue)
            case TryVoice(chinese):
                self.speaker.speak([Phrase(SAMPLE[chinese], Weight.CLAIM, chinese)])
            case ListCameras():
                controller.work(self._list_cameras)
            case ShowCamera(camera):
                self._show(camera, controller)
            case ListSpots():
                controller.work(self._inspect_data)
            case CopyData(to):
                self._mover.copy(to, controller)
            case KeepCopiesIn(folder):
                controller.work(partial(self._keep_copies, folder))
            case CancelCopy():
                self._mover.cancel()
            case PlanSwitch(to):
                self._mover.plan(to, controller)

    def offer_pages(self, controller: Controller[Settings]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.settings.help_page import HelpPage
        from companion.app.settings.page import SettingsPage

        find_picture = lambda: self.check.newest if self.check else None  # noqa: E731
        return {
            "settings": partial(SettingsPage, controller, find_picture),
            "help": partial(HelpPage, controller),
        }

    def close(self) -> None:
        self._mover.cancel()
        check = self.check
        self._stop_check()
        self.speaker.close()
        self.player.close()
        if check:
            check.wait(END_S)

    def _apply(self, settings: KeptSettings, state: Settings) -> Settings:
        """Have voice and sounds be as they are set."""
        self._settings, self._chinese = settings, state.chinese
        self.player.volume = 0 if settings.muted else settings.sounds
        self.speaker.volume = 0 if settings.muted else settings.volume
        self.speaker.voices = choose_voices(state.voices or (), settings)
        return state

    def _find_voices(self) -> Callable[[Settings], Settings]:
        voices = find_voices((*list_voice_folders(), self._folder / VOICES))
        return lambda state: state.find_voices(voices)

    def _list_cameras(self) -> Callable[[Settings], Settings]:
        cameras = self._cameras.offer()
        return lambda state: state.find_cameras(cameras)

    def _inspect_data(self) -> Callable[[Settings], Settings]:
        size, spots = measure(self._folder), list_spots(self._folder)
        found = self._find_copies()
        return lambda state: state.know_data(size, spots).know_copies(found)

    def _find_copies(self) -> CopyFolders:
        """Where copies are kept, and could be; nowhere if nothing is kept."""
        try:
            others = copies.find_folders()[0][1:] if self._is_kept else ()
        except CompanionError:
            others = ()
        used = next((folder.parent for folder in others), None)
        sticks = (place.folder for place in find_out_places() if place.stick and self._is_kept)
        return CopyFolders(used, next((stick for stick in sticks if stick != used), None))

    def _keep_copies(self, folder: Path | None) -> Callable[[Settings], Settings]:
        trouble: Sentence | None = None
        try:
            copies.name_folder(folder)
            trouble = next(iter(copies.catch_up()), None)
        except CompanionError as problem:
            trouble = problem.sentence
        found = self._find_copies()
        return lambda state: state.know_copies(found, trouble)

    def _show(self, camera: str | None, controller: Controller[Settings]) -> None:
        self._stop_check()
        if camera is not None:
            self.check = CameraCheck(
                partial(self._game.read_camera, camera, self._cameras.open, None),
                self._reader.recognition.recogniser,
                self._post,
                lambda why: controller.do(lambda state: state.lose_camera(why)),
                lambda findings: controller.do(lambda state: replace(state, findings=findings)),
            )

    def _stop_check(self) -> None:
        if self.check:
            self.check.stop()
            self.check = None

    def _hear(self, update: Update) -> None:
        """On the game's thread: what an accepted event has people hear."""
        before = self._played.progress
        self._played = self._played.apply_update(update)
        if not isinstance(update, Decided) or update.decision.event is None or before is None:
            return
        settings, chinese = self._settings, self._chinese
        event, after = update.decision.event, update.decision.progress.state
        cue = choose_cue(before.state, event, after)
        if cue is not None:
            self.player.play(cue)
        words = Words(Language.SIMPLIFIED if chinese else Language.ENGLISH)
        names = [words.say(name) for name in name_seats(after)]
        self.speaker.speak(announce(before.state, event, after, names, chinese=chinese, turns=settings.turns))


def choose_voices(voices: tuple[Voice, ...], settings: KeptSettings) -> dict[bool, Voice]:
    """The voice of each language that one of them speaks."""
    wanted = {True: settings.voice_zh, False: settings.voice_en}
    chosen = {chinese: choose_voice(voices, chinese, wanted) for chinese in (True, False)}
    return {chinese: voice for chinese, voice in chosen.items() if voice is not None}
