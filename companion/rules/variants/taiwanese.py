"""Taiwanese (台湾麻将): 144 tiles, hands of 16; tai (台) are added up, the dealer's tai by payment.

Of rows in one family that include each other only the highest scores (TW-17); families add up. The house
option preset chooses between the written table and the one that is common in Taiwan (TW-32, P-01).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec.structs import replace as changed

from companion.rules.building_blocks import (
    BY_THE_DEALER,
    NO_FLOWERS_WITHOUT,
    NO_MELDS,
    NOT_BY_THE_DEALER,
    NOT_ROBBED,
    ON_THE_DEALERS_DISCARD,
    SELF_DRAWN,
    WITH_A_KONG_OR_FLOWER,
    add_rows,
    all_others,
    loser_or_all_others,
)
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Group, Hand
from companion.rules.options import COMMON, Option, switch
from companion.rules.play import (
    BREAK_UNIT,
    COMMON_PLAY,
    COUNTED_IN_TILES,
    REPLACED,
    Chows,
    Flowers,
    LastTile,
    Moment,
    Play,
    Policy,
    Ready,
    Replacements,
    Rotation,
    WallRule,
    make_usual_policy,
    missed_win_option,
)
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
from companion.rules.variants.taiwanese_common import NO_SHAPE_BUT_PAIRS, choose_table
from companion.rules.variants.taiwanese_rows import FLOWER_WINS, ROWS
from companion.rules.win import BASE, UNIT, Options, Reason, ScoreRequest, Source, Win
from companion.sentences import Sentence, msgid
from companion.tiles import SET_136, SET_144, MeldKind

STREAK_CAP_MAX = 1_000

OPTIONS = (
    Option(
        key="discard",
        default="discarder_pays",
        values=("discarder_pays", "all_pay"),
        meaning="Who pays for a discard or a robbed kong: that player alone, or all three."
        " The eighth flower's holder always pays alone.",
        meaning_zh="放枪或抢杠由谁付：放枪者一家，或三家都付。七抢一始终由被抢者一家付。",
        ruling="TW-07",
    ),
    switch(
        key="allow_chow",
        ruling="TW-05",
        meaning="Chows may be claimed, from the player to the left.",
        meaning_zh="可以吃上家的牌。",
        default=True,
    ),
    Option(
        key="streak_cap",
        default=0,
        values=range(STREAK_CAP_MAX + 1),
        meaning="The most that a dealer's streak counts; 0 for no limit.",
        meaning_zh="连庄次数最多计几次；0为不限。",
        ruling="TW-08",
    ),
    switch(
        key="flowers",
        ruling="TW-09",
        meaning="Flowers and seasons are used. Without them the rows Flower Tile, No Flowers, No Honours"
        " or Flowers"
        " and the wins by flowers do not exist.",
        meaning_zh="使用花牌。不用时，不计花牌、无花、无字无花，也没有八仙过海和七抢一。",
        default=True,
    ),
    switch(
        key="wait_stack",
        ruling="TW-15",
        meaning="A Closed Wait is also a Single Wait: 4 tai together. The usual table has one row for both.",
        meaning_zh="间听同时计独听，共4台。通行台数表只有独听一项。",
    ),
    switch(
        key="pure_additive",
        ruling="TW-17",
        meaning="Rows score beside the higher rows that include them, such as Two beside Three Concealed"
        " Triplets."
        " Fully Concealed and the wins by flowers still exclude what the rules say.",
        meaning_zh="被高台包含的项目照样累计（如三暗刻另计两暗刻）；只有门清不求、八仙过海、七抢一仍按明文排除他项。",
    ),
    switch(
        key="five_implies_triplets",
        ruling="TW-18",
        meaning="Five Concealed Pungs includes All Triplets.",
        meaning_zh="五暗刻不另计对对胡。",
    ),
    switch(
        key="winds_seat_round_only",
        ruling="TW-19",
        meaning="Pung of Winds counts only the winner's own wind and the round's, each pung once; in the"
        " usual table they are two rows, and a pung of both counts for both.",
        meaning_zh="“风牌”只计门风和圈风的刻子，每副一次；通行台数表分门风、圈风两项，同为门风和圈风的刻子各计一次。",
    ),
    switch(
        key="speed_10_included",
        ruling="TW-21",
        meaning="Win Within 5-10 Discards is also given with exactly ten discards. The usual table has no"
        " such row.",
        meaning_zh="正好十张弃牌时也计“十张内速胡”。通行台数表没有此项。",
    ),
    switch(
        key="straight_discard_closed",
        ruling="TW-22",
        meaning="A Full Straight stays closed where the winning discard completed one of its sequences. The"
        " usual table has no such row.",
        meaning_zh="放枪牌补成的一条龙仍算内龙，吃出的才算外龙。通行台数表没有此项。",
    ),
    switch(
        key="flower_win_no_dealer_tai",
        ruling="TW-24",
        meaning="Wins by flowers are paid without the dealer's tai.",
        meaning_zh="八仙过海和七抢一不计庄家台。",
    ),
    switch(
        key="own_flowers_only",
        ruling="TW-25",
        meaning="Flower Tile counts only the flower and the season of the winner's own seat.",
        meaning_zh="“花牌”只计与自己门风相同的花（正花）。",
    ),
    switch(
        key="seven_pung_open",
        ruling="TW-28",
        meaning="The triplet of Seven Pairs and a Pung may lie on the table, as a pung or a kong; not in the"
        " usual table.",
        meaning_zh="“七对加一刻”的刻子可以是碰出的刻子或杠子；通行台数表不可。",
    ),
    Option(
        key="replacement_win",
        default=0,
        values=(0, 1),
        meaning="Tai for a win on the tile drawn after a kong or a flower; 0 leaves it out. In the usual"
        " table it is always 1.",
        meaning_zh="杠上开花（含补花）的台数；0为不计。通行台数表一律1台。",
        ruling="TW-29",
    ),
    Option(
        key="all_honors",
        default=0,
        values=(0, 16),
        meaning="Tai for a hand of honours only; 0 leaves it out. In the usual table it is always 16.",
        meaning_zh="字一色的台数；0为不计。通行台数表一律16台。",
        ruling="TW-30",
    ),
    Option(
        key="preset",
        default="standard",
        values=("standard", "common"),
        meaning="The scoring table: the one that is written here, or the usual one of Taiwan, which has rows"
        " of its own.",
        meaning_zh="台数表：按书面规则，或按台湾通行的台数表（项目另列）。",
        ruling="TW-32",
    ),
    switch(
        key="single_wait_added",
        ruling="P-01",
        meaning="In the usual table: Single Wait counts beside All Revealed and Half Revealed too.",
        meaning_zh="通行台数表：全求人、半求人另计独听。",
        since=3,
    ),
    Option(
        key="flower_set",
        default=1,
        values=(1, 0, 2),
        meaning="In the usual table: tai for all four flowers, or all four seasons; the player's own one"
        " among them counts 1 more. 1 makes 2 in all, as most tables count. Only where own flowers count.",
        meaning_zh="通行台数表：花杠的台数，其中的正花另计。1即连正花共2台，最为通行。仅在只计正花时有效。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="dealt_ready",
        default=16,
        values=(16, 8),
        meaning="In the usual table: tai for the dealer's ready hand as dealt; another player's is worth half"
        " as much.",
        meaning_zh="通行台数表：天听的台数；地听为其一半。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="dealt_ready_concealed",
        default="excluded",
        values=("excluded", "not_dealers_discard", "counted"),
        meaning="In the usual table: whether a concealed hand counts beside a ready hand as dealt. Not at"
        " all, though a self-draw counts; or always but for the dealer's win on a discard; or always.",
        meaning_zh="通行台数表：天听、地听是否另计门清、门清自摸：均不计，只计自摸；或只有庄家天听胡别家的牌时不计；"
        "或一律另计。",
        ruling="P-01",
        since=4,
    ),
    Option(
        key="eight_pairs",
        default=0,
        values=(0, 8),
        meaning="In the usual table: tai for Seven Pairs and a Pung; with 0 they do not win.",
        meaning_zh="通行台数表：呖咕呖咕（七对加一刻）的台数；0为不能胡。",
        ruling="P-01",
        since=3,
    ),
    Option(
        key="blessing_of_man",
        default=8,
        values=(8, 16),
        meaning="In the usual table: tai for Blessing of Man.",
        meaning_zh="通行台数表：人胡的台数。",
        ruling="P-01",
        since=4,
    ),
    Option(
        key="four_winds_add",
        default="none",
        values=("none", "little", "both"),
        meaning="In the usual table: whether pungs of winds score beside Little and Big Four Winds: beside"
        " neither, beside Little Four Winds alone, or beside both.",
        meaning_zh="通行台数表：小四喜、大四喜是否另计门风、圈风等风牌：均不计，或只有小四喜另计，或都另计。",
        ruling="P-01",
        since=4,
    ),
    *COMMON,
)


WALL = WallRule(
    tile_set=SET_144,
    dice=(2, 3),  # the rules do not say how many; in Taiwan three are common
    deal=(4, 4, 4, 4),
    dead=16,
    replacements=Replacements.MOVING_DEAD_WALL,
    ruling="TW-10",
    options=(BREAK_UNIT,),
    variations={**COUNTED_IN_TILES, ("flowers", False): {"tile_set": SET_136}},
)

TING_MUST_WIN = switch(
    key="ting_must_win",
    ruling="TW-13",
    meaning="Who has declared a ready hand may not pass up a win.",
    meaning_zh="报听后见胡必胡。",
)
SPEED_ON_TABLE_ONLY = switch(
    key="speed_on_table_only",
    ruling="TW-21",
    meaning=(
        "The rows for a quick win count only discards that still lie on the table, not those that"
        " were claimed."
    ),
    meaning_zh="速胡只计桌上的弃牌，被吃碰杠的不计。",
)


def is_first_round(moment: Moment) -> bool:
    """Whether a player other than the dealer wins before any claim, with the first tile drawn or on a discard
    before it (P-01); the dealer's first discard is a situation of its own."""
    if moment.by_dealer or moment.claims or moment.kongs or moment.first_discard:
        return False
    return moment.draws == (1 if moment.self_drawn else 0) and moment.source is not Source.ROBBED_KONG


