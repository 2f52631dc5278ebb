"""The coach's page: all it has to say of the table, of a hand alone, or of the hands that were played."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.coach.advice_part import AdvicePart
from companion.app.coach.entry_part import EntryPart
from companion.app.coach.invitation import Invitation
from companion.app.coach.position import NO_HAND
from companion.app.coach.review_part import ReviewPart
from companion.app.coach.state import CoachState, Subject
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, Text, adopt
from companion.coach.results import Level
from companion.coach.words.wording import name_seats
from companion.sentences import msgid
from companion.words import Words

LEVELS = (
    (Level.LEFT, msgid("Only what is left")), (Level.SHAPE, msgid("Shape")), (Level.FULL, msgid("Full")),
)  # fmt: skip
FAIR = msgid("The game is fair: the coach says nothing. The settings change that.")
BACK_WIDTH, TELL_WIDTH = dp(132), dp(180)
ONE_ROW_FROM, SHORT_NAME, HAND_ROW_FROM = dp(1200), 12, dp(1000)
"""From this width on one row has room for both, where no name is longer than so many letters; beside a hand
alone."""
LYING = msgid("Tiles on the table")
LYING_COUNT = msgid("Tiles on the table: {count}")


class CoachPage(BoxLayout):
    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self.levels = Choices(
            lambda key: do(lambda state: state.set_level(Level(key))), size=theme.TEXT_SMALL
        )
        self.seats = Choices(lambda key: do(lambda state: state.choose_seat(int(key))), size=theme.TEXT_SMALL)
        self.tell = Press(
            " ", act=lambda: do(CoachState.begin_entering), size=theme.TEXT_SMALL, size_hint_x=None,
            width=TELL_WIDTH,
        )  # fmt: skip
        self.back = Press(
            " ", act=lambda: do(CoachState.step_back), size=theme.TEXT_SMALL, size_hint_x=None,
            width=BACK_WIDTH,
        )  # fmt: skip
        self.lying = Press(" ", act=lambda: do(CoachState.enter_lying), size=theme.TEXT_SMALL)
        self.entry = EntryPart(controller)
        self.advice = AdvicePart(controller)
        self.review = ReviewPart(controller)
        self.invitation = Invitation(controller)
        self.fair = Text(FAIR, size=theme.TEXT_LARGE)
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._second = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._placed: object = None

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        self.back.text = words("Cancel") if state.entering is not None else words("Back")
        self.tell.text = words("Tell the hand")
        count = state.lying_count
        self.lying.text = words(LYING_COUNT, count=count) if count else words(LYING)
        self.levels.offer([(level.value, words(name)) for level, name in LEVELS], state.level.value)
        names = () if state.game is None else name_seats(state.game, words)
        if state.game is not None:
            chosen = None if state.position.seat is None else str(state.position.seat)
            self.seats.offer([(str(seat), names[seat]) for seat in state.game.house.seats], chosen)
        head, body = self._choose(state, words)
        self._arrange(view, head, body)
        if isinstance(body, EntryPart | AdvicePart | ReviewPart | Invitation):
            body.show(view)

    def _choose(self, state: CoachState, words: Words) -> tuple[list[list[Widget]], Widget]:
        """The rows above, and what fills the page."""
        if state.fair:
            self.fair.text = words(FAIR)
            return [[Widget(), self.back]], self.fair
        if state.subject is Subject.REVIEW:
            return [], self.review
        if state.subject is Subject.HAND:
            return [[self.levels, self.back], [self.lying]], self.advice
        if state.entering is not None or state.position.unnamed is not None:
            return [[self.seats, self.back]], self.entry
        if state.game is None or state.position.trouble == NO_HAND:
            return [[self.levels, self.back]], self.invitation
        if state.position.wants_hand and state.position.trouble is None:
            return [[self.levels, self.back], [self.seats, self.tell]], self.invitation
        return [[self.levels, self.back], [self.seats, self.tell]], self.advice

    def _arrange(self, view: View[CoachState], rows: list[list[Widget]], body: Widget) -> None:
        alone = view.state.subject is Subject.HAND
        names = () if view.state.game is None or alone else name_seats(view.state.game, view.words)
        one_row_from = HAND_ROW_FROM if alone else ONE_ROW_FROM
        is_wide = view.size[0] >= one_row_from and max(map(len, names), default=0) <= SHORT_NAME
        placed = is_wide, rows, body
        if placed == self._placed:
            return
        self._placed = placed
        for each in (self, self._head, self._second):
            each.clear_widgets()
        if len(rows) == 2 and is_wide:
            rows = [[rows[0][0], *rows[1], rows[0][1]]]
        for place, row in zip((self._head, self._second), rows, strict=False):
            for widget in row:
                adopt(place, widget)
            self.add_widget(place)
        adopt(self, body)
        if isinstance(body, Text):
            self.add_widget(Widget())
