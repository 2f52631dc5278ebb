"""A program that is killed while it keeps a game: what it was told is kept is there, once, and all goes on.

SIGKILL at random moments, the log written back into the file often. `--hands 8000` kills 200 times.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from pathlib import Path

from processes import start
from sums import begin, event, integrity, resume

from companion.errors import InputError

SEED = 5
HANDS_A_KILL = 40
LONGEST_S = 0.25

PLAY = """
import sys
from random import Random

path, chance = Path(sys.argv[1]), Random(int(sys.argv[2]))
with resume(path) as game:
    game.file._connection.execute("PRAGMA wal_autocheckpoint = 8")
    print("open", *game.state, flush=True)
    while True:
        number, standing = len(game.file.entries), len(game.state)
        if standing and chance.random() < 0.1:
            steps = chance.randint(1, min(standing, 5))
            game.undo(steps)
            print("undo", number, steps, flush=True)
            if chance.random() < 0.5:
                game.redo(steps)
                print("redo", number + 1, steps, flush=True)
        else:
            game.append(event(number), f"key {number}")
            print("event", number, 0, flush=True)
"""


def test_what_was_acknowledged_is_kept_once_whenever_the_program_is_killed(path: Path, hands: int) -> None:
    chance = random.Random(SEED)
    begin(path).close()
    told: list[tuple[str, int]] = []
    unfinished = acknowledged = 0
    for kill in range(max(1, hands // HANDS_A_KILL)):
        where = f"kill {kill}, seed {SEED}"
        program = start(PLAY, path, chance.randrange(2**32))
        assert program.stdout is not None
        assert program.stdout.readline().startswith("open")
        time.sleep(chance.uniform(0, LONGEST_S))
        program.kill()
        out, problems = program.communicate()
        assert program.returncode == -9, problems
        reported = [line.split() for line in out.splitlines(keepends=True) if line.endswith("\n")]
        told += [
            (event(int(number)) if what == "event" else "", -int(steps) if what == "undo" else int(steps))
            for what, number, steps in reported
        ]
        acknowledged += len(reported)
        with resume(path) as game:
            kept = [(entry.event, entry.steps) for entry in game.file.entries]
            assert kept[: len(told)] == told, where
            assert len(kept) - len(told) in (0, 1), where  # one may have been kept and not yet reported
            unfinished += len(kept) - len(told)
            told = kept
            keys = [entry.key for entry in game.file.entries if entry.key is not None]
            assert len(keys) == len(set(keys)), where
            standing, undone = [], []
            for line, steps in kept:
                if line:
                    standing, undone = [*standing, line], []
                elif steps < 0:
                    standing, undone = standing[:steps], standing[steps:] + undone
                else:
                    standing, undone = standing + undone[:steps], undone[steps:]
            assert [event(number) for number in game.state] == standing, where
            found = game.file._connection.execute("PRAGMA integrity_check").fetchone()[0]
            assert found == "ok", where
            if chance.random() < 0.5:  # enter the last one again, as a program does that was not told
                last = game.file.standing[-1] if game.file.standing else None
                assert last is None or not game.append(last.event, last.key), where
    print(f"{acknowledged} entries acknowledged, {unfinished} kept before they could be")
    assert acknowledged > kill
    assert integrity(path) == "ok"


BEGIN = """
import sys
from companion.history import Entry

entries = [Entry(n + 1, None, event(n), 0, "2026-01-02T03:04:05.678Z") for n in range(300)]
for number in range(10_000):
    GameFile.create(Path(sys.argv[1]) / f"{number}.game", entries).close()
    print(number, flush=True)
"""


def test_a_game_that_was_being_begun_is_there_whole_or_not_at_all(tmp_path: Path, hands: int) -> None:
    chance = random.Random(SEED)
    for kill in range(max(1, hands // HANDS_A_KILL // 4)):
        folder = tmp_path / str(kill)
        folder.mkdir()
        program = start(BEGIN, folder)
        assert program.stdout is not None
        assert program.stdout.readline() == "0\n"
        time.sleep(chance.uniform(0, LONGEST_S / 5))
        program.kill()
        begun = 1 + len(program.communicate()[0].splitlines())
        for path in folder.glob("*.game"):
            if int(path.stem) < begun:
                with resume(path) as game:
                    assert game.state == tuple(range(300)), f"kill {kill}, seed {SEED}"
            else:
                with suppress(InputError):
                    begin(path).close()
                with resume(path) as game:
                    assert game.state in ((), tuple(range(300))), f"kill {kill}, seed {SEED}"
