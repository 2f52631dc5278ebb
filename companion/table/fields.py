"""What the fields of events may hold; a log that holds anything else is refused where it is read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

Seat = Annotated[int, Meta(ge=0, le=3)]
"""0 to 3, counterclockwise."""
Code = Annotated[str, Meta(pattern="^([1-9][mps]|[1-7]z|[1-8]f)$")]
"""A kind of tile, as "5m"."""
Tiles = Annotated[str, Meta(pattern="^([1-9]+[mpszf])*$", max_length=64)]
"""Tiles in the order in which they were taken, as "123m5z"."""
MeldText = Annotated[str, Meta(pattern="^[cpkaK][1-9]{3,4}[mpsz]$")]
"""A meld, as "c234m", "p555p", "k5555p", "a5555p", "K5555p"."""
Die = Annotated[int, Meta(ge=1, le=6)]
Number = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Points = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
FourPoints = tuple[Points, Points, Points, Points]
"""By seat."""
Text = Annotated[str, Meta(max_length=200)]


class Wind(StrEnum):
    """The wind of a round. It is read by its first letter too, and with capitals."""

    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    NORTH = "north"

    @classmethod
    def _missing_(cls, value: object) -> Wind | None:
        return next((wind for wind in cls if value in (wind.capitalize(), wind[0], wind[0].upper())), None)


class Call(StrEnum):
    """What a player calls, aloud or by a button, while a tile may be claimed. A later call replaces it."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    WIN = "win"
    NOTHING = "nothing"
