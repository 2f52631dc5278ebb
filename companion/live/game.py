"""A running game and its one owner: the kept game, the devices, the cameras, one clock, one thread.

Here, and nowhere else, proposals become events. Callers send intents, which return at once; the owner's
thread decides, writes to the disk, and gives every subscriber updates in the order in which things happened.
What an update says was accepted is on the disk. The decision itself is pure (`deciding.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from companion.errors import EventError, GameFileError
from companion.following.bridge import Meaning
from companion.game import Game, copies
from companion.live import deciding
from companion.live.camera_readers import CameraReaders
from companion.live.deciding import Decision, Progress, Verdict
from companion.live.deciding_all import decide_all, take_back_last
from companion.live.desk import Desk, T
from companion.live.device_intents import DeviceIntents
from companion.live.device_links import DeviceLinks
from companion.live.owner_thread import OwnerThread, describe_error
from companion.live.port_watch import Serial
from companion.live.posting import Post
from companion.live.proposals import ASK_ALWAYS, Proposal, Source, SourceKind, TrustPolicy
from companion.live.recorded_device import RecordedDevice
from companion.live.steps import came_before, open_progress, redo_steps, undo_steps
from companion.live.subscribers import Subscriber, Subscribers
from companion.live.updates import (
    CameraRead,
    Closed,
    Decided,
    DeviceReported,
    DevicesChanged,
    GameOpened,
    Moved,
    SourceStands,
    Trouble,
    Update,
)
from companion.live.waiting import find_overdue, find_ready
from companion.sentences import Sentence
from companion.table.events import Corrected, Event, GameStarted, Won
from companion.table.unrecorded import take_out
from firmware_bridge.session import LinkEvent

if TYPE_CHECKING:  # which brings OpenCV, and many games have no camera
    from companion.live.camera_reading import (
        CameraListener,
        CameraReader,
        OpenCamera,
        ReadImage,
        TimedReading,
    )

CLOSE_S = 2.0
"""The longest wait for the owner's thread when the game is closed: a transaction takes some 10 ms, a copy of
the game on a slow card some 200 ms."""


class RunningGame(DeviceIntents):
    """One running game at a time, and everything that observes it.

    Every public method may be called from any thread, and all but `close` return at once; the future that
    most of them return holds the result, or the error that was reported as `Trouble`. `clock` gives
    nanoseconds. All times of proposals are of it; those of devices and cameras are where it is
    `time.monotonic_ns`.
    """

    def __init__(
        self,
        *,
        policy: TrustPolicy | None = None,
        serial: Serial | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._agreed = policy or TrustPolicy()
        self._own: TrustPolicy | None = None
        self._clock = clock
        self._progress: Progress | None = None
        self._game: Game | None = None
        self._subscribers = Subscribers()
        self._copying: Thread | None = None
        self._recorded: dict[str, RecordedDevice] = {}
        self._owner = OwnerThread(self._look, self._is_busy, self._enter_ready, self._say, self._finish)
        self._cameras = CameraReaders(self._note_reading)
        self._ask = self._owner.ask
        self._links = DeviceLinks(
            serial or Serial(),
            self._owner.post,
            progress=lambda: self._progress,
            report=self._take_report,
            withdraw=self._withdraw,
            say=self._say,
            guard=self._owner.guard,
            changed=lambda devices: self._publish(DevicesChanged(devices)),
        )
        self._set_policy(self._agreed, None)
        self._owner.start()

    @property
    def now_ns(self) -> int:
        """The time of the game's clock."""
        return self._clock()

    def subscribe(self, deliver: Callable[[Update], None], post: Post | None = None) -> Future[None]:
        """Give `deliver` every update from now on, first the game and the devices as they are.

        It is called by way of `post`; without one on the owner's thread, where it must return at once.
        """

        def add() -> None:
            subscriber = Subscriber(deliver, post)
            self._subscribers.add(subscriber)
            subscriber.send(self._describe_game())
            subscriber.send(DevicesChanged(self._links.view))

        return self._ask(add)

    def unsubscribe(self, deliver: Callable[[Update], None]) -> Future[None]:
        """Give `deliver` nothing any more."""
        return self._ask(lambda: self._subscribers.remove(deliver))

    # The game that is played.

    def play(self, start: GameStarted, policy: TrustPolicy | None = None) -> Future[bool]:
        """Play a game that is not kept, under `policy` or what was agreed on. What devices reported before is
        interpreted for it again. False, and nothing is done, where a kept game is played: that goes on.
        """

        def begin() -> bool:
            if self._game is not None:
                return False
            progress = deciding.begin_progress([start])
            self._set_policy(self._agreed, policy)
            self._open(None, progress)
            self._links.interpret_again()
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
        return self._ask(lambda: self._open(None, None) if self._game else None)

    def agree(self, policy: TrustPolicy) -> Future[None]:
        """From now on this policy says what is accepted without asking, but in a game that has its own."""

        def change() -> None:
            self._set_policy(policy, self._own)
            self._links.look()

        return self._ask(change)

    # Proposals and steps.

    def propose(self, proposal: Proposal) -> Future[Decision]:
        """Say that an event was observed."""
        return self._ask(lambda: self._decide(proposal))

    def together(self, work: Callable[[Desk], T]) -> Future[T]:
        """Have `work` done on the game's thread: nothing happens in the game but what it decides."""

        def decide(proposal: Proposal) -> Decision:
            decision = self._decide(proposal)
            self._enter_ready()
            return decision

        return self._ask(lambda: work(Desk(self._require_progress, decide, self._decide_all)))

    def confirm(self, number: int, by: Source, choice: Event | None = None) -> Future[Decision | None]:
        """A person confirms a proposal that waits, or says what it was instead; None: it waits no longer."""

        def enter() -> Decision | None:
            before = self._require_progress()
            decision = deciding.confirm(before, number, by, choice)
            return self._carry_out(before, decision) if decision else None

        return self._ask(enter)

    def reject(self, number: int) -> Future[None]:
        """A person says that a proposal that waits is wrong."""
        return self._ask(lambda: self._withdraw(number))

    def correct(self, number: int, right: Event | None, by: Source, why: str = "") -> Future[Decision]:
        """Event `number` of the log was `right`, or, where that is None, did not happen: then a draw that
        belongs to it did not either, where what followed fits only so."""
        t_ns = self._clock()

        def correct() -> Decision:
            event = Corrected(number=number, right=right, why=why)
            if right is None:
                event = take_out(self._require_progress().events, number, why)
            return self._decide(Proposal(event, t_ns, by))

        return self._ask(correct)

    def undo(self, steps: int = 1, key: str | None = None) -> Future[None]:
        """Take back the last events. InputError where there are not as many; otherwise as `Game.undo`."""
        return self._ask(lambda: self._step(undo_steps(self._game, self._require_progress(), steps, key)))

    def redo(self, steps: int = 1, key: str | None = None) -> Future[None]:
        """Bring back events that were undone. Errors: as of `undo`."""
        return self._ask(lambda: self._step(redo_steps(self._game, self._require_progress(), steps, key)))

    def note_standing(self, source: Source, lost: Sentence | None) -> Future[None]:
        """Let everybody know that a source has lost the thread, as a camera that is covered, and why; or,
        with None, that it has found it again.
        """
        return self._ask(lambda: self._publish(SourceStands(source, lost)))

    # Devices and cameras.

    def report(self, target: str, event: LinkEvent) -> Future[None]:
        """Take an event of a recorded session as if the device `target` reported it now."""

        def take() -> None:
            device = self._recorded.setdefault(target, RecordedDevice())
            meaning = device.interpret(event, self._progress, wins=self._links.wins)
            self._take_report(target, event, meaning, False)

        return self._ask(take)

    def read_camera(
        self, camera: str, open_camera: OpenCamera, read: ReadImage | None, listener: CameraListener
    ) -> CameraReader:
        """Read the tiles in a camera's pictures until the reader, or the game, is stopped, or another reader
        of the camera begins. Subscribers get the readings, `listener` everything; without `read` only frames.
        """
        return self._cameras.read(camera, open_camera, read, listener)

    def close(self, seconds: float = CLOSE_S) -> None:
        """Do what was asked before, say goodbye to devices, stop cameras, close the file.

        Waits at most that long; nothing that is asked later is done.
        """
        self._cameras.stop()
        self._owner.close(seconds)

    def _note_reading(self, camera: str, reading: TimedReading) -> None:
        self._owner.post(lambda: self._publish(CameraRead(camera, reading)))

    # Everything below runs on the owner's thread.

    def _is_busy(self) -> bool:
        """Whether links may change without waking anybody, or proposals wait for their time."""
        return self._links.has_links or bool(self._progress and self._progress.pending)

    def _look(self) -> None:
        if self._links.has_links:
            self._links.look()
        if self._progress is None:
            return
        for overdue in find_overdue(self._progress, self._policy, self._clock()):
            self._progress = deciding.reject(self._progress, overdue.number)
            refused = Decision(Verdict.REFUSED, overdue.proposal, self._progress, error=overdue.trouble)
            self._publish(Decided(refused))

    @property
    def _policy(self) -> TrustPolicy:
        return self._own or self._agreed

    def _set_policy(self, agreed: TrustPolicy, own: TrustPolicy | None) -> None:
        """What was agreed on, and the policy of the game itself where it has one."""
        self._agreed, self._own = agreed, own
        self._links.wins = self._policy.device.accepts(Won)

    def _finish(self) -> None:
        try:
            self._links.close()
        finally:
            self._close_file()
            self._publish(Closed())
            if self._copying is not None:
                self._copying.join()

    def _require_progress(self) -> Progress:
        if self._progress is None:
            raise EventError(deciding.NO_GAME)
        return self._progress

    def _open(self, game: Game | None, progress: Progress | None) -> None:
        self._close_file()
        if self._progress and progress:  # no number of a proposal means another one in the next game
            progress = replace(progress, next_pending=self._progress.next_pending)
        self._game, self._progress = game, progress
        self._publish(self._describe_game())

    def _describe_game(self) -> GameOpened:
        return GameOpened(self._progress, self._game.file.path if self._game else None)

    def _open_kept(self, game: Game, policy: TrustPolicy | None) -> None:
        progress = open_progress(game)
        self._set_policy(self._agreed, policy)
        self._open(game, progress)
        self._owner.guard(partial(self._keep_copy, is_opened=True))
        self._links.forget_starts()

    def _close_file(self) -> None:
        if self._game:
            self._owner.guard(self._keep_copy)
            self._game.close()
            self._game = None

    def _keep_copy(self, is_opened: bool = False) -> None:
        """Have a copy of the game kept. is_opened: then also those that are missing, since the program may
        have been killed."""
        if self._game is not None:
            path, content = self._game.file.path, self._game.file.make_snapshot()
            self._copying = copies.keep_on_thread(
                path, content, lambda trouble: self._owner.post(lambda: self._say(trouble)), missing=is_opened
            )

    def _decide(self, proposal: Proposal, policy: TrustPolicy | None = None, number: int = 0) -> Decision:
        before = self._require_progress()
        if came_before(self._game, proposal):
            decision = Decision(Verdict.REPEATED, proposal, before)
            self._publish(Decided(decision))
            return decision
        return self._carry_out(before, deciding.decide(before, proposal, policy or self._policy, number))

    def _decide_all(self, proposals: Sequence[Proposal], instead_of: int) -> list[Decision]:
        """Where all of them are accepted, store what was decided at once; then let it be known."""
        begun = take_back_last(self._require_progress(), instead_of)
        decisions = decide_all(begun, proposals, self._policy)
        if all(each.verdict is Verdict.ACCEPTED for each in decisions):
            if self._game is not None:
                self._game.append_all([each.event for each in decisions if each.event], instead_of)
            self._step(begun if instead_of else None)
            for decision in decisions:
                self._progress = decision.progress
                self._publish(Decided(decision))
            self._enter_ready()
        return decisions

    def _carry_out(self, before: Progress, decision: Decision) -> Decision:
        """Store what was decided, then let it be known."""
        if decision.verdict is Verdict.ACCEPTED and self._game is not None:
            assert decision.event is not None
            try:
                self._game.append(decision.event, decision.proposal.key, decision.proposal.p)
            except EventError as error:  # a field of it cannot be kept
                decision = Decision(Verdict.REFUSED, decision.proposal, before, error=error)
            except GameFileError as error:
                self._say(error.sentence)
                decision = deciding.hold_unstored(before, decision)
        self._progress = decision.progress
        self._publish(Decided(decision))
        return decision

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

    def _step(self, progress: Progress | None) -> None:
        if progress is not None:
            self._progress = progress
            self._publish(Moved(progress))

    def _withdraw(self, number: int) -> None:
        if self._progress and self._progress.find_pending(number):
            self._step(deciding.reject(self._progress, number))

    def _take_report(
        self, target: str, event: LinkEvent, meaning: Meaning, is_again: bool
    ) -> Sequence[Decision]:
        """Decide about what a device reported. What it reported in another game is entered by nobody but a
        person; where no game is played, nothing.
        """
        if not is_again:
            self._publish(DeviceReported(target, event, meaning))
        if self._progress is None:
            return ()
        happened_ns = round(getattr(event, "happened", event.at) * 1e9)
        source = Source(SourceKind.DEVICE, target)
        policy = ASK_ALWAYS if is_again else self._policy
        decisions = [self._decide(Proposal(each, happened_ns, source), policy) for each in meaning.events]
        self._enter_ready()  # the device's next report may follow on it
        return decisions

    def _say(self, sentence: Sentence) -> None:
        self._publish(Trouble(sentence))

    def _publish(self, update: Update) -> None:
        self._subscribers.send(update)
