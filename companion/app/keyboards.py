"""Whether fields need keys on the screen: what a person has set, and which keyboards and touchscreens the
kernel lists. No Kivy."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

DEVICES = Path("/proc/bus/input/devices")
"""The kernel's list of input devices: a block of lines for each, its capabilities as words of hexadecimal
digits, the lowest bits last. Numbers of bits: linux/input-event-codes.h."""
LETTER_KEYS = (*range(16, 26), *range(30, 39), *range(44, 51))
"""KEY_Q to KEY_P, KEY_A to KEY_L, KEY_Z to KEY_M: a power button or a remote control lacks some."""
DIRECT = 1
"""INPUT_PROP_DIRECT: what is touched is what is shown, as on a touchscreen and not on a touchpad."""
BITS_OF_A_WORD = 64


class KeyboardUse(StrEnum):
    """When touched fields bring up keys on the screen. AUTOMATIC: on a touchscreen without a keyboard."""

    AUTOMATIC = "automatic"
    ALWAYS = "always"
    NEVER = "never"


def needs_keys(use: KeyboardUse, devices: Path = DEVICES) -> bool:
    """Whether a field that is touched now needs keys on the screen: a keyboard may have been plugged in a
    moment ago."""
    if use is not KeyboardUse.AUTOMATIC:
        return use is KeyboardUse.ALWAYS
    try:
        listed = devices.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return is_touch_only(listed)


def is_touch_only(listed: str) -> bool:
    """Whether this list of input devices has a touchscreen and no keyboard with all letters."""
    devices = [_read_bits(block) for block in listed.split("\n\n")]
    has_touch = any(_has(device.get("PROP", 0), DIRECT) for device in devices)
    has_letters = any(all(_has(device.get("KEY", 0), key) for key in LETTER_KEYS) for device in devices)
    return has_touch and not has_letters


def _read_bits(block: str) -> dict[str, int]:
    """The capabilities of a device by their names."""
    found = {}
    for line in block.splitlines():
        name, _, words = line.removeprefix("B: ").partition("=")
        if line.startswith("B: "):
            found[name] = _join_words(words)
    return found


def _join_words(words: str) -> int:
    joined = 0
    for word in words.split():
        try:
            joined = joined << BITS_OF_A_WORD | int(word, 16)
        except ValueError:
            return 0
    return joined


def _has(bits: int, number: int) -> bool:
    return bool(bits >> number & 1)
