"""The scoring rows of Hefei, and how each is found in a win or a reading."""

from __future__ import annotations

from companion.rules.facts import always, concealed_kongs, pairs_quads, won_on_a_pair
from companion.rules.rule_set import Pattern
from companion.rules.win import GroupKind, Reading, Win
from companion.tiles import KINDS, Suit

SUIT_MIN = 8
"""Tiles of one suit without which no hand wins (HF-08)."""
SUITS = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)


def suit_sizes(win: Win) -> tuple[int, ...]:
    """How many tiles of m, p and s the player has, melds included (HF-08)."""
    if not win.on("kong_counts_3"):
        return win.sizes[:3]
    kongs = [meld.tiles[0].suit for meld in win.melds if meld.kind.is_kong]
    return tuple(size - kongs.count(suit) for size, suit in zip(win.sizes, SUITS, strict=False))


def winning(win: Win, reading: Reading) -> int:
    return int(win.number("win_row") != 0)


def suit_bonus(win: Win, reading: Reading) -> int:
    return max(suit_sizes(win)) - SUIT_MIN


def single_wait(win: Win, reading: Reading) -> int:
    return int(len(win.waits) == 1 and not (win.on("single_excludes_pair") and won_on_a_pair(reading)))


def same_number(win: Win, reading: Reading) -> int:
    threshold = win.number("same_threshold")
    extra = [found - threshold for found in win.ranks if found > threshold]
    return max(extra, default=0) if win.on("same_best_rank_only") else sum(extra)


def ten_identical(win: Win, reading: Reading) -> int:
    return int(max(win.ranks) >= win.number("ten_strict"))


def pungs(win: Win, reading: Reading) -> int:
    kongs_too = win.on("kong_is_pung")
    return sum([kongs_too or g.kind is GroupKind.TRIPLET for g in reading.concealed_pungs])


def four_of_a_kind(win: Win, reading: Reading) -> int:
    if win.on("four_not_in_luxury") and pairs_quads(reading) is not None:
        return 0
    if win.on("four_concealed_only"):
        return sum([counts.count(4) for counts in win.hand.suits])
    return win.hand.total.count(4) - sum([meld.kind.is_kong for meld in win.melds])


def four_concealed(win: Win, reading: Reading) -> int:
    return int(len(reading.concealed_pungs) == 4)


def three_consecutive(win: Win, reading: Reading) -> int:
    if len(reading.concealed_pungs) < 3:
        return 0
    tiles = {g.tile for g in reading.concealed_pungs}
    if win.on("consecutive_any_suit"):
        ranks = {tile.rank for tile in tiles}
        return int(any({rank + 1, rank + 2} <= ranks for rank in ranks))
    return int(any({KINDS[tile.index + 1], KINDS[tile.index + 2]} <= tiles for tile in tiles))


def drawn_doubles(win: Win, reading: Reading) -> int:
    """Pairs of equal sequences that drawn sequences form among themselves (HF-14)."""
    kept = win.on("visible_if_completed_by_win")
    drawn = tuple([g for g in reading.sequences if g.concealed and not (kept and g.won)])
    every = len(drawn) == len(reading.sequences)
    return reading.twin_sequences if every else Reading(reading.shape, drawn).twin_sequences


def visible_double_sequences(win: Win, reading: Reading) -> int:
    every = reading.twin_sequences
    return every and every - drawn_doubles(win, reading)


def concealed_double_sequences(win: Win, reading: Reading) -> int:
    return reading.twin_sequences and drawn_doubles(win, reading)


def double_concealed_double(win: Win, reading: Reading) -> int:
    return int(reading.twin_sequences == 2 == drawn_doubles(win, reading))


def earthly(win: Win, reading: Reading) -> int:
    drawn = win.self_drawn or win.on("earth_includes_discard")
    return int(drawn)


def kong_draw(win: Win, reading: Reading) -> int:
    return int(win.on("kong_draw_x2"))


