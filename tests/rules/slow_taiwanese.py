"""What a Taiwanese hand is worth by the written table, from its rows alone: slow, to check the scorer.

It has its own way of splitting tiles, which are numbers 0 to 33.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.tiles import Tile, parse_meld, parse_tiles

Tiles = tuple[int, ...]
Rows = dict[str, int]
PLAIN: dict[str, Any] = {
    "discard": "discarder_pays", "streak_cap": 0, "flowers": True, "wait_stack": False,
    "pure_additive": False, "five_implies_triplets": False, "winds_seat_round_only": False,
    "speed_10_included": False, "straight_discard_closed": False, "flower_win_no_dealer_tai": False,
    "own_flowers_only": False, "seven_pung_open": False, "replacement_win": 0, "all_honors": 0,
    "wait_ignores_visible": False,
}  # fmt: skip
STANDARD: Rows = {
    "concealed": 1, "fully concealed": 3, "self-draw": 1, "ready": 1, "immediate ready": 10, "robbing": 1,
    "last": 1, "single": 2, "closed": 2, "within 5": 10, "within 10": 5, "all revealed": 10, "heaven": 40,
    "earth": 40, "replacement": 1, "flower": 1, "no flowers": 1, "no honors": 1, "neither": 3,
    "half flush": 10, "full flush": 40, "all honors": 16, "2 concealed": 2, "3 concealed": 5,
    "4 concealed": 10, "5 concealed": 40, "triplets": 10, "melded kong": 1, "concealed kong": 2,
    "small sequences": 3, "big sequences": 10, "open straight": 5, "closed straight": 10, "wind": 1,
    "little 3 winds": 5, "big 3 winds": 10, "little 4 winds": 30, "big 4 winds": 40, "dragon": 1,
    "little dragons": 10, "big dragons": 30, "seven pairs": 30, "8 flowers": 30, "7 flowers": 20,
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A set or pair: its kinds by index, and whether it was claimed or completed by another's tile."""

    tiles: Tiles
    claimed: bool = False
    completed: bool = False

    @property
    def is_sequence(self) -> bool:
        return len(set(self.tiles)) == 3

    @property
    def is_pung(self) -> bool:
        return len(self.tiles) >= 3 and len(set(self.tiles)) == 1

    @property
    def concealed(self) -> bool:
        return not self.claimed and not self.completed


def split(tiles: Tiles, sets: int, pairs: int, *, sequences: bool = True) -> set[tuple[Tiles, ...]]:
    """Every way of grouping sorted tiles into so many sets and pairs."""
    if not tiles:
        return {()} if sets == pairs == 0 else set()
    first, rest = tiles[0], list(tiles[1:])
    wanted: list[Tiles] = [(first,) * 2] if pairs else []
    if sets:
        wanted.append((first,) * 3)
        if sequences and first < 27 and first % 9 < 7:
            wanted.append((first, first + 1, first + 2))
    found = set()
    for part in wanted:
        left = list(rest)
        if all(left.count(kind) >= part[1:].count(kind) for kind in part[1:]):
            for kind in part[1:]:
                left.remove(kind)
            is_pair = len(part) == 2
            for others in split(tuple(left), sets - (not is_pair), pairs - is_pair, sequences=sequences):
                found.add(tuple(sorted((part, *others))))
    return found


def shapes(hand: Tiles, melds: list[str], options: dict[str, Any]) -> Iterator[tuple[str, tuple[Tiles, ...]]]:
    for parts in split(hand, 5 - len(melds), 1):
        yield "standard", parts
    if not melds:
        for parts in split(hand, 1, 7, sequences=False):
            yield "seven", parts
    elif options["seven_pung_open"] and len(melds) == 1 and melds[0][0] != "c":
        for parts in split(hand, 0, 7):
            yield "seven", parts


def wins_at_all(hand: Tiles, melds: list[str], options: dict[str, Any]) -> bool:
    return any(True for _ in shapes(hand, melds, options))


