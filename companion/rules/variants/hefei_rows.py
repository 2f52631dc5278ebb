"""The scoring rows of Hefei, and how each is found in a win or a reading."""

from __future__ import annotations

from companion.rules.building_blocks import (
    count_concealed_kongs,
    count_once,
    count_quads_in_pairs,
    is_won_on_pair,
)
from companion.rules.rule_set import Pattern
from companion.rules.win import HandReading, Win
from companion.tiles import KINDS, Suit

SUIT_MIN = 8
"""Tiles of one suit without which no hand wins (HF-08)."""
KONG_SIZE = 4
TEN = 10
"""The fewest tiles of one rank for Ten Identical Tiles (HF-11)."""
SUITS = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)


def count_suits(win: Win) -> tuple[int, ...]:
    """How many tiles of m, p and s the player has, melds included (HF-08)."""
    kongs = [meld.tiles[0].suit for meld in win.melds if len(meld.tiles) == KONG_SIZE]
    if not kongs or not win.on("kong_counts_3"):
        return win.sizes[:3]
    return tuple(size - kongs.count(suit) for size, suit in zip(win.sizes, SUITS, strict=False))


def winning_a_hand(win: Win, reading: HandReading) -> int:
    return int(win.number("win_row") != 0)


def suit_bonus(win: Win, reading: HandReading) -> int:
    return max(count_suits(win)) - SUIT_MIN


def single_wait(win: Win, reading: HandReading) -> int:
    return int(not (is_won_on_pair(reading) and win.on("single_excludes_pair")))


def same_number(win: Win, reading: HandReading) -> int:
    threshold = win.number("same_threshold")
    if max(win.ranks) <= threshold:
        return 0
    extra = [found - threshold for found in win.ranks if found > threshold]
    return max(extra) if extra[1:] and win.on("same_best_rank_only") else sum(extra)


def ten_identical(win: Win, reading: HandReading) -> int:
    most = max(win.ranks)
    return int(most >= TEN and most >= win.number("ten_strict"))


def pungs(win: Win, reading: HandReading) -> int:
    kongs = count_concealed_kongs(win, reading) if win.melds else 0
    return len(reading.concealed_pungs) - (0 if not kongs or win.on("kong_is_pung") else kongs)


def four_of_a_kind(win: Win, reading: HandReading) -> int:
    found = win.hand.total.count(4)
    if found:
        found -= sum([meld.kind.is_kong for meld in win.melds])
    if not found or (count_quads_in_pairs(reading) is not None and win.on("four_not_in_luxury")):
        return 0
    concealed = sum([counts.count(4) for counts in win.hand.suits])
    return concealed if concealed < found and win.on("four_concealed_only") else found


def three_consecutive(win: Win, reading: HandReading) -> int:
    tiles = {g.tile for g in reading.concealed_pungs}
    if win.on("consecutive_any_suit"):
        ranks = {tile.rank for tile in tiles}
        return int(any({rank + 1, rank + 2} <= ranks for rank in ranks))
    return int(any({KINDS[tile.index + 1], KINDS[tile.index + 2]} <= tiles for tile in tiles))


def count_drawn_doubles(win: Win, reading: HandReading) -> int:
    """Pairs of equal sequences that drawn sequences form among themselves (HF-14)."""
    kept = win.on("visible_if_completed_by_win")
    drawn = tuple([g for g in reading.sequences if g.concealed and not (kept and g.won)])
    every = len(drawn) == len(reading.sequences)
    return reading.twin_sequences if every else HandReading(reading.shape, drawn).twin_sequences


def visible_double_sequences(win: Win, reading: HandReading) -> int:
    every = reading.twin_sequences
    return every and every - count_drawn_doubles(win, reading)


def concealed_double_sequences(win: Win, reading: HandReading) -> int:
    return reading.twin_sequences and count_drawn_doubles(win, reading)


def double_concealed_double(win: Win, reading: HandReading) -> int:
    return int(reading.twin_sequences == 2 == count_drawn_doubles(win, reading))


