"""What `companion bench vision` counts: on made-up readings, and on drawn tables that are really read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.tiles import BACK, KINDS
from companion.vision.reading import Reading, TileReading
from lab.bench.labelled_photos import Photo, Tally, match_labels
from lab.bench.reading_accuracy import bench, choose_kinds
from lab.scenes.draw import Scene
from lab.scenes.hand import render_hand

CODES = [*(kind.code for kind in KINDS), BACK]


def square(at: int) -> np.ndarray:
    return np.array([[x + at * 35, y] for x, y in ((0, 0), (30, 0), (30, 40), (0, 40))], np.float32)


def reading(*tiles: tuple[int, str, float]) -> Reading:
    """Tiles by their place, code and probability; "?6p" is read as "?", likeliest 6p."""
    read = []
    for at, code, p in tiles:
        quad = tuple((float(x), float(y)) for x, y in square(at))
        read.append(TileReading("?" if code[0] == "?" else code, quad, p, ((code.lstrip("?"), p),)))
    return Reading(999, 99, tuple(read), (tuple(range(len(read))),), {})


def photo(*names: str, complete: bool = True, **more: Any) -> Photo:
    """Labels side by side, of backs all of them or none."""
    boxes = np.array([square(at) for at in range(len(names))], np.float32).reshape(-1, 4, 2)
    fields = {"backs_complete": BACK in names} | more
    return Photo(Path("a.jpg"), "table", complete, names, boxes, (None,) * len(names), **fields)


def tally(*seen: tuple[Reading, Photo]) -> Tally:
    result = Tally()
    for each in seen:
        result.add(*each)
    return result


def counted(result: Tally, kind: str = "") -> dict[str, tuple[int, int]]:
    """The shares of all tiles, or of a kind, as counts."""
    figures = result.figures()[kind] if kind else result.figures()
    return {
        name: (share["right"], share["of"])
        for name, share in figures.items()
        if isinstance(share, dict) and "of" in share
    }


def test_each_fate_of_a_tile_is_counted_where_it_belongs() -> None:
    labels = photo("1m", "2m", "3m", "4m", "5m")
    result = tally(
        (reading((0, "1m", 1.0), (1, "9m", 0.9), (2, "?3m", 0.5), (3, "4m", 1.0), (9, "7z", 0.8)), labels)
    )
    assert counted(result) == {
        "end_to_end": (2, 5),
        "right_in_place": (2, 5),
        "found": (4, 5),
        "named_right_of_found": (2, 4),
        "precision": (2, 5),
        "exact_photos": (0, 1),
        "silent_errors": (1, 5),
        "handed_to_person": (1, 5),
        "invented": (1, 5),
        "nothing_found": (0, 0),
    }
    assert result.confusions == {("2m", "9m"): 1, ("3m", "?"): 1}


def test_finds_outside_partial_labels_are_no_errors() -> None:
    figures = counted(tally((reading((0, "1m", 1.0), (9, "7z", 0.8)), photo("1m", complete=False))))
    assert figures["end_to_end"] == (1, 1)
    assert figures["precision"] == figures["exact_photos"] == figures["invented"] == (0, 0)


def test_backs_count_where_they_are_labelled_and_only_there() -> None:
    seen = reading((0, "1m", 1.0), (1, BACK, 1.0))
    for labels, faces in ((photo("1m"), 1), (photo("1m", BACK), 2)):
        figures = counted(tally((seen, labels)))
        assert figures["end_to_end"] == figures["precision"] == (faces, faces)
        assert figures["exact_photos"] == (1, 1)
    third = reading((0, "1m", 1.0), (1, BACK, 1.0), (7, BACK, 1.0))
    assert counted(tally((third, photo("1m", BACK))))["precision"] == (2, 3)


def test_a_face_that_is_taken_for_a_back_counts_against_precision() -> None:
    figures = counted(tally((reading((0, "1m", 1.0), (1, BACK, 1.0)), photo("1m", "5z"))))
    assert figures["precision"] == figures["end_to_end"] == (1, 2)
    assert figures["exact_photos"] == (0, 1)


def test_faces_and_backs_are_counted_apart() -> None:
    seen = reading((0, "1m", 1.0), (1, BACK, 1.0), (2, "5z", 0.9), (3, BACK, 0.9), (5, "?2m", 0.5))
    result = tally((seen, photo("1m", BACK, BACK, "5z", BACK, "2m", covered=True)))
    faces, backs = counted(result, "faces"), counted(result, "backs")
    assert (faces["found"], faces["end_to_end"], faces["silent_errors"]) == ((3, 3), (1, 3), (1, 3))
    assert (backs["found"], backs["end_to_end"], backs["silent_errors"]) == ((2, 3), (1, 3), (1, 3))
    assert (faces["precision"], backs["precision"]) == ((1, 2), (1, 2)), "a ? is called neither"
    assert counted(result)["precision"] == (2, 5)


def test_ignored_regions_are_neither_right_nor_wrong() -> None:
    regions = (square(1), square(2))
    seen = reading((0, "1m", 1.0), (1, "9m", 1.0), (2, BACK, 1.0))
    labels = photo("1m", covered=True, backs_complete=True, ignore=regions)
    figures = counted(tally((seen, labels)))
    assert figures["precision"] == figures["exact_photos"] == (1, 1)
    assert figures["invented"] == (0, 1)
    beside = counted(tally((reading((0, "1m", 1.0), (3, "9m", 1.0)), labels)))
    assert (beside["precision"], beside["exact_photos"]) == ((1, 2), (0, 1))


def test_where_every_tile_is_known_a_false_back_is_wrong() -> None:
    seen = reading((0, "1m", 1.0), (4, BACK, 1.0))
    for covered, judged in ((False, 1), (True, 2)):
        figures = tally((seen, photo("1m", covered=covered)))
        assert counted(figures)["precision"] == (1, judged)
        assert counted(figures)["exact_photos"] == (not covered, 1)
        assert counted(figures, "backs")["precision"] == (0, judged - 1)


def test_a_covered_photo_is_judged_though_some_faces_have_no_label() -> None:
    figures = counted(
        tally((reading((0, "1m", 1.0), (4, "2m", 1.0)), photo("1m", complete=False, covered=True)))
    )
    assert (figures["precision"], figures["exact_photos"]) == ((1, 2), (0, 0))


def test_backs_count_in_exactness_where_all_are_labelled() -> None:
    for all_labelled in (False, True):
        labels = photo("1m", BACK, covered=True, backs_complete=all_labelled)
        figures = counted(tally((reading((0, "1m", 1.0)), labels)))
        assert figures["exact_photos"] == (not all_labelled, 1)


def test_a_picture_without_tiles_is_right_where_nothing_is_found() -> None:
    none, seen = photo(covered=True), reading((0, "?1m", 0.5))
    only_ignored = photo(covered=True, ignore=(square(0),))
    assert counted(tally((reading(), none), (seen, none)))["nothing_found"] == (1, 2)
    assert counted(tally((seen, only_ignored)))["nothing_found"] == (0, 0)
    assert counted(tally((reading(), photo(complete=False))))["nothing_found"] == (0, 0)


def test_more_certainty_hands_more_to_the_person_and_names_less_wrong() -> None:
    seen = reading((0, "1m", 0.999), (1, "9m", 0.75), (2, "?3m", 0.55), (3, "?4m", 0.99))
    points = {point["certain"]: point for point in tally((seen, photo("1m", "2m", "3m", "4m"))).curve()}
    wrong = {
        at: (point["silent_errors"]["right"], point["handed_to_person"]["right"])
        for at, point in points.items()
    }
    assert wrong[0.5] == (1, 1)  # what is "?" for another reason than doubt is never named
    assert wrong[0.6] == wrong[0.7] == (1, 2)
    assert wrong[0.8] == wrong[0.995] == (0, 3)


def test_the_calibration_error_is_how_far_sureness_is_from_being_right() -> None:
    always = [(reading((0, "1m", 0.9)), photo("1m"))] * 9 + [(reading((0, "2m", 0.9)), photo("1m"))]
    assert tally(*always).calibration_error() == pytest.approx(0.0, abs=1e-5)
    assert tally(*always[:9]).calibration_error() == pytest.approx(0.1)
    assert tally((reading(), photo())).calibration_error() is None


def test_a_find_is_the_label_it_overlaps_best_and_only_one() -> None:
    seen = reading((0, "1m", 1.0), (0, "2m", 1.0), (1, "3m", 1.0))
    same = match_labels(seen, photo("1m", "3m", "5m").boxes)
    assert (same[0] in (0, 1), same[1], same[2]) == (True, 2, None)


def drawn(folder: Path, scenes: Sequence[Scene]) -> Path:
    """A folder of labelled pictures as the benchmark takes them."""
    (folder / "photos").mkdir()
    annotations: list[object] = []
    for number, scene in enumerate(scenes):
        cv2.imwrite(str(folder / "photos" / f"{number}.png"), scene.image)
        for tile in scene.tiles:
            quad = np.array(tile.quad)
            (x, y), (w, h) = quad.min(axis=0), np.ptp(quad, axis=0)
            annotations.append(
                {"image_id": number, "category_id": CODES.index(tile.code), "bbox": [x, y, w, h],
                 "segmentation": [quad.ravel().tolist()]}
            )  # fmt: skip
    images = [
        {"id": n, "file_name": f"{n}.png", "group": "drawn", "complete": True} for n in range(len(scenes))
    ]
    categories = [{"id": number, "name": code} for number, code in enumerate(CODES)]
    document = {"images": images, "annotations": annotations, "categories": categories}
    (folder / "photos" / "drawn.json").write_text(json.dumps(document))
    return folder


def test_drawn_tables_are_read_and_every_figure_of_them_is_reported(tmp_path: Path) -> None:
    rows = [["1m", "2m", "3m", "7p", "8p", "9p"], ["2s", BACK, "7z", "3z"]]
    data = drawn(tmp_path, [render_hand(rows, seed=seed, width=960, height=640) for seed in (3, 4)])
    figures = bench(data, "drawn", models_dir())
    assert (figures["split"], figures["photos"], figures["taught"]) == ("drawn", 2, None)
    for share in ("end_to_end", "precision", "found"):
        assert (figures[share]["right"], figures[share]["of"]) == (20, 20), figures
    assert figures["exact_photos"]["right"] == 2
    assert figures["groups"]["drawn"]["found"] == figures["found"]
    assert figures["role"] is None
    assert (figures["backs"]["end_to_end"]["right"], figures["faces"]["end_to_end"]["of"]) == (2, 18)
    assert figures["outlines"]["tiles"] == 20
    assert figures["outlines"]["iou_median"] > 0.8
    assert set(figures["ms_median"]) == {"decode", "detect", "classify", "total"}
    memory = [figures["memory_mb"][stage] for stage in ("load", "decode", "detect", "classify")]
    assert memory == sorted(memory)
    assert 30 < memory[0] <= figures["peak_memory_mb"]


def test_more_photos_to_learn_from_than_there_are_is_refused(tmp_path: Path) -> None:
    data = drawn(tmp_path, [render_hand([["1m", "2m"]], seed=3)])
    with pytest.raises(InputError, match="at most 1 can be learned from"):
        bench(data, "drawn", models_dir(), teach=2)


@pytest.mark.slow
def test_a_photo_with_backs_can_be_learned_from(tmp_path: Path) -> None:
    rows = [CODES[0:9], CODES[9:18], CODES[18:27], [BACK, BACK]]
    data = drawn(tmp_path, [render_hand(rows, seed=seed, width=1280, height=960) for seed in (5, 6)])
    figures = bench(data, "drawn", models_dir(), teach=1)
    assert figures["taught"] == {"photos": ["1.png"], "kinds": 27}
    assert figures["end_to_end"]["of"] == 29
    few = bench(data, "drawn", models_dir(), teach=1, kinds=5)
    assert few["taught"] == {"photos": ["1.png"], "kinds": 5}


def test_a_few_of_the_kinds_that_photos_show_are_spread_over_the_suits() -> None:
    photos = [photo("9s", "1m", BACK, "5p"), photo("1m", "7z", "5m", "1p")]
    assert choose_kinds(photos) == ["1m", "5m", "1p", "5p", "9s", "7z"]
    assert choose_kinds(photos, 3) == ["1m", "1p", "9s"]
    with pytest.raises(InputError, match="show 6 kinds, and 7 are to be learned"):
        choose_kinds(photos, 7)
