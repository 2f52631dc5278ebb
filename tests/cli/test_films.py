"""`companion simulate --video`: bad options get one sentence, good ones a film beside its truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.commands.laboratory import CameraPose
from lab.film.customs import Pose

Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--pose", "side"), "--pose is for films: name a folder for them with --video."),
        (("--calm", "--pace", 2), "--pace, --calm are for films"),
        (("--video", "films", "--calm", "--mean"), "--calm and --mean contradict each other"),
        (("--video", "films", "--pose", "up"), "'up' is not one of 'above', 'corner', 'side'"),
        (("--video", "films", "--size", "big"), "--size 'big' is not the size of a film"),
        (("--video", "films", "--size", "641x360"), "even numbers from 240 to 3840, for example 1920x1080"),
        (("--video", "films", "--size", "99999x360"), "--size '99999x360' is not the size of a film"),
        (("--video", "films", "--pace", 0), "--pace must be at least 0.25, not '0'"),
        (("--video", "films", "--events", "films"), "both name 'films'"),
    ],
)
def test_bad_options_get_one_sentence(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in call("simulate", "--rules", "hefei", *options).refused(2)
    assert list(tmp_path.iterdir()) == []


def test_every_pose_of_a_film_can_be_chosen() -> None:
    assert [pose.value for pose in CameraPose] == [pose.value for pose in Pose]


@pytest.mark.slow
def test_hands_are_filmed_beside_their_truth(call: Call, tmp_path: Path) -> None:
    options = ("--video", tmp_path, "--size", "320x240", "--pace", 20, "--calm", "--seed", 5)
    document = call("simulate", "--rules", "hefei", *options, "--json").document
    assert document["hands"][0]["video"] == str(tmp_path / "hand-1.mp4")
    assert {file.name for file in tmp_path.iterdir()} == {"hand-1.mp4", "hand-1.jsonl"}
    lines = [json.loads(line) for line in (tmp_path / "hand-1.jsonl").read_text().splitlines()]
    assert lines[0]["options"] == document["options"]
    assert sum("event" in line for line in lines) == document["hands"][0]["events"]
    refused = call("simulate", "--rules", "hefei", *options).refused(2)
    assert "exists already: choose another folder" in refused


def test_faces_are_for_plain_films_alone(call: Call, tmp_path: Path) -> None:
    said = "is for --renderer plain, and names a folder"
    assert said in call("bench", "table-video", "--faces", tmp_path).refused(2)
    nowhere = tmp_path / "nowhere"
    assert said in call("bench", "table-video", "--renderer", "plain", "--faces", nowhere).refused(2)


def test_edges_are_those_of_plain_films(call: Call) -> None:
    said = "is for --renderer plain, and is one of rim, cloth ends, round, none."
    assert said in call("bench", "table-video", "--edge", "round").refused(2)
    assert said in call("bench", "table-video", "--renderer", "plain", "--edge", "oval").refused(2)
