"""The Kivy application and its loop: it sleeps until Kivy's clock, the display, another thread or a signal
has something to do, and draws at most `FRAMES_PER_S` frames. Touches are passed on one at a time, each
after the layout that the one before caused. Import only after `boot.prepare`."""

from __future__ import annotations

import ctypes
import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.core.window.window_info import WindowInfoX11
from kivy.graphics import (
    Color,
    Instruction,
    InstructionGroup,
    Line,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)
from kivy.graphics.instructions import Canvas
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion.app.news import News
from companion.app.shell.boot import Geometry, write_geometry
from companion.app.shell.features import PAGES_AHEAD
from companion.app.shell.freed_memory import GIVE_BACK_S, give_back
from companion.app.shell.garbage import Garbage, begin_search
from companion.app.shell.root import Root
from companion.app.shell.watchdog import report_open
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets.fields import LEFT_S, MADE_S
from companion.app.widgets.tiles import load_faces, tile_texture
from companion.app.widgets.window_thread import WAKE_BYTES, WAKE_READ, call_on_window_thread
from companion.art import icon_png
from companion.files import write_whole
from companion.screen import load_sdl
from companion.stopping import Selector, call_when_stopped
from companion.tiles import BACK

PLACE: dict[str, Any] = {"pos": (0, 0), "size": (8, 8)}
"""Position and size of the area, below everything else, in which ways of drawing are tried."""
WORD = "8"


def get_ready(root: Root, pages: Sequence[str]) -> None:
    """From the next frame on, load the pictures of tiles, try each way of drawing, and build these pages."""
    pieces = chain(load_faces(), try_drawing(root.canvas.before), _build_pages(root, pages))

    def take_next(_: float) -> bool:
        return next(pieces, pieces) is None

    Clock.schedule_interval(take_next, 0)


def try_drawing(canvas: Canvas) -> Iterator[None]:
    """Draw in each of the ways that pages do, one after the other: alone, and clipped."""
    for make, is_cut in product(WAYS, (False, True)):
        drawn = InstructionGroup()
        for instruction in _cut(make()) if is_cut else make():
            drawn.add(instruction)
        canvas.insert(0, drawn)
        yield
        canvas.remove(drawn)


def _cut(drawn: Sequence[Instruction]) -> Sequence[Instruction]:
    """The same as in a list that scrolls."""
    return (
        StencilPush(),
        Rectangle(**PLACE),
        StencilUse(),
        *drawn,
        StencilUnUse(),
        Rectangle(**PLACE),
        StencilPop(),
    )


def _draw_words() -> Sequence[Instruction]:
    words = CoreLabel(text=WORD)
    words.refresh()
    return Color(), Rectangle(texture=words.texture, **PLACE)


def _draw_face() -> Sequence[Instruction]:
    return Color(), Rectangle(texture=tile_texture(BACK), **PLACE)


WAYS: tuple[Callable[[], Sequence[Instruction]], ...] = (
    lambda: (Color(), Rectangle(**PLACE)),
    lambda: (Color(), SmoothRoundedRectangle(**PLACE)),
    lambda: (Color(), SmoothEllipse(**PLACE)),
    lambda: (Color(), SmoothLine(rounded_rectangle=(0, 0, 8, 8, 2), width=1.5)),
    lambda: (Color(), Line(points=[0, 0, 8, 8], width=1)),
    lambda: (Color(), Line(points=[0, 0, 8, 8], width=2)),
    lambda: (Color(), Rectangle(texture=Texture.create(size=(8, 8), colorfmt="rgb"), **PLACE)),
    _draw_words,
    _draw_face,
)
"""Each as instructions."""


def _build_pages(root: Root, pages: Sequence[str]) -> Iterator[None]:
    for name in pages:
        root.page(name)
        yield


FRAMES_PER_S = 60
SLEEP_MAX_S = 0.5
"""The longest sleep, for events that come by an unknown connection, such as messages of the desktop."""
ALL_EVENTS = 0, 0xFFFF
"""SDL_FIRSTEVENT, SDL_LASTEVENT."""


