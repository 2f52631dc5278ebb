"""The power fails while real programs keep things: nothing that was acknowledged is lost, and every file
or says in one sentence what is damaged. `--power-failures 2400` tries some 2,400 failures in all.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion import config, profiles
from companion.app.shell import session
from companion.app.shell.boot import Geometry, read_geometry, write_geometry
from companion.app.shell.session import Session
from companion.app.tile_sets.feature import KeptTileSets
from companion.coach.declared import DeclaredHand
from companion.errors import CompanionError, InputError
from companion.game import copies, schema, shelf, sqlite
from companion.game.exchange import history_lines
from companion.game.file import GameFile, read_entries
from companion.game.game import Game
from companion.live.session.lines import read_header, read_lines
from companion.live.table_watch import CameraPlace, KeptPlace
from companion.rules import rule_set
from companion.rules.profile import make_profile
from companion.sheets.declared_hands import keep_declared, read_declared
from companion.vision import set_files
from companion.vision.learned import LearnedSet
from tests import power_loss
from tests.game.sums import entries, keep_as_version
from tests.power_loss import Recording, record

pytestmark = pytest.mark.slow

SEED = 20261128
Failures = Callable[[Recording], Iterator[tuple[str, str]]]
"""Makes the data folder as it is after each failure; where that was, and what had been printed by then."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the data folder of a recorded program is made."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def failures(
    strace_works: None, tmp_path: Path, power_failures: int, monkeypatch: pytest.MonkeyPatch
) -> Failures:
    def fail(recording: Recording) -> Iterator[tuple[str, str]]:
        place = tmp_path / "after"
        monkeypatch.setenv("COMPANION_DATA", str(place / power_loss.DATA))
        for where, point, disk in recording.failures(power_failures, SEED):
            shutil.rmtree(place, ignore_errors=True)
            disk.make(place)
            yield where, recording.said(point)
        print(f"{power_failures} power failures at {len(recording.steps)} steps")

    return fail


CARELESS = """
import os, sys

folder = os.environ["COMPANION_DATA"]
os.mkdir(folder)
syncs = sys.argv[1].split()
file = os.open(folder + "/a", os.O_WRONLY | os.O_CREAT)
os.write(file, b"x" * 2000)
if "file" in syncs:
    os.fsync(file)
os.rename(folder + "/a", folder + "/b")
for name in (folder, os.path.dirname(folder)):
    if "names" in syncs:
        os.fsync(os.open(name, os.O_RDONLY))
print("kept", flush=True)
"""


@pytest.mark.parametrize(
    ("syncs", "found"),
    [
        ("", {None, b"", b"x" * 2000}),
        ("file", {None, b"x" * 2000}),
        ("names", {b"", b"x" * 2000}),
        ("file names", {b"x" * 2000}),
    ],
)
def test_the_recorded_disk_loses_what_was_not_synced(
    home: Path, strace_works: None, syncs: str, found: set[bytes | None]
) -> None:
    """Also that some sectors of a file are there, and others not."""
    recording = record(home, CARELESS, syncs)
    contents: set[bytes | None] = set()
    for number in range(200):
        disk = recording.fail(len(recording.steps), Random(number), (0.0, 0.5, 1.0)[number % 3])
        names = disk.folders[disk.folders[0]["data"]] if "data" in disk.folders[0] else {}
        kept = [bytes(disk.files[inode]) for inode in names.values()]
        contents |= {*kept} or {None}
    assert found <= contents
    torn = contents - {None, b"", b"x" * 2000}
    assert bool(torn) == ("file" not in syncs)


PLAY = """
import sys
from io import BytesIO, TextIOWrapper
from random import Random

from companion.cli import run
from companion.coach.play.simulation import play
from companion.game.game import encode_pinned
from companion.table.events import GameStarted

begun = GameStarted(rules="hefei")
events = [step.event for played in play(begun, 1, Random(3)) for step in played.steps]
lines = [encode_pinned(event).encode() + b"\\n" for event in events[: int(sys.argv[1])]]
assert not run(["games", "begin", "friday", "--rules", "hefei", "--json"])
for part in (lines[:40], lines[40:]):
    sys.stdin = TextIOWrapper(BytesIO(b"".join(part)))
    assert not run(["games", "add", "friday", "--json"])
assert not run(["games", "undo", "friday", "3", "--json"])
assert not run(["games", "redo", "friday", "2", "--json"])
"""


