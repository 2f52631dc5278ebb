"""What the parts of the program log: into its log file, not onto anybody's terminal."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from tests.programs import LIMIT_S

LOG = """
import logging
from companion.cli import log_to_file
log_to_file()
log_to_file()
log = logging.getLogger("companion.live.camera_reading")
log.info("nothing that anybody needs")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("reading a frame")
logging.getLogger("firmware_bridge.link").warning("half a %s", "\\udc80")
"""


THREAD = """
import threading
from companion import cli
def fail():
    raise RuntimeError("[tcp] rtsp://ann:s3cr3t@cam/live?token=s3cr3t\x1b[31m refused")
def run(arguments):
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    return 0
cli.run = run
cli.main()
"""


def run(folder: Path, program: str = LOG) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"COMPANION_DATA": str(folder)},
        capture_output=True, text=True, check=True, timeout=LIMIT_S
    )  # fmt: skip


def test_details_of_a_fault_are_in_the_log_file_and_not_on_the_terminal(tmp_path: Path) -> None:
    done = run(tmp_path / "data")
    assert (done.stdout, done.stderr) == ("", "")
    file = tmp_path / "data" / "log" / "companion.log"
    said = file.read_text(encoding="utf-8")
    assert said.count("reading a frame") == 1
    assert "ZeroDivisionError" in said
    assert "nothing that anybody needs" not in said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_thread_failure_is_one_sentence_without_secrets(tmp_path: Path) -> None:
    done = run(tmp_path / "data", THREAD)
    assert done.stdout == ""
    assert done.stderr.startswith("companion: Something inside the program went wrong (RuntimeError): ")
    assert done.stderr.count("\n") == 1
    said = (tmp_path / "data" / "log" / "companion.log").read_text(encoding="utf-8")
    assert "in fail" in said
    assert "RuntimeError: [tcp] rtsp://cam/live refused" in said.replace("\\x1b[31m", "")


def test_unwritable_log_is_silent(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    done = run(tmp_path / "data")
    assert (done.stdout, done.stderr) == ("", "")
