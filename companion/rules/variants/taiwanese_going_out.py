"""The rows of Taiwanese mahjong for how a hand is won, and for flowers (TW-17)."""

from __future__ import annotations

from companion.rules.building_blocks import at_setting, count_once, count_own_flowers
from companion.rules.groups import GroupKind
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
