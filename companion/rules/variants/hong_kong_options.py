"""The house options of Hong Kong: what its rulings leave to the table. The default comes first.

Fan that tables count in place of the limit: Small Winds 6 and Hidden Treasure 8 by
en.wikipedia.org/wiki/Hong_Kong_mahjong_scoring_rules, Small Winds 10 by GamblingKings/GamblingKingsFrontEnd
and tthiatma/MahjongBuddy-React. The ready-made tables go by the first, whose other fan they count too.
"""

from companion.rules.options import COMMON, Option, switch

VERSION = 3
"""Of the options that came with the payment tables."""

OPTIONS = (
    Option(
        key="payout",
        default="linear",
        values=("linear", "exponential", "table", "half_doubling"),
        meaning="What a hand's fan pay: one unit each; 2 to the power of the fan (full doubling, 全辣); by"
        " the traditional table 1, 2, 4, 8 units for 0 to 3 fan, 16 for 4 to 6, 32 for 7 to 9, 64 from 10 on;"
        " or half-doubling (半辣上), which doubles up to 16 at 4 fan and pays 24, 32, 48, 64, 96, 128, 192,"
        " 256, 384 for 5 to 13. At most 64, or what the fan limit pays. The units are a single share: the"
        " discarder, and everyone on a self-draw, pays two.",
        meaning_zh="番数折算：每番一分；或按2的番数次方（全辣）；或按传统番表，0至3番为1、2、4、8分，4至6番16分，"
        "7至9番32分，10番起64分；或半辣上，4番16分以下逐番加倍，5至13番为24、32、48、64、96、128、192、256、384分。"
        "封顶64分，或封顶番数所值。此为单份：出铳者与自摸时的各家付双份。",
        ruling="HK-09",
    ),
    Option(
        key="fan_limit",
        default=0,
        values=(0, 8, 10, 13),
        meaning="The most fan that count; special hands are worth as many, and several of them no more. Where"
        " it is 0, no limit is set, and a special hand is worth 64 units.",
        meaning_zh="封顶（爆棚）番数：超过的番不计，特殊牌型即计此番数，多项亦不累加；0即不设封顶番数，"
        "特殊牌型计64分。",
        ruling="HK-09",
        since=VERSION,
    ),
    Option(
        key="min_fan",
        default=1,
        values=(1, 0, 2, 3, 4, 5),
        meaning="The least fan with which a hand wins.",
        meaning_zh="起胡番数。",
        ruling="HK-10",
    ),
    switch(
        key="bonus_not_in_minimum",
        ruling="HK-10",
        meaning=(
            "The rows for flowers and seasons, No Flowers among them, do not count towards the least fan."
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
        meaning="The seat's own flower scores 1 fan in a complete set too, beside the set's 2.",
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
        meaning="The two dragon pungs of Small Dragons score 1 fan each beside it, with its 4 fan 6 in all.",
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
        meaning="What a hand of which nothing was claimed is worth, in fan; concealed kongs do not open it.",
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
        meaning="Full gun (全铳), where the discarder, or whose kong is robbed, alone pays what all three"
        " would pay, in all four times the hand's value.",
        meaning_zh="全铳：出铳者（含被抢杠者）包付三家，合共四倍。",
    ),
    switch(
        key="rob_pays_all",
        ruling="HK-11",
        meaning=(
            "Whose kong is robbed alone pays what all three would pay, in all four times the hand's value."
        ),
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
