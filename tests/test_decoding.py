"""What is wrong with content, in words for people and not in those of a library."""

from __future__ import annotations

import pytest

from companion.errors import EventError
from companion.foreign import Undecodable, decode_as
from companion.table.events import Event, decode_event


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("garbage", "it is not JSON"),
        ('{"event":"drawn"', "it is not JSON"),
        ("[1]", "it is not what it should be"),
        ('{"seat":1}', "event is missing"),
        ('{"event":"drawm","seat":1}', "event cannot be 'drawm'"),
        ('{"event":"drawn","foo":1}', "there is no field foo"),
        ('{"event":"drawn","seat":9}', "seat must be at most 3"),
        ('{"event":"drawn","seat":-1}', "seat must be at least 0"),
        ('{"event":"drawn","seat":"x"}', "seat must be a whole number"),
        ('{"event":"drawn","seat":1,"tile":"0m"}', "tile is not what it should be"),
        ('{"event":"points_moved","points":[1,2]}', "points must have 4 entries"),
        ('{"event":"points_moved","points":[1,2,3,1e400]}', r"points\[3\] is not what it should be"),
    ],
)
def test_an_event_that_cannot_be_read_says_why(line: str, why: str) -> None:
    with pytest.raises(EventError, match=rf"is not an event of a game: {why}\.$"):
        decode_event(line)
    with pytest.raises(Undecodable, match=f"^{why}$"):
        decode_as(line, Event)
