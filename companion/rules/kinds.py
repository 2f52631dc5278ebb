"""What the value of a request's field can be: one small class for each kind, which reads it from JSON.

A kind is a plain value, so that the command line and the window can choose by it how they ask.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

from companion.errors import NotationError, RequestError, list_names, quote
from companion.rules import messages
from companion.rules.hand import WINDS
from companion.rules.options import settings
from companion.rules.registry import RULE_SETS, find_rule_set
from companion.rules.rule_set import RuleSet
from companion.rules.win import BASE, UNIT, DeclaredKong, Options, Source, Stakes
from companion.tiles import Meld, MeldKind, Tile, parse_meld, parse_tiles

T = TypeVar("T")
Json = Any

SEATS = range(4)
NUMBER_MAX = 1_000_000_000
"""Above any score at any table; keeps results within what other programs read as whole numbers."""
WIND_NAMES = ("east", "south", "west", "north")
TILE = {"$ref": "#/$defs/tile"}
"""The schema of a tile's code."""
KONGS = {kind.value: kind for kind in MeldKind if kind.is_kong}


class ValueKind(ABC):
    """A kind of value. `decode` reads it from JSON and raises RequestError, which names the field."""

    __slots__ = ()

    @abstractmethod
    def describe(self) -> str:
        """What may be given, in words that complete "it must be …"."""

    @abstractmethod
    def decode(self, field: str, given: Json, rules: RuleSet) -> Any:
        """The value as a ScoreRequest holds it. Raises RequestError."""

    def schema(self) -> Json:
        """What may be given, as JSON Schema; `$defs` are those of schema.py. A kind that says no more than
        its words allows any value there."""
        return {}

    def seats(self, value: Any) -> Iterable[int]:
        """The seats that a decoded value names."""
        return ()

    def refuse(self, field: str, given: Json) -> RequestError:
        """The error for what is not of this kind."""
        return RequestError(messages.WRONG_TYPE, field=field, allowed=self.describe(), value=quote(given))


@dataclass(frozen=True, slots=True)
class RulesNameKind(ValueKind):
    """The name of a rule set."""

    def describe(self) -> str:
        return " or ".join(RULE_SETS)

    def decode(self, field: str, given: Json, rules: RuleSet | None = None) -> str:
        found = find_rule_set(given) if isinstance(given, str) else None
        if found is None:
            raise self.refuse(field, given)
        return found.name

    def schema(self) -> Json:
        return {"enum": sorted({name.replace("_", sign) for name in RULE_SETS for sign in "_-"})}


@dataclass(frozen=True, slots=True)
class HouseOptionsKind(ValueKind):
    """House options and their settings; decoded, every option of the game."""

    def describe(self) -> str:
        return "an object of house options and their settings"

    def decode(self, field: str, given: Json, rules: RuleSet) -> Options:
        if not isinstance(given, Mapping):
            raise self.refuse(field, given)
        return rules.settings(settings(rules.options, given, rules.title))

    def schema(self) -> Json:
        return {"type": "object", "additionalProperties": {"type": ["boolean", "integer", "string"]}}


@dataclass(frozen=True, slots=True)
class TilesKind(ValueKind):
    """Tiles in notation, or a list of codes; decoded, sorted. With `null`, or null.

    `words` say which tiles.
    """

    words: str
    null: bool = False

    def describe(self) -> str:
        return f"{self.words}, or a list of codes"

    def decode(self, field: str, given: Json, rules: RuleSet) -> tuple[Tile, ...] | None:
        if given is None and self.null:
            return None
        if isinstance(given, (list, tuple)):
            return tuple(sorted([_read(field, Tile.parse, _text(self, field, each)) for each in given]))
        return tuple(sorted(_read(field, parse_tiles, _text(self, field, given))))

    def schema(self) -> Json:
        in_notation = {"type": "string", "pattern": r"^\s*([1-9]+[mpszf]\s*)*$"}
        ways = [in_notation, {"type": "array", "items": TILE}]
        return {"anyOf": [*ways, {"type": "null"}] if self.null else ways}


@dataclass(frozen=True, slots=True)
class MeldsKind(ValueKind):
    """A list of melds in notation; decoded, sorted."""

    def describe(self) -> str:
        return "a list of melds, as in p222m and K5555p"

    def decode(self, field: str, given: Json, rules: RuleSet) -> tuple[Meld, ...]:
        texts = [_text(self, field, each) for each in _list(self, field, given)]
        return tuple(sorted([_read(field, parse_meld, text) for text in texts]))

    def schema(self) -> Json:
        melds = {"type": "string", "pattern": r"^\s*[cpkaK]\s*([1-9]+[mpsz]\s*)+$"}
        return {"type": "array", "items": melds}


@dataclass(frozen=True, slots=True)
class TileKind(ValueKind):
    """A tile, or null. `words` say which tile."""

    words: str

    def describe(self) -> str:
        return self.words

    def decode(self, field: str, given: Json, rules: RuleSet) -> Tile | None:
        return None if given is None else _read(field, Tile.parse, _text(self, field, given))

    def schema(self) -> Json:
        return {"anyOf": [TILE, {"type": "null"}]}


