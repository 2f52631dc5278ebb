"""Hong Kong (香港): 144 tiles; fan (番) are added up, or a special hand is worth the limit in their place.

The limit is 64 units, or what the fan limit pays where one is set (HK-09). What one pays is the hand's
value, doubled for the discarder, for each on a self-draw (HK-11). The tables that turn fan into units are
those of yawnoc/mahjong-scorer and bigproduction.com/mj/hk/points.html.

Fan that tables count in place of the limit: Small Winds 6 and Hidden Treasure 8 by
en.wikipedia.org/wiki/Hong_Kong_mahjong_scoring_rules, Small Winds 10 by GamblingKings/GamblingKingsFrontEnd
and tthiatma/MahjongBuddy-React. The ready-made tables go by the first, whose other fan they count too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from msgspec.structs import replace as changed

from companion.rules.building_blocks import (
    BY_THE_DEALER,
    NO_FLOWERS_WITHOUT,
    NO_MELDS,
    ON_THE_DEALERS_DISCARD,
    SELF_DRAWN,
    WITH_A_KONG_OR_FLOWER,
    add_rows,
    all_others,
    at_setting,
    count_flower_sets,
    count_once,
    count_own_flowers,
    count_pungs_of,
    has_pair_of,
    loser_or_all_others,
    pay_once,
)
from companion.rules.hand import DRAGONS, WINDS
from companion.rules.options import COMMON, Option, switch
from companion.rules.play import (
    COMMON_PLAY,
    REPLACED,
    ROB_FOR_ORPHANS,
    Flowers,
    Play,
    Policy,
    Replacements,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.rule_set import (
    ANY_MELDS,
    TIMES,
    Bearers,
    ComputedRow,
    Pattern,
    PayerPattern,
    RuleSet,
    ScoreLine,
    Situation,
)
from companion.rules.shapes import ORPHANS, seven_pairs, standard, thirteen_orphans
from companion.rules.win import HandReading, Options, Reason, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136, SET_144, Suit, Tile

VERSION = 3
"""Version of the options since the payment tables."""

OPTIONS = (
    Option(
        key="payout",
        default="linear",
        values=("linear", "exponential", "table", "half_doubling"),
        meaning=(
            "Payment table: one unit per fan; 2 to the power of the fan (full doubling, 全辣); by the"
            " traditional table 1, 2, 4, 8 units for 0 to 3 fan, 16 for 4 to 6, 32 for 7 to 9, 64 from 10"
            " on; or half-doubling (半辣上), which doubles up to 16 at 4 fan and pays 24, 32, 48, 64, 96,"
            " 128, 192, 256, 384 for 5 to 13. At most 64, or what the fan limit pays. The units are a single"
            " share: the discarder, and everyone on a self-draw, pays two."
        ),
        meaning_zh="番数折算：每番一分；或按2的番数次方（全辣）；或按传统番表，0至3番为1、2、4、8分，4至6番16分，"
        "7至9番32分，10番起64分；或半辣上，4番16分以下逐番加倍，5至13番为24、32、48、64、96、128、192、256、384分。"
        "封顶64分，或封顶番数所值。此为单份：出铳者与自摸时的各家付双份。",
        ruling="HK-09",
    ),
    Option(
        key="fan_limit",
        default=0,
        values=(0, 8, 10, 13),
        meaning=(
            "Fan limit, 0 for none; more fan count as the limit, and so do special hands, one or several."
            " Without a limit a special hand is worth 64 units."
        ),
        meaning_zh="封顶（爆棚）番数：超过的番不计，特殊牌型即计此番数，多项亦不累加；0即不设封顶番数，"
        "特殊牌型计64分。",
        ruling="HK-09",
        since=VERSION,
    ),
    Option(
        key="min_fan",
        default=1,
        values=(1, 0, 2, 3, 4, 5),
        meaning="Minimum fan to win.",
        meaning_zh="起胡番数。",
        ruling="HK-10",
    ),
    switch(
        key="bonus_not_in_minimum",
        ruling="HK-10",
        meaning=(
            "The rows for flowers and seasons, No Flowers among them, do not count towards the minimum fan."
        ),
        meaning_zh="花牌番（含无花）不计入起胡番数。",
    ),
    Option(
        key="seven_pairs",
        default=4,
        values=(4, 16),
        meaning="What seven pairs are worth, in fan.",
        meaning_zh="七对的番数。",
        ruling="HK-08",
    ),
    switch(
        key="flowers",
        ruling="HK-02",
        meaning=(
            "Flowers and seasons are in play; without them their rows, No Flowers among them, are not given."
        ),
        meaning_zh="使用花牌；不用花牌时，花牌各番（含无花）均不计。",
        default=True,
    ),
    switch(
        key="flower_set_add",
        ruling="HK-13",
        meaning="The own flower also scores 1 fan in a complete set, in addition to the set's 2.",
        meaning_zh="一台花之外，其中的正花另计1番。",
    ),
    Option(
        key="eight_flowers",
        default=4,
        values=(4, 8),
        meaning="What all eight flowers and seasons are worth, in fan: two sets of 2, or 8 in their place.",
        meaning_zh="八张花牌齐全的番数：两台花各2番，或合计8番（大花）。",
        ruling="HK-13",
        since=VERSION,
    ),
    Option(
        key="small_dragons",
        default=4,
        values=(4, 5, 6),
        meaning="What Small Dragons are worth, in fan.",
        meaning_zh="小三元的番数。",
        ruling="HK-12",
        since=VERSION,
    ),
    switch(
        key="small_dragons_add",
        ruling="HK-12",
        meaning="The two dragon pungs in Small Dragons also score 1 fan each: 6 in all with its 4.",
        meaning_zh="小三元的两副箭刻另计，各1番；小三元计4番时合共6番。",
    ),
    Option(
        key="three_scholars",
        default=64,
        values=(64, 8),
        meaning="What Three Scholars are worth: 64 units or the fan limit, as a special hand; or 8 fan beside"
        " other rows, without 1 for each pung of dragons.",
        meaning_zh="大三元的番数：作特殊牌型，计64分或封顶番数；或计8番，可与其他番相加，箭刻不另计。",
        ruling="HK-09",
        since=VERSION,
    ),
    Option(
        key="small_winds",
        default=64,
        values=(64, 6, 10),
        meaning="What three pungs of winds and a pair of the fourth are worth: 64 units or the fan limit, as"
        " a special hand; or 6 or 10 fan beside other rows, without the fan for pungs of winds.",
        meaning_zh="小四喜的番数：作特殊牌型，计64分或封顶番数；或计6番或10番，可与其他番相加，门风、圈风不另计。",
        ruling="HK-19",
        since=4,
    ),
    Option(
        key="hidden_treasure",
        default=64,
        values=(64, 8),
        meaning="What Hidden Treasure is worth: 64 units or the fan limit, as a special hand; or 8 fan beside"
        " other rows, without the fan for Full Pung.",
        meaning_zh="四暗刻（坎坎胡）的番数：作特殊牌型，计64分或封顶番数；或计8番，可与其他番相加，对对胡不另计。",
        ruling="HK-20",
        since=4,
    ),
    Option(
        key="one_suit",
        default=6,
        values=(6, 7),
        meaning="What a hand of one suit without honours is worth, in fan.",
        meaning_zh="清一色的番数。",
        ruling="HK-15",
        since=VERSION,
    ),
    switch(
        key="chow_no_honor_pair",
        ruling="HK-17",
        meaning="Full Chow needs a pair of suit tiles, not of honours.",
        meaning_zh="平胡的将牌不可为字牌。",
    ),
    Option(
        key="concealed_hand",
        default=0,
        values=(0, 1),
        meaning="Fan for a concealed hand; concealed kongs keep it concealed.",
        meaning_zh="门前清（未吃碰明杠，暗杠不限）的番数。",
        ruling="HK-32",
    ),
    switch(
        key="treasure_self_draw",
        ruling="HK-20",
        meaning="Hidden Treasure needs a self-drawn win.",
        meaning_zh="四暗刻须自摸。",
    ),
    switch(
        key="terminals_any_pair",
        ruling="HK-21",
        meaning="The pair of All Terminals may be of any tile, where the four pungs are of ones and nines.",
        meaning_zh="清幺九的将牌可为任何牌，四副刻子仍须为一九牌。",
    ),
    switch(
        key="nine_gates_pure_wait",
        ruling="HK-22",
        meaning="Nine Gates needs 1112345678999 before the winning tile, so that any tile of the suit wins.",
        meaning_zh="九莲宝灯须以1112345678999听同门九张（纯正九莲）。",
    ),
    switch(
        key="dragon_pair_any",
        ruling="HK-24",
        meaning="The pair of Jade, Ruby and Pearl Dragon may be of any tile.",
        meaning_zh="翡翠龙、红宝石龙、珍珠龙的将牌可为任何牌。",
    ),
    switch(
        key="specials_stack",
        ruling="HK-09",
        meaning="Special hands add to each other, 64 each, where no fan limit is set.",
        meaning_zh="不设封顶番数时，特殊牌型可以累加，每项64分。",
    ),
    Option(
        key="discard_payment",
        default="all_pay",
        values=("all_pay", "discarder_pays"),
        meaning="Who pays for a discard where nobody pays for all three: the discarder double and the other"
        " two once (half gun, 半铳); or the discarder alone, double.",
        meaning_zh="无人包付三家时，出铳由谁付：出铳者付双份，其他两家付单份（半铳）；或只由出铳者付双份。",
        ruling="HK-11",
        since=VERSION,
    ),
    switch(
        key="discarder_pays_all",
        ruling="HK-11",
        meaning=(
            "Full gun (全铳): the discarder, or the player whose kong is robbed, pays for all three, four"
            " times the hand's value in all."
        ),
        meaning_zh="全铳：出铳者（含被抢杠者）包付三家，合共四倍。",
    ),
    switch(
        key="rob_pays_all",
        ruling="HK-11",
        meaning=("The player whose kong is robbed pays for all three, four times the hand's value in all."),
        meaning_zh="被抢杠者包付三家，合共四倍。",
    ),
    switch(
        key="east_double",
        ruling="HK-36",
        meaning="East pays and receives double.",
        meaning_zh="庄家输赢双倍。",
    ),
    *COMMON,
)


MOVING_DEAD_WALL = switch(
    key="moving_dead_wall",
    ruling="HK-04",
    meaning="The dead wall is kept at 14 tiles: for each tile taken from it one of the live wall joins it.",
    meaning_zh="王牌始终保持14张：每取走一张，由活牌墙尾补入一张。",
)

WALL = WallRule(
    tile_set=SET_144,
    break_after=14,  # HK-03
    dead=14,
    replacements=Replacements.DEAD_WALL,
    ruling="HK-04",
    options=(MOVING_DEAD_WALL,),
    variations={
        (MOVING_DEAD_WALL.key, True): {"replacements": Replacements.MOVING_DEAD_WALL},
        ("flowers", False): {"tile_set": SET_136},
    },
)

DEALER = Option(
    key="dealer",
    default="winner",
    values=("winner", "rotate"),
    meaning="Who deals next: the winner, and East again after a draw; or East again after an own win"
    " or a draw, else"
    " the next player.",
    meaning_zh="坐庄：胡牌者为下一局的庄家（流局庄家连庄），或庄家胡牌、流局连庄，否则下家坐庄。",
    ruling="HK-06",
)


def policy(options: Options) -> Policy:
    """Flowers (HK-34); what a win let go costs (HK-28). Replacements come from the dead wall (HK-04), and so
    no replacement ends that."""
    usual = make_usual_policy(options)
    missed_win = replace(usual.missed_win, live_draws_only=True, ruling="HK-28")
    return replace(usual, missed_win=missed_win, flowers=Flowers(ruling="HK-34"))


PLAY = Play(
    wall=WALL,
    options=(
        *COMMON_PLAY,
        missed_win_option("same_tile_until_next_draw", "HK-28", "draw from the live wall"),
        ROB_FOR_ORPHANS,
        DEALER,
    ),
    rotation=lambda options: Rotation(on_draw=True, to_winner=options[DEALER.key] == "winner"),
    situations={
        **REPLACED,
        "last_tile": lambda moment: moment.last_tile,
        "heavenly": lambda moment: moment.dealt,
        "earthly": lambda moment: moment.first_discard,
    },
    policy=policy,
    deal_ruling="HK-06",
    window_ruling="HK-37",
    void_ruling="HK-30",
)


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
    """The same row with the fan that the house counts for it, set by the option of the row's name."""
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