def slowly(asked: dict[str, Any]) -> tuple[bool, int, list[int]]:
    """Whether a request's hand wins, its tai, and the payments."""
    options = PLAIN | asked["options"]
    worth = STANDARD
    situation = asked["situation"]
    if "all_flowers" in situation:
        return True, worth["8 flowers"], payments(asked, options, worth["8 flowers"], by_flowers=True)
    if "seven_flowers_robbing" in situation:
        return True, worth["7 flowers"], payments(asked, options, worth["7 flowers"], by_flowers=True)
    hand = tuple(sorted(tile.index for tile in parse_tiles(asked["hand"])))
    last = None if asked["winning_tile"] is None else Tile.parse(asked["winning_tile"]).index
    melds = [
        Part(tuple(tile.index for tile in parse_meld(meld).tiles), claimed=meld[0] != "K")
        for meld in asked["melds"]
    ]
    waited = 0 if last is None else number_waited_for(hand, last, asked["melds"], melds, options)
    drawn = asked["source"] == "self_draw"
    found = []
    for shape, groups in shapes(hand, asked["melds"], options):
        parts = [Part(tiles) for tiles in groups]
        if last is None:
            found.append(tai(asked, options, shape, [*parts, *melds], None, waited))
        for i, part in enumerate(parts):
            if last is not None and last in part.tiles:
                won = Part(part.tiles, completed=not drawn)
                every = [*parts[:i], won, *parts[i + 1 :], *melds]
                found.append(tai(asked, options, shape, every, (won.tiles, last), waited))
    if not found:
        return False, 0, [0, 0, 0, 0]
    return True, max(found), payments(asked, options, max(found), by_flowers=False)


def number_waited_for(
    hand: Tiles, last: int, names: list[str], melds: list[Part], options: dict[str, Any]
) -> int:
    before = list(hand)
    before.remove(last)
    owned = Counter(before)
    for meld in melds:
        owned.update(meld.tiles)
    return sum(
        wins_at_all(tuple(sorted([*before, kind])), names, options)
        for kind in range(34)
        if owned[kind] < 4 or options["wait_ignores_visible"]
    )


