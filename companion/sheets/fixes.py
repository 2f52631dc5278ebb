"""What an event that was entered may have been instead: steps that change one thing of it. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from companion.table.events import Corrected, Event, GameStarted, PointsMoved, Won
from companion.tiles import parse_tiles

POINTS_STEP = 1


def can_be_fixed(event: Event) -> bool:
    """Whether it may be replaced or taken out: everything but the game's beginning."""
    return not isinstance(event, GameStarted | Corrected)


def find_seat(event: Event) -> int | None:
    """Who did it; None where it is nobody's."""
    return getattr(event, "seat", None)


def find_tile(event: Event) -> str | None:
    """The one tile that it is about; None where there is none, or it was not seen."""
    tile = getattr(event, "tile", None)
    return tile if isinstance(tile, str) else None


def has_tile(event: Event) -> bool:
    """Whether it is about one tile, seen or not. A win's is that of the discard or the draw before it."""
    return hasattr(event, "tile") and (not isinstance(event, Won) or event.tile is not None)


def list_hand(event: Event) -> tuple[str, ...]:
    """The concealed tiles that a player showed with it."""
    hand = getattr(event, "hand", None)
    return tuple(tile.code for tile in parse_tiles(hand)) if isinstance(hand, str) else ()


def with_seat(event: Event, seat: int) -> Event:
    """Of another player."""
    return replace(event, seat=seat)


def with_tile(event: Event, code: str) -> Event:
    """With another tile."""
    return replace(event, tile=code)


def with_hand_tile(event: Event, at: int, code: str) -> Event:
    """With another tile in that place of the hand that was shown."""
    codes = list(list_hand(event))
    codes[at] = code
    return replace(event, hand="".join(codes))


def with_points(event: Event, giver: int, taker: int, points: int) -> Event:
    """Where points were moved by hand: that many more from the one seat to the other."""
    assert isinstance(event, PointsMoved)
    moved = list(event.points)
    moved[giver] -= points
    moved[taker] += points
    a, b, c, d = moved
    return replace(event, points=(a, b, c, d))
