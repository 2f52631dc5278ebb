"""Which deal of the round is played, as players call it."""

from __future__ import annotations

import pytest

from companion.app.widgets.board_words import describe_deal
from companion.table.apply import apply
from companion.table.events import Event, GameStarted, Wind
from companion.words import Language, Words

WINNER: dict[str, bool | int | str] = {"dealer": "winner"}
NEXT: dict[str, bool | int | str] = {"dealer": "rotate"}


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (GameStarted(rules="taiwanese"), ("East 1", "东一局", "東一局")),
        (GameStarted(rules="hefei", dealer=2, dealt=(0, 1)), ("East 3", "东三局", "東三局")),
        (
            GameStarted(rules="taiwanese", dealer=1, dealt=(0,), streak=1),
            ("East 2 · repeat 1", "东二局 · 连庄 1 次", "東二局 · 連莊 1 次"),
        ),
        (
            GameStarted(
                rules="hong_kong", options=NEXT, dealer=3, dealt=(0, 1, 2), streak=3, round_wind=Wind.SOUTH
            ),
            ("South 4 · repeat 2", "南四局 · 连庄 2 次", "南四局 · 連莊 2 次"),
        ),
        (
            GameStarted(rules="hong_kong", options=WINNER, dealer=3, dealt=(0, 3), streak=2),
            ("East round · repeat 1", "东风圈 · 连庄 1 次", "東風圈 · 連莊 1 次"),
        ),
        (
            GameStarted(rules="hangzhou", dealer=3, dealt=(0,), streak=3),
            ("East round · 3 Lao", "东风圈 · 3 老", "東風圈 · 3 老"),
        ),
    ],
    ids=["first deal", "third dealer", "repeat", "last deal", "winner deals", "Lao"],
)
def test_a_deal_is_called_by_its_dealer_not_by_the_number_of_the_hand(
    start: Event, said: tuple[str, str, str]
) -> None:
    """Where winners deal, no deal of the round has a number of its own."""
    game = apply(None, start)
    assert tuple(describe_deal(game, Words(language)) for language in Language) == said
