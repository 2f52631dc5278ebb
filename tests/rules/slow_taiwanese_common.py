"""What a Taiwanese hand is worth by the common table, from what sources say: slow, to check the scorer.

Tiles are their codes, such as "5m". A hand is taken apart in every way, and for each way a list of named rows
is written down in Chinese, from which the rows that others exclude are struck out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.tiles import parse_meld, parse_tiles

KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
WIND_NAMES = ["east", "south", "west", "north"]
TAI = {
    "門清": 1, "門清自摸": 3, "自摸": 1, "報聽": 1, "搶槓": 1, "海底撈月": 1, "河底撈魚": 1, "槓上開花": 1,
    "獨聽": 1, "全求人": 2, "半求人": 1, "天胡": 24, "地胡": 16, "人胡": 8, "混一色": 4, "清一色": 8,
    "字一色": 16, "三暗刻": 2, "四暗刻": 5, "五暗刻": 8, "碰碰胡": 4, "平胡": 2, "門風": 1, "圈風": 1,
    "小四喜": 8, "大四喜": 16, "小三元": 4, "大三元": 8, "嚦咕嚦咕": 8, "八仙過海": 8, "七搶一": 8,
}  # fmt: skip
HOLDS = {
    "四暗刻": ["三暗刻"], "五暗刻": ["三暗刻", "四暗刻"], "字一色": ["碰碰胡"],
    "小四喜": ["門風", "圈風", "風牌"], "大四喜": ["門風", "圈風", "風牌"],
    "小三元": ["三元牌"], "大三元": ["三元牌"],
}  # fmt: skip
"""Rows that stand for others, unless everything is added up."""
USUAL: dict[str, Any] = {
    "discard": "discarder_pays", "streak_cap": 0, "flowers": True, "pure_additive": False,
    "five_implies_triplets": False, "winds_seat_round_only": False, "flower_win_no_dealer_tai": False,
    "own_flowers_only": False, "single_wait_added": False, "flower_set": 1, "dealt_ready": 16,
    "eight_pairs": 0, "dealt_ready_concealed": "excluded", "blessing_of_man": 8, "four_winds_add": "none",
}  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """Tiles that belong together; hidden: no tile of it came from another player."""

    tiles: tuple[str, ...]
    hidden: bool

    @property
    def triplet(self) -> bool:
        return len(self.tiles) > 2 and self.tiles[0] == self.tiles[1]

    @property
    def pair(self) -> bool:
        return len(self.tiles) == 2


def take_apart(left: Counter[str]) -> Iterator[list[tuple[str, ...]]]:
    """Every way of making sequences and triplets of all these tiles."""
    first = next((kind for kind in KINDS if left[kind]), None)
    if first is None:
        yield []
        return
    rank, suit = int(first[0]), first[1]
    options = [(first,) * 3]
    if suit != "z" and rank < 8:
        options.append((first, f"{rank + 1}{suit}", f"{rank + 2}{suit}"))
    for taken in options:
        if not Counter(taken) - left:
            for rest in take_apart(left - Counter(taken)):
                yield [taken, *rest]


def list_ways(tiles: list[str], sets: int) -> Iterator[list[tuple[str, ...]]]:
    """Every way to split the tiles into this number of sets and a pair."""
    held = Counter(tiles)
    if len(tiles) == 3 * sets + 2:
        for kind in KINDS:
            if held[kind] >= 2:
                for rest in take_apart(held - Counter({kind: 2})):
                    yield [(kind, kind), *rest]


def is_eight_pairs(tiles: list[str], melds: list[Any]) -> bool:
    """Whether they are seven pairs and a triplet; four equal tiles are two pairs."""
    odd = [number for number in Counter(tiles).values() if number % 2]
    return not melds and len(tiles) == 17 and len(odd) == 1 and odd != [1]


def find_tai(asked: dict[str, Any]) -> tuple[bool, int, list[int]]:
    """Whether the request's hand wins, its tai, and the payments."""
    options = USUAL | {key: value for key, value in asked["options"].items() if key in USUAL}
    by_flowers = [
        {"all_flowers": "八仙過海", "seven_flowers_robbing": "七搶一"}.get(s) for s in asked["situation"]
    ]
    if any(by_flowers):
        tai = TAI[next(filter(None, by_flowers))]
        return True, tai, settle(asked, options, tai, by_flowers=True)
    hand = [tile.code for tile in parse_tiles(asked["hand"])]
    melds = [parse_meld(meld) for meld in asked["melds"]]
    laid = [
        Piece(tuple(tile.code for tile in meld.tiles), name[0] == "K")
        for meld, name in zip(melds, asked["melds"], strict=True)
    ]
    last = asked["winning_tile"]
    drawn = asked["source"] == "self_draw"
    waits = count_waits(asked, options) if last else 0
    totals = []
    for way in list_ways(hand, 5 - len(melds)):
        for at in range(len(way)) if last else [None]:
            if at is None or last in way[at]:
                pieces = [Piece(tiles, drawn or i != at) for i, tiles in enumerate(way)]
                won = None if at is None else way[at]
                totals.append(count(asked, options, pieces, laid, won, waits))
    if options["eight_pairs"] and is_eight_pairs(hand, melds):
        totals.append(count(asked, options, None, laid, None, waits))
    if not totals:
        return False, 0, [0, 0, 0, 0]
    return True, max(totals), settle(asked, options, max(totals), by_flowers=False)


