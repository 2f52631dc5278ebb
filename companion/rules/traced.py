"""A request and its house options that record which of their parts are read while a hand is scored.

Scoring is a function of what it reads. So another value of a part that was never read leaves the result
the same, and need not be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.fields import FIELDS
from companion.rules.win import Options, OptionValue, ScoreRequest


class TracedOptions(Mapping[str, OptionValue]):
    """The settings of `options`. `read`: the keys that were looked up, by whichever method."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> OptionValue:
        self.read.add(key)
        return self._options[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


class TracedRequest(ScoreRequest):
    """The same request. `read`: the attributes that were read, among the fields that may be assumed."""

    read: set[str]

    def __new__(cls, request: ScoreRequest) -> TracedRequest:
        traced = object.__new__(cls)
        traced.__dict__.update(request.__dict__, read=set())
        return traced

    def __init__(self, request: ScoreRequest) -> None:
        pass


def _trace(attribute: str) -> property:
    def read(request: TracedRequest) -> Any:
        request.read.add(attribute)
        return request.__dict__[attribute]

    return property(read)


for _field in FIELDS.values():
    if _field.others:
        setattr(TracedRequest, _field.attribute, _trace(_field.attribute))
