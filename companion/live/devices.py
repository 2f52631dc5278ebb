"""Dice cups and automatic tables: the ports, the links, how devices are shown, what they report, asking for a
shuffle.

Links have threads of their own and wake the owner of the running game; everything else here runs on its
thread and never waits, but for `PortWatch`, which lists the ports on a thread of its own. Nothing is decided
here: a report goes to `report`, which returns what became of it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from companion.errors import EventError, InputError
from companion.following.device_messages import Agreement, DeviceMemory, Meaning, interpret
from companion.game.deciding import Decision, Progress, Verdict
from companion.game.proposals import TrustPolicy
from companion.game.updates import Post, Update
from companion.named_files import CANNOT_WRITE, make_unusable
from companion.sentences import Sentence
from companion.table.events import Won
from companion.table.state import State
from firmware_bridge import troubles
from firmware_bridge.commands import Command, CommandOutcome, Result, SetTileCount, StartShuffle
from firmware_bridge.errors import LinkError, QueueFullError, RecordingError
from firmware_bridge.events import (
    ButtonAction,
    ButtonEvent,
    Dice,
    Discard,
    Table,
    TableError,
    TableState,
    Tile,
    Wall,
)
from firmware_bridge.handshake import Capability, Welcome
from firmware_bridge.limits import SILENCE_MAX_S
from firmware_bridge.link import Link, LinkState
from firmware_bridge.peer import End, Received
from firmware_bridge.ports import (
    USB_PREFIX,
    PortInfo,
    ProbeResult,
    find_candidates,
    list_serial_ports,
    probe_all,
)
from firmware_bridge.session import LinkEvent, SessionEnded
from firmware_bridge.troubles import LinkTrouble

DEVICES_MAX = 8
"""More than a table has; a list that was written by hand cannot start threads without end."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Chosen:
    """A device to listen to: its port, an address of pyserial, or usb:VVVV:PPPP[:serial]; and the seat at its
    side 0.
    """

    target: str
    first_seat: int = 0


@dataclass(frozen=True, slots=True)
class ChosenDevices:
    """The devices that a person chose, which are kept, and whether more are searched for."""

    devices: tuple[Chosen, ...] = ()
    looking: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether it can have come from the program."""
        targets = [one.target for one in self.devices]
        return (
            len(targets) == len(set(targets)) <= DEVICES_MAX
            and all(targets)
            and all(0 <= one.first_seat < SEATS for one in self.devices)
        )


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device and the link to it, as they are shown.

    device: what it said of itself when it was connected last. since: when the state began or, of a silent
    one, when it was heard last, in seconds of time.monotonic. last: what it reported last. table: what an
    automatic table is doing. shuffle_asked: whether it has still to answer to a shuffle. start: the state
    that its last roll or wall leads to if nobody has confirmed that yet; it was reported at start_at.
    wrong: why that cannot be. recording: whether the session is being written to a file.
    """

    chosen: Chosen
    state: LinkState = LinkState.NO_PORT
    since: float = 0.0
    port: str = ""
    trouble: LinkTrouble = troubles.NONE
    device: Welcome | None = None
    last: Received | None = None
    table: Table | None = None
    shuffle_asked: bool = False
    start: State | None = None
    start_at: float = 0.0
    wrong: EventError | None = None
    sessions: int = 0
    recording: bool = False


@dataclass(frozen=True, slots=True)
class DevicesView:
    """All that is shown of devices. `ports`: those of this computer. `tiles` and `dealer`: those of the game
    that a table would shuffle for.
    """

    devices: tuple[DeviceView, ...] = ()
    looking: bool = False
    ports: tuple[PortInfo, ...] = ()
    tiles: int = 0
    dealer: int = 0

    @property
    def choice(self) -> ChosenDevices:
        """What is to be kept."""
        return ChosenDevices(tuple(each.chosen for each in self.devices), self.looking)

    @property
    def is_connected(self) -> bool:
        """Whether any device is."""
        return any(each.state is LinkState.OPEN for each in self.devices)

    @property
    def newest_start(self) -> DeviceView | None:
        """The device that reported last what begins a hand."""
        starts = (each for each in self.devices if each.start)
        return max(starts, key=lambda each: each.start_at, default=None)


