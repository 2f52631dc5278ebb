"""Whether the Sea Floor may have begun otherwise than the events say: they count the tiles that are left."""

from __future__ import annotations

from companion.sentences import Sentence, msgid
from companion.table.state import State

SEA_UNSURE = msgid("The Sea Floor may have begun, or not yet: not every discard of this hand was seen.")


def find_sea_doubt(state: State, unseen: int) -> Sentence | None:
    """Why nobody can say whether the last tiles are being drawn; None where that is sure, or far away.

    unseen: how many discards of the hand nobody saw, by each of which the number of tiles left may be off.
    """
    hand = state.hand
    if hand is None or not state.playing or not hand.wall.rule.sea or not unseen:
        return None
    return Sentence(SEA_UNSURE, {}) if hand.wall.before_sea <= unseen else None
