"""Learning a set of tiles from a picture: it is read better, others no worse, bad pictures are refused."""

from __future__ import annotations

import resource
from dataclasses import replace
from errno import EIO
from os import strerror
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.tiles import KINDS, Tile
from companion.vision import Recogniser, set_files
from companion.vision.learned import LearnedSet
from companion.vision.set_files import CRC_VERSION, VERSION, _checksum, _File
from companion.vision.teaching import Lesson, learn
from lab.bench.labelled_photos import match_labels
from lab.scenes.draw import Scene
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

CODES = [tile.code for tile in KINDS]
TABLE = [CODES[0:9], CODES[9:18], CODES[18:27], CODES[27:34], CODES[34:42]]
# A set in which these kinds carry the drawings of one another: who has not learned it must read it wrongly.
OTHERWISE = {"1s": "6f", "6f": "1s", "3z": "7z", "7z": "3z"}


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@pytest.fixture(scope="module")
def table() -> Scene:
    return render_hand(TABLE, seed=1, width=1280, height=1280)


def lesson(recogniser: Recogniser, scene: Scene) -> Lesson:
    """The reading of a scene with what each tile is."""
    reading = recogniser.read(scene.image)
    truth = [tile for tile in scene.tiles if tile.visible > 0.7]
    same = match_labels(reading, np.array([tile.quad for tile in truth], np.float32))
    kinds: list[Tile | None] = [None] * len(reading.tiles)
    for tile, index in zip(truth, same, strict=True):
        if index is not None:
            kinds[index] = Tile.parse(tile.code)
    return Lesson(scene.image, reading, tuple(kinds))


def rename(whole: Lesson, named: dict[str, str]) -> Lesson:
    """The lesson with some kinds under other names."""
    return replace(
        whole, kinds=tuple(kind and Tile.parse(named.get(kind.code, kind.code)) for kind in whole.kinds)
    )


@pytest.fixture(scope="module")
def whole(recogniser: Recogniser, table: Scene) -> Lesson:
    return lesson(recogniser, table)


@pytest.fixture(scope="module")
def taught(recogniser: Recogniser, whole: Lesson) -> LearnedSet:
    return learn(recogniser.reader, "odd", [rename(whole, OTHERWISE)])


def test_what_was_taught_is_read(recogniser: Recogniser, taught: LearnedSet) -> None:
    assert taught.kinds == tuple(CODES)
    scene = render_hand([["1s", "2s", "3z", "7z"], ["6f", "1m", "9m", "5p", "8s"]], seed=8)
    wanted = sorted(["6f", "2s", "7z", "3z", "1s", "1m", "9m", "5p", "8s"])
    assert sorted(tile.code for tile in recogniser.read(scene.image, tile_set=taught).tiles) == wanted


def test_a_turned_picture_is_read_as_well(recogniser: Recogniser, taught: LearnedSet) -> None:
    others = ["2m", "3m", "4m", "8p", "9p", "5s"]
    scene = render_hand([["1s", "3z", "7z", *others]], seed=9)
    turned = recogniser.read(cv2.rotate(scene.image, cv2.ROTATE_90_CLOCKWISE), tile_set=taught)
    assert sorted(tile.code for tile in turned.tiles) == sorted(["6f", "7z", "3z", *others])


def test_a_set_of_other_tiles_changes_nothing(recogniser: Recogniser, taught: LearnedSet) -> None:
    rng = np.random.default_rng(1)
    stranger = LearnedSet("s", taught.reader, taught.codes, rng.random(taught.features.shape, np.float32))
    image = render_hand([["1s", "2s", "3z", "7z"], ["6f", "1m", "9m", "5p", "8s"]], seed=8).image
    plain, beside = recogniser.read(image), recogniser.read(image, tile_set=stranger)
    assert [tile.code for tile in beside.tiles] == [tile.code for tile in plain.tiles]


def test_a_learned_set_comes_back_from_its_file(taught: LearnedSet) -> None:
    path = set_files.save(taught)
    assert path.stat().st_size < 300_000
    assert set_files.names() == ["odd"]
    back = set_files.load("odd", taught.reader)
    assert back.codes == taught.codes
    assert np.abs(back.features - taught.features).max() < 0.01
    with pytest.raises(InputError, match="another model"):
        set_files.load("odd", "0" * 64)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match="damaged"):
        set_files.load("odd")
    set_files.delete("odd")
    with pytest.raises(InputError, match=r"No tile set 'odd'\. No tile sets are saved yet"):
        set_files.load("odd")


def test_a_set_of_a_later_version_is_not_called_damaged(taught: LearnedSet) -> None:
    path = set_files.save(taught)
    path.write_bytes(msgspec.msgpack.encode([5, {"reader": taught.reader}, ["a", "b"]]))
    with pytest.raises(InputError, match=r"'odd' .* another version of the program .* 5, not 4"):
        set_files.load("odd", taught.reader)


def without_checksum(path: Path) -> None:
    """Makes the file of a set as it was written before there were checksums, and sources."""
    path.write_bytes(msgspec.msgpack.encode([1, *msgspec.msgpack.decode(path.read_bytes())[1:4]]))


