"""What can be played: the games by their own rules, and profiles. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules import RULE_SETS
from companion.rules.profile import Profile
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class House:
    """What can be played: a game by its own rules, or a profile. title, meaning: messages of ready-made ones;
    of a saved profile its name. trouble: why a saved one cannot be used."""

    key: str
    rules: str
    profile: Profile | None = None
    title: str | None = None
    meaning: str | None = None
    trouble: Sentence | None = None

    @property
    def is_saved(self) -> bool:
        """Whether a person saved it."""
        return self.key.startswith("saved:")

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.key.partition(":")[2]


def list_games() -> tuple[House, ...]:
    """The games by their own rules."""
    return tuple(House(f"rules:{rules.name}", rules.name) for rules in RULE_SETS.values())
