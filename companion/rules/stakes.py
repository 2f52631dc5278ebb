"""What a table plays for, in points."""

from __future__ import annotations

from msgspec import Struct


class Stakes(Struct, frozen=True):
    """What a win costs each payer: `base` and, for each point of the hand's value joined with that payer's
    lines, `unit`. Whole numbers from 0, not both 0."""

    base: int = 0
    unit: int = 1
