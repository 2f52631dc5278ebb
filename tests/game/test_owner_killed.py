"""A program that is killed while several sources feed its game: what it acknowledged is there, once.

SIGKILL at random moments; `--hands 8000` kills it 200 times.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.game.game import Game
from companion.table.events import GameStarted
from tests.programs import started

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SEED = 7
HANDS_A_KILL = 160
LONGEST_S = 0.25

FEED = """
import sys, threading
from pathlib import Path
from companion.live.running import RunningGame
from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.game.updates import Decided
from companion.table.events import PointsMoved

def acknowledge(update):
    if isinstance(update, Decided) and update.decision.verdict is Verdict.ACCEPTED:
        print(update.decision.event.points[0], flush=True)

game = RunningGame()
game.subscribe(acknowledge)
game.resume(Path(sys.argv[1])).result()
first = int(sys.argv[2])
print("open", flush=True)

def feed(name):
    source = Reporter(SourceKind.SCRIPT, name)
    for number in range(first, first + 100_000):
        event = PointsMoved(points=(number, -number, 0, 0), why=name)
        game.propose(Proposal(event, game.now_ns, source, key=f"{name} {number}")).result()

for name in ("touch", "script"):
    threading.Thread(target=feed, args=[name]).start()
"""


def numbers(game: Game) -> list[int]:
    return [entry.points[0] for entry in game.state.ledger]


def test_acknowledged_events_survive_a_kill(path: Path, hands: int) -> None:
    chance = random.Random(SEED)
    Game.begin(path, GameStarted(rules="hefei")).close()
    known: list[int] = []
    acknowledged = 0
    for kill in range(max(2, hands // HANDS_A_KILL)):
        where = f"kill {kill}, seed {SEED}"
        with started(
            [sys.executable, "-c", FEED, str(path), str(kill * 100_000)],
            env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
            stdout=subprocess.PIPE, text=True,
        ) as program:  # fmt: skip
            assert program.stdout.readline() == "open\n"
            time.sleep(chance.uniform(0.02, LONGEST_S))
            program.kill()
            out = program.stdout.read()
        reported = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith("\n")]
        acknowledged += len(reported)
        with Game.resume(path) as game:
            kept = numbers(game)
            assert kept[: len(known)] == known, where
            assert kept[len(known) : len(known) + len(reported)] == reported, where
            assert len(kept) - len(known) - len(reported) in (0, 1), where  # not yet acknowledged
            keys = [entry.key for entry in game.file.entries[1:]]
            assert len(keys) == len(set(keys)), where
            assert game.file._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok", where
        known = kept
    print(f"{acknowledged} events acknowledged")
    assert acknowledged > 10
