"""Phones in real browsers enter wins, and the real window confirms them: from the code to the booking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from app_driver import Driver
from selenium import webdriver
from test_game_win import begin
from test_phones import phones_of, switch_on

from companion.app.phones.state import DEAD
from companion.rules import Source
from companion.rules.stated import Stated
from companion.serve import messages, site
from companion.table.state import State
from companion.table.unrecorded import ReportedWin
from tests.serve.browsers import open_browser, resize

pytestmark = pytest.mark.slow

TOUCH = """
const key = document.querySelector(`[data-key="${arguments[0]}"]`);
if (key) key.click();
return Boolean(key);
"""
TYPE = """
const key = document.querySelector(`[data-key="${arguments[0]}"]`);
key.value = arguments[1];
key.dispatchEvent(new Event("input"));
key.dispatchEvent(new Event("change"));
"""


class Phone:
    """A tab of the browser: the page as one phone has it, under a name of this machine of its own."""

    def __init__(self, window: Driver, browser: webdriver.Chrome, host: str, link: str, seat: int) -> None:
        self._window, self._browser = window, browser
        browser.switch_to.new_window("tab")
        self._tab = browser.current_window_handle
        resize(browser, 390, 844)
        parts = urlsplit(link)
        self.link = f"http://{host}:{parts.port}/?{parts.query}&language=en&view=me&seat={seat}"
        browser.get(self.link)
        self.wait_for("main section.own")

    def run(self, script: str, *given: object) -> Any:
        self._browser.switch_to.window(self._tab)
        return self._browser.execute_script(script, *given)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._window.wait(lambda key=key: bool(self.run(TOUCH, key)), key)  # type: ignore[misc]

    def wait_for(self, selector: str, text: str = "") -> None:
        found = "return document.querySelector(arguments[0])?.textContent ?? null"

        def is_there() -> bool:
            said = self.run(found, selector)
            return said is not None and text in said

        self._window.wait(is_there, f"{selector} {text}")

    def is_gone(self, selector: str) -> bool:
        return bool(self.run("return document.querySelector(arguments[0]) === null", selector))

    def take_seat(self, code: str) -> None:
        self.wait_for("[data-key=code]")
        self.run(TYPE, "code", code)
        self.press("claim")
        self.wait_for("[data-part=own]")

    def enter_by_value(self) -> None:
        """The least value, on the discard of seat 3."""
        self.press("enterwin", "byvalue", "from3")
        self.press(str(self.find_key("value")))
        self.press("enter")

    def find_key(self, start: str) -> str:
        script = "return document.querySelector(`button[data-key^=${arguments[0]}]`)?.dataset.key ?? null"
        self._window.wait(lambda: self.run(script, start) is not None, start)
        return str(self.run(script, start))


@pytest.fixture
def window(companion: Driver, monkeypatch: pytest.MonkeyPatch) -> Driver:
    monkeypatch.setattr(site, "find_address", lambda: "127.0.0.1")
    return companion


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def serve(window: Driver, tmp_path: Path, rules: str = "hefei", **options: bool) -> str:
    """A game in the window, which serves it; the link."""
    begin(window, tmp_path / "friday.game", rules=rules, **options)
    window.touch(window.root.bar.buttons["phones"])
    link = switch_on(window).link
    window.wait(lambda: phones_of(window).remote is not None, "the seats")
    return link


def state_of(window: Driver) -> State:
    played = window.controller.view.states["score_photo"].played  # type: ignore[attr-defined]
    assert played.progress is not None
    state: State = played.progress.state
    return state


def code_of(window: Driver, seat: int) -> str:
    remote = phones_of(window).remote
    assert remote is not None
    return remote.seats[seat].code


def test_a_phone_enters_a_win_and_the_window_books_it(
    window: Driver, browser: webdriver.Chrome, tmp_path: Path
) -> None:
    link = serve(window, tmp_path)
    assert window.says(code_of(window, 1))
    first = Phone(window, browser, "127.0.0.1", link, 1)
    second = Phone(window, browser, "localhost", link, 2)
    first.take_seat(code_of(window, 1))
    second.take_seat(code_of(window, 2))
    window.wait(lambda: window.says("Take away"), "the seat that is held")

    second.press("mahjong")
    first.wait_for("[data-part=call]", "calls mahjong!")
    window.wait(lambda: window.says("calls mahjong!"), "the call")

    first.enter_by_value()
    window.wait(lambda: window.page == "phone_entry", "the win for all four")
    assert window.says("Entered by the phone of")
    second.press("enterwin", "byvalue", "from3")
    second.press(second.find_key("value"), "enter")
    second.wait_for("[data-part=remote]", "was first")
    assert state_of(window).balances == (0, 0, 0, 0)
    window.press("Confirm")
    window.wait(lambda: state_of(window).balances[1] > 0, "the booking")
    won = state_of(window).balances
    window.wait(lambda: window.page == "phones", "the page before")
    first.wait_for("[data-part=outcome]", "Entered")
    second.wait_for("[data-part=outcome]", "Entered")

    first.press("undo")
    window.wait(lambda: state_of(window).balances == (0, 0, 0, 0), "the undo")
    first.enter_by_value()
    second.press("confirm")
    window.wait(lambda: state_of(window).balances == won, "what the other phone confirmed")

    first.enter_by_value()
    window.wait(lambda: window.page == "phone_entry", "the next win")
    window.press("Reject")
    first.wait_for("[data-part=outcome]", "rejected")
    assert state_of(window).balances == won

    window.wait(lambda: window.page == "phones", "the page before")
    window.press("Take away")
    first.wait_for("[data-part=remote]", messages.SEAT_LOST)
    first.wait_for("[data-key=code]")
    assert second.is_gone("[data-key=code]")


def test_two_winners_on_one_tile_are_shown_and_booked_together(window: Driver, tmp_path: Path) -> None:
    serve(window, tmp_path, rules="hong_kong", multi_win=True)
    remote = window.controller.features["phones"]._server.remote  # type: ignore[attr-defined]
    for seat in (1, 2):
        token = remote.claim(seat, code_of(window, seat), "phone")
        remote.enter(token, ReportedWin(seat, Source.DISCARD, 3, stated=Stated(value=3)))
    window.wait(lambda: window.page == "phone_entry" and window.says("Chen wins"), "both wins")
    assert window.says("Bao wins")
    window.press("Confirm")
    window.wait(lambda: min(state_of(window).balances[1:3]) > 0, "the booking of both")


def test_a_server_that_ends_by_itself_is_said_in_the_window(window: Driver, tmp_path: Path) -> None:
    serve(window, tmp_path)
    served = window.controller.features["phones"]._server  # type: ignore[attr-defined]
    for each in served.site.servers:
        each.should_exit = True
    window.wait(lambda: window.says(DEAD), "the sentence")
    assert phones_of(window).served is None
    assert not phones_of(window).is_on
