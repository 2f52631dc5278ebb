"""Whole hands are recorded in the real window by touches alone, one a discard."""

from __future__ import annotations

import random

import pytest
from app_driver import Driver
from touch_recorder import Recorder, fold_seen, is_touched, list_recorded

from companion.coach.simulation import play
from companion.history.game import pin_options
from companion.rules import RULE_SETS
from companion.table.events import Dealt, Discarded, GameStarted

pytestmark = pytest.mark.slow
SEED = 5


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_hand_is_recorded_with_one_touch_a_discard(companion: Driver, rules: str) -> None:
    start = pin_options(GameStarted(rules=rules, names=("Ann", "Bao", "Chen", "Dai")))
    assert isinstance(start, GameStarted)
    hand = next(play(start, 1, random.Random(SEED)))
    events = list_recorded(hand)
    recorder = Recorder(companion)
    recorder.begin(start)
    done = 0
    for number, event in enumerate(events, 1):
        if is_touched(event, recorder.game):
            done = number
            recorder.record(event)
            if len(recorder.touches.get(Discarded, ())) == 30 and isinstance(event, Discarded):
                companion.shot(f"table-{rules}")
        elif isinstance(event, Dealt):
            done = number
    assert recorder.game == fold_seen(start, events[:done]), "the draw of who wins goes with the win"
    assert set(recorder.touches[Discarded]) == {1}