EVERY_S = 2.0
"""A device that is plugged in is noticed within it; listing the ports takes some milliseconds."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Serial:
    """How serial ports are listed and asked, and how links to devices are made."""

    list: Callable[[], tuple[PortInfo, ...]] = list_serial_ports
    ask: Callable[[Iterable[str]], tuple[ProbeResult, ...]] = probe_all
    open: Callable[..., Link] = Link


class PortWatch:
    """Calls `note_ports` with the ports when they have changed, `note_found` for each device that answers.

    Only ports with a USB id are asked, and only while `asking`; each once as long as it is plugged in, for a
    board may restart when its port is opened. Those in `taken` are left alone.
    """

    def __init__(
        self,
        serial: Serial,
        post: Post,
        note_ports: Callable[[tuple[PortInfo, ...]], None],
        note_found: Callable[[ProbeResult, PortInfo], None],
    ) -> None:
        self.asking = False
        self.taken: Collection[str] = frozenset()
        self._serial = serial
        self._post = post
        self._note_ports = note_ports
        self._note_found = note_found
        self._known: tuple[PortInfo, ...] | None = None
        self._asked: set[str] = set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """From now on; a second call changes nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="serial ports", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Soon; returns immediately, and nothing is called afterwards."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._look()
            except Exception:  # whatever a driver does, the next look may succeed
                log.exception("listing the serial ports")
            self._stop.wait(EVERY_S)

    def _look(self) -> None:
        known = self._serial.list()
        if known != self._known:
            self._known = known
            self._tell(lambda: self._note_ports(known))
        if not self.asking:
            self._asked.clear()
            return
        by_path = {port.path: port for port in known if port.usb}
        self._asked = (self._asked | {*self.taken}) & {*by_path}
        new = [path for path in by_path if path not in self._asked]
        self._asked.update(new)
        for found in self._serial.ask(new) if new else ():
            if found.answer is not None:
                self._tell(partial(self._note_found, found, by_path[found.path]))

    def _tell(self, call: Callable[[], None]) -> None:
        self._post(lambda: None if self._stop.is_set() else call())


BUSY = (TableState.SHUFFLING, TableState.BUILDING, TableState.PLAYING)
"""States in which a table refuses to shuffle (StartShuffle of the protocol)."""


def can_shuffle(device: Welcome) -> bool:
    return Capability.SHUFFLE in device.capabilities


def may_shuffle(table: Table | None) -> bool:
    """Whether a table in that state would begin; None if it reports none."""
    return table is None or (table.state not in BUSY and table.error != TableError.LID_OPEN)


