"""What the window says, and what is under way, stand in the bar: the page stays under a finger."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import SIZES_IN_LANGUAGES, Driver, ScriptedReader
from game_states import game_keys

from companion.app.effects import AskQuestion, ShowMessage
from companion.app.game.state import GameTable
from companion.app.news import NewGameWanted, SeatWins
from companion.sentences import Sentence
from companion.table.events import Discarded, GameStarted
from companion.words import Language

LONG = Sentence(
    "The model file '{path}' is not the one in its manifest (sha256 differs): install the program again.",
    {"path": "/home/annabelle/.local/share/mahjong-companion/models/reader.onnx"},
)
SHORT = Sentence("No game is open.")


def find_parts(driver: Driver) -> list[tuple[object, ...]]:
    """Where the parts of the page are."""
    page = driver.pages.game
    return [(*each.pos, *each.size) for each in page.walk(restrict=True)]


def check_stays(driver: Driver, before: list[tuple[object, ...]], said: str) -> None:
    driver.frames(3)
    assert driver.says(said)
    bar, message = driver.root.bar, driver.root.banner
    assert find_parts(driver) == before, "the page has moved"
    assert bar.has_message
    assert message.words.height <= bar.height
    assert bar.y <= message.y
    assert message.top <= bar.top
    assert message.dismiss.width >= 57
    assert message.dismiss.height >= 57


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_the_page_stays_where_it_is_when_the_window_says_something(
    kivy_window: None, tmp_path: Path, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, ScriptedReader(), size, language=language)
    try:
        game_keys(driver, tmp_path)
        driver.settle()
        before = find_parts(driver)
        do = driver.controller.do
        for trouble, sentence in ((True, LONG), (False, SHORT)):
            do("game", lambda state, s=sentence, t=trouble: state.also(ShowMessage(s, trouble=t)))  # type: ignore[misc]
            check_stays(driver, before, driver.root.banner.words.text)
            driver.shot(f"message_{size[0]}_{language.value}_{trouble}")
        driver.touch(driver.root.banner.dismiss)
        assert driver.banner is None
        assert find_parts(driver) == before
        do("game", lambda state: state.work(SHORT))
        driver.frames(3)
        assert find_parts(driver) == before, "work under way moves nothing"
        driver.shot(f"busy_{size[0]}_{language.value}")
        do("game", lambda state: state.work(None))
        do("game", lambda state: state.also(AskQuestion(SHORT, Sentence("Enter it"), SeatWins(0))))
        check_stays(driver, before, driver.root.banner.words.text)
        assert driver.root.banner.answer.get_parent_window() is not None
        driver.shot(f"asked_{size[0]}_{language.value}")
    finally:
        driver.close()


def test_refusal_disappears_with_the_next_touch_or_page(companion: Driver) -> None:
    def get_table() -> GameTable:
        state = companion.controller.view.states["game"]
        assert isinstance(state, GameTable)
        return state

    def settle(tile: str) -> None:
        step = Discarded(seat=0, tile=tile)
        companion.controller.do("game", lambda state: state.confirm_event(4, step))
        companion.settle()

    companion.controller.announce(NewGameWanted(GameStarted(rules="hefei")))
    companion.wait(lambda: get_table().shows_table, "the game")
    companion.controller.do("game", lambda state: state.begin_hand())
    companion.wait(lambda: get_table().followed.count == 3, "the deal")  # type: ignore[union-attr]
    companion.controller.do("game", lambda state: state.record(Discarded(seat=0, tile="5m")))
    companion.wait(lambda: get_table().followed.count == 4, "the discard")  # type: ignore[union-attr]
    settle("5z")
    companion.wait(lambda: companion.says("is not a tile of"), "the refusal")
    assert not companion.says("Event 4"), "the list has no numbers"
    companion.shot("refused_touch")
    settle("6m")
    companion.wait(lambda: not companion.says("is not a tile of"), "that it is gone")
    settle("5z")
    companion.wait(lambda: companion.says("is not a tile of"), "the refusal")
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    assert companion.page == "sheet"
    assert not companion.says("is not a tile of")


def test_unreadable_picture_is_reported_on_its_page_only(companion: Driver, tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    empty.write_bytes(b"")
    companion.open(empty)
    assert companion.says("empty.png")
    companion.touch(companion.root.bar.buttons["game"])
    companion.settle()
    assert not companion.says("empty.png")
