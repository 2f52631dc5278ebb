"""The scoring rows of Hangzhou, and how each is found: those of the hand, and those of a payer's share."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.facts import always
from companion.rules.rule_set import Pattern, PayerPattern, Row
from companion.rules.splitting import wild_needed
from companion.rules.win import Hand, Reading, Source, Win

GAMBITS_COUNTED = {16: 4, 4: 2}
"""How many gambits the most that they multiply by stands for (HZ-11)."""
QUADS_MAX = 3
LAO_MAX = 3


def explodes(win: Win, reading: Reading) -> bool:
    """Whether without one Fortune the tiles before the draw were sets, or six pairs, and any tile won."""
    before = win.before
    if before is None or not before.wild or not win.self_drawn:
        return False
    if reading.shape == "seven_pairs":
        return odd_kinds(before) < before.wild
    return sum([wild_needed(suit, counts)[0] for suit, counts in enumerate(before.suits)]) < before.wild


def odd_kinds(hand: Hand) -> int:
    """How many kinds lack a tile to pairs."""
    return sum([count % 2 for counts in hand.suits for count in counts])


def gambits(win: Win) -> int:
    return min(win.request.gambits, GAMBITS_COUNTED[win.number("gambit_cap")])


def kongs(win: Win) -> int:
    """Kongs in immediate succession before the winning replacement (HZ-20)."""
    return max(win.request.consecutive_kongs, int("replacement" in win.request.situation))


def explosive_pair(win: Win, reading: Reading) -> int:
    return int(explodes(win, reading) and not kongs(win))


def fortune_gambit(win: Win, reading: Reading) -> int:
    return gambits(win) - kong_gambit(win, reading)


def kong_blossom(win: Win, reading: Reading) -> int:
    return kongs(win) - explosive_kong(win, reading) - kong_gambit(win, reading)


def explosive_kong(win: Win, reading: Reading) -> int:
    return int(kongs(win) > 0 and explodes(win, reading))


def kong_gambit(win: Win, reading: Reading) -> int:
    """Where all three come together (HZ-19), Explosive Kong is told and the gambit stands alone."""
    return int(kongs(win) > 0 and win.request.gambits > 0 and not explodes(win, reading))


def kong_capture(win: Win, reading: Reading) -> int:
    return int(win.robbed and win.on("rob_x2"))


def luxury_pairs(win: Win, reading: Reading) -> int:
    """With the house option, three and a Fortune are four, and two spare Fortunes make a pair a quad."""
    suits = win.hand.suits
    quads = sum([counts.count(4) for counts in suits])
    if win.hand.wild and win.on("wild_quads"):
        spare = win.hand.wild - odd_kinds(win.hand)
        quads += sum([counts.count(3) for counts in suits]) + spare // 2
    return min(quads, QUADS_MAX)


def lao(win: Win) -> int:
    return min(win.request.streak, LAO_MAX)


def dealer_loss(win: Win, payer: int) -> int:
    if payer != win.request.dealer:
        return 0
    if win.request.source is Source.DISCARD and win.number("dealer_discard_loss") == 1:
        return 0
    return lao(win) if win.options["dealer_loss"] == "lao" else 1


def liable(win: Win) -> set[int]:
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


def dealership(least: int) -> Callable[[Win, int], int]:
    """Whether the winner deals at this Lao; the third stands for all that follow."""
    return lambda win, payer: int(win.by_dealer and lao(win) == least)


ROWS = (
    Pattern(
        "explosive_pair", "Explosive Pair", "爆头", 2, explosive_pair, "special",
        "Self-drawn, where all but one Fortune were sets, or six pairs, so that any tile won.",
        "自摸，且除一张财神外牌已成副（或已成六对），摸任何牌都能胡。", "HZ-18",
    ),
    Pattern(
        "fortune_gambit", "Fortune Gambit", "财飘", 2, fortune_gambit, "special",
        "Each Fortune discarded in a row directly before this self-draw, four at most.",
        "自摸前连续打出的财神，每张；最多计四张。", "HZ-11",
    ),
    Pattern(
        "kong_blossom", "Kong Blossom", "杠开", 2, kong_blossom, "special",
        "Each kong in a row directly before the winning replacement tile.",
        "杠后补牌胡；补牌前连续的杠，每副。", "HZ-20",
    ),
    Pattern(
        "explosive_kong", "Explosive Kong", "杠爆", 4, explosive_kong, "special",
        "Explosive Pair and Kong Blossom together, each 2.", "爆头并杠开，各二倍。", "HZ-19",
    ),
    Pattern(
        "kong_gambit", "Kong Gambit", "杠飘", 4, kong_gambit, "special",
        "Fortune Gambit and Kong Blossom together, each 2.", "财飘并杠开，各二倍。", "HZ-19",
    ),
    Pattern(
        "kong_capture", "Kong Capture", "捉杠", 2, kong_capture, "special",
        "A win on the tile that another player adds to a pung, where the house option rob_x2 is true.",
        "胡别家加杠的牌（须约定捉杠翻倍）。", "HZ-35",
    ),
    Pattern(
        "seven_pairs", "Seven Pairs", "七对", 2, always, "pairs",
        "Seven pairs without melds; Fortunes stand for any tile.", "七个对子，无吃碰杠；财神可代任何牌。",
        "HZ-21", shape="seven_pairs",
    ),
    Pattern(
        "luxury_pairs", "Luxury Pairs", "豪华对", 2, luxury_pairs, "pairs",
        "Each kind that seven pairs hold four times without Fortunes, three at most.",
        "七对中每组四张相同的牌（不含财神），最多计三组。", "HZ-21", shape="seven_pairs",
    ),
    Pattern(
        "pure_seven_pairs", "Pure Seven Pairs", "清七对", 2, lambda win, reading: int(not win.hand.wild),
        "pairs", "Seven pairs without a Fortune among the fourteen tiles.", "七对的十四张中没有财神。",
        "HZ-21", shape="seven_pairs",
    ),
)  # fmt: skip
FACTORS = (
    PayerPattern(
        "first_dealership", "First Dealership", "庄家一老", 2, dealership(1),
        "The dealer wins at 1 Lao.", "庄家在一老时胡牌。", "HZ-14",
    ),
    PayerPattern(
        "second_dealership", "Second Continuous Dealership", "庄家二老", 4, dealership(2),
        "The dealer wins at 2 Lao.", "庄家在二老时胡牌。", "HZ-14",
    ),
    PayerPattern(
        "third_dealership", "Third Continuous Dealership", "庄家三老", 8, dealership(3),
        "The dealer wins at 3 Lao or later.", "庄家在三老及以后胡牌。", "HZ-14",
    ),
    PayerPattern(
        "dealer_loss", "Dealer's Loss", "庄家输", 2, dealer_loss,
        "The share of a losing dealer.", "庄家所输的一份。", "HZ-14",
    ),
)  # fmt: skip
SHARES_OF_ALL = Row(
    "shares_of_all", "Shares of All", "包付", 1,
    "One player pays the shares of all who owe one; the value is how many times the hand's these come to.",
    "一人付清各家应付的份；数值为各份合计是牌型倍数的几倍。", "HZ-22",
)  # fmt: skip
LIABILITY = Row(
    "three_meld_liability", "Three-Meld Liability", "三摊承包", 2,
    "Who gave the winner three melds, or took three from the winner, pays the shares of all, doubled.",
    "被胡家吃碰杠三摊者，或吃碰杠胡家三摊者（倒承包），付各家总和的两倍。", "HZ-22",
)  # fmt: skip
