"""The scoring rows of Hong Kong, and how each is found in a win or a reading."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.facts import (
    always,
    full_flush,
    half_flush,
    has_pair_of,
    pungs_of,
    robbed,
    seats_flowers,
)
from companion.rules.rule_set import Pattern, PayerPattern, Row
from companion.rules.shapes import ORPHANS
from companion.rules.win import DRAGONS, WINDS, Reading, Source, Win
from companion.tiles import Suit, Tile

LIMIT = 64
"""What a special hand is worth, and the most that fan are turned into (HK-09)."""
GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
TERMINALS = tuple(tile for tile in ORPHANS if tile.suit is not Suit.HONORS)
_ENDS = frozenset(tile.index for tile in TERMINALS)


def dragon_pungs(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 3:
        return 0
    small = not win.on("small_dragons_add") and small_dragons(win, reading)
    return 0 if small else pungs_of(reading, DRAGONS)


def seat_wind(win: Win, reading: Reading) -> int:
    return pungs_of(reading, (win.request.seat_wind,)) if win.sizes[3] >= 3 else 0


def round_wind(win: Win, reading: Reading) -> int:
    return pungs_of(reading, (win.request.round_wind,)) if win.sizes[3] >= 3 else 0


def small_dragons(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 8:
        return 0
    return int(pungs_of(reading, DRAGONS) == 2 and has_pair_of(reading, DRAGONS))


def own_flowers(win: Win, reading: Reading) -> int:
    """Of a complete set of four the seat's own is none, unless the house adds it (HK-13)."""
    in_sets = 0 if win.on("flower_set_add") else flower_sets(win, reading)
    return seats_flowers(win) - in_sets


def flower_sets(win: Win, reading: Reading) -> int:
    flowers = win.request.flowers
    if len(flowers) < 4:
        return 0
    first = sum([flower.rank <= 4 for flower in flowers])
    return (first == 4) + (len(flowers) - first == 4)


def no_flowers(win: Win, reading: Reading) -> int:
    return int(not win.request.flowers and win.on("flowers"))


def full_chow(win: Win, reading: Reading) -> int:
    if len(reading.sequences) < 4:
        return 0
    return int(not (win.on("chow_no_honor_pair") and reading.pairs[0].tile.suit is Suit.HONORS))


def full_pung(win: Win, reading: Reading) -> int:
    return int(len(reading.pungs) == 4)


def concealed_hand(win: Win, reading: Reading) -> int:
    return int(win.number("concealed_hand") == 1 and win.closed)


def four_winds(win: Win, reading: Reading) -> int:
    if win.sizes[3] < 11:
        return 0
    winds = pungs_of(reading, WINDS)
    return int(winds == 4 or (winds == 3 and has_pair_of(reading, WINDS)))


def three_scholars(win: Win, reading: Reading) -> int:
    return int(win.sizes[3] >= 9 and pungs_of(reading, DRAGONS) == 3)


def hidden_treasure(win: Win, reading: Reading) -> int:
    if len(reading.pungs) < 4 or len(reading.concealed_pungs) < 4:
        return 0
    return int(win.self_drawn or not win.on("treasure_self_draw"))


def all_honors(win: Win, reading: Reading) -> int:
    return int(win.suits_held == 0)


def all_terminals(win: Win, reading: Reading) -> int:
    if win.on("terminals_any_pair"):
        ends = sum([g.tile.index in _ENDS for g in reading.pungs])
        if ends == 4:
            return 1
    total = win.hand.total
    return int(total[0] + total[8] + total[9] + total[17] + total[18] + total[26] == sum(win.sizes))


def nine_gates(win: Win, reading: Reading) -> int:
    if 14 not in win.hand.sizes[:3]:
        return 0
    suit = win.hand.sizes.index(14)
    if any(have < needed for have, needed in zip(win.hand.suits[suit], GATES, strict=True)):
        return 0
    pure = win.before is not None and win.before.suits[suit] == GATES
    return int(pure or not win.on("nine_gates_pure_wait"))


def all_kongs(win: Win, reading: Reading) -> int:
    return int(len(win.melds) == 4 and all(meld.kind.is_kong for meld in win.melds))


def dragon_suit(suit: Suit, dragon: Tile) -> Callable[[Win, Reading], int]:
    """Three pungs of the suit, one of its dragon, and the pair of the suit (HK-24)."""

    def count(win: Win, reading: Reading) -> int:
        if len(reading.pungs) < 4 or win.sizes[3] < 3:
            return 0
        of_suit = sum([g.tile.suit is suit for g in reading.pungs])
        paired = win.on("dragon_pair_any") or reading.pairs[0].tile.suit is suit
        return int(of_suit == 3 and pungs_of(reading, (dragon,)) and paired)

    return count


def discards(win: Win, payer: int) -> int:
    return int(payer == win.request.discarder)


def east_pays(win: Win, payer: int) -> int:
    return int(win.on("east_double") and win.request.dealer in (payer, win.request.winner))


