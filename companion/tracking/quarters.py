"""Who a tile on the table belongs to, by where it lies: costs in nats, the lower the likelier.

Everything is reckoned as the player of a quarter sees it: `u` to the right, `v` from the middle of the table
towards the player, in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, hypot, log, pi, remainder

from companion.tracking.tracks import Track

PITCH_MM = 26.5
"""From tile to tile in a row of discards."""
ROW_MM = 36.0
EDGE_FROM_MM = 262.0
"""From here on towards the player lie melds, flowers and hands; before it, walls and rivers."""
EDGE_BLUR_MM = 14.0
PILE_U_MM, PILE_V_MM, PILE_AT_MM = 95.0, 75.0, 105.0
"""How discards scatter before a player, and how far from the middle."""
SLOT_BLUR_MM = 8.0
SLOT_SHARE, PILE_SHARE, ANYWHERE = 0.5, 0.5, 0.02
MIDDLE_MM = 480.0
FACING_SHARE, FACING_BLUR = 0.65, 0.3
FLOOR = -4.0
"""However well a place fits, it says no more than this."""

_PILE = 1 / (2 * pi * PILE_U_MM * PILE_V_MM)
_SLOT = 1 / (2 * pi * SLOT_BLUR_MM**2)
_ANYWHERE = ANYWHERE / MIDDLE_MM**2


def see_from(seat: int, x_mm: float, y_mm: float) -> tuple[float, float]:
    """(u, v) of a place."""
    if seat == 0:
        return x_mm, -y_mm
    if seat == 1:
        return y_mm, x_mm
    return (-x_mm, y_mm) if seat == 2 else (-y_mm, -x_mm)


def turn_off(seat: int, angle: float) -> float:
    """By how much a glyph is turned from upright for that player, 0 to pi."""
    return abs(remainder(angle - seat * pi / 2, 2 * pi))


def river_cost(seat: int, track: Track, river: Sequence[tuple[float, float]]) -> float:
    """How ill the tile's place suits a discard of that player, whose earlier ones lie at these (u, v)."""
    u, v = see_from(seat, track.x_mm, track.y_mm)
    density = PILE_SHARE * _PILE * exp(-((u / PILE_U_MM) ** 2 + ((v - PILE_AT_MM) / PILE_V_MM) ** 2) / 2)
    density += SLOT_SHARE * _SLOT * _fit_slot(u, v, river) + _ANYWHERE
    beyond = 1 / (1 + exp(-(v - EDGE_FROM_MM) / EDGE_BLUR_MM))
    return max(FLOOR, -log(density / _PILE) - log(1 - 0.999 * beyond)) + _facing_cost(seat, track.angle)


def _fit_slot(u: float, v: float, river: Sequence[tuple[float, float]]) -> float:
    """How well the place continues a row: beside the last discard, or where the next row begins."""
    if not river:
        return 0.0
    last_u, last_v = river[-1]
    slots = [(last_u + PITCH_MM, last_v), (last_u - PITCH_MM, last_v)]
    first_u = min(place[0] for place in river)
    slots.append((first_u, max(place[1] for place in river) + ROW_MM))
    return max(exp(-(hypot(u - a, v - b) ** 2) / (2 * SLOT_BLUR_MM**2)) for a, b in slots)


def _facing_cost(seat: int, angle: float) -> float:
    off = turn_off(seat, angle)
    facing = exp(-((off / FACING_BLUR) ** 2) / 2) / (FACING_BLUR * (2 * pi) ** 0.5) * 2 * pi
    return -log(1 - FACING_SHARE + FACING_SHARE * facing)


def edge_cost(seat: int, track: Track) -> float:
    """How ill the tile's place suits something that the player has laid at the own edge."""
    u, v = see_from(seat, track.x_mm, track.y_mm)
    beyond = 1 / (1 + exp(-(v - EDGE_FROM_MM) / EDGE_BLUR_MM))
    return -log(0.001 + 0.999 * beyond) + max(0.0, abs(u) - v - 20.0) * 0.03


def wall_cost(track: Track) -> float:
    """How ill the tile's place suits one that is turned over in the wall."""
    v = max(abs(track.x_mm), abs(track.y_mm))
    return 0.0 if 150.0 <= v <= 290.0 else 3.0
