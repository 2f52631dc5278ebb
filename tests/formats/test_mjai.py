"""A game as mjai lines: read back as the same game, by the fields of mjai, and refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InputError
from companion.formats.mjai import decode_mjai, encode_mjai
from companion.money import Currency
from companion.rules import RULE_SETS
from companion.table.apply import fold
from companion.table.events import (
    Claimed,
    Corrected,
    CurrencyAgreed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameEnded,
    GameStarted,
    HandAbandoned,
    HandStarted,
    PointsMoved,
    Won,
    apply_corrections,
)
from tests.sheets.test_sheet_hands import simulate
from tests.table.test_properties import HOUSES, played

Lines = list[dict[str, Any]]
CLAIM = ("actor", "target", "pai", "consumed")
FIELDS: dict[str, tuple[str, ...]] = {
    "start_game": ("names",),
    "start_kyoku": ("bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais"),
    "tsumo": ("actor", "pai"), "dahai": ("actor", "pai", "tsumogiri"), "ankan": ("actor", "consumed"),
    "kakan": ("actor", "pai", "consumed"), "chi": CLAIM, "pon": CLAIM, "daiminkan": CLAIM,
    "hora": ("actor", "target", "pai", "deltas", "scores"), "ryukyoku": ("reason", "deltas", "scores"),
    "end_kyoku": (), "end_game": (), "companion": ("companion",),
}  # fmt: skip
"""What a line must have: gimite's action.rb, and the schemas of github.com/Cryolite/mjai."""


def read_back(lines: Sequence[bytes]) -> list[Event]:
    return [event for _, event in decode_mjai(lines)]


def read_or_refuse(lines: Sequence[bytes]) -> tuple[list[Event], str]:
    """The events, or why there are none."""
    try:
        return read_back(lines), ""
    except InputError as refused:
        return [], str(refused)


def load(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in encode_mjai(events)]


@settings(max_examples=10)
@given(rules=st.sampled_from(sorted(RULE_SETS)), seed=st.integers(0, 10**6))
def test_a_simulated_game_comes_back_as_it_was(rules: str, seed: int) -> None:
    events = simulate(rules, 1, seed)
    assert read_back(list(encode_mjai(events))) == list(events)


@settings(max_examples=10)
@given(house=st.sampled_from(HOUSES), seed=st.integers(0, 10**6))
def test_a_game_under_house_rules_comes_back_as_it_was(house: Any, seed: int) -> None:
    rules, options = house
    events = played(rules, options, seed, hands=1).log
    assert read_back(list(encode_mjai(events))) == events


UNSEEN = (
    GameStarted(rules="hong_kong", names=("Ann", "宝", '"Chen"', "=1+1")),
    HandStarted(dealer=0, dice=None),
    Dealt(),
    Discarded(seat=0, tile="9m"),
    Claimed(seat=1, meld="c789m"),
    Discarded(seat=1),
    Claimed(seat=3, meld="p555z"),
    Discarded(seat=3),
    Claimed(seat=0, meld="c123p"),
    Discarded(seat=0, tile="1z"),
    Drawn(seat=1),
    HandAbandoned(why="the wall fell"),
    PointsMoved(points=(1, -1, 0, 0), why="a bet"),
    GameEnded(why="late"),
    CurrencyAgreed(currency=Currency("¥", "0.5", "1")),
)


def test_what_nobody_saw_comes_back_unseen() -> None:
    lines = load(UNSEEN)
    assert read_back(list(encode_mjai(UNSEEN))) == list(UNSEEN)
    assert lines[1]["tehais"] == [["?"] * 13] * 4
    assert [line["type"] for line in lines] == [
        "start_game", "start_kyoku", "tsumo", "dahai", "chi", "dahai", "companion", "dahai", "companion",
        "dahai", "tsumo", "companion", "end_kyoku", "companion", "end_game", "companion",
    ]  # fmt: skip


