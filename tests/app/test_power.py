"""Turning the machine off in the real window: offered only where the window has it to itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader, list_looks
from page_checks import check_page

from companion.app.power.feature import WHOLE_SCREEN

pytestmark = pytest.mark.slow

SYSTEMCTL = """#!/bin/sh
echo "$*" >"$(dirname "$0")/asked"
cat "$(dirname "$0")/answer" >&2
[ ! -s "$(dirname "$0")/answer" ]
"""


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a systemctl that notes what it is asked, and refuses with what is in `answer`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "systemctl").write_text(SYSTEMCTL)
    (folder / "systemctl").chmod(0o755)
    (folder / "answer").touch()
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder


@pytest.fixture
def whole_screen(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Driver]:
    monkeypatch.setenv(WHOLE_SCREEN, "yes")
    driver = Driver(tmp_path, reader, SIZES["small"])
    yield driver
    driver.close()


def turn_off(driver: Driver) -> None:
    driver.touch(driver.root.bar.buttons["power"])
    assert driver.page == "power"
    driver.touch(driver.pages.power.turn_off)
    driver.settle()


def test_two_touches_turn_it_off(whole_screen: Driver, systemd: Path) -> None:
    turn_off(whole_screen)
    assert (systemd / "asked").read_text() == "poweroff\n"
    assert whole_screen.pages.power.trouble.text == ""


def test_a_refusal_is_shown_and_the_page_can_be_left(whole_screen: Driver, systemd: Path) -> None:
    (systemd / "answer").write_text("Interactive authentication required.\n")
    turn_off(whole_screen)
    assert "(Interactive authentication required.)" in whole_screen.pages.power.trouble.text
    whole_screen.touch(whole_screen.pages.power.back)
    assert whole_screen.page != "power"


def test_its_page_fits(whole_screen: Driver, systemd: Path) -> None:
    (systemd / "answer").write_text("Interactive authentication required.\n")
    turn_off(whole_screen)
    for size, language in list_looks():
        whole_screen.resize(SIZES[size])
        whole_screen.controller.set_language(language)
        whole_screen.frames(4)
        whole_screen.shot(f"power-{size}-{language}")
        assert check_page(whole_screen) == {}


def test_elsewhere_it_is_not_offered(companion: Driver) -> None:
    assert "power" not in companion.root.bar.buttons
