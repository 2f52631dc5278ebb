"""How the networks run quickest here: measured in turns, chosen, kept for this processor only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.board import read_model
from companion.commands.demo import PICTURE, RECORDED
from companion.config import data_dir, models_dir
from companion.vision import Recogniser, load_picture, quickest
from companion.vision.quickest import Way


class Clock:
    """A clock that goes on by what each reading takes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """With recognisers that take as many seconds as they have threads, ten times as long in floats."""
    clock = Clock()

    class Slow:
        def __init__(self, models: Path, *, threads: int, floats: bool) -> None:
            self.seconds = threads * (10 if floats else 1)

        def read(self, picture: object) -> None:
            clock.now += self.seconds

    monkeypatch.setattr(quickest, "Recogniser", Slow)
    return clock


PICTURE_OF_NOTHING = np.zeros((32, 32, 3), np.uint8)


def test_hopeless_ways_are_left_out_after_some_rounds(clock: Clock) -> None:
    ways = (Way(2), Way(3), Way(1, floats=True))
    took = quickest.measure(Path(), PICTURE_OF_NOTHING, ways, 100.0, clock)
    assert took == {Way(2): 2.0, Way(3): 3.0, Way(1, floats=True): 10.0}
    loading, three_rounds = 15, 3 * 15
    assert clock.now - loading == pytest.approx(three_rounds + 11 * (2 + 3))


def test_one_round_is_finished_however_long_it_takes(clock: Clock) -> None:
    assert quickest.measure(Path(), PICTURE_OF_NOTHING, (Way(5), Way(6)), 0.0, clock).keys() == {
        Way(5),
        Way(6),
    }


def test_fewer_threads_are_preferred_where_they_are_as_quick() -> None:
    assert quickest.choose({Way(1): 1.2, Way(2): 1.04, Way(4): 1.0}) == Way(2)
    assert quickest.choose({Way(1): 1.02, Way(1, floats=True): 1.0}) == Way(1, floats=True)


@pytest.mark.parametrize(("cores", "threads"), [(1, {1}), (2, {1, 2}), (4, {1, 2, 4})])
def test_the_ways_fit_the_cores(cores: int, threads: set[int]) -> None:
    ways = quickest.list_ways(cores)
    assert {way.threads for way in ways} == threads
    assert len(ways) == 2 * len(threads)


def test_what_is_kept_counts_on_this_processor_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quickest.find_kept() is None
    quickest.keep(Way(2, floats=True))
    assert quickest.find_kept() == Way(2, floats=True)
    monkeypatch.setattr(quickest, "name_processor", lambda: "another machine into which the card was moved")
    assert quickest.find_kept() is None


@pytest.mark.parametrize("content", ["", "{}", '{"processor": "x", "way": {"threads": -1}}', "[" * 9])
def test_a_damaged_file_changes_nothing(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quickest, "name_processor", lambda: "x")
    (data_dir() / quickest.FILE).write_text(content)
    assert quickest.find_kept() is None


def test_a_raspberry_pi_is_known_by_its_device_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr(quickest, "read_model", lambda: read_model(tmp_path))
    assert quickest.name_processor().startswith("Raspberry Pi 4 Model B Rev 1.4, ")


def test_floats_read_the_same_tiles() -> None:
    picture = load_picture(RECORDED / PICTURE)
    as_stored, floats = (
        Recogniser(models_dir(), threads=1, floats=floats).read(picture) for floats in (False, True)
    )
    assert len(as_stored.tiles) == 14
    assert [tile.code for tile in floats.tiles] == [tile.code for tile in as_stored.tiles]


def test_the_quickest_way_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(quickest, "Recogniser", lambda models, **how: given.append(how))
    quickest.load_recogniser()
    quickest.keep(Way(2, floats=True))
    quickest.load_recogniser()
    assert given == [{"threads": 0, "floats": False}, {"threads": 2, "floats": True}]
