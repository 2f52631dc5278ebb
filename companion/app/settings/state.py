"""What the settings show and save on disk, and their effects. Frozen values, no Kivy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import (
    ApplyTheme,
    Close,
    ComeToFront,
    Effect,
    GoBack,
    Keep,
    Resize,
    SendNews,
    SetLanguage,
    ShowMessage,
    UseKeyboard,
)
from companion.app.feature import BarButton, FeatureState, remember
from companion.app.keyboards import KeyboardUse
from companion.app.look import Look, Shade, Spacing, TextSize
from companion.app.news import (
    CameraChosen,
    CornersWanted,
    Covered,
    DevicePageWanted,
    FairGameSet,
    FilmWanted,
    HelpWanted,
    LanguageChanged,
    News,
    PackingWanted,
    SettingsWanted,
    SoundWanted,
)
from companion.cameras import CameraInfo
from companion.live.announcing import Voice
from companion.live.tones import Cue
from companion.moving import Spot
from companion.sentences import Sentence
from companion.words import Language

if TYPE_CHECKING:  # which brings OpenCV
    from companion.seeing.camera_check import Finding


@dataclass(frozen=True, slots=True)
class PlayCue(Effect):
    """Have that sound heard."""

    cue: Cue


@dataclass(frozen=True, slots=True)
class TryVoice(Effect):
    """Have the voice say something."""

    chinese: bool


@dataclass(frozen=True, slots=True)
class ListCameras(Effect):
    """Look which cameras are connected."""


@dataclass(frozen=True, slots=True)
class ShowCamera(Effect):
    """Show what that camera sees; None: let the camera go."""

    camera: str | None


@dataclass(frozen=True, slots=True)
class ListSpots(Effect):
    """Search possible data folders and measure the data."""


@dataclass(frozen=True, slots=True)
class CopyData(Effect):
    """Copy everything to that folder, and check it."""

    to: Path


@dataclass(frozen=True, slots=True)
class KeepCopiesIn(Effect):
    """Keep second copies of games in that folder too; None: in the data folder only."""

    folder: Path | None


@dataclass(frozen=True, slots=True)
class CancelCopy(Effect):
    """Copy no more."""


@dataclass(frozen=True, slots=True)
class PlanSwitch(Effect):
    """Use that folder from the next start on."""

    to: Path


PERCENTS = (70, 85, 100, 115, 130)
"""Display scales to choose from, in per cent."""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """Settings on disk. volume, sounds: of the voice and of the sounds, 0 to 100; muted: both are silent.
    turns: whether turns are announced. voice_zh, voice_en: the ids of the voices, None for the best one.
    fair: whether counts and coach are off. camera: its id, None for the first one. percent: display size.
    motion: whether tiles and points are seen on their way, None for what the desktop asks for. keyboard: when
    fields bring up keys on the screen."""

    shade: Shade = Shade.DESKTOP
    safe: bool = False
    text: TextSize = TextSize.NORMAL
    spacing: Spacing = Spacing.NORMAL
    motion: bool | None = None
    percent: int = 100
    volume: int = 60
    sounds: int = 60
    muted: bool = False
    turns: bool = False
    voice_zh: str | None = None
    voice_en: str | None = None
    fair: bool = False
    camera: str | None = None
    keyboard: KeyboardUse = KeyboardUse.AUTOMATIC

    @property
    def is_valid(self) -> bool:
        return all(0 <= each <= 100 for each in (self.volume, self.sounds)) and self.percent in PERCENTS

    @property
    def look(self) -> Look:
        return Look(self.shade, self.safe, self.text, self.spacing, bool(self.motion))

    def list_effects(self) -> tuple[Effect, ...]:
        """What has all of it apply."""
        camera = () if self.camera is None else (SendNews(CameraChosen(self.camera)),)
        fair = SendNews(FairGameSet(self.fair))
        look = ApplyTheme(self.look), Resize(self.percent), UseKeyboard(self.keyboard)
        return *look, SetSound(self), fair, *camera


USUAL = KeptSettings()


@dataclass(frozen=True, slots=True)
class SetSound(Effect):
    """Be heard as the settings say."""

    settings: KeptSettings


VOLUMES = (0, 30, 60, 100)
"""Offered in the window; 0 is silent."""


class Page(StrEnum):
    """The pages of this feature."""

    SETTINGS = "settings"
    HELP = "help"


class SettingsTab(StrEnum):
    """The parts of the settings, of which one is shown."""

    LOOKS = "looks"
    SOUND = "sound"
    TABLE = "table"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Moving:
    """Data are being moved. spots: the folders that offer themselves, None while they are looked for; typed:
    another one; to: where it is copied to; done, total: bytes; is_ready: whether all is copied;
    not_copied: links and special files."""

    spots: tuple[Spot, ...] | None = None
    typed: str = ""
    to: Path | None = None
    done: int = 0
    total: int = 0
    is_ready: bool = False
    not_copied: tuple[str, ...] = ()

    @property
    def is_copying(self) -> bool:
        return self.to is not None and not self.is_ready


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder. is_named: whether COMPANION_DATA names it at each start. size: bytes, None while
    unknown. is_kept: whether the data are there the next time. can_move: whether this system moves folders.
    """

    path: Path = field(default_factory=Path)
    is_named: bool = False
    size: int | None = None
    is_kept: bool = True
    can_move: bool = True

    @property
    def is_fixed(self) -> bool:
        """Whether the data are kept in a folder that cannot be changed here."""
        return not self.can_move or (self.is_named and self.is_kept)


