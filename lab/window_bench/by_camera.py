"""Evenings through the window: one that a simulated camera and a simulated automatic table report, and one of
which everything is entered by touch.

The table's dice begin each hand. The camera follows the tiles. Every second win it sees for itself, when the
winner's tiles are open; for the others the winner presses the button, and a photo of the hand is taken and
read.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from companion.app.cameras import Cameras
from companion.app.news import DeviceWanted, SeatWins
from companion.app.recognition import PictureReader, use_models
from companion.cameras import Camera, CameraInfo, Frame
from companion.coach.play.simulation import PlayedHand
from companion.errors import CameraError
from companion.game.deciding import Why
from companion.images import Image
from companion.live.table_watch import TableWatch
from companion.seeing.outlines import TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.table.events import (
    Discarded,
    HandStarted,
    ReadyDeclared,
    Won,
)
from companion.table.state import State
from companion.tiles import BACK, parse_meld, parse_tiles
from firmware_bridge.emulator import AutomaticTable, EmulatedDevice
from firmware_bridge.events import Button
from lab.bench.laid_hands import CLEAR, EVERY_S, Customs, lay_hand, make_sights
from lab.scenes.hand import render_hand
from lab.window_bench.evening_player import EveningPlayer, find_press
from lab.window_bench.evenings import LAID, Evening, Json, LaidHand, part_hands
from lab.window_bench.screen import SETTLE_FRAMES, WindowScreen, measure_growth, read_memory_mb

INFO = CameraInfo("simulated", "Simulated camera")
SIZE = (320, 240)
CORNERS = np.array([[40.0, 220.0], [280.0, 220.0], [280.0, 20.0], [40.0, 20.0]])
STILL_S = 0.03
"""Seconds between two pictures while no tile is placed."""
TRACKS_A_HAND = 1000
"""No tile of a hand has the number of one of another hand."""
ARM_S = 2.0
"""Seconds after a tile was placed until no arm is over the table any more."""
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
        """How many pictures were read since everything is in place."""
        return 0 if self._waiting else self._still

    def open(self, _: str) -> SimulatedCamera:
        """The camera over it."""
        self._looked.set()
        return SimulatedCamera(self)

    def take(self) -> Frame:
        """The next picture, once the one before was read, or reading has stopped."""
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
        self.guess: TableCamera | None = None
        self.tile_size = TileSize(measured=True)
        self.is_mirrored = False

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


class SimulatedReader(PictureReader):
    """Reads photos for real; of the table it sees what the simulated one shows."""

    table: SimulatedTable

    def watch_table(self, rules: str, bottom: int, dealer: int | None, camera: str | None) -> TableWatch:
        return cast(TableWatch, SimulatedWatch(self.table))


STILL_PICTURES = 24
"""Pictures of resting tiles before people believe that the camera has seen everything:
twelve seconds of the table's time."""
PUT_RIGHT = "put right by touch"
BY_CAMERA = "won, seen by the camera"
SEED = 1


class LoadedDice(random.Random):
    """Dice that show what they are to show next."""

    def __init__(self) -> None:
        super().__init__(SEED)
        self.faces: deque[int] = deque()

    def randint(self, a: int, b: int) -> int:
        return self.faces.popleft() if self.faces else super().randint(a, b)


class HandCamera(SimulatedCamera):
    """The same camera, held over the winner's hand."""

    def __init__(self, table: SimulatedTable, image: Image) -> None:
        super().__init__(table)
        self._image = image

    def read(self) -> Frame:
        return Frame(self._image, super().read().t_ns)


class Photos:
    """What the camera shows when it is held over a hand."""

    def __init__(self, table: SimulatedTable) -> None:
        self.image: Image = np.zeros((720, 1280, 3), np.uint8)
        self._table = table

    def open(self, _: str) -> HandCamera:
        return HandCamera(self._table, self.image)


@dataclass(frozen=True, slots=True)
class Simulated:
    """All that is not there."""

    table: SimulatedTable
    photos: Photos
    device: EmulatedDevice
    dice: LoadedDice