def hidden_treasure(win: Win, reading: HandReading) -> int:
    return _has_treasure(win, LIMIT)


def hidden_treasure_8(win: Win, reading: HandReading) -> int:
    return _has_treasure(win, 8)


def _has_treasure(win: Win, worth: int) -> int:
    """Whether four concealed pungs are Hidden Treasure, and the table counts that much for it."""
    drawn = win.self_drawn or not win.on("treasure_self_draw")
    return int(drawn and win.number("hidden_treasure") == worth)


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
        most=2,
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
        id="small_dragons_6",
        name="Small Dragons (6 fan)",
        name_zh="小三元（6番）",
        value=6,
        count=lambda win, _: int(win.number("small_dragons") == 6),
        table="fan",
        meaning="Small Dragons, where the house counts 6 fan for them.",
        meaning_zh="本桌小三元计6番时的小三元。",
        ruling="HK-12",
        shape="standard",
        when=lambda o: o.dragon_pungs == 2 and o.dragon_pairs == 1,
    ),
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
        id="small_winds_6",
        name="Small Winds (6 fan)",
        name_zh="小四喜（6番）",
        value=6,
        count=lambda win, _: int(win.number("small_winds") == 6),
        table="fan",
        meaning="Pungs or kongs of three winds and a pair of the fourth, where the house counts 6 fan for"
        " them.",
        meaning_zh="本桌小四喜计6番时的小四喜，门风、圈风不另计。",
        ruling="HK-19",
        replaces=("seat_wind", "round_wind"),
        shape="standard",
        when=lambda o: o.wind_pungs == 3 and o.wind_pairs == 1,
    ),
    Pattern(
        id="small_winds_10",
        name="Small Winds (10 fan)",
        name_zh="小四喜（10番）",
        value=10,
        count=lambda win, _: int(win.number("small_winds") == 10),
        table="fan",
        meaning="Pungs or kongs of three winds and a pair of the fourth, where the house counts 10 fan for"
        " them.",
        meaning_zh="本桌小四喜计10番时的小四喜，门风、圈风不另计。",
        ruling="HK-19",
        replaces=("seat_wind", "round_wind"),
        shape="standard",
        when=lambda o: o.wind_pungs == 3 and o.wind_pairs == 1,
    ),
    Pattern(
        id="hidden_treasure_8",
        name="Hidden Treasure (8 fan)",
        name_zh="四暗刻（8番）",
        value=8,
        count=hidden_treasure_8,
        table="fan",
        meaning="Four concealed pungs or kongs, where the house counts 8 fan for them.",
        meaning_zh="本桌四暗刻计8番时的四暗刻，对对胡不另计。",
        ruling="HK-20",
        replaces=("full_pung",),
        shape="standard",
        when=lambda o: o.concealed_pungs == 4,
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
        most=2,
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
        most=2,
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


LIMIT = 64
"""Value of a special hand, and the maximum value of any hand without a fan limit (HK-09)."""
GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
TERMINALS = tuple(tile for tile in ORPHANS if tile.suit is not Suit.HONORS)
_ENDS = frozenset(tile.index for tile in TERMINALS)


def four_winds(win: Win, reading: HandReading) -> int:
    return int(count_pungs_of(reading, WINDS) == 4 or win.number("small_winds") == LIMIT)


def all_terminals(win: Win, reading: HandReading) -> int:
    if sum([g.tile.index in _ENDS for g in reading.pungs]) == 4 and win.on("terminals_any_pair"):
        return 1
    total = win.hand.total
    return int(total[0] + total[8] + total[9] + total[17] + total[18] + total[26] == sum(win.sizes))


def nine_gates(win: Win, reading: HandReading) -> int:
    if 14 not in win.hand.sizes[:3]:
        return 0
    suit = win.hand.sizes.index(14)
    if any(have < needed for have, needed in zip(win.hand.suits[suit], GATES, strict=True)):
        return 0
    pure = win.before is not None and win.before.suits[suit] == GATES
    return int(pure or not win.on("nine_gates_pure_wait"))


def dragon_suit(suit: Suit, dragon: Tile) -> Callable[[Win, HandReading], int]:
    """Three pungs of the suit, one of its dragon, and the pair of the suit (HK-24)."""

    def count(win: Win, reading: HandReading) -> int:
        of_suit = sum([g.tile.suit is suit for g in reading.pungs])
        paired = win.on("dragon_pair_any") or reading.pairs[0].tile.suit is suit
        return int(of_suit == 3 and count_pungs_of(reading, (dragon,)) and paired)

    return count


SPECIAL = (
    Pattern(
        id="four_winds",
        name="Four Winds",
        name_zh="大小四喜",
        value=LIMIT,
        count=four_winds,
        table="special",
        meaning="Pungs or kongs of three winds and a pair of the fourth, or of all four winds.",
        meaning_zh="三副风牌的刻子或杠，第四种风牌作将；或四副风牌的刻子或杠。",
        ruling="HK-19",
        shape="standard",
        when=lambda o: o.wind_pungs + o.wind_pairs == 4,
    ),
    Pattern(
        id="three_scholars",
        name="Three Scholars",
        name_zh="大三元",
        value=LIMIT,
        count=at_setting("three_scholars", LIMIT),
        table="special",
        meaning="Pungs or kongs of all three dragons.",
        meaning_zh="中、发、白三副刻子或杠。",
        ruling="HK-09",
        shape="standard",
        when=lambda o: o.dragon_pungs == 3,
    ),
    Pattern(
        id="hidden_treasure",
        name="Hidden Treasure",
        name_zh="四暗刻",
        value=LIMIT,
        count=hidden_treasure,
        table="special",
        meaning="Four concealed pungs or kongs, none of them completed by a discard.",
        meaning_zh="四副暗刻或暗杠，均非以他家之牌凑成。",
        ruling="HK-20",
        shape="standard",
        when=lambda o: o.concealed_pungs == 4,
    ),
    Pattern(
        id="all_honors",
        name="All Honours",
        name_zh="字一色",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Honours only, seven pairs of them too.",
        meaning_zh="全为字牌，七对亦可。",
        ruling="HK-09",
        when=lambda o: not o.suits,
    ),
    Pattern(
        id="all_terminals",
        name="All Terminals",
        name_zh="清幺九",
        value=LIMIT,
        count=all_terminals,
        table="special",
        meaning="Ones and nines only, seven pairs of them too.",
        meaning_zh="全为一、九牌，七对亦可。",
        ruling="HK-21",
        when=lambda o: not o.sequences,
    ),
    Pattern(
        id="nine_gates",
        name="Nine Gates",
        name_zh="九莲宝灯",
        value=LIMIT,
        count=nine_gates,
        table="special",
        meaning="1112345678999 and any other tile of one suit, without melds.",
        meaning_zh="同门1112345678999加同门任一张，无副露。",
        ruling="HK-22",
        shape="standard",
        when=lambda o: o.suits == 1 and not o.honors,
    ),
    Pattern(
        id="thirteen_orphans",
        name="Thirteen Orphans",
        name_zh="十三幺",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="One each of the ones, nines and honours, and one of them twice.",
        meaning_zh="十三种幺九字牌各一张，其中一种成对。",
        ruling="HK-23",
        shape="thirteen_orphans",
    ),
    Pattern(
        id="all_kongs",
        name="All Kongs",
        name_zh="十八罗汉",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Four kongs of any kind and a pair.",
        meaning_zh="四副杠（明暗均可）加一对将。",
        ruling="HK-25",
        shape="standard",
        when=lambda o: o.kongs == 4,
    ),
    Pattern(
        id="jade_dragon",
        name="Jade Dragon",
        name_zh="翡翠龙",
        value=LIMIT,
        count=dragon_suit(Suit.BAMBOO, DRAGONS[1]),
        table="special",
        meaning="Three pungs or kongs of bamboo, one of the green dragon, and a pair of bamboo.",
        meaning_zh="三副索子刻子或杠、一副发财刻子或杠，索子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="ruby_dragon",
        name="Ruby Dragon",
        name_zh="红宝石龙",
        value=LIMIT,
        count=dragon_suit(Suit.CHARACTERS, DRAGONS[2]),
        table="special",
        meaning="Three pungs or kongs of characters, one of the red dragon, and a pair of characters.",
        meaning_zh="三副万子刻子或杠、一副红中刻子或杠，万子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="pearl_dragon",
        name="Pearl Dragon",
        name_zh="珍珠龙",
        value=LIMIT,
        count=dragon_suit(Suit.DOTS, DRAGONS[0]),
        table="special",
        meaning="Three pungs or kongs of dots, one of the white dragon, and a pair of dots.",
        meaning_zh="三副筒子刻子或杠、一副白板刻子或杠，筒子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="heavenly_hand",
        name="Heavenly Hand",
        name_zh="天胡",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="East wins with the dealt tiles.",
        meaning_zh="庄家起手即胡。",
        ruling="HK-26",
        situation="heavenly",
    ),
    Pattern(
        id="earthly_hand",
        name="Earthly Hand",
        name_zh="地胡",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Another player wins on East's first discard.",
        meaning_zh="闲家胡庄家打出的第一张牌。",
        ruling="HK-26",
        situation="earthly",
    ),
)


NO_SHAPE = "These tiles make neither four sets and a pair, nor seven pairs, nor thirteen orphans."
TOO_FEW_FAN = "The hand is worth {found} fan, and a win takes {needed} at least."
TOO_FEW_WITHOUT_FLOWERS = (
    "Without its flowers the hand is worth {found} fan, and a win takes {needed} at least."
)

SPECIAL_IDS = frozenset(row.id for row in SPECIAL)
FLOWER_IDS = frozenset(row.id for row in FLOWERS)
TRADITIONAL = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64)
"""The units that 0, 1, 2 … fan pay by the traditional table, the last for all beyond (HK-09)."""
LEAST_FAN_LIMIT = 8
"""The lowest fan limit; no hand of this many fan or units, or fewer, exceeds a limit."""
HALF_FROM = 4
"""Half-doubling (半辣上) doubles the units with each fan up to this many, then with every second."""


