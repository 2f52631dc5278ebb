"""Files that commands write onto a full disk: one sentence names the file, and nothing of it is left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.filmed import make_session
from tests.programs import may_mount

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not may_mount(), reason="this user may not mount a disk of its own"),
]

FULL_DISK = """
import contextlib, io, json, os, subprocess, sys
from pathlib import Path
from companion import cli

folder, commands = Path(sys.argv[1]), json.loads(sys.argv[2])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], check=True)
(folder / "logs").mkdir()
with contextlib.suppress(OSError), open(folder / "filler", "wb", buffering=0) as filler:
    for size in (65536, 4096, 1):
        with contextlib.suppress(OSError):
            while True:
                filler.write(bytes(size))
for command in commands:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = cli.run(command)
    left = sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.name != "filler")
    print(json.dumps([status, said.getvalue(), left]))
"""

COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    "annotate": (("read", "hand.png", "--annotate", "FULL/out.png"), "out.png"),
    "several": (("read", "hand.png", "again.png", "--annotate", "FULL/out.png"), "out-1.png"),
    "simulate": (("simulate", "--rules", "hefei", "--events", "FULL/logs"), "logs/hand-1.jsonl"),
    "folder": (("simulate", "--rules", "hefei", "--events", "FULL/new"), "new/hand-1.jsonl"),
    "log": (("games", "export", "friday", "--to", "FULL/friday.jsonl"), "friday.jsonl"),
    "table": (("games", "export", "friday", "--as", "csv", "--to", "FULL/friday.csv"), "friday.csv"),
    "sheet": (("games", "export", "friday", "--as", "pdf", "--to", "FULL/friday.pdf"), "friday.pdf"),
    "markers": (("markers", "--out", "FULL/markers.pdf"), "markers.pdf"),
    "record": (("track", "session", "--record", "FULL/recorded"), "recorded"),
    "device": (("devices", "record", "FULL/dice.jsonl", "/dev/null"), "dice.jsonl"),
    "pack": (("track", "session", "--pack", "FULL/friday.zip"), "friday.zip"),
}
"""By what is written: the command, and the file that its sentence names."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Status, stderr and what is left on the disk, of each command."""
    from lab.scenes.hand import render_hand

    here, full = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("full")
    import cv2

    cv2.imwrite(str(here / "hand.png"), render_hand([["1m", "2m", "3m"]]).image)
    shutil.copy(here / "hand.png", here / "again.png")
    make_session(here / "session", seconds=10)
    environment = {**os.environ, "COMPANION_DATA": str(here / "data")}
    program: Callable[..., Any] = lambda *words: subprocess.run(  # noqa: E731
        [sys.executable, "-m", "companion", *words], check=True, capture_output=True, env=environment
    )
    program("games", "begin", "friday", "--rules", "hefei")
    commands = [[word.replace("FULL", str(full)) for word in command] for command, _ in COMMANDS.values()]
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, "-c", FULL_DISK, str(full), json.dumps(commands)],
        capture_output=True, text=True, timeout=300, cwd=here, env=environment | {"FULL": str(full)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: [*outcome, full] for name, outcome in zip(COMMANDS, found, strict=True)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_file_on_the_full_disk_is_named_and_not_left(outcomes: dict[str, list[Any]], name: str) -> None:
    status, said, left, full = outcomes[name]
    assert status == (2 if name == "record" else 3), said
    assert said.startswith("companion: ")
    assert said.count("\n") == 1, said
    assert f"'{full / COMMANDS[name][1]}'" in said
    assert "full" in said.replace(str(full), "") or "No space left on device" in said
    assert left == ["logs"]
