"""A device whose session is played back: what is remembered of it from one event to the next."""

from __future__ import annotations

from companion.following.device_messages import Agreement, DeviceMemory, Meaning, interpret
from companion.live.deciding import Progress
from firmware_bridge.session import LinkEvent


class RecordedDevice:
    """Interprets the events of a recorded session, in their order."""

    def __init__(self) -> None:
        self._memory = DeviceMemory()

    def interpret(self, event: LinkEvent, progress: Progress | None, *, wins: bool) -> Meaning:
        """What the event means for the game as it is now."""
        state = progress.state if progress else None
        self._memory, meaning = interpret(self._memory, event, state, Agreement(wins=wins))
        return meaning
