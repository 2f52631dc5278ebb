"""A program that is killed while it keeps a game: what it was told is kept is there, once, and all goes on.

SIGKILL at random moments. `--hands 8000` kills the command, and a
program of the test, 200 times, and one that begins games 50 times.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from processes import running
from sums import begin, integrity, lines, numbers, resume

from companion.coach.play.simulation import play
from companion.errors import InputError
from companion.game import shelf
from companion.game.exchange import FORMAT, HistoryHeader, HistoryLine
from companion.game.file import GameEntry
from companion.game.game import Game
from companion.rules import RULE_SETS
from companion.table.apply import fold
from companion.table.events import VERSION, Event, GameStarted, decode_event

pytestmark = pytest.mark.slow

SEED = 5
HANDS_A_KILL = 40
LONGEST_S = 0.25

PLAY = """
import json, sys
from random import Random

MOST = 3000  # events that stand; a game has room for 5,000 payments
path, chance = Path(sys.argv[1]), Random(int(sys.argv[2]))
with resume(path) as game:
    def acknowledge():
        entry = game.file.entries[-1]
        print(json.dumps([entry.event, entry.steps]), flush=True)

    print("open", flush=True)
    while True:
        standing = len(numbers(game))
        if standing and (chance.random() < 0.1 or standing > MOST):
            steps = chance.randint(1, min(standing, 5))
            game.undo(steps)
            acknowledge()
            if chance.random() < 0.5:
                game.redo(steps)
                acknowledge()
        else:
            number = len(game.file.entries)
            game.append(event(number), f"key {number}")
            acknowledge()
"""


def test_acknowledged_events_survive_a_kill_once(path: Path, hands: int) -> None:
    chance = random.Random(SEED)
    begin(path).close()
    found: list[list[object]] = []
    acknowledged = unfinished = 0
    for kill in range(max(1, hands // HANDS_A_KILL)):
        where = f"kill {kill}, seed {SEED}"
        with running(PLAY, path, chance.randrange(2**32)) as program:
            assert program.stdout.readline() == "open\n"
            time.sleep(chance.uniform(0, LONGEST_S))
            program.kill()
            out = said_last(program)
        reported = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith("\n")]
        found += reported
        acknowledged += len(reported)
        with resume(path) as game:
            entries = game.file.entries[1:]
            kept = [[entry.event, entry.steps] for entry in entries]
            assert kept[: len(found)] == found, where
            assert len(kept) - len(found) in (0, 1), where  # one may have been kept and not yet reported
            unfinished += len(kept) - len(found)
            found = kept
            keys = [entry.key for entry in entries if entry.event]
            assert len(keys) == len(set(keys)), where
            assert lines(*numbers(game)) == what_stands(entries), where
            assert game.file._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok", where
            last = game.file.standing[-1]
            if last.key is not None:  # entered again, as by one who was not told
                assert not game.file.append(last.event, last.key), where
    print(f"{acknowledged} entries acknowledged, {unfinished} kept before they could be")
    assert acknowledged > kill


def said_last(program: subprocess.Popen[str]) -> str:
    """All that a killed program printed and nobody read; `communicate` would drop what a readline took in."""
    out = program.stdout.read()
    assert program.wait() in (-9, 0)
    return out


def what_stands(entries: list[GameEntry]) -> list[str]:
    """By the plainest of ways."""
    standing: list[str] = []
    undone: list[str] = []
    for entry in entries:
        if entry.event:
            standing, undone = [*standing, entry.event], []
        elif entry.steps < 0:
            standing, undone = standing[: entry.steps], standing[entry.steps :] + undone
        else:
            standing, undone = standing + undone[: entry.steps], undone[entry.steps :]
    return standing


ADD = """
import sys
from companion.cli import run