def count_waits(asked: dict[str, Any], options: dict[str, Any]) -> int:
    """For how many kinds the tiles waited, even for a fifth tile of a kind."""
    before = [tile.code for tile in parse_tiles(asked["hand"])]
    before.remove(asked["winning_tile"])
    sets = 5 - len(asked["melds"])
    return sum(
        any(True for _ in list_ways([*before, kind], sets))
        or bool(options["eight_pairs"] and is_eight_pairs([*before, kind], asked["melds"]))
        for kind in KINDS
    )


def count(
    asked: dict[str, Any],
    options: dict[str, Any],
    pieces: list[Piece] | None,
    laid: list[Piece],
    won: tuple[str, ...] | None,
    waits: int,
) -> int:
    """The tai of one way; pieces None: eight pairs."""
    situation = set(asked["situation"])
    drawn = asked["source"] == "self_draw"
    dealer = asked["winner"] == asked["dealer"]
    concealed = all(piece.hidden for piece in laid)
    tiles = [tile.code for tile in parse_tiles(asked["hand"])] + [t for piece in laid for t in piece.tiles]
    found: Counter[str] = Counter()

    if "heavenly" in situation:
        found["天胡"] = 1
    elif "first_round" in situation and drawn:
        found["地胡"] = 1
    elif situation & {"first_round", "earthly"}:
        found["人胡"] = 1
    elif "immediate_ready" in situation:
        found["天聽" if dealer else "地聽"] = 1
        beside = options["dealt_ready_concealed"]
        if (
            concealed
            and pieces
            and (beside == "counted" or (beside == "not_dealers_discard" and not (dealer and not drawn)))
        ):
            found["門清自摸" if drawn else "門清"] = 1
        else:
            found["自摸"] = drawn
    else:
        found["報聽"] = "ready" in situation
        if concealed and pieces is not None:
            found["門清自摸" if drawn else "門清"] = 1
        else:
            found["自摸"] = drawn
    found["搶槓"] = asked["source"] == "robbed_kong"
    if "last_tile" in situation and not found["搶槓"]:
        found["海底撈月" if drawn else "河底撈魚"] = 1
    found["槓上開花"] = "replacement" in situation

    all_claimed = len(laid) == 5 and not any(piece.hidden for piece in laid)
    if all_claimed:
        found["半求人" if drawn else "全求人"] = 1
    if not all_claimed or options["single_wait_added"]:
        found["獨聽"] = waits == 1

    flowers = [tile.rank for tile in parse_tiles(asked["flowers"])]
    seat = (asked["winner"] - asked["dealer"]) % 4
    own = [rank for rank in flowers if (rank - 1) % 4 == seat]
    found["花牌"] = len(own if options["own_flowers_only"] else flowers)
    if options["own_flowers_only"]:
        whole = ({1, 2, 3, 4} <= set(flowers)) + ({5, 6, 7, 8} <= set(flowers))
        found["花槓"] = options["flower_set"] * whole

    suits = {tile[1] for tile in tiles}
    if suits == {"z"}:
        found["字一色"] = 1
    elif len(suits) == 1:
        found["清一色"] = 1
    elif len(suits) == 2 and "z" in suits:
        found["混一色"] = 1

    if pieces is None:
        found["嚦咕嚦咕"] = 1
    else:
        count_sets(asked, options, [*pieces, *laid], won, found, plain=not flowers and "z" not in suits)
    if not options["pure_additive"]:
        for name in [name for name in HOLDS if found[name]]:
            kept = ["小四喜"] * (options["four_winds_add"] != "none")
            kept += ["大四喜"] * (options["four_winds_add"] == "both")
            for other in [] if name in kept else HOLDS[name]:
                found[other] = 0
    worth = TAI | {
        "三元牌": 1, "風牌": 1, "花牌": 1, "花槓": 1, "天聽": options["dealt_ready"],
        "地聽": options["dealt_ready"] // 2, "人胡": options["blessing_of_man"],
    }  # fmt: skip
    return sum(worth[name] * number for name, number in found.items())


