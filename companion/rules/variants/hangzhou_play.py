"""How Hangzhou mahjong is played at the table."""

from dataclasses import replace

from companion.rules.options import Option, switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Length,
    Play,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.policy import Chows, Gambits, Liability, Policy, Wildcards
from companion.rules.variants.hangzhou_options import WHITE_DRAGON
from companion.rules.win import Options
from companion.tiles import SET_136

WALL = WallRule(
    tile_set=SET_136,
    dead=20,
    indicator_dice=2,  # HZ-05
    turn_ruling="HZ-05",
    ruling="HZ-28",
    options=(BREAK_UNIT,),
    variations={**COUNTED_IN_TILES, ("fortune", WHITE_DRAGON): {"indicator_dice": 0}},
)

POINTS_MAX = 1_000_000
GAMBIT_NEEDS_EXPLOSIVE = switch(
    key="gambit_needs_explosive",
    ruling="HZ-08",
    meaning="The discard of a Fortune is a gambit only where any tile completes the hand then.",
    meaning_zh="须爆头（任何牌都能胡）时打出财神才算财飘。",
)
DRAW_KEEPS_LAO = switch(
    key="draw_keeps_lao",
    ruling="HZ-16",
    meaning="After a draw the dealer stays at the same Lao.",
    meaning_zh="流局连庄但不升老庄。",
)
DOUBLE_DICE_3LAO = switch(
    key="double_dice_3lao",
    ruling="HZ-16",
    meaning="A double thrown for the break makes the hand one at 3 Lao.",
    meaning_zh="开牌掷出对子，该局即为三老。",
)
LAO_OF_A_DOUBLE = 3
"""HZ-16."""
INITIAL = Option(
    key="initial",
    default=100,
    values=range(1, POINTS_MAX + 1),
    meaning="The points that each player starts with.",
    meaning_zh="每人起始分数。",
    ruling="HZ-26",
)
HANDS = Option(
    key="hands",
    default=16,
    values=(16, 8),
    meaning="After how many hands the game is over.",
    meaning_zh="每场局数。",
    ruling="HZ-32",
)
GAME_END = Option(
    key="game_end",
    default="hands",
    values=("hands", "points"),
    meaning="When the game is over: after the agreed number of hands; or after any hand that the dealer"
    " did not win, where somebody has no points left.",
    meaning_zh="打局：打满局数结束；打分：非庄家胡的一局后，有人分数输完即结束。",
    ruling="HZ-32",
)
PUNG_DOES_NOT_COUNT = switch(
    key="pung_does_not_count",
    ruling="HZ-23",
    meaning="Claimed pungs do not count towards Three-Meld Liability.",
    meaning_zh="碰不计入三摊承包。",
)


def length(options: Options) -> Length:
    """By hands, or until somebody is broke (HZ-32)."""
    if options[GAME_END.key] == "points":
        return Length(rounds=None, broke=True)
    return Length(rounds=None, hands=int(options[HANDS.key]))


def policy(options: Options) -> Policy:
    """Chows (HZ-30), Fortunes (HZ-07) and gambits with them (HZ-08 to HZ-10), liability (HZ-22, HZ-23), and
    doubles of the break (HZ-16)."""
    return replace(
        make_usual_policy(options),
        chows=Chows(most=int(options["max_chows"]), most_ruling="HZ-30"),
        wildcards=Wildcards(
            in_chows=bool(options["fortune_in_melds"]),
            win_on_discard=bool(options["win_on_fortune_discard"]),
            ruling="HZ-07",
        ),
        gambits=Gambits(
            needs_any_tile=bool(options[GAMBIT_NEEDS_EXPLOSIVE.key]), ruling="HZ-09", others_ruling="HZ-10"
        ),
        liability=Liability(pungs=not options[PUNG_DOES_NOT_COUNT.key]),
        double_streak=LAO_OF_A_DOUBLE if options[DOUBLE_DICE_3LAO.key] else 0,
    )


PLAY = Play(
    wall=WALL,
    options=(
        *COMMON_PLAY,
        missed_win_option("none"),
        GAMBIT_NEEDS_EXPLOSIVE,
        DRAW_KEEPS_LAO,
        DOUBLE_DICE_3LAO,
        INITIAL,
        HANDS,
        GAME_END,
        PUNG_DOES_NOT_COUNT,
    ),
    rotation=lambda options: Rotation(
        on_draw=True, to_winner=True, draws_count=not options[DRAW_KEEPS_LAO.key]
    ),
    length=length,
    points=lambda options: int(options[INITIAL.key]),
    situations=REPLACED,
    policy=policy,
    may_owe=False,
    from_dealer=True,  # HZ-15
    deal_ruling="HZ-17",
    length_ruling="HZ-32",
)
