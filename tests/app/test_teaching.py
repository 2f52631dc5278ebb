"""Teaching the window a set of tiles, with the models of the program: what is learned is used, what is
refused is told, and nothing that a person entered is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES, WIN, Driver, ScriptedReader, draw_picture
from numpy.typing import NDArray

from companion.app.recognition import Recognition, use_models
from companion.app.score_photo import editing
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import TileSets
from companion.config import models_dir
from companion.images import Image
from companion.tiles import KINDS
from companion.vision import Reading, Recogniser, load_picture, set_files, teaching
from companion.vision.learned import LearnedSet
from companion.words import Language
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

CODES = [kind.code for kind in KINDS]
ROWS = [CODES[0:9], CODES[9:18], CODES[18:27], CODES[27:34]]


def table(rows: list[list[str]], seed: int = 1) -> NDArray[np.uint8]:
    return render_hand(rows, seed=seed, width=1280, height=960).image


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of each kind without flowers, as they are asked for."""
    path = tmp_path_factory.mktemp("photos") / "set.png"
    assert cv2.imwrite(str(path), table(ROWS))
    return path


@pytest.fixture(scope="module")
def models() -> Recognition:
    """Those of the program; what they find without a tile set is found once in each picture."""
    real = use_models()
    found: dict[bytes, Reading] = {}

    def read(image: Image, tile_set: LearnedSet | None) -> Reading:
        if tile_set:
            return real.read(image, tile_set)
        key = image.tobytes()
        if key not in found:
            found[key] = real.read(image, None)
        return found[key]

    return replace(real, read=read)


@pytest.fixture
def window(kivy_window: None, tmp_path: Path, models: Recognition) -> Iterator[Driver]:
    driver = Driver(tmp_path, models, SIZES["small"])
    yield driver
    driver.close()


def show_sets(window: Driver) -> None:
    window.touch(window.root.bar.buttons["sets"])


def begin(window: Driver) -> None:
    show_sets(window)
    window.press("Teach your tiles")


def learn(window: Driver) -> None:
    """Confirm what was read, and have it learned."""
    lesson = window.pages.lesson
    while window.lesson.to_check:
        window.touch(lesson.next)
        named = {each.id: each for photo in window.lesson.named for each in photo}
        right = truth(window, named[window.lesson.selected].quad)
        window.touch(lesson.sheet.keys[right])
    window.touch(lesson.next)
    window.settle()


def truth(window: Driver, quad: object) -> str:
    """What lies there: the tiles of the tests lie in the order asked for."""
    quads = [each.quad for photo in window.lesson.named for each in photo]
    return CODES[quads.index(quad)]


def test_a_set_is_learned_from_a_photo_and_read_with_at_once(window: Driver, photo: Path) -> None:
    begin(window)
    assert window.says("Arrange one of each kind as shown here")
    window.open(photo)
    assert window.page == "lesson"
    assert window.state.draft.picture is None, "the photo is not a hand"
    board = window.pages.lesson.board
    assert [key.code for key in board.keys.values()] == CODES[:34]
    assert board.order.button("by place").chosen
    learn(window)
    assert window.page == "sets"
    assert window.says("Learned tiles-1: 34 kinds. Pictures are now read with it.")
    assert set_files.load("tiles-1").kinds == tuple(CODES[:34])
    assert window.lesson == LessonDraft()
    assert window.says("In use")
    assert window.root.bar.buttons["sets"].chosen
    window.press("Back")
    assert window.page == "table"


def test_a_touch_on_the_photo_and_one_on_the_keyboard_name_a_tile(window: Driver, photo: Path) -> None:
    begin(window)
    window.open(photo)
    first, second = (tile.id for tile in window.lesson.tiles[:2])
    stage = window.pages.lesson.stage
    window.touch(stage.to_window(*stage.place_of(first)))
    assert window.lesson.selected == first
    window.touch(window.pages.lesson.sheet.keys["5f"])
    assert window.pages.lesson.board.keys[first].code == "5f"
    window.touch(window.pages.lesson.board.keys[second])
    window.press("Leave out")
    assert window.says("not in the picture:")
    assert window.lesson.missing[:2] == ("1m", "2m")
    window.touch(window.pages.lesson.board.keys[second])
    window.touch(window.pages.lesson.sheet.done)
    assert window.lesson.selected is None


