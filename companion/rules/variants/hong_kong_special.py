"""The special hands of Hong Kong, each of which is worth the limit, and how it is found."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.building_blocks import at_setting, count_once, count_pungs_of
from companion.rules.hand import DRAGONS
from companion.rules.rule_set import Pattern
from companion.rules.shapes import ORPHANS
from companion.rules.win import HandReading, Win
from companion.tiles import Suit, Tile

LIMIT = 64
"""What a special hand is worth, and the most that fan are turned into, where no fan limit is set (HK-09)."""
GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
TERMINALS = tuple(tile for tile in ORPHANS if tile.suit is not Suit.HONORS)
_ENDS = frozenset(tile.index for tile in TERMINALS)


def hidden_treasure(win: Win, reading: HandReading) -> int:
    return int(win.self_drawn or not win.on("treasure_self_draw"))


def all_terminals(win: Win, reading: HandReading) -> int:
    if sum([g.tile.index in _ENDS for g in reading.pungs]) == 4 and win.on("terminals_any_pair"):
        return 1
    total = win.hand.total
    return int(total[0] + total[8] + total[9] + total[17] + total[18] + total[26] == sum(win.sizes))


def nine_gates(win: Win, reading: HandReading) -> int:
    if 14 not in win.hand.sizes[:3]:
        return 0
    suit = win.hand.sizes.index(14)
    if any(have < needed for have, needed in zip(win.hand.suits[suit], GATES, strict=True)):
        return 0
    pure = win.before is not None and win.before.suits[suit] == GATES
    return int(pure or not win.on("nine_gates_pure_wait"))


def dragon_suit(suit: Suit, dragon: Tile) -> Callable[[Win, HandReading], int]:
    """Three pungs of the suit, one of its dragon, and the pair of the suit (HK-24)."""

    def count(win: Win, reading: HandReading) -> int:
        of_suit = sum([g.tile.suit is suit for g in reading.pungs])
        paired = win.on("dragon_pair_any") or reading.pairs[0].tile.suit is suit
        return int(of_suit == 3 and count_pungs_of(reading, (dragon,)) and paired)

    return count


SPECIAL = (
    Pattern(
        id="four_winds",
        name="Four Winds",
        name_zh="大小四喜",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Pungs or kongs of three winds and a pair of the fourth, or of all four winds.",
        meaning_zh="三副风牌的刻子或杠，第四种风牌作将；或四副风牌的刻子或杠。",
        ruling="HK-19",
        shape="standard",
        when=lambda o: o.wind_pungs + o.wind_pairs == 4,
    ),
    Pattern(
        id="three_scholars",
        name="Three Scholars",
        name_zh="大三元",
        value=LIMIT,
        count=at_setting("three_scholars", LIMIT),
        table="special",
        meaning="Pungs or kongs of all three dragons.",
        meaning_zh="中、发、白三副刻子或杠。",
        ruling="HK-09",
        shape="standard",
        when=lambda o: o.dragon_pungs == 3,
    ),
    Pattern(
        id="hidden_treasure",
        name="Hidden Treasure",
        name_zh="四暗刻",
        value=LIMIT,
        count=hidden_treasure,
        table="special",
        meaning="Four concealed pungs or kongs, none of them completed by a discard.",
        meaning_zh="四副暗刻或暗杠，均非以他家之牌凑成。",
        ruling="HK-20",
        shape="standard",
        when=lambda o: o.concealed_pungs == 4,
    ),
    Pattern(
        id="all_honors",
        name="All Honours",
        name_zh="字一色",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Honours only, seven pairs of them too.",
        meaning_zh="全为字牌，七对亦可。",
        ruling="HK-09",
        when=lambda o: not o.suits,
    ),
    Pattern(
        id="all_terminals",
        name="All Terminals",
        name_zh="清幺九",
        value=LIMIT,
        count=all_terminals,
        table="special",
        meaning="Ones and nines only, seven pairs of them too.",
        meaning_zh="全为一、九牌，七对亦可。",
        ruling="HK-21",
        when=lambda o: not o.sequences,
    ),
    Pattern(
        id="nine_gates",
        name="Nine Gates",
        name_zh="九莲宝灯",
        value=LIMIT,
        count=nine_gates,
        table="special",
        meaning="1112345678999 and any other tile of one suit, without melds.",
        meaning_zh="同门1112345678999加同门任一张，无副露。",
        ruling="HK-22",
        shape="standard",
        when=lambda o: o.suits == 1 and not o.honors,
    ),
    Pattern(
        id="thirteen_orphans",
        name="Thirteen Orphans",
        name_zh="十三幺",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="One each of the ones, nines and honours, and one of them twice.",
        meaning_zh="十三种幺九字牌各一张，其中一种成对。",
        ruling="HK-23",
        shape="thirteen_orphans",
    ),
    Pattern(
        id="all_kongs",
        name="All Kongs",
        name_zh="十八罗汉",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Four kongs of any kind and a pair.",
        meaning_zh="四副杠（明暗均可）加一对将。",
        ruling="HK-25",
        shape="standard",
        when=lambda o: o.kongs == 4,
    ),
    Pattern(
        id="jade_dragon",
        name="Jade Dragon",
        name_zh="翡翠龙",
        value=LIMIT,
        count=dragon_suit(Suit.BAMBOO, DRAGONS[1]),
        table="special",
        meaning="Three pungs or kongs of bamboo, one of the green dragon, and a pair of bamboo.",
        meaning_zh="三副索子刻子或杠、一副发财刻子或杠，索子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="ruby_dragon",
        name="Ruby Dragon",
        name_zh="红宝石龙",
        value=LIMIT,
        count=dragon_suit(Suit.CHARACTERS, DRAGONS[2]),
        table="special",
        meaning="Three pungs or kongs of characters, one of the red dragon, and a pair of characters.",
        meaning_zh="三副万子刻子或杠、一副红中刻子或杠，万子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="pearl_dragon",
        name="Pearl Dragon",
        name_zh="珍珠龙",
        value=LIMIT,
        count=dragon_suit(Suit.DOTS, DRAGONS[0]),
        table="special",
        meaning="Three pungs or kongs of dots, one of the white dragon, and a pair of dots.",
        meaning_zh="三副筒子刻子或杠、一副白板刻子或杠，筒子作将。",
        ruling="HK-24",
        shape="standard",
        when=lambda o: o.pungs == 4 and o.dragon_pungs > 0,
    ),
    Pattern(
        id="heavenly_hand",
        name="Heavenly Hand",
        name_zh="天胡",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="East wins with the dealt tiles.",
        meaning_zh="庄家起手即胡。",
        ruling="HK-26",
        situation="heavenly",
    ),
    Pattern(
        id="earthly_hand",
        name="Earthly Hand",
        name_zh="地胡",
        value=LIMIT,
        count=count_once,
        table="special",
        meaning="Another player wins on East's first discard.",
        meaning_zh="闲家胡庄家打出的第一张牌。",
        ruling="HK-26",
        situation="earthly",
    ),
)
