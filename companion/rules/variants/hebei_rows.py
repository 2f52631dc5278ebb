"""The scoring rows of Hebei, and how each is found in a win or a reading."""

from __future__ import annotations

from itertools import permutations

from companion.rules.facts import always, half_flush, pairs_quads, robbed, straight, won_on_a_pair
from companion.rules.rule_set import Pattern, PayerPattern, Row
from companion.rules.win import Reading, Win
from companion.tiles import MeldKind

FLOWER_DRAGONS = tuple(
    frozenset(range(0, 27, 9)[i] + low for i, low in enumerate(lows)) for lows in permutations((0, 3, 6))
)
"""The lowest tiles of sequences 123, 456, 789 in three suits, in each of the ways."""


def all_pungs(win: Win, reading: Reading) -> int:
    return int(len(reading.pungs) == 4)


def not_inherent(win: Win, reading: Reading) -> bool:
    """Whether the shape leaves room for an open hand and other waits, or the house does not mind (HB-14)."""
    return reading.shape == "standard" or win.on("stack_inherent")


def closed_hand(win: Win, reading: Reading) -> int:
    return int(win.closed and not_inherent(win, reading))


def single_hanging_tile(win: Win, reading: Reading) -> int:
    """Once for the wait on one kind; where the house scores both rows of the table, twice (HB-07)."""
    if len(win.waits) != 1 or not not_inherent(win, reading):
        return 0
    single = win.options["single"]
    if single == "pair_wait":
        return int(won_on_a_pair(reading))
    if single == "four_open_melds":
        return int([meld.kind is MeldKind.KONG_CONCEALED for meld in win.melds] == [False] * 4)
    return 2 if single == "both_rows" else 1


def is_pure(win: Win) -> bool:
    """Whether all tiles are of one suit, or honours where the house counts these alike (HB-26)."""
    if win.sizes[3] == 0:
        return win.suits_held == 1
    return win.options["all_honors"] == "pure" and win.suits_held == 0


def suit_multiplies(win: Win, reading: Reading) -> bool:
    """Whether a suit row stands beside the shape: in seven pairs only with quads (HB-12, HB-13)."""
    return reading.shape == "standard" or bool(pairs_quads(reading) and not win.on("luxury_no_suit"))


def pure_one_suit(win: Win, reading: Reading) -> int:
    return int(is_pure(win) and suit_multiplies(win, reading))


def mixed_one_suit(win: Win, reading: Reading) -> int:
    return int(half_flush(win, reading) and suit_multiplies(win, reading))


def one_dragon(win: Win, reading: Reading) -> int:
    return int(len(straight(reading)) > 0)


def flower_dragon(win: Win, reading: Reading) -> int:
    if len(reading.sequences) < 3:
        return 0
    starts = {g.tile.index for g in reading.sequences}
    return int(any(map(starts.issuperset, FLOWER_DRAGONS)))


def seven_pairs(win: Win, reading: Reading) -> int:
    return int(pairs_quads(reading) == 0 and not is_pure(win) and not half_flush(win, reading))


def mixed_seven_pairs(win: Win, reading: Reading) -> int:
    return int(pairs_quads(reading) == 0 and half_flush(win, reading))


def pure_seven_pairs(win: Win, reading: Reading) -> int:
    return int(pairs_quads(reading) == 0 and is_pure(win))


def self_draw(win: Win, reading: Reading) -> int:
    return int(win.self_drawn and win.on("self_draw_x2"))


def dealer_loss(win: Win, payer: int) -> int:
    return int(payer == win.request.dealer and win.on("dealer_loss_x2"))


