"""Somebody answers what the camera asks: rightly, after a while, once."""

from __future__ import annotations

from companion.game.proposals import Proposal, Source, SourceKind
from companion.live.follower import FOLLOWING
from companion.live.noticed import QuestionAsked, StateShown
from companion.live.running import RunningGame
from companion.table.apply import fold
from companion.table.events import Dealt, Discarded, Event, GameStarted, HandStarted, apply_corrections
from lab.bench.followed_films import ANSWERS_AFTER_S, Answering, Timed, VisibleTruth

CAMERA = Source(SourceKind.CAMERA, "film")
START = GameStarted(rules="hebei")
TRUE = Discarded(seat=0, tile="9m")


def show(t: float) -> StateShown:
    state = fold([START])
    assert state is not None
    return StateShown(t, state)


def test_a_question_about_a_discard_is_answered_rightly_once_and_after_a_while() -> None:
    person = Answering(VisibleTruth((Timed(1.0, HandStarted(dealer=0)), Timed(2.0, TRUE)), (), None))
    game = RunningGame(policy=FOLLOWING, clock=person.tell_ns)
    try:
        game.play(START).result()
        events: tuple[Event, ...] = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="8m"))
        for event in events:
            game.propose(Proposal(event, 2 * 10**9, CAMERA)).result()

        def read() -> list[Event]:
            return apply_corrections(
                game.transact(lambda transaction: transaction.get_progress().events).result()
            )

        for t in (3.0, 3.1):
            person.on_noticed(QuestionAsked(t, 4, "discarded", ("8m", "9m")), game)
        person.on_noticed(show(3.0 + ANSWERS_AFTER_S - 0.1), game)
        assert read()[-1] == events[-1]
        for t in (3.0 + ANSWERS_AFTER_S, 9.0):
            person.on_noticed(show(t), game)
        assert read()[-1] == TRUE
        assert len(game.transact(lambda transaction: transaction.get_progress().events).result()) == 5
    finally:
        game.close()


def test_a_discard_that_nobody_made_is_not_answered_for() -> None:
    person = Answering(VisibleTruth((Timed(2.0, Discarded(seat=2, tile="9m")),), (), None))
    game = RunningGame(policy=FOLLOWING, clock=person.tell_ns)
    try:
        game.play(START).result()
        for event in (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="8m")):
            game.propose(Proposal(event, 2 * 10**9, CAMERA)).result()
        person.on_noticed(QuestionAsked(3.0, 4, "discarded", ("8m", "9m")), game)
        person.on_noticed(show(9.0), game)
        assert len(game.transact(lambda transaction: transaction.get_progress().events).result()) == 4
    finally:
        game.close()
