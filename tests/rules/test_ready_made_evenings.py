"""Evenings at the ready-made tables: what the table books for each win is what a slow scorer finds.

The built-in players play whole hands, others at each table. The slow scorer gets the
request that the table scores: the tiles and the circumstances of the win. `pytest --simulated-hands 2000`
plays as many hands at each table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import to_builtins

from companion import profiles
from companion.coach.play.simulation import PlayedHand, play
from companion.profiles import READY_MADE, ReadyMade
from companion.rules import Score
from companion.rules.kinds import WIND_NAMES
from companion.rules.win import ScoreRequest
from companion.table.events import GameStarted, Won
from companion.table.state import PaymentReason, State
from companion.table.wins import add_winning_tile, find_chance, list_known_melds, make_request
from companion.tiles import format_tiles
from tests.rules import slow_hangzhou, slow_hebei, slow_hefei, slow_hong_kong, slow_taiwanese_common

QUICK_HANDS = 10
"""At each table, always."""
SEED = 20261128
THREE_FAN = 8
"""Units that three fan pay, by each table of payments but the linear one."""
Outcome = tuple[bool, int, list[int]]


def start(ready: ReadyMade) -> GameStarted:
    profile = profiles.load(str(ready.path))
    return GameStarted(
        rules=profile.rules, options=dict(profile.settings), stakes=ready.stakes, currency=ready.currency
    )


def ask_again(state: State, event: Won) -> ScoreRequest:
    """The request that the table scores when a player wins in this state."""
    assert state.hand is not None
    player, chance = state.hand.players[event.seat], find_chance(state, state.hand, event.seat)
    tiles = add_winning_tile(player, chance)
    return make_request(state, state.hand, chance, tiles, list_known_melds(player), event.circumstances)


def write_request(request: ScoreRequest) -> dict[str, Any]:
    """The request as the slow scorers read it."""
    return {
        "rules": request.rules,
        "options": dict(request.options),
        "hand": format_tiles(request.hand),
        "melds": [str(meld) for meld in request.melds],
        "winning_tile": None if request.winning_tile is None else request.winning_tile.code,
        "flowers": "".join(tile.code for tile in request.flowers),
        "winner": request.winner,
        "dealer": request.dealer,
        "round_wind": WIND_NAMES[request.round_wind.rank - 1],
        "source": request.source.value,
        "from": request.discarder,
        "streak": request.streak,
        "situation": sorted(request.situation),
        "discards": request.discards,
        "fortune": None if request.fortune is None else request.fortune.code,
        "gambits": request.gambits,
        "consecutive_kongs": request.consecutive_kongs,
        "three_melds": [list(pair) for pair in request.three_melds],
        "kongs_declared": [],
        "stakes": to_builtins(request.stakes),
        "base": request.base,
        "cap": request.cap,
        "balances": None if request.balances is None else list(request.balances),
    }


def score_slowly(asked: dict[str, Any]) -> Outcome:
    """Whether it is a win, its value, and the payments by seat, as the game's slow scorer finds them."""
    match asked["rules"]:
        case "hong_kong":
            return slow_hong_kong.Slow(asked).result()
        case "taiwanese":
            return slow_taiwanese_common.find_tai(asked)
        case "hefei":
            return slow_hefei.slow_score(asked)
        case "hebei":
            waits = slow_hebei.waited_for(asked, asked["options"])
            value, paid, _ = slow_hebei.slow_score(asked, asked["options"], len(waits))
            return value is not None, value or 0, paid
    found = slow_hangzhou.slow_score(asked)
    return (False, 0, [0, 0, 0, 0]) if isinstance(found, str) else (True, *found)


def find_faults(ready: ReadyMade, played: PlayedHand) -> Iterator[str]:
    """What is wrong with a played hand's wins and payments."""
    before, after = played.before, played.after
    assert after.hand is not None
    booked = after.ledger[len(before.ledger) :]
    if any(sum(entry.points) for entry in booked):
        yield f"an entry of the ledger does not add up to zero: {booked}"
    gained = [b - a for a, b in zip(before.points, after.points, strict=True)]
    if gained != [sum(entry.points[person] for entry in booked) for person in range(4)]:
        yield f"points and ledger differ: {gained}, {booked}"
    paid = [entry.points for entry in booked if entry.reason is PaymentReason.WIN]
    scores = [result.score for result in after.hand.results]
    by_seat = [[points[person] for person in after.hand.seated] for points in paid]
    if by_seat != [list(score.payments) for score in scores]:
        yield f"booked {by_seat}, scored {scores}"
    for score in scores:
        yield from find_odd_payments(ready, score)
    states = [before, *(step.state for step in played.steps)]
    wins = [
        (state, s.event) for state, s in zip(states, played.steps, strict=False) if isinstance(s.event, Won)
    ]
    for (state, event), score in zip(wins, scores, strict=True):
        asked = write_request(ask_again(state, event))
        fast, slow = (score.legal, score.value, list(score.payments)), score_slowly(asked)
        if fast != slow:
            yield f"booked {fast}, slowly {slow}: {asked}"


def find_odd_payments(ready: ReadyMade, score: Score) -> Iterator[str]:
    """Payments that cannot be at that table, whatever the hand."""
    stakes = ready.stakes
    if stakes is not None and stakes.base:
        for points in score.payments:
            if points < 0 and (-points < stakes.base or (-points - stakes.base) % stakes.unit):
                yield f"{-points} are paid at {stakes}"
    if score.rules == "hong_kong" and score.value < THREE_FAN:
        yield f"won with less than three fan: {score}"


def play_evening(ready: ReadyMade, hands: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How many wins there were and how often each row was scored; each fault with the number of its hand."""
    seen: Counter[str] = Counter()
    faults: list[str] = []
    chance = random.Random(f"{ready.name} {seed}")
    for number, played in enumerate(play(start(ready), hands, chance), start=1):
        assert played.after.hand is not None
        results = played.after.hand.results
        seen["wins"] += len(results)
        seen.update(line.id for result in results for line in result.score.lines)
        faults += [
            f"{ready.name}, seed {seed}, hand {number}: {fault}" for fault in find_faults(ready, played)
        ]
    return seen, faults


@pytest.mark.slow
@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_a_short_evening_is_booked_as_a_slow_scorer_finds(ready: ReadyMade) -> None:
    seen, faults = play_evening(ready, QUICK_HANDS, SEED)
    assert faults == []
    assert seen["wins"] > QUICK_HANDS / 2


@pytest.mark.long
@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_long_evenings_are_booked_as_a_slow_scorer_finds(ready: ReadyMade, simulated_hands: int) -> None:
    seen, faults = play_evening(ready, simulated_hands, SEED + 1)
    assert faults == []
    assert seen["wins"] > simulated_hands / 2
