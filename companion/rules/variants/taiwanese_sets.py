"""The rows of Taiwanese mahjong for the sets of a hand (TW-17)."""

from __future__ import annotations

from companion.rules.building_blocks import (
    count_concealed_kongs,
    count_once,
    count_pungs_of,
    find_straight,
)
from companion.rules.groups import DRAGONS, WINDS
from companion.rules.rule_set import Pattern
from companion.rules.win import HandReading, Win
from companion.tiles import MeldKind

MELDED_KONGS = (MeldKind.KONG_DISCARD, MeldKind.KONG_ADDED)


def all_triplets(win: Win, reading: HandReading) -> int:
    return int(not (win.on("five_implies_triplets") and len(reading.concealed_pungs) == 5))


def melded_kongs(win: Win, reading: HandReading) -> int:
    return sum([meld.kind in MELDED_KONGS for meld in win.melds])


def has_closed_straight(win: Win, reading: HandReading) -> bool:
    """Whether 123, 456, 789 of one suit can be had of sequences that are closed (TW-22)."""
    by_discard = win.on("straight_discard_closed")
    closed = [g for g in reading.sequences if g.concealed or (by_discard and g.meld is None)]
    return bool(find_straight(HandReading(reading.shape, tuple(closed))))


def open_straight(win: Win, reading: HandReading) -> int:
    return int(bool(find_straight(reading)) and not has_closed_straight(win, reading))


def closed_straight(win: Win, reading: HandReading) -> int:
    return int(bool(find_straight(reading)) and has_closed_straight(win, reading))


def wind_pungs(win: Win, reading: HandReading) -> int:
    if win.on("winds_seat_round_only"):
        return count_pungs_of(reading, {win.request.seat_wind, win.request.round_wind})
    return count_pungs_of(reading, WINDS)


def dragon_pungs(win: Win, reading: HandReading) -> int:
    return count_pungs_of(reading, DRAGONS)


