"""How Hangzhou mahjong is played at the table."""

from companion.rules.play import BREAK_UNIT, COUNTED_IN_TILES, WallRule
from companion.rules.variants.hangzhou_options import WHITE_DRAGON
from companion.tiles import SET_136

WALL = WallRule(
    tile_set=SET_136,
    dead=20,
    indicator_dice=2,  # HZ-05
    ruling="HZ-28",
    options=(BREAK_UNIT,),
    variations={**COUNTED_IN_TILES, ("fortune", WHITE_DRAGON): {"indicator_dice": 0}},
)
