"""A tile on which the person at a practice table and a built-in player win: who gets it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from practising import choose_discard

from companion.game.deciding import Progress, begin_progress
from companion.live.practice_hand import (
    Pace,
    Players,
    PracticeView,
    Stage,
    Truth,
    ask_person,
    begin_hand,
    does_win_stand,
    go_on,
    rebuild,
)
from companion.table.apply import apply
from companion.table.events import Called, Event, GameStarted, Won

MOVES_MAX = 400


class Hand:
    """The first hand of a practice game of Hebei, as far as it was played."""

    def __init__(self, number: int, *, multi_win: bool) -> None:
        start = GameStarted(rules="hebei", practice=number, options={"multi_win": multi_win})
        self.progress: Progress = begin_progress([start])
        self.players = Players(self.progress.state.house)
        self.truth: Truth = rebuild(self.progress)
        self.enter(begin_hand(self.players, self.truth))

    def enter(self, events: tuple[Event, ...]) -> None:
        state = self.progress.state
        for event in events:
            state = apply(state, event)
        self.progress = replace(self.progress, state=state, events=(*self.progress.events, *events))
        self.truth = rebuild(self.progress, self.truth)

    def play_to_offered_win(self) -> None:
        """Until another's tile wins for the person: every other claim is let go, the likeliest made."""
        for _ in range(MOVES_MAX):
            asked = ask_person(self.players, self.truth)
            hand = self.progress.state.hand
            assert hand is not None
            if asked is None or (asked.passes and not asked.wins and not self.takes(asked.claims)):
                self.enter(go_on(self.players, self.truth))
            elif asked.wins and hand.offer is not None:
                return
            elif asked.claims:
                self.enter(go_on(self.players, self.truth, asked.claims[0]))
            else:
                view = PracticeView(self.progress, asked.seat, Stage.ASKING, Pace.CALM)
                self.enter((choose_discard(view, asked),))
        raise AssertionError("nobody was offered a win")

    def takes(self, claims: tuple[object, ...]) -> bool:
        return bool(claims) and len(self.progress.events) % 2 == 1


def list_winners(events: tuple[Event, ...]) -> list[int]:
    return [event.seat for event in events if isinstance(event, Won)]


@pytest.mark.parametrize("multi_win", [True, False])
def test_first_in_turn_wins_and_others_too_with_multi_win(multi_win: bool) -> None:
    hand = Hand(159, multi_win=multi_win)
    hand.play_to_offered_win()
    assert does_win_stand(hand.players, hand.truth)
    assert list_winners(go_on(hand.players, hand.truth)) == [2], "who would win if the person passed"
    hand.enter((Won(seat=0),))
    assert list_winners(go_on(hand.players, hand.truth)) == ([2] if multi_win else [])


def test_a_player_before_the_person_takes_the_win() -> None:
    hand = Hand(949, multi_win=False)
    hand.play_to_offered_win()
    assert not does_win_stand(hand.players, hand.truth)
    events = go_on(hand.players, hand.truth, Won(seat=0))
    assert [event.seat for event in events if isinstance(event, Called)] == [3, 0]
    assert list_winners(events) == [3]
    hand.enter(events)
    assert go_on(hand.players, hand.truth) == ()
