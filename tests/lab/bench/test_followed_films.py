"""What of a film's truth a camera can see, and what is counted of what was said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.live.doubts import SEA_BELIED, SEA_UNSURE
from companion.sentences import Sentence
from companion.table.events import Corrected, Dealt, Discarded, Drawn, Event, HandStarted
from lab.bench.followed_films import FilmTruth, Timed, VisibleTruth, compare_film, list_visible


def test_tiles_left_are_those_of_the_end_of_a_settled_moment() -> None:
    events: tuple[Event, ...] = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="1m"), Drawn(seat=1))
    header = {"rules": "hebei", "options": {}, "dealer": 0}
    moments = ((2.1, 3.5, 71), (3.6, 5.0, 71))  # the tile is drawn while nothing moves in the picture
    scenes = tuple({"table": [], "t": t, "until": until, "left": left} for t, until, left in moments)
    truth = FilmTruth(header, tuple((float(t), t + 1, e) for t, e in enumerate(events, 1)), scenes, ())
    (_, _, before), (_, _, after) = list_visible(truth).settled
    assert after == before - 1


def say(number: int, t: float, event: Event, *, certain: bool = False) -> dict[str, Any]:
    return {"t": t, "number": number, "certain": certain, "event": msgspec.to_builtins(event)}


def test_a_discard_is_timed_by_when_it_was_said_first() -> None:
    first, other = Discarded(seat=0, tile="1m"), Discarded(seat=1, tile="2m")
    truth = VisibleTruth((Timed(3.0, first), Timed(5.0, other)), (), None)
    lines = [
        say(2, 1.0, HandStarted(dealer=0)), say(3, 1.0, Dealt()),
        say(4, 3.5, first), say(5, 4.5, Drawn(seat=1)),
        say(6, 20.0, Corrected(number=5)), say(7, 20.0, Corrected(number=4)),
        say(8, 20.0, first), say(9, 20.0, Drawn(seat=1)), say(10, 20.0, other),
    ]  # fmt: skip
    assert compare_film(lines, truth).delays == [0.5, 15.0]


def test_corrected_event_keeps_its_certainty() -> None:
    truth = VisibleTruth((Timed(3.0, Discarded(seat=0, tile="1m")),), (), None)
    begun = [say(2, 1.0, HandStarted(dealer=0)), say(3, 1.0, Dealt())]
    taken, right, wrong = Drawn(seat=0), Discarded(seat=0, tile="1m"), Discarded(seat=0, tile="2m")
    for first, last, certain, certain_wrong in (
        (say(4, 3.5, taken, certain=True), say(5, 9.0, Corrected(number=4, right=wrong)), 0, 0),
        (say(4, 3.5, taken), say(5, 9.0, Corrected(number=4, right=wrong), certain=True), 1, 1),
        (say(4, 3.5, wrong, certain=True), say(5, 9.0, Corrected(number=4, right=right), certain=True), 1, 0),
    ):
        counts = compare_film([*begun, first, last], truth).counts
        assert (counts["certain"], counts["wrong and certain"]) == (certain, certain_wrong)
    again = say(6, 12.0, Corrected(number=5))
    counts = compare_film(
        [*begun, say(4, 3.5, wrong, certain=True), say(5, 9.0, Corrected(number=4)), again], truth
    ).counts
    assert (counts["certain"], counts["wrong and certain"]) == (1, 1), "the correction was taken back"


UNSURE, BELIED = Sentence(SEA_UNSURE), Sentence(SEA_BELIED, {"left": 5, "shown": 4})
OTHER_GAME = Sentence("The tiles look like those of another game.")


@pytest.mark.parametrize(
    ("said", "doubtful"),
    [
        ([], 0),
        ([(20.0, UNSURE)], 1),
        ([(31.0, BELIED)], 1),
        ([(20.0, UNSURE), (28.0, None)], 0),
        ([(20.0, UNSURE), (31.0, None)], 1),
        ([(40.0, UNSURE)], 0),
        ([(20.0, OTHER_GAME)], 0),
    ],
)
def test_a_sea_floor_that_was_missed_is_counted_apart_where_it_was_said_to_be_doubtful(
    said: list[tuple[float, Sentence | None]], doubtful: int
) -> None:
    truth = VisibleTruth((), (), 30.0)
    lines: list[dict[str, Any]] = [
        {"t": t, "doubt": {"why": None if why is None else str(why)}} for t, why in said
    ]
    figures = compare_film(lines, truth)
    assert (figures.counts["seas"], figures.counts["seas right"]) == (1, 0)
    assert figures.report()["seas_missed_but_doubtful"] == doubtful


def test_a_sea_floor_that_was_announced_in_time_was_not_missed_though_it_was_doubtful() -> None:
    lines = [
        {"t": 20.0, "doubt": {"why": str(UNSURE)}},
        {"t": 31.0, "state": {"left": 4, "before_sea": 0, "phase": "claim"}},
    ]
    figures = compare_film(lines, VisibleTruth((), (), 30.0))
    assert (figures.counts["seas right"], figures.report()["seas_missed_but_doubtful"]) == (1, 0)