class WildTileKind(TileKind):
    """The kind of tile that is wild, or null."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("the kind that is wild, as in 9s")


@dataclass(frozen=True, slots=True)
class ChoiceKind(ValueKind):
    """One of several words. `values`: what each of them stands for."""

    values: Mapping[str, Any]

    def describe(self) -> str:
        return " or ".join(self.values)

    def decode(self, field: str, given: Json, rules: RuleSet) -> Any:
        if not isinstance(given, str) or given not in self.values:
            raise self.refuse(field, given)
        return self.values[given]

    def schema(self) -> Json:
        return {"enum": list(self.values)}


class WinSourceKind(ChoiceKind):
    """Where the winning tile came from."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__({source.value: source for source in Source})


class WindKind(ChoiceKind):
    """A wind by its name or its first letter, which may be a capital; decoded, its tile."""

    __slots__ = ()

    def __init__(self) -> None:
        named = zip(WIND_NAMES, WINDS, strict=True)
        super().__init__(
            {
                written: wind
                for name, wind in named
                for written in (name, name.capitalize(), name[0], name[0].upper())
            }
        )

    def describe(self) -> str:
        return f"{' or '.join(WIND_NAMES)}, or E, S, W, N"


@dataclass(frozen=True, slots=True)
class SeatKind(ValueKind):
    """A seat; with `null`, or null."""

    null: bool = False

    def describe(self) -> str:
        return "a seat, 0 to 3"

    def decode(self, field: str, given: Json, rules: RuleSet) -> int | None:
        if given is None and self.null:
            return None
        if not _is_seat(given):
            raise self.refuse(field, given)
        return given

    def schema(self) -> Json:
        return _whole_number(SEATS[0], SEATS[-1], null=self.null)

    def seats(self, value: int | None) -> Iterable[int]:
        return () if value is None else (value,)