def units(fan: int, payout: object) -> int:
    """What `fan` fan are worth, in units, without a limit.

    Half-doubling rises by half in between: 16, 24, 32, 48, 64 for 4 to 8 fan.
    """
    if payout == "linear":
        return fan
    if payout == "table":
        return TRADITIONAL[min(fan, len(TRADITIONAL) - 1)]
    if payout == "half_doubling" and fan > HALF_FROM:
        doublings, between = divmod(fan - HALF_FROM, 2)
        return (2 + between) << (HALF_FROM - 1 + doublings)
    return 1 << fan


def within_limit(win: Win, paid: int) -> int:
    """No more than a hand pays: what the fan limit does, where one is set (HK-09)."""
    if paid <= LEAST_FAN_LIMIT:
        return paid
    fan_limit = win.number("fan_limit")
    return min(paid, units(fan_limit, win.options["payout"]) if fan_limit else LIMIT)


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """The special hands alone, or else the fan; and what these are worth in units (HK-09)."""
    special = tuple([line for line in lines if line.id in SPECIAL_IDS])
    if special and not win.number("fan_limit"):
        return special
    if special:
        conversion = tuple([line for line in lines if line.id == PAYOUT.id])
        lines = *[changed(line, value=win.number("fan_limit")) for line in special], *conversion
    payout = win.options["payout"]
    if payout == "linear":
        return lines
    fan = sum([line.value for line in lines if line.id != PAYOUT.id])
    if fan > LEAST_FAN_LIMIT:
        fan = min(fan, win.number("fan_limit") or fan)
    added = within_limit(win, units(fan, payout)) - fan
    return tuple([changed(x, value=added) if x.id == PAYOUT.id else x for x in lines])


