"""Messages about ports and devices for people: sentences that can be translated.

Each is a template with named parameters; SENTENCES and the reasons of `peer.End` are all there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

NO_USB = "No device is plugged in with a USB id."
NOT_PLUGGED_IN = "No device is plugged in that '{target}' names."
NO_USB_ID = "'{target}' is not a USB id: write usb:VVVV:PPPP or usb:VVVV:PPPP:serial, as in usb:2341:0043"
NOT_ALLOWED = "{port} may not be used by this account: add the account to the group 'dialout'"
IN_USE = "{port} cannot be opened: another program uses it"
NO_SUCH_PORT = "{port} cannot be opened: there is no such port"
NO_SERIAL_PORT = "{port} cannot be opened: it is not a serial port"
NOT_OPENED = "{port} cannot be opened: {why}"
TOO_SLOW = "{port} does not open in time"
UNPLUGGED = "{port} was unplugged, or failed: plug it in again"
FAILED = "{port} failed: {why}"
NOTHING_ANSWERS = "Nothing at {port} answers in this protocol."
OTHER_PROTOCOL = "Something is sent, but not in this protocol."
FAULT = "The connection failed inside the program: see the log."
ENDED = "The session ended: {why}."
BUSY = "The device is connected to another computer: end that link first."
OTHER_VERSION = "The device speaks version {version} of the protocol: update it, or this program."
OTHER_VERSIONS = "The device speaks version {least} to {most} of the protocol: update it, or this program."
REFUSED = "The device refuses, for a reason that this program does not know ({reason})."
NOT_CONNECTED = "no device is connected that could be asked: the link is {state}"
SENTENCES = (
    NO_USB, NOT_PLUGGED_IN, NO_USB_ID, NOT_ALLOWED, IN_USE, NO_SUCH_PORT, NO_SERIAL_PORT, NOT_OPENED,
    TOO_SLOW, UNPLUGGED, FAILED, NOTHING_ANSWERS, OTHER_PROTOCOL, FAULT, ENDED, BUSY, OTHER_VERSION,
    OTHER_VERSIONS, REFUSED,
)  # fmt: skip
"""All but NOT_CONNECTED, which is said to programs."""


class Trouble(str):
    """A sentence in English that knows the template and the parameters that it was made from."""

    __slots__ = ("params", "template")
    template: str
    params: Mapping[str, object]

    def __new__(cls, template: str, /, **params: object) -> Self:
        sentence = super().__new__(cls, template.format(**params))
        sentence.template, sentence.params = template, params
        return sentence


NONE = Trouble("")
