"""A sum written out beside what it is of."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets import theme
from companion.app.widgets.basics import Tag
from companion.app.widgets.name_tag import NameTag

HEIGHT = dp(57)


class SumRow(BoxLayout):
    """What the sum is of on the left, the formula on the right."""

    def __init__(self, text: str, formula: str, size: float | None = None) -> None:
        super().__init__(size_hint_y=None, height=HEIGHT, spacing=theme.GAP)
        self.formula = Tag(formula, align="right", size_hint_x=1.5, size=size)
        self.add_widget(NameTag(text, colour=theme.IVORY_DIM, size=size))
        self.add_widget(self.formula)
