"""How Hebei mahjong is played at the table."""

from companion.rules.play import BREAK_UNIT, COUNTED_IN_TILES, WallRule
from companion.tiles import SET_136

WALL = WallRule(
    tile_set=SET_136,
    dead=12,
    ruling="HB-22",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)
