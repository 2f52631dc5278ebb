"""The kept games as a list, to be looked through and changed; and all evenings together. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.app.effects import Effect
from companion.game.shelf import BinnedGame, GameGlance, MovedGame, sort_newest, suggest_name
from companion.sheets.figures import ManyEvenings
from companion.sheets.hands import Sheet
from companion.words import Words


@dataclass(frozen=True, slots=True)
class ListGames(Effect):
    """Read which games are kept, and what was set aside."""


@dataclass(frozen=True, slots=True)
class ReadOn(Effect):
    """Read those of the kept games that have not been read yet."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadAside(Effect):
    """Read those of the games that were set aside which have not been read yet."""

    games: tuple[BinnedGame, ...]


@dataclass(frozen=True, slots=True)
class ReadEvenings(Effect):
    """Reckon the figures of all kept games. done: how many are reckoned."""

    done: int = 0


@dataclass(frozen=True, slots=True)
class RemoveGame(Effect):
    """Set the kept game aside."""

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
class RestoreGame(Effect):
    """Put a copy in the place of that damaged game."""

    name: str


@dataclass(frozen=True, slots=True)
class BringBack(Effect):
    """Have a game back that was set aside."""

    aside: BinnedGame


@dataclass(frozen=True, slots=True)
class MoveBack(Effect):
    """Undo what was done to a kept game's file."""

    moved: MovedGame


@dataclass(frozen=True, slots=True)
class Export(Effect):
    """Write what is shown as a file of that form, csv, json or pdf, in that language."""

    form: str
    words: Words


@dataclass(frozen=True, slots=True)
class Shelf:
    """games: the kept ones, the newest first; unread: how many are still to be read. sought: what their
    names, players and rules are looked through for. chosen: the game that something is done with; typed: the
    name that is being given to it; copy_name: to a copy of it. shows_aside: whether what was set aside is
    listed. moved: what was done, for undo. evenings: all games together, None while that is not known.
    marked: those whose figures are drawn, in the order in which each was first: by it everybody has the same
    mark wherever figures are drawn.
    """

    games: tuple[GameGlance, ...] = ()
    unread: int = 0
    sought: str = ""
    chosen: str | None = None
    typed: str = ""
    copy_name: str = ""
    aside: tuple[BinnedGame, ...] = ()
    shows_aside: bool = False
    moved: tuple[MovedGame, ...] = ()
    evenings: ManyEvenings | None = None
    marked: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether something beside the list is shown."""
        return self.chosen is not None or self.shows_aside

    @property
    def found(self) -> tuple[GameGlance, ...]:
        """The games in which every word that is looked for appears."""
        words = self.sought.casefold().split()
        return tuple(game for game in self.games if all(word in _describe(game) for word in words))

    def list_games(
        self, games: tuple[GameGlance, ...], aside: tuple[BinnedGame, ...], unread: int = 0
    ) -> Shelf:
        """These are kept, and these were set aside."""
        chosen = self.chosen if any(game.name == self.chosen for game in games) else None
        read = {(each.path, each.at): each for each in self.aside}
        aside = tuple(read.get((each.path, each.at), each) for each in aside)
        return replace(self, games=games, aside=aside, unread=unread, chosen=chosen)

    @property
    def unread_aside(self) -> tuple[BinnedGame, ...]:
        """Those of the games that were set aside which are shown and have not been read."""
        return tuple(each for each in self.aside if self.shows_aside and each.game is None)

    def add_games(self, games: tuple[GameGlance, ...], unread: int) -> Shelf:
        """These were read too."""
        names = {game.name for game in games}
        return replace(
            self,
            games=sort_newest((*games, *(game for game in self.games if game.name not in names))),
            unread=unread,
        )

    def seek(self, text: str) -> Shelf:
        return replace(self, sought=text)

    def choose(self, name: str | None) -> Shelf:
        """Something is to be done with that game."""
        copy_name = suggest_name(name, (game.name for game in self.games)) if name else ""
        return replace(self, chosen=name, typed=name or "", copy_name=copy_name)

    def type(self, text: str) -> Shelf:
        return replace(self, typed=text)

    def type_copy(self, text: str) -> Shelf:
        return replace(self, copy_name=text)

    def show_aside(self, shows: bool) -> Shelf:
        return replace(self, shows_aside=shows, chosen=None)

    def add_aside(self, read: tuple[BinnedGame, ...]) -> Shelf:
        """These of the games that were set aside were read."""
        found = {each.path: each for each in read}
        return replace(self, aside=tuple(found.get(each.path, each) for each in self.aside))

    def leave(self) -> Shelf:
        """The list itself is shown."""
        return replace(self, chosen=None, shows_aside=False)

    def note(self, moved: MovedGame) -> Shelf:
        """That was done to a kept game."""
        return replace(self, moved=(*self.moved, moved), chosen=None)

    def forget_move(self) -> tuple[Shelf, MovedGame]:
        """Without what was done last, and that."""
        return replace(self, moved=self.moved[:-1]), self.moved[-1]

    def know(self, evenings: ManyEvenings) -> Shelf:
        return replace(self, evenings=evenings).mark([one.name for one in evenings.people])

    def mark(self, people: Sequence[str]) -> Shelf:
        """Figures of these people are drawn."""
        new = tuple(one for one in people if one not in self.marked)
        return replace(self, marked=(*self.marked, *new)) if new else self


def list_marked(sheet: Sheet) -> list[str]:
    """By what those who played are known among all whose figures are drawn: names, else numbers."""
    names = sheet.state.names
    return [names[person] or f"#{person}" for person in sheet.people]


def _describe(game: GameGlance) -> str:
    """All that a game can be found by."""
    return " ".join((game.name, game.rules.replace("_", " "), *game.names, f"{game.at:%Y-%m-%d}")).casefold()
