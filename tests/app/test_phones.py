"""Phones and television in the real window: switched on by touch, opened by the QR code, gone when off."""

from __future__ import annotations

import json
import ssl
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import cv2
import pytest
from app_driver import SIZES, WAIT_S, Driver
from page_checks import MM_PER_INCH, SCREEN_IN
from sheet_driver import keep_game, open_sheet
from test_game_win import begin
from test_hand_end import confirm, look_at

from companion.app.effects import ApplyTheme
from companion.app.look import Look, Shade
from companion.app.phones.state import Phones, ServedPage
from companion.cameras.phone import PHONE
from companion.config import data_dir
from companion.serve import site

pytestmark = pytest.mark.slow

CODE_MM = 45.0
WATCH, FILM = "watch", "film"


@pytest.fixture
def window(companion: Driver, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """The page, on a machine whose address in its network is its own."""
    monkeypatch.setattr(site, "find_address", lambda: "127.0.0.1")
    companion.touch(companion.root.bar.buttons["phones"])
    assert companion.page == "phones"
    return companion


def phones_of(driver: Driver) -> Phones:
    state = driver.controller.view.states["phones"]
    assert isinstance(state, Phones)
    return state


def switch_on(window: Driver) -> ServedPage:
    window.touch(window.pages.phones.switch.button("on"))
    window.settle()
    served = phones_of(window).served
    assert served is not None
    return served


def ask(link: str, path: str = "/") -> bytes:
    with urlopen(link.replace("/?", f"{path}?"), timeout=WAIT_S) as answer:
        return bytes(answer.read())


def wait_for_state(window: Driver, link: str, **expected: Any) -> dict[str, Any]:
    """Until the served document has these values."""
    found: dict[str, Any] = {}

    def is_there() -> bool:
        found.update(json.loads(ask(link, "/state")))
        return expected.items() <= found.items()

    window.wait(is_there, f"{expected} on the page")
    return found


def test_what_happens_in_the_window_is_on_the_page_until_it_is_switched_off(
    window: Driver, tmp_path: Path
) -> None:
    link = switch_on(window).link
    assert window.says(link)
    assert window.says("Watching now: 0")
    assert b"<html" in ask(link)
    wait_for_state(window, link, game=None)
    begin(window, tmp_path / "friday.game")
    wait_for_state(window, link, game="friday", events=1)
    window.press("Back")
    assert window.root.bar.buttons["phones"].chosen
    page = look_at(window, "penalty")
    window.touch(page.seat.button("1"))
    window.touch(page.other.button("0"))
    window.press("+10")
    confirm(window)
    shown = wait_for_state(window, link, game="friday", events=2)
    assert shown["scores"]["points"][:2] == [15, -15]
    begin(window, tmp_path / "saturday.game", rules="hebei")
    wait_for_state(window, link, game="saturday", rules="hebei")

    window.touch(window.root.bar.buttons["phones"])
    with urlopen(link.replace("/?", "/events?"), timeout=WAIT_S):
        window.wait(lambda: window.says("Watching now: 1"), "the viewer")
        window.touch(window.pages.phones.switch.button("off"))
        assert phones_of(window).served is None, "at once, whoever still watches"
        window.settle()
    with pytest.raises(URLError, match="refused"):
        ask(link)
    assert not window.says(link)
    assert switch_on(window).link != link


@pytest.mark.parametrize("purpose", [WATCH, FILM])
@pytest.mark.parametrize("shade", Shade)
def test_the_code_opens_the_link_and_is_seen_from_afar(window: Driver, shade: Shade, purpose: str) -> None:
    window.controller.do("settings", lambda state: state.also(ApplyTheme(Look(shade))))
    window.frames(4)
    switch_on(window)
    window.touch(window.pages.phones.purpose.button(purpose))
    window.frames(4)
    link = phones_of(window).link
    for width, height in ((800, 480), *SIZES.values()):
        window.resize((width, height))
        window.frames(4)
        text, corners, _ = cv2.QRCodeDetectorAruco().detectAndDecode(window.pixels())
        assert text == link
        px_per_mm = (width**2 + height**2) ** 0.5 / SCREEN_IN / MM_PER_INCH
        assert (corners[0][1] - corners[0][0])[0] / px_per_mm >= CODE_MM


def test_the_link_for_a_phones_camera_is_encrypted_and_the_phone_can_be_chosen(window: Driver) -> None:
    served = switch_on(window)
    window.touch(window.pages.phones.purpose.button(FILM))
    assert window.says(served.encrypted)
    assert window.says(served.fingerprint[:23])
    assert not window.says("Watching now: 0")
    game = window.controller.features["game"]
    assert PHONE not in game.cameras.offer()  # type: ignore[attr-defined]
    trusting = ssl.create_default_context(cafile=str(data_dir() / "certificate.pem"))
    hello = served.encrypted.replace("/?", "/camera?phone=aaaaaaaa&").removesuffix("&view=camera")
    with urlopen(hello, data=b"", timeout=WAIT_S, context=trusting) as answer:
        assert json.load(answer)["used"] is False
    assert PHONE in game.cameras.offer()  # type: ignore[attr-defined]


def test_closing_the_window_closes_the_page(kivy_window: None, tmp_path: Path, window: Driver) -> None:
    link = switch_on(window).link
    window.controller.features["phones"].close()
    with pytest.raises(URLError, match="refused"):
        ask(link)


def test_without_a_network_the_page_says_so_until_there_is_one(
    window: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "find_address", lambda: None)
    assert switch_on(window).link.startswith("http://127.0.0.1:")
    assert window.says("This computer is in no network")
    monkeypatch.setattr(site, "find_address", lambda: "192.168.1.20")
    window.wait(lambda: window.says("http://192.168.1.20:"), "the link in the network")
    assert not window.says("This computer is in no network")


def test_what_keeps_it_from_being_served_is_said(window: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, count: int) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("socket.socket.listen", refuse)
    window.touch(window.pages.phones.switch.button("on"))
    window.settle()
    assert not phones_of(window).is_on
    assert window.says("The page cannot be opened (Too many open files).")


def test_the_score_sheet_leads_to_it(companion: Driver) -> None:
    keep_game("friday", hands=1)
    open_sheet(companion, "friday")
    sheet = companion.pages.sheet
    companion.touch(sheet.save)
    companion.touch(sheet.forms.container.children[0])
    assert companion.page == "phones"
