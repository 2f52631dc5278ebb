"""House options that note which of them are read: what was never read cannot have changed a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.win import Options, OptionValue


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
