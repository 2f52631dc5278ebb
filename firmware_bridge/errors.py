"""What this package raises. Bytes from a device never raise: damage is counted, and returned as values."""

from __future__ import annotations

from firmware_bridge.troubles import LinkTrouble


class BridgeError(Exception):
    """Base of all errors of the bridge; `str(error)` is one sentence."""


class MessageError(BridgeError, ValueError):
    """A message whose fields are out of range, or whose payload is too short; says which field and what is
    allowed.
    """


class QueueFullError(BridgeError):
    """More messages were posted than the other side acknowledged; wait, or find out why it does not
    answer.
    """


class LinkError(BridgeError):
    """A port that cannot be opened, is not a serial port, or was asked for something while not connected."""

    def __init__(self, template: str, /, **params: object) -> None:
        self.trouble = LinkTrouble(template, **params)
        super().__init__(self.trouble)


class RecordingError(BridgeError, ValueError):
    """A recording that cannot be read; names the line."""
