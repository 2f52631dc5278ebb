"""The scoring rows of Hangzhou, and how each is found: those of the hand, and those of a payer's share."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.building_blocks import count_once
from companion.rules.hand import Hand
from companion.rules.outline import Outline
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern
from companion.rules.splitting import count_wild_needed
from companion.rules.win import HandReading, Source, Win

GAMBITS_COUNTED = {16: 4, 4: 2}
"""How many gambits the most that they multiply by stands for (HZ-11)."""
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
