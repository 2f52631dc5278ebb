"""The house options of Hebei: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

CAP_MAX = 1_000_000
"""Above any product of the rows."""

OPTIONS = (
    Option(
        key="players",
        default=4,
        values=(4, 3),
        meaning="How many play: 3 are seats 0 to 2, and seat 3 sits out.",
        meaning_zh="参与人数：3人时为0至2号座位，3号座位轮空。",
        ruling="HB-01",
    ),
    Option(
        key="combine",
        default="product",
        values=("product", "sum"),
        meaning=(
            "Whether the rows of a hand are multiplied or added up; a hand without rows is worth 1 in both."
        ),
        meaning_zh="各项倍数相乘，或相加；没有番种的牌均为1。",
        ruling="HB-04",
    ),
    Option(
        key="all_pungs",
        default=3,
        values=(3, 2),
        meaning="The multiplier of All Pungs.",
        meaning_zh="“碰碰胡”的倍数。",
        ruling="HB-05",
    ),
    Option(
        key="cap",
        default=0,
        values=range(CAP_MAX + 1),
        meaning="The highest multiplier that a hand can have; 0 for no limit.",
        meaning_zh="一副牌的最高倍数；0为不封顶。",
        ruling="HB-06",
    ),
    Option(
        key="single",
        default="one_kind",
        values=("one_kind", "pair_wait", "four_open_melds", "both_rows"),
        meaning="What Single Hanging Tile takes: only one kind that completes the hand; besides, that it"
        " completes"
        " the pair; besides, four claimed melds and no other tile in the hand; or one kind, scored twice.",
        meaning_zh="“大吊车”的条件：只听一种牌；或须为单吊将；或须四副牌全部吃碰杠出、手中只剩一张；"
        "或只听一种牌而计两次。",
        ruling="HB-07",
    ),
    switch(
        key="ping_hu_free",
        ruling="HB-03",
        meaning="Ping Hu, a hand without a bonus row, also wins on a discard.",
        meaning_zh="平胡也可以点炮胡。",
    ),
    switch(
        key="dealer_is_bonus",
        ruling="HB-10",
        meaning="Dealer Win alone lets a hand win on a discard.",
        meaning_zh="仅有“庄家”一项也可以点炮胡。",
    ),
    switch(
        key="ping_hu_may_not_rob",
        ruling="HB-10",
        meaning="Robbing a Kong alone does not let a hand win: a hand without any other row may not rob.",
        meaning_zh="平胡不可抢杠：仅有“抢杠胡”一项不能胡。",
    ),
    switch(
        key="luxury_no_suit",
        ruling="HB-13",
        meaning="Pure and Mixed One Suit are not counted beside a luxurious row.",
        meaning_zh="豪华七对不再计清一色、混一色。",
    ),
    switch(
        key="stack_inherent",
        ruling="HB-14",
        meaning="Closed Hand and Single Hanging Tile are counted in seven pairs and Thirteen Orphans too.",
        meaning_zh="七对、十三幺也计“门清”和“大吊车”。",
    ),
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay", "pays_for_all"),
        meaning="Who pays for a discard or a robbed kong: that player alone, one share; every other"
        " player, one share"
        " each; or that player alone, the shares of all.",
        meaning_zh="点炮或抢杠由谁付：放炮者一家付一份；其他各家各付一份；或放炮者包付各家的份。",
        ruling="HB-17",
    ),
    switch(
        key="dealer_loss_x2",
        ruling="HB-18",
        meaning="A dealer who loses pays double.",
        meaning_zh="庄家输牌时所付翻倍。",
    ),
    switch(
        key="kong_ignores_base",
        ruling="HB-19",
        meaning="What is paid for kongs is not multiplied by the base, nor by what a unit costs.",
        meaning_zh="杠分不乘底分，也不乘每番的价钱。",
    ),
    Option(
        key="all_honors",
        default="none",
        values=("none", "pure"),
        meaning="Which suit row a hand of honours alone scores: none, or the pure one.",
        meaning_zh="全为字牌时所计的花色番：不计，或按清一色计。",
        ruling="HB-26",
    ),
    switch(
        key="self_draw_x2",
        ruling="HB-30",
        meaning="A self-drawn win doubles the hand.",
        meaning_zh="自摸翻倍。",
    ),
    *COMMON,
)