class CameraEvening:
    """Plays an evening at that window: what four people, a camera and the table in their midst do."""

    def __init__(
        self,
        screen: WindowScreen,
        evening: Evening,
        simulated: Simulated,
        entered: Callable[[int, str, int], None],
    ) -> None:
        self._screen = screen
        self._hands = part_hands(evening)
        self._table, self._photos = simulated.table, simulated.photos
        self._device, self._dice = simulated.device, simulated.dice
        self._entered = entered
        self.person = EveningPlayer(screen, evening, entered)

    def play(self) -> None:
        """From where the game stands to the end of the evening."""
        for number, hand in enumerate(self._hands):
            if self._finished > number:
                continue
            if not self._state.playing:
                self._throw(hand.dice)
            by_photo = bool(number % 2) or not isinstance(hand.ends[0][0], Won)
            laid = self._count_laid()
            if laid < hand.laid or not by_photo:
                self._follow(number, hand, laid, hand.end if by_photo else len(hand.played.steps))
            if self._state.playing and self._count_laid() < hand.laid:
                self._put_right(hand)
            elif self._state.playing:
                self._end(hand)
            else:
                self._entered(hand.begins, BY_CAMERA, 0)
            if self._state.points != hand.played.after.points:
                self._put_right(hand)

    def wait_for_device(self) -> None:
        """Until the window hears the table."""
        self._screen.wait(lambda: self._states["devices"].devices.is_connected, "the table's connection")

    def _put_right(self, hand: LaidHand) -> None:
        """The game has not what happened: people take back what is wrong, and touch the rest."""
        pane = self.person.table.pane
        if self.person.table.state.runs:
            self._screen.touch(pane.tools.camera)
            self._screen.wait(lambda: find_press(pane, "Stop"), "the button that stops the camera")
            self._screen.touch(find_press(pane, "Stop"))
            self._screen.wait(lambda: not self.person.table.state.runs, "the camera's end")
        self._screen.touch(pane.tools.keys)
        self._screen.wait(lambda: not self._has_early, "the end of the waiting of what came too early")
        touches = self.person.finish_hand(hand.begins, hand.until)
        self._entered(hand.begins, PUT_RIGHT, touches)
        self._sweep()

    @property
    def _states(self) -> Any:
        return self._screen.controller.view.states

    @property
    def _state(self) -> State:
        return self.person.state

    @property
    def _has_early(self) -> bool:
        """Whether something that was reported waits for what has to happen before it."""
        progress = self._states["hand_end"].played.progress
        return any(each.why is Why.EARLY for each in progress.pending)

    @property
    def _finished(self) -> int:
        """How many hands are over."""
        return self._state.hands

    def _count_laid(self) -> int:
        """How many tiles the game knows to have been laid in the hand in play."""
        return self.person.count_since_start(LAID)

    def _throw(self, dice: Sequence[int]) -> None:
        """The table's dice: the hand begins."""
        self._dice.faces.extend(dice)
        self._do("roll")
        self._screen.wait(lambda: self._state.playing, "the hand that the dice begin")

    def _do(self, *words: str) -> None:
        self._device.play(lambda t_ms: self._device.model.act(words, t_ms))

    def _follow(self, number: int, hand: LaidHand, laid: int, upto: int) -> None:
        """Have the camera see the hand from there on."""
        after = hand.count_steps(laid)
        self._table.lay(list_sights(hand.played, after, 0, SEED + number)[-4:] if laid else ())
        self._start_camera()
        if laid:
            self._wait_still()
        steps, known = hand.played.steps, laid
        ready = [at for at in range(after, upto) if isinstance(steps[at].event, ReadyDeclared)]
        for stop in (*ready, upto):
            self._table.lay(list_sights(hand.played, stop, after, SEED + number))
            while self._table.still_for < STILL_PICTURES and self._finished == number:
                self._screen.draw(1)
                if (now := self._count_laid()) > known:
                    known = now
                    self._entered(hand.begins + known, Discarded.__name__, 0)
            if stop in ready:
                self._press(steps[stop].event.seat, Button.READY)  # type: ignore[union-attr]
            after = stop

    def _press(self, seat: int, button: Button) -> None:
        """A player's button at the table."""
        self._do("press", str(seat), str(int(button)))

    def _start_camera(self) -> None:
        """Two touches; none where it is at work."""
        state = self.person.table.state
        if state.runs:
            return
        pane = self.person.table.pane
        self._screen.touch(pane.tools.camera)
        self._screen.touch(pane.follow.follow)
        self._screen.wait(lambda: self.person.table.state.runs, "the camera")
        self._entered(0, "follow", 2)

    def _wait_still(self) -> None:
        self._screen.wait(lambda: self._table.still_for >= STILL_PICTURES, "what lies there")

    def _end(self, hand: LaidHand) -> None:
        """Enter how the hand ended: a win by the winner's button and a photo, or what else it was."""
        self.person.at = hand.begins + self.person.count_since_start()
        for event, source in hand.ends:
            if isinstance(event, Won):
                assert source is not None
                self._photos.image = draw_hand(event)
                touches = self.person.ends.enter_win(
                    event, source, self._take_photo, partial(self._press_button, event),
                    hand.find_giver(event.seat),
                )  # fmt: skip
                self._entered(hand.begins, "won, by photo", touches)
            else:
                self._stop_camera()
                self._entered(hand.begins, type(event).__name__, self.person.ends.book(event))
            self.person.wait_for(event)
        self._sweep()

    def _sweep(self) -> None:
        """The tiles go into the table's middle, and the camera sees that, where it is at work."""
        self._table.sweep()
        self._screen.wait(lambda: not self._screen.controller.view.busy, "the window")
        if self.person.table.state.runs:
            self._wait_still()

    def _press_button(self, won: Won) -> int:
        """The winner presses the button at the table, and a person answers the window's question."""
        self._press(won.seat, Button.WIN)
        self._screen.wait(lambda: self._is_asked(won.seat), "the question of the win button")
        self._screen.draw(SETTLE_FRAMES)
        self._screen.touch(self._screen.root.banner.answer)
        return 1

    def _is_asked(self, seat: int) -> bool:
        """Whether the banner asks for that win, and not what was to be said before."""
        banner = self._screen.controller.view.window.shown_banner
        return banner is not None and banner.then == SeatWins(seat)

    def _take_photo(self, won: Won) -> int:
        """One touch, once the tiles in the live picture of the page are outlined."""
        screen = self._screen
        entry: Any = screen.root.page("win_entry")
        screen.wait(self._sees_tiles, "the tiles of the hand")
        screen.draw(SETTLE_FRAMES)
        screen.touch(entry.picture.live.take)
        screen.wait(self._has_read, "the reading")
        return 1

    def _sees_tiles(self) -> bool:
        preview = self._states["score_photo"].preview
        live = preview.live if preview else None
        return self._is_in_front("win_entry") and live is not None and live.tiles is not None

    def _has_read(self) -> bool:
        return bool(self._states["score_photo"].hand.tiles) and not self._screen.controller.view.busy

    def _is_in_front(self, page: str) -> bool:
        return self._screen.controller.view.front.page == page

    def _stop_camera(self) -> None:
        """The tiles' keys are shown instead."""
        self._screen.touch(self.person.table.pane.tools.keys)


