"""The page of `companion track phone` and `companion doctor --camera phone`."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.cameras import phone as phone_camera
from companion.cameras.phone import PhonePictures
from companion.commands import phone_page
from companion.commands.camera import check as check_camera
from companion.commands.phone_page import print_link, serve_phone
from companion.errors import MissingError
from companion.live.running import RunningGame
from companion.serve import server, site
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
    monkeypatch.setattr(site, "find_address", lambda: "192.168.1.20")
    with serve_phone(game, PhonePictures()) as (link, fingerprint):
        print_link(link, fingerprint, sys.stdout)
        lines = capsys.readouterr().out.splitlines()
    assert lines == [phone_page.OPEN, link, phone_page.WARNS, fingerprint]
    assert link.startswith("https://192.168.1.20:")
    assert link.endswith("&view=camera")
    assert len(fingerprint.split(":")) == 32
    with serve_phone(game, PhonePictures()) as (next_link, next_fingerprint):
        assert next_fingerprint == fingerprint
        assert next_link != link, "the token is new"
    game.close()


def test_a_game_without_a_name_is_shown(game: RunningGame, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Server] = []

    class Noted(Server):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(server, "Server", Noted)
    game.play(GameStarted(rules="hebei")).result(LIMIT_S)
    with serve_phone(game, PhonePictures()):
        table = Table(made[0], lambda _: None)
        path = f"/state?token={made[0].token}"
        wait_until(lambda: table.ask_json(path).get("rules") == "hebei")
        assert table.ask_json(path)["game"] == ""
    game.close()


@pytest.mark.parametrize("as_json", [True, False])
def test_the_doctor_checks_the_camera_of_a_phone_once_it_is_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    ended = threading.Event()

    class Filming(PhonePictures):
        """Those of a phone that has opened the page."""

        def __init__(self) -> None:
            super().__init__()
            threading.Thread(target=self._film, daemon=True).start()

        def _film(self) -> None:
            while not ended.wait(0.02):
                self.note_phone(LIMIT_S)
                if self.is_wanted:
                    self.put(np.full((1080, 1920, 3), 90, np.uint8))

    monkeypatch.setattr(site, "find_address", lambda: "192.168.1.20")
    monkeypatch.setattr(phone_camera, "PhonePictures", Filming)
    with pytest.raises(MissingError, match="Table corners"):
        check_camera("phone", as_json=as_json)
    ended.set()
    out, messages = capsys.readouterr()
    opens, link, warns, _ = (messages if as_json else out).splitlines()[:4]
    assert (opens, warns) == (phone_page.OPEN, phone_page.WARNS)
    assert link.endswith("&view=camera")
    if as_json:
        document = json.loads(out)
        assert (document["camera"], document["ok"]) == ("phone", False)
        assert next(each for each in document["checks"] if each["what"] == "resolution")["ok"]
    else:
        assert "Resolution" in out


def test_a_computer_without_a_network_says_so(
    game: RunningGame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "find_address", lambda: None)
    with serve_phone(game, PhonePictures()):
        assert phone_page.NO_NETWORK in capsys.readouterr().err
    game.close()
