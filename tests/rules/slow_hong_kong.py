"""A slow scorer of Hong Kong, written from the rulings, and random hands to compare the program's on."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.rules import decode_request, score
from tests.rules import slow

Request = dict[str, Any]
Group = tuple[int, ...]
Sets = list[tuple[Group, bool]]
"""The sets of a hand's reading as their kinds, and whether each is concealed."""

DRAWN = {"source": "self_draw", "from": None}
SUITS = "mpsz"
WINDS, DRAGONS = range(27, 31), range(31, 34)
WHITE, GREEN, RED = DRAGONS
ENDS = [0, 8, 9, 17, 18, 26]
DEFAULTS: dict[str, Any] = {
    "payout": "linear", "min_fan": 1, "bonus_not_in_minimum": False, "seven_pairs": 4, "flowers": True,
    "flower_set_add": False, "small_dragons_add": False, "chow_no_honor_pair": False, "concealed_hand": 0,
    "treasure_self_draw": False, "terminals_any_pair": False, "nine_gates_pure_wait": False,
    "dragon_pair_any": False, "specials_stack": False, "discarder_pays_all": False, "rob_pays_all": False,
    "east_double": False, "fan_limit": 0, "eight_flowers": 4, "small_dragons": 4, "three_scholars": 64,
    "one_suit": 6, "discard_payment": "all_pay", "small_winds": 64, "hidden_treasure": 64,
}  # fmt: skip
OTHERS: dict[str, list[Any]] = {
    "payout": ["exponential", "table", "half_doubling"], "min_fan": [0, 2, 3, 4, 5], "seven_pairs": [16],
    "concealed_hand": [1], "fan_limit": [8, 10, 13], "eight_flowers": [8], "small_dragons": [5, 6],
    "three_scholars": [8], "one_suit": [7], "discard_payment": ["discarder_pays"],
    "small_winds": [6, 10], "hidden_treasure": [8],
}  # fmt: skip
RARE = ("small_dragons", "three_scholars", "small_winds", "hidden_treasure")
"""Options of hands that are rare: they differ more often."""
HALF = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]
TABLE = {0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 16, 6: 16, 7: 32, 8: 32, 9: 32}


def kinds_of(text: str) -> list[int]:
    found: list[int] = []
    ranks: list[int] = []
    for sign in text:
        if sign.isdigit():
            ranks.append(int(sign))
        else:
            found += [9 * SUITS.index(sign) + rank - 1 for rank in ranks]
            ranks = []
    return found


def code(kind: int) -> str:
    return f"{kind % 9 + 1}{SUITS[kind // 9]}"


def codes(kinds: list[int]) -> str:
    return "".join(map(code, kinds))


