"""The scoring rows of Taiwanese mahjong by family (TW-17), and how each is found in a win or a reading."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.facts import (
    always,
    concealed_kongs,
    full_flush,
    half_flush,
    has_pair_of,
    pungs_of,
    robbed,
    seats_flowers,
    straight,
)
from companion.rules.rule_set import Pattern
from companion.rules.win import DRAGONS, WINDS, GroupKind, Reading, Source, Win
from companion.tiles import KINDS, MeldKind

SPEED_FAST, SPEED_SLOW = 5, 9
"""The most discards for the two rows of early wins (TW-21)."""
SEVEN_PAIRS = frozenset({"seven_pairs_and_a_pung", "seven_pairs_beside_a_pung"})
MELDED_KONGS = (MeldKind.KONG_DISCARD, MeldKind.KONG_ADDED)


def concealed_hand(win: Win, reading: Reading) -> int:
    return int(not win.self_drawn and win.closed)


def fully_concealed(win: Win, reading: Reading) -> int:
    return int(win.self_drawn and win.closed)


def self_draw(win: Win, reading: Reading) -> int:
    return int(win.self_drawn and not win.closed)


def ready(win: Win, reading: Reading) -> int:
    return int(not win.request.situation.isdisjoint({"ready", "immediate_ready"}))


def last_discard(win: Win, reading: Reading) -> int:
    return int(win.request.source is Source.DISCARD)


def last_draw(win: Win, reading: Reading) -> int:
    return int(win.self_drawn)


def won_in_the_middle(win: Win, reading: Reading) -> bool:
    """Whether the winning tile is the middle one of its sequence."""
    won = reading.won
    return won is not None and won.kind is GroupKind.SEQUENCE and win.last is KINDS[won.tile.index + 1]


def single_wait(win: Win, reading: Reading) -> int:
    if len(win.waits) != 1:
        return 0
    both = win.on("wait_stack") or win.on("pure_additive")
    return int(bool(both) or not won_in_the_middle(win, reading))


def closed_wait(win: Win, reading: Reading) -> int:
    return int(len(win.waits) == 1 and won_in_the_middle(win, reading))


def within_5_discards(win: Win, reading: Reading) -> int:
    made = win.request.discards
    return int(made is not None and made <= SPEED_FAST)


def within_10_discards(win: Win, reading: Reading) -> int:
    made = win.request.discards
    if made is None or made <= SPEED_FAST:
        return 0
    return int(made <= SPEED_SLOW + win.on("speed_10_included"))


def all_revealed(win: Win, reading: Reading) -> int:
    return int(len(win.melds) == 5 and MeldKind.KONG_CONCEALED not in [meld.kind for meld in win.melds])


def replacement_win(win: Win, reading: Reading) -> int:
    return int(win.options["preset"] == "common" or win.number("replacement_win") == 1)


def flower_tiles(win: Win, reading: Reading) -> int:
    return seats_flowers(win) if win.on("own_flowers_only") else len(win.request.flowers)


def no_flowers(win: Win, reading: Reading) -> int:
    return int(not win.request.flowers and win.on("flowers"))


def no_honors(win: Win, reading: Reading) -> int:
    return int(not win.sizes[3])


def no_honors_or_flowers(win: Win, reading: Reading) -> int:
    """Not with Full Flush, beside which No Flowers alone is counted (TW-31)."""
    if win.sizes[3] or not no_flowers(win, reading):
        return 0
    return int(win.suits_held > 1 or win.on("pure_additive"))


def all_honors(win: Win, reading: Reading) -> int:
    if win.suits_held:
        return 0
    return int(win.options["preset"] == "common" or win.number("all_honors") == 16)


def concealed_pungs(least: int) -> Callable[[Win, Reading], int]:
    return lambda win, reading: int(len(reading.concealed_pungs) >= least)


def all_triplets(win: Win, reading: Reading) -> int:
    if len(reading.pungs) < 5:
        return 0
    return int(not (win.on("five_implies_triplets") and len(reading.concealed_pungs) == 5))


def melded_kongs(win: Win, reading: Reading) -> int:
    return sum([meld.kind in MELDED_KONGS for meld in win.melds])


def small_sequences(win: Win, reading: Reading) -> int:
    return int(len(reading.sequences) == 5 and bool(win.request.flowers or win.sizes[3]))


def big_sequences(win: Win, reading: Reading) -> int:
    return int(len(reading.sequences) == 5 and not win.request.flowers and not win.sizes[3])


def has_closed_straight(win: Win, reading: Reading) -> bool:
    """Whether 123, 456, 789 of one suit can be had of sequences that are closed (TW-22)."""
    by_discard = win.on("straight_discard_closed")
    closed = [g for g in reading.sequences if g.concealed or (by_discard and g.meld is None)]
    return bool(straight(Reading(reading.shape, tuple(closed))))


def open_straight(win: Win, reading: Reading) -> int:
    return int(bool(straight(reading)) and not has_closed_straight(win, reading))


def closed_straight(win: Win, reading: Reading) -> int:
    return int(bool(straight(reading)) and has_closed_straight(win, reading))


def wind_pungs(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 3:
        return 0
    if win.on("winds_seat_round_only"):
        return pungs_of(reading, {win.request.seat_wind, win.request.round_wind})
    return pungs_of(reading, WINDS)


def little_three_winds(win: Win, reading: Reading) -> int:
    """With the usual table there is no such row, nor does it take the place of its pungs (TW-32)."""
    if win.sizes[3] < 8 or win.options["preset"] == "common":
        return 0
    return int(pungs_of(reading, WINDS) >= 2 and has_pair_of(reading, WINDS))


def big_three_winds(win: Win, reading: Reading) -> int:
    """With the usual table there is no such row, nor does it take the place of its pungs (TW-32)."""
    if win.sizes[3] < 9 or win.options["preset"] == "common":
        return 0
    return int(pungs_of(reading, WINDS) >= 3)


def little_four_winds(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 11:
        return 0
    return int(pungs_of(reading, WINDS) == 3 and has_pair_of(reading, WINDS))


def big_four_winds(win: Win, reading: Reading) -> int:
    return int(win.sizes[3] >= 12 and pungs_of(reading, WINDS) == 4)


def dragon_pungs(win: Win, reading: Reading) -> int:
    return pungs_of(reading, DRAGONS) if win.sizes[3] >= 3 else 0


def little_three_dragons(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 8:
        return 0
    return int(pungs_of(reading, DRAGONS) == 2 and has_pair_of(reading, DRAGONS))


def big_three_dragons(win: Win, reading: Reading) -> int:
    return int(win.sizes[3] >= 9 and pungs_of(reading, DRAGONS) == 3)


def seven_pairs(win: Win, reading: Reading) -> int:
    return int(reading.shape in SEVEN_PAIRS)


GOING_OUT = (
    Pattern(
        "concealed_hand", "Concealed Hand", "门清", 1, concealed_hand, "going_out",
        "A win on another player's tile with nothing claimed before; concealed kongs are allowed.",
        "没有吃、碰、明杠，胡别家的牌（可有暗杠）。", "C-16",
    ),
    Pattern(
        "fully_concealed_hand", "Fully Concealed Hand", "门清不求", 3, fully_concealed, "going_out",
        "A self-drawn win with nothing claimed; it takes the place of Concealed Hand and Self-Draw.",
        "没有吃、碰、明杠而自摸；不另计门清和自摸。", "TW-17",
    ),
    Pattern(
        "self_draw", "Self-Draw", "自摸", 1, self_draw, "going_out",
        "A self-drawn win with something claimed.", "有吃、碰或明杠而自摸。", "TW-17",
    ),
    Pattern(
        "ready", "Ready", "听牌", 1, ready, "going_out",
        "The player had declared a ready hand.", "已报听。", "TW-13",
    ),
    Pattern(
        "immediate_ready", "Immediate Ready Hand", "天听", 10, always, "going_out",
        "A ready hand with the dealt tiles, declared at the first discard, before any claim.",
        "起手即听牌，打第一张牌时报听，此前无人吃碰杠。", "TW-26",
        replaces=("ready",), situation="immediate_ready",
    ),
    Pattern(
        "robbing_the_kong", "Robbing the Kong", "抢杠", 1, robbed, "going_out",
        "A win on the tile that another player adds to a pung.", "胡别家加杠的那张牌。", "C-11",
    ),
    Pattern(
        "last_tile_discard", "Last Tile Win (Discard)", "河底捞鱼", 1, last_discard, "going_out",
        "A win on the last discard, after the last tile of the wall was drawn.",
        "牌墙摸完后，胡最后一张打出的牌。", "TW-10", situation="last_tile",
    ),
    Pattern(
        "last_tile_self_draw", "Last Tile Win (Self-Draw)", "海底捞月", 1, last_draw, "going_out",
        "A self-drawn win on the last tile of the wall.", "自摸牌墙最后一张牌。", "TW-10",
        situation="last_tile",
    ),
    Pattern(
        "single_wait", "Single Wait", "独听", 2, single_wait, "going_out",
        "Only one kind of tile could complete the hand.", "只听一种牌。", "TW-15",
    ),
    Pattern(
        "closed_wait", "Closed Wait", "间听", 2, closed_wait, "going_out",
        "Only one kind of tile could complete the hand, and it is the middle one of its sequence;"
        " it takes the place of Single Wait.",
        "只听一种牌，且为顺子的中间一张；不另计独听。", "TW-15",
    ),
    Pattern(
        "within_5_discards", "Win Within 5 Discards", "五张内速胡", 10, within_5_discards, "going_out",
        "A win when at most five discards were made, the winning one included.",
        "全桌弃牌不超过五张（含所胡之牌）时胡牌。", "TW-21",
    ),
    Pattern(
        "within_10_discards", "Win Within 5-10 Discards", "十张内速胡", 5, within_10_discards, "going_out",
        "A win when six to nine discards were made, the winning one included.",
        "全桌弃牌六至九张（含所胡之牌）时胡牌。", "TW-21",
    ),
    Pattern(
        "all_revealed", "All Revealed", "全求人", 10, all_revealed, "going_out",
        "Five claimed sets, none of them a concealed kong; the wait for the pair is included.",
        "五副牌全部吃、碰、明杠而成，单吊胡牌；不另计独听。", "TW-23",
        replaces=("single_wait",), shape="standard",
    ),
    Pattern(
        "blessing_of_heaven", "Blessing of Heaven", "天胡", 40, always, "going_out",
        "The dealer wins with the dealt tiles.", "庄家起手即胡。", "TW-27",
        replaces=("fully_concealed_hand", "within_5_discards", "within_10_discards"), situation="heavenly",
    ),
    Pattern(
        "blessing_of_earth", "Blessing of Earth", "地胡", 40, always, "going_out",
        "Another player wins on the dealer's first discard.", "闲家胡庄家打出的第一张牌。", "TW-27",
        replaces=("concealed_hand", "within_5_discards", "within_10_discards"), situation="earthly",
    ),
    Pattern(
        "replacement_win", "Replacement Win", "杠上开花", 1, replacement_win, "going_out",
        "Where the house option replacement_win is 1, or preset common: a win on the tile drawn after a kong"
        " or a flower.",
        "选项 replacement_win 为1或 preset 为 common 时：杠后或补花后摸牌胡牌。", "TW-29",
        situation="replacement",
    ),
)  # fmt: skip
FLOWERS = (
    Pattern(
        "flower_tile", "Flower Tile", "花牌", 1, flower_tiles, "flowers",
        "Each flower or season.", "每张花牌。", "TW-25",
    ),
    Pattern(
        "no_flowers", "No Flowers", "无花", 1, no_flowers, "flowers",
        "Neither flower nor season.", "没有花牌。", "TW-31",
    ),
)  # fmt: skip
SUITS = (
    Pattern(
        "no_honors", "No Honours", "无字", 1, no_honors, "suits",
        "No wind and no dragon.", "没有字牌。", "TW-31",
    ),
    Pattern(
        "no_honors_or_flowers", "No Honours or Flowers", "无字无花", 3, no_honors_or_flowers, "suits",
        "No wind, dragon, flower or season, in more than one suit.",
        "没有字牌，也没有花牌（清一色时只计无花）。", "TW-31",
        replaces=("no_honors", "no_flowers"),
    ),
    Pattern(
        "half_flush", "Half Flush", "混一色", 10, half_flush, "suits",
        "Tiles of one suit, and honours.", "只有一门花色和字牌。", "TW-17",
    ),
    Pattern(
        "full_flush", "Full Flush", "清一色", 40, full_flush, "suits",
        "Tiles of one suit only.", "只有一门花色，没有字牌。", "TW-31",
        replaces=("no_honors",),
    ),
    Pattern(
        "all_honors", "All Honours", "字一色", 16, all_honors, "suits",
        "Where the house option all_honors is 16, or preset common: winds and dragons only.",
        "选项 all_honors 为16或 preset 为 common 时：全部为字牌。", "TW-30",
    ),
)  # fmt: skip
PUNGS = (
    Pattern(
        "two_concealed_pungs", "Two Concealed Pungs", "两暗刻", 2, concealed_pungs(2), "pungs",
        "Two concealed triplets or kongs.", "两副暗刻或暗杠。", "TW-18", shape="standard",
    ),
    Pattern(
        "three_concealed_pungs", "Three Concealed Triplets", "三暗刻", 5, concealed_pungs(3), "pungs",
        "Three concealed triplets or kongs.", "三副暗刻或暗杠。", "TW-18",
        replaces=("two_concealed_pungs",), shape="standard",
    ),
    Pattern(
        "four_concealed_pungs", "Four Concealed Triplets", "四暗刻", 10, concealed_pungs(4), "pungs",
        "Four concealed triplets or kongs.", "四副暗刻或暗杠。", "TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs"), shape="standard",
    ),
    Pattern(
        "five_concealed_pungs", "Five Concealed Pungs", "五暗刻", 40, concealed_pungs(5), "pungs",
        "Five concealed triplets or kongs.", "五副暗刻或暗杠。", "TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs", "four_concealed_pungs"), shape="standard",
    ),
    Pattern(
        "all_triplets", "All Triplets", "对对胡", 10, all_triplets, "pungs",
        "Five triplets or kongs.", "五副刻子或杠子。", "TW-18", shape="standard",
    ),
)  # fmt: skip
KONGS = (
    Pattern(
        "melded_kong", "Melded Kong", "明杠", 1, melded_kongs, "kongs",
        "Each kong of a discard or of a pung and a drawn tile.", "每副明杠（含加杠）。", "TW-20",
        shape="standard",
    ),
    Pattern(
        "concealed_kong", "Concealed Kong", "暗杠", 2, concealed_kongs, "kongs",
        "Each concealed kong.", "每副暗杠。", "TW-20", shape="standard",
    ),
)  # fmt: skip
CHOWS = (
    Pattern(
        "all_sequences_small", "All Sequences (Small)", "小平胡", 3, small_sequences, "chows",
        "Five sequences, with a flower or a pair of honours.", "五副顺子，有花牌或以字牌作将。", "TW-16",
        shape="standard",
    ),
    Pattern(
        "all_sequences_big", "All Sequences (Big)", "大平胡", 10, big_sequences, "chows",
        "Five sequences, without honours and flowers.", "五副顺子，无字无花。", "TW-16",
        replaces=("no_honors", "no_flowers", "no_honors_or_flowers"), shape="standard",
    ),
    Pattern(
        "full_straight_open", "Full Straight (Open)", "外龙", 5, open_straight, "chows",
        "123, 456, 789 of one suit, one of them claimed or completed by another player's tile.",
        "同门123、456、789，其中有吃出或由别家牌补成的。", "TW-22", shape="standard",
    ),
    Pattern(
        "full_straight_closed", "Full Straight (Closed)", "内龙", 10, closed_straight, "chows",
        "123, 456, 789 of one suit, all of drawn tiles.", "同门123、456、789，全为自摸之牌。", "TW-22",
        shape="standard",
    ),
)  # fmt: skip
WIND_ROWS = (
    Pattern(
        "pung_of_winds", "Pung of Winds", "风牌", 1, wind_pungs, "winds",
        "Each pung or kong of winds.", "每副风牌刻子或杠子。", "TW-19", shape="standard",
    ),
    Pattern(
        "little_three_winds", "Little Three Winds", "小三风", 5, little_three_winds, "winds",
        "Two pungs of winds and a pair of winds.", "两副风牌刻子加一对风牌。", "TW-19",
        replaces=("pung_of_winds",), shape="standard",
    ),
    Pattern(
        "big_three_winds", "Big Three Winds", "大三风", 10, big_three_winds, "winds",
        "Three pungs of winds.", "三副风牌刻子。", "TW-19",
        replaces=("pung_of_winds", "little_three_winds"), shape="standard",
    ),
    Pattern(
        "little_four_winds", "Little Four Winds", "小四喜", 30, little_four_winds, "winds",
        "Three pungs of winds and a pair of the fourth.", "三副风牌刻子加一对余下的风牌。", "TW-19",
        replaces=("pung_of_winds", "little_three_winds", "big_three_winds"), shape="standard",
    ),
    Pattern(
        "big_four_winds", "Big Four Winds", "大四喜", 40, big_four_winds, "winds",
        "Four pungs of winds.", "四副风牌刻子。", "TW-19",
        replaces=("pung_of_winds", "big_three_winds"), shape="standard",
    ),
)  # fmt: skip
DRAGON_ROWS = (
    Pattern(
        "pung_of_dragons", "Pung of Dragons", "三元牌", 1, dragon_pungs, "dragons",
        "Each pung or kong of dragons.", "每副三元牌刻子或杠子。", "TW-17", shape="standard",
    ),
    Pattern(
        "little_three_dragons", "Little Three Dragons", "小三元", 10, little_three_dragons, "dragons",
        "Two pungs of dragons and a pair of the third.", "两副三元牌刻子加一对余下的三元牌。", "TW-17",
        replaces=("pung_of_dragons",), shape="standard",
    ),
    Pattern(
        "big_three_dragons", "Big Three Dragons", "大三元", 30, big_three_dragons, "dragons",
        "Three pungs of dragons.", "三副三元牌刻子。", "TW-17",
        replaces=("pung_of_dragons",), shape="standard",
    ),
)  # fmt: skip
SPECIAL = (
    Pattern(
        "seven_pairs_and_a_pung", "Seven Pairs and a Pung", "七对加一刻", 30, seven_pairs, "special",
        "Seven pairs and a triplet in the hand; four equal tiles may be two pairs.",
        "手中七个对子加一副刻子，四张相同可作两对。", "TW-28",
    ),
)  # fmt: skip
FLOWER_WINS = (
    Pattern(
        "all_flowers", "All Flowers", "八仙过海", 30, always, "special",
        "All eight flowers and seasons; nothing else scores.", "集齐八张花牌；不计其他台。", "TW-24",
        situation="all_flowers",
    ),
    Pattern(
        "seven_flowers_robbing", "7 Flowers and Robbing", "七抢一", 20, always, "special",
        "Seven flowers and seasons, and another player's eighth; nothing else scores.",
        "已有七张花牌，抢别家摸到的第八张；不计其他台。", "TW-24", situation="seven_flowers_robbing",
    ),
)  # fmt: skip
ROWS = (
    *GOING_OUT, *FLOWERS, *SUITS, *PUNGS, *KONGS, *CHOWS, *WIND_ROWS, *DRAGON_ROWS, *SPECIAL, *FLOWER_WINS,
)  # fmt: skip
COMMON_VALUES = {
    "concealed_hand": 1, "fully_concealed_hand": 3, "self_draw": 1, "ready": 1, "immediate_ready": 8,
    "robbing_the_kong": 1, "last_tile_discard": 1, "last_tile_self_draw": 1, "single_wait": 1,
    "closed_wait": 1, "all_revealed": 2, "blessing_of_heaven": 24, "blessing_of_earth": 8,
    "replacement_win": 1, "flower_tile": 1, "half_flush": 4, "full_flush": 8, "all_honors": 16,
    "three_concealed_pungs": 2, "four_concealed_pungs": 5, "five_concealed_pungs": 8, "all_triplets": 4,
    "all_sequences_big": 2, "pung_of_winds": 1, "little_four_winds": 8, "big_four_winds": 16,
    "pung_of_dragons": 1, "little_three_dragons": 4, "big_three_dragons": 8, "all_flowers": 8,
    "seven_flowers_robbing": 8,
}  # fmt: skip
"""What the rows are worth each time in the usual Taiwanese table (TW-32), that of pocket.funclub.com.tw/rule.

It is told by what a row asks for: a win on the dealer's first discard is that table's 人胡, and a hand ready
as dealt its 地聽.
"""
COMMON_VALUES_OF_THE_DEALER = COMMON_VALUES | {"immediate_ready": 16}
"""The dealer's hand that is ready as dealt is its 天聽."""
