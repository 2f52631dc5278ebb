"""Which tiles of a picture count, in the window: proposed, touched, framed, undone, kept."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from app_driver import SIZES, Driver, ScriptedReader
from frames import make_finger

from companion.app.score_photo import editing
from companion.images import Image, Quad
from companion.tiles import BACK
from companion.vision import Reading, TileReading
from companion.vision.learned import LearnedSet
from companion.words import Language

pytestmark = pytest.mark.slow

HAND = ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p"]
MELD = ["7s", "7s", "7s"]
DISCARDS = ["2p", "7p", "3s", "6p", "5m", "2s"]
WIDTH, HEIGHT = 60.0, 80.0


def quad(x: float, y: float) -> Quad:
    return ((x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT))


def table() -> list[tuple[str, Quad]]:
    """Six discards, a hand of ten before them, its winning tile apart, and a meld at its right."""
    tiles = [(code, quad(300 + 62.0 * i, 150)) for i, code in enumerate(DISCARDS)]
    tiles += [(code, quad(60 + 62.0 * i, 500)) for i, code in enumerate(HAND)]
    tiles += [("5p", quad(60 + 62.0 * 10 + 50, 500))]
    return tiles + [(code, quad(60 + 62.0 * 13 + 62.0 * i, 500)) for i, code in enumerate(MELD)]


class TableReader(ScriptedReader):
    """Finds what lies on the table."""

    lies: list[tuple[str, Quad]]

    def read(self, image: Image, tile_set: LearnedSet | None = None) -> Reading:
        self.read_count += 1
        tiles = tuple(TileReading(code, quad, 0.99, ((code, 0.99),)) for code, quad in self.lies)
        return Reading(1280, 720, tiles, (tuple(range(len(tiles))),), {"total": 1.0})


@pytest.fixture
def reader() -> TableReader:
    reader = TableReader()
    reader.lies = table()
    return reader


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    import cv2

    from companion.art import tile_png

    image = np.full((720, 1280, 3), (44, 96, 70), np.uint8)
    for code, ((x, y), *_) in table():
        face = cv2.imread(str(tile_png(code)))
        image[int(y) : int(y + HEIGHT), int(x) : int(x + WIDTH)] = cv2.resize(face, (60, 80))
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), image)
    return path


def codes(driver: Driver) -> list[str]:
    return [tile.code for tile in driver.state.hand.concealed]


def place(driver: Driver, number: int) -> tuple[float, float]:
    """Where on the screen the tile of that number in the picture is."""
    stage = driver.pages.table.picture.stage
    return tuple(stage.to_window(*stage.place_of(driver.state.hand.tiles[number].id)))


def test_the_hand_is_proposed_its_melds_and_the_winning_tile_set_apart(
    companion: Driver, picture: Path
) -> None:
    companion.open(picture)
    hand = companion.state.hand
    assert codes(companion) == [*HAND, "5p"]
    assert [meld.notation for meld in hand.melds] == ["p777s"]
    assert hand.winning == hand.tiles[16]
    assert [tile.code for tile in hand.left_out] == DISCARDS
    assert companion.says("not counted: 6")
    companion.shot("which-hand-tablet")


def test_discards_lie_in_shade_in_the_picture(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    shaded = companion.pixels().astype(int)
    companion.do(lambda state: editing.touch(state, state.hand.tiles[0].id))
    brighter = (companion.pixels() - shaded).mean(axis=2) > 50
    assert np.count_nonzero(brighter[: companion.window.height // 2]) > 200


def test_one_touch_takes_a_tile_in_and_undo_takes_it_out(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.touch(place(companion, 0))
    assert codes(companion)[0] == "2p"
    assert len(codes(companion)) == 12
    assert companion.state.selected is None
    companion.press("Undo")
    assert codes(companion) == [*HAND, "5p"]


def test_one_touch_leaves_a_tile_out_and_one_brings_it_back(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    before = place(companion, 6)
    companion.touch(before)
    assert codes(companion) == [*HAND[1:], "5p"]
    assert companion.says("not counted: 7")
    assert place(companion, 6) == before
    companion.touch(place(companion, 6))
    assert codes(companion) == [*HAND, "5p"]


def test_one_touch_leaves_a_tile_of_a_meld_out_and_one_brings_the_meld_back(
    companion: Driver, picture: Path
) -> None:
    companion.open(picture)
    melds = companion.state.hand.melds
    companion.touch(place(companion, 18))
    assert companion.state.hand.melds == ()
    companion.touch(place(companion, 18))
    assert companion.state.hand.melds == melds


def test_a_tile_below_the_picture_is_left_out_by_its_sheet(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.touch(companion.pages.table.tray.keys[companion.state.hand.tiles[6].id])
    companion.press("Not in the hand")
    assert codes(companion) == [*HAND[1:], "5p"]


@pytest.mark.sampled
@pytest.mark.parametrize("by", ["picture", "tray", "look"])
def test_one_touch_on_a_concealed_kong_of_four_backs_asks_for_its_kind(
    companion: Driver, reader: TableReader, picture: Path, by: str
) -> None:
    reader.lies = [(BACK if code == "7s" else code, place) for code, place in table()]
    reader.lies.append((BACK, quad(60 + 62.0 * 16, 500)))
    companion.open(picture)
    assert companion.state.hand.melds == ()
    if by == "picture":
        companion.touch(place(companion, 18))
    elif by == "tray":
        companion.touch(companion.pages.table.tray.keys[companion.state.hand.tiles[18].id])
    else:
        companion.press("1 to check")
    assert companion.says("Concealed kong: which tile?")
    companion.shot(f"which-hand-kong-{by}")
    companion.touch(companion.pages.table.sheet.keys["7s"])
    assert [meld.notation for meld in companion.state.hand.melds] == ["K7777s"]
    assert companion.state.draft.request()["melds"] == ["K7777s"]
    assert companion.kept("score_photo").hand == companion.state.hand
    companion.press("Undo")
    assert len(companion.state.hand.unnamed) == 1
    assert companion.state.draft.request()["melds"] == []


def test_a_frame_drawn_over_the_picture_says_which_tiles_count(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    (left, top), (right, bottom) = place(companion, 0), place(companion, 5)
    companion.drag((left - 15, top + 15), (right + 15, bottom - 15))
    assert codes(companion) == DISCARDS
    assert companion.state.hand.melds == ()
    assert companion.pages.table.picture.stage.zoom == 1
    companion.press("Undo")
    assert codes(companion) == [*HAND, "5p"]


def test_a_frame_around_no_tile_changes_nothing(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    before = companion.state.draft
    (x, discards), (_, hand) = place(companion, 0), place(companion, 6)
    middle = (discards + hand) / 2
    companion.drag((x, middle + 5), (x + 100, middle - 5))
    assert companion.state.draft == before
    assert companion.says("No tile in that frame is face up")
    companion.touch((x, discards))
    assert codes(companion)[0] == "2p"
    assert not companion.says("No tile in that frame is face up")


def test_an_enlarged_picture_is_moved_by_a_drag(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    stage = companion.pages.table.picture.stage
    stage._board.zoom_by(2.0, stage.center)
    companion.frames(2)
    before, draft = place(companion, 8), companion.state.draft
    companion.drag(stage.to_window(*stage.center), (stage.center_x + 80, stage.center_y + 30))
    assert place(companion, 8) != before
    assert companion.state.draft == draft


def test_two_fingers_enlarge_the_picture_and_draw_no_frame(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    stage, draft = companion.pages.table.picture.stage, companion.state.draft
    x, y = stage.to_window(*stage.center)
    fingers = [make_finger(x - 20, y), make_finger(x + 20, y)]
    for finger in fingers:
        finger.down()
        companion.frames(1)
    for step in (40, 80, 120):
        for finger, way in zip(fingers, (-1, 1), strict=True):
            finger.to(x + way * step, y)
        companion.frames(1)
    for finger in fingers:
        finger.up()
    companion.frames(4)
    assert stage.zoom > 1.5
    assert companion.state.draft == draft


def test_the_part_with_the_tiles_fills_the_pane_and_a_double_tap_shows_all(
    companion: Driver, reader: TableReader, picture: Path
) -> None:
    reader.lies = [(code, tuple((x / 3, y / 3) for x, y in quad)) for code, quad in table()]  # type: ignore[misc]
    companion.open(picture)
    stage = companion.pages.table.picture.stage

    def reach() -> float:
        return place(companion, 5)[0] - place(companion, 0)[0]

    def tap_twice(x: float, y: float) -> None:
        finger = make_finger(x, y)
        finger.is_double_tap = True
        finger.down()
        companion.frames(1)
        finger.up()
        companion.frames(2)

    numbers = range(len(companion.state.hand.tiles))
    near, tiles = reach(), [place(companion, number) for number in numbers]
    tap_twice(*stage.to_window(stage.x + 3, stage.y + 3))
    assert reach() < near / 2
    small = [place(companion, number) for number in numbers]
    tap_twice(*next(tile for tile in tiles if all(math.dist(tile, other) > 40 for other in small)))
    assert reach() == near
    assert codes(companion) == [*HAND, "5p"], "no tile was touched that came under the finger"
    (left, top), (right, low) = place(companion, 0), place(companion, 5)
    companion.drag((left - 15, top + 15), (right + 15, low - 15))
    assert codes(companion) == DISCARDS


def test_chosen_hand_survives_closing_the_window(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.touch(place(companion, 0))
    kept = companion.kept("score_photo")
    assert kept.hand == companion.state.hand
    assert kept.hand.arranged


def test_a_person_is_asked_where_two_hands_are_alike(
    companion: Driver, reader: TableReader, picture: Path
) -> None:
    rows = [quad(60 + 62.0 * i, y) for y in (150.0, 500.0) for i in range(14)]
    win = ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s"]
    reader.lies = list(zip(win * 2, rows, strict=True))
    companion.open(picture)
    assert companion.says("Which tiles are the hand? Draw a frame around them.")
    assert len(codes(companion)) == 14
    (left, top), (right, low) = (place(companion, n) for n in (0, 13))
    companion.drag((left - 6, top + 20), (right + 6, low - 20))
    assert [tile.id for tile in companion.state.hand.concealed] == list(range(14))
    assert not companion.says("Which tiles are the hand?")


@pytest.mark.sampled
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("size", ["small", "tablet"])
def test_the_proposal_fits_every_window(
    companion: Driver, picture: Path, size: str, language: Language
) -> None:
    companion.resize(SIZES[size])
    companion.controller.set_language(language)
    companion.open(picture)
    companion.shot(f"which-hand-{size}-{language}")
    companion.touch(place(companion, 6))
    companion.shot(f"which-hand-left-out-{size}-{language}")
    companion.touch(place(companion, 6))
    companion.touch(companion.pages.table.tray.keys[companion.state.hand.tiles[6].id])
    companion.frames(4)
    companion.shot(f"which-hand-sheet-{size}-{language}")
    assert companion.state.selected is not None
