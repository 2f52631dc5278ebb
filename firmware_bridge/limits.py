"""Every number of the protocol: sizes in bytes, times in seconds, counts; PROTOCOL.md says the same, with
reasons.

A change here that a device can notice is a change of the protocol: it belongs into PROTOCOL.md's change log.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 1
"""The one version of the protocol that this package speaks."""

PAYLOAD_BYTES_MAX: Final = 122
LENGTH_AT: Final = 3
"""Position of the payload's length in a frame, after type, session and number."""
BODY_BYTES_MAX: Final = LENGTH_AT + PAYLOAD_BYTES_MAX
CRC_BYTES: Final = 2
STUFFED_BYTES_MAX: Final = BODY_BYTES_MAX + 1 + CRC_BYTES + 1
"""A frame without its delimiter. Below 255 the code byte 0xFF of COBS cannot occur."""
WIRE_BYTES_MAX: Final = STUFFED_BYTES_MAX + 1

BAUD: Final = 115_200
"""Bits a second, 8 data bits, no parity, 1 stop bit: 11 520 bytes a second."""

WINDOW_MAX: Final = 8
"""Numbered messages on the way: with the longest frames 90 ms at 115200 baud, so none is resent in vain."""
HELLO_EVERY_S: Final = 0.5
RESEND_FIRST_S: Final = 0.1
RESEND_MAX_S: Final = 1.0
RESEND_ASKED_PAUSE_S: Final = 0.02
"""A wish to resend is followed once in this time: several damaged frames bring several wishes at once."""
HEARTBEAT_EVERY_S: Final = 1.0
SILENCE_MAX_S: Final = 3.5
"""Three heartbeats and a half: two may be damaged before a link counts as lost."""
UNACKNOWLEDGED_MAX_S: Final = 5.0
"""A peer that is heard but acknowledges nothing for this time is stuck."""
SNAPSHOT_MAX_S: Final = 5.0
"""A snapshot that has not ended by then is asked for again."""
ATTENTION_EVERY_S: Final = 1.0
REFUSED_PAUSE_S: Final = 30.0
"""Seconds of rest after a refused version: a person has to act, and an update of a firmware takes longer."""

QUEUE_MAX: Final = 64
"""Commands that wait to be sent; one more is refused."""
FRAMES_PER_SECOND_MAX: Final = 2_000
"""More than this, sound or damaged, are a flood: at 115200 baud 1 440 of the shortest frames (8 bytes) fit
into a second.
"""
BYTES_PER_SECOND_MAX: Final = FRAMES_PER_SECOND_MAX * WIRE_BYTES_MAX
"""The same for bytes, whatever they are: 260 000, as many as that number of the longest frames has."""
INBOX_MAX: Final = 1_024
"""Messages that wait for the program; when full, nothing more is acknowledged until some are taken."""

TILES_MIN: Final = 84
TILES_MAX: Final = 144
SIDES: Final = 4
STACKS_MAX: Final = 36
LAYERS_MAX: Final = 2
DICE_MAX: Final = 6
SERIAL_BYTES_MAX: Final = 24
MODEL_BYTES_MAX: Final = 32
FIRMWARE_BYTES_MAX: Final = 16
BEEP_HZ: Final = (50, 10_000)
BEEP_MS_MAX: Final = 5_000
