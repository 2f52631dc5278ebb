"""Replays the log of a game and prints how each hand ended, then the points of all seats.

companion simulate --rules hefei --hands 1 --events demo-output/logs
python examples/replay_log.py demo-output/logs/hand-1.jsonl
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from companion.errors import CompanionError
from companion.table.apply import apply
from companion.table.events import apply_corrections, decode_log
from companion.table.state import State


def replay(lines: Iterable[bytes]) -> tuple[State | None, list[str]]:
    """The state after the last event, None without any, and a line for each hand that ended.

    Raises EventError for a line that is not an event, and for an event that cannot happen.
    """
    state: State | None = None
    endings: list[str] = []
    for event in apply_corrections(event for _, event in decode_log(lines)):
        before, state = state, apply(state, event)
        if before is not None and before.playing and not state.playing and state.hand is not None:
            won = [f"seat {each.winner} wins {each.score.value}" for each in state.hand.results]
            endings.append(f"hand {len(endings) + 1}: {', '.join(won) or 'nobody wins'}")
    return state, endings


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/replay_log.py LOG")
    try:
        with Path(sys.argv[1]).open("rb") as file:
            last, hands = replay(file)
    except (CompanionError, OSError) as error:
        sys.exit(str(error))
    print(*hands, sep="\n")
    if last is not None:
        print("points by seat:", *last.balances)
