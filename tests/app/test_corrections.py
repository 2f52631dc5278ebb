"""What is corrected in a photographed hand teaches the tile set: with one touch, taken back by Undo."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from app_driver import SIZES, WIN, Driver

from companion.app.recognition import use_models
from companion.app.score_photo import editing
from companion.vision import set_files
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    path = tmp_path / "hand.png"
    assert cv2.imwrite(str(path), render_hand([WIN.split()], seed=5).image)
    return path


@pytest.fixture(params=["small", "tablet"])
def window(kivy_window: None, tmp_path: Path, hand: Path, request: pytest.FixtureRequest) -> Iterator[Driver]:
    """A hand on the table whose first tile, a 2m, is the set's 9s."""
    driver = Driver(tmp_path, use_models(), SIZES[request.param])
    driver.open(hand)
    driver.do(lambda state: editing.press_key(editing.select(state, 0), "9s"))
    driver.frames(4)
    yield driver
    driver.close()


def sets(window: Driver):  # type: ignore[no-untyped-def]
    return window.view.states["tile_sets"]  # type: ignore[union-attr]


def learn(window: Driver) -> None:
    window.press("Learn corrections")
    window.settle()
    window.wait(lambda: sets(window).busy is None, "the lesson")
    window.settle()


@pytest.mark.sampled
def test_one_touch_learns_the_hand_and_undo_takes_it_back(window: Driver) -> None:
    window.shot("corrections-before")
    before = window.state.draft
    learn(window)
    window.shot("corrections-learned")
    assert window.says("tiles-1 has learned from 14 tiles. Undo takes that back.")
    assert {*set_files.load("tiles-1").kinds} == {*WIN.split()[1:], "9s"}
    assert sets(window).used == "tiles-1"
    assert not window.says("Learn corrections")
    window.touch(window.root.bar.buttons["undo"])
    window.settle()
    assert set_files.names() == []
    assert sets(window).used is None
    assert window.state.hand.tiles[0].code == before.hand.tiles[0].code == "9s"
    assert window.says("The last lesson of tiles-1 is undone.")
    window.touch(window.root.bar.buttons["undo"])
    assert window.state.hand.tiles[0].code == "2m"


@pytest.mark.sampled
def test_learned_tiles_are_reported_without_a_named_game(window: Driver) -> None:
    window.do(lambda state: replace(state, asks_game=True))
    learn(window)
    assert window.says("tiles-1 has learned from 14 tiles. Undo takes that back.")


@pytest.mark.sampled
def test_the_set_in_use_learns_more_and_shows_it(window: Driver, tmp_path: Path) -> None:
    learn(window)
    first = set_files.load("tiles-1")
    window.do(lambda state: editing.press_key(editing.select(state, 1), "1z"))
    window.frames(2)
    learn(window)
    corrected = set_files.load("tiles-1")
    assert "1z" in corrected.kinds
    assert "3m" not in corrected.kinds, "the tile was a 3m only until it was corrected"
    assert len(corrected.examples) == 14
    window.touch(window.root.bar.buttons["sets"])
    window.shot("corrections-sets")
    window.press("Show")
    assert window.page == "taught"
    assert window.says("Kinds: 13 · tiles: 14 · lessons: 2")
    assert window.says("photo 1 of lesson 1 × 2"), "8m"
    assert window.says("photo 1 of lesson 2"), "1z"
    window.shot("corrections-taught")
    window.press("Back")
    window.controller.undo()
    window.settle()
    assert set_files.load("tiles-1").codes == first.codes
    assert sets(window).used == "tiles-1"


@pytest.mark.sampled
def test_failed_learning_is_reported_and_changes_nothing(window: Driver) -> None:
    learn(window)
    window.do(lambda state: editing.press_key(editing.select(state, 9), "1z"))
    kept = set_files.path_of("tiles-1").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) // 2, hard))
    try:
        window.do(lambda state: editing.teach_corrections(state, "tiles"))
        window.settle()
        window.wait(lambda: sets(window).busy is None, "the lesson")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert window.says("tiles-1.tiles' cannot be used")
    assert set_files.path_of("tiles-1").read_bytes() == kept
    assert window.state.can_teach


@pytest.mark.sampled
def test_photos_of_a_lesson_are_added_to_a_set(window: Driver, tmp_path: Path) -> None:
    window.do(lambda state: editing.press_key(editing.select(state, 0), "2m"))
    learn(window)
    photo = tmp_path / "suit.png"
    suit = [f"{rank}p" for rank in range(1, 10)]
    assert cv2.imwrite(str(photo), render_hand([suit], seed=6).image)
    window.touch(window.root.bar.buttons["sets"])
    window.press("Teach again")
    window.open(photo)
    assert window.says("Add to tiles-1")
    window.shot("corrections-add")
    assert not window.says("exists and will be replaced")
    window.teach(lambda state: state.learn())
    window.settle()
    assert {*suit, *WIN.split()} == {*set_files.load("tiles-1").kinds}
    assert set_files.load("tiles-1").lessons == 2
