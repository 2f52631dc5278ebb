"""A device's clock as a host sees it, and as the device counts it."""

from __future__ import annotations

import random

from firmware_bridge.clock import WRAP_MS, DeviceClock
from firmware_bridge.device_session import to_t_ms


def test_the_clock_finds_when_it_happened() -> None:
    """Messages 5 to 60 ms late, a clock 100 millionths too fast, a counter that begins again."""
    rng = random.Random(6)
    clock = DeviceClock()
    start = WRAP_MS - 60_000
    errors = []
    for i in range(2_000):
        true = i * 0.1
        stamp = (start + int(true * 1000 * 1.0001)) % WRAP_MS
        late = true + 0.005 + rng.random() ** 3 * 0.055
        clock.observe(stamp, late)
        errors.append(clock.to_host_time(stamp, late) - true)
    assert max(errors[50:]) < 0.02
    assert min(errors) > 0
    assert clock.to_host_time(stamp + 10_000, 200.0) <= 200.0  # never in the future


def test_device_time() -> None:
    assert to_t_ms(1.5) == 1500
    assert to_t_ms(2**32 / 1000 + 1) == 1000
