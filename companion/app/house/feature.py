"""House rules, as the shell knows them; reads and writes profiles away from the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion import profiles
from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.house import files
from companion.app.house.state import (
    ExportProfile,
    FindFiles,
    HouseRules,
    ReadSaved,
    RemoveProfile,
    RenameProfile,
    TakeInFile,
    WriteProfile,
)
from companion.errors import CompanionError
from companion.rules.profile import Profile
from companion.sentences import Sentence

StateStep = Callable[[HouseRules], HouseRules]


class HouseFeature:
    """Profiles are files of their own: nothing else is kept."""

    name = "house"
    part: SavedPart | None = None

    def begin(self, kept: None, controller: Controller[HouseRules]) -> HouseRules:
        return HouseRules()

    def keep(self, state: HouseRules) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[HouseRules]) -> None:
        match effect:
            case ReadSaved():
                controller.work(_read_saved)
            case WriteProfile(name, profile):
                controller.work(partial(_try, lambda: profiles.save(name, profile)))
            case RenameProfile(name, new_name):
                controller.work(partial(_try, lambda: profiles.FILES.rename(name, new_name)))
            case RemoveProfile(name):
                controller.work(partial(_try, lambda: profiles.FILES.delete(name)))
            case ExportProfile(name, profile):
                controller.work(partial(_export, name, profile))
            case FindFiles():
                controller.work(_find_files)
            case TakeInFile():
                controller.work(partial(_take_in, effect))

    def offer_pages(self, controller: Controller[HouseRules]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.house.page import HousePage

        return {"house": lambda: HousePage(controller)}

    def close(self) -> None:
        """Nothing runs."""


def _read_saved() -> StateStep:
    saved: list[tuple[str, Profile]] = []
    broken: list[tuple[str, Sentence]] = []
    try:
        names = profiles.names()
    except (CompanionError, OSError):
        names = []
    for name in names:
        try:
            saved.append((name, profiles.load(name)))
        except CompanionError as problem:
            broken.append((name, problem.sentence))
    ready = tuple((each.name, profiles.load(str(each.path))) for each in profiles.READY_MADE)
    return lambda state: state.know(tuple(saved), tuple(broken), ready)


def _try(write: Callable[[], object]) -> StateStep:
    try:
        write()
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.fail(why)
    return lambda state: state


def _export(name: str, profile: Profile) -> StateStep:
    try:
        path = files.export(name, profile)
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.fail(why)
    return lambda state: state.report_export(path)


def _find_files() -> StateStep:
    found = files.find_files()
    return lambda state: state.offer_files(found)


def _take_in(effect: TakeInFile) -> StateStep:
    try:
        found = files.read_file(effect.path)
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.fail(why)
    return lambda state: state.take_in(found.name, found.profile)
