"""What people say of tiles is passed on to what reads them."""

from __future__ import annotations

from typing import Protocol

from companion.live.follower import Follows


class Teachable(Protocol):
    """What reads tiles, and can be told what one of them is."""

    def teach(self, number: int, code: str) -> None: ...


def teach(watch: Teachable, follower: Follows) -> None:
    """Tell what watches the table which tiles people have named since the last time."""
    for number, code in follower.take_named().items():
        watch.teach(number, code)
