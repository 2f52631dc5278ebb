"""Of the frames of a camera that stands still only what has changed is read, and nothing is read otherwise
for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.tiles import Tile
from companion.vision import Reading, Recogniser, teaching
from companion.vision.networks import Answers
from companion.vision.recogniser import ANEW_AFTER, SeenFrame
from lab.scenes.hand import render_hand

ROWS = [["1m", "2m", "3m", "7z", "back", "5p"], ["9s", "4z", "back", "6p", "1z", "8m"], ["3s", "2z", "7p"]]
SIZE = (1280, 720)
NEAR_PX = 6.0
NOISE = 3.0
BESIDE_PX = 20

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@dataclass
class Counting:
    """The reader, and how many crops it was asked about."""

    recogniser: Recogniser
    crops: int = 0

    def __post_init__(self) -> None:
        self._reader = self.recogniser.reader
        self.recogniser.reader = self  # type: ignore[assignment]

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def classify(self, crops: np.ndarray) -> Answers:
        self.crops += len(crops)
        return self._reader.classify(crops)


@dataclass
class Camera:
    """A camera that stands still: its frames read one after the other, each beside a reading of the whole."""

    recogniser: Recogniser
    seen: SeenFrame | None = None
    taken: int = 0
    readings: list[Reading] = field(default_factory=list)

    def look(self, picture: Image) -> bool:
        """Whether all of the picture was read; asserts that no tile is read otherwise than in the whole."""
        self.taken += 1
        rng = np.random.default_rng(self.taken)
        frame = cv2.add(picture, rng.normal(0, NOISE, picture.shape), dtype=cv2.CV_8U)
        frame = cv2.imdecode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 88])[1], 1)
        frame = np.asarray(frame, np.uint8)
        reading, self.seen = self.recogniser.read_next(self.seen, frame)
        assert_alike(reading, self.recogniser.read(frame))
        self.readings.append(reading)
        return self.seen.partly == 0


def choose_uncovered(reading: Reading, hand: Image) -> Counter[str]:
    """The names of the tiles of a reading that lie well beside a hand, a mask."""
    around = cv2.dilate(hand, np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8))
    clear: Counter[str] = Counter()
    for tile in reading.tiles:
        place = cv2.fillConvexPoly(np.zeros_like(hand), np.array(tile.quad).round().astype(np.int32), 255)
        clear[tile.code] += not (place & around).any()
    return clear


def assert_alike(one: Reading, other: Reading) -> None:
    """The same tiles in the same places."""
    left = list(other.tiles)
    for tile in one.tiles:
        middle = np.mean(tile.quad, axis=0)
        twin = min(left, key=lambda each: float(np.hypot(*(np.mean(each.quad, axis=0) - middle))))
        assert twin.code == tile.code, (tile, twin)
        assert np.hypot(*(np.mean(twin.quad, axis=0) - middle)) < NEAR_PX
        left.remove(twin)
    assert not left


def draw(rows: list[list[str]] = ROWS) -> Image:
    return render_hand(rows, seed=3, width=SIZE[0], height=SIZE[1]).image


def put(row: int, column: int, code: str) -> list[list[str]]:
    """The rows with another tile in one place."""
    return [
        [code if (i, k) == (row, column) else old for k, old in enumerate(each)]
        for i, each in enumerate(ROWS)
    ]


def codes(reading: Reading) -> list[str]:
    return sorted(tile.code for tile in reading.tiles)


def test_tiles_put_down_taken_away_and_turned_over_are_read_alone(recogniser: Recogniser) -> None:
    whole = draw()
    camera = Camera(recogniser)
    assert camera.look(whole)
    assert codes(camera.readings[0]) == sorted(code for row in ROWS for code in row)
    left, top, right, bottom = box_of(camera.readings[0], "8m")  # the last of its row
    without = whole.copy()
    width = right + 40 - left
    without[top - 8 : bottom + 40, left : left + width] = whole[
        top - 8 : bottom + 40, left + width : left + 2 * width
    ]
    for picture in (without, whole, draw(put(0, 2, "back")), whole, draw(put(1, 0, "5z")), whole):
        assert not camera.look(picture)
    assert "8m" not in codes(camera.readings[1])
    assert codes(camera.readings[-1]) == codes(camera.readings[0])


def box_of(reading: Reading, code: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom, px, of the one tile of that name."""
    (quad,) = (np.array(tile.quad) for tile in reading.tiles if tile.code == code)
    (left, top), (right, bottom) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    return int(left), int(top), int(right), int(bottom)


