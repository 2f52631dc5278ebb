"""Whether a hand that is turned up has as many tiles as a hand of another game: somebody may have named the
wrong one."""

from __future__ import annotations

from collections.abc import Sequence

from companion.following.hypotheses import Hypothesis, Part
from companion.following.rows import find_rows
from companion.following.scene import Scene
from companion.following.shown_hands import AT_ONCE_S
from companion.rules import RULE_SETS
from companion.seeing.tracks import Track
from companion.sentences import msgid

OTHER_HAND = msgid("a hand is shown that has more or fewer tiles than a hand of this game")
LEAST, LIES_S = 5, 2.0
"""A row of so many faces that came at once is a hand once it has lain for so long: no meld has as many."""


def shows_other_hand(scene: Scene, hypothesis: Hypothesis) -> bool:
    """Whether a player has turned up as many tiles, with the melds that are known, as another game's hands
    have, and not as this one's."""
    hand, rules = hypothesis.state.hand, hypothesis.state.house.rules
    if hand is None:
        return False
    others = {other.hand_size - rules.hand_size for other in RULE_SETS.values()} - {0}
    faces = [track for track in scene.lying if _may_be_of_hand(track, hypothesis)]
    for seat in hypothesis.state.house.seats:
        count = _count_shown(scene, seat, faces)
        more = {count - hand.players[seat].count, count - hand.players[seat].count - 1}
        if count >= LEAST and not more & {0} and more & others:
            return True
    return False


def _may_be_of_hand(track: Track, hypothesis: Hypothesis) -> bool:
    role = hypothesis.roles.get(track.number)
    is_face = not track.face.is_back and not track.face.top.endswith("f")
    return is_face and (role is None or role.part is Part.HAND)


def _count_shown(scene: Scene, seat: int, faces: Sequence[Track]) -> int:
    """How many tiles that player has turned up at once, and not just now."""
    row = [track for row in find_rows(scene.quarters, seat, faces) for track in row]
    times = sorted(track.since_s for track in row)
    if not times or scene.t - times[-1] < LIES_S:
        return 0
    usual_s = times[len(times) // 2]
    return sum(abs(since_s - usual_s) < AT_ONCE_S for since_s in times)
