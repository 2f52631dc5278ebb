"""How Taiwanese mahjong is played at the table."""

from companion.rules.play import BREAK_UNIT, COUNTED_IN_TILES, Replacements, WallRule
from companion.tiles import SET_136, SET_144

WALL = WallRule(
    tile_set=SET_144,
    dice=(2, 3),  # the rules do not say how many; in Taiwan three are common
    deal=(4, 4, 4, 4),
    dead=16,
    replacements=Replacements.MOVING_DEAD_WALL,
    ruling="TW-10",
    options=(BREAK_UNIT,),
    variations={**COUNTED_IN_TILES, ("flowers", False): {"tile_set": SET_136}},
)
