"""`companion bench merge-coach`: runs of several days as one, and what cannot be put together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.bench import coach

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    return coach.bench("hebei", 1, 0.0, 5, "built-in")


def write(folder: Path, name: str, run: dict[str, Any], **other: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(run | other))
    return path


def test_runs_of_several_days_are_one(call: Call, tmp_path: Path, run: dict[str, Any]) -> None:
    later = coach.bench("hebei", 2, 0.0, 6, "built-in")
    files = [write(tmp_path, "b", later), write(tmp_path, "a", run)]
    merged = call("bench", "merge-coach", *files, "--json").document
    whole = coach.bench("hebei", 3, 0.0, 5, "built-in")
    for key in ("rules", "player", "opponents", "budget", "seed", "walls", "hands", "payment", "win_rate"):
        assert merged[key] == whole[key]
    far = write(tmp_path, "far", run, seed=90)
    again = call("bench", "merge-coach", write(tmp_path, "merged", merged), far, "--json").document
    assert (again["walls"], again["ranges"]) == (4, [[5, 1], [6, 2], [90, 1]])
    clash = call("bench", "merge-coach", tmp_path / "merged", write(tmp_path, "seven", run, seed=7))
    assert "the seed 7" in clash.refused(2)


@pytest.mark.parametrize(
    "other",
    [
        {"rules": "hefei"},
        {"player": "fearless"},
        {"opponents": "coach"},
        {"budget": 0.2},
        {"options": {"players": 3}},
    ],
)
def test_runs_that_differ_are_refused(
    call: Call, tmp_path: Path, run: dict[str, Any], other: dict[str, object]
) -> None:
    files = [write(tmp_path, "a", run), write(tmp_path, "b", run, seed=90, **other)]
    [key] = other
    assert f"the {key} of the one is" in call("bench", "merge-coach", *files).refused(2)


def test_the_same_walls_twice_are_refused(call: Call, tmp_path: Path, run: dict[str, Any]) -> None:
    path = write(tmp_path, "a", run)
    assert "the seed 5" in call("bench", "merge-coach", path, path).refused(2)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rules": "hebei"}'])
def test_other_files_are_refused_as_runs(call: Call, tmp_path: Path, text: str) -> None:
    path = tmp_path / "other"
    path.write_text(text)
    assert "bench coach --json" in call("bench", "merge-coach", path).refused(2)


@pytest.mark.parametrize(
    "other",
    [{"walls": "many"}, {"seed": None}, {"ranges": [5]}, {"sums": {}}, {"sums": {"luck": [[1.0], 2.0]}}],
)
def test_a_damaged_run_is_refused(
    call: Call, tmp_path: Path, run: dict[str, Any], other: dict[str, Any]
) -> None:
    damaged = {"sums": run["sums"] | other["sums"]} if other.get("sums") else other
    assert "bench coach --json" in call("bench", "merge-coach", write(tmp_path, "a", run, **damaged)).refused(
        2
    )


def test_a_table_with_house_options_is_played_by_them(call: Call, tmp_path: Path) -> None:
    asked = ("bench", "coach", "--rules", "hebei", "--walls", 1, "--player", "built-in", "--budget", 0)
    run = call(*asked, "--option", "players=3", "--json").document
    assert (run["options"], run["hands"]) == ({"players": 3}, 3)
    wrong = call(*asked, "--option", "players=7")
    assert "players" in wrong.refused(2)


def test_a_run_without_a_word_of_options_had_none(call: Call, tmp_path: Path, run: dict[str, Any]) -> None:
    old = {key: value for key, value in run.items() if key != "options"}
    files = [write(tmp_path, "old", old), write(tmp_path, "new", run, seed=90)]
    assert call("bench", "merge-coach", *files, "--json").document["options"] == {}
