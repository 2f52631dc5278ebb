"""How a better picture would be taken, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.sentences import Sentence
from companion.vision.reading import CLOSER, SHARPER

ADVICE = {
    CLOSER: Sentence("Some tiles are too small to be read: go closer."),
    SHARPER: Sentence("Some tiles are blurred: hold the camera still and let it focus."),
}
"""What each advice of a reading says, the most pressing first."""
WHICH_HAND = Sentence("Which tiles are the hand? Draw a frame around them.")


def choose_advice(given: Sequence[str]) -> Sentence | None:
    """The most pressing of what a reading advises."""
    return next((sentence for name, sentence in ADVICE.items() if name in given), None)
