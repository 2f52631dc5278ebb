"""Taiwanese (台湾麻将): 144 tiles, hands of 16; tai (台) are added up, the dealer's tai by payment.

Of rows in one family that include each other only the highest scores (TW-17); families add up. The house
option preset chooses between the written table and the one that is common in Taiwan (TW-32, P-01).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace as changed

from companion.rules import needs
from companion.rules.building_blocks import add_rows, all_others, loser_or_all_others
from companion.rules.distance import UNREACHABLE
from companion.rules.groups import Group
from companion.rules.hand import Hand
from companion.rules.rule_set import (
    CHOWS_BY_OPTION,
    Demand,
    Meaning,
    Need,
    PayerPattern,
    RuleSet,
    ScoreLine,
    Situation,
)
from companion.rules.shapes import Game, Shape, seven_pairs, seven_pairs_and_a_pung, standard
from companion.rules.stakes import BASE, UNIT
from companion.rules.variants.taiwanese_common import NO_SHAPE_BUT_PAIRS, choose_table
from companion.rules.variants.taiwanese_options import OPTIONS
from companion.rules.variants.taiwanese_play import PLAY
from companion.rules.variants.taiwanese_rows import FLOWER_WINS, ROWS
from companion.rules.win import Reason, ScoreRequest, Source, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_144, MeldKind

NO_SHAPE = "These tiles make neither five sets and a pair nor seven pairs and a concealed pung."
SEVEN_PUNG_CLOSED = (
    "Seven pairs beside a pung or kong on the table win only where the house option seven_pung_open is true."
)
NEEDS_FLOWERS = "{situation} in {field} is a win by flowers: the house option flowers must be true."
NEEDS_EIGHT = "{situation} in {field} is a win by eight flowers: flowers must list all eight, or be empty."
TOO_FEW_DISCARDS = (
    "{field} counts every discard so far, those that the winner claimed and the one that was won included:"
    " give at least as many, or null."
)
NOT_THE_FIRST = "{field} must be 1 or null: earthly is a win on the dealer's first discard."
NEEDS_SEVEN = (
    "{situation} in {field} is a win by seven flowers and a robbed one: flowers must list the seven or all"
    " eight, or be empty."
)
NEEDS_ROBBED_FLOWER = (
    "{situation} in {field} is a win on another player's flower: source must be robbed_kong, and from the"
    " seat that drew the flower."
)
NEEDS_NOTHING_CLAIMED = (
    "{situation} in {field} is declared before any claim, and none follows: melds are concealed kongs only."
)

FLOWER_WIN_IDS = frozenset(row.id for row in FLOWER_WINS)
PAIRS_ALONE = seven_pairs()


def take_concealed_alone(hand: Hand) -> Hand | None:
    """The concealed tiles by themselves where a pung or kong is the only meld (TW-28)."""
    if len(hand.melds) != 1 or hand.melds[0].kind is MeldKind.CHOW:
        return None
    return changed(hand, melds=())


def splits_beside_a_pung(hand: Hand) -> Iterable[tuple[Group, ...]]:
    concealed = take_concealed_alone(hand)
    return () if concealed is None else PAIRS_ALONE.splits(concealed)


def waits_beside_a_pung(hand: Hand) -> Iterable[int]:
    concealed = take_concealed_alone(hand)
    return () if concealed is None else PAIRS_ALONE.waits(concealed)


def lacks_beside_a_pung(hand: Hand, game: Game) -> int:
    """The pung's fourth tile is of no use: it never gets a partner."""
    concealed = take_concealed_alone(hand)
    if concealed is None:
        return UNREACHABLE
    meld = hand.melds[0]
    kind = meld.tiles[0]
    if hand.total[kind.index] > len(meld.tiles):
        concealed = concealed.without(kind, kind)
    return PAIRS_ALONE.lacks(concealed, game)


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """All lines; beside a win by flowers nothing else (TW-24)."""
    if win.by_flowers:
        return tuple([line for line in lines if line.id in FLOWER_WIN_IDS])
    return lines


