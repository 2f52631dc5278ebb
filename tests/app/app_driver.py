"""Drives the real window: touches it, waits for it, reads what it says and shows."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from frames import make_finger, whole_frames
from numpy.typing import NDArray

from companion.app.cameras import Cameras
from companion.app.devices.feature import DevicesFeature
from companion.app.news import ScorePhotoWanted
from companion.app.pictures.feature import PicturesFeature
from companion.app.pictures.state import BringPicture
from companion.app.recognition import PictureReader, Recognition, use_models
from companion.app.score_photo import photo
from companion.app.score_photo.state import ScorePhoto
from companion.app.shell import session
from companion.app.shell.features import HOME, make_features
from companion.app.shell.session import take_place
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import Banner, WindowView
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import TileSets
from companion.art import tile_png
from companion.cameras import list_cameras, open_camera, play_recording
from companion.errors import CompanionError
from companion.game.updates import Post
from companion.images import Image, Quad
from companion.live.devices import Serial
from companion.vision import Reading, TileReading, load_picture
from companion.vision.learned import LearnedSet
from companion.words import Language

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.shell.root import Root

SIZES = {"tablet": (1280, 800), "small": (1024, 600), "portrait": (800, 1280)}
SIZES_IN_LANGUAGES = [
    (SIZES["tablet"], Language.ENGLISH),
    (SIZES["small"], Language.SIMPLIFIED),
    (SIZES["portrait"], Language.ENGLISH),
    ((1920, 1080), Language.TRADITIONAL),
]
CHINESE = (Language.SIMPLIFIED, Language.TRADITIONAL)
WIN = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 8s"
"""15 points."""
WAIT_S = 60.0


def list_looks(turn: int = 0, sizes: Iterable[str] = SIZES) -> list[tuple[str, Language]]:
    """Each of these sizes in English, whose words are the longest, and in one of the two Chinese in turn: all
    but a few of their sentences are equally long."""
    return [
        (size, language)
        for at, size in enumerate(sizes, turn)
        for language in (Language.ENGLISH, CHINESE[at % 2])
    ]


@dataclass
class ScriptedReader:
    """Finds the tiles that `codes` names, side by side.

    `unsure`: places of tiles read with little certainty.
    """

    codes: str = WIN
    unsure: tuple[int, ...] = ()
    advice: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    trouble: CompanionError | None = None
    gate: threading.Event = field(default_factory=threading.Event)
    read_count: int = 0
    read_with: str | None = None

    def __post_init__(self) -> None:
        self.gate.set()

    @property
    def recognition(self) -> Recognition:
        real = use_models()
        return Recognition(load_picture, self.read, self.read_next, real.learn, real.model, real.recogniser)

    def read_next(self, _: object, image: Image, tile_set: LearnedSet | None) -> tuple[Reading, Any]:
        return self.read(image, tile_set), None

    def read(self, image: Image, tile_set: LearnedSet | None = None) -> Reading:
        self.gate.wait(WAIT_S)
        self.read_count += 1
        self.read_with = tile_set.name if tile_set else None
        if self.trouble:
            raise self.trouble
        height, width = image.shape[:2]
        codes = self.codes.split()
        tiles = []
        for i, code in enumerate(codes):
            p = 0.6 if i in self.unsure else 0.997
            tiles.append(
                TileReading(code, place(i, len(codes), width, height), p, ((code, p), ("5s", 1 - p)))
            )
        rows = (tuple(range(len(tiles))),)
        return Reading(width, height, tuple(tiles), rows, {"total": 1.0}, self.advice, self.warnings)


def find_scroller(widget: Any) -> Any:
    """The list in which a widget is scrolled."""
    from kivy.uix.scrollview import ScrollView

    while not isinstance(widget, ScrollView):
        widget = widget.parent
    return widget


def place(i: int, count: int, width: int, height: int) -> Quad:
    """Where the tile number `i` of `count` lies on a picture of that size."""
    step = width / (count + 1)
    x, y, w, h = step * (i + 0.55), height * 0.4, step * 0.9, step * 1.2
    return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


def draw_picture(path: Path, codes: str = WIN, size: tuple[int, int] = (1280, 720)) -> Path:
    """A picture of those tiles, side by side where ScriptedReader says they are."""
    path.write_bytes(encode_picture(path.suffix, codes, size))
    return path


@cache
def encode_picture(suffix: str, codes: str, size: tuple[int, int]) -> bytes:
    width, height = size
    noise = np.random.default_rng(1).integers(0, 14, (height, width, 3))
    image = (np.array([70, 96, 44]) + noise).astype(np.uint8)
    names = codes.split()
    for i, code in enumerate(names):
        (x, y), _, (right, bottom), _ = (
            tuple(round(v) for v in corner) for corner in place(i, len(names), *size)
        )
        face = cv2.imread(str(tile_png(code)), cv2.IMREAD_UNCHANGED)
        face = cv2.resize(face, (right - x, bottom - y), interpolation=cv2.INTER_AREA)
        alpha = face[..., 3:] / 255
        image[y:bottom, x:right] = face[..., :3] * alpha + image[y:bottom, x:right] * (1 - alpha)
    _, content = cv2.imencode(suffix, image)
    return content.tobytes()


def make_controller(
    folder: Path,
    recognition: Recognition,
    cameras: Cameras,
    post: Post,
    language: Language | None = None,
    serial: Serial | None = None,
    *,
    is_kept: bool = True,
) -> WindowController:
    """A window's controller, with all features, on that data folder."""
    reader = PictureReader(recognition)
    features = make_features(
        folder=folder, reader=reader, cameras=cameras, serial=serial or Serial(), post=post, is_kept=is_kept
    )
    place = take_place(folder, is_kept=is_kept)
    return WindowController(features, home=HOME, place=place, reader=reader, post=post, language=language)


