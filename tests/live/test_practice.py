"""A practice table: all five games played to their ends, what it hides, undo, corrections, a kill."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from practising import Practising

from companion.errors import GameFileError
from companion.game.deciding import Verdict
from companion.game.game import Game
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live import practice_table as table
from companion.live.practice_hand import Pace, PracticeView, Stage
from companion.rules import RULE_SETS
from companion.sheets.hands import make_sheet
from companion.table.events import (
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    WinPassed,
    Won,
)

Play = Callable[..., Practising]
TOUCH = Reporter(SourceKind.TOUCH)


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Begin a practice game of these rules, or go on with the one that was begun."""
    running: list[Practising] = []

    def begin(rules: str | None, seed: int = 1) -> Practising:
        person = Practising(random.Random(f"{rules} {seed}"))
        running.append(person)
        if rules is None:
            person.game.resume(tmp_path / "game.mjgame").result(20)
        else:
            person.begin(tmp_path / "game.mjgame", rules, seed)
        return person

    yield begin
    for person in running:
        person.close()


@pytest.mark.long
@pytest.mark.parametrize("rules", RULE_SETS)
def test_twenty_hands_of_every_game(play: Play, rules: str) -> None:
    person = play(rules)
    view = person.play_hands(20)
    state, events = view.progress.state, view.progress.events
    assert state.hands >= 20 or view.stage is Stage.OVER
    assert not any(isinstance(event, HandAbandoned) for event in events)
    assert {"win", "Claimed", "pass"} <= set(person.did)
    assert any(isinstance(event, Won) and event.seat == 0 for event in events)
    assert any(isinstance(event, Won) and event.seat != 0 for event in events)
    assert not person.said, "nothing that was offered was refused"
    assert sum(state.points) == sum(make_sheet(events).state.points)
    assert_hidden(events, shows_kongs=state.house.policy.kongs.public)
    person.close()
    assert person.path is not None
    with Game.resume(person.path) as kept:
        assert kept.state == state


def assert_hidden(events: Sequence[Event], *, shows_kongs: bool) -> None:
    """Whether the log says nothing that the person could not see."""
    for event in events:
        match event:
            case Dealt(hands=hands):
                assert hands[0] is not None
                assert hands[1:] == (None, None, None)
            case Drawn(seat=0):
                assert event.tile is not None
            case Drawn():
                assert event.tile is None
            case ConcealedKong(seat=seat, tile=tile) if seat:
                assert tile is None or shows_kongs
        assert not isinstance(event, WinPassed), "a win passed up in silence stays silent"


def play_on(person: Practising, discards: int, view: PracticeView | None = None) -> PracticeView:
    """Discard so often, from that view on, and let everything else go."""
    view = view or person.wait_for_person()
    while True:
        asked = view.asked
        if view.stage is Stage.BETWEEN:
            person.table.begin_hand()
        elif asked is None:
            raise AssertionError(view.stage)
        elif asked.passes:
            person.table.pass_up()
        elif discards == 0:
            return view
        else:
            discards -= 1
            person.table.play(asked.discards[0])
        view = person.wait_for_person()


def test_a_hand_is_gone_on_with_after_a_kill(play: Play) -> None:
    """Whatever stands in the file is enough: the same hand, wall and tiles."""
    person = play("hong_kong")
    before = play_on(person, 2)
    person.game.close()
    again = play(None)
    view = again.wait_for_person()
    assert view.progress.events == before.progress.events
    assert (view.stage, view.asked) == (before.stage, before.asked)
    after = play_on(again, 3, view)
    assert after.progress.events[: len(before.progress.events)] == before.progress.events
    assert not again.said


def test_last_step_is_undone(play: Play) -> None:
    person = play("hefei")
    view = play_on(person, 2)
    assert view.asked is not None
    chosen = view.asked.discards[-1]
    person.table.play(chosen)
    later = person.wait_for_person()
    assert len(later.progress.events) > len(view.progress.events)
    person.table.take_back()
    back = person.wait(lambda each: each.progress.events == view.progress.events)
    assert back.asked == view.asked
    person.table.play(chosen)
    same = person.wait_for_person()
    assert same.progress.events == later.progress.events, "the others do the same again"


def test_undone_step_of_another_player_is_not_repeated(play: Play) -> None:
    """A person who takes back a built-in player's discard elsewhere in the window is asked."""
    person = play("hefei")
    play_on(person, 1)
    person.table.set_pace(Pace.PAUSED)
    person.wait(lambda each: each.pace is Pace.PAUSED)
    person.game.undo(2).result(20)
    halted = person.wait(lambda each: bool(each.progress.undone))
    assert halted.stage is Stage.HALTED
    person.table.begin_hand()
    gone_on = person.wait(lambda each: not each.progress.undone or each.stage is Stage.ASKING)
    assert len(gone_on.progress.events) > len(halted.progress.events)


