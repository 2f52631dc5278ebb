"""How far films were followed: what is kept of it, and what is found again."""

from __future__ import annotations

from companion.app.game.effects import KeptFollowing
from companion.app.game.films import PLACES_MAX, FilmPlace, Places, find_place, move_place, put_place
from companion.app.shell.features import PARTS

ONE = FilmPlace("friday", "track-1", "/films/one.mp4", 3.0, 1)
TWO = FilmPlace("friday", "track-2", "/films/two.mp4")


def test_a_film_is_found_by_what_it_shows_or_where_it_lies_in_its_game_alone() -> None:
    places = put_place(put_place((), ONE), TWO)
    assert find_place(places, "friday") == TWO, "the one followed last"
    assert find_place(places, "friday", key="track-1") == ONE
    assert find_place(places, "friday", path="/films/one.mp4") == ONE
    assert find_place(places, "saturday", key="track-1") is None
    assert find_place(places, "friday", key="track-3") is None


def test_the_film_that_is_followed_moves_on_and_few_are_kept() -> None:
    places = move_place(put_place((TWO, ONE), TWO), 8.5)
    assert [(each.key, each.place_s) for each in places] == [("track-1", 3.0), ("track-2", 8.5)]
    many: Places = ()
    for number in range(PLACES_MAX + 5):
        many = put_place(many, FilmPlace("friday", f"track-{number}"))
    assert len(many) == PLACES_MAX
    assert many[-1].key == f"track-{PLACES_MAX + 4}"


def test_only_what_can_have_come_from_the_window_is_taken() -> None:
    is_valid = PARTS["game"].is_valid
    assert is_valid(KeptFollowing(films=(ONE, TWO)))
    assert not is_valid(KeptFollowing(films=(FilmPlace("friday", "track-1", place_s=-1.0),)))
    assert not is_valid(KeptFollowing(films=(FilmPlace("friday", "track-1", place_s=float("inf")),)))
