"""Files of learned sets that no program of ours has written: each is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.tiles import KINDS
from companion.vision import Recogniser, load_picture, set_files
from companion.vision.learned import LearnedSet
from companion.vision.set_files import CRC_VERSION, _checksum, _File

READER = "5e" * 32
CODES = tuple(kind.code for kind in KINDS[:3])
ROW = np.ones(1536, "<f2").tobytes()


def write(name: str, *values: object) -> Path:
    path = set_files.path_of(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.msgpack.encode([CRC_VERSION, *values]))
    return path


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ((READER, CODES, b""), "do not fit together"),
        ((READER, (), b""), "do not fit together"),
        ((READER, (), ROW), "do not fit together"),
        ((READER, CODES, ROW[:10]), "do not fit together"),
        ((READER, CODES, ROW * 3 + b"\0"), "do not fit together"),
        ((READER, ("1m", "9z", "2m"), ROW * 3), "do not fit together"),
        ((READER, ("1m",) * 100_000, bytes(200_000)), "not what it should be"),
        ((READER, CODES, np.full((3, 8), np.nan, "<f2").tobytes()), "not a number"),
        ((READER, CODES, np.full((3, 8), -np.inf, "<f2").tobytes()), "not a number"),
        ((READER, CODES, ROW * 3, 12345), "its checksum is wrong"),
        (
            (READER, CODES, ROW * 3, _checksum(_File(CRC_VERSION, "0" * 64, CODES, ROW * 3))),
            "its checksum is wrong",
        ),
        ((READER, CODES, ROW * 3, "12345"), "is not what it should be"),
        ((5, CODES, ROW * 3), "must be a text"),
        ((READER, "1m2m3m", ROW * 3), "must be a list"),
        ((READER, CODES, [1.0, 2.0]), "is not what it should be"),
        ((READER, CODES), "is not what it should be"),
        ((), "is not what it should be"),
    ],
)
def test_what_does_not_make_a_set_is_refused(values: tuple[object, ...], why: str) -> None:
    path = write("home", *values)
    before = path.read_bytes()
    with pytest.raises(InputError, match=why) as refused:
        set_files.load("home")
    assert str(path) in str(refused.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"\x91" * 100_000, b"\x95\x01" + b"\x91" * 100_000, b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff"],
)
def test_deep_nesting_and_absurd_lengths_are_refused(content: bytes) -> None:
    path = write("home")
    path.write_bytes(content)
    with pytest.raises(InputError, match="is damaged"):
        set_files.load("home")


def test_a_set_of_another_width_is_refused_when_a_picture_is_read(hand: Path) -> None:
    """It names the reader that there is, so that only its features show that it is another's."""
    recogniser = Recogniser(models_dir())
    features = np.random.default_rng(1).normal(size=(3, 64)).astype(np.float32)
    set_files.save(LearnedSet("home", recogniser.reader.id, CODES, features))
    learned = set_files.load("home", recogniser.reader.id)
    with pytest.raises(InputError, match="was learned with another model"):
        recogniser.read(load_picture(hand), tile_set=learned)


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    """A picture with tiles."""
    import cv2

    from lab.scenes.hand import render_hand

    path = tmp_path / "hand.png"
    assert cv2.imwrite(str(path), render_hand([("3m", "3m", "3m")]).image)
    return path