def test_every_rule_set_is_written_with_the_fields_of_mjai() -> None:
    for rules, set_ in RULE_SETS.items():
        lines = load(simulate(rules, 4, seed=1))
        start, kyoku, draw = lines[:3]
        assert start["names"] == ["Ann", "Bao", "陈", "Dai"]
        assert (kyoku["type"], kyoku["bakaze"], kyoku["kyoku"], kyoku["honba"]) == ("start_kyoku", "E", 1, 0)
        assert [len(hand) for hand in kyoku["tehais"]] == [set_.hand_size] * 4
        assert (draw["type"], draw["actor"]) == ("tsumo", kyoku["oya"])
        kinds = [line["type"] for line in lines]
        assert kinds.count("end_kyoku") == kinds.count("start_kyoku") == 4
        for line in lines:
            assert line.keys() >= set(FIELDS[line["type"]])
            if line["type"] in ("chi", "pon", "daiminkan"):
                assert len(line["consumed"]) == (3 if line["type"] == "daiminkan" else 2)
                assert line["target"] != line["actor"]
            if line["type"] == "hora":
                assert sum(line["deltas"]) == 0
                assert line["deltas"][line["actor"]] > 0


def test_every_type_of_line_is_written() -> None:
    logs = [played(rules, {}, seed, hands=4).log for rules in ("hebei", "hefei") for seed in range(3)]
    lines = [line for log in logs for line in load(log)]
    assert {line["type"] for line in lines} >= FIELDS.keys() - {"end_game"}
    assert all(line.keys() >= set(FIELDS[line["type"]]) for line in lines)


def test_honours_have_the_letters_of_mjai() -> None:
    start, begun = GameStarted(rules="hebei"), HandStarted(dealer=0)
    dealt = Dealt(hands=("1234567z123m456p7s", None, None, None))
    assert load((start, begun, dealt))[1]["tehais"][0] == [
        "E", "S", "W", "N", "P", "F", "C", "1m", "2m", "3m", "4p", "5p", "6p",
    ]  # fmt: skip


def test_a_corrected_game_is_written_as_it_was() -> None:
    events = [*UNSEEN[:6], Corrected(number=4, right=Discarded(seat=0, tile="8m"), why="misread")]
    assert read_back(list(encode_mjai(events))) == apply_corrections(events)


def test_a_game_whose_end_follows_from_the_rules_has_an_end_game() -> None:
    events = next(
        log
        for seed in range(9)
        if fold(log := played("hangzhou", {}, seed, hands=60).log).over  # type: ignore[union-attr]
    )
    lines = load(events)
    assert lines[-1] == {"type": "end_game"}
    assert read_back(list(encode_mjai(events))) == events


def test_lines_of_mjai_alone_are_enough_where_they_say_everything() -> None:
    """As another program writes them, which knows `companion` only in the first line."""
    lines = [
        line
        if line["type"] in ("start_game", "companion")
        else {k: v for k, v in line.items() if k != "companion"}
        for line in load(simulate("hong_kong", 3))
    ]
    found = read_back([json.dumps(line).encode() for line in lines])
    assert sum(isinstance(event, Won) for event in found) > 0
    assert fold(found) is not None


def change(number: int, **fields: Any) -> Callable[[Lines], None]:
    def apply(lines: Lines) -> None:
        lines[number - 1].update(fields)

    return apply


def insert(number: int, line: dict[str, Any]) -> Callable[[Lines], None]:
    return lambda lines: lines.insert(number - 1, line)


def remove(number: int) -> Callable[[Lines], None]:
    return lambda lines: lines.pop(number - 1) and None


def cut(number: int) -> Callable[[Lines], None]:
    """Leave that many lines."""

    def apply(lines: Lines) -> None:
        del lines[number:]

    return apply


