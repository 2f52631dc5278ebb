"""Random requests of Hangzhou: finished hands and some that nearly are, with everything around them."""

import random
from typing import Any

from companion.tiles import KINDS, parse_meld
from tests.rules.slow_hangzhou import DEFAULTS, KIND_COUNT, SEATS, WHITE, Request

OTHERS: dict[str, Any] = {
    **{key: True for key, value in DEFAULTS.items() if value is False},
    "gambit_cap": 4, "dealer_discard_loss": 1, "dealer_loss": "lao", "liability_x": 1, "max_chows": 2,
}  # fmt: skip


def random_request(rng: random.Random) -> Request | None:
    """A finished hand or one that nearly is, with everything around it; None where tiles do not suffice."""
    options = {key: value for key, value in OTHERS.items() if rng.random() < 0.12}
    if rng.random() < 0.3:
        options["rob"] = rng.choice(["never", "follow_discard_rule"])
    if rng.random() < 0.25:
        options["fortune"] = "white_dragon"
    fortune = WHITE if "fortune" in options else rng.randrange(KIND_COUNT)
    copies = 4 if "fortune" in options else 3
    wild = rng.choice([0, 0, 1, 1, 1, 2, 2, 3, copies])
    as_pairs = rng.random() < 0.35
    melds = [] if as_pairs else [random_meld(rng) for _ in range(rng.choice([0, 0, 0, 1, 2, 3, 4]))]
    hand = random_hand(rng, 4 - len(melds), as_pairs)
    last = rng.choice(hand)
    hand.remove(last)
    if rng.random() < 0.4 and wild:  # a lone Fortune waits for any tile
        other = rng.randrange(KIND_COUNT)
        hand, last = ([*hand, last] if hand.count(last) != 1 else hand), other
        if len(hand) == 14 - 3 * len(melds):
            hand.remove(rng.choice(hand))
    for _ in range(min(wild, len(hand))):
        hand[rng.randrange(len(hand))] = fortune
    if rng.random() < 0.2:
        hand[rng.randrange(len(hand))] = rng.randrange(KIND_COUNT)
    if rng.random() < 0.05:
        last = fortune
    hand.append(last)
    if len(hand) != 14 - 3 * len(melds):
        return None
    held = hand + [tile.index for text in melds for tile in parse_meld(text).tiles]
    if any(held.count(kind) > 4 for kind in held) or (held.count(fortune) > copies and rng.random() < 0.9):
        return None
    request: Request = {
        "rules": "hangzhou", "options": options, "melds": melds,
        "hand": "".join(KINDS[kind].code for kind in hand), "winning_tile": KINDS[last].code,
        "winner": rng.randrange(4), "dealer": rng.choice([0, 0, 1, 3]), "streak": rng.choice([1, 2, 3, 3, 7]),
        "base": rng.choice([1, 1, 5]), "fortune": None if "fortune" in options else KINDS[fortune].code,
    }  # fmt: skip
    return request | random_surroundings(rng, request, copies - held.count(fortune))


def random_surroundings(rng: random.Random, request: Request, fortunes_left: int) -> Request:
    others = [seat for seat in SEATS if seat != request["winner"]]
    source = rng.choice(["self_draw"] * 5 + ["discard"] * 2 + ["robbed_kong"])
    around: Request = {"source": source, "from": None if source == "self_draw" else rng.choice(others)}
    kinds = [meld[0] for meld in request["melds"]]
    if source == "self_draw" or rng.random() < 0.02:
        most = 4 if rng.random() < 0.05 else max(fortunes_left, 0)
        around["gambits"] = rng.choice([0, 0, rng.randint(0, most)])
        kongs = len(kinds) - kinds.count("c") - kinds.count("p")
        around["consecutive_kongs"] = rng.choice([0, 0, kongs, rng.randint(0, kongs)])
        around["situation"] = ["replacement"] if rng.random() < (0.2 if kongs else 0.02) else []
    melders = [*SEATS] if len(kinds) - kinds.count("K") >= 3 or rng.random() < 0.03 else others
    around["three_melds"] = [
        [melder, rng.choice([seat for seat in SEATS if seat != melder])]
        for melder in rng.sample(melders, rng.choice([0, 0, 1, 2]))
    ]
    if rng.random() < 0.2:
        around["cap"] = rng.choice([0, 3, 8, 64])
    if rng.random() < 0.2:
        around["balances"] = [rng.choice([0, 1, 5, 20, 100]) for _ in SEATS]
    return around


def random_meld(rng: random.Random) -> str:
    kind = rng.randrange(KIND_COUNT)
    if rng.random() < 0.4 and kind < 27 and kind % 9 < 7:
        return "c" + "".join(KINDS[kind + step].code for step in range(3))
    letter = rng.choice("pkaK")
    return letter + KINDS[kind].code * (3 if letter == "p" else 4)


def random_hand(rng: random.Random, sets: int, as_pairs: bool) -> list[int]:
    near = rng.choice(
        [KIND_COUNT, KIND_COUNT, 9, 14]
    )  # some hands of few kinds, which can be read in many ways
    start = rng.randrange(KIND_COUNT - near + 1)
    kinds = range(start, start + near)
    if as_pairs:
        return [kind for kind in rng.choices(kinds, k=7) for _ in range(2)]
    hand = [rng.choice(kinds)] * 2
    while len(hand) < 3 * sets + 2:
        kind = rng.choice(kinds)
        if kind < 27 and kind % 9 < 7 and kind + 2 in kinds and rng.random() < 0.65:
            hand += [kind, kind + 1, kind + 2]
        else:
            hand += [kind] * 3
    return hand
