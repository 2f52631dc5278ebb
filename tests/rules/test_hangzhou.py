"""Hangzhou against the slow scorer, and against trying every use of the Fortunes.

`pytest --hands 20000` compares on as many hands.
"""

import random
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score, scoring, waits
from companion.rules.shapes import seven_pairs, standard
from companion.tiles import KINDS
from tests.rules.random_hangzhou import random_hand, random_request
from tests.rules.slow_hangzhou import (
    KIND_COUNT,
    NO_WIN,
    REFUSED,
    WHITE,
    Outcome,
    Request,
    as_played,
    counted,
    pairs_up,
    sets_and_pair,
    slow_score,
)

pytestmark = pytest.mark.slow


def outcome(request: Request) -> Outcome:
    try:
        result = score(decode_request(request), house_rules=False)
    except RequestError:
        return REFUSED
    return (result.value, list(result.payments)) if result.legal else NO_WIN


def differing_from_slow(number: int, seed: int) -> tuple[list[str], dict[str, int]]:
    """The requests, of so many random ones, where the two scorers differ, and how many ended how."""
    rng = random.Random(seed)
    wrong, ends = [], {"wins": 0, NO_WIN: 0, REFUSED: 0}
    while sum(ends.values()) < number:
        request = random_request(rng)
        if request is None:
            continue
        slow, fast = slow_score(request), outcome(request)
        ends[slow if isinstance(slow, str) else "wins"] += 1
        if slow != fast:
            wrong.append(f"seed {seed}: {request} is {fast}, slowly {slow}")
    return wrong, ends


def test_random_hands_agree_with_the_slow_scorer(hands: int) -> None:
    wrong, ends = differing_from_slow(hands, seed=1)
    assert wrong == []
    assert ends["wins"] >= 0.4 * hands
    assert min(ends.values()) >= 0.02 * hands


def test_the_slow_scorer_agrees_with_trying_every_use_of_the_fortunes() -> None:
    rng = random.Random(2)
    found = {True: 0, False: 0}
    for number in range(120):
        hand = random_hand(rng, 4, as_pairs=False)
        wild = 3 if number < 4 else rng.choice([1, 2])
        rng.shuffle(hand)
        hand = hand[wild:]
        if rng.random() < 0.5:
            hand[0] = rng.randrange(KIND_COUNT)
        uses = combinations_with_replacement(range(KIND_COUNT), wild)
        tried = any(sets_and_pair(counted([*hand, *chosen]), 0) for chosen in uses)
        assert sets_and_pair(counted(hand), wild) == tried, hand
        found[tried] += 1
    assert min(found.values()) > 20


def test_no_row_asks_how_a_standard_hand_is_grouped() -> None:
    """Every use of the Fortunes and every place of the winning tile are worth the same: the first will do."""
    rules = RULE_SETS["hangzhou"]
    thorough = replace(rules, shapes=(standard("", ""), seven_pairs()))
    rng = random.Random(3)
    seen = 0
    while seen < 300:
        request = random_request(rng)
        if request is None or slow_score(request) in (REFUSED, NO_WIN):
            continue
        win = scoring.make_win(rules, decode_request(request))
        values: dict[str, set[tuple[int, ...]]] = {}
        readings = list(scoring.list_readings(thorough, win))
        for reading in readings:
            counts = tuple(
                row.count(win, reading) for row in rules.patterns if row.shape in (None, reading.shape)
            )
            values.setdefault(reading.shape, set()).add(counts)
        assert all(len(different) == 1 for different in values.values()), f"seed 3: {request}"
        seen += len(readings) > 1


def test_waits_with_fortunes_agree_with_trying_every_tile() -> None:
    rng = random.Random(4)
    rules = RULE_SETS["hangzhou"]
    for number in range(250):
        white = number % 3 == 0
        fortune, copies = (WHITE, 4) if white else (rng.randrange(KIND_COUNT), 3)
        options: dict[str, bool | int | str] = {"fortune": "white_dragon"} if white else {}
        if number % 5 == 0:
            options["white_stands_for_fortune"] = True
        wild = number % (copies + 1)
        hand = [kind for kind in random_hand(rng, 4, rng.random() < 0.3) if kind != fortune]
        rng.shuffle(hand)
        hand = [*hand, 0, 9, 18, 27, 30][: 13 - wild] + [fortune] * wild
        if any(hand.count(kind) > 4 for kind in hand):
            continue
        stands = not white and "white_stands_for_fortune" in options
        expected = []
        for kind in range(KIND_COUNT):
            finished, fortunes = as_played([*hand, kind], fortune, stands)
            wins = sets_and_pair(finished, fortunes) or pairs_up(finished, fortunes)
            if wins and hand.count(kind) < (copies if kind == fortune else 4):
                expected.append(KINDS[kind])
        reported = waits(
            rules, [KINDS[kind] for kind in hand], (), options, None if white else KINDS[fortune]
        )
        assert list(reported) == expected, (hand, fortune, options)
