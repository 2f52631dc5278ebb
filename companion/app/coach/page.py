"""The coach's page and its parts: advice in full, entering a hand, the review of played hands, and what is
shown while there is nothing to advise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.coach.noted_tiles import (
    Noted,
    NotedTiles,
    colour_grade,
    format_percent,
    list_useful,
    note_hand,
    note_useful,
)
from companion.app.coach.panels import explain_decision
from companion.app.coach.state import NO_HAND, CoachState, Replayed, Subject
from companion.app.coach.thinking import Answer
from companion.app.coach.wording import describe_first, sum_up_hand
from companion.app.feature import Controller, View
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, TouchCard, adopt
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.tiles import TileStrip
from companion.coach.messages import OF_KIND
from companion.coach.results import Advised, Grade, Level, RatedDecision
from companion.coach.words.wording import (
    AT_MOST,
    MARKS,
    WHOLE_FROM,
    describe_best,
    describe_decision,
    describe_grade,
    format_payment,
    list_action_tiles,
    name_action,
    name_people,
    name_seats,
    phrase,
)
from companion.sentences import msgid, write_number
from companion.table.knowledge import count_unseen
from companion.tiles import BACK, KINDS, Suit
from companion.words import Words
from companion.words.filling import SEAT_NAMES

CHOICES_MAX = 14
ROW_HEIGHT = dp(64)
ROW_TILE = dp(40)
DANGERS_MAX = 3
HAND_HEIGHT = dp(120)
COUNT_ROW = dp(78)


class AdvicePart(BoxLayout):
    """Side by side in a wide window, else below each other."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.said = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.hand = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, size_hint_y=None, height=HAND_HEIGHT)
        self.tell = Press(" ", main=True, act=lambda: controller.do(CoachState.begin_entering))
        self.choices = Column(spacing=theme.GAP / 2)
        self.side = Column(spacing=theme.GAP)
        self._body = layout.row()
        self._shown: object = None

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        names = SEAT_NAMES if state.game is None else name_seats(state.game, words)
        shown = state.answer, state.position, state.subject, words, view.size, names
        if shown == self._shown:
            return
        self._shown = shown
        answer = state.answer
        self.said.text = self._say(state, words, names)
        counts = state.level is Level.LEFT
        self.hand.show([] if answer is None or counts else note_hand(answer))
        self.tell.text = words("Enter hand")
        self._arrange(view, asks=state.position.wants_hand and state.game is not None, counts=counts)
        self.choices.inside.clear_widgets()
        self.side.inside.clear_widgets()
        if answer is None:
            return
        if self.hand.tiles and answer.advice is not None:
            self.choices.inside.add_widget(_head(words("Below each tile: its chance of dealing in")))
        self._fill_choices(answer, words, names)
        self._fill_side(answer, words, names)

    def _say(self, state: CoachState, words: Words, names: tuple[str, ...]) -> str:
        position, answer = state.position, state.answer
        if position.trouble is not None and answer is None:
            return phrase(position.trouble, words, names)
        if answer is None:
            return words("Thinking …") if state.question is not None else ""
        said = describe_first(answer, words, names)
        if answer.advice is not None and answer.advice.choices:
            return describe_best(answer.advice.choices[0], said, words)
        return said

    def _arrange(self, view: View[CoachState], *, asks: bool, counts: bool) -> None:
        wide = view.size[0] > view.size[1]
        for each in (self, self._body):
            each.clear_widgets()
        self._body.orientation = "horizontal" if wide else "vertical"
        adopt(self, self.said)
        if asks:
            adopt(self, self.tell)
        if self.hand.tiles:
            adopt(self, self.hand)
        self.choices.size_hint = (1.35, 1) if wide else (1, 1)
        if not counts:
            adopt(self._body, self.choices)
        adopt(self._body, self.side)
        self.add_widget(self._body)

    def _fill_choices(self, answer: Answer, words: Words, names: tuple[str, ...]) -> None:
        inside = self.choices.inside
        if answer.advice is None:
            return
        dangers = {each.code: each.chance for each in answer.dangers}
        for rank, choice in enumerate(answer.advice.choices[:CHOICES_MAX]):
            inside.add_widget(ChoiceRow(choice, dangers, words, first=rank == 0))

    def _fill_side(self, answer: Answer, words: Words, names: tuple[str, ...]) -> None:
        inside, useful = self.side.inside, list_useful(answer)
        if useful:
            count = sum(each.unseen for each in useful)
            inside.add_widget(_head(words("What helps: {count} left", count=count)))
            inside.add_widget(_grow(NotedTiles(tile_width=dp(44), least=dp(36)), note_useful(useful)))
        grave = [each for each in answer.dangers if each.chance >= 0.02][:DANGERS_MAX]
        if grave:
            inside.add_widget(_head(words("Dangerous")))
        for each in grave:
            row = layout.row(height=ROW_HEIGHT)
            face = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None, width=ROW_TILE)
            face.show([Noted(each.code)])
            row.add_widget(face)
            row.add_widget(_middle(Text(phrase(each.why, words, names), size=theme.TEXT_SMALL)))
            inside.add_widget(row)
        if answer.left:
            heading = words("Can still come")
            if answer.at_least:
                heading = f"{heading} ({words(AT_MOST)})"
            inside.add_widget(_head(heading))
            for suit in Suit:
                kinds = [kind.code for kind in KINDS if kind.suit is suit and kind.code in answer.left]
                if kinds:
                    row_tiles = [
                        Noted(code, str(answer.left[code]), faded=not answer.left[code]) for code in kinds
                    ]
                    large = answer.advice is None and answer.standing is None
                    counts = NotedTiles(
                        tile_width=theme.TILE_WIDTH_MAX,
                        size_hint_y=None,
                        height=COUNT_ROW * (1.3 if large else 1),
                    )
                    counts.show(row_tiles)
                    inside.add_widget(counts)


