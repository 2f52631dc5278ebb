"""Melds that come in sight only after the discards that followed them, because an arm hid them."""

from __future__ import annotations

from math import pi

import pytest

from companion.seeing.sights import Box, SeenTile, Sight
from companion.table.events import Claimed, Discarded, Drawn, Event, GameStarted, apply_corrections
from tests.bare_table import see_walls

ARM = Box(340, -60, 400, 180)


class Table:
    """A hand that the player at the lower edge began with the 5m."""

    def __init__(self) -> None:
        self.decoder = see_walls([GameStarted(rules="hebei")])
        self.t = 0.0
        self.wait(1.0)
        self.lying = {1: self.lay(1, "5m", 0, -105)}
        self.wait(4.0)

    def lay(self, number: int, code: str, x: float, y: float, angle: float = 0.0) -> SeenTile:
        return SeenTile(number, x, y, angle, ((code, 0.998),), still_since_s=self.t)

    def wait(self, seconds: float, *covered: Box) -> None:
        for _ in range(round(seconds * 4)):
            self.decoder.follow(Sight(self.t, tuple(getattr(self, "lying", {}).values()), covered))
            self.t += 0.25

    def list_events(self) -> list[Event]:
        return apply_corrections(self.decoder.log)[3:]


@pytest.mark.parametrize("further", [0, 1])
def test_a_meld_that_an_arm_hid_until_after_the_discards_is_followed(further: int) -> None:
    table = Table()
    table.wait(1.0, ARM)
    del table.lying[1]
    table.lying[2] = table.lay(2, "9p", 105, 0, pi / 2)
    table.wait(3.0, ARM)
    if further:
        table.lying[9] = table.lay(9, "8s", 0, 105, pi)
        table.wait(3.0, ARM)
    for at, code in enumerate(("4m", "5m", "6m")):
        table.lying[3 + at] = table.lay(3 + at, code, 342, 90 + 26 * at, pi / 2)
    table.wait(8.0)
    assert table.list_events()[:3] == [
        Discarded(seat=0, tile="5m"),
        Claimed(seat=1, meld="c456m"),
        Discarded(seat=1, tile="9p"),
    ]


def test_a_draw_stays_one_where_the_discard_still_lies_there() -> None:
    table = Table()
    table.wait(1.0, ARM)
    table.lying[2] = table.lay(2, "9p", 105, 0, pi / 2)
    table.wait(4.0, ARM)
    assert table.list_events()[:3] == [
        Discarded(seat=0, tile="5m"),
        Drawn(seat=1),
        Discarded(seat=1, tile="9p"),
    ]
