"""Recorded sessions of `companion track`: packed ones are replayed, differences are told in words."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.commands.track import describe_pictures, find_place, open_session
from companion.errors import InputError
from companion.live.session.lines import Header, read_header
from companion.live.session.recorder import SessionRecorder
from companion.seeing.lens import Lens
from companion.seeing.table_camera import TableCamera
from companion.table.events import Dealt, Discarded, GameStarted, HandStarted
from tests.cli.filmed import make_session

Call = Callable[..., Any]
UPRIGHT = ((100.0, 460.0), (540.0, 460.0), (480.0, 60.0), (160.0, 60.0))
DIAGONAL = ((320.0, 470.0), (560.0, 240.0), (320.0, 20.0), (80.0, 240.0))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_session(tmp_path_factory.mktemp("sessions") / "hefei", seconds=40)


def record(
    folder: Path, corners: tuple[tuple[float, float], ...], bottom: int = 0, bends: tuple[float, ...] = (0.0,)
) -> Header:
    """A session of three pictures, in which the table was found, and its lens measured, at last at these
    corners; its header."""
    start = Header(id="x", log=(GameStarted(rules="hefei"),), source="a film", bottom=bottom)
    recorder = SessionRecorder(folder, start, lambda image: image)
    for bend in bends:
        seen = np.roll(np.array(corners), bottom, axis=0) + 8 * (bend != bends[-1])
        recorder.record_camera(0.0, TableCamera.from_corners(seen, 640, 480, lens=Lens(bend)))
    for at in range(3):
        recorder.record_frame(float(at), np.full((480, 640, 3), 80 * at, np.uint8))
        recorder.record_frame(at + 0.5, np.full((480, 640, 3), 80 * at, np.uint8))
    recorder.close()
    return read_header(folder)


def test_a_packed_session_is_replayed_as_it_is(call: Call, session: Path, tmp_path: Path) -> None:
    packed = tmp_path / "friday.zip"
    call("track", "--pack", packed, session)
    lines = call("track", session, "--json").out
    assert call("track", packed, "--json").out == lines
    assert "0 events are the same, no difference" in call("track", "--compare", session, packed).out
    assert "is a packed session already" in call("track", packed, "--pack", tmp_path / "b.zip").refused(2)
    assert "--rules differs" in call("track", packed, "--rules", "hebei").refused(2)


def test_a_packed_session_that_is_damaged_gets_one_sentence(
    call: Call, session: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "friday.zip"
    call("track", "--pack", packed, session)
    content = packed.read_bytes()
    middle = len(content) // 2
    packed.write_bytes(content[:middle] + b"\x00" * 40 + content[middle + 40 :])
    assert "cannot be unpacked (it is damaged)" in call("track", packed).refused(2)


def test_foreign_members_are_not_unpacked(call: Call, session: Path, tmp_path: Path) -> None:
    packed = tmp_path / "friday.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for name in ("session.json", "session.jsonl"):
            file.write(session / name, name)
        file.writestr("../outside", b"x")
        file.writestr("frames/../../outside", b"x")
    assert call("track", packed).status == 0
    assert not list(tmp_path.rglob("outside"))


def test_another_zip_file_is_no_session(call: Call, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("a", b"x")
    said = call("track", tmp_path / "other.zip", "--rules", "hefei").refused(2)
    assert "there is no recorded session in it" in said


def test_differences_are_told_in_words_with_their_folders(call: Call, session: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    call("track", session, "--record", one)
    call("track", make_session(tmp_path / "short", seconds=25), "--record", other)
    first, second, third, fourth, *_ = call("track", "--compare", one, other).out.splitlines()
    assert (first, second) == (f"- {one}", f"+ {other}")
    assert third.startswith("- 0:")
    assert " seat " in third
    assert fourth == "+ nothing"


def test_reading_pictures_anew_says_how_few_there_are(tmp_path: Path) -> None:
    record(tmp_path / "a", UPRIGHT)
    assert describe_pictures(tmp_path / "a").startswith("The session kept 3 pictures of its ")


@pytest.mark.parametrize("bottom", [0, 1])
def test_reading_pictures_anew_takes_the_corners_that_were_found(tmp_path: Path, bottom: int) -> None:
    found, bend = find_place(tmp_path / "a", record(tmp_path / "a", UPRIGHT, bottom))
    assert found is not None
    assert bend == 0
    assert np.allclose(found, UPRIGHT, atol=0.2)


def test_corners_of_a_table_seen_along_a_diagonal_are_looked_for(tmp_path: Path) -> None:
    assert find_place(tmp_path / "a", record(tmp_path / "a", DIAGONAL))[0] is None


def test_reading_pictures_anew_knows_the_lens_that_was_measured_in_the_end(tmp_path: Path) -> None:
    header = record(tmp_path / "a", UPRIGHT, bends=(0.0, -0.123456))
    found, bend = find_place(tmp_path / "a", header)
    assert bend == -0.12346
    assert found is not None
    assert np.allclose(found, UPRIGHT, atol=0.2)


def test_a_lens_that_no_camera_has_is_refused(tmp_path: Path) -> None:
    header = record(tmp_path / "a", UPRIGHT, bends=(-0.2,))
    path = tmp_path / "a" / "session.jsonl"
    path.write_text(path.read_text().replace('"bend":-0.2', '"bend":-20'))
    with pytest.raises(InputError):
        find_place(tmp_path / "a", header)


def test_events_whose_certainty_was_not_recorded_are_certain(tmp_path: Path) -> None:
    log = (GameStarted(rules="hefei"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5m"))
    header = Header(id="x", log=log, log_p=(1.0, 1.0, 0.75), source="a film")
    SessionRecorder(tmp_path / "a", header, lambda image: image).close()
    with open_session(tmp_path / "a", None, False, None) as session:
        assert session.before.state.playing
        assert (len(session.before.events), session.before.ps[2:]) == (4, (0.75, 1.0))
