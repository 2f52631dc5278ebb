"""Who a tile on the table belongs to, by its place: costs in nats, lower is likelier.

Everything is calculated as the player of a quarter sees it (`seats.see_from`): `u` to the right, `v` from the
middle of the table towards the player, in mm of a table with tiles of the usual width, which `Tracks`
converts to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, hypot, log, pi

from companion.following.hypotheses import River
from companion.following.tracks import Track
from companion.seeing.sights import (
    OUTSIDE_MM,
    USUAL_WALL_MM,
    WALL_BLUR_MM,
    WALL_MIN_BACKS,
    WALL_WITHIN_MM,
    see_from,
    turn_from_upright,
)

PITCH_MM = 26.5
"""The distance from tile to tile in a row of discards."""
ROW_MM = 36.0
BEYOND_WALL_MM = 15.0
"""Backs up to this far beyond the wall's outer side belong to the wall."""
EDGE_BLUR_MM = 14.0
CORNER_MAX_NATS = 1.5
"""The most nats of a tile beyond the corner between two players' edges: it is along one of them."""
IN_WALL_MM, NOT_IN_WALL_COST = 40.0, 7.0
"""How far from the middle of the wall its tiles may be, and nats of one that is farther."""
PILE_U_MM, PILE_V_MM, PILE_AT_MM = 95.0, 75.0, 105.0
"""The spread of discards before a player, to the side and towards the player, and their distance from the
middle."""
SLOT_BLUR_MM = 8.0
IN_ROWS, BY_CHANCE, ANYWHERE = 0.95, 0.02, 0.02
"""Shares of discards that continue a row, where players lay rows and where they do not; and of those
anywhere."""
MIDDLE_MM = 480.0
FACING_SHARE, PLACED_FACING_SHARE, FACING_BLUR = 0.65, 0.92, 0.3
"""The share of discards, and of tiles placed with care, that face their player; and the spread, radians."""
GAP_MAX_NATS = 4.0
"""The most nats that the next discard counts for or against a gap."""
RIVER_MIN_NATS = -4.0
"""However well a place fits, its cost is no lower than this."""

_PILE = 1 / (2 * pi * PILE_U_MM * PILE_V_MM)
_SLOT = 1 / (2 * pi * SLOT_BLUR_MM**2)
_ANYWHERE = ANYWHERE / MIDDLE_MM**2


def find_row_place(x_mm: float, y_mm: float) -> tuple[int, int, int]:
    """The order in which a tile was probably discarded if all players lay rows: row, place in it from its
    player's left, player. Lower is earlier."""
    u, v, seat = max(((*see_from(seat, x_mm, y_mm), seat) for seat in range(4)), key=lambda each: each[1])
    return round(v / ROW_MM), round(u / PITCH_MM), seat


def placed_facing_cost(seat: int, angle: float) -> float:
    """Nats of a tile's direction if the player placed it at their own edge."""
    return _facing_cost(seat, angle, PLACED_FACING_SHARE)


