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


def judge(
    truth: list[Event], stated: list[tuple[Event, float]], together: int = 99
) -> dict[str, dict[str, int]]:
    """What is counted of these statements, each with its p, by the kind of event. together: the place from
    which on all are of one moment."""
    log = [GameStarted(rules="hebei"), *(event for event, _ in stated)]
    said = [Said(event, at, p, p >= 0.99, min(at, together)) for at, (event, p) in enumerate(stated, 2)]
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


def test_what_is_stated_again_only_later_was_wrong_when_it_was_taken_back() -> None:
    """Nobody had drawn when it was stated; later a player did."""
    pung = Claimed(seat=2, meld="p555p")
    after: list[Event] = [Discarded(seat=2, tile="1z"), Drawn(seat=3), Discarded(seat=3, tile="1s")]
    stated = [*((event, 0.999) for event in BEGUN), (Drawn(seat=1), 0.999), (Corrected(number=5), 0.95)]
    stated += [(pung, 0.95), *((event, 0.95) for event in [*after, Drawn(seat=0)])]
    stated += [(Discarded(seat=0, tile="2s"), 0.95), (Drawn(seat=1), 0.999)]
    truth = [*BEGUN, pung, *after, Drawn(seat=0), Discarded(seat=0, tile="2s"), Drawn(seat=1)]
    assert judge(truth, stated)["drawn"]["wrong_and_certain"] == 1
    again = [*stated[:5], *((event, 0.95) for event in [Drawn(seat=1)])]
    assert judge([*BEGUN, Drawn(seat=1)], again, together=6)["drawn"]["wrong_and_certain"] == 0