@dataclass(frozen=True, slots=True)
class NumberKind(ValueKind):
    """A whole number from `least` to `most`; with `null`, or null."""

    least: int
    most: int
    null: bool = False

    def describe(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def bounds(self, rules: RuleSet) -> tuple[int, int]:
        """The least and the greatest number in that game."""
        return self.least, self.most

    def decode(self, field: str, given: Json, rules: RuleSet) -> int | None:
        if given is None and self.null:
            return None
        least, most = self.bounds(rules)
        if type(given) is not int or not least <= given <= most:
            raise NumberKind(least, most).refuse(field, given)
        return given

    def schema(self) -> Json:
        return _whole_number(self.least, self.most, null=self.null)


class StreakKind(NumberKind):
    """A number whose least value, which is also the usual one, the rule set states."""

    __slots__ = ()

    def bounds(self, rules: RuleSet) -> tuple[int, int]:
        return rules.streak_default, self.most


class LimitKind(NumberKind):
    """A number; 0 or null for no limit."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(0, NUMBER_MAX, null=True)

    def decode(self, field: str, given: Json, rules: RuleSet) -> int | None:
        return super().decode(field, given, rules) or None


@dataclass(frozen=True, slots=True)
class SituationsKind(ValueKind):
    """A list of situations that the game knows."""

    def describe(self) -> str:
        return "a list of situations"

    def decode(self, field: str, given: Json, rules: RuleSet) -> frozenset[str]:
        ids = [_text(self, field, each) for each in _list(self, field, given)]
        known = [situation.id for situation in rules.situations] if ids else []
        for id in sorted(ids):
            if id not in known:
                raise RequestError(
                    messages.UNKNOWN_SITUATION,
                    field=field, given=quote(id), rules=rules.title, allowed=list_names(id, known),
                )  # fmt: skip
        return frozenset(ids)

    def schema(self) -> Json:
        known = {situation.id for rules in RULE_SETS.values() for situation in rules.situations}
        return {"type": "array", "items": {"enum": sorted(known)}}


@dataclass(frozen=True, slots=True)
class SeatPairsKind(ValueKind):
    """A list of pairs of two different seats."""

    def describe(self) -> str:
        return "a list of pairs of seats, as in [[1, 2]]: seat 1 has melded three times from seat 2"

    def decode(self, field: str, given: Json, rules: RuleSet) -> tuple[tuple[int, int], ...]:
        return tuple([self._pair(field, each) for each in _list(self, field, given)])

    def _pair(self, field: str, given: Json) -> tuple[int, int]:
        right = isinstance(given, (list, tuple)) and len(given) == 2 and all(map(_is_seat, given))
        if not right or given[0] == given[1]:
            raise self.refuse(field, given)
        return given[0], given[1]

    def seats(self, value: tuple[tuple[int, int], ...]) -> Iterable[int]:
        return [seat for pair in value for seat in pair]

    def schema(self) -> Json:
        pair = {
            "type": "array",
            "items": SeatKind().schema(),
            "minItems": 2,
            "maxItems": 2,
            "uniqueItems": True,
        }
        return {"type": "array", "items": pair}


@dataclass(frozen=True, slots=True)
class DeclaredKongsKind(ValueKind):
    """A list of kongs that were declared: kind, seat, and for a claimed one who discarded the tile."""

    def describe(self) -> str:
        return (
            'a list of kongs as in {"kind": "K", "seat": 0, "from": null}: kind k, a or K, a seat, and for k'
            " the seat that discarded the tile"
        )

    def decode(self, field: str, given: Json, rules: RuleSet) -> tuple[DeclaredKong, ...]:
        return tuple([self._kong(field, each) for each in _list(self, field, given)])

    def _kong(self, field: str, given: Json) -> DeclaredKong:
        if not isinstance(given, Mapping) or not {"kind", "seat"} <= set(given) <= {"kind", "seat", "from"}:
            raise self.refuse(field, given)
        kind, seat, discarder = given["kind"], given["seat"], given.get("from")
        if not isinstance(kind, str) or kind not in KONGS or not _is_seat(seat):
            raise self.refuse(field, given)
        claimed = KONGS[kind] is MeldKind.KONG_DISCARD
        if claimed != (discarder is not None) or (claimed and (not _is_seat(discarder) or discarder == seat)):
            raise self.refuse(field, given)
        return DeclaredKong(KONGS[kind], seat, discarder)

    def seats(self, value: tuple[DeclaredKong, ...]) -> Iterable[int]:
        return [seat for kong in value for seat in (kong.seat, kong.discarder) if seat is not None]

    def schema(self) -> Json:
        kong = {
            "kind": {"enum": list(KONGS)},
            "seat": SeatKind().schema(),
            "from": SeatKind(null=True).schema(),
        }
        return {
            "type": "array",
            "items": {
                "type": "object",
                "properties": kong,
                "required": ["kind", "seat"],
                "additionalProperties": False,
            },
        }


@dataclass(frozen=True, slots=True)
class StakesKind(ValueKind):
    """What a win costs each payer: an object of the keys that the game has, or null. Decoded, what is left
    out is as the rules have it."""

    def describe(self) -> str:
        return 'an object as in {"base": 100, "unit": 20}, or null'

    def decode(self, field: str, given: Json, rules: RuleSet) -> Stakes:
        if given is None:
            return rules.own_stakes
        if not isinstance(given, Mapping):
            raise self.refuse(field, given)
        for key, amount in given.items():
            if key not in (BASE, UNIT):
                raise RequestError(
                    messages.UNKNOWN_STAKE, field=field, given=quote(key), rules=rules.title,
                    allowed=list_names(key, rules.stakes),
                )  # fmt: skip
            NumberKind(0, NUMBER_MAX).decode(f"{field}.{key}", amount, rules)
            if amount and key not in rules.stakes:
                raise RequestError(messages.NO_BASE_HERE, field=f"{field}.{key}", rules=rules.title)
        stakes = Stakes(given.get(BASE, 0), given.get(UNIT, rules.point))
        if not stakes.base and not stakes.unit:
            raise RequestError(messages.NOTHING_PAID, field=field)
        return stakes

    def schema(self) -> Json:
        amount = _whole_number(0, NUMBER_MAX)
        return {
            "type": ["object", "null"],
            "properties": {BASE: amount, UNIT: amount},
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class BalancesKind(ValueKind):
    """What each seat has to pay with, or null."""

    def describe(self) -> str:
        return f"null or four whole numbers from 0 to {NUMBER_MAX}, by seat"

    def decode(self, field: str, given: Json, rules: RuleSet) -> tuple[int, ...] | None:
        if given is None:
            return None
        right = isinstance(given, (list, tuple)) and len(given) == len(SEATS)
        if not right or any(type(each) is not int or not 0 <= each <= NUMBER_MAX for each in given):
            raise self.refuse(field, given)
        return tuple(given)

    def schema(self) -> Json:
        amount, number = _whole_number(0, NUMBER_MAX), len(SEATS)
        return {"type": ["array", "null"], "items": amount, "minItems": number, "maxItems": number}


@dataclass(frozen=True, slots=True)
class TextKind(ValueKind):
    """Any text."""

    def describe(self) -> str:
        return "a string"

    def decode(self, field: str, given: Json, rules: RuleSet | None = None) -> str:
        return _text(self, field, given)

    def schema(self) -> Json:
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class SwitchKind(ValueKind):
    """True or false."""

    def describe(self) -> str:
        return "true or false"

    def decode(self, field: str, given: Json, rules: RuleSet | None = None) -> bool:
        if not isinstance(given, bool):
            raise self.refuse(field, given)
        return given

    def schema(self) -> Json:
        return {"type": "boolean"}


def _whole_number(least: int, most: int, *, null: bool = False) -> Json:
    return {"type": ["integer", "null"] if null else "integer", "minimum": least, "maximum": most}


def _is_seat(given: Json) -> TypeGuard[int]:
    return type(given) is int and given in SEATS


def _text(kind: ValueKind, field: str, given: Json) -> str:
    if not isinstance(given, str):
        raise kind.refuse(field, given)
    return given


def _list(kind: ValueKind, field: str, given: Json) -> Sequence[Json]:
    if not isinstance(given, (list, tuple)):
        raise kind.refuse(field, given)
    return given


def _read(field: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except NotationError as problem:
        raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None
