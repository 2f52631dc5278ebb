"""A film to give away: hands can never be read in it, its times are kept, and a useless one is refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import MissingError
from companion.images import Image
from companion.live.session.contributed import FILM, FRAMES_PER_S, ContributedFilm
from companion.seeing.outlines import TileSize
from companion.seeing.private_pictures import blur_people, hide_hands, make_coarse
from companion.seeing.table_camera import TableCamera

NOISE = np.random.default_rng(1).integers(0, 256, (360, 480, 3)).astype(np.uint8)
CAMERA = TableCamera.from_corners(np.array([[90.0, 330], [390, 330], [390, 30], [90, 30]]), 480, 360)
SIZE = TileSize(measured=True)


def read(path: Path) -> list[Image]:
    film, frames = cv2.VideoCapture(str(path)), []
    while (read := film.read())[0]:
        frames.append(np.asarray(read[1], np.uint8))
    return frames


def test_people_are_coarse_and_the_middle_of_the_table_is_sharp() -> None:
    blurred, hidden = blur_people(NOISE, CAMERA, SIZE), hide_hands(NOISE, CAMERA, SIZE)
    shown = (hidden == NOISE).all(axis=2)
    assert 0.05 < shown.mean() < 0.5
    assert np.array_equal(blurred[shown], NOISE[shown])
    assert np.abs(blurred.astype(int) - make_coarse(NOISE))[~shown].max() == 0
    assert blurred[~shown].std() < 0.2 * NOISE.std()


def test_the_film_keeps_its_times_and_is_coarse_until_hands_can_be_masked(tmp_path: Path) -> None:
    sharp = cv2.resize(NOISE[:36, :48], (480, 360), interpolation=cv2.INTER_NEAREST)
    known = False
    film = ContributedFilm(tmp_path, lambda image: image if known else None)
    for t in (0.0, 0.05, 0.5, 1.0):
        known = t >= 0.5
        film.take(t, sharp)
    film.close()
    frames = read(tmp_path / FILM)
    assert len(frames) == round(1.0 * FRAMES_PER_S) + 1
    assert frames[0].std() < 0.5 * sharp.std()
    assert frames[-1].std() > 0.7 * sharp.std()
    assert (tmp_path / FILM).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("times", [(), (0.0, 0.1, 0.2)])
def test_a_film_in_which_hands_were_never_masked_is_refused(tmp_path: Path, times: tuple[float, ...]) -> None:
    film = ContributedFilm(tmp_path, lambda image: None)
    for t in times:
        film.take(t, NOISE)
    with pytest.raises(MissingError, match=r"mask the players' hands\. Show all of the table"):
        film.close()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    film = ContributedFilm(tmp_path / "gone", lambda image: image)
    with pytest.raises(MissingError, match="cannot be written: check its folder"):
        film.take(0.0, NOISE)