class ChoiceRow(Card):
    """One choice, the hand's status after it, and its value."""

    def __init__(self, choice: Advised, dangers: dict[str, float], words: Words, *, first: bool) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=ROW_HEIGHT, padding=theme.GAP / 2,
            spacing=theme.GAP, colour=theme.PANEL_PRESSED if first else theme.PANEL,
        )  # fmt: skip
        self.choice = choice
        tiles = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None)
        codes = list_action_tiles(choice)
        tiles.width = ROW_TILE * max(1, len(codes))
        tiles.show([Noted(code) for code in codes])
        self.add_widget(tiles)
        act = name_action(choice, words)
        if choice.then is not None:
            act = f"{act} →"
        self.add_widget(Tag(act, size=theme.TEXT_SMALL, size_hint_x=0.8))
        if choice.then is not None:
            then = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None, width=ROW_TILE)
            then.show([Noted(choice.then.code)])
            self.add_widget(then)
        self.add_widget(_pair(*_say_shape(choice, words)))
        if choice.value is not None:
            deal_in = choice.deal_in or 0.0
            self.add_widget(_pair(_say_worth(choice.value, choice.value_error or 0.0), words("worth")))
            self.add_widget(_pair(format_percent(choice.win_rate or 0.0), words("wins")))
            self.add_widget(_pair(format_percent(deal_in), words("deals in")))


def _say_worth(value: float, error: float) -> str:
    """The mean payment and, where it is no exact one, how far it may be off; large ones in whole numbers."""
    digits = 0 if abs(value) >= WHOLE_FROM or error >= WHOLE_FROM else 1
    said = write_number(value, signed=True, places=digits)
    return f"{said} ±{write_number(error, places=digits)}" if error else said


def _say_shape(choice: Advised, words: Words) -> tuple[str, str]:
    """How many tiles help, and how far the hand is then."""
    count = sum(each.unseen for each in choice.useful)
    if choice.shanten < 0:
        return "", words("wins now")
    away = words("ready to win") if choice.shanten == 0 else words("{count} from ready", count=choice.shanten)
    return words("{count} tiles", count=count), away


def _pair(large: str, small: str) -> BoxLayout:
    return layout.column(
        Tag(large, size=theme.TEXT, align="center", bold=True),
        Tag(small, size=theme.TEXT_TINY, colour=theme.IVORY_DIM, align="center"),
        spacing=0,
    )


def _middle(text: Text) -> Text:
    """In the middle of its row."""
    text.pos_hint = {"center_y": 0.5}
    return text


def _head(text: str) -> Text:
    return Text(text, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)


def _grow(row: NotedTiles, tiles: list[Noted]) -> NotedTiles:
    """As high as its tiles need in its width."""
    row.size_hint_y = None
    row.show(tiles)

    def measure(*_: object) -> None:
        row.height = row.measure(row.width, len(tiles))

    row.bind(width=measure)
    measure()
    return row


ENTRY_HEIGHT = theme.TILE_WIDTH_MAX / theme.TILE_ASPECT * 1.15


