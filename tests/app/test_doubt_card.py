"""What is doubted of a followed game is said with the touches that answer it."""

from __future__ import annotations

import game_states
import pytest
from app_driver import Driver

from companion.running.sea_doubt import SEA_UNSURE
from companion.sentences import Sentence

pytestmark = pytest.mark.slow


def test_a_doubtful_sea_floor_is_said_and_no_other_game_offered(companion: Driver) -> None:
    game_states.follow(companion, lambda known: known.doubt(Sentence(SEA_UNSURE, {})))
    assert companion.says("The Sea Floor may have begun")
    assert companion.says("All is right")
    assert not companion.says("Another game")
    game_states.game_doubted(companion, companion.folder)
    assert companion.says("Another game")