def policy(options: Options) -> Policy:
    """Chows (TW-05), ready hands (TW-13), the last tile (TW-14), flowers (TW-12) and wins by them (TW-24),
    and the discards that a quick win counts (TW-21)."""
    return replace(
        make_usual_policy(options),
        chows=Chows(ruling="TW-05"),
        ready=Ready(
            situation="ready",
            at_once="immediate_ready",
            must_win=bool(options[TING_MUST_WIN.key]),
            ruling="TW-13",
        ),
        last_tile=LastTile(may_decline=True, ruling="TW-14"),
        flowers=Flowers(all_set_out="all_flowers", last_robbed="seven_flowers_robbing", ruling="TW-12"),
        claimed_count=not options[SPEED_ON_TABLE_ONLY.key],
    )


PLAY = Play(
    wall=WALL,
    options=(*COMMON_PLAY, missed_win_option("none"), TING_MUST_WIN, SPEED_ON_TABLE_ONLY),
    rotation=lambda options: Rotation(on_draw=True),
    situations={
        **REPLACED,
        "last_tile": lambda moment: moment.last_tile,
        "heavenly": lambda moment: moment.dealt,
        "earthly": lambda moment: moment.first_discard,
        "first_round": is_first_round,
        "ready": lambda moment: moment.ready == "ready",
        "immediate_ready": lambda moment: moment.ready == "immediate_ready",
    },
    policy=policy,
    deal_ruling="TW-03",
)