DEALER_WIN = Pattern(
    "dealer_win", "Dealer Win", "庄家", 2, lambda win, _: int(win.by_dealer), "hand",
    "The dealer wins.", "庄家胡牌。", "HB-10",
)  # fmt: skip
ALL_PUNGS = Pattern(
    "all_pungs", "All Pungs", "碰碰胡", 3, all_pungs, "hand",
    "Four pungs or kongs and a pair.", "四副刻子或杠加一对将。", "HB-05", shape="standard",
)  # fmt: skip
ROBBING_A_KONG = Pattern(
    "robbing_a_kong", "Robbing a Kong", "抢杠胡", 2, robbed, "hand",
    "A win on a tile that another player adds to a pung.", "胡他家补杠的牌。", "HB-10",
)  # fmt: skip
PATTERNS = (
    DEALER_WIN,
    ALL_PUNGS,
    Pattern(
        "closed_hand", "Closed Hand", "门清", 2, closed_hand, "hand",
        "Nothing was claimed before the win; concealed kongs do not open a hand, and the win may be on a"
        " discard. Not in seven pairs and Thirteen Orphans.",
        "胡牌前没有吃、碰、明杠；暗杠不算破门清，点炮胡也计。七对与十三幺不计。", "HB-15",
    ),
    ROBBING_A_KONG,
    Pattern(
        "kong_drawn_win", "Kong-Drawn Win", "杠上开花", 2, always, "hand",
        "A win on the tile drawn after a kong.", "胡开杠后补进的牌。", "HB-21", situation="replacement",
    ),
    Pattern(
        "single_hanging_tile", "Single Hanging Tile", "大吊车", 2, single_hanging_tile, "hand",
        "Only one kind of tile could complete the hand. Not in seven pairs and Thirteen Orphans.",
        "只听一种牌。七对与十三幺不计。", "HB-07",
    ),
    Pattern(
        "pure_one_suit", "Pure One Suit", "清一色", 3, pure_one_suit, "hand",
        "Tiles of one suit only. In seven pairs only beside a luxurious row.",
        "只有一门花色，无字牌。七对中只与豪华各项同计。", "HB-26",
    ),
    Pattern(
        "mixed_one_suit", "Mixed One Suit", "混一色", 2, mixed_one_suit, "hand",
        "Tiles of one suit, and honours. In seven pairs only beside a luxurious row.",
        "一门花色加字牌。七对中只与豪华各项同计。", "HB-26",
    ),
    Pattern(
        "one_dragon", "One Dragon", "一条龙", 2, one_dragon, "hand",
        "Sequences 123, 456 and 789 of one suit, claimed or not.",
        "同一花色的123、456、789三副顺子，吃进的也算。", "HB-27", shape="standard",
    ),
    Pattern(
        "flower_dragon", "Flower Dragon", "花龙", 5, flower_dragon, "hand",
        "Sequences 123, 456 and 789, each in another suit, claimed or not.",
        "三门花色各一副，合成123、456、789的顺子，吃进的也算。", "HB-27", shape="standard",
    ),
    Pattern(
        "self_draw", "Self-Draw", "自摸", 2, self_draw, "hand",
        "Where the house option self_draw_x2 is true: a win on a drawn tile.",
        "选项 self_draw_x2 打开时，自摸胡牌。", "HB-30",
    ),
    Pattern(
        "seven_pairs", "Seven Pairs", "七对", 2, seven_pairs, "pairs",
        "Seven different pairs of more than one suit.", "七个不同的对子，不止一门花色。", "HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        "mixed_seven_pairs", "Mixed Seven Pairs", "混七对", 4, mixed_seven_pairs, "pairs",
        "Seven different pairs of one suit and honours.", "七个不同的对子，由一门花色和字牌组成。", "HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        "pure_seven_pairs", "Pure Seven Pairs", "清七对", 5, pure_seven_pairs, "pairs",
        "Seven different pairs of one suit.", "七个不同的对子，只有一门花色。", "HB-12", shape="seven_pairs",
    ),
    Pattern(
        "luxurious_seven_pairs", "Luxurious Seven Pairs", "豪华七对", 8,
        lambda _, reading: int(pairs_quads(reading) == 1), "pairs",
        "Seven pairs with four equal tiles once.", "七对中有一组四张相同。", "HB-13", shape="seven_pairs",
    ),
    Pattern(
        "double_luxurious_seven_pairs", "Double Luxurious Seven Pairs", "双豪华七对", 16,
        lambda _, reading: int(pairs_quads(reading) == 2), "pairs",
        "Seven pairs with four equal tiles twice.", "七对中有两组四张相同。", "HB-08", shape="seven_pairs",
    ),
    Pattern(
        "triple_luxurious_seven_pairs", "Triple Luxurious Seven Pairs", "三豪华七对", 32,
        lambda _, reading: int(pairs_quads(reading) == 3), "pairs",
        "Seven pairs with four equal tiles three times.", "七对中有三组四张相同。", "HB-08",
        shape="seven_pairs",
    ),
    Pattern(
        "thirteen_orphans", "Thirteen Orphans", "十三幺", 10, always, "special",
        "One each of the ones, nines and honours, and one of them twice.",
        "幺九牌与字牌十三种各一张，其中一种成对。", "HB-11", shape="thirteen_orphans",
    ),
)  # fmt: skip
DEALER_LOSS = PayerPattern(
    "dealer_loss", "Dealer Loss", "庄家输", 2, dealer_loss,
    "Where the house option dealer_loss_x2 is true: what the dealer pays.",
    "选项 dealer_loss_x2 打开时，庄家所付的分数。", "HB-18",
)  # fmt: skip
PAYS_FOR_ALL = Row(
    "pays_for_all", "Pays for All", "包付", 1,
    "Where the house option discard is pays_for_all: one player pays the shares of all; the value is how many"
    " times the hand's these come to.",
    "选项 discard 为 pays_for_all 时，一人付清各家应付的份；数值为各份合计是牌型倍数的几倍。", "HB-17",
)  # fmt: skip
KONGS = {
    MeldKind.KONG_CONCEALED: Row(
        "concealed_kong", "Concealed Kong", "暗杠", 2,
        "Each other player pays for a concealed kong, whoever wins, and even if nobody does.",
        "暗杠由其他各家支付，无论谁胡牌，荒庄也付。", "HB-19",
    ),
    MeldKind.KONG_DISCARD: Row(
        "exposed_kong", "Exposed Kong", "放杠", 2,
        "The player who discarded the fourth tile pays for a kong claimed with it, whoever wins.",
        "明杠由放杠者一家支付，无论谁胡牌，荒庄也付。", "HB-20",
    ),
    MeldKind.KONG_ADDED: Row(
        "added_kong", "Added Kong", "补杠", 1,
        "Each other player pays for a kong added to a pung; a robbed one is none and is not declared.",
        "补杠由其他各家支付；被抢的杠不成立，不计。", "HB-19",
    ),
}  # fmt: skip
"""What is paid for kongs beside the win: by each payer, times the base."""