EVENTS = simulate("hong_kong", 2)
HORA = next(number for number, line in enumerate(load(EVENTS), start=1) if line["type"] == "hora")


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (remove(1), "Line 1: The mjai lines do not begin with a start_game"),
        (change(1, companion_version=2), "Line 1: The mjai lines have version 2 of the extensions, and .* 1"),
        (change(1, names=["A", "B", "C", "D"]), "Line 1: names is .*, and by the rules of the game it is"),
        (
            insert(3, {"type": "end_kyoku"}),
            "Line 3: start_kyoku is followed by the tsumo of the dealer, seat 0",
        ),
        (cut(2), "Line 2: start_kyoku is followed by the tsumo"),
        (change(3, actor=1), "Line 3: start_kyoku is followed by the tsumo"),
        (change(3, pai="5mr"), "Line 3: .* is not a line of mjai as this program writes it: "),
        (change(3, pai="?"), "Line 3: A hand has either all its tiles or only '\\?'"),
        (change(3, actor=10**30), "Line 3: .* is not a line of mjai"),
        (insert(4, {"type": "dora", "dora_marker": "E"}), "Line 4: .* is not a line of mjai"),
        (insert(4, {"type": "reach", "actor": 0}), "Line 4: .* is not a line of mjai"),
        (insert(4, {"type": "start_game", "names": []}), "Line 4: The first line must begin the game"),
        (insert(4, {"type": "companion"}), "Line 4: .* is not a line of mjai .*companion is missing"),
        (insert(4, {"type": "dahai", "actor": 3, "pai": "1m"}), "Line 4: Seat 2 holds 2f"),
        (insert(4, {"type": "chi", "actor": 1, "pai": "1m", "consumed": []}), "Line 4: 'c1m' is not a chow"),
        (insert(4, {"type": "pon", "actor": 1, "pai": "1m", "consumed": ["1m"] * 90}), "Line 4: .*'p1111"),
        (change(HORA, deltas=[0, 0, 0, 0]), "deltas is \\[0, 0, 0, 0\\], and by the rules of the game it is"),
        (change(HORA, scores=[1, 2, 3, 4]), "scores is .*, and by the rules"),
    ],
)
def test_a_line_that_cannot_be_is_refused_by_its_number(alter: Callable[[Lines], None], said: str) -> None:
    lines = load(EVENTS)
    alter(lines)
    with pytest.raises(InputError, match=said) as refused:
        read_back([json.dumps(line).encode() for line in lines])
    assert "\n" not in str(refused.value)


def test_a_log_of_riichi_is_refused_in_one_sentence() -> None:
    line = b'{"type":"start_game","id":0,"names":["0","1","2","3"]}'
    with pytest.raises(InputError, match=r"^Line 1: .* only games that this program wrote can be read"):
        read_back([line])


@settings(max_examples=60)
@given(
    garbage=st.binary(max_size=80)
    | st.text(max_size=80).map(str.encode)
    | st.sampled_from(
        [b"{", b"[[[[" * 9_000, b'{"type":"tsumo","actor":' + b"9" * 9_000 + b"}", b"null", b'{"type":7}']
    ),
    at=st.integers(0, 40),
    cut=st.integers(0, 200),
)
def test_garbage_and_cut_lines_end_in_one_sentence(garbage: bytes, at: int, cut: int) -> None:
    lines = list(encode_mjai(EVENTS))[:40]
    for changed in ([*lines[:at], garbage, *lines[at:]], [*lines[:at], *(line[:cut] for line in lines[at:])]):
        found, refused = read_or_refuse(changed)
        assert refused.startswith("Line ") or found == list(EVENTS[: len(found)])
        assert "\n" not in refused


def test_flowers_that_mjai_has_no_type_for_are_lines_of_their_own() -> None:
    lines = [line for line in load(EVENTS) if line["type"] == "companion"]
    flowers = sum(isinstance(event, FlowerSetOut) for event in EVENTS)
    assert flowers > 0
    assert sum(line["companion"]["event"] == "flower_set_out" for line in lines) == flowers
