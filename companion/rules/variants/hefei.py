"""Hefei (合肥): 84 tiles; points ("zui", 嘴) are added up, and a payer pays 20 for each.

The tables are purely additive (HF-19): only rows of one family replace each other (HF-14, HF-15, HF-18).
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as changed

from companion.rules.building_blocks import (
    BY_THE_DEALER,
    NO_MELDS,
    NOT_BY_THE_DEALER,
    NOT_ROBBED,
    SELF_DRAWN,
    WITH_A_KONG,
    add_rows,
    all_others,
    count_concealed_kongs,
    count_once,
    count_quads_in_pairs,
    is_won_on_pair,
    loser_or_all_others,
)
from companion.rules.distance import Quota
from companion.rules.hand import Hand
from companion.rules.options import COMMON, Option, switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Chows,
    Moment,
    Play,
    Policy,
    Rotation,
    Sea,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
from companion.rules.rule_set import (
    CHOWS_BY_OPTION,
    FieldMeaning,
    Pattern,
    PayerPattern,
    RuleSet,
    ScoreLine,
    Situation,
    SuitQuota,
)
from companion.rules.shapes import seven_pairs, standard
from companion.rules.win import HandReading, Options, Reason, Win
from companion.sentences import Sentence, msgid
from companion.tiles import KINDS, SET_84, Meld, Suit

OPTIONS = (
    Option(
        key="win_row",
        default=15,
        values=(15, 0),
        meaning="Points of the row Winning a Hand; 0 leaves it out.",
        meaning_zh="“胡牌”一项的嘴数；0为不计此项。",
        ruling="HF-09",
    ),
    Option(
        key="same_threshold",
        default=4,
        values=(4, 3),
        meaning="Same Number Bonus counts the tiles beyond this many, where a rank has 4 or more.",
        meaning_zh="同点数有四张以上时，“同”从超过此数的牌起算。",
        ruling="HF-10",
    ),
    switch(
        key="same_best_rank_only",
        ruling="HF-10",
        meaning="Same Number Bonus counts the best rank only, instead of all ranks.",
        meaning_zh="“同”只计最多的一个点数，不累计各点数。",
    ),
    Option(
        key="ten_strict",
        default=10,
        values=(10, 11),
        meaning="How many tiles of one rank Ten Identical Tiles takes.",
        meaning_zh="“十同”所需的同点数牌张数。",
        ruling="HF-11",
    ),
    switch(
        key="single_excludes_pair",
        ruling="HF-12",
        meaning="Single Wait is not given where the winning tile completes a pair.",
        meaning_zh="胡将牌（含七对）不计“卡”。",
    ),
    switch(
        key="kong_is_pung",
        ruling="HF-13",
        meaning="A concealed kong also counts as a Concealed Pung.",
        meaning_zh="暗杠也计“坎”。",
    ),
    switch(
        key="visible_if_completed_by_win",
        ruling="HF-14",
        meaning="Double Sequences completed by the winning tile are visible on a self-draw too,"
        " for the same 2 points.",
        meaning_zh="自摸补成的双铺子也算明双铺子（仍为2嘴）。",
    ),
    switch(
        key="consecutive_any_suit",
        ruling="HF-16",
        meaning="Three Consecutive Pungs may be of different suits.",
        meaning_zh="“三连坎”的三副坎可以不同花色。",
    ),
    switch(
        key="four_concealed_only",
        ruling="HF-17",
        meaning=(
            "Four of a Kind counts only where all four are in the hand, not for a claimed pung and the"
            " fourth."
        ),
        meaning_zh="“活”只计四张都在手中的牌，碰出后手中的第四张不计。",
    ),
    switch(
        key="four_not_in_luxury",
        ruling="HF-17",
        meaning="Four of a Kind is not counted in seven pairs.",
        meaning_zh="七对中不计“活”。",
    ),
    switch(
        key="specials_exclusive",
        ruling="HF-19",
        meaning="General and special rows do not add up: the larger sum counts, on top of Winning a Hand.",
        meaning_zh="普通项与特殊项不累加：除“胡牌”外，两者取大。",
    ),
    switch(
        key="earth_includes_discard",
        ruling="HF-22",
        meaning="Earthly Win is also given for a win on a discard.",
        meaning_zh="点炮胡也可算“地胡”。",
    ),
    Option(
        key="dealer_n",
        default="hands_dealt",
        values=("hands_dealt", "wins_only"),
        meaning="What the dealer's row counts: the hands dealt in a row, this one included, or the hands"
        " won in a row"
        " (one less where the dealer loses).",
        meaning_zh="庄家一项的次数：连续坐庄局数（含本局），或连胡局数（庄家输时少计一局）。",
        ruling="HF-24",
    ),
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay"),
        meaning="Who pays for a discard or a robbed kong: that player alone, or all three.",
        meaning_zh="点炮或抢杠由谁付：放炮者一家，或三家都付。",
        ruling="HF-25",
    ),
    switch(
        key="kong_draw_x2",
        ruling="HF-26",
        meaning="A win on the tile drawn after a kong doubles the hand's points.",
        meaning_zh="杠后开花总嘴数翻倍。",
    ),
    switch(
        key="allow_chow",
        ruling="HF-04",
        meaning="Chows may be claimed; a claimed one makes Double Sequences visible.",
        meaning_zh="可以吃牌；吃成的铺子使双铺子成为明双铺子。",
    ),
    switch(
        key="seven_pairs",
        ruling="HF-07",
        meaning="Seven pairs win.",
        meaning_zh="七对可以胡牌。",
        default=True,
    ),
    switch(
        key="kong_counts_3",
        ruling="HF-08",
        meaning="A kong counts as three tiles of its suit, instead of four.",
        meaning_zh="杠牌按三张计入花色张数，不按四张。",
    ),
    *COMMON,
)


WALL = WallRule(
    tile_set=SET_84,
    dealer_stacks_more=2,  # HF-01: 12, 10, 10 and 10
    sea=4,
    ruling="HF-05",
    options=(BREAK_UNIT,),
    variations=COUNTED_IN_TILES,
)

DRAW_KEEPS_DEALER = switch(
    key="draw_keeps_dealer",
    ruling="HF-03",
    meaning="After a draw the dealer stays.",
    meaning_zh="流局庄家连庄。",
)
ROTATE_ALWAYS = switch(
    key="rotate_always",
    ruling="HF-03",
    meaning="After every hand the next player deals, whoever won.",
    meaning_zh="每局轮庄，不连庄。",
)
SEA_MUST_WIN = switch(
    key="sea_must_win",
    ruling="HF-06",
    meaning="Who draws a winning tile from the sea has to win with it.",
    meaning_zh="海捞摸到胡牌必须胡。",
)
EARTHLY_DISCARDS = 4
"""Discards in the first round of draws: one of each player (HF-22)."""


def rotation(options: Options) -> Rotation:
    """The dealer stays after an own win only (HF-03); where wins are counted a draw is not a win (HF-24)."""
    if options[ROTATE_ALWAYS.key]:
        return Rotation(on_win=False, on_draw=False)
    draws_count = options["dealer_n"] != "wins_only"
    return Rotation(on_draw=bool(options[DRAW_KEEPS_DEALER.key]), draws_count=draws_count)


def is_earthly_win(moment: Moment) -> bool:
    """Another player's win in the first round of draws, before any claim or kong (HF-22)."""
    in_first_round = moment.draws == 1 if moment.self_drawn else moment.discards <= EARTHLY_DISCARDS
    return in_first_round and not (moment.by_dealer or moment.claims or moment.kongs)


