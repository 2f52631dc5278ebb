"""Hefei (合肥): 84 tiles; points ("zui", 嘴) are added up, and a payer pays 20 for each.

The tables are purely additive (HF-19): only rows of one family replace each other (HF-14, HF-15, HF-18).
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from types import MappingProxyType

from companion.rules import needs
from companion.rules.rule_set import Line, PayerPattern, RuleSet, Situation
from companion.rules.shapes import seven_pairs, standard
from companion.rules.variants.hefei_options import OPTIONS
from companion.rules.variants.hefei_rows import GENERAL, KONG_DRAW, SPECIAL, SUIT_MIN, suit_sizes
from companion.rules.win import Hand, Options, Reason, Win
from companion.tiles import SET_84, MeldKind

POINT_SCORE = 20
"""What one point is worth to each payer (HF-09, HF-29)."""

TOO_FEW_OF_A_SUIT = "A Hefei hand needs {needed} tiles of one suit, and the most here is {found}."
NO_SHAPE = "These tiles make neither four sets and a pair nor seven pairs."
SEVEN_PAIRS_OFF = "Seven pairs do not win where the house option seven_pairs is false."


GENERAL_IDS = frozenset(row.id for row in GENERAL if row.id != "winning_a_hand")
SPECIAL_IDS = frozenset(row.id for row in SPECIAL)


def eight_of_a_suit(hand: Hand, options: Options) -> Reason | None:
    largest = max(suit_sizes(hand, options))
    if largest >= SUIT_MIN:
        return None
    return Reason(TOO_FEW_OF_A_SUIT, {"needed": SUIT_MIN, "found": largest}, "HF-08")


def dealer_hands(win: Win, payer: int) -> int:
    dealer = win.request.dealer
    if dealer not in (win.request.winner, payer):
        return 0
    lost = win.request.winner != dealer
    return win.request.streak - int(lost and win.options["dealer_n"] == "wins_only")


def payers(win: Win) -> tuple[int, ...]:
    discarder = win.request.discarder
    if discarder is None or win.options["discard"] == "all_pay":
        return tuple(seat for seat in range(4) if seat != win.request.winner)
    return (discarder,)


def pays(win: Win, value: int, lines: tuple[Line, ...]) -> int:
    return POINT_SCORE * win.request.base * (value + sum(line.value for line in lines))


def combine(win: Win, lines: tuple[Line, ...]) -> tuple[tuple[Line, ...], int]:
    """All lines and their sum, unless the house says otherwise (HF-19, HF-26).

    The line of Kong Draw tells the points that the doubling adds.
    """
    if win.options["specials_exclusive"]:
        general = sum(line.value for line in lines if line.id in GENERAL_IDS)
        special = sum(line.value for line in lines if line.id in SPECIAL_IDS)
        dropped = GENERAL_IDS if special > general else SPECIAL_IDS
        lines = tuple(line for line in lines if line.id not in dropped)
    points = sum(line.value for line in lines if line.id != KONG_DRAW.id)
    value = points * prod(line.value for line in lines if line.id == KONG_DRAW.id)
    return tuple(replace(x, value=value - points) if x.id == KONG_DRAW.id else x for x in lines), value


SITUATIONS = (
    Situation(
        "sea_floor", "win on one of the last four tiles", "海捞（最后四张）", (needs.SELF_DRAWN,),
        excludes=("replacement", "heavenly", "earthly"),
    ),
    Situation("replacement", "win on the tile drawn after a kong",
    "杠后开花", (needs.SELF_DRAWN, needs.WITH_A_KONG)),
    Situation(
        "heavenly", "dealer's win with the dealt tiles",
        "天胡", (needs.SELF_DRAWN, needs.BY_THE_DEALER, needs.NO_MELDS),
        excludes=("earthly",), dealt=True,
    ),
    Situation(
        "earthly", "another player's win on the first draw",
        "地胡", (needs.NOT_ROBBED, needs.NOT_BY_THE_DEALER, needs.NO_MELDS)
    ),
)  # fmt: skip

HEFEI = RuleSet(
    name="hefei",
    title="Hefei",
    title_zh="合肥麻将",
    tile_set=SET_84,
    hand_size=13,
    unit="zui",
    streak_default=1,
    meld_kinds=MappingProxyType(
        {
            MeldKind.CHOW: "allow_chow",
            MeldKind.PUNG: None,
            MeldKind.KONG_DISCARD: None,
            MeldKind.KONG_ADDED: None,
            MeldKind.KONG_CONCEALED: None,
        }
    ),
    options=OPTIONS,
    situations=SITUATIONS,
    shapes=(
        standard("four sets and a pair", "四副牌加一对将"),
        seven_pairs("seven_pairs", option_is_off=Reason(SEVEN_PAIRS_OFF, {}, "HF-07")),
    ),
    no_shape=Reason(NO_SHAPE, {}, "HF-07"),
    limit=eight_of_a_suit,
    patterns=(*GENERAL, *SPECIAL, KONG_DRAW),
    combine=combine,
    payers=payers,
    payer_patterns=(
        PayerPattern(
            "dealer", "Dealer", "庄家", 4, dealer_hands,
            "Each hand that the dealer has dealt in a row, for each payment that the dealer makes or gets.",
            "庄家每连庄一局，凡庄家所付或所收的每笔。", "HF-24",
        ),
    ),
    pays=pays,
    sentences=(TOO_FEW_OF_A_SUIT, NO_SHAPE, SEVEN_PAIRS_OFF),
)  # fmt: skip