sys.exit(run(["games", "add", sys.argv[1], "--json"]))
"""
HANDS_A_GAME = 4
HEAD = msgspec.json.encode(HistoryHeader(FORMAT, VERSION)).decode()


@pytest.mark.long
def test_answered_commands_survive_a_kill_once(hands: int) -> None:
    """Hands as they are played, with what is taken back and done again; after each kill `companion games add`
    is given all that it had not answered, as by a program that goes on."""
    chance = random.Random(SEED)
    kills = answers = unanswered = games = 0
    enough = max(1, hands // HANDS_A_KILL)
    while kills < enough:
        begun, lines_to_say, events = game_as_said(chance)
        path = shelf.path_of(f"game-{games}")
        Game.begin(path, begun).close()
        answered = kept = 0
        while answered < len(lines_to_say):
            where = f"kill {kills}, game {games}, seed {SEED}"
            after_s = chance.uniform(0, LONGEST_S / 2) if kills < enough else None
            said, killed = added_until_killed(path, lines_to_say[answered:], after_s)
            assert [answer["line"] for answer in said] == list(range(2, len(said) + 2)), where
            assert [answer["new"] for answer in said] == [
                at >= kept for at in range(answered, answered + len(said))
            ], where
            answered += len(said)
            with Game.resume(path) as game:
                found = [as_said(entry) for entry in game.file.entries[1:]]
                kept = len(found)
                assert found == lines_to_say[:kept], where
                assert kept - answered in (0, 1), where
                assert game.file._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok", where
            unanswered += kept - answered
            kills += killed
            answers += len(said)
        games += 1
        with Game.resume(path) as game:
            assert game.state == fold([begun, *events])
    print(f"{kills} kills in {games} games, {answers} lines answered, {unanswered} kept before they could be")


def game_as_said(chance: random.Random) -> tuple[GameStarted, list[HistoryLine], list[Event]]:
    """How a game begins, all that is entered in it, each under a key, and the events that stand at last."""
    begun = GameStarted(rules=chance.choice(list(RULE_SETS)))
    events = [step.event for played in play(begun, HANDS_A_GAME, chance) for step in played.steps]
    said = []
    for standing, event in enumerate(events, start=1):
        said.append(HistoryLine(key=f"event {standing}", event=event))
        if chance.random() < 0.1:
            steps = chance.randint(1, min(standing, 5))
            said += [
                HistoryLine(key=f"back {standing}", steps=-steps),
                HistoryLine(key=f"on {standing}", steps=steps),
            ]
    return begun, said, events


def added_until_killed(
    path: Path, said: list[HistoryLine], after_s: float | None
) -> tuple[list[dict[str, int]], bool]:
    """What the command answers, killed so long after its first answer or not at all; and whether it was."""
    with running(ADD, path.stem) as program:
        program.stdin.write("\n".join([HEAD, *(msgspec.json.encode(line).decode() for line in said)]))
        program.stdin.close()
        first = program.stdout.readline()
        if after_s is not None:
            time.sleep(after_s)
            program.kill()
        out = first + said_last(program)
    answers = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith("\n")]
    return answers, program.returncode == -9


def as_said(entry: GameEntry) -> HistoryLine:
    """The line of text that an entry was made of."""
    event = decode_event(entry.event) if entry.event else None
    return HistoryLine(key=entry.key, event=event, steps=entry.steps)


BEGIN = """
import sys

for number in range(10_000):
    GameFile.create(Path(sys.argv[1]) / f"{number}.game", entries(300)).close()
    print(number, flush=True)
"""


def test_a_game_that_was_being_begun_is_there_whole_or_not_at_all(tmp_path: Path, hands: int) -> None:
    chance = random.Random(SEED)
    for kill in range(max(1, hands // HANDS_A_KILL // 4)):
        where = f"kill {kill}, seed {SEED}"
        folder = tmp_path / str(kill)
        folder.mkdir()
        with running(BEGIN, folder) as program:
            assert program.stdout.readline() == "0\n"
            time.sleep(chance.uniform(0, LONGEST_S / 5))
            program.kill()
            begun = 1 + len(said_last(program).splitlines())
        for path in folder.glob("*.game"):
            if int(path.stem) >= begun:
                with suppress(InputError):
                    begin(path).close()
            with resume(path) as game:
                assert numbers(game) == tuple(range(300)) or int(path.stem) >= begun, where
                assert len(numbers(game)) in (0, 300), where
            assert integrity(path) == "ok"
