"""A game that is followed with a camera, or from a film, in the window."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest
from app_driver import SIZES, Driver
from film_player import WAIT_S, Film, Player, list_threads, slow_down
from game_states import get_state

from companion.app.effects import ComeToFront
from companion.app.recognition import use_models
from companion.game import shelf
from companion.game.game import Game
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live.camera_reading import CameraReader
from companion.live.follower import UNEXPLAINED
from companion.live.noticed import QuestionAsked
from companion.live.table_watch import KeptPlace
from companion.sentences import Sentence
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    HandStarted,
)

pytestmark = pytest.mark.long


def begin_film(driver: Driver, video: Path) -> None:
    """Follow a video that is chosen from the disk."""
    driver.touch(driver.root.bar.buttons["game"])
    driver.touch(driver.pages.game.setup.begin)
    driver.wait(lambda: get_state(driver).shows_table, "the game")
    driver.frames(3)
    driver.touch(driver.pages.game.table.tools.camera)
    choose_film(driver, video)
    driver.touch(driver.pages.game.table.follow.follow)


def wait_for_end(driver: Driver) -> None:
    """Until the film that is followed is at its end."""
    end = time.monotonic() + WAIT_S
    while not get_state(driver).ended:
        assert time.monotonic() < end, driver.texts()
        driver.frames(1)
        time.sleep(0.02)


def choose_film(driver: Driver, video: Path) -> None:
    driver.touch(driver.pages.game.table.follow.film)
    driver.pages.films.go(video.parent)
    driver.frames(4)
    cells = [each for each in driver.root.walk(restrict=True) if getattr(each, "entry", None)]
    driver.touch(next(cell for cell in cells if cell.entry.path == video))  # type: ignore[attr-defined]
    driver.settle()
    assert driver.says(video.name)


def test_a_game_is_followed_corrected_by_touch_and_let_go(player: Player, film: Film) -> None:
    driver = player.driver
    player.follow()
    player.wait(lambda: player.state.runs and len(player.discards) >= len(film.discards))
    assert player.discards == film.discards
    driver.shot("game")
    hand = player.followed.state.hand
    assert hand is not None
    for seat in range(4):
        laid = [tile.code for tile in hand.players[seat].discards if tile]
        assert laid == [tile for who, tile in film.discards if who == seat]
    driver.touch(player.page.table.picture.stage)
    assert player.state.large
    driver.touch(player.page.table.picture.stage)
    assert not player.state.large

    entry = next(each for each in player.followed.entries if isinstance(each.event, Discarded))
    other = next(code for code in ("2m", "3s", "4p") if code != entry.tile)
    driver.touch(player.page.table.tools.events)
    row = player.page.table.events.rows[entry.number]
    player.page.table.events.scroll_to(row, animate=False)
    driver.frames(4)
    driver.touch(row)
    assert player.state.selected == entry.number
    driver.touch(player.page.table.fix.keyboard.keys[other])
    player.wait(lambda: player.discards[0][1] == other)
    assert player.discards[1:] == film.discards[1:]

    choices = (other, str(entry.tile))
    player.see(lambda known: known.ask(QuestionAsked(1.0, entry.number, "discarded", choices)))
    driver.shot("question")
    driver.touch(player.page.table.question.other)
    assert player.state.selected == entry.number
    driver.touch(player.page.table.fix.back)
    driver.touch(player.page.table.question.keys[1])
    player.wait(lambda: player.discards[0][1] == entry.tile)
    assert player.followed.questions == ()

    player.see(lambda known: known.lose(Sentence(UNEXPLAINED)))
    driver.press("Continue from here")
    player.wait(lambda: player.state.runs)
    assert player.discards == film.discards

    driver.controller.step_back()
    driver.settle()
    assert driver.page == "table"
    player.wait(lambda: player.projector.users == 0 and "following" not in list_threads())
    player.follow()
    player.wait(lambda: player.state.runs and player.page.table.picture.stage.is_live)
    assert player.discards == film.discards


def test_undo_takes_back_what_was_touched_and_the_camera_goes_on(player: Player, film: Film) -> None:
    driver, tools = player.driver, player.page.table.tools
    player.projector.stops_at = film.still_at[2]
    player.follow()
    player.wait(lambda: player.state.runs and len(player.discards) == 2)
    driver.settle()
    assert driver.root.bar.buttons["undo"].disabled, "nothing was touched"
    count = player.followed.count
    entry = next(each for each in player.followed.entries if isinstance(each.event, Discarded))
    other = next(code for code in ("2m", "3s", "4p") if code != entry.tile)
    driver.controller.do("game", lambda state: state.name_tile(entry.number, other))
    player.wait(lambda: player.discards[0][1] == other)
    player.wait(lambda: len(player.discards) == 3)
    assert player.followed.count > count + 1, "the camera saw more since"
    driver.settle()
    driver.touch(driver.root.bar.buttons["undo"])
    player.wait(lambda: player.discards[0][1] == entry.tile)
    assert player.discards == film.discards[:3]
    driver.settle()
    assert driver.root.bar.buttons["undo"].disabled
    driver.touch(tools.redo)
    player.wait(lambda: player.discards[0][1] == other)
    driver.settle()
    driver.touch(driver.root.bar.buttons["undo"])
    player.projector.stops_at = sys.maxsize
    player.wait(lambda: player.discards == film.discards)


def test_a_game_is_followed_on_behind_a_page_that_is_only_looked_at(player: Player, film: Film) -> None:
    driver = player.driver
    player.follow()
    player.wait(lambda: player.state.runs)
    driver.controller.do("sheet", lambda state: state.also(ComeToFront()))
    assert driver.page == "sheet"
    player.wait(lambda: len(player.discards) >= len(film.discards))
    assert player.discards == film.discards
    assert driver.page == "sheet"
    driver.controller.do("score_photo", lambda state: state.also(ComeToFront()))
    player.wait(lambda: player.projector.users == 0)
    driver.controller.do("sheet", lambda state: state.also(ComeToFront()))
    player.wait(lambda: player.state.runs and player.projector.users == 1)
    assert driver.page == "sheet"


def test_a_table_that_is_not_found_is_placed_by_its_corners(
    kivy_window: None, tmp_path: Path, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.seeing.finding_table.find_table", lambda *_, **__: None)
    player = Player(tmp_path, film, SIZES["tablet"])
    player.waits_for_table = False
    driver = player.driver
    try:
        player.follow()
        player.wait(lambda: player.state.runs and driver.says("The table is not found"))
        driver.press("Touch its corners")
        stage = player.page.table.picture.stage
        player.wait(lambda: stage.is_live)
        names = ("lower left", "lower right", "upper right", "upper left")
        for corner, name in zip(film.corners, names, strict=True):
            assert driver.says(f"{name} corner") or driver.says(f"{name} one")
            driver.touch(stage.to_window(*stage.where.place(tuple(corner))))
            if name == "upper right":
                driver.shot("corners")
                driver.press("Take back")
                assert driver.says("upper right one")
                driver.touch(stage.to_window(*stage.where.place(tuple(corner))))
        player.wait(lambda: player.state.following.picture.table)  # type: ignore[union-attr]
        seen = np.array(player.state.following.picture.table)  # type: ignore[union-attr]
        assert np.abs(seen - np.array(film.corners)).max() < 4, "a touch is as exact as the screen's pixels"
        kept = KeptPlace("film").load()
        assert kept is not None, "where the corners were touched is known the next time"
        assert np.abs(np.array(kept.corners) - np.array(film.corners)).max() < 4
        player.wait(lambda: len(player.discards) >= len(film.discards))
        assert player.discards == film.discards
        driver.press("Corners")
        for place in ((100, 100), (110, 100), (105, 100), (100, 100)):
            driver.touch(stage.to_window(*stage.where.place(place)))
        assert driver.says("These are not the corners of a table")
    finally:
        driver.close()


def test_a_video_is_followed_to_its_end_once_however_long_a_picture_takes(
    kivy_window: None, tmp_path: Path, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CameraReader, "is_silent", True)
    driver = Driver(tmp_path, use_models(), SIZES["tablet"])
    try:
        video = slow_down(film, tmp_path)
        begin_film(driver, video)
        picture = driver.pages.game.table.picture
        driver.wait(lambda: f"{video.name} · 0:0" in picture.caption.text, "how far it is")
        driver.press("Stop")
        place_s = get_state(driver).following.place_s  # type: ignore[union-attr]
        assert not get_state(driver).runs
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: get_state(driver).following.place_s > place_s, "that it goes on")  # type: ignore[union-attr]
        wait_for_end(driver)
        driver.wait(lambda: driver.says(f"{video.name} has ended. Discards "), "that it is at its end")
        assert get_state(driver).shows_table
        driver.wait(lambda: driver.pages.game.table.picture.stage.is_live, "the last picture, which stays")
        driver.shot("ended")
        driver.wait(lambda: "following" not in list_threads(), "the end of the following")
        driver.settle()
        assert get_state(driver).followed.entries, "something of the film was followed"  # type: ignore[union-attr]
        known = [entry.number for entry in get_state(driver).followed.entries]  # type: ignore[union-attr]
        driver.touch(driver.pages.game.table.picture.head.done)
        assert not get_state(driver).ended
        assert driver.page == "game"
        assert not driver.pages.game.table.follow.follow.disabled, "another camera can be chosen"
        driver.controller.step_back()
        driver.game.leave().result(WAIT_S)
        (name,) = shelf.names()
        with Game.resume(shelf.find(name)) as kept:
            assert len(kept.file.standing) >= max([1, *known]), "all that was shown is kept"
        driver.frames(3)
        driver.touch(driver.root.bar.buttons["game"])
        assert driver.root.bar.buttons["game"].chosen, "what is in front is marked in the bar"
        driver.press(f"Continue {name}")
        driver.wait(lambda: get_state(driver).shows_table)
        driver.frames(3)
        driver.touch(driver.pages.game.table.tools.camera)
        choose_film(driver, video)
        assert not driver.says(str(video))
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: driver.says("is in the game"), "that it was followed before")
        driver.wait(lambda: get_state(driver).shows_table, "the game that stays open")
    finally:
        driver.close()


def test_a_film_of_another_hand_is_followed_from_its_start_once_the_open_hand_is_ended(
    kivy_window: None, tmp_path: Path, film: Film
) -> None:
    driver = Driver(tmp_path, use_models(), SIZES["tablet"])
    try:
        driver.touch(driver.root.bar.buttons["game"])
        driver.touch(driver.pages.game.setup.begin)
        driver.wait(lambda: get_state(driver).shows_table, "the game")
        touched: list[Event] = [HandStarted(dealer=0), Dealt()]
        for turn, code in enumerate(("2s", "8s", "2p", "8p", "2m", "8m", "5s", "5p")):
            touched += [Discarded(seat=turn % 4, tile=code), Drawn(seat=(turn + 1) % 4)]
        for event in touched:
            driver.game.propose(Proposal(event, driver.game.now_ns, Reporter(SourceKind.TOUCH))).result(
                WAIT_S
            )
        driver.touch(driver.pages.game.table.tools.camera)
        choose_film(driver, slow_down(film, tmp_path))
        driver.touch(driver.pages.game.table.follow.follow)
        wait_for_end(driver)
        assert driver.says("is in the middle of a hand")
        assert not driver.says("No move was recognised")
        assert not driver.says("Continue from here")
        driver.press("End that hand")
        driver.wait(lambda: get_state(driver).runs, "the film from its start")
        wait_for_end(driver)
        events = driver.game.transact(lambda transaction: transaction.get_progress().events).result(WAIT_S)
        known = [(each.seat, each.tile) for each in events if isinstance(each, Discarded)]
        assert known[8:] == film.discards
    finally:
        driver.close()
