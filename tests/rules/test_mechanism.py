"""A rule set is a value: a made-up game with other tiles, hand size and payments needs nothing else."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.errors import RequestError
from companion.rules import (
    RULE_SETS,
    GroupKind,
    HandReading,
    Pattern,
    PayerPattern,
    RuleSet,
    decode_request,
    describe,
    rule_set,
    score,
    score_json,
    waits,
)
from companion.rules.options import COMMON
from companion.rules.outline import Outline
from companion.rules.play import USUAL_PLAY, Play, WallRule
from companion.rules.rule_set import PLUS, TIMES
from companion.rules.shapes import seven_pairs, standard
from companion.rules.win import Win
from companion.tiles import SET_84, SET_136, MeldKind, Suit, parse_tiles


def pungs(win: Win, reading: HandReading) -> int:
    return int(all(g.kind is not GroupKind.SEQUENCE for g in reading.groups))


def winds(win: Win, reading: HandReading) -> int:
    return sum(g.tile.suit is Suit.HONORS and g.kind is not GroupKind.PAIR for g in reading.groups)


def is_special(win: Win, reading: HandReading) -> int:
    return int(reading.shape == "special")


REAL = tuple(RULE_SETS.values())
TOY = replace(
    rule_set("hefei"),
    name="toy",
    title="Toy",
    tile_set=SET_136,
    hand_size=16,
    unit="multiplier",
    uses=frozenset({"streak"}),
    streak_default=0,
    meld_kinds={MeldKind.CHOW: None, MeldKind.PUNG: None},
    options=COMMON,
    situations=(),
    shapes=(standard("five sets and a pair", "五副牌加一对将"),),
    quota=None,
    patterns=(
        Pattern(
            id="honors",
            name="Honours",
            name_zh="字",
            value=2,
            count=winds,
            table="table",
            meaning="Each set of honours.",
            meaning_zh="每副字牌。",
            ruling="T-1",
        ),
        Pattern(
            id="pungs",
            name="All Pungs",
            name_zh="对对胡",
            value=3,
            count=pungs,
            table="table",
            meaning="Pungs only.",
            meaning_zh="全为刻子。",
            ruling="T-2",
        ),
    ),
    sign=lambda options: TIMES,
    combine=lambda win, lines: lines,
    payers=lambda win: tuple(seat for seat in range(4) if seat != win.request.winner),
    payer_patterns=(
        PayerPattern(
            id="dealer",
            name="Dealer",
            name_zh="庄家",
            value=2,
            count=lambda win, payer: int(payer == win.request.dealer),
            meaning="Dealer.",
            meaning_zh="庄家。",
            ruling="T-3",
        ),
    ),
    payer_sign=TIMES,
    point=1,
    play=Play(wall=WallRule(deal=(4, 4, 4, 4))),
    sentences=(),
)
REQUEST = {
    "rules": "toy",
    "hand": "111222z123m55p999s",
    "melds": ["c456s"],
    "winning_tile": "3m",
    "winner": 1,
    "source": "discard",
    "from": 2,
}


@pytest.fixture(autouse=True)
def _toy(only: Callable[[RuleSet], None]) -> None:
    only(TOY)


def test_a_made_up_game_is_scored_by_its_declaration() -> None:
    result = score_json(score(decode_request(REQUEST)))
    assert (result["value"], result["unit"], result["payments"]) == (4, "multiplier", [-8, 16, -4, -4])
    assert [(line["id"], line["count"], line["value"]) for line in result["lines"]] == [("honors", 2, 4)]
    assert result["reading"]["waits"] == ["3m"]
    all_pungs = REQUEST | {"hand": "111222333z55p999s", "melds": ["p444s"], "winning_tile": "3z"}
    assert score(decode_request(all_pungs)).value == 2**3 * 3


def test_honours_make_no_sequences() -> None:
    result = score(decode_request(REQUEST | {"hand": "123z111m123m55p999s"}))
    assert not result.legal
    assert waits(TOY, parse_tiles("12z111222m123m55p999s")) == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hand": "111222z123m55p"}, "11 tiles: a finished Toy hand has 14.*melds: 1.*; add 3"),
        ({"melds": ["K4444s"]}, "a kind of meld that Toy does not have: it has c, p"),
        ({"situation": ["sea_floor"]}, "not a situation of Toy"),
        ({"options": {"win_row": 0}}, "wait_ignores_visible, false_win_penalty"),
        ({"winning_tile": None}, "winning_tile is missing"),
    ],
)
def test_its_limits_are_its_own(changes: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        decode_request(REQUEST | changes)
    assert decode_request(REQUEST).streak == 0


def test_a_row_is_counted_where_its_outline_says_so_and_that_is_asked_once(
    only: Callable[[RuleSet], None],
) -> None:
    asked: list[Outline] = []

    def has_two_winds(outline: Outline) -> bool:
        asked.append(outline)
        return outline.wind_pungs == 2

    only(replace(TOY, patterns=(replace(TOY.patterns[0], count=lambda win, _: 1, when=has_two_winds),)))
    two_winds, one, others = "111222z123m55p999s", "111555z123m55p999s", "111333z789m44p111s"
    found = [
        [line.id for line in score(decode_request(REQUEST | {"hand": hand, "winning_tile": last})).lines]
        for hand, last in ((two_winds, "3m"), (one, "3m"), (others, "7m"))
    ]
    assert found == [["honors"], [], ["honors"]]
    assert asked == [
        Outline(
            situation=frozenset(), self_drawn=False, robbed=False, by_dealer=False, closed=False,
            one_wait=True, flowers=0, suits=3, honors=True, wild=0, chained=False, shape="standard",
            sequences=2, pungs=3, concealed_pungs=3, kongs=0, dragon_pungs=dragons, wind_pungs=winds,
            dragon_pairs=0, wind_pairs=0,
        )
        for dragons, winds in ((0, 2), (1, 1))
    ]  # fmt: skip


@pytest.mark.parametrize("special_is_worth_more", [False, True])
def test_equal_readings_give_the_earlier_shape(
    special_is_worth_more: bool, only: Callable[[RuleSet], None]
) -> None:
    special = replace(seven_pairs(), id="special")
    shapes = (standard("four sets and a pair", "四副牌加一对将"), seven_pairs(), special)
    worth = Pattern(
        id="special",
        name="Special",
        name_zh="特",
        value=int(special_is_worth_more),
        count=is_special,
        table="table",
        meaning="Rare.",
        meaning_zh="稀。",
        ruling="T-4",
    )
    tied = replace(
        TOY, hand_size=13, shapes=shapes, patterns=(worth,), sign=lambda options: PLUS, play=USUAL_PLAY
    )
    only(tied)
    both = REQUEST | {"hand": "22334455667788m", "melds": [], "winning_tile": "8m"}
    pairs_only = REQUEST | {"hand": "22334466m55p77p88s", "melds": [], "winning_tile": "8s"}
    found = [score(decode_request(each)).reading for each in (both, pairs_only)]
    assert [reading and reading.shape for reading in found] == (
        ["special", "special"] if special_is_worth_more else ["standard", "seven_pairs"]
    )


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (Play(wall=WallRule(tile_set=SET_84, deal=(4, 4, 4, 4))), "the wall of `play` has 84 tiles"),
        (USUAL_PLAY, "`play` deals 13 tiles, and a hand has 16"),
        (replace(TOY.play, situations={"heavenly": lambda moment: moment.dealt}), "the situation heavenly"),
    ],
)
def test_a_game_whose_play_does_not_fit_it_is_refused_when_it_is_made(play: Play, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(TOY, play=play)


def test_the_games_name_their_shapes_in_the_order_of_ties() -> None:
    order = ("standard", "seven_pairs")
    for rules in REAL:
        reported = [order.index(s.id) if s.id in order else len(order) for s in rules.shapes]
        assert reported == sorted(reported)


def test_it_describes_itself() -> None:
    document = describe(TOY)
    assert (document["name"], document["tiles"], len(document["rows"]), len(document["options"])) == (
        "toy",
        136,
        3,
        2,
    )


@pytest.mark.parametrize(
    ("balances", "payments"),
    [(None, (50, -150, 50, 50)), ([0, 100, 0, 0], (33, -100, 34, 33)), ([9] * 4, (3, -9, 3, 3))],
)
def test_a_false_win_costs_no_more_than_there_is(
    balances: list[int] | None, payments: tuple[int, ...]
) -> None:
    false_win = REQUEST | {"hand": "111222z124m55p999s", "winning_tile": "4m", "balances": balances}
    result = score(decode_request(false_win | {"options": {"false_win_penalty": 50}}))
    assert (result.legal, result.payments) == (False, payments)
