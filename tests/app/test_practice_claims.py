"""At a claim in practice: the coach opens without moving a button or the hand or hiding what is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver, ScriptedReader
from practice_driver import Newcomer

SIZES = [(800, 480), (1024, 600), (1280, 800), (800, 1280)]

pytestmark = pytest.mark.slow


def places(driver: Driver, page: Any) -> dict[str, tuple[int, int, int, int]]:
    """Where the prompt and everything that answers it are: left, upper edge, width and height, px."""
    asked = {"prompt": page.status, "pass": page.actions.pass_up, "hand": page.hand}
    asked |= {key.words: key for key in page.actions.keys.values()}
    found = {}
    for name, widget in asked.items():
        assert widget.get_parent_window() is not None, f"{name} is gone at {tuple(driver.window.size)}"
        left, top = widget.to_window(widget.x, widget.top)
        found[name] = (round(left), round(top), round(widget.width), round(widget.height))
    return found


def test_the_coach_moves_nothing_at_a_claim(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    driver = Driver(tmp_path, ScriptedReader(), SIZES[2], home=True)
    try:
        driver.controller.features["practice"].choose_number = lambda: 4  # type: ignore[attr-defined]
        driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the first page")
        driver.frames(3)
        person = Newcomer(driver)
        person.begin("hong_kong")
        person.begin_hand()
        while not (person.state.asked and person.state.asked.claims):
            person.answer()
        for size in SIZES:
            driver.resize(size)
            driver.frames(6)
            before = places(driver, person.page)
            driver.shot(f"claim-{size[0]}x{size[1]}")
            driver.touch(driver.root.bar.buttons["coach"])
            driver.frames(8)
            driver.shot(f"claim-coach-{size[0]}x{size[1]}")
            assert places(driver, person.page) == before
            assert before["prompt"][1] > max(top for name, (_, top, *_) in before.items() if name != "prompt")
            driver.touch(driver.root.bar.buttons["coach"])
            driver.frames(4)
    finally:
        driver.close()
