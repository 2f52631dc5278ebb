"""The house options of Hefei: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

OPTIONS = (
    Option(
        key="win_row",
        default=15,
        values=(15, 0),
        meaning="Points of the row Winning a Hand; 0 leaves it out.",
        meaning_zh="“胡牌”一项的嘴数；0为不计此项。",
        ruling="HF-09",
    ),
    Option(
        key="same_threshold",
        default=4,
        values=(4, 3),
        meaning="Same Number Bonus counts the tiles beyond this many, where a rank has 4 or more.",
        meaning_zh="同点数有四张以上时，“同”从超过此数的牌起算。",
        ruling="HF-10",
    ),
    switch(
        key="same_best_rank_only",
        ruling="HF-10",
        meaning="Same Number Bonus counts the best rank only, instead of all ranks.",
        meaning_zh="“同”只计最多的一个点数，不累计各点数。",
    ),
    Option(
        key="ten_strict",
        default=10,
        values=(10, 11),
        meaning="How many tiles of one rank Ten Identical Tiles takes.",
        meaning_zh="“十同”所需的同点数牌张数。",
        ruling="HF-11",
    ),
    switch(
        key="single_excludes_pair",
        ruling="HF-12",
        meaning="Single Wait is not given where the winning tile completes a pair.",
        meaning_zh="胡将牌（含七对）不计“卡”。",
    ),
    switch(
        key="kong_is_pung",
        ruling="HF-13",
        meaning="A concealed kong also counts as a Concealed Pung.",
        meaning_zh="暗杠也计“坎”。",
    ),
    switch(
        key="visible_if_completed_by_win",
        ruling="HF-14",
        meaning="Double Sequences completed by the winning tile are visible on a self-draw too,"
        " for the same 2 points.",
        meaning_zh="自摸补成的双铺子也算明双铺子（仍为2嘴）。",
    ),
    switch(
        key="consecutive_any_suit",
        ruling="HF-16",
        meaning="Three Consecutive Pungs may be of different suits.",
        meaning_zh="“三连坎”的三副坎可以不同花色。",
    ),
    switch(
        key="four_concealed_only",
        ruling="HF-17",
        meaning=(
            "Four of a Kind counts only where all four are in the hand, not for a claimed pung and the"
            " fourth."
        ),
        meaning_zh="“活”只计四张都在手中的牌，碰出后手中的第四张不计。",
    ),
    switch(
        key="four_not_in_luxury",
        ruling="HF-17",
        meaning="Four of a Kind is not counted in seven pairs.",
        meaning_zh="七对中不计“活”。",
    ),
    switch(
        key="specials_exclusive",
        ruling="HF-19",
        meaning="General and special rows do not add up: the larger sum counts, on top of Winning a Hand.",
        meaning_zh="普通项与特殊项不累加：除“胡牌”外，两者取大。",
    ),
    switch(
        key="earth_includes_discard",
        ruling="HF-22",
        meaning="Earthly Win is also given for a win on a discard.",
        meaning_zh="点炮胡也可算“地胡”。",
    ),
    Option(
        key="dealer_n",
        default="hands_dealt",
        values=("hands_dealt", "wins_only"),
        meaning="What the dealer's row counts: the hands dealt in a row, this one included, or the hands"
        " won in a row"
        " (one less where the dealer loses).",
        meaning_zh="庄家一项的次数：连续坐庄局数（含本局），或连胡局数（庄家输时少计一局）。",
        ruling="HF-24",
    ),
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay"),
        meaning="Who pays for a discard or a robbed kong: that player alone, or all three.",
        meaning_zh="点炮或抢杠由谁付：放炮者一家，或三家都付。",
        ruling="HF-25",
    ),
    switch(
        key="kong_draw_x2",
        ruling="HF-26",
        meaning="A win on the tile drawn after a kong doubles the hand's points.",
        meaning_zh="杠后开花总嘴数翻倍。",
    ),
    switch(
        key="allow_chow",
        ruling="HF-04",
        meaning="Chows may be claimed; a claimed one makes Double Sequences visible.",
        meaning_zh="可以吃牌；吃成的铺子使双铺子成为明双铺子。",
    ),
    switch(
        key="seven_pairs",
        ruling="HF-07",
        meaning="Seven pairs win.",
        meaning_zh="七对可以胡牌。",
        default=True,
    ),
    switch(
        key="kong_counts_3",
        ruling="HF-08",
        meaning="A kong counts as three tiles of its suit, instead of four.",
        meaning_zh="杠牌按三张计入花色张数，不按四张。",
    ),
    *COMMON,
)