def tai(
    asked: dict[str, Any],
    options: dict[str, Any],
    shape: str,
    parts: list[Part],
    won: tuple[Tiles, int] | None,
    waited: int,
) -> int:
    worth = STANDARD
    highest: Callable[..., int] = (lambda *tai: sum(tai)) if options["pure_additive"] else max
    every = [kind for part in parts for kind in part.tiles]
    honors = [kind for kind in every if kind >= 27]
    suits = {kind // 9 for kind in every if kind < 27}
    total = going_out(asked, options, worth, highest, parts, won, waited)

    flowers = [tile.rank for tile in parse_tiles(asked["flowers"])]
    seat = (asked["winner"] - asked["dealer"]) % 4 + 1
    if options["own_flowers_only"]:
        total += worth["flower"] * (flowers.count(seat) + flowers.count(seat + 4))
    else:
        total += worth["flower"] * len(flowers)

    standard = shape == "standard"
    five_sequences = standard and sum(part.is_sequence for part in parts) == 5
    big = five_sequences and not honors and not flowers
    flush = len(suits) == 1 and not honors
    no_flowers = worth["no flowers"] if options["flowers"] and not flowers else 0
    no_honors = 0 if honors else worth["no honors"]
    neither = worth["neither"] if no_flowers and no_honors else 0
    if options["pure_additive"]:
        total += no_flowers + no_honors + neither
    elif flush and not big:
        total += no_flowers
    elif not big:
        total += neither or no_flowers + no_honors
    if len(suits) == 1:
        total += worth["half flush"] if honors else worth["full flush"]
    if not suits and options["all_honors"]:
        total += worth["all honors"]
    if not standard:
        return total + worth["seven pairs"]

    concealed = sum(part.is_pung and part.concealed for part in parts)
    tiers = [worth[f"{number} concealed"] for number in range(2, concealed + 1)]
    total += highest(*tiers, 0, 0)
    if sum(part.is_pung for part in parts) == 5 and not (options["five_implies_triplets"] and concealed == 5):
        total += worth["triplets"]
    for meld in asked["melds"]:
        total += {"K": worth["concealed kong"], "k": worth["melded kong"], "a": worth["melded kong"]}.get(
            meld[0], 0
        )
    if five_sequences:
        total += worth["big sequences"] if big else worth["small sequences"]
    total += straight(options, worth, parts)

    pungs = [part.tiles[0] for part in parts if part.is_pung]
    pair = next(part.tiles[0] for part in parts if len(part.tiles) == 2)
    winds = sum(27 <= kind < 31 for kind in pungs)
    counted = winds
    if options["winds_seat_round_only"]:
        round_wind = ["east", "south", "west", "north"].index(asked["round_wind"])
        counted = sum(kind in (26 + seat, 27 + round_wind) for kind in pungs)
    wind_pair = 27 <= pair < 31
    rows = [worth["wind"] * counted]
    rows += [worth["little 3 winds"]] * (winds >= 2 and wind_pair) + [worth["big 3 winds"]] * (winds >= 3)
    rows += [worth["little 4 winds"]] * (winds == 3 and wind_pair) + [worth["big 4 winds"]] * (winds == 4)
    total += highest(*rows, 0)
    dragons = sum(kind >= 31 for kind in pungs)
    rows = [worth["dragon"] * dragons]
    rows += [worth["little dragons"]] * (dragons == 2 and pair >= 31) + [worth["big dragons"]] * (
        dragons == 3
    )
    return total + highest(*rows, 0)


def going_out(
    asked: dict[str, Any],
    options: dict[str, Any],
    worth: Rows,
    highest: Callable[..., int],
    parts: list[Part],
    won: tuple[Tiles, int] | None,
    waited: int,
) -> int:
    situation, discards = asked["situation"], asked["discards"]
    drawn = asked["source"] == "self_draw"
    claimed = [part for part in parts if part.claimed]
    heaven, earth = "heavenly" in situation, "earthly" in situation
    total = worth["heaven"] * heaven + worth["earth"] * earth
    if options["pure_additive"] or not (heaven or earth):
        if claimed:
            total += worth["self-draw"] * drawn
        else:
            total += worth["fully concealed"] if drawn else worth["concealed"]
        if discards is not None:
            if discards <= 5:
                total += worth["within 5"]
            elif discards <= (10 if options["speed_10_included"] else 9):
                total += worth["within 10"]
    if "immediate_ready" in situation:
        total += highest(worth["immediate ready"], worth["ready"])
    elif "ready" in situation:
        total += worth["ready"]
    total += worth["robbing"] * (asked["source"] == "robbed_kong")
    total += worth["last"] * ("last_tile" in situation and asked["source"] != "robbed_kong")
    total += worth["replacement"] * options["replacement_win"] * ("replacement" in situation)
    revealed = len(claimed) == 5
    total += worth["all revealed"] * revealed
    if waited == 1 and won is not None and (options["pure_additive"] or not revealed):
        tiles, last = won
        middle = len(set(tiles)) == 3 and last == tiles[1]
        total += worth["closed"] if middle else worth["single"]
        if middle and (options["wait_stack"] or options["pure_additive"]):
            total += worth["single"]
    return total


def straight(options: dict[str, Any], worth: Rows, parts: list[Part]) -> int:
    def held(sequences: list[Part]) -> bool:
        starts = {part.tiles[0] for part in sequences}
        return any({first, first + 3, first + 6} <= starts for first in (0, 9, 18))

    sequences = [part for part in parts if part.is_sequence]
    by_discard = options["straight_discard_closed"]
    closed = [part for part in sequences if not part.claimed and (by_discard or not part.completed)]
    if held(closed):
        return worth["closed straight"]
    return worth["open straight"] if held(sequences) else 0


def payments(asked: dict[str, Any], options: dict[str, Any], value: int, *, by_flowers: bool) -> list[int]:
    winner, dealer, streak = asked["winner"], asked["dealer"], asked["streak"]
    if options["streak_cap"]:
        streak = min(streak, options["streak_cap"])
    others = [seat for seat in range(4) if seat != winner]
    alone = asked["source"] != "self_draw" and (by_flowers or options["discard"] != "all_pay")
    result = [0, 0, 0, 0]
    for payer in [asked["from"]] if alone else others:
        pays = value
        if dealer in (winner, payer) and not (by_flowers and options["flower_win_no_dealer_tai"]):
            pays += 1 + 2 * streak
        stakes = asked["stakes"] or {"base": 0, "unit": 1}
        points = asked["base"] * (stakes["base"] + stakes["unit"] * pays)
        result[payer] -= points
        result[winner] += points
    return result
