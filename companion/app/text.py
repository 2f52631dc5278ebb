"""What the seats, and the people on them, are called in the window."""

from __future__ import annotations

from companion.sentences import Sentence, msgid
from companion.table.state import State

SEAT_NAMES = (msgid("You"), msgid("Right"), msgid("Across"), msgid("Left"))
"""By seat: counterclockwise, from the person at the window."""


def name_seats(state: State | None) -> tuple[Sentence, ...]:
    """Who sits in each seat, by name; where nobody is named, or no game is played, the seat's place."""
    places = tuple(Sentence(place) for place in SEAT_NAMES)
    if state is None:
        return places
    names = (state.names[person] for person in state.seated)
    return tuple(
        Sentence("{name}", {"name": name or place}) for name, place in zip(names, places, strict=True)
    )
