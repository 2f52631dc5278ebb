"""Whether the Sea Floor may have begun otherwise than the events say: they count the tiles that are left."""

from __future__ import annotations

from companion.following.scene import WallLeft
from companion.sentences import Sentence, msgid
from companion.table.state import State

SEA_UNSURE = msgid("The Sea Floor may have begun, or not yet: not every discard of this hand was seen.")


SEA_BELIED = msgid(
    "{left} tiles should be left, but the walls show {shown}: the Sea Floor may have begun, or not yet."
)
SEA_DOUBTS = (SEA_UNSURE, SEA_BELIED)
NEAR_TILES = 3
"""So many tiles before the sea, and in it, the walls are held against the events."""


def find_sea_doubt(state: State, unseen: int, shown: WallLeft | None = None) -> Sentence | None:
    """Why nobody can say whether the last tiles are being drawn; None where that is sure, or far away.

    unseen: how many discards of the hand nobody saw, by each of which the number of tiles left may be off;
    shown: how many tiles the walls show, where that is known.
    """
    hand = state.hand
    if hand is None or not state.playing or not hand.wall.rule.sea:
        return None
    wall = hand.wall
    if shown is not None:
        off = shown.find_off(hand)
        if off and wall.before_sea <= max(NEAR_TILES, unseen):
            return Sentence(SEA_BELIED, {"left": wall.live_left, "shown": wall.live_left + off})
        if not off and shown.tells(wall.rule.sea + wall.dead_left):
            return None
    return Sentence(SEA_UNSURE, {}) if unseen and wall.before_sea <= unseen else None
