"""Hangzhou (杭州): 136 tiles, three or four of them wild Fortunes; multipliers (番) are multiply_rows.

A hand is worth the product M of its multipliers; a loser's share is base x M x dealer factor (HZ-14, HZ-36).
No row asks how a standard hand is grouped (HZ-34), so that one use of the Fortunes is as good as another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from companion.rules.building_blocks import (
    SELF_DRAWN,
    WITH_A_KONG,
    all_others,
    count_once,
    loser_or_all_others,
    multiply_rows,
)
from companion.rules.hand import DRAGONS, Hand, Wild
from companion.rules.options import COMMON, Option, switch
from companion.rules.outline import Outline
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Chows,
    Gambits,
    Length,
    Liability,
    Play,
    Policy,
    Rotation,
    WallRule,
    Wildcards,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.rule_set import (
    ANY_MELDS,
    TIMES,
    Bearers,
    ComputedRow,
    Demand,
    FieldMeaning,
    Pattern,
    PayerPattern,
    RuleSet,
    ScoreLine,
    Situation,
)
from companion.rules.shapes import count_wild_needed, seven_pairs, standard
from companion.rules.win import HandReading, Options, Reason, ScoreRequest, Source, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136, MeldKind, Suit, Tile

WHITE_DRAGON = "white_dragon"

OPTIONS = (
    Option(
        key="fortune",
        default="indicator",
        values=("indicator", WHITE_DRAGON),
        meaning="Which tiles are Fortunes: the three mates of the flipped tile, or the four White Dragons.",
        meaning_zh="财神：翻出的牌余下的三张，或四张白板。",
        ruling="HZ-04",
    ),
    switch(
        key="white_stands_for_fortune",
        ruling="HZ-06",
        meaning="The White Dragon is an ordinary tile of the Fortune's kind, and a claimed chow with it is"
        " written"
        " with that kind.",
        meaning_zh="白板代替财神原来的牌（作普通牌用）；吃进的顺子含此白板时，按其所代的牌书写。",
    ),
    switch(
        key="fortune_in_melds",
        ruling="HZ-07",
        meaning="A Fortune may be part of a claimed chow, as its own kind.",
        meaning_zh="吃进的顺子中可以有财神（作其本身的牌用）。",
    ),
    switch(
        key="win_on_fortune_discard",
        ruling="HZ-07",
        meaning="A discarded Fortune may be won on.",
        meaning_zh="可以胡别人打出的财神。",
    ),
    Option(
        key="gambit_cap",
        default=16,
        values=(16, 4),
        meaning="The most that Fortune Gambits multiply by in all.",
        meaning_zh="财飘累计最高的倍数。",
        ruling="HZ-11",
    ),
    Option(
        key="rob",
        default="always",
        values=("always", "never", "follow_discard_rule"),
        meaning="When an added kong may be robbed: always, never, or only where a discard could be won on.",
        meaning_zh="捉杠：任何时候都可以、不可以，或与点炮胡的限制相同。",
        ruling="HZ-13",
    ),
    switch(
        key="discard_pays_all_shares",
        ruling="HZ-14",
        meaning="On a discard the discarder pays the shares of all three.",
        meaning_zh="点炮者一人付三家的份。",
    ),
    Option(
        key="dealer_discard_loss",
        default=2,
        values=(2, 1),
        meaning="The factor of a losing dealer's share on a discard win.",
        meaning_zh="点炮胡时，庄家输的倍数。",
        ruling="HZ-14",
    ),
    Option(
        key="dealer_loss",
        default="double",
        values=("double", "lao"),
        meaning="The factor of a losing dealer's share: 2, or by Lao 2, 4, 8 as when the dealer wins.",
        meaning_zh="庄家输的倍数：一律二倍，或与庄家赢时一样按老庄算（二、四、八倍）。",
        ruling="HZ-14",
    ),
    switch(
        key="wild_quads",
        ruling="HZ-21",
        meaning="Fortunes may complete the four equal tiles of Luxury Pairs.",
        meaning_zh="豪华对的四张可以用财神补足。",
    ),
    switch(
        key="liability_self_draw_only",
        ruling="HZ-22",
        meaning="Three-Meld Liability holds for self-drawn wins only.",
        meaning_zh="三摊承包只限自摸。",
    ),
    Option(
        key="liability_x",
        default=2,
        values=(2, 1),
        meaning="How many times all shares together a liable player pays.",
        meaning_zh="承包者付各家总和的倍数。",
        ruling="HZ-22",
    ),
    switch(
        key="debt",
        ruling="HZ-26",
        meaning="A player may pay more than the balance, into debt.",
        meaning_zh="分数不够付时可以欠分。",
    ),
    switch(
        key="fortune_must_explode",
        ruling="HZ-29",
        meaning="A hand that holds a Fortune wins only by Explosive Pair.",
        meaning_zh="有财必爆头：手中有财神时只能爆头胡。",
    ),
    Option(
        key="max_chows",
        default=4,
        values=(4, 2),
        meaning="The most chows that a player may claim; four is no limit.",
        meaning_zh="每家最多可吃几副；四副即不限。",
        ruling="HZ-30",
    ),
    switch(key="rob_x2", ruling="HZ-35", meaning="Kong Capture doubles the hand.", meaning_zh="捉杠胡翻倍。"),
    *COMMON,
)


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
    """By hands, or until a player is broke (HZ-32)."""
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


GAMBITS_COUNTED = {16: 4, 4: 2}
"""Number of gambits at which the multiplier is capped (HZ-11)."""
QUADS_MAX = 3
LAO_MAX = 3


def is_explosive(win: Win, reading: HandReading) -> bool:
    """Whether without one Fortune the tiles before the draw were sets, or six pairs, and any tile won."""
    before = win.before
    if before is None or not before.wild or not win.self_drawn:
        return False
    if reading.shape == "seven_pairs":
        return count_odd_kinds(before) < before.wild
    return sum([count_wild_needed(suit, counts)[0] for suit, counts in enumerate(before.suits)]) < before.wild


def count_odd_kinds(hand: Hand) -> int:
    """How many kinds lack a tile to pairs."""
    return sum([count % 2 for counts in hand.suits for count in counts])


def count_gambits(win: Win) -> int:
    return min(win.request.gambits, GAMBITS_COUNTED[win.number("gambit_cap")])


def comes_of_a_chain(outline: Outline) -> bool:
    """Whether there can be gambits or kongs directly before the win."""
    return outline.chained or "replacement" in outline.situation


def count_chained_kongs(win: Win) -> int:
    """Kongs in immediate succession before the winning replacement (HZ-20)."""
    return max(win.request.consecutive_kongs, int("replacement" in win.request.situation))


def explosive_pair(win: Win, reading: HandReading) -> int:
    return int(is_explosive(win, reading) and not count_chained_kongs(win))


def fortune_gambit(win: Win, reading: HandReading) -> int:
    return count_gambits(win) - kong_gambit(win, reading)


def kong_blossom(win: Win, reading: HandReading) -> int:
    return count_chained_kongs(win) - explosive_kong(win, reading) - kong_gambit(win, reading)


def explosive_kong(win: Win, reading: HandReading) -> int:
    return int(count_chained_kongs(win) > 0 and is_explosive(win, reading))


def kong_gambit(win: Win, reading: HandReading) -> int:
    """Not where all three come together (HZ-19): there Explosive Kong scores, and the gambit by itself."""
    return int(count_chained_kongs(win) > 0 and win.request.gambits > 0 and not is_explosive(win, reading))


def kong_capture(win: Win, reading: HandReading) -> int:
    return int(win.on("rob_x2"))


def luxury_pairs(win: Win, reading: HandReading) -> int:
    """With the house option, three and a Fortune are four, and two spare Fortunes make a pair a quad."""
    suits = win.hand.suits
    quads = sum([counts.count(4) for counts in suits])
    if win.hand.wild and win.on("wild_quads"):
        spare = win.hand.wild - count_odd_kinds(win.hand)
        quads += sum([counts.count(3) for counts in suits]) + spare // 2
    return min(quads, QUADS_MAX)


def lao(win: Win) -> int:
    return min(win.request.streak, LAO_MAX)


def dealer_loss(win: Win, payer: int) -> int:
    if win.request.source is Source.DISCARD and win.number("dealer_discard_loss") == 1:
        return 0
    return lao(win) if win.options["dealer_loss"] == "lao" else 1


def find_liable_seat(win: Win) -> set[int]:
    """Who pays by Three-Meld Liability, in either direction (HZ-22)."""
    winner, pairs = win.request.winner, win.request.three_melds
    if not pairs or (win.on("liability_self_draw_only") and not win.self_drawn):
        return set()
    return {source for melder, source in pairs if melder == winner} | {
        melder for melder, source in pairs if source == winner
    }


def pays_for_all(win: Win) -> bool:
    """Whether the player whose tile wins owes the shares of all three (HZ-13, HZ-14)."""
    return win.robbed or (win.request.source is Source.DISCARD and win.on("discard_pays_all_shares"))


def count_dealership(least: int) -> Callable[[Win, int], int]:
    """Whether the winner deals at this Lao; the third stands for all that follow."""
    return lambda win, payer: int(lao(win) == least)


ROWS = (
    Pattern(
        id="explosive_pair",
        name="Explosive Pair",
        name_zh="爆头",
        value=2,
        count=explosive_pair,
        table="special",
        meaning="Self-drawn, where all but one Fortune were sets, or six pairs, so that any tile won.",
        meaning_zh="自摸，且除一张财神外牌已成副（或已成六对），摸任何牌都能胡。",
        ruling="HZ-18",
        when=lambda o: o.wild > 0 and o.self_drawn,
    ),
    Pattern(
        id="fortune_gambit",
        name="Fortune Gambit",
        name_zh="财飘",
        value=2,
        count=fortune_gambit,
        table="special",
        meaning="Each Fortune discarded in a row directly before this self-draw, four at most.",
        meaning_zh="自摸前连续打出的财神，每张；最多计四张。",
        ruling="HZ-11",
        when=lambda o: o.chained,
    ),
    Pattern(
        id="kong_blossom",
        name="Kong Blossom",
        name_zh="杠开",
        value=2,
        count=kong_blossom,
        table="special",
        meaning="Each kong in a row directly before the winning replacement tile.",
        meaning_zh="杠后补牌胡；补牌前连续的杠，每副。",
        ruling="HZ-20",
        when=comes_of_a_chain,
    ),
    Pattern(
        id="explosive_kong",
        name="Explosive Kong",
        name_zh="杠爆",
        value=4,
        count=explosive_kong,
        table="special",
        meaning="Explosive Pair and Kong Blossom together, each 2.",
        meaning_zh="爆头并杠开，各二倍。",
        ruling="HZ-19",
        when=comes_of_a_chain,
    ),
    Pattern(
        id="kong_gambit",
        name="Kong Gambit",
        name_zh="杠飘",
        value=4,
        count=kong_gambit,
        table="special",
        meaning="Fortune Gambit and Kong Blossom together, each 2.",
        meaning_zh="财飘并杠开，各二倍。",
        ruling="HZ-19",
        when=lambda o: o.chained,
    ),
    Pattern(
        id="kong_capture",
        name="Kong Capture",
        name_zh="捉杠",
        value=2,
        count=kong_capture,
        table="special",
        meaning=("By a house rule: a win on the tile that another player adds to a pung."),
        meaning_zh="胡别家加杠的牌（须约定捉杠翻倍）。",
        ruling="HZ-35",
        when=lambda o: o.robbed,
    ),
    Pattern(
        id="seven_pairs",
        name="Seven Pairs",
        name_zh="七对",
        value=2,
        count=count_once,
        table="pairs",
        meaning="Seven pairs without melds; Fortunes stand for any tile.",
        meaning_zh="七个对子，无吃碰杠；财神可代任何牌。",
        ruling="HZ-21",
        shape="seven_pairs",
    ),
    Pattern(
        id="luxury_pairs",
        name="Luxury Pairs",
        name_zh="豪华对",
        value=2,
        count=luxury_pairs,
        table="pairs",
        meaning="Each kind that seven pairs hold four times without Fortunes, three at most.",
        meaning_zh="七对中每组四张相同的牌（不含财神），最多计三组。",
        ruling="HZ-21",
        shape="seven_pairs",
        most=3,
    ),
    Pattern(
        id="pure_seven_pairs",
        name="Pure Seven Pairs",
        name_zh="清七对",
        value=2,
        count=count_once,
        table="pairs",
        meaning="Seven pairs without a Fortune among the fourteen tiles.",
        meaning_zh="七对的十四张中没有财神。",
        ruling="HZ-21",
        shape="seven_pairs",
        when=lambda o: not o.wild,
    ),
)
FACTORS = (
    PayerPattern(
        id="first_dealership",
        name="First Dealership",
        name_zh="庄家一老",
        value=2,
        count=count_dealership(1),
        meaning="The dealer wins at 1 Lao.",
        meaning_zh="庄家在一老时胡牌。",
        ruling="HZ-14",
        when=lambda o: o.by_dealer,
    ),
    PayerPattern(
        id="second_dealership",
        name="Second Continuous Dealership",
        name_zh="庄家二老",
        value=4,
        count=count_dealership(2),
        meaning="The dealer wins at 2 Lao.",
        meaning_zh="庄家在二老时胡牌。",
        ruling="HZ-14",
        when=lambda o: o.by_dealer,
    ),
    PayerPattern(
        id="third_dealership",
        name="Third Continuous Dealership",
        name_zh="庄家三老",
        value=8,
        count=count_dealership(3),
        meaning="The dealer wins at 3 Lao or later.",
        meaning_zh="庄家在三老及以后胡牌。",
        ruling="HZ-14",
        when=lambda o: o.by_dealer,
    ),
    PayerPattern(
        id="dealer_loss",
        name="Dealer's Loss",
        name_zh="庄家输",
        value=2,
        count=dealer_loss,
        meaning="The share of a losing dealer.",
        meaning_zh="庄家所输的一份。",
        ruling="HZ-14",
        when=lambda o: o.of_dealer,
    ),
)
SHARES_OF_ALL = ComputedRow(
    id="shares_of_all",
    name="Shares of All",
    name_zh="包付",
    value=1,
    meaning=(
        "One player pays the shares of all who owe one; the value is how many times the hand's these come to."
    ),
    meaning_zh="一人付清各家应付的份；数值为各份合计是牌型倍数的几倍。",
    ruling="HZ-22",
)
LIABILITY = ComputedRow(
    id="three_meld_liability",
    name="Three-Meld Liability",
    name_zh="三摊承包",
    value=2,
    meaning=(
        "Who gave the winner three melds, or took three from the winner, pays the shares of all, doubled."
    ),
    meaning_zh="被胡家吃碰杠三摊者，或吃碰杠胡家三摊者（倒承包），付各家总和的两倍。",
    ruling="HZ-22",
)


WHITE = DRAGONS[0]
INDICATOR_COPIES = 3
"""The flipped tile itself is out of play (HZ-04)."""
CLAIMABLE_FROM_LAO = 3
THREE_MELDS = 3

NO_SHAPE = "These tiles, the Fortunes as any tile, make neither four sets and a pair nor seven pairs."
DRAWN_BEFORE_THREE_LAO = (
    "The dealer is at {lao} Lao, and before 3 Lao the winning tile must be drawn by the winner."
)
DEALER_NOT_INVOLVED = "A discard wins only if the winner or the discarder is the dealer."
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
CHAIN_DRAW = "{field} come before a self-drawn win: set source to self_draw, or leave {field} out."
GAMBITS_COPIES = (
    "{field} and the Fortunes in the winner's hand are too many: there are three with an indicator, or four"
    " White Dragons."
)
KONGS_HELD = (
    "{field} is more than the kongs in melds make possible: of kongs claimed from a discard (k) only one can"
    " be in the chain, and none after a gambit."
)
MELDS_OF_ONE = "{field} names the same melder more than once: nobody has that many melds."
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
    """Fortunes cannot be claimed and make no kong; a chow may hold one if the house allows it (HZ-07).

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
    """The players who owe a share, even if another one pays it."""
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
    meanings={"streak": FieldMeaning("Deals in a row", "the dealer's Lao, from 1", "Lao")},
    meld_kinds=ANY_MELDS,
    options=OPTIONS,
    situations=(
        Situation(
            id="replacement",
            label="After a kong",
            label_zh="杠开",
            name="win on the tile drawn after a kong",
            name_zh="杠后补牌胡（杠开）",
            needs=(SELF_DRAWN, WITH_A_KONG),
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