def test_game_entries_survive_a_power_failure(home: Path, failures: Failures) -> None:
    recording = record(home, PLAY, 60)
    whole = [json.loads(line) for line in recording.said().splitlines()]
    assert [line["entry"] for line in whole[1:]] == list(range(2, 64))
    for where, said in failures(recording):
        answers = [json.loads(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]
        path = shelf.path_of("friday")
        try:
            with Game.resume(path) as game:
                found = len(game.file.entries)
        except CompanionError:
            found = 0
        assert found - len(answers) in (0, 1), (where, found, len(answers))


GO_ON = """
from companion.game.game import Game
from companion.game import shelf
from companion.table.events import PointsMoved

with Game.resume(shelf.find("friday")) as game:
    print(len(game.file.entries), flush=True)
    game.append(PointsMoved(points=(1, -1, 0, 0), why="again"))
    print(len(game.file.entries), flush=True)
"""


@pytest.mark.long
def test_a_second_power_failure_while_the_game_is_opened_again_loses_nothing(
    home: Path, tmp_path: Path, failures: Failures
) -> None:
    """After the first one a journal is beside the game, which is only half written."""
    recording = record(home, PLAY, 10)
    point = max(at for at, step in enumerate(recording.steps, 1) if isinstance(step, power_loss.Wrote))
    again = tmp_path / "again"
    recording.fail(point - 8, Random(SEED), 1.0).make(again)
    assert sqlite.has_journal(again / power_loss.DATA / "games" / "friday.game")
    first = len(recording.said(point - 8).splitlines())
    second = record(again, GO_ON)
    assert int(second.said().split()[0]) - first in (0, 1)
    for where, said in failures(second):
        with Game.resume(shelf.find("friday")) as game:
            assert len(game.file.entries) >= max([first, *map(int, said.split())]), where


@dataclass(frozen=True, slots=True)
class Keeper:
    """keep: keeps a number the way the program keeps things; find: the number that is kept, 0 for none."""

    keep: Callable[[int], object]
    find: Callable[[], int]


def keep_set(number: int) -> None:
    set_files.save(LearnedSet("home", "5e" * 32, ("1m",), np.full((1, 8), number, np.float32)))


def find_set() -> int:
    return int(set_files.load("home").features[0, 0]) if "home" in set_files.names() else 0


def keep_profile(number: int) -> None:
    profiles.save("home", make_profile(rule_set("hebei"), {"cap": number}))


def find_profile() -> int:
    return int(profiles.load("home").options["cap"]) if "home" in profiles.names() else 0


def keep_session(number: int) -> None:
    path = session.path_of(config.data_dir(), 1)
    session.save(path, Session(parts={"tile_sets": KeptTileSets(f"set {number}")}))


def find_session() -> int:
    kept, complaint = session.load(session.path_of(config.data_dir(), 1))
    assert complaint is None
    return int(kept.parts["tile_sets"].used.split()[1]) if kept else 0


def keep_window(number: int) -> None:
    write_geometry(config.data_dir(), Geometry((500 + number, 500)))


def find_window() -> int:
    kept = read_geometry(config.data_dir())
    return kept.size[0] - 500 if kept else 0


def keep_camera(number: int) -> None:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    KeptPlace("above").keep(CameraPlace(corners, number, 480, 500.0, (1, 1, 1, 1)))


def find_camera() -> int:
    place = KeptPlace("above").load()
    return place.width if place else 0


def keep_hand(number: int) -> None:
    keep_declared(shelf.path_of("friday"), (DeclaredHand(0, number, ()),))


def find_hand() -> int:
    return next((hand.at for hand in read_declared(shelf.path_of("friday"))), 0)


def keep_in_index(number: int) -> None:
    path = shelf.path_of("friday")
    path.write_bytes(bytes(number))
    shelf.recall(path, "glance", int, lambda: number)


def find_in_index() -> int:
    """Never something else than the game says, kept or not."""
    path = shelf.path_of("friday")
    size = path.stat().st_size if path.exists() else 0
    assert shelf.recall(path, "glance", int, lambda: size) == size
    return size


KEEPERS = {
    "set": Keeper(keep_set, find_set),
    "profile": Keeper(keep_profile, find_profile),
    "session": Keeper(keep_session, find_session),
    "window": Keeper(keep_window, find_window),
    "camera": Keeper(keep_camera, find_camera),
    "hand": Keeper(keep_hand, find_hand),
    "index": Keeper(keep_in_index, find_in_index),
}
KEPT_TIMES = 6
KEEP = """
import sys
from tests.test_power_loss import KEEPERS, KEPT_TIMES

for number in range(1, KEPT_TIMES + 1):
    KEEPERS[sys.argv[1]].keep(number)
    print(number, flush=True)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", KEEPERS)
def test_saved_files_survive_a_power_failure(home: Path, failures: Failures, name: str) -> None:
    recording = record(home, KEEP, name)
    assert len(recording.said().split()) == KEPT_TIMES
    for where, said in failures(recording):
        found = KEEPERS[name].find()
        if name != "index":
            assert found - len(said.split()) in (0, 1), where


MOVE = """
from companion.game.game import Game
from companion.game import shelf
from companion.live.session.lines import read_header, read_lines
from companion.sheets.declared_hands import keep_declared
from companion.table.events import GameStarted, PointsMoved
from companion.coach.declared import DeclaredHand

with Game.begin(shelf.path_of("friday"), GameStarted(rules="hefei")) as game:
    for number in range(8):
        game.append(PointsMoved(points=(number, -number, 0, 0), why="x" * 100))
keep_declared(shelf.path_of("friday"), (DeclaredHand(0, 1, ()),))
print("begun", flush=True)
shelf.rename_game("friday", "monday")
print("renamed", flush=True)
shelf.copy_game("monday", "tuesday")
print("copied", flush=True)
shelf.remove_game("monday")
print("removed", flush=True)
shelf.bring_back(shelf.list_archived()[0])
print("back", flush=True)
"""
MOVED = {
    "": {""}, "begun": {"friday"}, "renamed": {"monday"}, "copied": {"monday tuesday"},
    "removed": {"tuesday (monday)"}, "back": {"monday tuesday"},
}  # fmt: skip


def find_games() -> str:
    """The names of the games that are whole; those in the bin in parentheses."""
    found = []
    for name in shelf.names():
        with Game.resume(shelf.find(name)) as game:
            assert len(game.file.entries) == 9
        found.append(name)
    for aside in shelf.list_archived():
        with Game.resume(aside.path) as game:
            assert len(game.file.entries) == 9
        found.append(f"({aside.name})")
    return " ".join(found)


def test_a_game_that_is_moved_or_copied_outlives_a_power_failure(home: Path, failures: Failures) -> None:
    """It is where it was or where it goes to, whole, with the hands that were told in it."""
    recording = record(home, MOVE)
    done = list(MOVED)
    assert recording.said().split() == done[1:]
    for where, said in failures(recording):
        last = len(said.split())
        if last:
            may_be = {each for step in done[last : last + 2] for each in MOVED[step]}
            assert find_games() in may_be, where


MIGRATE = """
from companion.game.game import Game
from companion.game import shelf
from companion.table.events import PointsMoved

for number in range(3):
    with Game.resume(shelf.find("friday")) as game:
        game.append(PointsMoved(points=(number, -number, 0, 0), why="x" * 100))
        print(number, flush=True)
"""


@pytest.mark.parametrize("version", sorted(schema.OLDER))
def test_a_game_of_an_older_program_outlives_a_power_failure(
    home: Path, failures: Failures, version: int
) -> None:
    path = home / power_loss.DATA / "games" / "friday.game"
    path.parent.mkdir(parents=True)
    keep_as_version(path, version, entries(20))
    recording = record(home, MIGRATE)
    for where, said in failures(recording):
        with Game.resume(shelf.find("friday")) as game:
            assert len(game.file.entries) - 21 - len(said.split()) in (0, 1), where


IMPORT = """
import sys
from companion.cli import run

assert not run(["games", "import", "friday", sys.argv[1], "--json"])
assert run(["games", "rescue", "damaged", "monday", "--json"]) == 0
assert not run(["games", "export", "friday", "--as", "history", "--to", sys.argv[1] + ".out", "--json"])
"""


def test_a_game_that_was_read_in_rescued_or_written_out_outlives_a_power_failure(
    home: Path, failures: Failures
) -> None:
    path = home / power_loss.DATA / "games" / "damaged.game"
    path.parent.mkdir(parents=True)
    GameFile.create(path, entries(40)).close()
    with GameFile.open(path) as file:
        lines = b"".join(history_lines(file))
    path.write_bytes(path.read_bytes().replace(b'"why":"a number"', b'"why":"A number"', 1))
    (home / "friday.jsonl").write_bytes(lines)
    recording = record(home, IMPORT, home / "friday.jsonl")
    answers = recording.said().splitlines()
    assert len(answers) == 3
    for where, said in failures(recording):
        done = len([line for line in said.splitlines(keepends=True) if line.endswith("\n")])
        for name, at, count in (("friday", 1, 41), ("monday", 2, 40)):
            if done >= at:
                with Game.resume(shelf.find(name)) as game:
                    assert len(game.file.entries) == count, where
        written = Path(os.environ["COMPANION_DATA"]).with_name("friday.jsonl.out")
        if done == 3:
            assert written.read_bytes() == lines, where


RESTORE = """
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

from companion import cli, config
from companion.game.game import encode_pinned
from companion.table.events import PointsMoved

def run(*arguments):
    assert not cli.run(["games", *arguments, "--json"])

run("begin", "friday", "--rules", "hefei")
for number in range(2):
    event = encode_pinned(PointsMoved(points=(number, -number, 0, 0), why="a number"))
    sys.stdin = TextIOWrapper(BytesIO(event.encode()))
    run("add", "friday")
run("undo", "friday")
run("restore", "friday")
Path(config.data_dir(), "games", "friday.game").unlink()
run("restore", "friday")
"""


def test_a_game_and_its_copies_outlive_a_power_failure(home: Path, failures: Failures) -> None:
    """Whatever was answered is in the game, or, while it is restored, in the bin or a copy."""
    recording = record(home, RESTORE)
    answers = recording.said().splitlines()
    assert len(answers) == 6
    for where, said in failures(recording):
        done = len([line for line in said.splitlines(keepends=True) if line.endswith("\n")])
        kept = [shelf.path_of("friday"), *(aside.path for aside in shelf.list_archived())]
        kept += [copy.path for copy in copies.list_copies("friday")]
        whole = []
        for path in kept:
            with suppress(CompanionError):
                whole.append(len(read_entries(path)))
        assert max(whole, default=0) >= min(done, 4), where
        for copy in copies.list_copies("friday"):
            assert read_entries(copy.path), where
        if done == 6:
            with Game.resume(shelf.find("friday")) as game:
                assert len(game.file.entries) == 4, where


RECORD = """
from companion.live.session.lines import Header
from companion.live.session.recorder import SessionRecorder
from companion.table.events import GameStarted
from companion.seeing.table_camera import TableCamera
from tests.test_power_loss import CORNERS, SESSION, config

header = Header(id="1", log=(GameStarted(rules="hefei"),), source="above")
recorder = SessionRecorder(config.data_dir() / SESSION, header)
for number in range(30):
    camera = TableCamera.from_corners(CORNERS + number, 640, 480)
    recorder.record_camera(float(number), camera)
recorder.close()
print("closed", flush=True)
"""
SESSION = "recorded"
CORNERS = np.array([[20.0, 220.0], [220.0, 220.0], [220.0, 20.0], [20.0, 20.0]])


def test_a_recorded_session_is_whole_once_closed_and_opens_or_says_why_not(
    home: Path, failures: Failures
) -> None:
    for where, said in failures(record(home, RECORD)):
        folder, lines = config.data_dir() / SESSION, []
        try:
            read_header(folder)
            lines = list(read_lines(folder))
        except InputError:
            assert not said, where
        assert not said or [line.t for line in lines] == [float(number) for number in range(30)], where


MOVE_DATA = """
from pathlib import Path
from companion import config

for number in range(1, 5):
    folder = Path.home() / f"data-{number}"
    config.name_data_dir(folder)
    print(number, flush=True)
config.name_data_dir(config.usual_data_dir())
print("usual", flush=True)
"""


def test_the_chosen_data_folder_outlives_a_power_failure(
    home: Path, failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that it was given up: a folder that was used before must not come back."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    (home / ".config").mkdir()
    recording = record(home, MOVE_DATA)
    usual = [None, *(f"data-{number}" for number in range(1, 5)), None]
    for where, said in failures(recording):
        monkeypatch.setenv("HOME", str(config.data_dir().parent))
        chosen, done = config.chosen_data_dir(), len(said.split())
        assert (chosen and chosen.name) in usual[done : done + 2], where


MOVE_ALL = """
import os
from pathlib import Path
from companion import config, moving

del os.environ["COMPANION_DATA"]  # with it the environment names the folder, and nothing is chosen
old, new = Path.home() / "data", Path.home() / "sticks/one/data"
moving.check_target(old, new)
moving.copy_data(old, new)
moving.plan_move(old, new)
assert moving.finish_move(old) == new
print("moved", flush=True)
"""


def test_data_that_were_moved_outlive_a_power_failure(
    home: Path, failures: Failures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new folder itself is synced too: users delete the old one once the move is reported complete."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    (home / ".config").mkdir()
    written = {f"games/{number}.game": bytes([number]) * 5000 for number in range(1, 4)}
    (home / power_loss.DATA / "games").mkdir(parents=True)
    for name, content in written.items():
        (home / power_loss.DATA / name).write_bytes(content)
    for where, said in failures(record(home, MOVE_ALL)):
        after = config.data_dir().parent
        monkeypatch.setenv("HOME", str(after))
        chosen = config.chosen_data_dir()
        assert chosen is not None or not said, where
        used = after / chosen.relative_to(home) if chosen else after / power_loss.DATA
        assert {name: (used / name).read_bytes() for name in written} == written, where
