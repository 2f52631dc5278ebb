"""The table of a request's fields: what each is called, what it can be, which games use it, how it is asked
for.

The parser, the flags of the command line, the JSON Schema, saved hands and the window follow this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from companion.rules.kinds import (
    NUMBER_MAX,
    WIND_NAMES,
    BalancesKind,
    DeclaredKongsKind,
    HouseOptionsKind,
    Json,
    LimitKind,
    MeldsKind,
    NumberKind,
    RulesNameKind,
    SeatKind,
    SeatPairsKind,
    SituationsKind,
    StakesKind,
    StreakKind,
    SwitchKind,
    TextKind,
    TileKind,
    TilesKind,
    ValueKind,
    WildTileKind,
    WindKind,
    WinSourceKind,
)
from companion.rules.registry import RULE_SETS
from companion.rules.rule_set import RuleSet


class FieldGroup(Enum):
    """What a field belongs to; the value is the heading of its flags."""

    GAME = "The game"
    TILES = "The winner's tiles"
    WIN = "How the hand was won"
    STAKES = "The stakes"
    ANSWER = "The answer"


class AskedOn(Enum):
    """The page on which the window asks for a field."""

    WIN = "next to the hand"
    MORE = "on the page More"


@dataclass(frozen=True, slots=True)
class Ask:
    """How the window asks for a field. Its words are shown in the language of the window.

    place, label: where, and under which name
    meaning: a sentence below the label, on the page More
    none: the word for null, where the field may be null
    most: the greatest number that can be set with a finger, where the field allows more than ever occurs
    """

    place: AskedOn
    label: str
    meaning: str = ""
    none: str = ""
    most: int = NUMBER_MAX


REQUIRED = object()
"""Marks a field without a default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a request.

    name: its key in JSON
    part: what it belongs to
    kind: what its value can be
    help: what it means, a phrase without a full stop; a rule set may use its own words (`meanings`)
    default: its value in JSON where it is not given, or a function from the rule set to that; or REQUIRED
    only_some: whether only games that name it in their `uses` read it
    nothing: the values in JSON that other games accept, because they change nothing; None for any value
    lasts: whether it holds for the next hand too
    others: values in JSON to try where it was left out and the default was assumed (assumed.py); empty for
        fields that a table agrees on, or that not every win has
    attribute: its name in ScoreRequest and in a draft of the window, where that is not `name`
    flag, metavar: the name of its flag and of the flag's value, where they are not those of `name` and `kind`
    ask: how the window asks for it; None if a pane does so in its own way (game, tiles, situations)
    """

    name: str
    part: FieldGroup
    kind: ValueKind
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
        """Whether the game reads it."""
        return not self.only_some or self.name in rules.uses

    def says_nothing(self, given: Json) -> bool:
        """Whether that value in JSON does no harm in a game that does not read the field."""
        return self.nothing is None or any(type(given) is type(n) and given == n for n in self.nothing)

    def asked_at(self, place: AskedOn) -> bool:
        """Whether the window asks for it there."""
        return self.ask is not None and self.ask.place is place

    def fit(self, number: int, rules: RuleSet) -> int:
        """The nearest number that can be set with a finger in that game, for a field that is a number."""
        assert isinstance(self.kind, NumberKind)
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
        """What it means in that game."""
        return rules.meanings[self.name].help if self.name in rules.meanings else self.help


STREAK_MAX = 1_000
CHAIN_MAX = 8
"""More fortunes or kongs than anybody can have in a row."""
DISCARDS_MAX = 144

_TABLE = (
    Field(
        name="rules",
        part=FieldGroup.GAME,
        kind=RulesNameKind(),
        help="The rule set: companion rules lists them",
        lasts=True,
    ),
    Field(
        name="options",
        part=FieldGroup.GAME,
        kind=HouseOptionsKind(),
        help="A house option that differs from its default: companion rules NAME lists them",
        default={},
        lasts=True,
        flag="--option",
    ),
    Field(
        name="hand",
        part=FieldGroup.TILES,
        kind=TilesKind("the concealed tiles, the winning tile included, as in 234567m88m345p678s"),
        help="The concealed tiles, the winning one included",
    ),
    Field(
        name="melds",
        part=FieldGroup.TILES,
        kind=MeldsKind(),
        help="A meld, with its kind in front: c, p, k, a or K, as in p222m",
        default=[],
        flag="--meld",
    ),
    Field(
        name="winning_tile",
        part=FieldGroup.TILES,
        kind=TileKind("one tile, as in 8s, or null for a dealt win"),
        help="The tile that completed the hand; a dealt win has none",
        default=None,
    ),
    Field(
        name="flowers",
        part=FieldGroup.TILES,
        kind=TilesKind("the flowers set out, as in 1f5f", null=True),
        help="The flowers that the winner has exposed; null if unknown (then no row for having none counts)",
        default="",
        only_some=True,
        nothing=("", None, []),
        others=(None, "12345678f"),
    ),
    Field(
        name="source",
        part=FieldGroup.WIN,
        kind=WinSourceKind(),
        help="Where the winning tile came from",
        lasts=True,
        metavar="SOURCE",
        ask=Ask(AskedOn.WIN, "Won by"),
    ),
    Field(
        name="winner",
        part=FieldGroup.WIN,
        kind=SeatKind(),
        help="The winner's seat, 0 to 3",
        lasts=True,
        ask=Ask(AskedOn.WIN, "Winner"),
    ),
    Field(
        name="from",
        part=FieldGroup.WIN,
        kind=SeatKind(null=True),
        help="The seat that discarded the winning tile, or whose kong was robbed; left out on a self-draw",
        default=None,
        lasts=True,
        attribute="discarder",
        ask=Ask(AskedOn.WIN, "Discarded by"),
    ),
    Field(
        name="dealer",
        part=FieldGroup.WIN,
        kind=SeatKind(),
        help="The dealer's seat",
        default=0,
        lasts=True,
        others=(0, 1, 2, 3),
        ask=Ask(AskedOn.WIN, "Dealer"),
    ),
    Field(
        name="streak",
        part=FieldGroup.WIN,
        kind=StreakKind(0, STREAK_MAX),
        help="How long this dealer has been the dealer, as the game counts it",
        default=lambda rules: rules.streak_default,
        only_some=True,
        nothing=(0, 1),
        lasts=True,
        others=(2, 3),
        ask=Ask(AskedOn.WIN, "Deals in a row", most=99),
    ),
    Field(
        name="round_wind",
        part=FieldGroup.WIN,
        kind=WindKind(),
        help="The round's wind",
        default="east",
        only_some=True,
        lasts=True,
        others=WIND_NAMES,
        metavar="WIND",
        ask=Ask(AskedOn.WIN, "Round wind"),
    ),
    Field(
        name="situation",
        part=FieldGroup.WIN,
        kind=SituationsKind(),
        help="A circumstance of the win, as sea_floor: companion rules NAME lists them",
        default=[],
    ),
    Field(
        name="discards",
        part=FieldGroup.WIN,
        kind=NumberKind(0, DISCARDS_MAX, null=True),
        help="The discards made so far, claimed ones and the winning one included",
        default=None,
        only_some=True,
        nothing=(None,),
        others=(1, 5, 9),
        ask=Ask(
            AskedOn.WIN, "Discards so far", "Of all players, the winning one included.", none="not known"
        ),
    ),
    Field(
        name="fortune",
        part=FieldGroup.WIN,
        kind=WildTileKind(),
        help="The kind of tile that is wild",
        default=None,
        only_some=True,
        nothing=(None,),
        ask=Ask(AskedOn.WIN, "Fortune tile"),
    ),
    Field(
        name="gambits",
        part=FieldGroup.WIN,
        kind=NumberKind(0, CHAIN_MAX),
        help="The gambits directly before the win, as the table counts them",
        default=0,
        only_some=True,
        nothing=(0,),
        ask=Ask(AskedOn.WIN, "Gambits", most=4),  # no more fortune tiles than that
    ),
    Field(
        name="consecutive_kongs",
        part=FieldGroup.WIN,
        kind=NumberKind(0, CHAIN_MAX),
        help="The kongs directly before the win",
        default=0,
        only_some=True,
        nothing=(0,),
        ask=Ask(AskedOn.WIN, "Kongs in a row", most=4),  # a hand has no more kongs than that
    ),
    Field(
        name="three_melds",
        part=FieldGroup.WIN,
        kind=SeatPairsKind(),
        help="A:B if seat A melded three times from seat B, as the table counts it",
        default=[],
        only_some=True,
        nothing=([],),
        ask=Ask(
            AskedOn.MORE, "Three melds from one player", "Who melded three times from whom, kongs included."
        ),
    ),
    Field(
        name="kongs_declared",
        part=FieldGroup.WIN,
        kind=DeclaredKongsKind(),
        help=(
            "A kong of this hand, of any player, which is paid with the win; its kind is k claimed from a"
            " discard, a added to a pung, K concealed"
        ),
        default=[],
        only_some=True,
        nothing=([],),
        ask=Ask(AskedOn.MORE, "Kongs of this hand", "Of every player; they are paid in addition to the win."),
    ),
    Field(
        name="stakes",
        part=FieldGroup.STAKES,
        kind=StakesKind(),
        help=(
            "What a win costs each payer: base + unit × its value, in points; companion rules NAME says which"
            " of them a game has, and what holds where one is left out"
        ),
        default=None,
        lasts=True,
        ask=Ask(AskedOn.MORE, "Stakes", "What a win costs each payer, in points."),
    ),
    Field(
        name="base",
        part=FieldGroup.STAKES,
        kind=NumberKind(1, NUMBER_MAX),
        help="What every payment is multiplied by",
        default=1,
        lasts=True,
    ),
    Field(
        name="cap",
        part=FieldGroup.STAKES,
        kind=LimitKind(),
        help=(
            "Limit of each player's share of a win, before one player pays for all or liability doubles it;"
            " 0 for no limit"
        ),
        default=None,
        lasts=True,
        ask=Ask(
            AskedOn.MORE,
            "Limit",
            "Limit of each player's share of a win, also where one player pays for all.",
            none="no limit",
        ),
    ),
    Field(
        name="balances",
        part=FieldGroup.STAKES,
        kind=BalancesKind(),
        help="What each seat has to pay with: nobody pays more; left out, debts are allowed",
        default=None,
        lasts=True,
        ask=Ask(AskedOn.MORE, "What each player has", "Nobody pays more than that.", none="no limit"),
    ),
)

FIELDS: Mapping[str, Field] = MappingProxyType({field.name: field for field in _TABLE})
"""Every field of a win by name, in the order in which the command line and the window show them."""

_OF_THE_ANSWER = (
    Field(
        name="id",
        part=FieldGroup.ANSWER,
        kind=TextKind(),
        help="A text that the answer repeats, an error too",
        default=None,
    ),
    Field(
        name="alternatives",
        part=FieldGroup.ANSWER,
        kind=SwitchKind(),
        help="Whether the answer has house_rules, which takes most of the time",
        default=True,
        flag="--no-alternatives",
    ),
)
ANSWER_FIELDS: Mapping[str, Field] = MappingProxyType({field.name: field for field in _OF_THE_ANSWER})
"""The fields of a request that describe the answer, not the win."""
ALL_FIELDS: Mapping[str, Field] = MappingProxyType({**FIELDS, **ANSWER_FIELDS})
"""Every field of a request."""

LABELS: frozenset[str] = frozenset(
    [text for field in _TABLE if field.ask for text in (field.ask.label, field.ask.meaning, field.ask.none)]
    + [
        text
        for rules in RULE_SETS.values()
        for meaning in rules.meanings.values()
        for text in (meaning.label, meaning.short)
    ]
) - {""}
"""All words with which the window asks, for translators."""


def explain(field: Field) -> str:
    """What a field means, and in which games, for people who write requests; without a full stop."""
    games = [rules for rules in RULE_SETS.values() if field.used_by(rules)]
    if any(field.name in rules.meanings for rules in games):
        return "; ".join(f"{rules.title}: {field.help_in(rules)}" for rules in games)
    titles = ", ".join(rules.title for rules in games)
    return f"{field.help} ({titles})" if len(games) < len(RULE_SETS) else field.help


def default_of(field: Field) -> Any:
    """The value of a field that is left out, in JSON; None without one, or if the games differ."""
    return None if callable(field.default) or field.default is REQUIRED else field.default
