"""Where a camera stood is kept, with its lens, and known again."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from watched import CORNERS, Observer, draw_table, find_nothing, found_at, picture, refuse

from companion import config
from companion.live.table_watch import CameraPlace, KeptPlace, TableWatch
from companion.seeing.finding_table import LensWatch
from companion.seeing.table_camera import TableCamera
from lab.film.filming import WideLens


@pytest.mark.parametrize("bottom", [0, 3])
def test_a_camera_that_stands_where_it_stood_knows_the_table_at_once(kept: KeptPlace, bottom: int) -> None:
    first = TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept)
    first.look(draw_table(), 0.0)
    again = TableWatch(lambda: refuse, Observer, kept=kept, bottom=bottom)
    sight = again.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles
    assert again.camera is not None
    assert np.allclose(again.camera.corners, np.roll(CORNERS, bottom, axis=0), atol=0.01)
    larger = TableWatch(lambda: refuse, Observer, kept=kept)
    assert larger.look(draw_table(CORNERS * 2, (200, 200)), 0.0) is not None
    assert larger.camera is not None
    assert np.allclose(larger.camera.corners, CORNERS * 2, atol=0.01)


def test_a_camera_that_stands_elsewhere_searches_and_its_new_place_is_kept(kept: KeptPlace) -> None:
    TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept).look(draw_table(), 0.0)
    moved = CORNERS * 0.8 + 15
    watch = TableWatch(lambda: lambda image: found_at(moved), Observer, kept=kept)
    watch.look(draw_table(moved), 0.0)
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, moved, atol=0.01)
    place = kept.load()
    assert place is not None
    assert np.allclose(place.corners, moved, atol=0.01)


def test_touched_corners_of_a_table_whose_edges_show_nothing_are_known_after_a_search(
    kept: KeptPlace,
) -> None:
    first = TableWatch(lambda: find_nothing, Observer, kept=kept)
    first.look(picture(), 0.0)
    first.place(CORNERS)
    first.look(picture(), 1.0)
    again = TableWatch(lambda: find_nothing, Observer, kept=kept)
    sights = [again.look(picture(), t / 2) for t in range(8)]
    assert [bool(sight and sight.tiles) for sight in sights] == [False] * 5 + [True] * 3
    anew = TableWatch(lambda: find_nothing, Observer, kept=kept)
    anew.place(None)
    assert all(sight and sight.trouble for sight in (anew.look(picture(), t / 2) for t in range(8)))


def test_a_lens_that_a_kept_place_does_not_know_is_measured_while_it_is_watched_and_kept(
    kept: KeptPlace,
) -> None:
    size = (960, 540)
    corners = np.array([[250.0, 510], [710, 510], [710, 40], [250, 40]])
    straight = draw_table(corners, size)
    for at in range(60, 501, 40):  # the edges of rows of tiles
        cv2.line(straight, (270, at), (690, at), (230, 230, 230), 3)
    bent = WideLens(-0.3, 730, *size)
    image, seen = bent.bend_picture(straight), bent.bend(corners)
    watch = TableWatch(lambda: lambda image: found_at(seen, *size), Observer, kept=kept)
    watch.look(image, 0.0)
    assert watch.camera is not None
    lens = watch.camera.lens
    assert -0.25 < lens.bend < -0.1
    x, y = np.meshgrid(np.linspace(-390, 390, 5), np.linspace(-390, 390, 5))
    true = TableCamera.from_corners(corners, *size).project(np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3))
    assert np.abs(watch.camera.lift(bent.bend(true)).reshape(5, 5, 2) - np.stack([x, y], axis=-1)).max() < 4
    place = kept.load()
    assert place is not None
    assert place.lens == lens
    again = TableWatch(lambda: refuse, Observer, kept=kept, lens=LensWatch(place.lens))
    again.look(image, 0.0)
    assert again.camera is not None
    assert again.camera.lens == lens


def test_the_places_of_cameras_are_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    camera = TableCamera.from_corners(CORNERS, 100, 100)
    place = CameraPlace.of(camera, 1, np.array([0.9, 1.0, 0.8, 0.7]), False)
    assert KeptPlace("/dev/video0").load() is None
    KeptPlace("/dev/video0").keep(place)
    KeptPlace("rtsp://10.0.0.7/").keep(CameraPlace.of(camera.resize(50, 50), 0, np.zeros(4), True))
    assert KeptPlace("/dev/video0").load() == place
    again = place.make_camera(1)
    assert again is not None
    assert np.allclose(again.corners, CORNERS)
    assert (tmp_path / "cameras.json").stat().st_mode & 0o077 == 0
    for damage in (b"{", b'{"cameras": {"/dev/video0": {}}}'):
        (tmp_path / "cameras.json").write_bytes(damage)
        assert KeptPlace("/dev/video0").load() is None
    KeptPlace("/dev/video0").keep(place)
    assert KeptPlace("/dev/video0").load() == place


def test_a_kept_place_that_is_no_tables_is_passed_over(kept: KeptPlace) -> None:
    corners = ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0))
    kept.keep(CameraPlace(corners, 100, 100, 80.0, (1.0, 1.0, 1.0, 1.0)))
    watch = TableWatch(lambda: lambda image: found_at(CORNERS), Observer, kept=kept)
    sight = watch.look(draw_table(), 0.0)
    assert sight is not None
    assert sight.tiles


def test_passwords_that_an_earlier_program_kept_are_taken_out_at_once(kept: KeptPlace) -> None:
    camera = TableCamera.from_corners(CORNERS, 100, 100)
    place = CameraPlace.of(camera, 0, np.zeros(4), False)
    old = {"http://cam/x?channel=1&pwd=hunter2": place, "rtsp://cam/user=a_password=hunter2": place}
    file = config.data_dir() / "cameras.json"
    file.write_bytes(msgspec.json.encode({"cameras": {**old, "/dev/video0": place}}))
    assert kept.load() == place
    assert "hunter2" not in file.read_text()
    assert all(KeptPlace(address).load() == place for address in old)
    assert KeptPlace("http://cam/x?channel=2&pwd=hunter2").load() is None
