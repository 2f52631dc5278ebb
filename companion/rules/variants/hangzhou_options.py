"""The house options of Hangzhou: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

WHITE_DRAGON = "white_dragon"

OPTIONS = (
    Option(
        "fortune", "indicator", ("indicator", WHITE_DRAGON),
        "Which tiles are Fortunes: the three mates of the flipped tile, or the four White Dragons.",
        "财神：翻出的牌余下的三张，或四张白板。", "HZ-04",
    ),
    switch(
        "white_stands_for_fortune", "HZ-06",
        "The White Dragon is an ordinary tile of the Fortune's kind, and a claimed chow with it is written"
        " with that kind.",
        "白板代替财神原来的牌（作普通牌用）；吃进的顺子含此白板时，按其所代的牌书写。",
    ),
    switch(
        "fortune_in_melds", "HZ-07", "A Fortune may be part of a claimed chow, as its own kind.",
        "吃进的顺子中可以有财神（作其本身的牌用）。",
    ),
    switch("win_on_fortune_discard", "HZ-07", "A discarded Fortune may be won on.", "可以胡别人打出的财神。"),
    Option(
        "gambit_cap", 16, (16, 4), "The most that Fortune Gambits multiply by in all.",
        "财飘累计最高的倍数。", "HZ-11",
    ),
    Option(
        "rob", "always", ("always", "never", "follow_discard_rule"),
        "When an added kong may be robbed: always, never, or only where a discard could be won on.",
        "捉杠：任何时候都可以、不可以，或与点炮胡的限制相同。", "HZ-13",
    ),
    switch(
        "discard_pays_all_shares", "HZ-14", "On a discard the discarder pays the shares of all three.",
        "点炮者一人付三家的份。",
    ),
    Option(
        "dealer_discard_loss", 2, (2, 1), "The factor of a losing dealer's share on a discard win.",
        "点炮胡时，庄家输的倍数。", "HZ-14",
    ),
    Option(
        "dealer_loss", "double", ("double", "lao"),
        "The factor of a losing dealer's share: 2, or by Lao 2, 4, 8 as when the dealer wins.",
        "庄家输的倍数：一律二倍，或与庄家赢时一样按老庄算（二、四、八倍）。", "HZ-14",
    ),
    switch(
        "wild_quads", "HZ-21", "Fortunes may complete the four equal tiles of Luxury Pairs.",
        "豪华对的四张可以用财神补足。",
    ),
    switch(
        "liability_self_draw_only", "HZ-22", "Three-Meld Liability holds for self-drawn wins only.",
        "三摊承包只限自摸。",
    ),
    Option(
        "liability_x", 2, (2, 1), "How many times all shares together a liable player pays.",
        "承包者付各家总和的倍数。", "HZ-22",
    ),
    switch("debt", "HZ-26", "A player may pay more than the balance, into debt.", "分数不够付时可以欠分。"),
    switch(
        "fortune_must_explode", "HZ-29", "A hand that holds a Fortune wins only by Explosive Pair.",
        "有财必爆头：手中有财神时只能爆头胡。",
    ),
    Option(
        "max_chows", 4, (4, 2), "The most chows that a player may claim; four is no limit.",
        "每家最多可吃几副；四副即不限。", "HZ-30",
    ),
    switch("rob_x2", "HZ-35", "Kong Capture doubles the hand.", "捉杠胡翻倍。"),
    *COMMON,
)  # fmt: skip
