"""The house options of Hong Kong: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

OPTIONS = (
    Option(
        "payout", "linear", ("linear", "exponential", "table"),
        "What a hand's fan pay: one unit each; 2 to the power of the fan, at most 64; or by the traditional"
        " table: 1, 2, 4, 8 units for 0 to 3 fan, 16 for 4 to 6, 32 for 7 to 9, 64 from 10 on.",
        "番数折算：每番一分；或按2的番数次方，封顶64分；或按传统番表：0至3番为1、2、4、8分，"
        "4至6番16分，7至9番32分，10番起64分。", "HK-09",
    ),
    Option(
        "min_fan", 1, (1, 0, 3), "The least fan with which a hand wins.", "起胡番数。", "HK-10",
    ),
    switch(
        "bonus_not_in_minimum", "HK-10",
        "The rows for flowers and seasons, No Flowers among them, do not count towards the least fan.",
        "花牌番（含无花）不计入起胡番数。",
    ),
    Option(
        "seven_pairs", 4, (4, 16), "What seven pairs are worth, in fan.", "七对的番数。", "HK-08",
    ),
    switch(
        "flowers", "HK-02",
        "Flowers and seasons are in play; without them their rows, No Flowers among them, are not given.",
        "使用花牌；不用花牌时，花牌各番（含无花）均不计。", default=True,
    ),
    switch(
        "flower_set_add", "HK-13",
        "The seat's own flower scores 1 fan in a complete set too, beside the set's 2.",
        "一台花之外，其中的正花另计1番。",
    ),
    switch(
        "small_dragons_add", "HK-12",
        "The two dragon pungs of Small Dragons score 1 fan each beside it, 6 in all.",
        "小三元的两副箭刻另计，各1番，合共6番。",
    ),
    switch(
        "chow_no_honor_pair", "HK-17", "Full Chow needs a pair of suit tiles, not of honours.",
        "平胡的将牌不可为字牌。",
    ),
    Option(
        "concealed_hand", 0, (0, 1),
        "What a hand of which nothing was claimed is worth, in fan; concealed kongs do not open it.",
        "门前清（未吃碰明杠，暗杠不限）的番数。", "HK-32",
    ),
    switch(
        "treasure_self_draw", "HK-20", "Hidden Treasure needs a self-drawn win.", "四暗刻须自摸。",
    ),
    switch(
        "terminals_any_pair", "HK-21",
        "The pair of All Terminals may be of any tile, where the four pungs are of ones and nines.",
        "清幺九的将牌可为任何牌，四副刻子仍须为一九牌。",
    ),
    switch(
        "nine_gates_pure_wait", "HK-22",
        "Nine Gates needs 1112345678999 before the winning tile, so that any tile of the suit wins.",
        "九莲宝灯须以1112345678999听同门九张（纯正九莲）。",
    ),
    switch(
        "dragon_pair_any", "HK-24", "The pair of Jade, Ruby and Pearl Dragon may be of any tile.",
        "翡翠龙、红宝石龙、珍珠龙的将牌可为任何牌。",
    ),
    switch(
        "specials_stack", "HK-09", "Special hands add to each other, 64 each.",
        "特殊牌型可以累加，每项64分。",
    ),
    switch(
        "discarder_pays_all", "HK-11",
        "The discarder, or whose kong is robbed, alone pays what all three would pay, in all four times the"
        " hand's value.",
        "出铳者（含被抢杠者）包付三家，合共四倍。",
    ),
    switch(
        "rob_pays_all", "HK-11",
        "Whose kong is robbed alone pays what all three would pay, in all four times the hand's value.",
        "被抢杠者包付三家，合共四倍。",
    ),
    switch(
        "east_double", "HK-36", "East pays and receives double.", "庄家输赢双倍。",
    ),
    *COMMON,
)  # fmt: skip
