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
from companion.formats.pmn import NAMES, encode_pmn, read_pmn
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
    decode_event,
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


def read_again(text: bytes, rules: str | None = None) -> list[Event]:
    return [decode_event(entry.event) for entry in read_pmn(text.splitlines(keepends=True), rules).entries]


@settings(max_examples=15)
@given(rules=st.sampled_from(FITTING), seed=st.integers(0, 10**6), careless=st.booleans())
def test_a_hand_is_read_back_as_a_game_of_its_own(rules: str, seed: int, careless: bool) -> None:
    """All tags are the same again, but for the number of the hand, and Game, which has all options now."""
    events = played(rules, {}, seed).log if careless else simulate(rules, 3, seed)
    for hand in make_sheet(events).hands:
        if not hand.finished or hand.abandoned:
            continue
        text = encode_pmn(events, "friday", DAY, hand.number)
        again = read_again(text)
        other = {"Board": "1", "Game": ""}
        assert read_tags(again, 1) | other == read_tags(events, hand.number) | other
        assert read_again(encode_pmn(again, "friday", DAY)) == again


TEXT = encode_pmn(simulate("hebei", 1), "friday", DAY).decode()


def test_the_tile_just_taken_may_be_written_as_z1() -> None:
    short = re.sub(r"(T([0-3])(..)D\2)\3", r"\1z1", TEXT)
    assert short != TEXT
    assert read_again(short.encode()) == read_again(TEXT.encode())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (r"\[Game .*\n", "", "PMN names no rules: name those of this hand, as --rules hong_kong"),
        (r"'hebei'", "'chess'", "The tag Game cannot be read: |rules"),
        (r"\[Game \"{", '[Game "', "The tag Game cannot be read: .* is not an event of a game"),
        (r"\[Deal .*\n", "", "The tag Deal is missing"),
        (r"Deal \"c", 'Deal "x', "The tag Deal cannot be read: 'x.*' is not a hand as c123d5b99w1r2f is"),
        (r"Deal \"\S* ", 'Deal "', "The tag Deal cannot be read: It has the hands of 3 players"),
        (
            r"Starting \"100",
            'Starting "9999999999',
            "The tag Starting cannot be read: '9999999999 100 100 100'",
        ),
        (r"Result \"\S+ ", 'Result "7 ', "The tag Result cannot be read: .* is not the result by the rules"),
        (r"Penalty \"0", 'Penalty "7', "The tag Penalty cannot be read: .* add up to 7"),
        (r"Play \"T0", 'Play "T1', "Action 1 of the play: "),
        (r"Play \"T0..", 'Play "T0q7', "Action 1 of the play: 'T0q7' is not an action of PMN, as T0b7 is"),
        (r"Play \"T0..", 'Play "H0T0', "Action 1 of the play: "),
        (r"(Play \"T0..)", r"\1D2z1", "Action 2 of the play: 'D2z1' discards the tile that was just taken"),
        (r"(Play \"T0..)", r"\1C1w1", "Action 2 of the play: "),
        (r"Play \".*\"", 'Play ""', "Action 0 of the play: |Action 1 of the play: "),
        (r"\[Event .*", "garbage", "Line 1: 'garbage' is not a tag of PMN"),
        (r"\[Site .*", '[Event "x"]', "Line 2: The tag Event comes a second time: only a file of one hand"),
    ],
)
def test_pmn_that_cannot_be_is_refused_in_one_sentence(old: str, new: str, said: str) -> None:
    changed = re.sub(old, new, TEXT, count=1)
    with pytest.raises(InputError, match=said) as refused:
        read_again(changed.encode())
    assert str(refused.value).count("Nothing was imported.") <= 1
    assert "\n" not in str(refused.value)


@settings(max_examples=150)
@given(
    at=st.integers(0, len(TEXT)),
    cut=st.integers(0, 40),
    garbage=st.binary(max_size=12) | st.just(b"9" * 9_000),
)
def test_damaged_pmn_ends_in_one_sentence(at: int, cut: int, garbage: bytes) -> None:
    content = TEXT.encode()
    try:
        read_again(content[:at] + garbage + content[at + cut :])
    except InputError as refused:
        said = str(refused)
    else:
        said = ""
    assert "\n" not in said
    assert len(said) < 500


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
