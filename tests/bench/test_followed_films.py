"""What of a film's truth a camera can see."""

from __future__ import annotations

from companion.bench.film_truth import FilmTruth
from companion.bench.followed_films import list_visible
from companion.table.events import Dealt, Discarded, Drawn, Event, HandStarted


def test_tiles_left_are_those_of_the_end_of_a_settled_moment() -> None:
    events: tuple[Event, ...] = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="1m"), Drawn(seat=1))
    header = {"rules": "hebei", "options": {}, "dealer": 0}
    moments = ((2.1, 3.5, 71), (3.6, 5.0, 71))  # the tile is drawn while nothing moves in the picture
    scenes = tuple({"table": [], "t": t, "until": until, "left": left} for t, until, left in moments)
    truth = FilmTruth(header, tuple((float(t), t + 1, e) for t, e in enumerate(events, 1)), scenes, ())
    (_, _, before), (_, _, after) = list_visible(truth).settled
    assert after == before - 1
