"""What is said of hypotheses that change: stated, doubted, taken back."""

from __future__ import annotations

from companion.table.apply import fold
from companion.table.events import Corrected, Dealt, Discarded, GameStarted, HandStarted
from companion.tracking.hypotheses import Hypothesis, Step
from companion.tracking.notices import Stated
from companion.tracking.stating import LONG_DOUBTED_S, Statements


def trust(step: Step) -> float:
    return 1.0


def test_what_is_less_likely_does_not_stand_for_ever() -> None:
    log = [GameStarted(rules="hefei"), HandStarted(dealer=0), Dealt()]
    state = fold(log)
    assert state is not None
    root = Step(None, None, state)
    said = Hypothesis(root.then(Discarded(seat=0, tile="5p"), (1,), 0.0))
    likelier = Hypothesis(root.then(Discarded(seat=0, tile="6p"), (1,), 0.0))
    statements = Statements(log)
    statements.begin(root)
    (first,) = statements.update([(0.0, said)], 1.0, trust)
    assert first.event == Discarded(seat=0, tile="5p")
    doubts = [(0.0, likelier), (0.5, said)]
    stated: list[Stated] = []
    for second in range(2, round(LONG_DOUBTED_S) + 4):
        stated += statements.update(doubts, float(second), trust)
    (corrected,) = stated
    assert corrected.event == Corrected(number=first.number, right=Discarded(seat=0, tile="6p"))
    assert corrected.t > LONG_DOUBTED_S
    assert not corrected.certain
