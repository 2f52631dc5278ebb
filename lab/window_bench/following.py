"""`companion bench app`: the real window follows filmed hands and visits every page, and is measured while it
does; how often it wakes up while nobody touches it.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from companion.app.effects import SendNews
from companion.app.feature import FeatureState
from companion.app.game.state import GameTable
from companion.app.home.state import Home
from companion.app.home.state import Page as HomePage
from companion.app.news import (
    HandEndWanted,
    NewGameWanted,
    News,
    ProfileWanted,
    ScorePhotoWanted,
    WinEntryWanted,
)
from companion.app.practice.state import Practice
from companion.app.score_photo import photo
from companion.app.settings.state import Settings, SettingsTab
from companion.app.sheet.state import SheetState
from companion.cameras import CameraInfo, Frame
from companion.cameras.recorded import AT_END, RecordedCamera
from companion.errors import CameraError
from companion.table.events import GameStarted
from lab.window_bench.screen import measure_growth, read_memory_mb

if TYPE_CHECKING:
    from companion.app.shell.window_controller import WindowController

TASKS = Path("/proc/self/task")
DRAWING = "llvmpipe"
"""Name of the threads of Mesa's driver that draw with the processor; a graphics card has none."""


def read_core_wait_s() -> float:
    """Seconds in all that the calling thread, or the threads that draw for it, were ready to run and did not:
    its own, and those of the thread that draws and waited longest. They draw while it waits for them."""
    drawing = [_read_wait_s(task) for task in _find_drawing()]
    return _read_wait_s(TASKS / str(threading.get_native_id())) + max(drawing, default=0.0)


@cache
def _find_drawing() -> tuple[Path, ...]:
    """They are there from the first frame to the last."""
    found = []
    with suppress(OSError):
        for task in TASKS.iterdir():
            with suppress(OSError):
                if (task / "comm").read_text().startswith(DRAWING):
                    found.append(task)
    return tuple(found)


