"""Hebei (河北): 136 tiles; the rows of a hand are multiplied, and each payer pays base times product.

A Ping Hu, a hand without rows, wins by self-draw only (HB-10). Kongs are paid for beside the win (HB-19).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import add

from msgspec.structs import replace as changed

from companion.rules import needs
from companion.rules.building_blocks import all_others, loser_or_all_others
from companion.rules.rule_set import (
    ANY_MELDS,
    PLUS,
    TIMES,
    Bearers,
    ComputedRow,
    Demand,
    Payments,
    RuleSet,
    ScoreLine,
    Sign,
    Situation,
)
from companion.rules.shapes import seven_pairs, standard, thirteen_orphans
from companion.rules.variants.hebei_options import OPTIONS
from companion.rules.variants.hebei_play import PLAY
from companion.rules.variants.hebei_rows import (
    ALL_PUNGS,
    DEALER_LOSS,
    DEALER_WIN,
    KONGS,
    PATTERNS,
    PAYS_FOR_ALL,
    ROBBING_A_KONG,
)
from companion.rules.win import DeclaredKong, HandReading, Options, Reason, ScoreRequest, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136

KONGS_MAX = 4
"""Of one player: a hand has four sets."""

NO_SHAPE = "These tiles make neither four sets and a pair nor seven pairs nor thirteen orphans."
PING_HU = "This is a Ping Hu, a hand without a bonus row: it wins on a self-drawn tile only."
TOO_MANY_KONGS = "{field} has more than four kongs of one seat: a hand has four sets, remove those beyond."


def seats(options: Options) -> tuple[int, ...]:
    """The seats that play (HB-01)."""
    return (0, 1, 2) if options["players"] == 3 else (0, 1, 2, 3)


def sign(options: Options) -> Sign:
    """The house may add up what is else multiplied (HB-04)."""
    return TIMES if options["combine"] == "product" else PLUS


def combine(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """All lines, All Pungs at what the house agreed on (HB-05)."""
    return tuple([changed(x, value=win.number("all_pungs")) if x.id == ALL_PUNGS.id else x for x in lines])


def limit_worth(win: Win, joined: int) -> int:
    """Within the limit of the house (HB-06); a sum of no rows is 1 as their product is (HB-04)."""
    return min(joined or 1, win.number("cap") or joined or 1)


def refuse_ping_hu(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    """The reason where a hand without a bonus row is not self-drawn (HB-10)."""
    found = {line.id for line in lines}
    if win.self_drawn or not found <= {DEALER_WIN.id, ROBBING_A_KONG.id} or win.on("ping_hu_free"):
        return None
    by_dealing = DEALER_WIN.id in found and win.on("dealer_is_bonus")
    by_robbing = ROBBING_A_KONG.id in found and not win.on("ping_hu_may_not_rob")
    return None if by_dealing or by_robbing else Reason(Sentence(PING_HU), "HB-10")


def payers(win: Win) -> tuple[int, ...]:
    if win.self_drawn or win.options["discard"] != "discarder_pays":
        return all_others(win)
    return loser_or_all_others(win)


def bearers(win: Win) -> Bearers | None:
    """The discarder, or whose kong was robbed, where the house says that they pay for all (HB-17)."""
    discarder = win.request.discarder
    if discarder is None or win.options["discard"] != "pays_for_all":
        return None
    return Bearers((discarder,), PAYS_FOR_ALL)


def kong_cash(request: ScoreRequest) -> Iterator[tuple[ComputedRow, Payments]]:
    """What is paid for each kong that was declared, one after the other (HB-19)."""
    balances = request.balances
    for kong in request.kongs_declared:
        payments = _pay_kong(kong, request, balances)
        yield KONGS[kong.kind], payments
        balances = balances and tuple(map(add, balances, payments))


def _pay_kong(kong: DeclaredKong, request: ScoreRequest, balances: tuple[int, ...] | None) -> Payments:
    price = 1 if request.on("kong_ignores_base") else request.stakes.unit * request.base
    each = KONGS[kong.kind].value * price
    payments = [0, 0, 0, 0]
    for payer in seats(request.options) if kong.discarder is None else (kong.discarder,):
        paid = each if balances is None else min(each, balances[payer])
        payments[payer] -= paid
        payments[kong.seat] += paid
    first, second, third, fourth = payments
    return first, second, third, fourth


def has_at_most_four_kongs(request: ScoreRequest) -> bool:
    declarers = [kong.seat for kong in request.kongs_declared]
    return all(declarers.count(seat) <= KONGS_MAX for seat in range(4))


HEBEI = RuleSet(
    name="hebei",
    title="Hebei",
    title_zh="河北麻将",
    source=msgid("The rules of the beginner's guide to Hebei mahjong at mahjongpros.com."),
    tile_set=SET_136,
    hand_size=13,
    unit="multiplier",
    uses=frozenset({"kongs_declared"}),
    seats=seats,
    meld_kinds=ANY_MELDS,
    options=OPTIONS,
    situations=(
        Situation(
            id="replacement",
            label="After a kong",
            label_zh="杠上开花",
            name="win on the tile drawn after a kong",
            name_zh="杠上开花",
            needs=(needs.SELF_DRAWN, needs.WITH_A_KONG),
        ),
    ),
    demands=(Demand("kongs_declared", has_at_most_four_kongs, TOO_MANY_KONGS),),
    shapes=(standard("four sets and a pair", "四副牌加一对将"), seven_pairs(), thirteen_orphans()),
    no_shape=Reason(Sentence(NO_SHAPE), "HB-09"),
    restrict=refuse_ping_hu,
    patterns=PATTERNS,
    sign=sign,
    combine=combine,
    worth=limit_worth,
    value_holds_base=True,
    payers=payers,
    payer_patterns=(DEALER_LOSS,),
    payer_sign=TIMES,
    bearer_rows=(PAYS_FOR_ALL,),
    bearers=bearers,
    cash_rows=tuple(KONGS.values()),
    cash=kong_cash,
    play=PLAY,
    sentences=(NO_SHAPE, PING_HU, TOO_MANY_KONGS),
)
