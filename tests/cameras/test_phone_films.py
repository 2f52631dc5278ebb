"""Films as phones take them: HLG and PQ are mapped to ordinary colours, times are the film's own, and a film
that was taken upright is played upright."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.cameras.film_format import FilmFormat, read_film_format
from companion.cameras.recorded import RecordedCamera
from companion.vision.tone_mapping import HLG, PQ, map_colours

FILMS = Path(__file__).parent / "films"
"""128 × 64 px, made with PyAV: eight grey columns that brighten (`STEPS`), or colours at uneven times."""
STEPS = np.array([0.1, 0.25, 0.4, 0.5, 0.65, 0.75, 0.88, 1.0])


def play(path: Path) -> tuple[list[np.ndarray], list[float]]:
    """The pictures of a film, and their times in ms."""
    with RecordedCamera(path, loop=False, paced=False) as camera:
        frames = list(camera.frames())
    return [frame.image for frame in frames], [frame.t_ns / 1e6 for frame in frames]


@pytest.mark.parametrize(("name", "transfer"), [("hlg.mp4", HLG), ("pq.mov", PQ)])
def test_the_bright_parts_of_a_phones_film_stay_apart(name: str, transfer: int) -> None:
    pictures, _ = play(FILMS / name)
    columns = pictures[0][32, 8::16].mean(axis=1)
    expected = 255 * map_colours(np.repeat(STEPS[:, None], 3, axis=1), transfer, 9)[:, 0]
    assert columns == pytest.approx(expected, abs=10)
    if transfer == HLG:
        assert (np.diff(columns) > 3).all()
        assert columns[5] < 240  # the white of ordinary pictures: some light is brighter


def test_the_white_of_ordinary_pictures_stays_bright_and_grey_stays_grey() -> None:
    hlg_of_white, hlg_of_grey = 0.75, 0.378  # ITU-R BT.2408-7, table 1: white, and a grey card of 18%
    white, grey = map_colours(np.array([[hlg_of_white] * 3, [hlg_of_grey] * 3]), HLG, 9)[:, 0] * 255
    assert 215 < white < 240
    assert 95 < grey < 125


def test_an_ordinary_film_is_left_as_it_is() -> None:
    assert read_film_format(FILMS / "uneven.mp4") == FilmFormat()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_what_is_no_whole_film_is_an_ordinary_one(tmp_path: Path, share: float) -> None:
    content = (FILMS / "hlg.mp4").read_bytes()
    (tmp_path / "a.mp4").write_bytes(content[: int(len(content) * share)])
    assert read_film_format(tmp_path / "a.mp4").transfer in (None, HLG)
    (tmp_path / "b.mp4").write_bytes(b"\0\0\0\1moov" + b"\xff" * 40)
    assert read_film_format(tmp_path / "b.mp4") == FilmFormat()


def test_times_are_those_of_the_film_and_not_of_a_rate() -> None:
    _, times = play(FILMS / "uneven.mp4")
    assert times == pytest.approx([0, 33.3, 66.7, 166.7, 366.7, 666.7, 700, 1000], abs=1)


@pytest.mark.parametrize(("turn", "quarters"), [((0, 1, -1, 0), 3), ((-1, 0, 0, -1), 2), ((0, -1, 1, 0), 1)])
def test_a_film_that_was_taken_upright_is_played_upright(
    tmp_path: Path, turn: tuple[int, int, int, int], quarters: int
) -> None:
    content = bytearray((FILMS / "uneven.mp4").read_bytes())
    matrix = content.index(b"tkhd") + 4 + 40  # ISO/IEC 14496-12, section 8.3.2
    for at, value in zip((0, 4, 12, 16), turn, strict=True):
        content[matrix + at : matrix + at + 4] = (value * 65536).to_bytes(4, "big", signed=True)
    (tmp_path / "turned.mp4").write_bytes(content)
    (upright, *_), _ = play(FILMS / "uneven.mp4")
    (turned, *_), _ = play(tmp_path / "turned.mp4")
    assert np.array_equal(turned, np.rot90(upright, quarters))
