"""A slow scorer of Hebei, written from its table, and random hands to compare the program's on."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any

from companion.rules import decode_request, score

Request = dict[str, Any]
Group = tuple[str, int]
"""run, pung, kong, pair or one, and its lowest kind."""
Rows = dict[str, int]

DRAWN = {"source": "self_draw", "from": None}
HONORS = range(27, 34)
ORPHANS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
SETTINGS: dict[str, list[Any]] = {
    "players": [4, 3],
    "combine": ["product", "sum"],
    "all_pungs": [3, 2],
    "cap": [0, 1, 4, 8, 20],
    "single": ["one_kind", "pair_wait", "four_open_melds", "both_rows"],
    "ping_hu_free": [False, True],
    "dealer_is_bonus": [False, True],
    "ping_hu_may_not_rob": [False, True],
    "luxury_no_suit": [False, True],
    "stack_inherent": [False, True],
    "discard": ["discarder_pays", "all_pay", "pays_for_all"],
    "dealer_loss_x2": [False, True],
    "kong_ignores_base": [False, True],
    "all_honors": ["none", "pure"],
    "self_draw_x2": [False, True],
    "wait_ignores_visible": [False, True],
}


def kinds(text: str) -> list[int]:
    return [
        "mpsz".index(suit) * 9 + int(rank) - 1
        for ranks, suit in re.findall("([0-9]+)([mpsz])", text)
        for rank in ranks
    ]


def code(kind: int) -> str:
    return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"


def hands_of_sets(left: list[int], sets: int, pairs: int = 1) -> Iterator[tuple[Group, ...]]:
    """Every way of making so many sets and pairs of the tiles, some ways more than once."""
    if not left:
        if sets == pairs == 0:
            yield ()
        return
    first = left[0]
    for form, need in (("pair", [first] * 2), ("pung", [first] * 3), ("run", [first, first + 1, first + 2])):
        if form == "run" and (first >= 27 or first % 9 > 6):
            continue
        if (pairs if form == "pair" else sets) == 0 or any(left.count(k) < need.count(k) for k in need):
            continue
        rest = left.copy()
        for kind in need:
            rest.remove(kind)
        for others in hands_of_sets(rest, sets - (form != "pair"), pairs - (form == "pair")):
            yield ((form, first), *others)


def shapes_of(tiles: list[int], melds: int) -> Iterator[tuple[str, tuple[Group, ...]]]:
    """The shapes that the tiles have, with their groups."""
    tiles = sorted(tiles)
    for groups in set(hands_of_sets(tiles, 4 - melds)):
        yield "sets", groups
    if melds == 0 and all(n % 2 == 0 for n in Counter(tiles).values()):
        yield "pairs", tuple(("pair", kind) for kind in tiles[::2])
    if melds == 0 and sorted(set(tiles)) == ORPHANS:
        yield "orphans", tuple(("pair" if tiles.count(k) == 2 else "one", k) for k in ORPHANS)


def waited_for(request: Request, options: Request) -> list[int]:
    before, won = kinds(request["hand"]), kinds(request["winning_tile"])[0]
    before.remove(won)
    own = Counter(before + kinds("".join(request["melds"])))
    return [
        kind
        for kind in range(34)
        if (own[kind] < 4 or options["wait_ignores_visible"])
        and any(shapes_of([*before, kind], len(request["melds"])))
    ]


def rows_of(
    request: Request, options: Request, shape: str, groups: list[Group], waits: int, on_pair: bool
) -> Rows:
    """The table of 2.3 and the options of 2.1, row by row."""
    melds = request["melds"]
    own = kinds(request["hand"] + "".join(melds))
    suits, honors = {k // 9 for k in own if k < 27}, any(k >= 27 for k in own)
    pure = (len(suits) == 1 and not honors) or (not suits and options["all_honors"] == "pure")
    mixed = len(suits) == 1 and honors
    quads = len(groups) - len(set(groups)) if shape == "pairs" else 0
    closed = all(meld[0] == "K" for meld in melds)
    standard = shape == "sets"
    runs = {k for form, k in groups if form == "run"}
    rows: Rows = {}
    if request["winner"] == request["dealer"]:
        rows["dealer_win"] = 2
    if standard and all(form in ("pung", "kong", "pair") for form, _ in groups):
        rows["all_pungs"] = options["all_pungs"]
    if closed and (standard or options["stack_inherent"]):
        rows["closed_hand"] = 2
    if request["source"] == "robbed_kong":
        rows["robbing_a_kong"] = 2
    if "replacement" in request["situation"]:
        rows["kong_drawn_win"] = 2
    if waits == 1 and (standard or options["stack_inherent"]):
        open_melds = sum(meld[0] in "cpka" for meld in melds)
        value = {
            "one_kind": 2,
            "both_rows": 4,
            "pair_wait": 2 * on_pair,
            "four_open_melds": 2 * (open_melds == 4),
        }
        if value[options["single"]]:
            rows["single_hanging_tile"] = value[options["single"]]
    if standard or (quads and not options["luxury_no_suit"]):
        if pure:
            rows["pure_one_suit"] = 3
        if mixed:
            rows["mixed_one_suit"] = 2
    if standard and any({first, first + 3, first + 6} <= runs for first in (0, 9, 18)):
        rows["one_dragon"] = 2
    if any({a, b, c} <= runs and len({a // 9, b // 9, c // 9}) == 3
           for a in (0, 9, 18) for b in (3, 12, 21) for c in (6, 15, 24)):  # fmt: skip
        rows["flower_dragon"] = 5
    if shape == "pairs":
        family = ["seven_pairs", "luxurious_seven_pairs", "double_luxurious_seven_pairs"]
        rows[[*family, "triple_luxurious_seven_pairs"][quads]] = (2, 8, 16, 32)[quads]
        if quads == 0 and (pure or mixed):
            del rows["seven_pairs"]
            rows["pure_seven_pairs" if pure else "mixed_seven_pairs"] = 5 if pure else 4
    if shape == "orphans":
        rows["thirteen_orphans"] = 10
    if options["self_draw_x2"] and request["source"] == "self_draw":
        rows["self_draw"] = 2
    return rows


def may_win(request: Request, options: Request, rows: Rows) -> bool:
    if request["source"] == "self_draw" or options["ping_hu_free"]:
        return True
    bonus = set(rows)
    if not options["dealer_is_bonus"]:
        bonus -= {"dealer_win"}
    if options["ping_hu_may_not_rob"]:
        bonus -= {"robbing_a_kong"}
    return bool(bonus)


def worth(options: Request, rows: Rows) -> int:
    product = prod(rows.values()) if options["combine"] == "product" else max(1, sum(rows.values()))
    return min(product, options["cap"]) if options["cap"] else product


def slow_score(request: Request, options: Request, waits: int) -> tuple[int | None, list[int], list[Rows]]:
    """The value (None for no win), payments, and the rows of each of the best readings."""
    base, unit = request["base"], (request["stakes"] or {"unit": 1})["unit"]
    seats = range(options["players"])
    paid = [0, 0, 0, 0]

    def pay(payer: int, receiver: int, amount: int) -> None:
        if payer != receiver:
            amount = min(amount, (request["balances"] or [10**9] * 4)[payer] + paid[payer])
            paid[payer] -= amount
            paid[receiver] += amount

    for kong in request["kongs_declared"]:
        each = (1 if kong["kind"] == "a" else 2) * (1 if options["kong_ignores_base"] else base * unit)
        for payer in [kong["from"]] if kong["kind"] == "k" else seats:
            pay(payer, kong["seat"], each)
    melds = [
        ("run" if m[0] == "c" else "pung" if m[0] == "p" else "kong", min(kinds(m))) for m in request["melds"]
    ]
    won = kinds(request["winning_tile"])[0]
    best: dict[int, list[Rows]] = {}
    for shape, groups in shapes_of(kinds(request["hand"]), len(melds)):
        for form, first in set(groups):
            if won in (range(first, first + 3) if form == "run" else [first]):
                rows = rows_of(request, options, shape, [*groups, *melds], waits, form == "pair")
                if may_win(request, options, rows):
                    best.setdefault(worth(options, rows) * base, []).append(rows)
    if not best:
        return None, paid, []
    value = max(best)
    winner, loser = request["winner"], request["from"]
    for seat in seats:
        if seat != winner and (loser in (None, seat) or options["discard"] != "discarder_pays"):
            double = options["dealer_loss_x2"] and seat == request["dealer"]
            payer = loser if loser is not None and options["discard"] == "pays_for_all" else seat
            pay(payer, winner, min(value * unit * (2 if double else 1), request["cap"] or 10**9))
    return value, paid, best[value]


def random_tiles(rng: random.Random) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """Concealed tiles and melds of a hand, which may have too many copies of a kind."""
    suits = rng.choice([[0], [0], [1], [0, 1], [0, 1, 2], [0, 1, 2], [3], [0, 3], [2, 3], [0, 1, 2, 3]])
    allowed = [k for k in range(34) if k // 9 in suits]
    form = rng.choice(["sets"] * 6 + ["pairs", "pairs", "quads", "quads", "orphans", "dragon", "flower"])
    if form == "orphans":
        return [*ORPHANS, rng.choice(ORPHANS)], []
    if form in ("pairs", "quads"):
        chosen = [rng.choice(allowed) for _ in range(7)]
        if form == "pairs" and len(allowed) >= 7:
            chosen = rng.sample(allowed, 7)
        return [k for k in chosen for _ in range(2)], []
    concealed, melds = [rng.choice(allowed)] * 2, []
    order = rng.sample([0, 1, 2], 3)
    for n in range(4):
        low = rng.choice(allowed)
        is_run = low < 27 and low % 9 < 7 and rng.random() < 0.6
        if n < 3 and form in ("dragon", "flower"):
            is_run, low = True, 3 * n + 9 * (order[0] if form == "dragon" else order[n])
        tiles = [low, low + 1, low + 2] if is_run else [low] * 3
        if rng.random() < 0.55:
            concealed += tiles
        else:
            kind = "c" if is_run else rng.choice("ppkaK")
            melds.append((kind, tiles if kind in "cp" else [low] * 4))
    return concealed, melds


def random_request(rng: random.Random) -> Request:
    """A win, or a hand that lacks little to one."""
    while True:
        hand, melds = random_tiles(rng)
        if rng.random() < 0.12:
            hand[rng.randrange(len(hand))] = rng.randrange(34)
        if max(Counter([*hand, *(k for _, tiles in melds for k in tiles)]).values()) <= 4:
            break
    options = {key: rng.choice(values) for key, values in SETTINGS.items() if rng.random() < 0.25}
    seats = range(options.get("players", 4))
    winner, loser, third = rng.sample(seats, 3)
    source = rng.choice(["self_draw", "discard", "discard", "robbed_kong"])
    drawn = source == "self_draw"
    after_kong = drawn and any(kind in "kaK" for kind, _ in melds) and rng.random() < 0.5
    kongs = [
        {"kind": kind, "seat": seat, "from": third if kind == "k" else None}
        for kind, seat in (
            (rng.choice("kaK"), rng.choice([winner, loser])) for _ in range(rng.choice([0, 0, 1, 3]))
        )
    ]
    return {
        "rules": "hebei",
        "options": options,
        "hand": "".join(map(code, hand)),
        "melds": [kind + "".join(map(code, tiles)) for kind, tiles in melds],
        "winning_tile": code(rng.choice(hand)),
        "winner": winner,
        "dealer": rng.choice(seats),
        "source": source,
        "from": None if drawn else loser,
        "situation": ["replacement"] if after_kong else [],
        "kongs_declared": kongs,
        "base": (base := rng.choice([1, 1, 3])),
        "stakes": {"unit": 7} if base > 1 else None,
        "cap": rng.choice([None, None, None, 5]),
        "balances": rng.choice([None, None, [rng.randrange(30) for _ in range(4)]]),
    }


def compare(number: int, seed: int = 1) -> Counter[str]:
    """How often each row was found in so many hands that both scorers value, pay and explain alike."""
    found: Counter[str] = Counter()
    rng = random.Random(seed)
    for index in range(number):
        request = random_request(rng)
        options = {key: values[0] for key, values in SETTINGS.items()} | request["options"]
        waits = waited_for(request, options)
        value, payments, readings = slow_score(request, options, len(waits))
        result = score(decode_request(request), house_rules=False)
        where = f"hand {index} of seed {seed}: {request}"
        assert [tile.index for tile in result.waits] == waits, where
        assert result.legal == (value is not None), where
        assert (result.value, list(result.payments)) == (value or 0, payments), where
        if value is None:
            found["no_win"] += 1
            continue
        rows = {line.id: line.value for line in result.lines}
        assert rows in readings, where
        found.update(rows.keys())
    return found
