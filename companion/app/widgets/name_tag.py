"""A person's name, whole: names may have forty letters, and stand over narrow columns."""

from __future__ import annotations

import re

from kivy.core.text import Label as CoreLabel
from kivy.uix.label import Label

from companion.app.widgets import theme

LEAST_SHARE = 0.8
"""Of its size where there is room for it."""
WORDS = re.compile(r"[^\s\u2e80-\U0010ffff]+")


class NameTag(Label):
    """On as many lines as have room within the size that it is given, in smaller letters where it needs more
    or a word would break; cut only where even those have no room."""

    def __init__(
        self,
        text: str,
        *,
        size: float | None = None,
        colour: theme.Colour | None = None,
        align: str = "left",
        **kwargs: object,
    ) -> None:
        self._full_size = size or theme.TEXT
        super().__init__(
            text=text, font_size=self._full_size, color=colour or theme.IVORY, halign=align,
            valign="middle", shorten_from="right", **kwargs,
        )  # fmt: skip
        self.bind(size=self._fit, text=self._fit)

    def _fit(self, *_: object) -> None:
        self.text_size = self.size
        full = int(self._full_size)
        least = min(full, max(int(full * LEAST_SHARE), int(theme.TEXT_TINY / theme.SCALE)))
        fitting = [size for size in range(full, least - 1, -1) if self._measure(size) <= self.height]
        found = next(filter(self._is_whole, fitting), fitting[0] if fitting else None)
        self.font_size = least if found is None else found
        self.shorten, self.max_lines = found is None, int(found is None)

    def _measure(self, size: int) -> float:
        """How high it is in letters of that size, px."""
        return measure_name(self.text, size, self.width)

    def _is_whole(self, size: int) -> bool:
        """Whether no word breaks within, in letters of that size; Chinese may break anywhere."""
        label = CoreLabel(font_size=size)
        return all(label.get_extents(word)[0] <= self.width for word in WORDS.findall(self.text))


def measure_name(name: str, size: float, width: float) -> float:
    """How high a name is in letters of that size, in a column of that width, px."""
    label = CoreLabel(text=name, font_size=size, text_size=(max(width, 1), None))
    return float(label.render()[1])