def count_sets(
    asked: dict[str, Any],
    options: dict[str, Any],
    pieces: list[Piece],
    won: tuple[str, ...] | None,
    found: Counter[str],
    *,
    plain: bool,
) -> None:
    """Enters the rows for sets. plain: neither honours nor flowers."""
    triplets = [piece for piece in pieces if piece.triplet]
    pair = next(piece.tiles[0] for piece in pieces if piece.pair)
    hidden = sum(piece.hidden for piece in triplets)
    found["三暗刻"], found["四暗刻"], found["五暗刻"] = hidden >= 3, hidden >= 4, hidden == 5
    if len(triplets) == 5 and not (hidden == 5 and options["five_implies_triplets"]):
        found["碰碰胡"] = 1
    if not triplets and plain and asked["source"] != "self_draw":
        at = won.index(asked["winning_tile"]) if won and len(won) == 3 else 1
        found["平胡"] = (at == 0 and won is not None and won[2][0] != "9") or (
            at == 2 and won is not None and won[0][0] != "1"
        )
    kinds = [piece.tiles[0] for piece in triplets]
    winds = sum(kind in ("1z", "2z", "3z", "4z") for kind in kinds)
    if options["winds_seat_round_only"]:
        found["門風"] = f"{(asked['winner'] - asked['dealer']) % 4 + 1}z" in kinds
        found["圈風"] = f"{WIND_NAMES.index(asked['round_wind']) + 1}z" in kinds
    else:
        found["風牌"] = winds
    found["大四喜"] = winds == 4
    found["小四喜"] = winds == 3 and pair in ("1z", "2z", "3z", "4z")
    dragons = sum(kind in ("5z", "6z", "7z") for kind in kinds)
    found["三元牌"] = dragons
    found["大三元"] = dragons == 3
    found["小三元"] = dragons == 2 and pair in ("5z", "6z", "7z")


def settle(asked: dict[str, Any], options: dict[str, Any], tai: int, *, by_flowers: bool) -> list[int]:
    """What each seat gets."""
    streak = min(asked["streak"], options["streak_cap"] or asked["streak"])
    everybody = asked["source"] == "self_draw" or (options["discard"] == "all_pay" and not by_flowers)
    stakes = asked["stakes"] or {"base": 0, "unit": 1}
    paid = [0, 0, 0, 0]
    for seat in range(4):
        if seat != asked["winner"] and (everybody or seat == asked["from"]):
            dealers = asked["dealer"] in (seat, asked["winner"])
            dealers = dealers and not (by_flowers and options["flower_win_no_dealer_tai"])
            tai_paid = tai + dealers * (1 + 2 * streak)
            amount = asked["base"] * (stakes["base"] + stakes["unit"] * tai_paid)
            paid[seat] -= amount
            paid[asked["winner"]] += amount
    return paid
