"""The owner of a running game, with real files: what it stores, what it tells whom, how it ends."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest
from followed import WAIT_S, Follower, wait_for
from hands import CAMERA, CUP, TOUCH, played, seen

from companion.errors import EventError, GameFileError, InputError
from companion.game import owner
from companion.game.deciding import Decision, Progress, Verdict, Why
from companion.game.game import Game
from companion.game.proposals import ASK_ALWAYS, Proposal, Trust, TrustPolicy
from companion.game.updates import Closed, Decided, GameOpened, Moved
from companion.live.running import RunningGame
from companion.table.apply import fold
from companion.table.events import Dealt, Discarded, GameStarted, HandStarted, PointsMoved, decode_event

START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 5))
TRUSTING = TrustPolicy(device=Trust(waits_s=60), camera=Trust(waits_s=60))


def now(event: object, game: RunningGame, key: str | None = None) -> Proposal:
    return Proposal(event, game.now_ns, TOUCH, key=key)  # type: ignore[arg-type]


def kept(path: Path) -> list[object]:
    with Game.resume(path) as stored:
        return [decode_event(entry.event) for entry in stored.file.standing]


def test_accepted_events_are_on_the_disk(game: RunningGame, path: Path) -> None:
    events, follower = played("hong_kong", 1), Follower(game)
    game.agree(TRUSTING)
    game.begin(path, events[0])  # type: ignore[arg-type]
    for proposal in seen(events, CUP):
        game.propose(proposal)
    game.close(WAIT_S)
    assert [each.event for each in follower.accepted] == list(events[1:])
    assert kept(path)[1:] == list(events[1:])
    assert follower.accepted[-1].progress.state == fold(events)
    assert isinstance(follower.updates[-1], Closed)


def test_what_waited_in_vain_is_not_entered_later(
    game: RunningGame, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.begin(path, START).result(WAIT_S)
    waits = threading.Event()
    game.transact(lambda _: waits.wait(WAIT_S))
    monkeypatch.setattr(owner, "ENTER_WAIT_S", 0)
    assert owner.enter_together(game, [PointsMoved(points=(1, -1, 0, 0), why="x")]) == owner.NOT_ENTERED
    waits.set()
    game.transact(lambda _: None).result(WAIT_S)
    game.close(WAIT_S)
    assert len(kept(path)) == 1


def test_two_sources_feed_one_game(game: RunningGame, path: Path) -> None:
    events, follower = played("hefei", 2), Follower(game)
    game.agree(TRUSTING)
    game.begin(path, events[0])  # type: ignore[arg-type]
    work = [
        threading.Thread(target=lambda source=source: [game.propose(each) for each in seen(events, source)])
        for source in (CUP, CAMERA)
    ]
    for each in work:
        each.start()
    for each in work:
        each.join()
    game.close(WAIT_S)
    assert kept(path)[1:] == list(events[1:])
    assert sum(each.verdict is Verdict.REPEATED for each in follower.decisions) == len(events) - 1


def test_a_game_is_resumed_where_it_stood(path: Path) -> None:
    first = RunningGame()
    first.begin(path, START)
    first.propose(now(ROLL, first))
    first.undo()
    first.close()
    second = RunningGame()
    follower = Follower(second)
    second.resume(path).result(WAIT_S)
    opened = follower.of(GameOpened)[-1].progress
    assert opened is not None
    assert (len(opened.events), opened.undone) == (1, (ROLL,))
    assert follower.of(GameOpened)[-1].path == path
    second.redo()
    second.propose(now(Dealt(), second))
    second.close()
    assert [type(each) for each in kept(path)] == [GameStarted, HandStarted, Dealt]
    assert follower.of(Moved)[0].progress.state.playing


def test_how_certain_an_event_is_is_kept_until_a_person_says(path: Path) -> None:
    first = RunningGame()
    first.begin(path, START)
    first.propose(now(ROLL, first))
    first.propose(Proposal(Dealt(), first.now_ns, CAMERA, 0.93)).result(WAIT_S)
    first.close()
    second = RunningGame()
    follower = Follower(second)
    second.resume(path).result(WAIT_S)
    opened = follower.of(GameOpened)[-1].progress
    assert opened is not None
    assert opened.doubts == {3: 0.93}
    second.undo()
    second.redo()
    assert second.correct(3, Dealt(), TOUCH).result(WAIT_S).progress.doubts == {}
    second.close()
    with Game.resume(path) as stored:
        assert [(entry.event != "", entry.p) for entry in stored.file.entries] == [
            (True, 1), (True, 1), (True, 0.93), (False, 1), (False, 1), (True, 1),
        ]  # fmt: skip


def test_undo_redo_and_corrections_of_a_game_that_is_not_kept(game: RunningGame) -> None:
    follower = Follower(game)
    game.play(START)
    game.propose(now(ROLL, game))
    game.propose(now(Dealt(), game))
    game.undo(2).result(WAIT_S)
    game.redo().result(WAIT_S)
    assert [type(each) for each in follower.of(Moved)[-1].progress.events] == [GameStarted, HandStarted]
    game.correct(2, HandStarted(dealer=0, dice=(1, 1)), TOUCH).result(WAIT_S)
    hand = follower.accepted[-1].progress.state.hand
    assert hand is not None
    assert hand.dice == (1, 1)
    with pytest.raises(InputError, match="cannot be undone"):
        game.undo(9).result(WAIT_S)
    with pytest.raises(InputError, match="cannot be redone"):
        game.redo().result(WAIT_S)
    assert len(follower.troubles) == 2


def test_impossible_event_is_refused_with_its_reason(game: RunningGame) -> None:
    follower = Follower(game)
    with pytest.raises(EventError, match="No game is being played"):
        game.propose(now(ROLL, game)).result(WAIT_S)
    game.play(START)
    decision = game.propose(now(Discarded(seat=0, tile="1m"), game)).result(WAIT_S)
    assert decision.verdict is Verdict.REFUSED
    assert decision.error is not None
    assert follower.decisions == [decision]
    with pytest.raises(InputError):
        game.play(GameStarted(rules="chess")).result(WAIT_S)
    assert game.propose(now(ROLL, game)).result(WAIT_S).verdict is Verdict.ACCEPTED, "the game goes on"


def test_a_person_confirms_or_rejects_what_waits(game: RunningGame) -> None:
    follower = Follower(game)
    game.play(START)
    game.agree(ASK_ALWAYS)
    held = game.propose(now(ROLL, game)).result(WAIT_S).pending
    assert held is not None
    game.reject(held.number).result(WAIT_S)
    assert follower.of(Moved)[-1].progress.pending == ()
    assert game.confirm(held.number, TOUCH).result(WAIT_S) is None
    held = game.propose(now(ROLL, game)).result(WAIT_S).pending
    assert held is not None
    confirmed = game.confirm(held.number, TOUCH).result(WAIT_S)
    assert confirmed is not None
    assert confirmed.progress.events == (START, ROLL)


def test_proposal_of_another_game_cannot_be_confirmed(game: RunningGame) -> None:
    game.agree(ASK_ALWAYS)
    game.play(START)
    old = game.propose(now(ROLL, game)).result(WAIT_S).pending
    game.play(GameStarted(rules="hefei"))
    new = game.propose(now(ROLL, game)).result(WAIT_S).pending
    assert old is not None
    assert new is not None
    assert game.confirm(old.number, TOUCH).result(WAIT_S) is None
    assert game.confirm(new.number, TOUCH).result(WAIT_S) is not None


def test_early_proposal_is_refused_after_its_waiting_time(game: RunningGame) -> None:
    follower = Follower(game)
    game.agree(TrustPolicy(touch=Trust(waits_s=0.2)))
    game.play(START)
    held = game.propose(now(Dealt(), game)).result(WAIT_S)
    assert held.pending is not None
    assert held.pending.why is Why.EARLY
    wait_for(lambda: len(follower.decisions) > 1)
    assert follower.decisions[-1].verdict is Verdict.REFUSED
    assert follower.decisions[-1].error is not None
    assert follower.decisions[-1].progress.pending == ()


def test_early_proposal_is_entered_in_its_order(game: RunningGame, path: Path) -> None:
    game.agree(TrustPolicy(touch=Trust(waits_s=60)))
    game.begin(path, START)
    for event in (Discarded(seat=0, tile="1m"), Dealt(), ROLL):
        game.propose(now(event, game))
    game.close()
    assert kept(path)[1:] == [ROLL, Dealt(), Discarded(seat=0, tile="1m")]


def test_a_key_is_entered_once_and_after_a_restart_too(path: Path) -> None:
    penalty = PointsMoved(points=(-8, 8, 0, 0), why="a wrong call")
    for verdicts in ([Verdict.ACCEPTED, Verdict.REPEATED], [Verdict.REPEATED, Verdict.REPEATED]):
        game = RunningGame()
        game.resume(path) if path.exists() else game.begin(path, START)
        asked = [game.propose(now(penalty, game, "penalty 1")) for _ in range(2)]
        assert [each.result(WAIT_S).verdict for each in asked] == verdicts
        with pytest.raises(InputError, match="penalty 1"):
            game.propose(now(ROLL, game, "penalty 1")).result(WAIT_S)
        game.close()
    assert kept(path)[1:] == [penalty]


def fill_up(game: RunningGame) -> Decision:
    """Enter penalties until one is not stored, where SQLite refuses more as on a full disk."""
    while True:
        decision = game.propose(now(PointsMoved(points=(-8, 8, 0, 0), why="x" * 200), game)).result(WAIT_S)
        if decision.verdict is not Verdict.ACCEPTED:
            return decision


def test_event_refused_by_a_full_disk_waits_unacknowledged(game: RunningGame, path: Path) -> None:
    follower = Follower(game)
    game.begin(path, START).result(WAIT_S)
    stored = game._game
    assert stored is not None
    game.propose(now(PointsMoved(points=(1, -1, 0, 0), why="a first entry"), game)).result(WAIT_S)
    connection = stored.file._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    held = fill_up(game)
    acknowledged = len(follower.accepted)
    assert held.verdict is Verdict.HELD
    assert held.pending is not None
    assert held.pending.why is Why.NOT_STORED
    assert held.progress.pending == (held.pending,)
    assert len(held.progress.events) == len(stored.file.standing) == 1 + acknowledged
    assert "is full" in follower.troubles[-1]
    unstored = game.confirm(held.pending.number, TOUCH).result(WAIT_S)
    assert unstored is not None
    assert unstored.verdict is Verdict.HELD, "no room yet"
    connection.execute("PRAGMA max_page_count = 100000")  # room was made
    assert game.propose(now(ROLL, game)).result(WAIT_S).verdict is Verdict.ACCEPTED, "the game goes on"
    confirmed = game.confirm(held.pending.number, TOUCH).result(WAIT_S)
    assert confirmed is not None
    assert confirmed.verdict is Verdict.ACCEPTED
    game.close()
    assert kept(path)[1 + acknowledged :] == [ROLL, held.proposal.event]


def test_an_event_that_cannot_be_kept_is_refused(game: RunningGame, path: Path) -> None:
    game.begin(path, START)
    long = game.propose(now(PointsMoved(points=(1, -1, 0, 0), why="x" * 8000), game)).result(WAIT_S)
    assert long.verdict is Verdict.REFUSED
    assert len(long.progress.events) == 1


def test_a_game_that_cannot_be_opened_leaves_the_other_one(game: RunningGame, path: Path) -> None:
    follower = Follower(game)
    game.play(START)
    path.write_bytes(b"no game" * 100)
    with pytest.raises(GameFileError):
        game.resume(path).result(WAIT_S)
    assert len(follower.troubles) == 1
    assert game.propose(now(ROLL, game)).result(WAIT_S).verdict is Verdict.ACCEPTED


def test_a_fault_ends_nothing(game: RunningGame, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = Follower(game)
    game.play(START).result(WAIT_S)
    with monkeypatch.context() as patch:
        patch.setattr("companion.game.deciding.decide", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            game.propose(now(ROLL, game)).result(WAIT_S)
    assert "went wrong" in follower.troubles[-1]
    assert game.propose(now(ROLL, game)).result(WAIT_S).verdict is Verdict.ACCEPTED


def test_nobody_waits_for_the_disk(game: RunningGame, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    append = Game.append

    def slow(self: Game, *arguments: object) -> bool:
        assert gate.wait(WAIT_S)
        return append(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "append", slow)
    game.begin(path, START)
    asked = game.propose(now(ROLL, game))
    game.undo()
    assert not asked.done()
    game.close(0)
    gate.set()
    assert asked.result(WAIT_S).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_asked_the_file_holds_what_subscribers_know(path: Path, seed: int) -> None:
    """Reports of two sources in their order, and steps of a person at random, none of which waits."""
    chance, events = random.Random(seed), played("hefei", seed + 1)
    game = RunningGame(policy=TRUSTING)
    follower = Follower(game)
    game.begin(path, events[0])  # type: ignore[arg-type]
    reports = [iter(seen(events, source, p=chance.choice((0.5, 1.0)))) for source in (CUP, CAMERA)]
    for _ in range(60):
        step = chance.random()
        proposal = next(reports[chance.randrange(2)], None)
        if proposal and step < 0.8:
            game.propose(proposal)
        elif step < 0.87:
            game.undo(chance.randint(1, 3))
        elif step < 0.94:
            game.redo(chance.randint(1, 3))
        else:
            game.confirm(chance.randint(1, 20), TOUCH)
            game.reject(chance.randint(1, 20))
    game.close(WAIT_S)
    known: Progress | None = None
    for update in follower.updates:
        if isinstance(update, Decided):
            known = update.decision.progress
        elif isinstance(update, GameOpened | Moved):
            known = update.progress
    assert known is not None
    assert follower.accepted
    with Game.resume(path) as stored:
        assert stored.state == known.state
        assert len(stored.file.undone) == len(known.undone)
    assert kept(path)[1:] == list(known.events[1:])


def test_closing_does_what_was_asked_before_and_nothing_after(path: Path) -> None:
    game = RunningGame()
    follower = Follower(game)
    game.begin(path, START)
    asked = [game.propose(now(PointsMoved(points=(n, -n, 0, 0), why=str(n)), game)) for n in range(1, 30)]
    game.close()
    game.close()
    assert len(kept(path)) == 30
    assert all(each.result(0).verdict is Verdict.ACCEPTED for each in asked)
    assert game.propose(now(ROLL, game)).cancelled()
    assert isinstance(follower.updates[-1], Closed)
    assert sum(isinstance(each, Closed) for each in follower.updates) == 1


def test_proposals_end_when_the_game_closes(path: Path) -> None:
    """Each future is done or cancelled: nobody waits for ever."""
    game = RunningGame()
    game.begin(path, START)
    futures = []
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            futures.append(game.propose(now(PointsMoved(points=(1, -1, 0, 0), why="x"), game)))
            time.sleep(0.001)

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.05)
    game.close(WAIT_S)
    stop.set()
    asking.join()
    assert all(each.done() for each in futures)
    accepted = sum(not each.cancelled() for each in futures)
    assert len(kept(path)) == 1 + accepted
