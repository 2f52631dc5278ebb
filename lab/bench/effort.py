"""What reading a picture costs, whatever else the machine does meanwhile: px before the finder, crops before
the reader, seconds of the processor. A Raspberry Pi pays for these.
"""

from __future__ import annotations

import resource
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.vision import Recogniser

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Effort:
    """finder_px: px before the finder in all its looks; crops: tiles before the reader, each look and
    direction counted; cpu_s: seconds of the processor, of all threads of this process."""

    finder_px: int
    crops: int
    cpu_s: float


@dataclass(slots=True)
class _Counted:
    """A session that counts the px or crops that it is given."""

    session: Any
    unit: int
    count: int = 0

    def run(self, names: Any, inputs: Mapping[str, np.ndarray], options: Any = None) -> Any:
        """As the session does."""
        self.count += sum(given.size // self.unit for given in inputs.values())
        return self.session.run(names, inputs, options)

    def get_inputs(self) -> Any:
        """As the session does."""
        return self.session.get_inputs()


@dataclass(slots=True)
class EffortMeter:
    """Measures a recogniser, which it changes for good. efforts: by the name of what was measured."""

    _finder: _Counted
    _reader: _Counted
    efforts: dict[str, list[Effort]]

    @staticmethod
    def attach(recogniser: Recogniser) -> EffortMeter:
        """A meter through which all calls of the recogniser's networks go from now on."""
        size = recogniser.reader.size_px
        finder: Any = _Counted(recogniser.finder.session, 3)
        reader: Any = _Counted(recogniser.reader.session, 3 * size * size)
        recogniser.finder = replace(recogniser.finder, session=finder)
        recogniser.reader = replace(recogniser.reader, session=reader)
        return EffortMeter(finder, reader, defaultdict(list))

    @contextmanager
    def measure(self, what: str) -> Iterator[None]:
        """Notes the effort of what is done inside under that name."""
        px, crops, seconds = self._finder.count, self._reader.count, _read_clock()
        yield
        done = Effort(self._finder.count - px, self._reader.count - crops, _read_clock() - seconds)
        self.efforts[what].append(done)

    def summarise(self) -> dict[str, Json]:
        """Median and most of each figure by what was measured; finder_mpx: in millions of px."""
        return {
            what: {
                "finder_mpx": _summarise([effort.finder_px / 1e6 for effort in efforts]),
                "crops": _summarise([effort.crops for effort in efforts]),
                "cpu_s": _summarise([effort.cpu_s for effort in efforts]),
            }
            for what, efforts in self.efforts.items()
        }


def _summarise(values: list[float]) -> Json:
    return {"median": round(statistics.median(values), 2), "most": round(max(values), 2)}


def _read_clock() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
