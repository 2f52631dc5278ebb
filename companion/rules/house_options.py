"""Every house option of a game: of its scoring table, of play, of the wall; and the version of play."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.options import Option, settings
from companion.rules.rule_set import RuleSet
from companion.rules.win import Options

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
