"""Nothing keeps the window's thread for long: what could is done ahead, elsewhere, or not at all."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from app_driver import SIZES, Driver
from sheet_driver import keep_game

import companion as package
from companion.app.news import KeptGameWanted, TableWanted
from companion.app.shell.freed_memory import give_back, limit_kept_memory
from lab.window_bench.following import make_visit

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.shell.garbage import Garbage
    from companion.app.shell.window_state import WindowView

TIDY_FRAMES = 12
"""For all that is due to be tidied up, one thing a frame."""
PROGRAM = (Path(package.__file__).parent, Path(sys.prefix), Path(sys.base_prefix))
"""What comes with the program: in no folder of a person's, which may be on a slow disk."""
HEAVY = {"cv2.cv2", "onnxruntime", "reportlab", "sqlite3", "segno"}
"""Modules that take long to load."""
OPENING = {"open", "sqlite3.connect", "os.listdir", "os.scandir"}


class Watch:
    """What the window's thread opens and imports."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.imported: list[str] = []
        self._is_on = False
        sys.addaudithook(self._hear)  # for good: hooks cannot be taken away

    @contextmanager
    def look(self) -> Iterator[Watch]:
        self.opened, self.imported, self._is_on = [], [], True
        try:
            yield self
        finally:
            self._is_on = False

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._is_on or threading.current_thread() is not threading.main_thread():
            return
        if event in OPENING and isinstance(args[0], str | Path):
            self.opened.append(str(args[0]))
        elif event == "subprocess.Popen":
            self.opened.append(f"/{args[0]}")
        elif event == "import":
            self.imported.append(args[0])


WATCH = Watch()


@pytest.mark.slow
def test_no_page_is_built_with_a_persons_files_on_the_windows_thread(companion: Driver) -> None:
    keep_game()
    companion.controller.announce(KeptGameWanted("friday"))
    companion.settle()
    pages: set[str] = set()
    with WATCH.look() as watch:
        for _ in make_visit(companion.controller):
            companion.settle()
            pages.add(companion.page)
    assert len(pages) >= 12
    foreign = {each for each in watch.opened if not is_of_program(Path(each))}
    assert foreign == set()
    assert HEAVY.isdisjoint(watch.imported)


def is_of_program(path: Path) -> bool:
    return not path.is_absolute() or any(path.is_relative_to(root) for root in PROGRAM)


def test_pages_are_prepared_one_piece_per_frame(companion: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.app.shell import application
    from companion.app.shell.features import PAGES_AHEAD
    from companion.app.widgets import tiles

    done: list[str] = []
    pages = companion.root.list_pages()
    monkeypatch.setattr(tiles, "tile_texture", done.append)
    monkeypatch.setattr(companion.root, "page", done.append)
    application.get_ready(companion.root, PAGES_AHEAD)
    counts = []
    for _ in range(len(tiles.FACES) + 2 * len(application.WAYS) + len(PAGES_AHEAD) + 3):
        companion.frames(1)
        counts.append(len(done))
    assert max(np.diff([0, *counts])) == 1
    assert done == [*tiles.FACES, *PAGES_AHEAD]
    assert companion.root.list_pages() == pages


def test_trying_the_ways_of_drawing_leaves_nothing_behind(companion: Driver) -> None:
    from companion.app.shell.application import WAYS, try_drawing

    canvas = companion.root.canvas.before
    before = list(canvas.children)
    count = 0
    for _ in try_drawing(canvas):
        assert len(canvas.children) == len(before) + 1
        companion.frames(1)
        count += 1
    assert count == 2 * len(WAYS)
    assert list(canvas.children) == before


def test_a_list_gets_few_rows_a_frame(companion: Driver) -> None:
    from kivy.core.window import Window
    from kivy.uix.label import Label

    from companion.app.widgets.listing import ROWS_A_FRAME, Listing

    listing = Listing(Label, row_height=40, spacing=0)
    listing.size_hint, listing.size = (None, None), (300, 400)
    Window.add_widget(listing)
    try:
        listing.data = [{"text": str(number)} for number in range(50)]
        counts = [0]
        for _ in range(8):
            companion.frames(1)
            counts.append(len(listing.children[0].children))
        assert max(np.diff(counts)) == ROWS_A_FRAME
        assert {row.text for row in listing.children[0].children} >= {str(number) for number in range(10)}
        listing.scroll_y = 0
        companion.frames(8)
        assert {row.text for row in listing.children[0].children} >= {str(number) for number in range(40, 50)}
    finally:
        Window.remove_widget(listing)


def test_a_column_is_filled_with_few_rows_a_frame(companion: Driver) -> None:
    from kivy.uix.widget import Widget

    from companion.app.widgets.basics import ROWS_A_FRAME, Column

    column = Column()
    old, new = [Widget() for _ in range(50)], [Widget() for _ in range(5)]
    column.fill(iter(old))
    companion.frames(2)
    assert len(column.inside.children) <= 3 * ROWS_A_FRAME
    column.fill(iter(new))
    counts = [len(column.inside.children)]
    while counts[-1] < len(new):
        companion.frames(1)
        counts.append(len(column.inside.children))
    assert max(np.diff([0, *counts])) == ROWS_A_FRAME
    companion.frames(2)
    assert column.inside.children[::-1] == new


@pytest.mark.parametrize("size", [SIZES["small"], (1920, 1080)])
def test_the_graphics_chip_gets_no_more_of_a_picture_than_is_shown(
    companion: Driver, size: tuple[int, int]
) -> None:
    from kivy.core.window import Window

    from companion.app.widgets.stage import LiveStage

    stage = LiveStage()
    stage.size_hint, stage.size = (None, None), (480, 300)
    Window.add_widget(stage)
    try:
        stage.fill(np.zeros((size[1], size[0], 3), np.uint8))
        companion.frames(2)
        width, height = find_texture(stage)
        assert max(width / 480, height / 300) == 1
        assert stage.picture_size == size
        stage.size = (4000, 3000)
        companion.frames(2)
        assert find_texture(stage) == size
    finally:
        Window.remove_widget(stage)


def find_texture(stage: Any) -> tuple[int, int]:
    """The size of the picture that is drawn there."""
    width, height = stage._plate.texture.size
    return int(width), int(height)


@pytest.fixture
def garbage(companion: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Garbage]:
    """Of the window, without any rest, and looking at all that is shown."""
    from companion.app.shell import garbage as module

    monkeypatch.setattr(module, "REST_S", 0.0)
    monkeypatch.setattr(module, "WHOLE_SEARCH_S", 0.0)
    made = module.Garbage(companion.root)

    def show(view: WindowView) -> None:
        companion.root.show(view)
        made.look(view)

    companion.controller.on_view = show
    show(companion.controller.view)
    companion.frames(TIDY_FRAMES)
    yield made
    gc.collect()  # what the first window has imported is frozen for all tests, and stays so
    gc.freeze()


@pytest.mark.slow
def test_old_objects_are_not_searched_for_garbage(companion: Driver, garbage: Garbage) -> None:
    before = gc.get_freeze_count()
    assert before > 10 * len(gc.get_objects())
    companion.controller.announce(TableWanted())
    companion.frames(TIDY_FRAMES)
    after = gc.get_freeze_count()
    assert after > before
    companion.controller.undo()
    companion.frames(TIDY_FRAMES)
    assert gc.get_freeze_count() <= after, "a page is put aside once"


def test_garbage_is_searched_for_soon_after_much_was_put_aside() -> None:
    from companion.app.shell.garbage import keep_what_is_there

    searched: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            searched.append(info["generation"])

    before = gc.get_threshold()
    much = [[] for _ in range(600_000)]  # type: ignore[var-annotated]
    keep_what_is_there()
    gc.set_threshold(700, 10, 10)
    gc.callbacks.append(note)
    try:
        some = [[] for _ in range(100_000)]  # type: ignore[var-annotated]
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*before)
    assert 2 in searched
    assert len(much) > len(some)


@pytest.mark.slow
def test_hidden_pages_are_dropped_if_memory_is_short(
    companion: Driver, garbage: Garbage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from companion.app.shell import freed_memory
    from companion.app.shell.features import PAGES_LASTING

    keep_game()
    companion.controller.announce(KeptGameWanted("friday"))
    companion.settle()
    monkeypatch.setattr(freed_memory, "MEMORY", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal: 1000 kB\nMemAvailable: 400 kB\n")
    for _ in make_visit(companion.controller):
        companion.settle()
    companion.frames(TIDY_FRAMES)
    built = {name: weakref.ref(companion.root.page(name)) for name in companion.root.list_pages()}
    assert companion.page == "game"
    assert len(built) >= 12
    (tmp_path / "meminfo").write_text("MemTotal: 1000 kB\nMemAvailable: 140 kB\n")
    garbage._settle.timeout = 2.0  # as long as a page that goes may still be scrolling
    companion.controller.do("devices", lambda state: state.enter())
    companion.wait(lambda: garbage._has_dropped)
    companion.wait(lambda: not garbage._has_dropped)
    gone = {name for name, reference in built.items() if reference() is None}
    assert gone == set(built) - set(PAGES_LASTING) - {companion.page}
    assert len(gone) >= 5
    (tmp_path / "meminfo").write_text("MemTotal: 1000 kB\nMemAvailable: 400 kB\n")
    companion.controller.do("coach", lambda state: state.enter())
    companion.settle()
    assert companion.page == "coach", "it is built anew"


def test_a_machine_that_does_not_say_how_much_memory_it_has_is_not_short(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from companion.app.shell import freed_memory

    monkeypatch.setattr(freed_memory, "MEMORY", tmp_path / "meminfo")
    for content in ("", "MemTotal: 7 kB", "MemTotal: much\nMemAvailable: 3 kB"):
        (tmp_path / "meminfo").write_text(content)
        assert not freed_memory.is_memory_short()
    (tmp_path / "meminfo").unlink()
    assert not freed_memory.is_memory_short()


def test_drawn_words_are_not_kept_beside_their_texture(companion: Driver) -> None:
    from companion.app.widgets.basics import Tag

    tag = Tag("Mahjong")
    companion.window.add_widget(tag)
    try:
        for words in ("Mahjong", "Sea Floor"):
            tag.text = words
            companion.frames(3)
            assert tag.texture_size[0] > 10
            assert tag._label._surface is None
    finally:
        companion.window.remove_widget(tag)


def test_words_that_shrink_use_no_font_of_their_own(companion: Driver) -> None:
    from companion.app.widgets.basics import Tag

    tag = Tag("Words that are a little too long for this place")
    sizes = set()
    for width in range(250, 420, 7):
        tag.size = (width, 60)
        sizes.add(tag.font_size)
    assert len(sizes) > 1
    assert all(size == int(size) for size in sizes)


def test_the_window_frees_what_pictures_took(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[tuple[int, int]] = []

    class Library:
        def mallopt(self, option: int, value: int) -> int:
            chosen.append((option, value))
            return 1

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library())
    limit_kept_memory()
    assert chosen == [(-8, 2), (-3, 8 * 2**20)]
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    limit_kept_memory()
    give_back()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library")
def test_free_memory_is_returned_to_the_system() -> None:
    from lab.window_bench.screen import read_memory_mb

    pieces = [bytes(50_000) for _ in range(2000)]
    del pieces[::2]
    before = read_memory_mb()
    give_back()
    assert before - read_memory_mb() > 20
    assert len(pieces) == 1000
