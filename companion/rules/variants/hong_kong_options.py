"""The house options of Hong Kong: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

OPTIONS = (
    Option(
        key="payout",
        default="linear",
        values=("linear", "exponential", "table"),
        meaning="What a hand's fan pay: one unit each; 2 to the power of the fan, at most 64; or by the"
        " traditional"
        " table: 1, 2, 4, 8 units for 0 to 3 fan, 16 for 4 to 6, 32 for 7 to 9, 64 from 10 on.",
        meaning_zh="番数折算：每番一分；或按2的番数次方，封顶64分；或按传统番表：0至3番为1、2、4、8分，"
        "4至6番16分，7至9番32分，10番起64分。",
        ruling="HK-09",
    ),
    Option(
        key="min_fan",
        default=1,
        values=(1, 0, 3),
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
    switch(
        key="small_dragons_add",
        ruling="HK-12",
        meaning="The two dragon pungs of Small Dragons score 1 fan each beside it, 6 in all.",
        meaning_zh="小三元的两副箭刻另计，各1番，合共6番。",
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
        meaning="Special hands add to each other, 64 each.",
        meaning_zh="特殊牌型可以累加，每项64分。",
    ),
    switch(
        key="discarder_pays_all",
        ruling="HK-11",
        meaning="The discarder, or whose kong is robbed, alone pays what all three would pay, in all four"
        " times the"
        " hand's value.",
        meaning_zh="出铳者（含被抢杠者）包付三家，合共四倍。",
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
