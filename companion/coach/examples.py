"""Plain finished hands of an aim (companion.coach.aims), to ask the rules' scoring what such hands come to.

They are as poor as the aim allows: sets of every suit that it has, chows beside a triplet, a pair of no worth
or of honours. No row of any game is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.coach.aims import HONORS, Aim
from companion.coach.reach import RANKS, Sets
from companion.coach.targets import Workshop
from companion.rules import RuleSet
from companion.rules.hand import Wild
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, Tile, counts, parse_tiles

Example = tuple[bytes, Tile]
"""A finished hand, 42 counts of concealed tiles, and the one that came last."""
_Made = tuple[int, ...]
"""The kinds of a finished hand without wild tiles, one set after the other and the pair."""
KINDS_OF_HANDS, COPIES, TRIPLET = 34, 4, 3
CHOWS = ((2, 3, 4), (5, 6, 7), (4, 5, 6), (1, 2, 3), (3, 4, 5), (6, 7, 8), (0, 1, 2))
"""By rank, from 0."""
TRIPLETS = ((1, 1, 1), (7, 7, 7), (4, 4, 4), (3, 3, 3), (5, 5, 5), (6, 6, 6))
PAIRS = (7, 4, 2, 5, 1, 3, 6, 0, 8)
GUESTS = (1, 3, 5)
"""Honours, by rank, of which there is a pair in some examples."""
ROTATIONS = ((0, 1, 2), (1, 2, 0), (2, 2, 1))
"""The suits of one set after the other."""
MIXED = "159m268p347s24z"
"""Tiles that have nothing in common, for hands of another shape near them."""


def make_examples(
    rules: RuleSet, options: Options, aim: Aim, melds: tuple[Meld, ...], wild: int, kind: Wild | None
) -> Iterator[Example]:
    """Finished hands of the aim beside these melds, with so many wild tiles of that kind; none where there
    is none that is plain."""
    laid = counts(tile for meld in melds for tile in meld.tiles)
    copies = [min(COPIES, n) - own for n, own in zip(rules.tile_set.copies, laid, strict=True)]
    if kind is not None:
        copies[kind.tile.index] = 0
        if kind.substitute is not None:
            copies[kind.substitute.index] = 0
    if aim.shape is not None:
        made = _make_other_shapes(rules, options, aim, copies)
    else:
        made = _make_sets(rules.sets - len(melds), aim, copies)
    for hand in made:
        yield from _put_wild(hand, wild, kind, loose=aim.loose)


def _make_sets(sets: int, aim: Aim, copies: list[int]) -> Iterator[_Made]:
    numbers = [suit for suit in aim.suits if suit < HONORS]
    for turn in ROTATIONS if len(numbers) > 1 else ROTATIONS[:1]:
        suits = [numbers[suit % len(numbers)] for suit in turn]
        honors = GUESTS if HONORS in aim.suits and turn is ROTATIONS[0] else ()
        for pair in (None, *honors):
            hand = _make_hand(sets, aim, copies, suits, pair)
            if hand is not None:
                yield hand


def _make_hand(sets: int, aim: Aim, copies: list[int], suits: list[int], pair: int | None) -> _Made | None:
    """One hand, its sets of these suits in turn; pair: the honour of which it is, None for a number."""
    left, hand = copies.copy(), list[int]()

    def take(kinds: list[int]) -> bool:
        if any(left[at] < kinds.count(at) for at in kinds):
            return False
        for at in kinds:
            left[at] -= 1
        hand.extend(kinds)
        return True

    if not all(take([HONORS * RANKS + rank] * TRIPLET) for rank in aim.honors):
        return None
    for number in range(sets - len(aim.honors)):
        triplet = aim.sets is Sets.TRIPLETS or (aim.sets is Sets.ANY and number == 0 and not aim.honors)
        start, every = RANKS * suits[number % len(suits)], TRIPLETS if triplet else CHOWS
        turned = every[number:] + every[:number]
        if not any(take([start + rank for rank in ranks]) for ranks in turned):
            return None
    start = RANKS * suits[-1]
    kinds = [start + rank for rank in PAIRS] if pair is None else [HONORS * RANKS + pair]
    return tuple(hand) if any(take([at] * 2) for at in kinds) else None


def _make_other_shapes(rules: RuleSet, options: Options, aim: Aim, copies: list[int]) -> Iterator[_Made]:
    held = np.array(counts(parse_tiles(MIXED))[:KINDS_OF_HANDS], np.uint8)
    left = np.maximum(np.array(copies[:KINDS_OF_HANDS]) - held, 0).astype(np.uint8)
    for target in Workshop(rules.game((), options), 0, held, left).build(aim, 2)[:2]:
        yield tuple([at for at, count in enumerate(target.tolist()) for _ in range(count)])


def _put_wild(made: _Made, wild: int, kind: Wild | None, *, loose: bool) -> Iterator[Example]:
    """The hand with so many wild tiles in the place of others, of different sets. Where it is loose one of
    them makes the pair with the tile that comes last, else that is of another set or the pair."""
    if kind is None or not wild:
        yield _count(made), KINDS[made[0]]
        return
    for first in range(TRIPLET):
        of_sets = [*range(first, len(made) - 2, TRIPLET)]
        others = [at for at in range(len(made) - 1) if at not in of_sets]
        filled = ([len(made) - 2] if loose else []) + of_sets + others
        tiles = list(made)
        for at in filled[:wild]:
            tiles[at] = kind.tile.index
        yield _count(tuple(tiles)), KINDS[made[-1]]


def _count(tiles: _Made) -> bytes:
    return bytes(counts([KINDS[at] for at in tiles]))
