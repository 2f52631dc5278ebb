"""What is asked of the devices of a running game: intents, which return at once."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from companion.live.device_links import DeviceLinks
from companion.live.device_views import ChosenDevices


class DeviceIntents(ABC):
    """Done on the owner's thread; may be called from any."""

    _ask: Callable[[Callable[[], Any]], Future[Any]]
    _links: DeviceLinks

    def begin_devices(self, choice: ChosenDevices) -> Future[None]:
        """Listen to the devices that were chosen before."""
        return self._ask(lambda: self._links.begin(choice))

    def listen(self, target: str, record: Path | None = None) -> Future[None]:
        """Listen to the device at that port; `record`: the new file into which its session is written.

        InputError for a USB id that is not one, and where the file cannot be written.
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
