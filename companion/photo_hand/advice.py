"""How a better picture would be taken, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.sentences import Sentence
from companion.vision.reading import CLOSER


def advice(given: Sequence[str]) -> Sentence | None:
    """The most pressing of what a reading advises."""
    if not given:
        return None
    if CLOSER in given:
        return Sentence("Some tiles are too small to be read: go closer.")
    return Sentence("Some tiles are blurred: hold the camera still and let it focus.")
