"""What a hand waits for (ruling C-15), its shanten, and the tiles that bring it nearer to ready."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from companion.rules.distance import Quota
from companion.rules.hand import Counts, Hand, Wild
from companion.rules.options import WAIT_IGNORES_VISIBLE
from companion.rules.rule_set import RuleSet
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, Tile, counts

NO_TILE = -1


def waits(
    rules: RuleSet,
    hand: Iterable[Tile],
    melds: Iterable[Meld] = (),
    options: Options | None = None,
    fortune: Tile | None = None,
) -> tuple[Tile, ...]:
    """The kinds, in order, that `hand` (one tile short of a finished one) and `melds` wait for.

    `options` are settings other than the defaults, `fortune` is the kind that is wild in games that have one.
    A kind is not among them if the player has all its copies, whatever is visible on the table; restrictions
    on the shape count, restrictions on where the tile comes from do not.
    """
    settings = rules.settings(options)
    lacking = make_hand(rules, counts(hand), tuple(melds), settings, fortune)
    return waits_of_hand(rules, lacking, settings)


def make_hand(
    rules: RuleSet, concealed: list[int], melds: tuple[Meld, ...], options: Options, fortune: Tile | None
) -> Hand:
    """The hand with these 42 counts of concealed tiles and these melds. `concealed` is used up."""
    total = own = tuple(concealed)
    if melds:
        held = concealed.copy()
        for meld in melds:
            for tile in meld.tiles:
                held[tile.index] += 1
        total = tuple(held)
    wild = rules.wild(options, fortune)
    found = 0
    if wild is not None:
        found = concealed[wild.tile.index]
        concealed[wild.tile.index] = 0
        if wild.substitute is not None:
            concealed[wild.tile.index] = concealed[wild.substitute.index]
            concealed[wild.substitute.index] = 0
        own = tuple(concealed)
    m, p, s, z = own[:9], own[9:18], own[18:27], own[27:34]
    return Hand((m, p, s, z), (sum(m), sum(p), sum(s), sum(z)), total, melds, found, wild)


def waits_of_hand(rules: RuleSet, hand: Hand, options: Options) -> tuple[Tile, ...]:
    """`waits` of a hand that lacks one tile."""
    by_shape: set[int] = set()
    for shape in rules.winning_shapes(options):
        found_here = shape.waits(hand)
        if found_here and shape.is_in_force(options):
            by_shape.update(found_here)
    if not by_shape:
        return ()
    if hand.wildcard is not None:
        by_shape = _convert_to_drawn(by_shape, hand.wildcard)
    copies, held = count_copies_in_play(rules, hand.wildcard), hand.total
    found = [
        KINDS[index]
        for index in sorted(by_shape)
        if held[index] < copies[index] or options[WAIT_IGNORES_VISIBLE.key]
    ]
    if rules.quota is not None:
        quota = rules.quota.needs(hand.melds, options)
        if not meets_quota(quota, hand):
            found = [tile for tile in found if meets_quota(quota, hand, tile.index)]
    return tuple(found)


@cache
def count_copies_in_play(rules: RuleSet, wild: Wild | None) -> Counts:
    """How many copies of each kind there are: an indicator that made Fortunes of the others is not there."""
    copies = rules.tile_set.copies
    if wild is None:
        return copies
    return (*copies[: wild.tile.index], wild.copies, *copies[wild.tile.index + 1 :])


def _convert_to_drawn(indices: set[int], wild: Wild) -> set[int]:
    """The kinds that do as themselves, as the kinds to draw: a wild tile does wherever any tile does."""
    drawn = indices - {wild.tile.index}
    if wild.substitute is not None:
        drawn.discard(wild.substitute.index)
        if wild.tile.index in indices:
            drawn.add(wild.substitute.index)
    return drawn | {wild.tile.index}


def meets_quota(quota: Quota, hand: Hand, drawn: int = NO_TILE) -> bool:
    """Whether, with the kind of index `drawn` one tile more, one of the suits holds as many as asked for."""
    m, p, s, _ = hand.sizes
    of_m, of_p, of_s = quota
    suit = drawn // 9
    return m + (suit == 0) >= of_m or p + (suit == 1) >= of_p or s + (suit == 2) >= of_s


def shanten(
    rules: RuleSet,
    hand: Iterable[Tile],
    melds: Iterable[Meld] = (),
    options: Options | None = None,
    fortune: Tile | None = None,
) -> int:
    """How many tiles `hand` and `melds` are from ready, for the nearest winning shape: -1 finished, 0 ready.

    `hand` has as many concealed tiles as between turns or one more, and wildcards of the kind `fortune`
    among them. `options` are settings other than the defaults. A drawn tile is a copy that the player does
    not own, however the table looks.
    """
    settings = rules.settings(options)
    return _lacks(rules, make_hand(rules, counts(hand), tuple(melds), settings, fortune), settings) - 1


def useful_tiles(
    rules: RuleSet,
    hand: Iterable[Tile],
    melds: Iterable[Meld] = (),
    options: Options | None = None,
    fortune: Tile | None = None,
) -> tuple[Tile, ...]:
    """The kinds, in order, that reduce the `shanten` of a hand between turns by one."""
    settings = rules.settings(options)
    held, laid = counts(hand), tuple(melds)
    now = make_hand(rules, held.copy(), laid, settings, fortune)
    copies = count_copies_in_play(rules, now.wildcard)
    lacks = _lacks(rules, now, settings)
    found = []
    for tile in KINDS[:34]:
        if now.total[tile.index] < copies[tile.index]:
            more = held.copy()
            more[tile.index] += 1
            if _lacks(rules, make_hand(rules, more, laid, settings, fortune), settings) < lacks:
                found.append(tile)
    return tuple(found)


def _lacks(rules: RuleSet, hand: Hand, options: Options) -> int:
    game = rules.game(hand.melds, options)
    return min(shape.lacks(hand, game) for shape in rules.shapes_in_force(options))