def _read_wait_s(task: Path) -> float:
    try:
        return int((task / "schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


SETTLE_S, SETTLES_MAX = 4.0, 10
"""The wait after a page was opened, until deferred work is done: other pages are built, memory is freed."""
WAKE_UPS = re.compile(r"^voluntary_ctxt_switches:\s*(\d+)", re.MULTILINE)


def _score_photo(window: WindowController) -> None:
    window.announce(ScorePhotoWanted())
    window.do("score_photo", lambda state: photo.choose_game(state, RULES))


PAGES: dict[str, Callable[[WindowController], object]] = {
    "home": lambda _: None,
    "score_photo": _score_photo,
    "settings": lambda window: window.do("settings", lambda state: state.enter()),
    "practice": lambda window: window.do("practice", lambda state: Practice.pick_game(state, RULES)),
    "game": lambda window: window.announce(NewGameWanted(GameStarted(rules=RULES))),
}
"""Functions that open each page, in this order."""


@dataclass(frozen=True, slots=True)
class Rest:
    """page: the one in front; wake_ups: of all threads, a second; cores: of the processor that were at work;
    frames: drawn in that time."""

    page: str
    wake_ups: float
    cores: float
    frames: int


def measure_idle(folder: Path, for_s: float) -> dict[str, Rest]:
    """Open the window on the data folder `folder`, and each of `PAGES` for that long; how it rests there.

    No camera and no device is connected.
    """
    from companion.app.shell import boot

    boot.prepare(folder)
    from kivy.clock import Clock
    from kivy.core.window import Window

    from companion.app.cameras import Cameras
    from companion.app.recognition import PictureReader, use_models
    from companion.app.shell.application import CompanionApp
    from companion.app.shell.startup import make_controller

    cameras = Cameras(tuple, _open_no_camera)
    controller = make_controller(folder, PictureReader(use_models()), cameras, keeps=True)
    window = CompanionApp(controller, None, None, news=())
    rests: dict[str, Rest] = {}
    drawn: list[None] = []
    Window.bind(on_flip=lambda _: drawn.append(None))

    def visit() -> Iterator[float]:
        for name, show in PAGES.items():
            show(controller)
            for _ in range(SETTLES_MAX):
                yield SETTLE_S
                if Clock.get_min_timeout() > 0:  # nothing is called with each frame
                    break
            drawn.clear()
            before, worked_s = read_wake_ups(), time.process_time()
            yield for_s
            woken = sum(count - before.get(thread, 0) for thread, count in read_wake_ups().items())
            cores = (time.process_time() - worked_s) / for_s
            rests[name] = Rest(controller.view.front.page, woken / for_s, round(cores, 4), len(drawn))
        window.stop()

    visits = visit()

    def go_on(*_: object) -> None:
        pause_s = next(visits, None)
        if pause_s is not None:
            Clock.schedule_once(go_on, pause_s)

    window.bind(on_start=go_on)
    window.run()
    return rests


def read_wake_ups(process: int | str = "self") -> dict[str, int]:
    """How often each thread of a process has begun to wait so far, by its number: it wakes up as often."""
    counts = {}
    for status in Path("/proc", str(process), "task").glob("*/status"):
        try:
            found = WAKE_UPS.search(status.read_text())
        except OSError:  # the thread has ended
            continue
        if found:
            counts[status.parent.name] = int(found[1])
    return counts


def _open_no_camera(_: str) -> Any:
    raise AssertionError("no camera is to be opened")


Step = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Door:
    """What leads to a page, or to a part of the one in front: a step of that feature."""

    feature: str
    step: Step


def _say(news: News) -> Step:
    return lambda state: state.also(SendNews(news))


def _enter(state: Any) -> FeatureState:
    entered: FeatureState = state.enter()
    return entered


def _show_part(part: SettingsTab) -> Step:
    return lambda state: Settings.show_part(state.enter(), part)


def _show_sheet(part: str) -> Step:
    return lambda state: SheetState.choose_part(state, part)


def _open_hand(state: SheetState) -> SheetState:
    return state.open_hand(0) if state.sheet and state.sheet.hands else state


ROUNDS: tuple[tuple[Door, ...], ...] = (
    (
        Door("sheet", _enter),
        Door("sheet", _show_sheet("figures")),
        Door("sheet", _show_sheet("evenings")),
        Door("sheet", _show_sheet("hands")),
        Door("sheet", _open_hand),
        Door("sheet", lambda state: state.in_hand(lambda look: look.show_steps(True))),
    ),
    (Door("game", _say(WinEntryWanted(0))),),
    (Door("game", _say(HandEndWanted())),),
    (Door("coach", lambda state: state.toggle()), Door("coach", lambda state: state.toggle())),
    (Door("coach", _enter),),
    (
        Door("settings", _show_part(SettingsTab.LOOKS)),
        Door("settings", _show_part(SettingsTab.SOUND)),
        Door("settings", _show_part(SettingsTab.DATA)),
        Door("settings", lambda state: state.explain()),
    ),
    (Door("devices", _enter),),
    (Door("tile_sets", _enter),),
    (Door("home", _say(ProfileWanted())),),
    (
        Door("home", Home.go_home),
        Door("home", lambda state: state.show(HomePage.NEW_GAME)),
        Door("home", lambda state: state.show(HomePage.GAMES)),
    ),
)
"""All that people open while a game is played. After each round the table is shown."""
TABLE = Door("game", _enter)


def make_visit(controller: WindowController) -> Iterator[None]:
    """Open the next page each time that it is asked for one."""
    for doors in ROUNDS:
        for door in (*doors, TABLE):
            controller.do(door.feature, door.step)
            yield


RULES = "hefei"
PICTURES_PER_S = 15
"""Frame rate of the camera that is played to the window."""
PACE = 2.0
"""Speed of play there; 1 is normal."""
LATE_MS = 100
"""A window that draws nothing for longer has blocked."""
FRAMES_MIN = 8
"""Minimum number of window frames for meaningful figures."""
FILMED_PER_S = 10
FOLLOWING_THREAD = "following"
TABLE_PAGE = "game"
FIRST_PAGE_S = 3.0
"""Seconds between finding the table and opening another page."""
IDLE_S = 10.0
"""Seconds that each page is left alone."""
PAGE_S = 2.5
"""Seconds that each page, and the table between two pages, is shown."""

TOURED = object()

Json = dict[str, Any]


def bench(hands: int, again: int, starts: int, seed: int) -> Json:
    """Open the window `starts` times, then have it follow the filmed hands of a game `again` times in a
    row, if there are any; what was measured."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        _time_first_screen(folder / "compiled")  # Python compiles the program once, and keeps the code
        opened = [_time_first_screen(folder / f"start-{n}") for n in range(starts)]
        figures: Json = {
            "first_screen_s": round(median(took_s for took_s, _ in opened), 2),
            "first_screen_processor_s": round(median(worked_s for _, worked_s in opened), 2),
        }
        if hands:
            film = multiprocessing.get_context("spawn").Process(target=film_hands, args=(hands, seed, folder))
            film.start()  # in a process of its own, whose memory is not the window's
            film.join()
            figures |= follow_in_window(sorted(folder.glob("*.mp4")) * again, folder / "data")
        figures["idle"] = _measure_idle(folder / "idle")
        figures["pages"] = _measure_pages(folder / "pages")
    return figures | {"hands": hands, "again": again, "starts": starts, "seed": seed, "cores": os.cpu_count()}


def film_hands(hands: int, seed: int, folder: Path) -> None:
    """Film that number of hands of a game on one table from above, 1920×1080, one file each, into the
    folder."""
    from companion.coach.play.simulation import play
    from companion.table.events import GameStarted
    from lab.film.customs import Pose
    from lab.film.writing import Shooting, prepare_film, write_film

    shooting = Shooting(Pose.ABOVE, (1920, 1080), PACE * FILMED_PER_S / PICTURES_PER_S, seed=seed)
    for number, played in enumerate(play(GameStarted(rules=RULES), hands, random.Random(seed))):
        write_film(prepare_film(played.start, played.steps, shooting), folder, f"hand-{number:03}")


def follow_in_window(videos: list[Path], folder: Path) -> Json:
    """Follow the videos, one after the other as one camera shows them, in the window, its files in `folder`;
    what was measured. Memory is that of this process, in MB of 2^20 bytes."""
    from companion.app.shell import boot

    folder.mkdir()
    boot.prepare(folder)
    from companion.app.cameras import Cameras
    from companion.app.recognition import PictureReader, use_models
    from companion.app.shell.application import CompanionApp
    from companion.app.shell.startup import make_controller

    projector = Projector(videos)
    cameras = Cameras(lambda: (CameraInfo("film", "Film"),), lambda _: projector.open())
    controller = make_controller(folder, PictureReader(use_models()), cameras, keeps=True)
    window = CompanionApp(controller, None, None, news=())
    meter = Meter(controller, projector, window.stop)
    window.bind(on_start=lambda _: meter.begin())
    window.run()
    return meter.report()


class Projector:
    """A camera that shows these videos in a row, 15 pictures a second; it stops when closed. They are decoded
    in a process of their own, as a camera's pictures are."""

    def __init__(self, videos: list[Path]) -> None:
        self._videos = iter(videos)
        self._film: RecordedCamera | None = None
        self._frames: Iterator[Frame] = iter(())
        self._shown = 0
        self._began_s = time.monotonic()
        self.is_over = False

    def open(self) -> Projector:
        """Show them from where they stand."""
        self._began_s = time.monotonic() - self._shown / PICTURES_PER_S
        return self

    def read(self) -> Frame:
        """The next picture when it is due. Raises CameraError at the end."""
        while (frame := next(self._frames, None)) is None:
            video = next(self._videos, None)
            if self._film is not None:
                self._film.close()
            if video is None:
                self.is_over = True
                raise CameraError(AT_END, path="film")
            self._film = RecordedCamera(video, loop=False, paced=False)
            self._frames = self._film.frames()
        self._shown += 1
        place_s = self._shown / PICTURES_PER_S
        time.sleep(max(0.0, self._began_s + place_s - time.monotonic()))
        return Frame(frame.image, round(1e9 * place_s))

    def close(self) -> None:
        """Let them stand."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame of the window. s: of the clock; cpu_s: of the processor, all threads together; work_s: of it,
    the window's thread; followed: the number of the camera's picture that it shows, 0 while the table is not
    found; mb: in memory; page: the one in front; wait_s: seconds that drawing has waited for a core so far;
    rounds: how often each page has been opened by now."""

    s: float
    cpu_s: float
    work_s: float
    followed: int
    mb: float
    page: str
    wait_s: float = 0.0
    rounds: int = 0


class Meter:
    """Has the window follow its camera, opens its pages one after the other meanwhile, again and again, and
    notes every frame that it draws, until the film is at its end; then calls `stop`."""

    def __init__(self, controller: WindowController, projector: Projector, stop: Callable[[], None]) -> None:
        self._controller = controller
        self._projector = projector
        self._stop = stop
        self._moments: list[Moment] = []
        self._following_s = 0.0
        self._asked = False
        self._visit = make_visit(controller)
        self._rounds = 0
        self._next_s = 0.0

    def begin(self) -> None:
        from kivy.clock import Clock

        self._controller.do("game", GameTable.begin_game)
        Clock.schedule_interval(self._note, 0)

    def report(self) -> Json:
        followed = self._state.followed
        entries = followed.entries if followed else ()
        return {
            **describe_moments(self._moments, self._following_s),
            "events": entries[-1].number if entries else 0,
        }

    @property
    def _state(self) -> GameTable:
        state: GameTable = self._controller.view.states["game"]  # type: ignore[assignment]
        return state

    def _note(self, _: float) -> bool:
        if not self._asked and self._state.followed is not None and not self._state.busy:
            self._asked = True
            self._controller.do("game", GameTable.follow)
        following = self._state.following
        picture = following.picture if following else None
        number = picture.number if picture and picture.table else 0
        now_s, page = time.monotonic(), self._controller.view.front.page
        work_s = time.thread_time()
        self._moments.append(
            Moment(
                now_s,
                time.process_time(),
                work_s,
                number,
                read_memory_mb(),
                page,
                read_core_wait_s(),
                self._rounds,
            )
        )
        self._following_s = max(self._following_s, _read_thread_s(FOLLOWING_THREAD))
        if number and not self._next_s:
            self._next_s = now_s + FIRST_PAGE_S
        if self._next_s and now_s > self._next_s:
            self._next_s = now_s + PAGE_S
            self._open_next()
        is_over = self._projector.is_over and not self._state.runs
        if is_over:
            self._stop()
        return not is_over

    def _open_next(self) -> None:
        if next(self._visit, TOURED) is TOURED:
            self._rounds += 1
            self._visit = make_visit(self._controller)
            next(self._visit)


def describe_moments(moments: Sequence[Moment], following_s: float) -> Json:
    """The figures of a window's frames from the one on in which the table was found, which may be none.
    Pictures are counted while the table's page is in front: behind others the camera rests. following_s:
    processor time of the thread that follows. Growth of memory is that from the second quarter of the frames
    to the last: of those from the one on before which each page has been opened, None if these are few,
    and of all."""
    found = next((at for at, each in enumerate(moments) if each.followed), len(moments))
    seen = moments[found:]
    if len(seen) < FRAMES_MIN:
        return {"table_found_after_s": None}
    first, last = seen[0], seen[-1]
    at_table = [one for one, after in pairwise(seen) if one.page == TABLE_PAGE]
    seconds = last.s - first.s
    watched_s = sum(after.s - one.s for one, after in pairwise(seen) if one.page == TABLE_PAGE)
    numbers = sorted({each.followed for each in seen if each.followed})
    followed = len(numbers) - 1
    lengths_ms = 1000 * np.diff([each.s for each in seen])
    work_ms = 1000 * np.diff([each.work_s for each in seen])
    alone_ms = lengths_ms - 1000 * np.diff([each.wait_s for each in seen])
    toured_mb = [each.mb for each in seen if each.rounds]
    return {
        "table_found_after_s": round(first.s - moments[0].s, 1),
        "seconds": round(seconds),
        "camera_pictures_per_s": round((numbers[-1] - numbers[0]) / watched_s, 1),
        "followed_pictures_per_s": round(followed / watched_s, 1),
        "following_ms_a_picture": round(1000 * following_s / max(1, followed), 1),
        "window_frames_per_s": round(len(lengths_ms) / seconds, 1),
        "window_frames_per_s_at_table": round(len(at_table) / watched_s, 1),
        "window_frame_ms_95": round(float(np.quantile(lengths_ms, 0.95)), 1),
        "window_frame_ms_longest": round(float(lengths_ms.max())),
        "window_frames_over_100_ms": int((lengths_ms > LATE_MS).sum()),
        "window_frames_over_100_ms_by_page": _count_late(seen, lengths_ms),
        "window_frames_over_100_ms_without_waits_for_a_core": _count_late(seen, alone_ms),
        "window_work_ms_longest": round(float(work_ms.max())),
        "window_work_over_100_ms_by_page": _count_late(seen, work_ms),
        "pages": len({each.page for each in seen}),
        "cores_used": round((last.cpu_s - first.cpu_s) / seconds, 2),
        "memory_mb": round(max(each.mb for each in moments)),
        "memory_growth_mb": measure_growth(toured_mb) if len(toured_mb) >= FRAMES_MIN else None,
        "memory_growth_with_first_openings_mb": measure_growth([each.mb for each in seen]),
        "rounds_of_pages": last.rounds,
    }


def _count_late(moments: Sequence[Moment], lengths_ms: NDArray[np.floating]) -> dict[str, int]:
    """How many frames took too long, by the page that was in front when they ended."""
    late = (after.page for after, took in zip(moments[1:], lengths_ms, strict=True) if took > LATE_MS)
    return dict(Counter(late))


def _time_first_screen(folder: Path) -> tuple[float, float]:
    """Seconds from the call of `companion app` to the picture of its first screen that it has written, and
    how many of a processor that took, which depend less on other programs."""
    folder.mkdir()
    began, worked_s = time.monotonic(), _read_children_s()
    subprocess.run(
        [sys.executable, "-m", "companion", "app", "--screenshot", str(folder / "first.png")],
        env={**os.environ, "COMPANION_DATA": str(folder), "PYTHONDONTWRITEBYTECODE": ""},
        check=True,
        capture_output=True,
    )
    return time.monotonic() - began, _read_children_s() - worked_s


def _read_children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measure_idle(folder: Path) -> Json:
    """How each page rests in a window of its own, which a process has one of."""
    folder.mkdir()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        rests = other.submit(measure_idle, folder, IDLE_S).result()
    return {page: asdict(rest) for page, rest in rests.items()}


VISITS, FRAMES_A_PAGE = 3, 8


def _measure_pages(folder: Path) -> Json:
    """How quickly each page is shown, and in how much memory, without a game that is followed."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        return other.submit(visit_pages, folder).result()


def visit_pages(folder: Path) -> Json:
    """Show every page `VISITS` times in a window of its own; of the frames' own work, which other programs do
    not change much, the longest on each page that took over 100 ms in any round but the first."""
    from companion.app.cameras import Cameras
    from companion.app.recognition import PictureReader, use_models
    from lab.window_bench.screen import WindowScreen

    used_mb = []
    late: dict[str, int] = {}
    cameras = Cameras(tuple, _open_no_camera)
    with WindowScreen(folder, PictureReader(use_models()), cameras) as screen:
        for number in range(VISITS):
            screen.work_ms.clear()
            visits, worked_s = make_visit(screen.controller), time.thread_time()
            for _ in visits:  # the page is shown by the step to it, which belongs to the first frame
                step_ms, shown = 1000 * (time.thread_time() - worked_s), len(screen.work_ms)
                screen.draw(FRAMES_A_PAGE)
                first, *others = screen.work_ms[shown:]
                longest = max(step_ms + first, *others)
                if number and longest > LATE_MS:
                    page = screen.controller.view.front.page
                    late[page] = max(late.get(page, 0), round(longest))
                worked_s = time.thread_time()
            used_mb.append(round(read_memory_mb()))
        return {"memory_mb": used_mb, "frames_a_round": len(screen.work_ms), "late_ms": late}


def _read_thread_s(name: str) -> float:
    """Seconds of processor time that the thread of this name has had; 0 if there is none."""
    for thread in threading.enumerate():
        if thread.name == name and thread.ident is not None:
            return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return 0.0
