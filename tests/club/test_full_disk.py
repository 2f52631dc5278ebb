"""A database whose disk is full: one sentence, and it goes on where it stopped once there is room."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.collector import Collecting
from companion.club.database import Database
from companion.club.subscription import Arrived
from companion.publish.topics import TableTopics
from companion.table.events import GameStarted, PointsMoved
from tests.club.databases import PostgreSQL
from tests.club.tables import NAMES, SentGame, assert_equals_sheet
from tests.publish.brokers import wait_until

LIMIT_S = 60
DISK = "size=48m"
STEP_BYTES = 2**20


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk of its own, on which PostgreSQL may write."""
    folder = Path(tempfile.mkdtemp(prefix="companion-disk-"))
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", folder], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        folder.rmdir()
        pytest.skip("no disk can be mounted here")
    shutil.chown(folder, "postgres")
    yield folder
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


@pytest.fixture
def full(postgres: PostgreSQL, disk: Path) -> Iterator[tuple[str, Path]]:
    """The address of a database on that disk, and the file that fills it."""
    postgres.ask("postgres", f"CREATE TABLESPACE small LOCATION '{disk}'")
    postgres.ask("postgres", "CREATE DATABASE small TABLESPACE small")
    yield postgres.create("small"), disk / "other"
    postgres.ask("postgres", "DROP DATABASE small WITH (FORCE)")
    postgres.ask("postgres", "DROP TABLESPACE small")


def fill(file: Path) -> None:
    with file.open("wb") as other:
        try:
            while other.write(bytes(STEP_BYTES)):
                other.flush()
        except OSError:
            pass


@pytest.mark.slow
def test_a_full_disk_is_a_sentence_and_nothing_is_lost(full: tuple[str, Path]) -> None:
    url, other = full
    events = [GameStarted(rules="hefei", names=NAMES), *(PointsMoved((1, -1, 0, 0), "x" * 90),) * 3000]
    game = SentGame(TableTopics("dragons", "7"), events)
    said: list[str] = []
    back: list[str] = []
    with Database.parse(url) as database:
        collecting = Collecting(database, lambda trouble: said.append(str(trouble)), back.append)
        collecting.prepare()
        sent = [Arrived(topic, payload, 1, 1, 1) for topic, payload in game.messages()]
        fill(other)

        def keep() -> None:
            for at in range(0, len(sent), 300):
                collecting.keep(sent[at : at + 300])

        keeping = threading.Thread(target=keep)
        keeping.start()
        wait_until(lambda: said, LIMIT_S)
        other.unlink()
        keeping.join(LIMIT_S)
        assert not keeping.is_alive()
        (trouble,) = said
        assert "No space left on device): trying again; nothing is lost." in trouble
        assert back == [str(database)]
        with database.begin() as session:
            assert_equals_sheet(session, game.id, events)
