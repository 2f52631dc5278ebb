"""The scoring rows of Hebei, and how each is found in a win or a reading."""

from __future__ import annotations

from itertools import permutations

from companion.rules.building_blocks import (
    count_once,
    count_quads_in_pairs,
    find_straight,
    is_half_flush,
    is_won_on_pair,
)
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern
from companion.rules.win import HandReading, Win
from companion.tiles import MeldKind

FLOWER_DRAGONS = tuple(
    frozenset(range(0, 27, 9)[i] + low for i, low in enumerate(lows)) for lows in permutations((0, 3, 6))
)
"""The lowest tiles of sequences 123, 456, 789 in three suits, in each of the ways."""


def has_room_for_open_hand(win: Win, reading: HandReading) -> bool:
    """Whether the shape leaves room for an open hand and other waits, or the house does not mind (HB-14)."""
    return reading.shape == "standard" or win.on("stack_inherent")


def closed_hand(win: Win, reading: HandReading) -> int:
    return int(has_room_for_open_hand(win, reading))


def single_hanging_tile(win: Win, reading: HandReading) -> int:
    """Once for the wait on one kind; where the house scores both rows of the table, twice (HB-07)."""
    if not has_room_for_open_hand(win, reading):
        return 0
    single = win.options["single"]
    if single == "pair_wait":
        return int(is_won_on_pair(reading))
    if single == "four_open_melds":
        return int([meld.kind is MeldKind.KONG_CONCEALED for meld in win.melds] == [False] * 4)
    return 2 if single == "both_rows" else 1


def is_pure(win: Win) -> bool:
    """Whether all tiles are of one suit, or honours where the house counts these alike (HB-26)."""
    if win.sizes[3] == 0:
        return win.suits_held == 1
    return win.options["all_honors"] == "pure" and win.suits_held == 0


def suit_multiplies(win: Win, reading: HandReading) -> bool:
    """Whether a suit row stands beside the shape: in seven pairs only with quads (HB-12, HB-13)."""
    return reading.shape == "standard" or bool(count_quads_in_pairs(reading) and not win.on("luxury_no_suit"))


def pure_one_suit(win: Win, reading: HandReading) -> int:
    return int(is_pure(win) and suit_multiplies(win, reading))


def mixed_one_suit(win: Win, reading: HandReading) -> int:
    return int(suit_multiplies(win, reading))


def one_dragon(win: Win, reading: HandReading) -> int:
    return int(len(find_straight(reading)) > 0)


def flower_dragon(win: Win, reading: HandReading) -> int:
    starts = {g.tile.index for g in reading.sequences}
    return int(any(map(starts.issuperset, FLOWER_DRAGONS)))


def seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and not is_pure(win) and not is_half_flush(win, reading))


def mixed_seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and is_half_flush(win, reading))


def pure_seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and is_pure(win))


def self_draw(win: Win, reading: HandReading) -> int:
    return int(win.on("self_draw_x2"))


def dealer_loss(win: Win, payer: int) -> int:
    return int(win.on("dealer_loss_x2"))


