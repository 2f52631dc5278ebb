"""A real PostgreSQL on this machine, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
"""Where Debian has the newest one; None where it is not installed."""
AS_USER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
"""PostgreSQL does not run as root."""


class PostgreSQL:
    """A server that can be stopped and started again; each database of it has a name of its own."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="companion-postgres-"))
        if AS_USER:
            shutil.chown(self._folder, "postgres")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        self._names = (f"club{number}" for number in count(1))
        self._run("initdb", "--auth=trust", "--username=club", "--no-sync", "--encoding=UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._run(
            "pg_ctl", "--wait", "--silent", f"--log={self._folder}/log", f"--options={options}", "start"
        )

    def stop(self, mode: str = "fast") -> None:
        """mode: `immediate` for a crash."""
        self._run("pg_ctl", "--wait", "--silent", f"--mode={mode}", "stop")

    def create(self) -> str:
        """The address of a new database."""
        name = next(self._names)
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "club", name, folder=False)
        return f"postgresql://club@127.0.0.1:{self.port}/{name}"

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self._folder)

    def _run(self, program: str, *arguments: str, folder: bool = True) -> None:
        assert PROGRAMS is not None
        where = ["-D", str(self._folder)] if folder else []
        subprocess.run(
            [*AS_USER, PROGRAMS / program, *where, *arguments],
            check=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
