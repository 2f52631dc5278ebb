"""The page of phones and television: the switch, and while it is on the QR code, its link, who watches, and
the seats with their codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.phones.state import Phones, ServedPage
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Choices, Column, Press, Tag, Text
from companion.app.widgets.code_picture import CodePicture
from companion.app.widgets.name_tag import NameTag

OFF, ON = "off", "on"
WATCH, FILM = "watch", "film"
BYTES_A_LINE = 8
"""Of the certificate's fingerprint."""
LOOK_EVERY_S = 1.0
CODE_SHARE = 0.5
"""Of the width of a wide window, at most; the code is as high as the page where that is less."""


class PhonesPage(BoxLayout):
    """find_served: the page as it is served now, None while it is not."""

    def __init__(self, controller: Controller[Phones], find_served: Callable[[], ServedPage | None]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self._controller = controller
        self._find_served = find_served
        self._view: View[Phones] | None = None
        self._placed: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: controller.do(Phones.step_back), size_hint_x=None, width=dp(110))
        self.club = Press(" ", act=lambda: controller.do(Phones.show_club), size_hint_x=None, width=dp(110))
        self.about = Text(size=theme.TEXT_LARGE)
        self.switch = Choices(lambda key: controller.do(lambda state: state.turn(key == ON)))
        self.purpose = Choices(lambda key: controller.do(lambda state: state.offer_link(key == FILM)))
        self.how = Text()
        self.link = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.warns = Text()
        self.fingerprint = Text(colour=theme.GOLD)
        self.viewers = Text(size=theme.TEXT_LARGE)
        self.trouble = Text(size=theme.TEXT_LARGE, colour=theme.UNSURE)
        self.who = Text(colour=theme.IVORY_DIM)
        self.seats = layout.column(spacing=theme.GAP / 2, size_hint_y=None)
        self.seats.bind(minimum_height=self.seats.setter("height"))
        self._shown_seats: object = None
        self.code = CodePicture()
        self.words = Column()
        self._body = layout.row()
        self.add_widget(layout.row(self.title, self.club, self.back, height=theme.TOUCH))
        self.add_widget(self._body)
        self._tick = Clock.schedule_interval(self._look, LOOK_EVERY_S)
        self._tick.cancel()
        self.bind(size=lambda *_: self._view and self.show(self._view))

    def show(self, view: View[Phones]) -> None:
        self._view = view
        state, words = view.state, view.words
        served = state.served
        self.title.text, self.back.text = words("Phones and television"), words("Back")
        self.club.text = words("Club")
        self.about.text = words("Shows the running game in the browsers of phones, tablets and televisions.")
        self.how.text = words("Scan the code with a phone's camera, or enter this link in a browser:")
        self.switch.offer([(OFF, words("Off")), (ON, words("On"))], ON if state.is_on else OFF)
        self.purpose.offer(
            [(WATCH, words("Watch and score")), (FILM, words("Phone as camera"))],
            FILM if state.films else WATCH,
        )
        self.warns.text = words(
            "The phone's browser warns once, because no authority knows this computer's certificate. Continue"
            " if the certificate's SHA-256 fingerprint is this one:"
        )
        self.who.text = words(
            "Everyone in this Wi-Fi who has the link sees the table. Nobody sees concealed tiles. The link is"
            " new each time, and it is off again when you close the window."
        )
        shown: list[Widget] = [self.switch]
        if state.wrong is not None:
            self.trouble.text = words.say(state.wrong)
            shown.append(self.trouble)
        has_code = served is not None and served.in_network
        if served is None:
            shown.append(self.about)
        else:
            self.link.text = state.link
            self.fingerprint.text = _write_lines(served.fingerprint)
            self.viewers.text = words("Watching now: {count}", count=served.viewers)
            shown.append(self.purpose)
            shown += [self.how, self.link] if has_code else [self.link]
            shown += [self.warns, self.fingerprint] if state.films else [self.viewers] * has_code
            self.code.show(state.link)
            self._tick()
        if self._show_seats(state, view):
            shown.append(self.seats)
        self._arrange([*shown, self.who], has_code=has_code)

    def _show_seats(self, state: Phones, view: View[Phones]) -> bool:
        """A row for each seat: its code, or Take away where a phone holds it. False without seats."""
        words, remote = view.words, state.remote
        if state.served is None or remote is None or remote.state is None:
            return False
        key = remote.seats, remote.state.seated, words.language
        if key == self._shown_seats:
            return True
        self._shown_seats = key
        self.seats.clear_widgets()
        self.seats.add_widget(Text(words("To enter wins from a phone, choose My seat there, then its code:")))
        for person in (remote.state.seated[seat] for seat in remote.state.house.seats):
            seat = remote.seats[person]
            name = NameTag(words("{name}", name=remote.name(person)), size=theme.TEXT_LARGE)
            if seat.token is None:
                last: Widget = Tag(
                    seat.code, size=theme.TEXT_HUGE, colour=theme.GOLD, align="right", bold=True
                )
            else:
                take = partial(self._controller.do, partial(Phones.take_away, person=person))
                last = Press(words("Take away"), act=take)
            self.seats.add_widget(layout.row(name, last, height=theme.TOUCH))
        return True

    def _arrange(self, shown: list[Widget], *, has_code: bool) -> None:
        wide = self.width > self.height
        if self._placed != (shown, has_code, wide):
            self._placed = shown, has_code, wide
            self._body.clear_widgets()
            self._body.orientation = "horizontal" if wide else "vertical"
            self.words.inside.clear_widgets()
            for each in shown:
                self.words.inside.add_widget(each)
            for child in (self.code, self.words) if has_code else (self.words,):
                self._body.add_widget(child)
        self.code.size_hint_x = None if wide else 1
        self.code.width = min(self.height - theme.TOUCH - 3 * theme.PAD, CODE_SHARE * self.width)

    def _look(self, _: float) -> bool:
        """See who watches, and what the link is in another network."""
        if self.parent is None or self._view is None or self._view.state.served is None:
            return False
        served = self._find_served()
        if served is not None and served != self._view.state.served:
            self._controller.do(lambda state: state.see(served))
        return True


def _write_lines(fingerprint: str) -> str:
    """The bytes in lines of equal length."""
    parts = fingerprint.split(":")
    lines = [":".join(parts[at : at + BYTES_A_LINE]) for at in range(0, len(parts), BYTES_A_LINE)]
    return ":\n".join(lines)
