"""Distance to ready: how many tiles a hand is from waiting, and which tiles bring it nearer."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.hand import Hand
from companion.rules.rule_set import RuleSet
from companion.rules.waiting import count_copies_in_play, make_hand
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, Tile, counts


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
    """The kinds, in order, of which one more makes `shanten` of a hand between turns less by one."""
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
