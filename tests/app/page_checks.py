"""What a page must not do: cut a word, put one over another, offer what a finger misses, move the bar.

Each check returns one line for each fault, empty for none. Kivy is imported inside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from typing import Any

from app_driver import Driver

MM_PER_INCH = 25.4
TARGET_MM = 9.0
"""Of a finger's target. 48 dp are "about 9 mm" on phones and 7 to 10 mm are right, says Android's page on
touch target size (https://support.google.com/accessibility/android/answer/7101858); a thumb needs 9.2 mm
(Parhi and others, "Target size study for one-handed thumb use on small touchscreen devices", 2006)."""
TILE_MM = 7.0
"""Width of a tile in a row of up to 17; it is as high as another target."""
SMALL_SCREEN_IN, SCREEN_IN = 7.0, 10.1
"""Diagonals of the screens that pages are measured on: 800×480 px are on 7 inches (133 px to the inch, so
9 mm are 47 px), all others on 10.1 (149 px to the inch on 1280×800, so 53 px). A screen that reports its size
has 0.83 and 0.93 px to the dp there, and a target of 57 dp is 9 mm; the tests draw a px for each dp, as on a
screen that does not report it, where there is least room."""
LETTERS_SHARE = 0.8
"""How much of the height of its lines a text covers."""
SLACK = 1.5
"""Px by which rounded sizes may differ."""
BEGINS_NO_LINE = "，、。：；！？）」』》"
FIXED = ("home", "undo", "game", "sheet")
"""The buttons that are in the bar of every page, and with them the menu."""


@dataclass(frozen=True, slots=True)
class Place:
    """A widget and what is seen of it: px of the window, from the lower left."""

    widget: Any
    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: Place) -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > SLACK
            and min(self.top, other.top) - max(self.bottom, other.bottom) > SLACK
        )

    def says(self) -> str:
        named = getattr(self.widget, "text", "") or type(self.widget).__name__
        edges = ", ".join(f"{edge:.0f}" for edge in (self.left, self.bottom, self.right, self.top))
        return f"{named!r} at {edges}"


def check_page(driver: Driver) -> dict[str, list[str]]:
    """What is wrong with what the window shows, by kind."""
    found = {
        "cut off": find_cut(driver),
        "outside": find_outside(driver),
        "too small for a finger": find_small(driver),
        "over each other": find_overlaps(driver),
        "begins a line": find_first_commas(driver),
    }
    return {kind: faults for kind, faults in found.items() if faults}


def find_cut(driver: Driver) -> list[str]:
    """Texts of which not every letter is drawn inside its widget; only file names may be longer."""
    free = _list_file_names(driver)
    found = []
    for label in _list_labels(driver):
        if id(label) in free:
            continue
        drawn = "".join(word.text for line in label._label._cached_lines for word in line.words)
        written = label._label.text if not label.markup else _strip(label)
        wide, high = label.texture_size
        if "".join(drawn.split()) != "".join(written.split()):
            found.append(f"{label.text!r} is drawn as {drawn!r}")
        elif wide > label.width + SLACK:
            found.append(f"{label.text!r} needs {wide}×{high}, has {label.width:.0f}×{label.height:.0f}")
    return found


def find_outside(driver: Driver) -> list[str]:
    """Texts and targets that no scrolling brings into the window."""
    found = []
    for widget in (*_list_labels(driver), *list_targets(driver)):
        left, bottom = widget.to_window(*widget.pos)
        right, top = left + widget.width, bottom + widget.height
        low, high, near, far = _list_edges(widget, driver)
        if left < near - SLACK or right > far + SLACK or bottom < low - SLACK or top > high + SLACK:
            found.append(Place(widget, left, bottom, right, top).says())
    return found


def find_small(driver: Driver) -> list[str]:
    """Targets that are less than 9 mm wide or high."""
    from companion.app.widgets.tiles import TileKey

    found = []
    width, height = driver.window.size
    inches = SMALL_SCREEN_IN if min(width, height) <= 480 else SCREEN_IN
    px_per_mm = hypot(width, height) / inches / MM_PER_INCH
    target = TARGET_MM * px_per_mm
    for widget in list_targets(driver):
        least = TILE_MM * px_per_mm if isinstance(widget, TileKey) else target
        if round(widget.width) < int(least) or round(widget.height) < int(target):
            named = getattr(widget, "text", "") or getattr(widget, "code", "") or type(widget).__name__
            found.append(f"{named!r}: {widget.width:.0f}×{widget.height:.0f}")
    return found


def find_overlaps(driver: Driver) -> list[str]:
    """Texts that lie on other texts, or on targets that they do not belong to, and targets on others."""
    texts = [place for label in _list_labels(driver) if (place := _place_text(label)) is not None]
    targets = [place for target in list_targets(driver) if (place := _place(target)) is not None]
    return [
        f"{one.says()} and {other.says()}"
        for one, other in combinations([*texts, *targets], 2)
        if one.overlaps(other) and not _is_within(one.widget, other.widget)
    ]


def find_first_commas(driver: Driver) -> list[str]:
    """Lines that begin with what never begins one in Chinese."""
    return [
        line.words[0].text
        for label in _list_labels(driver)
        for line in label._label._cached_lines
        if line.words and line.words[0].text.lstrip()[:1] in tuple(BEGINS_NO_LINE)
    ]


def find_bar(driver: Driver) -> dict[str, tuple[int, ...]]:
    """Where the buttons of every page are in the bar: left, bottom, width, height."""
    bar = driver.root.bar
    found = {"menu": bar.menu, **{name: bar.buttons[name] for name in FIXED if name in bar.buttons}}
    return {
        name: tuple(round(each) for each in (*press.to_window(*press.pos), *press.size))
        for name, press in found.items()
        if press.get_parent_window() is not None
    }


def list_targets(driver: Driver) -> list[Any]:
    """Every widget that a finger is meant to hit."""
    from kivy.uix.behaviors import ButtonBehavior
    from kivy.uix.textinput import TextInput

    return [
        each for each in _walk(driver) if isinstance(each, ButtonBehavior | TextInput) and not each.disabled
    ]


def _list_labels(driver: Driver) -> Iterator[Any]:
    from kivy.uix.label import Label

    for widget in _walk(driver):
        if isinstance(widget, Label) and widget.text.strip() and widget.color[3] > 0:
            yield widget


def _walk(driver: Driver) -> Iterator[Any]:
    """Every widget that is not hidden."""
    waiting = [driver.root]
    while waiting:
        widget: Any = waiting.pop()
        if widget.opacity:
            yield widget
            waiting += widget.children


def _strip(label: Any) -> str:
    """The text of a label without its markup."""
    return "".join(each for each in label._label.markup if not (each[:1] == "[" and each[-1:] == "]"))


def _place_text(label: Any) -> Place | None:
    """Where the letters are, in the middle of the label or at one of its sides."""
    from kivy.uix.label import Label

    assert isinstance(label, Label)
    wide, high = label._label._internal_size
    high *= LETTERS_SHARE
    left, bottom = label.to_window(*label.pos)
    left += {"left": 0, "right": label.width - wide}.get(label.halign, (label.width - wide) / 2)
    bottom += {"bottom": 0, "top": label.height - high}.get(label.valign, (label.height - high) / 2)
    return _clip(label, left, bottom, left + wide, bottom + high)


def _place(widget: Any) -> Place | None:
    left, bottom = widget.to_window(*widget.pos)
    return _clip(widget, left, bottom, left + widget.width, bottom + widget.height)


def _clip(widget: Any, left: float, bottom: float, right: float, top: float) -> Place | None:
    """What is seen of it in the lists that scroll it."""
    for list_ in _list_scrollers(widget):
        near, low = list_.to_window(*list_.pos)
        left, bottom = max(left, near), max(bottom, low)
        right, top = min(right, near + list_.width), min(top, low + list_.height)
    return Place(widget, left, bottom, right, top) if right > left and top > bottom else None


def _list_edges(widget: Any, driver: Driver) -> tuple[float, float, float, float]:
    """The lower and upper edge that it must be within, and the left and right one; a list that scrolls has
    none in its direction."""
    low, high, near, far = 0.0, float(driver.window.height), 0.0, float(driver.window.width)
    for list_ in _list_scrollers(widget):
        left, bottom = list_.to_window(*list_.pos)
        low, high = (float("-inf"), float("inf")) if list_.do_scroll_y else (max(low, bottom), high)
        near, far = (float("-inf"), float("inf")) if list_.do_scroll_x else (left, left + list_.width)
    return low, high, near, far


def _list_scrollers(widget: Any) -> Iterator[Any]:
    from kivy.uix.scrollview import ScrollView

    above = widget.parent
    while above is not None and above.parent is not above:
        if isinstance(above, ScrollView):
            yield above
        above = above.parent


def _is_within(one: Any, other: Any) -> bool:
    """Whether one of them is a part of the other."""
    return one in other.walk(restrict=True) or other in one.walk(restrict=True)


def _list_file_names(driver: Driver) -> set[int]:
    """The labels with names of files and folders, which may be longer than their place."""
    if getattr(driver, "page", None) not in ("pictures", "films"):
        return set()
    chooser = getattr(driver.pages, driver.page)
    return {id(chooser.where)} | {id(cell.name) for cell in chooser.grid.children[0].children}
