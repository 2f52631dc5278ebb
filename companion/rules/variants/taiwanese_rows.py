"""The scoring rows of Taiwanese mahjong as they are written, by family (TW-17): suits and special hands here,
and all together. Those of the table that is common in Taiwan are in taiwanese_common.py."""

from __future__ import annotations

from companion.rules.building_blocks import at_setting, count_once
from companion.rules.rule_set import Pattern
from companion.rules.variants.taiwanese_going_out import FLOWERS, GOING_OUT
from companion.rules.variants.taiwanese_sets import CHOWS, DRAGON_ROWS, KONGS, PUNGS, WIND_ROWS
from companion.rules.win import HandReading, Win

SEVEN_PAIRS = frozenset({"seven_pairs_and_a_pung", "seven_pairs_beside_a_pung"})


def no_honors_or_flowers(win: Win, reading: HandReading) -> int:
    """Not with Full Flush, beside which No Flowers alone is counted (TW-31)."""
    return int(win.on("flowers") and (win.suits_held > 1 or win.on("pure_additive")))


SUITS = (
    Pattern(
        id="no_honors",
        name="No Honours",
        name_zh="无字",
        value=1,
        count=count_once,
        table="suits",
        meaning="No wind and no dragon.",
        meaning_zh="没有字牌。",
        ruling="TW-31",
        when=lambda o: not o.honors,
    ),
    Pattern(
        id="no_honors_or_flowers",
        name="No Honours or Flowers",
        name_zh="无字无花",
        value=3,
        count=no_honors_or_flowers,
        table="suits",
        meaning="No wind, dragon, flower or season, in more than one suit.",
        meaning_zh="没有字牌，也没有花牌（清一色时只计无花）。",
        ruling="TW-31",
        replaces=("no_honors", "no_flowers"),
        when=lambda o: not o.honors and not o.flowers,
    ),
    Pattern(
        id="half_flush",
        name="Half Flush",
        name_zh="混一色",
        value=10,
        count=count_once,
        table="suits",
        meaning="Tiles of one suit, and honours.",
        meaning_zh="只有一门花色和字牌。",
        ruling="TW-17",
        when=lambda o: o.suits == 1 and o.honors,
    ),
    Pattern(
        id="full_flush",
        name="Full Flush",
        name_zh="清一色",
        value=40,
        count=count_once,
        table="suits",
        meaning="Tiles of one suit only.",
        meaning_zh="只有一门花色，没有字牌。",
        ruling="TW-31",
        replaces=("no_honors",),
        when=lambda o: o.suits == 1 and not o.honors,
    ),
    Pattern(
        id="all_honors",
        name="All Honours",
        name_zh="字一色",
        value=16,
        count=at_setting("all_honors", 16),
        table="suits",
        meaning="By a house rule: winds and dragons only.",
        meaning_zh="按本桌的选项：全部为字牌。",
        ruling="TW-30",
        when=lambda o: not o.suits,
    ),
)
SPECIAL = (
    Pattern(
        id="seven_pairs_and_a_pung",
        name="Seven Pairs and a Pung",
        name_zh="七对加一刻",
        value=30,
        count=count_once,
        table="special",
        meaning="Seven pairs and a triplet in the hand; four equal tiles may be two pairs.",
        meaning_zh="手中七个对子加一副刻子，四张相同可作两对。",
        ruling="TW-28",
        when=lambda o: o.shape in SEVEN_PAIRS,
    ),
)
FLOWER_WINS = (
    Pattern(
        id="all_flowers",
        name="All Flowers",
        name_zh="八仙过海",
        value=30,
        count=count_once,
        table="special",
        meaning="All eight flowers and seasons; nothing else scores.",
        meaning_zh="集齐八张花牌；不计其他台。",
        ruling="TW-24",
        situation="all_flowers",
    ),
    Pattern(
        id="seven_flowers_robbing",
        name="7 Flowers and Robbing",
        name_zh="七抢一",
        value=20,
        count=count_once,
        table="special",
        meaning="Seven flowers and seasons, and another player's eighth; nothing else scores.",
        meaning_zh="已有七张花牌，抢别家摸到的第八张；不计其他台。",
        ruling="TW-24",
        situation="seven_flowers_robbing",
    ),
)
ROWS = (
    *GOING_OUT,
    *FLOWERS,
    *SUITS,
    *PUNGS,
    *KONGS,
    *CHOWS,
    *WIND_ROWS,
    *DRAGON_ROWS,
    *SPECIAL,
    *FLOWER_WINS,
)
