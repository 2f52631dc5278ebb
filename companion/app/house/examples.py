"""Examples of house options: a hand for each option of scoring (examples.json, a request for each option of
each game), words for each option of play. A new option without an example fails a test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score
from companion.rules.options import Option
from companion.rules.win import OptionValue, ScoreRequest
from companion.sentences import msgid

FILE = Path(__file__).with_name("examples.json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand is worth under one setting, and what each seat gets. possible: whether there can be such a
    hand: where chows are not claimed, none is on the table."""

    setting: OptionValue
    legal: bool
    value: int
    payments: tuple[int, ...]
    possible: bool = True


@dataclass(frozen=True, slots=True)
class Example:
    """The win that is shown, and what comes of it under each setting, in the order of `list_settings`."""

    request: ScoreRequest
    outcomes: tuple[Outcome, ...]


def list_settings(option: Option) -> tuple[OptionValue, ...]:
    """The settings in the order in which they are offered: no before yes, numbers ascending, words as they
    are declared. None where any number will do."""
    if isinstance(option.values, range):
        return ()
    is_ordered = all(isinstance(value, int) for value in option.values)
    return tuple(sorted(option.values)) if is_ordered else option.values


@cache
def find_example(rules: str, key: str) -> Example | None:
    """The example hand of that option, scored under each of its settings."""
    option = next(option for option in RULE_SETS[rules].options if option.key == key)
    given = _load().get(rules, {}).get(key)
    if given is None:
        return None
    settings = list_settings(option) or (option.default, given["options"][key])
    request: ScoreRequest | None = None
    outcomes = []
    for setting in settings:
        try:
            won = _with_setting(given, key, setting)
        except RequestError:
            outcomes.append(Outcome(setting, False, 0, (0, 0, 0, 0), possible=False))
            continue
        request = request or won
        result = score(won, house_rules=False)
        outcomes.append(Outcome(setting, result.legal, result.value, tuple(result.payments)))
    return Example(request, tuple(outcomes)) if request else None


def _with_setting(given: dict[str, Any], key: str, setting: OptionValue) -> ScoreRequest:
    return decode_request(json.dumps({**given, "options": {**given["options"], key: setting}}))


@cache
def _load() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True, slots=True)
class PlayExample:
    """text: the example. labels: what settings are called that are neither yes, no nor a number. meaning:
    where the option's own one is written for files, what is said instead. All are messages."""

    text: str
    labels: Mapping[OptionValue, str] = field(default_factory=dict)
    meaning: str = ""


PLAY_EXAMPLES: Mapping[str, PlayExample] = {
    "break.unit": PlayExample(
        msgid("The dice show 7: the wall is broken after seven stacks of two, or after seven tiles."),
        {"stack": msgid("stacks of two"), "tile": msgid("single tiles")},
    ),
    "moving_dead_wall": PlayExample(
        msgid(
            "Two kongs are declared: with yes the dead wall still has 14 tiles and the live wall has two"
            " fewer to draw; with no the dead wall has 12."
        )
    ),
    "concealed_kong_public": PlayExample(
        msgid(
            "A player draws four 5 dots and declares them: with yes everyone sees which tile it is; with"
            " no the kong is face down until the hand is over."
        )
    ),
    "added_kong_only_drawn_tile": PlayExample(
        msgid(
            "You have a pung of 5 dots, and the fourth one has been in your hand for a while: with yes you"
            " can no longer add it; with no you may."
        )
    ),
    "kong_after_claim": PlayExample(
        msgid(
            "You claim a pung and hold four 2 bamboo as well: with yes you may declare that kong at once;"
            " with no you wait for your next draw."
        )
    ),
    "multi_win": PlayExample(
        msgid(
            "Two players wait for the tile that is discarded: with yes both win; with no only the next"
            " in turn."
        )
    ),
    "missed_win": PlayExample(
        msgid(
            "You wait for 2 and 5 dots and let a 5 go by. Until your next draw you may win on either (no"
            " limit), on neither (no win on a discard), or on the 2 alone (no win on that tile)."
        ),
        {
            "none": msgid("no limit"),
            "until_next_draw": msgid("no win on a discard"),
            "same_tile_until_next_draw": msgid("no win on that tile"),
        },
        msgid("What passing up a win costs, until your next draw."),
    ),
    "draw_keeps_dealer": PlayExample(
        msgid("Nobody wins: with yes the dealer deals again; with no the next player deals.")
    ),
    "rotate_always": PlayExample(
        msgid("The dealer wins: with yes the next player deals anyway; with no the dealer deals again.")
    ),
    "sea_must_win": PlayExample(
        msgid(
            "You draw a tile that wins from the last four: with yes you have to win with it; with no you may"
            " let it go."
        )
    ),
    "rob_concealed_for_13_orphans": PlayExample(
        msgid(
            "You wait for East with Thirteen Orphans, and another player declares a concealed kong of"
            " East: with yes you win on it; with no you do not."
        )
    ),
    "draw_passes": PlayExample(
        msgid("Nobody wins: with yes the next player deals; with no the dealer deals again.")
    ),
    "kong_refund_on_draw": PlayExample(
        msgid(
            "A kong was paid for, and then nobody wins: with yes the payments are reversed; with no they"
            " are kept."
        )
    ),
    "ting_must_win": PlayExample(
        msgid(
            "You have declared ready, and the tile that you wait for is discarded: with yes you have to win;"
            " with no you may wait for another."
        )
    ),
    "speed_on_table_only": PlayExample(
        msgid("Six tiles were discarded, and two of them claimed: with yes four count; with no all six.")
    ),
    "dealer": PlayExample(
        msgid("East deals and West wins: West deals next (the winner), or South does (in turn)."),
        {"winner": msgid("the winner"), "rotate": msgid("in turn")},
    ),
    "gambit_needs_explosive": PlayExample(
        msgid(
            "You discard a Fortune while only some tiles complete your hand: with yes that is no gambit; with"
            " no it is one."
        )
    ),
    "draw_keeps_lao": PlayExample(
        msgid("Nobody wins a hand: with yes the dealer deals again at the same Lao; with no one Lao higher.")
    ),
    "double_dice_3lao": PlayExample(
        msgid("The dice for the break show two fours: with yes this hand is played at 3 Lao.")
    ),
    "initial": PlayExample(
        msgid("With 200 instead of 100 it takes twice as much until a player has no points left.")
    ),
    "hands": PlayExample(msgid("Eight hands take about half the time of sixteen.")),
    "game_end": PlayExample(
        msgid(
            "In the fifth hand a player runs out of points: by hands the game continues; by points it is"
            " over, unless the dealer won that hand."
        ),
        {"hands": msgid("by hands"), "points": msgid("by points")},
    ),
    "pung_does_not_count": PlayExample(
        msgid(
            "You claimed two chows and a pung from one player: with yes only the two chows count, and nobody"
            " is liable; with no that player is."
        )
    ),
}
"""By the option's key; games that share an option share its example."""
