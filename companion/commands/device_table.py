"""What a device tells of a table where a hand is about to begin, for `companion devices watch --rules`."""

from __future__ import annotations

from typing import Any

from companion.errors import EventError
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.table.state import State
from companion.tracking.bridge import Agreed, Device, heard, outcome
from firmware_bridge.session import LinkEvent


class DeviceTable:
    """Four people who play by `rules` and are about to begin a hand that `dealer` deals, again and again."""

    def __init__(self, rules: str, dealer: int) -> None:
        self._waiting: State = apply(None, GameStarted(rules=rules, dealer=dealer))
        self._device = Device()

    def means(self, event: LinkEvent) -> list[tuple[dict[str, Any], str]]:
        """What follows from an event of a link, each as plain values and in words."""
        self._device, told = heard(self._device, event, self._waiting, Agreed())
        begun, trouble = outcome(self._waiting, told)
        return [*([_trouble(trouble)] if trouble else []), *_break(begun)]


def _trouble(error: EventError) -> tuple[dict[str, Any], str]:
    return {"event": "trouble", "trouble": str(error), "ruling": error.ruling or None}, str(error)


def _break(state: State) -> list[tuple[dict[str, Any], str]]:
    """Where the wall of the hand that has just begun is broken, if its dice were seen."""
    hand = state.hand
    first = hand.wall.next_place if hand else None
    if hand is None or first is None:
        return []
    rules, dealer = state.house.rules, hand.deal.dealer
    dice = " ".join(map(str, hand.dice or ()))
    plain = {
        "event": "break",
        "rules": rules.name,
        "dealer": dealer,
        "dice": hand.dice,
        "first": {"side": first.side, "stack": first.stack, "layer": first.layer.value},
    }
    words = (
        f"{rules.title}, seat {dealer} deals with {dice}: the first tile is on the side of seat {first.side},"
        f" stack {first.stack} from the right, {first.layer.value}"
    )
    return [(plain, words)]
