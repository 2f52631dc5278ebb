"""How each game is played, by the name of its rule set; and every house option of its table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.rules.options import Option, settings
from companion.rules.play import Play
from companion.rules.rule_set import RuleSet
from companion.rules.variants import hangzhou_play, hebei_play, hefei_play, hong_kong_play, taiwanese_play
from companion.rules.win import Options

PLAYS: Mapping[str, Play] = MappingProxyType(
    {
        "hefei": hefei_play.PLAY,
        "hebei": hebei_play.PLAY,
        "taiwanese": taiwanese_play.PLAY,
        "hong_kong": hong_kong_play.PLAY,
        "hangzhou": hangzhou_play.PLAY,
    }
)

VERSION = 2
"""Of how games are played, house options included: the newest `since`. From 2 on the rulings S-01 to S-05
hold; a game that was begun before them goes on as it began."""


def house_options(rules: RuleSet) -> tuple[Option, ...]:
    """Every house option of a game: of the scoring table, of play, of the wall."""
    return *rules.options, *PLAYS[rules.name].own_options


def house_settings(rules: RuleSet, given: Mapping[str, object], version: int | None = None) -> Options:
    """Every house option with its setting: as given, the others by default.

    `version`: of the options when the game began; one that came later stands at what it was before it came
    (profile.py). RequestError names what is no option, or no setting of one.
    """
    options = house_options(rules)
    found = settings(options, given, rules.title)
    for option in options:
        later = version is not None and option.since > version and option.before is not None
        found.setdefault(option.key, option.before if later and option.before is not None else option.default)
    return found
