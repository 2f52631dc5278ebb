"""`make club`: tables that play, seen on the page; Ctrl-C ends all of it, and the next run goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from lab.club import servers
from lab.club.servers import MOSQUITTO, POSTGRES_PROGRAMS
from tests.programs import started
from tests.publish.brokers import wait_until

LIMIT_S = 120

pytestmark = pytest.mark.skipif(MOSQUITTO is None or POSTGRES_PROGRAMS is None, reason="a server is missing")


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)  # PostgreSQL, which is another user, comes through
        yield Path(folder)


def ask(address: str, what: str) -> Any:
    with urlopen(f"{address}{what}", timeout=LIMIT_S) as answer:
        return json.load(answer)


def play_until(folder: Path, hands: int) -> None:
    """Run it until a player has that many hands; it then ends within the limit, without a word."""
    command = [sys.executable, "-m", "lab.club", "--tables", "2", "--pause", "0.02", "--port", "0"]
    with started(
        [*command, "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as club:
        address = club.stdout.readline().split()[0]

        def count_hands() -> int:
            clubs = ask(address, "standings")["clubs"]
            return max((row["hands"] for each in clubs for row in each["standings"]), default=0)

        wait_until(lambda: count_hands() >= hands, LIMIT_S)
        assert [each["is_there"] for each in ask(address, "tables")["tables"]] == [True, True]
        club.send_signal(signal.SIGINT)
        _, said = club.communicate(timeout=LIMIT_S)
        assert (club.returncode, said) == (0, "")


@pytest.mark.slow
def test_tables_play_until_ctrl_c_and_the_next_run_goes_on_with_their_season(folder: Path) -> None:
    play_until(folder, 1)
    play_until(folder, 3)


def test_a_missing_server_is_one_sentence_with_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "MOSQUITTO", None)
    with pytest.raises(servers.MissingError, match="apt-get install mosquitto"):
        servers.check_installed()
