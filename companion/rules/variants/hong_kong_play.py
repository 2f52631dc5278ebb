"""How Hong Kong mahjong is played at the table."""

from dataclasses import replace

from companion.rules.options import Option, switch
from companion.rules.play import (
    COMMON_PLAY,
    REPLACED,
    ROB_FOR_ORPHANS,
    Flowers,
    Play,
    Policy,
    Replacements,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.win import Options
from companion.tiles import SET_136, SET_144

MOVING_DEAD_WALL = switch(
    key="moving_dead_wall",
    ruling="HK-04",
    meaning="The dead wall is kept at 14 tiles: for each tile taken from it one of the live wall joins it.",
    meaning_zh="王牌始终保持14张：每取走一张，由活牌墙尾补入一张。",
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

DEALER = Option(
    key="dealer",
    default="winner",
    values=("winner", "rotate"),
    meaning="Who deals next: the winner, and East again after a draw; or East again after an own win"
    " or a draw, else"
    " the next player.",
    meaning_zh="坐庄：胡牌者为下一局的庄家（流局庄家连庄），或庄家胡牌、流局连庄，否则下家坐庄。",
    ruling="HK-06",
)


def policy(options: Options) -> Policy:
    """Flowers (HK-34); what a win let go costs (HK-28). Replacements come from the dead wall (HK-04), and so
    no replacement ends that."""
    usual = make_usual_policy(options)
    missed_win = replace(usual.missed_win, live_draws_only=True, ruling="HK-28")
    return replace(usual, missed_win=missed_win, flowers=Flowers(ruling="HK-34"))


PLAY = Play(
    wall=WALL,
    options=(
        *COMMON_PLAY,
        missed_win_option("same_tile_until_next_draw", "HK-28", "draw from the live wall"),
        ROB_FOR_ORPHANS,
        DEALER,
    ),
    rotation=lambda options: Rotation(on_draw=True, to_winner=options[DEALER.key] == "winner"),
    situations={
        **REPLACED,
        "last_tile": lambda moment: moment.last_tile,
        "heavenly": lambda moment: moment.dealt,
        "earthly": lambda moment: moment.first_discard,
    },
    policy=policy,
    deal_ruling="HK-06",
    window_ruling="HK-37",
    void_ruling="HK-30",
)
