"""What a tile set can learn from a photographed hand: tiles that a person named, and those surely read."""

from __future__ import annotations

from pathlib import Path

from companion.app.news import TilesNamed
from companion.images import Quad
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand


def has_corrections(draft: WinDraft) -> bool:
    """Whether a person has named tiles of a picture."""
    named = any(tile.settled and tile.quad and tile.is_kind for tile in draft.hand.tiles)
    return named and draft.picture is not None


def name_tiles(draft: WinDraft, word: str) -> TilesNamed:
    """Every tile of the picture with what it is, None where it still needs a look."""
    laid = {
        member: code
        for meld in draft.hand.melds
        for member, code in zip(meld.members, meld.codes, strict=True)
    }
    tiles = tuple(
        (tile.quad, laid.get(tile.id, tile.code) if tile.is_kind and not tile.needs_look else None)
        for tile in draft.hand.tiles
        if tile.quad
    )
    return TilesNamed(Path(draft.picture or ""), tiles, word)


def find_tile(hand: PhotoHand, quad: Quad) -> int | None:
    """The id of the tile with that outline."""
    return next((tile.id for tile in hand.tiles if tile.quad == quad), None)
