"""What the list of kept games says of a game."""

from datetime import UTC, datetime

import pytest

from companion.app.home.wording import describe_game
from companion.game.shelf import GameGlance
from companion.words import Language, Words


@pytest.mark.parametrize(
    ("language", "said"), [(Language.ENGLISH, "ended"), (Language.TRADITIONAL, "已結束")]
)
def test_a_game_that_has_ended_says_so(language: Language, said: str) -> None:
    at = datetime(2026, 11, 28, tzinfo=UTC)
    game = GameGlance("friday", at, "hefei", hands=3, over=True)
    assert describe_game(game, at, Words(language)).endswith(said)
