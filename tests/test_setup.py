"""`.ci/setup` installs a lock and nothing else; the Python here is a stand-in that notes what it is asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import LIMIT_S

REPOSITORY = Path(__file__).resolve().parents[1]
PYTHON = """#!/bin/sh
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && echo "new venv" >>"$ASKED" ;;
    *" uninstall "*) echo "${*##*disable-pip-version-check }" >>"$ASKED" ;;
    *" install "*) echo "${*##* install }" >>"$ASKED"; [ -z "$ANSWER" ] || { echo "$ANSWER" >&2; exit 1; } ;;
esac
"""
PIP = "--require-hashes --requirement locks/pip.txt"
NO_SETUPTOOLS = "uninstall --yes setuptools"
PROGRAM = "--no-deps --no-build-isolation --editable ."
INSTALLED = {
    what: [NO_SETUPTOOLS, f"--require-hashes --requirement locks/{what}.txt", PROGRAM]
    for what in ("runtime", "test")
}
NEW = ["new venv", PIP]
MISMATCH = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."


class Checkout:
    """A copy of what setup reads, with a Python that does nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._asked = folder / "asked"
        for name in ("pyproject.toml", ".ci/setup", "locks/pip.txt", "locks/runtime.txt", "locks/test.txt"):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)
        python = folder / "path" / "python3"
        python.parent.mkdir()
        python.write_text(PYTHON)
        python.chmod(0o755)

    def setup(
        self, what: str, answer: str = "", folder: Path | None = None
    ) -> tuple[list[str], subprocess.CompletedProcess[str]]:
        """What was asked of Python, and how the run ended. answer: of a failing pip; folder: of an installed
        copy."""
        self._asked.write_text("")
        path = f"{self.folder / 'path'}:{os.environ['PATH']}"
        done = subprocess.run(
            [".ci/setup", what, *([] if folder is None else [folder])],
            cwd=self.folder,
            env=os.environ | {"PATH": path, "ASKED": str(self._asked), "ANSWER": answer},
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )
        return self._asked.read_text().splitlines(), done


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_lock_is_installed_once(checkout: Checkout) -> None:
    assert checkout.setup("runtime")[0] == [*NEW, *INSTALLED["runtime"]]
    assert checkout.setup("runtime")[0] == []
    assert checkout.setup("test")[0] == INSTALLED["test"]
    assert checkout.setup("test")[0] == []
    assert checkout.setup("runtime")[0] == []


@pytest.mark.parametrize("what", ["runtime", "test"])
def test_a_changed_lock_is_noticed_whatever_its_time_and_installed_into_a_new_venv(
    checkout: Checkout, what: str
) -> None:
    checkout.setup("test")
    lock = checkout.folder / "locks" / f"{what}.txt"
    before = lock.stat()
    lock.write_text(lock.read_text().replace("numpy==", "numpy==1"))
    os.utime(lock, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert checkout.setup(what)[0] == [*NEW, *INSTALLED[what]]
    assert checkout.setup(what)[0] == []


def test_an_installed_copy_is_made_in_the_folder_that_is_named_and_renewed_each_time(
    checkout: Checkout, tmp_path: Path
) -> None:
    folder = tmp_path / "installed"
    copy = [*INSTALLED["runtime"][:-1], "--no-deps --no-build-isolation --force-reinstall ."]
    assert checkout.setup("installed", folder=folder)[0] == [*NEW, *copy]
    assert checkout.setup("installed", folder=folder)[0] == copy
    assert not (checkout.folder / ".venv").exists()


def test_another_pip_is_locked_and_installed_into_a_new_venv(checkout: Checkout) -> None:
    checkout.setup("test")
    lock = checkout.folder / "locks" / "pip.txt"
    lock.write_text(lock.read_text().replace("pip==", "pip==1"))
    assert checkout.setup("runtime")[0] == [*NEW, *INSTALLED["runtime"]]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (MISMATCH, "is not the one that was tested"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "is there an internet connection?"),
    ],
)
def test_a_failure_is_reported_and_the_next_run_tries_again(
    checkout: Checkout, answer: str, said: str
) -> None:
    asked, failed = checkout.setup("runtime", answer)
    assert asked == NEW
    assert failed.returncode == 1
    last = failed.stderr.splitlines()[-1]
    assert last.startswith("setup: ")
    assert said in last
    assert checkout.setup("runtime")[0] == [PIP, *INSTALLED["runtime"]]
