"""The list of games: what is looked for in it, which game is being changed, what is archived, and the effects
that change files of games. No Kivy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.app.effects import Effect
from companion.game.shelf import BinnedGame, GameGlance, MovedGame, suggest_name


@dataclass(frozen=True, slots=True)
class ReadArchived(Effect):
    """Read those of the archived games that have not been read yet."""

    games: tuple[BinnedGame, ...]


@dataclass(frozen=True, slots=True)
class ArchiveGame(Effect):
    """Archive the kept game."""

    name: str


@dataclass(frozen=True, slots=True)
class RenameGame(Effect):
    """Give the kept game another name."""

    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class CopyGame(Effect):
    """Make another game of the kept one, under that name."""

    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class BringBack(Effect):
    """Restore an archived game."""

    archived: BinnedGame


@dataclass(frozen=True, slots=True)
class MoveBack(Effect):
    """Undo what was done to a kept game's file."""

    moved: MovedGame


@dataclass(frozen=True, slots=True)
class Shelf:
    """sought: the words that listed games have in their names, players, rules or days. chosen: the game that
    is being changed; typed: its new name; copy_name: the name of a copy of it. archived: the games that are;
    shows_archived: whether they are listed. moved: what was done, for undo."""

    sought: str = ""
    chosen: str | None = None
    typed: str = ""
    copy_name: str = ""
    archived: tuple[BinnedGame, ...] = ()
    shows_archived: bool = False
    moved: tuple[MovedGame, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether something else than the list is shown."""
        return self.chosen is not None or self.shows_archived

    def find(self, games: Iterable[GameGlance]) -> tuple[GameGlance, ...]:
        """Those of these games in which every word appears that is sought."""
        words = self.sought.casefold().split()
        return tuple(game for game in games if all(word in _describe(game) for word in words))

    def list_archived(self, archived: tuple[BinnedGame, ...]) -> Shelf:
        """These are archived."""
        read = {(each.path, each.at): each for each in self.archived}
        return replace(self, archived=tuple(read.get((each.path, each.at), each) for each in archived))

    @property
    def unread_archived(self) -> tuple[BinnedGame, ...]:
        """Those of the archived games which are shown and have not been read."""
        return tuple(each for each in self.archived if self.shows_archived and each.game is None)

    def add_archived(self, read: tuple[BinnedGame, ...]) -> Shelf:
        """These of the archived games were read."""
        found = {each.path: each for each in read}
        return replace(self, archived=tuple(found.get(each.path, each) for each in self.archived))

    def seek(self, text: str) -> Shelf:
        return replace(self, sought=text)

    def choose(self, name: str, games: Iterable[GameGlance]) -> Shelf:
        """That game, one of these, is to be changed."""
        copy_name = suggest_name(name, (game.name for game in games))
        return replace(self, chosen=name, typed=name, copy_name=copy_name)

    def type(self, text: str) -> Shelf:
        return replace(self, typed=text)

    def type_copy(self, text: str) -> Shelf:
        return replace(self, copy_name=text)

    def show_archived(self) -> Shelf:
        return replace(self, shows_archived=True, chosen=None)

    def leave(self) -> Shelf:
        """The list itself is shown."""
        return replace(self, chosen=None, shows_archived=False)

    def note(self, moved: MovedGame) -> Shelf:
        """That was done to a kept game."""
        return replace(self, moved=(*self.moved, moved), chosen=None)

    def forget_move(self) -> tuple[Shelf, MovedGame]:
        """Without what was done last, and that."""
        return replace(self, moved=self.moved[:-1]), self.moved[-1]


def _describe(game: GameGlance) -> str:
    """All that a game can be found by."""
    return " ".join((game.name, game.rules.replace("_", " "), *game.names, f"{game.at:%Y-%m-%d}")).casefold()