def draw_hand(won: Won) -> Image:
    """A photo of the winner's concealed tiles, the winning one last, and of concealed kongs."""
    codes = [tile.code for tile in parse_tiles(won.hand or "")]
    if won.tile in codes:
        codes.remove(won.tile)
        codes.append(won.tile)
    inner = [tile.code for kong in won.kongs for tile in parse_meld(kong).tiles[1:3]]
    kongs = [code for two in zip(inner[::2], inner[1::2], strict=True) for code in (BACK, *two, BACK)]
    return render_hand([kongs, codes] if kongs else [codes]).image


def play_by_camera(
    folder: Path, evening: Evening, goes_on: bool, entered: Callable[[int, str, int], None]
) -> Json:
    """Have camera and devices report what the kept game does not have yet. Raises WindowSilent."""
    table, dice = SimulatedTable(), LoadedDice()
    photos = Photos(table)
    reader = SimulatedReader(use_models())
    reader.table = table
    begun = next(event for event in evening.events if isinstance(event, HandStarted))
    cameras = Cameras(lambda: (INFO,), photos.open, INFO.id, lambda camera, _: table.open(camera))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table").unlink(missing_ok=True)  # of a window that was killed
    with (
        EmulatedDevice(AutomaticTable(dice, dice=len(begun.dice or ())), folder / "table") as device,
        WindowScreen(folder, reader, cameras, draws=False) as screen,
    ):
        played = CameraEvening(screen, evening, Simulated(table, photos, device, dice), entered)
        screen.announce(DeviceWanted(str(device.path)))
        if goes_on:
            played.person.go_on()
        else:
            played.person.begin()
        played.wait_for_device()
        played.play()
        return {"longest_frame_ms": round(max(screen.frames_ms)), "memory_mb": round(read_memory_mb())}


LATE_MS = 100
"""A window that draws nothing for longer has blocked."""


def play_by_touch(
    folder: Path, evening: Evening, goes_on: bool, entered: Callable[[int, str, int], None]
) -> Json:
    """Enter what the kept game does not have yet of that evening. Raises WindowSilent."""
    with WindowScreen(
        folder, PictureReader(use_models()), Cameras(lambda: (), _refuse), draws=False
    ) as screen:
        used_mb: list[float] = []

        def note(at: int, what: str, touches: int) -> None:
            used_mb.append(read_memory_mb())
            entered(at, what, touches)

        player = EveningPlayer(screen, evening, note)
        if goes_on:
            player.go_on()
        else:
            player.begin()
        player.play()
        return {
            "frames": len(screen.frames_ms),
            "longest_frame_ms": round(max(screen.frames_ms)),
            "most_work_in_a_frame_ms": round(max(screen.work_ms)),
            "frames_of_100_ms_work": sum(each > LATE_MS for each in screen.work_ms),
            "memory_mb": round(max(used_mb)),
            "memory_growth_mb": measure_growth(used_mb),
        }


def _refuse(camera: str) -> Camera:
    raise CameraError("No camera is connected.")
