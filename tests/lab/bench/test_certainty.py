"""What was stated is held against what happened, as it was stated."""

from __future__ import annotations

from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
)
from lab.bench.certainty import Said, judge_statements

BEGUN: list[Event] = [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5p")]


def judge(truth: list[Event], stated: list[tuple[Event, float]]) -> dict[str, dict[str, int]]:
    """What is counted of these statements, each with its p, by the kind of event."""
    log = [GameStarted(rules="hebei"), *(event for event, _ in stated)]
    said = [Said(event, at, p, p >= 0.99) for at, (event, p) in enumerate(stated, 2)]
    rows = judge_statements(truth, log, said).report()
    return {row["event"]: row for row in rows}


def test_a_draw_that_a_claim_took_back_was_wrong() -> None:
    claim = Claimed(seat=2, meld="p555p")
    stated = [*((event, 0.999) for event in BEGUN), (Drawn(seat=1), 0.999)]
    rows = judge([*BEGUN, claim], [*stated, (Corrected(number=5, right=claim), 0.95)])
    assert (rows["drawn"]["certain"], rows["drawn"]["wrong_and_certain"]) == (1, 1)
    assert rows["drawn"]["certain_and_taken_back"] == 1
    assert (rows["claimed"]["stated"], rows["claimed"]["certain"]) == (1, 0)
    assert rows["all"]["wrong_and_certain"] == 1


def test_what_is_taken_back_and_stated_again_in_its_place_was_right() -> None:
    missed = [Drawn(seat=1), Discarded(seat=1, tile="9s")]
    again: list[Event] = [Drawn(seat=2), Discarded(seat=2, tile="8s")]
    stated = [*((event, 0.999) for event in [*BEGUN, Discarded(seat=1, tile="8s")][:3])]
    stated += [(Drawn(seat=1), 0.9), (Discarded(seat=1, tile="8s"), 0.995), (Corrected(number=6), 0.9)]
    stated += [(Discarded(seat=1, tile="9s"), 0.995), *((event, 0.9) for event in again)]
    rows = judge([*BEGUN, *missed, *again], stated)
    assert rows["discarded"]["wrong_and_certain"] == 1
    assert rows["drawn"]["right_by_p"] == {"to 0.95": [2, 2]}
