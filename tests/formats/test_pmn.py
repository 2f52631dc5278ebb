"""Hands as PMN: played from the file alone they end with the tiles of the game; others are refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InputError
from companion.formats.pmn import NAMES, encode_pmn
from companion.rules import RULE_SETS
from companion.sheets.hands import SheetHand, make_sheet
from companion.table.events import (
    Called,
    Dealt,
    Discarded,
    Event,
    FalseWin,
    GameStarted,
    HandStarted,
    PointsMoved,
    Won,
)
from companion.tiles import KINDS
from tests.sheets.test_sheet_hands import simulate
from tests.table.test_properties import played

DAY = date(2026, 11, 30)
FITTING = ("hefei", "hebei", "hong_kong")
TAG = re.compile(r'\[(\w+) "([^"\\]*)"\]')
TILE = re.compile(r"([cdb][1-9]|w[1-4]|r[1-3]|f[1-8])")


def read_tags(events: Sequence[Event], number: int) -> dict[str, str]:
    """The tags of a hand, one on each line."""
    lines = encode_pmn(events, "friday", DAY, number).decode().splitlines()
    found = [TAG.fullmatch(line) for line in lines]
    assert all(found)
    return {match[1]: match[2] for match in found if match}


def play_again(tags: dict[str, str]) -> tuple[list[Counter[str]], list[int]]:
    """The concealed tiles of East, South, West, North after the play, and who wins."""
    hands = [
        Counter(suit + rank for suit, ranks in re.findall(r"([cdbwrf])(\d*)", deal) for rank in ranks)
        for deal in tags["Deal"].split(" ")
    ]
    winners, offer = [], ""
    for action, seat, name in re.findall(r"([A-Z])([0-3])((?:[cdbwrf]\d)?)", tags["Play"]):
        hand = hands[int(seat)]
        assert action == "H" or TILE.fullmatch(name)
        match action:
            case "T":
                hand[name] += 1
            case "D" | "B":
                hand[name] -= 1
                offer = name
            case "R":
                hand[name] -= 1
            case "C":
                run = [f"{name[0]}{int(name[1]) + step}" for step in (-1, 0, 1)]
                assert offer in run
                hand.subtract(run)
                hand[offer] += 1
            case "P" | "Z" | "A":
                assert action == "A" or name == offer
                hand[name] -= {"P": 2, "Z": 3, "A": 4}[action]
            case "H":
                winners.append(int(seat))
        assert min(hand.values()) >= 0
    return [+hand for hand in hands], winners


def check_hand(tags: dict[str, str], hand: SheetHand) -> None:
    assert hand.after.hand is not None
    table, dealer = hand.after.hand, hand.after.hand.deal.dealer
    hands, winners = play_again(tags)
    by_seat = [table.players[(dealer + place) % 4] for place in range(4)]
    seats = [(result.winner - dealer) % 4 for result in table.results]
    assert winners == seats
    for place, (found, player) in enumerate(zip(hands, by_seat, strict=True)):
        held = Counter(NAMES[tile] for tile in player.concealed)
        won = {each.winner: each for each in table.results}.get((dealer + place) % 4)
        if won is not None and won.discarder is not None and won.tile is not None:
            found[NAMES[won.tile]] += sum(held.values()) - sum(found.values())
        assert found == held


@settings(max_examples=10)
@given(rules=st.sampled_from(FITTING), seed=st.integers(0, 10**6))
def test_the_play_leads_to_the_tiles_of_the_game(rules: str, seed: int) -> None:
    events = simulate(rules, 2, seed)
    for hand in make_sheet(events).hands:
        tags = read_tags(events, hand.number)
        check_hand(tags, hand)
        people = [tags[seat] for seat in ("East", "South", "West", "North")]
        points = dict(zip(people, map(int, tags["Result"].split()), strict=True))
        assert [points[name] for name in ("Ann", "Bao", "陈", "Dai")] == list(hand.points)
        assert tags["Rules"] == rules
        assert tags["Board"] == str(hand.number)
        for win in hand.wins:
            assert all(line.name in tags["Rows"] for line in win.score.lines)


@settings(max_examples=10)
@given(rules=st.sampled_from(["hebei", "hong_kong"]), seed=st.integers(0, 10**6))
def test_careless_players_are_written_too(rules: str, seed: int) -> None:
    events = played(rules, {"multi_win": True}, seed, hands=1).log
    (hand, *_) = make_sheet(events).hands
    if any(isinstance(event, FalseWin) for event in events) or not hand.finished or hand.abandoned:
        return
    check_hand(read_tags(events, 1), hand)


def test_the_tags_are_those_of_the_definition() -> None:
    tags = read_tags(simulate("hebei", 1), 1)
    assert list(tags)[:16] == [
        "Event", "Site", "Date", "Board", "PWind", "East", "South", "West", "North", "Deal", "Scoring",
        "Starting", "Result", "Penalty", "Play", "Fan",
    ]  # fmt: skip
    assert (tags["Event"], tags["Date"], tags["PWind"], tags["Scoring"]) == (
        "friday",
        "2026.11.30",
        "E",
        "MCR",
    )
    assert all(re.fullmatch(r"c\d*d\d*b\d*w\d*r\d*f\d*", hand) for hand in tags["Deal"].split(" "))
    assert [len(re.sub("[a-z]", "", hand)) for hand in tags["Deal"].split(" ")] == [13] * 4
    assert tags["Play"].startswith("T0")
    assert sorted(NAMES.values()) == sorted(set(NAMES.values()))
    assert len(NAMES) == len(KINDS)


def test_hands_follow_each_other_with_a_blank_line_between() -> None:
    text = encode_pmn(simulate("hebei", 3), "friday").decode()
    assert [part.count("[Board ") for part in text.split("\n\n")] == [1, 1, 1]
    assert '[Date "????.??.??"]' in text


def test_points_moved_by_hand_are_a_penalty() -> None:
    events = [*simulate("hebei", 1), PointsMoved(points=(-5, 5, 0, 0), why="a wrong call")]
    tags = read_tags(events, 1)
    assert tags["Penalty"] == "-5 5 0 0"
    assert tags["Result"] == read_tags(simulate("hebei", 1), 1)["Result"]


def test_no_text_breaks_a_tag() -> None:
    start, *rest = simulate("hebei", 1)
    assert isinstance(start, GameStarted)
    named = GameStarted(rules="hebei", names=('"A"', "b\\", "\u202e]\n[", ""), options=start.options)
    tags = read_tags([named, *rest], 1)
    assert [tags[seat] for seat in ("East", "South", "West", "North")] == ["'A'", "b/", "] [", "?"]


UNSEEN_HAND = (GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9m"))


@pytest.mark.parametrize(
    ("events", "number", "said"),
    [
        (
            simulate("taiwanese", 1),
            None,
            "^Hand 1 cannot be written .* 13 tiles in hand, and Taiwanese has 16",
        ),
        (simulate("hangzhou", 1), None, "^Hand 1 cannot be written as PMN: PMN has no wildcards"),
        (simulate("hebei", 1), 7, "^There is no hand 7: the last finished hand is 1"),
        (UNSEEN_HAND, None, "^No hand was played to its end"),
        (
            (*UNSEEN_HAND, Won(seat=2, hand="123999m456p789s11z")),
            None,
            "^Hand 1 cannot be written as PMN: a tile that was dealt",
        ),
    ],
)
def test_what_pmn_cannot_say_is_refused(events: Sequence[Event], number: int | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        encode_pmn(events, "friday", DAY, number)


def test_every_rule_set_is_written_or_refused() -> None:
    for rules in RULE_SETS:
        if rules in FITTING:
            assert encode_pmn(simulate(rules, 1), "friday")
        else:
            with pytest.raises(InputError):
                encode_pmn(simulate(rules, 1), "friday")


def test_calls_are_left_out() -> None:
    events = simulate("hebei", 1)
    silent = [event for event in events if not isinstance(event, Called)]
    assert encode_pmn(events, "friday") == encode_pmn(silent, "friday")
