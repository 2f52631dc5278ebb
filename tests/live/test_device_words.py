"""How a link stands over time, in words."""

from __future__ import annotations

from dataclasses import replace

from companion.live.device_words import Mood, describe_link
from companion.live.devices import Chosen, DeviceView
from firmware_bridge.link import FLOOD_PAUSE_S, LinkState


def test_how_a_link_stands_over_time() -> None:
    silent = DeviceView(Chosen("port"), LinkState.GREETING, since=100.0)
    assert describe_link(silent, 102.9).mood is Mood.WAITING
    assert describe_link(silent, 159.0).short.params == {"n": 59}
    assert describe_link(silent, 220.0).short.params == {"n": 2}
    flood = replace(silent, state=LinkState.FLOOD)
    why = describe_link(flood, 110.0).why
    assert why is not None
    assert why.params == {"seconds": FLOOD_PAUSE_S - 10}
