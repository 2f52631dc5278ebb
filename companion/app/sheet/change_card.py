"""What a correction changes, as a table: what each hand that differs paid before and after, and in all."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.modalview import ModalView

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.sheets.rewriting import Change, HandChange
from companion.sheets.wording import describe_hand, say_points, say_total
from companion.table.state import Points
from companion.words import Words

HANDS_MOST = 8
ROW = dp(34)
NAME_WIDTH = dp(96)


def fill_changes(column: BoxLayout, change: Change, names: Sequence[str], words: Words) -> None:
    """Put the table into the column."""
    if not change.hands and change.before == change.after:
        column.add_widget(Text(words("Nothing that is paid changes.")))
    for each in change.hands[:HANDS_MOST]:
        _fill_hand(column, each, change.people, names, words)
    if len(change.hands) > HANDS_MOST:
        more = len(change.hands) - HANDS_MOST
        column.add_widget(Text(words("and {count} more hands", count=more), colour=theme.IVORY_DIM))
    column.add_widget(Text(words("Total"), colour=theme.GOLD))
    column.add_widget(_make_heads(change.people, names))
    column.add_widget(_make_row(words("before"), change.before, change.before, change.people, signed=False))
    column.add_widget(_make_row(words("after"), change.after, change.before, change.people, signed=False))
    if change.kept_deal:
        note = words("Who dealt the hands after it stays as it was.")
        column.add_widget(Text(note, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))


def _fill_hand(
    column: BoxLayout, change: HandChange, people: Sequence[int], names: Sequence[str], words: Words
) -> None:
    told = [describe_hand(hand, names, words) if hand else "–" for hand in (change.before, change.after)]
    title = words("Hand {number}", number=change.number)
    column.add_widget(Text(title, colour=theme.GOLD))
    if told[0] != told[1]:
        column.add_widget(Text(told[0], size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        column.add_widget(Text(f"→  {told[1]}", size=theme.TEXT_SMALL))
    else:
        column.add_widget(Text(told[1], size=theme.TEXT_SMALL))
    nothing: Points = (0, 0, 0, 0)
    before = change.before.points if change.before else nothing
    after = change.after.points if change.after else nothing
    column.add_widget(_make_heads(people, names))
    column.add_widget(_make_row(words("before"), before, before, people))
    column.add_widget(_make_row(words("after"), after, before, people))


def _make_heads(people: Sequence[int], names: Sequence[str]) -> BoxLayout:
    row = BoxLayout(size_hint_y=None, height=theme.TEXT_SMALL * 1.5)
    row.add_widget(Tag("", size_hint_x=None, width=NAME_WIDTH))
    for person in people:
        row.add_widget(Tag(names[person], size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="right"))
    return row


def _make_row(
    what: str, points: Points, before: Points, people: Sequence[int], *, signed: bool = True
) -> BoxLayout:
    row = BoxLayout(size_hint_y=None, height=ROW)
    row.add_widget(Tag(what, colour=theme.IVORY_DIM, size_hint_x=None, width=NAME_WIDTH))
    for person in people:
        differs = points[person] != before[person]
        said = say_points(points[person]) if signed else say_total(points[person])
        row.add_widget(
            Tag(said, align="right", size=theme.TEXT_LARGE, bold=differs,
                colour=theme.GOLD if differs else theme.IVORY)
        )  # fmt: skip
    return row


class CompareView(ModalView):
    """Both versions of what was put right, over the page. `leave` is called when it is touched away."""

    def __init__(self, change: Change, names: Sequence[str], words: Words) -> None:
        super().__init__(
            size_hint=(None, None), background="", background_color=theme.CLEAR, overlay_color=(0, 0, 0, 0.6),
            size=(min(Window.width - dp(32), dp(760)), min(Window.height - dp(32), dp(640))),
        )  # fmt: skip
        card = Card(colour=theme.PANEL_RAISED)
        card.add_widget(
            Text(words("Before and after the correction"), size=theme.TEXT_LARGE, colour=theme.GOLD)
        )
        column = Column(spacing=theme.GAP / 2)
        fill_changes(column.inside, change, names, words)
        card.add_widget(column)
        self.done = Press(words("Done"), main=True, act=self.dismiss)
        card.add_widget(self.done)
        self.add_widget(card)
