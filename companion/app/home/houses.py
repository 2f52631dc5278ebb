"""What can be played: the games by their own rules, and profiles. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.profiles import ReadyMade
from companion.rules import RULE_SETS
from companion.rules.profile import Profile
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class House:
    """A table's rules: a game as written, or a profile. ready: of a ready-made one. trouble: why a saved one
    cannot be used."""

    key: str
    rules: str
    profile: Profile | None = None
    ready: ReadyMade | None = None
    trouble: Sentence | None = None

    @property
    def is_written(self) -> bool:
        """Whether the game is played by its written rules."""
        return self.key.startswith("rules:")

    @property
    def is_saved(self) -> bool:
        """Whether a person saved it."""
        return self.key.startswith("saved:")

    @property
    def is_common(self) -> bool:
        """Whether it is what is commonly played, offered beside the written rules."""
        return self.ready is not None and self.ready.common

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.key.partition(":")[2]


def list_games() -> tuple[House, ...]:
    """The games by their own rules."""
    return tuple(House(f"rules:{rules.name}", rules.name) for rules in RULE_SETS.values())