def test_a_correction_that_does_not_fit_ends_the_hand(play: Play) -> None:
    person = play("hong_kong", 3)
    view = play_on(person, 2)
    events = view.progress.events
    at, wrong = next(
        (number, event)
        for number, event in enumerate(events, 1)
        if isinstance(event, Discarded) and event.seat == 1
    )
    right = Discarded(seat=1, tile="1m" if wrong.tile != "1m" else "2m")
    decision = person.game.correct(at, right, TOUCH).result(20)
    assert decision.verdict is Verdict.ACCEPTED
    between = person.wait(lambda each: each.stage is Stage.BETWEEN)
    assert isinstance(between.progress.events[-1], HandAbandoned)
    person.table.begin_hand()
    after = person.wait_for_person()
    assert any("does not count" in said for said in person.said)
    assert after.progress.state.playing
    assert not after.progress.state.hands


def test_an_earlier_hand_is_corrected_while_one_is_played(play: Play) -> None:
    """The hand in play goes on where it fits."""
    person = play("hong_kong", 2)
    view = person.play_hands(1)
    person.table.begin_hand()
    view = play_on(person, 1)
    at = next(
        number for number, event in enumerate(view.progress.events, 1) if isinstance(event, HandStarted)
    )
    begun = view.progress.events[at - 1]
    assert isinstance(begun, HandStarted)
    other = HandStarted(dealer=begun.dealer, dice=tuple(die % 6 + 1 for die in begun.dice or ()))
    assert person.game.correct(at, other, TOUCH).result(20).verdict is Verdict.ACCEPTED
    after = person.wait(lambda each: isinstance(each.progress.events[-1], Corrected))
    assert after.asked == view.asked
    assert not person.said


def test_unoffered_choice_is_refused_in_a_sentence(play: Play) -> None:
    person = play("hangzhou")
    view = play_on(person, 1)
    for wrong in (
        lambda: person.table.play(Discarded(seat=1, tile="1m")),
        person.table.call_win,
        person.table.pass_up,
        person.table.begin_hand,
    ):
        wrong()
        reported = person.wait(lambda each: each.said is not None)
        assert reported.progress.events == view.progress.events
        assert reported.asked == view.asked
    assert person.said == ["That cannot be done now: check the table."] * 4


def test_a_hand_that_a_person_ends_is_over(play: Play) -> None:
    person = play("hebei")
    play_on(person, 1)
    proposal = Proposal(HandAbandoned(why="tea"), person.game.now_ns, TOUCH)
    assert person.game.propose(proposal).result(20).verdict is Verdict.ACCEPTED
    between = person.wait(lambda each: each.stage is Stage.BETWEEN)
    assert not between.progress.state.playing
    person.table.begin_hand()
    assert person.wait_for_person().stage is Stage.ASKING


def test_no_other_game_is_played_in(tmp_path: Path) -> None:
    """A game at a real table is left alone."""
    person = Practising(random.Random(0))
    try:
        person.game.begin(tmp_path / "real.mjgame", GameStarted(rules="hefei")).result(20)
        proposal = Proposal(HandStarted(dealer=0, dice=(3, 4)), person.game.now_ns, TOUCH)
        person.game.propose(proposal).result(20)
        person.table.begin_hand()
        person.table.close()
        progress = person.game.transact(lambda transaction: transaction.get_progress()).result(20)
        assert len(progress.events) == 2
        while not person.views.empty():
            assert person.views.get() is None
    finally:
        person.close()


def test_table_waits_for_a_person_if_storing_fails(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk ends no hand: what could not be kept is tried again by a touch."""
    person = play("hefei")
    view = play_on(person, 1)
    assert view.asked is not None
    stores = Game.append_all

    def fail(*_: object) -> None:
        raise GameFileError("The disk is full.")

    person.table.play(view.asked.discards[0])
    person.wait(lambda each: each.stage is Stage.PLAYING)
    monkeypatch.setattr(Game, "append_all", fail)
    person.table.set_pace(Pace.SKIP)
    halted = person.wait(lambda each: each.said is not None)
    assert (halted.stage, person.said) == (Stage.HALTED, ["The disk is full."])
    monkeypatch.setattr(Game, "append_all", stores)
    person.table.begin_hand()
    after = person.wait(lambda each: each.progress.events != halted.progress.events)
    assert len(after.progress.events) > len(halted.progress.events)


def test_after_a_fault_of_the_program_a_touch_goes_on(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    person = play("hefei")
    view = play_on(person, 1)
    assert view.asked is not None

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(table, "go_on", fail)
    person.table.play(view.asked.discards[0])
    halted = person.wait(lambda each: each.stage is Stage.HALTED)
    assert halted.said is not None
    assert "a fault" in str(halted.said)
    monkeypatch.undo()
    person.table.begin_hand()
    assert person.wait_for_person().stage is not Stage.HALTED