def involves_dealer(win: Win, payer: int) -> int:
    return int(not (win.by_flowers and win.on("flower_win_no_dealer_tai")))


def streak(win: Win, payer: int) -> int:
    most = win.number("streak_cap") or win.request.streak
    return involves_dealer(win, payer) and min(win.request.streak, most)


def payers(win: Win) -> tuple[int, ...]:
    all_pay = win.self_drawn or (not win.by_flowers and win.options["discard"] == "all_pay")
    return (all_others if all_pay else loser_or_all_others)(win)


def has_enough_discards(request: ScoreRequest) -> bool:
    """Whether there were as many discards as the winner's claims and a win on one take (TW-21)."""
    claims = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in request.melds)
    by_discard = request.source is Source.DISCARD
    return request.discards is None or request.discards >= claims + by_discard


def is_first_discard(request: ScoreRequest) -> bool:
    return request.discards in (None, 1) or "earthly" not in request.situation


def has_nothing_claimed(request: ScoreRequest) -> bool:
    return all(meld.kind is MeldKind.KONG_CONCEALED for meld in request.melds)


WITH_FLOWERS = Need(lambda request: request.on("flowers"), NEEDS_FLOWERS)
NO_CLAIMS = Need(has_nothing_claimed, NEEDS_NOTHING_CLAIMED)
SITUATIONS = (
    Situation(
        id="last_tile",
        label="Last tile",
        label_zh="最后一张",
        name="win on the last tile of the wall, or on the discard after it",
        name_zh="海底捞月或河底捞鱼",
        excludes=("heavenly", "earthly"),
    ),
    Situation(
        id="replacement",
        label="Replacement",
        label_zh="杠上开花",
        name="win on the tile drawn after a kong or a flower",
        name_zh="杠后或补花后胡牌",
        needs=(needs.SELF_DRAWN, needs.WITH_A_KONG_OR_FLOWER),
        excludes=("heavenly",),
    ),
    Situation(
        id="ready",
        label="Ready",
        label_zh="报听",
        name="a ready hand was declared",
        name_zh="已报听",
        excludes=("heavenly", "earthly"),
    ),
    Situation(
        id="immediate_ready",
        label="Ready as dealt",
        label_zh="天听",
        name="a ready hand with the dealt tiles was declared at the first discard",
        name_zh="起手听牌并报听",
        needs=(NO_CLAIMS,),
        excludes=("heavenly", "earthly"),
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
        name="another player's win on the dealer's first discard",
        name_zh="闲家胡庄家打出的第一张牌（通行台数表为人胡）",
        needs=(needs.NOT_BY_THE_DEALER, needs.ON_THE_DEALERS_DISCARD, needs.NO_MELDS),
    ),
    Situation(
        id="first_round",
        label="First round",
        label_zh="第一巡",
        name="win before any claim by a player other than the dealer, on the first tile drawn or on a discard"
        " before it; it counts in the usual table of Taiwan",
        name_zh="第一巡无人吃碰杠时，闲家摸第一张牌自摸或未摸牌即胡（通行台数表的地胡、人胡）",
        needs=(needs.NOT_BY_THE_DEALER, needs.NOT_ROBBED, needs.NO_MELDS),
        excludes=("heavenly", "earthly", "ready", "immediate_ready", "last_tile"),
    ),
    Situation(
        id="all_flowers",
        label="Eight flowers",
        label_zh="八仙过海",
        name="win by all eight flowers",
        name_zh="八仙过海",
        needs=(
            WITH_FLOWERS,
            needs.SELF_DRAWN,
            Need(lambda request: len(request.flowers) in (0, 8), NEEDS_EIGHT),
        ),
        excludes=("seven_flowers_robbing", "heavenly"),
        flowers=True,
    ),
    Situation(
        id="seven_flowers_robbing",
        label="Seven flowers",
        label_zh="七抢一",
        name="win by seven flowers and another player's eighth",
        name_zh="七抢一",
        needs=(
            WITH_FLOWERS,
            Need(lambda request: request.source is Source.ROBBED_KONG, NEEDS_ROBBED_FLOWER),
            Need(lambda request: len(request.flowers) in (0, 7, 8), NEEDS_SEVEN),
        ),
        flowers=True,
    ),
)

