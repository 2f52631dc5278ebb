"""What people say of the tiles of a set while it is played with: each drawing need be named only once."""

from __future__ import annotations

import numpy as np

from companion.seeing.tile_tracks import TileTrack
from companion.vision.candidates import Floats
from companion.vision.deciding import NamedFaces


class NamedTiles:
    """The tiles of one set that a person named; what was said last of a tile counts."""

    def __init__(self) -> None:
        self._named: dict[TileTrack, tuple[str, Floats]] = {}

    def note(self, track: TileTrack, code: str, features: Floats) -> None:
        """A person says what this tile is. features: (4, f), what the reader sees of it, turned each way: the
        next one may be taken to lie otherwise."""
        self._named[track] = code, features

    def find(self, track: TileTrack) -> str | None:
        """What a person said that this tile is; None where nobody said anything."""
        return self._named[track][0] if track in self._named else None

    def list_faces(self) -> NamedFaces | None:
        """All that was named; None where nothing was."""
        if not self._named:
            return None
        codes = tuple(code for code, features in self._named.values() for _ in features)
        return NamedFaces(codes, np.concatenate([features for _, features in self._named.values()]))
