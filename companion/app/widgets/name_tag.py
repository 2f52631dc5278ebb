"""Names and points of people: a name on as many lines as fit, points that are never cut, the final
standing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label

from companion.app.text import name_seats
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Tag
from companion.money import format_money
from companion.sentences import write_number
from companion.table.settling import settle_up
from companion.table.state import State
from companion.words import Words

LEAST_SHARE = 0.8
"""Minimum size of a name, as a share of its usual size."""
WORDS = re.compile(r"[^\s\u2e80-\U0010ffff]+")


class NameTag(Label):
    """On as many lines as have room within the size that it is given, in smaller letters where it needs more
    or a word would break; cut only if even those have no room."""

    def __init__(
        self,
        text: str,
        *,
        size: float | None = None,
        colour: theme.Colour | None = None,
        align: str = "left",
        least: float | None = None,
        **kwargs: object,
    ) -> None:
        """least: the smallest letters, px."""
        self._full_size = size or theme.TEXT
        self._least = least or max(self._full_size * LEAST_SHARE, theme.TEXT_TINY / theme.SCALE)
        super().__init__(
            text=text, font_size=self._full_size, color=colour or theme.IVORY, halign=align,
            valign="middle", shorten_from="right", **kwargs,
        )  # fmt: skip
        self.bind(size=self._fit, text=self._fit)

    def _fit(self, *_: object) -> None:
        full = int(self._full_size)
        least = min(full, int(self._least))
        fitting = [size for size in range(full, least - 1, -1) if self._measure(size) <= self.height]
        found = next(filter(self._is_whole, fitting), fitting[0] if fitting else None)
        self.font_size = least if found is None else found
        self.shorten, self.max_lines = found is None, int(found is None)
        self.text_size = (
            self.size if found is None else (self.width, None)
        )  # Kivy drops a line that just fits

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


BETWEEN = "  ·  "
CUT = "…"
Score = tuple[str, str]
"""A name, and the points in words."""


class ScoresTag(Label):
    """Takes the size it is given; letters shrink to the smallest there are before names are cut. is_complete:
    whether all of it has room, names cut or not."""

    def __init__(self) -> None:
        super().__init__(color=theme.IVORY, halign="left", valign="middle", font_size=theme.TEXT)
        self.is_complete = True
        self._scores: tuple[Score, ...] = ()
        self._said = ""
        self.bind(size=self._fit)

    def show(self, scores: Sequence[Score], said: str = "") -> None:
        """These scores; or, without any, the text in their place."""
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
                self.is_complete = self._has_room(text, size)
                if self.is_complete:
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


ROW = theme.TEXT_LARGE * 2.4
RANK_SHARE, NAME_SHARE = 0.2, 1.4


class FinalStanding(BoxLayout):
    """A row for each player; the first ones stand out."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, padding=(0, theme.PAD, 0, 0))
        self.bind(minimum_height=self.setter("height"))
        self._shown: object = None

    def show(self, game: State, words: Words) -> None:
        shown = game.balances, game.names, game.currency, words
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        names, settlement = name_seats(game), settle_up(game)
        for rank, seat in rank_seats(game):
            colour = theme.GOLD if rank == 1 else theme.IVORY
            row = layout.row(
                Tag(f"{rank}.", size=theme.TEXT_LARGE, colour=colour, size_hint_x=RANK_SHARE), height=ROW
            )
            name = words.say(names[seat])
            row.add_widget(NameTag(name, size=theme.TEXT_LARGE, colour=colour, size_hint_x=NAME_SHARE))
            points = write_number(game.balances[seat])
            row.add_widget(Tag(points, size=theme.TEXT_LARGE, colour=colour, align="right", bold=True))
            if settlement is not None:
                money = format_money(settlement.amounts[game.seated[seat]], settlement.currency)
                row.add_widget(
                    Tag(money, size=theme.TEXT_LARGE, least=theme.TEXT_TINY, colour=colour, align="right")
                )
            self.add_widget(row)


def rank_seats(game: State) -> list[tuple[int, int]]:
    """The seats that play, each after its rank, the most points first; as many points are the same rank."""
    points = [game.balances[seat] for seat in game.house.seats]
    ranks = [(1 + sum(other > game.balances[seat] for other in points), seat) for seat in game.house.seats]
    return sorted(ranks)


SUM_HEIGHT = dp(57)


class SumRow(BoxLayout):
    """What the sum is of on the left, the formula on the right. least: its height where that is enough for
    the text, px."""

    def __init__(self, text: str, formula: str, size: float | None = None, least: float = SUM_HEIGHT) -> None:
        super().__init__(size_hint_y=None, height=least, spacing=theme.GAP)
        self._letters, self._least = size or theme.TEXT, least
        self.formula = Tag(formula, align="right", size_hint_x=1.5, size=size)
        self._said = NameTag(text, colour=theme.IVORY_DIM, size=size)
        self._said.bind(width=self._fit)
        self.add_widget(self._said)
        self.add_widget(self.formula)

    def _fit(self, *_: object) -> None:
        least = max(theme.TEXT_TINY / theme.SCALE, self._letters * LEAST_SHARE)
        needed = measure_name(self._said.text, int(least), self._said.width)
        self.height = max(self._least, needed)
