"""The first page, as the shell knows it; reads kept games, profiles and connected devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from companion import profiles
from companion.app.cameras import Cameras
from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.home.games import ArchiveGame, BringBack, CopyGame, MoveBack, ReadArchived, RenameGame
from companion.app.home.state import (
    BATCH,
    Found,
    Home,
    KeptHome,
    ListGames,
    LookAround,
    ReadGames,
    ReadHouses,
    RestoreGame,
)
from companion.app.home.tables import House
from companion.app.mirror import GameMirror
from companion.errors import CompanionError
from companion.game import shelf
from companion.game.copies import RESTORED, glance_with_copy, restore
from companion.game.shelf import (
    BIN_NAME,
    BinnedGame,
    MovedGame,
    bring_back,
    copy_game,
    describe_state,
    list_newest,
    remove_game,
    rename_game,
)
from companion.live.devices import Serial
from companion.sentences import Sentence

StateStep = Callable[[Home], Home]


class HomeFeature:
    """Keeps the names that were used, and how the last game was begun."""

    name = "home"
    part: SavedPart | None = SavedPart(KeptHome, lambda kept: kept.is_valid)

    def __init__(self, cameras: Cameras, serial: Serial, mirror: GameMirror) -> None:
        self._cameras = cameras
        self._serial = serial
        self._mirror = mirror

    def begin(self, kept: KeptHome | None, controller: Controller[Home]) -> Home:
        self._mirror.listen(lambda update: self._on_game(controller))
        return Home.resume(kept or KeptHome())

    def keep(self, state: Home) -> KeptHome:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[Home]) -> None:
        match effect:
            case ListGames():
                controller.work(_list_games)
            case ReadGames(names):
                controller.work(partial(_read_games, names))
            case RestoreGame(name):
                controller.work(partial(_restore, name))
            case ReadArchived(games):
                controller.work(partial(_read_archived, games))
            case ArchiveGame(name):
                controller.work(lambda: _move(lambda: remove_game(name)))
            case RenameGame(name, new_name):
                controller.work(lambda: _move(lambda: rename_game(name, new_name)))
            case CopyGame(name, new_name):
                controller.work(lambda: _move(lambda: copy_game(name, new_name)))
            case BringBack(archived):
                controller.work(lambda: _move(lambda: bring_back(archived)))
            case MoveBack(moved):
                controller.work(partial(_move_back, moved))
            case ReadHouses():
                controller.work(_read_houses)
            case LookAround():
                controller.work(self._look_around)

    def offer_pages(self, controller: Controller[Home]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.home.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Nothing runs."""

    def _on_game(self, controller: Controller[Home]) -> None:
        """The running game: no file has it as it is now."""
        played, name = self._mirror.played.progress, self._mirror.played.name
        if played is None or name is None:
            controller.do(lambda state: state.know(None))
            return
        known = describe_state(name, datetime.now(UTC), played.state)
        controller.do(lambda state: state.know(known))

    def _look_around(self) -> StateStep:
        found = Found(
            tuple(info.name for info in self._cameras.offer()),
            tuple(port.name for port in self._serial.list() if port.usb),
        )
        return lambda state: state.find(found)


def _list_games() -> StateStep:
    try:
        names, archived = tuple(list_newest()), shelf.list_archived()
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.fail_to_list(why)
    return lambda state: state.list_games(names, archived)


def _read_games(names: tuple[str, ...]) -> StateStep:
    read = tuple(glance_with_copy(name) for name in names)
    return lambda state: state.add_games(read)


def _restore(name: str) -> StateStep:
    try:
        restored = restore(name)
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.also(ShowMessage(why))
    read = glance_with_copy(name)
    said = Sentence(RESTORED, {"name": name, "day": restored.copy.label})
    return lambda state: state.add_games((read,)).also(ShowMessage(said, trouble=False))


def _read_archived(games: tuple[BinnedGame, ...]) -> StateStep:
    """What some of the archived games are; then the others."""
    read = tuple(map(shelf.read_archived, games[:BATCH]))
    return lambda state: state.in_shelf(lambda found: found.add_archived(read)).read_archived()


def _move(move: Callable[[], MovedGame]) -> StateStep:
    """Change a game's file, and say what was done."""
    try:
        moved = move()
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.work(None).also(ShowMessage(why, passes=True))
    said = _describe_move(moved)
    return lambda state: state.note_move(moved, said)


def _describe_move(moved: MovedGame) -> Sentence:
    if moved.copied:
        return Sentence("Copied as {name}.", {"name": moved.new.stem})
    if moved.new.parent.name == BIN_NAME:
        return Sentence("{name} is archived.", {"name": moved.old.stem})
    if moved.old.parent.name != BIN_NAME:
        return Sentence("The game is now called {name}.", {"name": moved.new.stem})
    if moved.new.stem == moved.old.stem:
        return Sentence("{name} is restored.", {"name": moved.new.stem})
    names = {"name": moved.old.stem, "new": moved.new.stem}
    return Sentence("Restored as {new}: another game is called {name}.", names)


def _move_back(moved: MovedGame) -> StateStep:
    try:
        shelf.move_back(moved)
    except CompanionError as problem:
        why = problem.sentence
        return lambda state: state.work(None).also(ShowMessage(why, passes=True))
    return lambda state: state.work(None).also(ListGames(), ShowMessage(None))


def _read_houses() -> StateStep:
    """Saved profiles, those that cannot be used with the reason, and ready-made ones after them."""
    found: list[House] = []
    try:
        names = profiles.names()
    except (CompanionError, OSError):
        names = []
    for name in names:
        try:
            profile = profiles.load(name)
        except CompanionError as problem:
            trouble: Sentence = problem.sentence
            found.append(House(f"saved:{name}", "", trouble=trouble))
        else:
            found.append(House(f"saved:{name}", profile.rules, profile))
    for ready in profiles.READY_MADE:
        profile = profiles.load(str(ready.path))
        found.append(House(f"ready:{ready.name}", profile.rules, profile, ready))
    return lambda state: state.offer(tuple(found))
