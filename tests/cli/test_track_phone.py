"""`companion track phone` says where its page is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cameras.phone import PhonePictures
from companion.commands import phone_page
from companion.commands.phone_page import serve_phone
from companion.live.running import RunningGame
from companion.serve import server
from companion.serve.server import Server
from companion.table.events import GameStarted
from tests.programs import LIMIT_S
from tests.serve.served import Table, wait_until


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


@pytest.fixture
def game() -> RunningGame:
    return RunningGame()


def test_the_link_leads_to_the_camera_and_the_fingerprint_stands_below(
    game: RunningGame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "find_address", lambda: "192.168.1.20")
    with serve_phone(game, PhonePictures(), as_json=False):
        out, problems = capsys.readouterr()
    opens, link, warns, fingerprint = out.splitlines()
    assert (opens, warns, problems) == (phone_page.OPEN, phone_page.WARNS, "")
    assert link.startswith("https://192.168.1.20:")
    assert link.endswith("&view=camera")
    assert len(fingerprint.split(":")) == 32
    with serve_phone(game, PhonePictures(), as_json=True):
        document = json.loads(capsys.readouterr().out)
    assert document["page"]["fingerprint"] == fingerprint
    assert document["page"]["address"] != link, "the token is new"
    game.close()


def test_a_game_without_a_name_is_shown(game: RunningGame, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Server] = []

    class Noted(Server):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(server, "Server", Noted)
    game.play(GameStarted(rules="hebei")).result(LIMIT_S)
    with serve_phone(game, PhonePictures(), as_json=True):
        table = Table(made[0], lambda _: None)
        path = f"/state?token={made[0].token}"
        wait_until(lambda: table.ask_json(path).get("rules") == "hebei")
        assert table.ask_json(path)["game"] == ""
    game.close()


def test_a_computer_without_a_network_says_so(
    game: RunningGame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "find_address", lambda: None)
    with serve_phone(game, PhonePictures(), as_json=False):
        assert phone_page.NO_NETWORK in capsys.readouterr().err
    game.close()