PUNGS = (
    Pattern(
        id="two_concealed_pungs",
        name="Two Concealed Pungs",
        name_zh="两暗刻",
        value=2,
        count=count_once,
        table="pungs",
        meaning="Two concealed triplets or kongs.",
        meaning_zh="两副暗刻或暗杠。",
        ruling="TW-18",
        shape="standard",
        when=lambda o: o.concealed_pungs >= 2,
    ),
    Pattern(
        id="three_concealed_pungs",
        name="Three Concealed Triplets",
        name_zh="三暗刻",
        value=5,
        count=count_once,
        table="pungs",
        meaning="Three concealed triplets or kongs.",
        meaning_zh="三副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs",),
        shape="standard",
        when=lambda o: o.concealed_pungs >= 3,
    ),
    Pattern(
        id="four_concealed_pungs",
        name="Four Concealed Triplets",
        name_zh="四暗刻",
        value=10,
        count=count_once,
        table="pungs",
        meaning="Four concealed triplets or kongs.",
        meaning_zh="四副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs"),
        shape="standard",
        when=lambda o: o.concealed_pungs >= 4,
    ),
    Pattern(
        id="five_concealed_pungs",
        name="Five Concealed Pungs",
        name_zh="五暗刻",
        value=40,
        count=count_once,
        table="pungs",
        meaning="Five concealed triplets or kongs.",
        meaning_zh="五副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs", "four_concealed_pungs"),
        shape="standard",
        when=lambda o: o.concealed_pungs == 5,
    ),
    Pattern(
        id="all_triplets",
        name="All Triplets",
        name_zh="对对胡",
        value=10,
        count=all_triplets,
        table="pungs",
        meaning="Five triplets or kongs.",
        meaning_zh="五副刻子或杠子。",
        ruling="TW-18",
        shape="standard",
        when=lambda o: o.pungs == 5,
    ),
)
KONGS = (
    Pattern(
        id="melded_kong",
        name="Melded Kong",
        name_zh="明杠",
        value=1,
        count=melded_kongs,
        table="kongs",
        meaning="Each kong of a discard or of a pung and a drawn tile.",
        meaning_zh="每副明杠（含加杠）。",
        ruling="TW-20",
        shape="standard",
        when=lambda o: o.kongs > 0,
    ),
    Pattern(
        id="concealed_kong",
        name="Concealed Kong",
        name_zh="暗杠",
        value=2,
        count=count_concealed_kongs,
        table="kongs",
        meaning="Each concealed kong.",
        meaning_zh="每副暗杠。",
        ruling="TW-20",
        shape="standard",
        when=lambda o: o.kongs > 0,
    ),
)
CHOWS = (
    Pattern(
        id="all_sequences_small",
        name="All Sequences (Small)",
        name_zh="小平胡",
        value=3,
        count=count_once,
        table="chows",
        meaning="Five sequences, with a flower or a pair of honours.",
        meaning_zh="五副顺子，有花牌或以字牌作将。",
        ruling="TW-16",
        shape="standard",
        when=lambda o: o.sequences == 5 and (o.flowers > 0 or o.honors),
    ),
    Pattern(
        id="all_sequences_big",
        name="All Sequences (Big)",
        name_zh="大平胡",
        value=10,
        count=count_once,
        table="chows",
        meaning="Five sequences, without honours and flowers.",
        meaning_zh="五副顺子，无字无花。",
        ruling="TW-16",
        replaces=("no_honors", "no_flowers", "no_honors_or_flowers"),
        shape="standard",
        when=lambda o: o.sequences == 5 and not o.flowers and not o.honors,
    ),
    Pattern(
        id="full_straight_open",
        name="Full Straight (Open)",
        name_zh="外龙",
        value=5,
        count=open_straight,
        table="chows",
        meaning="123, 456, 789 of one suit, one of them claimed or completed by another player's tile.",
        meaning_zh="同门123、456、789，其中有吃出或由别家牌补成的。",
        ruling="TW-22",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
    Pattern(
        id="full_straight_closed",
        name="Full Straight (Closed)",
        name_zh="内龙",
        value=10,
        count=closed_straight,
        table="chows",
        meaning="123, 456, 789 of one suit, all of drawn tiles.",
        meaning_zh="同门123、456、789，全为自摸之牌。",
        ruling="TW-22",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
)
WIND_ROWS = (
    Pattern(
        id="pung_of_winds",
        name="Pung of Winds",
        name_zh="风牌",
        value=1,
        count=wind_pungs,
        table="winds",
        meaning="Each pung or kong of winds.",
        meaning_zh="每副风牌刻子或杠子。",
        ruling="TW-19",
        shape="standard",
        when=lambda o: o.wind_pungs > 0,
    ),
    Pattern(
        id="little_three_winds",
        name="Little Three Winds",
        name_zh="小三风",
        value=5,
        count=count_once,
        table="winds",
        meaning="Two pungs of winds and a pair of winds.",
        meaning_zh="两副风牌刻子加一对风牌。",
        ruling="TW-19",
        replaces=("pung_of_winds",),
        shape="standard",
        when=lambda o: o.wind_pungs >= 2 and o.wind_pairs == 1,
    ),
    Pattern(
        id="big_three_winds",
        name="Big Three Winds",
        name_zh="大三风",
        value=10,
        count=count_once,
        table="winds",
        meaning="Three pungs of winds.",
        meaning_zh="三副风牌刻子。",
        ruling="TW-19",
        replaces=("pung_of_winds", "little_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs >= 3,
    ),
    Pattern(
        id="little_four_winds",
        name="Little Four Winds",
        name_zh="小四喜",
        value=30,
        count=count_once,
        table="winds",
        meaning="Three pungs of winds and a pair of the fourth.",
        meaning_zh="三副风牌刻子加一对余下的风牌。",
        ruling="TW-19",
        replaces=("pung_of_winds", "little_three_winds", "big_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs == 3 and o.wind_pairs == 1,
    ),
    Pattern(
        id="big_four_winds",
        name="Big Four Winds",
        name_zh="大四喜",
        value=40,
        count=count_once,
        table="winds",
        meaning="Four pungs of winds.",
        meaning_zh="四副风牌刻子。",
        ruling="TW-19",
        replaces=("pung_of_winds", "big_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs == 4,
    ),
)
DRAGON_ROWS = (
    Pattern(
        id="pung_of_dragons",
        name="Pung of Dragons",
        name_zh="三元牌",
        value=1,
        count=dragon_pungs,
        table="dragons",
        meaning="Each pung or kong of dragons.",
        meaning_zh="每副三元牌刻子或杠子。",
        ruling="TW-17",
        shape="standard",
        when=lambda o: o.dragon_pungs > 0,
    ),
    Pattern(
        id="little_three_dragons",
        name="Little Three Dragons",
        name_zh="小三元",
        value=10,
        count=count_once,
        table="dragons",
        meaning="Two pungs of dragons and a pair of the third.",
        meaning_zh="两副三元牌刻子加一对余下的三元牌。",
        ruling="TW-17",
        replaces=("pung_of_dragons",),
        shape="standard",
        when=lambda o: o.dragon_pungs == 2 and o.dragon_pairs == 1,
    ),
    Pattern(
        id="big_three_dragons",
        name="Big Three Dragons",
        name_zh="大三元",
        value=30,
        count=count_once,
        table="dragons",
        meaning="Three pungs of dragons.",
        meaning_zh="三副三元牌刻子。",
        ruling="TW-17",
        replaces=("pung_of_dragons",),
        shape="standard",
        when=lambda o: o.dragon_pungs == 3,
    ),
)