class Pages:
    """The pages of a window, as attributes."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def __getattr__(self, name: str) -> Any:
        return self._root.page(name)


class Driver:
    """One controller and one root in the shared window."""

    def __init__(
        self,
        folder: Path,
        reader: ScriptedReader | Recognition,
        size: tuple[int, int],
        *,
        camera: str | None = None,
        language: Language | None = None,
        serial: Serial | None = None,
        home: bool = False,
        is_kept: bool = True,
    ) -> None:
        """home: whether the window stays on its first page; otherwise a photo is to be scored. is_kept:
        whether its data folder is there the next time."""
        from kivy.core.window import Window

        from companion.app.shell.root import Root
        from companion.app.widgets.window_thread import call_on_window_thread

        self.folder = folder
        self.reader = reader if isinstance(reader, ScriptedReader) else ScriptedReader()
        self.window = Window
        self._view: WindowView | None = None
        Window.size = size
        self.controller = make_controller(
            folder / "data",
            reader.recognition if isinstance(reader, ScriptedReader) else reader,
            Cameras(list_cameras, open_camera, camera, play_recording),
            call_on_window_thread,
            language,
            serial,
            is_kept=is_kept,
        )
        self._root = Root(self.controller)
        self._is_open = home
        Window.add_widget(self._root)
        if home:
            self.controller.on_view = self._show
            self.frames(3)
            self.controller.start(None)
        else:
            self.controller.start(None)
            self.controller.announce(ScorePhotoWanted())
            if self.page == "score_game":
                self.do(lambda state: photo.choose_game(state, "hefei"))
        self.settle()

    @property
    def root(self) -> Root:
        """The window's root, which shows the page in front from when it is first asked for: pages before
        that are not built, which is most of the time of many tests."""
        self._open()
        return self._root

    def _open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self.controller.on_view = self._show
            self._show(self.controller.view)
            self.frames(4)

    @property
    def pages(self) -> Any:
        return Pages(self.root)

    @property
    def view(self) -> WindowView | None:
        """What is shown."""
        return self._view if self.root else None

    def _show(self, view: WindowView) -> None:
        self._view = view
        self._root.show(view)

    def do(self, step: Callable[[ScorePhoto], ScorePhoto]) -> None:
        """Take a step of scoring a photo."""
        self.controller.do("score_photo", step)

    def teach(self, step: Callable[[TileSets], TileSets]) -> None:
        """Take a step of the tile sets."""
        self.controller.do("tile_sets", step)

    @property
    def state(self):  # type: ignore[no-untyped-def]
        """Of scoring a photo."""
        return self.controller.view.states["score_photo"]

    @property
    def sets(self) -> TileSets:
        state = self.controller.view.states["tile_sets"]
        assert isinstance(state, TileSets)
        return state

    @property
    def lesson(self) -> LessonDraft:
        return self.sets.lesson

    @property
    def bringing(self) -> BringPicture:
        state = self.controller.view.states["pictures"]
        assert isinstance(state, BringPicture)
        return state

    @property
    def pictures(self) -> PicturesFeature:
        feature = self.controller.features["pictures"]
        assert isinstance(feature, PicturesFeature)
        return feature

    @property
    def devices(self):  # type: ignore[no-untyped-def]
        """The links to devices."""
        feature = self.controller.features["devices"]
        assert isinstance(feature, DevicesFeature)
        return feature.links

    @property
    def game(self):  # type: ignore[no-untyped-def]
        """The running game."""
        feature = self.controller.features["devices"]
        assert isinstance(feature, DevicesFeature)
        return feature.game

    def kept(self, feature: str) -> Any:
        """What that feature has on disk, once all is written."""
        assert self.controller.wait_until_kept(WAIT_S)
        assert self.controller.place.path is not None
        return session.read(self.controller.place.path).parts[feature]

    @property
    def page(self) -> str:
        """The page in front."""
        return self.controller.view.front.page

    @property
    def banner(self) -> Banner | None:
        return self.controller.view.window.banner

    @property
    def busy(self) -> object:
        return self.controller.view.busy

    def close(self) -> None:
        self.controller.close()
        self.window.remove_widget(self._root)
        self.frames(2)

    def resize(self, size: tuple[int, int]) -> None:
        """Make the window that large."""
        if tuple(self.window.size) != size:
            self.window.size = size
            self.frames(4)

    def frames(self, count: int) -> None:
        from kivy.base import EventLoop

        for _ in range(count):
            EventLoop.idle()

    def wait(self, condition: Callable[[], object], what: str = "it", *, most_s: float = WAIT_S) -> None:
        """Draw frames until `condition` holds, for that long at most."""
        end = time.monotonic() + most_s
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}; the window says: {self.texts()}"
            self.frames(1)
            time.sleep(0.005)  # leaves the processor to the reading

    def settle(self) -> None:
        """Wait until nothing is under way and the layout has come to rest."""
        self.wait(lambda: self.busy is None, "the end of the work")
        self.frames(4)

    def open(self, path: Path) -> None:
        self.controller.bring_picture(path)
        self.settle()

    def touch(self, target: object, *, hold_frames: int = 1) -> None:
        """Touch a widget, or a point, with a finger; a button of the menu in the opened menu."""
        if target in self.root.bar.offered and target.get_parent_window() is None:  # type: ignore[attr-defined]
            self.touch(self.root.bar.menu)
        x, y = target if isinstance(target, tuple) else target.to_window(*target.center)  # type: ignore[attr-defined]
        finger = make_finger(x, y)
        finger.down()
        self.frames(hold_frames)
        finger.up()
        self.frames(4)

    def show_everyone(self) -> None:
        """Show the win to all four, if answering the last question has not shown it."""
        if self.page != "win_result":
            self.touch(self.pages.win_entry.show_all)

    def hold(self, target: object) -> None:
        """Touch a widget for as long as a hold takes."""
        from companion.app.widgets.fields import HOLD_S, LEFT_S, MADE_S

        x, y = target.to_window(*target.center)  # type: ignore[attr-defined]
        finger = make_finger(x, y)
        finger.ud[MADE_S], finger.ud[LEFT_S] = (0.0, 0.0), HOLD_S
        finger.down()
        self.frames(1)
        finger.up()
        self.frames(3)

    def double_touch(self, target: object) -> None:
        """Touch a widget twice, quickly."""
        from companion.app.widgets.fields import MADE_S

        x, y = target.to_window(*target.center)  # type: ignore[attr-defined]
        made_s = time.monotonic()
        for _ in range(2):
            finger = make_finger(x, y)
            finger.ud[MADE_S] = made_s, made_s
            finger.down()
            self.frames(1)
            finger.up()
            self.frames(2)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        finger = make_finger(*start)
        finger.down()
        for i in range(1, 6):
            self.frames(1)
            finger.to(*(a + (b - a) * i / 5 for a, b in zip(start, end, strict=True)))
        finger.up()
        self.frames(10)

    def labels(self) -> Iterator[object]:
        """Every label on the screen that says something."""
        from kivy.uix.label import Label

        for widget in self.root.walk(restrict=True):
            if isinstance(widget, Label) and widget.text.strip() and widget.opacity:
                yield widget

    def texts(self) -> list[str]:
        return [label.text for label in self.labels()]  # type: ignore[attr-defined]

    def says(self, text: str) -> bool:
        return any(text in shown for shown in self.texts())

    def choose_table(self, key: str) -> None:
        """Touch the card of that table, where one is to be chosen; it is remembered for the game."""
        if self.page == "table_choice":
            self.frames(3)
            self.touch(self.pages.table_choice.cards[key])

    def button(self, text: str) -> Any:
        """The button that says `text`, in the window or its menu."""
        from companion.app.widgets.basics import Press

        for widget in (*self.root.walk(restrict=True), *self.root.bar.offered):
            if isinstance(widget, Press) and widget.text == text:
                return widget
        raise AssertionError(f"no button says {text!r}; the window says: {self.texts()}")

    def press(self, text: str) -> None:
        """Touch the button that says `text`."""
        self.touch(self.button(text))

    def pixels(self) -> NDArray[np.uint8]:
        """What the window shows: (H, W, 3) BGR."""
        from companion.app.shell.application import write_screenshot

        path = self.folder / "pixels.png"
        self._open()
        with whole_frames():
            self.frames(2)
            write_screenshot(path)
        image = cv2.imread(str(path))
        return np.asarray(image, dtype=np.uint8)

    def shot(self, name: str) -> None:
        """Keep what the window shows, where COMPANION_SCREENSHOTS says."""
        from companion.app.shell.application import write_screenshot

        kept = os.environ.get("COMPANION_SCREENSHOTS")
        if kept:
            self._open()
            Path(kept).mkdir(parents=True, exist_ok=True)
            with whole_frames():
                self.frames(2)
                write_screenshot(Path(kept) / f"{name}.png")