DEALER_WIN = Pattern(
    id="dealer_win",
    name="Dealer Win",
    name_zh="庄家",
    value=2,
    count=count_once,
    table="hand",
    meaning="The dealer wins.",
    meaning_zh="庄家胡牌。",
    ruling="HB-10",
    when=lambda o: o.by_dealer,
)
ALL_PUNGS = Pattern(
    id="all_pungs",
    name="All Pungs",
    name_zh="碰碰胡",
    value=3,
    count=count_once,
    table="hand",
    meaning="Four pungs or kongs and a pair.",
    meaning_zh="四副刻子或杠加一对将。",
    ruling="HB-05",
    shape="standard",
    when=lambda o: o.pungs == 4,
)
ROBBING_A_KONG = Pattern(
    id="robbing_a_kong",
    name="Robbing a Kong",
    name_zh="抢杠胡",
    value=2,
    count=count_once,
    table="hand",
    meaning="A win on a tile that another player adds to a pung.",
    meaning_zh="胡他家补杠的牌。",
    ruling="HB-10",
    when=lambda o: o.robbed,
)
PATTERNS = (
    DEALER_WIN,
    ALL_PUNGS,
    Pattern(
        id="closed_hand",
        name="Closed Hand",
        name_zh="门清",
        value=2,
        count=closed_hand,
        table="hand",
        meaning=(
            "Nothing was claimed before the win; concealed"
            " kongs do not open a hand, and the win may be on a"
            " discard. Not in seven pairs and Thirteen Orphans."
        ),
        meaning_zh="胡牌前没有吃、碰、明杠；暗杠不算破门清，点炮胡也计。七对与十三幺不计。",
        ruling="HB-15",
        when=lambda o: o.closed,
    ),
    ROBBING_A_KONG,
    Pattern(
        id="kong_drawn_win",
        name="Kong-Drawn Win",
        name_zh="杠上开花",
        value=2,
        count=count_once,
        table="hand",
        meaning="A win on the tile drawn after a kong.",
        meaning_zh="胡开杠后补进的牌。",
        ruling="HB-21",
        situation="replacement",
    ),
    Pattern(
        id="single_hanging_tile",
        name="Single Hanging Tile",
        name_zh="大吊车",
        value=2,
        count=single_hanging_tile,
        table="hand",
        meaning="Only one kind of tile could complete the hand. Not in seven pairs and Thirteen Orphans.",
        meaning_zh="只听一种牌。七对与十三幺不计。",
        ruling="HB-07",
        when=lambda o: o.one_wait,
    ),
    Pattern(
        id="pure_one_suit",
        name="Pure One Suit",
        name_zh="清一色",
        value=3,
        count=pure_one_suit,
        table="hand",
        meaning="Tiles of one suit only. In seven pairs only beside a luxurious row.",
        meaning_zh="只有一门花色，无字牌。七对中只与豪华各项同计。",
        ruling="HB-26",
        when=lambda o: o.suits <= 1,
    ),
    Pattern(
        id="mixed_one_suit",
        name="Mixed One Suit",
        name_zh="混一色",
        value=2,
        count=mixed_one_suit,
        table="hand",
        meaning="Tiles of one suit, and honours. In seven pairs only beside a luxurious row.",
        meaning_zh="一门花色加字牌。七对中只与豪华各项同计。",
        ruling="HB-26",
        when=lambda o: o.suits == 1 and o.honors,
    ),
    Pattern(
        id="one_dragon",
        name="One Dragon",
        name_zh="一条龙",
        value=2,
        count=one_dragon,
        table="hand",
        meaning="Sequences 123, 456 and 789 of one suit, claimed or not.",
        meaning_zh="同一花色的123、456、789三副顺子，吃进的也算。",
        ruling="HB-27",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
    Pattern(
        id="flower_dragon",
        name="Flower Dragon",
        name_zh="花龙",
        value=5,
        count=flower_dragon,
        table="hand",
        meaning="Sequences 123, 456 and 789, each in another suit, claimed or not.",
        meaning_zh="三门花色各一副，合成123、456、789的顺子，吃进的也算。",
        ruling="HB-27",
        shape="standard",
        when=lambda o: o.sequences >= 3 and o.suits == 3,
    ),
    Pattern(
        id="self_draw",
        name="Self-Draw",
        name_zh="自摸",
        value=2,
        count=self_draw,
        table="hand",
        meaning="By a house rule: a win on a drawn tile.",
        meaning_zh="按本桌的选项：自摸胡牌。",
        ruling="HB-30",
        when=lambda o: o.self_drawn,
    ),
    Pattern(
        id="seven_pairs",
        name="Seven Pairs",
        name_zh="七对",
        value=2,
        count=seven_pairs,
        table="pairs",
        meaning="Seven different pairs of more than one suit.",
        meaning_zh="七个不同的对子，不止一门花色。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="mixed_seven_pairs",
        name="Mixed Seven Pairs",
        name_zh="混七对",
        value=4,
        count=mixed_seven_pairs,
        table="pairs",
        meaning="Seven different pairs of one suit and honours.",
        meaning_zh="七个不同的对子，由一门花色和字牌组成。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="pure_seven_pairs",
        name="Pure Seven Pairs",
        name_zh="清七对",
        value=5,
        count=pure_seven_pairs,
        table="pairs",
        meaning="Seven different pairs of one suit.",
        meaning_zh="七个不同的对子，只有一门花色。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="luxurious_seven_pairs",
        name="Luxurious Seven Pairs",
        name_zh="豪华七对",
        value=8,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 1),
        table="pairs",
        meaning="Seven pairs with four equal tiles once.",
        meaning_zh="七对中有一组四张相同。",
        ruling="HB-13",
        shape="seven_pairs",
    ),
    Pattern(
        id="double_luxurious_seven_pairs",
        name="Double Luxurious Seven Pairs",
        name_zh="双豪华七对",
        value=16,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 2),
        table="pairs",
        meaning="Seven pairs with four equal tiles twice.",
        meaning_zh="七对中有两组四张相同。",
        ruling="HB-08",
        shape="seven_pairs",
    ),
    Pattern(
        id="triple_luxurious_seven_pairs",
        name="Triple Luxurious Seven Pairs",
        name_zh="三豪华七对",
        value=32,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 3),
        table="pairs",
        meaning="Seven pairs with four equal tiles three times.",
        meaning_zh="七对中有三组四张相同。",
        ruling="HB-08",
        shape="seven_pairs",
    ),
    Pattern(
        id="thirteen_orphans",
        name="Thirteen Orphans",
        name_zh="十三幺",
        value=10,
        count=count_once,
        table="special",
        meaning="One each of the ones, nines and honours, and one of them twice.",
        meaning_zh="幺九牌与字牌十三种各一张，其中一种成对。",
        ruling="HB-11",
        shape="thirteen_orphans",
    ),
)
DEALER_LOSS = PayerPattern(
    id="dealer_loss",
    name="Dealer Loss",
    name_zh="庄家输",
    value=2,
    count=dealer_loss,
    meaning="By a house rule: what a dealer who loses pays.",
    meaning_zh="按本桌的选项：庄家输时所付的分数。",
    ruling="HB-18",
    when=lambda o: o.of_dealer,
)
PAYS_FOR_ALL = ComputedRow(
    id="pays_for_all",
    name="Pays for All",
    name_zh="包付",
    value=1,
    meaning=(
        "By a house rule: one"
        " player pays the shares of all; the value is how many"
        " times the hand's these come to."
    ),
    meaning_zh="按本桌的选项：一人付清各家应付的份；数值为各份合计是牌型倍数的几倍。",
    ruling="HB-17",
)
KONGS = {
    MeldKind.KONG_CONCEALED: ComputedRow(
        id="concealed_kong", name="Concealed Kong", name_zh="暗杠", value=2,
        meaning="Each other player pays for a concealed kong, whoever wins, and even if nobody does.",
        meaning_zh="暗杠由其他各家支付，无论谁胡牌，荒庄也付。", ruling="HB-19",
    ),
    MeldKind.KONG_DISCARD: ComputedRow(
        id="exposed_kong", name="Exposed Kong", name_zh="放杠", value=2,
        meaning="The player who discarded the fourth tile pays for a kong claimed with it, whoever wins.",
        meaning_zh="明杠由放杠者一家支付，无论谁胡牌，荒庄也付。", ruling="HB-20",
    ),
    MeldKind.KONG_ADDED: ComputedRow(
        id="added_kong", name="Added Kong", name_zh="补杠", value=1,
        meaning=(
            "Each other player pays for a kong added to a"
            " pung; a robbed one is none and is not declared."
        ),
        meaning_zh="补杠由其他各家支付；被抢的杠不成立，不计。", ruling="HB-19",
    ),
}  # fmt: skip
"""What is paid for kongs beside the win: by each payer, times the base and the unit of the stakes."""
