"""What a camera sees on the table at one settled moment: plain values.

Places are in mm from the middle of the table, x to the right of seat 0, who sits at the lower edge, and y
away from seat 0. Seats follow counterclockwise: 1 at the right, 2 opposite, 3 at the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, remainder

from companion.sentences import msgid

NO_TABLE = msgid("table not found: show all four corners in good light, or enter them")
TWO_TABLES = msgid("two tables are in view: show one alone, or say where its corners are")
HELD = msgid("the camera moves all the time: put it on a stand")
MOVED_AWAY = msgid("the camera was moved: searching for the table")
OTHER_SIZE = msgid("the camera's picture has another size than before")
SHAKES = msgid("the camera shakes")
IS_COVERED = msgid("the camera is covered")
TOO_DARK = msgid("the picture is too dark")
TOO_BRIGHT = msgid("the picture is overexposed")
"""Why nothing can be seen: `Sight.trouble`."""

USUAL_WALL_MM = 245.0
"""From the middle of the table to the middle of a wall of 17 stacks."""
WALL_MIN_BACKS, WALL_BLUR_MM, WALL_WITHIN_MM = 16, 8.0, (120.0, 305.0)
"""This number of backs about as far from the middle are a wall, if they are within these two distances: half
of 18 stacks and two tiles. Beyond it are the hands, which from above show backs too."""
OUTSIDE_MM = 17.0
"""Melds, flowers and hands begin this far outside the middle of the wall, half a tile's height; inside are
walls and rivers."""

SETTLED_S = 0.4
"""A tile counts only after it has been seen for this time."""

USUAL_TILE_MM = 26.0
BLANK = "5z"
"""The tile whose face may look like a back, in any direction."""
Readings = tuple[tuple[str, float], ...]
"""Codes with their probabilities, likeliest first: kinds, `back`, or `?` for a face that was not read."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile on the table.

    track: its number while it stays; a tile that is put somewhere else gets another one, and so does a place
    with another face. x_mm, y_mm: of its middle. angle: radians counterclockwise by which its glyph is
    turned, 0 if it is upright for seat 0. standing: whether it stands, as in a hand. still_since_s: since
    when it has been still. upon: whether it was put upon another tile, which is hidden now.
    """

    track: int
    x_mm: float
    y_mm: float
    angle: float
    readings: Readings
    standing: bool = False
    still_since_s: float = 0.0
    upon: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the table, in mm, sides parallel to its edges."""

    left: float
    near: float
    right: float
    far: float

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether the place is in it."""
        return self.left <= x_mm <= self.right and self.near <= y_mm <= self.far


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice that lie still on the table. pips: of each, the fewest first, since dice have no order;
    since_s: when the last of them came to rest; p: that all are right, 0 to 1."""

    pips: tuple[int, ...]
    since_s: float
    p: float = 1.0


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen at `t` seconds.

    covered: where something is in the way, so that a tile may be there unseen. dice: the roll, if it is
    surely read. trouble: why nothing can be seen. tile_mm: width of the tiles, for a table with sides of 800
    mm; tables and tiles differ. misfits: how many tiles plainly show kinds, or copies, that this game does
    not have. taken_s: when tiles went from the walls, at the latest, since the last sight. wall_backs: number
    of known backs in walls, hidden ones included. wall_mm: how far the middles of the walls are from the
    table's middle, if the walls in sight are nearer than usual.
    """

    t: float
    tiles: tuple[SeenTile, ...] = ()
    covered: tuple[Box, ...] = ()
    dice: Roll | None = None
    trouble: str = ""
    tile_mm: float = USUAL_TILE_MM
    misfits: int = 0
    taken_s: tuple[float, ...] = ()
    wall_backs: int = 0
    wall_left: tuple[int, int] | None = None
    wall_mm: float | None = None


def see_from(seat: int, x_mm: float, y_mm: float) -> tuple[float, float]:
    """(u, v) of a place as that seat sees it: u to the right, v from the middle towards the player."""
    if seat == 0:
        return x_mm, -y_mm
    if seat == 1:
        return y_mm, x_mm
    return (-x_mm, y_mm) if seat == 2 else (-y_mm, -x_mm)


def turn_from_upright(seat: int, angle: float) -> float:
    """By how much a glyph is turned from upright for that player, 0 to pi."""
    return abs(remainder(angle - seat * pi / 2, 2 * pi))