class Loop:
    """In place of `EventLoop.mainloop`. idle_s: the last moment at which nothing waited to be read, by
    `time.monotonic`."""

    def __init__(self) -> None:
        self.idle_s = time.monotonic()
        self._sdl = load_sdl()
        self._drawn_s = 0.0
        self._waiting = Selector()
        self._waiting.register(WAKE_READ, selectors.EVENT_READ)
        display = find_display()
        self._has_display = display is not None
        if display is not None:
            self._waiting.register(display, selectors.EVENT_READ)
        if self._sdl is not None:
            self._sdl.SDL_StopTextInput()  # on from the start: a field that is touched turns it on

    def run(self) -> None:
        """Run until the window is closed."""
        while not EventLoop.quit and EventLoop.status == "started":
            self._sleep()
            Clock.idle()  # only reads the time: the work for an event begins when the event came
            EventLoop.window.mainloop()
            EventLoop.idle()

    def _sleep(self) -> None:
        """Sleep until something is due, and at least until a frame after the last one."""
        while not self._has_events():
            self.idle_s = time.monotonic()
            pause_s = self._pause_s()
            if pause_s <= 0:
                break
            woken = self._waiting.select(pause_s)
            self.idle_s = time.monotonic()
            if woken:
                break
        with suppress(BlockingIOError):
            WAKE_READ.recv(WAKE_BYTES)
        time.sleep(max(0.0, self._drawn_s + 1 / FRAMES_PER_S - time.monotonic()))
        self._drawn_s = time.monotonic()

    def _has_events(self) -> bool:
        """Whether the display has sent something: it may be read already, with the answer to a question."""
        if self._sdl is None:
            return True
        self._sdl.SDL_PumpEvents()
        return bool(self._sdl.SDL_HasEvents(*ALL_EVENTS))

    def _pause_s(self) -> float:
        """Seconds until something is due; 0 or less if something is."""
        if EventLoop.quit or EventLoop.window.canvas.needs_redraw:
            return 0.0
        is_typing = self._sdl is not None and self._sdl.SDL_IsTextInputActive()
        longest_s = SLEEP_MAX_S if self._has_display and not is_typing else 1 / FRAMES_PER_S
        due_s: float = Clock.get_min_timeout() - Clock.time()
        return min(due_s, longest_s)


def find_display() -> int | None:
    """The descriptor by which the X server sends events; None if the window is shown in another way."""
    window = EventLoop.window.get_window_info()
    if not isinstance(window, WindowInfoX11):
        return None
    try:
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XConnectionNumber.argtypes = [ctypes.c_void_p]
        return int(x11.XConnectionNumber(window.display))
    except (OSError, AttributeError):
        return None


BUDGET_S = 0.08
"""Touches are answered for this long before a frame is drawn, so that their result is seen."""

Event = tuple[str, MotionEvent]


