"""The page of the club: the switch and what is going on; while it is off the fields for broker, club and
table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.club.state import (
    ADDRESS_LETTERS_MAX,
    NAME_LETTERS_MAX,
    PASSWORD_LETTERS_MAX,
    PATH_LETTERS_MAX,
    Club,
    Destination,
)
from companion.app.feature import Controller, View
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Choices, Column, Press, Tag, Text
from companion.app.widgets.name_field import NameField

OFF, ON = "off", "on"
LABEL_SHARE = 0.35
"""Width of a field's name, in widths of the field."""


class ClubPage(BoxLayout):
    """The switch, what is going on, and while it is off the fields."""

    def __init__(self, controller: Controller[Club]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self._controller = controller
        self._placed: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: controller.do(Club.step_back), size_hint_x=None, width=dp(110))
        self.switch = Choices(lambda key: controller.do(lambda state: state.turn(key == ON)))
        self.status = Text(size=theme.TEXT_LARGE)
        self.where = Text()
        self.about = Text(colour=theme.IVORY_DIM)
        self.address = self._make_field(ADDRESS_LETTERS_MAX, lambda to, text: replace(to, address=text))
        self.club = self._make_field(NAME_LETTERS_MAX, lambda to, text: replace(to, club=text))
        self.table = self._make_field(NAME_LETTERS_MAX, lambda to, text: replace(to, table=text))
        self.password = NameField(
            lambda text: controller.do(lambda state: state.enter_password(text)), PASSWORD_LETTERS_MAX
        )
        self.password.password = True
        self.authority = self._make_field(PATH_LETTERS_MAX, lambda to, text: replace(to, authority=text))
        self._fields = self.address, self.club, self.table, self.password, self.authority
        self._labels = tuple(Tag(size_hint_x=LABEL_SHARE) for _ in self._fields)
        pairs = zip(self._labels, self._fields, strict=True)
        self._rows = [layout.row(label, field, height=theme.TOUCH) for label, field in pairs]
        self._column = Column()
        self.add_widget(layout.row(self.title, self.back, height=theme.TOUCH))
        self.add_widget(self._column)

    def show(self, view: View[Club]) -> None:
        state, words = view.state, view.words
        to = state.destination
        self.title.text, self.back.text = words("Club"), words("Back")
        self.switch.offer([(OFF, words("Off")), (ON, words("On"))], ON if state.is_on else OFF)
        self.status.text = words.say(state.status)
        self.status.color = theme.IVORY if state.trouble is None else theme.UNSURE
        self.where.text = words(
            "Club {club}, table {table}, broker {broker}", club=to.club, table=to.table, broker=to.address
        )
        self.about.text = words(
            "Sends the running game to your club's MQTT broker while you play: names, points and every entry,"
            " also tiles that are not open yet. After a cut of the network the rest follows. The password is"
            " not saved."
        )
        shown = (
            (words("Broker"), to.address, "mqtt://user@localhost"),
            (words("Club"), to.club, ""),
            (words("Table"), to.table, ""),
            (words("Password"), state.password, words("if the broker asks for one")),
            (
                words("Certificate"), to.authority,
                words("a file, for a broker with its own authority (mqtts)"),
            ),
        )  # fmt: skip
        for label, field, (name, text, hint) in zip(self._labels, self._fields, shown, strict=True):
            label.text, field.hint_text = name, hint
            if field.text != text:
                field.show(text)
        self._arrange(is_on=state.is_on)

    def _make_field(self, letters: int, fill: Callable[[Destination, str], Destination]) -> NameField:
        def take(text: str) -> None:
            self._controller.do(lambda state: state.change(fill(state.destination, text)))

        return NameField(take, letters)

    def _arrange(self, *, is_on: bool) -> None:
        if self._placed == is_on:
            return
        self._placed = is_on
        self._column.inside.clear_widgets()
        rows: list[Widget] = [self.where] if is_on else self._rows
        for each in (self.switch, self.status, self.about, *rows):
            self._column.inside.add_widget(each)