GENERAL = (
    Pattern(
        "winning_a_hand", "Winning a Hand", "胡牌", 15, winning, "general",
        "Every win.", "凡胡牌。", "HF-09",
    ),
    Pattern(
        "suit_bonus", "Suit Bonus", "支", 1, suit_bonus, "general",
        "Each tile over eight of the largest suit, melds included.",
        "最多的一门花色超过八张，每多一张。", "HF-20",
    ),
    Pattern(
        "single_wait", "Single Wait", "卡", 1, single_wait, "general",
        "Only one kind of tile could complete the hand.", "只听一种牌。", "HF-12",
    ),
    Pattern(
        "same_number", "Same Number Bonus", "同", 1, same_number, "general",
        "Each tile over four of one rank, all suits and melds together.",
        "同点数的牌超过四张，每多一张（不分花色）。", "HF-10",
    ),
    Pattern(
        "concealed_pung", "Concealed Pung", "坎", 1, pungs, "general",
        "Each pung of drawn tiles in the hand.", "手中每副暗刻。", "HF-13",
    ),
    Pattern(
        "double_sequences_visible", "Double Sequences (Visible)",
        "明双铺子", 2, visible_double_sequences, "general",
        "Two equal sequences, one of them completed by the winning discard.",
        "两副相同顺子，其中一副由点炮牌补成。", "HF-14",
    ),
    Pattern(
        "double_sequences_concealed", "Double Sequences (Concealed)",
        "暗双铺子", 4, concealed_double_sequences,
        "general", "Two equal sequences of drawn tiles.", "两副相同顺子，全为自摸之牌。", "HF-14",
    ),
    Pattern(
        "two_suits_only", "Two Suits Only",
        "缺门", 2, lambda win, _: int(win.suits_held == 2), "general",
        "Tiles of exactly two suits.", "只有两门花色。", "HF-21",
    ),
    Pattern(
        "concealed_kong", "Concealed Kong", "暗杠", 4, concealed_kongs, "general",
        "Each concealed kong.", "每副暗杠。", "HF-13",
    ),
    Pattern(
        "four_of_a_kind", "Four of a Kind Bonus", "活", 4, four_of_a_kind, "general",
        "Each kind of which all four tiles are owned without a kong.",
        "四张相同的牌而未开杠，每种。", "HF-17",
    ),
)  # fmt: skip
SPECIAL = (
    Pattern(
        "seven_pairs", "Seven Pairs",
        "七对", 10, lambda _, reading: int(pairs_quads(reading) == 0), "special",
        "Seven different pairs.", "七个不同的对子。", "HF-18", shape="seven_pairs",
    ),
    Pattern(
        "luxury_seven_pairs", "Luxury Seven Pairs",
        "豪华七对", 50, lambda _, reading: int(pairs_quads(reading) == 1),
        "special", "Seven pairs with four equal tiles once.", "七对中有一组四张相同。", "HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        "double_luxury_seven_pairs", "Double Luxury Seven Pairs", "双豪华七对", 100,
        lambda _, reading: int((pairs_quads(reading) or 0) >= 2),
        "special", "Seven pairs with four equal tiles twice or more.",
        "七对中有两组或以上四张相同。", "HF-18", shape="seven_pairs",
    ),
    Pattern(
        "sea_floor", "Sea Floor Win",
        "海捞胡牌", 15, always, "special",
        "A win on one of the last four tiles drawn.", "在海捞区（最后四张）胡牌。", "HF-06",
        situation="sea_floor",
    ),
    Pattern(
        "pure_suit", "Pure Suit", "清一色", 100, lambda win, _: int(win.suits_held == 1), "special",
        "Tiles of one suit only.", "只有一门花色。", "HF-21",
    ),
    Pattern(
        "three_consecutive_pungs", "Three Consecutive Pungs", "三连坎", 100, three_consecutive, "special",
        "Concealed pungs or kongs of three ranks in a row in one suit.",
        "同门三副点数相连的暗刻或暗杠。", "HF-16",
    ),
    Pattern(
        "four_concealed_pungs", "Four Concealed Pungs", "四暗刻", 100, four_concealed, "special",
        "Four concealed pungs or kongs and a pair.", "四副暗刻或暗杠加一对将。", "HF-13",
    ),
    Pattern(
        "ten_identical", "Ten Identical Tiles", "十同", 100, ten_identical, "special",
        "Ten or more tiles of one rank, all suits and melds together.",
        "同点数的牌有十张或以上（不分花色）。", "HF-11",
    ),
    Pattern(
        "double_concealed_double_sequences", "Double Concealed Double Sequences", "双暗双铺子", 100,
        double_concealed_double, "special", "Two concealed Double Sequences.", "两副暗双铺子。", "HF-15",
        replaces=("double_sequences_concealed",),
    ),
    Pattern(
        "heavenly_win", "Heavenly Win",
        "天胡", 200, always, "special",
        "The dealer wins with the dealt tiles.", "庄家起手即胡。", "HF-23", situation="heavenly",
    ),
    Pattern(
        "earthly_win", "Earthly Win", "地胡", 150, earthly, "special",
        "Another player wins on the first draw, before any claim or kong.",
        "闲家首轮自摸即胡，此前无人碰杠。", "HF-22",
        situation="earthly",
    ),
)  # fmt: skip
KONG_DRAW = Pattern(
    "kong_draw", "Kong Draw (doubles)", "杠后开花（翻倍）", 2, kong_draw, "factor",
    "Where the house option kong_draw_x2 is true: a win on the tile drawn after a kong doubles the points.",
    "选项 kong_draw_x2 打开时，杠后开花总嘴数翻倍。", "HF-26",
    situation="replacement",
)  # fmt: skip
