"""The house options of Taiwanese mahjong: what its rulings leave to the table. The default comes first.

`preset` chooses the scoring table. An option applies to both tables unless its meaning names the usual one.
"""

from companion.rules.options import COMMON, Option, switch

STREAK_CAP_MAX = 1_000

OPTIONS = (
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay"),
        meaning="Who pays for a discard or a robbed kong: that player alone, or all three."
        " The eighth flower's holder always pays alone.",
        meaning_zh="放枪或抢杠由谁付：放枪者一家，或三家都付。七抢一始终由被抢者一家付。",
        ruling="TW-07",
    ),
    switch(
        key="allow_chow",
        ruling="TW-05",
        meaning="Chows may be claimed, from the player to the left.",
        meaning_zh="可以吃上家的牌。",
        default=True,
    ),
    Option(
        key="streak_cap",
        default=0,
        values=range(STREAK_CAP_MAX + 1),
        meaning="The most that a dealer's streak counts; 0 for no limit.",
        meaning_zh="连庄次数最多计几次；0为不限。",
        ruling="TW-08",
    ),
    switch(
        key="flowers",
        ruling="TW-09",
        meaning="Flowers and seasons are used. Without them the rows Flower Tile, No Flowers, No Honours"
        " or Flowers"
        " and the wins by flowers do not exist.",
        meaning_zh="使用花牌。不用时，不计花牌、无花、无字无花，也没有八仙过海和七抢一。",
        default=True,
    ),
    switch(
        key="wait_stack",
        ruling="TW-15",
        meaning="A Closed Wait is also a Single Wait: 4 tai together. The usual table has one row for both.",
        meaning_zh="间听同时计独听，共4台。通行台数表只有独听一项。",
    ),
    switch(
        key="pure_additive",
        ruling="TW-17",
        meaning="Rows score beside the higher rows that include them, such as Two beside Three Concealed"
        " Triplets."
        " Fully Concealed and the wins by flowers still exclude what the rules say.",
        meaning_zh="被高台包含的项目照样累计（如三暗刻另计两暗刻）；只有门清不求、八仙过海、七抢一仍按明文排除他项。",
    ),
    switch(
        key="five_implies_triplets",
        ruling="TW-18",
        meaning="Five Concealed Pungs includes All Triplets.",
        meaning_zh="五暗刻不另计对对胡。",
    ),
    switch(
        key="winds_seat_round_only",
        ruling="TW-19",
        meaning="Pung of Winds counts only the winner's own wind and the round's, each pung once; in the"
        " usual table they are two rows, and a pung of both counts for both.",
        meaning_zh="“风牌”只计门风和圈风的刻子，每副一次；通行台数表分门风、圈风两项，同为门风和圈风的刻子各计一次。",
    ),
    switch(
        key="speed_10_included",
        ruling="TW-21",
        meaning="Win Within 5-10 Discards is also given with exactly ten discards. The usual table has no"
        " such row.",
        meaning_zh="正好十张弃牌时也计“十张内速胡”。通行台数表没有此项。",
    ),
    switch(
        key="straight_discard_closed",
        ruling="TW-22",
        meaning="A Full Straight stays closed where the winning discard completed one of its sequences. The"
        " usual table has no such row.",
        meaning_zh="放枪牌补成的一条龙仍算内龙，吃出的才算外龙。通行台数表没有此项。",
    ),
    switch(
        key="flower_win_no_dealer_tai",
        ruling="TW-24",
        meaning="Wins by flowers are paid without the dealer's tai.",
        meaning_zh="八仙过海和七抢一不计庄家台。",
    ),
    switch(
        key="own_flowers_only",
        ruling="TW-25",
        meaning="Flower Tile counts only the flower and the season of the winner's own seat.",
        meaning_zh="“花牌”只计与自己门风相同的花（正花）。",
    ),
    switch(
        key="seven_pung_open",
        ruling="TW-28",
        meaning="The triplet of Seven Pairs and a Pung may lie on the table, as a pung or a kong; not in the"
        " usual table.",
        meaning_zh="“七对加一刻”的刻子可以是碰出的刻子或杠子；通行台数表不可。",
    ),
    Option(
        key="replacement_win",
        default=0,
        values=(0, 1),
        meaning="Tai for a win on the tile drawn after a kong or a flower; 0 leaves it out. In the usual"
        " table it is always 1.",
        meaning_zh="杠上开花（含补花）的台数；0为不计。通行台数表一律1台。",
        ruling="TW-29",
    ),
    Option(
        key="all_honors",
        default=0,
        values=(0, 16),
        meaning="Tai for a hand of honours only; 0 leaves it out. In the usual table it is always 16.",
        meaning_zh="字一色的台数；0为不计。通行台数表一律16台。",
        ruling="TW-30",
    ),
    Option(
        key="preset",
        default="standard",
        values=("standard", "common"),
        meaning="The scoring table: the one that is written here, or the usual one of Taiwan, which has rows"
        " of its own.",
        meaning_zh="台数表：按书面规则，或按台湾通行的台数表（项目另列）。",
        ruling="TW-32",
    ),
    switch(
        key="single_wait_added",
        ruling="P-01",
        meaning="In the usual table: Single Wait counts beside All Revealed and Half Revealed too.",
        meaning_zh="通行台数表：全求人、半求人另计独听。",
        since=3,
    ),
    Option(
        key="flower_set",
        default=1,
        values=(1, 0, 2),
        meaning="In the usual table: tai for all four flowers, or all four seasons; the player's own one"
        " among them counts 1 more. 1 makes 2 in all, as most tables count. Only where own flowers count.",
        meaning_zh="通行台数表：花杠的台数，其中的正花另计。1即连正花共2台，最为通行。仅在只计正花时有效。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="dealt_ready",
        default=16,
        values=(16, 8),
        meaning="In the usual table: tai for the dealer's ready hand as dealt; another player's is worth half"
        " as much.",
        meaning_zh="通行台数表：天听的台数；地听为其一半。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="dealt_ready_concealed",
        default="excluded",
        values=("excluded", "not_dealers_discard", "counted"),
        meaning="In the usual table: whether a concealed hand counts beside a ready hand as dealt. Not at"
        " all, though a self-draw counts; or always but for the dealer's win on a discard; or always.",
        meaning_zh="通行台数表：天听、地听是否另计门清、门清自摸：均不计，只计自摸；或只有庄家天听胡别家的牌时不计；"
        "或一律另计。",
        ruling="P-01",
        since=4,
    ),
    Option(
        key="eight_pairs",
        default=0,
        values=(0, 8),
        meaning="In the usual table: tai for Seven Pairs and a Pung; with 0 they do not win.",
        meaning_zh="通行台数表：呖咕呖咕（七对加一刻）的台数；0为不能胡。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="blessing_of_man",
        default=8,
        values=(8, 16),
        meaning="In the usual table: tai for Blessing of Man.",
        meaning_zh="通行台数表：人胡的台数。",
        ruling="P-01",
        since=4,
    ),
    Option(
        key="four_winds_add",
        default="none",
        values=("none", "little", "both"),
        meaning="In the usual table: whether pungs of winds score beside Little and Big Four Winds: beside"
        " neither, beside Little Four Winds alone, or beside both.",
        meaning_zh="通行台数表：小四喜、大四喜是否另计门风、圈风等风牌：均不计，或只有小四喜另计，或都另计。",
        ruling="P-01",
        since=4,
    ),
    *COMMON,
)
