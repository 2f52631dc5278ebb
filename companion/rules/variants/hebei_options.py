"""The house options of Hebei: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

CAP_MAX = 1_000_000
"""Above any product of the rows."""

OPTIONS = (
    Option(
        "players", 4, (4, 3),
        "How many play: 3 are seats 0 to 2, and seat 3 sits out.",
        "参与人数：3人时为0至2号座位，3号座位轮空。", "HB-01",
    ),
    Option(
        "combine", "product", ("product", "sum"),
        "Whether the rows of a hand are multiplied or added up; a hand without rows is worth 1 in both.",
        "各项倍数相乘，或相加；没有番种的牌均为1。", "HB-04",
    ),
    Option(
        "all_pungs", 3, (3, 2), "The multiplier of All Pungs.", "“碰碰胡”的倍数。", "HB-05",
    ),
    Option(
        "cap", 0, range(CAP_MAX + 1),
        "The highest multiplier that a hand can have; 0 for no limit.",
        "一副牌的最高倍数；0为不封顶。", "HB-06",
    ),
    Option(
        "single", "one_kind", ("one_kind", "pair_wait", "four_open_melds", "both_rows"),
        "What Single Hanging Tile takes: only one kind that completes the hand; besides, that it completes"
        " the pair; besides, four claimed melds and no other tile in the hand; or one kind, scored twice.",
        "“大吊车”的条件：只听一种牌；或须为单吊将；或须四副牌全部吃碰杠出、手中只剩一张；"
        "或只听一种牌而计两次。", "HB-07",
    ),
    switch(
        "ping_hu_free", "HB-03",
        "Ping Hu, a hand without a bonus row, also wins on a discard.", "平胡也可以点炮胡。",
    ),
    switch(
        "dealer_is_bonus", "HB-10",
        "Dealer Win alone lets a hand win on a discard.", "仅有“庄家”一项也可以点炮胡。",
    ),
    switch(
        "ping_hu_may_not_rob", "HB-10",
        "Robbing a Kong alone does not let a hand win: a hand without any other row may not rob.",
        "平胡不可抢杠：仅有“抢杠胡”一项不能胡。",
    ),
    switch(
        "luxury_no_suit", "HB-13",
        "Pure and Mixed One Suit are not counted beside a luxurious row.",
        "豪华七对不再计清一色、混一色。",
    ),
    switch(
        "stack_inherent", "HB-14",
        "Closed Hand and Single Hanging Tile are counted in seven pairs and Thirteen Orphans too.",
        "七对、十三幺也计“门清”和“大吊车”。",
    ),
    Option(
        "discard", "discarder_pays", ("discarder_pays", "all_pay", "pays_for_all"),
        "Who pays for a discard or a robbed kong: that player alone, one share; every other player, one share"
        " each; or that player alone, the shares of all.",
        "点炮或抢杠由谁付：放炮者一家付一份；其他各家各付一份；或放炮者包付各家的份。", "HB-17",
    ),
    switch("dealer_loss_x2", "HB-18", "A dealer who loses pays double.", "庄家输牌时所付翻倍。"),
    switch(
        "kong_ignores_base", "HB-19",
        "What is paid for kongs is not multiplied by the base.", "杠分不乘底分。",
    ),
    Option(
        "all_honors", "none", ("none", "pure"),
        "Which suit row a hand of honours alone scores: none, or the pure one.",
        "全为字牌时所计的花色番：不计，或按清一色计。", "HB-26",
    ),
    switch("self_draw_x2", "HB-30", "A self-drawn win doubles the hand.", "自摸翻倍。"),
    *COMMON,
)  # fmt: skip
