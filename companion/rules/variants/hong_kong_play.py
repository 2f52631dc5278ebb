"""How Hong Kong mahjong is played at the table."""

from companion.rules.options import switch
from companion.rules.play import Replacements, WallRule
from companion.tiles import SET_136, SET_144

MOVING_DEAD_WALL = switch(
    "moving_dead_wall",
    "HK-04",
    "The dead wall is kept at 14 tiles: for each tile taken from it one of the live wall joins it.",
    "王牌始终保持14张：每取走一张，由活牌墙尾补入一张。",
)

WALL = WallRule(
    tile_set=SET_144,
    break_after=14,  # HK-03
    dead=14,
    replacements=Replacements.DEAD_WALL,
    ruling="HK-04",
    options=(MOVING_DEAD_WALL,),
    variations={
        (MOVING_DEAD_WALL.key, True): {"replacements": Replacements.MOVING_DEAD_WALL},
        ("flowers", False): {"tile_set": SET_136},
    },
)
