"""A set that is taught lesson by lesson: few kinds, corrections, second designs, lessons taken back."""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

import cv2
import msgspec
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.tiles import Tile
from companion.vision import Recogniser, set_files
from companion.vision.learned import LearnedSet, name_photo
from companion.vision.teaching import REPLACED_MAX, Lesson, learn, put_in_place_of, take_lesson_back
from lab.bench.reading_accuracy import match_labels
from lab.scenes.draw import Scene
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

FIVE = ["1s", "3z", "2m", "7p", "5s"]
OTHERWISE = {"1s": "6f"}  # what the set calls this drawing


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


def show(
    recogniser: Recogniser, rows: list[list[str]], seed: int, named: dict[str, str | None] | None = None
) -> Lesson:
    """A picture of these tiles with what each is called; None: left out."""
    scene: Scene = render_hand(rows, seed=seed, width=1280, height=960)
    reading = recogniser.read(scene.image)
    kinds: list[Tile | None] = [None] * len(reading.tiles)
    same = match_labels(reading, np.array([tile.quad for tile in scene.tiles], np.float32))
    for tile, index in zip(scene.tiles, same, strict=True):
        code = (named or {}).get(tile.code, tile.code)
        if index is not None and code:
            kinds[index] = Tile.parse(code)
    return Lesson(scene.image, reading, tuple(kinds))


@pytest.fixture(scope="module")
def few(recogniser: Recogniser) -> LearnedSet:
    return learn(recogniser.reader, "few", [show(recogniser, [FIVE], 1, OTHERWISE)])


def test_five_kinds_are_learned_and_read(recogniser: Recogniser, few: LearnedSet) -> None:
    assert few.kinds == ("2m", "7p", "5s", "3z", "6f")
    hand = ["1s", "3z", "4m", "9p", "6s", "2z", "8m"]
    read = recogniser.read(render_hand([hand], seed=8).image, tile_set=few)
    assert sorted(tile.code for tile in read.tiles) == sorted(["6f", *hand[1:]])


def test_names_that_a_person_exchanged_in_every_photo_are_read_so(recogniser: Recogniser) -> None:
    """Also where most tiles of a picture carry one of them, and the reader is sure of the other name."""
    exchanged = {"3z": "7z", "7z": "3z"}
    both = [show(recogniser, [[*FIVE, "7z"]], seed, exchanged) for seed in (1, 2)]
    taught = learn(recogniser.reader, "exchanged", both)
    picture = render_hand([["3z", "3z", "3z", "7z", "7z", "2m"]], seed=8).image
    read = recogniser.read(picture, tile_set=taught)
    assert [tile.code for tile in read.tiles] == ["7z", "7z", "7z", "3z", "3z", "2m"]


def test_lessons_add_up_and_the_last_is_taken_back(recogniser: Recogniser, few: LearnedSet) -> None:
    more = learn(recogniser.reader, "few", [show(recogniser, [["4m", "9p", "6s"]], 2)], few)
    assert {*more.kinds} == {*few.kinds, "4m", "9p", "6s"}
    assert more.lessons == 2
    assert {str(name_photo(e.source)) for e in more.examples} == {
        "photo 1 of lesson 1",
        "photo 1 of lesson 2",
    }
    back = take_lesson_back(more)
    assert back is not None
    assert back.codes == few.codes
    assert np.array_equal(back.features, few.features)
    assert take_lesson_back(back) is None


def test_the_same_photo_counts_once(recogniser: Recogniser, few: LearnedSet) -> None:
    again = show(recogniser, [FIVE], 1, OTHERWISE)
    with pytest.raises(InputError, match="Nothing is new"):
        learn(recogniser.reader, "few", [again], few)
    one_more = replace(
        again, kinds=tuple(Tile.parse("1s") if k and k.code == "6f" else k for k in again.kinds)
    )
    corrected = learn(recogniser.reader, "few", [one_more], few)
    assert {*corrected.kinds} == {"2m", "7p", "5s", "3z", "1s"}
    assert len(corrected.examples) == len(few.examples)
    assert take_lesson_back(corrected).kinds == few.kinds  # type: ignore[union-attr]


def test_a_second_design_is_learned_and_named(recogniser: Recogniser, few: LearnedSet) -> None:
    peacock = show(recogniser, [["1p", "4m", "9p"]], 3, {"1p": "6f"})
    both = learn(recogniser.reader, "few", [peacock], few)
    assert both.with_two_designs == ("6f",)
    assert both.designs["4m"] == 1
    read = recogniser.read(render_hand([["1s", "2m", "7p", "5s"]], seed=9).image, tile_set=both)
    assert sorted(tile.code for tile in read.tiles) == sorted(["6f", "2m", "7p", "5s"])


def test_a_tile_that_looks_like_another_kind_is_refused(recogniser: Recogniser, few: LearnedSet) -> None:
    wrong = show(recogniser, [["2m", "4m", "9p"]], 4, {"2m": "7p"})
    with pytest.raises(
        InputError, match=r"Tile 1 is called 7p, but .* the 2m learned from photo 1 of lesson 1"
    ):
        learn(recogniser.reader, "few", [wrong], few)


def test_a_drawing_that_was_taught_as_another_kind_is_not_the_first_of_its_own(
    recogniser: Recogniser, few: LearnedSet
) -> None:
    """Also in a photo that shows it less well, where it is not quite as similar."""
    as_read = show(recogniser, [["1s", "4m", "9p"]], 4)
    blurred = replace(as_read, picture=cv2.GaussianBlur(as_read.picture, (0, 0), 2))
    with pytest.raises(
        InputError, match=r"Tile 1 is called 1s, but .* the 6f learned from photo 1 of lesson 1"
    ):
        learn(recogniser.reader, "few", [blurred], few)


def test_a_set_of_another_model_takes_no_lesson(recogniser: Recogniser, few: LearnedSet) -> None:
    with pytest.raises(InputError, match="another model"):
        learn(recogniser.reader, "few", [show(recogniser, [FIVE], 1)], replace(few, reader="0" * 64))


def test_what_was_seen_comes_back_from_the_file(few: LearnedSet) -> None:
    path = set_files.save(few)
    assert path.stat().st_size < 40_000
    back = set_files.load("few")
    assert back.sources == few.sources
    assert [e.design for e in back.examples] == [0] * 5


def test_what_was_learned_anew_keeps_the_last_sets_that_it_replaced(few: LearnedSet) -> None:
    latest = few
    for kinds in range(1, REPLACED_MAX + 2):
        latest = put_in_place_of(latest, replace(few, codes=(*few.codes[:-1], f"{kinds}m")))
    set_files.save(latest)
    back, found = set_files.load("few", few.reader), []
    while back := take_lesson_back(back):
        found.append(back.codes[-1])
    assert found == [f"{kinds}m" for kinds in range(REPLACED_MAX, 0, -1)]


def test_a_set_of_an_earlier_program_is_loaded_with_where_its_tiles_were_seen(few: LearnedSet) -> None:
    path = set_files.save(few)
    fields = msgspec.msgpack.decode(path.read_bytes())
    content = [fields[1], fields[2], fields[3], fields[5]]
    path.write_bytes(
        msgspec.msgpack.encode([2, *content[:3], crc32(msgspec.msgpack.encode(content)), fields[5]])
    )
    back = set_files.load("few")
    assert (back.codes, back.sources, back.replaced) == (few.codes, few.sources, None)
