"""How the devices of a running game are shown, and which of them are kept: values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import EventError
from companion.table.state import State
from firmware_bridge import troubles
from firmware_bridge.events import Table
from firmware_bridge.handshake import Welcome
from firmware_bridge.link import LinkState
from firmware_bridge.peer import Received
from firmware_bridge.ports import PortInfo
from firmware_bridge.troubles import Trouble

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
class ChosenDevices:
    """What a person chose, and is kept: devices, and whether more are looked for."""

    devices: tuple[Chosen, ...] = ()
    looking: bool = False

    @property
    def is_sound(self) -> bool:
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
    that its last roll or wall leads to where nobody has confirmed that yet; it was reported at start_at.
    wrong: why that cannot be. recording: whether the session is being written to a file.
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
