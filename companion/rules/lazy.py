"""Properties of frozen values that are worked out when first asked for, then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class lazy_property(Generic[T]):
    """What functools.cached_property is, without the lock that Python 3.11 takes at every first asking: the
    values are scored by one thread each, and what is worked out twice is the same.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, value: Any, owner: object = None) -> T:
        found = value.__dict__[self._name] = self._work_out(value)
        return found
