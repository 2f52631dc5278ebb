"""Taiwanese, beyond the cases in golden/: held against a slow scorer that is written from the table of rows
alone, with its own way of splitting tiles. `pytest --hands 20000` compares on as many hands.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from companion.rules import decode_request, rule_set, score, score_json, shanten, useful_tiles
from companion.tiles import KINDS, Tile, format_tiles, parse_meld, parse_tiles

Golden = Callable[..., dict[str, Any]]
Tiles = tuple[int, ...]
Rows = dict[str, int]
DRAWN = {"source": "self_draw", "from": None}
PLAIN: dict[str, Any] = {
    "discard": "discarder_pays", "streak_cap": 0, "flowers": True, "wait_stack": False,
    "pure_additive": False, "five_implies_triplets": False, "winds_seat_round_only": False,
    "speed_10_included": False, "straight_discard_closed": False, "flower_win_no_dealer_tai": False,
    "own_flowers_only": False, "seven_pung_open": False, "replacement_win": 0, "all_honors": 0,
    "preset": "standard", "wait_ignores_visible": False,
}  # fmt: skip
OTHER: dict[str, list[Any]] = {
    "discard": ["all_pay"], "streak_cap": [1, 2], "flowers": [False], "replacement_win": [1],
    "all_honors": [16], "preset": ["common"],
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
COMMON: Rows = dict.fromkeys(STANDARD, 0) | {
    "concealed": 1, "fully concealed": 3, "self-draw": 1, "ready": 1, "immediate ready": 8, "robbing": 1,
    "last": 1, "single": 1, "closed": 1, "all revealed": 2, "heaven": 24, "earth": 8, "replacement": 1,
    "flower": 1, "half flush": 4, "full flush": 8, "all honors": 16, "3 concealed": 2, "4 concealed": 5,
    "5 concealed": 8, "triplets": 4, "big sequences": 2, "wind": 1, "little 4 winds": 8, "big 4 winds": 16,
    "dragon": 1, "little dragons": 4, "big dragons": 8, "8 flowers": 8, "7 flowers": 8,
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
    worth = COMMON if options["preset"] == "common" else STANDARD
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
    worth = COMMON if options["preset"] == "common" else STANDARD
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
    if not suits and (options["all_honors"] or options["preset"] == "common"):
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
        dealers = options["preset"] == "common" and asked["winner"] == asked["dealer"]
        total += highest(16 if dealers else worth["immediate ready"], worth["ready"])
    elif "ready" in situation:
        total += worth["ready"]
    total += worth["robbing"] * (asked["source"] == "robbed_kong")
    total += worth["last"] * ("last_tile" in situation and asked["source"] != "robbed_kong")
    counted = options["replacement_win"] == 1 or options["preset"] == "common"
    total += worth["replacement"] * counted * ("replacement" in situation)
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
        result[payer] -= asked["base"] * pays
        result[winner] += asked["base"] * pays
    return result


def a_request(random: random.Random) -> dict[str, Any]:
    """A hand that wins, or all but one tile of it, in circumstances that can be."""
    options = {key: random.choice(OTHER.get(key, [True])) for key in PLAIN if random.random() < 0.12}
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


def compared(number: int, seed: int) -> Counter[str]:
    """Scores random requests both ways; how many won, and how often each row was found."""
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for turn in range(number):
        asked = a_request(dice)
        keep_discards_possible(asked)
        result = score(decode_request(asked), house_rules=False)
        quick = result.legal, result.value, list(result.payments)
        assert quick == slowly(asked), f"seed {seed}, request {turn}: {asked}"
        seen.update(["won"] if result.legal else ["no win"])
        seen.update(line.id for line in result.lines)
    return seen


def test_scores_are_those_of_a_slow_scorer(hands: int) -> None:
    seen = compared(hands, seed=1)
    assert seen["won"] > 0.8 * hands
    assert seen["no win"] > 0.02 * hands


@pytest.mark.parametrize(
    ("hand", "winning_tile", "value", "sets"),
    [
        # the discard 3m read into 123m leaves 333m concealed: 5 and not 2
        ("123m333m222p444s678s55z", "3m", 1 + 1 + 5, ["123m", "333m", "222p", "444s", "678s"]),
        # three equal sequences or three triplets: 5 for the triplets and not 3 for five sequences
        ("222333444m567p678s55z", "8s", 1 + 1 + 5, ["222m", "333m", "444m", "567p", "678s"]),
        # 68s and 7s: the middle of 678s, not a pair; 77s would wait for more
        ("123m456p234p222z68s7s55z", "7s", 1 + 1 + 1 + 2, ["123m", "234p", "456p", "678s", "222z"]),
    ],
)
def test_the_best_reading_is_taken(
    hand: str, winning_tile: str, value: int, sets: list[str], golden: Golden
) -> None:
    asked = golden("TW-R03", hand=hand, winning_tile=winning_tile)
    result = score_json(score(decode_request(asked)))
    assert (result["value"], result["reading"]["sets"]) == (value, sets)


def test_seven_pairs_and_five_sets_in_one_hand_take_the_better(golden: Golden) -> None:
    asked = golden("TW-R03", hand="112233m445566p77s888s", winning_tile="8s")
    sevens = score_json(score(decode_request(asked)))
    assert (sevens["reading"]["shape"], sevens["value"]) == ("seven_pairs_and_a_pung", 1 + 1 + 1 + 30)
    common = score_json(score(decode_request(asked | {"options": {"preset": "common"}})))
    assert common["value"] == 1 + 1


def test_readings_of_one_value_are_told_as_five_sets(golden: Golden) -> None:
    asked = golden("TW-R03", hand="112233m445566p77s888s", winning_tile="1m", options={"preset": "common"})
    assert score_json(score(decode_request(asked)))["reading"]["shape"] == "standard"


def test_a_concealed_kong_neither_opens_the_hand_nor_leaves_its_triplet_uncounted(golden: Golden) -> None:
    asked = golden("TW-R45", hand="222p999m444s777p55z", melds=["K3333s"])
    lines = {line.id: line.value for line in score(decode_request(asked)).lines}
    assert lines == {
        "concealed_hand": 1, "single_wait": 2, "flower_tile": 1, "five_concealed_pungs": 40,
        "all_triplets": 10, "concealed_kong": 2,
    }  # fmt: skip


def test_a_robbed_tile_completes_a_triplet_that_is_not_concealed(golden: Golden) -> None:
    asked = golden("TW-R45", winning_tile="3s", source="robbed_kong")
    lines = {line.id: line.value for line in score(decode_request(asked)).lines}
    assert lines["four_concealed_pungs"] == 10
    assert lines["concealed_hand"] == 1


def test_a_win_by_flowers_is_one_line_whatever_the_hand_holds(golden: Golden) -> None:
    for hand in ("", "111222333444z55z", "222p345s123m567m678s55z"):
        for changes in (
            {"discards": 0},
            {"flowers": "1f2f3f4f5f6f7f8f"},
            {"situation": ["all_flowers", "ready"]},
        ):
            result = score(decode_request(golden("TW-R37", hand=hand, **changes)))
            assert [(line.id, line.value) for line in result.lines] == [("all_flowers", 30)]
            assert result.payments == (-31, 91, -30, -30)


def test_the_dealers_tai_stand_in_the_shares_that_the_dealer_is_part_of(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("TW-R10", streak=2))))
    told = [[(line["id"], line["value"]) for line in share["lines"]] for share in result["shares"]]
    assert told == [[("dealer", 1), ("consecutive_dealer", 2), ("dealer_continuation", 2)], [], []]
    assert [share["pays"] for share in result["shares"]] == [7, 2, 2]
    won = score_json(score(decode_request(golden("TW-R10", streak=2, winner=0))))
    assert won["payments"] == [21, -7, -7, -7]


def test_the_usual_tables_lines_make_up_the_value(golden: Golden) -> None:
    asked = golden("TW-R25", flowers="1f2f", options={"preset": "common"})
    result = score(decode_request(asked))
    assert {line.id: (line.count, line.value) for line in result.lines} == {
        "flower_tile": (2, 2), "pung_of_winds": (2, 2),
    }  # fmt: skip
    assert result.value == 4


@pytest.mark.parametrize("melds", [[], ["p222p", "c345s"]])
def test_what_lies_open_is_found_from_the_melds(melds: list[str], golden: Golden) -> None:
    hand = "123m567m678s55z" if melds else "222p345s123m567m678s55z"
    asked = golden("TW-R20", hand=hand, melds=melds)
    lines = {line.id for line in score(decode_request(asked)).lines}
    assert ("self_draw" in lines, "fully_concealed_hand" in lines) == (bool(melds), not melds)


@pytest.mark.parametrize(
    ("hand", "lacking", "useful"),
    [
        ("11m33m55p77p99s22z4z", 0, "4z"),
        ("11m33m55p77p99s8s2z4z", 1, "8s24z"),
        # the pung's fourth tile finds no partner, so that a whole pair is lacking
        ("11m33m55p77p99s22z6s", 1, None),
    ],
)
def test_seven_pairs_beside_a_pung_are_neared_where_the_house_has_them(
    hand: str, lacking: int, useful: str | None
) -> None:
    rules, tiles, melds = rule_set("taiwanese"), parse_tiles(hand), [parse_meld("p666s")]
    settings = {"seven_pung_open": True}
    assert shanten(rules, tiles, melds, settings) == lacking < shanten(rules, tiles, melds)
    if useful is not None:
        assert useful_tiles(rules, tiles, melds, settings) == parse_tiles(useful)
