"""A village's own Hefei: as Hefei, and a hand without a five is worth 5 zui more.

A rule set is a value: this one differs from another in its name and one row. To play it, put such a file
into companion/rules/variants/ and add it to ALL there; docs/adding-a-rule-set.md says what else it needs.

    python examples/new_rule_set.py
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules import RULE_SETS, HandReading, Pattern, waits
from companion.rules.win import Win
from companion.tiles import format_tiles, parse_tiles


def count_no_fives(win: Win, reading: HandReading) -> int:
    """1 if no tile of the hand and its melds is a five, else 0."""
    tiles = [*win.request.hand, *(tile for meld in win.request.melds for tile in meld.tiles)]
    return int(all(tile.rank != 5 for tile in tiles))


NO_FIVES = Pattern(
    id="no_fives",
    name="No Fives",
    name_zh="无五",
    value=5,
    count=count_no_fives,
    table="general",
    meaning="No five in the whole hand.",
    meaning_zh="整手牌中没有五。",
    ruling="VL-01",
)
HEFEI = RULE_SETS["hefei"]
VILLAGE = replace(
    HEFEI, name="village", title="Village", title_zh="村里麻将", patterns=(*HEFEI.patterns, NO_FIVES)
)

if __name__ == "__main__":
    hand = "234567m88m345p67s"
    print(f"{VILLAGE.title} has {len(VILLAGE.patterns)} rows.")
    print(f"{hand} waits for {format_tiles(waits(VILLAGE, parse_tiles(hand)))}.")
