"""Hefei (合肥): 84 tiles; points ("zui", 嘴) are added up, and a payer pays 20 for each.

The tables are purely additive (HF-19): only rows of one family replace each other (HF-14, HF-15, HF-18).
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from companion.rules import needs
from companion.rules.building_blocks import add_rows, all_others, loser_or_all_others
from companion.rules.distance import Quota
from companion.rules.hand import Hand
from companion.rules.rule_set import (
    CHOWS_BY_OPTION,
    Meaning,
    PayerPattern,
    RuleSet,
    ScoreLine,
    Situation,
    SuitQuota,
)
from companion.rules.shapes import seven_pairs, standard
from companion.rules.variants.hefei_options import OPTIONS
from companion.rules.variants.hefei_play import PLAY
from companion.rules.variants.hefei_rows import GENERAL, KONG_DRAW, KONG_SIZE, SPECIAL, SUIT_MIN, SUITS
from companion.rules.win import Options, Reason, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_84, Meld

POINT_SCORE = 20
"""What one point is worth to each payer (HF-09, HF-29)."""

TOO_FEW_OF_A_SUIT = "A Hefei hand needs {needed} tiles of one suit, and the most here is {found}."
NO_SHAPE = "These tiles make neither four sets and a pair nor seven pairs."
SEVEN_PAIRS_OFF = "Seven pairs do not win where the house option seven_pairs is false."


GENERAL_IDS = frozenset(row.id for row in GENERAL if row.id != "winning_a_hand")
SPECIAL_IDS = frozenset(row.id for row in SPECIAL)


def suit_needs(melds: tuple[Meld, ...], options: Options) -> Quota:
    """What the hand lacks to eight tiles of m, of p, of s beside its melds (HF-08)."""
    if not melds:
        return SUIT_MIN, SUIT_MIN, SUIT_MIN
    least = [SUIT_MIN] * len(SUITS)
    for meld in melds:
        size = len(meld.tiles)
        least[meld.tiles[0].index // 9] -= 3 if size == KONG_SIZE and options["kong_counts_3"] else size
    characters, dots, bamboo = least
    return characters, dots, bamboo


def explain_short_suit(hand: Hand, options: Options) -> Reason:
    lacking = [
        least - sum(counts)
        for least, counts in zip(suit_needs(hand.melds, options), hand.suits, strict=False)
    ]
    return Reason(
        Sentence(TOO_FEW_OF_A_SUIT, {"needed": SUIT_MIN, "found": SUIT_MIN - min(lacking)}), "HF-08"
    )


def dealer_hands(win: Win, payer: int) -> int:
    return win.request.streak - int(not win.by_dealer and win.options["dealer_n"] == "wins_only")


def payers(win: Win) -> tuple[int, ...]:
    if win.self_drawn or win.options["discard"] == "all_pay":
        return all_others(win)
    return loser_or_all_others(win)


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """All lines, unless the house says otherwise (HF-19, HF-26).

    The line of Kong Draw shows the points that the doubling adds.
    """
    special = sum([line.value for line in lines if line.id in SPECIAL_IDS])
    if special and win.on("specials_exclusive"):
        general = sum([line.value for line in lines if line.id in GENERAL_IDS])
        dropped = GENERAL_IDS if special > general else SPECIAL_IDS
        lines = tuple(line for line in lines if line.id not in dropped)
    if "replacement" not in win.request.situation or not win.on("kong_draw_x2"):
        return lines
    added_points = (KONG_DRAW.value - 1) * sum(line.value for line in lines if line.id != KONG_DRAW.id)
    return tuple(changed(x, value=added_points) if x.id == KONG_DRAW.id else x for x in lines)


def place_matters(win: Win) -> bool:
    """Not where the tile was drawn and so opens no set, unless house options look at it (HF-12, HF-14)."""
    return (
        not win.self_drawn
        or (len(win.waits) == 1 and win.on("single_excludes_pair"))
        or win.on("visible_if_completed_by_win")
    )


SITUATIONS = (
    Situation(
        id="sea_floor",
        label="Sea floor",
        label_zh="海捞",
        name="win on one of the last four tiles",
        name_zh="海捞（最后四张）",
        needs=(needs.SELF_DRAWN,),
        excludes=("replacement", "heavenly", "earthly"),
    ),
    Situation(
        id="replacement",
        label="After a kong",
        label_zh="杠后开花",
        name="win on the tile drawn after a kong",
        name_zh="杠后开花",
        needs=(needs.SELF_DRAWN, needs.WITH_A_KONG),
    ),
    Situation(
        id="heavenly",
        label="Heavenly",
        label_zh="天胡",
        name="dealer's win with the dealt tiles",
        name_zh="天胡",
        needs=(needs.SELF_DRAWN, needs.BY_THE_DEALER, needs.NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="another player's win on the first draw",
        name_zh="地胡",
        needs=(needs.NOT_ROBBED, needs.NOT_BY_THE_DEALER, needs.NO_MELDS),
    ),
)

HEFEI = RuleSet(
    name="hefei",
    title="Hefei",
    title_zh="合肥麻将",
    source=msgid("The rules of the beginner's guide to Hefei mahjong at mahjongpros.com."),
    tile_set=SET_84,
    hand_size=13,
    unit="zui",
    uses=frozenset({"streak"}),
    meanings={
        "streak": Meaning(
            "Deals in a row", "hands that this dealer has dealt in a row, this one included, from 1"
        )
    },
    meld_kinds=CHOWS_BY_OPTION,
    options=OPTIONS,
    situations=SITUATIONS,
    shapes=(
        standard("four sets and a pair", "四副牌加一对将"),
        seven_pairs("seven_pairs", option_is_off=Reason(Sentence(SEVEN_PAIRS_OFF), "HF-07")),
    ),
    no_shape=Reason(Sentence(NO_SHAPE), "HF-07"),
    quota=SuitQuota(suit_needs, explain_short_suit),
    patterns=(*GENERAL, *SPECIAL, KONG_DRAW),
    sign=add_rows,
    place_matters=place_matters,
    combine=combine,
    payers=payers,
    payer_patterns=(
        PayerPattern(
            id="dealer",
            name="Dealer",
            name_zh="庄家",
            value=4,
            count=dealer_hands,
            meaning=(
                "Each hand that the dealer has dealt in a row,"
                " for each payment that the dealer makes or gets."
            ),
            meaning_zh="庄家每连庄一局，凡庄家所付或所收的每笔。",
            ruling="HF-24",
            when=lambda o: o.by_dealer or o.of_dealer,
        ),
    ),
    point=POINT_SCORE,
    play=PLAY,
    sentences=(TOO_FEW_OF_A_SUIT, NO_SHAPE, SEVEN_PAIRS_OFF),
)
