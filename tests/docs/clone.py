"""A clone of the working tree as it is now, with the packages that are installed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from documents import REPOSITORY

COMPANION = """#!/bin/sh
# The window closes by itself after a screenshot, and alone needs a display.
if [ "$1" = app ]; then
    export DISPLAY="$WINDOW_DISPLAY"
    case " $* " in *" --screenshot "*) ;; *) set -- "$@" --screenshot "$WINDOW_PICTURE" ;; esac
fi
exec python -m companion "$@"
"""


class Clone:
    """A clone in `folder` that installs nothing: its .venv has links to the packages of this Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git = ["git", f"--git-dir={folder / '.git'}", "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        self.git(f"--work-tree={REPOSITORY}", "add", "--all")
        self.git("commit", "--quiet", "--message=as it is now")
        self.git(f"--work-tree={folder}", "reset", "--quiet", "--hard")
        self._link_packages()

    def git(self, *arguments: str) -> str:
        """What git prints."""
        done = subprocess.run([*self._git, *arguments], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    @property
    def changes(self) -> str:
        """What differs from the commit or is new in the clone, but for ignored files."""
        return self.git(f"--work-tree={self.folder}", "status", "--porcelain")

    def _link_packages(self) -> None:
        installed, venv = Path(sys.prefix), self.folder / ".venv"
        commands = venv / "bin"
        commands.mkdir(parents=True)
        for name in ("lib", "pyvenv.cfg"):
            (venv / name).symlink_to(installed / name)
        for command in (installed / "bin").iterdir():
            if command.name != "companion" and not command.name.startswith("activate"):
                (commands / command.name).symlink_to(command)
        (commands / "activate").write_text(f'PATH="{commands}:$PATH"\n')
        (commands / "companion").write_text(COMPANION)
        (commands / "companion").chmod(0o755)
        for what in ("pip", "runtime", "test"):  # so .ci/setup finds that all is installed
            (venv / f".setup-{what}").write_bytes((REPOSITORY / "locks" / f"{what}.txt").read_bytes())
