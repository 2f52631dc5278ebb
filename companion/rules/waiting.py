"""What a hand waits for (ruling C-15): the kinds that would complete it, whoever they come from."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.options import WAIT_IGNORES_VISIBLE
from companion.rules.rule_set import RuleSet
from companion.rules.splitting import suits_of
from companion.rules.win import Counts, Options, Suits
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
    return tuple(sorted(kinds_waited_for(rules, suits_of(tiles), tuple(total), held, settings)))


def kinds_waited_for(
    rules: RuleSet, suits: Suits, total: Counts, melds: tuple[Meld, ...], options: Options
) -> frozenset[Tile]:
    """`waits` of a hand given as counts: `suits` the concealed tiles, `total` all 42, melds included."""
    by_shape = {
        index
        for shape in rules.shapes
        if shape.option is None or options[shape.option]
        for index in shape.waits(suits, melds)
    }
    own_copies_count = not options[WAIT_IGNORES_VISIBLE.key]
    return frozenset(
        KINDS[index]
        for index in by_shape
        if rules.tile_set.copies[index]
        and not (own_copies_count and total[index] >= COPIES)
        and rules.limit((*total[:index], total[index] + 1, *total[index + 1 :]), melds, options) is None
    )
