"""Small checks and layouts that messages share: numbers in range, short strings, known or unknown codes."""

from __future__ import annotations

from enum import IntEnum

from firmware_bridge.errors import MessageError

U8 = 0xFF
U16 = 0xFFFF
U32 = 0xFFFF_FFFF
I32 = 0x7FFF_FFFF


def check_range(name: str, value: int, least: int, most: int) -> None:
    """Raise MessageError unless `least` <= `value` <= `most`."""
    if not least <= value <= most:
        raise MessageError(f"{name} is {value}: {least} to {most} are allowed")


def decode_code(kind: type[IntEnum], value: int) -> int:
    """`value` as a member of `kind`, or as it is: a newer device may know more codes than we do."""
    try:
        return kind(value)
    except ValueError:
        return value


def check_code(name: str, kind: type[IntEnum], value: int) -> None:
    """Raise MessageError unless `value` is a code of `kind`."""
    if value not in set(kind):
        raise MessageError(
            f"{name} is {value}: {', '.join(f'{each.value} {each.name}' for each in kind)} are allowed"
        )


def pack_text(name: str, text: str, most: int) -> bytes:
    """`text` as a byte of length n (0…`most`) and n bytes of UTF-8."""
    raw = text.encode()
    if len(raw) > most:
        raise MessageError(f"{name} is {len(raw)} bytes long: at most {most} are allowed")
    if not text.isprintable():
        raise MessageError(f"{name} is {text!r}: only printable characters are allowed")
    return bytes((len(raw),)) + raw


def unpack_text(name: str, payload: bytes, at: int, most: int) -> tuple[str, int]:
    """The text at `at` and the place behind it. Raises MessageError when it is cut short or no printable
    UTF-8.
    """
    end = at + 1 + payload[at] if at < len(payload) else at + 1
    if end > len(payload):
        raise MessageError(f"{name} is cut short")
    check_range(f"the length of {name}", payload[at], 0, most)
    try:
        text = payload[at + 1 : end].decode()
    except UnicodeDecodeError:
        raise MessageError(f"{name} is not UTF-8") from None
    if not text.isprintable():
        raise MessageError(f"{name} is {text!r}: only printable characters are allowed")
    return text, end


def check_size(payload: bytes, size: int) -> bytes:
    """`payload`, or MessageError if it is shorter than `size` bytes. What follows them is for newer
    versions.
    """
    if len(payload) < size:
        raise MessageError(f"a payload of {len(payload)} bytes: at least {size} are needed")
    return payload
