"""`make club`: tables that play, seen on the page; Ctrl-C ends all of it, and the next run goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

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


@contextmanager
def running(folder: Path, *more: str) -> Iterator[tuple[str, str]]:
    """The address of the page and the organiser's password; it then ends within the limit, without a word."""
    command = [sys.executable, "-m", "lab.club", "--pause", "0.02", "--port", "0", "--data", folder, *more]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as club:
        address = club.stdout.readline().split()[0]
        password = club.stdout.readline().split()[-1].rstrip(")")
        yield address, password
        club.send_signal(signal.SIGINT)
        _, said = club.communicate(timeout=LIMIT_S)
        assert (club.returncode, said) == (0, "")


def play_until(folder: Path, hands: int) -> None:
    with running(folder, "--tables", "2") as (address, _):

        def count_hands() -> int:
            clubs = ask(address, "standings")["clubs"]
            return max((row["hands"] for each in clubs for row in each["standings"]), default=0)

        wait_until(lambda: count_hands() >= hands, LIMIT_S)
        assert [each["is_there"] for each in ask(address, "tables")["tables"]] == [True, True]


@pytest.mark.slow
def test_tables_play_until_ctrl_c_and_the_next_run_goes_on_with_their_season(folder: Path) -> None:
    play_until(folder, 1)
    play_until(folder, 3)


@pytest.mark.slow
def test_tables_play_the_round_that_the_organiser_has_seated(folder: Path) -> None:
    with running(folder, "--tables", "4") as (address, password):
        opener = build_opener(HTTPCookieProcessor())

        def send(**form: str) -> None:
            body = urlencode({"club": "dragons", **form}).encode()
            opener.open(Request(f"{address}organise", body, {"Origin": address.rstrip("/")}), timeout=LIMIT_S)

        def list_games() -> set[str]:
            return {each["game"]["game"] for each in ask(address, "tables")["tables"] if each["game"]}

        wait_until(lambda: len(list_games()) == 4, LIMIT_S)
        before = list_games()
        send(do="sign_in", name="Olga", password=password)
        send(do="seat_round", number="1")
        send(do="start_clock", round="1")
        wait_until(lambda: len(list_games() - before) == 4, LIMIT_S)
        send(do="end_round", round="1")

        def list_rows() -> list[Any]:
            (club,) = ask(address, "standings")["clubs"]
            return [row for row in club["season"]["standings"] if row["rounds"] == 1]

        wait_until(lambda: len(list_rows()) > 0, LIMIT_S)


def test_a_missing_server_is_one_sentence_with_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "MOSQUITTO", None)
    with pytest.raises(servers.MissingError, match="apt-get install mosquitto"):
        servers.check_installed()
