"""Hangzhou against a slow scorer written from the rulings alone, and what the cases in golden/ cannot say.

The slow scorer knows tiles as numbers 0 to 33, tries out what every Fortune may be, and takes Explosive Pair
by its word: any tile would have won.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score, score_json, scoring, waits
from companion.rules.shapes import seven_pairs, standard
from companion.tiles import KINDS, Meld, parse_meld, parse_tiles

Golden = Callable[..., dict[str, Any]]
Request = dict[str, Any]
Counts = tuple[int, ...]
Outcome = tuple[int, list[int]] | str
KIND_COUNT = 34
WHITE = 31
SEATS = range(4)
REFUSED, NO_WIN = "refused", "no win"


# -- the slow scorer


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
OTHERS: dict[str, Any] = {
    **{key: True for key, value in DEFAULTS.items() if value is False},
    "gambit_cap": 4, "dealer_discard_loss": 1, "dealer_loss": "lao", "liability_x": 1, "max_chows": 2,
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


# -- random hands


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


def outcome(request: Request) -> Outcome:
    try:
        result = score(decode_request(request), house_rules=False)
    except RequestError:
        return REFUSED
    return (result.value, list(result.payments)) if result.legal else NO_WIN


def differing_from_slow(number: int, seed: int) -> tuple[list[str], dict[str, int]]:
    """The requests, of so many random ones, where the two scorers differ, and how many ended how."""
    rng = random.Random(seed)
    wrong, ends = [], {"wins": 0, NO_WIN: 0, REFUSED: 0}
    while sum(ends.values()) < number:
        request = random_request(rng)
        if request is None:
            continue
        slow, fast = slow_score(request), outcome(request)
        ends[slow if isinstance(slow, str) else "wins"] += 1
        if slow != fast:
            wrong.append(f"seed {seed}: {request} is {fast}, slowly {slow}")
    return wrong, ends


def test_random_hands_agree_with_the_slow_scorer(hands: int) -> None:
    wrong, ends = differing_from_slow(hands, seed=1)
    assert wrong == []
    assert ends["wins"] >= 0.4 * hands
    assert min(ends.values()) >= 0.02 * hands


def test_the_slow_scorer_agrees_with_trying_every_use_of_the_fortunes() -> None:
    rng = random.Random(2)
    found = {True: 0, False: 0}
    for number in range(120):
        hand = random_hand(rng, 4, as_pairs=False)
        wild = 3 if number < 4 else rng.choice([1, 2])
        rng.shuffle(hand)
        hand = hand[wild:]
        if rng.random() < 0.5:
            hand[0] = rng.randrange(KIND_COUNT)
        uses = combinations_with_replacement(range(KIND_COUNT), wild)
        tried = any(sets_and_pair(counted([*hand, *chosen]), 0) for chosen in uses)
        assert sets_and_pair(counted(hand), wild) == tried, hand
        found[tried] += 1
    assert min(found.values()) > 20


# -- what the slow scorer does not look at


def test_no_row_asks_how_a_standard_hand_is_grouped() -> None:
    """Every use of the Fortunes and every place of the winning tile are worth the same: the first will do."""
    rules = RULE_SETS["hangzhou"]
    thorough = replace(rules, shapes=(standard("", ""), seven_pairs()))
    rng = random.Random(3)
    seen = 0
    while seen < 300:
        request = random_request(rng)
        if request is None or slow_score(request) in (REFUSED, NO_WIN):
            continue
        win = scoring.win_of(rules, decode_request(request))
        values: dict[str, set[tuple[int, ...]]] = {}
        readings = list(scoring.readings(thorough, win))
        for reading in readings:
            counts = tuple(
                row.count(win, reading) for row in rules.patterns if row.shape in (None, reading.shape)
            )
            values.setdefault(reading.shape, set()).add(counts)
        assert all(len(different) == 1 for different in values.values()), f"seed 3: {request}"
        seen += len(readings) > 1


def test_waits_with_fortunes_agree_with_trying_every_tile() -> None:
    rng = random.Random(4)
    rules = RULE_SETS["hangzhou"]
    for number in range(250):
        white = number % 3 == 0
        fortune, copies = (WHITE, 4) if white else (rng.randrange(KIND_COUNT), 3)
        options: dict[str, bool | int | str] = {"fortune": "white_dragon"} if white else {}
        if number % 5 == 0:
            options["white_stands_for_fortune"] = True
        wild = number % (copies + 1)
        hand = [kind for kind in random_hand(rng, 4, rng.random() < 0.3) if kind != fortune]
        rng.shuffle(hand)
        hand = [*hand, 0, 9, 18, 27, 30][: 13 - wild] + [fortune] * wild
        if any(hand.count(kind) > 4 for kind in hand):
            continue
        stands = not white and "white_stands_for_fortune" in options
        expected = []
        for kind in range(KIND_COUNT):
            finished, fortunes = as_played([*hand, kind], fortune, stands)
            wins = sets_and_pair(finished, fortunes) or pairs_up(finished, fortunes)
            if wins and hand.count(kind) < (copies if kind == fortune else 4):
                expected.append(KINDS[kind])
        told = waits(rules, [KINDS[kind] for kind in hand], (), options, None if white else KINDS[fortune])
        assert list(told) == expected, (hand, fortune, options)


def test_the_first_kong_of_a_chain_may_be_claimed(golden: Golden) -> None:
    assert score(decode_request(golden("HZ-R09", melds=["k1111p", "K4444p"]))).value == 4


def test_a_replacement_is_one_kong_at_least(golden: Golden) -> None:
    drawn = golden("HZ-R08", situation=["replacement"], consecutive_kongs=0)
    assert score(decode_request(drawn)).value == 2
    assert score(decode_request(golden("HZ-R09", situation=["replacement"]))).value == 4


def test_all_three_together_are_two_lines(golden: Golden) -> None:
    result = score(decode_request(golden("HZ-R10", gambits=1)))
    assert [(line.id, line.count, line.value) for line in result.lines] == [
        ("fortune_gambit", 1, 2),
        ("explosive_kong", 1, 4),
    ]
    assert result.value == 8


@pytest.mark.parametrize(
    ("hand", "tile", "value"),
    [
        ("123456m12p678s99s5z", "5z", 2),  # one Fortune in 123p, the other alone
        ("123456m12p678s99s3p", "3p", 2),  # it won with any tile, the one that frees a Fortune included
        ("123456m12p678s999s", "9s", 2),  # the lone Fortune paired with a Fortune
        ("11m33m55p77p88s999s2z", "2z", 4),  # five pairs, two Fortunes as the sixth, one alone
        ("112233445566m9s7z", "7z", 4),  # sets or pairs: the pairs are worth more
    ],
)
def test_more_fortunes_explode_too(hand: str, tile: str, value: int, golden: Golden) -> None:
    result = score(decode_request(golden("HZ-R05", hand=hand, winning_tile=tile)))
    assert (result.value, "explosive_pair" in {line.id for line in result.lines}) == (value, True)


def test_a_tie_is_told_as_sets_and_a_pair(golden: Golden) -> None:
    """Sets that explode, and pairs that do not: 2 each (C-14)."""
    result = score(decode_request(golden("HZ-R05", hand="112233m6678s11z99s", winning_tile="6s")))
    assert result.reading is not None
    assert (result.value, result.reading.shape) == (2, "standard")


def test_a_dealer_at_any_later_lao_counts_as_the_third(golden: Golden) -> None:
    assert score(decode_request(golden("HZ-R04", streak=1000))).payments == (24, -8, -8, -8)


def test_shares_tell_their_factors(golden: Golden) -> None:
    shares = score_json(score(decode_request(golden("HZ-24", base=3))))["shares"]
    assert [(share["payer"], share["owed"], share["pays"]) for share in shares] == [(2, 24, 24)]
    assert [(line["id"], line["value"]) for line in shares[0]["lines"]] == [
        ("shares_of_all", 4),
        ("three_meld_liability", 2),
    ]


def test_the_cap_holds_for_each_share_before_liability_doubles_it(golden: Golden) -> None:
    drawn = golden("HZ-22b", base=10, cap=15)
    result = score(decode_request(drawn))
    assert result.payments == (0, 70, -70, 0)  # 15 of the dealer's 20, and 10 twice: 35, doubled
    assert (result.shares[0].owed, result.shares[0].pays) == (80, 70)
    robbed = golden("HZ-13", base=10, cap=15)
    assert score(decode_request(robbed)).payments == (0, 35, -35, 0)


def test_a_balance_limits_who_pays_for_all(golden: Golden) -> None:
    poor = golden("HZ-22c", balances=[100, 100, 3, 0])
    assert score(decode_request(poor)).payments == (0, 3, -3, 0)


def test_two_who_melded_from_each_other_pay_once(golden: Golden) -> None:
    mutual = golden("HZ-22a", three_melds=[[1, 2], [2, 1]])
    assert score(decode_request(mutual)).payments == (0, 8, -8, 0)


def test_white_dragons_need_no_fortune_in_the_request(golden: Golden) -> None:
    white = {"options": {"fortune": "white_dragon"}, "hand": "123456m123p678s5z7z"}
    for fortune in (None, "5z"):
        assert score(decode_request(golden("HZ-R05", fortune=fortune, **white))).value == 2


def test_other_fortunes_are_no_house_rule_beside_a_result(golden: Golden) -> None:
    assert "fortune" not in {rule.option for rule in score(decode_request(golden("HZ-R05"))).house_rules}


@pytest.mark.parametrize("gambits", [0, 1])
def test_a_chow_of_the_fortunes_kind_is_the_white_dragons(gambits: int) -> None:
    hand = "88s7p123m456m5p6p" if gambits else "888s123m456m5p6p"
    request = {
        "rules": "hangzhou", "fortune": "8s", "hand": hand, "melds": ["c678s"], "winning_tile": "5p",
        "winner": 1, "source": "self_draw", "gambits": gambits, "options": {"white_stands_for_fortune": True},
    }  # fmt: skip
    assert score(decode_request(request)).legal
    with pytest.raises(RequestError):
        decode_request(request | {"options": {}})