class Slow:
    """The rulings' section 4, row by row, on one request."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.options = DEFAULTS | request.get("options", {})
        self.hand = kinds_of(request["hand"])
        self.melds = [(text[0], tuple(kinds_of(text[1:]))) for text in request.get("melds", [])]
        self.tiles = [*self.hand, *(kind for _, kinds in self.melds for kind in kinds)]
        self.drawn = request["source"] == "self_draw"
        self.seat = (request["winner"] - request["dealer"]) % 4
        self.situation = request.get("situation", [])
        self.win = None if request["winning_tile"] is None else kinds_of(request["winning_tile"])[0]

    def result(self) -> tuple[bool, int, list[int]]:
        values = [value for value in self.values() if value is not None]
        if not values:
            return False, 0, [0, 0, 0, 0]
        return True, max(values), self.payments(max(values))

    def values(self) -> Iterator[int | None]:
        """What each reading is worth; None where it has too few fan."""
        counts = [self.hand.count(kind) for kind in range(34)]
        if not self.melds and all(count % 2 == 0 for count in counts):
            yield self.value(self.options["seven_pairs"], self.special_pairs())
        if not self.melds and set(self.hand) == set(slow.ORPHANS):
            yield self.value(0, 1 + self.special_situations())
        for groups in slow.splits(counts, 4 - len(self.melds)):
            for won in range(5 - len(self.melds)):
                if self.win is None or self.win in groups[won]:
                    yield self.standard(groups, won)

    def value(self, fan: int, specials: int) -> int | None:
        limit = self.options["fan_limit"]
        if specials and limit:
            return self.units(limit)
        if specials:
            return 64 * (specials if self.options["specials_stack"] else 1)
        fan += self.fan_of_tiles() + self.fan_of_the_win()
        flowers = self.fan_of_flowers()
        counted = fan if self.options["bonus_not_in_minimum"] else fan + flowers
        if counted < self.options["min_fan"]:
            return None
        fan += flowers
        if limit:
            return self.units(min(fan, limit))
        return fan if self.options["payout"] == "linear" else min(self.units(fan), 64)

    def units(self, fan: int) -> int:
        payout = self.options["payout"]
        if payout == "half_doubling":
            return HALF[fan] if fan < len(HALF) else 1000
        return fan if payout == "linear" else 2**fan if payout == "exponential" else TABLE.get(fan, 64)

    def fan_of_tiles(self) -> int:
        suits = {kind // 9 for kind in self.tiles}
        if len(suits - {3}) != 1:
            return 0
        return 3 if 3 in suits else self.options["one_suit"]

    def fan_of_the_win(self) -> int:
        fan = int(self.drawn) + int(self.request["source"] == "robbed_kong")
        if "last_tile" in self.situation and self.request["source"] != "robbed_kong":
            fan += 1
        if "replacement" in self.situation:
            fan += 1
        closed = all(kind == "K" for kind, _ in self.melds)
        return fan + (self.options["concealed_hand"] if closed else 0)

    def fan_of_flowers(self) -> int:
        flowers = self.request["flowers"]
        if not self.options["flowers"]:
            return 0
        if not flowers:
            return 1
        if len(flowers) == 16 and self.options["eight_flowers"] == 8:
            return 10 if self.options["flower_set_add"] else 8
        fan = 0
        for four in ("1234", "5678"):
            complete = all(rank + "f" in flowers for rank in four)
            own = four[self.seat] + "f" in flowers
            fan += 2 if complete else int(own)
            if complete and self.options["flower_set_add"]:
                fan += 1
        return fan

    def special_situations(self) -> int:
        return len({"heavenly", "earthly"} & set(self.situation))

    def special_tiles(self) -> int:
        """All Honours, and All Terminals of fourteen terminals."""
        return int(min(self.tiles) >= 27) + int(set(self.tiles) <= set(ENDS))

    def special_pairs(self) -> int:
        return self.special_situations() + self.special_tiles()

    def standard(self, groups: tuple[Group, ...], won: int) -> int | None:
        pair = groups[0][0]
        discarded = None if self.drawn else won
        sets: Sets = [(group, index != discarded) for index, group in enumerate(groups)][1:]
        sets += [(kinds, kind == "K") for kind, kinds in self.melds]
        pungs = [group[0] for group, _ in sets if group[0] == group[1]]
        return self.value(self.fan_of_sets(pair, pungs, sets), self.specials(pair, pungs, sets))

    def fan_of_sets(self, pair: int, pungs: list[int], sets: Sets) -> int:
        dragons = [kind for kind in pungs if kind in DRAGONS]
        winds = ["east", "south", "west", "north"]
        fan = len(dragons)
        if len(dragons) == 2 and pair in DRAGONS:
            fan = self.options["small_dragons"] + (2 if self.options["small_dragons_add"] else 0)
        if len(dragons) == 3:
            fan = 8
        if sum(kind in WINDS for kind in pungs) == 3 and pair in WINDS:
            fan += self.options["small_winds"]
        else:
            fan += sum(kind == 27 + self.seat for kind in pungs)
            fan += sum(kind == 27 + winds.index(self.request["round_wind"]) for kind in pungs)
        if not pungs and not (pair >= 27 and self.options["chow_no_honor_pair"]):
            fan += 1
        if self.treasure(sets):
            return fan + self.options["hidden_treasure"]
        return fan + (3 if len(pungs) == 4 else 0)

    def specials(self, pair: int, pungs: list[int], sets: Sets) -> int:
        winds = sum(kind in WINDS for kind in pungs)
        found = [
            winds == 4 or (winds == 3 and pair in WINDS and self.options["small_winds"] == 64),
            set(DRAGONS) <= set(pungs) and self.options["three_scholars"] == 64,
            self.treasure(sets) and self.options["hidden_treasure"] == 64,
            len(self.melds) == 4 and all(len(kinds) == 4 for _, kinds in self.melds),
            self.nine_gates(),
            *(
                self.dragon_of_suit(pair, pungs, suit, dragon)
                for suit, dragon in enumerate((RED, WHITE, GREEN))
            ),
        ]
        tiles = self.special_tiles()
        if self.options["terminals_any_pair"] and len(pungs) == 4 and set(pungs) <= set(ENDS):
            tiles = 1
        return sum(found) + tiles + self.special_situations()

    def treasure(self, sets: Sets) -> bool:
        concealed = all(group[0] == group[1] and hidden for group, hidden in sets)
        return concealed and (self.drawn or not self.options["treasure_self_draw"])

    def nine_gates(self) -> bool:
        if self.melds or min(self.hand) // 9 != max(self.hand) // 9 or self.hand[0] >= 27:
            return False
        ranks = [kind % 9 for kind in self.hand]
        for extra in range(9):
            if sorted(ranks) == sorted([0, 0, 0, *range(1, 8), 8, 8, 8, extra]):
                pure = self.win is not None and self.win % 9 == extra
                return pure or not self.options["nine_gates_pure_wait"]
        return False

    def dragon_of_suit(self, pair: int, pungs: list[int], suit: int, dragon: int) -> bool:
        rest = [kind for kind in pungs if kind != dragon]
        of_suit = len(pungs) == 4 and len(rest) == 3 and all(kind // 9 == suit for kind in rest)
        return of_suit and (self.options["dragon_pair_any"] or pair // 9 == suit)

    def payments(self, value: int) -> list[int]:
        winner, dealer, loser = self.request["winner"], self.request["dealer"], self.request.get("from")
        losers = [seat for seat in range(4) if seat != winner]
        owed = dict.fromkeys(losers, value * self.request["base"])
        for seat in losers:
            if self.drawn or seat == loser:
                owed[seat] *= 2
            if self.options["east_double"] and dealer in (seat, winner):
                owed[seat] *= 2
        robbed = self.request["source"] == "robbed_kong"
        if not self.drawn and (
            self.options["discarder_pays_all"] or (robbed and self.options["rob_pays_all"])
        ):
            owed = {loser: sum(owed.values())}
        elif not self.drawn and self.options["discard_payment"] == "discarder_pays":
            owed = {loser: owed[loser]}
        total = sum(owed.values())
        return [total if seat == winner else -owed.get(seat, 0) for seat in range(4)]


def random_request(dice: random.Random) -> Request:
    """A complete request, most of them wins; whatever the rules would refuse is not made."""
    options = {
        key: dice.choice(OTHERS.get(key, [not default]))
        for key, default in DEFAULTS.items()
        if dice.random() < (0.5 if key in RARE else 0.15)
    }
    hand, melds = dice.choice((standard_hand,) * 16 + (paired_hand, paired_hand, orphans, gates))(dice)
    if dice.random() < 0.1:
        spoil(dice, hand, melds)
    winner, dealer = dice.randrange(4), dice.randrange(4)
    source = dice.choice(("self_draw", "self_draw", "discard", "discard", "robbed_kong"))
    flowers = dice.sample(range(1, 9), dice.choice((0, 0, 1, 2, 4, 6, 8)))
    if not options.get("flowers", True):
        flowers = []
    request = {
        "rules": "hong_kong", "options": options, "hand": codes(hand), "melds": melds,
        "winning_tile": code(dice.choice(hand)), "flowers": "".join(f"{rank}f" for rank in flowers),
        "winner": winner, "dealer": dealer, "source": source, "situation": [], "base": dice.randint(1, 3),
        "round_wind": dice.choice(("east", "south", "west", "north")),
    }  # fmt: skip
    if source != "self_draw":
        request["from"] = dice.choice([seat for seat in range(4) if seat != winner])
    return request | random_situation(dice, request)


def random_situation(dice: random.Random, request: Request) -> Request:
    drawn, melds = request["source"] == "self_draw", request["melds"]
    possible: list[Request] = [{}] * 4 + [{"situation": ["last_tile"]}]
    if drawn and (request["flowers"] or any(meld[0] in "kaK" for meld in melds)):
        possible.append({"situation": ["replacement"]})
    if drawn and not melds and request["winner"] == request["dealer"]:
        possible.append({"situation": ["heavenly"], "winning_tile": None})
    if request["source"] == "discard" and not melds and request["from"] == request["dealer"]:
        possible.append({"situation": ["earthly"]})
    return dice.choice(possible)


KINDS_OF_HAND = (
    range(34), range(34), range(27), [*range(9), *range(27, 34)], [*range(9, 18), *DRAGONS],
    [*range(18, 27), *DRAGONS], range(9), [*ENDS, *range(27, 34)], ENDS, range(27, 34), [*WINDS, 4, 5, 6],
    [*DRAGONS, *range(9)], [*DRAGONS, 28, 4], [*range(9), RED], [*range(9, 18), WHITE],
    [*range(18, 27), GREEN],
)  # fmt: skip


def standard_hand(dice: random.Random) -> tuple[list[int], list[str]]:
    """Four sets and a pair of a few kinds, some of the sets as melds."""
    while True:
        kinds, chows = list(dice.choice(KINDS_OF_HAND)), dice.choice((0, 0, 0.3, 0.7, 1))
        groups = [dice.choice([(kind,) * 2 for kind in kinds if dice.random() < 0.9] or [(0, 0)])]
        sequences = [
            (k, k + 1, k + 2) for k in kinds if {k, k + 1, k + 2} <= set(kinds) and k < 25 and k % 9 < 7
        ]
        for _ in range(4):
            triplet = dice.choice(kinds)
            chow = sequences and dice.random() < chows
            groups.append(dice.choice(sequences) if chow else (triplet,) * 3)
        total = Counter(kind for group in groups for kind in group)
        if max(total.values()) <= 4:
            return melded(dice, groups, total)


def melded(dice: random.Random, groups: list[Group], total: Counter[int]) -> tuple[list[int], list[str]]:
    hand, melds, often = list(groups[0]), [], dice.choice((0, 0.3, 0.6, 1))
    kongs = dice.choice((0.2, 0.2, 1))
    for group in groups[1:]:
        if dice.random() >= often:
            hand += group
        elif group[0] != group[1]:
            melds.append("c" + codes(list(group)))
        elif total[group[0]] == 3 and dice.random() < kongs:
            melds.append(dice.choice("kaKK") + codes([group[0]] * 4))
        else:
            melds.append("p" + codes(list(group)))
    return hand, melds


def paired_hand(dice: random.Random) -> tuple[list[int], list[str]]:
    kinds = list(dice.choice(KINDS_OF_HAND)) * 2
    first = dice.randrange(len(kinds) - 6)
    chosen = kinds[first : first + 7] if dice.random() < 0.3 else dice.sample(kinds, 7)
    return sorted(chosen * 2), []


def orphans(dice: random.Random) -> tuple[list[int], list[str]]:
    return [*slow.ORPHANS, dice.choice(slow.ORPHANS)], []


def gates(dice: random.Random) -> tuple[list[int], list[str]]:
    suit = 9 * dice.randrange(3)
    return [suit + rank for rank in (0, 0, 0, *range(1, 8), 8, 8, 8, dice.randrange(9))], []


def spoil(dice: random.Random, hand: list[int], melds: list[str]) -> None:
    """Another tile in the place of one."""
    place, tile = dice.randrange(len(hand)), dice.randrange(34)
    held = [*hand, *(kind for meld in melds for kind in kinds_of(meld[1:]))]
    if held.count(tile) < 4:
        hand[place] = tile


def differing(number: int, seed: int) -> list[tuple[Request, object, object]]:
    """Of so many random requests those that the slow scorer values or settles otherwise."""
    dice = random.Random(seed)
    found: list[tuple[Request, object, object]] = []
    for _ in range(number):
        request = random_request(dice)
        reported = score(decode_request(request), house_rules=False)
        fast = reported.legal, reported.value, list(reported.payments)
        limited = request["options"].get("fan_limit") or not request["options"].get("specials_stack")
        lines = sum(line.value for line in reported.lines)
        assert reported.value == lines or (reported.value < lines and limited)
        if fast != (expected := Slow(request).result()):
            found.append((request, fast, expected))
    return found
