"""Requests: what is wrong is refused with its field and what is allowed, never a traceback, never a score."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RequestError
from companion.foreign_text import escape
from companion.rules import decode_request, score, score_json, score_line
from companion.rules.fields import FIELDS
from companion.rules.worth_of_waits import value_waits
from companion.tiles import parse_tiles

GOOD: dict[str, Any] = {
    "rules": "hefei",
    "hand": "234567m88m345p678s",
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}
FULL: dict[str, Any] = {
    **GOOD,
    "options": {"win_row": 0},
    "melds": [],
    "flowers": "",
    "dealer": 3,
    "round_wind": "south",
    "streak": 2,
    "situation": [],
    "discards": None,
    "fortune": None,
    "gambits": 0,
    "consecutive_kongs": 0,
    "three_melds": [],
    "kongs_declared": [],
    "stakes": {"unit": 20},
    "base": 5,
    "cap": None,
    "balances": None,
}
DRAWN = {"source": "self_draw", "from": None}


def test_a_request_with_every_field_is_scored() -> None:
    result = score(decode_request(json.dumps(FULL)))
    assert (result.legal, result.value, result.payments) == (True, 0, (0, 0, 0, 0))
    assert score(decode_request(FULL | {"options": {}})).payments == (0, 1500, -1500, 0)


@pytest.mark.parametrize("source", ["self_draw", "discard", "robbed_kong"])
def test_from_is_kept_only_if_meaningful(source: str) -> None:
    discarder = decode_request(GOOD | {"source": source}).discarder
    assert discarder == (None if source == "self_draw" else 2)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    # field, changes, what the sentence also says
    (
        "handd",
        {"handd": "2m"},
        "'handd' is not a field of a request: the fields are hand (did you mean that?), rules, options,",
    ),
    ("rules", {"rules": "riichi"}, "hefei"),
    ("rules", {"rules": 1}, "hefei"),
    ("rules", {"rules": "hong kong"}, "'hong kong'"),
    ("hand", {"hand": 5}, "as in 234567m88m345p678s, or a list of codes"),
    ("hand", {"hand": None}, "a list of codes, not null"),
    ("hand", {"hand": ["2m"]}, "1 tiles: a finished Hefei hand has 14"),
    ("hand", {"hand": ["2m", 5]}, "a list of codes, not 5"),
    ("hand", {"hand": ["234m"]}, "'234m' is not a tile"),
    ("hand", {"hand": ["back"]}, "'back' is not a tile"),
    (
        "hand",
        {"hand": "234567m88m345p67s"},
        "13 tiles: a finished Hefei hand has 14, including the winning tile",
    ),
    ("hand", {"hand": "234567m88m345p67s"}, "(melds: 0); add 1."),
    ("hand", {"hand": "234567m88m345p6788s"}, "15 tiles"),
    ("hand", {"hand": "234567m88m345p6788s"}, "(melds: 0); remove 1."),
    (
        "hand",
        {"hand": "2222m567m88m345p678s"},
        "Are the four 2m a kong? Then they are a meld: K2222m, or k2222m where one was claimed; else",
    ),
    ("hand", {"hand": "3333s567m8888s345p22m", "winning_tile": "3s"}, "Are the four 8s a kong?"),
    ("hand", {"hand": "2222m567m88m345p6788s"}, "(melds: 0); remove 2."),
    (
        "hand",
        {"melds": ["p222p"]},
        "14 tiles: a finished Hefei hand has 11, including the winning tile (melds: 1)",
    ),
    (
        "hand",
        {"hand": "22222m348m345p678s"},
        "'2m' appears 5 times, and this game has 4 of it: correct one.",
    ),
    ("hand", {"hand": "222m88m345p678s", "melds": ["p222m"]}, "'2m' appears 6 times, and this game has 4"),
    ("hand", {"hand": "123567m88m345p678s"}, "'1m' is not among the 84 tiles"),
    ("hand", {"hand": "234567m88m345p555z"}, "'5z' is not among"),
    ("hand", {"hand": "0m"}, "'0m' is not a tile"),
    ("hand", {"hand": "234567m88m345p678"}, "'678' has no suit letter"),
    ("melds", {"melds": "p222m"}, "a list of melds"),
    ("melds", {"melds": [222]}, "a list of melds"),
    ("melds", {"melds": ["p223m"]}, "'p223m' is not a pung"),
    ("melds", {"melds": ["p111m"]}, "'1m' is not among"),
    ("melds", {"melds": ["c345m"]}, "'c345m'"),
    ("melds", {"melds": ["p222m", "p333m", "p444m", "p555m", "p666m"]}, "at most 4"),
    ("winning_tile", {"winning_tile": None}, "only heavenly has none"),
    ("winning_tile", {"winning_tile": "2s"}, "'2s' is not in the hand"),
    ("winning_tile", {"winning_tile": "88s"}, "'88s' is not a tile"),
    ("winning_tile", {"winning_tile": 8}, "null for a dealt win"),
    ("winning_tile", {**DRAWN, "winner": 0, "situation": ["heavenly"]}, "must be null, not '8s'"),
    ("flowers", {"flowers": "1f"}, "means nothing in Hefei"),
    ("flowers", {"flowers": ["1f"]}, "means nothing in Hefei"),
    ("flowers", {"rules": "hong_kong", "flowers": 1}, "as in 1f5f, or a list of codes, not 1"),
    ("flowers", {"rules": "hong_kong", "flowers": ["1z"]}, "'1z', which is not a flower"),
    ("winner", {"winner": 4}, "0 to 3"),
    ("winner", {"winner": True}, "0 to 3"),
    ("winner", {"winner": "1"}, "0 to 3"),
    ("dealer", {"dealer": -1}, "0 to 3"),
    ("dealer", {"dealer": 0.0}, "0 to 3"),
    ("round_wind", {"round_wind": "up"}, "east or south or west or north, or E, S, W, N, not 'up'"),
    ("round_wind", {"round_wind": "1z"}, "or E, S, W, N, not '1z'"),
    ("source", {"source": "draw"}, "self_draw or discard or robbed_kong"),
    ("from", {"from": None}, "0 to 3"),
    ("from", {"source": "robbed_kong", "from": None}, "0 to 3"),
    ("from", {"from": 1}, "a seat other than the winner's"),
    ("from", {"from": 4}, "0 to 3"),
    ("streak", {"streak": 0}, "1 to 1000"),
    ("streak", {"streak": 1.5}, "whole number"),
    ("situation", {"situation": ["last_tile"]}, "sea_floor, replacement, heavenly, earthly"),
    ("situation", {"situation": "sea_floor"}, "a list of situations"),
    ("situation", {"situation": ["sea_floor"]}, "source must be self_draw"),
    ("situation", {**DRAWN, "situation": ["sea_floor", "replacement"]}, "cannot both be"),
    ("situation", {**DRAWN, "situation": ["replacement"]}, "melds must hold that kong"),
    ("situation", {**DRAWN, "winning_tile": None, "situation": ["heavenly"]}, "winner must be the dealer's"),
    ("situation", {**DRAWN, "dealer": 1, "situation": ["earthly"]}, "winner must not be the dealer"),
    ("situation", {"source": "robbed_kong", "situation": ["earthly"]}, "source cannot be robbed_kong"),
    (
        "situation",
        {"hand": "88m345m345p678s", "melds": ["p222m"], "situation": ["earthly"]},
        "melds must be empty",
    ),
    ("discards", {"discards": 3}, "means nothing in Hefei"),
    ("fortune", {"fortune": "9s"}, "means nothing in Hefei"),
    ("gambits", {"gambits": 1}, "means nothing in Hefei"),
    ("gambits", {"gambits": False}, "means nothing in Hefei"),
    ("consecutive_kongs", {"consecutive_kongs": 1}, "means nothing in Hefei"),
    ("three_melds", {"three_melds": [[1, 2]]}, "means nothing in Hefei"),
    (
        "kongs_declared",
        {"kongs_declared": [{"kind": "K", "seat": 0, "from": None}]},
        "means nothing in Hefei",
    ),
    ("base", {"base": 0}, "from 1"),
    ("stakes", {"stakes": 20}, 'an object as in {"base": 100, "unit": 20}, or null, not 20'),
    ("stakes", {"stakes": [100, 20]}, "an object as in"),
    (
        "stakes",
        {"stakes": {"tai": 20}},
        "'tai' in stakes is unknown in Hefei: the stakes have",
    ),
    ("stakes", {"stakes": {"": 20}}, "'' in stakes is unknown in"),
    ("stakes.base", {"stakes": {"base": 100, "unit": 20}}, "0 or left out: Hefei has no base"),
    ("stakes.unit", {"stakes": {"unit": -1}}, "a whole number from 0 to 1000000000, not -1"),
    ("stakes.unit", {"stakes": {"unit": 10**9 + 1}}, "a whole number from 0 to 1000000000"),
    ("stakes.unit", {"stakes": {"unit": 0.5}}, "a whole number from 0"),
    ("stakes.unit", {"stakes": {"unit": True}}, "a whole number from 0"),
    ("stakes.unit", {"stakes": {"unit": "20"}}, "a whole number from 0"),
    ("stakes.unit", {"stakes": {"unit": None}}, "a whole number from 0"),
    ("stakes.base", {"stakes": {"base": False}}, "a whole number from 0"),
    ("stakes", {"stakes": {"unit": 0}}, "stakes must not all be 0"),
    ("stakes", {"stakes": {"base": 0, "unit": 0}}, "stakes must not all be 0"),
    ("stakes", {"stakes": {"unit": 10**9}, "base": 2}, "must be at most 1,000,000,000"),
    ("cap", {"cap": -1}, "from 0"),
    ("cap", {"cap": "64"}, "from 0"),
    ("balances", {"balances": [1, 2, 3]}, "four whole numbers"),
    ("balances", {"balances": [1, 2, 3, -4]}, "four whole numbers"),
    ("options", {"options": ["win_row"]}, "an object of house options"),
    (
        "options",
        {"options": {"winrow": 0}},
        "'winrow' in options is not a house option of Hefei: the options are win_row (did you mean that?), ",
    ),
    ("options.win_row", {"options": {"win_row": 20}}, "must be 15 or 0, not 20"),
    ("options.seven_pairs", {"options": {"seven_pairs": 0}}, "true or false"),
    ("options.win_row", {"options": {"win_row": False}}, "15 or 0"),
    ("options.dealer_n", {"options": {"dealer_n": "wins"}}, "hands_dealt or wins_only"),
    ("options.false_win_penalty", {"options": {"false_win_penalty": -1}}, "0 to 1000000"),
]


@pytest.mark.parametrize(("field", "changes", "words"), WRONG)
def test_wrong_field_is_named(field: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RequestError) as error:
        decode_request(GOOD | changes)
    assert error.value.field == field
    assert field.rpartition(".")[2] in str(error.value)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", ["rules", "hand", "winner", "source"])
def test_missing_field_is_named(field: str) -> None:
    with pytest.raises(RequestError, match=f"^{field} is missing: give ") as error:
        decode_request({key: value for key, value in GOOD.items() if key != field})
    assert error.value.field == field


@pytest.mark.parametrize(("given", "said"), [({}, "missing"), ({"rules": "chess"}, "'chess'")])
def test_the_rules_come_first_for_they_decide_what_a_hand_is(given: dict[str, str], said: str) -> None:
    for ask in (decode_request, value_waits):
        with pytest.raises(RequestError, match=f"^rules .*{said}"):
            ask(given)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "3", b"\xff\xfe", '{"rules": NaN}', "[" * 100_000, "1" * 5000, '{"a": 1} 2'],
)
def test_other_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RequestError):
        decode_request(text)
    assert set(score_line(text)) == {"error", "field"}


CODES = [tile.code for tile in parse_tiles(GOOD["hand"])]
ANOTHER_WAY: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # what is written in another way, and how else it is written
    ("a list of codes", {"hand": CODES}, {}),
    ("a list out of order", {"hand": CODES[::-1]}, {}),
    ("a hyphen", {"rules": "hong-kong"}, {"rules": "hong_kong"}),
    ("no flowers as a list", {"rules": "hong_kong", "flowers": []}, {"rules": "hong_kong"}),
    ("flowers as a list", {"rules": "taiwanese", "hand": "123m567m678s99p111222z", "flowers": ["5f", "1f"]},
     {"rules": "taiwanese", "hand": "123m567m678s99p111222z", "flowers": "1f5f"}),
    ("flowers that are not known, without flowers", {"flowers": None}, {}),
    ("flowers that are not known, as a list", {"flowers": []}, {}),
    *[
        (f"the wind {written}", {"round_wind": written}, {"round_wind": wind})
        for wind in ("east", "south", "west", "north")
        for written in (wind[0], wind[0].upper(), wind.capitalize())
    ],
]  # fmt: skip


@pytest.mark.parametrize(("what", "changes", "same"), ANOTHER_WAY)
def test_alternative_spellings_are_equal(what: str, changes: dict[str, Any], same: dict[str, Any]) -> None:
    assert decode_request(GOOD | changes) == decode_request(GOOD | same)


def test_flowers_that_are_not_known_are_not_none() -> None:
    assert decode_request(GOOD).flowers_known
    unknown = decode_request(GOOD | {"rules": "hong_kong", "flowers": None})
    assert (unknown.flowers, unknown.flowers_known) == ((), False)
    after_one = GOOD | DRAWN | {"rules": "hong_kong", "situation": ["replacement"]}
    decode_request(after_one | {"flowers": None})
    with pytest.raises(RequestError, match="or flowers the flower"):
        decode_request(after_one)
    off = {"rules": "hong_kong", "options": {"flowers": False}}
    without, unknown = (decode_request(GOOD | off | {"flowers": each}) for each in ("", None))
    assert score(unknown, house_rules=False) == score(without, house_rules=False)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["8s", "2m", "hefei", "discard", "self_draw", "heavenly", "sea_floor", "K2222m"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip
options = st.dictionaries(st.sampled_from(["win_row", "discard", "seven_pairs", "x"]), junk, max_size=2)
notation = st.text(alphabet="12345678mpszf 09?x\n", max_size=24)


@settings(max_examples=400, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(list(FIELDS)) | st.text(max_size=4), junk | options | notation, max_size=4
    ),
    st.sampled_from([GOOD, FULL, {}]),
)
def test_a_fuzzed_request_is_answered_or_refused_by_field(
    changes: dict[str, Any], start: dict[str, Any]
) -> None:
    answer = score_line_of(start | changes)
    if "error" in answer:
        field = answer["field"]
        assert field in FIELDS or field in changes or field.startswith("options.")
        assert answer["error"] == escape(answer["error"])
    else:
        assert sum(json.loads(json.dumps(answer))["payments"]) == 0


def score_line_of(given: dict[str, Any]) -> dict[str, Any]:
    """As `score_line`, of a value that need not be JSON."""
    try:
        return score_json(score(decode_request(given)))
    except RequestError as error:
        return {"error": str(error), "field": error.field}
