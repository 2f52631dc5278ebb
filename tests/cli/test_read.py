"""`companion read` and `score-photo` on real files: pictures that can be read, and all that go wrong."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.config import models_dir
from companion.tiles import parse_tiles
from lab.scenes.hand import render_hand

HAND_ROW = "333444555m22p678s"
HAND_CODES = [tile.code for tile in parse_tiles(HAND_ROW)]


def bad_picture(kind: str, folder: Path, good: Path) -> Path:
    """A file that cannot be read as a picture."""
    path = folder / f"{kind}.png"
    if kind == "text":
        path.write_text("this is no picture")
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "truncated":
        path.write_bytes(good.read_bytes()[:2_000])
    elif kind == "400_megapixels":
        Image.new("1", (20_000, 20_000)).save(path)
    elif kind == "folder":
        path.mkdir()
    else:
        assert kind == "absent"
    return path


BAD_PICTURES = ("text", "empty", "truncated", "400_megapixels", "folder", "absent")


def test_the_answer_has_the_documented_form(companion: Any, hand_picture: Path, tmp_path: Path) -> None:
    annotated = tmp_path / "out.png"
    (entry,) = companion("read", hand_picture, "--rules", "hefei", "--annotate", annotated, "--json").document
    assert set(entry) == {"image", "width", "height", "tiles", "rows", "ms", "hand"}
    assert entry["image"] == str(hand_picture)
    assert (entry["width"], entry["height"]) == (1280, 720)
    assert entry["rows"] == [HAND_ROW]
    assert {"decode", "detect", "classify", "total"} <= set(entry["ms"])
    for tile in entry["tiles"]:
        assert set(tile) == {"code", "quad", "p", "alternatives"}
        assert np.shape(tile["quad"]) == (4, 2)
        assert tile["alternatives"][0][0] == tile["code"]
        assert 0 < tile["p"] <= 1
    drawn, plain = cv2.imread(str(annotated)), cv2.imread(str(hand_picture))
    assert drawn.shape == plain.shape
    assert (drawn != plain).any()


def test_a_person_sees_the_rows(call: Any, hand_picture: Path) -> None:
    run = call("read", hand_picture)
    assert (run.status, run.err) == (0, "")
    assert "14 tiles" in run.out
    assert HAND_ROW in run.out


def test_a_doubtful_tile_is_named_by_its_place_with_what_else_it_may_be(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), render_hand([["1m", "2m", "3m"], ["7z", "9s"]], seed=3).image)
    monkeypatch.setattr("companion.vision.reading.SURE", 2.0)  # no tile is read with that much
    printed = call("read", tmp_path / "a.png").out
    assert re.search(r"not sure of tile 4 \(row 2, tile 1\): 7z \d+%", printed)
    assert not re.search(r"\b0%", printed)


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_exif_turns_the_picture_upright(
    call: Any, hand_picture: Path, tmp_path: Path, orientation: int
) -> None:
    turned = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "turned.jpg"
    with Image.open(hand_picture) as picture:
        picture.convert("RGB").transpose(turned[orientation]).save(path, exif=exif, quality=95)
    (entry,) = call("read", path, "--json").document
    assert (entry["width"], entry["height"]) == (1280, 720)
    assert entry["rows"] == [HAND_ROW]


@pytest.mark.slow
@pytest.mark.parametrize("kind", BAD_PICTURES)
def test_a_picture_that_cannot_be_read(call: Any, hand_picture: Path, tmp_path: Path, kind: str) -> None:
    path = bad_picture(kind, tmp_path, hand_picture)
    assert str(path) in call("read", path).refused(2)
    run = call("read", path, "--json")
    assert run.status == 2
    assert str(path) in run.complaint
    assert run.out.startswith('[{"image"')
    flags = ("--rules", "hefei", "--winner", 0, "--self-draw", "--winning-tile", "8s", "--json")
    assert str(path) in call("score-photo", path, *flags).refused(2)


def test_every_command_that_takes_a_picture_tells_a_folder(call: Any, tmp_path: Path) -> None:
    for command in (
        ("read", tmp_path),
        ("score-photo", tmp_path, "--rules", "hefei", "--winner", 0, "--self-draw", "--winning-tile", "8s"),
        ("learn-set", "home", tmp_path),
    ):
        assert f"'{tmp_path}' is a folder: name a picture in it." in call(*command).refused(2)


def test_one_bad_picture_does_not_stop_the_others(call: Any, hand_picture: Path, tmp_path: Path) -> None:
    bad = bad_picture("text", tmp_path, hand_picture)
    out = tmp_path / "seen.png"
    run = call("read", hand_picture, bad, hand_picture, "--annotate", out, "--json")
    assert run.status == 2
    assert str(bad) in run.complaint
    entries = json.loads(run.out)
    assert ["error" in entry for entry in entries] == [False, True, False]
    assert sorted(path.name for path in tmp_path.glob("seen*")) == ["seen-1.png", "seen-3.png"]


def test_a_jpeg_that_is_cut_short_is_read_with_a_warning(
    call: Any, hand_picture: Path, tmp_path: Path
) -> None:
    path, drawn = tmp_path / "cut.jpg", tmp_path / "seen.png"
    with Image.open(hand_picture) as picture:
        picture.convert("RGB").save(path, quality=95)
    path.write_bytes(path.read_bytes()[:-20])
    (entry,) = call("read", path, "--json", "--annotate", drawn).document
    assert entry["rows"] == [HAND_ROW]
    assert entry["warnings"] == ["cut_short"]
    assert drawn.exists()
    run = call("read", path)
    assert (run.status, run.err) == (0, "")
    assert "The file is cut short: only the part that is there was read. Copy it again." in run.out
    flags = ("--rules", "hefei", "--winner", 0, "--self-draw", "--winning-tile", "8s")
    assert "The file is cut short" in call("score-photo", path, *flags).out


def test_a_mirrored_picture_is_flipped_and_said_to_be(call: Any, tmp_path: Path) -> None:
    table = render_hand([["6m", "7m", "9m", "3p", "7p", "2s", "3z", "6z"]], seed=4)
    plain, selfie = tmp_path / "plain.png", tmp_path / "selfie.png"
    cv2.imwrite(str(plain), table.image)
    cv2.imwrite(str(selfie), table.image[:, ::-1])
    right, flipped = call("read", plain, selfie, "--json").document
    assert flipped["rows"] == right["rows"] == ["679m37p2s36z"]
    assert "warnings" not in right
    assert flipped["warnings"] == ["mirrored"]
    width = table.image.shape[1]
    for one, other in zip(right["tiles"], flipped["tiles"], strict=True):
        assert np.allclose([[width - x, y] for x, y in other["quad"]], one["quad"], atol=3)
    assert "The picture is mirrored" in call("read", selfie).out
    turned = tmp_path / "turned.png"
    cv2.imwrite(str(turned), table.image[::-1, ::-1])
    (entry,) = call("read", turned, "--json").document
    assert "warnings" not in entry


def test_a_picture_is_never_drawn_over(call: Any, hand_picture: Path, tmp_path: Path) -> None:
    path, second = tmp_path / "hand.png", tmp_path / "hand-1.png"
    shutil.copy(hand_picture, path)
    shutil.copy(hand_picture, second)
    assert f"'{path}' is a picture to be read" in call("read", path, "--annotate", path).refused(2)
    assert f"'{second}' is" in call("read", path, second, "--annotate", path).refused(2)
    assert path.read_bytes() == second.read_bytes() == hand_picture.read_bytes()


@pytest.fixture
def bare_table(tmp_path: Path) -> Path:
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), (62, 96, 34), np.uint8))
    return path


def test_a_picture_without_tiles(call: Any, bare_table: Path) -> None:
    (entry,) = call("read", bare_table, "--json").document
    assert (entry["tiles"], entry["rows"]) == ([], [])
    run = call("read", bare_table)
    assert run.status == 0
    assert "No tiles were found" in run.out
    flags = ("--rules", "hefei", "--winner", 0, "--self-draw", "--winning-tile", "8s")
    assert "No tiles were found" in call("score-photo", bare_table, *flags).refused(2)


@pytest.mark.parametrize("damage", ["missing", "changed", "no_manifest", "no_folder"])
def test_models_that_are_missing_or_changed(
    call: Any, hand_picture: Path, tmp_path: Path, damage: str
) -> None:
    models = tmp_path / "models"
    if damage != "no_folder":
        models.mkdir()
        for file in (*models_dir().glob("*.onnx"), models_dir() / "manifest.json"):
            shutil.copy(file, models)
        model = sorted(models.glob("*.onnx"))[0]
        if damage == "missing":
            model.unlink()
        elif damage == "changed":
            content = bytearray(model.read_bytes())
            content[len(content) // 2] ^= 1
            model.write_bytes(content)
        else:
            (models / "manifest.json").unlink()
    for command in (
        ("read", hand_picture, "--json"),
        (
            "score-photo",
            hand_picture,
            "--rules",
            "hefei",
            "--winner",
            0,
            "--self-draw",
            "--winning-tile",
            "8s",
        ),
    ):
        complaint = call(*command, COMPANION_MODELS=str(models)).refused(3)
        assert str(models) in complaint


@pytest.mark.parametrize(
    ("flags", "quoted"),
    [
        (("--set", "moon"), "'moon'"),
        (("--rules", "chess"), "'chess'"),
        (("--annotate", "out.txt"), "out.txt"),
        (("--annotate", "/no/such/folder/out.png"), "/no/such/folder"),
    ],
)
def test_a_wrong_option_is_refused(
    call: Any, hand_picture: Path, flags: tuple[str, ...], quoted: str
) -> None:
    assert quoted in call("read", hand_picture, *flags).refused(2)


@pytest.mark.slow
def test_a_photo_is_read_and_scored_in_one_go(companion: Any, hand_picture: Path) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s")
    answer = companion("score-photo", hand_picture, *flags, "--json").document
    assert set(answer) == {"reading", "unsure", "request", "score"}
    assert answer["request"]["hand"] == HAND_ROW
    hand = ("score", "--hand", HAND_ROW, *flags, "--json")
    assert answer["score"] == companion(*hand).document
    run = companion("score-photo", hand_picture, *flags)
    assert (run.status, run.err) == (0, "")
    assert HAND_ROW in run.out
    assert "119 zui" in run.out


def test_corrections_and_melds_change_what_is_scored(call: Any, hand_picture: Path) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--from", 2, "--winning-tile", "8s", "--json")
    answer = call("score-photo", hand_picture, *flags, "--meld", "p333m", "--fix", "10=3p").document
    assert answer["request"]["hand"] == "444555m32p678s"
    assert answer["score"]["legal"] is False


def test_only_the_tiles_that_are_named_count(call: Any, hand_picture: Path) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s", "--json")
    answer = call("score-photo", hand_picture, *flags, "--only", "4-6, 7-14", "--add", "333m").document
    assert answer["request"]["hand"] == HAND_ROW.removeprefix("333") + "333m"
    hand = answer["reading"]["hand"]
    assert hand["concealed"]["tiles"] == list(range(4, 15))
    assert hand["others"]["tiles"] == [1, 2, 3]


def test_open_melds_flag_makes_meld_like_tiles_concealed(call: Any, tmp_path: Path) -> None:
    row = [tile.code for tile in parse_tiles("23456788m345p1f777z")]
    picture = tmp_path / "parted.png"
    assert cv2.imwrite(str(picture), render_hand([row]).image)
    flags = ("--rules", "hong_kong", "--winner", 1, "--self-draw", "--winning-tile", "5p", "--json")
    answer = call("score-photo", picture, *flags).document
    assert answer["request"]["melds"] == ["p777z"]
    assert [meld["codes"] for meld in answer["reading"]["hand"]["melds"]] == [["7z", "7z", "7z"]]
    answer = call("score-photo", picture, *flags, "--no-melds").document
    assert "melds" not in answer["request"]
    assert answer["request"]["hand"] == "23456788m345p777z"
    hand = answer["reading"]["hand"]
    assert hand["melds"] == []
    assert hand["concealed"]["tiles"] == [*range(1, 12), 13, 14, 15]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "quoted"),
    [
        (("--fix", "15=3m"), "'15=3m'"),
        (("--fix", "1=0m"), "'0m'"),
        (("--fix", "1="), "13 tiles"),
        (("--add", "2p"), "15 tiles"),
        (("--only", "1-13"), "13 tiles"),
        (("--only", "0-14"), "--only '0-14' must be numbers of tiles that were read, from 1 to 14"),
        (("--only", "5-3"), "--only '5-3' must be"),
        (("--only", "1-14,15"), "--only '1-14,15' must be"),
        (("--only", "1 2"), "--only '1 2' must be"),
        (("--only", ""), "--only '' must be"),
        (("--fix", "11=3m", "--fix", "10=3m"), "3m"),
        (("--meld", "p777s"), "'p777s'"),
        (("--winning-tile", "2s"), "'2s'"),
    ],
)
def test_a_photographed_hand_that_cannot_be_scored(
    call: Any, hand_picture: Path, flags: tuple[str, ...], quoted: str
) -> None:
    base = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s", "--json")
    assert quoted in call("score-photo", hand_picture, *base, *flags).refused(2)


def test_a_refusal_says_which_tiles_to_look_at(
    call: Any, hand_picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.vision.reading.SURE", 2.0)  # no tile is read with that much
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "2s", "--json")
    refused = call("score-photo", hand_picture, *flags, "--fix", "3=3m").refused(2)
    assert "'2s'" in refused
    assert "tile 2 (3m), tile 4 (4m)" in refused
    assert "--fix N=TILE" in refused


def test_a_refusal_asks_about_no_tile_that_does_not_count(
    call: Any, hand_picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.vision.reading.SURE", 2.0)
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "2s", "--json")
    refused = call("score-photo", hand_picture, *flags, "--only", "1-13").refused(2)
    assert "tile 13 (" in refused
    assert "tile 14" not in refused


def test_a_refusal_says_that_other_tiles_may_be_the_hand(
    call: Any, hand_picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "2s", "--json")
    assert "--only" not in call("score-photo", hand_picture, *flags).refused(2)
    monkeypatch.setattr("companion.photo_hand.which_hand.ASK_BELOW_P", 2.0)  # no hand is found so surely
    assert "say with --only which tiles count" in call("score-photo", hand_picture, *flags).refused(2)
    said = call("score-photo", hand_picture, *flags, "--only", "1-14").refused(2)
    assert "--only" not in said, "it has been said"


def test_a_refusal_says_that_some_tiles_did_not_count(call: Any, tmp_path: Path) -> None:
    picture = tmp_path / "two rows.png"
    assert cv2.imwrite(str(picture), render_hand([HAND_CODES, ["9p", "9m", "1s"]]).image)
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s")
    assert call("score-photo", picture, *flags).status == 0
    said = call("score-photo", picture, *flags, "--fix", "1=", "--json").refused(2)
    assert "13 tiles" in said
    assert "Other tiles of the picture did not count: name the tiles that do with --only." in said
    said = call("score-photo", picture, *flags, "--stakes", "0", "--json").refused(2)
    assert "--only" not in said, "it is not about tiles"


def test_flowers_that_were_read_are_blamed_on_no_flag(call: Any, tmp_path: Path) -> None:
    picture = tmp_path / "flowers.png"
    assert cv2.imwrite(str(picture), render_hand([[*HAND_CODES, "1f", "5f"]]).image)
    win = ("--winner", 1, "--from", 2, "--winning-tile", "8s")
    said = call("score-photo", picture, "--rules", "hefei", *win, "--json").refused(2)
    assert said.startswith("companion: This table plays without flowers: say what they are with --fix")
    without = ("--rules", "hong_kong", *win, "--option", "flowers=false", "--json")
    assert call("score-photo", picture, *without).refused(2).startswith(said[:60])
    assert call("score-photo", picture, "--rules", "hefei", *win, "--fix", "15=", "--fix", "16=").status == 0
    assert ": 333444555m22p678s, 15f" in call("score-photo", picture, "--rules", "hong_kong", *win).out


def test_printed_hand_has_the_corrections(call: Any, hand_picture: Path) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s", "--only", "4-14")
    said = call("score-photo", hand_picture, *flags, "--add", "333m", "--fix", "4=9m", "--fix", "5=").out
    hands = [line.partition(": ")[2] for line in said.splitlines() if "the hand" in line]
    assert hands == ["94555m22p678s, 3 tiles not counted"]


def test_four_of_a_kind_in_the_row_may_be_a_kong(call: Any, hand_picture: Path) -> None:
    flags = ("--rules", "hefei", "--winner", 1, "--self-draw", "--winning-tile", "8s", "--json")
    refused = call("score-photo", hand_picture, *flags, "--add", "3m").refused(2)
    assert "Are the four 3m a kong? Then say so by --meld K3333m, or --meld k3333m" in refused
    answer = call("score-photo", hand_picture, *flags, "--add", "3m", "--meld", "K3333m").document
    assert answer["score"]["legal"]


def test_bench_names_a_split_that_is_not_there(call: Any, tmp_path: Path) -> None:
    assert "nowhere.json" in call(
        "bench", "vision", "--data", tmp_path, "--split", "nowhere", "--json"
    ).refused(2)


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b"[]",
        b"7",
        b"no json",
        b"\xff\xfe",
        b'{"categories": [], "annotations": [], "images": [{"id": 1}]}',
        b'{"categories": [], "annotations": [{"image_id": 1, "category_id": 1, "bbox": [1]}], "images": []}',
        b'{"categories": [{"id": 1, "name": "1m"}], "images": [], "annotations":'
        b' [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9], "segmentation": [[]]}]}',
        b'{"categories": [{"id": 1, "name": "dog"}], "images": [], "annotations":'
        b' [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9]}]}',
        b'{"categories": [{"id": 1, "name": "1m"}], "images": [], "annotations":'
        b' [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 9, NaN]}]}',
    ],
)
def test_bench_refuses_a_file_that_holds_no_labels(call: Any, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "photos").mkdir()
    file = tmp_path / "photos" / "mine.json"
    file.write_bytes(content)
    assert str(file) in call("bench", "vision", "--data", tmp_path, "--split", "mine").refused(2)


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--data", "."),
        ("--split", "mine"),
        ("--yardstick",),
        ("--speed", "--data", ".", "--split", "mine"),
        ("--speed", "--learn", 2),
    ],
)
def test_bench_asks_for_photos_or_for_speed(call: Any, flags: tuple[object, ...]) -> None:
    assert "--data and --split" in call("bench", "vision", *flags).refused(2)