def test_a_set_of_an_earlier_program_is_used(taught: LearnedSet) -> None:
    without_checksum(set_files.save(taught))
    assert set_files.load("odd", taught.reader).codes == taught.codes


@pytest.mark.parametrize("version", [2, CRC_VERSION])
def test_a_set_whose_checksum_is_crc_32_is_used_as_it_was_written(taught: LearnedSet, version: int) -> None:
    path = set_files.save(taught)
    file = msgspec.structs.replace(msgspec.msgpack.decode(path.read_bytes(), type=_File), version=version)
    path.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(file, checksum=_checksum(file))))
    assert set_files.load("odd", taught.reader).codes == taught.codes
    for checksum in (_checksum(msgspec.structs.replace(file, version=VERSION)), 12345):
        path.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(file, checksum=checksum)))
        with pytest.raises(InputError, match="its checksum is wrong"):
            set_files.load("odd", taught.reader)


@pytest.mark.parametrize("earlier", [False, True], ids=["now", "of an earlier program"])
def test_a_spoilt_file_is_refused(taught: LearnedSet, earlier: bool) -> None:
    path = set_files.save(taught)
    if earlier:  # what still decodes is a set
        without_checksum(path)
    whole, rng = path.read_bytes(), np.random.default_rng(4)
    for at in [*range(0, 500, 3), *rng.integers(500, len(whole), 100), *range(len(whole) - 8, len(whole))]:
        spoilt = bytearray(whole)
        spoilt[at] ^= int(rng.integers(1, 256))
        path.write_bytes(spoilt)
        try:
            loaded = set_files.load("odd", taught.reader)
        except InputError:
            continue
        assert earlier, f"byte {at} of {len(whole)}"
        assert loaded.features.shape == taught.features.shape


@pytest.mark.parametrize("trouble", ["full", "unsynced"])
def test_a_set_that_cannot_be_written_whole_leaves_the_old_one(
    taught: LearnedSet, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    path = set_files.save(taught)
    old, (soft, hard) = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    if trouble == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) // 2, hard))
    else:
        monkeypatch.setattr("os.fsync", not_synced)
    try:
        with pytest.raises(InputError, match=r"odd.tiles' cannot be used"):
            set_files.save(replace(taught, features=taught.features + 1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {each: each.read_bytes() for each in path.parent.iterdir()} == {path: old}


def not_synced(_: int) -> None:
    """A disk that fails when what was written is to reach it."""
    raise OSError(EIO, strerror(EIO))


def test_a_folder_in_the_place_of_a_set_is_reported(taught: LearnedSet) -> None:
    set_files.path_of("odd").mkdir(parents=True)
    for ask in (
        lambda: set_files.load("odd"),
        lambda: set_files.save(taught),
        lambda: set_files.delete("odd"),
    ):
        with pytest.raises(InputError, match=r"odd.tiles' cannot be used"):
            ask()


@pytest.mark.parametrize("name", ["", "../odd", "a:b", "x" * 61])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name"):
        set_files.path_of(name)


def refused(recogniser: Recogniser, *lessons: Lesson) -> str:
    with pytest.raises(InputError) as problem:
        learn(recogniser.reader, "odd", lessons)
    return str(problem.value)


def test_too_few_kinds_are_refused(recogniser: Recogniser, whole: Lesson) -> None:
    few = replace(whole, kinds=(*whole.kinds[:3], *[None] * (len(whole.kinds) - 3)))
    assert "at least 4 are needed" in refused(recogniser, few)


def test_two_tiles_with_each_others_names_are_refused(recogniser: Recogniser, whole: Lesson) -> None:
    again = render_hand([["2m", "7p"]], seed=2)
    swapped = rename(lesson(recogniser, again), {"2m": "7p", "7p": "2m"})
    assert "correct one" in refused(recogniser, whole, swapped)


def test_two_tiles_that_look_the_same_and_have_two_names_are_refused(recogniser: Recogniser) -> None:
    twice = lesson(recogniser, render_hand([TABLE[0], ["5z", "6z", "6z", "7z"]], seed=4))
    first = next(at for at, kind in enumerate(twice.kinds) if kind == Tile.parse("6z"))
    kinds = tuple(Tile.parse("1z") if at == first else kind for at, kind in enumerate(twice.kinds))
    assert "look the same" in refused(recogniser, replace(twice, kinds=kinds))


def test_a_blurred_and_a_distant_picture_are_refused(recogniser: Recogniser, whole: Lesson) -> None:
    blurred = cv2.GaussianBlur(whole.picture, (0, 0), 7)
    assert "are blurred" in refused(recogniser, replace(whole, picture=blurred))
    small = cv2.resize(whole.picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    tiles = tuple(
        replace(tile, quad=tuple((x * 0.25, y * 0.25) for x, y in tile.quad)) for tile in whole.reading.tiles
    )
    distant = replace(whole, picture=small, reading=replace(whole.reading, tiles=tiles))
    assert "take it from closer" in refused(recogniser, distant)


def test_nothing_is_kept_of_what_was_refused(own_data_folder: Path) -> None:
    assert set_files.names() == []
