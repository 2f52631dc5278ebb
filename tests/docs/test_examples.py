"""The examples print what they should, and say in a sentence what is wrong with their input."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from documents import REPOSITORY

from companion.commands.demo import PICTURE, RECORDED
from companion.rules import decode_request
from companion.rules.scoring import list_readings, make_win
from tests.programs import LIMIT_S

EXAMPLES = REPOSITORY / "examples"
LOG = b"""{"format":"mahjong-companion-table","version":1}
{"event":"game_started","rules":"hefei"}
{"event":"hand_started","dealer":0}
{"event":"dealt"}
{"event":"discarded","seat":0,"tile":"1m"}
{"event":"corrected","number":4,"right":{"event":"discarded","seat":0,"tile":"2m"}}
{"event":"hand_abandoned"}
"""


def run(name: str, *arguments: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_hand_is_scored() -> None:
    status, said = run("score_hand")
    assert (status, said.splitlines()[-1]) == (0, "5 fan, payments by seat (-5, 20, -10, -5)")


@pytest.mark.slow
def test_a_picture_is_read(tmp_path: Path) -> None:
    assert run("read_picture", RECORDED / PICTURE) == (0, "333444555m22p678s\n")
    status, said = run("read_picture", tmp_path / "absent.png")
    assert (status, said.count("\n")) == (1, 1)
    assert "absent.png" in said


def test_a_log_is_replayed(tmp_path: Path) -> None:
    log = tmp_path / "hand.jsonl"
    log.write_bytes(LOG)
    assert run("replay_log", log) == (0, "hand 1: nobody wins\npoints by seat: 0 0 0 0\n")
    log.write_bytes(LOG.replace(b'"2m"', b'"7z"'))
    status, said = run("replay_log", log)
    assert (status, said.count("\n")) == (1, 1)
    assert "7z" in said


@pytest.mark.parametrize("name", ["read_picture", "replay_log"])
def test_without_an_argument_the_usage_is_printed(name: str) -> None:
    status, said = run(name)
    assert status == 1
    assert said.startswith(f"usage: python examples/{name}.py ")


def test_a_rule_set_is_derived_from_another() -> None:
    assert run("new_rule_set") == (0, "Village has 23 rows.\n234567m88m345p67s waits for 58s.\n")


@pytest.mark.parametrize(("hand", "times"), [("234678m88m234p678s", 1), ("234567m88m234p678s", 0)])
def test_its_row_counts_in_a_hand_without_fives(hand: str, times: int) -> None:
    example = runpy.run_path(str(EXAMPLES / "new_rule_set.py"))
    village, row = example["VILLAGE"], example["NO_FIVES"]
    request = {"rules": "hefei", "hand": hand, "winning_tile": "8s", "winner": 1, "source": "self_draw"}
    win = make_win(village, decode_request(request))
    assert row in village.patterns
    assert [row.count(win, reading) for reading in list_readings(village, win)][:1] == [times]