def policy(options: Options) -> Policy:
    """Who may chow (HF-04), and whether a winning tile of the sea may be passed up (HF-06)."""
    return replace(
        make_usual_policy(options),
        chows=Chows(ruling="HF-04"),
        sea=Sea(must_win=bool(options[SEA_MUST_WIN.key]), ruling="HF-06"),
    )


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), DRAW_KEEPS_DEALER, ROTATE_ALWAYS, SEA_MUST_WIN),
    rotation=rotation,
    situations={
        **REPLACED,
        "sea_floor": lambda moment: moment.sea,
        "heavenly": lambda moment: moment.dealt,
        "earthly": is_earthly_win,
    },
    policy=policy,
    deal_ruling="HF-03",
    length_ruling="HF-27",
    window_ruling="HF-28",
)


SUIT_MIN = 8
"""Tiles of one suit without which no hand wins (HF-08)."""
KONG_SIZE = 4
TEN = 10
"""The fewest tiles of one rank for Ten Identical Tiles (HF-11)."""
SUITS = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)


def count_suits(win: Win) -> tuple[int, ...]:
    """How many tiles of m, p and s the player has, melds included (HF-08)."""
    kongs = [meld.tiles[0].suit for meld in win.melds if len(meld.tiles) == KONG_SIZE]
    if not kongs or not win.on("kong_counts_3"):
        return win.sizes[:3]
    return tuple(size - kongs.count(suit) for size, suit in zip(win.sizes, SUITS, strict=False))


