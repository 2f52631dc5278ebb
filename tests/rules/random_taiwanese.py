"""Random requests of Taiwanese: finished hands and some that nearly are, with everything around them."""

import random
from collections import Counter
from typing import Any

from companion.tiles import KINDS, format_tiles, parse_meld, parse_tiles
from tests.rules.slow_taiwanese import PLAIN, Tiles
from tests.rules.slow_taiwanese_common import USUAL

OTHER: dict[str, list[Any]] = {
    "discard": ["all_pay"], "streak_cap": [1, 2], "flowers": [False], "replacement_win": [1],
    "all_honors": [16], "flower_set": [0, 2], "dealt_ready": [8], "eight_pairs": [8],
    "dealt_ready_concealed": ["not_dealers_discard", "counted"], "blessing_of_man": [16],
    "four_winds_add": ["little", "both"],
}  # fmt: skip


def a_request(random: random.Random, *, common: bool = False) -> dict[str, Any]:
    """A hand that wins, or all but one tile of it, in circumstances that can be. common: by the common table
    of Taiwan, mostly as it is usual there."""
    keys = dict.fromkeys([*PLAIN, *USUAL]) if common else PLAIN
    options = {key: random.choice(OTHER.get(key, [True])) for key in keys if random.random() < 0.12}
    if common:
        usual = {"winds_seat_round_only": True, "own_flowers_only": True} if random.random() < 0.8 else {}
        options |= {"preset": "common", **usual}
    flowers = sorted(random.sample(range(34, 42), random.choice([0, 0, 1, 2, 3, 7])))
    source = random.choice(["self_draw", "self_draw", "discard", "discard", "robbed_kong"])
    winner = random.randrange(4)
    asked: dict[str, Any] = {
        "rules": "taiwanese", "options": options, "winner": winner,
        "dealer": random.choice([winner, 0, 1, 2]), "source": source,
        "round_wind": random.choice(["east", "south", "west", "north"]),
        "from": None if source == "self_draw" else (winner + random.randint(1, 3)) % 4,
        "flowers": "" if "flowers" in options else format_tiles(KINDS[kind] for kind in flowers),
        "streak": random.choice([0, 0, 1, 2, 3]), "base": random.choice([1, 1, 2]), "situation": [],
        "discards": random.choice([None, None, 0, 3, 5, 6, 9, 10, 11, 40]),
        **a_hand(random),
    }  # fmt: skip
    asked["stakes"] = {"base": 30, "unit": 10} if asked["base"] > 1 else None
    asked["situation"] = a_situation(random, asked)
    if random.random() < 0.1:
        tiles = parse_tiles(asked["hand"])
        owned = [*tiles, *(tile for meld in asked["melds"] for tile in parse_meld(meld).tiles)]
        tiles = (*tiles[1:], random.choice([tile for tile in KINDS[:34] if owned.count(tile) < 4]))
        asked["hand"] = format_tiles(tiles)
        asked["winning_tile"] = asked["winning_tile"] and tiles[-1].code
    if {"all_flowers", "seven_flowers_robbing"} & set(asked["situation"]):
        asked["flowers"] = ""
        asked["winning_tile"] = None
    return asked


def a_hand(random: random.Random) -> dict[str, Any]:
    while True:
        suits = random.choice([[0], [1], [2], [0, 3], [3], [0, 1], [1, 2, 3], [0, 1, 2], [0, 1, 2, 3]])
        kinds = [9 * suit + rank for suit in suits for rank in range(7 if suit == 3 else 9)]
        if random.random() < 0.4:
            kinds = random.sample(kinds, min(len(kinds), 7)) if suits != [3] else kinds
        sevens, claims = random.random() < 0.12, random.choice([0, 0.1, 0.4, 1])
        triplets = random.choice([0.2, 0.5, 0.9])
        hand: list[int] = []
        melds: list[tuple[str, Tiles]] = []
        for _ in range(1 if sevens else 5):
            low = random.choice(kinds)
            sequence = not sevens and low < 27 and low % 9 < 7 and random.random() > triplets
            tiles = (low, low + 1, low + 2) if sequence else (low,) * 3
            if random.random() >= (claims if not sevens else 0.2):
                hand += tiles
            elif sequence:
                melds.append(("c", tiles))
            else:
                name = random.choice("ppkaK")
                melds.append((name, tiles if name == "p" else (low,) * 4))
        for _ in range(7 if sevens else 1):
            hand += [random.choice(kinds)] * 2
        if max(Counter([*hand, *(kind for _, tiles in melds for kind in tiles)]).values()) <= 4:
            return {
                "hand": format_tiles(KINDS[kind] for kind in hand),
                "melds": [name + format_tiles(KINDS[kind] for kind in tiles) for name, tiles in melds],
                "winning_tile": KINDS[random.choice(hand)].code,
            }


def a_situation(random: random.Random, asked: dict[str, Any]) -> list[str]:
    flowers = asked["options"].get("flowers", True)
    if random.random() < 0.6:
        return []
    deals = asked["winner"] == asked["dealer"]
    if not asked["melds"] and asked["source"] == "self_draw" and deals and random.random() < 0.5:
        asked["winning_tile"] = None
        return ["heavenly"]
    if not asked["melds"] and asked["source"] == "discard" and not deals and random.random() < 0.5:
        asked["from"] = asked["dealer"]
        return ["earthly"]
    if flowers and asked["source"] != "discard" and random.random() < 0.1:
        return ["all_flowers" if asked["source"] == "self_draw" else "seven_flowers_robbing"]
    if not asked["melds"] and asked["source"] != "robbed_kong" and not deals and random.random() < 0.5:
        return ["first_round"]
    chosen = [id for id in ("last_tile", "ready") if random.random() < 0.4]
    if all(meld[0] == "K" for meld in asked["melds"]) and random.random() < 0.5:
        chosen.append("immediate_ready")
    kongs = any(meld[0] in "kaK" for meld in asked["melds"])
    if asked["source"] == "self_draw" and (asked["flowers"] or kongs) and random.random() < 0.5:
        chosen.append("replacement")
    return chosen


def keep_discards_possible(asked: dict[str, Any]) -> None:
    """Each claim took a discard, and so does a win on one; an earthly win takes the first."""
    if asked["discards"] is not None:
        claims = sum(meld[0] != "K" for meld in asked["melds"]) + (asked["source"] == "discard")
        asked["discards"] = 1 if "earthly" in asked["situation"] else max(asked["discards"], claims)
