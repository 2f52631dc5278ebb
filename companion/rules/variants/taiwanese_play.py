"""How Taiwanese mahjong is played at the table."""

from dataclasses import replace

from companion.rules.options import switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Moment,
    Play,
    Replacements,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.policy import Chows, Flowers, LastTile, Policy, Ready
from companion.rules.win import Options, Source
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

TING_MUST_WIN = switch(
    key="ting_must_win",
    ruling="TW-13",
    meaning="Who has declared a ready hand may not pass up a win.",
    meaning_zh="报听后见胡必胡。",
)
SPEED_ON_TABLE_ONLY = switch(
    key="speed_on_table_only",
    ruling="TW-21",
    meaning=(
        "The rows for a quick win count only discards that still lie on the table, not those that"
        " were claimed."
    ),
    meaning_zh="速胡只计桌上的弃牌，被吃碰杠的不计。",
)


def is_first_round(moment: Moment) -> bool:
    """Whether a player other than the dealer wins before any claim, with the first tile drawn or on a discard
    before it (P-01); the dealer's first discard is a situation of its own."""
    if moment.by_dealer or moment.claims or moment.kongs or moment.first_discard:
        return False
    return moment.draws == (1 if moment.self_drawn else 0) and moment.source is not Source.ROBBED_KONG


def policy(options: Options) -> Policy:
    """Chows (TW-05), ready hands (TW-13), the last tile (TW-14), flowers (TW-12) and wins by them (TW-24),
    and the discards that a quick win counts (TW-21)."""
    return replace(
        make_usual_policy(options),
        chows=Chows(ruling="TW-05"),
        ready=Ready(
            situation="ready",
            at_once="immediate_ready",
            must_win=bool(options[TING_MUST_WIN.key]),
            ruling="TW-13",
        ),
        last_tile=LastTile(may_decline=True, ruling="TW-14"),
        flowers=Flowers(all_set_out="all_flowers", last_robbed="seven_flowers_robbing", ruling="TW-12"),
        claimed_count=not options[SPEED_ON_TABLE_ONLY.key],
    )


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), TING_MUST_WIN, SPEED_ON_TABLE_ONLY),
    rotation=lambda options: Rotation(on_draw=True),
    situations={
        **REPLACED,
        "last_tile": lambda moment: moment.last_tile,
        "heavenly": lambda moment: moment.dealt,
        "earthly": lambda moment: moment.first_discard,
        "first_round": is_first_round,
        "ready": lambda moment: moment.ready == "ready",
        "immediate_ready": lambda moment: moment.ready == "immediate_ready",
    },
    policy=policy,
    deal_ruling="TW-03",
)
