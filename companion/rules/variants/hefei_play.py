"""How Hefei mahjong is played at the table."""

from dataclasses import replace

from companion.rules.options import switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Moment,
    Play,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.policy import Chows, Policy, Sea
from companion.rules.win import Options
from companion.tiles import SET_84

WALL = WallRule(
    tile_set=SET_84,
    dealer_stacks_more=2,  # HF-01: 12, 10, 10 and 10
    sea=4,
    ruling="HF-05",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)

DRAW_KEEPS_DEALER = switch(
    key="draw_keeps_dealer",
    ruling="HF-03",
    meaning="After a draw the dealer stays.",
    meaning_zh="流局庄家连庄。",
)
ROTATE_ALWAYS = switch(
    key="rotate_always",
    ruling="HF-03",
    meaning="After every hand the next player deals, whoever won.",
    meaning_zh="每局轮庄，不连庄。",
)
SEA_MUST_WIN = switch(
    key="sea_must_win",
    ruling="HF-06",
    meaning="Who draws a winning tile from the sea has to win with it.",
    meaning_zh="海捞摸到胡牌必须胡。",
)
EARTHLY_DISCARDS = 4
"""Discards in the first round of draws: one of each player (HF-22)."""


def rotation(options: Options) -> Rotation:
    """The dealer stays after an own win only (HF-03); where wins are counted a draw is not a win (HF-24)."""
    if options[ROTATE_ALWAYS.key]:
        return Rotation(on_win=False, on_draw=False)
    draws_count = options["dealer_n"] != "wins_only"
    return Rotation(on_draw=bool(options[DRAW_KEEPS_DEALER.key]), draws_count=draws_count)


def is_earthly_win(moment: Moment) -> bool:
    """Another player's win in the first round of draws, before any claim or kong (HF-22)."""
    in_first_round = moment.draws == 1 if moment.self_drawn else moment.discards <= EARTHLY_DISCARDS
    return in_first_round and not (moment.by_dealer or moment.claims or moment.kongs)


def policy(options: Options) -> Policy:
    """Who may chow (HF-04), and whether a winning tile of the sea may be passed up (HF-06)."""
    return replace(
        make_usual_policy(options),
        chows=Chows(ruling="HF-04"),
        sea=Sea(must_win=bool(options[SEA_MUST_WIN.key]), ruling="HF-06"),
    )


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), DRAW_KEEPS_DEALER, ROTATE_ALWAYS, SEA_MUST_WIN),
    rotation=rotation,
    situations={
        **REPLACED,
        "sea_floor": lambda moment: moment.sea,
        "heavenly": lambda moment: moment.dealt,
        "earthly": is_earthly_win,
    },
    policy=policy,
    deal_ruling="HF-03",
    length_ruling="HF-27",
    window_ruling="HF-28",
)
