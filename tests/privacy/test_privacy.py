"""What docs/privacy.md promises, of real commands in an empty home folder, seen by strace.

The environment is that of a person who never chose a setting: no COMPANION_DATA, no XDG_*, and none of the
variables by which onnxruntime notices that it is only tested (CI and its like).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.privacy.conftest import COMPANION, Watched, check

WON = ("--rules", "hefei", "--winning-tile", "8s", "--winner", 0, "--self-draw")

SMALL = """
import sys
from ast import literal_eval
from importlib import import_module
for name, value in literal_eval(sys.argv[1]).items():
    module, constant = name.split(".")
    setattr(import_module("lab.bench." + module), constant, value)
from companion.cli import run
sys.exit(run(sys.argv[2:]))
"""
"""A benchmark with fewer rounds than can be chosen: the same work, more quickly done."""

OWN_SCRIPT = """
import subprocess, sys
from pathlib import Path
from companion.config import models_dir
from companion.vision import Recogniser
print(Recogniser(models_dir()).read_file(Path(sys.argv[1])).tiles)
subprocess.run([sys.executable, "-c", "import onnxruntime; onnxruntime.SessionOptions()"], check=True)
"""


@pytest.mark.long
def test_pictures_are_read_scored_and_learned_from(watched: Watched, pictures: Path, tmp_path: Path) -> None:
    hand, seen = pictures / "hand.png", tmp_path / "seen.png"
    check(watched(*COMPANION, "read", hand, "--annotate", seen, outputs=[seen]))
    assert seen.is_file()
    check(watched(*COMPANION, "score-photo", hand, *WON))
    check(watched(*COMPANION, "learn-set", "home", pictures / "lesson.png"))
    check(watched(*COMPANION, "read", hand, "--set", "home"))


@pytest.mark.long
def test_hands_are_scored_and_games_kept(watched: Watched, data: Path, tmp_path: Path) -> None:
    check(watched(*COMPANION, "score", "--hand", "333444555m22p678s", *WON))
    check(watched(*COMPANION, "rules", "hefei", "--option", "win_row=0", "--save", "home"))
    logs, table = tmp_path / "work" / "logs", tmp_path / "friday.csv"
    simulate = ("simulate", "--rules", "hefei", "--hands", 1, "--seed", 1, "--events", "logs")
    check(watched(*COMPANION, *simulate, outputs=[logs, logs / "hand-1.jsonl"]))
    check(watched(*COMPANION, "games", "import", "friday", logs / "hand-1.jsonl"))
    check(watched(*COMPANION, "games", "export", "friday", "--as", "csv", "--to", table, outputs=[table]))
    check(watched(*COMPANION, "devices", "list"))
    assert any(data.rglob("*friday*"))


RECORDINGS_OF_A_HOST = {
    "a playlist": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9.0,\nhttp://127.0.0.1:9/x.ts\n#EXT-X-ENDLIST\n",
    "a list of videos": "ffconcat version 1.0\nfile http://127.0.0.1:9/x.ts\n",
    "a session": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 32\n",
}


@pytest.mark.long
@pytest.mark.parametrize("kind", RECORDINGS_OF_A_HOST)
def test_a_recording_that_names_a_host_is_refused(watched: Watched, tmp_path: Path, kind: str) -> None:
    recording = tmp_path / "table.avi"
    recording.write_text(RECORDINGS_OF_A_HOST[kind])
    script = f"from companion.cameras import open_camera; open_camera('file:{recording}')"
    tried_as_a_camera = [recording]  # by OpenCV, which opens it for writing and writes nothing
    traced = watched(sys.executable, "-c", script, outputs=tried_as_a_camera)
    assert "CameraError" in traced.said
    check(traced, status=1)
    assert recording.read_text() == RECORDINGS_OF_A_HOST[kind]


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (
            ("vision", "--speed", "--runs", 1),
            {
                "reading_speed.THREADS": 1,
                "reading_speed.FRAME": (480, 270),
                "reading_speed.PHOTOS": {"photo": (640, 480), "large photo": (800, 600)},
                "reading_speed.TABLE_PHOTO": (800, 450),
                "reading_speed.PHOTO_TILES": 8,
                "reading_speed.FRAME_TILES": 4,
            },
        ),
        (("rules", "--runs", 1), {"rules.RUN_S": 0, "rules.HANDS": 2, "rules.STARTS": 1}),
        (
            ("table", "--runs", 1, "--hands", 1),
            {"rules.RUN_S": 0, "table.HANDS": 1, "table.HANDS_EACH_RUN": 1, "table.EVENTS_EACH_RUN": 2},
        ),
        (
            ("link", "--runs", 1, "--messages", 200, "--unplugs", 5, "--fuzz-bytes", 200_000),
            {"link.RUN_S": 0.01, "link.ROLLS": 10, "link.IDLE_S": 0.3},
        ),
    ],
    ids=["vision", "rules", "table", "link"],
)
def test_the_benchmarks(watched: Watched, arguments: tuple[object, ...], settings: dict[str, object]) -> None:
    bench = (sys.executable, "-c", SMALL, repr(settings), "bench", *arguments)
    no_leaks = {
        "ASAN_OPTIONS": "detect_leaks=0"
    }  # the leak sanitizer is itself a tracer, and there can be but one
    check(watched(*bench, temporary_files=True, **no_leaks))


def test_reports_are_off_before_a_script_can_load_onnxruntime_itself() -> None:
    code = "import os, sys, companion.vision as _; print(os.environ['ORT_DISABLE_TELEMETRY'], *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"ORT_DISABLE_TELEMETRY": "0"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    setting, *loaded = done.stdout.split()
    assert setting == "1"
    assert "onnxruntime" not in loaded


@pytest.mark.slow
def test_a_script_of_ones_own_and_what_it_starts(watched: Watched, pictures: Path) -> None:
    check(watched(sys.executable, "-c", OWN_SCRIPT, pictures / "hand.png"))


@pytest.mark.long
def test_a_page_that_is_served_waits_on_this_machine_and_reaches_for_nothing(watched: Watched) -> None:
    traced = watched("timeout", "-s", "INT", "20", *COMPANION, "serve", "--port", "0")
    assert "http://127.0.0.1:" in traced.said
    sockets = [offence for offence in traced.offences if "opened a socket" in offence]
    waiting = [offence for offence in traced.offences if "waits for connections" in offence]
    assert len(sockets) == 1
    assert len(waiting) >= 1
    assert len(traced.offences) == len(sockets) + len(waiting)
