"""Mosquitto and PostgreSQL of this machine's packages, each in a folder of its own, for demonstrations,
benchmarks and tests: for this machine only, and independent of those that the system runs."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from companion.errors import MissingError

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
POSTGRES_PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
"""Where Debian has the newest PostgreSQL; None where it is not installed."""
AS_POSTGRES = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
"""PostgreSQL does not run as root."""
END_WITH_US = ("setpriv", "--pdeathsig", "TERM")
"""Has the system end a program whose parent was killed."""
HOST = "127.0.0.1"
START_S = 20.0
POLL_S = 0.02
NOT_INSTALLED = "A club needs {missing}, not installed here: apt-get install {packages}"
NOT_STARTED = "{program} does not start in '{folder}' ({why})."


def check_installed() -> None:
    """Raises MissingError, which names the packages, where a server is missing."""
    missing = [
        name for name, found in (("mosquitto", MOSQUITTO), ("postgresql", POSTGRES_PROGRAMS)) if found is None
    ]
    if missing:
        raise MissingError(NOT_INSTALLED, missing=" and ".join(missing), packages=" ".join(missing))


def find_free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        port: int = taken.getsockname()[1]
        return port


def list_children(pid: int) -> list[int]:
    """The processes that this one has started."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Mosquitto:
    """A broker that can be stopped, killed and started again; what it has is kept in its folder."""

    def __init__(self, folder: Path, *settings: str) -> None:
        """Begin in this folder, a new one or of an earlier run; settings: lines of its configuration in place
        of access without a password. Raises MissingError."""
        self.port = find_free_port()
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        lines = (
            f"listener {self.port} {HOST}",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 1",
            "user root",  # where root starts it; others stay who they are
            *(settings or ("allow_anonymous true",)),
            "",
        )
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join(lines))
        self._running: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"mqtt://{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        return None if self._running is None else self._running.pid

    def start(self) -> None:
        assert MOSQUITTO is not None
        log = self._folder / "log"
        with log.open("ab") as written:
            self._running = subprocess.Popen(
                [*END_WITH_US, MOSQUITTO, "-c", self._config],
                stdin=subprocess.DEVNULL, stdout=written, stderr=written, start_new_session=True,
            )  # fmt: skip
        ends_s = time.monotonic() + START_S
        while not self._answers():
            if self._running.poll() is not None or time.monotonic() > ends_s:
                raise _make_error("mosquitto", self._folder, log)
            time.sleep(POLL_S)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        if self._running is not None:
            self._running.send_signal(number)
            self._running.wait()
            self._running = None

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex((HOST, self.port)) == 0


class PostgreSQL:
    """A server that can be stopped, killed and started again; its one user is `club`."""

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        """Begin in this folder, a new one or of an earlier run. durable: what is committed survives a power
        failure. Raises MissingError."""
        self.port = find_free_port()
        self._folder, self._data = folder, folder / "data"
        self._durable = durable
        folder.mkdir(parents=True, exist_ok=True)
        if AS_POSTGRES:
            shutil.chown(folder, "postgres")
        self._password = folder / "password"
        if not (self._data / "PG_VERSION").exists():
            self._create()
        self.password = self._password.read_text()
        with suppress(subprocess.CalledProcessError):
            self.stop()  # one that a run left behind
        self.start()

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses={HOST} -c unix_socket_directories="
        if not self._durable:
            options += " -c fsync=off"
        arguments = "--wait", "--silent", f"--log={self._folder}/log", f"--options={options}", "start"
        try:
            self._run("pg_ctl", "-D", str(self._data), *arguments)
        except subprocess.CalledProcessError as error:
            raise _make_error("postgresql", self._folder, self._folder / "log") from error

    def stop(self, mode: str = "fast") -> None:
        """mode: `immediate` for a crash after which every process ends by itself."""
        self._run("pg_ctl", "-D", str(self._data), "--wait", "--silent", f"--mode={mode}", "stop")

    def kill(self) -> None:
        """Kill the server itself, and wait until its other processes have noticed."""
        server = self.pid
        processes = [server, *list_children(server)]
        os.kill(server, signal.SIGKILL)
        while any(Path("/proc", str(each)).exists() for each in processes):
            time.sleep(POLL_S)

    def create(self, name: str) -> str:
        """The address of the database of that name, a new one if need be, with the password."""
        found = self.ask("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{name}'")
        if not found:
            self.ask("postgres", f'CREATE DATABASE "{name}"')
        return f"postgresql://club:{self.password}@{HOST}:{self.port}/{name}"

    def ask(self, database: str, query: str) -> str:
        """What psql prints, unaligned and without headings."""
        return self._run(
            "psql",
            "-h",
            HOST,
            "-p",
            str(self.port),
            "-U",
            "club",
            "-X",
            "-q",
            "-A",
            "-t",
            "-c",
            query,
            database,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _create(self) -> None:
        self._password.touch(0o600)
        self._password.write_text(secrets.token_hex(16))
        if AS_POSTGRES:
            shutil.chown(self._password, "postgres")
        try:
            self._run(
                "initdb", "-D", str(self._data), "--auth=scram-sha-256", f"--pwfile={self._password}",
                "--username=club", "--encoding=UTF8", "--locale=C",
                *(() if self._durable else ("--no-sync",)),
            )  # fmt: skip
        except subprocess.CalledProcessError as error:
            why = (error.stderr.strip().splitlines() or ["?"])[-1]
            raise MissingError(NOT_STARTED, program="initdb", folder=self._folder, why=why) from error

    def _run(self, program: str, *arguments: str) -> str:
        assert POSTGRES_PROGRAMS is not None
        environment = os.environ | {"PGPASSWORD": getattr(self, "password", "")}
        # A pipe would stay open in the server: pg_ctl's output goes to files of its own.
        quiet = program == "pg_ctl"
        done = subprocess.run(
            [*AS_POSTGRES, POSTGRES_PROGRAMS / program, *arguments],
            check=True, cwd="/", env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else subprocess.PIPE,
        )  # fmt: skip
        return (done.stdout or "").strip()


def _make_error(program: str, folder: Path, log: Path) -> MissingError:
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return MissingError(NOT_STARTED, program=program, folder=folder, why=lines[-1] if lines else "no answer")
