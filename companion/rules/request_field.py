"""What is said of one field of a request, in the table of fields.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.rules.kinds import NUMBER_MAX, Json, Kind, Number
from companion.rules.rule_set import RuleSet


class Part(Enum):
    """What a field belongs to; the value is the heading of its flags."""

    GAME = "The game"
    TILES = "The winner's tiles"
    WIN = "How the hand was won"
    STAKES = "The stakes"
    ANSWER = "The answer"


class Place(Enum):
    """Where the window asks for a field."""

    WIN = "beside the hand"
    MORE = "on the page More"


@dataclass(frozen=True, slots=True)
class Ask:
    """How the window asks for a field. Its words are shown in the language of the window.

    place, label: where, and under which name
    meaning: a sentence below the label, on the page More
    none: the word for null, where the field may be null
    most: the greatest number that can be set with a finger, where the field allows more than ever occurs
    """

    place: Place
    label: str
    meaning: str = ""
    none: str = ""
    most: int = NUMBER_MAX


REQUIRED = object()
"""In place of a default: the field must be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a request.

    name: its key in JSON
    part: what it belongs to
    kind: what its value can be
    help: what it says, a phrase without a full stop; a rule set may put it in its own words (`meanings`)
    default: its value in JSON where it is not given, or a function from the rule set to that; or REQUIRED
    only_some: whether only the games look at it that name it in their `uses`
    nothing: the values in JSON that other games accept since they say nothing; None for any value
    lasts: whether it holds for the next hand too
    others: values in JSON to try where it was left out and the default was assumed (assumed.py); empty for
        fields that a table agrees on, or that not every win has
    attribute: its name in ScoreRequest and in a draft of the window, where that is not `name`
    flag, metavar: the name of its flag and of the flag's value, where they are not those of `name` and `kind`
    ask: how the window asks for it; None where a pane does so in its own way (game, tiles, situations)
    """

    name: str
    part: Part
    kind: Kind
    help: str
    default: Json | Callable[[RuleSet], Json] = REQUIRED
    only_some: bool = False
    nothing: tuple[Json, ...] | None = None
    lasts: bool = False
    others: tuple[Json, ...] = ()
    attribute: str = ""
    flag: str = ""
    metavar: str = ""
    ask: Ask | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attribute", self.attribute or self.name)
        object.__setattr__(self, "flag", self.flag or "--" + self.name.replace("_", "-"))

    @property
    def flags(self) -> tuple[str, ...]:
        """Its flag, and the one that its name makes, where that is another."""
        return tuple(dict.fromkeys((self.flag, "--" + self.name.replace("_", "-"))))

    def used_by(self, rules: RuleSet) -> bool:
        """Whether the game looks at it."""
        return not self.only_some or self.name in rules.uses

    def says_nothing(self, given: Json) -> bool:
        """Whether that value in JSON does no harm in a game that does not look at the field."""
        return self.nothing is None or any(type(given) is type(n) and given == n for n in self.nothing)

    def asked_at(self, place: Place) -> bool:
        """Whether the window asks for it there."""
        return self.ask is not None and self.ask.place is place

    def fit(self, number: int, rules: RuleSet) -> int:
        """The nearest number that can be set with a finger in that game, for a field that is a number."""
        assert isinstance(self.kind, Number)
        least, most = self.kind.bounds(rules)
        return min(max(number, least), most, self.ask.most if self.ask else most)

    def default_in(self, rules: RuleSet) -> Json:
        """The default in JSON, in that game."""
        return self.default(rules) if callable(self.default) else self.default

    def label_in(self, rules: RuleSet) -> str:
        """The label in the window, in that game."""
        assert self.ask is not None
        return rules.meanings[self.name].label if self.name in rules.meanings else self.ask.label

    def help_in(self, rules: RuleSet) -> str:
        """What it says in that game."""
        return rules.meanings[self.name].help if self.name in rules.meanings else self.help
