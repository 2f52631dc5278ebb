"""House rules as a frozen value: the saved profiles, the one that is shown, and steps. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, product
from pathlib import Path

from companion.app.effects import ComeToFront, Effect, GoBack, SendNews, ShowMessage
from companion.app.feature import FeatureState, remember
from companion.app.house.files import FoundFile
from companion.app.news import ChoosePicture, News, PictureChosen, ProfilesChanged, ProfileWanted
from companion.errors import InputError
from companion.files import fold_name
from companion.named_files import normalise
from companion.profiles import FILES, READY_MADE
from companion.rules import RULE_SETS
from companion.rules.profile import Profile, make_profile
from companion.rules.win import OptionValue
from companion.sentences import Sentence

Saved = tuple[tuple[str, Profile], ...]


class Place(StrEnum):
    """What the page shows."""

    LIST = "list"
    OPTIONS = "options"
    SHARE = "share"
    TAKE_IN = "take_in"


class Section(StrEnum):
    """Which options of the profile are shown."""

    SCORING = "scoring"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class ReadSaved(Effect):
    """Read the saved profiles."""


@dataclass(frozen=True, slots=True)
class WriteProfile(Effect):
    """Save the profile under that name."""

    name: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class RenameProfile(Effect):
    """Rename a profile's file to a name that differs only in capitals or form."""

    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class RemoveProfile(Effect):
    """Delete the file of that profile."""

    name: str


@dataclass(frozen=True, slots=True)
class ExportProfile(Effect):
    """Write the profile where other people can be given it."""

    name: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class FindFiles(Effect):
    """Look for files with profiles."""


@dataclass(frozen=True, slots=True)
class TakeInFile(Effect):
    """Read a profile, or a picture of its QR code."""

    path: Path


