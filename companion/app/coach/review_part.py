"""What a hand cost its player, every decision in words; and the evening of everybody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.coach.looks import colour_grade
from companion.app.coach.noted_tiles import Noted, NotedTiles
from companion.app.coach.replayed import Replayed
from companion.app.coach.state import CoachState
from companion.app.coach.step_panel import explain_decision
from companion.app.coach.wording import sum_up_hand
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, adopt
from companion.coach.messages import OF_KIND
from companion.coach.results import Grade, RatedDecision
from companion.coach.words.wording import (
    MARKS,
    describe_decision,
    describe_grade,
    format_payment,
    list_action_tiles,
    name_action,
    name_people,
)
from companion.sentences import msgid
from companion.tiles import BACK
from companion.words import Words

ROW_HEIGHT = dp(76)
TILE = dp(44)
TWO_ROWS_BELOW = dp(1000)
EVENING_WIDTH, BACK_WIDTH = dp(220), dp(132)
HEADS = (
    "", msgid("Decisions"), msgid("Cost of each"), msgid("Worst hand"), msgid("Grades"), msgid("Dealt in"),
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
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._second = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
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
            self.evening.text = words("All is reviewed")
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
        grid = GridLayout(cols=len(HEADS), size_hint_y=None, height=theme.TEXT * 2 * (len(people) + 1))
        for head in HEADS:
            grid.add_widget(Tag(words(head) if head else "", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        for each in people:
            grid.add_widget(Tag(names[each.person], bold=True))
            grid.add_widget(Tag(str(each.decisions)))
            grid.add_widget(Tag(f"{each.mean_cost:.2f}"))
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


class DecisionRow(ButtonBehavior, Card):
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
            orientation="horizontal", size_hint_y=None, height=ROW_HEIGHT, padding=theme.GAP / 2,
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
        self.height = max(ROW_HEIGHT, why.height + theme.GAP)


def _tiles(noted: list[Noted]) -> NotedTiles:
    row = NotedTiles(tile_width=TILE, notes=False, size_hint_x=None, width=TILE * max(1, len(noted)))
    row.show(noted)
    return row
