"""The tables of the model card, from made-up results of the benchmark."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from models.training.card import format_interval, format_share, main, summarise, tabulate_groups

SHARES = (
    "end_to_end", "right_in_place", "found", "named_right_of_found", "precision", "exact_photos",
    "silent_errors", "handed_to_person", "invented", "nothing_found",
)  # fmt: skip


def share(right: int, of: int) -> dict[str, Any]:
    value = right / of if of else None
    return {"value": value, "low": 0.25, "high": 0.75, "right": right, "of": of}


def result(split: str, right: int, of: int, **more: Any) -> dict[str, Any]:
    alone = {name: share(right, of) for name in SHARES}
    shares = {"photos": 3, **alone, "faces": alone, "backs": alone | {"end_to_end": share(0, 0)}}
    return {
        "split": split, "taught": None, **shares, "calibration_error": 0.0123,
        "outlines": {"tiles": of, "iou_median": 0.9, "iou_5_percent": 0.8}, "confusions": [["1m", "2m", 4]],
        "groups": {"here": shares, "there": shares}, **more,
    }  # fmt: skip


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_a_share_has_its_interval_and_nothing_of_nothing_is_a_dash() -> None:
    assert format_interval(share(1, 2)) == "50.0% (25.0–75.0)"
    assert format_interval(share(0, 0)) == format_share(share(0, 0)) == "–"


def test_each_benchmark_is_a_column() -> None:
    learned = result("new", 9, 10, taught={"photos": ["a.jpg", "b.jpg"], "kinds": 34})
    heads, rule, *rows = cells(summarise([result("old", 1, 2), learned]))
    assert heads == ["", "old", "new, learned from 2"]
    assert rule == ["---"] * 3
    assert all(len(row) == 3 for row in rows)
    by_row = {name: figures for name, *figures in rows}
    assert by_row["photos, labelled tiles"] == ["3, 2", "3, 10"]
    assert by_row["found and named right"] == ["50.0% (25.0–75.0)", "90.0% (25.0–75.0)"]
    assert by_row["backs found and named"] == ["–", "–"]
    assert by_row["precision of backs"] == ["50.0% (25.0–75.0)", "90.0% (25.0–75.0)"]
    assert by_row["calibration error"] == ["0.012", "0.012"]


def test_pictures_in_which_nothing_was_found_have_dashes() -> None:
    nothing = result("tileless", 0, 0, calibration_error=None, outlines={"tiles": 0}, confusions=[])
    assert {row[1] for row in cells(summarise([nothing]))[3:]} == {"–"}


def test_each_group_is_a_row_with_faces_and_backs_apart() -> None:
    heads, _, *rows = cells(tabulate_groups(result("old", 1, 2)))
    assert heads[:4] == ["group", "photos", "faces found and named right", "backs found and named"]
    shares = ["50.0% (1/2)", "–", *["50.0% (1/2)"] * 4]
    assert rows == [["here", "3", *shares], ["there", "3", *shares]]


@pytest.mark.parametrize("content", ["no json", "[]", '{"split": "old"}'])
def test_a_file_that_holds_no_figures_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / "old.json").write_text(content)
    monkeypatch.setattr(sys, "argv", ["card", str(tmp_path / "old.json")])
    with pytest.raises(SystemExit):
        main()
    assert "old.json' is not what `companion bench vision --json` prints" in capsys.readouterr().err


def test_the_command_prints_tables_and_confusions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("old", "new"):
        (tmp_path / f"{name}.json").write_text(json.dumps(result(name, 1, 2)))
    monkeypatch.setattr(sys, "argv", ["card", str(tmp_path / "old.json"), str(tmp_path / "new.json")])
    main()
    printed = capsys.readouterr().out
    assert "By group of `new`:" in printed
    assert "old 1m → 2m 4; new 1m → 2m 4." in printed
