"""A practice table: a thread of its own that watches the running game and plays in it.

It keeps nothing: whatever is entered, taken back or corrected, by whomever, it rebuilds the hand from the
log. Where that is impossible, the hand is abandoned, and one sentence reports that.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

from companion.coach.opponents.strengths import Strength
from companion.errors import CompanionError, EventError
from companion.game.deciding import Progress
from companion.game.owner import GameTransaction, describe_error, find_refusal
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.game.updates import Closed, Decided, GameOpened, Moved, Update
from companion.live.event_words import NO_LONGER_FITS
from companion.live.practice_hand import (
    Pace,
    PersonMoves,
    Players,
    PracticeView,
    Stage,
    Truth,
    ask_person,
    begin_hand,
    count_own_steps,
    does_win_stand,
    find_seat,
    go_on,
    rebuild,
)
from companion.live.running import RunningGame
from companion.sentences import Sentence
from companion.table.events import Claimed, Discarded, Event, HandAbandoned, Won

SCRIPT = Reporter(SourceKind.SCRIPT, "practice")
TOUCH = Reporter(SourceKind.TOUCH)
WAIT_S = 20.0
"""The longest wait for the game's thread and the disk."""
PAUSE_S = {Pace.CALM: 1.0, Pace.QUICK: 0.3, Pace.SKIP: 0.0}
"""Pause between two moves of the built-in players. Chosen: a person can follow about one a second."""
DRAW_PART = 0.4
"""Share of the pause after a draw, which a person cannot see."""
NOT_NOW = Sentence("That cannot be done now: check the table.")
NO_FIT = Sentence("The change contradicts the current hand, so that hand does not count. Start the next one.")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What comes next in the game that stands at `truth`. due: when, by the thread's clock, None for when the
    person touches something."""

    truth: Truth
    stage: Stage
    asked: PersonMoves | None = None
    events: tuple[Event, ...] = ()
    due: float | None = None


class PracticeTable:
    """A practice table, played on its own thread. `tell` is called on that thread with the view when it
    changes; None if no practice game is played. Every public method returns immediately; what can no longer
    be done is answered with one sentence."""

    def __init__(self, game: RunningGame, tell: Callable[[PracticeView | None], None]) -> None:
        self._game = game
        self._tell = tell
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._progress: Progress | None = None
        self._players: Players | None = None
        self._strength = Strength.USUAL
        self._plan: _Plan | None = None
        self._pace = self._usual = Pace.PAUSED
        self._passed: int | None = None
        self._is_behind = False
        self._said: Sentence | None = None
        self._thread = threading.Thread(target=self._run, name="practice table", daemon=True)
        self._thread.start()
        game.subscribe(self._on_update)

    # What the person does.

    def play(self, event: Event) -> None:
        """The person does that: one of the moves that were offered."""
        self._ask(lambda: self._play(event))

    def call_win(self) -> None:
        """The person calls a win; if it is accepted, the person enters it next."""
        self._ask(self._call_win)

    def pass_up(self) -> None:
        """The person does nothing with what was offered."""
        self._ask(self._pass_up)

    def begin_hand(self) -> None:
        """The next hand begins; or the game continues from what the person took back."""
        self._ask(self._begin_hand)

    def take_back(self) -> None:
        """Take back the person's last move and everything after it."""
        self._ask(self._take_back)

    def set_pace(self, pace: Pace) -> None:
        """The built-in players act at this pace from now on."""
        self._ask(lambda: self._set_pace(pace))

    def set_strength(self, strength: Strength) -> None:
        """The built-in players play with this strength from now on."""
        self._ask(lambda: self._set_strength(strength))

    def close(self, seconds: float = WAIT_S) -> None:
        """End the thread."""
        self._game.unsubscribe(self._on_update)
        self._tasks.put(None)
        self._thread.join(seconds)

    def _ask(self, task: Callable[[], None]) -> None:
        def do() -> None:
            self._catch_up()
            task()

        self._tasks.put(do)

    # Everything below runs on the table's thread, except `_on_update`, which only passes updates on.

    def _on_update(self, update: Update) -> None:
        match update:
            case GameOpened(progress):
                self._tasks.put(lambda: self._open(progress))
            case Decided(decision):
                self._tasks.put(lambda: self._move(decision.progress))
            case Moved(progress):
                self._tasks.put(lambda: self._move(progress))
            case Closed():
                self._tasks.put(lambda: self._open(None))

    def _run(self) -> None:
        while True:
            due = self._plan.due if self._plan else None
            wait_s = None if due is None else max(0.0, due - time.monotonic())
            try:
                task = self._tasks.get(timeout=wait_s)
            except queue.Empty:
                task = self._carry_out
            if task is None:
                return
            try:
                task()
                if self._tasks.empty():  # of events that are entered together, the last one is looked at
                    self._catch_up()
            except CancelledError:
                return  # the game was closed
            except CompanionError as error:
                self._say(error.sentence)
            except Exception as fault:
                log.exception("a fault at the practice table")
                self._halt(describe_error(fault))

    def _halt(self, why: Sentence) -> None:
        """Wait for a touch, after which the table reads the game again."""
        self._plan, progress = None, self._progress
        if progress is not None:
            seat = find_seat(progress.state)
            self._tell(PracticeView(progress, seat, Stage.HALTED, self._pace, said=why))

    def _open(self, progress: Progress | None) -> None:
        is_practice = progress is not None and progress.state.house.practice is not None
        self._progress = progress if is_practice else None
        self._players, self._plan, self._passed = None, None, None
        if progress is None or not is_practice:
            self._tell(None)
            return
        self._pace = self._usual
        self._players = Players(progress.state.house, self._strength)
        self._look()

    def _move(self, progress: Progress) -> None:
        before = self._progress
        if before is None or progress.events is before.events:
            return
        self._progress, self._is_behind = progress, True
        if self._passed != len(progress.events):
            self._passed = None

    def _catch_up(self) -> None:
        if self._is_behind:
            self._look()

    def _look(self) -> None:
        """Update the view from the state of the game and its next step."""
        progress, players = self._progress, self._players
        self._is_behind = False
        if progress is None or players is None:
            return
        try:
            truth = rebuild(progress, self._plan.truth if self._plan else None)
            self._plan = self._make_plan(players, progress, truth)
        except EventError:
            self._abandon(progress)
            return
        self._set_due()
        self._show()

    def _make_plan(self, players: Players, progress: Progress, truth: Truth) -> _Plan:
        state = truth.state
        asked = None if self._passed == len(truth.events) else ask_person(players, truth)
        if asked is not None:
            return _Plan(truth, Stage.ASKING, asked)
        events = go_on(players, truth)
        if events:
            stage = Stage.HALTED if progress.undone and self._passed is None else Stage.PLAYING
            return _Plan(truth, stage, events=events)
        return _Plan(truth, Stage.OVER if state.over else Stage.BETWEEN)

    def _set_due(self) -> None:
        plan = self._plan
        if plan is None:
            return
        if plan.stage is not Stage.PLAYING or self._pace is Pace.PAUSED:
            self._plan = replace(plan, due=None)
            if plan.stage is not Stage.PLAYING:
                self._pace = self._usual
            return
        seen = any(isinstance(event, Discarded | Claimed) for event in plan.events)
        pause_s = PAUSE_S[self._pace] * (1.0 if seen else DRAW_PART)
        self._plan = replace(plan, due=time.monotonic() + pause_s)

    def _carry_out(self) -> None:
        """Do what was planned."""
        plan = self._plan
        if plan is not None and plan.events:
            self._plan = replace(plan, due=None)
            taken_back = self._progress is not None and self._progress.undone
            self._enter(plan.events, TOUCH if taken_back else SCRIPT)  # which a person wants again

    def _abandon(self, progress: Progress) -> None:
        """End the hand that does not fit its tiles any more."""
        self._plan = None
        if progress.state.playing:
            self._said = NO_FIT
            self._enter((HandAbandoned(why=NO_LONGER_FITS),), SCRIPT)

    def _enter(self, events: Sequence[Event], source: Reporter) -> None:
        """Enter all of them or none, unless the game has moved on meanwhile."""
        expected = self._progress

        def enter(transaction: GameTransaction) -> Sentence | None:
            if expected is None or transaction.get_progress().events is not expected.events:
                return None
            proposals = [Proposal(event, self._game.now_ns, source) for event in events]
            return find_refusal(transaction.decide_all(proposals, 0), NOT_NOW)

        why: Sentence | None
        try:
            why = self._game.transact(enter).result(WAIT_S)
        except CompanionError as error:
            why = error.sentence
        if why is not None:
            if self._plan is not None and self._plan.stage is Stage.PLAYING:
                self._plan = replace(self._plan, stage=Stage.HALTED, due=None)  # until a person tries again
            self._say(why)

    def _play(self, event: Event) -> None:
        plan, players = self._plan, self._players
        if plan is None or players is None or plan.asked is None or not plan.asked.allows(event):
            self._say(NOT_NOW)
        elif isinstance(event, Claimed):
            self._enter(go_on(players, plan.truth, event), TOUCH)
        else:
            self._enter((event,), TOUCH)

    def _call_win(self) -> None:
        plan, players = self._plan, self._players
        if plan is None or players is None or plan.asked is None or not plan.asked.wins:
            self._say(NOT_NOW)
        elif does_win_stand(players, plan.truth):
            self._show(wins=True)
        else:
            self._enter(go_on(players, plan.truth, Won(seat=plan.asked.seat)), TOUCH)

    def _pass_up(self) -> None:
        plan = self._plan
        if plan is None or plan.asked is None or not plan.asked.passes:
            self._say(NOT_NOW)
            return
        self._passed = len(plan.truth.events)
        self._look()

    def _begin_hand(self) -> None:
        plan, players = self._plan, self._players
        if plan is None:
            self._look()
        elif plan.stage is Stage.HALTED:
            self._carry_out()
        elif players is None or plan.stage is not Stage.BETWEEN:
            self._say(NOT_NOW)
        else:
            self._enter(begin_hand(players, plan.truth), TOUCH)

    def _take_back(self) -> None:
        progress = self._progress
        steps = 0 if progress is None else count_own_steps(progress.state, progress.events)
        if steps:
            self._game.undo(steps).result(WAIT_S)

    def _set_pace(self, pace: Pace) -> None:
        self._pace = pace
        if pace is not Pace.SKIP:
            self._usual = pace
        self._set_due()
        self._show()

    def _set_strength(self, strength: Strength) -> None:
        if strength is self._strength:
            return
        self._strength = strength
        if self._players is not None:
            self._players = Players(self._players.house, strength)
            self._look()

    def _say(self, said: Sentence) -> None:
        """Show the sentence with the next view, now if there is one."""
        self._said = said
        self._show()

    def _show(self, *, wins: bool = False) -> None:
        plan, progress = self._plan, self._progress
        if plan is not None and progress is not None:
            said, self._said = self._said, None
            seat = plan.truth.seat
            self._tell(PracticeView(progress, seat, plan.stage, self._pace, plan.asked, wins, said))
