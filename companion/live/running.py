"""A running game with its devices and cameras. `GameOwner` (game/owner.py) owns the game; what devices report
goes there as proposals, on its thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from companion.following.device_messages import Agreement, DeviceMemory, Meaning, interpret
from companion.game.deciding import Decision
from companion.game.owner import CLOSE_S, GameOwner
from companion.game.proposals import ASK_ALWAYS, Proposal, Reporter, SourceKind, TrustPolicy
from companion.live.devices import ChosenDevices, DeviceLinks, DeviceReported, DevicesChanged, Serial
from firmware_bridge.session import LinkEvent

if TYPE_CHECKING:  # which brings OpenCV, and many games have no camera
    from companion.live.camera_reading import CameraListener, CameraReader, OpenCamera, ReadImage


class CameraReaders:
    """The cameras that a running game reads, each by one reader at a time. Safe for threads."""

    def __init__(self) -> None:
        self._readers: list[CameraReader] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def read(
        self, camera: str, open_camera: OpenCamera, read: ReadImage | None, listener: CameraListener
    ) -> CameraReader:
        """Read the tiles in a camera's pictures, opened when those stopped before are free. An earlier
        reader of the same camera, whichever of its ids is given, is stopped; after `stop` the new one is
        stopped immediately.
        """
        from companion.cameras import find_id
        from companion.live.camera_reading import CameraReader

        camera = find_id(camera)

        with self._lock:
            self._readers = [each for each in self._readers if not each.ended.is_set()]
            for each in self._readers:
                if each.camera == camera:
                    each.stop()
            after = [each for each in self._readers if each.is_stopped]
            reader = CameraReader(camera, open_camera, read, listener, after=after)
            self._readers.append(reader)
            if self._is_closed:
                reader.stop()
            reader.start()
        return reader

    def stop(self) -> None:
        """Stop all that read, and whatever is to read later."""
        with self._lock:
            self._is_closed = True
            for reader in self._readers:
                reader.stop()


class RunningGame(GameOwner):
    """One running game at a time, and everything that observes it. Like those of `GameOwner`, its methods may
    be called from any thread; all but `close` return immediately."""

    def __init__(
        self,
        *,
        policy: TrustPolicy | None = None,
        serial: Serial | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        super().__init__(policy=policy, clock=clock)
        self._recorded: dict[str, DeviceMemory] = {}
        self._cameras = CameraReaders()
        self._links = DeviceLinks(
            serial or Serial(),
            self._owner.post,
            progress=lambda: self._progress,
            report=self._handle_report,
            withdraw=self._withdraw,
            say=self._say,
            guard=self._owner.guard,
            changed=lambda devices: self._publish(DevicesChanged(devices)),
        )
        self._links.on_policy(self._policy)
        self._attached.append(self._links)

    def close(self, seconds: float = CLOSE_S) -> None:
        """Stop cameras, do what was asked before, say goodbye to devices, close the file. Waits at most that
        long; nothing that is asked later is done."""
        self._cameras.stop()
        super().close(seconds)

    # Cameras.

    def read_camera(
        self, camera: str, open_camera: OpenCamera, read: ReadImage | None, listener: CameraListener
    ) -> CameraReader:
        """Read the tiles in a camera's pictures until the reader, or the game, is stopped, or another reader
        of the camera begins. `listener` gets everything; without `read` only frames."""
        return self._cameras.read(camera, open_camera, read, listener)

    # Devices.

    def begin_devices(self, choice: ChosenDevices) -> Future[None]:
        """Listen to the devices that were chosen before."""
        return self._ask(lambda: self._links.begin(choice))

    def listen(self, target: str, record: Path | None = None) -> Future[None]:
        """Listen to the device at that port; `record`: the new file into which its session is written.

        InputError for a USB id that is not one, and if the file cannot be written.
        """

        return self._ask(lambda: self._links.listen(target, record))

    def forget(self, target: str) -> Future[None]:
        """Listen to that device no longer."""
        return self._ask(lambda: self._links.forget(target))

    def seat_device(self, target: str, first_seat: int) -> Future[None]:
        """Say which seat the device's side 0 is at."""
        return self._ask(lambda: self._links.seat(target, first_seat))

    def shuffle(self, target: str) -> Future[None]:
        """Have that table shuffle for the next hand."""
        return self._ask(lambda: self._links.shuffle(target))

    def watch_ports(self) -> Future[None]:
        """Know from now on which serial ports there are."""
        return self._ask(self._links.watch_ports)

    def look_for_devices(self, looking: bool) -> Future[None]:
        """Whether to ask the ports with a USB id which devices are there, and to listen to those."""
        return self._ask(lambda: self._links.look_for(looking))

    def report(self, target: str, event: LinkEvent) -> Future[None]:
        """Handle an event of a recorded session as if the device `target` reported it now."""

        def handle() -> None:
            state = self._progress.state if self._progress else None
            before = self._recorded.get(target, DeviceMemory())
            self._recorded[target], meaning = interpret(
                before, event, state, Agreement(wins=self._links.wins)
            )
            self._handle_report(target, event, meaning, False)

        return self._ask(handle)

    def _handle_report(
        self, target: str, event: LinkEvent, meaning: Meaning, is_again: bool
    ) -> Sequence[Decision]:
        """On the owner's thread: decide about what a device reported. Reports from another game need a
        person's confirmation; without a game nothing is entered."""
        if not is_again:
            self._publish(DeviceReported(target, event, meaning))
        if self._progress is None:
            return ()
        happened_ns = round(getattr(event, "happened", event.at) * 1e9)
        source = Reporter(SourceKind.DEVICE, target)
        policy = ASK_ALWAYS if is_again else self._policy
        decisions = [self._decide(Proposal(each, happened_ns, source), policy) for each in meaning.events]
        self._enter_ready()  # the device's next report may follow on it
        return decisions