def find_wall(tracks: Iterable[Track]) -> float | None:
    """How far the middles of the walls are from the middle of the table, by the backs; None if no wall is
    seen."""
    away = sorted(max(abs(track.x_mm), abs(track.y_mm)) for track in tracks if track.face.is_back)
    away = [each for each in away if WALL_WITHIN_MM[0] < each < WALL_WITHIN_MM[1]]
    best, found, first = 0, None, 0
    for last, far in enumerate(away):
        while far - away[first] > 2 * WALL_BLUR_MM:
            first += 1
        if last - first + 1 > best:
            best, found = last - first + 1, away[(first + last) // 2]
    return found if best >= WALL_MIN_BACKS else None


@dataclass(frozen=True, slots=True)
class Quarters:
    """The parts of the table. wall_mm: how far the middles of the walls are from the middle of the table."""

    wall_mm: float = USUAL_WALL_MM

    @property
    def edge_mm(self) -> float:
        """Where a player's edge begins."""
        return self.wall_mm + OUTSIDE_MM

    def river_cost(self, seat: int, track: Track, rivers: Sequence[River]) -> float:
        """Nats of the tile's place for a discard of that player. rivers: of all players."""
        u, v = see_from(seat, track.x_mm, track.y_mm)
        density = _find_density(u, v, _find_rows_share(rivers), rivers[seat])
        beyond = self._find_beyond(max(abs(u), abs(v)))
        return max(RIVER_MIN_NATS, -log(density / _PILE) - log(1 - 0.999 * beyond)) + _facing_cost(
            seat, track.angle
        )

    def late_cost(self, seat: int, track: Track, rivers: Sequence[River], later: int) -> float:
        """The same for a discard that has `later` discards of the player after it: it closes a gap in a row,
        or opens one."""
        river = rivers[seat]
        before, after = river[: len(river) - later], river[len(river) - later :]
        known = tuple(before if each == seat else rivers[each] for each in range(len(rivers)))
        cost = self.river_cost(seat, track, known)
        if not after:
            return cost
        rows, place = _find_rows_share(rivers), see_from(seat, track.x_mm, track.y_mm)
        without, with_it = (_find_density(*after[0], rows, each) for each in (before, (*before, place)))
        return cost + max(-GAP_MAX_NATS, min(GAP_MAX_NATS, log(without / with_it)))

    def edge_cost(self, seat: int, track: Track) -> float:
        """Nats of the tile's place for something the player has put at their own edge."""
        u, v = see_from(seat, track.x_mm, track.y_mm)
        past_corner = min(CORNER_MAX_NATS, max(0.0, abs(u) - v - 20.0) * 0.03)
        return -log(0.001 + 0.999 * self._find_beyond(v)) + past_corner

    def wall_cost(self, track: Track) -> float:
        """Nats of the tile's place for one that is turned over in the wall."""
        v = max(abs(track.x_mm), abs(track.y_mm))
        return 0.0 if abs(v - self.wall_mm) < IN_WALL_MM else NOT_IN_WALL_COST

    def is_at_edge(self, track: Track) -> bool:
        """Whether it is outside the walls."""
        return max(abs(track.x_mm), abs(track.y_mm)) > self.edge_mm

    def is_of_wall(self, track: Track) -> bool:
        """Whether it is a back no farther out than the walls."""
        away = max(abs(track.x_mm), abs(track.y_mm))
        return track.face.is_back and away < self.edge_mm + BEYOND_WALL_MM

    def _find_beyond(self, v: float) -> float:
        return 1 / (1 + exp(-(v - self.edge_mm) / EDGE_BLUR_MM))


WITHOUT_WALL = Quarters()


def _find_density(u: float, v: float, rows: float, river: River) -> float:
    """The density of a player's next discard at a place, per mm2; rows: the share that continues a row."""
    return (1 - rows) * _pile(u, v) + rows * _SLOT * _fit_slot(u, v, river) + _ANYWHERE


def _pile(u: float, v: float) -> float:
    return _PILE * exp(-((u / PILE_U_MM) ** 2 + ((v - PILE_AT_MM) / PILE_V_MM) ** 2) / 2)


def _find_rows_share(rivers: Sequence[River]) -> float:
    """The share of next discards that continue a row: the players at one table either lay rows or do not."""
    evidence = sum(_weigh_rows(river) for river in rivers)
    rows = 1 / (1 + exp(-max(-30.0, min(30.0, evidence))))
    return BY_CHANCE + (IN_ROWS - BY_CHANCE) * rows


@lru_cache(maxsize=4096)
def _weigh_rows(river: River) -> float:
    """Nats in favour of these discards being in rows rather than in a pile."""
    total = 0.0
    for count in range(1, len(river)):
        u, v = river[count]
        slot, pile = _SLOT * _fit_slot(u, v, river[:count]), _pile(u, v) + _ANYWHERE
        total += log(IN_ROWS * slot + (1 - IN_ROWS) * pile) - log(BY_CHANCE * slot + (1 - BY_CHANCE) * pile)
    return total


def _fit_slot(u: float, v: float, river: River) -> float:
    """How well the place continues a row: next to the last discard, or at the beginning of the next row."""
    if not river:
        return 0.0
    last_u, last_v = river[-1]
    slots = [(last_u + PITCH_MM, last_v), (last_u - PITCH_MM, last_v)]
    first_u = min(place[0] for place in river)
    slots.append((first_u, max(place[1] for place in river) + ROW_MM))
    return max(exp(-(hypot(u - a, v - b) ** 2) / (2 * SLOT_BLUR_MM**2)) for a, b in slots)


def _facing_cost(seat: int, angle: float, share: float = FACING_SHARE) -> float:
    off = turn_from_upright(seat, angle)
    facing = exp(-((off / FACING_BLUR) ** 2) / 2) / (FACING_BLUR * (2 * pi) ** 0.5) * 2 * pi
    return -log(1 - share + share * facing)


JOINED_MM = 50.0
"""The most between the middles of neighbours, one of them across."""
OVERLAP_MM = 20.0
"""The least between the middles of tiles in a row: nearer ones are one tile found twice, or one has gone."""
ROW_BLUR_MM = 24.0
EDGE_MARGIN_MM = 40.0
PAST_CORNER_MM = 160.0
"""How far a row may reach beyond the corner between two players' edges: on a large table hands are near the
walls."""


Placed = tuple[float, float, Track]


def find_rows(quarters: Quarters, seat: int, tracks: Sequence[Track]) -> list[tuple[Track, ...]]:
    """The tiles at that player's edge, row by row from the player's left to right.

    Of two tiles in one place it is the one seen last: drawn tiles stand there for a moment, turn after turn.
    """
    placed = []
    for track in tracks:
        u, v = see_from(seat, track.x_mm, track.y_mm)
        if v > quarters.edge_mm - EDGE_MARGIN_MM and abs(u) < v + PAST_CORNER_MM:
            placed.append((u, v, track))
    placed.sort(key=lambda each: each[0])
    rows: list[list[Placed]] = []
    for each in placed:
        row = next(
            (row for row in rows if hypot(each[0] - row[-1][0], each[1] - row[-1][1]) < JOINED_MM
             and abs(each[1] - row[-1][1]) < ROW_BLUR_MM),
            None,
        )  # fmt: skip
        if row is None:
            rows.append([each])
        elif _is_same_place(each, row[-1]):
            row[-1] = max(row[-1], each, key=lambda one: one[2].since_s)
        else:
            row.append(each)
    return [tuple(track for _, _, track in row) for row in rows]


def _is_same_place(one: Placed, other: Placed) -> bool:
    """Whether only one of them is there: both are the same tile, or the first had gone when the second
    came."""
    tracks = one[2], other[2]
    together = max(track.since_s for track in tracks) < min(track.seen_s for track in tracks)
    are_two = together and tracks[0].face.top != tracks[1].face.top
    return not are_two and hypot(one[0] - other[0], one[1] - other[1]) < OVERLAP_MM