class Shuffle:
    """A shuffle that is asked for over `link`."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._asked: dict[int, Command] = {}
        self._dealer = 0

    @property
    def waits(self) -> bool:
        """Whether something was asked that has not been answered."""
        return bool(self._asked)

    def ask(self, device: Welcome, table: Table | None, tiles: int, dealer: int) -> Sentence | None:
        """Ask for a wall of `tiles` tiles, before the side `dealer` deals; returns what prevents it."""
        self._dealer = dealer
        other = table is None or table.tile_count != tiles
        if other and Capability.TILE_COUNT in device.capabilities:
            return self._send(SetTileCount(tiles))
        return self._send(StartShuffle(dealer))

    def on_answer(self, result: Result) -> Sentence | None:
        """Continue after an answer; returns what prevents it."""
        command = self._asked.pop(result.command_seq, None)
        if command is None:
            return None
        if isinstance(command, SetTileCount):
            if result.outcome == CommandOutcome.DONE:
                return self._send(StartShuffle(self._dealer))
            return Sentence("The table cannot build a wall of {count} tiles.", {"count": command.tiles})
        if result.outcome in (CommandOutcome.DONE, CommandOutcome.STARTED):
            return None
        if result.outcome == CommandOutcome.REFUSED:
            return Sentence("The table does not shuffle now: a hand may be in play, or its lid may be open.")
        return Sentence("The table cannot shuffle in this way.")

    def forget(self) -> None:
        """The session is over: no answer will come."""
        self._asked.clear()

    def _send(self, command: Command) -> Sentence | None:
        try:
            self._asked[self._link.send(command)] = command
        except (LinkError, QueueFullError):
            return Sentence("The table is not connected, or does not answer.")
        return None


CLOSING_S = 0.2
"""Seconds that each link has to say goodbye when the game is closed."""


@dataclass(frozen=True, slots=True)
class DeviceReported(Update):
    """What a device reported over its link, and what that means for the game."""

    target: str
    event: LinkEvent
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class DevicesChanged(Update):
    """How the devices stand."""

    devices: DevicesView


@dataclass(slots=True)
class _Linked:
    """`start`: the roll or wall that was reported last, what was remembered of the device before it, and the
    agreement then; `waiting`: the number of the proposal that it has become.
    """

    view: DeviceView
    link: Link
    shuffle: Shuffle
    memory: DeviceMemory = field(default_factory=DeviceMemory)
    start: tuple[DeviceMemory, Received, Agreement] | None = None
    waiting: int | None = None


Report = Callable[[str, LinkEvent, Meaning, bool], Sequence[Decision]]
"""Takes the target of a device, an event of its link, its meaning, and whether it was reported before in
another game; returns what was decided about it."""


class DeviceLinks:
    """The links of one running game.

    `progress` returns the game as it is; `withdraw` drops a proposal that waits; `say` reports a sentence to
    people; `guard` does something and reports what goes wrong; `changed` is called when the view changes.
    `wins`: whether a win button declares a win.
    """

    def __init__(
        self,
        serial: Serial,
        post: Post,
        *,
        progress: Callable[[], Progress | None],
        report: Report,
        withdraw: Callable[[int], None],
        say: Callable[[Sentence], None],
        guard: Callable[[Callable[[], object]], None],
        changed: Callable[[DevicesView], None],
    ) -> None:
        self.view = DevicesView()
        self.wins = False
        self._serial = serial
        self._post = post
        self._progress = progress
        self._report = report
        self._withdraw = withdraw
        self._say = say
        self._guard = guard
        self._changed = changed
        self._linked: dict[str, _Linked] = {}
        self._watch = PortWatch(serial, post, self._note_ports, self._note_found)
        self._ports: tuple[PortInfo, ...] = ()
        self._woken = threading.Event()
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether links may change their state without waking the owner."""
        return bool(self._linked)

    def describe(self) -> DevicesChanged:
        """How the devices stand, for a new subscriber."""
        return DevicesChanged(self.view)

    def on_policy(self, policy: TrustPolicy) -> None:
        """The policy says whether a win button declares a win."""
        self.wins = policy.device.accepts(Won)

    def on_game(self, is_kept: bool) -> None:
        """Another game is played. For one that is not kept, the last rolls and walls are interpreted again;
        in a kept game those from before it mean nothing."""
        for one in self._linked.values():
            if is_kept:
                self._drop_start(one)
            else:
                self._interpret_start(one)
        self.poll()

    def begin(self, choice: ChosenDevices) -> None:
        """Listen to what was chosen before."""
        for chosen in choice.devices:
            self._open(chosen)
        self._watch.asking = choice.looking
        if choice.looking:
            self.watch_ports()
        self.poll()

    def watch_ports(self) -> None:
        """Know from now on which ports there are."""
        self._watch.start()

    def listen(self, target: str, record: Path | None = None) -> None:
        """Listen to the device at that port, and write its session to the new file `record`.

        Raises InputError for a USB id that is not one, and if the file cannot be written; MissingError if its
        disk is full.
        """
        target = target.strip()
        if not target or target in self._linked:
            return
        if len(self._linked) >= DEVICES_MAX:
            self._say(Sentence("{count} devices are enough: forget one first.", {"count": DEVICES_MAX}))
            return
        try:
            self._link(Chosen(target), record)
        except LinkError as error:
            raise InputError(error.trouble.template, **error.trouble.params) from error
        except RecordingError as error:
            if isinstance(error.__cause__, OSError):
                raise make_unusable(record, error.__cause__, CANNOT_WRITE) from error
            raise InputError("{trouble}", trouble=error) from error
        self.poll()

    def forget(self, target: str) -> None:
        """Listen to it no longer."""
        gone = self._linked.pop(target, None)
        if gone:
            threading.Thread(target=gone.link.close, daemon=True).start()  # it may take two seconds
            self._drop_start(gone)
            self.poll()

    def seat(self, target: str, first_seat: int) -> None:
        """Say which seat the device's side 0 is at."""
        one = self._linked.get(target)
        if one:
            one.view = replace(one.view, chosen=Chosen(target, first_seat))
            self.poll()

    def shuffle(self, target: str) -> None:
        """Have the table there shuffle for the next hand of the game."""
        one, progress = self._linked.get(target), self._progress()
        if one is None or one.view.device is None or progress is None:
            return
        side = (self.view.dealer - one.view.chosen.first_seat) % SEATS
        trouble = one.shuffle.ask(one.view.device, one.view.table, self.view.tiles, side)
        if trouble:
            self._say(trouble)
        self.poll()

    def look_for(self, looking: bool) -> None:
        """Whether to ask the ports with a USB id which devices are there."""
        self._watch.asking = looking
        self.watch_ports()
        self.poll()

    def poll(self) -> None:
        """Handle what devices reported, and publish the view where it has changed."""
        self._woken.clear()
        for one in tuple(self._linked.values()):
            self._read_link(one)
        for one in self._linked.values():
            if one.start and one.start[2] != self._agree(one):
                self._interpret_start(one)
        progress = self._progress()
        for one in self._linked.values():
            pending = progress.find_pending(one.waiting) if progress and one.waiting is not None else None
            start = pending.outcome if pending and pending.outcome and pending.outcome.playing else None
            one.view = replace(one.view, start=start)
        self._watch.taken = {path for target in self._linked for path in find_candidates(target, self._ports)}
        tiles = progress.state.house.wall.tile_set.total if progress else 0
        dealer = progress.state.deal.dealer if progress else 0
        devices = tuple(one.view for one in self._linked.values())
        view = DevicesView(devices, self._watch.asking, self._ports, tiles, dealer)
        if view != self.view:
            self.view = view
            self._changed(view)

    def close(self) -> None:
        """Say goodbye to every device."""
        self._is_closed = True
        self._watch.stop()
        for seconds in (0, CLOSING_S):  # all at once
            for one in self._linked.values():
                one.link.close(seconds)

    def _open(self, chosen: Chosen) -> None:
        try:
            self._link(chosen, None)
        except LinkError as error:  # a USB id that is not one
            self._say(Sentence.of(error.trouble))

    def _link(self, chosen: Chosen, record: Path | None) -> None:
        recording = {"record": record} if record else {}
        link = self._serial.open(chosen.target, wake=self._wake, **recording)
        view = DeviceView(chosen, since=time.monotonic())
        self._linked[chosen.target] = _Linked(view, link, Shuffle(link))

    def _wake(self) -> None:
        """Called by the threads of links, thousands of times a second where a device floods."""
        if not self._woken.is_set():
            self._woken.set()
            self._post(lambda: None if self._is_closed else self.poll())

    def _read_link(self, one: _Linked) -> None:
        """What its link received since the last poll, and the link's state."""
        silent_from = None
        for event in one.link.take():
            if isinstance(event, SessionEnded) and event.reason is End.SILENCE:
                silent_from = event.at - SILENCE_MAX_S
            if isinstance(event, SessionEnded):
                one.shuffle.forget()
            self._guard(partial(self._handle_event, one, event))  # one that fails takes no other with it
        status = one.link.status()
        view = one.view
        if silent_from is not None:
            view = replace(view, since=silent_from)
        elif (status.state, status.trouble) != (view.state, view.trouble):
            view = replace(view, since=time.monotonic())
        one.view = replace(
            view, state=status.state, port=status.port, trouble=status.trouble,
            device=status.device or view.device, table=status.known.table, shuffle_asked=one.shuffle.waits,
            sessions=status.sessions, recording=status.recording,
        )  # fmt: skip

    def _handle_event(self, one: _Linked, event: LinkEvent) -> None:
        before, agreed, progress = one.memory, self._agree(one), self._progress()
        one.memory, meaning = interpret(before, event, progress.state if progress else None, agreed)
        decisions = self._report(one.view.chosen.target, event, meaning, False)
        if not isinstance(event, Received):
            return
        message = event.message
        if isinstance(message, Result) and (trouble := one.shuffle.on_answer(message)):
            self._say(trouble)
        if isinstance(message, Dice | Wall) and (meaning.events or meaning.trouble):
            one.start = before, event, agreed
            self._note_start(one, meaning, decisions)
        elif isinstance(message, Wall) and one.start and isinstance(one.start[1].message, Wall):
            self._drop_start(one)  # that wall stands no longer
        if isinstance(message, ButtonEvent) and message.action != ButtonAction.PRESSED:
            return
        if isinstance(message, Dice | Wall | Tile | Discard | ButtonEvent | Table):
            one.view = replace(one.view, last=event)

    def _agree(self, one: _Linked) -> Agreement:
        others = (each for each in self._linked.values() if each is not one)
        elsewhere = any(each.memory.reports_dice and each.view.state is LinkState.OPEN for each in others)
        return Agreement(one.view.chosen.first_seat, self.wins, elsewhere)

    def _interpret_start(self, one: _Linked) -> None:
        """Interpret the last roll or wall again for the current game, if no hand has begun."""
        progress = self._progress()
        if one.start is None or progress is None:
            return
        memory, event, _ = one.start
        agreed = self._agree(one)
        _, meaning = interpret(memory, event, progress.state, agreed)
        self._drop_start(one)
        one.start = memory, event, agreed
        decisions = self._report(one.view.chosen.target, event, meaning, True)
        self._note_start(one, meaning, decisions)

    def _note_start(self, one: _Linked, meaning: Meaning, decisions: Sequence[Decision]) -> None:
        """What became of a roll or a wall."""
        assert one.start is not None
        refused = (each.error for each in decisions if each.verdict is Verdict.REFUSED)
        waiting = (each.pending.number for each in decisions if each.pending)
        if any(each.verdict in (Verdict.ACCEPTED, Verdict.REPEATED) for each in decisions):
            one.start = None
        one.waiting = next(waiting, None)
        at = one.start[1].at if one.start else 0.0
        one.view = replace(one.view, wrong=next(refused, meaning.trouble), start_at=at)

    def _drop_start(self, one: _Linked) -> None:
        if one.waiting is not None:
            self._withdraw(one.waiting)
        one.start = one.waiting = None
        one.view = replace(one.view, wrong=None, start=None)

    def _note_ports(self, ports: tuple[PortInfo, ...]) -> None:
        self._ports = ports
        self.poll()

    def _note_found(self, found: ProbeResult, port: PortInfo) -> None:
        """A device answers there: listen to it. One that has moved to another port is the same device."""
        if not self._watch.asking:
            return
        answer = found.answer
        for target, one in tuple(self._linked.items()):
            known = one.view.device
            same = known and isinstance(answer, Welcome) and known.serial == answer.serial
            if same and one.view.state is not LinkState.OPEN:
                self.forget(target)
        numbered = port.usb.count(":") == 2
        self.listen(f"{USB_PREFIX}{port.usb}" if numbered else found.path)
