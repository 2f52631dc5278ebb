"""How often the real window wakes up while nobody touches it, which costs a tablet's battery."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.news import NewGameWanted, ScorePhotoWanted
from companion.app.practice.state import Practice
from companion.app.score_photo import photo
from companion.table.events import GameStarted

if TYPE_CHECKING:
    from companion.app.shell.window_controller import WindowController

RULES = "hefei"
SETTLE_S, SETTLES_MOST = 4.0, 10
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
"""What opens each page, in this order."""


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
    from companion.app.recognition import Reader, use_models
    from companion.app.shell.application import CompanionApp
    from companion.app.shell.startup import make_controller

    cameras = Cameras(tuple, _open_no_camera)
    controller = make_controller(folder, Reader(use_models()), cameras, keeps=True)
    window = CompanionApp(controller, None, None, news=())
    rests: dict[str, Rest] = {}
    drawn: list[None] = []
    Window.bind(on_flip=lambda _: drawn.append(None))

    def visit() -> Iterator[float]:
        for name, show in PAGES.items():
            show(controller)
            for _ in range(SETTLES_MOST):
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
