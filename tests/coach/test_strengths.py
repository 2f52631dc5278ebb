"""Opponents of three strengths decide differently, and play whole hands."""

from __future__ import annotations

import random

import pytest

from companion.coach.described import describe_position
from companion.coach.opponents.follower import Follower
from companion.coach.opponents.strengths import Beginner, Strength, make_player
from companion.coach.play.player import BuiltIn
from companion.coach.play.simulation import Seated, Simulation
from companion.coach.seen import SeatView
from companion.coach.value.judge import Judge
from companion.rules import RULE_SETS
from companion.table.apply import apply
from companion.table.events import Claimed, Discarded, GameStarted, Won


def ask(strength: Strength, seen: SeatView) -> object:
    player = make_player(strength, Judge(seen.state.house.rules, seen.state.house.scoring))
    if seen.hand.offer is not None:
        return player.answer(seen.state, seen.seat)
    return player.act(seen.state, seen.seat)


def test_each_strength_has_its_player() -> None:
    judge = Judge(RULE_SETS["hefei"])
    kinds = [type(make_player(strength, judge)) for strength in Strength]
    assert kinds == [Beginner, BuiltIn, Follower]


def offer(hand: str, tile: str) -> SeatView:
    """That discard of the player before, offered to a hand."""
    return describe_position({
        "rules": "hong_kong", "seat": 1, "hand": hand, "offer": {"tile": tile, "from": 0},
        "rivers": [[tile], [], [], []],
    })  # fmt: skip


def test_a_beginner_claims_what_others_let_pass() -> None:
    """The hand has both sets of characters already."""
    seen = offer("233445m678p11s5z7z", "3m")
    assert isinstance(ask(Strength.BEGINNER, seen), Claimed)
    assert ask(Strength.USUAL, seen) is None


def test_a_beginner_wins_where_it_can() -> None:
    assert isinstance(ask(Strength.BEGINNER, offer("123456789m11z23m", "4m")), Won)


def test_a_beginner_discards_by_company_not_by_what_is_left() -> None:
    """A tile that stands alone goes first."""
    seen = describe_position({"rules": "hong_kong", "seat": 0, "hand": "1133m9m2244p5577s1z"})
    did = ask(Strength.BEGINNER, seen)
    assert isinstance(did, Discarded)
    assert did.tile in ("9m", "1z")


@pytest.mark.parametrize("rules", list(RULE_SETS))
def test_all_strengths_play_hands_to_the_end(rules: str) -> None:
    state = apply(None, GameStarted(rules=rules))
    judge = Judge(state.house.rules, state.house.scoring)
    beginner, usual, strong = (make_player(strength, judge) for strength in Strength)
    players = Seated((beginner, usual, strong, beginner))
    steps = list(Simulation(state.house, random.Random(5), players).hand(state))
    assert not steps[-1].state.playing
