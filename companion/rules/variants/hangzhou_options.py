"""The house options of Hangzhou: what its rulings leave to the table. The default comes first."""

from companion.rules.options import COMMON, Option, switch

WHITE_DRAGON = "white_dragon"

OPTIONS = (
    Option(
        key="fortune",
        default="indicator",
        values=("indicator", WHITE_DRAGON),
        meaning="Which tiles are Fortunes: the three mates of the flipped tile, or the four White Dragons.",
        meaning_zh="财神：翻出的牌余下的三张，或四张白板。",
        ruling="HZ-04",
    ),
    switch(
        key="white_stands_for_fortune",
        ruling="HZ-06",
        meaning="The White Dragon is an ordinary tile of the Fortune's kind, and a claimed chow with it is"
        " written"
        " with that kind.",
        meaning_zh="白板代替财神原来的牌（作普通牌用）；吃进的顺子含此白板时，按其所代的牌书写。",
    ),
    switch(
        key="fortune_in_melds",
        ruling="HZ-07",
        meaning="A Fortune may be part of a claimed chow, as its own kind.",
        meaning_zh="吃进的顺子中可以有财神（作其本身的牌用）。",
    ),
    switch(
        key="win_on_fortune_discard",
        ruling="HZ-07",
        meaning="A discarded Fortune may be won on.",
        meaning_zh="可以胡别人打出的财神。",
    ),
    Option(
        key="gambit_cap",
        default=16,
        values=(16, 4),
        meaning="The most that Fortune Gambits multiply by in all.",
        meaning_zh="财飘累计最高的倍数。",
        ruling="HZ-11",
    ),
    Option(
        key="rob",
        default="always",
        values=("always", "never", "follow_discard_rule"),
        meaning="When an added kong may be robbed: always, never, or only where a discard could be won on.",
        meaning_zh="捉杠：任何时候都可以、不可以，或与点炮胡的限制相同。",
        ruling="HZ-13",
    ),
    switch(
        key="discard_pays_all_shares",
        ruling="HZ-14",
        meaning="On a discard the discarder pays the shares of all three.",
        meaning_zh="点炮者一人付三家的份。",
    ),
    Option(
        key="dealer_discard_loss",
        default=2,
        values=(2, 1),
        meaning="The factor of a losing dealer's share on a discard win.",
        meaning_zh="点炮胡时，庄家输的倍数。",
        ruling="HZ-14",
    ),
    Option(
        key="dealer_loss",
        default="double",
        values=("double", "lao"),
        meaning="The factor of a losing dealer's share: 2, or by Lao 2, 4, 8 as when the dealer wins.",
        meaning_zh="庄家输的倍数：一律二倍，或与庄家赢时一样按老庄算（二、四、八倍）。",
        ruling="HZ-14",
    ),
    switch(
        key="wild_quads",
        ruling="HZ-21",
        meaning="Fortunes may complete the four equal tiles of Luxury Pairs.",
        meaning_zh="豪华对的四张可以用财神补足。",
    ),
    switch(
        key="liability_self_draw_only",
        ruling="HZ-22",
        meaning="Three-Meld Liability holds for self-drawn wins only.",
        meaning_zh="三摊承包只限自摸。",
    ),
    Option(
        key="liability_x",
        default=2,
        values=(2, 1),
        meaning="How many times all shares together a liable player pays.",
        meaning_zh="承包者付各家总和的倍数。",
        ruling="HZ-22",
    ),
    switch(
        key="debt",
        ruling="HZ-26",
        meaning="A player may pay more than the balance, into debt.",
        meaning_zh="分数不够付时可以欠分。",
    ),
    switch(
        key="fortune_must_explode",
        ruling="HZ-29",
        meaning="A hand that holds a Fortune wins only by Explosive Pair.",
        meaning_zh="有财必爆头：手中有财神时只能爆头胡。",
    ),
    Option(
        key="max_chows",
        default=4,
        values=(4, 2),
        meaning="The most chows that a player may claim; four is no limit.",
        meaning_zh="每家最多可吃几副；四副即不限。",
        ruling="HZ-30",
    ),
    switch(key="rob_x2", ruling="HZ-35", meaning="Kong Capture doubles the hand.", meaning_zh="捉杠胡翻倍。"),
    *COMMON,
)
