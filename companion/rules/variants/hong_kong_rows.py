"""The scoring rows of Hong Kong, and how each is found in a win or a reading."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.building_blocks import (
    at_setting,
    count_flower_sets,
    count_once,
    count_own_flowers,
    count_pungs_of,
    has_pair_of,
    pay_once,
)
from companion.rules.hand import DRAGONS
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern
from companion.rules.win import HandReading, Win
from companion.tiles import Suit


def dragon_pungs(win: Win, reading: HandReading) -> int:
    found = count_pungs_of(reading, DRAGONS)
    if found == 3:
        return 0  # Three Scholars
    small = found == 2 and has_pair_of(reading, DRAGONS) and not win.on("small_dragons_add")
    return 0 if small else found


def seat_wind(win: Win, reading: HandReading) -> int:
    return count_pungs_of(reading, (win.request.seat_wind,))


def round_wind(win: Win, reading: HandReading) -> int:
    return count_pungs_of(reading, (win.request.round_wind,))


def own_flowers(win: Win, reading: HandReading) -> int:
    """Counts own flowers; one in a complete set of four only if the house adds it (HK-13)."""
    in_sets = flower_sets(win, reading) + 2 * eight_flowers(win, reading)
    return count_own_flowers(win) - (0 if in_sets and win.on("flower_set_add") else in_sets)


def flower_sets(win: Win, reading: HandReading) -> int:
    return 0 if eight_flowers(win, reading) else count_flower_sets(win)


def eight_flowers(win: Win, reading: HandReading) -> int:
    return int(len(win.request.flowers) == 8 and win.number("eight_flowers") == 8)


def no_flowers(win: Win, reading: HandReading) -> int:
    return int(win.on("flowers"))


def full_chow(win: Win, reading: HandReading) -> int:
    return int(not (win.on("chow_no_honor_pair") and reading.pairs[0].tile.suit is Suit.HONORS))


def count_as(row: Pattern, fan: int) -> Pattern:
    """The same row at a house that counts that many fan for it, as the option named like the row says."""
    return replace(
        row,
        id=f"{row.id}_{fan}",
        name=f"{row.name} ({fan} fan)",
        name_zh=f"{row.name_zh}（{fan}番）",
        value=fan,
        count=at_setting(row.id, fan),
        meaning=f"{row.name}, where the house counts {fan} fan for this hand.",
        meaning_zh=f"本桌{row.name_zh}计{fan}番时的{row.name_zh}。",
    )


SMALL_DRAGONS = Pattern(
    id="small_dragons",
    name="Small Dragons",
    name_zh="小三元",
    value=4,
    count=at_setting("small_dragons", 4),
    table="fan",
    meaning="Two pungs or kongs of dragons and a pair of the third.",
    meaning_zh="两副箭牌的刻子或杠，另一种箭牌作将。",
    ruling="HK-12",
    shape="standard",
    when=lambda o: o.dragon_pungs == 2 and o.dragon_pairs == 1,
)
ONE_SUIT = Pattern(
    id="one_suit",
    name="One Suit",
    name_zh="清一色",
    value=6,
    count=at_setting("one_suit", 6),
    table="fan",
    meaning="Tiles of one suit only.",
    meaning_zh="只有一门花色，没有字牌。",
    ruling="HK-15",
    when=lambda o: o.suits == 1 and not o.honors,
)
SEVEN_PAIRS = Pattern(
    id="seven_pairs",
    name="Seven Pairs",
    name_zh="七对",
    value=4,
    count=at_setting("seven_pairs", 4),
    table="fan",
    meaning="Seven pairs without melds; four equal tiles are two pairs.",
    meaning_zh="七个对子，无副露；四张相同算两对。",
    ruling="HK-08",
    shape="seven_pairs",
)
FAN = (
    Pattern(
        id="dragon_pung",
        name="Pung of Dragons",
        name_zh="箭刻",
        value=1,
        count=dragon_pungs,
        table="fan",
        meaning="Each pung or kong of dragons, unless it is part of Small Dragons.",
        meaning_zh="每副中、发、白的刻子或杠；计小三元时不计。",
        ruling="HK-12",
        shape="standard",
        when=lambda o: o.dragon_pungs > 0,
    ),
    Pattern(
        id="seat_wind",
        name="Seat Wind",
        name_zh="门风刻",
        value=1,
        count=seat_wind,
        table="fan",
        meaning="A pung or kong of the player's own wind.",
        meaning_zh="自家门风的刻子或杠。",
        ruling="HK-16",
        shape="standard",
        when=lambda o: o.wind_pungs > 0,
    ),
    Pattern(
        id="round_wind",
        name="Round Wind",
        name_zh="圈风刻",
        value=1,
        count=round_wind,
        table="fan",
        meaning="A pung or kong of the wind of the round.",
        meaning_zh="圈风的刻子或杠。",
        ruling="HK-16",
        shape="standard",
        when=lambda o: o.wind_pungs > 0,
    ),
    SMALL_DRAGONS,
    count_as(SMALL_DRAGONS, 5),
    Pattern(
        id="three_scholars_8",
        name="Three Scholars (8 fan)",
        name_zh="大三元（8番）",
        value=8,
        count=at_setting("three_scholars", 8),
        table="fan",
        meaning="Pungs or kongs of all three dragons, where the house counts 8 fan for them.",
        meaning_zh="本桌大三元计8番时的大三元。",
        ruling="HK-09",
        shape="standard",
        when=lambda o: o.dragon_pungs == 3,
    ),
    Pattern(
        id="full_chow",
        name="Full Chow",
        name_zh="平胡",
        value=1,
        count=full_chow,
        table="fan",
        meaning="Four chows and a pair.",
        meaning_zh="四副顺子加一对将。",
        ruling="HK-17",
        shape="standard",
        when=lambda o: o.sequences == 4,
    ),
    Pattern(
        id="full_pung",
        name="Full Pung",
        name_zh="对对胡",
        value=3,
        count=count_once,
        table="fan",
        meaning="Four pungs or kongs and a pair.",
        meaning_zh="四副刻子或杠加一对将。",
        ruling="HK-15",
        shape="standard",
        when=lambda o: o.pungs == 4,
    ),
    Pattern(
        id="one_suit_and_honors",
        name="One Suit and Honours",
        name_zh="混一色",
        value=3,
        count=count_once,
        table="fan",
        meaning="Tiles of one suit, and honours.",
        meaning_zh="一门花色加字牌。",
        ruling="HK-15",
        when=lambda o: o.suits == 1 and o.honors,
    ),
    ONE_SUIT,
    count_as(ONE_SUIT, 7),
    SEVEN_PAIRS,
    count_as(SEVEN_PAIRS, 16),
    Pattern(
        id="self_draw",
        name="Self-Draw",
        name_zh="自摸",
        value=1,
        count=count_once,
        table="fan",
        meaning="The winning tile was drawn.",
        meaning_zh="自摸胡牌。",
        ruling="HK-15",
        when=lambda o: o.self_drawn,
    ),
    Pattern(
        id="last_tile",
        name="Last Tile of the Wall",
        name_zh="海底捞月",
        value=1,
        count=count_once,
        table="fan",
        meaning="The winning tile was the last of the live wall.",
        meaning_zh="摸牌墙最后一张自摸。",
        ruling="HK-35",
        situation="last_tile",
        when=lambda o: o.self_drawn,
    ),
    Pattern(
        id="last_discard",
        name="Last Discard",
        name_zh="河底捞鱼",
        value=1,
        count=count_once,
        table="fan",
        meaning="The winning tile was discarded with the live wall empty.",
        meaning_zh="牌墙摸完后打出的最后一张牌。",
        ruling="HK-35",
        situation="last_tile",
        when=lambda o: not o.self_drawn and not o.robbed,
    ),
    Pattern(
        id="robbed_kong",
        name="Robbing a Kong",
        name_zh="抢杠",
        value=1,
        count=count_once,
        table="fan",
        meaning="The winning tile was added to another player's pung.",
        meaning_zh="他家加杠之牌胡牌。",
        ruling="HK-11",
        when=lambda o: o.robbed,
    ),
    Pattern(
        id="replacement",
        name="Replacement Tile",
        name_zh="杠上开花",
        value=1,
        count=count_once,
        table="fan",
        meaning="The winning tile was drawn from the dead wall, after a kong or a flower.",
        meaning_zh="开杠或补花后，以补牌自摸。",
        ruling="HK-31",
        situation="replacement",
    ),
    Pattern(
        id="concealed_hand",
        name="Concealed Hand",
        name_zh="门前清",
        value=1,
        count=at_setting("concealed_hand", 1),
        table="fan",
        meaning="By a house rule: nothing was claimed.",
        meaning_zh="按本桌的选项：未吃、碰、明杠。",
        ruling="HK-32",
        when=lambda o: o.closed,
    ),
)
FLOWERS = (
    Pattern(
        id="own_flower",
        name="Own Flower or Season",
        name_zh="正花",
        value=1,
        count=own_flowers,
        table="flowers",
        meaning="The flower and the season of the player's seat, each, unless its set of four is complete.",
        meaning_zh="自家座位的花牌，每张；该组四花齐全时不计。",
        ruling="HK-13",
        when=lambda o: o.flowers > 0,
    ),
    Pattern(
        id="flower_set",
        name="All Flowers or Seasons",
        name_zh="一台花",
        value=2,
        count=flower_sets,
        table="flowers",
        meaning="All four flowers, and all four seasons, each.",
        meaning_zh="梅兰菊竹齐全，春夏秋冬齐全，每组。",
        ruling="HK-13",
        when=lambda o: o.flowers >= 4,
    ),
    Pattern(
        id="eight_flowers",
        name="All Flowers and Seasons",
        name_zh="大花",
        value=8,
        count=eight_flowers,
        table="flowers",
        meaning="All eight flowers and seasons, where the house counts 8 fan for them.",
        meaning_zh="本桌八张花牌齐全计8番时的大花。",
        ruling="HK-13",
        when=lambda o: o.flowers == 8,
    ),
    Pattern(
        id="no_flowers",
        name="No Flowers",
        name_zh="无花",
        value=1,
        count=no_flowers,
        table="flowers",
        meaning="Flowers are in play, and the player has none.",
        meaning_zh="使用花牌而无花。",
        ruling="HK-14",
        when=lambda o: not o.flowers,
    ),
)
PAYOUT = Pattern(
    id="payout",
    name="Payout",
    name_zh="番数折算",
    value=1,
    count=lambda win, _: int(win.options["payout"] != "linear"),
    table="payout",
    meaning="By a house rule: the units that the fan, within the fan limit, bring beyond one each.",
    meaning_zh="按本桌的选项：番数（不超过封顶番数）折算后超出每番一分的部分。",
    ruling="HK-09",
)
PAYS_FOR_ALL = ComputedRow(
    id="pays_for_all",
    name="Pays for All",
    name_zh="包付三家",
    value=1,
    meaning="One player pays what all three would pay; the value is how many times the hand's that comes to.",
    meaning_zh="一人付清三家应付的份；数值为合计是番数的几倍。",
    ruling="HK-11",
)
PAYERS = (
    PayerPattern(
        id="discarder_double",
        name="Discarder Pays Double",
        name_zh="出铳付双倍",
        value=2,
        count=pay_once,
        meaning="The player who discarded the winning tile, or whose kong was robbed, pays double.",
        meaning_zh="打出胡牌之牌者或被抢杠者付双倍。",
        ruling="HK-11",
        when=lambda o: o.discarded,
    ),
    PayerPattern(
        id="self_draw_double",
        name="Self-Draw Pays Double",
        name_zh="自摸付双倍",
        value=2,
        count=pay_once,
        meaning="On a self-drawn win each of the three pays double.",
        meaning_zh="自摸时三家各付双倍。",
        ruling="HK-11",
        when=lambda o: o.self_drawn,
    ),
    PayerPattern(
        id="east_payment",
        name="East Pays Double",
        name_zh="庄家双倍",
        value=2,
        count=lambda win, _: int(win.on("east_double")),
        meaning="By a house rule: East pays and receives double.",
        meaning_zh="按本桌的选项：庄家输赢双倍。",
        ruling="HK-36",
        when=lambda o: o.by_dealer or o.of_dealer,
    ),
)
