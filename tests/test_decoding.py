"""What is wrong with content, in words for people and not in those of a library."""

from __future__ import annotations

import pytest

from companion.errors import EventError
from companion.foreign import Undecodable, decode_as, load_json
from companion.table.events import Event, GameStarted, Wind, decode_event


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


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ('"game_started","rules":"hefei","round_wind":"up"', "east or south or west or north, not 'up'"),
        ('"called","seat":1,"call":"peng"', "chow or .*, not 'peng'"),
    ],
)
def test_a_field_with_few_values_names_them(event: str, why: str) -> None:
    with pytest.raises(EventError, match=f"must be {why}"):
        decode_event(f'{{"event":{event}}}')


@pytest.mark.parametrize("wind", ["south", "South", "s", "S"])
def test_a_game_is_named_as_people_write_it(wind: str) -> None:
    event = decode_event(f'{{"event":"game_started","rules":"hong-kong","round_wind":"{wind}"}}')
    assert event == GameStarted(rules="hong_kong", round_wind=Wind.SOUTH)
    assert isinstance(event, GameStarted)
    assert event.rules == "hong_kong"


def test_a_number_of_too_many_digits_is_refused_in_plain_words() -> None:
    with pytest.raises(Undecodable, match=r"^a number in it has too many digits$"):
        load_json("9" * 5000)
    with pytest.raises(Undecodable, match=r"^it is not JSON$"):
        load_json(b"\xff")