@dataclass(frozen=True, slots=True)
class HouseRules(FeatureState):
    """saved: every saved profile by name; broken: those that cannot be used, and why; name, ready: the
    profile that is shown, a saved one or a ready-made one, which cannot be changed; section: which of its
    options; typed: the name in its field; files: what can be imported, None during the search; past: what was
    saved before each step, and what was shown."""

    saved: Saved = ()
    broken: tuple[tuple[str, Sentence], ...] = ()
    ready: tuple[tuple[str, Profile], ...] = ()
    name: str | None = None
    typed: str | None = None
    place: Place = Place.LIST
    section: Section = Section.SCORING
    files: tuple[FoundFile, ...] | None = None
    past: tuple[tuple[Saved, str | None], ...] = ()
    is_read: bool = False

    @property
    def page(self) -> str:
        return "house"

    @property
    def is_overlay(self) -> bool:
        return False

    @property
    def title(self) -> Sentence:
        return Sentence("House rules")

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    @property
    def profile(self) -> Profile | None:
        """The one that is shown."""
        return dict((*self.ready, *self.saved)).get(self.name or "")

    @property
    def is_ready_made(self) -> bool:
        """Whether the profile that is shown came with the program."""
        return self.name is not None and self.name not in dict(self.saved)

    @property
    def is_ready_to_show(self) -> bool:
        return self.is_read

    def know(self, saved: Saved, broken: tuple[tuple[str, Sentence], ...], ready: Saved) -> HouseRules:
        """These profiles there are."""
        known = replace(self, saved=saved, broken=broken, ready=ready, is_read=True)
        return known if known.profile or known.place in (Place.LIST, Place.TAKE_IN) else known.show_list()

    # Places.

    def show_list(self) -> HouseRules:
        return replace(self, place=Place.LIST, section=Section.SCORING, name=None, typed=None)

    def open(self, name: str) -> HouseRules:
        """Look at that profile."""
        return replace(self, place=Place.OPTIONS, name=name, typed=None)

    def show_section(self, section: Section) -> HouseRules:
        """Show the options of that kind."""
        return replace(self, section=section)

    def share(self) -> HouseRules:
        """Show how the profile is given to others."""
        return replace(self, place=Place.SHARE) if self.profile else self

    def look_for_files(self) -> HouseRules:
        """Show what can be taken in."""
        return replace(self, place=Place.TAKE_IN, files=None).also(FindFiles())

    def offer_files(self, files: tuple[FoundFile, ...]) -> HouseRules:
        return replace(self, files=files)

    def step_back(self) -> HouseRules:
        match self.place:
            case Place.LIST:
                return self.also(GoBack())
            case Place.SHARE:
                return replace(self, place=Place.OPTIONS)
            case _:
                return self.show_list()

    # Changes, each of which is saved at once and can be undone.

    def create(self, rules: str, wanted: str) -> HouseRules:
        """A profile of that game with its own rules, called so."""
        name = self.choose_name(wanted)
        return self._with(name, make_profile(RULE_SETS[rules], {})).open(name)

    def copy(self) -> HouseRules:
        """A copy of the profile that is shown, to be changed."""
        if self.name is None or self.profile is None:
            return self
        name = self.choose_name(self.name)
        return self._with(name, self.profile).open(name)

    def with_option(self, key: str, value: OptionValue) -> HouseRules:
        """That setting. A ready-made profile stays as it is: a copy of it is changed."""
        if self.profile is None or self.name is None or self.profile.settings[key] == value:
            return self
        state = self.copy() if self.is_ready_made else self
        assert state.name is not None
        changed = self.profile.with_setting(key, value)
        if state is self:
            return self._with(state.name, changed)
        return replace(state, saved=_put(state.saved, state.name, changed)).also(
            WriteProfile(state.name, changed), SendNews(ProfilesChanged(state.name))
        )

    def type_name(self, text: str) -> HouseRules:
        return replace(self, typed=text)

    def rename(self) -> HouseRules:
        """The name in its field is the profile's from now on."""
        name = normalise(" ".join((self.typed or "").split()))
        if self.profile is None or self.name is None or self.is_ready_made or name in ("", self.name):
            return replace(self, typed=None)
        try:
            FILES.check_name(name)
        except InputError as problem:
            return self.also(ShowMessage(problem.sentence, passes=True))
        known = {*dict(self.saved), *dict(self.broken), *(each.name for each in READY_MADE)} - {self.name}
        if same := [each for each in known if fold_name(each) == fold_name(name)]:
            taken = Sentence(
                "House rules called {name} already exist: choose another name.", {"name": same[0]}
            )
            return self.also(ShowMessage(taken, passes=True))
        others = tuple(each for each in self.saved if each[0] != self.name)
        return self._change(_put(others, name, self.profile), name).also(
            ShowMessage(None), SendNews(ProfilesChanged(name))
        )

    def delete(self) -> HouseRules:
        """Delete the profile that is shown; undo brings it back."""
        if self.name is None or self.is_ready_made:
            return self
        gone = Sentence("{name} is deleted; Undo restores it.", {"name": self.name})
        others = tuple(each for each in self.saved if each[0] != self.name)
        return (
            self._change(others, None)
            .show_list()
            .also(ShowMessage(gone, trouble=False), SendNews(ProfilesChanged()))
        )

    def take_in(self, name: str, profile: Profile) -> HouseRules:
        """A shared profile; the same one is imported once."""
        same = next((known for known, each in self.saved if _is_same(each, profile)), None)
        if same:
            there = Sentence("You already have these house rules, as {name}.", {"name": same})
            return self.work(None).open(same).also(ShowMessage(there, trouble=False), ComeToFront())
        chosen = self.choose_name(name)
        taken = Sentence("Imported as {name}.", {"name": chosen})
        state = self.work(None)._with(chosen, profile).open(chosen)
        return state.also(ShowMessage(taken, trouble=False), ComeToFront())

    def undo(self) -> HouseRules:
        if not self.past:
            return self
        saved, name = self.past[-1]
        back = replace(
            self._write(saved), saved=saved, name=name, typed=None, past=self.past[:-1],
            place=Place.OPTIONS if name else Place.LIST,
        )  # fmt: skip
        return back.also(ShowMessage(None), SendNews(ProfilesChanged()))

    def choose_name(self, wanted: str) -> str:
        """`wanted`, or that with a number if there are such house rules."""
        taken = {fold_name(name) for name, _ in (*self.saved, *self.broken, *self.ready)}
        if fold_name(wanted) not in taken:
            return wanted
        numbered = (f"{wanted[:54]}-{n}" for n in count(2))
        return next(name for name in numbered if fold_name(name) not in taken)

    def _with(self, name: str, profile: Profile) -> HouseRules:
        return self._change(_put(self.saved, name, profile), name).also(SendNews(ProfilesChanged(name)))

    def _change(self, saved: Saved, name: str | None) -> HouseRules:
        past = remember(self.past, (self.saved, self.name if self.place is not Place.LIST else None))
        return replace(self._write(saved), saved=saved, name=name, typed=None, past=past)

    def _write(self, saved: Saved) -> HouseRules:
        """What makes the files what `saved` says."""
        before, after = dict(self.saved), dict(saved)
        renamed = {
            name: new
            for name, new in product(before.keys() - after.keys(), after.keys() - before.keys())
            if fold_name(name) == fold_name(new) and before[name] == after[new]
        }
        written = [
            WriteProfile(name, each)
            for name, each in saved
            if before.get(name) != each and name not in renamed.values()
        ]
        removed = [RemoveProfile(name) for name in before if name not in after and name not in renamed]
        return self.also(*(RenameProfile(name, new) for name, new in renamed.items()), *written, *removed)

    # Sharing.

    def export(self) -> HouseRules:
        """Write the profile into the folder of downloads."""
        return self.also(ExportProfile(self.name, self.profile)) if self.name and self.profile else self

    def report_export(self, path: Path) -> HouseRules:
        done = Sentence(
            "{name} and its QR code are in the folder {folder}.",
            {"name": path.stem, "folder": path.parent.name},
        )
        return self.also(ShowMessage(done, trouble=False))

    def photograph_code(self, *, from_camera: bool) -> HouseRules:
        """Have a person photograph a QR code, or choose a picture of it."""
        return self.also(SendNews(ChoosePicture(from_camera=from_camera)))

    def fail(self, why: Sentence) -> HouseRules:
        """Something could not be read or written: what the files hold counts."""
        return self.work(None).also(ShowMessage(why, passes=True), ReadSaved())

    def on_news(self, news: News) -> HouseRules:
        match news:
            case ProfileWanted(None):
                return self.show_list().also(ReadSaved(), ComeToFront())
            case ProfileWanted(str(name)):
                return self.open(name).also(ReadSaved(), ComeToFront())
            case PictureChosen(path):
                return self.work(Sentence("Reading the QR code …")).also(TakeInFile(path))
        return self


def _put(saved: Saved, name: str, profile: Profile) -> Saved:
    return tuple(sorted({**dict(saved), name: profile}.items()))


def _is_same(first: Profile, second: Profile) -> bool:
    return (first.rules, first.settings) == (second.rules, second.settings)
