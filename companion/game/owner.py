"""The owner of a running game: the log, the file if the game is kept, one clock, one thread.

Here, and nowhere else, proposals become events. Callers send intents, which return immediately; the owner's
thread decides (`deciding.py`, pure), writes to the disk, and sends every subscriber updates in the order in
which things happened. What an update reports as accepted is on the disk. Devices are attached from `live/`.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from companion.errors import CompanionError, EventError, GameFileError, InputError
from companion.game import copies, deciding
from companion.game.deciding import (
    Decision,
    Progress,
    Verdict,
    decide_all,
    find_overdue,
    find_ready,
    follow_log,
)
from companion.game.file import GameEntry
from companion.game.game import Game
from companion.game.log import GameLog
from companion.game.proposals import Proposal, Reporter, SourceKind, TrustPolicy
from companion.game.updates import (
    Closed,
    Decided,
    GameOpened,
    Moved,
    OperationFailed,
    Post,
    Subscriber,
    Update,
)
from companion.sentences import Sentence
from companion.table.events import Corrected, DealSet, Event, GameStarted
from companion.table.unrecorded import deal_anew, remove_event

T = TypeVar("T")

CLOSE_S = 2.0
"""The longest wait for the owner's thread when the game is closed: a transaction takes some 10 ms, a copy of
the game on a slow card some 200 ms."""
POLL_EVERY_S = 0.1
"""Seconds between two checks of busy attachments: links change their state without waking the thread."""
ENTER_WAIT_S = 20.0
"""The longest wait for the game's thread and the disk, away from the window's thread."""
TOUCH = Reporter(SourceKind.TOUCH)
NOT_ENTERED = Sentence("It could not be entered: check the table and try again.")

log = logging.getLogger(__name__)


class Attached(Protocol):
    """What works on the owner's thread next to the game, as the links to devices do.

    is_busy: whether it may change without waking the thread. poll: called ten times a second while it is
    busy. on_policy: another policy holds. on_game: another game is played, `is_kept` or not. describe:
    what a new subscriber has to know.
    """

    @property
    def is_busy(self) -> bool: ...
    def poll(self) -> None: ...
    def on_policy(self, policy: TrustPolicy) -> None: ...
    def on_game(self, is_kept: bool) -> None: ...
    def describe(self) -> Update: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class GameTransaction:
    """A running game between two of its steps, for work on its thread.

    get_progress: its present state; EventError if no game is played. decide: the decision about a proposal;
    proposals that waited for it are entered too. decide_all: the decisions about several, which all become
    events or none, in place of the given number of last events. undo: as `GameOwner.undo`.
    """

    get_progress: Callable[[], Progress]
    decide: Callable[[Proposal], Decision]
    decide_all: Callable[[Sequence[Proposal], int], list[Decision]]
    undo: Callable[[int], None]


class GameOwner:
    """One running game at a time.

    Every public method may be called from any thread, and all but `close` return immediately; the future that
    most of them return holds the result, or the error that was reported as `OperationFailed`. `clock` returns
    nanoseconds. All times of proposals are of it; those of devices and cameras are where it is
    `time.monotonic_ns`.
    """

    def __init__(
        self, *, policy: TrustPolicy | None = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._agreed = policy or TrustPolicy()
        self._own: TrustPolicy | None = None
        self._clock = clock
        self._progress: Progress | None = None
        self._log = GameLog()
        self._game: Game | None = None
        self._attached: list[Attached] = []
        self._subscribers: list[Subscriber] = []
        self._copying: threading.Thread | None = None
        self._owner = OwnerThread(self._poll, self._is_busy, self._enter_ready, self._say, self._finish)
        self._ask = self._owner.ask
        self._owner.start()

    @property
    def now_ns(self) -> int:
        """The time of the game's clock."""
        return self._clock()

    @property
    def entries(self) -> Sequence[GameEntry]:
        """All that was ever entered in the kept game, in order; empty where none is kept. Read it on the
        game's thread: in a subscriber without `post`."""
        return tuple(self._game.file.entries) if self._game else ()

    def subscribe(self, deliver: Callable[[Update], None], post: Post | None = None) -> Future[None]:
        """Send `deliver` every update from now on, first the game and what is attached as they are.

        It is called by way of `post`; without one on the owner's thread, where it must return immediately.
        """

        def add() -> None:
            subscriber = Subscriber(deliver, post)
            self._subscribers.append(subscriber)
            subscriber.send(self._describe_game())
            for each in self._attached:
                subscriber.send(each.describe())

        return self._ask(add)

    def unsubscribe(self, deliver: Callable[[Update], None]) -> Future[None]:
        """Send `deliver` nothing any more."""

        def remove() -> None:
            self._subscribers = [each for each in self._subscribers if each.deliver != deliver]

        return self._ask(remove)

    # The game that is played.

    def play(self, start: GameStarted, policy: TrustPolicy | None = None) -> Future[bool]:
        """Play a game that is not kept, under `policy` or what was agreed on. What devices reported before is
        interpreted for it again. False, and nothing is done, where a kept game is played: that one continues.
        """

        def begin() -> bool:
            if self._game is not None:
                return False
            played = GameLog()
            played.enter(start)
            progress = deciding.begin_progress([start])
            self._set_policy(self._agreed, policy)
            self._open(None, played, progress)
            self._note_game(is_kept=False)
            return True

        return self._ask(begin)

    def begin(self, path: Path, start: GameStarted, policy: TrustPolicy | None = None) -> Future[None]:
        """Play a new game that is kept in the file `path`, under `policy` or what was agreed on. Errors: what
        `Game.begin` raises."""
        return self._ask(lambda: self._open_kept(Game.begin(path, start), policy))

    def resume(self, path: Path, policy: TrustPolicy | None = None) -> Future[None]:
        """Play on the game in the file `path`, as `begin`. Errors: what `Game.resume` raises."""
        return self._ask(lambda: self._open_kept(Game.resume(path), policy))

    def leave(self) -> Future[None]:
        """Close the kept game: none is played from now on."""
        return self._ask(lambda: self._open(None, GameLog(), None) if self._game else None)

    def agree(self, policy: TrustPolicy) -> Future[None]:
        """From now on this policy decides what is accepted without asking, except in a game with its own
        policy."""

        def change() -> None:
            self._set_policy(policy, self._own)
            for each in self._attached:
                each.poll()

        return self._ask(change)

    # Proposals and steps.

    def propose(self, proposal: Proposal) -> Future[Decision]:
        """An event was observed: decide what becomes of it."""
        return self._ask(lambda: self._decide(proposal))

    def transact(self, work: Callable[[GameTransaction], T]) -> Future[T]:
        """Run `work` on the game's thread as one transaction."""

        def decide(proposal: Proposal) -> Decision:
            decision = self._decide(proposal)
            self._enter_ready()
            return decision

        transaction = GameTransaction(self._require_progress, decide, self._decide_all, self._undo)
        return self._ask(lambda: work(transaction))

    def confirm(self, number: int, by: Reporter, choice: Event | None = None) -> Future[Decision | None]:
        """A person confirms a proposal that waits, or says what it was instead; None: it waits no longer."""

        def enter() -> Decision | None:
            before = self._require_progress()
            decision = deciding.confirm(before, number, by, choice)
            return self._finish_decision(self._store(before, decision)) if decision else None

        return self._ask(enter)

    def reject(self, number: int) -> Future[None]:
        """A person says that a proposal that waits is wrong."""
        return self._ask(lambda: self._withdraw(number))

    def correct(self, number: int, right: Event | None, by: Reporter, why: str = "") -> Future[Decision]:
        """Correct event `number` to `right`; None removes it, with its draw if the later events require
        that. With another dealer, the events that followed are applied again."""
        t_ns = self._clock()

        def correct() -> Decision:
            event = Corrected(number=number, right=right, why=why)
            if right is None:
                event = remove_event(self._require_progress().events, number, why)
            elif isinstance(right, DealSet):
                event = deal_anew(self._require_progress().events, number, right)
            return self._decide(Proposal(event, t_ns, by))

        return self._ask(correct)

    def undo(self, steps: int = 1, key: str | None = None) -> Future[None]:
        """Take back the last events; where the game is kept, as `Game.undo`. InputError if there are
        fewer."""

        return self._ask(lambda: self._undo(steps, key))

    def redo(self, steps: int = 1, key: str | None = None) -> Future[None]:
        """Redo events that were undone. Errors: as of `undo`."""

        def redo() -> None:
            self._require_progress()
            if self._game is None:
                self._log.check_redo(steps)
                self._log.move(steps)
            elif not self._game.redo(steps, key):
                return
            self._note_moved()

        return self._ask(redo)

    def close(self, seconds: float = CLOSE_S) -> None:
        """Finish earlier requests, then close the attachments and the file. Waits at most that long; later
        requests are ignored."""
        self._owner.close(seconds)

    # Everything below runs on the owner's thread.

    def _is_busy(self) -> bool:
        """Whether something attached may change without waking anybody, or proposals wait for their time."""
        has_pending = bool(self._progress and self._progress.pending)
        return has_pending or any(each.is_busy for each in self._attached)

    def _poll(self) -> None:
        for each in self._attached:
            if each.is_busy:
                each.poll()
        if self._progress is None:
            return
        for overdue in find_overdue(self._progress, self._policy, self._clock()):
            after = deciding.reject(self._progress, overdue.number)
            self._finish_decision(Decision(Verdict.REFUSED, overdue.proposal, after, error=overdue.trouble))

    @property
    def _policy(self) -> TrustPolicy:
        return self._own or self._agreed

    def _set_policy(self, agreed: TrustPolicy, own: TrustPolicy | None) -> None:
        """What was agreed on, and the policy of the game itself where it has one."""
        self._agreed, self._own = agreed, own
        for each in self._attached:
            each.on_policy(self._policy)

    def _require_progress(self) -> Progress:
        if self._progress is None:
            raise EventError(deciding.NO_GAME)
        return self._progress

    def _open(self, game: Game | None, played: GameLog, progress: Progress | None) -> None:
        self._close_file()
        if self._progress and progress:  # no number of a proposal means another one in the next game
            progress = replace(progress, next_pending=self._progress.next_pending)
        self._game, self._log, self._progress = game, played, progress
        self._publish(self._describe_game())

    def _open_kept(self, game: Game, policy: TrustPolicy | None) -> None:
        progress = open_progress(game)
        self._set_policy(self._agreed, policy)
        self._open(game, game.log, progress)
        self._owner.guard(partial(self._keep_copy, is_opened=True))
        self._note_game(is_kept=True)

    def _note_game(self, *, is_kept: bool) -> None:
        for each in self._attached:
            each.on_game(is_kept)

    def _describe_game(self) -> GameOpened:
        return GameOpened(self._progress, self._game.file.path if self._game else None)

    def _close_file(self) -> None:
        if self._game:
            self._owner.guard(self._keep_copy)
            self._game.close()
            self._game = None

    def _finish(self) -> None:
        for each in self._attached:
            self._owner.guard(each.close)
        self._close_file()
        self._publish(Closed())
        if self._copying is not None:
            self._copying.join()

    def _keep_copy(self, is_opened: bool = False) -> None:
        """Have a copy of the game kept. is_opened: then also those that are missing, since the program may
        have been killed."""
        if self._game is not None:
            path, content = self._game.file.path, self._game.file.make_snapshot()
            self._copying = copies.keep_on_thread(
                path, content, lambda trouble: self._owner.post(lambda: self._say(trouble)), missing=is_opened
            )

    def _decide(self, proposal: Proposal, policy: TrustPolicy | None = None, number: int = 0) -> Decision:
        """Decide about a proposal, which waited under that number, store its event if accepted, and report
        it."""
        before = self._require_progress()
        if self._game and self._game.has_entered(proposal.event, proposal.key):
            return self._finish_decision(Decision(Verdict.REPEATED, proposal, before))
        decision = deciding.decide(before, proposal, policy or self._policy, number)
        return self._finish_decision(self._store(before, decision))

    def _store(self, before: Progress, decision: Decision) -> Decision:
        """The decision, once its event is on the disk; or what it becomes where the event cannot be kept."""
        event, proposal, state = decision.event, decision.proposal, decision.progress.state
        if decision.verdict is not Verdict.ACCEPTED or event is None:
            return decision
        if self._game is None:
            self._log.record(event, state)
            return decision
        try:
            if not self._game.append(event, proposal.key, proposal.p, state):
                return Decision(Verdict.REPEATED, proposal, before)
        except EventError as error:  # a field of it cannot be kept
            return Decision(Verdict.REFUSED, proposal, before, error=error)
        except GameFileError as error:
            self._say(error.sentence)
            return deciding.hold_unstored(before, decision)
        return decision

    def _finish_decision(self, decision: Decision) -> Decision:
        self._progress = decision.progress
        self._publish(Decided(decision))
        return decision

    def _decide_all(self, proposals: Sequence[Proposal], instead_of: int) -> list[Decision]:
        """If all of them are accepted, store them in one transaction; then report the decisions."""
        begun = self._require_progress()
        if instead_of:
            self._log.check_undo(instead_of)
            shorter = self._log.copy()
            shorter.move(-instead_of)
            begun = follow_log(begun, shorter)
        decisions = decide_all(begun, proposals, self._policy)
        if all(each.verdict is Verdict.ACCEPTED for each in decisions):
            steps = [(each.event, each.progress.state) for each in decisions if each.event]
            (self._game.append_all if self._game else self._log.record_all)(steps, instead_of)
            if instead_of:
                self._move(begun)
            for decision in decisions:
                self._finish_decision(decision)
            self._enter_ready()
        return decisions

    def _undo(self, steps: int, key: str | None = None) -> None:
        self._require_progress()
        if self._game is None:
            self._log.check_undo(steps)
            self._log.move(-steps)
        elif not self._game.undo(steps, key):
            return
        self._note_moved()

    def _enter_ready(self) -> None:
        """Decide about what came too early and can happen by now. What fails is refused, with the reason."""
        while self._progress and (ready := find_ready(self._progress)):
            self._progress = before = deciding.reject(self._progress, ready.number)
            try:
                self._decide(ready.proposal, number=ready.number)
            except Exception as error:
                self._owner.report(error)
                why = EventError("{why}", why=describe_error(error))
                self._publish(Decided(Decision(Verdict.REFUSED, ready.proposal, before, error=why)))

    def _withdraw(self, number: int) -> None:
        if self._progress and self._progress.find_pending(number):
            self._move(deciding.reject(self._progress, number))

    def _note_moved(self) -> None:
        """Events were undone or redone in the log."""
        self._move(follow_log(self._require_progress(), self._log))

    def _move(self, progress: Progress) -> None:
        self._progress = progress
        self._publish(Moved(progress))

    def _say(self, sentence: Sentence) -> None:
        self._publish(OperationFailed(sentence))

    def _publish(self, update: Update) -> None:
        for each in tuple(self._subscribers):
            each.send(update)