def winning_a_hand(win: Win, reading: HandReading) -> int:
    return int(win.number("win_row") != 0)


def suit_bonus(win: Win, reading: HandReading) -> int:
    return max(count_suits(win)) - SUIT_MIN


def single_wait(win: Win, reading: HandReading) -> int:
    return int(not (is_won_on_pair(reading) and win.on("single_excludes_pair")))


def same_number(win: Win, reading: HandReading) -> int:
    threshold = win.number("same_threshold")
    if max(win.ranks) <= threshold:
        return 0
    extra = [found - threshold for found in win.ranks if found > threshold]
    return max(extra) if extra[1:] and win.on("same_best_rank_only") else sum(extra)


def ten_identical(win: Win, reading: HandReading) -> int:
    most = max(win.ranks)
    return int(most >= TEN and most >= win.number("ten_strict"))


def pungs(win: Win, reading: HandReading) -> int:
    kongs = count_concealed_kongs(win, reading) if win.melds else 0
    return len(reading.concealed_pungs) - (0 if not kongs or win.on("kong_is_pung") else kongs)


def four_of_a_kind(win: Win, reading: HandReading) -> int:
    found = win.hand.total.count(4)
    if found:
        found -= sum([meld.kind.is_kong for meld in win.melds])
    if not found or (count_quads_in_pairs(reading) is not None and win.on("four_not_in_luxury")):
        return 0
    concealed = sum([counts.count(4) for counts in win.hand.suits])
    return concealed if concealed < found and win.on("four_concealed_only") else found


def three_consecutive(win: Win, reading: HandReading) -> int:
    tiles = {g.tile for g in reading.concealed_pungs}
    if win.on("consecutive_any_suit"):
        ranks = {tile.rank for tile in tiles}
        return int(any({rank + 1, rank + 2} <= ranks for rank in ranks))
    return int(any({KINDS[tile.index + 1], KINDS[tile.index + 2]} <= tiles for tile in tiles))


def count_drawn_doubles(win: Win, reading: HandReading) -> int:
    """Pairs of equal sequences that drawn sequences form among themselves (HF-14)."""
    kept = win.on("visible_if_completed_by_win")
    drawn = tuple([g for g in reading.sequences if g.concealed and not (kept and g.won)])
    every = len(drawn) == len(reading.sequences)
    return reading.twin_sequences if every else HandReading(reading.shape, drawn).twin_sequences


def visible_double_sequences(win: Win, reading: HandReading) -> int:
    every = reading.twin_sequences
    return every and every - count_drawn_doubles(win, reading)


def concealed_double_sequences(win: Win, reading: HandReading) -> int:
    return reading.twin_sequences and count_drawn_doubles(win, reading)


def double_concealed_double(win: Win, reading: HandReading) -> int:
    return int(reading.twin_sequences == 2 == count_drawn_doubles(win, reading))


def earthly_win(win: Win, reading: HandReading) -> int:
    drawn = win.self_drawn or win.on("earth_includes_discard")
    return int(drawn)


def kong_draw(win: Win, reading: HandReading) -> int:
    return int(win.on("kong_draw_x2"))


