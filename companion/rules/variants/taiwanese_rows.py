"""The written scoring table of Taiwanese mahjong, by family (TW-17): how a hand is won and flowers, sets,
suits, special hands. The table that is common in Taiwan is in taiwanese_common.py."""

from __future__ import annotations

from companion.rules.building_blocks import (
    at_setting,
    count_concealed_kongs,
    count_once,
    count_own_flowers,
    count_pungs_of,
    find_straight,
)
from companion.rules.hand import DRAGONS, WINDS, GroupKind
from companion.rules.rule_set import Pattern
from companion.rules.win import HandReading, Win
from companion.tiles import KINDS, MeldKind

SPEED_FAST, SPEED_SLOW = 5, 9
"""The most discards for the two rows of early wins (TW-21)."""
READY = frozenset({"ready", "immediate_ready"})


def is_won_in_the_middle(win: Win, reading: HandReading) -> bool:
    """Whether the winning tile is the middle one of its sequence."""
    won = reading.won
    return won is not None and won.kind is GroupKind.SEQUENCE and win.last is KINDS[won.tile.index + 1]


def single_wait(win: Win, reading: HandReading) -> int:
    both = win.on("wait_stack") or win.on("pure_additive")
    return int(bool(both) or not is_won_in_the_middle(win, reading))


def closed_wait(win: Win, reading: HandReading) -> int:
    return int(is_won_in_the_middle(win, reading))


def within_5_discards(win: Win, reading: HandReading) -> int:
    made = win.request.discards
    return int(made is not None and made <= SPEED_FAST)


def within_10_discards(win: Win, reading: HandReading) -> int:
    made = win.request.discards
    if made is None or made <= SPEED_FAST:
        return 0
    return int(made <= SPEED_SLOW + win.on("speed_10_included"))


def all_claimed(win: Win, reading: HandReading) -> int:
    return int(len(win.melds) == 5 and MeldKind.KONG_CONCEALED not in [meld.kind for meld in win.melds])


def flower_tiles(win: Win, reading: HandReading) -> int:
    return count_own_flowers(win) if win.on("own_flowers_only") else len(win.request.flowers)


def no_flowers(win: Win, reading: HandReading) -> int:
    return int(win.on("flowers"))