TAIWANESE = RuleSet(
    name="taiwanese",
    title="Taiwanese",
    title_zh="台湾麻将",
    source=msgid("The rules of the beginner's guide to Taiwanese mahjong at mahjongpros.com."),
    tile_set=SET_144,
    hand_size=16,
    unit="tai",
    uses=frozenset({"flowers", "streak", "discards", "round_wind"}),
    streak_default=0,
    meanings={"streak": Meaning("Dealer's streak", "wins and draws in a row before this hand, from 0")},
    meld_kinds=CHOWS_BY_OPTION,
    options=OPTIONS,
    situations=SITUATIONS,
    demands=(
        needs.NO_FLOWERS_WITHOUT,
        Demand("discards", has_enough_discards, TOO_FEW_DISCARDS),
        Demand("discards", is_first_discard, NOT_THE_FIRST),
    ),
    shapes=(
        standard("five sets and a pair", "五副牌加一对将"),
        seven_pairs_and_a_pung(),
        Shape(
            "seven_pairs_beside_a_pung",
            "seven pairs beside a claimed pung",
            "七对加碰出的一刻",
            splits_beside_a_pung,
            waits_beside_a_pung,
            lacks_beside_a_pung,
            "seven_pung_open",
            Reason(Sentence(SEVEN_PUNG_CLOSED), "TW-28"),
        ),
    ),
    no_shape=Reason(Sentence(NO_SHAPE), "TW-01"),
    patterns=ROWS,
    table_option="preset",
    other_table=choose_table,
    sign=add_rows,
    additive_option="pure_additive",
    combine=combine,
    payers=payers,
    stakes=(BASE, UNIT),
    payer_patterns=(
        PayerPattern(
            id="dealer",
            name="Dealer",
            name_zh="庄家",
            value=1,
            count=involves_dealer,
            meaning="Each payment that the dealer makes or gets.",
            meaning_zh="凡庄家所付或所收的每笔。",
            ruling="TW-08",
            when=lambda o: o.by_dealer or o.of_dealer,
        ),
        PayerPattern(
            id="consecutive_dealer",
            name="Consecutive Dealer",
            name_zh="连庄",
            value=1,
            count=streak,
            meaning=(
                "Each win and draw in a row before this hand, for each payment that the dealer makes or gets."
            ),
            meaning_zh="本局之前每连庄一次，凡庄家所付或所收的每笔。",
            ruling="TW-08",
            when=lambda o: o.by_dealer or o.of_dealer,
        ),
        PayerPattern(
            id="dealer_continuation",
            name="Dealer Continuation",
            name_zh="拉庄",
            value=1,
            count=streak,
            meaning=(
                "Each win and draw in a row before this hand once"
                " more, for each payment that the dealer makes or"
                " gets."
            ),
            meaning_zh="本局之前每连庄一次另加一次，凡庄家所付或所收的每笔。",
            ruling="TW-08",
            when=lambda o: o.by_dealer or o.of_dealer,
        ),
    ),
    play=PLAY,
    sentences=(
        NO_SHAPE,
        NO_SHAPE_BUT_PAIRS,
        SEVEN_PUNG_CLOSED,
        NEEDS_FLOWERS,
        NEEDS_EIGHT,
        NEEDS_SEVEN,
        NEEDS_ROBBED_FLOWER,
        NEEDS_NOTHING_CLAIMED,
        TOO_FEW_DISCARDS,
        NOT_THE_FIRST,
    ),
)
