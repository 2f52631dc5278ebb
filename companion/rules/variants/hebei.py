"""Hebei (河北): 136 tiles; the rows of a hand are multiplied, and each payer pays base times product.

A Ping Hu, a hand without rows, wins by self-draw only (HB-10). Kongs are paid for in addition to the win
(HB-19).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from operator import add

from msgspec.structs import replace as changed

from companion.rules.building_blocks import (
    SELF_DRAWN,
    WITH_A_KONG,
    all_others,
    count_once,
    count_quads_in_pairs,
    find_straight,
    is_half_flush,
    is_won_on_pair,
    loser_or_all_others,
)
from companion.rules.options import COMMON, Option, switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    ROB_FOR_ORPHANS,
    Chows,
    Play,
    Policy,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.rule_set import (
    ANY_MELDS,
    PLUS,
    TIMES,
    Bearers,
    ComputedRow,
    Demand,
    Pattern,
    PayerPattern,
    Payments,
    RuleSet,
    ScoreLine,
    Sign,
    Situation,
)
from companion.rules.shapes import seven_pairs, standard, thirteen_orphans
from companion.rules.win import DeclaredKong, HandReading, Options, Reason, ScoreRequest, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136, MeldKind

CAP_MAX = 1_000_000
"""Above any product of the rows."""

OPTIONS = (
    Option(
        key="players",
        default=4,
        values=(4, 3),
        meaning="How many play: 3 are seats 0 to 2, and seat 3 sits out.",
        meaning_zh="参与人数：3人时为0至2号座位，3号座位轮空。",
        ruling="HB-01",
    ),
    Option(
        key="combine",
        default="product",
        values=("product", "sum"),
        meaning=(
            "Whether the rows of a hand are multiplied or added up; a hand without rows is worth 1 in both."
        ),
        meaning_zh="各项倍数相乘，或相加；没有番种的牌均为1。",
        ruling="HB-04",
    ),
    Option(
        key="all_pungs",
        default=3,
        values=(3, 2),
        meaning="The multiplier of All Pungs.",
        meaning_zh="“碰碰胡”的倍数。",
        ruling="HB-05",
    ),
    Option(
        key="cap",
        default=0,
        values=range(CAP_MAX + 1),
        meaning="The highest multiplier that a hand can have; 0 for no limit.",
        meaning_zh="一副牌的最高倍数；0为不封顶。",
        ruling="HB-06",
    ),
    Option(
        key="single",
        default="one_kind",
        values=("one_kind", "pair_wait", "four_open_melds", "both_rows"),
        meaning="What Single Hanging Tile takes: only one kind that completes the hand; besides, that it"
        " completes"
        " the pair; besides, four claimed melds and no other tile in the hand; or one kind, scored twice.",
        meaning_zh="“大吊车”的条件：只听一种牌；或须为单吊将；或须四副牌全部吃碰杠出、手中只剩一张；"
        "或只听一种牌而计两次。",
        ruling="HB-07",
    ),
    switch(
        key="ping_hu_free",
        ruling="HB-03",
        meaning="Ping Hu, a hand without a bonus row, also wins on a discard.",
        meaning_zh="平胡也可以点炮胡。",
    ),
    switch(
        key="dealer_is_bonus",
        ruling="HB-10",
        meaning="Dealer Win alone lets a hand win on a discard.",
        meaning_zh="仅有“庄家”一项也可以点炮胡。",
    ),
    switch(
        key="ping_hu_may_not_rob",
        ruling="HB-10",
        meaning="Robbing a Kong alone does not let a hand win: a hand without any other row may not rob.",
        meaning_zh="平胡不可抢杠：仅有“抢杠胡”一项不能胡。",
    ),
    switch(
        key="luxury_no_suit",
        ruling="HB-13",
        meaning="Pure and Mixed One Suit do not count together with a luxurious row.",
        meaning_zh="豪华七对不再计清一色、混一色。",
    ),
    switch(
        key="stack_inherent",
        ruling="HB-14",
        meaning="Closed Hand and Single Hanging Tile are counted in seven pairs and Thirteen Orphans too.",
        meaning_zh="七对、十三幺也计“门清”和“大吊车”。",
    ),
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay", "pays_for_all"),
        meaning="Who pays for a discard or a robbed kong: that player alone, one share; every other"
        " player, one share"
        " each; or that player alone, the shares of all.",
        meaning_zh="点炮或抢杠由谁付：放炮者一家付一份；其他各家各付一份；或放炮者包付各家的份。",
        ruling="HB-17",
    ),
    switch(
        key="dealer_loss_x2",
        ruling="HB-18",
        meaning="A dealer who loses pays double.",
        meaning_zh="庄家输牌时所付翻倍。",
    ),
    switch(
        key="kong_ignores_base",
        ruling="HB-19",
        meaning="What is paid for kongs is not multiplied by the base, nor by what a unit costs.",
        meaning_zh="杠分不乘底分，也不乘每番的价钱。",
    ),
    Option(
        key="all_honors",
        default="none",
        values=("none", "pure"),
        meaning="Which suit row a hand of honours alone scores: none, or the pure one.",
        meaning_zh="全为字牌时所计的花色番：不计，或按清一色计。",
        ruling="HB-26",
    ),
    switch(
        key="self_draw_x2",
        ruling="HB-30",
        meaning="A self-drawn win doubles the hand.",
        meaning_zh="自摸翻倍。",
    ),
    *COMMON,
)


WALL = WallRule(
    tile_set=SET_136,
    dead=12,
    ruling="HB-22",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)

DRAW_PASSES = switch(
    key="draw_passes", ruling="HB-23", meaning="After a draw the next player deals.", meaning_zh="流局下庄。"
)
KONG_REFUND_ON_DRAW = switch(
    key="kong_refund_on_draw",
    ruling="HB-19",
    meaning="What was paid for kongs goes back where nobody wins.",
    meaning_zh="流局退还杠分。",
)
START_POINTS = 100
"""Points of each player at the start (HB-25)."""


def policy(options: Options) -> Policy:
    """Who may chow (HB-29), and whether what kongs were paid goes back after a draw (HB-19)."""
    usual = make_usual_policy(options)
    refund = KONG_REFUND_ON_DRAW.key if options[KONG_REFUND_ON_DRAW.key] else ""
    return replace(usual, chows=Chows(ruling="HB-29"), kongs=replace(usual.kongs, refund=refund))


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), ROB_FOR_ORPHANS, DRAW_PASSES, KONG_REFUND_ON_DRAW),
    rotation=lambda options: Rotation(on_draw=not options[DRAW_PASSES.key]),
    points=lambda options: START_POINTS,
    situations=REPLACED,
    policy=policy,
    seats_ruling="HB-01",
    deal_ruling="HB-23",
)


FLOWER_DRAGONS = tuple(
    frozenset(range(0, 27, 9)[i] + low for i, low in enumerate(lows)) for lows in permutations((0, 3, 6))
)
"""The lowest tiles of sequences 123, 456, 789 in three suits, in each of the ways."""


def has_room_for_open_hand(win: Win, reading: HandReading) -> bool:
    """Whether the shape leaves room for an open hand and other waits, or the house does not mind (HB-14)."""
    return reading.shape == "standard" or win.on("stack_inherent")


def closed_hand(win: Win, reading: HandReading) -> int:
    return int(has_room_for_open_hand(win, reading))


def single_hanging_tile(win: Win, reading: HandReading) -> int:
    """Once for the wait on one kind; where the house scores both rows of the table, twice (HB-07)."""
    if not has_room_for_open_hand(win, reading):
        return 0
    single = win.options["single"]
    if single == "pair_wait":
        return int(is_won_on_pair(reading))
    if single == "four_open_melds":
        return int([meld.kind is MeldKind.KONG_CONCEALED for meld in win.melds] == [False] * 4)
    return 2 if single == "both_rows" else 1


def is_pure(win: Win) -> bool:
    """Whether all tiles are of one suit, or honours where the house counts these alike (HB-26)."""
    if win.sizes[3] == 0:
        return win.suits_held == 1
    return win.options["all_honors"] == "pure" and win.suits_held == 0


def suit_multiplies(win: Win, reading: HandReading) -> bool:
    """Whether a suit row scores together with the shape: in seven pairs only with quads (HB-12, HB-13)."""
    return reading.shape == "standard" or bool(count_quads_in_pairs(reading) and not win.on("luxury_no_suit"))


def pure_one_suit(win: Win, reading: HandReading) -> int:
    return int(is_pure(win) and suit_multiplies(win, reading))


def mixed_one_suit(win: Win, reading: HandReading) -> int:
    return int(suit_multiplies(win, reading))


def one_dragon(win: Win, reading: HandReading) -> int:
    return int(len(find_straight(reading)) > 0)


def flower_dragon(win: Win, reading: HandReading) -> int:
    starts = {g.tile.index for g in reading.sequences}
    return int(any(map(starts.issuperset, FLOWER_DRAGONS)))


def plain_seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and not is_pure(win) and not is_half_flush(win, reading))


def mixed_seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and is_half_flush(win, reading))


def pure_seven_pairs(win: Win, reading: HandReading) -> int:
    return int(count_quads_in_pairs(reading) == 0 and is_pure(win))


def self_draw(win: Win, reading: HandReading) -> int:
    return int(win.on("self_draw_x2"))


def dealer_loss(win: Win, payer: int) -> int:
    return int(win.on("dealer_loss_x2"))


DEALER_WIN = Pattern(
    id="dealer_win",
    name="Dealer Win",
    name_zh="庄家",
    value=2,
    count=count_once,
    table="hand",
    meaning="The dealer wins.",
    meaning_zh="庄家胡牌。",
    ruling="HB-10",
    when=lambda o: o.by_dealer,
)
ALL_PUNGS = Pattern(
    id="all_pungs",
    name="All Pungs",
    name_zh="碰碰胡",
    value=3,
    count=count_once,
    table="hand",
    meaning="Four pungs or kongs and a pair.",
    meaning_zh="四副刻子或杠加一对将。",
    ruling="HB-05",
    shape="standard",
    when=lambda o: o.pungs == 4,
)
ROBBING_A_KONG = Pattern(
    id="robbing_a_kong",
    name="Robbing a Kong",
    name_zh="抢杠胡",
    value=2,
    count=count_once,
    table="hand",
    meaning="A win on a tile that another player adds to a pung.",
    meaning_zh="胡他家补杠的牌。",
    ruling="HB-10",
    when=lambda o: o.robbed,
)
PATTERNS = (
    DEALER_WIN,
    ALL_PUNGS,
    Pattern(
        id="closed_hand",
        name="Closed Hand",
        name_zh="门清",
        value=2,
        count=closed_hand,
        table="hand",
        meaning=(
            "Nothing was claimed before the win; concealed"
            " kongs do not open a hand, and the win may be on a"
            " discard. Not in seven pairs and Thirteen Orphans."
        ),
        meaning_zh="胡牌前没有吃、碰、明杠；暗杠不算破门清，点炮胡也计。七对与十三幺不计。",
        ruling="HB-15",
        when=lambda o: o.closed,
    ),
    ROBBING_A_KONG,
    Pattern(
        id="kong_drawn_win",
        name="Kong-Drawn Win",
        name_zh="杠上开花",
        value=2,
        count=count_once,
        table="hand",
        meaning="A win on the tile drawn after a kong.",
        meaning_zh="胡开杠后补进的牌。",
        ruling="HB-21",
        situation="replacement",
    ),
    Pattern(
        id="single_hanging_tile",
        name="Single Hanging Tile",
        name_zh="大吊车",
        value=2,
        count=single_hanging_tile,
        table="hand",
        meaning="Only one kind of tile could complete the hand. Not in seven pairs and Thirteen Orphans.",
        meaning_zh="只听一种牌。七对与十三幺不计。",
        ruling="HB-07",
        when=lambda o: o.one_wait,
        most=2,
    ),
    Pattern(
        id="pure_one_suit",
        name="Pure One Suit",
        name_zh="清一色",
        value=3,
        count=pure_one_suit,
        table="hand",
        meaning="Tiles of one suit only. In seven pairs only beside a luxurious row.",
        meaning_zh="只有一门花色，无字牌。七对中只与豪华各项同计。",
        ruling="HB-26",
        when=lambda o: o.suits <= 1,
    ),
    Pattern(
        id="mixed_one_suit",
        name="Mixed One Suit",
        name_zh="混一色",
        value=2,
        count=mixed_one_suit,
        table="hand",
        meaning="Tiles of one suit, and honours. In seven pairs only beside a luxurious row.",
        meaning_zh="一门花色加字牌。七对中只与豪华各项同计。",
        ruling="HB-26",
        when=lambda o: o.suits == 1 and o.honors,
    ),
    Pattern(
        id="one_dragon",
        name="One Dragon",
        name_zh="一条龙",
        value=2,
        count=one_dragon,
        table="hand",
        meaning="Sequences 123, 456 and 789 of one suit, claimed or not.",
        meaning_zh="同一花色的123、456、789三副顺子，吃进的也算。",
        ruling="HB-27",
        shape="standard",
        when=lambda o: o.sequences >= 3,
    ),
    Pattern(
        id="flower_dragon",
        name="Flower Dragon",
        name_zh="花龙",
        value=5,
        count=flower_dragon,
        table="hand",
        meaning="Sequences 123, 456 and 789, each in another suit, claimed or not.",
        meaning_zh="三门花色各一副，合成123、456、789的顺子，吃进的也算。",
        ruling="HB-27",
        shape="standard",
        when=lambda o: o.sequences >= 3 and o.suits == 3,
    ),
    Pattern(
        id="self_draw",
        name="Self-Draw",
        name_zh="自摸",
        value=2,
        count=self_draw,
        table="hand",
        meaning="By a house rule: a win on a drawn tile.",
        meaning_zh="按本桌的选项：自摸胡牌。",
        ruling="HB-30",
        when=lambda o: o.self_drawn,
    ),
    Pattern(
        id="seven_pairs",
        name="Seven Pairs",
        name_zh="七对",
        value=2,
        count=plain_seven_pairs,
        table="pairs",
        meaning="Seven different pairs of more than one suit.",
        meaning_zh="七个不同的对子，不止一门花色。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="mixed_seven_pairs",
        name="Mixed Seven Pairs",
        name_zh="混七对",
        value=4,
        count=mixed_seven_pairs,
        table="pairs",
        meaning="Seven different pairs of one suit and honours.",
        meaning_zh="七个不同的对子，由一门花色和字牌组成。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="pure_seven_pairs",
        name="Pure Seven Pairs",
        name_zh="清七对",
        value=5,
        count=pure_seven_pairs,
        table="pairs",
        meaning="Seven different pairs of one suit.",
        meaning_zh="七个不同的对子，只有一门花色。",
        ruling="HB-12",
        shape="seven_pairs",
    ),
    Pattern(
        id="luxurious_seven_pairs",
        name="Luxurious Seven Pairs",
        name_zh="豪华七对",
        value=8,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 1),
        table="pairs",
        meaning="Seven pairs with four equal tiles once.",
        meaning_zh="七对中有一组四张相同。",
        ruling="HB-13",
        shape="seven_pairs",
    ),
    Pattern(
        id="double_luxurious_seven_pairs",
        name="Double Luxurious Seven Pairs",
        name_zh="双豪华七对",
        value=16,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 2),
        table="pairs",
        meaning="Seven pairs with four equal tiles twice.",
        meaning_zh="七对中有两组四张相同。",
        ruling="HB-08",
        shape="seven_pairs",
    ),
    Pattern(
        id="triple_luxurious_seven_pairs",
        name="Triple Luxurious Seven Pairs",
        name_zh="三豪华七对",
        value=32,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 3),
        table="pairs",
        meaning="Seven pairs with four equal tiles three times.",
        meaning_zh="七对中有三组四张相同。",
        ruling="HB-08",
        shape="seven_pairs",
    ),
    Pattern(
        id="thirteen_orphans",
        name="Thirteen Orphans",
        name_zh="十三幺",
        value=10,
        count=count_once,
        table="special",
        meaning="One each of the ones, nines and honours, and one of them twice.",
        meaning_zh="幺九牌与字牌十三种各一张，其中一种成对。",
        ruling="HB-11",
        shape="thirteen_orphans",
    ),
)
DEALER_LOSS = PayerPattern(
    id="dealer_loss",
    name="Dealer Loss",
    name_zh="庄家输",
    value=2,
    count=dealer_loss,
    meaning="By a house rule: what a dealer who loses pays.",
    meaning_zh="按本桌的选项：庄家输时所付的分数。",
    ruling="HB-18",
    when=lambda o: o.of_dealer,
)
PAYS_FOR_ALL = ComputedRow(
    id="pays_for_all",
    name="Pays for All",
    name_zh="包付",
    value=1,
    meaning=(
        "By a house rule: one"
        " player pays the shares of all; the value is how many"
        " times the hand's these come to."
    ),
    meaning_zh="按本桌的选项：一人付清各家应付的份；数值为各份合计是牌型倍数的几倍。",
    ruling="HB-17",
)
KONGS = {
    MeldKind.KONG_CONCEALED: ComputedRow(
        id="concealed_kong", name="Concealed Kong", name_zh="暗杠", value=2,
        meaning="Each other player pays for a concealed kong, whoever wins, and even if nobody does.",
        meaning_zh="暗杠由其他各家支付，无论谁胡牌，荒庄也付。", ruling="HB-19",
    ),
    MeldKind.KONG_DISCARD: ComputedRow(
        id="exposed_kong", name="Exposed Kong", name_zh="放杠", value=2,
        meaning="The player who discarded the fourth tile pays for a kong claimed with it, whoever wins.",
        meaning_zh="明杠由放杠者一家支付，无论谁胡牌，荒庄也付。", ruling="HB-20",
    ),
    MeldKind.KONG_ADDED: ComputedRow(
        id="added_kong", name="Added Kong", name_zh="补杠", value=1,
        meaning=(
            "Each other player pays for a kong added to a"
            " pung; a robbed one is none and is not declared."
        ),
        meaning_zh="补杠由其他各家支付；被抢的杠不成立，不计。", ruling="HB-19",
    ),
}  # fmt: skip
"""Payments for kongs in addition to the win: by each payer, times the base and the unit of the stakes."""


KONGS_MAX = 4
"""Maximum number of one player's kongs: a hand has four sets."""

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
    """The discarder, or the player whose kong was robbed, if the house has them pay for all (HB-17)."""
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
            needs=(SELF_DRAWN, WITH_A_KONG),
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
