"""Round numbers along the axis of a plot."""

from __future__ import annotations

from math import ceil, floor, log10

TICKS = 4


def find_ticks(low: float, high: float) -> list[int]:
    """Round numbers from below `low` to above `high`, some TICKS of them."""
    span = max(high - low, 1)
    step = 10 ** floor(log10(span / TICKS)) if span > TICKS else 1
    for times in (1, 2, 5, 10):
        if span / (step * times) <= TICKS:
            step *= times
            break
    step = max(int(step), 1)
    return list(range(floor(low / step) * step, ceil(high / step) * step + 1, step))
