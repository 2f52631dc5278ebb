"""Real photos, where the labelled collection is at hand: the share of tiles found and rightly named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.vision.networks import Finder, Reader
from companion.vision.pictures import load_picture
from companion.vision.recogniser import Recogniser
from lab.bench.labelled_photos import Tally, load_photos, wilson_interval
from lab.bench.reading_accuracy import bench, choose_kinds, choose_teaching_photos, learn_from_photos

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def networks_answer_once() -> Iterator[None]:
    """A photo is read with a learned set and without one: the networks see the same both times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Finder, "find", remember(Finder.find))
        patch.setattr(Reader, "classify", remember(Reader.classify))
        yield


def remember(ask: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, which keeps its answer for all networks asked about equal pixels."""
    known: dict[tuple[object, ...], Any] = {}

    def answer(network: Finder | Reader, pixels: np.ndarray, *more: float, **named: float) -> Any:
        key = (hashlib.sha256(np.ascontiguousarray(pixels)).digest(), pixels.shape, *more, *named.items())
        if key not in known:
            known[key] = ask(network, pixels, *more, **named)
        return known[key]

    return answer


@pytest.fixture(scope="module")
def figures_of(tile_data: Path) -> Callable[[str], dict[str, Any]]:
    """The figures of a split, read once."""
    return cache(lambda split: bench(tile_data, split, models_dir()))


@pytest.mark.sampled
@pytest.mark.parametrize(("split", "bar"), [("dev-seen", 0.98), ("dev-unseen-set", 0.95)])
def test_tiles_of_real_photos_are_found_and_rightly_named(
    figures_of: Callable[[str], dict[str, Any]], split: str, bar: float
) -> None:
    figures = figures_of(split)
    assert figures["end_to_end"]["of"] > 900
    assert figures["end_to_end"]["value"] >= bar, figures


def test_a_set_learned_from_two_of_its_photos_is_named_right(tile_data: Path, tmp_path: Path) -> None:
    labels = json.loads((tile_data / "photos" / "dev-unseen-set.json").read_text())
    labels["images"] = labels["images"][::8]  # the whole would take a minute
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "few.json").write_text(json.dumps(labels))
    (tmp_path / "photos" / "images").symlink_to(tile_data / "photos" / "images")
    plain, taught = (bench(tmp_path, "few", models_dir(), teach) for teach in (0, 2))
    assert taught["taught"]["kinds"] >= 30
    assert taught["named_right_of_found"]["value"] >= max(0.99, plain["named_right_of_found"]["value"])
    assert taught["silent_errors"]["right"] <= plain["silent_errors"]["right"]


@pytest.mark.long
def test_a_set_that_was_learned_makes_no_other_set_worse(
    tile_data: Path, figures_of: Callable[[str], dict[str, Any]]
) -> None:
    recogniser = Recogniser(models_dir())
    complete = [photo for photo in load_photos(tile_data, "dev-unseen-set") if photo.complete]
    chosen = choose_teaching_photos(complete, 2, "dev-unseen-set")
    another = learn_from_photos(recogniser, chosen, choose_kinds(chosen))
    taught = Tally()
    for photo in load_photos(tile_data, "dev-seen"):
        taught.add(recogniser.read_file(photo.path, tile_set=another), photo)
    before, after = figures_of("dev-seen"), taught.figures()
    assert len(another.kinds) >= 30
    assert after["end_to_end"]["right"] >= before["end_to_end"]["right"]
    assert after["silent_errors"]["right"] <= before["silent_errors"]["right"]


@pytest.mark.parametrize(
    "light", [(0.2, 0.2, 0.2), (0.5, 0.8, 1.1), (1.1, 0.8, 0.5)], ids=["dim", "lamplight", "blue hour"]
)
def test_no_blank_white_is_taken_for_a_back_where_the_light_is_dim_or_coloured(
    tile_data: Path, light: tuple[float, float, float]
) -> None:
    recogniser = Recogniser(models_dir())
    tally = Tally()
    photos = [photo for photo in load_photos(tile_data, "dev-unseen-set") if photo.names.count("5z") >= 2]
    for photo in photos[:8]:
        picture = load_picture(photo.path) * np.array(light)
        tally.add(recogniser.read(np.clip(picture, 0, 255).astype(np.uint8)), photo)
    figures = tally.figures()
    assert figures["found"]["right"] >= 100
    assert figures["silent_errors"]["right"] == 0, figures


def test_an_unknown_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No 'nowhere.json'"):
        bench(tmp_path, "nowhere", models_dir())


def test_wilson_intervals() -> None:
    low, high = wilson_interval(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)
    assert wilson_interval(0, 0) == (0.0, 1.0)
