"""Splitting and waits against a slow reader that tries everything, on seeded random hands of the 2-8 set."""

import random
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from companion.rules import GroupKind, decode_request, rule_set, score, waits
from companion.rules.hand import Hand
from companion.rules.shapes import hand_splits, seven_pairs
from companion.rules.waiting import make_hand
from companion.tiles import SET_84, Meld, MeldKind, Tile, counts, format_tiles, parse_tiles

pytestmark = pytest.mark.slow

SEED = 20260117
HEFEI = rule_set("hefei")
WALL = [tile for tile in SET_84.kinds for _ in range(4)]

Tiles = tuple[Tile, ...]
Splits = frozenset[tuple[Tiles, ...]]


def is_set(tiles: Tiles) -> bool:
    first, second, third = sorted(tiles)
    if first is third:
        return True
    same_suit = first.suit == second.suit == third.suit
    return same_suit and (second.rank, third.rank) == (first.rank + 1, first.rank + 2)


@cache
def slow_sets(tiles: Tiles) -> Splits:
    """All ways of splitting sorted tiles into sets: the first tile goes with any two that make a set."""
    if not tiles:
        return frozenset({()})
    found = set()
    for i, j in combinations(range(1, len(tiles)), 2):
        three = (tiles[0], tiles[i], tiles[j])
        if is_set(three):
            rest = tuple(tile for k, tile in enumerate(tiles) if k not in (0, i, j))
            found |= {tuple(sorted([tuple(sorted(three)), *others])) for others in slow_sets(rest)}
    return frozenset(found)


def slow_splits(tiles: Tiles) -> Splits:
    """All ways of splitting tiles into sets and one pair."""
    found = set()
    for tile in set(tiles):
        if tiles.count(tile) >= 2:
            rest = list(tiles)
            rest.remove(tile)
            rest.remove(tile)
            found |= {tuple(sorted([(tile, tile), *sets])) for sets in slow_sets(tuple(sorted(rest)))}
    return frozenset(found)


def slow_win(tiles: Tiles, melds: tuple[Meld, ...]) -> bool:
    owned = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    if max(Counter(tile.suit for tile in owned).values()) < 8:
        return False
    pairs = not melds and all(n % 2 == 0 for n in Counter(tiles).values())
    return pairs or bool(slow_splits(tiles))


def random_hand(rng: random.Random, tiles_lacking: int) -> tuple[Tiles, tuple[Meld, ...]]:
    """Concealed tiles of a hand that is mostly finished but for what it lacks; melds are pungs and kongs."""
    while True:
        chosen: list[Tile] = []
        melds: list[Meld] = []
        suits = rng.choices("mps", k=rng.randint(1, 3))
        if rng.random() < 0.15:
            chosen = [Tile.parse(f"{rng.randint(2, 8)}{rng.choice(suits)}") for _ in range(7)] * 2
        else:
            for _ in range(4):
                suit = rng.choice(suits)
                if rng.random() < 0.2:
                    kind = rng.choice([MeldKind.PUNG, MeldKind.KONG_DISCARD, MeldKind.KONG_CONCEALED])
                    tile = Tile.parse(f"{rng.randint(2, 8)}{suit}")
                    melds.append(Meld(kind=kind, tiles=(tile,) * (4 if kind.is_kong else 3)))
                elif rng.random() < 0.6:
                    low = rng.randint(2, 6)
                    chosen += [Tile.parse(f"{low + i}{suit}") for i in range(3)]
                else:
                    chosen += [Tile.parse(f"{rng.randint(2, 8)}{suit}")] * 3
            chosen += [Tile.parse(f"{rng.randint(2, 8)}{rng.choice(suits)}")] * 2
        if rng.random() < 0.3:
            chosen[rng.randrange(len(chosen))] = rng.choice(WALL)
        for _ in range(tiles_lacking):
            chosen.pop(rng.randrange(len(chosen)))
        if max(counts([*chosen, *(tile for meld in melds for tile in meld.tiles)])) <= 4:
            return tuple(sorted(chosen)), tuple(melds)


def test_every_way_of_splitting_is_found_once(hands: int) -> None:
    rng = random.Random(SEED)
    won = 0
    for _ in range(hands):
        tiles, _melds = random_hand(rng, tiles_lacking=0)
        found = [
            tuple(sorted(g.tiles for g in groups))
            for groups in hand_splits(make_hand(HEFEI, counts(tiles), (), HEFEI.defaults, None))
        ]
        assert sorted(found) == sorted(slow_splits(tiles)), (SEED, format_tiles(tiles))
        won += bool(found)
    assert won > hands / 2


