"""Faces of one set of tiles that a person named."""

from __future__ import annotations

from dataclasses import dataclass

from companion.vision.candidates import Floats


@dataclass(frozen=True, slots=True, eq=False)
class NamedFaces:
    """codes: of m faces, at least one; features: (m, f) float32, what the reader saw of each, upright or
    turned."""

    codes: tuple[str, ...]
    features: Floats
