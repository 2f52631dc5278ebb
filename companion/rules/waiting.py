"""What a hand waits for (ruling C-15): the kinds that would complete it, whoever they come from."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.options import WAIT_IGNORES_VISIBLE
from companion.rules.rule_set import RuleSet
from companion.rules.splitting import suits_of
from companion.rules.win import Hand, Options
from companion.tiles import KINDS, Meld, Tile, counts

COPIES = 4


def waits(
    rules: RuleSet, hand: Iterable[Tile], melds: Iterable[Meld] = (), options: Options | None = None
) -> tuple[Tile, ...]:
    """The kinds, in order, that `hand` (one tile short of a finished one) and `melds` wait for.

    `options` are settings other than the defaults. A kind of which the player has all four copies is none of
    them, however the table looks; restrictions on the shape count, restrictions on where the tile comes from
    do not.
    """
    tiles = counts(hand)
    held = tuple(melds)
    total = counts(tile for meld in held for tile in meld.tiles)
    total = [there + here for there, here in zip(total, tiles, strict=True)]
    settings = {**rules.defaults, **(options or {})}
    return tuple(sorted(kinds_waited_for(rules, Hand(suits_of(tiles), tuple(total), held), settings)))


def kinds_waited_for(rules: RuleSet, hand: Hand, options: Options) -> frozenset[Tile]:
    """`waits` of a hand that lacks one tile."""
    by_shape = {
        index
        for shape in rules.shapes
        if shape.option is None or options[shape.option]
        for index in shape.waits(hand)
    }
    own_copies_count = not options[WAIT_IGNORES_VISIBLE.key]
    return frozenset(
        KINDS[index]
        for index in by_shape
        if rules.tile_set.copies[index]
        and not (own_copies_count and hand.total[index] >= COPIES)
        and rules.limit(_with(hand, index), options) is None
    )


def _with(hand: Hand, index: int) -> Hand:
    """The hand with one tile more in its total, which is all that limits look at."""
    total = hand.total
    return Hand(hand.suits, (*total[:index], total[index] + 1, *total[index + 1 :]), hand.melds)
