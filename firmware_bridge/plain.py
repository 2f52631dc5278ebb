"""Messages as plain JSON values and back: for the test vectors, recordings and what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from firmware_bridge import codec
from firmware_bridge.codec import TYPES, Known, Message, Unknown
from firmware_bridge.errors import MessageError
from firmware_bridge.events import Dice, Die, Side, Wall
from firmware_bridge.handshake import Capability

NAME_LENGTH_MAX = 40
"""Maximum length of a message's name that is quoted in an error."""
NAMES: dict[str, type[Known]] = {kind.__name__: kind for kind in TYPES.values()}


def to_plain(message: Message | codec.Malformed) -> dict[str, object]:
    """`message` as JSON values: {"message": its name, field: value, …}.

    Codes are numbers, payloads hex, the tiles of a wall a string of 0 and 1.
    """
    name = type(message).__name__
    return {"message": name} | {
        each.name: _value_to_plain(getattr(message, each.name)) for each in fields(message)
    }


def _value_to_plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        if value and all(isinstance(each, bool) for each in value):
            return "".join("01"[each] for each in value)
        return [_value_to_plain(each) for each in value]
    if is_dataclass(value):
        return {each.name: _value_to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return value


def from_plain(plain: Mapping[str, object]) -> Message:
    """What `to_plain` made; raises MessageError if it did not."""
    values = dict(plain)
    name = values.pop("message", None)
    try:
        if name == "Unknown":
            return Unknown(int(str(values["type"])), bytes.fromhex(str(values["payload"])))
        kind = NAMES[str(name)]
        if kind is Wall:
            values["sides"] = tuple(Side(**side) for side in values["sides"])  # type: ignore[attr-defined]
            values["tiles"] = tuple(tile == "1" for tile in values["tiles"])  # type: ignore[attr-defined]
        elif kind is Dice:
            values["dice"] = tuple(Die(**die) for die in values["dice"])  # type: ignore[attr-defined]
        elif "points" in values:
            values["points"] = tuple(values["points"])  # type: ignore[arg-type]
        elif "capabilities" in values:
            values["capabilities"] = Capability(int(str(values["capabilities"])))
        return kind(**values)  # type: ignore[arg-type]
    except MessageError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise MessageError(f"{str(name)[:NAME_LENGTH_MAX]!r} with these fields is no message") from error