def test_waits_are_the_kinds_that_would_win(hands: int) -> None:
    rng = random.Random(SEED + 1)
    waiting = 0
    for _ in range(hands):
        tiles, melds = random_hand(rng, tiles_lacking=1)
        owned = Counter([*tiles, *(tile for meld in melds for tile in meld.tiles)])
        slow = tuple(
            tile
            for tile in SET_84.kinds
            if owned[tile] < 4 and slow_win(tuple(sorted([*tiles, tile])), melds)
        )
        assert waits(HEFEI, tiles, melds) == slow, (SEED + 1, format_tiles(tiles), melds)
        waiting += bool(slow)
    assert waiting > hands / 3


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("234567m88m345p67s", "5s8s"),
        ("234567m88m345p23s", "4s"),  # there is no 1s
        ("234567m88m345p78s", "6s"),  # there is no 9s
        ("22334466m55p77p8s", "8s"),
        ("2223334445556m", "34567m"),
        ("2222m34567m345p7s", "7s"),
        ("5555m234m345p678s", "2m"),  # not a fifth 5m
        ("234m55m345p78s678p", ""),  # 6s would make sets and a pair, and no eight of a suit
    ],
)
def test_waits_of_known_hands(hand: str, expected: str) -> None:
    assert "".join(tile.code for tile in waits(HEFEI, parse_tiles(hand))) == "".join(
        tile.code for tile in parse_tiles(expected)
    )


def test_seven_pairs_take_four_equal_tiles_as_two_pairs() -> None:
    shape = seven_pairs()
    [groups] = shape.splits(hand_of("22223344m55p77p88s"))
    assert [g.kind for g in groups] == [GroupKind.PAIR] * 7
    assert not shape.splits(hand_of("22233344m55p77p8s"))


def hand_of(text: str) -> Hand:
    return make_hand(HEFEI, counts(parse_tiles(text)), (), HEFEI.defaults, None)


def slow_value(tiles: Tiles, melds: tuple[Meld, ...], last: Tile, discard: bool) -> int:
    """The points of a Hefei win by default rules, straight from the table of rows, trying every reading."""
    owned = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    copies = Counter(owned)
    suits = Counter(tile.suit for tile in owned)
    ranks = Counter(tile.rank for tile in owned)
    before = list(tiles)
    before.remove(last)
    free = copies - Counter([last])
    waited = [x for x in SET_84.kinds if free[x] < 4 and slow_win(tuple(sorted([*before, x])), melds)]
    kongs = [meld for meld in melds if meld.kind.is_kong]
    hidden = [meld.tiles[0] for meld in melds if meld.kind is MeldKind.KONG_CONCEALED]
    fixed = 15 + max(suits.values()) - 8 + (len(waited) == 1) + sum(max(0, n - 4) for n in ranks.values())
    fixed += {1: 100, 2: 2, 3: 0}[len(suits)] + 4 * len(hidden) + 100 * (max(ranks.values()) >= 10)
    fixed += 4 * (sum(n == 4 for n in copies.values()) - len(kongs))
    best = 0
    if not melds and all(n % 2 == 0 for n in copies.values()):
        best = fixed + [10, 50, 100, 100][sum(n == 4 for n in copies.values())]
    for groups in slow_splits(tiles):
        for place in [i for i, g in enumerate(groups) if last in g]:
            drawn = [g for i, g in enumerate(groups) if i != place or not discard]
            pungs = [g[0] for g in drawn if len(g) == 3 and g[0] is g[2]]
            value = fixed + len(pungs)
            all_hidden = set(pungs + hidden)
            value += 100 * (len(pungs + hidden) == 4)
            value += 100 * any(
                {x.rank + 1, x.rank + 2} <= {y.rank for y in all_hidden if y.suit == x.suit}
                for x in all_hidden
            )
            pairs, visible = 0, 0
            for sequence in {g for g in groups if len(g) == 3 and g[0] is not g[2]}:
                pairs += drawn.count(sequence) // 2
                visible += groups.count(sequence) // 2 - drawn.count(sequence) // 2
            value += 2 * visible + (100 if pairs == 2 else 4 * pairs)
            best = max(best, value)
    return best


def test_values_are_those_of_the_slow_reader(hands: int) -> None:
    rng = random.Random(SEED + 2)
    seen = Counter[str]()
    for _ in range(hands):
        tiles, melds = random_hand(rng, tiles_lacking=0)
        if not slow_win(tiles, melds):
            continue
        last, discard = rng.choice(tiles), rng.random() < 0.5
        request = {
            "rules": "hefei",
            "hand": format_tiles(tiles),
            "melds": [str(meld) for meld in melds],
            "winning_tile": last.code,
            "winner": 1,
            "source": "discard" if discard else "self_draw",
            "from": 2 if discard else None,
        }
        result = score(decode_request(request), house_rules=False)
        assert result.value == slow_value(tiles, melds, last, discard), (SEED + 2, request, result.lines)
        seen.update(line.id for line in result.lines)
    not_drawn = {"sea_floor", "heavenly_win", "earthly_win", "ten_identical", "kong_draw"}
    assert {row.id for row in HEFEI.patterns} == set(seen) | not_drawn