GOING_OUT = (
    Pattern(
        id="concealed_hand",
        name="Concealed Hand",
        name_zh="门清",
        value=1,
        count=count_once,
        table="going_out",
        meaning="A win on another player's tile with nothing claimed before; concealed kongs are allowed.",
        meaning_zh="没有吃、碰、明杠，胡别家的牌（可有暗杠）。",
        ruling="C-16",
        when=lambda o: o.closed and not o.self_drawn,
    ),
    Pattern(
        id="fully_concealed_hand",
        name="Fully Concealed Hand",
        name_zh="门清不求",
        value=3,
        count=count_once,
        table="going_out",
        meaning="A self-drawn win with nothing claimed; it takes the place of Concealed Hand and Self-Draw.",
        meaning_zh="没有吃、碰、明杠而自摸；不另计门清和自摸。",
        ruling="TW-17",
        when=lambda o: o.closed and o.self_drawn,
    ),
    Pattern(
        id="self_draw",
        name="Self-Draw",
        name_zh="自摸",
        value=1,
        count=count_once,
        table="going_out",
        meaning="A self-drawn win with something claimed.",
        meaning_zh="有吃、碰或明杠而自摸。",
        ruling="TW-17",
        when=lambda o: o.self_drawn and not o.closed,
    ),
    Pattern(
        id="ready",
        name="Ready",
        name_zh="报听",
        value=1,
        count=count_once,
        table="going_out",
        meaning="The player had declared a ready hand.",
        meaning_zh="已报听。",
        ruling="TW-13",
        when=lambda o: not o.situation.isdisjoint(READY),
    ),
    Pattern(
        id="immediate_ready",
        name="Immediate Ready Hand",
        name_zh="天听",
        value=10,
        count=count_once,
        table="going_out",
        meaning="A ready hand with the dealt tiles, declared at the first discard, before any claim.",
        meaning_zh="起手即听牌，打第一张牌时报听，此前无人吃碰杠。",
        ruling="TW-26",
        replaces=("ready",),
        situation="immediate_ready",
    ),
    Pattern(
        id="robbing_the_kong",
        name="Robbing the Kong",
        name_zh="抢杠",
        value=1,
        count=count_once,
        table="going_out",
        meaning="A win on the tile that another player adds to a pung.",
        meaning_zh="胡别家加杠的那张牌。",
        ruling="C-11",
        when=lambda o: o.robbed,
    ),
    Pattern(
        id="last_tile_discard",
        name="Last Tile Win (Discard)",
        name_zh="河底捞鱼",
        value=1,
        count=count_once,
        table="going_out",
        meaning="A win on the last discard, after the last tile of the wall was drawn.",
        meaning_zh="牌墙摸完后，胡最后一张打出的牌。",
        ruling="TW-10",
        situation="last_tile",
        when=lambda o: not o.self_drawn and not o.robbed,
    ),
    Pattern(
        id="last_tile_self_draw",
        name="Last Tile Win (Self-Draw)",
        name_zh="海底捞月",
        value=1,
        count=count_once,
        table="going_out",
        meaning="A self-drawn win on the last tile of the wall.",
        meaning_zh="自摸牌墙最后一张牌。",
        ruling="TW-10",
        situation="last_tile",
        when=lambda o: o.self_drawn,
    ),
    Pattern(
        id="single_wait",
        name="Single Wait",
        name_zh="独听",
        value=2,
        count=single_wait,
        table="going_out",
        meaning="Only one kind of tile could complete the hand.",
        meaning_zh="只听一种牌。",
        ruling="TW-15",
        when=lambda o: o.one_wait,
    ),
    Pattern(
        id="closed_wait",
        name="Closed Wait",
        name_zh="间听",
        value=2,
        count=closed_wait,
        table="going_out",
        meaning="Only one kind of tile could complete the hand, and it is the middle one of its sequence;"
        " it takes the place of Single Wait.",
        meaning_zh="只听一种牌，且为顺子的中间一张；不另计独听。",
        ruling="TW-15",
        when=lambda o: o.one_wait and o.sequences > 0,
    ),
    Pattern(
        id="within_5_discards",
        name="Win Within 5 Discards",
        name_zh="五张内速胡",
        value=10,
        count=within_5_discards,
        table="going_out",
        meaning="A win when at most five discards were made, the winning one included.",
        meaning_zh="全桌弃牌不超过五张（含所胡之牌）时胡牌。",
        ruling="TW-21",
        reads="discards",
    ),
    Pattern(
        id="within_10_discards",
        name="Win Within 5-10 Discards",
        name_zh="十张内速胡",
        value=5,
        count=within_10_discards,
        table="going_out",
        meaning="A win when six to nine discards were made, the winning one included.",
        meaning_zh="全桌弃牌六至九张（含所胡之牌）时胡牌。",
        ruling="TW-21",
        reads="discards",
    ),
    Pattern(
        id="all_revealed",
        name="All Revealed",
        name_zh="全求人",
        value=10,
        count=all_claimed,
        table="going_out",
        meaning="Five claimed sets, none of them a concealed kong; the wait for the pair is included.",
        meaning_zh="五副牌全部吃、碰、明杠而成，单吊胡牌；不另计独听。",
        ruling="TW-23",
        replaces=("single_wait",),
        shape="standard",
    ),
    Pattern(
        id="blessing_of_heaven",
        name="Blessing of Heaven",
        name_zh="天胡",
        value=40,
        count=count_once,
        table="going_out",
        meaning="The dealer wins with the dealt tiles.",
        meaning_zh="庄家起手即胡。",
        ruling="TW-27",
        replaces=("fully_concealed_hand", "within_5_discards", "within_10_discards"),
        situation="heavenly",
    ),
    Pattern(
        id="blessing_of_earth",
        name="Blessing of Earth",
        name_zh="地胡",
        value=40,
        count=count_once,
        table="going_out",
        meaning="Another player wins on the dealer's first discard.",
        meaning_zh="闲家胡庄家打出的第一张牌。",
        ruling="TW-27",
        replaces=("concealed_hand", "within_5_discards", "within_10_discards"),
        situation="earthly",
    ),
    Pattern(
        id="replacement_win",
        name="Replacement Win",
        name_zh="杠上开花",
        value=1,
        count=at_setting("replacement_win", 1),
        table="going_out",
        meaning=("By a house rule: a win on the tile drawn after a kong or a flower."),
        meaning_zh="按本桌的选项：杠后或补花后摸牌胡牌。",
        ruling="TW-29",
        situation="replacement",
    ),
)
FLOWERS = (
    Pattern(
        id="flower_tile",
        name="Flower Tile",
        name_zh="花牌",
        value=1,
        count=flower_tiles,
        table="flowers",
        meaning="Each flower or season.",
        meaning_zh="每张花牌。",
        ruling="TW-25",
        when=lambda o: o.flowers > 0,
        most=8,
    ),
    Pattern(
        id="no_flowers",
        name="No Flowers",
        name_zh="无花",
        value=1,
        count=no_flowers,
        table="flowers",
        meaning="Neither flower nor season.",
        meaning_zh="没有花牌。",
        ruling="TW-31",
        when=lambda o: not o.flowers,
    ),
)


MELDED_KONGS = (MeldKind.KONG_DISCARD, MeldKind.KONG_ADDED)