def open_progress(game: Game) -> Progress:
    """How the kept game stands."""
    entries = (*game.file.standing, *reversed(game.file.undone))
    ps = tuple(entry.p for entry in entries)
    return Progress(game.state, tuple(game.log.standing), ps, tuple(game.log.undone))


def enter_together(game: GameOwner, events: Sequence[Event], instead_of: int = 0) -> Progress | Sentence:
    """Enter several events of a person at once and return the state after all of them, or why none was
    entered. Waits for the game's thread.

    All or none are entered even in a power cut: they are stored in one transaction. instead_of: how many of
    the last events they replace; if they are refused, those are restored.
    """

    def enter(transaction: GameTransaction) -> Progress | Sentence:
        proposals = [Proposal(event, game.now_ns, TOUCH) for event in events]
        refusal = find_refusal(transaction.decide_all(proposals, instead_of))
        return transaction.get_progress() if refusal is None else refusal

    try:
        return wait_or_cancel(game.transact(enter))
    except CompanionError as error:
        return error.sentence


def wait_or_cancel(work: Future[T]) -> T:
    """The result of work on the game's thread. InputError where it had not begun in ENTER_WAIT_S: then it
    never will; what has begun is awaited."""
    try:
        return work.result(ENTER_WAIT_S)
    except TimeoutError:
        if work.cancel():
            raise InputError(NOT_ENTERED.template) from None
        return work.result()


