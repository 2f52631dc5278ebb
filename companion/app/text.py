"""What the seats are called in the window."""

from __future__ import annotations

from companion.sentences import msgid

SEAT_NAMES = (msgid("You"), msgid("Right"), msgid("Across"), msgid("Left"))
"""By seat: counterclockwise, from the person at the window."""
