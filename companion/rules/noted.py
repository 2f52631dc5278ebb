"""A request and its house options that note what of them is read while a hand is scored.

Scoring is a function of what it reads. So another value of what was never read gives the same result, and
need not be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.fields import FIELDS
from companion.rules.win import Options, OptionValue, ScoreRequest


class NotedOptions(Mapping[str, OptionValue]):
    """The settings of `options`. `read` are the keys of those that were asked for, in whatever way."""

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


class NotedRequest(ScoreRequest):
    """The same request. `read` are the attributes that were read, of the fields that may be assumed."""

    read: set[str]

    def __new__(cls, request: ScoreRequest) -> NotedRequest:
        noted = object.__new__(cls)
        noted.__dict__.update(request.__dict__, read=set())
        return noted

    def __init__(self, request: ScoreRequest) -> None:
        pass


def _noting(attribute: str) -> property:
    def read(request: NotedRequest) -> Any:
        request.read.add(attribute)
        return request.__dict__[attribute]

    return property(read)


for _field in FIELDS.values():
    if _field.others:
        setattr(NotedRequest, _field.attribute, _noting(_field.attribute))
