"""What is said about how a better picture would be taken: the same in the window and at the terminal."""

from __future__ import annotations

import pytest

from companion.commands.pictures import show_reading
from companion.photo_hand.from_reading import ADVICE, choose_advice
from companion.photo_hand.which_hand import find_hand
from companion.vision import Reading, TileReading
from companion.vision.reading import CLOSER, SHARPER

QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def test_the_most_pressing_advice_is_chosen() -> None:
    assert choose_advice(()) is None
    assert choose_advice((SHARPER,)) == ADVICE[SHARPER]
    assert choose_advice((SHARPER, CLOSER)) == ADVICE[CLOSER]


def test_the_terminal_says_all_that_is_advised_in_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    tile = TileReading("1m", QUAD, 0.99, (("1m", 0.99),))
    reading = Reading(20, 20, (tile,), ((0,),), {"total": 1.0}, (CLOSER, SHARPER))
    show_reading("a.png", reading, find_hand(reading.tiles), ())
    printed = capsys.readouterr().out
    assert [line.strip() for line in printed.splitlines()[-2:]] == [
        str(ADVICE[CLOSER]),
        str(ADVICE[SHARPER]),
    ]
