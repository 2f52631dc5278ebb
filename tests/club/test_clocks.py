"""A table's clock that is off is noticed once, and messages that waited in a broker are no sign of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from companion.club.clocks import Clocks
from companion.publish.topics import TableTopics

SEVEN = TableTopics("dragons", "7")
NOW = datetime(2026, 11, 30, 20, tzinfo=UTC)
HOUR, EVERY, SECOND = timedelta(hours=1), timedelta(seconds=20), timedelta(seconds=1)


def note(clocks: Clocks, *heard: tuple[timedelta, timedelta]) -> list[timedelta | None]:
    """heard: when each message came and what the table's clock said, from NOW."""
    return [clocks.note(SEVEN, NOW + at, NOW + came) for came, at in heard]


def test_a_clock_an_hour_off_is_noticed_once_and_again_after_it_was_right() -> None:
    clocks = Clocks()
    for ahead in (HOUR, -HOUR):
        off = [(number * EVERY, number * EVERY + ahead) for number in range(4)]
        assert note(clocks, *off) == [None, ahead, None, None]
        right = [(number * EVERY, number * EVERY) for number in range(10, 13)]
        assert note(clocks, *right) == [None, None, None]


def test_what_waited_for_an_hour_is_no_sign() -> None:
    waited = [(HOUR + number * SECOND / 100, number * EVERY) for number in range(180)]
    live = [(HOUR + number * EVERY, HOUR + number * EVERY) for number in range(1, 5)]
    assert set(note(Clocks(), (-EVERY, -EVERY), *waited, *live)) == {None}
