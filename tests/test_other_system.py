"""Outside cameras and ports the program needs nothing that only Linux has: checked by its types, and by a
Python that has no more of the standard library than on Windows."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import cv2
import pytest

from companion.cameras.recorded import OTHER_SYSTEM
from companion.commands.demo import PICTURE, RECORDED
from companion.moving import CANNOT_MOVE
from tests.programs import LIMIT_S, WINDOWS, started

REPOSITORY = Path(__file__).resolve().parents[1]
COMPANION = sys.executable, "-m", "companion"
ONLY_LINUX = {"companion/cameras", "companion/commands/emulate.py", "firmware_bridge/emulator"}
"""Where what other systems lack may be used: cameras, films, and ports that are emulated."""
MOVED = '{"event": "points_moved", "points": [2, -2, 0, 0], "why": "a wager"}'


@pytest.fixture
def on_windows(own_data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WINDOWS.items():
        monkeypatch.setenv(name, value)


def run(*command: str | Path, given: str = "") -> str:
    """What the command prints."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_python_of_these_tests_lacks_what_windows_lacks(on_windows: None) -> None:
    lacking = "__package__ = 'companion'; import sys, os; print(sys.platform, hasattr(os, 'O_NOFOLLOW'))"
    assert run(sys.executable, "-c", lacking) == "win32 False\n"
    importing = (
        "__package__ = 'companion'\ntry:\n import fcntl\nexcept ImportError as error: print(error.name)"
    )
    assert run(sys.executable, "-c", importing) == "fcntl\n"


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("--help", "score-photo"),
        ("rules hefei", "Hefei"),
        ("score --rules hefei --hand 234567m88m345p678s --winning-tile 8s --winner 1 --from 2", "zui"),
        ("waits --rules hong-kong --hand 456p67s99m --meld p777z --meld c123m --winner 1 --flowers 1f", "8s"),
    ],
)
def test_a_command_runs(on_windows: None, command: str, printed: str) -> None:
    assert printed in run(*COMPANION, *command.split())


@pytest.mark.slow
def test_a_picture_is_read(on_windows: None) -> None:
    (entry,) = json.loads(run(*COMPANION, "read", RECORDED / PICTURE, "--json"))
    assert " ".join(tile["code"] for tile in entry["tiles"]) == "3m 3m 3m 4m 4m 4m 5m 5m 5m 2p 2p 6s 7s 8s"


def test_a_game_is_kept(on_windows: None) -> None:
    run(*COMPANION, "games", "begin", "evening", "--rules", "hefei")
    run(*COMPANION, "games", "add", "evening", given=f"{MOVED}\n{MOVED}\n")
    run(*COMPANION, "games", "undo", "evening")
    assert "You: 2, Right: −2" in run(*COMPANION, "games", "list")


LOCKED = """
import sys
from pathlib import Path
from companion.files import lock
with lock(Path(sys.argv[1])):
    print(lock(Path(sys.argv[1])))
print(lock(Path(sys.argv[1])) is not None)
"""


def test_a_lock_is_held_once(on_windows: None, tmp_path: Path) -> None:
    assert run(sys.executable, "-c", LOCKED, tmp_path / "lock") == "None\nTrue\n"


@pytest.mark.slow
def test_a_page_is_served(on_windows: None) -> None:
    with started([*COMPANION, "serve", "--port", "0", "--lan", "--json"], stdout=subprocess.PIPE) as program:
        address = json.loads(program.stdout.readline())["address"]
        with urlopen(re.sub(r"//[^:]+:", "//127.0.0.1:", address), timeout=LIMIT_S) as answer:
            assert answer.status == 200
        program.send_signal(signal.SIGINT)
        assert program.wait(LIMIT_S) == 0


@pytest.mark.slow
def test_the_window_opens_with_a_picture(on_windows: None, display: None, tmp_path: Path) -> None:
    screenshot = tmp_path / "window.png"
    run(*COMPANION, "app", "--picture", RECORDED / PICTURE, "--screenshot", screenshot)
    assert cv2.imread(str(screenshot)).std() > 20


REFUSALS = {
    "camera": ("from companion.cameras import open_camera", "open_camera('file:{film}')", OTHER_SYSTEM),
    "data": (
        "from pathlib import Path; from companion.moving import check_target",
        "check_target(None, Path('/nowhere'))", CANNOT_MOVE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSALS)
def test_what_only_linux_can_do_is_refused_in_a_sentence(on_windows: None, what: str) -> None:
    importing, call, sentence = REFUSALS[what]
    call = call.format(film=RECORDED / "game.mp4")
    script = f"{importing}\ntry:\n {call}\nexcept Exception as error: print(error)"
    assert run(sys.executable, "-c", script) == f"{sentence}\n"


@pytest.mark.long
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_types_know_of_nothing_that_another_system_lacks(system: str) -> None:
    command = [sys.executable, "-m", "mypy", "--platform", system, "-p", "companion", "-p", "firmware_bridge"]
    cache = REPOSITORY / ".mypy_cache" / system
    done = subprocess.run(
        [*command, "--cache-dir", cache], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert "errors in" in done.stdout, done
    wrong = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line for line in wrong if not line.startswith(tuple(ONLY_LINUX))] == []
