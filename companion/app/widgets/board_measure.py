"""How large the parts of a drawn table are, in widths of a tile from its middle. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.state import State

MIDDLE = 2.1
"""Half of the box in the middle."""
A_ROW, ROWS_LEAST, ROWS_MOST = 8, 2, 3
"""Discards: they begin beside the box, and run on into the corner of the table that is free."""
SPARE_DISCARDS = 3
"""More than a player's share: claims let some discard more often than others."""
TILE_HEIGHT = 4 / 3
WALL_DEPTH = 0.72


@dataclass(frozen=True, slots=True)
class Measure:
    """tile: px; strip: px, where melds lie and plates stand. rows: of discards that there is room for."""

    tile: float
    strip: float
    rows: int

    @property
    def wall_at(self) -> float:
        """The middle of the wall."""
        return self.river_end + 0.5

    @property
    def wall_length(self) -> float:
        return self.river_end - 0.05

    @property
    def river_end(self) -> float:
        return MIDDLE + self.rows * TILE_HEIGHT

    @property
    def laid_from(self) -> float:
        return self.wall_at + 0.5

    @property
    def half(self) -> float:
        """Half of the table, px."""
        return self.laid_from * self.tile + self.strip


def measure(side: float, strip_least: float, state: State | None) -> Measure:
    """The largest table that fits a square of that side, px."""
    rows = ROWS_MOST if state is None else count_rows(state)
    reach = Measure(1.0, 0.0, rows).laid_from
    tile = max(min(side / 2 / (reach + TILE_HEIGHT), (side / 2 - strip_least) / reach), 1.0)
    return Measure(tile, side / 2 - reach * tile, rows)


def count_rows(state: State) -> int:
    """How many rows of discards a player has at the most in this game, more seldom."""
    rules, players = state.house.rules, len(state.house.seats)
    dealt = rules.hand_size * players
    discards = (rules.tile_set.total - dealt) / players + SPARE_DISCARDS
    return min(max(-int(-discards // A_ROW), ROWS_LEAST), ROWS_MOST)


def split_name(name: str) -> tuple[str, str]:
    """The name in two lines, parted at the space or hyphen nearest to its middle, else in it."""
    breaks = [at + 1 for at, letter in enumerate(name[:-1]) if letter in " -·"]
    half = len(name) / 2
    at = min(breaks, key=lambda place: abs(place - half), default=round(half))
    return name[:at].rstrip(), name[at:].lstrip()