def all_triplets(win: Win, reading: HandReading) -> int:
    return int(not (win.on("five_implies_triplets") and len(reading.concealed_pungs) == 5))


def melded_kongs(win: Win, reading: HandReading) -> int:
    return sum([meld.kind in MELDED_KONGS for meld in win.melds])


def has_closed_straight(win: Win, reading: HandReading) -> bool:
    """Whether closed sequences include 123, 456 and 789 of one suit (TW-22)."""
    by_discard = win.on("straight_discard_closed")
    closed = [g for g in reading.sequences if g.concealed or (by_discard and g.meld is None)]
    return bool(find_straight(HandReading(reading.shape, tuple(closed))))


def open_straight(win: Win, reading: HandReading) -> int:
    return int(bool(find_straight(reading)) and not has_closed_straight(win, reading))


def closed_straight(win: Win, reading: HandReading) -> int:
    return int(bool(find_straight(reading)) and has_closed_straight(win, reading))


def wind_pungs(win: Win, reading: HandReading) -> int:
    if win.on("winds_seat_round_only"):
        return count_pungs_of(reading, {win.request.seat_wind, win.request.round_wind})
    return count_pungs_of(reading, WINDS)


def dragon_pungs(win: Win, reading: HandReading) -> int:
    return count_pungs_of(reading, DRAGONS)


