"""A set that is taught again, with the models of the program: it learns more, and what was replaced is had
back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from app_driver import SIZES, WIN, Driver

from companion.app.news import TilesNamed
from companion.app.recognition import use_models
from companion.app.score_photo import editing
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import LESSONS_KEPT, TileSets, UndoLesson
from companion.config import models_dir
from companion.sentences import Sentence
from companion.tiles import Tile
from companion.vision import Recogniser, load_picture, set_files, teaching
from companion.vision.learned import LearnedSet
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

DOTS = [f"{rank}p" for rank in range(1, 10)]
CHARACTERS = [f"{rank}m" for rank in range(1, 10)]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A row of dots, one of characters, and a hand."""
    folder = tmp_path_factory.mktemp("pictures")
    for name, row in (("dots", DOTS), ("characters", CHARACTERS), ("hand", WIN.split())):
        assert cv2.imwrite(str(folder / f"{name}.png"), render_hand([row], seed=6).image)
    return folder


@pytest.fixture(scope="module")
def taught(pictures: Path) -> LearnedSet:
    """A set that has learned the dots."""
    recogniser, image = Recogniser(models_dir()), load_picture(pictures / "dots.png")
    lesson = teaching.Lesson(image, recogniser.read(image), tuple(map(Tile.parse, DOTS)))
    return teaching.learn(recogniser.reader, "home", [lesson])


@pytest.fixture
def window(kivy_window: None, tmp_path: Path, pictures: Path, taught: LearnedSet) -> Iterator[Driver]:
    """A hand whose first tile was corrected; and then My tiles, with the set in use."""
    driver = Driver(tmp_path, use_models(), SIZES["small"])
    driver.open(pictures / "hand.png")
    driver.do(lambda state: editing.press_key(editing.select(state, 0), "9s"))
    set_files.save(taught)
    driver.teach(lambda state: state.use("home"))
    driver.touch(driver.root.bar.buttons["sets"])
    driver.settle()
    yield driver
    driver.close()


def learn(window: Driver) -> None:
    window.teach(lambda state: state.learn())
    window.settle()
    window.wait(lambda: window.sets.busy is None, "the lesson")
    window.settle()


def test_a_set_that_is_taught_again_learns_more_unless_something_else_is_chosen(
    window: Driver, pictures: Path
) -> None:
    window.press("Teach again")
    window.open(pictures / "characters.png")
    assert window.pages.lesson.board.adds.button("add").chosen
    assert not window.says("exists and will be replaced")
    learn(window)
    assert set_files.load("home").kinds == (*CHARACTERS, *DOTS)
    window.touch(window.root.bar.buttons["undo"])
    window.settle()
    assert window.page == "sets"
    assert set_files.load("home").kinds == tuple(DOTS)


def test_undo_on_my_tiles_brings_a_replaced_set_back_and_then_the_lesson(
    window: Driver, pictures: Path
) -> None:
    window.press("Teach again")
    window.open(pictures / "characters.png")
    window.press("Learn it again")
    assert window.says("A set with this name exists and will be replaced.")
    lesson = window.lesson
    learn(window)
    assert set_files.load("home").kinds == tuple(CHARACTERS)
    assert window.says("Learned home again: 9 kinds. Undo brings back what it knew before.")
    window.shot("taught-anew")
    window.touch(window.root.bar.buttons["undo"])
    window.settle()
    assert (window.page, window.sets.used) == ("sets", "home")
    assert set_files.load("home").kinds == tuple(DOTS)
    assert window.says("The last lesson of home is undone.")
    assert window.lesson.photos == lesson.photos
    assert window.says("Continue the lesson")
    assert window.state.hand.tiles[0].code == "9s", "the hand is as it was"
    window.touch(window.root.bar.buttons["undo"])
    assert window.page == "table"
    assert window.state.hand.tiles[0].code == "2m", "then undo is the hand's again"


def test_a_lesson_of_a_hand_that_came_later_is_not_taken_back_on_my_tiles(taught: LearnedSet) -> None:
    lesson = LessonDraft("home")
    state = TileSets().finish_lesson(lesson, taught)
    assert state.can_undo
    state = state.finish_named(TilesNamed(Path("hand.png"), (), "tiles"), taught)
    assert not state.can_undo
    state = state.restore_set("home", taught).finish_lesson(lesson, taught)
    assert (state.learned, state.taught) == ((lesson,), ())
    assert not state.drop_set("home").can_undo


def test_no_more_lessons_can_be_taken_back_than_a_set_keeps_of_those_it_replaced(taught: LearnedSet) -> None:
    state = TileSets()
    for _ in range(LESSONS_KEPT + 1):
        state = state.finish_lesson(LessonDraft("home", anew=True), taught)
    assert len(state.learned) == LESSONS_KEPT == teaching.REPLACED_MAX


def test_nothing_is_taken_back_while_a_lesson_is_being_learned(taught: LearnedSet) -> None:
    state = TileSets().finish_lesson(LessonDraft("home"), taught)
    busy = state.work(Sentence("Learning the tiles …"))
    assert busy.undo().effects == busy.effects
    assert state.undo().effects[-1] == UndoLesson("home")
    state = state.finish_named(TilesNamed(Path("hand.png"), (), "tiles"), taught)
    busy = state.work(Sentence("Learning the tiles …"))
    assert busy.undo_lesson().effects == busy.effects
    assert state.undo_lesson().effects[-1] == UndoLesson("home")


def test_a_lesson_of_a_set_that_was_deleted_elsewhere_is_not_taken_back_again(
    window: Driver, pictures: Path
) -> None:
    window.press("Teach again")
    window.open(pictures / "characters.png")
    learn(window)
    set_files.delete("home")
    window.touch(window.root.bar.buttons["undo"])
    window.settle()
    assert not window.says("is undone")
    assert not window.sets.can_undo
