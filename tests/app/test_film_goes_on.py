"""A film whose following was broken off is followed on where it stopped, also after the window was closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import SIZES, Driver
from film_player import WAIT_S, Film, slow_down
from game_states import get_state
from test_followed_films import begin_film, choose_film, wait_for_end

from companion.app.recognition import use_models
from companion.game import shelf
from companion.table.events import Discarded

pytestmark = pytest.mark.slow


def list_discards(driver: Driver) -> list[tuple[int, str | None]]:
    """Those of the game that is open, as they are listed; none while it is being opened."""
    followed = get_state(driver).followed
    events = [entry.event for entry in followed.entries] if followed else []
    return [(event.seat, event.tile) for event in events if isinstance(event, Discarded)]


def follow_some(driver: Driver, film: Film, tmp_path: Path) -> Path:
    """Follow the film to its second discard; gives the video."""
    video = slow_down(film, tmp_path)
    begin_film(driver, video)
    driver.wait(lambda: len(list_discards(driver)) >= 2, "two discards", most_s=WAIT_S)
    return video


def open_again(driver: Driver, tmp_path: Path) -> Driver:
    """Close the window and open it anew, on the page from which its game is followed."""
    driver.close()
    driver = Driver(tmp_path, use_models(), SIZES["small"])
    driver.touch(driver.root.bar.buttons["game"])
    (name,) = shelf.names()
    driver.press(f"Continue {name}")
    driver.wait(lambda: get_state(driver).shows_table, "the game")
    driver.settle()
    driver.touch(driver.pages.game.table.tools.camera)
    return driver


@pytest.mark.long
def test_a_film_goes_on_where_it_was_when_the_window_was_closed(
    kivy_window: None, tmp_path: Path, film: Film
) -> None:
    driver = Driver(tmp_path, use_models(), SIZES["small"])
    try:
        video = follow_some(driver, film, tmp_path)
        driver = open_again(driver, tmp_path)
        follow = driver.pages.game.table.follow
        driver.wait(lambda: driver.says(video.name), "the offer of that film")
        driver.wait(lambda: f"{video.name} · 0:" in follow.length.text, "how far it was followed")
        assert not driver.says("No camera was found")
        assert follow.follow.text == "Continue"
        driver.shot("film_goes_on")
        before = len(list_discards(driver))
        assert 2 <= before < len(film.discards)
        driver.touch(follow.follow)
        wait_for_end(driver)
        assert list_discards(driver) == film.discards
        driver.wait(lambda: driver.says(f"Discards {len(film.discards)}, "), "what all of it showed")

        driver = open_again(driver, tmp_path)
        assert driver.says("No camera was found"), "a film that was followed to its end is not offered"
        choose_film(driver, video)
        assert driver.pages.game.table.follow.follow.text == "Follow"
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: driver.says("is in the game already"), "that it is entered once")
    finally:
        driver.close()


@pytest.mark.long
def test_a_film_that_was_moved_goes_on_where_it_lies_now(
    kivy_window: None, tmp_path: Path, film: Film
) -> None:
    driver = Driver(tmp_path, use_models(), SIZES["small"])
    try:
        video = follow_some(driver, film, tmp_path)
        driver.press("Stop")
        place_s = get_state(driver).places[-1].place_s
        elsewhere = tmp_path / "stick" / "evening.mp4"
        elsewhere.parent.mkdir()
        driver.settle()
        video.rename(elsewhere)
        driver = open_again(driver, tmp_path)
        said = f"The film {video.name} was followed to "
        driver.wait(lambda: driver.says(said), "that it is not there any more")
        assert not driver.says("No camera was found"), "one sentence says what to do"
        assert driver.pages.game.table.follow.follow.disabled
        driver.shot("film_gone")
        choose_film(driver, elsewhere)
        assert not driver.says(said)
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: get_state(driver).runs, "the film")
        driver.wait(lambda: get_state(driver).following.place_s >= place_s, "its place")  # type: ignore[union-attr]
        wait_for_end(driver)
        assert list_discards(driver) == film.discards
    finally:
        driver.close()
