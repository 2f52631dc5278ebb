"""Every house option of a game, and a profile: the options that a table plays by, all written out and kept.

`options` change what a win is worth, `play` how the game is played: who deals next, what is allowed. Files of
format 1 have no `play`: they are read, and play as is usual.

What a version guarantees: a request scored with a profile is scored with every setting as it was saved,
whatever the defaults have become, and without the options that came later: these stand at the setting under
which hands are scored as before (`Option.before`). Whoever changes the rules keeps that true:

- A new option carries the next number as its `since`, and `before` where the default is a new ruling.
- A ruling that is changed comes as an option, whose `before` is the old ruling.
- An option or a setting that exists is neither taken away nor given another meaning.

A defect is not kept: where the program did not follow its ruling, it is corrected for old games too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from companion.errors import InputError, RequestError, quote
from companion.files import make_checksum
from companion.foreign import Undecodable, load_json
from companion.rules.options import Option, settings
from companion.rules.registry import RULE_SETS, find_rule_set
from companion.rules.rule_set import RuleSet
from companion.rules.win import Options, OptionValue

VERSION = 3
"""Of how games are played, house options included: the newest `since`. From 2 on the rulings S-01 to S-05
hold, from 3 on a dealer who wins beside others always deals again (S-04); a game that was begun before them
goes on as it began."""


def list_house_options(rules: RuleSet) -> tuple[Option, ...]:
    """The options of the scoring table, then those of the wall, then those of play."""
    return *rules.options, *rules.play.own_options


def complete_settings(rules: RuleSet, given: Mapping[str, object], version: int | None = None) -> Options:
    """Every house option with its setting: as given, the others by default.

    `version`: of the options when the game began; one that came later stands at what it was before it came
    (profile.py). Raises RequestError, which quotes an unknown option or a setting that it does not have.
    """
    options = list_house_options(rules)
    found = settings(options, given, rules.title)
    for option in options:
        later = version is not None and option.since > version and option.before is not None
        found.setdefault(option.key, option.before if later and option.before is not None else option.default)
    return found


FORMAT = 3
"""File format version of a profile; the options have their own version."""

KEYS = ("profile", "rules", "version", "options", "play")
CRC_FORMATS = (1, 2)
"""Of files of earlier programs, whose checksum is CRC-32."""
KEYS_OF = {1: KEYS[:-1], 2: KEYS, FORMAT: KEYS}
"""What stands in a file of each format. A format that exists is not changed: it gets a successor."""
CHECKSUM = "checksum"
"""The key of the checksum of the others. Optional, so that people can write profiles by hand."""

CHECKSUM_DIGITS = 16
"""Of the checksum in hexadecimal digits: 64 bits, as twice as many make the QR code of a profile larger."""

NOT_JSON = "it is not a profile of house options, which is JSON ({problem})."
NOT_AN_OBJECT = "it is not a profile of house options, which is one JSON object with {keys}."
OTHER_FORMAT = "it is a profile of format {given}, and this program knows format {known}: update the program."
NO_SUCH_RULES = "its rules must be {allowed}, not {given}."
NO_VERSION = "its version must be a whole number from 1, not {given}."
NO_OPTIONS = "its {key} must be an object of house options and their settings, not {given}."
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
    """Every house option of a game with its setting. `version`: of the game's options when it was saved.

    options: those that change what a win is worth. play: those about how it is played
    """

    rules: str
    version: int
    options: Options
    play: Options

    @property
    def settings(self) -> Options:
        """Of both kinds, as a game is begun with them."""
        return {**self.options, **self.play}

    @property
    def changed(self) -> Options:
        """The settings that are not the game's own."""
        usual = {option.key: option.default for option in list_house_options(RULE_SETS[self.rules])}
        return {key: value for key, value in self.settings.items() if value != usual[key]}

    def with_setting(self, key: str, value: OptionValue) -> Profile:
        """With another setting of that option, of either kind."""
        if key in self.play:
            return replace(self, play={**self.play, key: value})
        return replace(self, options={**self.options, key: value})


def options_version(rules: RuleSet) -> int:
    """The version of a game's house options: that of the newest."""
    return max(option.since for option in list_house_options(rules))


