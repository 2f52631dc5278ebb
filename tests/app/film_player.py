"""A hand that is filmed and played to the window as a camera."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np
from app_driver import Driver

from companion.app.cameras import Cameras
from companion.app.game.feature import GameFeature
from companion.app.game.followed import Followed
from companion.app.game.state import GameTable
from companion.app.recognition import use_models
from companion.cameras import CameraInfo, Frame
from companion.coach.play.simulation import play
from companion.errors import CameraError
from companion.game.game import pin_options
from companion.table.events import Discarded, GameStarted
from lab.film.writing import FRAMES_A_SECOND, Shooting, prepare_film, write_film

WAIT_S = 60.0
SEED = 6
EVENTS = 11
"""The first of the hand: four discards and what nobody sees between them."""
SLOWER = 2.0
"""A film is played so many times more slowly than it was filmed: following needs the same pictures on a slow
machine."""
SLOWER_VIDEO = 4.0
"""The same for a video, of which pictures are left out where following is not done with the one before."""


@dataclass(frozen=True)
class Film:
    """Its video, the discards that it shows, in which picture each lies still, and where the table's corners
    are, px."""

    video: Path
    discards: list[tuple[int, str | None]]
    still_at: list[int]
    corners: list[tuple[float, float]]


def film_hand(folder: Path) -> Film:
    """The beginning of a hand, filmed into that folder."""
    start = pin_options(GameStarted(rules="hefei"))
    assert isinstance(start, GameStarted)
    hand = next(play(start, 1, random.Random(SEED)))
    steps = hand.steps[:EVENTS]
    made = prepare_film(hand.start, steps, Shooting(size=(960, 540), pace=4.0, calm=True, seed=SEED))
    video, _ = write_film(made, folder, "hand")
    events = [step.event for step in steps]
    discards = [(event.seat, event.tile) for event in events if isinstance(event, Discarded)]
    assert len(discards) >= 4
    laid = [line["t"] for line in made.truth if line.get("event", {}).get("event") == "discarded"]
    still_at = [round(t * FRAMES_A_SECOND) + 1 for t in laid]
    return Film(video, discards, still_at, made.truth[0]["camera"]["corners"])


class Projector:
    """Plays a film once, as a camera, as soon as `may_play`; then its last picture stays. at: which of its
    pictures is shown; stops_at: which one stays. users: how many have it open."""

    def __init__(self, film: Film, at: int, may_play: Callable[[], object]) -> None:
        self.users = 0
        self.at = at
        self.stops_at = sys.maxsize
        self._images = list(read_images(film.video))
        self._may_play = may_play
        self._shown = 0
        self._is_open = False

    def open(self, _: str) -> Self:
        self.users += 1
        self._is_open = True
        return self

    def read(self) -> Frame:
        time.sleep(SLOWER / FRAMES_A_SECOND)
        if not self._is_open:
            raise CameraError("closed")
        self._shown += 1
        self.at += bool(self._may_play()) and self.at < self.stops_at
        image = self._images[min(self.at, len(self._images) - 1)]
        return Frame(image, round(self._shown * 1e9 / FRAMES_A_SECOND))

    def close(self) -> None:
        if self._is_open:
            self.users -= 1
            self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_images(video: Path) -> Iterator[np.ndarray]:
    capture = cv2.VideoCapture(str(video))
    while True:
        ok, image = capture.read()
        if not ok:
            return
        yield np.asarray(image, np.uint8)


def slow_down(film: Film, folder: Path) -> Path:
    """The film as one that lasts longer: a video is followed as it plays, and a busy machine would read few
    of its pictures."""
    slow = folder / "slow.mp4"
    images = list(read_images(film.video))
    height, width = images[0].shape[:2]
    codec = cv2.VideoWriter_fourcc(*"mp4v")  # type: ignore[attr-defined]
    writer = cv2.VideoWriter(str(slow), codec, FRAMES_A_SECOND / SLOWER_VIDEO, (width, height))
    for image in images:
        writer.write(image)
    writer.release()
    return slow


class Player:
    """The window with a projector for its only camera."""

    def __init__(self, folder: Path, film: Film, size: tuple[int, int], begins_at: int = 0) -> None:
        self.projector = Projector(film, begins_at, lambda: self.state.found or not self.waits_for_table)
        self.waits_for_table = True
        self.driver = Driver(folder, use_models(), size)
        feature = self.driver.controller.features["game"]
        assert isinstance(feature, GameFeature)
        feature.cameras = Cameras(lambda: (CameraInfo("film", "Film"),), self.projector.open)

    @property
    def state(self) -> GameTable:
        state = self.driver.controller.view.states["game"]
        assert isinstance(state, GameTable)
        return state

    @property
    def followed(self) -> Followed:
        assert self.state.followed is not None
        return self.state.followed

    @property
    def page(self) -> Any:
        return self.driver.pages.game

    @property
    def discards(self) -> list[tuple[int, str | None]]:
        """As they are listed."""
        events = [entry.event for entry in self.followed.entries]
        return [(event.seat, event.tile) for event in events if isinstance(event, Discarded)]

    def follow(self) -> None:
        """Start a game, and follow it with the camera."""
        self.driver.touch(self.driver.root.bar.buttons["game"])
        if not self.state.shows_table:
            self.driver.touch(self.page.setup.begin)
            self.wait(lambda: self.state.shows_table)
            self.driver.frames(3)
        self.go_on()

    def go_on(self) -> None:
        """Follow the open game."""
        self.driver.touch(self.page.table.tools.camera)
        self.driver.touch(self.page.table.follow.follow)

    def see(self, change: Callable[[Followed], Followed]) -> None:
        """Something is noticed."""
        self.driver.controller.do("game", lambda state: state.see(change))
        self.driver.frames(4)

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + WAIT_S
        while not condition():
            assert time.monotonic() < end, (self.driver.texts(), self.state)
            self.driver.frames(1)
            time.sleep(0.02)  # leaves the processor to the following


def list_threads() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name in ("following", "running game")]


def is_open(driver: Driver) -> bool:
    """Whether a kept game is open in the window."""
    return bool(driver.game._game)
