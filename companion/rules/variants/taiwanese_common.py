"""The scoring table that is common in Taiwan (P-01), separate from the written one.

| row | tai | what it asks for; "not": which rows it takes the place of | sources |
|---|---|---|---|
| 門清 concealed_hand | 1 | nothing claimed, another's tile; concealed kongs are allowed | all |
| 門清自摸 fully_concealed_hand | 3 | nothing claimed, self-drawn; not 門清, 自摸 | F L C G |
| 自摸 self_draw | 1 | any other self-drawn win | all |
| 報聽 ready | 1 | a ready hand was declared | F G O |
| 天聽 heavenly_ready | 16, 8 | the dealer, with the first discard; not 門清, 門清自摸, 報聽 | F O; G O |
| 地聽 earthly_ready | 8, 4 | any other player, with the first discard; not as above | F O; A G O |
| 搶槓 robbing_the_kong | 1 | the tile that another player adds to a pung | all |
| 海底撈月 last_tile_self_draw | 1 | the last tile of the wall | all |
| 河底撈魚 last_tile_discard | 1 | the discard after it | F A C |
| 槓上開花 replacement_win | 1 | the tile drawn after a kong or a flower | all |
| 獨聽 single_wait | 1 | one kind completes the hand by its shape: edge, gap, pair | all |
| 全求人 all_revealed | 2 | five claimed sets, another's tile | all |
| 半求人 half_revealed | 1 | five claimed sets, self-drawn, beside 自摸 | F A G O |
| 天胡 blessing_of_heaven | 24 | the dealer's dealt tiles; not 門清自摸 | F C O (L: 16) |
| 地胡 blessing_of_earth | 16 | another player's first draw, no claim before; not 門清自摸 | F L C O |
| 人胡 blessing_of_man | 8, 16 | a discard before the first draw, no claim before; not 門清 | F C G O; L O |
| 正花 flower_tile | 1 | each own flower and season | all |
| 花槓 flower_set | 1, 0, 2 | all flowers or seasons; 正花 counts beside it | see below |
| 混一色 half_flush | 4 | one suit, and honours | all |
| 清一色 full_flush | 8 | one suit alone | all |
| 字一色 all_honors | 16 | honours alone; not 碰碰胡 | F L O (G: 8) |
| 三暗刻 three_concealed_pungs | 2 | concealed triplets and kongs, the highest of the rows | all |
| 四暗刻 four_concealed_pungs | 5 | as above | F L C O |
| 五暗刻 five_concealed_pungs | 8 | as above | F L C O |
| 碰碰胡 all_triplets | 4 | five triplets, beside 五暗刻 too | all |
| 平胡 all_sequences | 2 | five chows, no honour, no flower, another's tile, two ends | A L G |
| 門風 seat_wind, 圈風 round_wind | 1 | a pung of it; both where they are the same wind | all |
| 小四喜 little_four_winds | 8 | three pungs of winds and a pair; not 門風, 圈風 | see below |
| 大四喜 big_four_winds | 16 | four pungs of winds; not 門風, 圈風 | see below |
| 三元牌 pung_of_dragons | 1 | each pung of dragons | all |
| 小三元 little_three_dragons | 4 | two pungs and a pair; not 三元牌 | F L G O |
| 大三元 big_three_dragons | 8 | three pungs; not 三元牌 | F L G O |
| 嚦咕嚦咕 seven_pairs_and_a_pung | 0, 8 | seven pairs and a triplet, nothing claimed; not 門清 | O |
| 八仙過海 all_flowers | 8 | a win by all eight flowers | F L O G |
| 七搶一 seven_flowers_robbing | 8 | a win by seven flowers and another's eighth | F L O G |

The first of several tai is the default; a house option offers the others. Where sources differ:

- 天聽, 地聽 of a concealed hand: A counts neither 門清 nor 不求 beside 地聽, but 自摸. The default takes this
  for both: 16, self-drawn 17, and 8, self-drawn 9. F leaves out 門清 beside 天聽 alone: 16, 19, 9, 11. O
  counts 門清 and 門清自摸 beside both: 17, 19, 9, 11; an option there leaves 門清 out beside 地聽. The
  default is the association's rule, which tables for players copy. By option.
- 小四喜, 大四喜: L and O count no 門風 and 圈風 beside them, G beside 小四喜 alone, F beside both. None is
  the default; by option.
- 人胡: 8 with F, C, G and one preset of O; 16 with L and two presets of O. By option.
- 獨聽 beside 全求人, 半求人: not with O and G, but with L and F; by option.
- 花槓: 1 beside 正花 with F, 2 in place of 正花 with L and G: both make 2 in all. O makes 1, A says 2 and no
  more; by option.
- 平胡: chows and no flower alone with C, two ends not asked for with F.
- 字一色, 天胡: the most usual value alone.

There are no rows for kongs, straights, hands without honours or flowers, three winds, early wins. Four kongs
in one hand, 8 tai with C and O, are not a row.

A is the association's table of 2009 (atawmj.org.tw/memu015.htm), read as far as its rows of four tai. C are
tables for players: chh.cx/archives/12, wawa3c.com/9173, nh48jid.com, xn--uis76c70x.me/majong-count. F is
pocket.funclub.com.tw/rule as SkyEye-FAST/taiwan-mahjong records it; G the table of gamesofa.com as others
quote it; L the rules and cases of lanyaliu521/taiwan-mahjong; O presets of xelnagamiao/open_mahjong_unity.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from companion.rules.building_blocks import count_flower_sets, count_once, count_pungs_of
from companion.rules.hand import WINDS
from companion.rules.outline import Outline
from companion.rules.rule_set import Pattern, Table
from companion.rules.shapes import seven_pairs_and_a_pung, standard
from companion.rules.variants.taiwanese_rows import (
    DRAGON_ROWS,
    FLOWER_WINS,
    FLOWERS,
    GOING_OUT,
    PUNGS,
    SPECIAL,
    SUITS,
    WIND_ROWS,
    all_claimed,
    flower_tiles,
)
from companion.rules.win import HandReading, Options, Reason, Win
from companion.sentences import Sentence

RULING = "P-01"
SETTING = "common"
"""Setting of the house option preset."""
EIGHT_PAIRS, SINGLE_WAIT_ADDED = "eight_pairs", "single_wait_added"
"""House options of this table alone, in addition to those of `Choices`."""
OPENING = frozenset({"heavenly", "earthly", "first_round"})
"""Situations of a win with the tiles of the deal, and with one tile more."""
NO_SHAPE_BUT_PAIRS = (
    "Seven pairs and a pung win in the usual table of Taiwan only where the house option eight_pairs is 8."
)


class Choices(NamedTuple):
    """The house options that choose rows of this table or their values, by their keys."""

    dealt_ready: int
    dealt_ready_concealed: str
    flower_set: int
    blessing_of_man: int
    four_winds_add: str


_SEVENS = seven_pairs_and_a_pung(EIGHT_PAIRS, Reason(Sentence(NO_SHAPE_BUT_PAIRS), RULING))
_STANDARD = standard("five sets and a pair", "五副牌加一对将")
_WRITTEN = {
    row.id: row
    for row in (*GOING_OUT, *FLOWERS, *SUITS, *PUNGS, *WIND_ROWS, *DRAGON_ROWS, *SPECIAL, *FLOWER_WINS)
}


def _is_opening(outline: Outline) -> bool:
    return not OPENING.isdisjoint(outline.situation)


def _is_ready_as_dealt(outline: Outline) -> bool:
    return "immediate_ready" in outline.situation


def _has_concealed_row(outline: Outline, beside_ready: str) -> bool:
    """Whether a concealed hand counts as a row of its own. beside_ready: dealt_ready_concealed."""
    if not outline.closed or _is_opening(outline):
        return False
    if beside_ready == "counted" or not _is_ready_as_dealt(outline):
        return True
    return beside_ready == "not_dealers_discard" and (outline.self_drawn or not outline.by_dealer)


def _has_self_draw_row(outline: Outline, beside_ready: str) -> bool:
    """Whether a self-drawn win counts as a row of its own. beside_ready: dealt_ready_concealed."""
    alone = outline.shape != _STANDARD.id or not _has_concealed_row(outline, beside_ready)
    return outline.self_drawn and alone and not _is_opening(outline)


def single_wait(win: Win, reading: HandReading) -> int:
    """By shape alone: a kind counts as a wait even if the player has all four, so a two-sided wait remains
    one."""
    if all_claimed(win, reading) and not win.on(SINGLE_WAIT_ADDED):
        return 0
    assert win.before is not None
    kinds = set(_STANDARD.waits(win.before))
    if win.number(EIGHT_PAIRS):
        kinds.update(_SEVENS.waits(win.before))
    return int(len(kinds) == 1)


def all_sequences(win: Win, reading: HandReading) -> int:
    """Whether the winning tile completed a sequence that waited at both ends."""
    won = reading.won
    if won is None or win.last is None or not won.is_sequence:
        return 0
    at, first = win.last.index - won.tile.index, won.tile.rank
    return int((at == 0 and first != 7) or (at == 2 and first != 1))


def flower_sets(win: Win, reading: HandReading) -> int:
    """None if every flower counts by itself."""
    return count_flower_sets(win) if win.on("own_flowers_only") else 0


def seat_wind(win: Win, reading: HandReading) -> int:
    own_only = win.on("winds_seat_round_only")
    return count_pungs_of(reading, (win.request.seat_wind,)) if own_only else 0


def round_wind(win: Win, reading: HandReading) -> int:
    own_only = win.on("winds_seat_round_only")
    return count_pungs_of(reading, (win.request.round_wind,)) if own_only else 0


def any_winds(win: Win, reading: HandReading) -> int:
    return 0 if win.on("winds_seat_round_only") else count_pungs_of(reading, WINDS)


def _as_written(id: str, value: int, **changes: Any) -> Pattern:
    """A row of the written table with this table's value and ruling; it replaces no row unless `changes`
    name some."""
    return replace(_WRITTEN[id], **{"value": value, "ruling": RULING, "replaces": (), **changes})


@cache
def _make_table(choices: Choices) -> Table:
    """The table with these choices, each made once; a row that is worth nothing is left out."""
    return Table(tuple([row for row in _make_rows(choices) if row.value]), (_STANDARD, _SEVENS))


def _make_rows(choices: Choices) -> tuple[Pattern, ...]:
    winds = ("seat_wind", "round_wind", "pung_of_winds")
    beside_ready, winds_add = choices.dealt_ready_concealed, choices.four_winds_add
    return (
        _as_written(
            "concealed_hand",
            1,
            shape="standard",
            when=lambda o: _has_concealed_row(o, beside_ready) and not o.self_drawn,
        ),
        _as_written(
            "fully_concealed_hand",
            3,
            name_zh="门清自摸",
            shape="standard",
            when=lambda o: _has_concealed_row(o, beside_ready) and o.self_drawn,
        ),
        _as_written(
            "self_draw",
            1,
            when=lambda o: _has_self_draw_row(o, beside_ready),
            meaning="A self-drawn win that does not count as Fully Concealed Hand.",
            meaning_zh="自摸（已计门清自摸者不另计）。",
        ),
        _as_written("ready", 1, when=lambda o: "ready" in o.situation and not _is_ready_as_dealt(o)),
        Pattern(
            id="heavenly_ready",
            name="Heavenly Ready",
            name_zh="天听",
            value=choices.dealt_ready,
            count=count_once,
            table="going_out",
            meaning="The dealer declared a ready hand with the first discard, before any claim; it takes the"
            " place of Concealed Hand and Fully Concealed Hand, and Self-Draw counts.",
            meaning_zh="庄家打第一张牌即报听，此前无人吃碰杠；不另计门清、不求，可计自摸。",
            ruling=RULING,
            situation="immediate_ready",
            when=lambda o: o.by_dealer,
        ),
        Pattern(
            id="earthly_ready",
            name="Earthly Ready",
            name_zh="地听",
            value=choices.dealt_ready // 2,
            count=count_once,
            table="going_out",
            meaning="A player other than the dealer declared a ready hand with the first discard, before any"
            " claim; it takes the place of Concealed Hand and Fully Concealed Hand, and Self-Draw counts.",
            meaning_zh="闲家打第一张牌即报听，此前无人吃碰杠；不另计门清、不求，可计自摸。",
            ruling=RULING,
            situation="immediate_ready",
            when=lambda o: not o.by_dealer,
        ),
        _as_written("robbing_the_kong", 1),
        _as_written("last_tile_discard", 1),
        _as_written("last_tile_self_draw", 1),
        _as_written(
            "replacement_win",
            1,
            count=count_once,
            meaning="A win on the tile drawn after a kong or a flower.",
            meaning_zh="杠后或补花后摸牌胡牌。",
        ),
        _as_written(
            "single_wait",
            1,
            count=single_wait,
            meaning="Only one kind of tile completes the hand by its shape: an edge, a gap, or the pair.",
            meaning_zh="只听一种牌：边张、嵌张（中洞）或单吊。",
        ),
        _as_written(
            "all_revealed",
            2,
            meaning="Five claimed sets, none of them a concealed kong, and another player's tile for the"
            " pair.",
            meaning_zh="五副牌全部吃、碰、明杠而成，单吊胡别家的牌。",
            when=lambda o: not o.self_drawn,
        ),
        Pattern(
            id="half_revealed",
            name="Half Revealed",
            name_zh="半求人",
            value=1,
            count=all_claimed,
            table="going_out",
            meaning="Five claimed sets, none of them a concealed kong, and a self-drawn tile for the pair.",
            meaning_zh="五副牌全部吃、碰、明杠而成，单吊自摸；另计自摸。",
            ruling=RULING,
            shape="standard",
            when=lambda o: o.self_drawn,
        ),
        _as_written("blessing_of_heaven", 24),
        _as_written(
            "blessing_of_earth",
            16,
            situation="first_round",
            when=lambda o: o.self_drawn,
            meaning="A player other than the dealer wins with the first tile drawn, before any claim; it"
            " takes the place of Fully Concealed Hand.",
            meaning_zh="闲家摸第一张牌即自摸，此前无人吃碰杠；不另计门清、自摸。",
        ),
        Pattern(
            id="blessing_of_man",
            name="Blessing of Man",
            name_zh="人胡",
            value=choices.blessing_of_man,
            count=count_once,
            table="going_out",
            meaning="A player other than the dealer wins on a discard before drawing a tile, and before any"
            " claim; it takes the place of Concealed Hand.",
            meaning_zh="闲家未摸牌即胡别家打出的牌，此前无人吃碰杠；不另计门清。",
            ruling=RULING,
            when=lambda o: _is_opening(o) and not o.self_drawn,
        ),
        _as_written("flower_tile", 1, count=flower_tiles),
        Pattern(
            id="flower_set",
            name="Flower Set",
            name_zh="花杠",
            value=choices.flower_set,
            count=flower_sets,
            table="flowers",
            meaning="All four flowers, or all four seasons; the player's own one among them counts as Flower"
            " Tile too.",
            meaning_zh="集齐梅兰竹菊或春夏秋冬一组，其中的正花照计。",
            ruling=RULING,
            when=lambda o: o.flowers >= 4,
            most=2,
        ),
        _as_written("half_flush", 4),
        _as_written("full_flush", 8),
        _as_written(
            "all_honors",
            16,
            count=count_once,
            replaces=("all_triplets",),
            meaning="Winds and dragons only; it takes the place of All Triplets.",
            meaning_zh="全部为字牌；不另计碰碰胡。",
        ),
        _as_written("three_concealed_pungs", 2),
        _as_written("four_concealed_pungs", 5, replaces=("three_concealed_pungs",)),
        _as_written("five_concealed_pungs", 8, replaces=("three_concealed_pungs", "four_concealed_pungs")),
        _as_written("all_triplets", 4, name_zh="碰碰胡"),
        Pattern(
            id="all_sequences",
            name="All Sequences",
            name_zh="平胡",
            value=2,
            count=all_sequences,
            table="chows",
            meaning="Five sequences, no honours and no flowers, won on another player's tile with a wait at"
            " both ends of a sequence.",
            meaning_zh="五副顺子，无字无花，两面听胡别家的牌；自摸、独听、单吊不算。",
            ruling=RULING,
            shape="standard",
            when=lambda o: o.sequences == 5 and not (o.honors or o.flowers or o.self_drawn),
        ),
        Pattern(
            id="seat_wind",
            name="Seat Wind",
            name_zh="门风刻",
            value=1,
            count=seat_wind,
            table="winds",
            meaning="A pung or kong of the player's own wind.",
            meaning_zh="自家门风的刻子或杠。",
            ruling=RULING,
            shape="standard",
            when=lambda o: o.wind_pungs > 0,
        ),
        Pattern(
            id="round_wind",
            name="Round Wind",
            name_zh="圈风刻",
            value=1,
            count=round_wind,
            table="winds",
            meaning="A pung or kong of the wind of the round.",
            meaning_zh="圈风的刻子或杠。",
            ruling=RULING,
            shape="standard",
            when=lambda o: o.wind_pungs > 0,
        ),
        _as_written("pung_of_winds", 1, count=any_winds),
        _as_written("little_four_winds", 8, replaces=winds if winds_add == "none" else ()),
        _as_written("big_four_winds", 16, replaces=() if winds_add == "both" else winds),
        _as_written("pung_of_dragons", 1),
        _as_written("little_three_dragons", 4, replaces=("pung_of_dragons",)),
        _as_written("big_three_dragons", 8, replaces=("pung_of_dragons",)),
        _as_written(
            "seven_pairs_and_a_pung",
            8,
            name_zh="呖咕呖咕",
            meaning="By a house rule: seven pairs and a triplet in the hand, nothing claimed; four equal"
            " tiles may be two pairs. It takes the place of Concealed Hand.",
            meaning_zh="按本桌的选项：手中七个对子加一副刻子，四张相同可作两对；不另计门清。",
        ),
        _as_written("all_flowers", 8),
        _as_written("seven_flowers_robbing", 8),
    )


def choose_table(options: Options) -> Table | None:
    """The common table, where these house options choose it."""
    if options["preset"] != SETTING:
        return None
    return _make_table(Choices._make([options[key] for key in Choices._fields]))