def make_profile(rules: RuleSet, options: Mapping[str, object]) -> Profile:
    """A profile of these options, of either kind, and of the defaults of the others. Raises RequestError for
    anything else."""
    found = complete_settings(rules, options)
    return Profile(
        rules.name,
        options_version(rules),
        {option.key: found[option.key] for option in rules.options},
        {option.key: found[option.key] for option in rules.play.own_options},
    )


def profile_json(profile: Profile) -> dict[str, Any]:
    """The profile as a JSON object."""
    values = (FORMAT, profile.rules, profile.version, dict(profile.options), dict(profile.play))
    return dict(zip(KEYS, values, strict=True))


def make_file_json(profile: Profile) -> dict[str, Any]:
    """The profile as the JSON object that its file holds: with a checksum, which shows damage.

    It comes first, so that who takes its line out by hand leaves JSON.
    """
    plain = profile_json(profile)
    return {CHECKSUM: _checksum(plain), **plain}


def _checksum(plain: Mapping[str, Any]) -> str | int:
    """The checksum of the profile's content, whatever the layout of its file."""
    format = plain["profile"]
    content = json.dumps([plain[key] for key in KEYS_OF[format]], sort_keys=True).encode()
    return crc32(content) if format in CRC_FORMATS else make_checksum(content).hex()[:CHECKSUM_DIGITS]


def decode_profile(text: str | bytes) -> Profile:
    """The profile in a file, with the options that came after it filled in. InputError says what is wrong.

    It keeps the version that it was saved with.
    """
    try:
        given = load_json(text)
    except Undecodable as problem:
        raise InputError(NOT_JSON, problem=problem.why) from None
    if not isinstance(given, dict) or "profile" not in given:
        raise InputError(NOT_AN_OBJECT, keys=", ".join(KEYS))
    if type(given["profile"]) is not int or given["profile"] not in KEYS_OF:
        raise InputError(OTHER_FORMAT, given=quote(given["profile"]), known=FORMAT)
    keys = KEYS_OF[given["profile"]]
    if not set(keys) <= set(given) <= {*keys, CHECKSUM}:
        raise InputError(NOT_AN_OBJECT, keys=", ".join(keys))
    rules = find_rule_set(given["rules"]) if isinstance(given["rules"], str) else None
    if rules is None:
        raise InputError(NO_SUCH_RULES, allowed=" or ".join(RULE_SETS), given=quote(given["rules"]))
    saved = given["version"]
    if type(saved) is not int or saved < 1:
        raise InputError(NO_VERSION, given=quote(saved))
    if saved > options_version(rules):
        raise InputError(TOO_NEW, given=saved, known=options_version(rules))
    options = _read_settings(rules, rules.options, given, "options")
    play = _read_settings(rules, rules.play.own_options, given, "play") if "play" in keys else {}
    if CHECKSUM in given and given[CHECKSUM] != _checksum(given):
        raise InputError(CHANGED, key=quote(CHECKSUM))
    later_options, later_play = _fill(rules.options, saved), _fill(rules.play.own_options, saved)
    return Profile(rules.name, saved, later_options | options, later_play | play)


def _read_settings(
    rules: RuleSet, known: Sequence[Option], given: Mapping[str, Any], key: str
) -> dict[str, OptionValue]:
    """The settings under a key of the file, of these options. InputError where one is wrong, or not there."""
    if not isinstance(given[key], dict):
        raise InputError(NO_OPTIONS, key=key, given=quote(given[key]))
    found = settings(known, given[key], rules.title, key)
    lacking = [option.key for option in known if option.key not in found and option.since <= given["version"]]
    if lacking:
        raise InputError(LACKING, keys=", ".join(lacking))
    return found


def _fill(known: Sequence[Option], saved: int) -> dict[str, OptionValue]:
    """What stands for an option that a profile of that version does not name."""
    return {
        option.key: option.default if option.since <= saved or option.before is None else option.before
        for option in known
    }


def apply_profile(profile: Profile, request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request with the profile's rules, and its options where the request has none of its own. How it
    is played does not concern a single win.

    RequestError where it is of another game. What else is wrong in a request is left to its decoder.
    """
    given = request.get("rules", profile.rules)
    named = find_rule_set(given) if isinstance(given, str) else None
    if named is None or named.name != profile.rules:
        raise RequestError(OTHER_GAME, field="rules", rules=profile.rules, value=quote(given))
    options = request.get("options", {})
    if not isinstance(options, Mapping):
        return request
    return {**request, "rules": profile.rules, "options": {**profile.options, **options}}
