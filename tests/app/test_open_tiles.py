"""What lies on the table beside a photographed hand: read, put right, typed, and counted by the coach."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES_IN_LANGUAGES, Driver, ScriptedReader

from companion.app.coach.state import CoachState, Subject
from companion.app.news import FairGameSet, OpenTilesWanted, PictureOpened, ScorePhotoWanted
from companion.app.score_photo import editing, open_tiles, photo
from companion.app.score_photo.editing import Page
from companion.app.score_photo.state import ScorePhoto
from companion.app.shown import ShownPicture
from companion.art import tile_png
from companion.images import Image, Quad
from companion.tiles import UNKNOWN
from companion.vision import Reading, TileReading
from companion.vision.learned import LearnedSet
from companion.words import Language

pytestmark = pytest.mark.slow

HAND = ["2m", "3m", "4m", "5m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s", "2p", "8p"]
RIVER = ["2s", "4m", "4m", "7m", "7p", "5s", "5s"]
WIDTH, HEIGHT = 60.0, 80.0

Lies = list[tuple[str, Quad]]


def lie(codes: Sequence[str], y: float) -> Lies:
    """A row of tiles at that height of the picture."""
    row = []
    for at, code in enumerate(codes):
        x = 60 + 62.0 * at
        row.append((code, ((x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT))))
    return row


class TableReader(ScriptedReader):
    """Finds what lies in the picture, whose tiles a test has written down."""

    lies: Lies

    def read(self, image: Image, tile_set: LearnedSet | None = None) -> Reading:
        self.read_count += 1
        tiles = tuple(
            TileReading(code, quad, 0.5, (("7p", 0.5),))
            if code == UNKNOWN
            else TileReading(code, quad, 0.99, ((code, 0.99),))
            for code, quad in self.lies
        )
        return Reading(1280, 720, tiles, (tuple(range(len(tiles))),), {"total": 1.0})


@pytest.fixture
def reader() -> TableReader:
    return TableReader()


def draw(path: Path, lies: Lies) -> Path:
    image = np.full((720, 1280, 3), (44, 96, 70), np.uint8)
    for code, ((x, y), *_) in lies:
        face = cv2.resize(cv2.imread(str(tile_png(code))), (int(WIDTH), int(HEIGHT)))
        image[int(y) : int(y + HEIGHT), int(x) : int(x + WIDTH)] = face
    cv2.imwrite(str(path), image)
    return path


class Visitor:
    """A person with a camera, before the window."""

    def __init__(self, driver: Driver, folder: Path) -> None:
        self.driver = driver
        self.folder = folder

    def bring(self, name: str, lies: Lies) -> None:
        """Bring a picture of these tiles."""
        self.driver.reader.lies = lies  # type: ignore[attr-defined]
        self.driver.open(draw(self.folder / f"{name}.png", lies))

    def ask(self) -> None:
        """Ask the coach about the hand, and wait for the answer."""
        self.driver.do(open_tiles.ask_coach)
        self.wait()

    def turn_to_table(self) -> None:
        """Bring a hand, ask about it, and open the page of what lies on the table."""
        self.bring("hand", lie(HAND, 500))
        self.ask()
        self.driver.press("Tiles on the table")

    def wait(self) -> CoachState:
        self.driver.wait(lambda: self.coach.is_ready_to_show, "the coach")
        self.driver.frames(4)
        return self.coach

    @property
    def coach(self) -> CoachState:
        state = self.driver.controller.view.states["coach"]
        assert isinstance(state, CoachState)
        return state

    @property
    def left(self) -> dict[str, int]:
        answer = self.wait().answer
        assert answer is not None
        assert answer.trouble is None
        assert answer.left is not None
        return dict(answer.left)

    @property
    def page(self):  # type: ignore[no-untyped-def]
        return self.driver.pages.open_tiles

    def list_lying(self) -> list[str]:
        return [tile.code for tile in self.driver.state.hand.free]

    def place(self, number: int) -> tuple[float, float]:
        """Where on the screen the tile of that number in the picture is."""
        stage = self.page.picture.stage
        return tuple(stage.to_window(*stage.place_of(self.driver.state.hand.tiles[number].id)))


@pytest.fixture
def visitor(companion: Driver, tmp_path: Path) -> Visitor:
    return Visitor(companion, tmp_path)


def test_the_coach_counts_what_a_photo_of_the_table_shows(visitor: Visitor) -> None:
    driver = visitor.driver
    visitor.bring("hand", lie(HAND, 500))
    driver.press("What should I discard?")
    assert visitor.left["4m"] == 3
    driver.shot("open-tiles-asked")
    driver.press("Tiles on the table")
    assert (driver.page, driver.state.page) == ("open_tiles", Page.OPEN)
    driver.frames(4)
    driver.shot("open-tiles-empty")
    visitor.bring("table", [*lie(RIVER, 100), *lie([UNKNOWN, "back"], 250)])
    assert visitor.list_lying() == [*RIVER, UNKNOWN, "back"]
    assert driver.says("On the table: 8")
    driver.shot("open-tiles-read")
    driver.press("What should I discard?")
    assert visitor.coach.subject is Subject.HAND
    assert driver.page == "coach"
    left = visitor.left
    assert (left["4m"], left["2s"], left["7m"], left["5s"], left["7p"]) == (1, 3, 3, 2, 3)
    answer = visitor.coach.answer
    assert answer is not None
    assert answer.at_least, "one face was not read"
    assert driver.says("Tiles on the table: 8")
    driver.shot("open-tiles-advised")
    driver.controller.step_back()
    driver.settle()
    assert driver.state.page is Page.TABLE
    assert [tile.code for tile in driver.state.hand.concealed] == HAND
    assert driver.state.outcome.score is not None


def test_a_tile_of_the_table_is_put_right_by_touch(visitor: Visitor) -> None:
    driver = visitor.driver
    visitor.turn_to_table()
    visitor.bring("table", [*lie(RIVER, 100), *lie([UNKNOWN], 250)])
    driver.touch(visitor.place(7))
    assert driver.state.selected == driver.state.hand.tiles[7].id
    driver.frames(4)
    driver.shot("open-tiles-typing")
    assert set(visitor.page.sheet.actions) == {"leave_out"}, "no melds, no winning tile"
    driver.touch(visitor.page.sheet.keys["6p"])
    assert visitor.list_lying() == [*RIVER, "6p"]
    driver.touch(visitor.place(1))
    assert visitor.list_lying() == ["2s", "4m", "7m", "7p", "5s", "5s", "6p"], "one that does not count"
    driver.press("Undo")
    assert visitor.list_lying() == [*RIVER, "6p"]
    driver.press("What should I discard?")
    assert (visitor.left["6p"], visitor.left["4m"]) == (3, 1)


def test_tiles_can_be_typed_and_taken_out_again(visitor: Visitor) -> None:
    driver = visitor.driver
    visitor.turn_to_table()
    driver.press("Add tiles by hand")
    for code in ("8m", "8m", "8m", "7p"):
        driver.touch(visitor.page.sheet.keys[code])
    assert visitor.list_lying() == ["8m", "8m", "7p"], "two of the four are in the hand"
    driver.press("What should I discard?")
    assert (visitor.left["8m"], visitor.left["7p"]) == (0, 3)
    driver.press("Tiles on the table: 3")
    assert visitor.list_lying() == ["8m", "8m", "7p"]
    driver.press("Clear")
    driver.press("What should I discard?")
    assert (visitor.left["8m"], visitor.left["7p"]) == (2, 4)
    assert visitor.coach.open_tile_count == 0


@pytest.mark.long
def test_one_picture_of_all_is_enough(visitor: Visitor) -> None:
    """The row of the hand is the hand; all other faces lie open."""
    visitor.bring("all", [*lie(RIVER, 100), *lie(HAND, 500)])
    visitor.ask()
    assert visitor.left["4m"] == 1
    assert visitor.coach.open_tile_count == len(RIVER)
    visitor.driver.press(f"Tiles on the table: {len(RIVER)}")
    visitor.driver.frames(4)
    visitor.driver.shot("open-tiles-one-picture")
    assert visitor.list_lying() == RIVER


def test_a_hand_that_the_picture_of_the_table_shows_counts_once(visitor: Visitor) -> None:
    visitor.turn_to_table()
    visitor.bring("table", [*lie(RIVER, 100), *lie(HAND, 500)])
    assert visitor.list_lying() == RIVER
    visitor.driver.press("What should I discard?")
    assert visitor.left["8m"] == 2


@pytest.mark.long
def test_another_hand_has_another_table_and_nothing_of_it_is_kept(visitor: Visitor) -> None:
    driver = visitor.driver
    visitor.turn_to_table()
    visitor.bring("table", lie(RIVER, 100))
    kept = driver.kept("score_photo")
    assert kept.picture == str(visitor.folder / "hand.png")
    assert [tile.code for tile in kept.hand.tiles] == HAND
    driver.controller.announce(ScorePhotoWanted())
    driver.settle()
    assert driver.state.page is Page.TABLE
    visitor.bring("next", lie([*HAND[:-1], "7s"], 500))
    visitor.ask()
    assert visitor.left["4m"] == 3


@pytest.mark.long
def test_fair_game_hides_the_page(visitor: Visitor) -> None:
    driver = visitor.driver
    visitor.turn_to_table()
    driver.controller.announce(FairGameSet(True))
    driver.settle()
    assert driver.state.page is Page.TABLE
    assert not driver.says("What should I discard?")
    driver.controller.announce(OpenTilesWanted())
    driver.settle()
    assert driver.state.page is Page.TABLE


def test_a_picture_that_opens_too_late_is_no_new_hand() -> None:
    """The person has gone back to the hand meanwhile."""
    path = Path("table.png")
    shown = ShownPicture(np.zeros((4, 4, 3), np.uint8), 4, 4)
    hand = editing.stop_typing(editing.press_key(editing.start_adding(ScorePhoto()), "5m"))
    waiting = photo.open_picture(hand.on_news(OpenTilesWanted()), path)
    opened = waiting.on_news(PictureOpened(path, shown))
    assert opened.draft.picture == str(path)
    back = open_tiles.leave_open_tiles(waiting).on_news(PictureOpened(path, shown))
    assert back.draft == hand.draft
    assert back.shown is None


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_the_page_has_room_in_every_window(
    kivy_window: None, tmp_path: Path, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, TableReader(), size, language=language)
    try:
        visitor = Visitor(driver, tmp_path)
        visitor.bring("hand", lie(HAND, 500))
        visitor.ask()
        name = f"open-tiles_{size[0]}_{language.value}"
        driver.shot(f"{name}_coach")
        driver.touch(driver.pages.coach.lying)
        visitor.bring("table", [*lie(RIVER * 2, 100), *lie(["2p", "3p", "6s", "8s", "6p"] * 3, 250)])
        driver.frames(4)
        driver.shot(f"{name}_read")
        page = visitor.page
        assert page.done.width >= 57 <= page.done.height
        driver.touch(visitor.page.tray.keys[driver.state.hand.tiles[0].id])
        driver.frames(4)
        driver.shot(f"{name}_typing")
        sheet = page.sheet
        assert min(key.width for key in sheet.keys.values()) >= 30
        assert sheet.y >= page.y
        assert page.picture.stage.height > 100
    finally:
        driver.close()
