"""Has ready what pages need, a piece a frame, while nobody waits for it.

Otherwise the frame in which a page is first shown takes all of it: its widgets, the pictures of tiles, and
the programs that the graphics driver makes for each way of drawing when that is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
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

from companion.app.shell.root import Root
from companion.app.widgets.tiles import load_faces, tile_texture
from companion.tiles import BACK

PLACE: dict[str, Any] = {"pos": (0, 0), "size": (8, 8)}
"""Where the ways of drawing are tried, below everything else."""
WORD = "8"


def get_ready(root: Root, pages: Sequence[str]) -> None:
    """From the next frame on, load the pictures of tiles, try each way of drawing, and build these pages."""
    pieces = chain(load_faces(), try_drawing(root.canvas.before), _build_pages(root, pages))

    def take_next(_: float) -> bool:
        return next(pieces, pieces) is None

    Clock.schedule_interval(take_next, 0)


def try_drawing(canvas: Canvas) -> Iterator[None]:
    """Draw in each of the ways that pages do, one after the other: alone, and where something is cut off."""
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
