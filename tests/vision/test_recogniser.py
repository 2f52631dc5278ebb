"""The committed models on whole pictures: rendered ones always, labelled photos where they are at hand."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError, ModelError
from companion.tiles import BACK
from companion.vision import Reading, Recogniser, annotate, reading_json, row_notation
from companion.vision.annotate import FACE_DOWN, READ, UNSURE
from companion.vision.candidates import CANDIDATES_MAX, LEGIBLE_PX, long_sides, suppress_overlaps
from companion.vision.learned import LearnedSet
from companion.vision.reading import TileReading
from lab.scenes.draw import Scene
from lab.scenes.hand import SIZE_MM, render_hand
from lab.scenes.surfaces import make_surface
from lab.scenes.table import tileless_scene
from lab.scenes.tileset import TileBodies

pytestmark = pytest.mark.slow

HAND = [["3p", "3p", "3p", "7z", "7z", "7z"], [f"{n}{s}" for s in "mps" for n in (2, 3, 4)] + ["6z", "6z"]]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@pytest.fixture(scope="module")
def table() -> Scene:
    return render_hand(HAND, seed=3)


def codes(reading: Reading) -> Counter[str]:
    return Counter(tile.code for tile in reading.tiles)


def test_a_drawn_hand_is_read_row_by_row(recogniser: Recogniser, table: Scene) -> None:
    reading = recogniser.read(table.image)
    assert row_notation(reading) == ("333p777z", "234m234p234s66z")
    assert (reading.width, reading.height) == (1280, 720)
    assert [i for row in reading.rows for i in row] == list(range(len(reading.tiles)))
    for tile in reading.tiles:
        assert tile.alternatives[0][0] == tile.code
        assert [p for _, p in tile.alternatives] == sorted((p for _, p in tile.alternatives), reverse=True)


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_the_camera_may_be_turned(recogniser: Recogniser, table: Scene, turn: int) -> None:
    reading = recogniser.read(cv2.rotate(table.image, turn))
    assert codes(reading) == Counter(code for row in HAND for code in row)


def test_quads_follow_the_face_and_start_at_the_glyphs_top_left(recogniser: Recogniser, table: Scene) -> None:
    directed = {"2m", "3m", "4m", "7z", "6z", "3s"}
    for tile in recogniser.read(table.image).tiles:
        truth = min(table.tiles, key=lambda t: np.abs(np.mean(t.quad, 0) - np.mean(tile.quad, 0)).sum())
        size = np.linalg.norm(np.subtract(truth.quad[0], truth.quad[1]))
        turns = (0,) if tile.code in directed else (0, 1, 2, 3)
        off = min(np.abs(np.roll(tile.quad, k, axis=0) - np.array(truth.quad)).max() for k in turns)
        assert off < 0.2 * size, tile


def test_face_down_tiles_are_backs(recogniser: Recogniser) -> None:
    scene = render_hand([["5z", "back", "back", "9s"], ["1m", "2m", "3m"]], seed=5)
    assert codes(recogniser.read(scene.image)) == Counter(["5z", "back", "back", "9s", "1m", "2m", "3m"])


def test_small_tiles_in_a_large_picture_are_found_once(recogniser: Recogniser) -> None:
    scene = render_hand(HAND, seed=3, width=2560, height=1440)
    photo = np.full((3000, 4000, 3), scene.image[0, 0], np.uint8)
    small = cv2.resize(scene.image, (1400, 788), interpolation=cv2.INTER_AREA)
    photo[1300:2088, 1500:2900] = small
    assert codes(recogniser.read(photo)) == Counter(code for row in HAND for code in row)


@pytest.mark.parametrize("seed", range(8))
def test_a_bare_table_has_no_tiles(recogniser: Recogniser, seed: int) -> None:
    assert recogniser.read(make_surface(np.random.default_rng(seed), 480, 640)).tiles == ()


@pytest.mark.parametrize(
    ("n_tables", "taken_max"),
    [pytest.param(6, 1, marks=pytest.mark.slow), pytest.param(40, 3, marks=pytest.mark.long)],
)
def test_cards_dominoes_letters_keyboards_and_the_like_are_not_tiles(
    recogniser: Recogniser, n_tables: int, taken_max: int
) -> None:
    nothing = TileBodies(SIZE_MM, {}, (250, 250, 250), (0, 90, 0))
    tables = [tileless_scene(np.random.default_rng(seed), nothing) for seed in range(n_tables)]
    assert sum(len(scene.decoys) for scene in tables) > 5 * n_tables
    taken = [seed for seed, scene in enumerate(tables) if recogniser.read(scene.image).tiles]
    assert len(taken) <= taken_max


def test_a_rule_set_limits_kinds_and_copies(recogniser: Recogniser) -> None:
    scene = render_hand([["1m", "9s", "5z"], ["5p"] * 5 + ["8s"]], seed=7)
    everything = codes(recogniser.read(scene.image))
    assert everything == Counter({"1m": 1, "9s": 1, "5z": 1, "5p": 5, "8s": 1})
    hefei = codes(recogniser.read(scene.image, rules="hefei"))
    assert hefei["5p"] == 4
    assert hefei["?"] >= 1
    assert not hefei.keys() & {"1m", "9s", "5z"}
    with pytest.raises(InputError, match="nowhere"):
        recogniser.read(scene.image, rules="nowhere")


def shrink(table: Scene, share: float) -> np.ndarray:
    return cv2.resize(table.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)


def test_small_tiles_are_named_where_they_are_surely_read(recogniser: Recogniser, table: Scene) -> None:
    reading = recogniser.read(shrink(table, 0.17))
    high = long_sides(np.array([tile.quad for tile in reading.tiles], np.float32))
    assert high.max() < LEGIBLE_PX
    named = Counter({code: count for code, count in codes(reading).items() if code != "?"})
    assert named <= Counter(code for row in HAND for code in row)
    assert named.total() >= 12


def test_tiles_too_small_to_read_ask_for_a_closer_picture(recogniser: Recogniser, table: Scene) -> None:
    assert recogniser.read(table.image).advice == ()
    reading = recogniser.read(shrink(table, 0.11))
    assert len(reading.tiles) > 2
    assert codes(reading).keys() == {"?"}
    assert "closer" in reading.advice
    assert reading_json("a.png", reading)["advice"] == list(reading.advice)


def test_a_blurred_picture_asks_for_a_sharper_one(recogniser: Recogniser, table: Scene) -> None:
    reading = recogniser.read(cv2.GaussianBlur(table.image, (0, 0), 8))
    assert reading.advice == ("sharper",)


def test_two_threads_read_at_once(recogniser: Recogniser, table: Scene) -> None:
    results: list[tuple[str, ...]] = []
    threads = [
        threading.Thread(target=lambda: results.append(row_notation(recogniser.read(table.image))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [("333p777z", "234m234p234s66z")] * 2


def test_the_annotated_picture_differs_along_the_outlines_only(recogniser: Recogniser, table: Scene) -> None:
    reading = recogniser.read(table.image)
    changed = np.any(annotate(table.image, reading) != table.image, axis=2)
    assert 0.005 < changed.mean() < 0.2
    corner = np.round(reading.tiles[0].quad[2]).astype(int)
    assert changed[corner[1] - 3 : corner[1] + 4, corner[0] - 3 : corner[0] + 4].any()


@pytest.mark.parametrize(
    ("code", "p", "colour"),
    [("1m", 0.95, READ), ("1m", 0.85, UNSURE), ("?", 0.5, UNSURE), (BACK, 0.8, FACE_DOWN)],
)
def test_a_tile_to_look_at_has_a_colour_of_its_own_and_every_code_is_in_the_picture(
    code: str, p: float, colour: tuple[int, int, int]
) -> None:
    corners = ((20.0, 3.0), (80.0, 3.0), (80.0, 83.0), (20.0, 83.0))
    tile = TileReading(code, corners, p, ())
    drawn = annotate(np.zeros((120, 120, 3), np.uint8), Reading(120, 120, (tile,), ((0,),), {}, ()))
    same = np.all(drawn == colour, axis=2)
    assert same.any(axis=1)[:20].all(), "the code's ground, moved into the picture"
    assert not same.any(axis=1)[100:].any()


@pytest.mark.parametrize("shape", [(40, 60), (40, 60, 4), (0, 60, 3)])
def test_an_array_that_is_not_a_picture_of_three_colours_is_refused(
    recogniser: Recogniser, shape: tuple[int, ...]
) -> None:
    with pytest.raises(InputError, match="A picture is \\(height, width, 3\\) bytes"):
        recogniser.read(np.zeros(shape, np.uint8))
    with pytest.raises(InputError, match="of float32"):
        recogniser.read(np.zeros((40, 60, 3), np.float32))  # type: ignore[arg-type]


def test_a_set_that_other_models_learned_is_refused(recogniser: Recogniser) -> None:
    other = LearnedSet("mine", "0" * 64, ("1m",), np.zeros((1, 1536), np.float32))
    with pytest.raises(InputError, match="'mine' was learned with another model"):
        recogniser.read(np.zeros((40, 60, 3), np.uint8), tile_set=other)


def test_the_documented_json(recogniser: Recogniser, table: Scene) -> None:
    entry = json.loads(json.dumps(reading_json("hand.png", recogniser.read(table.image))))
    assert list(entry) == ["image", "width", "height", "tiles", "rows", "ms"]
    assert set(entry["ms"]) == {"decode", "detect", "classify", "total"}
    assert all(len(tile["quad"]) == 4 and 0 <= tile["p"] <= 1 for tile in entry["tiles"])


@pytest.mark.parametrize("name", ["finder.onnx", "reader.onnx", "weigher.onnx", "manifest.json"])
def test_a_missing_model_file_is_named(tmp_path: Path, name: str) -> None:
    copy = shutil.copytree(
        models_dir(), tmp_path / "models", ignore=shutil.ignore_patterns("training", "weights")
    )
    (copy / name).unlink()
    with pytest.raises(ModelError, match=f"{name}' is missing"):
        Recogniser(copy)


@pytest.mark.parametrize("name", ["finder.onnx", "reader.onnx", "weigher.onnx"])
def test_a_changed_model_file_is_named(tmp_path: Path, name: str) -> None:
    copy = shutil.copytree(
        models_dir(), tmp_path / "models", ignore=shutil.ignore_patterns("training", "weights")
    )
    with (copy / name).open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match=f"{name}' is not the one in its manifest"):
        Recogniser(copy)


@pytest.fixture
def other_models(tmp_path: Path) -> Path:
    return shutil.copytree(
        models_dir(), tmp_path / "models", ignore=shutil.ignore_patterns("training", "weights")
    )


def rewritten(folder: Path, name: str, content: bytes) -> None:
    """That model with another content, and a manifest that agrees."""
    (folder / f"{name}.onnx").write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest[name]["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("name", "other"), [("finder", "reader"), ("reader", "finder"), ("weigher", "finder")]
)
def test_a_model_of_the_wrong_input_is_named(other_models: Path, name: str, other: str) -> None:
    rewritten(other_models, name, (other_models / f"{other}.onnx").read_bytes())
    with pytest.raises(ModelError, match=rf"{name}.onnx' cannot be used: it takes"):
        Recogniser(other_models)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"directions", b"directives"),
        (b'["1m", ', b'{"1m", '),
        (b'["1m", ', b'["0m", '),
        (b'["1m", ', b"[      "),
        (b'"none"', b'"nine"'),
        (b'"2m"', b'"1m"'),
    ],
    ids=["output", "not a list", "not a tile", "one too few", "no 'none'", "twice"],
)
def test_a_reader_of_other_answers_is_named(other_models: Path, old: bytes, new: bytes) -> None:
    content = (other_models / "reader.onnx").read_bytes()
    assert old in content
    rewritten(other_models, "reader", content.replace(old, new))
    with pytest.raises(ModelError, match=r"reader.onnx' cannot be used: it"):
        Recogniser(other_models)


def test_a_finder_of_other_maps_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.networks.CHANNELS", 10)
    with pytest.raises(ModelError, match=r"finder.onnx' cannot be used: it answers .* not .*10"):
        Recogniser(models_dir())


def test_a_weigher_of_other_evidence_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.recogniser.EVIDENCE_SIZES", (16, 10, 10))
    with pytest.raises(ModelError, match=r"weigher.onnx' cannot be used: it takes .* not .*16"):
        Recogniser(models_dir())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"version": "\xff"}'])
def test_a_damaged_manifest_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(ModelError, match=r"manifest.json' cannot be used"):
        Recogniser(tmp_path)


@pytest.mark.parametrize("temperature", [0, -1, "warm"])
def test_a_manifest_with_an_impossible_temperature_is_named(other_models: Path, temperature: object) -> None:
    manifest = json.loads((other_models / "manifest.json").read_text())
    (other_models / "manifest.json").write_text(json.dumps(manifest | {"temperature": temperature}))
    with pytest.raises(ModelError, match=r"manifest.json' cannot be used"):
        Recogniser(other_models)


def test_of_countless_candidates_the_best_are_kept() -> None:
    rng = np.random.default_rng(8)
    corners = rng.uniform(0, 20_000, (5000, 1, 2)) + np.array([[0, 0], [9, 0], [9, 12], [0, 12]])
    scores = rng.uniform(0, 1, 5000).astype(np.float32)
    kept = suppress_overlaps(corners.astype(np.float32), scores)
    assert 900 < len(kept) <= CANDIDATES_MAX
    assert scores[kept].tolist() == sorted(scores[kept].tolist(), reverse=True)
    assert scores[kept].min() >= np.sort(scores)[-CANDIDATES_MAX]
