"""Whether the tiles of a hand are those of the game that is played: somebody may have named another one.

This looks for kinds that ought to have come by now. Tiles that the game does not have at all are counted by
the sights (`Sight.misfits`).
"""

from __future__ import annotations

from math import prod

from companion.live.expected_tiles import count_open
from companion.rules import RULE_SETS, RuleSet
from companion.sentences import Sentence, msgid
from companion.table.state import HandState, State
from companion.tiles import KINDS, Suit

UNLIKELY = 1e-4
"""Probability below which what is missing is missing because another game is played. In 120 hands of each
game built-in players had always laid a kind that Hefei lacks when 12 tiles lay open, and set out a flower
when 63 were left in the wall; this waits for 18 open tiles, and for 45 left."""
OTHER_TILES = msgid(
    "The tiles look like those of {other}, not of {rules}: {count} lie open, and none is of a kind that"
    " {other} lacks."
)
NO_FLOWERS = msgid(
    "The tiles do not look like those of {rules}: {count} were taken, and no flower was set out."
)


def find_wrong_rules(state: State) -> Sentence | None:
    """Why another game than that of the state seems to be played; None where nothing says so."""
    hand, rules = state.hand, state.house.rules
    if hand is None or not state.playing:
        return None
    return _find_other_tiles(state, hand, rules) or _find_no_flowers(hand, rules)


def _find_other_tiles(state: State, hand: HandState, rules: RuleSet) -> Sentence | None:
    """That all open tiles are of another game's kinds, where this one's others ought to have come by now."""
    total = hand.wall.rule.tile_set.total
    lying = count_open(state)
    count = lying.total()
    kinds = {kind for kind in KINDS if lying[kind.code]}
    others = sorted(RULE_SETS.values(), key=lambda other: other.tile_set.total)
    for other in others:
        share = other.tile_set.total / total
        if share < 1 and kinds.issubset(other.tile_set.kinds) and share**count < UNLIKELY:
            return Sentence(OTHER_TILES, {"other": other.title, "rules": rules.title, "count": count})
    return None


def _find_no_flowers(hand: HandState, rules: RuleSet) -> Sentence | None:
    """That no flower was set out where most of them must have been drawn by now."""
    tile_set = hand.wall.rule.tile_set
    total = tile_set.total
    flowers = sum(tile_set.copies[kind.index] for kind in KINDS if kind.suit is Suit.FLOWERS)
    if not flowers or any(player.flowers for player in hand.players):
        return None
    taken = hand.wall.drawn + hand.wall.replaced
    if prod((total - taken - at) / (total - at) for at in range(flowers)) >= UNLIKELY:
        return None
    return Sentence(NO_FLOWERS, {"rules": rules.title, "count": taken})
