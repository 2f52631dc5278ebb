"""Odd and damaged things in the data folder: the window opens, says what is wrong in one sentence, and keeps
what it found."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture

from companion.app.recognition import use_models
from companion.app.score_photo import entering
from companion.app.shell import session
from companion.app.shell.session import Session
from companion.app.tile_sets.feature import KeptTileSets
from companion.photo_hand.draft import WinDraft
from companion.vision import set_files
from companion.words import Language
from tests.odd_files import NESTED, ODD, identity

SET_ASIDE = "The saved hand could not be read; its file was renamed to "
NOBODY = 65534


def test_no_picture_reaches_the_old_decoders_of_sdl(kivy_window: None) -> None:
    from kivy.core.image import ImageLoader

    assert [loader.__name__ for loader in ImageLoader.loaders] == ["ImageLoaderPIL"]


def opened(folder: Path) -> Driver:
    return Driver(folder, ScriptedReader(), SIZES["tablet"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the first window keeps its hand."""
    path = tmp_path / "data" / session.FILE
    path.parent.mkdir()
    return path


def check_a_window_goes_on(folder: Path, file: Path) -> None:
    """It says what it did, takes a hand, and keeps that."""
    window = opened(folder)
    aside = file.with_name("session.damaged-1.json")
    assert window.says(f"{SET_ASIDE}{aside}")
    assert os.path.lexists(aside)
    window.do(lambda state: entering.set_winner(state, 2))
    window.close()
    window = opened(folder)
    assert window.banner is None
    assert window.state.draft.winner == 2
    window.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD)
def test_something_else_than_a_file_is_set_aside(
    kivy_window: None, tmp_path: Path, file: Path, kind: str
) -> None:
    ODD[kind](file)
    before = identity(file)
    check_a_window_goes_on(tmp_path, file)
    assert identity(file.with_name("session.damaged-1.json")) == before


@pytest.mark.slow
@pytest.mark.parametrize("content", NESTED.values(), ids=NESTED)
def test_deep_nesting_is_set_aside(kivy_window: None, tmp_path: Path, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    check_a_window_goes_on(tmp_path, file)
    assert file.with_name("session.damaged-1.json").read_bytes() == content


def test_a_hand_that_can_neither_be_read_nor_set_aside_is_left(
    kivy_window: None, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    file.write_bytes(b"{")
    monkeypatch.setattr(Path, "replace", refuse)
    window = opened(tmp_path)
    assert window.says("can be neither read nor renamed (Permission denied): nothing you do now is saved.")
    window.do(lambda state: entering.set_winner(state, 2))
    window.controller.dismiss_banner()
    window.frames(3)
    assert window.says("Settings and the photo being scored are not saved."), "as long as it is open"
    assert file.read_bytes() == b"{"
    assert window.state.draft.winner == 2
    window.close()


def test_odd_sets_are_listed_with_what_is_wrong_and_the_window_goes_on(
    kivy_window: None, tmp_path: Path, own_data_folder: Path
) -> None:
    folder = set_files.path_of("any").parent
    folder.mkdir()
    for kind, make in ODD.items():
        make(folder / f"{kind.replace(' ', '-')}.tiles")
    (folder / "nested.tiles").write_bytes(b"\x91" * 100_000)
    (folder / "empty.tiles").write_bytes(b"")
    no_features = [set_files.CRC_VERSION, use_models().model(), ["1m"], b""]
    (folder / "featureless.tiles").write_bytes(msgspec.msgpack.encode(no_features))
    path = session.path_of(tmp_path / "data", 1)
    session.save(
        path,
        Session(
            Language.ENGLISH, {"score_photo": WinDraft(winner=2), "tile_sets": KeptTileSets("featureless")}
        ),
    )
    window = opened(tmp_path)
    assert window.says("its tiles and their features do not fit together")
    assert window.state.draft.winner == 2
    window.press("My tiles")
    listed = " ".join(window.texts())
    for why in ("a pipe", "a socket", "a device", "Is a directory", "does not exist", "far too large"):
        assert why in listed, why
    assert (
        listed.count("cannot be used") + listed.count("is damaged") == len(ODD) + 3 + 1
    )  # and in the banner
    window.shot("odd-sets")
    window.close()


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_a_picture_whose_name_is_not_utf_8_is_opened_and_its_hand_kept(
    kivy_window: None, tmp_path: Path, there: bool
) -> None:
    """As in archives and on sticks that were written in GBK."""
    path = tmp_path / os.fsdecode("牌.png".encode("gbk"))
    if there:
        draw_picture(tmp_path / "hand.png").rename(path)
    window = opened(tmp_path)
    window.open(path)
    assert len(window.state.hand.tiles) == (14 if there else 0)
    assert window.says("There is no picture at") != there
    assert window.says("??.png") != there
    window.do(lambda state: entering.set_winner(state, 2))
    window.press("Picture")
    window.pages.pictures.go(path.parent)
    window.frames(10)
    assert window.says("??.png") == there
    window.close()
    window = opened(tmp_path)
    assert window.state.draft.winner == 2
    assert len(window.state.hand.tiles) == (14 if there else 0)
    window.close()


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Root's rights, whom no permission keeps out, are laid down."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    yield
    os.seteuid(was)


def test_a_file_that_may_not_be_read_is_set_aside(as_nobody: None) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        path = session.path_of(Path(name), 1)
        session.save(path, Session(parts={"score_photo": WinDraft()}))
        content = path.read_bytes()
        path.chmod(0)
        saved, complaint = session.load(path)
        assert saved is None
        assert complaint is not None
        aside = path.with_name("session.damaged-1.json")
        assert not path.exists()
        aside.chmod(0o600)
        assert aside.read_bytes() == content


def test_small_pictures_that_claim_gigapixels_are_left_out(kivy_window: None, tmp_path: Path) -> None:
    import cv2
    import numpy as np

    from companion.app.sheet.hands_pane import TouchPicture
    from companion.app.tile_sets.pages import _decode

    sound = bytes(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1])
    at = sound.find(b"\xff\xc0") + 5
    claims = sound[:at] + struct.pack(">HH", 65_000, 65_000) + sound[at + 4 :]
    assert _decode(sound).size == (16, 16)
    path = tmp_path / "1.jpg"
    for content in (claims, sound[:100], b"", b"GIF89a"):
        assert _decode(content) is None
        path.write_bytes(content)
        assert TouchPicture(path, partial(print)).height == 0
    path.write_bytes(sound)
    assert TouchPicture(path, partial(print)).texture.size == (16, 16)