class TouchQueue:
    """A step between Kivy's input and its widgets (`EventLoop.postproc_modules`).

    dispatch: hands an event to the widgets. settle: lays out what that has changed. idle_s: the last moment
    at which nothing waited to be read: a touch that is read now was made after it.
    """

    def __init__(
        self,
        dispatch: Callable[[str, MotionEvent], object],
        settle: Callable[[], None],
        idle_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle_s = idle_s
        self._dispatch = dispatch
        self._settle = settle
        self._waiting: deque[Event] = deque()

    def process(self, events: list[Event]) -> list[Event]:
        """Answer these events after those that wait; nothing is left for Kivy to hand on."""
        begun = time.monotonic()
        for kind, touch in events:
            if kind == "begin":
                touch.ud[MADE_S] = self._idle_s(), begun
            elif kind == "end":
                touch.ud[LEFT_S] = self._idle_s()
        self._waiting.extend(events)
        while self._waiting:
            kind, touch = self._waiting.popleft()
            self._dispatch(kind, touch)
            if kind == "end" and touch.is_touch:
                self._settle()
                if time.monotonic() - begun > BUDGET_S:
                    break
        if self._waiting:
            Clock.schedule_once(lambda _: None)  # another frame follows at once
        return []


def queue_touches(idle_s: Callable[[], float] = time.monotonic) -> TouchQueue:
    """Have every touch of the window answered in order from now on. idle_s: as of `TouchQueue`."""
    queue = TouchQueue(EventLoop.post_dispatch_input, Clock.tick_draw, idle_s)
    EventLoop.postproc_modules.append(queue)
    return queue


SCREENSHOT_WAIT_S = 120.0
"""The longest wait for the score before the screenshot is taken as it is: a slow board reads for half a
minute.
"""
SETTLE_FRAMES = 12
"""Frames drawn after the last change until the window is at rest: widgets that size each other need some."""

KEY_F11 = 292
KEY_ESCAPE = 27
"""Also what the back key of a tablet sends."""


Open = Callable[[WindowController, Path | None], None]
"""Takes what runs the window from now on, and its data folder, None if size and place are not kept."""


class CompanionApp(App):
    """One window. With `screenshot`, it closes by itself once that is written.

    `failure` is what kept it from being written. news: what the features hear once it is open. folder: the
    user's data folder, None if size and place are not to be kept. controller: None if what `ask` makes
    fills the window first, until it opens the window itself. screen: (width, height) in px of the one it
    is on.
    """

    title = "Mahjong Companion"
    icon = str(icon_png())

    def __init__(
        self,
        controller: WindowController | None,
        picture: Path | None,
        screenshot: Path | None,
        *,
        news: Sequence[News],
        folder: Path | None = None,
        ask: Callable[[Open], Widget] | None = None,
        screen: tuple[int, int] | None = None,
    ) -> None:
        super().__init__()
        self.controller = controller
        self._ask = ask
        self._screen_size = screen
        self._picture = picture
        self.screenshot = screenshot
        self._news = news
        self.folder = folder
        self.failure: OSError | None = None
        self._is_closed = False
        self._opened_at = time.monotonic()
        self._calm_frames = 0
        self._windowed: Geometry | None = None
        self._percent = 100

    def build(self) -> Widget:
        if self.controller is not None:
            return self._make_root(self.controller)
        assert self._ask is not None
        return self._ask(self._open)

    def _open(self, controller: WindowController, folder: Path | None) -> None:
        """Show the window itself instead of what was asked."""
        self.controller, self.folder = controller, folder
        root = self._make_root(controller)
        Window.remove_widget(self.root)
        Window.add_widget(root)
        self.root: Widget = root
        self._begin(controller)

    def _make_root(self, controller: WindowController) -> Root:
        controller.on_resize, controller.on_close = self._resize, self.stop
        if controller.place.number > 1:
            self.title = f"{self.title} ({controller.place.number})"
        root = Root(controller)
        garbage = Garbage(root)

        def show(view: WindowView) -> None:
            self._calm_frames = 0
            root.show(view)
            garbage.look(view)

        controller.on_view = show
        return root

    def write_last(self) -> bool:
        """Write what could not be written before; whether all is on disk."""
        return self.controller is None or self.controller.write_last()

    def open_settings(self, *_: object) -> bool:
        """Kivy would show a panel of its own settings on F1."""
        return False

    def on_start(self) -> None:
        begin_search()
        loop = Loop()
        queue_touches(lambda: loop.idle_s)
        Window.bind(on_keyboard=self._on_key)
        Window.bind(size=self._note_size, left=self._note_size, top=self._note_size)
        self._note_size()
        EventLoop.mainloop = loop.run
        call_when_stopped(lambda: call_on_window_thread(self.stop))
        Clock.schedule_interval(lambda _: give_back(), GIVE_BACK_S)
        report_open(Clock.schedule_interval)
        if self.controller is not None:
            self._begin(self.controller)

    def _begin(self, controller: WindowController) -> None:
        Window.bind(on_drop_file=lambda _, name, *__: controller.bring_picture(Path(os.fsdecode(name))))
        controller.start(self._picture)
        get_ready(self.root, PAGES_AHEAD)
        for news in self._news:
            controller.announce(news)
        if self.screenshot:
            Clock.schedule_interval(partial(self._shoot_when_calm, controller), 0)

    def on_stop(self) -> None:
        """Kivy calls this twice where the program stopped the window itself."""
        if not self._is_closed:
            self._is_closed = True
            self._keep_geometry()
            if self.controller is not None:
                self.controller.close()

    def _on_key(self, _: object, key: int, __: int, ___: object, modifiers: list[str]) -> bool:
        if key == KEY_F11:
            self._toggle_full()
        elif key == KEY_ESCAPE and self.controller is not None:
            self.controller.step_back()
        elif key == ord("z") and "ctrl" in modifiers and self.controller is not None:
            self.controller.undo()
        else:
            return key == KEY_ESCAPE
        return True

    def _toggle_full(self) -> None:
        """Over the whole screen and back."""
        full = not Window.fullscreen
        Window.fullscreen = "auto" if full else False
        if not full and self._windowed:
            Window.size = self._windowed.size

    def _note_size(self, *_: object) -> None:
        """Remember the window's place and size while it has a frame."""
        if not Window.fullscreen:
            width, height = map(round, Window.system_size)
            self._windowed = Geometry((width, height), (round(Window.left), round(Window.top)))

    def _keep_geometry(self) -> None:
        """For the next start; a second window, and one for a picture, leave the first one's alone."""
        is_first = self.controller is not None and self.controller.place.number == 1
        if self._windowed and self.folder and is_first and self.screenshot is None:
            with suppress(OSError):
                write_geometry(
                    self.folder,
                    replace(
                        self._windowed,
                        full=bool(Window.fullscreen),
                        percent=self._percent,
                        screen=self._screen_size,
                    ),
                )

    def _resize(self, percent: int) -> None:
        """From the next start on: sizes in dp are fixed when Kivy is first imported."""
        self._percent = percent
        self._keep_geometry()

    def _shoot_when_calm(self, controller: WindowController, _: float) -> bool:
        assert self.screenshot is not None
        view = controller.view
        self._calm_frames = self._calm_frames + 1 if view.front.is_ready_to_show else 0
        late = time.monotonic() - self._opened_at > SCREENSHOT_WAIT_S
        if not late and (view.busy or self._calm_frames < SETTLE_FRAMES):
            return True
        try:
            write_screenshot(self.screenshot)
        except OSError as error:
            self.failure = error
        self.stop()
        return False


def write_screenshot(path: Path) -> None:
    """Write what the window shows as a PNG. Raises OSError.

    Two frames are drawn for it. The first after a change of size goes into a buffer of the size before; the
    second is read before the screen gets it: afterwards the buffer may hold any frame.
    """
    import cv2
    import numpy as np
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    width, height = Window.system_size
    for event in ("on_draw", "on_flip", "on_draw"):
        Window.dispatch(event)
    pixels = np.frombuffer(glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE), dtype=np.uint8)
    image = cv2.cvtColor(pixels.reshape(height, width, 4)[::-1], cv2.COLOR_RGBA2BGR)
    done, content = cv2.imencode(".png", image)
    if not done:
        raise OSError("PNG")
    write_whole(path, content.tobytes())
