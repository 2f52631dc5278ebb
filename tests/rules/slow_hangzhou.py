"""What a Hangzhou hand is worth, from the rulings alone: slow, to check the scorer against.

Tiles are numbers 0 to 33; what every Fortune may be is tried out, and Explosive Pair is taken by its word:
any tile would have won.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any

from companion.tiles import KINDS, Meld, parse_meld, parse_tiles

Request = dict[str, Any]
Counts = tuple[int, ...]
Outcome = tuple[int, list[int]] | str
KIND_COUNT = 34
WHITE = 31
SEATS = range(4)
REFUSED, NO_WIN = "refused", "no win"


def numbers(tiles: str) -> list[int]:
    return [tile.index for tile in parse_tiles(tiles)]


def counted(tiles: list[int]) -> Counts:
    return tuple(tiles.count(kind) for kind in range(KIND_COUNT))


@lru_cache(1 << 16)
def sets_and_pair(counts: Counts, wild: int, pairs: int = 1) -> bool:
    """Whether the tiles and wild ones are sets and so many pairs, the lowest tile tried in every group."""
    if not any(counts):
        return wild >= 2 * pairs and (wild - 2 * pairs) % 3 == 0
    low = next(kind for kind, count in enumerate(counts) if count)
    groups: list[tuple[int, ...]] = [(low,) * 3, *[(low,) * 2] * pairs]
    groups += [
        (first, first + 1, first + 2)
        for first in range(max(0, low - 2), min(low, 24) + 1)
        if first % 9 < 7 and first // 9 == low // 9
    ]
    return any(
        used <= wild and sets_and_pair(rest, wild - used, pairs - (len(group) == 2))
        for group in groups
        for rest, used in without(counts, low, group)
    )


def without(counts: Counts, low: int, group: tuple[int, ...]) -> Iterator[tuple[Counts, int]]:
    """The counts without the group, of which `low` is there and wild ones may stand for any other tile."""
    others = list(group)
    others.remove(low)
    for there in product((True, False), repeat=len(others)):
        rest = list(counts)
        for kind in (low, *(kind for kind, held in zip(others, there, strict=True) if held)):
            rest[kind] -= 1
        if min(rest) >= 0:
            yield tuple(rest), there.count(False)


def pairs_up(counts: Counts, wild: int) -> bool:
    odd = sum(count % 2 for count in counts)
    return sum(counts) + wild == 14 and odd <= wild


def any_tile_wins(wins: Callable[[Counts, int], bool], counts: Counts, wild: int) -> bool:
    return all(
        wins((*counts[:kind], counts[kind] + 1, *counts[kind + 1 :]), wild) for kind in range(KIND_COUNT)
    )


def most_quads(counts: Counts, wild: int) -> int:
    """The most kinds that can be held four times in seven pairs, every use of the Fortunes tried."""
    best = 0
    useful = [*(kind for kind, count in enumerate(counts) if count), counts.index(0)]
    for chosen in combinations_with_replacement(useful, wild):
        full = [count + chosen.count(kind) for kind, count in enumerate(counts)]
        if all(count % 2 == 0 and count <= 4 for count in full):
            best = max(best, full.count(4))
    return best


DEFAULTS: dict[str, Any] = {
    "fortune": "indicator", "white_stands_for_fortune": False, "fortune_in_melds": False,
    "win_on_fortune_discard": False, "gambit_cap": 16, "rob": "always", "discard_pays_all_shares": False,
    "dealer_discard_loss": 2, "dealer_loss": "double", "wild_quads": False, "liability_self_draw_only": False,
    "liability_x": 2, "debt": False, "fortune_must_explode": False, "max_chows": 4, "rob_x2": False,
}  # fmt: skip


def slow_score(request: Request) -> Outcome:
    asked = {
        "options": {}, "melds": [], "dealer": 0, "streak": 1, "gambits": 0, "consecutive_kongs": 0,
        "three_melds": [], "situation": [], "base": 1, "cap": None, "balances": None, "from": None,
        "fortune": None, **request,
    }  # fmt: skip
    options = {**DEFAULTS, **asked["options"]}
    melds = [parse_meld(text) for text in asked["melds"]]
    drawn = asked["source"] == "self_draw"
    fortune, copies = WHITE, 4
    if options["fortune"] == "indicator":
        fortune, copies = numbers(asked["fortune"])[0], 3
    hand = numbers(asked["hand"])
    held = hand + [tile.index for meld in melds for tile in meld.tiles]
    if options["white_stands_for_fortune"] and fortune != WHITE:
        held = hand  # a chow with that kind is of the White Dragon
    if contradicts(asked, melds, held.count(fortune), copies):
        return REFUSED
    last = numbers(asked["winning_tile"])[0]
    if forbidden(asked, options, melds, fortune, last):
        return NO_WIN
    before = hand.copy()
    before.remove(last)
    substitutes = options["fortune"] == "indicator" and options["white_stands_for_fortune"]
    full, wild = as_played(hand, fortune, substitutes)
    lacking, wild_before = as_played(before, fortune, substitutes)
    kongs = max(asked["consecutive_kongs"], int("replacement" in asked["situation"]))
    doublings = min(asked["gambits"], {16: 4, 4: 2}[options["gambit_cap"]]) + kongs
    doublings += asked["source"] == "robbed_kong" and options["rob_x2"]
    values = []
    for wins in (sets_and_pair, pairs_up):
        if not wins(full, wild):
            continue
        explosive = drawn and wild_before > 0 and any_tile_wins(wins, lacking, wild_before)
        if wild and options["fortune_must_explode"] and not explosive:
            continue
        more = int(explosive)
        if wins is pairs_up:
            quads = most_quads(full, wild) if options["wild_quads"] else full.count(4)
            more += 1 + min(quads, 3) + (wild == 0)
        values.append(2 ** (doublings + more))
    return (max(values), paid(asked, options, max(values))) if values else NO_WIN


def as_played(tiles: list[int], fortune: int, white_stands: bool) -> tuple[Counts, int]:
    """Tiles that are themselves, and how many Fortunes there are."""
    plain = [tile for tile in tiles if tile != fortune]
    wild = len(tiles) - len(plain)
    if white_stands:
        plain = [fortune if tile == WHITE else tile for tile in plain]
    return counted(plain), wild


def contradicts(asked: Request, melds: list[Meld], fortunes: int, copies: int) -> bool:
    kinds = [meld.kind.value for meld in melds]
    own_kongs = kinds.count("a") + kinds.count("K")
    chain = own_kongs + (1 if "k" in kinds and not asked["gambits"] else 0)
    return bool(
        (asked["source"] != "self_draw" and (asked["gambits"] or asked["consecutive_kongs"]))
        or fortunes > copies
        or (asked["gambits"] and asked["gambits"] + fortunes > copies)
        or max(asked["consecutive_kongs"], "replacement" in asked["situation"]) > chain
        or (asked["situation"] and (asked["source"] != "self_draw" or not {*kinds} & {*"kaK"}))
        or (
            any(pair[0] == asked["winner"] for pair in asked["three_melds"])
            and len(kinds) - kinds.count("K") < 3
        )
    )


def forbidden(asked: Request, options: Request, melds: list[Meld], fortune: int, last: int) -> bool:
    source = asked["source"]
    if source != "self_draw":
        if last == fortune and (source == "robbed_kong" or not options["win_on_fortune_discard"]):
            return True
        if source == "robbed_kong" and options["rob"] == "never":
            return True
        involved = asked["dealer"] in (asked["winner"], asked["from"])
        as_discard = source == "discard" or options["rob"] == "follow_discard_rule"
        if as_discard and not (asked["streak"] >= 3 and involved):
            return True
    chow_too = options["fortune_in_melds"] or options["white_stands_for_fortune"]
    for meld in melds:
        if KINDS[fortune] in meld.tiles and not (meld.kind.value == "c" and chow_too):
            return True
    return sum(meld.kind.value == "c" for meld in melds) > options["max_chows"]


def paid(asked: Request, options: Request, value: int) -> list[int]:
    winner, dealer, loser, source = asked["winner"], asked["dealer"], asked["from"], asked["source"]
    lao = min(asked["streak"], 3)

    def share(seat: int) -> int:
        factor = 1
        if winner == dealer:
            factor = 2**lao
        elif seat == dealer:
            factor = 2**lao if options["dealer_loss"] == "lao" else 2
            if source == "discard" and options["dealer_discard_loss"] == 1:
                factor = 1
        owed = asked["base"] * value * factor
        return min(owed, asked["cap"]) if asked["cap"] else owed

    losers = [seat for seat in SEATS if seat != winner]
    if source == "discard" and not options["discard_pays_all_shares"]:
        owed = {loser: share(loser)}
    else:
        owed = {seat: share(seat) for seat in losers}
        if source != "self_draw":
            owed = {loser: sum(owed.values())}
    if source == "self_draw" or not options["liability_self_draw_only"]:
        liable = [
            seat
            for seat in losers
            if [winner, seat] in asked["three_melds"] or [seat, winner] in asked["three_melds"]
        ]
        if liable:
            owed = dict.fromkeys(liable, options["liability_x"] * sum(owed.values()))
    result = [0] * 4
    for seat, amount in owed.items():
        if asked["balances"] is not None and not options["debt"]:
            amount = min(amount, asked["balances"][seat])
        result[seat] -= amount
        result[winner] += amount
    return result
