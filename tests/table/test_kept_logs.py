"""Logs of games that an earlier version kept, before tables had stakes: they pay what they paid then.

The logs are hands of four built-in players.
"""

from pathlib import Path

import pytest

from companion.table.apply import fold
from companion.table.events import decode_log

KEPT = Path(__file__).parent / "kept"
LEDGERS: dict[str, tuple[int, list[tuple[int, ...]]]] = {
    "hefei": (
        1,
        [
            (-520, -440, 1400, -440), (-580, 1740, -580, -580), (1180, -500, -340, -340),
            (1340, -420, -500, -420),
        ],
    ),
    "hebei": (
        3,
        [
            (0, 0, 6, -6), (18, -6, -6, -6), (18, -6, -6, -6), (-6, 18, -6, -6), (0, 0, -6, 6),
            (-12, 0, 0, 12), (9, -3, -3, -3),
        ],
    ),
    "taiwanese": (5, [(0, 0, -20, 20), (30, 0, -30, 0), (50, 0, -50, 0), (0, 25, -25, 0)]),
    "hong_kong": (2, [(-32, -32, -32, 96), (48, -16, -16, -16), (32, -8, -8, -16), (24, -8, -8, -8)]),
    "hangzhou": (1, [(-2, -1, 4, -1), (-2, -2, 6, -2), (4, -1, -2, -1), (-4, -2, 8, -2)]),
}  # fmt: skip
"""The base of each game, and its payments."""


@pytest.mark.parametrize("rules", LEDGERS)
def test_a_game_without_stakes_pays_what_it_paid(rules: str) -> None:
    lines = (KEPT / f"{rules}.jsonl").read_bytes().splitlines()
    state = fold(event for _, event in decode_log(lines))
    assert state is not None
    assert (state.house.base, [entry.points for entry in state.ledger]) == LEDGERS[rules]
    assert state.house.stakes == state.house.rules.own_stakes
