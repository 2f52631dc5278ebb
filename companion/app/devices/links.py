"""Dice cups and automatic tables: which are listened to, how their links stand, what they told. No Kivy.

Links have threads of their own and wake the window; everything here runs on the window's thread and never
waits. What devices tell is tried on a table that waits for its next hand: there is no game to change yet.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.errors import EventError
from companion.photo_hand.draft import WinDraft
from companion.running.port_watch import PortWatch, Serial
from companion.running.posting import Post
from companion.running.shuffle import Shuffle
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.table.state import State
from companion.tracking.bridge import Agreed, Device, heard, outcome
from firmware_bridge import troubles
from firmware_bridge.commands import Result
from firmware_bridge.errors import LinkError
from firmware_bridge.events import Button, ButtonAction, ButtonEvent, Dice, Discard, Table, Tile, Wall
from firmware_bridge.handshake import Welcome
from firmware_bridge.limits import SILENCE_MAX_S
from firmware_bridge.link import Link, LinkState
from firmware_bridge.peer import End, Received
from firmware_bridge.ports import USB_PREFIX, PortInfo, ProbeResult, find_candidates
from firmware_bridge.session import LinkEvent as LinkEvent
from firmware_bridge.session import SessionEnded
from firmware_bridge.troubles import Trouble

LOOK_EVERY_S = 0.5
"""How often links are looked at beside being woken by them: a state changes without a message."""
CLOSING_S = 0.2
"""How long each link may take to say goodbye when the window closes."""
DEVICES_MAX = 8
"""More than a table has; keeps a list that somebody wrote by hand from starting threads without end."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Chosen:
    """A device to listen to: its port, an address of pyserial, or usb:VVVV:PPPP[:serial]; and the seat at its
    side 0.
    """

    target: str
    first_seat: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose, and is kept: devices, and whether more are looked for."""

    devices: tuple[Chosen, ...] = ()
    looking: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether it can have come from the window."""
        targets = [one.target for one in self.devices]
        return (
            len(targets) == len(set(targets)) <= DEVICES_MAX
            and all(targets)
            and all(0 <= one.first_seat < SEATS for one in self.devices)
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A device and the link to it, as the window shows them.

    device: what it said of itself when it was connected last. since: when the state began or, of a silent
    one, when it was heard last, in seconds of time.monotonic. last: what it told last. table: what an
    automatic table is doing. shuffle_asked: whether it has still to answer to a shuffle. begun: the hand that
    would begin with its roll or its wall, which it told at begun_at. wrong: why none does.
    """

    chosen: Chosen
    state: LinkState = LinkState.NO_PORT
    since: float = 0.0
    port: str = ""
    trouble: Trouble = troubles.NONE
    device: Welcome | None = None
    last: Received | None = None
    table: Table | None = None
    shuffle_asked: bool = False
    begun: State | None = None
    begun_at: float = 0.0
    wrong: EventError | None = None


@dataclass(frozen=True, slots=True)
class DevicesView:
    """All that the window shows of devices. `ports`: those of this computer. `tiles` and `dealer`: those of
    the game that a table would shuffle for.
    """

    lines: tuple[Line, ...] = ()
    looking: bool = False
    ports: tuple[PortInfo, ...] = ()
    tiles: int = 0
    dealer: int = 0

    @property
    def connected(self) -> bool:
        return any(line.state is LinkState.OPEN for line in self.lines)

    @property
    def begun(self) -> Line | None:
        """The device that told last what begins a hand."""
        told = (line for line in self.lines if line.begun)
        return max(told, key=lambda line: line.begun_at, default=None)


@dataclass(slots=True)
class _Linked:
    """`telling`: the roll or wall that was told last, and what was known of the device before it."""

    line: Line
    link: Link
    shuffle: Shuffle
    known: Device = field(default_factory=Device)
    telling: tuple[Device, Received] | None = None


class Devices:
    """`changed` is called whenever the view is another one, `kept` when the choice is; `asked` hears which
    seat's win button was pressed; `tell` says a sentence across the window.
    """

    def __init__(
        self,
        serial: Serial,
        post: Post,
        *,
        changed: Callable[[], None],
        kept: Callable[[], None],
        asked: Callable[[int], None],
        tell: Callable[[Sentence], None],
    ) -> None:
        self.view = DevicesView()
        self._serial = serial
        self._post = post
        self._changed = changed
        self._kept = kept
        self._asked = asked
        self._tell = tell
        self._linked: dict[str, _Linked] = {}
        self._waiting = waiting(WinDraft())
        self._watch = PortWatch(serial, post, self._listed, self._found)
        self._ports: tuple[PortInfo, ...] = ()
        self._woken = threading.Event()
        self._closed = threading.Event()
        self._beating = False

    @property
    def choice(self) -> Choice:
        """What is to be kept."""
        return Choice(tuple(one.line.chosen for one in self._linked.values()), self._watch.asking)

    def begin(self, choice: Choice) -> None:
        """Listen to what was chosen before."""
        for chosen in choice.devices:
            self._link(chosen)
        self._watch.asking = choice.looking
        if choice.looking:
            self.watch_ports()
        self.look()

    def watch_ports(self) -> None:
        """Know from now on which ports there are."""
        self._watch.start()

    def listen(self, target: str) -> None:
        """Listen to the device at that port, from now on and in later runs."""
        target = target.strip()
        if not target or target in self._linked:
            return
        if len(self._linked) >= DEVICES_MAX:
            self._tell(Sentence("{count} devices are enough: forget one first.", {"count": DEVICES_MAX}))
            return
        self._link(Chosen(target))
        self._keep()

    def forget(self, target: str) -> None:
        """Listen to it no longer."""
        gone = self._linked.pop(target, None)
        if gone:
            threading.Thread(target=gone.link.close, daemon=True).start()  # it may take two seconds
            self._keep()

    def seat(self, target: str, first_seat: int) -> None:
        """That seat is at the device's side 0."""
        one = self._linked[target]
        one.line = replace(one.line, chosen=Chosen(target, first_seat))
        self._keep()

    def shuffle(self, target: str) -> None:
        """Have the table there shuffle for the next hand of the game."""
        one = self._linked[target]
        if one.line.device is None:
            return
        side = (self.view.dealer - one.line.chosen.first_seat) % SEATS
        self._say(one.shuffle.ask(one.line.device, one.line.table, self.view.tiles, side))
        self.look()

    def look_for(self, looking: bool) -> None:
        """Whether to ask the ports with a USB id which devices are there."""
        self._watch.asking = looking
        self.watch_ports()
        self._keep()

    def play(self, facts: WinDraft) -> None:
        """What devices tell is for the game of `facts`."""
        state = waiting(facts)
        if state != self._waiting:
            self._waiting = state
            self.look()

    def look(self) -> None:
        """Take what devices told, and tell the window where anything is new."""
        self._woken.clear()
        for one in tuple(self._linked.values()):
            self._take(one)
        lines = tuple(self._meant(one) for one in self._linked.values())
        self._watch.taken = {path for target in self._linked for path in find_candidates(target, self._ports)}
        waits = self._waiting
        tiles, dealer = waits.house.wall.tile_set.total, waits.deal.dealer
        view = DevicesView(lines, self._watch.asking, self._ports, tiles, dealer)
        if view != self.view:
            self.view = view
            self._changed()

    def close(self) -> None:
        """Say goodbye to every device."""
        self._closed.set()
        self._watch.stop()
        for seconds in (0, CLOSING_S):  # all at once
            for one in self._linked.values():
                one.link.close(seconds)

    def _link(self, chosen: Chosen) -> None:
        try:
            link = self._serial.open(chosen.target, wake=self._wake)
        except LinkError as error:  # a USB id that is none
            self._tell(Sentence.of(error.trouble))
            return
        self._linked[chosen.target] = _Linked(Line(chosen, since=time.monotonic()), link, Shuffle(link))
        if not self._beating:
            self._beating = True
            threading.Thread(target=self._beat, name="devices", daemon=True).start()

    def _say(self, trouble: Sentence | None) -> None:
        if trouble:
            self._tell(trouble)

    def _keep(self) -> None:
        self.look()
        self._kept()

    def _wake(self) -> None:
        """Called by the threads of links, thousands of times a second where a device floods."""
        if not self._woken.is_set():
            self._woken.set()
            self._post(self._look_unless_closed)

    def _beat(self) -> None:
        while not self._closed.wait(LOOK_EVERY_S):
            self._wake()

    def _look_unless_closed(self) -> None:
        if not self._closed.is_set():
            self.look()

    def _take(self, one: _Linked) -> None:
        """What its link heard since the last look, and how it stands."""
        silent_from = None
        for event in one.link.take():
            if isinstance(event, SessionEnded) and event.reason is End.SILENCE:
                silent_from = event.at - SILENCE_MAX_S
            if isinstance(event, SessionEnded):
                one.shuffle.forget()
            self._hear(one, event)
        status = one.link.status()
        line = one.line
        if silent_from is not None:
            line = replace(line, since=silent_from)
        elif (status.state, status.trouble) != (line.state, line.trouble):
            line = replace(line, since=time.monotonic())
        one.line = replace(
            line, state=status.state, port=status.port, trouble=status.trouble,
            device=status.device or line.device, table=status.known.table, shuffle_asked=one.shuffle.waits,
        )  # fmt: skip

    def _hear(self, one: _Linked, event: LinkEvent) -> None:
        agreed = self._agreed(one)
        before = one.known
        one.known, told = heard(before, event, self._waiting, agreed)
        if not isinstance(event, Received):
            return
        message = event.message
        if isinstance(message, Result):
            self._say(one.shuffle.answered(message))
        if isinstance(message, Dice | Wall) and (told.events or told.trouble):
            one.telling = before, event
        elif isinstance(message, Wall) and one.telling and isinstance(one.telling[1].message, Wall):
            one.telling = None  # that wall stands no longer
        if isinstance(message, ButtonEvent) and message.action != ButtonAction.PRESSED:
            return
        if isinstance(message, Dice | Wall | Tile | Discard | ButtonEvent | Table):
            one.line = replace(one.line, last=event)
        pressed = told.asked
        if pressed and pressed.button == Button.WIN and pressed.seat in self._waiting.house.seats:
            self._asked(pressed.seat)

    def _agreed(self, one: _Linked) -> Agreed:
        others = (each for each in self._linked.values() if each is not one)
        elsewhere = any(other.known.tells_dice and other.line.state is LinkState.OPEN for other in others)
        return Agreed(first_seat=one.line.chosen.first_seat, dice_elsewhere=elsewhere)

    def _meant(self, one: _Linked) -> Line:
        """The device with what its last roll or wall means for the game as it is now."""
        if one.telling is None:
            one.line = replace(one.line, begun=None, wrong=None)
            return one.line
        known, event = one.telling
        _, told = heard(known, event, self._waiting, self._agreed(one))
        state, wrong = outcome(self._waiting, told)
        begun = state if state.playing else None
        one.line = replace(one.line, begun=begun, begun_at=event.at, wrong=wrong)
        return one.line

    def _listed(self, ports: tuple[PortInfo, ...]) -> None:
        self._ports = ports
        self.look()

    def _found(self, found: ProbeResult, port: PortInfo) -> None:
        """A device answers there: listen to it. One that has moved to another port is the same device."""
        if not self._watch.asking:
            return
        answer = found.answer
        for target, one in tuple(self._linked.items()):
            known = one.line.device
            same = known and isinstance(answer, Welcome) and known.serial == answer.serial
            if same and one.line.state is not LinkState.OPEN:
                self.forget(target)
        numbered = port.usb.count(":") == 2
        self.listen(f"{USB_PREFIX}{port.usb}" if numbered else found.path)


def waiting(facts: WinDraft) -> State:
    """The table of `facts`, whose people are about to begin a hand."""
    dealer = facts.dealer if facts.dealer in facts.seats else facts.seats[0]
    return apply(None, GameStarted(rules=facts.rules, options=dict(facts.options), dealer=dealer))
