"""A table that is not there, as a camera over it and the eyes of the program see it: what lies on it when.

Everything from the sights on is real: the following's threads, the decoder, the game. What is left out is
looking at pictures, which `companion bench table-video` measures.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from companion.app.recognition import Reader
from companion.cameras import CameraInfo, Frame
from companion.coach.play.simulation import PlayedHand
from companion.errors import CameraError
from companion.images import Image
from companion.live.table_watch import TableWatch
from companion.seeing.outlines import TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from lab.bench.laid_hands import Customs, lay_hand
from lab.bench.noisy_sights import CLEAR, EVERY_S, make_sights

INFO = CameraInfo("simulated", "Simulated camera")
SIZE = (320, 240)
CORNERS = np.array([[40.0, 220.0], [280.0, 220.0], [280.0, 20.0], [40.0, 20.0]])
STILL_S = 0.03
"""From one picture to the next while nothing is laid."""
TRACKS_A_HAND = 1000
"""No tile of a hand has the number of one of another hand."""
ARM_S = 2.0
"""So long after a tile was laid no arm is over the table any more."""
CLOSED = "The camera was closed."


def list_sights(hand: PlayedHand, upto: int, after: int, seed: int) -> list[Sight]:
    """What is seen of the first `upto` steps of that hand, of which the first `after` are past; all of them
    and the table swept, where `upto` is their number. seed: another one for every hand; the same lays every
    tile at the same place and time."""
    public = hand.before.house.policy.kongs.public
    customs = Customs(faces_up=4 if public else 0, untidy=1.0, quick=0.0)
    laid = lay_hand(_cut(hand, upto), customs, random.Random(seed), 0.0)
    begins_s, ends_s = _find_s(hand, after, customs, seed), _find_s(hand, upto, customs, seed)
    sights = make_sights(laid, CLEAR, random.Random(seed), 0.0, TRACKS_A_HAND * seed)
    last_s = laid.ends if upto == len(hand.steps) else ends_s
    return [sight for sight in sights if begins_s < sight.t <= last_s]


def _cut(hand: PlayedHand, steps: int) -> PlayedHand:
    """The first steps of that hand alone: no arm reaches for what comes after them."""
    return hand._replace(steps=hand.steps[:steps])


def _find_s(hand: PlayedHand, steps: int, customs: Customs, seed: int) -> float:
    """When the last tile of the first steps lay there, and the arm was gone."""
    lying = lay_hand(_cut(hand, steps), customs, random.Random(seed), 0.0).lying
    return lying[-1].since + ARM_S if lying else 0.0


class SimulatedTable:
    """Used by three threads: the person's lays tiles, the camera's takes a picture as soon as the one before
    was looked at, the following's looks."""

    def __init__(self) -> None:
        self._waiting: deque[Sight] = deque()
        self._lying: tuple[SeenTile, ...] = ()
        self._shift_s = 0.0
        self._taken = 0
        self._still = 0
        self._looked = threading.Event()
        self._looked.set()

    def lay(self, sights: Iterable[Sight]) -> None:
        """This is seen from now on, one sight a picture; then the table stays as it is."""
        self._still = 0
        self._waiting.extend(sights)

    def sweep(self) -> None:
        """Nothing lies there any more."""
        self._still = 0
        self._lying = ()

    @property
    def still_for(self) -> int:
        """How many pictures were looked at since everything lies there."""
        return 0 if self._waiting else self._still

    def open(self, _: str) -> SimulatedCamera:
        """The camera over it."""
        self._looked.set()
        return SimulatedCamera(self)

    def take(self) -> Frame:
        """The next picture, once somebody has looked at the one before, or does not any more."""
        if not self._waiting:
            time.sleep(STILL_S)
        self._looked.wait(1.0)
        self._looked.clear()
        self._taken += 1
        return Frame(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), round(1e9 * EVERY_S * self._taken))

    def look(self, t: float) -> Sight:
        """What is seen at that time."""
        if self._waiting:
            sight = self._waiting.popleft()
            self._shift_s, self._lying = t - sight.t, sight.tiles
            covered = sight.covered
        else:
            self._still += 1
            covered = ()
        self._looked.set()
        tiles = tuple(replace(each, still_since_s=each.still_since_s + self._shift_s) for each in self._lying)
        return Sight(t, tiles, covered)

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        return self._lying


class SimulatedCamera:
    """An open camera over that table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._is_open = True

    def read(self) -> Frame:
        if not self._is_open:
            raise CameraError(CLOSED)
        return self._table.take()

    def close(self) -> None:
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class SimulatedWatch:
    """What the program's following asks of a table's watch, answered by the simulated table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self.camera: TableCamera | None = TableCamera.from_corners(CORNERS, *SIZE)
        self.tile_size = TileSize(measured=True)

    @property
    def lying(self) -> Sequence[SeenTile]:
        return self._table.lying

    def look(self, image: Image, t: float) -> Sight | None:
        return self._table.look(t)

    def paint(self, image: Image) -> Image | None:
        return image

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """It is where it is."""

    def teach(self, number: int, code: str) -> None:
        """It reads all tiles right."""


class SimulatedReader(Reader):
    """Reads photos for real; of the table it sees what the simulated one shows."""

    table: SimulatedTable

    def watch_table(self, rules: str, bottom: int, dealer: int | None, camera: str | None) -> TableWatch:
        return cast(TableWatch, SimulatedWatch(self.table))
