"""Which tiles a hand that is no win is offered: only ones with which it wins."""

import pytest

from companion.app.score_photo.game_win import list_winning
from companion.photo_hand.draft import WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand
from companion.rules import Source
from companion.tiles import parse_tiles

POOR = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6p 6p 7s 8s 9s"
"""A win in shape, worth 2 fan on a discard in Hong Kong; on 6s too."""
NO_SHAPE = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6p 6p 7s 8s 1z"


@pytest.mark.parametrize(
    ("hand", "least", "wins"),
    [(POOR, 3, []), (NO_SHAPE, 3, []), (NO_SHAPE, 0, ["6s", "9s"]), (NO_SHAPE[:-3], 0, ["6s", "9s"])],
)
def test_only_tiles_that_win_are_offered(hand: str, least: int, wins: list[str]) -> None:
    photo = PhotoHand()
    for tile in parse_tiles(hand):
        photo = photo.add(tile.code)
    draft = WinDraft(
        rules="hong_kong", options=(("min_fan", least),), hand=photo, source=Source.DISCARD, discarder=1
    )
    if len(hand.split()) == 14:
        score = evaluate(draft).score
        assert score is not None
        assert not score.legal
    assert [tile.code for tile in list_winning(draft, None, parse_tiles("6s 9s"))] == wins
