"""Hangzhou (杭州): 136 tiles, three or four of them wild Fortunes; multipliers (番) are multiply_rows.

A hand is worth the product M of its multipliers; a loser's share is base x M x dealer factor (HZ-14, HZ-36).
No row asks how a standard hand is grouped (HZ-34), so that one use of the Fortunes is as good as another.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from companion.rules import needs
from companion.rules.building_blocks import all_others, loser_or_all_others, multiply_rows
from companion.rules.groups import DRAGONS
from companion.rules.hand import Wild
from companion.rules.rule_set import ANY_MELDS, TIMES, Bearers, Demand, Meaning, RuleSet, ScoreLine, Situation
from companion.rules.shapes import seven_pairs, standard
from companion.rules.variants.hangzhou_options import OPTIONS, WHITE_DRAGON
from companion.rules.variants.hangzhou_play import PLAY
from companion.rules.variants.hangzhou_rows import (
    FACTORS,
    LIABILITY,
    ROWS,
    SHARES_OF_ALL,
    find_liable_seat,
    is_explosive,
    pays_for_all,
)
from companion.rules.win import HandReading, Options, Reason, ScoreRequest, Source, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136, MeldKind, Suit, Tile

WHITE = DRAGONS[0]
INDICATOR_COPIES = 3
"""The flipped tile itself is out of play (HZ-04)."""
CLAIMABLE_FROM_LAO = 3
THREE_MELDS = 3

NO_SHAPE = "These tiles, the Fortunes as any tile, make neither four sets and a pair nor seven pairs."
DRAWN_BEFORE_THREE_LAO = (
    "The dealer is at {lao} Lao, and before 3 Lao the winning tile must be drawn by the winner."
)
DEALER_NOT_INVOLVED = (
    "Neither the winner nor the player whose tile it is is the dealer: between other players no tile wins."
)
NO_ROBBING = "The house option rob is never: the winning tile cannot be that of another player's kong."
FORTUNE_FROM_ANOTHER = (
    "The winning tile {tile} is a Fortune, which cannot be claimed from another player: it must be drawn."
)
FORTUNE_IN_MELD = "The meld {meld} holds the Fortune {tile}, which must stay in the concealed hand."
TOO_MANY_CHOWS = "{found} chows are claimed, and the house option max_chows allows {allowed}."
MUST_EXPLODE = (
    "The hand holds a Fortune and does not win by Explosive Pair, as the house option fortune_must_explode"
    " asks."
)

FORTUNE_NEEDED = (
    "{field} is missing: give the kind that is wild, as in 9s; only where the house option fortune is"
    " white_dragon may it be left out."
)
FORTUNE_IS_WHITE = "{field} must be 5z or left out: the house option fortune is white_dragon."
FORTUNE_IS_FLOWER = "{field} must be one of the kinds 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z, not a flower."
NO_SUCH_KONG = (
    "replacement in {field} is a win on the tile drawn after a kong, and after a gambit only a concealed or"
    " added one can be declared: melds hold none."
)
CHAIN_DRAW = "{field} are a chain before a self-drawn win: source must be self_draw, or leave {field} out."
GAMBITS_COPIES = (
    "{field} and the Fortunes that the winner holds are more than there are: three with an indicator, four"
    " White Dragons."
)
KONGS_HELD = (
    "{field} is more than the kongs in melds make possible: of kongs claimed from a discard (k) only one can"
    " be in the chain, and none after a gambit."
)
MELDS_OF_ONE = "{field} names a player as melder more than once: nobody has melds for that."
MELDS_CLAIMED = "{field} says that the winner claimed three melds: melds must hold them, as c, p, k or a."


@cache
def find_wild(white_dragon: bool, white_stands: bool, fortune: Tile | None) -> Wild | None:
    if white_dragon:
        return Wild(WHITE, SET_136.copies[WHITE.index])
    if fortune is None:
        return None
    return Wild(fortune, INDICATOR_COPIES, WHITE if white_stands and fortune is not WHITE else None)


def wildcards(options: Options, fortune: Tile | None) -> Wild | None:
    white_stands = bool(options["white_stands_for_fortune"])
    return find_wild(options["fortune"] == WHITE_DRAGON, white_stands, fortune)


def most_kongs_in_chain(request: ScoreRequest) -> int:
    """The most kongs that can be in the chain: a claimed one only as its first, after no gambit (HZ-10)."""
    kinds = [meld.kind for meld in request.melds if meld.kind.is_kong]
    claimed = kinds.count(MeldKind.KONG_DISCARD)
    return len(kinds) - claimed + (min(claimed, 1) if not request.gambits else 0)


def has_enough_fortunes(request: ScoreRequest) -> bool:
    fortunes = wildcards(request.options, request.fortune)
    if not request.gambits or fortunes is None:
        return True
    return request.gambits + fortunes.count_held(request.hand, request.melds) <= fortunes.copies


def has_three_claimed_melds(request: ScoreRequest) -> bool:
    claimed = [meld for meld in request.melds if meld.kind is not MeldKind.KONG_CONCEALED]
    melders = [melder for melder, _ in request.three_melds]
    return request.winner not in melders or len(claimed) >= THREE_MELDS


def is_self_drawn(request: ScoreRequest) -> bool:
    return request.source is Source.SELF_DRAW


def is_white_dragon(request: ScoreRequest) -> bool:
    return request.options["fortune"] == WHITE_DRAGON


DEMANDS = (
    Demand("fortune", lambda r: is_white_dragon(r) or r.fortune is not None, FORTUNE_NEEDED),
    Demand("fortune", lambda r: not is_white_dragon(r) or r.fortune in (None, WHITE), FORTUNE_IS_WHITE),
    Demand("fortune", lambda r: r.fortune is None or r.fortune.suit is not Suit.FLOWERS, FORTUNE_IS_FLOWER),
    Demand("gambits", lambda r: not r.gambits or is_self_drawn(r), CHAIN_DRAW),
    Demand("gambits", has_enough_fortunes, GAMBITS_COPIES),
    Demand("consecutive_kongs", lambda r: not r.consecutive_kongs or is_self_drawn(r), CHAIN_DRAW),
    Demand("consecutive_kongs", lambda r: r.consecutive_kongs <= most_kongs_in_chain(r), KONGS_HELD),
    Demand(
        "situation", lambda r: "replacement" not in r.situation or most_kongs_in_chain(r) > 0, NO_SUCH_KONG
    ),
    Demand(
        "three_melds", lambda r: len({a for a, _ in r.three_melds}) == len(set(r.three_melds)), MELDS_OF_ONE
    ),
    Demand("three_melds", has_three_claimed_melds, MELDS_CLAIMED),
)


def refuse_source(win: Win) -> Reason | None:
    """Why the tile of another player does not win (HZ-07, HZ-12, HZ-13, HZ-37)."""
    request = win.request
    if win.self_drawn:
        return None
    robbed = win.robbed
    rob = win.options["rob"]
    if robbed and rob == "never":
        return Reason(Sentence(NO_ROBBING), "HZ-13")
    if win.last is None and (robbed or not win.on("win_on_fortune_discard")):
        return Reason(Sentence(FORTUNE_FROM_ANOTHER, {"tile": win.hand.fortune}), "HZ-07")
    if robbed and rob == "always":
        return None
    if request.streak < CLAIMABLE_FROM_LAO:
        return Reason(Sentence(DRAWN_BEFORE_THREE_LAO, {"lao": request.streak}), "HZ-37")
    if request.dealer not in (request.winner, request.discarder):
        return Reason(Sentence(DEALER_NOT_INVOLVED), "HZ-12")
    return None


def refuse_melds(win: Win) -> Reason | None:
    """Fortunes are claimed by nobody and make no kong; a chow may hold one where the house says so (HZ-07).

    Where the White Dragon stands for the Fortune's kind, a chow with that kind holds a White Dragon (HZ-06).
    """
    fortune = win.hand.fortune
    chows = 0
    for meld in win.melds:
        is_chow = meld.kind is MeldKind.CHOW
        chows += is_chow
        if fortune in meld.tiles and not (
            is_chow and (win.on("fortune_in_melds") or win.on("white_stands_for_fortune"))
        ):
            return Reason(Sentence(FORTUNE_IN_MELD, {"meld": meld, "tile": fortune}), "HZ-07")
    if not chows or chows <= (allowed := win.number("max_chows")):
        return None
    return Reason(Sentence(TOO_MANY_CHOWS, {"found": chows, "allowed": allowed}), "HZ-30")


def restrict(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    reason = refuse_source(win) or (refuse_melds(win) if win.melds else None)
    if reason is not None or not win.hand.wild or not win.on("fortune_must_explode"):
        return reason
    return None if is_explosive(win, reading) else Reason(Sentence(MUST_EXPLODE), "HZ-29")


def payers(win: Win) -> tuple[int, ...]:
    """Whose shares are owed, whoever bears them."""
    return (all_others if pays_for_all(win) else loser_or_all_others)(win)


def bearers(win: Win) -> Bearers | None:
    """Who is liable pays all shares, doubled (HZ-22); else one whose tile wins, where these pay for all
    (HZ-24)."""
    found = find_liable_seat(win) if win.request.three_melds else ()
    if found:
        return Bearers(found, SHARES_OF_ALL, win.number("liability_x"), LIABILITY)
    discarder = win.request.discarder
    return Bearers((discarder,), SHARES_OF_ALL) if discarder is not None and pays_for_all(win) else None


HANGZHOU = RuleSet(
    name="hangzhou",
    title="Hangzhou",
    title_zh="杭州麻将",
    source=msgid("The rules of the beginner's guide to Hangzhou mahjong at mahjongpros.com."),
    tile_set=SET_136,
    hand_size=13,
    unit="multiplier",
    uses=frozenset({"streak", "fortune", "gambits", "consecutive_kongs", "three_melds"}),
    meanings={"streak": Meaning("Deals in a row", "the dealer's Lao, from 1", "Lao")},
    meld_kinds=ANY_MELDS,
    options=OPTIONS,
    situations=(
        Situation(
            id="replacement",
            label="After a kong",
            label_zh="杠开",
            name="win on the tile drawn after a kong",
            name_zh="杠后补牌胡（杠开）",
            needs=(needs.SELF_DRAWN, needs.WITH_A_KONG),
        ),
    ),
    demands=DEMANDS,
    wild=wildcards,
    shapes=(
        standard("four sets and a pair", "四副牌加一对将", alike=True),
        replace(seven_pairs(), alike=True),
    ),
    no_shape=Reason(Sentence(NO_SHAPE), "HZ-29"),
    restrict=restrict,
    patterns=ROWS,
    sign=multiply_rows,
    payers=payers,
    payer_patterns=FACTORS,
    payer_sign=TIMES,
    bearer_rows=(SHARES_OF_ALL, LIABILITY),
    bearers=bearers,
    debt_option="debt",
    play=PLAY,
    sentences=(
        NO_SHAPE,
        DRAWN_BEFORE_THREE_LAO,
        DEALER_NOT_INVOLVED,
        NO_ROBBING,
        FORTUNE_FROM_ANOTHER,
        FORTUNE_IN_MELD,
        TOO_MANY_CHOWS,
        MUST_EXPLODE,
        FORTUNE_NEEDED,
        FORTUNE_IS_WHITE,
        FORTUNE_IS_FLOWER,
        NO_SUCH_KONG,
        CHAIN_DRAW,
        GAMBITS_COPIES,
        KONGS_HELD,
        MELDS_OF_ONE,
        MELDS_CLAIMED,
    ),
)