def find_refusal(decisions: Sequence[Decision], otherwise: Sentence = NOT_ENTERED) -> Sentence | None:
    """Why one of the proposals was not accepted, `otherwise` without a reason; None if all were."""
    refused = next((each for each in decisions if each.verdict is not Verdict.ACCEPTED), None)
    if refused is None:
        return None
    return refused.error.sentence if refused.error else otherwise


class OwnerThread:
    """Runs tasks in order on the one thread that owns a running game. Callers never wait, and only `close`
    ends the thread.

    It calls `poll` ten times a second while `is_busy`, `after_task` after each poll and each task,
    `show_trouble` with the sentence of an error, and `finish` at the end.
    """

    def __init__(
        self,
        poll: Callable[[], None],
        is_busy: Callable[[], bool],
        after_task: Callable[[], None],
        show_trouble: Callable[[Sentence], None],
        finish: Callable[[], None],
    ) -> None:
        self._poll = poll
        self._is_busy = is_busy
        self._after_task = after_task
        self._show_trouble = show_trouble
        self._finish = finish
        self._tasks: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="running game", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def post(self, task: Callable[[], None]) -> None:
        """Have `task` done soon; after `close` it is dropped."""
        with self._closing:
            if not self._is_closing:
                self._tasks.put(task)

    def ask(self, task: Callable[[], T]) -> Future[T]:
        """Have `task` done soon. The future holds its result, or its error, which is reported too; after
        `close` it is cancelled. Nothing is done for a future that is cancelled before its turn.
        """
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = task()
            except Exception as error:
                self.report(error)
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._closing:
            if self._is_closing:
                future.cancel()
            else:
                self._tasks.put(run)
        return future

    def close(self, seconds: float) -> None:
        """Do what was asked before, then end; waits at most that long."""
        with self._closing:
            if not self._is_closing:
                self._is_closing = True
                self._tasks.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(seconds)

    def _run(self) -> None:
        poll_at = time.monotonic() + POLL_EVERY_S
        while True:
            wait_s = max(0.0, poll_at - time.monotonic()) if self._is_busy() else None
            try:
                task = self._tasks.get(timeout=wait_s)
                if task is None:
                    break
                self.guard(task)
                self.guard(self._after_task)
            except queue.Empty:
                pass
            if time.monotonic() >= poll_at:
                poll_at = time.monotonic() + POLL_EVERY_S
                self.guard(self._poll)
                self.guard(self._after_task)
        self.guard(self._finish)

    def guard(self, task: Callable[[], object]) -> None:
        """Do it on this thread, the owner's; the game continues whatever happens."""
        try:
            task()
        except Exception as error:
            self.report(error)

    def report(self, error: Exception) -> None:
        """Report what went wrong; a fault of the program is logged."""
        if not isinstance(error, CompanionError):
            log.error("a fault in the running game", exc_info=error)
        self._show_trouble(describe_error(error))


def describe_error(error: Exception) -> Sentence:
    """What went wrong, in a sentence for people."""
    if isinstance(error, CompanionError):
        return error.sentence
    return Sentence(
        "Something inside the program went wrong ({why}): the game is unchanged.",
        {"why": str(error) or type(error).__name__},
    )
