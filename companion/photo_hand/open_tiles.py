"""The face-up tiles on a photographed table around a hand: all faces but the hand's own.

They are kept as a PhotoHand without melds, so that the same touches correct them. `others` are the tiles that
do not count, such as those of the hand where the picture shows it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.tiles import BACK, UNKNOWN, MeldKind, Tile, TileSet, format_tiles

if TYPE_CHECKING:
    from companion.rules import RuleSet
    from companion.vision import TileReading

MISREAD_PART = 5
MISREAD_MAX = 2
"""Maximum number of a hand's tiles that may be read differently in a second picture, if that is at most one
in MISREAD_PART. A guess."""


class Held(NamedTuple):
    """The tiles of a hand, as codes: concealed ones, and those of its melds and flowers."""

    concealed: tuple[str, ...]
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, hand: PhotoHand) -> Held:
        melded = [code for meld in hand.melds for code in meld.codes]
        flowers = [tile.code for tile in hand.flowers]
        return cls(tuple(tile.code for tile in hand.concealed), (*melded, *flowers))


def find_other_tiles(hand: PhotoHand) -> PhotoHand:
    """The other tiles in the picture of a hand: those that do not count in the hand do count here."""
    tiles = tuple(tile for tile in hand.tiles if tile.quad)
    own = tuple(tile.id for tile in tiles if hand.counts(tile.id))
    return PhotoHand(tiles, removed=hand.removed, next_id=hand.next_id, others=own, arranged=True)


def read_table(
    before: PhotoHand,
    readings: Iterable[TileReading],
    held: Held,
    rules: RuleSet,
    kinds: Container[MeldKind],
) -> PhotoHand:
    """The open tiles after a (second) reading of their picture: all faces, except the hand's where the
    picture shows it too. Anything that a person settled, removed or excluded stays."""
    known = {tile.id for tile in before.tiles}
    found = replace(before, others=(), arranged=False).read_again(readings, rules, kinds)
    kept = [each for each in before.others if found.tile(each)]
    own = _list_counted(found) if _is_same(found, held) else []
    others = (*kept, *(tile.id for tile in own if tile.id not in known))
    table = replace(found, melds=(), unnamed=(), chosen_win=None, others=others, p=1.0, arranged=True)
    return limit_to_copies(table, held, rules.tile_set)


def limit_to_copies(table: PhotoHand, held: Held, tile_set: TileSet) -> PhotoHand:
    """The open tiles as that hand leaves them possible: if there are more copies than the set has, the
    least certain ones become unread."""
    pictured = Counter(tile.code for tile in table.tiles if tile.id in table.others)
    held_elsewhere = Counter((*held.concealed, *held.shown)) - pictured
    return table.limit_to_tile_set(tile_set, held_elsewhere)


def include_tile(table: PhotoHand, tile_id: int) -> PhotoHand:
    """With that tile counted."""
    others = tuple(each for each in table.others if each != tile_id)
    return replace(table, others=others, arranged=True)


def count_only(table: PhotoHand, ids: Iterable[int]) -> PhotoHand:
    """With only these tiles of the picture counted. Unchanged if none of them is face up."""
    chosen = set(ids)
    pictured = [tile for tile in table.tiles if tile.quad and tile.code != BACK]
    if chosen.isdisjoint(tile.id for tile in pictured):
        return table
    others = tuple(tile.id for tile in pictured if tile.id not in chosen)
    return replace(table, others=others, arranged=True)


def keep_typed_tiles(table: PhotoHand) -> PhotoHand:
    """With the typed tiles only, before another picture is read."""
    return PhotoHand(tuple(tile for tile in table.tiles if tile.quad is None), next_id=table.next_id)


def list_open_tiles(table: PhotoHand) -> tuple[PhotoTile, ...]:
    """The tiles that count: face-up ones."""
    return tuple(tile for tile in table.free if tile.code != BACK)


def encode_open_tiles(table: PhotoHand, tile_set: TileSet) -> str:
    """The field `seen` of a request for advice, with "?" for each face that is unread or impossible."""
    kinds = {kind.code for kind in tile_set.kinds}
    codes = [tile.code for tile in list_open_tiles(table)]
    named = sorted(Tile.parse(code) for code in codes if code in kinds)
    return format_tiles(named) + UNKNOWN * (len(codes) - len(named))


def _list_counted(hand: PhotoHand) -> list[PhotoTile]:
    return [tile for tile in hand.tiles if tile.quad and hand.counts(tile.id)]


def _is_same(found: PhotoHand, held: Held) -> bool:
    """Whether the hand found in the picture of a table is that hand, apart from misread tiles."""
    codes = Counter(tile.code for tile in found.concealed if tile.quad)
    shared = (codes & Counter(held.concealed)).total() + codes[UNKNOWN]
    most = max(codes.total(), len(held.concealed))
    return most > 0 and shared >= most - min(MISREAD_MAX, most // MISREAD_PART)
