"""The switch that publishes the running game, in the real window and against a real Mosquitto."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driver import WAIT_S, Driver, ScriptedReader
from test_game_win import begin
from test_hand_end import confirm, look_at
from test_screen_keyboard import find_key, keys_of, write

from companion.app.club.feature import Step, begin_publishing
from companion.app.club.state import Club, Destination, StartPublishing
from companion.app.keyboards import KeyboardUse
from companion.live.running import RunningGame
from companion.table.events import GameStarted
from tests.publish.brokers import MOSQUITTO, Mosquitto, Subscriber, wait_until

pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
]  # fmt: skip

PASSWORD = "open sesame"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path / "broker")
    yield broker
    broker.stop()


@pytest.fixture
def heard(broker: Mosquitto) -> Iterator[Subscriber]:
    subscriber = Subscriber(broker.port)
    yield subscriber
    subscriber.close()


@pytest.fixture
def window(companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("COMPANION_BROKER_PASSWORD", raising=False)
    open_page(companion)
    return companion


def open_page(driver: Driver) -> None:
    driver.touch(driver.root.bar.buttons["phones"])
    driver.press("Club")
    assert driver.page == "club"


def club_of(driver: Driver) -> Club:
    state = driver.controller.view.states["club"]
    assert isinstance(state, Club)
    return state


def fill(driver: Driver, address: str, password: str = "") -> None:
    page = driver.pages.club
    for field, text in (
        (page.address, address), (page.club, "dragons"), (page.table, "7"), (page.password, password),
    ):  # fmt: skip
        field.text = text


def switch(driver: Driver, to: str) -> None:
    driver.touch(driver.pages.club.switch.button(to))
    driver.settle()


def sent(heard: Subscriber) -> list[tuple[str, int]]:
    return [(each["name"], each["number"]) for each in heard.sent("dragons/7/events")]


def guard(folder: Path) -> Mosquitto:
    """A broker with one user and a password."""
    passwords = folder / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "table7", PASSWORD], check=True)
    passwords.chmod(0o600)
    return Mosquitto(folder / "guarded", "allow_anonymous false", f"password_file {passwords}")


def test_what_happens_in_the_window_is_sent_until_it_is_switched_off(
    window: Driver, broker: Mosquitto, heard: Subscriber, tmp_path: Path
) -> None:
    assert window.says("Nothing is sent.")
    fill(window, broker.url)
    switch(window, "on")
    assert window.says("No game is open.")
    begin(window, tmp_path / "friday.game")
    window.wait(lambda: window.says("1 entry sent"), "the beginning of the game")
    page = look_at(window, "penalty")
    window.touch(page.seat.button("1"))
    window.touch(page.other.button("0"))
    window.press("+10")
    confirm(window)
    window.wait(lambda: sent(heard) == [("friday", 1), ("friday", 2)], "the payment")
    open_page(window)
    window.wait(lambda: window.says("2 entries sent"), "the number of entries")
    begin(window, tmp_path / "saturday.game", rules="hebei")
    window.wait(lambda: sent(heard)[2:] == [("saturday", 1)], "the next game")

    broker.stop()
    window.wait(lambda: window.says("cannot be reached"), "the cut")
    broker.start()
    window.wait(lambda: window.says("1 entry sent"), "the end of the cut")
    switch(window, "off")
    assert window.says("Nothing is sent.")
    window.wait(lambda: heard.sent("/alive")[-1]["alive"] is False, "the table to be gone")


def test_a_password_is_needed_again_after_a_restart_and_kept_nowhere(
    window: Driver, kivy_window: None, tmp_path: Path
) -> None:
    broker = guard(tmp_path)
    address = broker.url.replace("//", "//table7@")
    try:
        fill(window, address, "wrong")
        begin(window, tmp_path / "friday.game")
        open_page(window)
        switch(window, "on")
        window.wait(lambda: window.says("refuses this"), "the refusal")
        assert window.banner is None, "the page says it"
        assert not club_of(window).is_on
        window.pages.club.password.text = PASSWORD
        assert not window.says(PASSWORD)
        switch(window, "on")
        window.wait(lambda: window.says("1 entry sent"), "the beginning of the game")
        assert window.kept("club").is_on
        window.close()
        kept = [each for each in (tmp_path / "data").rglob("*") if each.is_file()]
        assert kept
        assert not any(PASSWORD.encode() in each.read_bytes() for each in kept)
        again = Driver(tmp_path, ScriptedReader(), (800, 480))
        try:
            again.settle()
            assert again.banner is not None
            assert "passwords are not saved" in str(again.banner.sentence)
            assert club_of(again).destination.address == address
            assert not club_of(again).is_on
        finally:
            again.close()
    finally:
        broker.stop()


def test_without_a_password_it_is_on_again_after_a_restart(
    window: Driver, broker: Mosquitto, heard: Subscriber, tmp_path: Path
) -> None:
    fill(window, broker.url)
    switch(window, "on")
    window.kept("club")
    window.wait(lambda: heard.sent("/alive"), "the table")
    window.close()
    window.wait(lambda: heard.sent("/alive")[-1]["alive"] is False, "the table to be gone")
    again = Driver(tmp_path, ScriptedReader(), (800, 480))
    try:
        again.wait(lambda: heard.sent("/alive")[-1]["alive"] is True, "the table again")
        begin(again, tmp_path / "friday.game")
        again.wait(lambda: sent(heard) == [("friday", 1)], "the beginning of the game")
    finally:
        again.close()


@pytest.mark.parametrize(
    ("address", "password", "authority", "says"),
    [
        ("", "", "", "Enter the address of the broker, the club and the table."),
        ("localhost", "", "", "A broker is given as mqtt://localhost"),
        ("mqtt://ann:secret@localhost", "", "", "Enter the password in its own field"),
        ("mqtt://localhost", "secret", "", "A password needs a user"),
        ("mqtt://localhost", "", "/club.pem", "A certificate is for a broker with TLS"),
        ("mqtts://localhost", "", "/nowhere.pem", "The certificates in '/nowhere.pem' cannot be used"),
        ("mqtts://localhost", "", "/no\0where.pem", "cannot be used (embedded null byte)."),
    ],
)
def test_what_is_wrong_with_what_was_entered_is_said(
    window: Driver, address: str, password: str, authority: str, says: str
) -> None:
    fill(window, address, password)
    window.pages.club.authority.text = authority
    switch(window, "on")
    assert window.says(says)
    assert not club_of(window).is_on


def test_the_password_of_the_environment_is_used_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPANION_BROKER_PASSWORD", PASSWORD)
    broker, game = guard(tmp_path), RunningGame()
    said: list[Step] = []
    try:
        game.begin(tmp_path / "friday.game", GameStarted(rules="hefei")).result(WAIT_S)
        to = Destination(broker.url.replace("//", "//table7@"), "dragons", "7", is_on=True)
        publishing = begin_publishing(game, StartPublishing(to, again=True), said.append)
        wait_until(lambda: said, WAIT_S)
        publishing.close()
        assert said[0](Club(to, game="friday")).sent == 1
    finally:
        game.close()
        broker.stop()


def test_the_table_is_named_by_touches_above_the_keys(window: Driver) -> None:
    window.resize((800, 480))
    window.controller.do("settings", lambda state: state.change(keyboard=KeyboardUse.ALWAYS))
    page = window.pages.club
    try:
        window.touch(page.table)
        window.frames(4)
        keys = keys_of(window)
        bottom, top = (page.table.to_window(0, y)[1] for y in (page.table.y, page.table.top))
        assert keys.top <= bottom < top <= 480, "the field is whole, above the keys"
        write(window, "t7")
        assert club_of(window).destination.table == "t7"
        window.touch(find_key(window, "#+="))
        write(window, "-")
        assert club_of(window).destination.table == "t7-"
    finally:
        page.table.focus = False
        window.controller.do("settings", lambda state: state.change(keyboard=KeyboardUse.AUTOMATIC))
