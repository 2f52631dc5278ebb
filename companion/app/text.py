"""The languages of the window, and what its seats are called."""

from __future__ import annotations

from companion.sentences import msgid
from companion.words import LOCALE_DIR, Language, Words, catalogue

__all__ = ["LOCALE_DIR", "SEAT_NAMES", "Language", "Words", "catalogue"]

SEAT_NAMES = (msgid("You"), msgid("Right"), msgid("Across"), msgid("Left"))
"""By seat: counterclockwise, from the person at the window."""
