"""A win described by flags as a request, with a profile below it; what is wrong is told in terms of flags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion import profiles
from companion.errors import InputError, RequestError, quote
from companion.rules import RULE_SETS, messages, rule_set
from companion.rules.profile import Profile, apply_profile
from companion.rules.win import OptionValue

FIELDS = {"from_": "from", "meld": "melds", "option": "options"}
"""Flags whose field has another name."""
FLAGS = {field: "--" + flag.rstrip("_") for flag, field in FIELDS.items()}

ON_THE_COMMAND_LINE = {
    messages.TILE_FORBIDDEN: "{field} {tile} must be left out: {situation} is a win without a winning tile.",
}
"""Sentences that speak of JSON, in other words."""
FORMS = {
    "three_melds": "A:B, two seats from 0 to 3 as in 1:2",
    "kongs_declared": "KIND:SEAT with KIND a or K, or k:SEAT:FROM with the seat that discarded the tile",
    "balances": "four whole numbers as in 100,100,100,100",
}
"""What flags that stand for lists must be."""
WRONG_FORM = "{field} must be {allowed}."
MELD = re.compile(r"(?<![0-9])[cpkaK][0-9]{3,4}[mpszf]")


def rules_named(given: str) -> str:
    """The name of the rule set whose name or title begins with what a person wrote; RequestError names all.

    Only letters count, whatever their case: Hong-Kong, taiwan, 合肥.
    """
    begins = _letters(given)
    found = [
        rules.name
        for rules in RULE_SETS.values()
        if begins and any(_letters(t).startswith(begins) for t in (rules.name, rules.title, rules.title_zh))
    ]
    return found[0] if len(found) == 1 else rule_set(given).name


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def profile_named(name: str | None) -> Profile | None:
    """The profile that --profile names, if it names one."""
    return None if name is None else profiles.load(name)


@contextmanager
def told_by_flags(given: Mapping[str, Any]) -> Iterator[None]:
    """What is refused within is told in terms of the flags; `given` is the request that they made."""
    try:
        yield
    except RequestError as refusal:
        field, _, option = refusal.field.partition(".")
        if field == "hand" and "hand" not in given and refusal.sentence.template != messages.MISSING:
            raise  # it was not given by a flag
        flag = FLAGS.get(field, "--" + field.replace("_", "-"))
        meld = MELD.search(given.get("hand", "")) if field == "hand" else None
        if refusal.sentence.template == messages.UNREADABLE and meld:
            raise InputError(
                "{flag} holds the concealed tiles only: give {meld} by --meld {meld}.",
                flag=flag, meld=meld[0],
            ) from refusal  # fmt: skip
        told = {**refusal.sentence.params, "field": f"{flag} {option}".rstrip()}
        if refusal.sentence.template == messages.WRONG_TYPE and field in FORMS:
            raise InputError(WRONG_FORM, **told | {"allowed": FORMS[field]}) from refusal
        raise InputError(
            ON_THE_COMMAND_LINE.get(refusal.sentence.template, refusal.sentence.template), **told
        ) from refusal


def request_from_file(text: bytes, profile: Profile | None) -> Mapping[str, Any] | bytes:
    """A request as JSON, with a profile below it. RequestError where it is of another game."""
    if profile is None:
        return text
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        return text  # whoever decodes it says what is wrong
    return apply_profile(profile, request) if isinstance(request, dict) else text


def request_from_flags(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The request that the flags describe, with the fields that were given. InputError names the wrong flag.

    `flags` are the values of the flags of flags.py, `rules` and `hand` by parameter name, None where one was
    not given.
    """
    given = {key: value for key, value in flags.items() if value is not None and value != []}
    profile = profile_named(given.pop("profile", None))
    request = {FIELDS.get(key, key): value for key, value in given.items()}
    with told_by_flags(request):
        if "rules" in request:
            request["rules"] = rules_named(request["rules"])
        if "options" in request:
            request["options"] = options_from_flags(request["options"])
        if profile is not None:
            request = dict(apply_profile(profile, request))
    if "hand" not in request and _by_flowers(request):
        request["hand"] = ""
    request |= _source(request.pop("self_draw", False), request)
    if "melds" in request:
        request["melds"] = [meld for text in request["melds"] for meld in text.split()]
    if "balances" in request:
        request["balances"] = _numbers("--balances", request["balances"], ",", "A,B,C,D")
    if "three_melds" in request:
        request["three_melds"] = [
            _numbers("--three-melds", text, ":", "A:B") for text in request["three_melds"]
        ]
    if "kongs_declared" in request:
        request["kongs_declared"] = [_kong(text) for text in request["kongs_declared"]]
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


def _kong(text: str) -> dict[str, Any]:
    if text.count(":") not in (1, 2):
        raise InputError("--kongs-declared {given} must be KIND:SEAT or KIND:SEAT:FROM.", given=quote(text))
    kind, _, seats = text.partition(":")
    seat, *origin = _numbers("--kongs-declared", seats, ":", "KIND:SEAT or KIND:SEAT:FROM")
    return {"kind": kind, "seat": seat, "from": origin[0] if origin else None}
