"""How every benchmark reports a figure that it measured."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

Json = dict[str, Any]


def figure(what: str, of: str, unit: str, values: Sequence[float], best: Callable[..., float]) -> Json:
    """One figure with its unit, the number of runs, their median and the best of them: min or max."""
    return {
        "what": what,
        "of": of,
        "unit": unit,
        "runs": len(values),
        "median": _round(statistics.median(values)),
        "best": _round(best(values)),
    }


def _round(value: float) -> float:
    return round(value) if value >= 100 else round(value, 3)