class EntryPart(BoxLayout):
    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        do = controller.do
        self.words = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.hand = NotedTiles(
            tile_width=theme.TILE_WIDTH_MAX, notes=False, size_hint_y=None, height=ENTRY_HEIGHT,
            act=lambda at: do(lambda state: state.drop_tile(at)),
        )  # fmt: skip
        self.photo = Press(" ", icon="picture", act=lambda: do(lambda s: s.take_picture(from_camera=False)))
        self.camera = Press(" ", icon="camera", act=lambda: do(lambda s: s.take_picture(from_camera=True)))
        self.done = Press(" ", main=True, act=lambda: do(CoachState.finish_entering))
        self.keyboard: Keyboard | None = None
        self._keys = AnchorLayout(anchor_y="top")
        self._buttons = layout.row(self.photo, self.camera, self.done, height=theme.TOUCH)
        self._placed: object = None
        self._view: View[CoachState] | None = None
        self._keys.bind(size=Clock.create_trigger(self._show_again, -1))

    def _show_again(self, _: float) -> None:
        """The keys are as large as there is room for, which is known only once the page has its layout."""
        if self._view is not None:
            self.show(self._view)

    def show(self, view: View[CoachState]) -> None:
        self._view = view
        state, words = view.state, view.words
        game, seat = state.game, state.position.seat
        if game is None:
            return
        entering = state.entering
        parts = (
            [self.words, self._keys]
            if entering is None
            else [self.words, self.hand, self._keys, self._buttons]
        )
        if parts != self._placed:
            self._placed = parts
            self.clear_widgets()
            for part in parts:
                self.add_widget(part)
        who = "" if seat is None else name_seats(game, words)[seat]
        self.photo.text, self.camera.text, self.done.text = words("Photo"), words("Camera"), words("Done")
        left = {kind.code: n for kind, n in zip(KINDS, count_unseen(game, None), strict=True)}
        if entering is None:
            self.words.text = words("Which tile did {who} draw?", who=who)
        else:
            wanted = state.held_count
            self.words.text = (
                words("Whose hand is it?")
                if seat is None
                else words(
                    "Touch the concealed tiles of {who}: {count} of {wanted}. Melds are known.",
                    who=who, count=len(entering), wanted=wanted,
                )
            )  # fmt: skip
            blank = [Noted(BACK, faded=True)] * (wanted - len(entering))
            self.hand.show([*(Noted(code) for code in entering), *blank])
            self.done.disabled = seat is None or len(entering) != wanted
            for code in entering:
                left[code] -= 1
        self._show_keys(view, left)

    def _show_keys(self, view: View[CoachState], left: dict[str, int]) -> None:
        game = view.state.game
        assert game is not None
        kinds = [kind for kind in KINDS if game.house.copies[kind.index] and kind.suit is not Suit.FLOWERS]
        room = self.width or view.size[0], max(self._keys.height, theme.TOUCH * 4)
        self._keys.clear_widgets()
        self.keyboard = Keyboard(kinds, room, self._touch)
        for code, key in self.keyboard.keys.items():
            key.disabled = left[code] <= 0
            key.mark(faded=key.disabled)
        self._keys.add_widget(self.keyboard)

    def _touch(self, code: str) -> None:
        self._controller.do(lambda state: state.touch_tile(code))


EXAMPLE = ("2m", "3m", "4m", "6m", "7m", "3p", "3p", "5p", "6p", "7p", "2s", "4s", "5s", "6s")
"""An example hand of kinds that every game has."""
DISCARD = "2s"
WIDTH_MAX = dp(1240)
PROMISES = (
    msgid(
        "On your turn, the coach suggests a discard and shows how many tiles help and what the hand may"
        " be worth."
    ),
    msgid("Below each tile: its chance of dealing in. The ringed tile is suggested."),
    msgid("It knows only what everyone at the table can see, and the hand you enter."),
)
TO_TABLE = msgid("To the table")
WHOSE = msgid("Whose hand? Enter its tiles by touch or with a photo.")
NOTHING_YET = msgid("The coach helps once a hand is in play.")


