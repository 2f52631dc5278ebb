"""An evening that a simulated camera and a simulated automatic table report; people confirm, and take photos.

The table's dice begin each hand. The camera follows what is laid. Every second win it sees for itself, when
the winner's tiles lie open; of the others the winner presses the button, and a photo of the hand is taken and
read.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.app.cameras import Cameras
from companion.app.news import DeviceWanted, SeatWins
from companion.app.recognition import use_models
from companion.cameras import Frame
from companion.game.deciding import Why
from companion.images import Image
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
from lab.scenes.hand import render_hand
from lab.window_bench.end_touches import find_press
from lab.window_bench.evening_plan import Evening
from lab.window_bench.evening_player import EveningPlayer
from lab.window_bench.evenings import Json
from lab.window_bench.laid_evening import LAID, LaidHand, part_hands
from lab.window_bench.screen import SETTLE_FRAMES, WindowScreen, read_memory_mb
from lab.window_bench.simulated_table import (
    INFO,
    SimulatedCamera,
    SimulatedReader,
    SimulatedTable,
    list_sights,
)

STILL_PICTURES = 24
"""So many pictures of tiles that lie still are looked at before people believe that the camera has seen all:
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
        """The winner presses the button at the table, and somebody touches what the window asks."""
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
