"""Hands written out by hand: what is allowed at the table, what is refused and by which ruling."""

from pathlib import Path

import pytest

from companion.table.apply import fold
from companion.table.events import decode_log, encode_log
from tests.table.scripts import Case, Player, read

FILES = sorted((Path(__file__).parent.parent / "golden" / "table").glob("play_*.jsonl"))
CASES = [case for file in FILES for case in read(file)]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['ruling']} {case['game']['rules']}: {case['case']}"
)
def test_script(case: Case) -> None:
    player = Player(case)
    for step in case["steps"]:
        player.step(step)
    again = [event for _, event in decode_log(encode_log(player.log))]
    assert again == player.log
    assert fold(again) == player.state
