"""Distance to a finished hand: against two published programs, and against trying everything out.

`pytest --hands 100000` compares on as many; the slowest comparisons take a share of them.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from mahjong.shanten import Shanten
from xiangting import PlayerCount, calculate_replacement_number

from companion.rules import RULE_SETS, distance, shanten, tables
from companion.rules.distance import (
    UNREACHABLE,
    orphans_lacks,
    pairs_and_triplet_lacks,
    seven_pairs_lacks,
    standard_lacks,
)
from companion.rules.hand import Suits
from companion.rules.many import shantens
from companion.tiles import KINDS, Meld, MeldKind, parse_meld, parse_tiles
from tests.programs import LIMIT_S
from tests.rules import slow

pytestmark = pytest.mark.slow

SHORT = [kind for kind in range(27) if 1 <= kind % 9 <= 7]
ALL = list(range(34))


def suits_of(counts: list[int]) -> Suits:
    return (tuple(counts[:9]), tuple(counts[9:18]), tuple(counts[18:27]), tuple(counts[27:34]))


def hand(text: str) -> Suits:
    counts = [0] * 34
    for tile in parse_tiles(text):
        counts[tile.index] += 1
    return suits_of(counts)


def melds(text: str) -> tuple[Meld, ...]:
    return tuple(map(parse_meld, text.split()))


# --- hands ---


def dealt(rng: random.Random, tiles: int) -> list[int]:
    """Tiles of a shuffled wall; in every third hand the wall has few kinds, so that hands own all copies."""
    kinds = ALL if rng.randrange(3) else rng.sample(ALL[:18], 5) + rng.sample(ALL[18:], 4)
    counts = [0] * 34
    for kind in rng.sample([kind for kind in kinds for _ in range(4)], tiles):
        counts[kind] += 1
    return counts


@dataclass(frozen=True)
class Case:
    """A hand some tiles off a finished one; `drawable` is how many of each kind the player does not own."""

    counts: list[int]
    melds: tuple[Meld, ...]
    wild: int
    drawable: list[int]

    @property
    def suits(self) -> Suits:
        return suits_of(self.counts)

    def __str__(self) -> str:
        return f"{self.suits} {' '.join(map(str, self.melds))} wild {self.wild}"


def near_finished(rng: random.Random, plan: slow.Plan, kinds: list[int], wild: int, melds: int) -> Case:
    """A finished hand of the plan, often of few kinds, with `melds` sets claimed and other tiles changed."""
    start = rng.randrange(len(kinds))
    few = (
        kinds if rng.randrange(4) == 0 else [*kinds[start : start + rng.choice([3, 4, 6])], rng.choice(kinds)]
    )
    left = [4 * (kind in kinds) for kind in ALL]

    def take(groups: list[slow.Group]) -> slow.Group:
        fitting = [group for group in groups if all(group.count(kind) <= left[kind] for kind in group)]
        group = rng.choice([group for group in fitting if set(group) <= set(few)] or fitting)
        for kind in group:
            left[kind] -= 1
        return group

    single_tiles = [(kind,) for kind in kinds]
    groups = [take(choices) for choices, number in plan for _ in range(number)]
    claimed = [claim(rng, group, left) for group in groups[:melds]]
    concealed = [kind for group in groups[melds:] for kind in group]
    rng.shuffle(concealed)
    changed = rng.choice([0, 1, 2, len(concealed) - wild])
    for kind in concealed[: wild + changed]:
        left[kind] += 1
    del concealed[: wild + changed]
    for _ in range(changed - rng.randrange(2)):
        concealed += take(single_tiles)
    return Case([concealed.count(kind) for kind in ALL], tuple(claimed), wild, left)


def claim(rng: random.Random, group: slow.Group, left: list[int]) -> Meld:
    """The set as a meld; of a pung whose fourth tile is left every other one is made a kong."""
    tiles = tuple(KINDS[kind] for kind in group)
    if group[0] != group[1]:
        return Meld(tiles, MeldKind.CHOW)
    if left[group[0]] and rng.randrange(2):
        left[group[0]] -= 1
        return Meld((*tiles, tiles[0]), MeldKind.KONG_ADDED)
    return Meld(tiles, MeldKind.PUNG)


# --- comparisons: what they return are the hands on which the programs differ ---


def random_hands(number: int, seed: int, most_tiles: int = 14) -> Iterator[list[int]]:
    rng = random.Random(seed)
    sizes = [tiles for tiles in (1, 2, 4, 5, 7, 8, 10, 11, 13, 14) if tiles <= most_tiles]
    for index in range(number):
        yield dealt(rng, rng.choice(sizes) if index % 2 else rng.choice(sizes[-2:]))


def differing_from_mahjong(number: int, seed: int) -> list[list[int]]:
    """The sets and a pair of `mahjong`, which finds the number of sets from the number of tiles."""
    return [
        counts
        for counts in random_hands(number, seed)
        if standard_lacks(suits_of(counts), (), sum(counts) // 3, 0, None, False)
        != Shanten.calculate_shanten_for_regular_hand(counts) + 1
    ]


def differing_from_xiangting(number: int, seed: int) -> list[list[int]]:
    """The least of all three shapes of `xiangting`, whose seven pairs are of seven kinds."""
    differing = []
    for counts in random_hands(number, seed):
        suits = suits_of(counts)
        lacks = standard_lacks(suits, (), sum(counts) // 3, 0, None, False)
        if sum(counts) >= 13:
            kinds_of_pairs = Shanten.calculate_shanten_for_chiitoitsu_hand(counts) + 1
            lacks = min(lacks, kinds_of_pairs, orphans_lacks(suits))
        if lacks != calculate_replacement_number(counts, PlayerCount.FOUR):
            differing.append(counts)
    return differing


def differing_from_slow_standard(number: int, seed: int, *, short: bool, most_wild: int = 0) -> list[str]:
    """Hands of one to five sets with melds: with wildcards, or of ranks 2 to 8 with the quota of Hefei."""
    rng = random.Random(seed)
    differing = []
    for _ in range(number):
        sets = rng.choice([1, 2, 3, 4, 4, 5])
        wild = rng.randint(0, min(most_wild, 3 * sets - 2))
        case = near_finished(
            rng, slow.standard(sets), SHORT if short else ALL, wild, melds=rng.randrange(sets)
        )
        quota = eight_of_a_suit(case.melds) if short and rng.randrange(4) else None
        fast = standard_lacks(case.suits, case.melds, sets, wild, quota, short)
        plan = slow.standard(sets - len(case.melds))
        found = slow.lacks(case.counts, case.drawable, plan, wild, quota, most=MOST_DRAWS)
        if min(fast, MOST_DRAWS + 1) != found:
            differing.append(f"{case} quota {quota}: {fast}, {found}")
    return differing


def eight_of_a_suit(melds: tuple[Meld, ...]) -> distance.Quota:
    m, p, s = (8 - sum(tile.suit == suit for meld in melds for tile in meld.tiles) for suit in "mps")
    return m, p, s


def differing_from_slow_pairs(number: int, seed: int) -> list[str]:
    """Seven pairs of three games: with wildcards, of ranks 2 to 8 with the quota, and with a triplet."""
    rng = random.Random(seed)
    differing = []
    for index in range(number):
        wild, quota, kinds, plan = 0, None, ALL, slow.SEVEN_PAIRS
        if index % 3 == 0:
            wild = rng.randrange(5)
        elif index % 3 == 1:
            quota, kinds = (8, 8, 8), SHORT
        else:
            plan = slow.PAIRS_AND_TRIPLET
        case = near_finished(rng, plan, kinds, wild, melds=0)
        if plan is slow.SEVEN_PAIRS:
            fast = seven_pairs_lacks(case.suits, wild, quota)
        else:
            fast = pairs_and_triplet_lacks(case.suits)
        found = slow.lacks(case.counts, case.drawable, plan, wild, quota, most=MOST_DRAWS)
        if min(fast, MOST_DRAWS + 1) != found:
            differing.append(f"{case} quota {quota}: {fast}, {found}")
    return differing


def not_one_draw_nearer(number: int, seed: int) -> list[str]:
    """Hands of 16 and 17 tiles, near or far, whose distance is not one more than the least after a draw."""
    rng = random.Random(seed)
    differing = []
    for _ in range(number):
        counts = dealt(rng, rng.choice([16, 17]))
        for lacks in (five_sets_lack, pairs_and_triplet_lacks):
            here = lacks(suits_of(counts))
            after = min(lacks(suits_of(drawn)) for drawn in one_more(counts))
            if after != max(0, here - 1):
                differing.append(f"{lacks.__name__} {suits_of(counts)}: {here}, {after}")
    return differing


def five_sets_lack(suits: Suits) -> int:
    return standard_lacks(suits, (), 5, 0, None, False)


def one_more(counts: list[int]) -> Iterator[list[int]]:
    for kind, count in enumerate(counts):
        if count < 4:
            yield [*counts[:kind], count + 1, *counts[kind + 1 :]]


MOST_DRAWS = 2
"""How far the slow search goes; farther hands only have to be found farther."""


# --- tests ---


def test_sets_and_a_pair_agree_with_mahjong(hands: int) -> None:
    assert differing_from_mahjong(3 * hands, seed=1) == []


def test_all_shapes_agree_with_xiangting(hands: int) -> None:
    assert differing_from_xiangting(3 * hands, seed=1) == []


def test_seven_pairs_agree_with_mahjong_where_no_four_are_equal(hands: int) -> None:
    for counts in random_hands(hands, seed=2):
        if sum(counts) >= 13 and max(counts) < 4 and sum(map(bool, counts)) >= 7:
            expected = Shanten.calculate_shanten_for_chiitoitsu_hand(counts) + 1
            assert seven_pairs_lacks(suits_of(counts), 0, None) == expected, counts


def test_sets_with_melds_agree_with_trying_out(hands: int) -> None:
    assert differing_from_slow_standard(hands, seed=1, short=False) == []


def test_sets_of_eight_of_a_suit_agree_with_trying_out(hands: int) -> None:
    assert differing_from_slow_standard(hands, seed=1, short=True) == []


def test_sets_with_wildcards_agree_with_trying_out(hands: int) -> None:
    assert differing_from_slow_standard(hands * 2 // 5, seed=1, short=False, most_wild=4) == []


@pytest.mark.long
def test_pairs_agree_with_trying_out(hands: int) -> None:
    assert differing_from_slow_pairs(hands * 3 // 10, seed=1) == []


def test_orphans_agree_with_trying_out(hands: int) -> None:
    rng = random.Random(1)
    for _ in range(hands // 10):
        case = near_finished(rng, slow.THIRTEEN_ORPHANS, ALL, 0, melds=0)
        found = slow.lacks(case.counts, case.drawable, slow.THIRTEEN_ORPHANS, most=MOST_DRAWS)
        assert min(orphans_lacks(case.suits), MOST_DRAWS + 1) == found, case


def test_some_draw_brings_each_large_hand_one_nearer(hands: int) -> None:
    assert not_one_draw_nearer(hands // 5, seed=1) == []


@pytest.mark.parametrize("family", [tables.RANKS_1_TO_9, tables.RANKS_2_TO_8, tables.HONORS])
@pytest.mark.parametrize("sets", [4, 5])
def test_rows_of_the_table_are_the_exact_ones(family: tables.Family, sets: int) -> None:
    rng = random.Random(1)
    for _ in range(200):
        counts = tuple(rng.choice([0, 0, 0, 1, 1, 2, 3, 4]) for _ in range(family.kinds))
        copies = (tables.COPIES,) * family.kinds
        row = tables.row(family, sets, counts)
        assert row == tables.exact_row(family, sets, counts, copies, 0), counts
        if 4 not in counts:
            assert row == tables.exact_row(family, sets, counts, copies, 4), counts


@pytest.mark.parametrize(
    ("tiles", "table", "sets", "wild", "lacks"),
    [
        ("123m456p789s11222z", "", 4, 0, 0),
        ("123m456p789s1222z", "", 4, 0, 1),
        ("1111z", "c123m c456m c789m", 4, 0, 2),  # the pair would need a fifth
        ("1111z", "c123m c456m c789m", 4, 1, 0),
        ("1z", "p111z c123m c456m c789m", 4, 0, 2),
        ("1z", "k2222z p333z c456m c789m", 5, 0, 4),
        ("2355m", "k1111m k4444m", 3, 0, 2),  # no 1m or 4m is left for 123 or 234
        ("2355m", "p111m k4444m", 3, 0, 1),
        ("147m258p369s12345z", "", 4, 0, 9),
    ],
)
def test_hand(tiles: str, table: str, sets: int, wild: int, lacks: int) -> None:
    assert standard_lacks(hand(tiles), melds(table), sets, wild, None, False) == lacks


def test_quota_that_no_finished_hand_meets_is_out_of_reach() -> None:
    suits = hand("22334455667788p")
    assert standard_lacks(suits, (), 4, 0, (8, 8, 8), True) == 0
    assert standard_lacks(suits, (), 4, 0, (15, 15, 15), True) == UNREACHABLE
    assert seven_pairs_lacks(suits, 0, (8, 8, 8)) == 0
    assert seven_pairs_lacks(suits, 0, (15, 15, 15)) == UNREACHABLE


def test_four_equal_tiles_are_two_pairs() -> None:
    assert seven_pairs_lacks(hand("1111m2222p33445s"), 0, None) == 1
    assert pairs_and_triplet_lacks(hand("1111m2222p3344s55566z")) == 0


# --- the comparisons find what is wrong ---


def test_one_wrong_entry_of_the_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = distance._row

    def wrong(counts: tuple[int, ...], sets: int, short: bool) -> bytes:
        row = right(counts, sets, short)
        return bytes([row[0], row[1] + (counts[0] == 1), *row[2:]])

    monkeypatch.setattr(distance, "_row", wrong)
    assert differing_from_mahjong(500, seed=1)
    assert differing_from_xiangting(500, seed=1)


def test_copies_in_melds_are_found_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance, "_subtract_melds", lambda melds, copies: copies)
    assert differing_from_slow_standard(1000, seed=1, short=False)
    assert differing_from_slow_standard(1000, seed=1, short=True)


@pytest.mark.parametrize("beyond", [0, 4])
def test_wildcards_beyond_the_copies_are_found_miscounted(
    monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    right = distance._exact_row
    monkeypatch.setattr(
        distance, "_exact_row", lambda counts, sets, copies, _: right(counts, sets, copies, beyond)
    )
    assert differing_from_slow_standard(600, seed=1, short=False, most_wild=4)


def test_numpy_is_not_loaded_before_a_distance_is_asked_for() -> None:
    code = "import companion.rules.distance, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=LIMIT_S).returncode == 0


@pytest.mark.parametrize("name", RULE_SETS)
def test_many_hands_at_once_are_measured_as_one_by_one(name: str) -> None:
    rules = RULE_SETS[name]
    kinds = [tile.index for tile in rules.tile_set.kinds if tile.index < 34]
    rng = random.Random(5)
    hands = []
    for index in range(400):
        near = rng.sample(kinds, 6) if index % 3 == 0 else kinds
        dealt_kinds = rng.sample([kind for kind in near for _ in range(4)], rules.hand_size + index % 2)
        hands.append([dealt_kinds.count(kind) for kind in range(34)])
    one_by_one = [
        shanten(rules, [KINDS[kind] for kind in range(34) for _ in range(hand[kind])]) for hand in hands
    ]
    assert shantens(rules, np.array(hands, np.uint8)).tolist() == one_by_one
    assert min(one_by_one) < 2


def test_many_hands_have_34_kinds() -> None:
    with pytest.raises(ValueError, match=r"\(n, 34\)"):
        shantens(RULE_SETS["hefei"], np.zeros((2, 42), np.uint8))