GENERAL = (
    Pattern(
        id="winning_a_hand",
        name="Winning a Hand",
        name_zh="胡牌",
        value=15,
        count=winning_a_hand,
        table="general",
        meaning="Every win.",
        meaning_zh="凡胡牌。",
        ruling="HF-09",
    ),
    Pattern(
        id="suit_bonus",
        name="Suit Bonus",
        name_zh="支",
        value=1,
        count=suit_bonus,
        table="general",
        meaning="Each tile over eight of the largest suit, melds included.",
        meaning_zh="最多的一门花色超过八张，每多一张。",
        ruling="HF-20",
        most=10,
    ),
    Pattern(
        id="single_wait",
        name="Single Wait",
        name_zh="卡",
        value=1,
        count=single_wait,
        table="general",
        meaning="Only one kind of tile could complete the hand.",
        meaning_zh="只听一种牌。",
        ruling="HF-12",
        when=lambda o: o.one_wait,
    ),
    Pattern(
        id="same_number",
        name="Same Number Bonus",
        name_zh="同",
        value=1,
        count=same_number,
        table="general",
        meaning="Each tile over four of one rank, all suits and melds together.",
        meaning_zh="同点数的牌超过四张，每多一张（不分花色）。",
        ruling="HF-10",
        most=10,
    ),
    Pattern(
        id="concealed_pung",
        name="Concealed Pung",
        name_zh="坎",
        value=1,
        count=pungs,
        table="general",
        meaning="Each pung of drawn tiles in the hand.",
        meaning_zh="手中每副暗刻。",
        ruling="HF-13",
        when=lambda o: o.concealed_pungs > 0,
        most=4,
    ),
    Pattern(
        id="double_sequences_visible",
        name="Double Sequences (Visible)",
        name_zh="明双铺子",
        value=2,
        count=visible_double_sequences,
        table="general",
        meaning="Two equal sequences, one of them completed by the winning discard.",
        meaning_zh="两副相同顺子，其中一副由点炮牌补成。",
        ruling="HF-14",
        when=lambda o: o.sequences >= 2,
        most=2,
    ),
    Pattern(
        id="double_sequences_concealed",
        name="Double Sequences (Concealed)",
        name_zh="暗双铺子",
        value=4,
        count=concealed_double_sequences,
        table="general",
        meaning="Two equal sequences of drawn tiles.",
        meaning_zh="两副相同顺子，全为自摸之牌。",
        ruling="HF-14",
        when=lambda o: o.sequences >= 2,
        most=2,
    ),
    Pattern(
        id="two_suits_only",
        name="Two Suits Only",
        name_zh="缺门",
        value=2,
        count=count_once,
        table="general",
        meaning="Tiles of exactly two suits.",
        meaning_zh="只有两门花色。",
        ruling="HF-21",
        when=lambda o: o.suits == 2,
    ),
    Pattern(
        id="concealed_kong",
        name="Concealed Kong",
        name_zh="暗杠",
        value=4,
        count=count_concealed_kongs,
        table="general",
        meaning="Each concealed kong.",
        meaning_zh="每副暗杠。",
        ruling="HF-13",
        when=lambda o: o.kongs > 0,
        most=4,
    ),
    Pattern(
        id="four_of_a_kind",
        name="Four of a Kind Bonus",
        name_zh="活",
        value=4,
        count=four_of_a_kind,
        table="general",
        meaning="Each kind with all four tiles in the hand and no kong.",
        meaning_zh="四张相同的牌而未开杠，每种。",
        ruling="HF-17",
        most=3,
    ),
)
SPECIAL = (
    Pattern(
        id="seven_pairs",
        name="Seven Pairs",
        name_zh="七对",
        value=10,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 0),
        table="special",
        meaning="Seven different pairs.",
        meaning_zh="七个不同的对子。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="luxury_seven_pairs",
        name="Luxury Seven Pairs",
        name_zh="豪华七对",
        value=50,
        count=lambda _, reading: int(count_quads_in_pairs(reading) == 1),
        table="special",
        meaning="Seven pairs with four equal tiles once.",
        meaning_zh="七对中有一组四张相同。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="double_luxury_seven_pairs",
        name="Double Luxury Seven Pairs",
        name_zh="双豪华七对",
        value=100,
        count=lambda _, reading: int((count_quads_in_pairs(reading) or 0) >= 2),
        table="special",
        meaning="Seven pairs with four equal tiles twice or more.",
        meaning_zh="七对中有两组或以上四张相同。",
        ruling="HF-18",
        shape="seven_pairs",
    ),
    Pattern(
        id="sea_floor",
        name="Sea Floor Win",
        name_zh="海捞胡牌",
        value=15,
        count=count_once,
        table="special",
        meaning="A win on one of the last four tiles drawn.",
        meaning_zh="在海捞区（最后四张）胡牌。",
        ruling="HF-06",
        situation="sea_floor",
    ),
    Pattern(
        id="pure_suit",
        name="Pure Suit",
        name_zh="清一色",
        value=100,
        count=count_once,
        table="special",
        meaning="Tiles of one suit only.",
        meaning_zh="只有一门花色。",
        ruling="HF-21",
        when=lambda o: o.suits == 1,
    ),
    Pattern(
        id="three_consecutive_pungs",
        name="Three Consecutive Pungs",
        name_zh="三连坎",
        value=100,
        count=three_consecutive,
        table="special",
        meaning="Concealed pungs or kongs of three ranks in a row in one suit.",
        meaning_zh="同门三副点数相连的暗刻或暗杠。",
        ruling="HF-16",
        when=lambda o: o.concealed_pungs >= 3,
    ),
    Pattern(
        id="four_concealed_pungs",
        name="Four Concealed Pungs",
        name_zh="四暗刻",
        value=100,
        count=count_once,
        table="special",
        meaning="Four concealed pungs or kongs and a pair.",
        meaning_zh="四副暗刻或暗杠加一对将。",
        ruling="HF-13",
        when=lambda o: o.concealed_pungs == 4,
    ),
    Pattern(
        id="ten_identical",
        name="Ten Identical Tiles",
        name_zh="十同",
        value=100,
        count=ten_identical,
        table="special",
        meaning="Ten or more tiles of one rank, all suits and melds together.",
        meaning_zh="同点数的牌有十张或以上（不分花色）。",
        ruling="HF-11",
    ),
    Pattern(
        id="double_concealed_double_sequences",
        name="Double Concealed Double Sequences",
        name_zh="双暗双铺子",
        value=100,
        count=double_concealed_double,
        table="special",
        meaning="Two concealed Double Sequences.",
        meaning_zh="两副暗双铺子。",
        ruling="HF-15",
        replaces=("double_sequences_concealed",),
        when=lambda o: o.sequences == 4,
    ),
    Pattern(
        id="heavenly_win",
        name="Heavenly Win",
        name_zh="天胡",
        value=200,
        count=count_once,
        table="special",
        meaning="The dealer wins with the dealt tiles.",
        meaning_zh="庄家起手即胡。",
        ruling="HF-23",
        situation="heavenly",
    ),
    Pattern(
        id="earthly_win",
        name="Earthly Win",
        name_zh="地胡",
        value=150,
        count=earthly_win,
        table="special",
        meaning="Another player wins on the first draw, before any claim or kong.",
        meaning_zh="闲家首轮自摸即胡，此前无人碰杠。",
        ruling="HF-22",
        situation="earthly",
    ),
)
KONG_DRAW = Pattern(
    id="kong_draw",
    name="Kong Draw (doubles)",
    name_zh="杠后开花（翻倍）",
    value=2,
    count=kong_draw,
    table="factor",
    meaning=("By a house rule: a win on the tile drawn after a kong doubles the points."),
    meaning_zh="按本桌的选项：杠后开花总嘴数翻倍。",
    ruling="HF-26",
    situation="replacement",
)


