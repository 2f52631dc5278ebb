"""The house options of Taiwanese mahjong: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

STREAK_CAP_MAX = 1_000

OPTIONS = (
    Option(
        "discard", "discarder_pays", ("discarder_pays", "all_pay"),
        "Who pays for a discard or a robbed kong: that player alone, or all three."
        " The eighth flower's holder always pays alone.",
        "放枪或抢杠由谁付：放枪者一家，或三家都付。七抢一始终由被抢者一家付。", "TW-07",
    ),
    switch(
        "allow_chow", "TW-05", "Chows may be claimed, from the player to the left.", "可以吃上家的牌。",
        default=True,
    ),
    Option(
        "streak_cap", 0, range(STREAK_CAP_MAX + 1),
        "The most that a dealer's streak counts; 0 for no limit.", "连庄次数最多计几次；0为不限。", "TW-08",
    ),
    switch(
        "flowers", "TW-09",
        "Flowers and seasons are used. Without them the rows Flower Tile, No Flowers, No Honours or Flowers"
        " and the wins by flowers do not exist.",
        "使用花牌。不用时，不计花牌、无花、无字无花，也没有八仙过海和七抢一。", default=True,
    ),
    switch(
        "wait_stack", "TW-15", "A Closed Wait is also a Single Wait: 4 tai together.",
        "间听同时计独听，共4台。",
    ),
    switch(
        "pure_additive", "TW-17",
        "Rows score beside the higher rows that include them, such as Two beside Three Concealed Triplets."
        " Fully Concealed and the wins by flowers still exclude what the rules say.",
        "被高台包含的项目照样累计（如三暗刻另计两暗刻）；只有门清不求、八仙过海、七抢一仍按明文排除他项。",
    ),
    switch(
        "five_implies_triplets", "TW-18", "Five Concealed Pungs includes All Triplets.",
        "五暗刻不另计对对胡。",
    ),
    switch(
        "winds_seat_round_only", "TW-19",
        "Pung of Winds counts only the winner's own wind and the round's, each pung once.",
        "“风牌”只计门风和圈风的刻子，每副一次。",
    ),
    switch(
        "speed_10_included", "TW-21", "Win Within 5-10 Discards is also given with exactly ten discards.",
        "正好十张弃牌时也计“十张内速胡”。",
    ),
    switch(
        "straight_discard_closed", "TW-22",
        "A Full Straight stays closed where the winning discard completed one of its sequences.",
        "放枪牌补成的一条龙仍算内龙，吃出的才算外龙。",
    ),
    switch(
        "flower_win_no_dealer_tai", "TW-24", "Wins by flowers are paid without the dealer's tai.",
        "八仙过海和七抢一不计庄家台。",
    ),
    switch(
        "own_flowers_only", "TW-25",
        "Flower Tile counts only the flower and the season of the winner's own seat.",
        "“花牌”只计与自己门风相同的花（正花）。",
    ),
    switch(
        "seven_pung_open", "TW-28",
        "The triplet of Seven Pairs and a Pung may lie on the table, as a pung or a kong.",
        "“七对加一刻”的刻子可以是碰出的刻子或杠子。",
    ),
    Option(
        "replacement_win", 0, (0, 1),
        "Tai for a win on the tile drawn after a kong or a flower; 0 leaves it out.",
        "杠上开花（含补花）的台数；0为不计。", "TW-29",
    ),
    Option(
        "all_honors", 0, (0, 16), "Tai for a hand of honours only; 0 leaves it out.",
        "字一色的台数；0为不计。", "TW-30",
    ),
    Option(
        "preset", "standard", ("standard", "common"),
        "What the rows are worth: what the tables here say, or what is usual in Taiwan; rows that the usual"
        " table does not have score nothing then.",
        "各项台数：按本表，或按台湾通行的台数；通行台数表中没有的项目不计。", "TW-32",
    ),
    *COMMON,
)  # fmt: skip
