"""What is doubted of a followed game is said with the touches that answer it."""

from __future__ import annotations

from pathlib import Path

import game_states
import pytest
from app_driver import SIZES, Driver, ScriptedReader

from companion.live.doubts import SEA_UNSURE
from companion.sentences import Sentence

pytestmark = pytest.mark.long


def test_a_doubtful_sea_floor_is_said_and_no_other_game_offered(companion: Driver) -> None:
    game_states.follow(companion, lambda known: known.doubt(Sentence(SEA_UNSURE, {})))
    assert companion.says("The Sea Floor may have begun")
    assert companion.says("All is right")
    assert not companion.says("Another game")
    game_states.game_doubted(companion, companion.folder)
    assert companion.says("Another game")


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 624), SIZES["small"], SIZES["portrait"]])
def test_the_picture_stays_large_enough_to_see_while_something_is_asked(
    kivy_window: None, tmp_path: Path, size: tuple[int, int]
) -> None:
    """1280 by 624 is what a tablet has beside the coach."""
    driver = Driver(tmp_path, ScriptedReader(), size)
    try:
        game_states.game_question(driver, tmp_path)
        driver.frames(4)
        pane = driver.pages.game.table
        assert pane.question.get_parent_window() is not None
        driver.shot(f"question_picture_{size[0]}")
        assert pane.picture.stage.height >= 120
        assert pane.question.y >= pane.picture.top
        assert pane.picture.y >= pane.tools.top
    finally:
        driver.close()
