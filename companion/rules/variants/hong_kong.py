"""Hong Kong (香港): 144 tiles; fan (番) are added up, or a special hand is worth the limit in their place.

The limit is 64 units, or what the fan limit pays where one is set (HK-09). What one pays is the hand's
value, doubled for the discarder, for each on a self-draw (HK-11). The tables that turn fan into units are
those of yawnoc/mahjong-scorer and bigproduction.com/mj/hk/points.html.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from companion.rules.building_blocks import (
    BY_THE_DEALER,
    NO_FLOWERS_WITHOUT,
    NO_MELDS,
    ON_THE_DEALERS_DISCARD,
    SELF_DRAWN,
    WITH_A_KONG_OR_FLOWER,
    add_rows,
    all_others,
    loser_or_all_others,
)
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
TRADITIONAL = (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64)
"""The units that 0, 1, 2 … fan pay by the traditional table, the last for all beyond (HK-09)."""
LEAST_FAN_LIMIT = 8
"""The lowest fan limit; no hand of this many fan or units, or fewer, exceeds a limit."""
HALF_FROM = 4
"""Half-doubling (半辣上) doubles the units with each fan up to this many, then with every second."""


def units(fan: int, payout: object) -> int:
    """What `fan` fan are worth, in units, without a limit.

    Half-doubling rises by half in between: 16, 24, 32, 48, 64 for 4 to 8 fan.
    """
    if payout == "linear":
        return fan
    if payout == "table":
        return TRADITIONAL[min(fan, len(TRADITIONAL) - 1)]
    if payout == "half_doubling" and fan > HALF_FROM:
        doublings, between = divmod(fan - HALF_FROM, 2)
        return (2 + between) << (HALF_FROM - 1 + doublings)
    return 1 << fan


def within_limit(win: Win, paid: int) -> int:
    """No more than a hand pays: what the fan limit does, where one is set (HK-09)."""
    if paid <= LEAST_FAN_LIMIT:
        return paid
    fan_limit = win.number("fan_limit")
    return min(paid, units(fan_limit, win.options["payout"]) if fan_limit else LIMIT)


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """The special hands alone, or else the fan; and what these are worth in units (HK-09)."""
    special = tuple([line for line in lines if line.id in SPECIAL_IDS])
    if special and not win.number("fan_limit"):
        return special
    if special:
        conversion = tuple([line for line in lines if line.id == PAYOUT.id])
        lines = *[changed(line, value=win.number("fan_limit")) for line in special], *conversion
    payout = win.options["payout"]
    if payout == "linear":
        return lines
    fan = sum([line.value for line in lines if line.id != PAYOUT.id])
    if fan > LEAST_FAN_LIMIT:
        fan = min(fan, win.number("fan_limit") or fan)
    added = within_limit(win, units(fan, payout)) - fan
    return tuple([changed(x, value=added) if x.id == PAYOUT.id else x for x in lines])


def worth(win: Win, joined: int) -> int:
    """Within the limit; special hands add up under specials_stack without a fan limit (HK-09)."""
    paid = within_limit(win, joined)
    stacks = paid < joined and not win.number("fan_limit") and win.on("specials_stack")
    return joined if stacks else paid


def require_fan(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    """The reason where the fan do not reach what the table asks for (HK-10)."""
    needed = win.number("min_fan")
    of_flowers = sum([line.value for line in lines if line.id in FLOWER_IDS])
    found = sum([line.value for line in lines if line.id != PAYOUT.id]) - of_flowers
    if found >= needed:
        return None
    without_flowers = win.on("bonus_not_in_minimum")
    found += 0 if without_flowers else of_flowers
    if found >= needed:
        return None
    template = TOO_FEW_WITHOUT_FLOWERS if without_flowers else TOO_FEW_FAN
    return Reason(Sentence(template, {"found": found, "needed": needed}), "HK-10")


def payers(win: Win) -> tuple[int, ...]:
    """Whose shares are owed, whoever bears them."""
    alone = not win.self_drawn and bearers(win) is None and win.options["discard_payment"] == "discarder_pays"
    return (loser_or_all_others if alone else all_others)(win)


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
        needs=(SELF_DRAWN, WITH_A_KONG_OR_FLOWER),
        excludes=("heavenly", "earthly"),
    ),
    Situation(
        id="heavenly",
        label="Heavenly",
        label_zh="天胡",
        name="East's win with the dealt tiles",
        name_zh="天胡",
        needs=(SELF_DRAWN, BY_THE_DEALER, NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="win on East's first discard",
        name_zh="地胡",
        needs=(ON_THE_DEALERS_DISCARD, NO_MELDS),
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
    demands=(NO_FLOWERS_WITHOUT,),
    shapes=(standard("four sets and a pair", "四副牌加一对将"), seven_pairs(), thirteen_orphans()),
    no_shape=Reason(Sentence(NO_SHAPE), "HK-07"),
    restrict=require_fan,
    patterns=(*FAN, *FLOWERS, *SPECIAL, PAYOUT),
    sign=add_rows,
    combine=combine,
    worth=worth,
    payers=payers,
    payer_patterns=PAYERS,
    payer_sign=TIMES,
    bearer_rows=(PAYS_FOR_ALL,),
    bearers=bearers,
    play=PLAY,
    sentences=(NO_SHAPE, TOO_FEW_FAN, TOO_FEW_WITHOUT_FLOWERS),
)