def test_a_blurred_photo_is_refused_and_the_lesson_stays(window: Driver, photo: Path, tmp_path: Path) -> None:
    begin(window)
    window.open(photo)
    lesson = window.lesson
    blurred = cv2.GaussianBlur(cv2.imread(str(photo)), (0, 0), 6)
    sharp = photo.read_bytes()
    try:
        cv2.imwrite(str(photo), blurred)
        window.teach(lambda state: state.edit(lambda lesson: lesson.set_in_order(True)))
        learn(window)
        assert window.says("tiles are blurred: hold the camera still and let it focus.")
    finally:
        photo.write_bytes(sharp)
    assert window.page == "lesson"
    assert window.lesson.photos[0].path == lesson.photos[0].path
    assert set_files.names() == []
    learn(window)
    assert set_files.names() == ["tiles-1"]


def test_tiles_that_look_alike_and_have_two_names_are_shown(
    window: Driver, photo: Path, tmp_path: Path
) -> None:
    begin(window)
    window.open(photo)
    again = tmp_path / "again.png"
    cv2.imwrite(str(again), table(ROWS, seed=5))
    window.open(again)
    ids = [tile.id for tile in window.lesson.photos[1].tiles]
    for at, wrong in ((1, "7p"), (15, "2m")):
        window.teach(lambda state, at=at, wrong=wrong: state.edit(
            lambda lesson: lesson.select(ids[at]).press_key(wrong)))  # fmt: skip
    window.frames(4)
    assert window.says("Photo 2")
    window.touch(window.pages.lesson.next)
    window.settle()
    assert window.says("Two tiles")
    assert window.says("correct one")
    assert len(window.lesson.to_check) == 2
    assert window.lesson.selected == window.lesson.to_check[0]
    assert len(window.lesson.photos) == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("../home", "'../home' cannot be the name of a tile set"), ("", "cannot be the name of a tile set")],
)
def test_a_name_that_cannot_be_is_reported(window: Driver, photo: Path, name: str, sentence: str) -> None:
    begin(window)
    window.open(photo)
    window.pages.lesson.name.text = name
    learn(window)
    assert window.says(sentence)
    assert len(window.lesson.photos) == 1
    window.pages.lesson.name.text = "home"
    learn(window)
    assert set_files.names() == ["home"]


def test_a_picture_without_tiles_takes_nothing_away(window: Driver, photo: Path, tmp_path: Path) -> None:
    begin(window)
    window.open(photo)
    lesson = window.lesson
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((480, 640, 3), 90, np.uint8))
    window.open(bare)
    assert window.says("No tiles found in this picture")
    window.open(tmp_path / "nowhere.png")
    assert window.says("There is no picture at")
    assert window.lesson == lesson


def test_closing_and_opening_again_goes_on_with_the_lesson(window: Driver, photo: Path) -> None:
    begin(window)
    window.pages.lesson.name.text = "grandma"
    window.open(photo)
    window.teach(lambda state: state.edit(lambda lesson: lesson.select(3).press_key("6f")))
    lesson = window.lesson
    window.controller.close()
    again = Driver(window.folder, use_models(), SIZES["small"])
    assert again.lesson == lesson
    show_sets(again)
    again.press("Continue the lesson")
    again.settle()
    assert again.pages.lesson.name.text == "grandma"
    assert again.pages.lesson.stage.place_of(3) is not None
    assert again.sets.photo is not None
    again.close()


@pytest.fixture(scope="module")
def taught(photo: Path) -> LearnedSet:
    image = load_picture(photo)
    recogniser = Recogniser(models_dir())
    lesson = teaching.Lesson(image, recogniser.read(image), KINDS[:34])
    return teaching.learn(recogniser.reader, "home", [lesson])


@pytest.fixture
def home(window: Driver, taught: LearnedSet) -> str:
    """A set that was taught and is in use; the page of the sets is in front."""
    set_files.save(taught)
    window.teach(lambda state: state.use("home"))
    window.teach(TileSets.enter)
    window.frames(4)
    return "home"


