"""Hong Kong (香港): 144 tiles; fan (番) are added up, or a special hand is worth a flat 64 in their place.

What one pays is the hand's value, doubled for the discarder, for each on a self-draw (HK-11).
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from companion.rules import needs
from companion.rules.building_blocks import add_rows, all_others
from companion.rules.rule_set import ANY_MELDS, TIMES, Bearers, RuleSet, ScoreLine, Situation
from companion.rules.shapes import seven_pairs, standard, thirteen_orphans
from companion.rules.variants.hong_kong_options import OPTIONS
from companion.rules.variants.hong_kong_play import PLAY
from companion.rules.variants.hong_kong_rows import FAN, FLOWERS, PAYERS, PAYOUT, PAYS_FOR_ALL
from companion.rules.variants.hong_kong_special import LIMIT, SPECIAL
from companion.rules.win import HandReading, Reason, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_144

NO_SHAPE = "These tiles make neither four sets and a pair, nor seven pairs, nor thirteen orphans."
TOO_FEW_FAN = "The hand is worth {found} fan, and a win takes {needed} at least."
TOO_FEW_WITHOUT_FLOWERS = (
    "Without its flowers the hand is worth {found} fan, and a win takes {needed} at least."
)

SPECIAL_IDS = frozenset(row.id for row in SPECIAL)
FLOWER_IDS = frozenset(row.id for row in FLOWERS)
TRADITIONAL = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, LIMIT)
"""The units that 0, 1, 2 … fan pay by the traditional table, the last for all beyond (HK-09)."""


def units(fan: int, payout: object) -> int:
    """What `fan` fan are worth, in units."""
    if payout == "exponential":
        return min(1 << fan, LIMIT)
    return TRADITIONAL[min(fan, len(TRADITIONAL) - 1)] if payout == "table" else fan


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """One special hand alone, or all of them, or else the fan and what they are worth (HK-09)."""
    special = [line for line in lines if line.id in SPECIAL_IDS]
    if special:
        return tuple(special if win.on("specials_stack") else special[:1])
    payout = win.options["payout"]
    if payout == "linear":
        return lines
    fan = sum([line.value for line in lines if line.id != PAYOUT.id])
    more = units(fan, payout) - fan
    return tuple([changed(x, value=more) if x.id == PAYOUT.id else x for x in lines])


def require_fan(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    """The reason where the fan do not reach what the table asks for (HK-10)."""
    needed = win.number("min_fan")
    without_flowers = win.on("bonus_not_in_minimum")
    found = sum(
        [
            line.value
            for line in lines
            if line.id != PAYOUT.id and not (without_flowers and line.id in FLOWER_IDS)
        ]
    )
    if found >= needed:
        return None
    template = TOO_FEW_WITHOUT_FLOWERS if without_flowers else TOO_FEW_FAN
    return Reason(Sentence(template, {"found": found, "needed": needed}), "HK-10")


def bearers(win: Win) -> Bearers | None:
    """The discarder, or whose kong was robbed, where the house says that they pay for all three (HK-11)."""
    discarder = win.request.discarder
    if discarder is None or not (win.on("discarder_pays_all") or (win.robbed and win.on("rob_pays_all"))):
        return None
    return Bearers((discarder,), PAYS_FOR_ALL)


SITUATIONS = (
    Situation(
        id="last_tile",
        label="Last tile",
        label_zh="海底",
        name="win on the last tile of the live wall, or on the last discard",
        name_zh="海底捞月或河底捞鱼（最后一张）",
        excludes=("replacement", "heavenly", "earthly"),
    ),
    Situation(
        id="replacement",
        label="Replacement",
        label_zh="补牌",
        name="win on the tile drawn after a kong or a flower",
        name_zh="杠上开花或补花自摸",
        needs=(needs.SELF_DRAWN, needs.WITH_A_KONG_OR_FLOWER),
        excludes=("heavenly", "earthly"),
    ),
    Situation(
        id="heavenly",
        label="Heavenly",
        label_zh="天胡",
        name="East's win with the dealt tiles",
        name_zh="天胡",
        needs=(needs.SELF_DRAWN, needs.BY_THE_DEALER, needs.NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="win on East's first discard",
        name_zh="地胡",
        needs=(needs.ON_THE_DEALERS_DISCARD, needs.NO_MELDS),
    ),
)

HONG_KONG = RuleSet(
    name="hong_kong",
    title="Hong Kong",
    title_zh="香港麻将",
    source=msgid("The rules of a general guide to Hong Kong mahjong."),
    tile_set=SET_144,
    hand_size=13,
    unit="fan",
    uses=frozenset({"flowers", "round_wind"}),
    meld_kinds=ANY_MELDS,
    options=OPTIONS,
    told_first=("payout", "min_fan"),
    situations=SITUATIONS,
    demands=(needs.NO_FLOWERS_WITHOUT,),
    shapes=(standard("four sets and a pair", "四副牌加一对将"), seven_pairs(), thirteen_orphans()),
    no_shape=Reason(Sentence(NO_SHAPE), "HK-07"),
    restrict=require_fan,
    patterns=(*FAN, *FLOWERS, *SPECIAL, PAYOUT),
    sign=add_rows,
    combine=combine,
    payers=all_others,
    payer_patterns=PAYERS,
    payer_sign=TIMES,
    bearer_rows=(PAYS_FOR_ALL,),
    bearers=bearers,
    play=PLAY,
    sentences=(NO_SHAPE, TOO_FEW_FAN, TOO_FEW_WITHOUT_FLOWERS),
)
