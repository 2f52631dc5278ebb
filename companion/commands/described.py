"""Makes a request of the flags that describe a win, with a profile below it; errors name the flags."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion import profiles
from companion.errors import InputError, RequestError, list_names, quote
from companion.rules import RULE_SETS, RuleSet, kinds, messages
from companion.rules.fields import FIELDS, Field
from companion.rules.kinds import ValueKind
from companion.rules.profile import Profile, apply_profile
from companion.rules.request import find_rules
from companion.rules.win import OptionValue, Stakes

ON_THE_COMMAND_LINE = {
    messages.TILE_FORBIDDEN: "{field} {tile} must be left out: {situation} is a win without a winning tile.",
    messages.MAYBE_KONG: (
        "{field} has {found} tiles: a finished {rules} hand has {allowed}, including the winning tile"
        " (melds: {melds}). Are the four {tile} a kong? Then say so by --meld {kong}, or --meld {claimed}"
        " where one was claimed; else remove {extra}."
    ),
}
"""Sentences that speak of JSON, in other words."""
READ = ("hand", "flowers")
"""Fields whose errors name no flag if none gave them: they were read in a picture."""
NO_FLOWERS = (
    "This table plays without flowers: say what they are with --fix N=TILE, or take them out with --fix N=."
)
OF_A_PICTURE = ON_THE_COMMAND_LINE | {
    messages.NOT_USED: NO_FLOWERS,
    messages.NO_FLOWERS_IN_PLAY: NO_FLOWERS,
}
"""The same of what was read in a picture."""
UNREADABLE_FLOWERS = (
    "{flag}: {problem} Flowers are written as in 1f5f; none: there are none; null: not known."
)
WRONG_FORM = "{field} must be {allowed}."
MELD = re.compile(r"(?<![0-9])[cpkaK][0-9]{3,4}[mpszf]")


@dataclass(frozen=True, slots=True)
class Form:
    """How a kind of value is written after a flag.

    annotation: what the flag takes, for typer
    metavar: what the help shows for the value
    read: makes the request's JSON of the flag and what typer hands over; raises InputError, RequestError
    words: what must be given, where the kind's own words speak of JSON
    """

    annotation: Any
    metavar: str
    read: Callable[[str, Any], Any] = lambda flag, given: given
    words: str = ""

    @property
    def repeated(self) -> bool:
        """Whether the flag may be given several times."""
        return bool(self.annotation == TEXTS)


NUMBER, TEXT, TEXTS = int | None, str | None, list[str] | None


def form_of(kind: ValueKind) -> Form:
    """How values of that kind are written after a flag."""
    return next(FORMS[each] for each in type(kind).__mro__ if each in FORMS)


def parameter_of(field: Field) -> str:
    """The name of the parameter in which a command gets the value of a field's flag."""
    return field.name + "_" if keyword.iskeyword(field.name) else field.name


def find_rules_name(given: str, where: str = "--rules") -> str:
    """The name of the rule set whose name or title begins with what a person wrote; InputError names all.

    Only letters count, whatever their case: Hong-Kong, taiwan, 合肥. where: the flag or argument that it was
    given by.
    """
    begins = _letters(given)
    found = [
        rules.name
        for rules in RULE_SETS.values()
        if begins and any(_letters(t).startswith(begins) for t in (rules.name, rules.title, rules.title_zh))
    ]
    if len(found) != 1:
        named = list_names(given.casefold(), RULE_SETS)
        allowed = " or ".join(RULE_SETS) if isinstance(named, str) else named
        raise InputError(messages.WRONG_TYPE, field=where, allowed=allowed, value=quote(given))
    return found[0]


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def load_profile(name: str | None) -> Profile | None:
    """The profile that --profile names, if it names one."""
    return None if name is None else profiles.load(name)


@contextmanager
def name_flags_in_errors(given: Mapping[str, Any]) -> Iterator[None]:
    """Makes errors of a request name the flag instead of the field; `given` holds what the flags gave."""
    try:
        yield
    except RequestError as refusal:
        field, _, option = refusal.field.partition(".")
        by_flag = field not in READ or field in given or refusal.sentence.template == messages.MISSING
        sentences = ON_THE_COMMAND_LINE if by_flag else OF_A_PICTURE
        if not by_flag and refusal.sentence.template not in sentences:
            raise
        flag = FIELDS[field].flag if field in FIELDS else "--" + field.replace("_", "-")
        meld = MELD.search(given.get("hand") or "") if field == "hand" else None
        if refusal.sentence.template == messages.UNREADABLE and meld:
            raise InputError(
                "{flag} holds the concealed tiles only: give {meld} by --meld {meld}.",
                flag=flag, meld=meld[0],
            ) from refusal  # fmt: skip
        if refusal.sentence.template == messages.UNREADABLE and field == "flowers":
            problem = refusal.sentence.params["problem"]
            raise InputError(UNREADABLE_FLOWERS, flag=flag, problem=problem) from refusal
        params = dict(refusal.sentence.params)
        if by_flag:
            params["field"] = f"{flag} {option}".rstrip()
        words = form_of(FIELDS[field].kind).words if field in FIELDS else ""
        if refusal.sentence.template == messages.WRONG_TYPE and words:
            raise InputError(WRONG_FORM, **params | {"allowed": words}) from refusal
        raise InputError(
            sentences.get(refusal.sentence.template, refusal.sentence.template), **params
        ) from refusal


