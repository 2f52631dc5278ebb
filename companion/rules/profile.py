"""A profile: the house options that a table plays by, all of them written out, so that it can be kept.

What a version guarantees: a request scored with a profile is scored with every setting as it was saved,
whatever the defaults have become, and without the options that came later: these stand at the setting under
which hands are scored as before (`Option.before`). Whoever changes the rules keeps that true:

- A new option carries the next number as its `since`, and `before` where the default is a new ruling.
- A ruling that is changed comes as an option, whose `before` is the old ruling.
- An option or a setting that exists is neither taken away nor given another meaning.

What is not held fast is a defect: where the program did other than its ruling said, it is put right for old
games too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from companion.errors import InputError, RequestError, quote
from companion.rules.options import settings
from companion.rules.registry import RULE_SETS
from companion.rules.rule_set import RuleSet
from companion.rules.win import Options

FORMAT = 1
"""Of what a profile looks like in a file; the version of the options in it is another matter."""

KEYS = ("profile", "rules", "version", "options")
CHECKSUM = "checksum"
"""The key of the CRC-32 of the others. A file without it is taken as it is: so people may write one."""

NOT_JSON = "it is not a profile of house options, which is JSON ({problem})."
NOT_AN_OBJECT = "it is not a profile of house options, which is one JSON object with {keys}."
OTHER_FORMAT = "it is a profile of format {given}, and this program knows format {known}: update the program."
NO_SUCH_RULES = "its rules must be {allowed}, not {given}."
NO_VERSION = "its version must be a whole number from 1, not {given}."
NO_OPTIONS = "its options must be an object of house options and their settings, not {given}."
TOO_NEW = (
    "it has version {given} of the house options, and this program knows version {known}: update the program."
)
LACKING = "it lacks a setting of {keys}: a profile holds every house option."
CHANGED = (
    "it is not as it was saved: if you changed it yourself, take out its {key}; if not, it is damaged and has"
    " to be saved again."
)
OTHER_GAME = "{field} must be {rules} as in the profile, or be left out, not {value}."


@dataclass(frozen=True, slots=True)
class Profile:
    """Every house option of a game with its setting. `version`: of the game's options when it was saved."""

    rules: str
    version: int
    options: Options


def options_version(rules: RuleSet) -> int:
    """The version of a game's house options: that of the newest."""
    return max(option.since for option in rules.options)


def make_profile(rules: RuleSet, options: Mapping[str, object]) -> Profile:
    """A profile of these options, and of the defaults of the others. Raises RequestError for anything
    else."""
    return Profile(
        rules.name,
        options_version(rules),
        {**rules.defaults, **settings(rules.options, options, rules.title)},
    )


def profile_json(profile: Profile) -> dict[str, Any]:
    """The profile as a JSON object."""
    return dict(zip(KEYS, (FORMAT, profile.rules, profile.version, dict(profile.options)), strict=True))


def make_file_json(profile: Profile) -> dict[str, Any]:
    """The profile as the JSON object that its file holds: with a checksum, which shows damage.

    It comes first, so that who takes its line out by hand leaves JSON.
    """
    plain = profile_json(profile)
    return {CHECKSUM: _checksum(plain), **plain}


def _checksum(plain: Mapping[str, Any]) -> int:
    """CRC-32 of what the profile says, however its file is laid out."""
    return crc32(json.dumps([plain[key] for key in KEYS], sort_keys=True).encode())


def decode_profile(text: str | bytes) -> Profile:
    """The profile in a file, with the options that came after it filled in. InputError says what is wrong.

    It keeps the version that it was saved with.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(NOT_JSON, problem=problem) from None
    if not isinstance(given, dict) or "profile" not in given:
        raise InputError(NOT_AN_OBJECT, keys=", ".join(KEYS))
    if type(given["profile"]) is not int or given["profile"] != FORMAT:
        raise InputError(OTHER_FORMAT, given=quote(given["profile"]), known=FORMAT)
    if not set(KEYS) <= set(given) <= {*KEYS, CHECKSUM}:
        raise InputError(NOT_AN_OBJECT, keys=", ".join(KEYS))
    rules = RULE_SETS.get(given["rules"]) if isinstance(given["rules"], str) else None
    if rules is None:
        raise InputError(NO_SUCH_RULES, allowed=" or ".join(RULE_SETS), given=quote(given["rules"]))
    saved = given["version"]
    if type(saved) is not int or saved < 1:
        raise InputError(NO_VERSION, given=quote(saved))
    if saved > options_version(rules):
        raise InputError(TOO_NEW, given=saved, known=options_version(rules))
    if not isinstance(given["options"], dict):
        raise InputError(NO_OPTIONS, given=quote(given["options"]))
    options = settings(rules.options, given["options"], rules.title)
    lacking = [o.key for o in rules.options if o.key not in options and o.since <= saved]
    if lacking:
        raise InputError(LACKING, keys=", ".join(lacking))
    if CHECKSUM in given and given[CHECKSUM] != _checksum(given):
        raise InputError(CHANGED, key=quote(CHECKSUM))
    later = {o.key: o.default if o.before is None else o.before for o in rules.options if o.since > saved}
    return Profile(rules.name, saved, later | options)


def apply_profile(profile: Profile, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request with the profile's rules, and its options below those that the request gives itself.

    RequestError where it is of another game. What else is wrong in a request is left to its decoder.
    """
    given = request.get("rules", profile.rules)
    if given != profile.rules:
        raise RequestError(OTHER_GAME, field="rules", rules=profile.rules, value=quote(given))
    options = request.get("options", {})
    if not isinstance(options, Mapping):
        return request
    return {**request, "rules": profile.rules, "options": {**profile.options, **options}}