def worth(win: Win, joined: int) -> int:
    """Within the limit; special hands add up under specials_stack without a fan limit (HK-09)."""
    paid = within_limit(win, joined)
    stacks = paid < joined and not win.number("fan_limit") and win.on("specials_stack")
    return joined if stacks else paid


def require_fan(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    """The reason where the fan do not reach what the table asks for (HK-10)."""
    needed = win.number("min_fan")
    of_flowers = sum([line.value for line in lines if line.id in FLOWER_IDS])
    found = sum([line.value for line in lines if line.id != PAYOUT.id]) - of_flowers
    if found >= needed:
        return None
    without_flowers = win.on("bonus_not_in_minimum")
    found += 0 if without_flowers else of_flowers
    if found >= needed:
        return None
    template = TOO_FEW_WITHOUT_FLOWERS if without_flowers else TOO_FEW_FAN
    return Reason(Sentence(template, {"found": found, "needed": needed}), "HK-10")


def payers(win: Win) -> tuple[int, ...]:
    """The players who owe a share, even if another one pays it."""
    alone = not win.self_drawn and bearers(win) is None and win.options["discard_payment"] == "discarder_pays"
    return (loser_or_all_others if alone else all_others)(win)


def bearers(win: Win) -> Bearers | None:
    """The discarder, or the player whose kong was robbed, if the house has them pay for all three (HK-11)."""
    discarder = win.request.discarder
    if discarder is None or not (win.on("discarder_pays_all") or (win.robbed and win.on("rob_pays_all"))):
        return None
    return Bearers((discarder,), PAYS_FOR_ALL)


SITUATIONS = (
    Situation(
        id="last_tile",
        label="Last tile",
        label_zh="海底",
        name="win on the last tile of the live wall, or on the last discard",
        name_zh="海底捞月或河底捞鱼（最后一张）",
        excludes=("replacement", "heavenly", "earthly"),
    ),
    Situation(
        id="replacement",
        label="Replacement",
        label_zh="补牌",
        name="win on the tile drawn after a kong or a flower",
        name_zh="杠上开花或补花自摸",
        needs=(SELF_DRAWN, WITH_A_KONG_OR_FLOWER),
        excludes=("heavenly", "earthly"),
    ),
    Situation(
        id="heavenly",
        label="Heavenly",
        label_zh="天胡",
        name="East's win with the dealt tiles",
        name_zh="天胡",
        needs=(SELF_DRAWN, BY_THE_DEALER, NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="win on East's first discard",
        name_zh="地胡",
        needs=(ON_THE_DEALERS_DISCARD, NO_MELDS),
    ),
)

HONG_KONG = RuleSet(
    name="hong_kong",
    title="Hong Kong",
    title_zh="香港麻将",
    source=msgid("The rules of a general guide to Hong Kong mahjong."),
    tile_set=SET_144,
    hand_size=13,
    unit="fan",
    uses=frozenset({"flowers", "round_wind"}),
    meld_kinds=ANY_MELDS,
    options=OPTIONS,
    key_options=("payout", "min_fan"),
    situations=SITUATIONS,
    demands=(NO_FLOWERS_WITHOUT,),
    shapes=(standard("four sets and a pair", "四副牌加一对将"), seven_pairs(), thirteen_orphans()),
    no_shape=Reason(Sentence(NO_SHAPE), "HK-07"),
    restrict=require_fan,
    patterns=(*FAN, *FLOWERS, *SPECIAL, PAYOUT),
    sign=add_rows,
    combine=combine,
    worth=worth,
    payers=payers,
    payer_patterns=PAYERS,
    payer_sign=TIMES,
    bearer_rows=(PAYS_FOR_ALL,),
    bearers=bearers,
    play=PLAY,
    sentences=(NO_SHAPE, TOO_FEW_FAN, TOO_FEW_WITHOUT_FLOWERS),
)
