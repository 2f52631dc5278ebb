"""How the window's words are written: changes to Kivy's labels, made once before the first of them.

Kivy writes a text in one font, breaks Chinese lines anywhere, and keeps what it was drawn on. Import this
only if Kivy may be imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from kivy.core import text as kivy_text
from kivy.core.text import DEFAULT_FONT, Label
from kivy.core.text._text_sdl2 import _SurfaceContainer

from companion.app.widgets.line_breaks import break_lines
from companion.art import BUNDLED_FONTS, font_path
from companion.art.font_choice import split_runs

BELOW_SHARE = 0.1
"""Share of a line's height by which another font may reach below it, so that all letters have one base."""

TRIALS_KEPT = 1024
LINES_KEPT = 8192
FONT_OF = itemgetter("font_name_r", "font_size", "bold", "italic", "underline", "strikethrough")
"""A label's options by which Kivy chooses a font."""
_measured: dict[tuple[object, ...], tuple[int, int]] = {}
"""(width, height) in px of lines, by text and font."""
LETTER_MAX_EM = 8
"""The widest letters that are written, the space between them included."""

_measure, _write, _hand_over = Label.get_extents, Label._render_text, Label._render_end
_lay_out = kivy_text.layout_text


def register_font() -> None:
    """Have all words written in the bundled fonts, and in installed ones where those lack a character, and
    lines broken where readers expect it."""
    Label.register(DEFAULT_FONT, fn_regular=str(font_path()))
    kivy_text.layout_text = _lay_out_broken
    Label.get_extents, Label._render_text, Label._render_end = _measure_runs, _write_runs, _hand_over_and_free


def _lay_out_broken(
    text: str, lines: list[Any], size: tuple[int, int], text_size: tuple[float | None, float | None],
    options: dict[str, Any], get_extents: Callable[[str], tuple[int, int]], *rest: bool,
) -> tuple[int, int, bool]:  # fmt: skip
    """As Kivy lays lines out, after they are broken."""
    if text_size[0] is not None:
        left, _, right, _ = options["padding"]
        width = int(text_size[0] - left - right)
        broken = (break_lines(each, width, lambda part: get_extents(part)[0]) for each in text.split("\n"))
        text = "\n".join(chain.from_iterable(broken))
    laid_out: tuple[int, int, bool] = _lay_out(text, lines, size, text_size, options, get_extents, *rest)
    return laid_out


def _measure_runs(label: Any, text: str) -> tuple[int, int]:
    """The width and height of a line, px; the height is the usual font's, whatever fonts are in it. Lines in
    bundled fonts are measured once; an installed font may be damaged, or go."""
    line = (text, *FONT_OF(label.options))
    if known := _measured.get(line):
        return known
    widths = [_measure(label, part)[0] for part, _ in _list_parts(label, text)]
    extents = sum(widths), _measure(label, " ")[1]
    if all(font in BUNDLED_FONTS for _, font in split_runs(text)):
        if len(_measured) >= LINES_KEPT:
            _measured.clear()
        _measured[line] = extents
    return extents


def _write_runs(label: Any, text: str, x: int, y: int) -> None:
    for part, down in _list_parts(label, text):
        _write(label, part, x, y + down)
        x += _measure(label, part)[0]


def _list_parts(label: Any, text: str) -> Iterator[tuple[str, int]]:
    """Each part of the text that one font writes, and how far below the top of the line it begins, px.
    Until the next one is asked for, the label has its font, no higher than the usual one."""
    usual = label.options
    try:
        for part, font in split_runs(text):
            down = 0
            if font != font_path():
                ascent, height = label.get_ascent(), _measure(label, " ")[1]
                label.options = usual | {"font_name_r": str(font)} | _describe_script(part)
                try:
                    taller = max(1, _measure(label, " ")[1] / height)
                    label.options["font_size"] = size = max(1, int(usual["font_size"] / taller))
                    _SurfaceContainer(1, 1).render(label, " ", 0, 0)  # measures by the script only then
                    room = height * BELOW_SHARE + height - _measure(label, " ")[1]
                    down = max(0, min(ascent - label.get_ascent(), int(room)))
                    if font not in BUNDLED_FONTS and not _writes(font, part, size):
                        raise ValueError(f"{font.name} is damaged")
                except ValueError:  # or the file has gone, or is another one now
                    label.options, down = usual, 0
            yield part, down
            label.options = usual
    finally:
        label.options = usual


@lru_cache(TRIALS_KEPT)
def _writes(font: Path, text: str, size: int) -> bool:
    """Whether SDL writes that text in an installed font. Where a glyph is damaged, it writes nothing at all,
    and what Kivy then says of its width is left over from something else."""
    label: Any = Label(text=text, font_size=size)
    label.options |= {"font_name_r": str(font)} | _describe_script(text)
    surface = _SurfaceContainer(len(text) * size, size)
    surface.render(label, text, 0, 0)
    width, _ = _measure(label, text)
    return any(surface.get_data().data) and 0 < width <= len(text) * LETTER_MAX_EM * size


def _describe_script(text: str) -> dict[str, str]:
    """The script of a text and which way it runs, as the label's options."""
    from fontTools import unicodedata

    scripts = map(unicodedata.script, text)
    script = next((each for each in scripts if each not in ("Zyyy", "Zinh", "Zzzz")), "Latn")
    direction = unicodedata.script_horizontal_direction(script, "LTR")
    return {"font_script_name": script, "font_direction": direction.lower()}


def _hand_over_and_free(label: Any) -> object:
    """Free the surface on which the words were drawn, as large as their texture, once the texture has it:
    Kivy keeps it until the words change, 30 MB for all pages that a person has seen."""
    data = _hand_over(label)
    label._surface = None
    return data
