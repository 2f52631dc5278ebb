"""What a hand waits for, and what each tile would be worth: as if each win had been asked for."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score, waits
from companion.rules.kinds import WIND_NAMES
from companion.rules.worth_of_waits import value_waits, waits_json
from companion.tiles import Tile
from lab.bench.hands import random_win

HONG_KONG: dict[str, Any] = {
    "rules": "hong-kong", "hand": "456p67s99m", "melds": ["p222p", "c123m"], "winner": 1, "flowers": "1f",
}  # fmt: skip
HEFEI: dict[str, Any] = {"rules": "hefei", "hand": "234567m88m345p67s"}


def answer(given: dict[str, Any]) -> dict[str, Any]:
    return dict(waits_json(value_waits(given)))


def test_each_wait_is_worth_what_its_win_is_worth() -> None:
    found = answer(HONG_KONG | {"from": 3, "melds": ["p777z", "c123m"]})
    of_self_draw = {
        "value": 2, "value_in_unit": 2, "payments": [-4, 12, -4, -4], "legal": True, "reason": None,
    }  # fmt: skip
    of_discard = {
        "value": 1, "value_in_unit": 1, "payments": [-1, 4, -1, -2], "legal": True, "reason": None,
    }  # fmt: skip
    assert found["waits"] == [
        {"tile": tile, "left": 4, "self_draw": of_self_draw, "discard": of_discard} for tile in ("5s", "8s")
    ]
    assert (found["rules"], found["unit"]) == ("hong_kong", "fan")


def test_a_tile_that_would_not_win_says_why() -> None:
    found = answer(HONG_KONG)["waits"]
    assert [wait["self_draw"]["value"] for wait in found] == [1, 1]
    for wait in found:
        assert wait["discard"] == {
            "value": 0,
            "value_in_unit": 0,
            "payments": [0, 0, 0, 0],
            "legal": False,
            "reason": "The hand is worth 0 fan, and a win takes 1 at least.",
        }
    hangzhou = {"rules": "hangzhou", "hand": "123m456p678s9s", "melds": ["p111p"], "fortune": "7m"}
    (nine,) = [wait for wait in answer(hangzhou)["waits"] if wait["tile"] == "9s"]
    assert nine["self_draw"]["legal"]
    assert "before 3 Lao the winning tile must be drawn" in nine["discard"]["reason"]


def test_a_circumstance_of_a_self_draw_rules_out_the_discard_alone() -> None:
    for wait in answer(HEFEI | {"situation": ["sea_floor"]})["waits"]:
        assert wait["self_draw"]["value"] == 30
        assert not wait["discard"]["legal"]
        assert "source must be self_draw" in wait["discard"]["reason"]


def test_the_seats_have_defaults_which_are_listed() -> None:
    found = value_waits(HEFEI)
    assert (found.winner, found.discarder) == (0, 1)
    assert found.assumed == {"winner": 0, "from": 1, "dealer": 0, "streak": 1}
    given = value_waits(HEFEI | {"winner": 3, "from": 2, "dealer": 1, "streak": 1})
    assert (given.winner, given.discarder, given.assumed) == (3, 2, {})
    three = {"rules": "hebei", "options": {"players": 3}, "hand": "123456789m11p23s", "winner": 2}
    assert value_waits(three).discarder == 0


def test_copies_in_the_hand_and_its_melds_are_not_left() -> None:
    own = {"rules": "hefei", "hand": "666777888m2345p"}
    assert [(wait.tile.code, wait.left) for wait in value_waits(own).waits] == [
        ("2p", 3), ("5p", 3),
    ]  # fmt: skip
    fortune = {"rules": "hangzhou", "hand": "123m456p678s9s", "melds": ["p111p"], "fortune": "9s"}
    left = {wait.tile.code: wait.left for wait in value_waits(fortune).waits}
    assert (left["9s"], left["1p"], left["7z"]) == (2, 1, 4)


def test_a_wait_on_what_the_player_has_all_of_has_none_left() -> None:
    held = {"rules": "hefei", "hand": "5555m678m234567p", "options": {"wait_ignores_visible": True}}
    five, eight = value_waits(held).waits
    assert (five.tile.code, five.left, eight.tile.code, eight.left) == ("5m", 0, "8m", 3)
    for outcome in (five.self_draw, five.discard):
        assert (outcome.legal, str(outcome.reason)) == (False, "The hand and its melds hold every 5m.")
    assert [wait.tile.code for wait in value_waits(held | {"options": {}}).waits] == ["8m"]


def test_a_hand_that_is_not_ready_waits_for_nothing() -> None:
    assert answer({"rules": "hefei", "hand": "2468m2468p24668s"})["waits"] == []


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"hand": "234567m88m345p678s"}, "hand", "has 14 tiles: a Hefei hand that waits for one has 13"),
    ({"hand": "234567m88m345p678s"}, "hand", "remove 1."),
    ({"hand": "234567m88m34p"}, "hand", "(melds: 0); add 3."),
    ({"hand": "234567m88m3p", "melds": ["p222p"]}, "hand", "has 10 (melds: 1)"),
    ({"hand": "234567m88m345p67z"}, "hand", "'6z' is not among"),
    ({"hand": "22222m67m88m34p67s"}, "hand", "'2m' appears 5 times"),
    ({"winning_tile": "5s"}, "winning_tile", "each wait is scored self-drawn and on a discard"),
    ({"source": "discard"}, "source", "self-drawn and on a discard"),
    ({"winner": 4}, "winner", "a seat, 0 to 3"),
    ({"winner": 1, "from": 1}, "from", "other than the winner's"),
    ({"from": 5}, "from", "a seat, 0 to 3"),
    ({"options": {"windy": 1}}, "options", "'windy'"),
    ({"situation": ["windy"]}, "situation", "'windy'"),
    ({"situation": ["replacement"]}, "situation", "melds must hold that kong"),
    ({"situation": ["heavenly"]}, "situation", "heavenly in situation is a win without a winning tile"),
    ({"flowers": "1f"}, "flowers", "means nothing in Hefei"),
    ({"hnad": "2m"}, "hnad", "did you mean"),
    ({"rules": "riichi"}, "rules", "'riichi'"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "field", "words"), WRONG)
def test_wrong_field_is_named(changes: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(RequestError) as error:
        value_waits(HEFEI | changes)
    assert error.value.field == field
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["rules", "hand"])
def test_missing_field_is_named(name: str) -> None:
    with pytest.raises(RequestError, match=f"^{name} is missing"):
        value_waits({key: value for key, value in HEFEI.items() if key != name})


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_hands_wait_for_what_the_rules_say_and_are_paid_as_the_rules_say(name: str) -> None:
    rules, rng, tried = RULE_SETS[name], random.Random(20261128), 0
    while tried < 15:
        win = random_win(rules, rng, 1 if "fortune" in rules.uses else None)
        if win.winning_tile is None or win.situation:
            continue
        tried += 1
        discarder = (win.winner + 2) % 4 if win.discarder is None else win.discarder
        hand = [tile.code for tile in win.hand]
        hand.remove(win.winning_tile.code)
        given: dict[str, Any] = {
            "rules": name, "hand": hand, "melds": [str(meld) for meld in win.melds], "winner": win.winner,
            "dealer": win.dealer, "from": discarder,
            "round_wind": WIND_NAMES[win.round_wind.rank - 1],
        }  # fmt: skip
        if "fortune" in rules.uses:
            given |= {"fortune": win.fortune and win.fortune.code, "streak": win.streak}
        found = value_waits(given).waits
        known = ([Tile.parse(code) for code in hand], win.melds, None, win.fortune)
        assert tuple(wait.tile for wait in found) == waits(rules, *known)
        assert win.winning_tile in [wait.tile for wait in found]
        for wait in found:
            for source, outcome in (("self_draw", wait.self_draw), ("discard", wait.discard)):
                asked = {"hand": [*hand, wait.tile.code], "winning_tile": wait.tile.code, "source": source}
                expected = score(decode_request(given | asked), house_rules=False)
                assert (outcome.value, outcome.payments, outcome.legal) == (
                    expected.value, expected.payments, expected.legal,
                )  # fmt: skip