class Invitation(AnchorLayout):
    """Stands in the middle of the page."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__()
        do = controller.do
        self._card = Card(size_hint=(None, None), padding=theme.PAD * 2, spacing=theme.PAD * 1.5)
        self._card.bind(minimum_height=self._card.setter("height"))
        self.asked = Text(size=theme.TEXT_HUGE * 0.8, colour=theme.GOLD)
        self._strip = TileStrip(
            [[(code, code == DISCARD) for code in EXAMPLE]], tile_width=theme.TILE_WIDTH_MAX
        )
        self._promises = [Text(size=theme.TEXT_LARGE) for _ in PROMISES]
        self.table = Press(" ", main=True, size=theme.TEXT_LARGE, act=lambda: do(CoachState.show_table))
        self.tell = Press(
            " ", main=True, size=theme.TEXT_LARGE, act=lambda: do(lambda state: state.begin_entering())
        )
        self._buttons = layout.row(height=theme.TOUCH, spacing=0)
        for child in (self.asked, self._strip, *self._promises, self._buttons):
            self._card.add_widget(child)
        self.add_widget(self._card)

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        width = min(view.size[0] - 4 * theme.PAD, WIDTH_MAX * theme.SCALE)
        self._card.width = width
        self._strip.resize((width - 4 * theme.PAD) / len(EXAMPLE))
        for label, promise in zip(self._promises, PROMISES, strict=True):
            label.text = words(promise)
        waits = state.position.trouble == NO_HAND or state.game is None
        self.asked.text = words(NOTHING_YET) if waits else words(WHOSE)
        self.table.text, self.tell.text = words(TO_TABLE), words("Enter hand")
        self._buttons.clear_widgets()
        self._buttons.add_widget(self.table if waits else self.tell)


DECISION_HEIGHT = dp(76)
TILE = dp(44)
TWO_ROWS_BELOW = dp(1000)
EVENING_WIDTH = dp(220)
HEADS = (
    "", msgid("Decisions"), msgid("Cost per decision"), msgid("Worst hand"), msgid("Grades"),
    msgid("Dealt in"),
)  # fmt: skip


class ReviewPart(BoxLayout):
    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.people = Choices(
            lambda key: controller.do(lambda state: state.choose_person(int(key))), size=theme.TEXT_SMALL
        )
        self.evening = Press(
            " ", act=lambda: controller.do(CoachState.review_evening), size=theme.TEXT_SMALL,
            size_hint_x=None, width=EVENING_WIDTH,
        )  # fmt: skip
        self.back = Press(
            " ", act=lambda: controller.do(CoachState.step_back), size=theme.TEXT_SMALL, size_hint_x=None,
            width=BACK_WIDTH,
        )  # fmt: skip
        self._head = layout.row(height=theme.TOUCH)
        self._second = layout.row(height=theme.TOUCH)
        self.said = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.list = Column(spacing=theme.GAP / 2)
        self._shown: object = None

    def show(self, view: View[CoachState]) -> None:
        words, replayed = view.words, view.state.replayed
        if replayed is None:
            return
        shown = replayed.key, len(replayed.decisions), replayed.done, replayed.evening, words, view.size
        if shown == self._shown:
            return
        self._shown = shown
        self._arrange(narrow=view.size[0] < TWO_ROWS_BELOW)
        names = name_people(replayed.sheet.names, words)
        self.people.offer([(str(each), names[each]) for each in replayed.people], str(replayed.person))
        self.back.text = words("Back")
        self.said.text = sum_up_hand(replayed, words)
        share = replayed.share_done
        if not replayed.evening:
            self.evening.text = words("Review the evening")
        elif share < 1:
            self.evening.text = words("Stop ({percent}% reviewed)", percent=int(100 * share))
        else:
            self.evening.text = words("Review complete")
        inside = self.list.inside
        inside.clear_widgets()
        if replayed.evening:
            self._add_evening(replayed, words, names)
        self._add_decisions(replayed, words, names)

    def _arrange(self, *, narrow: bool) -> None:
        for box in (self, self._head, self._second):
            box.clear_widgets()
        adopt(self._head, self.people)
        self.add_widget(self._head)
        if narrow:
            self._second.add_widget(Widget())
            self.add_widget(self._second)
        for button in (self.evening, self.back):
            adopt(self._second if narrow else self._head, button)
        for widget in (self.said, self.list):
            adopt(self, widget)

    def _add_evening(self, replayed: Replayed, words: Words, names: tuple[str, ...]) -> None:
        inside = self.list.inside
        people = replayed.sum_up()
        grid = layout.grid(len(HEADS), height=theme.TEXT * 2 * (len(people) + 1), spacing=0)
        for head in HEADS:
            grid.add_widget(Tag(words(head) if head else "", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        for each in people:
            grid.add_widget(Tag(names[each.person], bold=True))
            grid.add_widget(Tag(str(each.decisions)))
            grid.add_widget(Tag(write_number(each.mean_cost, places=2)))
            hand, cost = each.worst_hand or (0, 0.0)
            worst = f"{hand} (−{format_payment(cost)})" if hand else "–"
            grid.add_widget(Tag(worst))
            grid.add_widget(Tag("  ".join(f"{MARKS[g]} {each.grades[g]}" for g in Grade if g in each.grades)))
            grid.add_widget(Tag(words("{count}, avoidable {avoidable}", count=each.deal_ins,
                                      avoidable=each.avoidable)))  # fmt: skip
        card = Card(size_hint_y=None, colour=theme.PANEL_RAISED)
        card.bind(minimum_height=card.setter("height"))
        card.add_widget(grid)
        for each in people:
            if each.mistakes:
                kinds = "; ".join(
                    words(OF_KIND, kind=words(kind.value), count=count,
                          cost=format_payment(each.mistake_costs[kind]))
                    for kind, count in each.mistakes.items()
                )  # fmt: skip
                card.add_widget(Text(f"{names[each.person]}: {kinds}", size=theme.TEXT_SMALL))
        inside.add_widget(card)

    def _add_decisions(self, replayed: Replayed, words: Words, names: tuple[str, ...]) -> None:
        seated = (replayed.hand.after.hand or replayed.hand.after).seated
        seats = tuple(names[person] for person in seated)
        worst = replayed.worst
        others = [each for each in replayed.decisions if each not in worst]
        for decision in (*worst, *others):
            act = partial(self._go, decision.number)
            badge = str(worst.index(decision) + 1) if decision in worst else ""
            self.list.inside.add_widget(DecisionRow(decision, badge, words, seats, act))

    def _go(self, number: int) -> None:
        self._controller.do(lambda state: state.want_step(number))


class DecisionRow(TouchCard):
    """What was done, what would have been best, the grade, and why; touched, the replay goes there."""

    def __init__(
        self,
        decision: RatedDecision,
        badge: str,
        words: Words,
        seats: tuple[str, ...],
        act: Callable[[], None],
    ) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=DECISION_HEIGHT, padding=theme.GAP / 2,
            spacing=theme.GAP, colour=theme.PANEL_RAISED if badge else theme.PANEL,
        )  # fmt: skip
        self.decision = decision
        self._act = act
        code = BACK if decision.tile is None else decision.tile.code
        self.add_widget(_tiles([Noted(code, badge=badge)]))
        said = describe_grade(decision, words)
        done = Tag(describe_decision(decision, words), size=theme.TEXT, size_hint_x=0.3)
        self.add_widget(done)
        mark = MARKS[decision.grade] if decision.is_rated else ""
        self.add_widget(
            Tag(f"{mark} {said}", size=theme.TEXT, colour=colour_grade(decision.grade), bold=True,
                size_hint_x=0.42)
        )  # fmt: skip
        why = Text(explain_decision(decision, words, seats), size=theme.TEXT)
        why.pos_hint = {"center_y": 0.5}
        why.bind(height=self._grow)
        self.add_widget(why)
        best = decision.best
        if best is not None and best is not decision.chosen and decision.cost:
            self.add_widget(Tag(words("Best: {act}", act=name_action(best, words)), size=theme.TEXT_SMALL,
                                colour=theme.IVORY_DIM, size_hint_x=0.2, align="right"))  # fmt: skip
            self.add_widget(_tiles([Noted(each) for each in list_action_tiles(best)]))

    def on_release(self) -> None:
        self._act()

    def _grow(self, why: Text, _: float) -> None:
        """As high as its words need."""
        self.height = max(DECISION_HEIGHT, why.height + theme.GAP)


def _tiles(noted: list[Noted]) -> NotedTiles:
    row = NotedTiles(tile_width=TILE, notes=False, size_hint_x=None, width=TILE * max(1, len(noted)))
    row.show(noted)
    return row


LEVELS = (
    (Level.LEFT, msgid("Only tiles left")), (Level.SHAPE, msgid("Shape")), (Level.FULL, msgid("Full")),
)  # fmt: skip
FAIR = msgid("Fair game is on, so the coach is off. You can change this in the settings.")
BACK_WIDTH, TELL_WIDTH = dp(132), dp(180)
ONE_ROW_FROM, SHORT_NAME, HAND_ROW_FROM = dp(1200), 12, dp(1000)
"""Window width from which one row holds both, if no name has more letters than SHORT_NAME; window width from
which the hand alone fits into one row."""
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
        self.lying = Press(" ", act=lambda: do(CoachState.enter_open_tiles), size=theme.TEXT_SMALL)
        self.entry = EntryPart(controller)
        self.advice = AdvicePart(controller)
        self.review = ReviewPart(controller)
        self.invitation = Invitation(controller)
        self.fair = Text(FAIR, size=theme.TEXT_LARGE)
        self._head = layout.row(height=theme.TOUCH)
        self._second = layout.row(height=theme.TOUCH)
        self._placed: object = None

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        self.back.text = words("Cancel") if state.entering is not None else words("Back")
        self.tell.text = words("Enter hand")
        count = state.open_tile_count
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