POINT_SCORE = 20
"""Value of one point to each payer (HF-09, HF-29)."""

TOO_FEW_OF_A_SUIT = "A Hefei hand needs {needed} tiles of one suit, and the most here is {found}."
NO_SHAPE = "These tiles make neither four sets and a pair nor seven pairs."
SEVEN_PAIRS_OFF = "Seven pairs do not win where the house option seven_pairs is false."


GENERAL_IDS = frozenset(row.id for row in GENERAL if row.id != "winning_a_hand")
SPECIAL_IDS = frozenset(row.id for row in SPECIAL)


def suit_needs(melds: tuple[Meld, ...], options: Options) -> Quota:
    """Tiles missing from eight of m, of p, of s, in addition to its melds (HF-08)."""
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
    """All lines, unless a house option differs (HF-19, HF-26).

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
    """Not if the tile was drawn and so opens no set, unless house options ask for it (HF-12, HF-14)."""
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
        needs=(SELF_DRAWN,),
        excludes=("replacement", "heavenly", "earthly"),
    ),
    Situation(
        id="replacement",
        label="After a kong",
        label_zh="杠后开花",
        name="win on the tile drawn after a kong",
        name_zh="杠后开花",
        needs=(SELF_DRAWN, WITH_A_KONG),
    ),
    Situation(
        id="heavenly",
        label="Heavenly",
        label_zh="天胡",
        name="dealer's win with the dealt tiles",
        name_zh="天胡",
        needs=(SELF_DRAWN, BY_THE_DEALER, NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="another player's win on the first draw",
        name_zh="地胡",
        needs=(NOT_ROBBED, NOT_BY_THE_DEALER, NO_MELDS),
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
        "streak": FieldMeaning(
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