def test_the_chosen_set_is_read_with_and_kept(window: Driver, home: str, tmp_path: Path) -> None:
    reader = ScriptedReader()
    window.controller.close()
    again = Driver(window.folder, reader, SIZES["small"])
    assert again.root.bar.buttons["sets"].chosen
    again.open(draw_picture(tmp_path / "hand.png"))
    assert reader.read_with == home
    show_sets(again)
    again.press("Use")
    again.settle()
    assert reader.read_with is None, "the picture on the table is read again without it"
    assert again.page == "sets"
    again.close()
    third = Driver(window.folder, reader, SIZES["small"])
    assert not third.root.bar.buttons["sets"].chosen
    third.close()


def test_a_set_is_forgotten_when_it_is_said_twice(window: Driver, home: str) -> None:
    window.press("Forget")
    window.press("Keep it")
    assert set_files.names() == [home]
    window.press("Forget")
    window.press("Forget it")
    assert set_files.names() == []
    assert not window.root.bar.buttons["sets"].chosen
    assert window.says("If your tiles are often misread")


@pytest.mark.long
def test_a_set_taught_with_other_models_says_so_and_is_taught_again(
    window: Driver, home: str, taught: LearnedSet, photo: Path
) -> None:
    set_files.save(replace(taught, reader="0" * 64))
    window.controller.close()
    again = Driver(window.folder, use_models(), SIZES["small"])
    assert again.says("'home' was taught with another model than the program has now: teach it again")
    assert not again.root.bar.buttons["sets"].chosen
    show_sets(again)
    assert [step.text for step in again.pages.sets.rows[home].steps] == ["Teach again", "Forget"]
    again.press("Teach again")
    assert again.pages.lesson.name.text == home
    again.open(photo)
    assert again.says("A set with this name exists and will be replaced.")
    learn(again)
    assert again.says("In use")
    set_files.load(home, use_models().model())
    again.close()


def test_a_damaged_set_is_reported_in_the_list(window: Driver, home: str) -> None:
    set_files.path_of(home).write_bytes(b"no set")
    for language, sentence in ((Language.ENGLISH, "is damaged"), (Language.SIMPLIFIED, "已损坏")):
        window.controller.set_language(language)
        window.teach(TileSets.enter)
        window.frames(3)
        assert window.says(sentence)


def test_a_lesson_under_way_is_not_given_up_for_another_set(window: Driver, home: str, photo: Path) -> None:
    window.press("Teach your tiles")
    window.open(photo)
    assert window.lesson.name == "tiles-1"
    window.press("Back")
    window.press("Teach again")
    assert window.says("The lesson of tiles-1 is not finished")
    assert window.lesson.name == "tiles-1"
    assert len(window.lesson.photos) == 1


@pytest.mark.long
def test_a_photo_is_taken_with_the_camera_and_going_back_leads_to_the_lesson(
    kivy_window: None, tmp_path: Path, photo: Path
) -> None:
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    (recorded / "set.png").write_bytes(photo.read_bytes())
    window = Driver(tmp_path, use_models(), SIZES["small"], camera=f"file:{recorded}")
    begin(window)
    window.press("Choose a picture")
    window.press("Back")
    assert window.page == "lesson"
    window.press("Take a photo")
    window.wait(lambda: window.pages.camera.stage.is_live, "a picture of the camera")
    window.controller.step_back()
    assert window.page == "lesson"
    window.press("Take a photo")
    window.wait(lambda: window.pages.camera.stage.is_live, "a picture of the camera")
    window.press("Take this picture")
    window.wait(lambda: window.lesson.photos, "the photo")
    window.settle()
    assert window.page == "lesson"
    assert len(window.lesson.tiles) == 34
    window.controller.step_back()
    assert window.page == "sets"
    window.close()


@pytest.mark.long
def test_a_hand_on_the_table_is_untouched_by_a_lesson(window: Driver, photo: Path, tmp_path: Path) -> None:
    hand = tmp_path / "hand.png"
    cv2.imwrite(str(hand), render_hand([WIN.split()]).image)
    window.open(hand)
    window.do(lambda state: editing.press_key(editing.select(state, 0), "9s"))
    before = window.state.draft
    begin(window)
    assert window.root.bar.buttons["undo"].disabled
    window.controller.undo()
    window.open(photo)
    learn(window)
    window.settle()
    after = window.state.draft
    assert [tile.code for tile in after.hand.tiles] == ["9s", *WIN.split()[1:]]
    assert replace(after, hand=before.hand) == before
    assert window.says("Pictures are now read with it")