NO_SHAPE = "These tiles make neither five sets and a pair nor seven pairs and a concealed pung."
SEVEN_PUNG_CLOSED = (
    "Seven pairs with an exposed pung or kong win only if the house option seven_pung_open is true."
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
        needs=(SELF_DRAWN, WITH_A_KONG_OR_FLOWER),
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
        needs=(SELF_DRAWN, BY_THE_DEALER, NO_MELDS),
        excludes=("earthly",),
        dealt=True,
    ),
    Situation(
        id="earthly",
        label="Earthly",
        label_zh="地胡",
        name="another player's win on the dealer's first discard",
        name_zh="闲家胡庄家打出的第一张牌（通行台数表为人胡）",
        needs=(NOT_BY_THE_DEALER, ON_THE_DEALERS_DISCARD, NO_MELDS),
    ),
    Situation(
        id="first_round",
        label="First round",
        label_zh="第一巡",
        name="win before any claim by a player other than the dealer, on the first tile drawn or on a discard"
        " before it; it counts in the usual table of Taiwan",
        name_zh="第一巡无人吃碰杠时，闲家摸第一张牌自摸或未摸牌即胡（通行台数表的地胡、人胡）",
        needs=(NOT_BY_THE_DEALER, NOT_ROBBED, NO_MELDS),
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
            SELF_DRAWN,
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
        NO_FLOWERS_WITHOUT,
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
