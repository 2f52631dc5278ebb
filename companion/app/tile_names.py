"""What the kinds of tiles are called in the window."""

from __future__ import annotations

from companion.words.tile_names import CODES, name_run, name_tile

__all__ = ["CODES", "name_run", "name_tile"]
