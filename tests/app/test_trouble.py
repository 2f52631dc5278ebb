"""Bad input at the window: one clear sentence each, and nothing that the person typed or corrected is
lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture
from PIL import Image

from companion.app.cameras import Cameras
from companion.app.recognition import use_models
from companion.app.score_photo import editing, entering, photo
from companion.photo_hand.draft import WinDraft
from companion.vision.reading import CLOSER, MIRRORED, SHARPER

pytestmark = pytest.mark.slow


@pytest.fixture
def corrected(companion: Driver, tmp_path: Path) -> WinDraft:
    """A hand on the table, with a tile corrected, one added, and how it was won."""
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.do(lambda state: editing.press_key(editing.select(state, state.hand.tiles[0].id), "8s"))
    companion.do(
        lambda state: entering.set_winner(
            editing.stop_typing(editing.press_key(editing.start_adding(state), "7p")), 2
        )
    )
    draft: WinDraft = companion.state.draft
    return draft


def no_picture(folder: Path) -> Path:
    path = folder / "notes.jpg"
    path.write_text("no picture at all")
    return path


def truncated(folder: Path) -> Path:
    whole = draw_picture(folder / "whole.jpg").read_bytes()
    path = folder / "short.jpg"
    path.write_bytes(whole[: len(whole) // 2])
    return path


def huge(folder: Path) -> Path:
    path = folder / "huge.png"
    Image.new("1", (20_000, 20_000)).save(path)
    return path


def absent(folder: Path) -> Path:
    return folder / "nowhere.png"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (no_picture, "is not a picture that can be read"),
        (truncated, "is damaged or cut short"),
        (huge, "(400 megapixels)"),
        (absent, "There is no picture at"),
        (lambda folder: folder, "is a folder: drop a picture on the window, or touch Choose a picture."),
    ],
    ids=["no picture", "truncated", "400 megapixels", "absent", "folder"],
)
def test_a_bad_picture_is_reported_and_the_hand_stays(
    companion: Driver, corrected: WinDraft, tmp_path: Path, make: Callable[[Path], Path], sentence: str
) -> None:
    companion.open(make(tmp_path))
    assert companion.says(sentence)
    assert companion.state.draft == corrected
    assert companion.pages.table.picture.stage.place_of(0) is not None
    companion.touch(companion.root.banner.dismiss)
    assert not companion.says(sentence)


def test_a_picture_without_tiles_is_reported_and_undo_brings_the_hand_back(
    companion: Driver, reader: ScriptedReader, corrected: WinDraft, tmp_path: Path
) -> None:
    reader.codes = ""
    companion.open(draw_picture(tmp_path / "bare.png"))
    assert companion.says("No tiles found in this picture")
    companion.press("Undo")
    companion.settle()
    assert companion.state.draft.hand.tiles == corrected.hand.tiles


def test_a_picture_lying_on_its_side_is_shown_upright(companion: Driver, tmp_path: Path) -> None:
    upright = np.zeros((300, 400, 3), np.uint8)
    upright[:150] = (0, 0, 255)
    path = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = np.rot90(upright, 1)
    Image.fromarray(turned[..., ::-1].copy()).save(path, exif=exif)
    companion.open(path)
    shown = companion.state.shown
    assert shown is not None
    assert (shown.width, shown.height) == (400, 300)
    red = (shown.image[..., 2] > 180) & (shown.image[..., 0] < 80)
    assert red[:140].all(), "the red half is not above"
    assert not red[160:].any()


@pytest.mark.parametrize(("damage", "sentence"), [("missing", "is missing"), ("changed", "sha256 differs")])
def test_a_bad_model_file_is_reported_and_tiles_can_be_entered_by_hand(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, sentence: str
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    monkeypatch.setenv("COMPANION_MODELS", str(models))
    if damage == "changed":
        entry = {"sha256": "0" * 64, "licence": "MIT"}
        manifest = {
            "version": 2,
            "temperature": 1,
            "finder": {"file": "a.onnx", **entry},
            "reader": {"file": "b.onnx", **entry},
            "weigher": {"file": "c.onnx", **entry},
        }
        (models / "manifest.json").write_text(json.dumps(manifest))
        for name in ("a.onnx", "b.onnx"):
            (models / name).write_bytes(b"other bytes")
    companion = Driver(tmp_path, use_models(), SIZES["tablet"])
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.says(sentence)
    assert companion.says("until then, add the tiles by hand")
    assert companion.view is not None
    assert companion.state.shown is not None
    companion.touch(companion.root.banner.dismiss)
    companion.touch(companion.pages.table.tray.adding)
    companion.touch(companion.pages.table.sheet.keys["5p"])
    assert [tile.code for tile in companion.state.hand.tiles] == ["5p"]
    companion.close()


def test_five_of_a_kind_is_reported_at_once(
    companion: Driver, reader: ScriptedReader, tmp_path: Path
) -> None:
    reader.codes = "2m 2m 2m 2m 2m 3m 4m 5m 6m 7m 8m 8m 6s 7s"
    companion.open(draw_picture(tmp_path / "five.png", reader.codes))
    assert companion.says("Unread tiles: 1")
    companion.press("1 to check")
    companion.touch(companion.pages.table.sheet.keys["2m"])
    assert companion.says("'2m' appears 5 times, and this game has 4 of it")
    assert len(companion.state.hand.tiles) == 14


def test_reading_again_keeps_what_was_corrected(
    companion: Driver, reader: ScriptedReader, corrected: WinDraft
) -> None:
    companion.do(photo.read_again)
    companion.settle()
    assert reader.read_count == 2
    assert companion.state.draft == corrected


def test_a_damaged_saved_hand_is_set_aside(kivy_window: None, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "session.json").write_bytes(b'{"facts": {"hand": [1, 2')
    companion = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    assert companion.says("The saved hand could not be read; its file was renamed")
    assert (data / "session.damaged-1.json").exists()
    companion.close()


def test_no_camera_is_reported(companion: Driver, corrected: WinDraft) -> None:
    companion.pictures.cameras = Cameras(tuple, lambda _: pytest.fail("no camera is opened"))
    companion.press("Camera")
    assert companion.says("No camera was found")
    assert companion.page == "table"
    assert companion.state.draft == corrected


def clip(path: Path, frames: int) -> Path:
    """A recorded clip of the hand."""
    image = cv2.imread(str(draw_picture(path.with_suffix(".png"), size=(640, 360))))
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (640, 360))
    for _ in range(frames):
        video.write(image)
    video.release()
    return path


def test_the_preview_outlines_tiles_and_a_frame_becomes_the_picture(
    kivy_window: None, tmp_path: Path
) -> None:
    recorded = clip(tmp_path / "clip.avi", 20)
    companion = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], camera=f"file:{recorded}")
    companion.press("Camera")
    stage = companion.pages.camera.stage
    companion.wait(lambda: stage.is_live and stage.outlined == 14, "outlined tiles")
    assert companion.says("Tiles seen: 14")
    companion.shot("preview-tablet-en")
    companion.press("Take this picture")
    companion.settle()
    companion.wait(lambda: companion.says("15 zui"), "the score")
    assert companion.bringing.preview is None
    assert Path(companion.state.draft.picture).parent == companion.pictures.taken_folder
    companion.close()


def test_how_a_better_picture_is_taken_is_said_in_words(kivy_window: None, tmp_path: Path) -> None:
    reader = ScriptedReader(unsure=(3, 4), advice=(SHARPER,))
    recorded = clip(tmp_path / "clip.avi", 20)
    companion = Driver(tmp_path, reader, SIZES["small"], camera=f"file:{recorded}")
    companion.touch(companion.root.bar.buttons["camera"])
    companion.wait(lambda: companion.says("Some tiles are blurred: hold the camera still"), "the advice")
    reader.advice = (CLOSER, SHARPER)
    companion.wait(lambda: companion.says("Some tiles are too small to be read: go closer."), "the advice")
    companion.shot("preview-advice-small-en")
    reader.advice = ()
    companion.wait(lambda: companion.says("unsure: 2"), "the count")
    reader.advice = (CLOSER,)
    companion.press("Take this picture")
    companion.wait(lambda: len(companion.state.hand.tiles) == 14, "the tiles")
    assert companion.says("Some tiles are too small to be read: go closer.")
    companion.close()


def test_a_mirrored_picture_is_said_to_be(companion: Driver, reader: ScriptedReader, tmp_path: Path) -> None:
    reader.warnings = (MIRRORED,)
    companion.open(draw_picture(tmp_path / "selfie.png"))
    assert companion.says("The picture is mirrored, as the front camera of a phone makes it: it was flipped.")


def test_a_camera_pulled_out_while_previewing_is_reported_and_the_hand_stays(
    kivy_window: None, tmp_path: Path
) -> None:
    from companion.cameras import RecordedCamera

    recorded = clip(tmp_path / "clip.avi", 90)
    companion = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], camera="pulled")
    companion.pictures.cameras = Cameras(tuple, lambda _: RecordedCamera(recorded, loop=False), "pulled")
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.do(lambda state: editing.press_key(editing.select(state, state.hand.tiles[0].id), "8s"))
    draft = companion.state.draft
    companion.press("Camera")
    companion.wait(lambda: companion.pages.camera.stage.is_live, "a picture of the camera")
    companion.wait(lambda: companion.page == "table", "the end of the clip")
    assert companion.says("is at its end")
    assert companion.state.draft == draft
    companion.press("Camera")
    companion.wait(lambda: companion.pages.camera.stage.is_live, "the preview to work again")
    companion.close()
