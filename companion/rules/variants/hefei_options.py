"""The house options of Hefei: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

OPTIONS = (
    Option(
        "win_row", 15, (15, 0), "Points of the row Winning a Hand; 0 leaves it out.",
        "“胡牌”一项的嘴数；0为不计此项。", "HF-09",
    ),
    Option(
        "same_threshold", 4, (4, 3),
        "Same Number Bonus counts the tiles beyond this many, where a rank has 4 or more.",
        "同点数有四张以上时，“同”从超过此数的牌起算。", "HF-10",
    ),
    switch(
        "same_best_rank_only", "HF-10", "Same Number Bonus counts the best rank only, instead of all ranks.",
        "“同”只计最多的一个点数，不累计各点数。",
    ),
    Option(
        "ten_strict", 10, (10, 11), "How many tiles of one rank Ten Identical Tiles takes.",
        "“十同”所需的同点数牌张数。", "HF-11",
    ),
    switch(
        "single_excludes_pair", "HF-12", "Single Wait is not given where the winning tile completes a pair.",
        "胡将牌（含七对）不计“卡”。",
    ),
    switch("kong_is_pung", "HF-13", "A concealed kong also counts as a Concealed Pung.", "暗杠也计“坎”。"),
    switch(
        "visible_if_completed_by_win", "HF-14",
        "Double Sequences completed by the winning tile are visible on a self-draw too,"
        " for the same 2 points.",
        "自摸补成的双铺子也算明双铺子（仍为2嘴）。",
    ),
    switch(
        "consecutive_any_suit", "HF-16", "Three Consecutive Pungs may be of different suits.",
        "“三连坎”的三副坎可以不同花色。",
    ),
    switch(
        "four_concealed_only", "HF-17",
        "Four of a Kind counts only where all four are in the hand, not for a claimed pung and the fourth.",
        "“活”只计四张都在手中的牌，碰出后手中的第四张不计。",
    ),
    switch("four_not_in_luxury", "HF-17", "Four of a Kind is not counted in seven pairs.",
    "七对中不计“活”。"),
    switch(
        "specials_exclusive", "HF-19",
        "General and special rows do not add up: the larger sum counts, on top of Winning a Hand.",
        "普通项与特殊项不累加：除“胡牌”外，两者取大。",
    ),
    switch(
        "earth_includes_discard", "HF-22", "Earthly Win is also given for a win on a discard.",
        "点炮胡也可算“地胡”。"
    ),
    Option(
        "dealer_n", "hands_dealt", ("hands_dealt", "wins_only"),
        "What the dealer's row counts: the hands dealt in a row, this one included, or the hands won in a row"
        " (one less where the dealer loses).",
        "庄家一项的次数：连续坐庄局数（含本局），或连胡局数（庄家输时少计一局）。", "HF-24",
    ),
    Option(
        "discard", "discarder_pays", ("discarder_pays", "all_pay"),
        "Who pays for a discard or a robbed kong: that player alone, or all three.",
        "点炮或抢杠由谁付：放炮者一家，或三家都付。", "HF-25",
    ),
    switch(
        "kong_draw_x2", "HF-26", "A win on the tile drawn after a kong doubles the hand's points.",
        "杠后开花总嘴数翻倍。",
    ),
    switch(
        "allow_chow", "HF-04", "Chows may be claimed; a claimed one makes Double Sequences visible.",
        "可以吃牌；吃成的铺子使双铺子成为明双铺子。",
    ),
    switch("seven_pairs", "HF-07", "Seven pairs win.", "七对可以胡牌。", default=True),
    switch(
        "kong_counts_3", "HF-08", "A kong counts as three tiles of its suit, instead of four.",
        "杠牌按三张计入花色张数，不按四张。",
    ),
    *COMMON,
)  # fmt: skip