def earthly_win(win: Win, reading: HandReading) -> int:
    drawn = win.self_drawn or win.on("earth_includes_discard")
    return int(drawn)


def kong_draw(win: Win, reading: HandReading) -> int:
    return int(win.on("kong_draw_x2"))


GENERAL = (
    Pattern(
        id="winning_a_hand",
        name="Winning a Hand",
        name_zh="胡牌",
        value=15,
        count=winning_a_hand,
        table="general",
        meaning="Every win.",
        meaning_zh="凡胡牌。",
        ruling="HF-09",
    ),
    Pattern(
        id="suit_bonus",
        name="Suit Bonus",
        name_zh="支",
        value=1,
        count=suit_bonus,
        table="general",
        meaning="Each tile over eight of the largest suit, melds included.",
        meaning_zh="最多的一门花色超过八张，每多一张。",
        ruling="HF-20",
    ),
    Pattern(
        id="single_wait",
        name="Single Wait",
        name_zh="卡",
        value=1,
        count=single_wait,
        table="general",
        meaning="Only one kind of tile could complete the hand.",
        meaning_zh="只听一种牌。",
        ruling="HF-12",
        when=lambda o: o.one_wait,
    ),
    Pattern(
        id="same_number",
        name="Same Number Bonus",
        name_zh="同",
        value=1,
        count=same_number,
        table="general",
        meaning="Each tile over four of one rank, all suits and melds together.",
        meaning_zh="同点数的牌超过四张，每多一张（不分花色）。",
        ruling="HF-10",
    ),
    Pattern(
        id="concealed_pung",
        name="Concealed Pung",
        name_zh="坎",
        value=1,
        count=pungs,
        table="general",
        meaning="Each pung of drawn tiles in the hand.",
        meaning_zh="手中每副暗刻。",
        ruling="HF-13",
        when=lambda o: o.concealed_pungs > 0,
    ),
    Pattern(
        id="double_sequences_visible",
        name="Double Sequences (Visible)",
        name_zh="明双铺子",
        value=2,
        count=visible_double_sequences,
        table="general",
        meaning="Two equal sequences, one of them completed by the winning discard.",
        meaning_zh="两副相同顺子，其中一副由点炮牌补成。",
        ruling="HF-14",
        when=lambda o: o.sequences >= 2,
    ),
    Pattern(
        id="double_sequences_concealed",
        name="Double Sequences (Concealed)",
        name_zh="暗双铺子",
        value=4,
        count=concealed_double_sequences,
        table="general",
        meaning="Two equal sequences of drawn tiles.",
        meaning_zh="两副相同顺子，全为自摸之牌。",
        ruling="HF-14",
        when=lambda o: o.sequences >= 2,
    ),
    Pattern(
        id="two_suits_only",
        name="Two Suits Only",
        name_zh="缺门",
        value=2,
        count=count_once,
        table="general",
        meaning="Tiles of exactly two suits.",
        meaning_zh="只有两门花色。",
        ruling="HF-21",
        when=lambda o: o.suits == 2,
    ),
    Pattern(
        id="concealed_kong",
        name="Concealed Kong",
        name_zh="暗杠",
        value=4,
        count=count_concealed_kongs,
        table="general",
        meaning="Each concealed kong.",
        meaning_zh="每副暗杠。",
        ruling="HF-13",
        when=lambda o: o.kongs > 0,
    ),
    Pattern(
        id="four_of_a_kind",
        name="Four of a Kind Bonus",
        name_zh="活",
        value=4,
        count=four_of_a_kind,
        table="general",
        meaning="Each kind of which all four tiles are owned without a kong.",
        meaning_zh="四张相同的牌而未开杠，每种。",
        ruling="HF-17",
    ),
)
SPECIAL = (
    Pattern(
        id="seven_pairs",
        name="Seven Pairs",
        name_zh="七对",
        value=10,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 0),
        table="special",
        meaning="Seven different pairs.",
        meaning_zh="七个不同的对子。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="luxury_seven_pairs",
        name="Luxury Seven Pairs",
        name_zh="豪华七对",
        value=50,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 1),
        table="special",
        meaning="Seven pairs with four equal tiles once.",
        meaning_zh="七对中有一组四张相同。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="double_luxury_seven_pairs",
        name="Double Luxury Seven Pairs",
        name_zh="双豪华七对",
        value=100,
        count=lambda _, reading: int((count_quads_in_pairs(reading) or 0) >= 2),
        table="special",
        meaning="Seven pairs with four equal tiles twice or more.",
        meaning_zh="七对中有两组或以上四张相同。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="sea_floor",
        name="Sea Floor Win",
        name_zh="海捞胡牌",
        value=15,
        count=count_once,
        table="special",
        meaning="A win on one of the last four tiles drawn.",
        meaning_zh="在海捞区（最后四张）胡牌。",
        ruling="HF-06",
        situation="sea_floor",
    ),
    Pattern(
        id="pure_suit",
        name="Pure Suit",
        name_zh="清一色",
        value=100,
        count=count_once,
        table="special",
        meaning="Tiles of one suit only.",
        meaning_zh="只有一门花色。",
        ruling="HF-21",
        when=lambda o: o.suits == 1,
    ),
    Pattern(
        id="three_consecutive_pungs",
        name="Three Consecutive Pungs",
        name_zh="三连坎",
        value=100,
        count=three_consecutive,
        table="special",
        meaning="Concealed pungs or kongs of three ranks in a row in one suit.",
        meaning_zh="同门三副点数相连的暗刻或暗杠。",
        ruling="HF-16",
        when=lambda o: o.concealed_pungs >= 3,
    ),
    Pattern(
        id="four_concealed_pungs",
        name="Four Concealed Pungs",
        name_zh="四暗刻",
        value=100,
        count=count_once,
        table="special",
        meaning="Four concealed pungs or kongs and a pair.",
        meaning_zh="四副暗刻或暗杠加一对将。",
        ruling="HF-13",
        when=lambda o: o.concealed_pungs == 4,
    ),
    Pattern(
        id="ten_identical",
        name="Ten Identical Tiles",
        name_zh="十同",
        value=100,
        count=ten_identical,
        table="special",
        meaning="Ten or more tiles of one rank, all suits and melds together.",
        meaning_zh="同点数的牌有十张或以上（不分花色）。",
        ruling="HF-11",
    ),
    Pattern(
        id="double_concealed_double_sequences",
        name="Double Concealed Double Sequences",
        name_zh="双暗双铺子",
        value=100,
        count=double_concealed_double,
        table="special",
        meaning="Two concealed Double Sequences.",
        meaning_zh="两副暗双铺子。",
        ruling="HF-15",
        replaces=("double_sequences_concealed",),
        when=lambda o: o.sequences == 4,
    ),
    Pattern(
        id="heavenly_win",
        name="Heavenly Win",
        name_zh="天胡",
        value=200,
        count=count_once,
        table="special",
        meaning="The dealer wins with the dealt tiles.",
        meaning_zh="庄家起手即胡。",
        ruling="HF-23",
        situation="heavenly",
    ),
    Pattern(
        id="earthly_win",
        name="Earthly Win",
        name_zh="地胡",
        value=150,
        count=earthly_win,
        table="special",
        meaning="Another player wins on the first draw, before any claim or kong.",
        meaning_zh="闲家首轮自摸即胡，此前无人碰杠。",
        ruling="HF-22",
        situation="earthly",
    ),
)
KONG_DRAW = Pattern(
    id="kong_draw",
    name="Kong Draw (doubles)",
    name_zh="杠后开花（翻倍）",
    value=2,
    count=kong_draw,
    table="factor",
    meaning=("By a house rule: a win on the tile drawn after a kong doubles the points."),
    meaning_zh="按本桌的选项：杠后开花总嘴数翻倍。",
    ruling="HF-26",
    situation="replacement",
)
