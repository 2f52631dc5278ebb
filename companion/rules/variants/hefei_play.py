"""How Hefei mahjong is played at the table."""

from companion.rules.play import BREAK_UNIT, COUNTED_IN_TILES, WallRule
from companion.tiles import SET_84

WALL = WallRule(
    tile_set=SET_84,
    dealer_stacks_more=2,  # HF-01: 12, 10, 10 and 10
    sea=4,
    ruling="HF-05",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)
