"""The settings, as the shell knows them; has what happens at the table heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from companion import config
from companion.app.cameras import Cameras
from companion.app.effects import Effect
from companion.app.feature import Controller, Page, Part
from companion.app.places import find_out_places
from companion.app.settings.camera_check import CameraCheck
from companion.app.settings.data_mover import DataMover
from companion.app.settings.effects import (
    CancelCopy,
    CopyData,
    KeepCopiesIn,
    ListCameras,
    ListSpots,
    PlanSwitch,
    PlayCue,
    ShowCamera,
    TryVoice,
)
from companion.app.settings.kept import KeptSettings, SetSound
from companion.app.settings.sound_player import SoundPlayer
from companion.app.settings.state import CopyFolders, DataFolder, Settings
from companion.app.text import name_seats
from companion.errors import CompanionError
from companion.game import copies
from companion.game.updates import Decided, PlayedGame, Post, Update
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
from companion.live.running import RunningGame
from companion.live.tones import choose_cue
from companion.moving import list_spots, measure
from companion.sentences import Sentence
from companion.words import Language, Words

SAMPLE = {True: "碰。", False: "Pung."}
END_S = 3.0
"""The longest wait for a camera to end with the window: one that is pulled out takes two."""
SOUNDS, VOICES = "sounds", "voices"
"""Folders of the data folder: the sounds as files, and voices of piper, which may lie there too."""


class SettingsFeature:
    """Keeps what a person has set. `speaker` is silent without a voice, `player` without a sound card."""

    name = "settings"
    part: Part | None = Part(KeptSettings, lambda kept: kept.is_sound, lambda kept: kept)

    def __init__(
        self, game: RunningGame, cameras: Cameras, folder: Path, post: Post, *, is_kept: bool = True
    ) -> None:
        """folder: the user's data folder; is_kept: whether it is there the next time."""
        self._game = game
        self._cameras = cameras
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
        is_named = config.named_data_dir() is not None
        data = DataFolder(self._folder, is_named, is_kept=self._is_kept)
        controller.work(self._find_voices)
        return Settings(kept=settings, data=data).also(*settings.tell())

    def keep(self, state: Settings) -> KeptSettings:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[Settings]) -> None:
        match effect:
            case SetSound(settings):
                controller.do(lambda state: self._apply(settings, state))
            case PlayCue(cue):
                self.player.play(cue)
            case TryVoice(chinese):
                self.speaker.say([Phrase(SAMPLE[chinese], Weight.CLAIM, chinese)])
            case ListCameras():
                controller.work(self._list_cameras)
            case ShowCamera(camera):
                self._show(camera, controller)
            case ListSpots():
                controller.work(self._look_at_data)
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

    def _look_at_data(self) -> Callable[[Settings], Settings]:
        size, spots = measure(self._folder), list_spots(self._folder)
        found = self._find_copies()
        return lambda state: state.know_data(size, spots).know_copies(found)

    def _find_copies(self) -> CopyFolders:
        """Where copies are kept, and could be; nowhere where nothing is kept."""
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
                self._post,
                lambda why: controller.do(lambda state: state.lose_camera(why)),
            )

    def _stop_check(self) -> None:
        if self.check:
            self.check.stop()
            self.check = None

    def _hear(self, update: Update) -> None:
        """On the game's thread: what an accepted event has people hear."""
        before = self._played.progress
        self._played = self._played.take(update)
        if not isinstance(update, Decided) or update.decision.event is None or before is None:
            return
        settings, chinese = self._settings, self._chinese
        event, after = update.decision.event, update.decision.progress.state
        cue = choose_cue(before.state, event, after)
        if cue is not None:
            self.player.play(cue)
        words = Words(Language.SIMPLIFIED if chinese else Language.ENGLISH)
        names = [words.say(name) for name in name_seats(after)]
        self.speaker.say(announce(before.state, event, after, names, chinese=chinese, turns=settings.turns))


def choose_voices(voices: tuple[Voice, ...], settings: KeptSettings) -> dict[bool, Voice]:
    """The voice of each language that one of them speaks."""
    wanted = {True: settings.voice_zh, False: settings.voice_en}
    chosen = {chinese: choose_voice(voices, chinese, wanted) for chinese in (True, False)}
    return {chinese: voice for chinese, voice in chosen.items() if voice is not None}