FAN = (
    Pattern(
        "dragon_pung", "Pung of Dragons", "箭刻", 1, dragon_pungs, "fan",
        "Each pung or kong of dragons, unless it is part of Small Dragons.",
        "每副中、发、白的刻子或杠；计小三元时不计。", "HK-12", shape="standard",
    ),
    Pattern(
        "seat_wind", "Seat Wind", "门风刻", 1, seat_wind, "fan",
        "A pung or kong of the player's own wind.", "自家门风的刻子或杠。", "HK-16", shape="standard",
    ),
    Pattern(
        "round_wind", "Round Wind", "圈风刻", 1, round_wind, "fan",
        "A pung or kong of the wind of the round.", "圈风的刻子或杠。", "HK-16", shape="standard",
    ),
    Pattern(
        "small_dragons", "Small Dragons", "小三元", 4, small_dragons, "fan",
        "Two pungs or kongs of dragons and a pair of the third.",
        "两副箭牌的刻子或杠，另一种箭牌作将。", "HK-12", shape="standard",
    ),
    Pattern(
        "full_chow", "Full Chow", "平胡", 1, full_chow, "fan",
        "Four chows and a pair.", "四副顺子加一对将。", "HK-17", shape="standard",
    ),
    Pattern(
        "full_pung", "Full Pung", "对对胡", 3, full_pung, "fan",
        "Four pungs or kongs and a pair.", "四副刻子或杠加一对将。", "HK-15", shape="standard",
    ),
    Pattern(
        "one_suit_and_honors", "One Suit and Honours", "混一色", 3, half_flush, "fan",
        "Tiles of one suit, and honours.", "一门花色加字牌。", "HK-15",
    ),
    Pattern(
        "one_suit", "One Suit", "清一色", 6, full_flush, "fan",
        "Tiles of one suit only.", "只有一门花色，没有字牌。", "HK-15",
    ),
    Pattern(
        "seven_pairs", "Seven Pairs", "七对", 4, lambda win, _: int(win.number("seven_pairs") == 4), "fan",
        "Seven pairs without melds; four equal tiles are two pairs.",
        "七个对子，无副露；四张相同算两对。", "HK-08", shape="seven_pairs",
    ),
    Pattern(
        "seven_pairs_16", "Seven Pairs (16 fan)", "七对（16番）", 16,
        lambda win, _: int(win.number("seven_pairs") == 16), "fan",
        "Seven pairs, where the house option seven_pairs is 16.", "选项 seven_pairs 为16时的七对。", "HK-08",
        shape="seven_pairs",
    ),
    Pattern(
        "self_draw", "Self-Draw", "自摸", 1, lambda win, _: int(win.self_drawn), "fan",
        "The winning tile was drawn.", "自摸胡牌。", "HK-15",
    ),
    Pattern(
        "last_tile", "Last Tile of the Wall", "海底捞月", 1, lambda win, _: int(win.self_drawn), "fan",
        "The winning tile was the last of the live wall.", "摸牌墙最后一张自摸。", "HK-35",
        situation="last_tile",
    ),
    Pattern(
        "last_discard", "Last Discard", "河底捞鱼", 1,
        lambda win, _: int(win.request.source is Source.DISCARD), "fan",
        "The winning tile was discarded with the live wall empty.", "牌墙摸完后打出的最后一张牌。", "HK-35",
        situation="last_tile",
    ),
    Pattern(
        "robbed_kong", "Robbing a Kong", "抢杠", 1, robbed, "fan",
        "The winning tile was added to another player's pung.", "他家加杠之牌胡牌。", "HK-11",
    ),
    Pattern(
        "replacement", "Replacement Tile", "杠上开花", 1, always, "fan",
        "The winning tile was drawn from the dead wall, after a kong or a flower.",
        "开杠或补花后，以补牌自摸。", "HK-31", situation="replacement",
    ),
    Pattern(
        "concealed_hand", "Concealed Hand", "门前清", 1, concealed_hand, "fan",
        "Where the house option concealed_hand is 1: nothing was claimed.",
        "选项 concealed_hand 为1时，未吃、碰、明杠。", "HK-32",
    ),
)  # fmt: skip
FLOWERS = (
    Pattern(
        "own_flower", "Own Flower or Season", "正花", 1, own_flowers, "flowers",
        "The flower and the season of the player's seat, each, unless its set of four is complete.",
        "自家座位的花牌，每张；该组四花齐全时不计。", "HK-13",
    ),
    Pattern(
        "flower_set", "All Flowers or Seasons", "一台花", 2, flower_sets, "flowers",
        "All four flowers, and all four seasons, each.", "梅兰菊竹齐全，春夏秋冬齐全，每组。", "HK-13",
    ),
    Pattern(
        "no_flowers", "No Flowers", "无花", 1, no_flowers, "flowers",
        "Flowers are in play, and the player has none.", "使用花牌而无花。", "HK-14",
    ),
)  # fmt: skip
SPECIAL = (
    Pattern(
        "four_winds", "Four Winds", "大小四喜", LIMIT, four_winds, "special",
        "Pungs or kongs of three winds and a pair of the fourth, or of all four winds.",
        "三副风牌的刻子或杠，第四种风牌作将；或四副风牌的刻子或杠。", "HK-19", shape="standard",
    ),
    Pattern(
        "three_scholars", "Three Scholars", "大三元", LIMIT, three_scholars, "special",
        "Pungs or kongs of all three dragons.", "中、发、白三副刻子或杠。", "HK-09", shape="standard",
    ),
    Pattern(
        "hidden_treasure", "Hidden Treasure", "四暗刻", LIMIT, hidden_treasure, "special",
        "Four concealed pungs or kongs, none of them completed by a discard.",
        "四副暗刻或暗杠，均非以他家之牌凑成。", "HK-20", shape="standard",
    ),
    Pattern(
        "all_honors", "All Honours", "字一色", LIMIT, all_honors, "special",
        "Honours only, seven pairs of them too.", "全为字牌，七对亦可。", "HK-09",
    ),
    Pattern(
        "all_terminals", "All Terminals", "清幺九", LIMIT, all_terminals, "special",
        "Ones and nines only, seven pairs of them too.", "全为一、九牌，七对亦可。", "HK-21",
    ),
    Pattern(
        "nine_gates", "Nine Gates", "九莲宝灯", LIMIT, nine_gates, "special",
        "1112345678999 and any other tile of one suit, without melds.",
        "同门1112345678999加同门任一张，无副露。", "HK-22", shape="standard",
    ),
    Pattern(
        "thirteen_orphans", "Thirteen Orphans", "十三幺", LIMIT, always, "special",
        "One each of the ones, nines and honours, and one of them twice.",
        "十三种幺九字牌各一张，其中一种成对。", "HK-23", shape="thirteen_orphans",
    ),
    Pattern(
        "all_kongs", "All Kongs", "十八罗汉", LIMIT, all_kongs, "special",
        "Four kongs of any kind and a pair.", "四副杠（明暗均可）加一对将。", "HK-25", shape="standard",
    ),
    Pattern(
        "jade_dragon", "Jade Dragon", "翡翠龙", LIMIT, dragon_suit(Suit.BAMBOO, DRAGONS[1]), "special",
        "Three pungs or kongs of bamboo, one of the green dragon, and a pair of bamboo.",
        "三副索子刻子或杠、一副发财刻子或杠，索子作将。", "HK-24", shape="standard",
    ),
    Pattern(
        "ruby_dragon", "Ruby Dragon", "红宝石龙", LIMIT, dragon_suit(Suit.CHARACTERS, DRAGONS[2]), "special",
        "Three pungs or kongs of characters, one of the red dragon, and a pair of characters.",
        "三副万子刻子或杠、一副红中刻子或杠，万子作将。", "HK-24", shape="standard",
    ),
    Pattern(
        "pearl_dragon", "Pearl Dragon", "珍珠龙", LIMIT, dragon_suit(Suit.DOTS, DRAGONS[0]), "special",
        "Three pungs or kongs of dots, one of the white dragon, and a pair of dots.",
        "三副筒子刻子或杠、一副白板刻子或杠，筒子作将。", "HK-24", shape="standard",
    ),
    Pattern(
        "heavenly_hand", "Heavenly Hand", "天胡", LIMIT, always, "special",
        "East wins with the dealt tiles.", "庄家起手即胡。", "HK-26", situation="heavenly",
    ),
    Pattern(
        "earthly_hand", "Earthly Hand", "地胡", LIMIT, always, "special",
        "Another player wins on East's first discard.", "闲家胡庄家打出的第一张牌。", "HK-26",
        situation="earthly",
    ),
)  # fmt: skip
PAYOUT = Pattern(
    "payout", "Payout", "番数折算", 1, lambda win, _: int(win.options["payout"] != "linear"), "payout",
    "Where the house option payout is exponential or table: the units that the fan bring beyond one each.",
    "选项 payout 为 exponential 或 table 时，番数折算后超出每番一分的部分。", "HK-09",
)  # fmt: skip
PAYS_FOR_ALL = Row(
    "pays_for_all", "Pays for All", "包付三家", 1,
    "One player pays what all three would pay; the value is how many times the hand's that comes to.",
    "一人付清三家应付的份；数值为合计是番数的几倍。", "HK-11",
)  # fmt: skip
PAYERS = (
    PayerPattern(
        "discarder_double", "Discarder Pays Double", "出铳付双倍", 2, discards,
        "The player who discarded the winning tile, or whose kong was robbed, pays double.",
        "打出胡牌之牌者或被抢杠者付双倍。", "HK-11",
    ),
    PayerPattern(
        "self_draw_double", "Self-Draw Pays Double", "自摸付双倍", 2, lambda win, _: int(win.self_drawn),
        "On a self-drawn win each of the three pays double.", "自摸时三家各付双倍。", "HK-11",
    ),
    PayerPattern(
        "east_payment", "East Pays Double", "庄家双倍", 2, east_pays,
        "Where the house option east_double is true: East pays and receives double.",
        "选项 east_double 打开时，庄家输赢双倍。", "HK-36",
    ),
)  # fmt: skip