def test_a_hand_that_moves_across_hides_tiles_and_shows_them_again(recogniser: Recogniser) -> None:
    whole = draw()
    camera = Camera(recogniser)
    camera.look(whole)
    for x in (480, 600, 720):
        hand = np.zeros(whole.shape[:2], np.uint8)
        cv2.ellipse(hand, (x, 640), (45, 330), 12, 0, 360, 255, -1)
        frame = np.where(hand[:, :, None] > 0, np.array([120, 150, 200], np.uint8), whole)
        reading, camera.seen = recogniser.read_next(camera.seen, frame)
        assert camera.seen.partly
        there = choose_uncovered(camera.readings[0], hand)
        assert there <= Counter(codes(reading))
        assert there.total() < len(camera.readings[0].tiles)
    assert not camera.look(whole)
    assert codes(camera.readings[-1]) == codes(camera.readings[0])


def test_noise_and_slow_light_are_no_changes(recogniser: Recogniser) -> None:
    whole = draw()
    camera = Camera(recogniser)
    camera.look(whole)
    counting = Counting(Recogniser(models_dir()))
    for gain in (1.0, 0.97, 0.93, 1.04):
        noise = np.random.default_rng(1).normal(0, NOISE, whole.shape)
        frame = cv2.add(cv2.convertScaleAbs(whole, alpha=gain), noise, dtype=cv2.CV_8U)
        _, camera.seen = counting.recogniser.read_next(camera.seen, np.asarray(frame, np.uint8))
    assert counting.crops == 0


def test_only_new_tiles_are_classified(recogniser: Recogniser) -> None:
    counting = Counting(Recogniser(models_dir()))
    _, seen = counting.recogniser.read_next(None, draw())
    before, counting.crops = counting.crops, 0
    reading, _ = counting.recogniser.read_next(seen, draw(put(0, 2, "9p")))
    assert 0 < counting.crops < before / 3
    assert "9p" in codes(reading)


def test_a_camera_that_was_moved_another_light_and_another_size_are_read_anew(recogniser: Recogniser) -> None:
    whole = draw()
    camera = Camera(recogniser)
    camera.look(whole)
    moved = np.asarray(cv2.warpAffine(whole, np.array([[1.0, 0.02, 9], [-0.02, 1.0, 12]]), SIZE), np.uint8)
    assert camera.look(moved)
    assert camera.look(np.asarray(cv2.convertScaleAbs(moved, alpha=0.6), np.uint8))
    assert camera.look(whole[:600])


def test_a_shift_by_less_than_a_pixel_is_no_change(recogniser: Recogniser) -> None:
    whole = draw()
    camera = Camera(recogniser)
    camera.look(whole)
    nudged = cv2.warpAffine(
        whole, np.array([[1.0, 0, 0.4], [0, 1.0, 0.3]]), SIZE, borderMode=cv2.BORDER_REPLICATE
    )
    assert not camera.look(np.asarray(nudged, np.uint8))


def test_a_table_without_tiles_and_another_game_are_read_as_a_whole(recogniser: Recogniser) -> None:
    empty = np.full((720, 1280, 3), (62, 96, 34), np.uint8)
    _, seen = recogniser.read_next(None, empty)
    reading, seen = recogniser.read_next(seen, draw(), rules="hefei")
    assert len(reading.tiles) == sum(map(len, ROWS))
    _, seen = recogniser.read_next(seen, draw())
    assert seen.partly == 0


def test_now_and_then_all_is_read_anew(recogniser: Recogniser) -> None:
    _, seen = recogniser.read_next(None, draw())
    _, again = recogniser.read_next(replace(seen, partly=ANEW_AFTER), draw())
    assert again.partly == 0


def test_a_learned_set_counts_as_in_a_whole_reading(recogniser: Recogniser) -> None:
    lesson = [["1m", "2m", "3m", "4m", "5m", "6m", "7m"], [f"{rank}p" for rank in range(1, 8)]]
    lesson.append(["1s", "2s", "3s", "4s", "5s", "6s", "7s"])
    picture = draw(lesson)
    shown = recogniser.read(picture)
    kinds = tuple(Tile.parse(tile.code) for tile in shown.tiles)
    learned = teaching.learn(recogniser.reader, "mine", [teaching.Lesson(picture, shown, kinds)])
    _, seen = recogniser.read_next(None, picture, tile_set=learned)
    lesson[1][3] = "back"
    part, seen = recogniser.read_next(seen, draw(lesson), tile_set=learned)
    assert seen.partly == 1
    assert_alike(part, recogniser.read(draw(lesson), tile_set=learned))
    assert len(part.tiles) == len(shown.tiles)
