"""How surely what an event names is so: a tile by how it reads, a winner's hand against others it may be."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from companion.following.beam import Judged
from companion.following.doubtful_hands import weigh_hands
from companion.following.hypotheses import NAMED_BY, Step
from companion.seeing.tracks import Track
from companion.table.claims import KONG_TILES
from companion.table.events import Claimed, IndicatorTurned, Won
from companion.tiles import parse_meld, parse_tiles

SURELY = 0.001
"""Readings stop short of 1 by about so much."""
NOT_SEEN_P = 0.9
"""How surely at most a win is what it was said to be where one of its tiles was not found."""
HALF_SEEN_P = 0.8
"""How surely a meld is what it was taken for where not all of its tiles were found."""
BLANK_P = 0.8
"""How surely an indicator is blank that nobody saw as a face: a hand may hide it."""


def read_step(step: Step, judged: Judged, tracks: Mapping[int, Track]) -> float:
    """How surely the tile that the step put down is the one that it names: from 0 to 1.

    judged: the hypotheses, the likeliest first; tracks: the tiles that were seen, by their numbers.
    """
    event, roles = step.event, judged[0][1].roles
    if isinstance(event, Won) and event.hand is not None:
        return _read_hand(step, event, event.hand, judged, tracks)
    if isinstance(event, Claimed):
        all_seen = len(step.tracks) >= len(parse_meld(event.meld).tiles)
        return 1.0 if all_seen else HALF_SEEN_P
    if isinstance(event, IndicatorTurned) and not step.tracks:
        return BLANK_P
    if not isinstance(event, NAMED_BY) or event.tile is None or not step.tracks:
        return 1.0
    track = tracks.get(step.tracks[0])
    if track is None or track.number not in roles:
        return 1.0
    return min(1.0, track.face.probability(event.tile) + SURELY)


def _read_hand(step: Step, won: Won, hand: str, judged: Judged, tracks: Mapping[int, Track]) -> float:
    """How surely the hand that a winner shows is this one: against all others that it may be, and by how
    surely its tiles were read, of which copies of one kind are read rightly, or wrongly, together."""
    hands = weigh_hands(judged, won.seat)
    share = hands[won] / hands.total() if hands[won] else 0.0
    tiles = len(parse_tiles(hand)) + KONG_TILES * len(won.kongs)
    if len(step.tracks) + (won.tile is None) < tiles:
        return min(share, NOT_SEEN_P)
    roles = judged[0][1].roles
    least: dict[str, float] = {}
    for number in step.tracks:
        track, role = tracks.get(number), roles.get(number)
        if track is not None and role is not None and role.code is not None and track.face.is_read:
            p = min(1.0, track.face.probability(role.code) + SURELY)
            least[role.code] = min(p, least.get(role.code, 1.0))
    return min(share, prod(least.values()))
