"""A kept game at a glance, for a list of games: who plays what, how far it is. Changes no game's file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.errors import CompanionError
from companion.game import shelf
from companion.game.course import Course
from companion.game.file import read_entries
from companion.game.index import recall
from companion.game.standing import list_standing
from companion.sentences import Sentence
from companion.table.events import decode_event
from companion.table.state import State


@dataclass(frozen=True, slots=True)
class GameGlance:
    """name: under which the game is kept. at: when something was last entered, UTC. rules: a rule set's name,
    "" where that is not known. names, points: by person, as the game began. hands: how many were finished.
    over: whether it has ended. practice: whether it is a practice game. trouble: why the file cannot be read;
    copy: the label of the copy that `copies.restore` would take then, where that was looked for.
    """

    name: str
    at: datetime
    rules: str = ""
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    hands: int = 0
    over: bool = False
    practice: bool = False
    trouble: Sentence | None = None
    copy: str | None = None

    @property
    def was_played(self) -> bool:
        """Whether a hand was finished, or anything paid."""
        return self.hands > 0 or any(self.points)


def glance(name: str) -> GameGlance:
    """The kept game of that name; one that cannot be read says why. Raises nothing."""
    try:
        path = shelf.FILES.path_of(name)
    except CompanionError as problem:
        return GameGlance(name, datetime.fromtimestamp(0, UTC), trouble=problem.sentence)
    return _try_to_read(name, path, lambda: recall(path, "glance", Known, lambda: _look(path)))


def _try_to_read(name: str, path: Path, read: Callable[[], Known]) -> GameGlance:
    at = find_time(path)
    try:
        return read().name_it(name)
    except CompanionError as problem:
        said = problem.sentence
        short = {**said.params, "file": name} if "file" in said.params else said.params
        return GameGlance(name, at, trouble=Sentence(said.template, short))
    except (OSError, ValueError) as problem:
        why = Sentence("This game cannot be read ({why}).", {"why": str(problem)})
        return GameGlance(name, at, trouble=why)


def glance_at_file(path: Path, name: str) -> GameGlance:
    """The game of that name in that file, such as a copy, of which nothing is remembered; as `glance` where
    it cannot be read."""
    return _try_to_read(name, path, lambda: _look(path))


@dataclass(frozen=True, slots=True)
class Known:
    """A GameGlance as it is remembered: of a game that can be read, whatever its name."""

    at: datetime
    rules: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    hands: int
    over: bool
    practice: bool

    def name_it(self, name: str) -> GameGlance:
        """Of the game that is kept under that name."""
        return GameGlance(
            name, self.at, self.rules, self.names, self.points, self.hands, self.over, self.practice
        )


def _look(path: Path) -> Known:
    standing = list_standing(read_entries(path))
    course = Course()
    course.resume([decode_event(entry.event) for entry in standing], ())
    assert course.state is not None
    found = describe_state("", datetime.fromisoformat(standing[-1].at), course.state)
    return Known(found.at, found.rules, found.names, found.points, found.hands, found.over, found.practice)


def describe_state(name: str, at: datetime, state: State) -> GameGlance:
    """The game that stands so."""
    house, names, points = state.house, tuple(state.names), tuple(state.points)
    is_practice = house.practice is not None
    return GameGlance(name, at, house.rules.name, names, points, state.hands, state.over, is_practice)


def list_newest() -> list[str]:
    """The names of the kept games by when their files were last written, the newest first. GameFileError."""
    folder = shelf.FILES.folder()
    found = shelf.FILES.names() if folder.is_dir() else []
    times = {name: find_time(shelf.FILES.path_of(name)) for name in found}
    return sorted(found, key=lambda name: times[name], reverse=True)


def find_time(path: Path) -> datetime:
    """When the file was last written, UTC."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.fromtimestamp(0, UTC)


def sort_newest(games: Iterable[GameGlance]) -> tuple[GameGlance, ...]:
    """The newest first."""
    return tuple(sorted(games, key=lambda game: (game.at, game.name), reverse=True))
