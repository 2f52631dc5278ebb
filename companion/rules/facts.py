"""Questions that the patterns of several games ask about a win or a reading."""

from __future__ import annotations

from companion.rules.win import GroupKind, Reading
from companion.tiles import Tile

_PUNGS_AND_KONGS = (GroupKind.TRIPLET, GroupKind.KONG)


def concealed_pungs(reading: Reading) -> list[Tile]:
    """The tiles of concealed triplets (ruling C-16), concealed kongs not among them."""
    return [g.tile for g in reading.groups if g.concealed and g.kind is GroupKind.TRIPLET]


def concealed_pungs_and_kongs(reading: Reading) -> list[Tile]:
    """The tiles of concealed triplets (ruling C-16) and concealed kongs."""
    return [g.tile for g in reading.groups if g.concealed and g.kind in _PUNGS_AND_KONGS]


def won_on_a_pair(reading: Reading) -> bool:
    """Whether the winning tile completed a pair."""
    return any(g.won and g.kind is GroupKind.PAIR for g in reading.groups)


def pairs_quads(reading: Reading) -> int | None:
    """How many kinds seven pairs hold four times; None for another shape."""
    if reading.shape != "seven_pairs":
        return None
    return len(reading.groups) - len({g.tile for g in reading.groups})
