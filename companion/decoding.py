"""Bytes as values of a type; whatever is wrong with them is one error. Imports nothing of companion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")

TOO_DEEP = "it is nested too deeply"


class Undecodable(ValueError):
    """Content that is not what it should be; its text says why."""


def decode_as(content: bytes | str, kind: type[T], decode: Callable[..., T] = msgspec.json.decode) -> T:
    """`content` as a value of that type; decode: of msgspec. Raises Undecodable, whatever the content."""
    try:
        return decode(content, type=kind)
    except RecursionError:
        raise Undecodable(TOO_DEEP) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Undecodable(str(error)) from error