PUNGS = (
    Pattern(
        id="two_concealed_pungs",
        name="Two Concealed Pungs",
        name_zh="两暗刻",
        value=2,
        count=count_once,
        table="pungs",
        meaning="Two concealed triplets or kongs.",
        meaning_zh="两副暗刻或暗杠。",
        ruling="TW-18",
        shape="standard",
        when=lambda o: o.concealed_pungs >= 2,
    ),
    Pattern(
        id="three_concealed_pungs",
        name="Three Concealed Triplets",
        name_zh="三暗刻",
        value=5,
        count=count_once,
        table="pungs",
        meaning="Three concealed triplets or kongs.",
        meaning_zh="三副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs",),
        shape="standard",
        when=lambda o: o.concealed_pungs >= 3,
    ),
    Pattern(
        id="four_concealed_pungs",
        name="Four Concealed Triplets",
        name_zh="四暗刻",
        value=10,
        count=count_once,
        table="pungs",
        meaning="Four concealed triplets or kongs.",
        meaning_zh="四副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs"),
        shape="standard",
        when=lambda o: o.concealed_pungs >= 4,
    ),
    Pattern(
        id="five_concealed_pungs",
        name="Five Concealed Pungs",
        name_zh="五暗刻",
        value=40,
        count=count_once,
        table="pungs",
        meaning="Five concealed triplets or kongs.",
        meaning_zh="五副暗刻或暗杠。",
        ruling="TW-18",
        replaces=("two_concealed_pungs", "three_concealed_pungs", "four_concealed_pungs"),
        shape="standard",
        when=lambda o: o.concealed_pungs == 5,
    ),
    Pattern(
        id="all_triplets",
        name="All Triplets",
        name_zh="对对胡",
        value=10,
        count=all_triplets,
        table="pungs",
        meaning="Five triplets or kongs.",
        meaning_zh="五副刻子或杠子。",
        ruling="TW-18",
        shape="standard",
        when=lambda o: o.pungs == 5,
    ),
)
KONGS = (
    Pattern(
        id="melded_kong",
        name="Melded Kong",
        name_zh="明杠",
        value=1,
        count=melded_kongs,
        table="kongs",
        meaning="Each kong of a discard or of a pung and a drawn tile.",
        meaning_zh="每副明杠（含加杠）。",
        ruling="TW-20",
        shape="standard",
        when=lambda o: o.kongs > 0,
        most=5,
    ),
    Pattern(
        id="concealed_kong",
        name="Concealed Kong",
        name_zh="暗杠",
        value=2,
        count=count_concealed_kongs,
        table="kongs",
        meaning="Each concealed kong.",
        meaning_zh="每副暗杠。",
        ruling="TW-20",
        shape="standard",
        when=lambda o: o.kongs > 0,
        most=5,
    ),
)
CHOWS = (
    Pattern(
        id="all_sequences_small",
        name="All Sequences (Small)",
        name_zh="小平胡",
        value=3,
        count=count_once,
        table="chows",
        meaning="Five sequences, with a flower or a pair of honours.",
        meaning_zh="五副顺子，有花牌或以字牌作将。",
        ruling="TW-16",
        shape="standard",
        when=lambda o: o.sequences == 5 and (o.flowers > 0 or o.honors),
    ),
    Pattern(
        id="all_sequences_big",
        name="All Sequences (Big)",
        name_zh="大平胡",
        value=10,
        count=count_once,
        table="chows",
        meaning="Five sequences, without honours and flowers.",
        meaning_zh="五副顺子，无字无花。",
        ruling="TW-16",
        replaces=("no_honors", "no_flowers", "no_honors_or_flowers"),
        shape="standard",
        when=lambda o: o.sequences == 5 and not o.flowers and not o.honors,
    ),
    Pattern(
        id="full_straight_open",
        name="Full Straight (Open)",
        name_zh="外龙",
        value=5,
        count=open_straight,
        table="chows",
        meaning="123, 456, 789 of one suit, one of them claimed or completed by another player's tile.",
        meaning_zh="同门123、456、789，其中有吃出或由别家牌补成的。",
        ruling="TW-22",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
    Pattern(
        id="full_straight_closed",
        name="Full Straight (Closed)",
        name_zh="内龙",
        value=10,
        count=closed_straight,
        table="chows",
        meaning="123, 456, 789 of one suit, all of drawn tiles.",
        meaning_zh="同门123、456、789，全为自摸之牌。",
        ruling="TW-22",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
)
WIND_ROWS = (
    Pattern(
        id="pung_of_winds",
        name="Pung of Winds",
        name_zh="风牌",
        value=1,
        count=wind_pungs,
        table="winds",
        meaning="Each pung or kong of winds.",
        meaning_zh="每副风牌刻子或杠子。",
        ruling="TW-19",
        shape="standard",
        when=lambda o: o.wind_pungs > 0,
        most=4,
    ),
    Pattern(
        id="little_three_winds",
        name="Little Three Winds",
        name_zh="小三风",
        value=5,
        count=count_once,
        table="winds",
        meaning="Two pungs of winds and a pair of winds.",
        meaning_zh="两副风牌刻子加一对风牌。",
        ruling="TW-19",
        replaces=("pung_of_winds",),
        shape="standard",
        when=lambda o: o.wind_pungs >= 2 and o.wind_pairs == 1,
    ),
    Pattern(
        id="big_three_winds",
        name="Big Three Winds",
        name_zh="大三风",
        value=10,
        count=count_once,
        table="winds",
        meaning="Three pungs of winds.",
        meaning_zh="三副风牌刻子。",
        ruling="TW-19",
        replaces=("pung_of_winds", "little_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs >= 3,
    ),
    Pattern(
        id="little_four_winds",
        name="Little Four Winds",
        name_zh="小四喜",
        value=30,
        count=count_once,
        table="winds",
        meaning="Three pungs of winds and a pair of the fourth.",
        meaning_zh="三副风牌刻子加一对余下的风牌。",
        ruling="TW-19",
        replaces=("pung_of_winds", "little_three_winds", "big_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs == 3 and o.wind_pairs == 1,
    ),
    Pattern(
        id="big_four_winds",
        name="Big Four Winds",
        name_zh="大四喜",
        value=40,
        count=count_once,
        table="winds",
        meaning="Four pungs of winds.",
        meaning_zh="四副风牌刻子。",
        ruling="TW-19",
        replaces=("pung_of_winds", "big_three_winds"),
        shape="standard",
        when=lambda o: o.wind_pungs == 4,
    ),
)
DRAGON_ROWS = (
    Pattern(
        id="pung_of_dragons",
        name="Pung of Dragons",
        name_zh="三元牌",
        value=1,
        count=dragon_pungs,
        table="dragons",
        meaning="Each pung or kong of dragons.",
        meaning_zh="每副三元牌刻子或杠子。",
        ruling="TW-17",
        shape="standard",
        when=lambda o: o.dragon_pungs > 0,
        most=3,
    ),
    Pattern(
        id="little_three_dragons",
        name="Little Three Dragons",
        name_zh="小三元",
        value=10,
        count=count_once,
        table="dragons",
        meaning="Two pungs of dragons and a pair of the third.",
        meaning_zh="两副三元牌刻子加一对余下的三元牌。",
        ruling="TW-17",
        replaces=("pung_of_dragons",),
        shape="standard",
        when=lambda o: o.dragon_pungs == 2 and o.dragon_pairs == 1,
    ),
    Pattern(
        id="big_three_dragons",
        name="Big Three Dragons",
        name_zh="大三元",
        value=30,
        count=count_once,
        table="dragons",
        meaning="Three pungs of dragons.",
        meaning_zh="三副三元牌刻子。",
        ruling="TW-17",
        replaces=("pung_of_dragons",),
        shape="standard",
        when=lambda o: o.dragon_pungs == 3,
    ),
)


SEVEN_PAIRS = frozenset({"seven_pairs_and_a_pung", "seven_pairs_beside_a_pung"})


def no_honors_or_flowers(win: Win, reading: HandReading) -> int:
    """Not with Full Flush, together with which only No Flowers counts (TW-31)."""
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
