"""A win that people tell is booked as the simulator booked it: of a hand that was followed, and of one of
which nothing was recorded."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.coach.simulation import play
from companion.errors import EventError
from companion.rules import RULE_SETS, Source
from companion.table.apply import apply
from companion.table.events import GameStarted, HandStarted, Won
from companion.table.knowledge import state_as_seen
from companion.table.state import State
from companion.table.told_win import ToldWin, enter_win, find_known_chance
from companion.table.wins import find_chance, list_known_melds, make_request
from companion.tiles import parse_tiles

SEED, HANDS = 5, 8


def simulate(rules: str) -> Iterator[tuple[GameStarted, State, State, ToldWin]]:
    """Of each first win: the game before the hand, the states around the win, and how it is told."""
    for played in play(GameStarted(rules=rules), HANDS, random.Random(SEED)):
        for before, step in zip(played.steps, played.steps[1:], strict=False):
            hand = step.state.hand
            if not isinstance(step.event, Won) or hand is None or len(hand.results) > 1:
                continue
            result, player = hand.results[0], hand.players[step.event.seat]
            assert before.state.hand is not None
            melds = list_known_melds(player)
            chance = find_chance(before.state, before.state.hand, result.winner)
            request = make_request(before.state, before.state.hand, chance, player.concealed, melds)
            told = ToldWin(
                result.winner,
                result.source,
                result.discarder,
                result.tile,
                (*player.concealed, *(tile for meld in melds for tile in meld.tiles)),
                melds,
                player.flowers,
                request.situation,
                hand.fortune,
            )
            yield played.start, before.state, step.state, told


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_told_win_is_booked_as_the_simulator_booked_it(rules: str) -> None:
    wins = 0
    for start, before, after, told in simulate(rules):
        followed = enter_win(
            state_as_seen(before, None),
            ToldWin(told.seat, tile=told.tile, tiles=told.tiles, melds=told.melds),
        )
        assert followed.after.points == after.points
        assert len(followed.events) == 1, "of a followed hand only the win is entered"
        untold = enter_win(apply(None, start), told)
        assert after.hand is not None
        assert untold.score.payments == after.hand.results[0].score.payments
        assert untold.score.lines == after.hand.results[0].score.lines
        assert untold.after.deal == after.deal
        assert untold.compare().value == untold.score.value
        wins += 1
    assert wins > 2, SEED


def test_what_nobody_recorded_cannot_end_in_just_any_way() -> None:
    state = apply(None, GameStarted(rules="hefei"))
    assert find_known_chance(state, 0) is None
    hand = parse_tiles("23456788m345p678s")
    with pytest.raises(EventError, match="winning tile"):
        enter_win(state, ToldWin(1, Source.DISCARD, 2, None, hand))
    with pytest.raises(EventError):
        enter_win(state, ToldWin(1, Source.DISCARD, 1, hand[0], hand))
    begun = apply(state, HandStarted(dealer=0))
    entered = enter_win(begun, ToldWin(1, Source.DISCARD, 2, hand[0], hand))
    assert entered.after.hand is not None
    assert entered.after.hand.results[0].discarder == 2
    assert not isinstance(entered.events[0], HandStarted)
