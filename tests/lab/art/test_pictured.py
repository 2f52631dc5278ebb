"""Birds out of pictures: whatever picture of one lies in the folder is drawn, in every manner, within the
face."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.art import birds
from lab.art.birds import draw_bird
from lab.art.canvas import Canvas
from lab.art.faces import random_style

INKS = ((40, 120, 30), (30, 30, 190), (150, 60, 20))
PLAIN = replace(random_style(np.random.default_rng(0)).bamboo, line=2.0, peacock=False, one_stick=False)
OWN = (200, 40, 220)  # colour of the picture's breast, unlike every ink


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(birds, "BIRDS_FOLDER", tmp_path)
    birds.load_bird_pictures.cache_clear()
    yield tmp_path
    birds.load_bird_pictures.cache_clear()


def put(folder: Path) -> None:
    """A picture of a dark body with a breast of OWN, a head and a tail, far from the picture's edges."""
    picture = np.zeros((96, 96, 4), np.uint8)
    cv2.ellipse(picture, (48, 50), (24, 16), 20, 0, 360, (60, 60, 60, 255), -1)
    cv2.circle(picture, (52, 52), 8, (*OWN, 255), -1)
    cv2.circle(picture, (70, 32), 8, (20, 160, 20, 255), -1)
    cv2.line(picture, (28, 42), (12, 30), (20, 20, 160, 255), 5)
    cv2.imwrite(str(folder / "one.png"), picture)


def drawn(seed: int) -> np.ndarray:
    canvas = Canvas(144)
    draw_bird(canvas, seed, INKS, PLAIN)
    return canvas.finish()


def colours(face: np.ndarray) -> set[tuple[int, ...]]:
    solid = face[face[:, :, 3] == 255][:, :3]
    found, counts = np.unique(solid, axis=0, return_counts=True)
    return {tuple(int(c) for c in colour) for colour, count in zip(found, counts, strict=True) if count > 20}


def test_a_picture_is_cut_to_its_paint(folder: Path) -> None:
    put(folder)
    (picture,) = birds.load_bird_pictures()
    assert max(picture.shape) < 80
    assert (picture[[0, -1], :, 3].max(axis=1) > 0).all()
    assert (picture[:, [0, -1], 3].max(axis=0) > 0).all()


def bad_files(folder: Path) -> None:
    """What a person may put beside the birds: text, a folder, a broken picture, and pictures without a
    transparent ground, without enough paint, or of 16 bits."""
    (folder / "text.png").write_text("no picture")
    (folder / "folder.png").mkdir()
    one = (folder / "one.png").read_bytes()
    (folder / "short.png").write_bytes(one[:60])
    nothing = np.zeros((48, 48, 4), np.uint8)
    dot = nothing.copy()
    dot[20, 20] = 255
    pictures = {
        "grey": np.full((48, 48), 90, np.uint8), "opaque": np.full((48, 48, 3), 90, np.uint8),
        "full": nothing + 255, "empty": nothing, "dot": dot,
        "deep": np.uint16(257) * cv2.imread(str(folder / "one.png"), cv2.IMREAD_UNCHANGED),
    }  # fmt: skip
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)


def test_files_that_show_no_bird_are_passed_over(folder: Path) -> None:
    put(folder)
    faces = [drawn(seed) for seed in range(8)]
    bad_files(folder)
    birds.load_bird_pictures.cache_clear()
    assert len(birds.load_bird_pictures()) == 1
    assert np.array_equal(faces, [drawn(seed) for seed in range(8)])


def test_pictured_birds_are_seeded_fill_the_face_and_come_in_their_own_colours_and_in_inks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder)
    monkeypatch.setattr("lab.art.birds.PICTURED_SHARE", 1.0)
    own = inked = fine = 0
    for seed in range(40):
        face = drawn(seed)
        assert np.array_equal(face, drawn(seed))
        ink = face[:, :, 3] >= 128
        assert np.ptp(np.flatnonzero(ink.any(axis=1))) > 0.3 * face.shape[0]
        assert np.ptp(np.flatnonzero(ink.any(axis=0))) > 0.3 * face.shape[1]
        shown = colours(face)
        own += OWN in shown
        inked += bool(shown) and shown <= set(INKS)
        fine += 0 < ink.mean() < 0.12
    assert own >= 4, "in its own colours"
    assert inked >= 15, "in the set's inks"
    assert fine >= 3, "in lines"


def test_without_pictures_birds_are_drawn_as_ever(folder: Path) -> None:
    assert birds.load_bird_pictures() == ()
    bare = [drawn(seed) for seed in range(12)]
    put(folder)
    birds.load_bird_pictures.cache_clear()
    other = sum(not np.array_equal(face, drawn(seed)) for seed, face in enumerate(bare))
    assert other > 0
    assert all(face[:, :, 3].any() for face in bare)


def test_the_kind_kept_for_tests_is_never_pictured(folder: Path) -> None:
    canvas, again = Canvas(144), Canvas(144)
    draw_bird(canvas, 5, INKS, replace(PLAIN, unseen_bird=True))
    put(folder)
    birds.load_bird_pictures.cache_clear()
    draw_bird(again, 5, INKS, replace(PLAIN, unseen_bird=True))
    assert np.array_equal(canvas.pixels, again.pixels)