def request_from_flags(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The request that the flags describe, with the fields that were given. InputError names the wrong flag.

    `flags` are the values of the flags of flags.py by parameter name, None if one was not given.
    """
    request = fields_from_flags(flags)
    with name_flags_in_errors(request):
        find_rules(request)
    if "hand" not in request and _by_flowers(request):
        request["hand"] = ""
    return request | _source(bool(flags["self_draw"]), request)


def fields_from_flags(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request that the flags set, without --self-draw. InputError as above."""
    values = {name: value for name, value in flags.items() if value is not None and value != []}
    profile = load_profile(values.get("profile"))
    given = {
        name: values[parameter_of(field)] for name, field in FIELDS.items() if parameter_of(field) in values
    }
    with name_flags_in_errors(given):
        request = {
            name: form_of(FIELDS[name].kind).read(FIELDS[name].flag, value) for name, value in given.items()
        }
        if profile is not None:
            request = dict(apply_profile(profile, request))
    return request


def _by_flowers(request: Mapping[str, Any]) -> bool:
    """Whether it is a win by flowers alone, whatever the hand."""
    rules = RULE_SETS.get(request.get("rules", ""))
    return rules is not None and not rules.flower_wins.isdisjoint(request.get("situation", ()))


def _source(self_draw: bool, request: Mapping[str, Any]) -> dict[str, str]:
    if self_draw:
        if "from" in request or request.get("source", "self_draw") != "self_draw":
            raise InputError(
                "--self-draw goes with neither --from nor another --source: the winner drew the tile."
            )
        return {"source": "self_draw"}
    if "source" not in request and "from" not in request:
        raise InputError(
            "How the hand was won is missing: give --self-draw, or --from SEAT of the discarder."
        )
    return {} if "source" in request else {"source": "discard"}


def options_from_flags(texts: list[str]) -> dict[str, OptionValue]:
    """KEY=VALUE of --option, with true, false and whole numbers as such."""
    return dict(_option(text) for text in texts)


def _option(text: str) -> tuple[str, OptionValue]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError("--option {given} has no value: write it as KEY=VALUE.", given=quote(text))
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, int(value)
    except ValueError:
        return key, value


def _numbers(flag: str, text: str, separator: str, form: str) -> list[int]:
    try:
        return [int(part) for part in text.split(separator)]
    except ValueError:
        raise InputError(
            "{flag} must be whole numbers as {form}, not {given}.",
            flag=flag, form=form, given=quote(text),
        ) from None  # fmt: skip


def stakes_from_flag(flag: str, text: str) -> dict[str, int]:
    """KEY=N,KEY=N of --stakes."""
    given = [(key.strip(), amount) for key, _, amount in (part.partition("=") for part in text.split(","))]
    for key, count in Counter(key for key, _ in given).items():
        if count > 1:
            raise InputError("{flag} gives {key} twice: once is enough.", flag=flag, key=quote(key))
    try:
        return {key: int(amount) for key, amount in given}
    except ValueError:
        raise InputError(
            "{flag} must be whole numbers as in base=100,unit=20, not {given}.", flag=flag, given=quote(text)
        ) from None


def read_stakes(rules: RuleSet, text: str) -> Stakes:
    """The stakes in --stakes, for a game. InputError, or RequestError, if it has no such stakes."""
    field = FIELDS["stakes"]
    stakes: Stakes = field.kind.decode(field.name, stakes_from_flag(field.flag, text), rules)
    return stakes


NO_TILES = {"null": None, "none": ""}
"""Words for tiles that are not known, and for none."""


def _kong(flag: str, text: str) -> dict[str, Any]:
    if text.count(":") not in (1, 2):
        raise InputError("{flag} {given} must be KIND:SEAT or KIND:SEAT:FROM.", flag=flag, given=quote(text))
    kind, _, seats = text.partition(":")
    seat, *origin = _numbers(flag, seats, ":", "KIND:SEAT or KIND:SEAT:FROM")
    return {"kind": kind, "seat": seat, "from": origin[0] if origin else None}


FORMS: Mapping[type[ValueKind], Form] = {
    kinds.RulesNameKind: Form(TEXT, "NAME", lambda flag, text: find_rules_name(text, flag)),
    kinds.HouseOptionsKind: Form(TEXTS, "KEY=VALUE", lambda flag, texts: options_from_flags(texts)),
    kinds.TilesKind: Form(TEXT, "TILES", lambda flag, text: NO_TILES.get(text, text)),
    kinds.MeldsKind: Form(TEXTS, "MELD", lambda flag, texts: " ".join(texts).split()),
    kinds.TileKind: Form(TEXT, "TILE"),
    kinds.ChoiceKind: Form(TEXT, "WORD"),
    kinds.SeatKind: Form(NUMBER, "SEAT"),
    kinds.NumberKind: Form(NUMBER, "N"),
    kinds.SituationsKind: Form(TEXTS, "NAME"),
    kinds.SeatPairsKind: Form(
        TEXTS,
        "A:B",
        lambda flag, texts: [_numbers(flag, text, ":", "A:B") for text in texts],
        "A:B, two seats from 0 to 3 as in 1:2",
    ),
    kinds.DeclaredKongsKind: Form(
        TEXTS,
        "KIND:SEAT[:FROM]",
        lambda flag, texts: [_kong(flag, text) for text in texts],
        "KIND:SEAT with KIND a or K, or k:SEAT:FROM with the seat that discarded the tile",
    ),
    kinds.StakesKind: Form(TEXT, "KEY=N,KEY=N", stakes_from_flag),
    kinds.BalancesKind: Form(
        TEXT,
        "A,B,C,D",
        lambda flag, text: _numbers(flag, text, ",", "A,B,C,D"),
        "four whole numbers as in 100,100,100,100",
    ),
}
"""The written form of each kind of value; a special case of another kind has its form."""
