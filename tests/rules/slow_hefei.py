"""What a Hefei hand is worth by the written table and its usual options, from the rulings alone: slow.

Kinds are numbers 0 to 33. Every way of seeing the tiles is listed with its rows, which are added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from companion.tiles import Tile, parse_meld, parse_tiles
from tests.rules import slow

Request = dict[str, Any]
PLAYED = [kind for kind in range(27) if 1 <= kind % 9 <= 7]
"""The game has the ranks 2 to 8 alone."""


def slow_score(asked: Request) -> tuple[bool, int, list[int]]:
    """Whether the request's hand wins, its zui, and the payments. Of the options only `discard` is read."""
    hand = [tile.index for tile in parse_tiles(asked["hand"])]
    melds = [(text[0], parse_meld(text).tiles[0].index) for text in asked["melds"]]
    won = None if asked["winning_tile"] is None else Tile.parse(asked["winning_tile"]).index
    waits = 0 if won is None else count_waits(hand, melds, won)
    found = [
        sum(rows.values())
        for kind, groups in list_ways(hand, melds)
        for at in ([None] if won is None else [i for i, group in enumerate(groups) if won in group])
        for rows in [list_rows(asked, hand, melds, kind, groups, at, waits)]
    ]
    if not found:
        return False, 0, [0, 0, 0, 0]
    return True, max(found), settle(asked, max(found))


def list_ways(hand: list[int], melds: list[tuple[str, int]]) -> Iterator[tuple[str, tuple[slow.Group, ...]]]:
    """Sets and a pair, or seven pairs, where a suit has eight tiles (HF-07, HF-08)."""
    suits = Counter(kind // 9 for kind in all_tiles(hand, melds))
    if max(suits.values()) < 8:
        return
    counts = [hand.count(kind) for kind in range(34)]
    for groups in slow.splits(counts, 4 - len(melds)):
        yield "sets", groups
    if not melds and all(count % 2 == 0 for count in counts):
        yield "pairs", tuple((kind, kind) for kind in sorted(hand)[::2])


def all_tiles(hand: list[int], melds: list[tuple[str, int]]) -> list[int]:
    return [*hand, *(kind for name, kind in melds for _ in range(3 if name == "p" else 4))]


def count_waits(hand: list[int], melds: list[tuple[str, int]], won: int) -> int:
    """How many kinds would have won, but for those of which the player has all four (C-15)."""
    before = hand.copy()
    before.remove(won)
    own = all_tiles(before, melds)
    return sum(any(True for _ in list_ways([*before, kind], melds)) for kind in PLAYED if own.count(kind) < 4)


def list_rows(
    asked: Request,
    hand: list[int],
    melds: list[tuple[str, int]],
    kind: str,
    groups: tuple[slow.Group, ...],
    at: int | None,
    waits: int,
) -> dict[str, int]:
    """The rows of RULINGS 1.3 that are true. at: which group the winning tile completed."""
    own = all_tiles(hand, melds)
    suits, ranks = Counter(k // 9 for k in own), Counter(k % 9 for k in own)
    thrown = asked["source"] != "self_draw"
    kongs = [first for name, first in melds if name == "K"]
    laid = [first for name, first in melds if name != "p"]
    sets = [group for group in groups if len(group) == 3]
    own_sets = [group for i, group in enumerate(groups) if len(group) == 3 and not (thrown and i == at)]
    pungs = [group[0] for group in own_sets if group[0] == group[1]]
    concealed = count_doubles(own_sets)
    visible = count_doubles(sets) - concealed
    closed = {*pungs, *kongs}
    rows = {
        "win": 15,
        "suit": max(suits.values()) - 8,
        "wait": waits == 1,
        "same": sum(max(0, number - 4) for number in ranks.values()),
        "concealed pungs": len(pungs),
        "visible doubles": 2 * visible,
        "concealed doubles": 100 if concealed == 2 else 4 * concealed,
        "two suits": 2 * (len(suits) == 2),
        "concealed kongs": 4 * len(kongs),
        "fours": 4 * sum(own.count(k) == 4 and k not in laid for k in set(own)),
        "sea": 15 * ("sea_floor" in asked["situation"]),
        "one suit": 100 * (len(suits) == 1),
        "three in a row": 100 * any({k, k + 1, k + 2} <= closed for k in closed),
        "four concealed": 100 * (len(pungs) + len(kongs) == 4),
        "ten": 100 * (max(ranks.values()) >= 10),
        "heaven": 200 * ("heavenly" in asked["situation"]),
        "earth": 150 * ("earthly" in asked["situation"] and not thrown),
    }
    if kind == "pairs":
        fours = sum(hand.count(k) == 4 for k in set(hand))
        rows["pairs"] = (10, 50, 100, 100)[fours]
    return rows


def count_doubles(sets: Sequence[slow.Group]) -> int:
    """How many pairs of equal sequences: one in three equal ones, two in four (HF-14)."""
    sequences = Counter(group for group in sets if group[0] != group[1])
    return sum(number // 2 for number in sequences.values())


def settle(asked: Request, zui: int) -> list[int]:
    """What each seat gets: the dealer pays and is paid 4 zui more for each hand dealt in a row (HF-24)."""
    unit = (asked["stakes"] or {"unit": 20})["unit"]
    paid = [0, 0, 0, 0]
    for seat in range(4):
        everybody = asked["source"] == "self_draw" or asked["options"].get("discard") == "all_pay"
        if seat != asked["winner"] and (everybody or seat == asked["from"]):
            dealers = asked["dealer"] in (seat, asked["winner"])
            amount = asked["base"] * unit * (zui + 4 * asked["streak"] * dealers)
            paid[seat] -= amount
            paid[asked["winner"]] += amount
    return paid