@dataclass(frozen=True, slots=True)
class CopyFolders:
    """Where second copies of games are kept besides the data folder. used: that folder, or None; offered: a
    stick that is plugged in and not used."""

    used: Path | None = None
    offered: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings(FeatureState):
    """kept: the settings; past: earlier settings, for undo. voices: those installed, cameras: those
    connected, None during the search; lost: why the chosen camera shows nothing; findings: how good its
    pictures are, None before that is known. moving: None unless the data are being moved."""

    shown: Page = Page.SETTINGS
    part: SettingsTab = SettingsTab.LOOKS
    kept: KeptSettings = USUAL
    past: tuple[KeptSettings, ...] = ()
    chinese: bool = False
    voices: tuple[Voice, ...] | None = None
    cameras: tuple[CameraInfo, ...] | None = None
    lost: Sentence | None = None
    findings: tuple[Finding, ...] | None = None
    data: DataFolder = field(default_factory=DataFolder)
    copies: CopyFolders = field(default_factory=CopyFolders)
    moving: Moving | None = None

    @property
    def page(self) -> str:
        return self.shown

    @property
    def title(self) -> Sentence:
        return Sentence("Settings") if self.shown is Page.SETTINGS else Sentence("Help")

    @property
    def is_overlay(self) -> bool:
        return self.shown is not Page.SETTINGS

    @property
    def pauses_following(self) -> bool:
        return self.shown is Page.SETTINGS and self.part is SettingsTab.TABLE

    @property
    def can_undo(self) -> bool:
        return bool(self.past) and self.shown is Page.SETTINGS

    @property
    def is_ready_to_show(self) -> bool:
        return self.cameras is not None or self.part is not SettingsTab.TABLE

    @property
    def camera(self) -> str | None:
        """The camera that is shown: the chosen one, else the first."""
        known = [info.id for info in self.cameras or ()]
        return self.kept.camera if self.kept.camera in known else next(iter(known), None)

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        silent = Sentence("Sound on") if self.kept.muted else Sentence("Mute")
        icon = "sound" if self.kept.muted else "mute"
        return (
            BarButton("mute", silent, icon, 104, Settings.toggle_mute, menu=True),
            BarButton(
                "settings", Sentence("Settings"), "settings", 104, Settings.enter, menu=True, opens="settings"
            ),
            BarButton("help", Sentence("Help"), "help", 88, Settings.explain, menu=True, opens="help"),
        )

    def enter(self) -> Settings:
        """Show the settings."""
        return replace(self, shown=Page.SETTINGS).also(ComeToFront()).show_part(self.part)

    def explain(self) -> Settings:
        """Show how an evening goes."""
        return replace(self, shown=Page.HELP).also(ShowCamera(None), ComeToFront())

    def show_part(self, part: SettingsTab) -> Settings:
        """Show that part; the camera is at work only while its picture is shown."""
        shown = replace(self, part=part).also(ShowMessage(None))
        if part is SettingsTab.TABLE:
            return shown.look_for_cameras()
        listing = (ListSpots(),) if part is SettingsTab.DATA else ()
        return shown.also(ShowCamera(None), *listing)

    def step_back(self) -> Settings:
        if self.moving is not None and self.shown is Page.SETTINGS:
            return self.stay()
        return self.also(ShowCamera(None), GoBack())

    # What is set.

    def speak(self, language: Language) -> Settings:
        """Have the window speak that language."""
        return self.also(SetLanguage(language))

    def change(self, **changes: object) -> Settings:
        """Change the named settings, and apply them immediately."""
        kept = replace(self.kept, **changes)  # type: ignore[arg-type]
        return self._apply(kept, remember(self.past, self.kept)) if kept != self.kept else self

    def undo(self) -> Settings:
        """As it was before the last change."""
        return self._apply(self.past[-1], self.past[:-1]) if self.past else self

    def toggle_mute(self) -> Settings:
        """Silent, or heard again."""
        return self.change(muted=not self.kept.muted)

    def set_sounds(self, volume: int) -> Settings:
        """The volume of the sounds, and one of them to judge it by."""
        return self.change(sounds=volume, muted=False).also(PlayCue(Cue.CLAIM))

    def set_voice(self, **changes: object) -> Settings:
        """The voice or its volume, and a word of it to judge it by."""
        return self.change(**changes, muted=False).also(TryVoice(self.chinese))

    def choose_voice(self, id: str) -> Settings:
        """Which voice speaks the window's language."""
        return self.set_voice(**{"voice_zh" if self.chinese else "voice_en": id})

    def listen(self, cue: Cue) -> Settings:
        """Hear what a sound is like."""
        return self.also(PlayCue(cue))

    def find_voices(self, voices: tuple[Voice, ...]) -> Settings:
        """These voices are installed."""
        return replace(self, voices=voices).also(SetSound(self.kept))

    def _apply(self, kept: KeptSettings, past: tuple[KeptSettings, ...]) -> Settings:
        applied = replace(self, kept=kept, past=past)
        if kept.camera != self.kept.camera and self.part is SettingsTab.TABLE:
            applied = replace(applied, findings=None).also(ShowCamera(applied.camera))
        return applied.also(*kept.list_effects(), Keep())

    # Cameras.

    def look_for_cameras(self) -> Settings:
        """Look which are connected, and show the chosen one."""
        return replace(self, cameras=None, lost=None, findings=None).also(ListCameras())

    def choose_film(self) -> Settings:
        """Have a film chosen, which the table follows in the place of a camera."""
        return self.also(GoBack(), SendNews(FilmWanted()))

    def find_cameras(self, cameras: tuple[CameraInfo, ...]) -> Settings:
        """These are connected."""
        found = replace(self, cameras=cameras)
        shows = self.part is SettingsTab.TABLE and self.shown is Page.SETTINGS
        return found.also(ShowCamera(found.camera)) if shows else found

    def lose_camera(self, why: Sentence) -> Settings:
        """The camera that is shown has no picture."""
        return replace(self, lost=why, findings=None)

    def touch_corners(self) -> Settings:
        return self.also(ShowCamera(None), SendNews(CornersWanted()))

    def open_devices(self) -> Settings:
        return self.also(SendNews(DevicePageWanted()))

    # Data.

    def pack(self) -> Settings:
        """Have the photo that is scored packed, to be sent by a person."""
        return self.also(SendNews(PackingWanted()))

    def know_data(self, size: int, spots: tuple[Spot, ...]) -> Settings:
        """Record the data size and the possible folders."""
        moving = self.moving and replace(self.moving, spots=spots)
        return replace(self, data=replace(self.data, size=size), moving=moving)

    def know_copies(self, copies: CopyFolders, trouble: Sentence | None = None) -> Settings:
        """Copies are kept there; trouble: why the wish could not be met."""
        known = replace(self, copies=copies)
        return known.also(ShowMessage(trouble)) if trouble else known

    def keep_copies_in(self, folder: Path | None) -> Settings:
        """Keep copies in that folder too; None: in the data folder only."""
        return self.also(ShowMessage(None), KeepCopiesIn(folder))

    def offer_to_move(self) -> Settings:
        """Ask for the new data folder."""
        return replace(self, moving=Moving()).also(ListSpots())

    def type_folder(self, typed: str) -> Settings:
        return replace(self, moving=replace(self.moving or Moving(), typed=typed))

    def move_to(self, folder: Path) -> Settings:
        """Copy everything there."""
        moving = self.moving or Moving()
        if moving.is_copying:
            return self
        started = replace(moving, to=folder, done=0, total=0, is_ready=False)
        return replace(self, moving=started).also(ShowMessage(None), CopyData(folder))

    def copied(self, done: int, total: int) -> Settings:
        """Show how many bytes are copied."""
        return (
            self
            if self.moving is None
            else replace(self, moving=replace(self.moving, done=done, total=total))
        )

    def finish_copy(self, not_copied: tuple[str, ...] = ()) -> Settings:
        """Every file is copied and compared; not_copied: links and special files."""
        if self.moving is None:
            return self
        return replace(self, moving=replace(self.moving, is_ready=True, not_copied=not_copied))

    def fail_to_copy(self, why: Sentence | None) -> Settings:
        """Nothing is moved. why: None if a person called it off."""
        moving = self.moving and replace(self.moving, to=None, is_ready=False)
        failed = replace(self, moving=moving)
        return failed.also(ShowMessage(why)) if why else failed

    def switch(self) -> Settings:
        """Close the window, and use the new folder from the next start on."""
        if self.moving is None or self.moving.to is None or not self.moving.is_ready:
            return self
        return self.also(PlanSwitch(self.moving.to))

    def close_window(self) -> Settings:
        return self.also(Close())

    def stay(self) -> Settings:
        """Leave the data where they are."""
        return replace(self, moving=None).also(CancelCopy())

    def on_news(self, news: News) -> Settings:
        match news:
            case SettingsWanted():
                return self.enter()
            case HelpWanted():
                return self.explain()
            case SoundWanted(cue):
                return self.also(PlayCue(cue))
            case Covered():
                return self.also(ShowCamera(None))
            case LanguageChanged(language):
                chinese = language is not Language.ENGLISH
                return replace(self, chinese=chinese).also(SetSound(self.kept))
        return self
