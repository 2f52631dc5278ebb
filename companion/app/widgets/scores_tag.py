"""Who has how many points, on a line or two: names give way where there is no room, a number is never cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kivy.core.text import Label as CoreLabel
from kivy.uix.label import Label

from companion.app.widgets import theme

BETWEEN = "  ·  "
CUT = "…"
Score = tuple[str, str]
"""A name, and the points in words."""


class ScoresTag(Label):
    """Takes the size it is given; letters shrink to the smallest there are before names are cut. is_whole:
    whether all of it has room, names cut or not."""

    def __init__(self) -> None:
        super().__init__(color=theme.IVORY, halign="left", valign="middle", font_size=theme.TEXT)
        self.is_whole = True
        self._scores: tuple[Score, ...] = ()
        self._said = ""
        self.bind(size=self._fit)

    def show(self, scores: Sequence[Score], said: str = "") -> None:
        """These scores; or, without any, what is said in their place."""
        self._scores, self._said = tuple(scores), said
        self._fit()

    def _fit(self, *_: object) -> None:
        self.text_size = self.size
        self.shorten = not self._scores
        full, least = int(theme.TEXT), int(theme.TEXT_TINY)
        if not self._scores:
            self.text, self.font_size = self._said, full
            return
        for text in self._list_texts():
            for size in range(full, least - 1, -1):
                self.text, self.font_size = text, size
                self.is_whole = self._has_room(text, size)
                if self.is_whole:
                    return

    def _list_texts(self) -> Iterator[str]:
        """What may be shown, the best first: on one line, on two, on two with names of fewer letters; where
        two have no room, on one with names of fewer letters."""
        yield self._join(1)
        longest = max(len(name) for name, _ in self._scores)
        for lines in (2, 1):
            for letters in range(longest, 0, -1):
                yield self._join(lines, letters)

    def _join(self, lines: int, letters: int | None = None) -> str:
        said = [f"{_cut(name, letters)} {points}" for name, points in self._scores]
        a_line = -(-len(said) // lines)
        return "\n".join(BETWEEN.join(said[at : at + a_line]) for at in range(0, len(said), a_line))

    def _has_room(self, text: str, size: int) -> bool:
        label = CoreLabel(font_size=size, font_name=self.font_name)
        extents = [label.get_extents(line) for line in text.splitlines()]
        width, height = max(each[0] for each in extents), sum(each[1] for each in extents)
        return bool(width <= self.width - 2 * theme.HAIRLINE and height <= self.height)


def _cut(name: str, letters: int | None) -> str:
    return name if letters is None or len(name) <= letters else name[: max(letters - 1, 1)].rstrip() + CUT
