"""How Hebei mahjong is played at the table."""

from dataclasses import replace

from companion.rules.options import switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    ROB_FOR_ORPHANS,
    Play,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.policy import Chows, Policy
from companion.rules.win import Options
from companion.tiles import SET_136

WALL = WallRule(
    tile_set=SET_136,
    dead=12,
    ruling="HB-22",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)

DRAW_PASSES = switch(
    key="draw_passes", ruling="HB-23", meaning="After a draw the next player deals.", meaning_zh="流局下庄。"
)
KONG_REFUND_ON_DRAW = switch(
    key="kong_refund_on_draw",
    ruling="HB-19",
    meaning="What was paid for kongs goes back where nobody wins.",
    meaning_zh="流局退还杠分。",
)
START_POINTS = 100
"""What each player starts with (HB-25)."""


def policy(options: Options) -> Policy:
    """Who may chow (HB-29), and whether what kongs were paid goes back after a draw (HB-19)."""
    usual = make_usual_policy(options)
    refund = KONG_REFUND_ON_DRAW.key if options[KONG_REFUND_ON_DRAW.key] else ""
    return replace(usual, chows=Chows(ruling="HB-29"), kongs=replace(usual.kongs, refund=refund))


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), ROB_FOR_ORPHANS, DRAW_PASSES, KONG_REFUND_ON_DRAW),
    rotation=lambda options: Rotation(on_draw=not options[DRAW_PASSES.key]),
    points=lambda options: START_POINTS,
    situations=REPLACED,
    policy=policy,
    seats_ruling="HB-01",
    deal_ruling="HB-23",
)
